"""Instances: a query with quantifiers becomes one without, which every stage understands.

A hypothesis `forall k in lo..hi: e` is replaced by what it says of some numbers. Which ones are of use is seen from the places at
which arrays are read: if the query reads a[t] and e reads a[k + 1], then k = t - 1 is tried; later, the ends of the ranges, too. If
the new query is proved, so is the old one, because every instance follows. In the fragment of Bradley and Manna (comparisons of
places with each other, reads at k alone) these instances are enough; elsewhere nothing is promised.

For each instance it is asked whether its number is in the range, as far as that is seen at once. If it is not in the range, the
instance says nothing and is left out; if it is, the instance needs no condition. The hypotheses that were needed for that count as
used.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress

from idg.prover.answers import Proved
from idg.prover.fold import fold
from idg.prover.quantifiers.aggregates import aggregates, has_laws, key, laws_of_permutations, laws_of_sums, without_short_sums
from idg.prover.quantifiers.known import Known
from idg.prover.quantifiers.witnesses import Witnesses, first_universal, has_quantifier, with_instance
from idg.sip.operators import AGGREGATES
from idg.sip.record import Record
from idg.sip.syntax import Binary, Expr, Index, Name, Number, Quantified
from idg.sip.trees.build import arithmetic, compare, literal, number, substitute
from idg.sip.trees.logic import FALSE, TRUE, conjuncts_inward, negate_inward
from idg.sip.trees.stores import TooManyCases, without_choices
from idg.sip.trees.traverse import bound_names, expressions, occurs, uses
from idg.vc.query import Hypothesis, Query

INSTANCES_MAX = 160
"""Instances for one query; further ones are left out."""
TERMS_MAX = 24
"""Numbers that are tried for the variable of one quantifier."""
INSTANCES_KEPT = 32
"""Queries whose instances are kept, because several stages ask for those of the same one."""


class Ground(Record):
    """A query without quantifiers that is at least as hard to prove as the one that it comes from."""

    query: Query
    origins: tuple[frozenset[int], ...]
    """For each hypothesis, the hypotheses of the query that it comes from."""

    def core(self, used: Iterable[int]) -> frozenset[int]:
        """The hypotheses of the query behind those that were used."""
        return frozenset().union(*(self.origins[position] for position in used))

    def proved(self, answer: object, by: str) -> Proved | None:
        """A proof of the query, where the answer is a proof of this one. A state shows nothing."""
        return Proved(by, self.core(answer.core)) if isinstance(answer, Proved) else None


def ground(query: Query, level: int) -> Ground:
    """The query with instances in place of quantifiers.

    At the first level, numbers come from what the query reads; at each further one, also from the ends of ranges and from what the
    instances of the level before read.
    """
    for known, instances in _LATEST:
        if known is query:
            return instances.ground(level)
    instances = _Instances(query)
    _LATEST.append((query, instances))
    return instances.ground(level)


class _Fact(Record):
    expr: Expr
    origins: frozenset[int]


class _Instances:
    """Makes the instances of one query."""

    def __init__(self, query: Query) -> None:
        exprs = [*(hypothesis.expr for hypothesis in query.hypotheses), query.goal]
        self.info = query.info
        self.witnesses = Witnesses(query.variables, exprs)
        self.levels: list[Ground] = []
        self.laws: set[Expr] = set()
        self.plain: list[_Fact] = []
        self.general: list[_Fact] = []
        for index, expr in enumerate(exprs[:-1]):
            if has_quantifier(expr):
                self.add(expr, frozenset((index,)))
            else:
                self.plain.append(_Fact(expr, frozenset((index,))))
        self.goal = query.goal
        if has_quantifier(query.goal):
            self.goal = FALSE
            self.add(negate_inward(query.goal), frozenset())
        self.add_laws(False)
        shown = Query(self.witnesses.variables, tuple(Hypothesis(fact.expr) for fact in self.plain), self.goal, query.info)
        self.plain_count = len(self.plain)
        self.known = Known(shown)
        self.made: set[Expr] = set()
        self.tried: set[tuple[int, object]] = set()
        """Hypothesis and number, for each instance that was made or that would have said nothing. The hypothesis is told by its id,
        so it must stay where it is in memory."""

    def add(self, expr: Expr, origins: frozenset[int]) -> None:
        """Adds what a hypothesis says, with witnesses for what exists."""
        for part in conjuncts_inward(self.fold(self.witnesses.assumed(expr))):
            if part != TRUE:
                (self.general if has_quantifier(part) else self.plain).append(_Fact(part, origins))

    def add_laws(self, further: bool) -> None:
        """Adds what is true of the sums, counts and permutations that occur."""
        exprs = [self.goal, *(fact.expr for fact in (*self.plain, *self.general))]
        if not any(has_laws(part) for expr in exprs for part in expressions(expr)):
            return
        for law in (*laws_of_sums(aggregates(exprs), further), *laws_of_permutations(exprs, further)):
            if law not in self.laws:
                self.laws.add(law)
                self.witnesses.avoid((law,))
                with suppress(TooManyCases):
                    self.add(without_choices(law), frozenset())

    def fold(self, expr: Expr) -> Expr:
        return fold(expr, self.witnesses.variables, self.info)

    def ground(self, level: int) -> Ground:
        """The query at this level; what a level adds is made once."""
        while len(self.levels) < level:
            further = bool(self.levels)
            if further:
                self.add_laws(True)
            terms = self.terms(further)
            for fact in list(self.general):
                self.instantiate(fact, terms, further)
            hypotheses = tuple(Hypothesis(fact.expr) for fact in self.plain)
            query = Query(dict(self.witnesses.variables), hypotheses, self.goal, self.info)
            self.levels.append(Ground(query, tuple(fact.origins for fact in self.plain)))
        return self.levels[level - 1]

    # the numbers of which instances are made

    def terms(self, further: bool) -> dict[str, list[Expr]]:
        """For each array the places at which the query reads it, as far as these do not depend on a quantifier's variable.

        With `further`, the ends of ranges, too. Under the empty name stand all of them together.
        """
        places: dict[str, dict[object, Expr]] = {"": {}}
        for fact in [_Fact(self.goal, frozenset()), *self.plain, *self.general]:
            bound = bound_names(fact.expr)
            for part in expressions(fact.expr):
                read: list[tuple[str, Expr]] = []
                if isinstance(part, Index):
                    read.append((part.array.name, part.index))
                elif isinstance(part, Quantified) and further:
                    read += (("", part.low), ("", part.high))
                    if part.word in AGGREGATES:
                        read += _ends(part)
                for array, place in read:
                    if bound and any(occurs(place, name) for name in bound):
                        continue
                    identity = self.known.number(place)
                    if identity is not None:
                        places.setdefault(array, {}).setdefault(identity, place)
                        places[""].setdefault(identity, place)
        return {array: list(known.values())[:TERMS_MAX] for array, known in places.items()}

    def numbers(self, quantified: Quantified, terms: Mapping[str, list[Expr]], further: bool) -> Iterator[tuple[object, Expr]]:
        """The numbers that are tried for the variable, each with what identifies it."""
        name = quantified.variable.name
        inside = (part for part in expressions(quantified.body) if isinstance(part, Index))
        reads = dict.fromkeys((read.array.name, read.index) for read in inside if uses(read.index, name))
        seen: set[object] = set()
        inner = bound_names(quantified.body)
        if not reads and further:
            totals = (part for part in expressions(quantified.body) if isinstance(part, Quantified) and part.word in AGGREGATES)
            ends = (end for total in totals for end in _ends(total))
            reads = dict.fromkeys((key_of_end, end) for key_of_end, end in ends if key_of_end in terms and uses(end, name))
            reads = reads or {("", quantified.variable): None}
        for array, place in reads:
            rest = _beside(place, name)
            if rest is None or any(occurs(rest, other) for other in inner):
                continue
            all_tried = array == "" or (further and " " not in array)
            every = terms[""] if all_tried else (*terms.get(array, ()),)
            for term in every:
                tried = _minus(term, rest)
                identity = self.known.number(tried)
                if identity is not None and identity not in seen:
                    seen.add(identity)
                    yield identity, tried

    # instances

    def instantiate(self, fact: _Fact, terms: Mapping[str, list[Expr]], further: bool) -> None:
        """Adds the instances of one hypothesis, and those of the quantifiers inside of it."""
        waiting = deque((fact,))
        while waiting:
            general = waiting.popleft()
            quantified = first_universal(general.expr)
            if quantified is None:
                continue  # What exists inside of it has its witnesses; nothing else is left.
            for identity, tried in self.numbers(quantified, terms, further):
                if len(self.made) >= INSTANCES_MAX:
                    return
                if (id(general.expr), identity) in self.tried:
                    continue
                self.tried.add((id(general.expr), identity))
                made = self.instance_of(general, quantified, tried)
                if made is None or made.expr in self.made:
                    continue
                self.made.add(made.expr)
                for part in conjuncts_inward(made.expr):
                    if has_quantifier(part):
                        self.general.append(_Fact(part, made.origins))
                        waiting.append(self.general[-1])
                    elif part != TRUE:
                        self.plain.append(_Fact(part, made.origins))

    def instance_of(self, fact: _Fact, quantified: Quantified, tried: Expr) -> _Fact | None:
        """What the hypothesis says of one number; None where that is seen to be nothing."""
        origins = set(fact.origins)
        conditions: list[Expr] = []
        for condition in (compare(quantified.low, "<=", tried), compare(tried, "<=", quantified.high)):
            truth = self.known.truth(condition)
            if truth is None:
                conditions.append(condition)
                continue
            origins |= self.origins_of(truth[1])
            if not truth[0]:
                if fact.expr == quantified:
                    return None
                conditions = [FALSE]
                break
        new: Expr = without_short_sums(substitute(quantified.body, {quantified.variable.name: tried}))
        for undecided in reversed(conditions):
            new = Binary("->" if quantified.word == "forall" else "&", undecided, new)
        whole = self.fold(self.witnesses.assumed(with_instance(fact.expr, quantified, new)))
        return None if whole == TRUE else _Fact(whole, frozenset(origins))

    def origins_of(self, bits: int) -> frozenset[int]:
        """The query's hypotheses behind those that were used, as bits, by what is known at once."""
        used = (fact.origins for position, fact in enumerate(self.plain[: self.plain_count]) if bits >> position & 1)
        return frozenset().union(*used)


