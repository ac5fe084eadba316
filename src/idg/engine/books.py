"""The engine's books: an immutable value, readable as JSON. Any worker can take any request with it."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from idg.sip.record import Record, replace
from idg.sip.values import Value, format_value

VERSION = 1
SHOWN_MAX = 50
COUNTEREXAMPLES_MAX = 100


class LoopBooks(Record):
    inductive: tuple[str, ...] = ()
    """In the order of acceptance, canonical texts."""
    potential: tuple[str, ...] = ()


class Books(Record):
    loops: tuple[LoopBooks, ...]
    shown: tuple[tuple[int, Mapping[str, Value]], ...] = ()
    """States shown to be ruled out, with their loop, the newest last."""
    counterexamples: tuple[Mapping[str, Value], ...] = ()
    """Counterexamples found, over the symbols of verification conditions: tried first against later queries."""

    def with_loop(self, loop: int, **changes: tuple[str, ...]) -> Books:
        books = list(self.loops)
        books[loop - 1] = replace(books[loop - 1], **changes)
        return replace(self, loops=tuple(books))

    def with_shown(self, loop: int, state: Mapping[str, Value]) -> Books:
        return replace(self, shown=(*self.shown, (loop, state))[-SHOWN_MAX:])

    def with_counterexample(self, state: Mapping[str, Value]) -> Books:
        return (
            self
            if state in self.counterexamples
            else replace(self, counterexamples=(*self.counterexamples, state)[-COUNTEREXAMPLES_MAX:])
        )

    def as_json(self) -> dict[str, Any]:
        return {
            "version": VERSION,
            "loops": [{"inductive": list(each.inductive), "potential": list(each.potential)} for each in self.loops],
            "shown": [{"loop": loop, "state": values_to_json(state)} for loop, state in self.shown],
            "hints": [values_to_json(each) for each in self.counterexamples],
        }


def values_to_json(values: Mapping[str, Value]) -> dict[str, str]:
    return {name: format_value(value) for name, value in values.items()}


def values_from_json(values: Mapping[str, str]) -> dict[str, Value]:
    return {name: _value(text) for name, text in values.items()}


def _value(text: str) -> Value:
    if text in ("true", "false"):
        return text == "true"
    number = Fraction(text)
    return number.numerator if number.denominator == 1 else number


def books_from_json(found: Mapping[str, Any]) -> Books:
    if found["version"] != VERSION:
        raise ValueError(f"these books have version {found['version']}; this engine reads version {VERSION}")
    return Books(
        tuple(LoopBooks(tuple(each["inductive"]), tuple(each["potential"])) for each in found["loops"]),
        tuple((each["loop"], values_from_json(each["state"])) for each in found["shown"]),
        tuple(values_from_json(each) for each in found["hints"]),
    )
