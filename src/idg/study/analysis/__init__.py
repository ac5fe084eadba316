"""The figures and tests of a study, and its planning."""
