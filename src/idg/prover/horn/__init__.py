"""Linear programs as constrained Horn clauses, for z3's engine Spacer."""
