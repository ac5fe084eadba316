"""The interface of provers that can be compared with ours, and single solvers as such provers.

Every plug-in must pass the conformance suite (tests/prover/test_prover.py): it is never wrong on the table of examples, but it may
answer Unknown.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from idg.prover.answers import Answer, Proved, Refuted, Unknown
from idg.prover.smt.questions import ask_cvc5, ask_z3, ask_z3_over_reals
from idg.vc.query import Query


class ProverPlugin(Protocol):
    """Anything with a name that answers queries."""

    @property
    def name(self) -> str: ...

    def prove(self, query: Query) -> Answer: ...


class StagePlugin:
    """One stage as a prover of its own."""

    def __init__(self, name: str, attempt: Callable[[Query], Proved | Refuted | None]) -> None:
        self.name = name
        self._attempt = attempt

    def prove(self, query: Query) -> Answer:
        return self._attempt(query) or Unknown((self.name,))


Z3 = StagePlugin("z3", ask_z3)
CVC5 = StagePlugin("cvc5", ask_cvc5)
REALS = StagePlugin("reals", ask_z3_over_reals)
