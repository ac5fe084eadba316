"""Facts that look like the guarantee: its powers with a counter as exponent, its remainders of a sum, its helpers' values."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

from idg.agents.built_in.states.loop_view import LoopView
from idg.sip.build import substitute
from idg.sip.syntax import Binary, Call, Compare, Expr, Name, Number, Type
from idg.sip.traverse import expressions, names

COUNTER_MAX = 300
"""Larger values are no exponents."""
VARIABLES_MAX = 5
BASES_MAX = 2


def like(view: LoopView, claims: Sequence[Expr]) -> Iterator[Expr]:
    changing = [name for name in view.numeric if name in view.changing and view.types[name] is not Type.RAT][:VARIABLES_MAX]
    parts = [part for claim in claims for part in expressions(claim)]
    raised = [part for part in parts if isinstance(part, Binary) and part.op == "^" and names(part.right)]
    yield from _powers(view, raised, changing)
    for claim in claims:
        if any(isinstance(part, Binary) and part.op == "%" and isinstance(part.right, Number) for part in expressions(claim)):
            yield from _remainders(claim, changing)
    helpers = {part.function for part in parts if isinstance(part, Call) and part.function in view.program.info.functions}
    for name in sorted(helpers):
        if len(view.program.info.functions[name].function.params) == 1:
            yield from _values(name, changing)


def _powers(view: LoopView, found: Sequence[Binary], changing: Sequence[str]) -> Iterator[Expr]:
    """Bounds and equations of variables with base^counter, alone and times a variable or its successor."""
    bases = list(dict.fromkeys(each.left for each in found if view.can_say(each.left) and not names(each.left) & view.changing))
    counters = [name for name in changing if all(0 <= value <= COUNTER_MAX for value in view.column(name))]
    for base, counter in itertools.product(bases[:BASES_MAX], counters):
        power = Binary("^", base, view.leaf(counter))
        others = [name for name in changing if name != counter]
        terms: list[Expr] = [power]
        for name in others:
            terms += (Binary("*", view.leaf(name), power), Binary("*", Binary("+", view.leaf(name), Number(1)), power))
        for name in view.numeric:
            for term in terms:
                if name != counter and name not in names(term):
                    yield from (Compare((view.leaf(name), term), (op,)) for op in ("=", "<=", ">=", "<", ">"))
    for each in found:
        for value, growing, counter in itertools.permutations(changing, 3):
            if counter in counters and view.can_say(each):
                yield Compare((Binary("*", Name(value), Binary("^", Name(growing), Name(counter))), each), ("=",))


def _remainders(claim: Expr, changing: Sequence[str]) -> Iterator[Expr]:
    """The claim with a variable that is still being added to: s + m, s - m or s + w * m instead of s."""
    for target, other in itertools.permutations(changing, 2):
        if target in names(claim):
            yield substitute(claim, {target: Binary("+", Name(target), Name(other))})
            yield substitute(claim, {target: Binary("-", Name(target), Name(other))})
            for factor in changing:
                if factor not in (target, other):
                    product = Binary("*", Name(factor), Name(other))
                    yield substitute(claim, {target: Binary("+", Name(target), product)})


def _values(helper: str, changing: Sequence[str]) -> Iterator[Expr]:
    for value, counter in itertools.permutations(changing, 2):
        here = Name(counter)
        for argument in (here, Binary("+", here, Number(1)), Binary("-", here, Number(1))):
            yield Compare((Name(value), Call(helper, (argument,))), ("=",))
