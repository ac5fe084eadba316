"""Jobs on their way from coordinators to nodes and back."""
