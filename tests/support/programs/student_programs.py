"""Programs with arrays as students write them, each with invariants that prove it: the files of tests/support/arrays."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from idg.sip.program import Program, load
from idg.sip.record import Record
from idg.sip.syntax import Span, Type
from idg.sip.text.printer import print_expression
from idg.sip.trees.logic import separate_claims
from idg.sip.values import Value

HERE = Path(__file__).parent.parent / "arrays"
CELLS = (-1, 0, 1, 2)
"""The numbers in the cells of the arrays that are tried."""
SHORT = 3
"""All arrays up to this length are tried; longer ones are drawn."""


class StudentProgram(Record):
    name: str
    given: Program
    """The program as its file has it, with all invariants given in the text."""
    program: Program
    """The same without them."""
    facts: tuple[tuple[int, str], ...]
    """The number of a loop and one invariant of it, in the order of the text."""


@cache
def student_programs() -> tuple[StudentProgram, ...]:
    return tuple(_student_program(path) for path in sorted(HERE.glob("*.sip")))


def student_program(name: str) -> StudentProgram:
    return next(student for student in student_programs() if student.name == name)


def _student_program(path: Path) -> StudentProgram:
    text = path.read_text(encoding="utf-8")
    given = load(text)
    facts: list[tuple[int, str]] = []
    plain = text
    for loop in reversed(given.loops):
        invariant = loop.statement.invariant
        assert invariant is not None, f"{path.name}: a loop has no invariant"
        facts = [(loop.number, print_expression(claim)) for claim in separate_claims(invariant)] + facts
        plain = _without(plain, invariant.span)
    return StudentProgram(path.stem, given, load(plain), tuple(facts))


def _without(text: str, invariant: Span) -> str:
    """The text without the invariant that stands there, and without its square brackets."""
    before, after = text[: invariant[0]].rstrip(), text[invariant[1] :].lstrip()
    assert (before[-1], after[0]) == ("[", "]")
    return before[:-1] + after[1:].lstrip()


def inputs_to_try(program: Program, seed: int, count: int) -> Iterator[dict[str, Value]]:
    """All short inputs that the count allows, and as many that are drawn."""
    pick = random.Random(seed)
    short = itertools.product(*([*_short(kind)] for kind in program.params.values()))
    every = [dict(zip(program.params, values, strict=True)) for values in short]
    yield from pick.sample(every, min(count, len(every)))
    for _ in range(count):
        length, most = pick.randrange(8), pick.choice((1, 2, 5))
        yield {name: _drawn(kind, length, most, pick) for name, kind in program.params.items()}


def _short(kind: Type) -> Iterator[Value]:
    if not kind.element:
        yield from (number for number in (-1, 0, 1, 2, 3) if kind is not Type.NAT or number >= 0)
        return
    for length in range(SHORT + 1):
        yield from itertools.product([number for number in CELLS if kind.element is not Type.NAT or number >= 0], repeat=length)


def _drawn(kind: Type, length: int, most: int, pick: random.Random) -> Value:
    """An array of this length, half of them rising, or a number; few numbers are different where `most` is small."""
    least = 0 if Type.NAT in (kind, kind.element) or most == 1 else -4
    if not kind.element:
        return pick.randint(least, most)
    numbers = [pick.randint(least, most) for _ in range(length)]
    return tuple(sorted(numbers) if pick.random() < 0.5 else numbers)
