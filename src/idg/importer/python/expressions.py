"""Expressions of Python as typed expressions of SIP.

Python's `//`, `%`, comparisons and `and`, `or`, `not` of truth values mean in SIP what they mean in Python. What would mean
something else, such as `n or 5`, whose value is a number, is refused.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction

from idg.importer.python.claims import claim
from idg.importer.python.lists import ONLY_CELLS, WORDS, array_of, cell, cell_type, list_type, of_range
from idg.importer.python.places import Refusal
from idg.sip.record import Record
from idg.sip.syntax import Binary, Boolean, Call, Compare, Expr, Name, Number, Type, Unary
from idg.sip.trees.build import ONE, ZERO, compare, number
from idg.sip.trees.logic import left_nested, negate

ARITHMETIC: Mapping[type[ast.operator], str] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%", ast.Pow: "^",
}  # fmt: skip
COMPARISONS: Mapping[type[ast.cmpop], str] = {
    ast.Eq: "=", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=",
}  # fmt: skip
SYMBOLS: Mapping[type[ast.operator], str] = {ast.BitAnd: "&", ast.BitOr: "|", ast.BitXor: "^", ast.MatMult: "@"}
"""How Python writes the operators that are not read, or not always."""
EXTREMES = ("min", "max")
LITERAL_DIGITS_MAX = 1_000
"""Digits of an integer in the text."""


class TypedTerm(Record):
    """An expression of SIP and its type: INT, BOOL or RAT. Numbers of Python are never read as nat."""

    expr: Expr
    type: Type


class Signature(Record):
    """What a call of a function of the file takes and gives."""

    name: str
    """Its name in the SIP program."""
    parameters: tuple[Type, ...]
    result: Type | None


class NotTyped(Exception):
    """The type of a variable that the expression reads is not known yet."""


OWN_FUNCTIONS = ("abs", "min", "max", "pow", "int", "bool", "len", "input", *WORDS)
"""Functions of Python itself that are read."""


class PythonExpressions:
    """Reads expressions of one function."""

    def __init__(self, functions: Mapping[str, Signature], constants: Mapping[str, TypedTerm], known: Mapping[str, str]) -> None:
        self.functions = functions
        self.constants = constants
        self.known = known
        """Names of the text that were imported → what they are: `Fraction`, `gcd`, or a module."""
        self.spelled: dict[str, str] = {}
        """Variables of the function → their names in the SIP program."""
        self.types: dict[str, Type | None] = {}
        """Variables of the function → their types, None where it is not known yet."""
        self.params: frozenset[str] = frozenset()
        """The parameters among them."""
        self.fresh: Callable[[str], str] = str
        """A name that nothing else has, for the number of a generator."""

    def read(self, node: ast.expr) -> TypedTerm:
        match node:
            case ast.Constant(value):
                return self.constant(node, value)
            case ast.Name(id):
                return self.variable(node, id)
            case ast.UnaryOp(op, operand):
                return self.unary(op, operand)
            case ast.BinOp(left, op, right):
                return self.binary(node, left, op, right)
            case ast.BoolOp(op, values):
                return TypedTerm(_joined(op, [self.boolean(value) for value in values]), Type.BOOL)
            case ast.Compare():
                return self.comparison(node)
            case ast.Call():
                return self.call(node)
            case ast.Subscript():
                expr, kind = cell(node, self)
                return TypedTerm(expr, kind)
            case ast.IfExp():
                hint = "assign it in an if statement"
                raise Refusal(node, "`a if c else b` is read only as the whole right side of an assignment or return", hint)
        raise Refusal(node, f"{described(node)} is not read")

    def number(self, node: ast.expr) -> TypedTerm:
        term = self.read(node)
        if term.type is Type.BOOL:
            raise Refusal(node, "a truth value is used as a number here")
        return term

    def whole(self, node: ast.expr, why: str) -> Expr:
        term = self.number(node)
        if term.type is not Type.INT:
            raise Refusal(node, f"a Fraction stands where {why}")
        return term.expr

    def is_own(self, word: str) -> bool:
        """Whether the word is Python's own: neither a function nor a variable of the text."""
        return word not in self.functions and word not in self.spelled and word not in self.known

    def is_list(self, node: ast.expr) -> bool:
        if not isinstance(node, ast.Name) or node.id not in self.spelled:
            return False
        kind = self.types.get(node.id)
        if kind is None:
            raise NotTyped
        return kind.element is not None

    def truth(self, node: ast.expr) -> Expr:
        """What a test makes of a value: a number is true if it is not 0, and a list if it is not empty."""
        if isinstance(node, ast.BoolOp):
            return _joined(node.op, [self.truth(value) for value in node.values])
        if self.is_list(node):
            return compare(Call("len", (array_of(node, self),)), ">", ZERO)
        term = self.read(node)
        return term.expr if term.type is Type.BOOL else compare(term.expr, "!=", ZERO)

    def boolean(self, node: ast.expr) -> Expr:
        """An operand of `and` or `or` whose value is used, which is the value of an operand."""
        term = None if self.is_list(node) else self.read(node)
        if term is None or term.type is not Type.BOOL:
            what = "list" if term is None else "number"
            raise Refusal(node, f"a {what} may be the value of this `and` or `or`", "assign it in an if statement")
        return term.expr

    # Operands

    def constant(self, node: ast.expr, value: object) -> TypedTerm:
        match value:
            case bool():
                return TypedTerm(Boolean(value), Type.BOOL)
            case int():
                if value >= 10**LITERAL_DIGITS_MAX:
                    raise Refusal(node, f"a number of more than {LITERAL_DIGITS_MAX} digits is not read")
                return TypedTerm(Number(value), Type.INT)
            case float():
                hint = f"write Fraction({str(Fraction(repr(value))).replace('/', ', ')})" if value - value == 0 else ""
                raise Refusal(node, "floating point numbers are not exact and are not read", hint)
        raise Refusal(node, f"{described(node)} is not read")

    def variable(self, node: ast.expr, name: str) -> TypedTerm:
        if name in self.spelled:
            kind = self.types[name]
            if kind is None:
                raise NotTyped
            if kind.element is not None:
                raise Refusal(node, ONLY_CELLS, "returned alone at the end of the function that is played, it is left out")
            return TypedTerm(Name(self.spelled[name]), kind)
        if name in self.constants:
            return self.constants[name]
        if name in self.functions or name in self.known:
            raise Refusal(node, f"{name} is used as a value here", "a function can only be called")
        raise Refusal(node, f"{name} has no value: it is neither a variable of this function nor a constant of the file")

    # Operators

    def unary(self, op: ast.unaryop, operand: ast.expr) -> TypedTerm:
        if isinstance(op, ast.Not):
            return TypedTerm(Unary("!", self.truth(operand)), Type.BOOL)
        term = self.number(operand)
        match op:
            case ast.USub():
                return TypedTerm(Unary("-", term.expr), term.type)
            case ast.Invert():
                # Python's integers have no width: ~x is -x - 1.
                whole = self.whole(operand, "~ needs an int")
                return TypedTerm(Binary("-", Unary("-", whole), ONE), Type.INT)
        return term

    def binary(self, node: ast.expr, left: ast.expr, op: ast.operator, right: ast.expr) -> TypedTerm:
        match op:
            case ast.Add() | ast.Sub() | ast.Mult() | ast.Div():
                first, second = self.number(left), self.number(right)
                kind = Type.RAT if Type.RAT in (first.type, second.type) else Type.INT
                if isinstance(op, ast.Div) and kind is Type.INT:
                    hint = "write `//` for the floor of the quotient, or Fraction(a, b) for the exact one"
                    raise Refusal(node, "`/` of two ints gives a floating point number, which is not exact", hint)
                return TypedTerm(Binary(ARITHMETIC[type(op)], first.expr, second.expr), kind)
            case ast.FloorDiv() | ast.Mod():
                sign = ARITHMETIC[type(op)]
                first_whole, second_whole = (self.whole(side, f"`{sign}` needs an int") for side in (left, right))
                return TypedTerm(Binary(sign, first_whole, second_whole), Type.INT)
            case ast.Pow():
                return self.power(left, right)
            case ast.LShift() | ast.RShift():
                value = self.whole(left, "a shift needs an int")
                factor = Binary("^", Number(2), self.whole(right, "a shift needs an int"))
                return TypedTerm(Binary("*" if isinstance(op, ast.LShift) else "//", value, factor), Type.INT)
            case ast.BitAnd() if isinstance(right, ast.Constant) and _is_mask(right.value):
                # Python's integers have no width, so the last bits of a negative one are those of its remainder, too.
                assert isinstance(right.value, int)
                return TypedTerm(Binary("%", self.whole(left, "`&` needs an int"), Number(right.value + 1)), Type.INT)
        sign = SYMBOLS.get(type(op), "this operator")
        hint = "for truth values write and, or, !=; for numbers only `& 1`, `& 3`, `& 7`, … are read" if sign in "&|^" else ""
        raise Refusal(node, f"`{sign}` is not read here", hint)

    def power(self, base: ast.expr, exponent: ast.expr) -> TypedTerm:
        first = self.number(base)
        return TypedTerm(Binary("^", first.expr, self.whole(exponent, "an exponent must be an int")), first.type)

    def comparison(self, node: ast.Compare) -> TypedTerm:
        told = claim(node, self)
        if told is not None:
            return TypedTerm(told, Type.BOOL)
        sides = [node.left, *node.comparators]
        if len(sides) == 2 and all(map(self.is_list, sides)) and isinstance(node.ops[0], ast.Eq | ast.NotEq):
            same = Compare((array_of(sides[0], self), array_of(sides[1], self)), ("=",))
            return TypedTerm(same if isinstance(node.ops[0], ast.Eq) else negate(same), Type.BOOL)
        terms = [self.read(side) for side in sides]
        signs = []
        for op, first, second, side in zip(node.ops, terms, terms[1:], sides[1:], strict=False):
            if type(op) not in COMPARISONS:
                raise Refusal(side, "only ==, !=, <, <=, > and >= are read as comparisons")
            signs.append(COMPARISONS[type(op)])
            truths = (first.type is Type.BOOL) + (second.type is Type.BOOL)
            if truths == 1 or (truths == 2 and signs[-1] not in ("=", "!=")):
                raise Refusal(side, "a truth value is compared like a number here")
        return TypedTerm(Compare(tuple(term.expr for term in terms), tuple(signs)), Type.BOOL)

    # Calls

    def call(self, node: ast.Call) -> TypedTerm:
        if node.keywords or any(isinstance(argument, ast.Starred) for argument in node.args):
            raise Refusal(node, "only calls whose arguments stand in their order are read")
        name = self.called(node.func)
        if isinstance(node.func, ast.Name) and node.func.id in self.functions:
            return self.own_call(node, self.functions[node.func.id])
        arguments = node.args
        if name in WORDS:
            return of_range(node, name, self, self.fresh)
        match name, len(arguments):
            case (("min" | "max"), 1) if self.is_list(arguments[0]):
                raise Refusal(node, f"{name} of a list is read only in comparisons, as in `m == {name}(a)`", "find it by a loop")
            case "bool", 1:
                return TypedTerm(self.truth(arguments[0]), Type.BOOL)
            case "len", 1:
                return TypedTerm(Call("len", (array_of(arguments[0], self),)), Type.INT)
            case "abs", 1:
                term = self.number(arguments[0])
                return TypedTerm(Call("abs", (term.expr,)), term.type)
            case (("min" | "max"), count) if count >= 2:
                terms = [self.number(argument) for argument in arguments]
                kind = Type.RAT if any(term.type is Type.RAT for term in terms) else Type.INT
                return TypedTerm(Call(name, tuple(term.expr for term in terms)), kind)
            case "gcd", 2:
                wholes = (self.whole(argument, "gcd needs an int") for argument in arguments)
                return TypedTerm(Call("gcd", tuple(wholes)), Type.INT)
            case "pow", 2:
                return self.power(*arguments)
            case "int", 1:
                return TypedTerm(self.whole(arguments[0], "int() would cut it off; write `//`"), Type.INT)
            case "Fraction", 1:
                return TypedTerm(self.number(arguments[0]).expr, Type.RAT)
            case "Fraction", 2:
                top, bottom = (self.number(argument).expr for argument in arguments)
                return TypedTerm(Binary("/", top, bottom), Type.RAT)
        raise Refusal(node, f"this call of {ast.unparse(node.func)} is not read")

    def called(self, function: ast.expr) -> str:
        """What a call calls, by its own name: `gcd` for `math.gcd`, for example."""
        match function:
            case ast.Name(id) if id in self.spelled:
                raise Refusal(function, f"{id} is a variable here and cannot be called")
            case ast.Name(id):
                return self.known.get(id, id if id in OWN_FUNCTIONS else "")
            case ast.Attribute(ast.Name(module), attribute) if module not in self.spelled:
                path = f"{self.known.get(module)}.{attribute}"
                return {"math.gcd": "gcd", "fractions.Fraction": "Fraction"}.get(path, path)
        return ""

    def own_call(self, node: ast.Call, signature: Signature) -> TypedTerm:
        if signature.result is None:
            raise Refusal(node, f"{signature.name} returns no value that is read")
        if len(node.args) != len(signature.parameters):
            raise Refusal(node, f"{signature.name} takes {len(signature.parameters)} arguments, and here are {len(node.args)}")
        arguments: list[Expr] = []
        for argument, kind in zip(node.args, signature.parameters, strict=True):
            if kind.element is not None:
                array = array_of(argument, self)
                if list_type(cell_type(argument, self)) is not kind:
                    raise Refusal(argument, f"{signature.name} takes a list with cells of another type here")
                arguments.append(array)
                continue
            term = self.read(argument)
            if (term.type is Type.BOOL) != (kind is Type.BOOL) or (term.type is Type.RAT and kind is Type.INT):
                raise Refusal(argument, f"{signature.name} takes {KIND_WORDS[kind]} here, and this is {KIND_WORDS[term.type]}")
            arguments.append(term.expr)
        return TypedTerm(Call(signature.name, tuple(arguments)), signature.result)


