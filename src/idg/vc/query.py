"""What a prover is asked: whether hypotheses imply a goal."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from idg.sip.checking.analysis import ModuleInfo
from idg.sip.record import Record
from idg.sip.syntax import Expr, Span, Type
from idg.sip.text.printer import print_expression
from idg.sip.trees.traverse import names

VALUE_CAUSES = frozenset({"zero-divisor", "negative-exponent", "narrowing", "callee-pre", "index"})
"""The causes of requirements without which an expression has no value."""


class Requirement(Record):
    """What the program must ensure at one place of its text, on all paths to it."""

    cause: str
    """The cause of its obligations: assert, claim, narrowing, …"""
    span: Span

    @property
    def says_there_is_a_value(self) -> bool:
        """Whether an expression has no value where it is violated."""
        return self.cause in VALUE_CAUSES


class Hypothesis(Record):
    expr: Expr
    source: str = ""
    """Where it comes from, for explanations: 'pre', 'test', 'invariant 1.0' (its loop and its index), 'post of f', …"""

    names: frozenset[str] = frozenset()
    """The variables that occur in it. They are computed once, because a path's hypotheses serve many queries."""
    rests_on: tuple[Requirement, ...] = ()
    """The requirements that must all be proved before it is more than an assumption; none for a pre, a test or an assume."""

    @property
    def can_be_left_out(self) -> bool:
        """Whether the query makes sense without it, though it may no longer be provable.

        The prover takes for granted that what it reads has a value. So what says that something has one is never left out.
        """
        return bool(self.rests_on) and not any(requirement.says_there_is_a_value for requirement in self.rests_on)


class Query(Record):
    """Do the hypotheses imply the goal, for all values of the variables?

    Expressions are total here: a division by zero has some value, but nothing is known of it. Whoever makes a query adds the
    conditions under which its expressions have a value, to the hypotheses before what needs them and to the goals before what is to
    be shown.
    """

    variables: Mapping[str, Type]
    """Every variable that occurs, with its type. What the types say, as that a nat is not negative, is assumed."""
    hypotheses: tuple[Hypothesis, ...]
    goal: Expr
    info: ModuleInfo | None = None
    """The program whose helpers the expressions call. Of a call nothing is known but what hypotheses say."""
    call: str = ""
    """Where the goal is that a call of this helper is not evaluated, because it is not known to have a value: the helper. A state
    that refutes the goal then says nothing about the program."""

    def __str__(self) -> str:
        declared = ", ".join(f"{name}: {kind}" for name, kind in self.variables.items())
        lines = [f"for all {declared}" if declared else "always"]
        for hypothesis in self.hypotheses:
            source = f"    # {hypothesis.source}" if hypothesis.source else ""
            lines.append(f"  {print_expression(hypothesis.expr)}{source}")
        return "\n".join([*lines, f"  implies {print_expression(self.goal)}"])


def used(variables: Mapping[str, Type], exprs: Iterable[Expr]) -> dict[str, Type]:
    """The variables that occur in the expressions, in the order of the table."""
    occurring = frozenset().union(*map(names, exprs))
    return {name: kind for name, kind in variables.items() if name in occurring}
