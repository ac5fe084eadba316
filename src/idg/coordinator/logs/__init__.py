"""The log: how its lines are written, that nobody floods it, and the request that a line belongs to."""
