"""What an agent is about to propose, and why."""

from __future__ import annotations

from idg.sip.record import Record
from idg.sip.syntax import Expr


class Candidate(Record):
    loop: int
    text: str
    expr: Expr
    source: str
    """Where the idea comes from, in a few words."""
    rephrases: bool = False
    """Says what another one says, so that it is easier to use."""
