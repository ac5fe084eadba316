"""Values that a Python program draws at random or asks for: any value that may come is a choice in SIP."""

from __future__ import annotations

import ast

from idg.importer.python.expressions import PythonExpressions
from idg.importer.python.places import Refusal
from idg.sip.record import Record
from idg.sip.syntax import Compare, Expr, Name, Type
from idg.sip.trees.logic import TRUE

HINT = "assign it to a variable first: x = random.randint(a, b)"
INPUT_HINT = "assign it to a variable first: n = int(input())"


class Drawn(Record):
    """A random value: its type, and for a number the least and the greatest that may come."""

    type: Type
    low: Expr | None = None
    high: Expr | None = None

    def condition(self, name: str) -> Expr:
        if self.low is None or self.high is None:
            return TRUE
        return Compare((self.low, Name(name), self.high), ("<=", "<="))


def drawn(node: ast.expr, expressions: PythonExpressions) -> Drawn | None:
    """The random value that the expression draws, where it is such a call and nothing else."""
    if is_typed_number(node) and expressions.is_own("int") and expressions.is_own("input"):
        return Drawn(Type.INT)
    if not isinstance(node, ast.Call) or not is_random(node, expressions):
        return None
    match expressions.called(node.func), node.args:
        case "random.randint", [low, high]:
            return Drawn(Type.INT, expressions.whole(low, "randint needs an int"), expressions.whole(high, "randint needs an int"))
        case "random.choice", [ast.List(values) | ast.Tuple(values)] if _both_truths(values):
            return Drawn(Type.BOOL)
    raise Refusal(node, "of random, randint(a, b) and choice([True, False]) are read")


def is_random(node: ast.Call, expressions: PythonExpressions) -> bool:
    return expressions.called(node.func).startswith("random.")


def is_typed_number(node: ast.expr) -> bool:
    """Whether this is `int(input(…))`."""
    match node:
        case ast.Call(ast.Name("int"), [ast.Call(ast.Name("input"), [] | [ast.Constant() | ast.JoinedStr()], [])], []):
            return True
    return False


def _both_truths(values: list[ast.expr]) -> bool:
    return sorted(map(ast.unparse, values)) == ["False", "True"]
