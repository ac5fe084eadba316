"""The table of queries for every prover, which `idg doctor --prover NAME` uses, too."""

from __future__ import annotations

from idg.prover.plugins.examples import EXAMPLES, INVALID, LEMMAS, VALID, Example, make_query

__all__ = ["EXAMPLES", "INVALID", "LEMMAS", "VALID", "Example", "make_query"]
