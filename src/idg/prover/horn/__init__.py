"""Linear programs as constrained Horn clauses, for z3's engine Spacer. `ask` is the door; nothing that it answers is proved."""

from idg.prover.horn.spacer import HornAnswer, ask

__all__ = ["HornAnswer", "ask"]
