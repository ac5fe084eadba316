"""Rooms in memory: who is there, what they see of each other, and their sockets."""
