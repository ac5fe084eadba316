"""Witnesses: a new variable for each quantifier that says that some number exists.

A hypothesis `exists k in lo..hi: e` names a number of which e is true. To show `forall k in lo..hi: e` is to show e of a number of
which nothing else is known. Both become plain conditions about a new variable. A state in which the new query is refuted refutes
the old one, because the new variable's value is such a number.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from idg.sip.syntax import Binary, Call, Compare, Expr, Name, Quantified, Type, Unary
from idg.sip.trees.build import substitute
from idg.sip.trees.logic import both
from idg.sip.trees.traverse import bound_names, expressions


def has_quantifier(expr: Expr) -> bool:
    """Whether something of the condition is a forall or an exists. Sums and counts are numbers."""
    return any(isinstance(part, Quantified) and part.word in ("forall", "exists") for part in expressions(expr))


def within(quantified: Quantified, number: Expr) -> Expr:
    """The condition that this number is in the quantifier's range."""
    return both(Compare((quantified.low, number), ("<=",)), Compare((number, quantified.high), ("<=",)))


def instance(quantified: Quantified, number: Expr) -> Expr:
    """What the quantifier says of this number."""
    body = substitute(quantified.body, {quantified.variable.name: number})
    inside = within(quantified, number)
    return Binary("->", inside, body) if quantified.word == "forall" else both(inside, body)


def _is_general(expr: Expr) -> bool:
    """Whether this is a truth value that quantifiers decide. Sums and counts are numbers, whatever stands in them."""
    match expr:
        case Unary("!", operand):
            return _is_general(operand)
        case Binary("&" | "|" | "->", left, right):
            return _is_general(left) or _is_general(right)
        case Compare(operands):
            return any(map(_is_general, operands))
        case Call("ite", (_, one, other)):
            return _is_general(one) or _is_general(other)
        case Quantified(word):
            return word in ("forall", "exists")
        case _:
            return isinstance(expr, Call) and expr.function == "sorted"


def split_equalities(expr: Expr) -> Expr:
    """The same condition, in which no truth values are compared that have quantifiers in them."""
    match expr:
        case Unary("!", operand):
            return Unary("!", split_equalities(operand))
        case Binary("&" | "|" | "->" as op, left, right):
            return Binary(op, split_equalities(left), split_equalities(right))
        case Compare((left, right), ("=" | "!=" as op,)) if any(map(_is_general, (left, right))):
            left, right = split_equalities(left), split_equalities(right)
            same = Binary("&", Binary("->", left, right), Binary("->", right, left))
            return same if op == "=" else Unary("!", same)
        case Quantified(word, variable, low, high, body):
            return Quantified(word, variable, low, high, split_equalities(body))
        case _:
            return expr


class Witnesses:
    """Takes witnesses from new variables, whose names the variables of a query do not have."""

    def __init__(self, variables: Mapping[str, Type], exprs: Iterable[Expr]) -> None:
        self.variables = dict(variables)
        """All variables: those of the query, and the new ones."""
        self._bound: frozenset[str] = frozenset()
        """No witness has the name of a quantifier's variable: it could not stand inside of that quantifier."""
        self.avoid(exprs)

    def avoid(self, exprs: Iterable[Expr]) -> None:
        """No later witness has the name of a variable of these quantifiers."""
        self._bound = self._bound.union(*map(bound_names, exprs))

    def assumed(self, expr: Expr) -> Expr:
        """What a hypothesis says of witnesses."""
        return self._replaced(split_equalities(expr), True) if has_quantifier(expr) else expr

    def shown(self, expr: Expr) -> Expr:
        """What is to be shown of witnesses where this is the goal."""
        return self._replaced(split_equalities(expr), False) if has_quantifier(expr) else expr

    def _replaced(self, expr: Expr, assumed: bool) -> Expr:
        match expr:
            case Unary("!", operand):
                return Unary("!", self._replaced(operand, not assumed))
            case Binary("&" | "|" as op, left, right):
                return Binary(op, self._replaced(left, assumed), self._replaced(right, assumed))
            case Binary("->", left, right):
                return Binary("->", self._replaced(left, not assumed), self._replaced(right, assumed))
            case Quantified(word, variable) if (word == "exists") is assumed:
                return self._replaced(instance(expr, self._new(variable.name)), assumed)
            case _:
                return expr

    def _new(self, name: str) -> Name:
        candidate, count = name, 1
        while candidate in self.variables or candidate in self._bound:
            candidate, count = f"{name}_{count}", count + 1
        self.variables[candidate] = Type.INT
        return Name(candidate)


def with_instance(expr: Expr, quantified: Quantified, new: Expr) -> Expr:
    """The hypothesis with what the quantifier says of one number in its place. An equal one inside of another quantifier stays:
    there it may stand under a negation."""
    if expr == quantified:
        return new
    match expr:
        case Unary("!", operand):
            return Unary("!", with_instance(operand, quantified, new))
        case Binary("&" | "|" | "->" as op, left, right):
            return Binary(op, with_instance(left, quantified, new), with_instance(right, quantified, new))
        case _:
            return expr


def first_universal(expr: Expr, assumed: bool = True) -> Quantified | None:
    """The first quantifier of a hypothesis that speaks of every number: a forall, or an exists that is negated."""
    match expr:
        case Unary("!", operand):
            return first_universal(operand, not assumed)
        case Binary("&" | "|", left, right):
            return first_universal(left, assumed) or first_universal(right, assumed)
        case Binary("->", left, right):
            return first_universal(left, not assumed) or first_universal(right, assumed)
        case Quantified(word):
            return expr if (word == "forall") is assumed else None
        case _:
            return None