def _ends(total: Quantified) -> tuple[tuple[str, Expr], tuple[str, Expr]]:
    """The ends of the range of a sum or a count, each with a name that equal ends of sums of the same terms share."""
    terms = key(total)
    return (f"low {terms}", total.low), (f"high {terms}", total.high)


def _beside(place: Expr, name: str) -> Expr | None:
    """What is added to the variable in the place, where that is a sum: 1 for k + 1; None otherwise."""
    match place:
        case Name(other):
            return Number(0) if other == name else None
        case Binary("+", left, right):
            if uses(right, name):
                left, right = right, left
            if uses(right, name):
                return None
            rest = _beside(left, name)
            return None if rest is None else arithmetic("+", rest, right)
        case Binary("-", left, right) if not uses(right, name):
            rest = _beside(left, name)
            return None if rest is None else _minus(rest, right)
        case _:
            return None


def _minus(left: Expr, right: Expr) -> Expr:
    value = literal(right)
    if value is not None:
        mine = literal(left)
        if mine is not None:
            return number(mine - value)
        return arithmetic("-", left, Number(value)) if value >= 0 else arithmetic("+", left, Number(-value))
    return Binary("-", left, right)


_LATEST: deque[tuple[Query, _Instances]] = deque(maxlen=INSTANCES_KEPT)
