"""Places in a text, and what a run chose: small parts of many answers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from idg.engine.wire.codec import Layout
from idg.sip.record import Record
from idg.sip.values import Value

LimitReached = Literal["", "time", "memory", "died", "error"]
"""Which limit of a server ended an analysis before there was a verdict; empty where none did."""


class Where(Record):
    """A place in a text: line and column of its start, from 1; the offsets of its start and end in code points, from 0."""

    line: int
    column: int
    start: int
    end: int


class UnprovedPlace(Record):
    """Something that the program must ensure and that is not proved yet, but that a proof assumes."""

    cause: str
    """Its cause, in the words of docs/language.md: assert, claim, narrowing, …"""
    where: Where
    text: str
    """The expression, as it stands in the program."""

    layout = Layout(names={"text": "expression"})


class ChoiceMade(Record):
    """What a run chose once: by a cassign, or for variables that are declared without a value."""

    values: Mapping[str, Value]
    initial: bool
    """Whether these are the initial values of declared variables."""
