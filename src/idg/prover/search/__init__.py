"""Searching for small states that refute a query."""
