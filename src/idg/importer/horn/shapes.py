"""Clauses in whatever form an assertion has them: under `let`, as a disjunction, as `not exists`, several in one assertion.

An assertion is brought into clauses. What has no unknown predicate in it stays as it was written, under the `let`s that it needs.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product

from idg.importer.horn.sexprs import SAtom, SExpr, SList, SPlace, head_of, items_of, refusal, symbol_of
from idg.importer.horn.terms import sorted_names
from idg.sip.record import Record
from idg.sip.syntax import Type

CLAUSES_MAX = 64
"""How many clauses one assertion may be."""


class HornClause(Record):
    """One clause: its variables, the parts of its body, and its head; the head is None where the body must not hold."""

    variables: tuple[tuple[str, Type], ...]
    body: tuple[SExpr, ...]
    head: SExpr | None
    asserted: Asserted


class Asserted(Record):
    """An assertion as it was written: the variables of the quantifier before it, and what follows that."""

    variables: tuple[tuple[str, Type], ...]
    condition: SExpr


class _Literal(Record):
    """A predicate or a condition that may make the clause true, or whose opposite does."""

    expr: SExpr
    holds: bool
    is_predicate: bool


class _Bound(Record):
    """The `let`s around an expression. A name stands for a term, in its own surroundings, or for a condition with predicates."""

    layers: tuple[tuple[tuple[str, SExpr], ...], ...] = ()
    """The bindings without predicates, the outermost first."""
    conditions: tuple[tuple[str, SExpr, _Bound], ...] = ()
    """The conditions with predicates that names stand for; the last one with a name counts."""


def clauses_of(assertion: SExpr, predicates: Mapping[str, Sequence[Type]]) -> list[HornClause]:
    """The clauses that are together what is asserted; the predicates have these parameters. Raises ImportRefused."""
    return _Shaper(predicates).clauses(assertion)


class _Shaper:
    def __init__(self, predicates: Mapping[str, Sequence[Type]]) -> None:
        self.heads = frozenset(name for name, params in predicates.items() if params)
        """Predicates that stand at the beginning of a list, where a variable never stands."""
        self.alone = frozenset(predicates) - self.heads
        self.symbols: set[str] = set()
        self.variables: list[tuple[str, Type]] = []

    def clauses(self, annotated: SExpr) -> list[HornClause]:
        assertion = _without_annotations(annotated)
        self.symbols = _symbols(assertion)
        outer, condition = _without_quantifier(assertion)
        told = self.split(assertion, True, _Bound())
        # The variables of the quantifier in front keep their names, because nothing was bound before them.
        asserted = Asserted(tuple(self.variables[: len(outer)]), condition)
        return [self.clause(literals, asserted) for literals in told]

    def clause(self, literals: Sequence[_Literal], asserted: Asserted) -> HornClause:
        heads = [literal for literal in literals if literal.is_predicate and literal.holds]
        if len(heads) > 1:
            raise refusal(heads[1].expr.place, "two predicates may make this clause true, so it is no Horn clause")
        conclusions = [literal for literal in literals if literal.holds and not literal.is_predicate]
        if not heads and len(conclusions) == 1:
            heads = conclusions
        body: list[SExpr] = []
        for literal in literals:
            if literal not in heads:
                body += _conjuncts(_opposite(literal.expr) if literal.holds else literal.expr)
        return HornClause(tuple(self.variables), tuple(body), heads[0].expr if heads else None, asserted)

    def split(self, expr: SExpr, holds: bool, bound: _Bound) -> list[list[_Literal]]:
        """The expression, or its opposite, as a conjunction of disjunctions."""
        word, given = head_of(expr), expr.items[1:] if isinstance(expr, SList) else ()
        if isinstance(expr, SAtom) and not expr.quoted:
            named = next((one for one in reversed(bound.conditions) if one[0] == expr.text), None)
            if named is not None:
                return self.split(named[1], holds, named[2])
            if expr.text in ("true", "false"):
                return [] if (expr.text == "true") == holds else [[]]
        if not self.is_split(expr, bound):
            return [[_Literal(_under(bound, expr), holds, False)]]
        if self.is_predicate(expr):
            return [[_Literal(_applied_under(bound, expr), holds, True)]]
        if word in ("forall", "exists"):
            return self.quantified(expr, holds, bound)
        if word == "let":
            _, bindings, inner = items_of(expr, "(let ((name term) …) term)", 3)
            return self.split(inner, holds, self.let(bindings, bound))
        if word == "not" and len(given) == 1:
            return self.split(given[0], not holds, bound)
        if word == "=>" and len(given) > 1:
            parts = [*(self.split(part, not holds, bound) for part in given[:-1]), self.split(given[-1], holds, bound)]
            return _joined(parts, holds, expr.place)
        if word in ("and", "or") and given:
            return _joined([self.split(part, holds, bound) for part in given], (word == "or") == holds, expr.place)
        told = "a predicate that is asked for" if self.has_predicate(expr, bound) else "a quantifier"
        raise refusal(expr.place, f"{told} stands in {word or 'this'}", "under and, or, not, => and let they are read")

    def quantified(self, expr: SExpr, holds: bool, bound: _Bound) -> list[list[_Literal]]:
        """Variables for all of whose values a clause holds. Of a number that is only said to exist nothing is known."""
        word, names, inner = items_of(expr, f"({head_of(expr)} ((x Int) …) term)", 3)
        if (head_of(expr) == "forall") != holds:
            hint = "forall is read before clauses, and exists in their bodies"
            raise refusal(word.place, f"{head_of(expr)} is not read here", hint)
        told = sorted_names(names)
        self.check_names(names, [name for name, _ in told])
        hidden = {name for name, _ in told}
        renamed: list[tuple[str, SExpr]] = []
        for name, kind in told:
            # One clause may get the variables of several quantifiers, and a name of one may stand for something else elsewhere.
            taken = {other for other, _ in self.variables} | {other for layer in bound.layers for other, _ in layer}
            new, number = name, 1
            while new in taken or (new != name and new in self.symbols):
                number += 1
                new = f"{name}!{number}"
            self.variables.append((new, kind))
            if new != name:
                renamed.append((name, SAtom(new, names.place, quoted=True)))
        conditions = tuple(one for one in bound.conditions if one[0] not in hidden)
        layers = (*bound.layers, tuple(renamed)) if renamed else bound.layers
        return self.split(inner, holds, _Bound(layers, conditions))

    def let(self, bindings: SExpr, bound: _Bound) -> _Bound:
        pairs = [items_of(pair, "(name term)", 2) for pair in items_of(bindings, "((name term) …)")]
        told = [(symbol_of(name, "a name"), value) for name, value in pairs]
        self.check_names(bindings, [name for name, _ in told])
        split = {name for name, value in told if self.is_split(value, bound)}
        names = {name for name, _ in told}
        conditions = tuple(one for one in bound.conditions if one[0] not in names)
        conditions += tuple((name, value, bound) for name, value in told if name in split)
        layer = tuple((name, value) for name, value in told if name not in split)
        return _Bound((*bound.layers, layer) if layer else bound.layers, conditions)

    def check_names(self, binder: SExpr, names: Sequence[str]) -> None:
        also = self.alone.intersection(names)
        if also:
            raise refusal(binder.place, f"{min(also)} is a predicate that is asked for, too", "give this one another name")

    def is_predicate(self, expr: SExpr) -> bool:
        return expr.text in self.alone if isinstance(expr, SAtom) else head_of(expr) in self.heads | self.alone

    def is_split(self, expr: SExpr, bound: _Bound) -> bool:
        """Whether a part of the expression is a predicate or a quantifier."""
        return bool(_first_symbols(expr) & {"forall", "exists"}) or self.has_predicate(expr, bound)

    def has_predicate(self, expr: SExpr, bound: _Bound) -> bool:
        alone = self.alone | {name for name, _, _ in bound.conditions}
        return bool(_first_symbols(expr) & self.heads) or bool(_symbols(expr) & alone)


def _joined(parts: Sequence[list[list[_Literal]]], any_of: bool, place: SPlace) -> list[list[_Literal]]:
    """All of the parts, or, multiplied out, any of them."""
    count = 1
    for part in parts:
        count *= len(part)
    if not any_of:
        count = sum(map(len, parts))
    if count > CLAUSES_MAX:
        raise refusal(place, f"this is more than {CLAUSES_MAX} clauses")
    if not any_of:
        return [clause for part in parts for clause in part]
    return [[literal for clause in chosen for literal in clause] for chosen in product(*parts)]


def _without_annotations(expr: SExpr) -> SExpr:
    """The same without names and patterns, which say nothing about the meaning."""
    if isinstance(expr, SAtom):
        return expr
    if head_of(expr) == "!" and len(expr.items) > 1:
        return _without_annotations(expr.items[1])
    return SList(tuple(map(_without_annotations, expr.items)), expr.place)


def _without_quantifier(expr: SExpr) -> tuple[list[tuple[str, Type]], SExpr]:
    if head_of(expr) != "forall":
        return [], expr
    _, names, inner = items_of(expr, "(forall ((x Int) …) clause)", 3)
    return list(sorted_names(names)), inner


def _opposite(expr: SExpr) -> SExpr:
    if head_of(expr) == "not" and isinstance(expr, SList) and len(expr.items) == 2:
        return expr.items[1]
    return SList((SAtom("not", expr.place), expr), expr.place)


def _conjuncts(expr: SExpr) -> list[SExpr]:
    if head_of(expr) != "and":
        return [expr]
    return [part for item in items_of(expr, "(and …)")[1:] for part in _conjuncts(item)]


def _under(bound: _Bound, expr: SExpr) -> SExpr:
    """The expression under those bindings that it needs, the innermost first."""
    for layer in reversed(bound.layers):
        used = [(name, value) for name, value in layer if name in _symbols(expr)]
        if used:
            pairs = tuple(SList((SAtom(name, expr.place, quoted=True), value), expr.place) for name, value in used)
            expr = SList((SAtom("let", expr.place), SList(pairs, expr.place), expr), expr.place)
    return expr


def _applied_under(bound: _Bound, expr: SExpr) -> SExpr:
    """The predicate, each argument under the bindings that it needs."""
    if isinstance(expr, SAtom):
        return expr
    return SList((expr.items[0], *(_under(bound, item) for item in expr.items[1:])), expr.place)


def _symbols(expr: SExpr) -> set[str]:
    """All symbols in the expression, names that it binds itself among them."""
    return {atom.text for atom in _atoms(expr)}


def _first_symbols(expr: SExpr) -> set[str]:
    """The symbols with which the expression and lists inside of it begin."""
    waiting, first = [expr], set[str]()
    while waiting:
        one = waiting.pop()
        if isinstance(one, SList):
            first.add(head_of(one))
            waiting += one.items
    return first


def _atoms(expr: SExpr) -> Iterator[SAtom]:
    waiting = [expr]
    while waiting:
        one = waiting.pop()
        if isinstance(one, SAtom):
            yield one
        else:
            waiting += one.items
