"""Coordinators of one database among themselves: news, leases, and who is where."""
