"""Rewrites C trees before they are read: jumps, and calls with pointers and contracts."""
