"""When the body of a quantifier has a value for all numbers of the range, and what is known there of calls."""

from __future__ import annotations

from idg.sip.record import Record
from idg.sip.syntax import Binary, Call, Compare, Expr, Name, Number, Quantified, Type
from idg.sip.trees.build import ZERO, arithmetic, compare
from idg.sip.trees.logic import TRUE, both, implies
from idg.sip.trees.traverse import uses


class Range(Record):
    """The numbers of which a quantifier speaks, over symbols."""

    variable: Name
    low: Expr
    high: Expr

    @property
    def contains(self) -> Expr:
        """The condition that the variable is one of the numbers."""
        return Compare((self.low, self.variable, self.high), ("<=", "<="))

    def everywhere(self, condition: Expr) -> Expr:
        """The statement that the condition holds for all numbers of the range.

        The condition that `a[k + 1]` can be read is stated for the ends of the range only, so that it needs no quantifier.
        """
        if not uses(condition, self.variable.name):
            return implies(compare(self.low, "<=", self.high), condition)
        if self._at_ends(_said(condition)) == TRUE:
            return TRUE
        at_ends = self._at_ends(condition)
        if at_ends is not None:
            return implies(compare(self.low, "<=", self.high), at_ends)
        return Quantified("forall", self.variable, self.low, self.high, condition)

    def _at_ends(self, condition: Expr) -> Expr | None:
        """For the condition that a place is one of an array: that the least and the greatest place are."""
        match condition:
            case Compare((low, place, Call("len") as length), ("<=", "<")) if low == ZERO:
                may_be_negative = True
            case Compare((place, Call("len") as length), ("<",)):
                may_be_negative = False
            case _:
                return None
        ends = [_shifted(place, self.variable.name, end) for end in (self.low, self.high)]
        if ends[0] is None or ends[1] is None or uses(length, self.variable.name):
            return None
        first, last = ends[0], ends[1]
        if _falls(place, self.variable.name):
            first, last = last, first
        from_zero = TRUE if not may_be_negative or isinstance(first, Number) else compare(ZERO, "<=", first)
        before_end = TRUE if _is_less(last, length) else compare(last, "<", length)
        return both(from_zero, before_end)


def _said(condition: Expr) -> Expr:
    """What the condition says of some numbers; it holds of these if it holds of all."""
    match condition:
        case Binary("->", _, right):
            return _said(right)
        case Quantified("forall", variable, _, _, body):
            said = _said(body)
            return condition if uses(said, variable.name) else said
        case _:
            return condition


def _is_less(expr: Expr, length: Expr) -> bool:
    """Whether the expression is the length without some cells, as it stands."""
    match expr:
        case Binary("-", left, Number(value)):
            return left == length and value > 0
        case _:
            return False


def _shifted(place: Expr, variable: str, end: Expr) -> Expr | None:
    """The place with the end of the range for the variable, where the variable occurs once, as a summand; None otherwise."""
    match place:
        case Name(name) if name == variable:
            return end
        case Binary("+", left, right) if not uses(right, variable):
            inner = _shifted(left, variable, end)
            return None if inner is None else arithmetic("+", inner, right)
        case Binary("+", left, right) if not uses(left, variable):
            inner = _shifted(right, variable, end)
            return None if inner is None else arithmetic("+", left, inner)
        case Binary("-", left, right) if not uses(right, variable):
            inner = _shifted(left, variable, end)
            return None if inner is None else arithmetic("-", inner, right)
        case Binary("-", left, right) if not uses(left, variable):
            inner = _shifted(right, variable, end)
            return None if inner is None else arithmetic("-", left, inner)
        case _:
            return None


def _falls(place: Expr, variable: str) -> bool:
    """Whether the place falls where the variable rises: as n - k does."""
    match place:
        case Binary("+", left, right):
            return _falls(left if uses(left, variable) else right, variable)
        case Binary("-", left, right):
            return not _falls(right, variable) if uses(right, variable) else _falls(left, variable)
        case _:
            return False


def counter_type(low: Type) -> Type:
    """The type of a quantifier's variable, whose range starts at a number of this type."""
    return Type.NAT if low is Type.NAT else Type.INT
