"""Checks the names and types of expressions.

It reports as many problems as it can find. A part whose type is unknown causes no further ones.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from types import MappingProxyType

from idg.sip.checking.types import (
    BOOL,
    INT,
    NAT,
    RAT,
    arithmetic_type,
    builtin_type,
    is_integer,
    is_negative_literal,
    is_number,
    with_article,
)
from idg.sip.errors import LaterHint, Problem, problem
from idg.sip.operators import AGGREGATES, ARRAY_BUILTINS, ARRAY_FUNCTIONS, BUILTINS, FUNCTIONS, Builtin
from idg.sip.record import Record
from idg.sip.syntax import (
    ARRAYS_OF,
    Binary,
    Boolean,
    Call,
    Compare,
    Expr,
    Function,
    Index,
    Name,
    Number,
    Old,
    Quantified,
    Span,
    Type,
    Unary,
)
from idg.sip.text import habits
from idg.sip.text.printer import print_expression

SHOWN_EXPRESSION_CHARS_MAX = 50
"""Characters of an expression that a message repeats."""
KNOWN_SHOWN_MAX = 12
"""Names that a hint lists where none is near the one that was written."""


class Place(Record):
    """Where in a program an expression stands, as far as that decides what it may say."""

    old: bool = False
    """old(x) may stand here."""
    choice: bool = True
    """Helpers that make choices may be called here."""


CODE = Place()
ASSUMPTION = Place(old=True)
FACT = Place(old=True, choice=False)
CONDITION = Place(choice=False)


class Scope(Record):
    """What an expression may refer to."""

    variables: Mapping[str, Type]
    params: Mapping[str, Type]
    """The parameters, of which old(x) may speak."""
    functions: Mapping[str, Function]
    choosing: frozenset[str] = frozenset()
    """The helpers that use cassign, themselves or through functions that they call."""
    hidden: Mapping[str, str] = MappingProxyType({})
    """Names that exist but may not be used here, with the code of the problem."""
    level: str = ""
    """The name of the level, where it may not be called."""


def check_expression(expr: Expr, scope: Scope, place: Place = FACT) -> tuple[Type | None, list[Problem]]:
    """The expression's type (None where a problem hides it) and what is wrong with it."""
    checker = _Checker(scope, place)
    return checker.type_of(expr), checker.problems


def check_value(expr: Expr, scope: Scope, place: Place) -> tuple[Type | None, list[Problem]]:
    """The same where the expression may also be an array."""
    checker = _Checker(scope, place)
    return checker.value_type(expr), checker.problems


def check_boolean(expr: Expr, scope: Scope, place: Place, what: str) -> list[Problem]:
    """What is wrong with an expression that must be Boolean; `what` it is for, as a message says it."""
    kind, problems = check_expression(expr, scope, place)
    if kind is not None and kind is not BOOL:
        hint = f"did you mean {show(expr)} != 0?" if is_integer(kind) and isinstance(expr, Name) else ""
        problems.append(problem("not-boolean", expr.span, hint, what=what, shown=quote(expr), type=with_article(kind)))
    return problems


def check_index(expr: Expr, scope: Scope, what: str) -> list[Problem]:
    """What is wrong with an expression in code that must be a whole number; `what` it is, as a message says it."""
    checker = _Checker(scope, CODE)
    checker.check_integer(what, expr)
    return checker.problems


def show(expr: Expr) -> str:
    text = print_expression(expr)
    return text if len(text) <= SHOWN_EXPRESSION_CHARS_MAX else text[: SHOWN_EXPRESSION_CHARS_MAX - 1] + "…"


def quote(expr: Expr) -> str:
    return f"'{show(expr)}'"


def near_name(name: str, names: Iterable[str], otherwise: str | None = None) -> LaterHint:
    """A hint that names what was probably meant; where no name is near, it is `otherwise` or the list of what there is."""
    return LaterHint(partial(_near_name, name, tuple(names), otherwise))


