"""Facts that hold only while a test of the program does: phases of a loop, as implications."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

from idg.agents.built_in.ideas.bounds import CONSTANT_MAX, SUPPORT_MIN
from idg.agents.built_in.ideas.equalities import Fitting
from idg.agents.built_in.ideas.polynomials import bound_text, equation_text
from idg.agents.built_in.states.loop_view import LoopView
from idg.sip.logic import negate
from idg.sip.running.runner import Row
from idg.sip.syntax import Binary, Compare, Expr, Type
from idg.sip.text.printer import print_expression
from idg.sip.traverse import size

ROWS_MIN = 3
GUARD_NODES_MAX = 12
GUARDS_MAX = 24
EQUALITY_ROWS_MIN = 8


def phases(view: LoopView, guards: Sequence[Expr]) -> Iterator[tuple[Expr, list[int]]]:
    """Guards that are sometimes true and sometimes not, each with the rows where it is; every set of rows once."""
    small = [each for each in guards if size(each) <= GUARD_NODES_MAX][:GUARDS_MAX]
    seen: set[int] = set()
    everything = (1 << len(view.rows)) - 1
    for guard, mask in zip(small, view.masks(small, view.rows), strict=True):
        if mask in (0, everything) or mask in seen:
            continue
        seen.add(mask)
        rows = [at for at in range(len(view.rows)) if mask >> at & 1]
        if len(rows) >= ROWS_MIN:
            yield guard, rows


def equalities(view: LoopView, guard: Expr, rows: Sequence[int], degree: int, wanted: Sequence[str]) -> Iterator[str]:
    if len(rows) < EQUALITY_ROWS_MIN:
        return
    columns = {name: [view.rows[at][view.index[name]] for at in rows] for name in wanted}
    fitting = Fitting(columns)
    when = implication(guard)
    for _ in range(degree):
        found = fitting.next_degree()
        if found is None:
            return
        for poly in found:
            if any(name in view.changing for monomial in poly for name in monomial):
                yield f"{when}({equation_text(poly, [name for name in wanted if name in view.changing])})"


def implication(guard: Expr) -> str:
    """What stands before the fact. `x = 1 | …` rather than `x != 1 -> …`: easier to read, and to prove."""
    if isinstance(guard, Compare) and guard.ops == ("!=",):
        return f"{print_expression(negate(guard))} | "
    text = print_expression(guard)
    return f"({text}) -> " if isinstance(guard, Binary) else f"{text} -> "


def bounds(view: LoopView, guard: Expr, rows: Sequence[int], wanted: Sequence[str]) -> Iterator[str]:
    """Bounds that the guard makes tighter, on variables and on their differences."""
    chosen: list[Row] = [view.rows[at] for at in rows]
    runs = [view.runs[at] for at in rows]
    when = implication(guard)
    singles = [{name: 1} for name in wanted if name in view.changing]
    pairs = [{a: 1, b: -1} for a in wanted for b in wanted if a != b and a in view.changing and (a < b or b not in view.changing)]
    for terms in [*singles, *pairs]:
        for sign in (1, -1):
            signed = {name: sign * by for name, by in terms.items()}
            here = [_sum(view, signed, row) for row in chosen]
            least = min(here)
            rare = len({run for run, each in zip(runs, here, strict=True) if each == least}) < SUPPORT_MIN
            if least.denominator != 1 or (rare and not -CONSTANT_MAX <= least <= CONSTANT_MAX):
                continue
            if any(_sum(view, signed, row) < least for row in view.rows):
                yield f"{when}{bound_text(signed, int(least))}"


def _sum(view: LoopView, terms: Mapping[str, int], row: Row) -> int | Fraction:
    total: int | Fraction = 0
    for name, by in terms.items():
        total += by * row[view.index[name]]
    return total


def remainders(view: LoopView, guard: Expr, rows: Sequence[int], wanted: Sequence[str], moduli: Sequence[int]) -> Iterator[str]:
    for name in wanted:
        if view.types[name] is Type.RAT or name not in view.changing:
            continue
        at = view.index[name]
        for modulus in moduli:
            rests = {int(view.rows[row][at]) % modulus for row in rows}
            if len(rests) == 1 and len({view.rows[row][at] for row in rows}) > 1:
                yield f"{implication(guard)}{name} % {modulus} = {rests.pop()}"
