"""Runs that never end: those that are searched for, and those that players give."""
