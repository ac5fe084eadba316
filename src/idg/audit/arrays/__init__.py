"""Arrays in the second verifier: laws of sums, counts and permutations, and states with short arrays."""
