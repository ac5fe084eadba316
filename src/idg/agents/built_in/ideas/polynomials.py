"""Polynomials that the agent fits to states, and how they are written for people."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence

from idg.sip.trees.polynomials import Monomial

Poly = Mapping[Monomial, int]
"""Monomials with their coefficients, which are whole numbers other than zero."""


def monomials(names: Sequence[str], degree: int) -> Iterator[Monomial]:
    """All of exactly this degree, those of earlier names first."""
    combinations = itertools.combinations_with_replacement(range(len(names)), degree)
    for indices in sorted(combinations, key=lambda indices: tuple(reversed(indices))):
        yield tuple(names[index] for index in indices)


def monomial_text(monomial: Monomial) -> str:
    parts = []
    for name, group in itertools.groupby(monomial):
        power = len(list(group))
        parts.append(name if power == 1 else f"{name}^{power}")
    return " * ".join(parts) or "1"


def sum_text(poly: Poly) -> str:
    """Positive terms first, higher degrees before lower ones."""
    if not poly:
        return "0"
    text = ""
    for monomial, value in sorted(poly.items(), key=lambda term: (term[1] < 0, -len(term[0]))):
        size = abs(value)
        term = str(size) if not monomial else monomial_text(monomial) if size == 1 else f"{size} * {monomial_text(monomial)}"
        if not text:
            text = term if value > 0 else f"-{term}"
        else:
            text += f" + {term}" if value > 0 else f" - {term}"
    return text


def equation_text(poly: Poly, wanted: Sequence[str] = ()) -> str:
    """The equation `poly = 0`, solved for a variable that occurs in one term only and there alone, where there is one.

    Of several such variables it is one with the smallest coefficient; of those, the first of `wanted`.
    """
    alone = [
        name
        for name in (*wanted, *sorted({name for monomial in poly for name in monomial}))
        if (name,) in poly and sum(name in monomial for monomial in poly) == 1
    ]
    alone.sort(key=lambda name: abs(poly[name,]))
    if alone:
        name = alone[0]
        value = poly[name,]
        sign = -1 if value > 0 else 1
        rest = {monomial: sign * factor for monomial, factor in poly.items() if monomial != (name,)}
        return f"{name if abs(value) == 1 else f'{abs(value)} * {name}'} = {sum_text(rest)}"
    left = {monomial: value for monomial, value in poly.items() if value > 0}
    right = {monomial: -value for monomial, value in poly.items() if value < 0}
    if not left or not right:
        return f"{sum_text(poly)} = 0"
    return f"{sum_text(left)} = {sum_text(right)}"


def bound_text(terms: Mapping[str, int], least: int, strict: bool = False) -> str:
    """`terms >= least` with every term on the side where it is positive."""
    left: dict[Monomial, int] = {(name,): value for name, value in terms.items() if value > 0}
    right: dict[Monomial, int] = {(name,): -value for name, value in terms.items() if value < 0}
    if not left:
        if least:
            (left if least < 0 else right)[()] = abs(least)
        return f"{sum_text(right)} {'<' if strict else '<='} {sum_text(left)}"
    if least > 0 or (least < 0 and not right):
        right[()] = least
    elif least < 0:
        left[()] = -least
    return f"{sum_text(left)} {'>' if strict else '>='} {sum_text(right)}"
