"""The report of a study: one HTML page with its plots, JSON and CSV. The same data give the same bytes."""
