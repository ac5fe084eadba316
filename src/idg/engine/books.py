"""The engine's books: what is known of a program so far, as an immutable value.

Any worker can answer any request, because the request carries the books with it.
"""

from __future__ import annotations

from collections.abc import Mapping

from idg.engine.wire.codec import Json, Layout, decode, encode, value_from_json
from idg.sip.record import Record, replace
from idg.sip.values import Value, ValueJson

VERSION = 1
"""The version of the books' JSON, raised when its shape changes."""
SHOWN_MAX = 50
"""How many of the states that players were asked to rule out the books remember: the newest ones."""
COUNTEREXAMPLES_MAX = 100
"""How many counterexamples the books remember: the newest ones."""


class LoopBooks(Record):
    """The facts that are known of one loop."""

    inductive: tuple[str, ...] = ()
    """Canonical texts, in the order in which they were accepted."""
    potential: tuple[str, ...] = ()
    """Canonical texts, in the order in which they were proposed."""
    unknown: tuple[str, ...] = ()
    """Those about which nothing could be established, in the order in which they were proposed. They are tried again like the
    potential ones. In JSON they are left out where there are none, because rooms stored by version 0.1 have no such list."""

    measure: str = ""
    """What is proved to fall in every turn: components in canonical text, with commas; empty where nothing is."""
    waiting_measures: tuple[str, ...] = ()
    """Measures that were proposed and are neither proved nor refuted. They are tried again when facts arrive."""

    layout = Layout(kept=("inductive", "potential"))


class ShownState(Record):
    """A state at the head of a loop that a player was asked to rule out."""

    loop: int
    state: Mapping[str, Value]


class Books(Record):
    """The facts of each loop, and what helps to answer the next question."""

    loops: tuple[LoopBooks, ...]
    shown: tuple[ShownState, ...] = ()
    """The states shown to be ruled out, the newest last."""
    counterexamples: tuple[Mapping[str, Value], ...] = ()
    """States of the symbols of verification conditions that refuted queries. They are tried first on later queries."""
    version: int = VERSION
    endless: Mapping[str, Value] | None = None
    """The inputs of a run that a player has shown never to end. Like measures, it is left out of JSON where there is none."""

    # The counterexamples are called "hints" in JSON because stored rooms have that name.
    layout = Layout(
        names={"counterexamples": "hints"},
        order=("version", "loops", "shown", "counterexamples", "endless"),
        kept=("version", "shown", "counterexamples"),
    )

    def with_loop(self, loop: int, **changes: tuple[str, ...]) -> Books:
        loops = list(self.loops)
        loops[loop - 1] = replace(loops[loop - 1], **changes)
        return replace(self, loops=tuple(loops))

    def with_measures(self, loop: int, measure: str, waiting: tuple[str, ...]) -> Books:
        loops = list(self.loops)
        loops[loop - 1] = replace(loops[loop - 1], measure=measure, waiting_measures=waiting)
        return replace(self, loops=tuple(loops))

    def with_shown(self, loop: int, state: Mapping[str, Value]) -> Books:
        return replace(self, shown=(*self.shown, ShownState(loop, state))[-SHOWN_MAX:])

    def with_counterexample(self, state: Mapping[str, Value]) -> Books:
        if state in self.counterexamples:
            return self
        return replace(self, counterexamples=(*self.counterexamples, state)[-COUNTEREXAMPLES_MAX:])

    def as_json(self) -> Json:
        return encode(self)


def books_from_json(data: object) -> Books:
    """The books that JSON stands for. Raises ValueError where the JSON has another version or stands for no books."""
    books = decode(Books, data)
    if books.version != VERSION:
        raise ValueError(f"these books have version {books.version}; this engine reads version {VERSION}")
    return books


def values_from_json(values: Mapping[str, ValueJson]) -> dict[str, Value]:
    return {name: value_from_json(written) for name, written in values.items()}
