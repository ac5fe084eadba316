"""Candidates about arrays: what holds of all cells of a range, of which the ends are counters, numbers and lengths."""
