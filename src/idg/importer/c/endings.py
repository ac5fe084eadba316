"""What is done where a function of C ends: what it ensures is asserted or promised, and its result is returned."""

from __future__ import annotations

from typing import Any

from idg.importer.c.expressions import Expressions
from idg.importer.c.numbers.c_types import INT
from idg.importer.c.numbers.terms import TypedExpr, evaluated, has_marks
from idg.importer.c.order import check_order
from idg.importer.c.text.source import refuse
from idg.sip.syntax import Assert, Expr, Name, Number, Return, Stmt, Type
from idg.sip.trees.build import compare
from idg.sip.trees.traverse import names


class Endings:
    """What is done where one function ends."""

    def __init__(self, expressions: Expressions) -> None:
        self.expressions = expressions
        self.ensured: list[Any] = []
        """The conditions of its clauses `ensures`."""
        self.returns = INT
        """The type of its result."""
        self.gives_result = False
        """Whether the program has this result; otherwise a returned value is read for ensures only."""
        self.parameters: frozenset[str] = frozenset()

    def posts(self) -> list[Expr]:
        """What it ensures of its result and of its arguments, where the program has that result."""
        return [post for post in map(self.post, self.ensured) if post is not None]

    def at(self, node: Any, function: Any) -> list[Stmt]:
        """The statements at a return, or where the function ends without one; `function` is the place of the latter."""
        given = None if node is None else node.expr
        if self.gives_result and given is None:
            raise refuse(node or function, "the function may end without a value", "write a return at its end")
        # The value is computed once, because that may change variables, call functions and choose.
        value = None if given is None or not (self.gives_result or self.ensured) else self._value(given)
        made: list[Stmt] = [] if value is None or self.gives_result else evaluated(compare(value.expr, "!=", Number(0)))
        for condition in self.ensured:
            if self.post(condition) is None:
                made.append(Assert(self._about(condition, value)))
        return [*made, Return(value.expr)] if self.gives_result and value is not None else made

    def _value(self, node: Any) -> TypedExpr:
        check_order(node)
        return self.expressions.arithmetic.converted(self.expressions.number(node), self.returns)

    def post(self, condition: Any) -> Expr | None:
        """The condition as a post; None where it speaks of other variables, or where the program has no result."""
        if not self.gives_result:
            return None
        post = self._about(condition, TypedExpr(Name("result"), Type.INT, self.returns))
        return post if names(post) <= {"result"} and not has_marks(post) else None

    def _about(self, condition: Any, result: TypedExpr | None) -> Expr:
        """The condition, in which names of parameters stand for the arguments."""
        self.expressions.result = result
        self.expressions.scopes.entry_values = self.parameters
        try:
            return self.expressions.annotation(condition)
        finally:
            self.expressions.scopes.entry_values = frozenset()
            self.expressions.result = None
