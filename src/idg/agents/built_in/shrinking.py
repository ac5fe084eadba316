"""Programs with long arrays, played as if their arrays were short.

Runs over thousands of cells take long, and arrays of more than the language's runs allow cannot be run at all. What holds of such a
program mostly does not depend on how long its arrays are. So the numbers of the text that are such lengths, or beside one, become
small; the agent plays that program; and in the facts that prove it the numbers become large again. All this is only a source of
ideas: whether the facts prove the program itself is asked of the engine.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from idg.sip.program import Program
from idg.sip.record import Record, replace
from idg.sip.running.runner import RunStart
from idg.sip.syntax import Number, Var
from idg.sip.trees.traverse import statements
from idg.sip.values import Value

LONG_CELLS = 60
"""Arrays with more cells than this are played as short ones."""
BESIDE_MAX = 2
"""How far a number of the text may be from a length to be taken for one beside it, such as `n - 1`."""
SHORT_CELLS = (11, 17, 23, 37, 41, 53)
"""Lengths of the short arrays: numbers that texts seldom have, so that they can be told from others in facts."""
FURTHER_CHOICES = 4_000
"""How often a choice of a run over short arrays is repeated in one over long ones, of which each cell may be chosen."""
REPEATED_MAX = 8
"""Choices that are tried as the one that is repeated, the last ones first."""
_NUMBER = re.compile(r"(?<!\w)(?<!\d\.)\d+(?!\.\d)(?!\w)")


class Shrunk(Record):
    """A program with short arrays."""

    text: str
    back: dict[int, int]
    """Numbers of the text → those that they stand for."""

    def enlarged(self, fact: str) -> str:
        """What a fact about the short arrays says about the long ones."""
        return _NUMBER.sub(lambda match: str(self.back.get(int(match[0]), match[0])), fact)

    def enlarged_runs(self, start: RunStart) -> Iterator[RunStart]:
        """Runs of the program with long arrays that choose as this one does, and go on with one of its choices for ever."""
        choices = [tuple(self._enlarged_value(value) for value in values) for values in start.choices]
        inputs = {name: self._enlarged_value(value) for name, value in start.inputs.items()}
        for repeated in list(dict.fromkeys(reversed(choices)))[:REPEATED_MAX]:
            yield RunStart(inputs, start.seed, (*choices, *([repeated] * FURTHER_CHOICES)))
        if not choices:
            yield RunStart(inputs, start.seed)

    def _enlarged_value(self, value: Value) -> Value:
        if isinstance(value, tuple):
            return (*value, *(value[:1] * (self.back.get(len(value), len(value)) - len(value))))
        return self.back.get(value, value) if type(value) is int else value


def shrunk(program: Program) -> Shrunk | None:
    """The program with short arrays; None where no array is long, or its numbers would be mixed up."""
    lengths = sorted({length for length in _lengths(program) if length > LONG_CELLS})
    others = {int(number) for number in _NUMBER.findall(program.text)}
    if not lengths or len(lengths) > len(SHORT_CELLS):
        return None
    new: dict[int, int] = {}
    free = iter(SHORT_CELLS)
    for length in lengths:
        short = next((cells for cells in free if not others & set(range(cells - BESIDE_MAX, cells + BESIDE_MAX + 1))), None)
        if short is None:
            return None
        for distance in range(-BESIDE_MAX, BESIDE_MAX + 1):
            if new.setdefault(length + distance, short + distance) != short + distance:
                return None
    text = _NUMBER.sub(lambda match: str(new.get(int(match[0]), match[0])), program.text)
    return Shrunk(text, {small: large for large, small in new.items()})


def with_choices(program: Program, start: RunStart) -> RunStart:
    """The start of the same run, with all of its choices."""
    return replace(start, choices=tuple(choice.values for choice in program.repeat(start).choices))


def _lengths(program: Program) -> Iterator[int]:
    """The lengths of arrays that the text tells by numbers."""
    for function in program.module.functions:
        for statement in statements(function.body):
            if isinstance(statement, Var) and isinstance(statement.length, Number) and isinstance(statement.length.value, int):
                yield statement.length.value
