"""What types say of values and arrays, and what holds for all numbers of a range."""

from __future__ import annotations

from idg.audit.terms import (
    LogicTerm,
    arithmetic,
    bound,
    compare,
    conjunction,
    implication,
    instance,
    length,
    number,
    parts,
    quantified,
    select,
)
from idg.sip.syntax import Type


def typed(value: LogicTerm, kind: Type, variable: str) -> list[LogicTerm]:
    """The condition that a nat, or a length, is not negative. `variable`: the quantifier's variable, for conditions on cells."""
    if kind is Type.NAT:
        return [compare(value, ">=", number(0))]
    if not kind.element:
        return []
    facts = [compare(length(value), ">=", number(0))]
    if kind.element is Type.NAT:
        index = bound(variable)
        last = arithmetic("-", length(value), number(1))
        facts.append(quantified("forall", index, number(0), last, compare(select(value, index), ">=", number(0))))
    return facts


def everywhere(variable: LogicTerm, low: LogicTerm, high: LogicTerm, condition: LogicTerm) -> LogicTerm:
    """That the condition holds for all numbers of the range, as a term without a quantifier where the ends of the range decide it.

    Provers use a quantifier only where a term of its body occurs, and `k < len(a)` has none that helps them.
    """
    if variable not in parts(condition):
        return implication(compare(low, "<=", high), condition)
    if condition.op == "=>" and variable not in parts(condition.args[0]):
        return implication(condition.args[0], everywhere(variable, low, high, condition.args[1]))
    whole = quantified("forall", variable, low, high, condition)
    compared = condition.args if condition.op == "and" else (condition,)
    if not all(part.op in ("<", "<=") and all(_is_affine(side, variable) for side in part.args) for part in compared):
        return whole
    # What is linear in a number is largest and smallest at the ends of its range.
    nonempty = compare(low, "<=", high)

    def side_at(side: LogicTerm, end: LogicTerm) -> LogicTerm:
        return instance(whole._replace(args=(low, high, side)), end)

    ends = dict.fromkeys(
        compare(side_at(part.args[0], end), part.op, side_at(part.args[1], end)) for part in compared for end in (low, high)
    )
    return implication(nonempty, conjunction(*(end for end in ends if end != nonempty)))


def _is_affine(term: LogicTerm, variable: LogicTerm) -> bool:
    """Whether the term is a sum in which the variable stands by itself or times a number."""
    if term == variable or variable not in parts(term):
        return True
    if term.op == "*":
        return any(arg.op == "number" for arg in term.args) and all(_is_affine(arg, variable) for arg in term.args)
    return term.op in ("+", "-") and all(_is_affine(arg, variable) for arg in term.args)
