"""Queries in normal form: this is what every stage is given, and its hash is the key under which an answer is remembered.

Splitting a query into parts keeps its meaning: a goal `a & b` becomes two parts that must both be proved, and for `a -> b` the
condition a becomes a hypothesis. For each hypothesis of a part it is recorded from which hypothesis of the query it came, so that a
proof can name those it used.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property, lru_cache

from idg.prover.fold import fold
from idg.prover.kept import kept
from idg.prover.quantifiers.aggregates import written_out
from idg.prover.quantifiers.witnesses import Witnesses, split_equalities
from idg.sip.record import Record, replace
from idg.sip.syntax import Binary, Boolean, Call, Compare, Expr, Index, Name, Number, Old, Quantified, Unary
from idg.sip.text.printer import print_program
from idg.sip.text.sexpr import expression_sexpr
from idg.sip.trees.build import map_operands, rename, substitute
from idg.sip.trees.logic import TRUE, conjuncts_inward
from idg.sip.trees.split import is_partial
from idg.sip.trees.stores import TooManyCases, without_choices
from idg.sip.trees.traverse import expressions, operands_of
from idg.sip.values import Value, initial
from idg.vc.query import Hypothesis, Query

PREPARED_MAX = 4_096
"""Conditions about arrays that are kept as they were prepared, because the hypotheses of a path serve many queries."""


class QueryPart(Record):
    """One goal, which is neither a conjunction nor an implication, and its hypotheses, none of which is a conjunction."""

    query: Query
    origins: tuple[int, ...]
    """For each hypothesis, the index of the query's hypothesis it comes from; -1 where it was split off the goal."""

    def core(self, used: frozenset[int]) -> frozenset[int]:
        """The query's hypotheses behind those of this part that were used."""
        return frozenset(self.origins[index] for index in used if self.origins[index] >= 0)


def parts(query: Query) -> list[QueryPart]:
    """The parts that all have to be proved; there are none where the goal is plainly true."""
    if speaks_of_arrays(query):
        query = _with_witnesses(query)
    known = _Hypotheses()
    for index, hypothesis in enumerate(query.hypotheses):
        told = _conjuncts_with_texts(hypothesis.expr)
        if told is None:
            told = _with_texts(fold(hypothesis.expr, query.variables, query.info))
        known.add(told, index, hypothesis.source)
    query_parts: list[QueryPart] = []
    shown: list[Expr] = []
    for goal, assumed in _split(fold(query.goal, query.variables, query.info)):
        if goal == TRUE:
            continue
        own = known.copy()
        for condition in assumed:
            own.add(_with_texts(condition), -1, "goal")
        if is_partial(goal):
            # The earlier parts may say when this one has a value. Assuming them is sound, because they must be proved themselves.
            for earlier in shown:
                own.add(_with_texts(earlier), -1, "goal")
        shown.append(_implication(assumed, goal))
        query_parts.append(QueryPart(Query(query.variables, tuple(own.hypotheses), goal, query.info), tuple(own.origins)))
    return query_parts


def speaks_of_arrays(query: Query) -> bool:
    """Whether the query has a variable that is an array, or a quantifier."""
    if any(kind.element for kind in query.variables.values()):
        return True
    # A plain loop, because every query is asked this.
    waiting = [query.goal, *(hypothesis.expr for hypothesis in query.hypotheses)]
    while waiting:
        part = waiting.pop()
        if isinstance(part, Quantified):
            return True
        waiting += operands_of(part)
    return False


def _with_witnesses(query: Query) -> Query:
    """The query without choices, about a number for each quantifier that says that one exists.

    Hypotheses that would be too large are left out. Raises TooManyCases where the goal is.
    """
    goal = _prepared(query.goal, False)
    if goal is None:
        raise TooManyCases
    exprs = [_prepared_hypothesis(hypothesis.expr) for hypothesis in query.hypotheses]
    witnesses = Witnesses(query.variables, (goal, *exprs))
    sources = (hypothesis.source for hypothesis in query.hypotheses)
    hypotheses = tuple(Hypothesis(witnesses.assumed(expr), source) for expr, source in zip(exprs, sources, strict=True))
    goal = witnesses.shown(goal)
    return Query(witnesses.variables, hypotheses, goal, query.info, query.call)


