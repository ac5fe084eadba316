"""Commands for those who run a server or a cluster."""
