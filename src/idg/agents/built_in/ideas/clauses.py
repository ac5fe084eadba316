"""Clauses that rule out given states: alternatives of simple literals, at least one of them true in every state reached.

The states come from the engine's feedback, from breaking transitions, and from near states that end in breaking the guarantee.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import log2

from idg.agents.built_in.states.loop_view import LoopView
from idg.sip.logic import negate
from idg.sip.running.runner import Row
from idg.sip.syntax import Expr, Unary
from idg.sip.text.expressions import parse_expression
from idg.sip.text.printer import print_expression
from idg.sip.traverse import size
from idg.sip.values import Value

LITERALS_MAX = 160
PAIRS_MAX = 30
DEPTH_MAX = 4
CONSTANTS_MAX = 8


def row_of(view: LoopView, state: Mapping[str, Value]) -> Row | None:
    """A state that the engine shows, as a row."""
    if any(name not in state for name in view.names):
        return None
    return tuple(state[name] for name in view.names)


def simple_literals(view: LoopView, numbers: Sequence[int], atoms: Sequence[Expr]) -> list[Expr]:
    """Comparisons of variables with each other and with constants of the text, Boolean variables, the program's own atoms."""
    texts: list[str] = []
    wanted = [name for name in view.numeric if name in view.changing]
    for name in wanted:
        for constant in constants(numbers):
            texts += (f"{name} {op} {constant}" for op in ("<=", ">=", "="))
    for name in wanted:
        for other in view.numeric:
            if other != name and (other not in view.changing or name < other):
                texts += (f"{name} {op} {other}" for op in ("<=", ">=", "=", "<", ">"))
    found = dict.fromkeys([*atoms, *(parse_expression(each) for each in texts)])
    for name in view.booleans:
        found[view.leaf(name)] = None
        found[Unary("!", view.leaf(name))] = None
    return list(found)[:LITERALS_MAX]


def clauses(view: LoopView, literals: Sequence[Expr], bad: Row) -> Iterator[str]:
    """One or two literals that exclude the bad state and hold in every reached one, the simplest first."""
    everything = (1 << len(view.rows)) - 1
    excluding = [each for each, mask in zip(literals, view.masks(literals, [bad]), strict=True) if not mask]
    masks = dict(zip(excluding, view.masks(excluding, view.rows), strict=True))
    useful = sorted((each for each in excluding if masks[each]), key=size)
    for each in useful:
        if masks[each] == everything:
            yield print_expression(each)
    partial = [each for each in useful if masks[each] != everything]
    pairs = [
        (first, second)
        for at, first in enumerate(partial)
        for second in partial[at + 1 :]
        if masks[first] | masks[second] == everything
    ]
    pairs.sort(key=lambda pair: size(pair[0]) + size(pair[1]))
    for first, second in pairs[:PAIRS_MAX]:
        yield f"{_operand(first)} | {_operand(second)}"


def tree(view: LoopView, literals: Sequence[Expr], bad: Sequence[Row]) -> Iterator[str]:
    """A decision tree over the literals between reached and bad states; each leaf of bad states gives a clause."""
    if not bad or not view.rows:
        return
    good = dict(zip(literals, view.masks(literals, view.rows), strict=True))
    wrong = dict(zip(literals, view.masks(literals, bad), strict=True))
    for path in _leaves(list(literals), good, wrong, (1 << len(view.rows)) - 1, (1 << len(bad)) - 1, ()):
        yield " | ".join(_operand(negate(each)) for each in path)


def _leaves(
    literals: Sequence[Expr], good: Mapping[Expr, int], wrong: Mapping[Expr, int], rows: int, bad: int, path: tuple[Expr, ...]
) -> Iterator[tuple[Expr, ...]]:
    """The paths to leaves that hold bad states and no reached one."""
    if not bad:
        return
    if not rows:
        yield path
        return
    if len(path) >= DEPTH_MAX:
        return
    best = max(literals, key=lambda each: (_gain(rows, bad, good[each], wrong[each]), -size(each)))
    if _gain(rows, bad, good[best], wrong[best]) <= 0:
        return
    yield from _leaves(literals, good, wrong, rows & good[best], bad & wrong[best], (*path, best))
    yield from _leaves(literals, good, wrong, rows & ~good[best], bad & ~wrong[best], (*path, negate(best)))


def _gain(rows: int, bad: int, good: int, wrong: int) -> float:
    def disorder(one: int, two: int) -> float:
        total = one + two
        return -sum(each * log2(each / total) for each in (one, two) if each)

    whole = disorder(rows.bit_count(), bad.bit_count())
    inside = disorder((rows & good).bit_count(), (bad & wrong).bit_count())
    outside = disorder((rows & ~good).bit_count(), (bad & ~wrong).bit_count())
    return round(whole - inside - outside, 9)


def _operand(expr: Expr) -> str:
    text = print_expression(expr)
    return f"({text})" if " | " in text or " -> " in text else text


def constants(numbers: Sequence[int]) -> list[int]:
    """Numbers worth comparing with: 0 and 1, and those of the text."""
    return sorted({0, 1, *numbers})[:CONSTANTS_MAX]
