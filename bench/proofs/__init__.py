"""What proofs and answers cost: the engine, the second verifier, arrays, many facts, states."""
