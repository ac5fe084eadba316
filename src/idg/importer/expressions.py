"""Reads C expressions as SIP expressions.

SIP's expressions have no effects and make no choices. So an effect such as `i++`, or a call of unknown(), becomes a statement that
comes before the one in which the expression stands.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from idg.importer.macros import Macros
from idg.importer.results import Note
from idg.importer.scopes import Scopes
from idg.importer.source import c_ast, parse_expression, place, refuse
from idg.importer.spellings import CONSTANTS, ValueRange, unknown_of
from idg.importer.terms import TypedExpr, divides, literal_value, nonzero
from idg.importer.trees import STEPS, effects, ids
from idg.sip.build import ZERO, compare, whole_literal
from idg.sip.logic import FALSE, TRUE, both_folded, either, implies_folded, negate
from idg.sip.syntax import Assign, Binary, Block, Branch, Call, Cassign, Compare, Expr, If, Name, Number, Stmt, Type, Unary

COMPARISONS = {"==": "=", "!=": "!=", "<": "<", "<=": "<=", ">": ">", ">=": ">="}
"""C's comparisons → SIP's."""
LOGIC = ("&&", "||")
SHIFT_MAX = 63
"""Bits of a shift: C's widest type has 64."""
MACRO_DEPTH_MAX = 20
"""Macros within each other; deeper ones are taken for macros that refer to themselves."""
PREPROCESS = "preprocess the file first (gcc -E -P)"
NOT_DECLARED = "only headers that lie beside the file are read, and of them only what #define says"
QUOTIENTS = (
    "C's / rounds to zero, SIP's // rounds down: where numbers may be negative, "
    "a / b is read as max(a, 0) // b - max(-a, 0) // b for a positive b"
)
REMAINDERS = (
    "C's % has the sign of a, SIP's that of b: where numbers may be negative, "
    "a % b is read as max(a, 0) % b - max(-a, 0) % b for a positive b"
)