@lru_cache(PREPARED_MAX)
def _prepared(expr: Expr, assumed: bool) -> Expr | None:
    """A hypothesis, or else a goal, without choices and sorted ranges; None where it would be too large."""
    try:
        return without_choices(written_out(split_equalities(expr), assumed))
    except TooManyCases:
        return None


@kept
def _prepared_hypothesis(expr: Expr) -> Expr:
    return _prepared(expr, True) or TRUE


def _implication(assumed: Sequence[Expr], goal: Expr) -> Expr:
    for condition in reversed(assumed):
        goal = Binary("->", condition, goal)
    return goal


class _Hypotheses:
    def __init__(self) -> None:
        self.hypotheses: list[Hypothesis] = []
        self.origins: list[int] = []
        self.seen: set[str] = set()

    def copy(self) -> _Hypotheses:
        other = _Hypotheses()
        other.hypotheses, other.origins, other.seen = list(self.hypotheses), list(self.origins), set(self.seen)
        return other

    def add(self, conjuncts: _Conjuncts, origin: int, source: str) -> None:
        for conjunct, text in conjuncts:
            if text != "true" and text not in self.seen:
                self.seen.add(text)
                self.hypotheses.append(Hypothesis(conjunct, source))
                self.origins.append(origin)


_Conjuncts = tuple[tuple[Expr, str], ...]
"""Conditions that together are one condition, each with the text by which equal ones are recognised."""


def _with_texts(folded: Expr) -> _Conjuncts:
    return tuple((conjunct, expression_sexpr(conjunct)) for conjunct in conjuncts_inward(folded))


@kept
def _conjuncts_with_texts(expr: Expr) -> _Conjuncts | None:
    """The conjuncts of a hypothesis when it is folded; None where that depends on the types of variables."""
    waiting = [expr]
    while waiting:
        part = waiting.pop()
        if part.__class__ is Call and part.function == "iswhole":
            return None
        waiting += operands_of(part)
    return _with_texts(fold(expr, {}))


def _split(goal: Expr) -> Iterator[tuple[Expr, tuple[Expr, ...]]]:
    """The single goals to be proved, each with the conditions that may be assumed for it alone."""
    for conjunct in conjuncts_inward(goal):
        if isinstance(conjunct, Binary) and conjunct.op == "->":
            for inner, assumed in _split(conjunct.right):
                yield inner, (*conjuncts_inward(conjunct.left), *assumed)
        else:
            yield conjunct, ()


class Canonical:
    """A query up to the names of its variables and the order of its hypotheses."""

    def __init__(self, key: str, names: Mapping[str, str], order: tuple[int, ...], original: Query, arrays: bool) -> None:
        self.key = key
        """A hash of the canonical form: queries with the same key have the same form."""
        self.order = order
        """For each hypothesis of the canonical form, its index in the query."""
        self.arrays = arrays
        """Whether it speaks of arrays or has quantifiers. Then other stages are asked."""
        self._names = names
        """The query's name of each variable → its name in the canonical form, in the order of the latter."""
        self._original = original

    @cached_property
    def query(self) -> Query:
        """The canonical form. The stages are given this one, so that an answer is the same whether it was remembered or not.

        It is made where a stage is asked: most answers are remembered.
        """
        original = self._original
        variables = {new: original.variables[old] for old, new in self._names.items()}
        hypotheses = tuple(Hypothesis(rename(original.hypotheses[index].expr, self._names)) for index in self.order)
        return Query(variables, hypotheses, rename(original.goal, self._names), original.info)

    def state(self, values: Mapping[str, Value], original: Query) -> dict[str, Value]:
        """A state of the canonical form as a state of the query. Variables that do not occur get the value zero."""
        known = {old: values[new] for old, new in self._names.items()}
        return {name: known.get(name, initial(kind, 0)) for name, kind in original.variables.items()}

    def core(self, used: frozenset[int]) -> frozenset[int]:
        return frozenset(self.order[position] for position in used)


