"""Queries with quantifiers: witnesses for those that say that something exists, and instances of those that speak of everything."""
