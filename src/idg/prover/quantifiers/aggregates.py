"""Sums, counts, sorted ranges and permutations in queries.

`sorted` is written as quantifiers. A sum or a count is a term like a call of a function of its bounds: what the stages know of it
are the instances of laws that are made here for the terms of a query. So are the laws of permutations. Each law is true of all
arrays; a test evaluates the laws on all short ones.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, permutations

from idg.sip.operators import AGGREGATES
from idg.sip.syntax import Binary, Call, Compare, Expr, Index, Name, Quantified, Unary
from idg.sip.text.sexpr import expression_sexpr
from idg.sip.trees.build import ONE, ZERO, arithmetic, compare, literal, map_operands, number, replace_part, substitute
from idg.sip.trees.logic import TRUE, conjoin, implies
from idg.sip.trees.stores import CHOICE, cell, gap, length
from idg.sip.trees.traverse import bound_names, expressions, occurs, operands_of, uses

TERMS_MAX = 12
"""Sums and counts of a query for which laws are made; later ones get none, because laws of pairs grow with the square."""
STEPS_MAX = 3
"""The ranges of two sums may differ by at most this many cells, which are then written out."""
ARRAYS_MAX = 5
"""Arrays of a query for which the laws of permutations are made."""
NUMBER_OF_SUM = "k"
"""The name of the variable in the text by which sums of the same terms are recognised."""


def written_out(expr: Expr, assumed: bool) -> Expr:
    """The same condition without `sorted`, and in which sums read no array that was written. `assumed`: whether it is known."""
    match expr:
        case Unary("!", operand):
            return Unary("!", written_out(operand, not assumed))
        case Binary("&" | "|" as op, left, right):
            return Binary(op, written_out(left, assumed), written_out(right, assumed))
        case Binary("->", left, right):
            return Binary("->", written_out(left, not assumed), written_out(right, assumed))
        case Quantified("forall" | "exists" as word, variable, low, high, body):
            return Quantified(word, variable, _sums_in(low), _sums_in(high), written_out(body, assumed))
        case Call("sorted", (array, low, high)):
            return _sorted(array, low, high, assumed)
        case Call("permutation", (left, right)):
            return permutation(left, right)
        case _:
            return _sums_in(expr)


def _sorted(array: Expr, low: Expr, high: Expr, assumed: bool) -> Expr:
    """To show that a range is sorted, it is enough to compare neighbours. If a range is known to be sorted, any two cells are in
    order, which is more useful."""
    taken = {name.name for part in (array, low, high) for name in expressions(part) if isinstance(name, Name)}
    first, second = (Name(next(name for name in _names(letter) if name not in taken)) for letter in ("p", "q"))
    if not assumed:
        after = Binary("+", first, ONE)
        neighbours = compare(cell(array, first), "<=", cell(array, after))
        return Quantified("forall", first, low, arithmetic("-", high, ONE), neighbours)
    pair = compare(cell(array, first), "<=", cell(array, second))
    return Quantified("forall", first, low, high, Quantified("forall", second, Binary("+", first, ONE), high, pair))


def _names(letter: str) -> Iterator[str]:
    yield letter
    yield from (f"{letter}_{count}" for count in range(1, 1_000))


def permutation(left: Expr, right: Expr) -> Expr:
    """The condition that one array is a permutation of the other. The two always stand in the same order."""
    if left == right:
        return TRUE
    return Call("permutation", tuple(sorted((left, right), key=expression_sexpr)))


# Sums over arrays that were written


def _sums_in(expr: Expr) -> Expr:
    expr = map_operands(expr, _sums_in)
    if isinstance(expr, Quantified) and expr.word in AGGREGATES:
        return _without_written(expr)
    return expr


def _without_written(total: Quantified) -> Expr:
    """The sum over the array as it was, and what the cell that was written adds or takes away."""
    name = total.variable.name
    choice = next((part for part in expressions(total.body) if _is_written(part, name)), None)
    if choice is None:
        return total
    test, written, other = choice.arguments  # type: ignore[union-attr]
    place = _place_of(test, name)
    assert place is not None, "only such choices are taken"
    before = Quantified(total.word, total.variable, total.low, total.high, _replaced(total.body, choice, other))
    new, old = (_value(total, substitute(_replaced(total.body, choice, case), {name: place})) for case in (written, other))
    change = Binary("-", new, old)
    inside = Compare((total.low, place, total.high), ("<=", "<="))
    return Binary("+", _without_written(before), Call(CHOICE, (inside, change, ZERO)))


def _is_written(part: Expr, name: str) -> bool:
    return isinstance(part, Call) and part.function == CHOICE and _place_of(part.arguments[0], name) is not None


def _place_of(test: Expr, name: str) -> Expr | None:
    """The number at which the test `k = place` is true; None for other tests."""
    match test:
        case Compare((Name(left), place), ("=",)) if left == name and not uses(place, name):
            return place
        case Compare((Binary("+" | "-" as op, Name(left), more), place), ("=",)) if left == name and literal(more) is not None:
            return None if uses(place, name) else arithmetic("-" if op == "+" else "+", place, more)
        case _:
            return None


def _replaced(body: Expr, choice: Expr, value: Expr) -> Expr:
    return value if body == choice else map_operands(body, lambda operand: _replaced(operand, choice, value))


def _value(total: Quantified, body: Expr) -> Expr:
    """What one number adds to a sum or a count."""
    return Call(CHOICE, (body, ONE, ZERO)) if total.word == "count" else body


# Laws


def has_laws(part: Expr) -> bool:
    """Whether laws are made for such a term."""
    return (isinstance(part, Quantified) and part.word in AGGREGATES) or (isinstance(part, Call) and part.function == "permutation")


def key(total: Quantified) -> str:
    """The text by which sums of the same terms are recognised; their bounds may differ."""
    body = substitute(total.body, {total.variable.name: Name(f"0{NUMBER_OF_SUM}")})
    return f"{total.word} {expression_sexpr(body)}"


def aggregates(exprs: Iterable[Expr]) -> list[Quantified]:
    """The different sums and counts that do not depend on the variable of a quantifier around them."""
    totals: dict[tuple[str, str, str], Quantified] = {}
    for expr in exprs:
        around = bound_names(expr)
        for part in expressions(expr):
            if isinstance(part, Quantified) and part.word in AGGREGATES:
                outer = around - {part.variable.name} - bound_names(part.body)
                if not any(occurs(side, name) for name in outer for side in (part.low, part.high, part.body)):
                    bounds = expression_sexpr(part.low), expression_sexpr(part.high)
                    totals.setdefault((key(part), *bounds), part)
    return list(totals.values())[:TERMS_MAX]


def without_short_sums(expr: Expr) -> Expr:
    """The same condition without sums and counts that are seen at once to have no cell, or one cell."""
    if not any(isinstance(part, Quantified) and part.word in AGGREGATES for part in expressions(expr)):
        return expr
    return _without_short_sums(expr)


def _without_short_sums(expr: Expr) -> Expr:
    expr = map_operands(expr, _without_short_sums)
    if not isinstance(expr, Quantified) or expr.word not in AGGREGATES:
        return expr
    cells = gap(expr.high, expr.low)
    if cells is not None and cells < 0:
        return ZERO
    return _at(expr, expr.low) if cells == 0 and expr.word == "sum" else expr


def laws_of_sums(totals: Sequence[Quantified], further: bool) -> Iterator[Expr]:
    """True conditions about these sums and counts. `further`: also those that have new sums in them."""
    for total in totals:
        yield from _single(total)
        if not further:
            yield _longer(total, 1)
    for one, other in combinations(totals, 2):
        if key(one) == key(other):
            yield from _pair(one, other, further)
        elif further:
            yield from _pair_of_equal_terms(one, other)


def _at(total: Quantified, place: Expr) -> Expr:
    """What the number adds."""
    return _value(total, substitute(total.body, {total.variable.name: place}))


def _single(total: Quantified) -> Iterator[Expr]:
    low, high = total.low, total.high
    yield implies(compare(high, "<", low), compare(total, "=", ZERO))
    yield implies(compare(low, "=", high), compare(total, "=", _at(total, low)))
    if total.word == "count":
        yield compare(total, ">=", ZERO)
        cells = arithmetic("+", Binary("-", high, low), ONE)
        yield implies(compare(low, "<=", arithmetic("+", high, ONE)), compare(total, "<=", cells))
        yield _none_or_some(total)


def _none_or_some(total: Quantified) -> Expr:
    """A count is positive where something is counted."""
    some = Quantified("exists", total.variable, total.low, total.high, total.body)
    positive = compare(total, ">", ZERO)
    return Binary("&", Binary("->", positive, some), Binary("->", some, positive))


def _with(total: Quantified, low: Expr, high: Expr) -> Quantified:
    return Quantified(total.word, total.variable, low, high, total.body)


def _longer(total: Quantified, cells: int) -> Expr:
    """The sum with so many more cells at its end."""
    longer = _with(total, total.low, arithmetic("+", total.high, number(cells)))
    return _difference(total, longer, total.high, cells)


def _difference(short: Quantified, long: Quantified, after: Expr, cells: int) -> Expr:
    """The law that the longer sum is the shorter one plus what the cells after `after` add, if low <= high + 1 in the shorter
    one."""
    total: Expr = short
    for step in range(1, cells + 1):
        total = Binary("+", total, _at(short, arithmetic("+", after, number(step))))
    return implies(compare(short.low, "<=", arithmetic("+", short.high, ONE)), compare(long, "=", total))


def _pair(one: Quantified, other: Quantified, further: bool) -> Iterator[Expr]:
    at_end, at_start = gap(one.high, other.high), gap(one.low, other.low)
    if at_start == 0:
        if at_end is not None and abs(at_end) <= STEPS_MAX:
            short, long = (other, one) if at_end > 0 else (one, other)
            yield _difference(short, long, short.high, abs(at_end))
        elif at_end is None:
            for short, long in ((one, other), (other, one)):
                order = conjoin((compare(short.low, "<=", arithmetic("+", short.high, ONE)), compare(short.high, "<=", long.high)))
                if further:
                    after = arithmetic("+", short.high, ONE)
                    rest = _with(long, after, long.high)
                    yield implies(order, compare(long, "=", Binary("+", short, rest)))
                    # Where the rest has no cell or one cell, no law about the rest itself is needed.
                    yield implies(compare(short.high, "=", long.high), compare(long, "=", short))
                    one_more = Binary("&", compare(short.low, "<=", after), compare(after, "=", long.high))
                    yield implies(one_more, compare(long, "=", Binary("+", short, _at(long, long.high))))
                if one.word == "count":
                    yield implies(order, compare(short, "<=", long))
    elif at_end == 0 and at_start is not None and abs(at_start) <= STEPS_MAX:
        short, long = (one, other) if at_start > 0 else (other, one)
        yield _difference(short, long, arithmetic("-", long.low, ONE), abs(at_start))


def _pair_of_equal_terms(one: Quantified, other: Quantified) -> Iterator[Expr]:
    """What is true of two sums whose terms differ in one number only, where these two numbers are equal."""
    name = f"0{NUMBER_OF_SUM}"
    left, right = (substitute(total.body, {total.variable.name: Name(name)}) for total in (one, other))
    different = _different_numbers(left, right, name) if one.word == other.word else None
    if different is None or len(different) != 1:
        return
    equal = compare(*different[0])
    if (one.low, one.high) == (other.low, other.high):
        yield implies(equal, compare(one, "=", other))
        return
    same = Quantified(one.word, Name(name), other.low, other.high, left)
    for law in _pair(one, same, False):
        yield implies(equal, replace_part(law, same, other))


def _different_numbers(left: Expr, right: Expr, bound: str) -> list[tuple[Expr, str, Expr]] | None:
    """The pairs of numbers in which two terms differ, each with `=` between; None where they differ otherwise.

    A pair does not use the bound name. It stands where both terms are built in the same way.
    """
    if left == right:
        return []
    if not bound_names(left) and not bound_names(right) and not occurs(left, bound) and not occurs(right, bound):
        return [(left, "=", right)]
    match left, right:
        case (Unary(op, one), Unary(other_op, other)) if op == other_op:
            return _different_numbers(one, other, bound)
        case (Binary(op), Binary(other_op)) if op == other_op:
            pass
        case (Compare(_, ops), Compare(_, other_ops)) if ops == other_ops:
            pass
        case (Index(array, place), Index(other_array, other_place)) if array == other_array:
            return _different_numbers(place, other_place, bound)
        case _:
            return None
    pairs = [_different_numbers(one, other, bound) for one, other in zip(operands_of(left), operands_of(right), strict=True)]
    return None if None in pairs else [pair for some in pairs for pair in some or ()]


def laws_of_permutations(exprs: Iterable[Expr], further: bool) -> Iterator[Expr]:
    """True conditions about the permutations in these conditions."""
    pairs = dict.fromkeys(
        part.arguments for expr in exprs for part in expressions(expr) if isinstance(part, Call) and part.function == "permutation"
    )
    arrays = list(dict.fromkeys(array for pair in pairs for array in pair))[:ARRAYS_MAX]
    for left, right in pairs:
        same = permutation(left, right)
        yield implies(same, compare(length(left), "=", length(right)))
        if further:
            yield implies(same, Binary("&", _all_found(left, right), _all_found(right, left)))
    for one, middle, other in permutations(arrays, 3):
        if permutation(one, other).arguments in pairs:  # type: ignore[union-attr]
            yield implies(Binary("&", permutation(one, middle), permutation(middle, other)), permutation(one, other))


def _all_found(left: Expr, right: Expr) -> Expr:
    """Each element of the one array is found in the other one."""
    place, other = Name("0i"), Name("0j")
    in_other = Quantified("exists", other, ZERO, _last(right), compare(cell(left, place), "=", cell(right, other)))
    return Quantified("forall", place, ZERO, _last(left), in_other)


def _last(array: Expr) -> Expr:
    return Binary("-", length(array), ONE)
