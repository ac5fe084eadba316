"""Servers under load: one coordinator, several, clusters, and the client in a browser."""