def _near_name(name: str, names: tuple[str, ...], otherwise: str | None) -> str:
    import difflib  # It takes a while to import, and only hints need it.

    known = sorted(set(names))
    same = [other for other in known if other.lower() == name.lower()]
    near = same or difflib.get_close_matches(name, [*known, "true", "false"], 1, 0.6)
    if near:
        return f"did you mean '{near[0]}'?"
    if otherwise is not None:
        return otherwise
    more = f" and {len(known) - KNOWN_SHOWN_MAX} more" if len(known) > KNOWN_SHOWN_MAX else ""
    return f"known here: {', '.join(known[:KNOWN_SHOWN_MAX])}{more}" if known else ""


class _Checker:
    def __init__(self, scope: Scope, place: Place) -> None:
        self.scope = scope
        self.place = place
        self.problems: list[Problem] = []
        self.bound: dict[str, Type] = {}
        """The names over which the quantifiers around the expression range."""
        self.ended: frozenset[str] = frozenset()
        """The names over which sums and counts range that stand on the left of the expression and do not reach so far."""
        self.aggregate = ""
        """The word of the sum or count around the expression, if any."""

    def report(self, code: str, span: Span, hint: str = "", **details: object) -> None:
        self.problems.append(problem(code, span, hint, **details))

    def type_of(self, expr: Expr) -> Type | None:
        match expr:
            case Number(value):
                return NAT if isinstance(value, int) else RAT
            case Boolean():
                return BOOL
            case Name(name, span):
                return self.name_type(name, span)
            case Old(name, span):
                return self.old_type(name, span)
            case Unary():
                return self.unary_type(expr)
            case Binary():
                return self.binary_type(expr)
            case Compare():
                return self.chain_type(expr)
            case Call():
                return self.call_type(expr)
            case Index():
                return self.cell_type(expr)
            case Quantified():
                return self.quantified_type(expr)

    def name_type(self, name: str, span: Span) -> Type | None:
        """The type of a name that stands for a number or a Boolean."""
        kind = self.variable_type(name, span)
        return self.scalar_type(name, kind, span)

    def scalar_type(self, name: str, kind: Type | None, span: Span) -> Type | None:
        if kind is None or kind.element is None:
            return kind
        self.report("array-value", span, f"read a cell, as in {name}[0], or use len({name})", name=name)
        return None

    def variable_type(self, name: str, span: Span) -> Type | None:
        scope = self.scope
        if name in self.bound:
            return self.bound[name]
        if name in scope.variables:
            return scope.variables[name]
        if name in scope.hidden:
            code = scope.hidden[name]
            self.report(code, span, _HIDDEN_HINTS.get(code, ""), name=name)
        elif name in FUNCTIONS or name in scope.functions:
            self.report("function-not-called", span, f"write {self.call_example(name)}", name=name)
        else:
            hint = habits.WORDS.get(name) or near_name(name, scope.variables)
            if name in self.ended:
                hint = f"a sum or count over {name} ends before this: write what belongs to it in brackets"
            self.report("unknown-name", span, hint, name=name)
        return None

    def call_example(self, name: str) -> str:
        if name in FUNCTIONS:
            return FUNCTIONS[name].example
        return f"{name}({'…' if self.scope.functions[name].params else ''})"

    def old_type(self, name: str, span: Span) -> Type | None:
        return self.scalar_type(f"old({name})", self.entry_type(name, span), span)

    def entry_type(self, name: str, span: Span) -> Type | None:
        if not self.place.old:
            self.report("old-not-allowed", span)
        if name not in self.scope.params:
            hint = near_name(name, self.scope.params) if self.scope.params else "this function has no parameters"
            self.report("bad-old", span, hint)
            return None
        return self.scope.params[name]

    def value_type(self, expr: Expr) -> Type | None:
        """The type of an expression that may also be an array."""
        if isinstance(expr, Name):
            return self.variable_type(expr.name, expr.span)
        return self.entry_type(expr.name, expr.span) if isinstance(expr, Old) else self.type_of(expr)

    def array_type(self, array: Expr) -> Type | None:
        """The type of what must be an array; None where it is something else, which is reported."""
        kind = self.value_type(array)
        if kind is not None and kind.element is None:
            self.report("not-an-array", array.span, shown=quote(array), type=with_article(kind))
            return None
        return kind

    def cell_type(self, expr: Index) -> Type | None:
        kind = self.array_type(expr.array)
        self.check_integer("an index", expr.index)
        return None if kind is None else kind.element

    def check_integer(self, what: str, expr: Expr) -> Type | None:
        """The type of an expression that must be a whole number; where it is another one, that is reported."""
        kind = self.type_of(expr)
        if kind is not None and not is_integer(kind):
            self.report("not-integer", expr.span, what=what, shown=quote(expr), type=with_article(kind))
        return kind

    def quantified_type(self, expr: Quantified) -> Type | None:
        name, span, word = expr.variable.name, expr.variable.span, expr.word
        around = self.aggregate
        if word in AGGREGATES and around:
            self.report("nested-aggregate", expr.span, "compute it in a loop or by a helper function", inner=word, outer=around)
        low = self.check_integer("a bound of a range", expr.low)
        self.check_integer("a bound of a range", expr.high)
        scope = self.scope
        if name in FUNCTIONS:
            self.report("reserved-word", span, "choose another name", found=name)
        elif name in self.bound or any(name in names for names in (scope.variables, scope.params, scope.hidden, scope.functions)):
            self.report("already-declared", span, "what a quantifier ranges over needs a name of its own", name=name)
        before = self.bound
        self.bound = {**before, name: NAT if low is NAT else INT}
        self.aggregate = word if word in AGGREGATES else around
        kind = self.type_of(expr.body)
        self.bound, self.aggregate = before, around
        if word in AGGREGATES:
            self.ended |= {name}
        details = {"what": f"what follows '{word}'", "shown": quote(expr.body), "type": "" if kind is None else with_article(kind)}
        if word == "sum":
            if kind is BOOL:
                self.report("not-number", expr.body.span, f"write count {name} in … for how often it holds", **details)
            return None if kind is BOOL else kind
        if kind is not None and kind is not BOOL:
            self.report("not-boolean", expr.body.span, f"write sum {name} in … to add numbers" * (word == "count"), **details)
        return NAT if word == "count" else BOOL

    def unary_type(self, expr: Unary, hint: str = "") -> Type | None:
        kind = self.type_of(expr.operand)
        if kind is None:
            return BOOL if expr.op == "!" else None
        details = {"shown": quote(expr.operand), "type": with_article(kind)}
        if expr.op == "!":
            if kind is not BOOL:
                if not hint and isinstance(expr.operand, Name):
                    hint = f"write {show(expr.operand)} = 0 for 'is zero'"
                self.report("not-boolean", expr.span, hint, what="what follows '!'", **details)
            return BOOL
        if kind is BOOL:
            self.report("not-number", expr.span, "write ! for not", what="what follows '-'", **details)
            return None
        return RAT if kind is RAT else INT

    def binary_type(self, expr: Binary) -> Type | None:
        op = expr.op
        left, right = self.type_of(expr.left), self.type_of(expr.right)
        logical = op in ("->", "|", "&")
        if left is None or right is None:
            return BOOL if logical else None
        if logical:
            if left is not BOOL or right is not BOOL:
                hint = "for 'x divides y' write y % x = 0" if op == "|" and is_integer(left) else ""
                self.report_sides("needs-booleans", op, expr.span, (expr.left, left), (expr.right, right), hint)
            return BOOL
        if left is BOOL or right is BOOL:
            self.report_sides("needs-numbers", op, expr.span, (expr.left, left), (expr.right, right))
            return None
        if op in ("//", "%") and not (is_integer(left) and is_integer(right)):
            hint = "write / for the exact quotient" if op == "//" else ""
            self.report_sides("needs-integers", op, expr.span, (expr.left, left), (expr.right, right), hint)
            return INT
        if op == "^":
            self.check_exponent(expr.right, right)
        return arithmetic_type(op, left, right)

    def check_exponent(self, exponent: Expr, kind: Type) -> None:
        if kind is RAT:
            self.report("bad-exponent", exponent.span, shown=quote(exponent), type=with_article(kind))
        elif is_negative_literal(exponent):
            hint = "write 1 / x^2 for a power with a negative exponent"
            self.report("bad-exponent", exponent.span, hint, shown=quote(exponent), type="negative")

    def report_sides(
        self, code: str, op: str, span: Span, left: tuple[Expr, Type], right: tuple[Expr, Type], hint: str = ""
    ) -> None:
        (left_expr, left_type), (right_expr, right_type) = left, right
        self.report(
            code,
            span,
            hint,
            op=op,
            left=quote(left_expr),
            left_type=with_article(left_type),
            right=quote(right_expr),
            right_type=with_article(right_type),
        )

    def chain_type(self, expr: Compare) -> Type:
        kinds = [self.operand_type(op, operand) for op, operand in zip(("", *expr.ops), expr.operands, strict=True)]
        if any(kind and kind.element for kind in kinds):
            return self.arrays_compared(expr, kinds)
        for index, op in enumerate(expr.ops):
            left, right = kinds[index], kinds[index + 1]
            if left is None or right is None:
                continue
            sides = (expr.operands[index], left), (expr.operands[index + 1], right)
            span = expr.span if len(expr.ops) == 1 else Span(sides[0][0].span.start, sides[1][0].span.end)
            if op in ("=", "!="):
                if is_number(left) is not is_number(right):
                    self.report_sides("needs-same-kind", op, span, *sides)
            elif left is BOOL or right is BOOL:
                hint = "write -> for implies" if op == ">=" or op == "<=" else ""
                self.report_sides("needs-numbers", op, span, *sides, hint)
        return BOOL

    def arrays_compared(self, expr: Compare, kinds: list[Type | None]) -> Type:
        """The type of a chain of which some operands are arrays."""
        for index, op in enumerate(expr.ops):
            left, right = kinds[index], kinds[index + 1]
            if left is not None and right is not None and (left is not right or op not in ("=", "!=")):
                sides = (expr.operands[index], left), (expr.operands[index + 1], right)
                hint = "" if op in ("=", "!=") else "arrays have no order; compare cells, as in a[i] <= b[i]"
                self.report_sides("needs-arrays", op, Span(sides[0][0].span.start, sides[1][0].span.end), *sides, hint)
        return BOOL

    def operand_type(self, op: str, operand: Expr) -> Type | None:
        """The type of what follows this comparison. It knows that `x =! y` is read as `x = !y`."""
        if op == "=" and isinstance(operand, Unary) and operand.op == "!":
            return self.unary_type(operand, "did you mean '!='?")
        return self.value_type(operand)

    def call_type(self, expr: Call) -> Type | None:
        name = expr.function
        if name == "len" and len(expr.arguments) == 1:
            self.array_type(expr.arguments[0])
            return NAT
        if name in ("sorted", "permutation") and len(expr.arguments) >= FUNCTIONS[name].arguments_min:
            return self.array_call_type(expr)
        function = self.scope.functions.get(name)
        takes_arrays = name in ARRAY_FUNCTIONS or name not in FUNCTIONS
        kinds = [self.value_type(argument) if takes_arrays else self.type_of(argument) for argument in expr.arguments]
        if name in FUNCTIONS:
            return self.builtin_call_type(expr, FUNCTIONS[name], kinds)
        if function is None:
            self.report_unknown_function(expr)
            return None
        if name in self.scope.choosing and not self.place.choice:
            self.report("undetermined", expr.span, name=name)
        wanted = len(function.params)
        if len(kinds) != wanted:
            expected = f"{wanted} argument{'s' * (wanted != 1)}"
            shown = ", ".join(f"{param.name}: {param.type}" for param in function.params)
            self.report("argument-count", expr.span, f"{name}({shown})", function=f"'{name}'", expected=expected, found=len(kinds))
        for argument, kind, param in zip(expr.arguments, kinds, function.params, strict=False):
            if kind is not None and not is_like(kind, param.type):
                self.report_argument(name, argument, kind, with_article(param.type))
        if function.result is None:
            self.report("no-result", expr.span, f"give it a type: fn {name}(…): int", name=name)
        return function.result

    def array_call_type(self, expr: Call) -> Type:
        """The type of `sorted(a, low..high)` or `permutation(a, b)`."""
        array, *others = expr.arguments
        kind = self.array_type(array)
        if expr.function == "sorted":
            if kind is ARRAYS_OF[BOOL]:
                self.report_argument("sorted", array, kind, "an array of numbers")
            for bound in others:
                self.check_integer("a bound of a range", bound)
            return BOOL
        other = self.array_type(others[0])
        if len(others) > 1:
            self.report(
                "argument-count",
                expr.span,
                "write permutation(a, b)",
                function="'permutation'",
                expected="2 arguments",
                found=1 + len(others),
            )
        if kind is not None and other is not None and kind is not other:
            self.report_argument("permutation", others[0], other, with_article(kind))
        return BOOL

    def report_unknown_function(self, expr: Call) -> None:
        name, scope = expr.function, self.scope
        span = Span(expr.span.start, expr.span.start + len(name))
        if name == scope.level:
            self.report("level-called", span, "the last function is the level; put helpers above it", name=name)
        elif name in scope.variables:
            self.report("not-a-function", span, f"write {name} * (…) to multiply", name=name)
        else:
            has_arrays = any(kind.element for kind in scope.variables.values())
            known = [builtin.name for builtin in (*BUILTINS, *(ARRAY_BUILTINS if has_arrays else ()))]
            about_arrays = habits.ARRAY_FUNCTIONS.get(name) if has_arrays else None
            hint = about_arrays or habits.FUNCTIONS.get(name) or near_name(name, [*known, *scope.functions])
            self.report("unknown-function", span, hint, name=name)

    def builtin_call_type(self, expr: Call, builtin: Builtin, kinds: list[Type | None]) -> Type | None:
        name, count = builtin.name, len(kinds)
        least, most = builtin.arguments_min, builtin.arguments_max
        if count < least or (most is not None and count > most):
            expected = f"{least} argument{'s' * (least != 1)}" if most else f"at least {least} arguments"
            hint = f"write {builtin.example}"
            self.report("argument-count", expr.span, hint, function=f"'{name}'", expected=expected, found=count)
            return builtin_type(name, [INT]) if name not in ("abs", "min", "max") else None
        known = [kind for kind in kinds if kind is not None]
        integers_only = name in ("ispow", "gcd")
        for argument, kind in zip(expr.arguments, kinds, strict=True):
            if kind is BOOL:
                self.report_argument(name, argument, kind, "a number")
                known.remove(BOOL)
            elif kind is RAT and integers_only:
                self.report_argument(name, argument, kind, "an integer")
        if integers_only:
            return builtin_type(name, [INT])
        return builtin_type(name, known) if len(known) == count else None

    def report_argument(self, function: str, argument: Expr, kind: Type, expected: str) -> None:
        self.report(
            "argument-type",
            argument.span,
            function=f"'{function}'",
            expected=expected,
            shown=quote(argument),
            type=with_article(kind),
        )


def is_like(kind: Type, target: Type) -> bool:
    """Whether a value of one type may fit the other: both are numbers, both are Booleans, or both are the same kind of array."""
    if kind.element or target.element:
        return kind is target
    return is_number(kind) is is_number(target)


_HIDDEN_HINTS = {
    "out-of-scope": "declare it before the block, at the top of the function",
    "used-before-declaration": "move its declaration up",
    "no-result-here": "'result' is known in a post, and where the function assigns it with result := …;",
    "no-result-type": "give the function a type: fn main(n: nat): int { … }",
    "local-in-contract": "state it with an assert where the variable is visible, or return the value and speak of result",
}
