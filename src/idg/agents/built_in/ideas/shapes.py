"""Facts of special shapes: powers, greatest common divisors, truth values, terms of the guarantee mixed with other variables."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from math import gcd

from idg.agents.built_in.states.loop_view import LoopView
from idg.sip.program import Program
from idg.sip.running.runtime import is_power
from idg.sip.syntax import Assign, Binary, Call, Compare, Expr, Name, Number, Type
from idg.sip.text.printer import print_expression
from idg.sip.trees.entry import column_leaf
from idg.sip.trees.traverse import expressions, function_expressions, names, node_count, statements

BASES_MAX = 4
"""Numbers of the text that are tried as bases of powers, the smallest ones."""
FACTORS_MAX = 3
"""Multiples of a variable that are added to terms of the guarantee: 1 and the smallest divisors of the text."""
PRODUCT_FACTORS_MAX = 8
"""Terms of which products are made. Every pair of them is tried with every other term."""
PRODUCT_NODES_MAX = 5
"""Nodes of a term of which products are made: enough for x - y - 1. Larger products are hard to read and to prove."""


def divisors(program: Program) -> list[int]:
    """Whole numbers above one by which the text divides or multiplies, or whose powers it speaks of, smallest first."""
    numbers: set[int] = set()
    for whole in function_expressions(program.level):
        for part in expressions(whole):
            if isinstance(part, Binary) and part.op in ("*", "/", "//", "%", "^"):
                sides = [side.value for side in (part.left, part.right) if isinstance(side, Number)]
                numbers |= {value for value in sides if isinstance(value, int)}
            elif isinstance(part, Call) and part.function == "ispow" and isinstance(part.arguments[1], Number):
                numbers |= {int(part.arguments[1].value)}
    return sorted(number for number in numbers if number > 1)


def remainders_by_variables(view: LoopView, program: Program) -> Iterator[str]:
    """Variables that a divisor which is no literal divides, or that have the same remainder by it, as long as it is not 0.

    Divisors are those of the text, and what a turn adds to a variable or takes from it.
    """
    divisors_of_text = {
        part.right
        for whole in function_expressions(program.level)
        for part in expressions(whole)
        if isinstance(part, Binary) and part.op in ("%", "//") and names(part.right) and not names(part.right) & view.changing
    }
    divisors_of_text |= {step for step in _steps(view) if names(step) and not names(step) & view.changing}
    whole_columns = [name for name in view.numeric if view.types[name] is not Type.RAT]
    for divisor in sorted(filter(view.can_say, divisors_of_text), key=print_expression)[:BASES_MAX]:
        text = print_expression(divisor)
        for one in whole_columns:
            if one in view.changing and one not in names(divisor):
                yield f"{one} % ({text}) = 0"
                yield f"{text} = 0 | {one} % ({text}) = 0"
        for one, other in itertools.combinations(whole_columns, 2):
            if {one, other} & view.changing and not {one, other} & names(divisor):
                yield f"{one} % ({text}) = {other} % ({text})"
                yield f"{text} = 0 | {one} % ({text}) = {other} % ({text})"


def _steps(view: LoopView) -> Iterator[Expr]:
    """What assignments in the loop add to a variable or take from it."""
    for statement in statements(view.loop.statement.body):
        match statement:
            case Assign(Name(name), Binary("+" | "-", Name(left), step)) if left == name:
                yield step
            case Assign(Name(name), Binary("+", step, Name(right))) if right == name:
                yield step


def powers(view: LoopView, program: Program) -> Iterator[tuple[str, str]]:
    """Variables, and quotients of two variables, that are powers of a number of the text: pairs of the variable and the fact."""
    whole = [name for name in view.numeric if view.types[name] is not Type.RAT]
    columns = {name: [int(value) for value in view.column(name)] for name in whole}
    bases = divisors(program)[:BASES_MAX][::-1]
    for name in whole:
        if name not in view.changing:
            continue
        base = next((number for number in bases if _all_powers(columns[name], number)), 0)
        if base:
            yield name, f"ispow({name}, {base})"
            continue
        for other in whole:
            pairs = list(zip(columns[name], columns[other], strict=True))
            if other != name and all(b and a % b == 0 for a, b in pairs):
                base = next((number for number in bases if _all_powers([a // b for a, b in pairs], number)), 0)
                if base:
                    yield name, f"ispow({name} // {other}, {base}) & {name} % {other} = 0"


def in_steps(view: LoopView, program: Program) -> Iterator[str]:
    """Powers of b in another wording: 1, or b, or a multiple of b^2 whose quotient by b^2 is a power again.

    The wording says outright that a power above b can be divided by b twice. A loop that divides a power by b in each turn needs
    this, because the quotient must be divisible again, and a prover seldom derives it from `ispow` by itself.
    """
    bases = divisors(program)[:BASES_MAX][::-1]
    for name in view.numeric:
        if name in view.changing and view.types[name] is not Type.RAT:
            values = [int(value) for value in view.column(name)]
            base = next((number for number in bases if _all_powers(values, number)), 0)
            if base:
                square = base * base
                yield f"{name} = 1 | {name} = {base} | {name} % {square} = 0 & ispow({name} // {square}, {base})"


def _all_powers(values: Sequence[int], base: int) -> bool:
    return len(set(values)) > 1 and all(is_power(value, base) for value in set(values))


def common_divisors(view: LoopView) -> Iterator[str]:
    """Pairs of variables whose greatest common divisor is always that of another pair, which the loop does not change."""
    whole = [name for name in view.numeric if view.types[name] is not Type.RAT]
    columns = {name: [int(value) for value in view.column(name)] for name in whole}
    pairs = [(first, second) for index, first in enumerate(whole) for second in whole[index + 1 :]]
    values = {pair: [gcd(a, b) for a, b in zip(columns[pair[0]], columns[pair[1]], strict=True)] for pair in pairs}
    fixed = [pair for pair in pairs if not view.changing & set(pair)]
    for pair in pairs:
        if view.changing & set(pair):
            for other in fixed:
                if values[pair] == values[other] and len(set(values[pair])) > 1:
                    yield f"gcd({pair[0]}, {pair[1]}) = gcd({other[0]}, {other[1]})"


def truth_values(view: LoopView, atoms: Sequence[Expr]) -> Iterator[str]:
    """Boolean variables that say what an atom says, or whether a number is even."""
    texts = [print_expression(atom) for atom in atoms if isinstance(atom, Compare)]
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
                term = column_leaf(name) if factor == 1 else Binary("*", Number(factor), column_leaf(name))
                if right == Number(0):
                    yield left, term
                else:
                    yield left, Binary("+", right, term)
                yield Binary("+", left, term), right


def products(view: LoopView, known: Sequence[Expr], terms: Sequence[Expr]) -> Iterator[tuple[Expr, Expr]]:
    """Each term with each product of two things that are known not to be negative: pairs to be bounded.

    That a product is not negative says nothing new. How far another term is from it may be new.
    """
    factors: dict[Expr, None] = {column_leaf(name): None for name in view.numeric if view.types[name] is Type.NAT}
    for fact in known:
        match fact:
            case Compare((left, right), (">=" | ">",)):
                factors[_difference(left, right)] = None
            case Compare((left, right), ("<=" | "<",)):
                factors[_difference(right, left)] = None
    # Single variables and short differences come first, because products of longer terms are hard to read.
    chosen = sorted(
        (term for term in factors if not isinstance(term, Number) and node_count(term) <= PRODUCT_NODES_MAX), key=node_count
    )
    for first, second in itertools.combinations_with_replacement(chosen[:PRODUCT_FACTORS_MAX], 2):
        if names(first) & view.changing or names(second) & view.changing:
            for term in terms:
                if term not in (first, second):
                    yield term, Binary("*", first, second)


def _difference(left: Expr, right: Expr) -> Expr:
    return left if right == Number(0) else Binary("-", left, right)
