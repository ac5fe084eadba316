"""Bounds from runs: how small and how large terms get in the states reached, and what remains when they are divided."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction

from idg.agents.built_in.ideas.polynomials import bound_text
from idg.agents.built_in.states.loop_view import LoopView
from idg.sip.running.runner import Row
from idg.sip.syntax import Binary, Compare, Expr, Number, Type, Unary
from idg.sip.text.printer import print_expression
from idg.sip.trees.build import arithmetic
from idg.sip.trees.traverse import names
from idg.sip.values import Scalar, scalar

SUPPORT_MIN = 3
"""Runs that must attain a bound before it is believed. The largest value of one run says how far that run went, not what holds."""
CONSTANT_MAX = 2
"""Bounds between minus this and this are believed anyway: programs start and stop at such numbers."""
COMBINATIONS_MAX = 24
"""Bounds of sums that are yielded against one state, the simplest first. They are one batch for the engine."""
FEW_ROWS = 60
"""States on which a sum is tried first, because most sums fail there."""

Rational = int | Fraction


def supported(view: LoopView, values: Sequence[Scalar], bound: Rational) -> bool:
    """Whether the bound of the values, one for each row, is attained so often that it is hardly chance."""
    if -CONSTANT_MAX <= bound <= CONSTANT_MAX or view.run_count < SUPPORT_MIN:
        return True
    attaining: set[int] = set()
    for value, run in zip(values, view.runs, strict=True):
        if value == bound:
            attaining.add(run)
            if len(attaining) >= SUPPORT_MIN:
                return True
    return False


def octagon(view: LoopView, wanted: Sequence[str], pairs: Iterable[tuple[str, str]]) -> Iterator[str]:
    """Bounds of variables, and of the sums and differences of pairs where those say more than the bounds of both together."""
    columns = {name: view.column(name) for name in wanted}
    if not view.rows:
        return
    least = {name: min(column) for name, column in columns.items()}
    most = {name: max(column) for name, column in columns.items()}
    for name in wanted:
        if name in view.changing:
            yield from _bounds(view, {name: 1}, columns[name])
    for first, second in pairs:
        if not {first, second} & view.changing:
            continue
        left, right = columns[first], columns[second]
        for sign in (-1, 1):
            values = [a + sign * b for a, b in zip(left, right, strict=True)]
            low = least[first] + (least[second] if sign > 0 else -most[second])
            high = most[first] + (most[second] if sign > 0 else -least[second])
            terms = {first: 1, second: sign}
            if min(values) > low and supported(view, values, min(values)):
                yield _bound(terms, min(values))
            if max(values) < high and supported(view, values, max(values)):
                yield _bound({name: -value for name, value in terms.items()}, -max(values))


def _bounds(view: LoopView, terms: dict[str, int], values: Sequence[Scalar]) -> Iterator[str]:
    low, high = min(values), max(values)
    if supported(view, values, low):
        yield _bound(terms, low)
    if supported(view, values, high):
        yield _bound({name: -value for name, value in terms.items()}, -high)


def _bound(terms: dict[str, int], least: Rational) -> str:
    if least.denominator == 1:
        return bound_text(terms, int(least))
    return f"{least.denominator} * ({' + '.join(f'{value} * {name}' for name, value in terms.items())}) >= {least.numerator}"


def about_difference(view: LoopView, pairs: Sequence[tuple[Expr, Expr]]) -> Iterator[Expr]:
    """For pairs of terms: how far one is from the other at most, on either side."""
    differences: list[Expr] = [Binary("-", left, right) for left, right in pairs]
    for (left, right), values in zip(pairs, view.values(differences, view.rows), strict=True):
        known = [value for value in values if isinstance(value, int | Fraction)]
        if len(known) < len(values) or not known:
            continue
        low, high = min(known), max(known)
        if low == high:
            yield _shifted(left, "=", right, low)
            continue
        whole = _is_whole(view, left) and _is_whole(view, right)
        if supported(view, known, low):
            yield _shifted(left, ">=", right, low) if not (whole and low == 1) else Compare((left, right), (">",))
        if supported(view, known, high):
            yield _shifted(left, "<=", right, high) if not (whole and high == -1) else Compare((left, right), ("<",))
        if not whole:
            strict = [op for op, sign in ((">", 1), ("<", -1)) if all(value * sign > 0 for value in known)]
            yield from (Compare((left, right), (op,)) for op in strict)


def _is_whole(view: LoopView, expr: Expr) -> bool:
    """Whether the term has whole values only: no variable is rational, and nothing is divided by `/`."""
    return all(view.types.get(name) is not Type.RAT for name in names(expr)) and "/" not in print_expression(expr).replace("//", "")


def _shifted(left: Expr, op: str, right: Expr, by: Rational) -> Expr:
    """left op right + by"""
    if by == 0:
        return Compare((left, right), (op,))
    amount = Number(by if by > 0 else -by)
    if isinstance(right, Number) and right.value + by >= 0:
        return Compare((left, Number(right.value + by)), (op,))
    if isinstance(right, Number):
        total = -(right.value + by)
        return Compare((left, Unary("-", Number(total))), (op,))
    return Compare((left, arithmetic("+" if by > 0 else "-", right, amount)), (op,))


def combinations(view: LoopView, bad: Row) -> Iterator[str]:
    """Bounds of sums of two or three variables with small coefficients that exclude the bad state, the simplest first."""
    changing = [name for name in view.numeric if name in view.changing]
    few = view.scalar_rows[:FEW_ROWS]
    yielded = 0
    for count in (2, 3):
        for chosen in itertools.combinations(view.numeric, count):
            if not set(chosen) & set(changing):
                continue
            columns = [view.index[name] for name in chosen]
            for factors in itertools.product((1, -1, 2, -2), repeat=count):
                # Sums of two variables without the factor 2 are octagon's.
                if sum(abs(factor) == 2 for factor in factors) > 1 or (count == 2 and 2 not in map(abs, factors)):
                    continue
                terms = list(zip(columns, factors, strict=True))
                least = min((sum(factor * row[column] for column, factor in terms) for row in few), default=0)
                in_bad = sum(factor * scalar(bad[column]) for column, factor in terms)
                if not -CONSTANT_MAX <= least <= CONSTANT_MAX or in_bad >= least or least.denominator != 1:
                    continue
                if all(sum(factor * row[column] for column, factor in terms) >= least for row in view.scalar_rows):
                    yield bound_text(dict(zip(chosen, factors, strict=True)), int(least))
                    yielded += 1
                    if yielded >= COMBINATIONS_MAX:
                        return


def remainders(view: LoopView, wanted: Sequence[str], moduli: Sequence[int]) -> Iterator[str]:
    """Variables whose remainder is always the same, or always that of another variable."""
    whole = [name for name in wanted if view.types[name] is not Type.RAT]
    columns = {name: view.column(name) for name in whole}
    if len(view.rows) < SUPPORT_MIN:
        return
    for modulus in moduli:
        rests = {name: [int(value) % modulus for value in column] for name, column in columns.items()}
        for name in whole:
            if name in view.changing and len(set(rests[name])) == 1 and len(set(columns[name])) > 1:
                yield f"{name} % {modulus} = {rests[name][0]}"
        for index, first in enumerate(whole):
            for second in whole[index + 1 :]:
                one_changes = {first, second} & view.changing
                varied = len(set(rests[first])) > 1
                if one_changes and varied and rests[first] == rests[second]:
                    yield f"{first} % {modulus} = {second} % {modulus}"
