"""What an agent may propose, and where it comes from."""

from __future__ import annotations

from idg.sip.record import Record
from idg.sip.syntax import Expr

Idea = tuple[str | Expr, str]
"""An expression, or its text, and in a few words where it comes from. Nobody has checked it yet."""


class Candidate(Record):
    """An idea that is a Boolean expression of its loop and true in every state seen there."""

    loop: int
    text: str
    expr: Expr
    source: str
    """Where the idea comes from, in a few words."""
    always_proposed: bool = False
    """Is proposed although near states do not show that it says more than others. It may say the same in a form that is easier to
    use in proofs, or be a piece of the program, which is likely to be needed."""