class Expressions:
    """Reads the expressions of one function; keeps the notes and the statements that the readings give."""

    def __init__(self, scopes: Scopes, macros: Macros) -> None:
        self.scopes = scopes
        self.macros = macros
        self.notes: list[Note] = []
        self.sink: list[Stmt] = []
        """The statements that come before the one in which the present expression stands."""
        self._guarded = 0
        """Above zero inside a part that C evaluates only sometimes, such as b in a && b."""
        self._macro_depth = 0
        self._noted: set[str] = set()

    def note(self, node: Any, text: str, once: str = "") -> None:
        if once in self._noted:
            return
        if once:
            self._noted.add(once)
        self.notes.append(Note(place(node)[0], text))

    # Booleans

    def truth(self, node: Any) -> Expr:
        """The node as a condition."""
        match node:
            case c_ast.UnaryOp(op="!"):
                return negate(self.truth(node.expr))
            case c_ast.BinaryOp(op="&&"):
                left = self.truth(node.left)
                return both_folded(left, self._guard(node.right))
            case c_ast.BinaryOp(op="||"):
                left = self.truth(node.left)
                return either(left, self._guard(node.right))
            case c_ast.BinaryOp(op=op) if op in COMPARISONS:
                return self._comparison(node)
            case c_ast.BinaryOp(op="%"):
                return self._divisible("!=", node)
            case c_ast.ID(name=name) if self.is_bool(node):
                return Name(name)
            case c_ast.FuncCall() if self.unknown(node) is not None:
                return Name(self.choose(node, ValueRange(Type.BOOL), Type.BOOL))
            case c_ast.TernaryOp():
                test = self.truth(node.cond)
                yes, no = self._guard(node.iftrue), self._guard(node.iffalse)
                return both_folded(implies_folded(test, yes), implies_folded(negate(test), no))
            case c_ast.ExprList():
                return self.truth(self.after_effects(node))
            case c_ast.Cast() if self._cast_type(node) is Type.BOOL:
                return self.truth(node.expr)
        return nonzero(self.number(node).expr)

    def _guard(self, node: Any) -> Expr:
        """A condition that C evaluates only sometimes: it must have no effect."""
        self._guarded += 1
        try:
            return self.truth(node)
        finally:
            self._guarded -= 1

    def is_bool(self, node: Any) -> bool:
        """Whether its value in C is 0 or 1, so that it is a Boolean here."""
        match node:
            case c_ast.ID(name=name):
                return name in self.scopes.variables and self.scopes.variables[name].type is Type.BOOL
            case c_ast.UnaryOp(op="!"):
                return True
            case c_ast.BinaryOp(op=op):
                return op in COMPARISONS or op in LOGIC
            case c_ast.FuncCall():
                values = self.unknown(node)
                return values is not None and values.type is Type.BOOL
            case c_ast.Cast():
                return self._cast_type(node) is Type.BOOL
        return False

    def _comparison(self, node: Any) -> Expr:
        op, left, right = COMPARISONS[node.op], node.left, node.right
        if op in ("=", "!="):
            for one, other in ((left, right), (right, left)):
                value = self._constant_of(other)
                if value in (0, 1) and self.is_bool(one):
                    return self.truth(one) if (value == 1) == (op == "=") else negate(self.truth(one))
                if value == 0 and isinstance(one, c_ast.BinaryOp) and one.op == "%":
                    return self._divisible(op, one)
            if self.is_bool(left) and self.is_bool(right):
                return compare(self.truth(left), op, self.truth(right))
        return compare(self.number(left).expr, op, self.number(right).expr)

    def _divisible(self, op: str, node: Any) -> Expr:
        """A remainder compared with zero: there C's and SIP's remainders agree."""
        return compare(Binary("%", self.number(node.left).expr, self.number(node.right).expr), op, ZERO)

    def _constant_of(self, node: Any) -> int | None:
        match node:
            case c_ast.Constant(type=kind) if kind not in ("string", "float", "double"):
                return whole_literal(self.number(node).expr)
            case c_ast.ID(name=name) if name not in self.scopes.variables and (name in self.macros.texts or name in CONSTANTS):
                return whole_literal(self.number(node).expr)
        return None

    # numbers

    def number(self, node: Any) -> TypedExpr:
        match node:
            case c_ast.Constant():
                return self._literal(node)
            case c_ast.ID():
                return self._name(node)
            case c_ast.UnaryOp(op=op) if op in STEPS:
                return self._step(node)
            case c_ast.UnaryOp():
                return self._unary(node)
            case c_ast.BinaryOp(op=op) if op in COMPARISONS or op in LOGIC:
                return self._from_truth(node)
            case c_ast.BinaryOp():
                return self._arithmetic(node, node.op, self.number(node.left), self.number(node.right))
            case c_ast.Assignment():
                self.assign(node)
                return self._name(node.lvalue)
            case c_ast.Cast():
                return self._cast(node)
            case c_ast.TernaryOp():
                return self._ternary(node)
            case c_ast.ExprList():
                return self.number(self.after_effects(node))
            case c_ast.FuncCall():
                return self._call(node)
            case c_ast.ArrayRef() | c_ast.StructRef():
                raise refuse(node, "arrays, pointers and structs are not read; only variables that are whole numbers are")
        raise refuse(node, f"this kind of expression ({type(node).__name__}) is not read")

    def _literal(self, node: Any) -> TypedExpr:
        text = node.value.lower()
        if node.type == "char":
            return literal_value(ord(node.value[1]) if len(node.value) == 3 else self._refused_char(node))
        if node.type in ("string", "float", "double", "long double"):
            raise refuse(node, f"{node.value} is no whole number; only whole numbers are read")
        digits = text.rstrip("ul")
        octal = digits.startswith("0") and digits.isdecimal()
        try:
            return literal_value(int(digits, 8) if octal else int(digits, 0))
        except ValueError:
            raise refuse(node, "this number is too long") from None

    def _refused_char(self, node: Any) -> int:
        raise refuse(node, f"the character {node.value} is not read", "write its number")

    def _name(self, node: Any) -> TypedExpr:
        name = node.name
        variable = self.scopes.variables.get(name)
        if variable is not None:
            return self._from_truth(node) if variable.type is Type.BOOL else TypedExpr(Name(name), variable.type)
        if name in self.macros.texts:
            return self._macro(node)
        if name in self.macros.uncertain:
            text = f"{self.macros.uncertain[name]} defines {name} in an #if whose case is not known: put its #define into the file"
            raise refuse(node, f"'{name}' is not declared", text)
        if name in CONSTANTS:
            if name not in ("true", "false"):
                self.note(node, f"{name} is read as {CONSTANTS[name]}", once=name)
            return literal_value(CONSTANTS[name])
        raise refuse(node, f"'{name}' is not declared", NOT_DECLARED)

    def _macro(self, node: Any) -> TypedExpr:
        text = self.macros.texts[node.name]
        if text == node.name or self._macro_depth >= MACRO_DEPTH_MAX:
            raise refuse(node, f"the macro '{node.name}' refers to itself")
        tree = parse_expression(text)
        if tree is None:
            raise refuse(node, f"the macro '{node.name}' stands for '{text}', which is no expression", PREPROCESS)
        self.scopes.resolve(tree)
        self._macro_depth += 1
        try:
            return self.number(tree)
        finally:
            self._macro_depth -= 1

    def _unary(self, node: Any) -> TypedExpr:
        match node.op:
            case "!":
                return self._from_truth(node)
            case "+":
                return self.number(node.expr)
            case "-":
                return self._negative(self.number(node.expr))
            case "~":
                return TypedExpr(Binary("-", self._negative(self.number(node.expr)).expr, Number(1)), Type.INT)
        what = {"*": "a pointer's target", "&": "an address", "sizeof": "sizeof"}.get(node.op, f"the operator {node.op}")
        raise refuse(node, f"{what} is not read; only variables that are whole numbers are")

    def _negative(self, value: TypedExpr) -> TypedExpr:
        known = whole_literal(value.expr)
        return literal_value(-known) if known is not None else TypedExpr(Unary("-", value.expr), Type.INT)

    def _arithmetic(self, node: Any, op: str, left: TypedExpr, right: TypedExpr) -> TypedExpr:
        kind = Type.NAT if left.type is right.type is Type.NAT else Type.INT
        known = whole_literal(right.expr)
        match op:
            case "+" | "*":
                return TypedExpr(Binary(op, left.expr, right.expr), kind)
            case "-":
                return TypedExpr(Binary(op, left.expr, right.expr), Type.INT)
            case "/":
                return self._quotient(node, left, right)
            case "%":
                return self._remainder(node, left, right)
            case "<<" if known is not None and 0 <= known <= SHIFT_MAX:
                self.note(node, "a << k is read as a * 2^k", once="<<")
                return TypedExpr(Binary("*", left.expr, Number(2**known)), left.type)
            case ">>" if known is not None and 0 <= known <= SHIFT_MAX:
                self.note(node, "a >> k is read as a // 2^k, which rounds down", once=">>")
                return TypedExpr(Binary("//", left.expr, Number(2**known)), left.type)
            case "&" if known is not None and known > 0 and known & (known + 1) == 0:
                self.note(node, f"a & {known} is read as a % {known + 1}", once="&")
                return TypedExpr(Binary("%", left.expr, Number(known + 1)), Type.NAT)
        hint = "a & 1, a << 3 and a >> 3 are read; others can often be written with / and %"
        raise refuse(node, f"the operator {op} is not read on bits", hint)

    def _quotient(self, node: Any, left: TypedExpr, right: TypedExpr) -> TypedExpr:
        """C's quotient, which is rounded towards zero."""
        if left.type is right.type is Type.NAT:
            return TypedExpr(Binary("//", left.expr, right.expr), Type.NAT)
        self.note(node, QUOTIENTS, once="/")
        size = self._size(right)
        rounded: Expr = Binary("-", Binary("//", _positive(left), size), Binary("//", _positive(self._negative(left)), size))
        known = whole_literal(right.expr)
        if known is not None and known < 0:
            rounded = Unary("-", rounded)
        elif right.type is not Type.NAT and known is None:
            rounded = Binary("*", rounded, Binary("//", right.expr, size))
        return TypedExpr(rounded, Type.INT)

    def _remainder(self, node: Any, left: TypedExpr, right: TypedExpr) -> TypedExpr:
        """C's remainder, which has the sign of what is divided."""
        size = self._size(right)
        if left.type is Type.NAT:
            return TypedExpr(Binary("%", left.expr, size), Type.NAT)
        self.note(node, REMAINDERS, once="%")
        return TypedExpr(
            Binary("-", Binary("%", _positive(left), size), Binary("%", _positive(self._negative(left)), size)), Type.INT
        )

    def _size(self, value: TypedExpr) -> Expr:
        known = whole_literal(value.expr)
        if known is not None:
            return Number(abs(known))
        return value.expr if value.type is Type.NAT else Call("abs", (value.expr,))

    def _from_truth(self, node: Any) -> TypedExpr:
        """A condition as a number, 0 or 1."""
        test = self.truth(node)
        if test in (TRUE, FALSE):
            return literal_value(int(test == TRUE))
        return TypedExpr(Name(self._by_cases(test, literal_value(1).expr, literal_value(0).expr, Type.NAT, node)), Type.NAT)

    def _ternary(self, node: Any) -> TypedExpr:
        test = self.truth(node.cond)
        self._guarded += 1
        yes, no = self.number(node.iftrue), self.number(node.iffalse)
        self._guarded -= 1
        kind = Type.NAT if yes.type is no.type is Type.NAT else Type.INT
        return TypedExpr(Name(self._by_cases(test, yes.expr, no.expr, kind, node)), kind)

    def _by_cases(self, test: Expr, yes: Expr, no: Expr, kind: Type, node: Any) -> str:
        if self._guarded and any(map(divides, (test, yes, no))):
            raise refuse(node, "this is evaluated only sometimes, and divides", "compute it in a statement before, into a variable")
        name = self.scopes.fresh("value", kind)
        self.sink.append(if_else(test, [Assign(Name(name), yes)], [Assign(Name(name), no)]))
        return name

    def _cast_type(self, node: Any) -> Type:
        declared = node.to_type.type
        if not isinstance(declared, c_ast.TypeDecl):
            raise refuse(node, "a cast to a pointer is not read")
        return self.scopes.type_of(declared.type, node)

    def _cast(self, node: Any) -> TypedExpr:
        kind = self._cast_type(node)
        if kind is Type.BOOL:
            return self._from_truth(node)
        value = self.number(node.expr)
        if kind is Type.NAT and value.type is not Type.NAT:
            raise refuse(node, "a cast of what may be negative to unsigned is not read: it would wrap round")
        self.note(node, "casts between whole numbers change nothing", once="cast")
        return value

    # choices and calls

    def unknown(self, node: Any) -> ValueRange | None:
        """The values that a call of unknown() may give; None for anything else."""
        if not isinstance(node, c_ast.FuncCall) or not isinstance(node.name, c_ast.ID) or node.args is not None:
            return None
        return unknown_of(node.name.name)

    def choose(self, node: Any, unknown: ValueRange, kind: Type, name: str | None = None) -> str:
        """Adds a statement that gives a variable any value of the range, and returns the variable's name."""
        called = node.name.name
        self.note(node, f"each call of {called}() is a choice (cassign), or an input where it comes first", once="unknown")
        name = name or self.scopes.fresh("choice" if kind is Type.BOOL else "value", kind)
        self.sink.append(Cassign((Name(name),), within(name, unknown, kind)))
        return name

    def _call(self, node: Any) -> TypedExpr:
        unknown = self.unknown(node)
        if unknown is not None:
            kind = Type.INT if unknown.type is Type.INT else Type.NAT
            return TypedExpr(Name(self.choose(node, unknown, kind)), kind)
        name = node.name.name if isinstance(node.name, c_ast.ID) else "?"
        arguments = [] if node.args is None else node.args.exprs
        if name in ("abs", "labs") and len(arguments) == 1:
            return TypedExpr(Call("abs", (self.number(arguments[0]).expr,)), Type.NAT)
        if name in self.macros.functions:
            raise refuse(node, f"'{name}' is a macro with arguments, which are not read", PREPROCESS)
        raise refuse(node, f"the call of '{name}' is not read", "write the function's body in its place")

    # effects

    def check_order(self, node: Any) -> None:
        """Refuses an expression that changes a variable and uses it elsewhere: C leaves open in which order that happens."""
        changes = list(effects(node))
        counts = Counter(name.name for name in ids(node))
        for change in changes:
            target = change.lvalue if isinstance(change, c_ast.Assignment) else change.expr
            if not isinstance(target, c_ast.ID):
                raise refuse(change, "only variables can be assigned; arrays, pointers and structs are not read")
            if counts[target.name] > sum(name.name == target.name for name in ids(change)):
                text = f"'{target.name}' is changed and used in the same expression"
                raise refuse(change, text, "write the change as a statement of its own")

    def after_effects(self, node: Any) -> Any:
        """The last part of a comma expression; the others are carried out."""
        for part in node.exprs[:-1]:
            self.effect(part)
        return node.exprs[-1]

    def effect(self, node: Any) -> None:
        """Carries out an expression whose value nobody uses."""
        match node:
            case c_ast.Assignment():
                self.assign(node)
            case c_ast.UnaryOp(op=op) if op in STEPS:
                self._step(node)
            case c_ast.ExprList():
                self.effect(self.after_effects(node))
            case c_ast.Cast():
                self.effect(node.expr)
            case c_ast.FuncCall() if self.unknown(node) is not None:
                return
            case c_ast.Constant() | c_ast.ID():
                return
            case _ if not any(True for _ in effects(node)):
                self.truth(node)
            case _:
                raise refuse(node, "this statement is not read", "write it with if and assignments")

    def _step(self, node: Any) -> TypedExpr:
        """Carries out x++, ++x, x-- or --x. The value of x++ is that of x before, which afterwards is x - 1."""
        name = self._target(node, node.expr)
        kind = self.scopes.variables[name].type
        op = STEPS[node.op]
        self.sink.append(Assign(Name(name), Binary(op, Name(name), Number(1))))
        if not node.op.startswith("p"):
            return TypedExpr(Name(name), kind)
        return TypedExpr(Binary("-" if op == "+" else "+", Name(name), Number(1)), kind)

    def _target(self, node: Any, target: Any) -> str:
        if self._guarded:
            text = "a variable is changed in a part of an expression that is evaluated only sometimes"
            raise refuse(node, text, "write it with an if")
        if not isinstance(target, c_ast.ID):
            raise refuse(node, "only variables can be assigned; arrays, pointers and structs are not read")
        variable = self.scopes.variables.get(target.name)
        if variable is None:
            raise refuse(target, f"'{target.name}' is not declared")
        if variable.type is Type.BOOL and not isinstance(node, c_ast.Assignment):
            raise refuse(node, f"'{target.name}' is a Boolean, with which C does not count as with numbers", "declare it as int")
        return variable.name

    def assign(self, node: Any) -> None:
        name = self._target(node, node.lvalue)
        kind = self.scopes.variables[name].type
        if node.op == "=":
            self.set(name, kind, node.rvalue)
            return
        if kind is Type.BOOL:
            raise refuse(node, f"{node.op} is not read for a Boolean", "declare it as int")
        value = self._arithmetic(node, node.op[:-1], TypedExpr(Name(name), kind), self.number(node.rvalue))
        self.sink.append(Assign(Name(name), value.expr))

    def set(self, name: str, kind: Type, node: Any) -> None:
        """Gives a variable the value of an expression."""
        unknown = self.unknown(node)
        if unknown is not None:
            self.choose(node, unknown, kind, name)
        elif isinstance(node, c_ast.UnaryOp) and node.op in ("p++", "p--") and kind is not Type.BOOL and not self._guarded:
            before = self.number(node.expr)
            self.sink.append(Assign(Name(name), before.expr))
            self._step(node)
        elif kind is Type.BOOL:
            self.sink.append(Assign(Name(name), self.truth(node)))
        elif self.is_bool(node):
            test = self.truth(node)
            self.sink.append(if_else(test, [Assign(Name(name), Number(1))], [Assign(Name(name), Number(0))]))
        elif isinstance(node, c_ast.TernaryOp) and not any(True for _ in effects(node)):
            self._set_by_cases(name, kind, node)
        else:
            value = self.number(node).expr
            self.sink += [] if value == Name(name) else [Assign(Name(name), value)]

    def _set_by_cases(self, name: str, kind: Type, node: Any) -> None:
        test = self.truth(node.cond)
        cases: list[list[Stmt]] = []
        outer = self.sink
        for case in (node.iftrue, node.iffalse):
            self.sink = []
            self.set(name, kind, case)
            cases.append(self.sink)
        self.sink = outer
        self.sink.append(if_else(test, *cases))


def within(name: str, unknown: ValueRange, kind: Type) -> Expr:
    """The condition that the chosen value lies in the range."""
    if unknown.low is not None and unknown.high is not None:
        if unknown.low == 0 and kind is Type.NAT:
            return compare(Name(name), "<=", Number(unknown.high))
        return Compare((literal_value(unknown.low).expr, Name(name), Number(unknown.high)), ("<=", "<="))
    if unknown.type is Type.BOOL and kind is not Type.BOOL:
        return Compare((Number(0), Name(name), Number(1)), ("<=", "<="))
    return compare(Name(name), ">=", ZERO) if unknown.type is Type.NAT and kind is Type.INT else TRUE


def if_else(test: Expr, yes: list[Stmt], no: list[Stmt]) -> Stmt:
    return If((Branch(test, Block(tuple(yes))),), Block(tuple(no)))


def _positive(value: TypedExpr) -> Expr:
    """The maximum of the number and zero."""
    known = whole_literal(value.expr)
    return Number(max(known, 0)) if known is not None else Call("max", (value.expr, Number(0)))
