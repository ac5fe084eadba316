"""What a prover answers."""

from __future__ import annotations

from collections.abc import Mapping

from idg.sip.record import Record
from idg.sip.values import Value


class Proved(Record):
    """The goal follows from the hypotheses."""

    by: str
    """The stage that found the proof."""
    core: frozenset[int]
    """Indices of hypotheses that suffice for the proof."""


class Refuted(Record):
    """The goal does not follow: a state shows it."""

    by: str
    """The stage that found the state, or who else did."""
    state: Mapping[str, Value]
    """Values of all variables of the query. Every hypothesis holds there and the goal fails; evaluation has confirmed it."""


class Unknown(Record):
    """Neither a proof nor a refuting state was found."""

    tried: tuple[str, ...]
    """What was tried, in words that people are shown."""


Answer = Proved | Refuted | Unknown
