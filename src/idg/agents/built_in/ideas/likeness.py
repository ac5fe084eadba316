"""Facts that look like the guarantee, about the values on the way.

If the guarantee says `y = x^n`, then at the loop's head `y = x^i` may hold for a counter `i`. If it speaks of a remainder of a sum,
then on the way it may hold of the sum and what is still to be added. If it speaks of a helper's value, then on the way the helper
may have the same value for a counter.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

from idg.agents.built_in.states.loop_view import LoopView
from idg.sip.syntax import Binary, Call, Compare, Expr, Name, Number, Type
from idg.sip.trees.build import substitute
from idg.sip.trees.entry import column_leaf
from idg.sip.trees.traverse import expressions, names

COUNTER_MAX = 300
"""Largest value of a variable that is tried as an exponent. Powers with larger exponents take long to compute in every state."""
VARIABLES_MAX = 5
"""Variables that take part, in the order of the view. Triples of them are tried, so the number of candidates grows with its
cube."""
BASES_MAX = 2
"""Bases of the guarantee's powers that are tried, in the order of the text."""


def like(view: LoopView, claims: Sequence[Expr]) -> Iterator[Expr]:
    """Facts that look like one of the claims."""
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


def _powers(view: LoopView, powers: Sequence[Binary], changing: Sequence[str]) -> Iterator[Expr]:
    """Comparisons with powers whose exponent is a counter.

    With a fixed base b and a counter i, each variable is compared with b^i, with y * b^i and with (y + 1) * b^i for other variables
    y: the loop collects a power, or divides by one, where (y + 1) * b^i bounds what was divided from above. With a base that
    changes, value * growing^counter is compared with the guarantee's own power: what repeated squaring keeps.
    """
    bases = list(
        dict.fromkeys(power.left for power in powers if view.can_say(power.left) and not names(power.left) & view.changing)
    )
    counters = [name for name in changing if all(0 <= value <= COUNTER_MAX for value in view.column(name))]
    for base, counter in itertools.product(bases[:BASES_MAX], counters):
        power = Binary("^", base, column_leaf(counter))
        others = [name for name in changing if name != counter]
        terms: list[Expr] = [power]
        for name in others:
            terms += (Binary("*", column_leaf(name), power), Binary("*", Binary("+", column_leaf(name), Number(1)), power))
        for name in view.numeric:
            for term in terms:
                if name != counter and name not in names(term):
                    yield from (Compare((column_leaf(name), term), (op,)) for op in ("=", "<=", ">=", "<", ">"))
    # A run may start with a large exponent. What is too large to be computed then says nothing about these few facts.
    exponents = [name for name in changing if all(value >= 0 for value in view.column(name))]
    for power in powers:
        for value, growing, counter in itertools.permutations(changing, 3):
            if counter in exponents and view.can_say(power):
                yield Compare((Binary("*", Name(value), Binary("^", Name(growing), Name(counter))), power), ("=",))


def _remainders(claim: Expr, changing: Sequence[str]) -> Iterator[Expr]:
    """The claim with s + m, s - m or s + w * m instead of a variable s: s is being summed up, and the rest is still to be added."""
    for target, other in itertools.permutations(changing, 2):
        if target in names(claim):
            yield substitute(claim, {target: Binary("+", Name(target), Name(other))})
            yield substitute(claim, {target: Binary("-", Name(target), Name(other))})
            for factor in changing:
                if factor not in (target, other):
                    product = Binary("*", Name(factor), Name(other))
                    yield substitute(claim, {target: Binary("+", Name(target), product)})


def _values(helper: str, changing: Sequence[str]) -> Iterator[Expr]:
    """Equations of a variable with the helper's value for a counter, for the number after it, and for the number before it."""
    for value, counter in itertools.permutations(changing, 2):
        name = Name(counter)
        for argument in (name, Binary("+", name, Number(1)), Binary("-", name, Number(1))):
            yield Compare((Name(value), Call(helper, (argument,))), ("=",))