KIND_WORDS = {Type.INT: "an int", Type.BOOL: "a bool", Type.RAT: "a Fraction"}


def _joined(op: ast.boolop, terms: Sequence[Expr]) -> Expr:
    return left_nested("&" if isinstance(op, ast.And) else "|", terms)


def _is_mask(value: object) -> bool:
    """Whether the number is one less than a power of two."""
    return isinstance(value, int) and not isinstance(value, bool) and value > 0 and value & (value + 1) == 0


def literal_term(node: ast.expr) -> TypedTerm | None:
    """A constant of the file: a number or truth value that stands there as it is."""
    match node:
        case ast.Constant(bool() as value):
            return TypedTerm(Boolean(value), Type.BOOL)
        case ast.Constant(int() as value):
            return TypedTerm(Number(value), Type.INT)
        case ast.UnaryOp(ast.USub(), ast.Constant(int() as value)) if not isinstance(value, bool):
            return TypedTerm(number(-value), Type.INT)
    return None


DESCRIBED: Mapping[type[ast.AST], str] = {
    ast.JoinedStr: "a text", ast.List: "a list", ast.Tuple: "a tuple", ast.Dict: "a dictionary", ast.Set: "a set",
    ast.ListComp: "a comprehension", ast.SetComp: "a comprehension", ast.DictComp: "a comprehension",
    ast.GeneratorExp: "a comprehension", ast.Lambda: "a lambda", ast.Subscript: "an element of a list",
    ast.Attribute: "an attribute",
    ast.NamedExpr: "an assignment inside an expression", ast.Await: "await", ast.Yield: "yield", ast.YieldFrom: "yield",
    ast.Starred: "a starred expression", ast.Slice: "a slice", ast.Constant: "this constant",
    ast.FunctionDef: "a function inside a function", ast.ClassDef: "a class", ast.Try: "try", ast.With: "with", ast.Raise: "raise",
    ast.Global: "global", ast.Nonlocal: "nonlocal", ast.Delete: "del",
    ast.Import: "an import here", ast.ImportFrom: "an import here",
    ast.AsyncFor: "async", ast.AsyncWith: "async", ast.AsyncFunctionDef: "async", ast.Match: "match", ast.Expr: "this statement",
    ast.Return: "return at this place", ast.Break: "break at this place", ast.Continue: "continue at this place",
}  # fmt: skip
"""Words of messages for constructs that are not read."""


def described(node: ast.AST) -> str:
    return DESCRIBED.get(type(node), type(node).__name__)
