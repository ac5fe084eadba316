"""Benchmarks. `make bench` runs them; each prints ratios against a named rival measured in the same run."""
