"""Rewrites C trees before they are read: switches, jumps, returns, calls, and what has pointers or contracts."""
