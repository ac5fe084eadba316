"""Clauses that rule out given states: alternatives of simple literals, at least one of them true in every state reached.

The states to rule out, called bad here, are those that the engine shows and those in which transitions start that break candidates.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import log2

from idg.agents.built_in.states.loop_view import LoopView
from idg.sip.running.runner import Row
from idg.sip.syntax import Expr, Unary
from idg.sip.text.expressions import parse_expression
from idg.sip.text.printer import print_expression
from idg.sip.trees.entry import column_leaf
from idg.sip.trees.logic import negate
from idg.sip.trees.traverse import node_count
from idg.sip.values import Value

LITERALS_MAX = 160
"""Literals that clauses are made of. Pairs of them are tried, so the work grows with the square."""
PAIRS_MAX = 30
"""Clauses of two literals that are yielded, the shortest first."""
DEPTH_MAX = 4
"""Literals of a clause that a decision tree gives, at most: longer ones describe the states seen rather than the program."""
CONSTANTS_MAX = 8
"""Numbers that variables are compared with, the smallest first."""


def row_of(view: LoopView, state: Mapping[str, Value]) -> Row | None:
    """A state that the engine shows, as a row; None where it leaves a variable open."""
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
    literals = dict.fromkeys([*atoms, *(parse_expression(text) for text in texts)])
    for name in view.booleans:
        literals[column_leaf(name)] = None
        literals[Unary("!", column_leaf(name))] = None
    return list(literals)[:LITERALS_MAX]


def clauses(view: LoopView, literals: Sequence[Expr], bad: Row) -> Iterator[str]:
    """Clauses of one or two literals that exclude the bad state and hold in every reached one, the simplest first."""
    everything = (1 << len(view.rows)) - 1
    excluding = [literal for literal, mask in zip(literals, view.masks(literals, [bad]), strict=True) if not mask]
    masks = dict(zip(excluding, view.masks(excluding, view.rows), strict=True))
    useful = sorted((literal for literal in excluding if masks[literal]), key=node_count)
    for literal in useful:
        if masks[literal] == everything:
            yield print_expression(literal)
    partial = [literal for literal in useful if masks[literal] != everything]
    pairs = [
        (first, second)
        for index, first in enumerate(partial)
        for second in partial[index + 1 :]
        if masks[first] | masks[second] == everything
    ]
    pairs.sort(key=lambda pair: node_count(pair[0]) + node_count(pair[1]))
    for first, second in pairs[:PAIRS_MAX]:
        yield f"{_operand(first)} | {_operand(second)}"


def tree(view: LoopView, literals: Sequence[Expr], bad: Sequence[Row]) -> Iterator[str]:
    """Clauses from a decision tree over the literals that tells reached states from bad ones: one for each leaf of bad states."""
    if not bad or not view.rows:
        return
    good_masks = dict(zip(literals, view.masks(literals, view.rows), strict=True))
    bad_masks = dict(zip(literals, view.masks(literals, bad), strict=True))
    for path in _leaves(list(literals), good_masks, bad_masks, (1 << len(view.rows)) - 1, (1 << len(bad)) - 1, ()):
        yield " | ".join(_operand(negate(literal)) for literal in path)


def _leaves(
    literals: Sequence[Expr],
    good_masks: Mapping[Expr, int],
    bad_masks: Mapping[Expr, int],
    good: int,
    bad: int,
    path: tuple[Expr, ...],
) -> Iterator[tuple[Expr, ...]]:
    """The paths to leaves that hold bad states and no reached one. `good` and `bad` are the states of this node, as bits."""
    if not bad:
        return
    if not good:
        yield path
        return
    if len(path) >= DEPTH_MAX:
        return
    best = max(literals, key=lambda literal: (_gain(good, bad, good_masks[literal], bad_masks[literal]), -node_count(literal)))
    good_mask, bad_mask = good_masks[best], bad_masks[best]
    if _gain(good, bad, good_mask, bad_mask) <= 0:
        return
    yield from _leaves(literals, good_masks, bad_masks, good & good_mask, bad & bad_mask, (*path, best))
    yield from _leaves(literals, good_masks, bad_masks, good & ~good_mask, bad & ~bad_mask, (*path, negate(best)))


def _gain(good: int, bad: int, good_mask: int, bad_mask: int) -> float:
    """The information gained by a split, in bits. It is rounded, so that the order of equal ones is the same on every machine."""

    def disorder(one: int, two: int) -> float:
        total = one + two
        return -sum(count * log2(count / total) for count in (one, two) if count)

    whole = disorder(good.bit_count(), bad.bit_count())
    inside = disorder((good & good_mask).bit_count(), (bad & bad_mask).bit_count())
    outside = disorder((good & ~good_mask).bit_count(), (bad & ~bad_mask).bit_count())
    return round(whole - inside - outside, 9)


def _operand(expr: Expr) -> str:
    text = print_expression(expr)
    return f"({text})" if " | " in text or " -> " in text else text


def constants(numbers: Sequence[int]) -> list[int]:
    """Numbers worth comparing with: 0 and 1, and those of the text."""
    return sorted({0, 1, *numbers})[:CONSTANTS_MAX]
