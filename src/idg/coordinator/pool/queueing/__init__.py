"""Who is served next: the fair queue, and who uses how much."""
