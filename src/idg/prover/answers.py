"""What a prover answers."""

from __future__ import annotations

from collections.abc import Mapping

from idg.sip.record import Record
from idg.sip.values import Value


class Proved(Record):
    by: str
    """The stage that found the proof."""
    core: frozenset[int]
    """Indices of hypotheses that suffice."""


class Refuted(Record):
    by: str
    state: Mapping[str, Value]
    """Values of all variables of the query: every hypothesis holds and the goal fails. Checked by evaluation before."""


class Unknown(Record):
    tried: tuple[str, ...]
    """What was tried, for people."""


Answer = Proved | Refuted | Unknown
