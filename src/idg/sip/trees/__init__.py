"""The expression toolkit: building syntax trees, taking them apart, and looking into them."""