def canonical(query: Query) -> Canonical:
    """The canonical form of a query.

    Hypotheses that differ in names only stay in their given order. So two queries that mean the same may get different keys, and an
    answer is computed twice; never is the answer to another query given.
    """
    arrays = speaks_of_arrays(query)
    if arrays:
        query = _with_bound_names(query)
    texts = [_kept_text(hypothesis.expr) for hypothesis in query.hypotheses]
    goal = _text(query.goal)
    kinds = {name: str(kind) for name, kind in query.variables.items()}
    blind = [text.with_names(kinds) for text in texts]
    order = sorted(range(len(blind)), key=lambda index: (blind[index], index))
    renamed: dict[str, str] = {}
    for text in (goal, *(texts[index] for index in order)):
        for name in text.names:
            if name not in renamed:
                renamed[name] = f"x{len(renamed)}"
    lines = sorted((texts[index].with_names(renamed), index) for index in order)
    kinds_text = " ".join(kinds[name] for name in renamed)
    whole = "\n".join([kinds_text, *(line for line, _ in lines), goal.with_names(renamed), *_helpers(query)])
    final = tuple(index for _, index in lines)
    return Canonical(hashlib.sha256(whole.encode()).hexdigest(), renamed, final, query, arrays)


def _helpers(query: Query) -> Iterator[str]:
    """The text of the program where the query calls its functions, because their values decide whether a state refutes."""
    if query.info is None:
        return
    exprs = (query.goal, *(hypothesis.expr for hypothesis in query.hypotheses))
    called = {part.function for expr in exprs for part in expressions(expr) if isinstance(part, Call)}
    if called & query.info.functions.keys():
        yield print_program(query.info.module)


class _Text(Record):
    """An expression as a text with gaps for the names of its variables."""

    pattern: str
    """The text, with `%s` for each name."""
    names: tuple[str, ...]
    """The names that stand in the gaps, each as often as it occurs."""

    def with_names(self, new_names: Mapping[str, str]) -> str:
        return self.pattern % tuple([new_names[name] for name in self.names])


def _text(expr: Expr) -> _Text:
    names: list[str] = []
    return _Text(_pattern(expr, names, ()), tuple(names))


_kept_text = kept(_text)


def _pattern(expr: Expr, names: list[str], bound: tuple[str, ...]) -> str:
    """The text with gaps. The names that stand in the gaps are added to `names`; those over which quantifiers range are no gaps."""
    match expr:
        case Name(name):
            if name in bound:
                return f"?{name}"
            names.append(name)
            return "?%s"
        case Number(value):
            return str(value)
        case Boolean(value):
            return "true" if value else "false"
        case Old(name):
            return f"(old {name})"
        case Unary(op, operand):
            return f"({op} {_pattern(operand, names, bound)})"
        case Binary(op, left, right):
            return f"({'%%' if op == '%' else op} {_pattern(left, names, bound)} {_pattern(right, names, bound)})"
        case Compare(operands, ops):
            first, *others = [_pattern(operand, names, bound) for operand in operands]
            return f"({first} {' '.join(f'{op} {other}' for op, other in zip(ops, others, strict=True))})"
        case Call(function, arguments):
            return f"(call {function} {' '.join([_pattern(argument, names, bound) for argument in arguments])})"
        case Index(array, index):
            return f"(cell {_pattern(array, names, bound)} {_pattern(index, names, bound)})"
        case Quantified(word, variable, low, high, body):
            ends = f"{_pattern(low, names, bound)} {_pattern(high, names, bound)}"
            return f"({word} {variable.name} {ends} {_pattern(body, names, (*bound, variable.name))})"


def _with_bound_names(query: Query) -> Query:
    """The query, in which a quantifier's variable is called by how many quantifiers are around it."""
    hypotheses = tuple(replace(hypothesis, expr=_outermost_renamed(hypothesis.expr)) for hypothesis in query.hypotheses)
    return replace(query, hypotheses=hypotheses, goal=_bound_renamed(query.goal, 0))


@kept
def _outermost_renamed(expr: Expr) -> Expr:
    return _bound_renamed(expr, 0)


def _bound_renamed(expr: Expr, level: int) -> Expr:
    match expr:
        case Quantified(word, variable, low, high, body):
            new = Name(f"{level}k")  # No variable of a program is called so.
            low, high = _bound_renamed(low, level), _bound_renamed(high, level)
            inside = _bound_renamed(body, level + 1)
            return Quantified(word, new, low, high, substitute(inside, {variable.name: new}))
        case _:
            return map_operands(expr, lambda operand: _bound_renamed(operand, level))
