"""Facts of special shapes: powers, greatest common divisors, truth values, terms of the guarantee mixed with other variables."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from math import gcd

from idg.agents.built_in.states.loop_view import LoopView
from idg.sip.program import Program
from idg.sip.syntax import Binary, Call, Compare, Expr, Number, Type
from idg.sip.text.printer import print_expression
from idg.sip.traverse import expressions, function_expressions, names, size

BASES_MAX = 4
FACTORS_MAX = 3
PRODUCT_FACTORS_MAX = 8
PRODUCT_NODES_MAX = 5


def divisors(program: Program) -> list[int]:
    """Numbers by which the text divides or multiplies."""
    found: set[int] = set()
    for whole in function_expressions(program.level):
        for each in expressions(whole):
            if isinstance(each, Binary) and each.op in ("*", "/", "//", "%", "^"):
                sides = [side.value for side in (each.left, each.right) if isinstance(side, Number)]
                found |= {value for value in sides if isinstance(value, int)}
            elif isinstance(each, Call) and each.function == "ispow" and isinstance(each.arguments[1], Number):
                found |= {int(each.arguments[1].value)}
    return sorted(each for each in found if each > 1)


def powers(view: LoopView, program: Program) -> Iterator[tuple[str, str]]:
    """Variables, and quotients of variables, that are powers of a number of the text; the variable and the fact."""
    whole = [name for name in view.numeric if view.types[name] is not Type.RAT]
    columns = {name: [int(each) for each in view.column(name)] for name in whole}
    bases = divisors(program)[:BASES_MAX][::-1]
    for name in whole:
        if name not in view.changing:
            continue
        base = next((each for each in bases if _all_powers(columns[name], each)), 0)
        if base:
            yield name, f"ispow({name}, {base})"
            continue
        for other in whole:
            pairs = list(zip(columns[name], columns[other], strict=True))
            if other != name and all(b and a % b == 0 for a, b in pairs):
                base = next((each for each in bases if _all_powers([a // b for a, b in pairs], each)), 0)
                if base:
                    yield name, f"ispow({name} // {other}, {base}) & {name} % {other} = 0"


def in_steps(view: LoopView, program: Program) -> Iterator[str]:
    """Powers, said so that it shows that large ones can be divided twice: what halves of squares need."""
    bases = divisors(program)[:BASES_MAX][::-1]
    for name in view.numeric:
        if name in view.changing and view.types[name] is not Type.RAT:
            values = [int(each) for each in view.column(name)]
            base = next((each for each in bases if _all_powers(values, each)), 0)
            if base:
                square = base * base
                yield f"{name} = 1 | {name} = {base} | {name} % {square} = 0 & ispow({name} // {square}, {base})"


def _all_powers(values: Sequence[int], base: int) -> bool:
    def is_power(value: int) -> bool:
        while value > 1 and value % base == 0:
            value //= base
        return value == 1

    return len(set(values)) > 1 and all(map(is_power, set(values)))


def common_divisors(view: LoopView) -> Iterator[str]:
    """Pairs of variables whose greatest common divisor is that of another pair that does not change, or does not change at all."""
    whole = [name for name in view.numeric if view.types[name] is not Type.RAT]
    columns = {name: [int(each) for each in view.column(name)] for name in whole}
    pairs = [(a, b) for at, a in enumerate(whole) for b in whole[at + 1 :]]
    values = {pair: [gcd(a, b) for a, b in zip(columns[pair[0]], columns[pair[1]], strict=True)] for pair in pairs}
    fixed = [pair for pair in pairs if not view.changing & set(pair)]
    for pair in pairs:
        if view.changing & set(pair):
            for other in fixed:
                if values[pair] == values[other] and len(set(values[pair])) > 1:
                    yield f"gcd({pair[0]}, {pair[1]}) = gcd({other[0]}, {other[1]})"


def truth_values(view: LoopView, atoms: Sequence[Expr]) -> Iterator[str]:
    """Boolean variables that say what an atom says, or whether a number is even."""
    texts = [print_expression(each) for each in atoms if isinstance(each, Compare)]
    texts += (f"{name} % 2 = 0" for name in view.numeric if view.types[name] is not Type.RAT)
    for name in view.booleans:
        if name in view.changing:
            for text in texts:
                yield f"{name} = ({text})"
                yield f"{name} != ({text})"


def mixed(view: LoopView, claims: Sequence[Compare], test: Expr, factors: Sequence[int]) -> Iterator[tuple[Expr, Expr]]:
    """The two sides of each claim, with a multiple of a variable of the test added to one: pairs to be bounded."""
    variables = sorted(name for name in names(test) & view.changing if view.types[name] is not Type.BOOL)
    for claim in claims:
        left, right = claim.operands
        for name in variables:
            for factor in factors:
                term = view.leaf(name) if factor == 1 else Binary("*", Number(factor), view.leaf(name))
                if right == Number(0):
                    yield left, term
                else:
                    yield left, Binary("+", right, term)
                yield Binary("+", left, term), right


def products(view: LoopView, known: Sequence[Expr], terms: Sequence[Expr]) -> Iterator[tuple[Expr, Expr]]:
    """Each term with each product of two things that are known not to be negative: pairs to be bounded.

    The products themselves say nothing new. How far another term is from one of them may.
    """
    factors: dict[Expr, None] = {view.leaf(name): None for name in view.numeric if view.types[name] is Type.NAT}
    for each in known:
        match each:
            case Compare((left, right), (">=" | ">",)):
                factors[_difference(left, right)] = None
            case Compare((left, right), ("<=" | "<",)):
                factors[_difference(right, left)] = None
    # Single variables and short differences first: products of others nobody would like to read.
    chosen = sorted((each for each in factors if not isinstance(each, Number) and size(each) <= PRODUCT_NODES_MAX), key=size)
    for first, second in itertools.combinations_with_replacement(chosen[:PRODUCT_FACTORS_MAX], 2):
        if names(first) & view.changing or names(second) & view.changing:
            for term in terms:
                if term not in (first, second):
                    yield term, Binary("*", first, second)


def _difference(left: Expr, right: Expr) -> Expr:
    return left if right == Number(0) else Binary("-", left, right)
