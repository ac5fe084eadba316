"""Linear programs as constrained Horn clauses, for z3's engine Spacer. Others call `ask`; nothing that it answers is proved."""

from idg.prover.horn.spacer import RLIMIT, HornAnswer, ask

__all__ = ["RLIMIT", "HornAnswer", "ask"]
