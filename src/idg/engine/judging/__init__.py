"""Which facts are proved together: promotion, many facts at once, what proofs rest on, and the second verifier."""
