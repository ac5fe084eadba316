"""Reads C expressions as SIP expressions.

SIP's expressions have no effects and make no choices. So an effect such as `i++`, or a call of unknown(), becomes a statement that
comes before the one in which the expression stands.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, TypeVar

from idg.importer.c.arrays import cell_type, read_cell, said_of_cells, write_cell
from idg.importer.c.known_functions import given_elsewhere, hint_for
from idg.importer.c.numbers.arithmetic import Arithmetic
from idg.importer.c.numbers.c_types import BOOL, INT, LONG, ULONG, CSignature, CType, Integers, common, fits, is_bounded, promoted
from idg.importer.c.numbers.sizes import size_of
from idg.importer.c.numbers.terms import WRAP, TypedExpr, divides, evaluated, if_else, literal_value, marked, nonzero, within
from idg.importer.c.scopes import Scopes
from idg.importer.c.text.acsl_conditions import OF_CELLS, OLD, RESULT
from idg.importer.c.text.source import c_ast, place, refuse
from idg.importer.c.text.spellings import CONSTANT_TYPES, CONSTANTS, ValueRange, unknown_of
from idg.importer.c.text.trees import STEPS, effects
from idg.importer.c.traces import InputSite, Tracing
from idg.importer.results import Note
from idg.sip.syntax import Assert, Assign, Binary, Boolean, Call, Cassign, Expr, Name, Number, Old, Stmt, Type
from idg.sip.trees.build import ONE, ZERO, compare, whole_literal
from idg.sip.trees.logic import FALSE, TRUE, both_folded, either, implies_folded, negate

_T = TypeVar("_T")
COMPARISONS = {"==": "=", "!=": "!=", "<": "<", "<=": "<=", ">": ">", ">=": ">="}
"""C's comparisons → SIP's."""
LOGIC = ("&&", "||")
ABSOLUTE = {"abs": INT, "labs": LONG, "llabs": LONG}
"""Functions of the standard library that are read, with their types."""
NOT_DECLARED = "headers are read only where they lie beside the file"


class Expressions:
    """Reads the expressions of one function; keeps the notes and the statements that the readings give."""

    def __init__(
        self,
        scopes: Scopes,
        integers: Integers,
        functions: dict[str, CType | None],
        defined: frozenset[str],
        recursive: Mapping[str, CSignature] = MappingProxyType({}),
    ) -> None:
        self.scopes = scopes
        self.recursive = recursive
        """The functions that call themselves."""
        self.integers = integers
        self.functions = functions
        """Functions that the file declares → what they return; None where that is no number that is read."""
        self.defined = defined
        """Functions that the file defines."""
        self.arithmetic = Arithmetic(integers, self.note, lambda goal: None if self._guarded else self.sink.append(Assert(goal)))
        self.notes: list[Note] = []
        self.sink: list[Stmt] = []
        """The statements that come before the one in which the present expression stands."""
        self.result: TypedExpr | None = None
        """What \\result means in the annotation that is being read."""
        self.lengths: dict[str, int] = {}
        """Arrays of the function and of the file → how many cells they have."""
        self.tracing: Tracing | None = None
        """Where the tree has traces."""
        self._guarded = 0
        """Above zero inside a part that C evaluates only sometimes, such as b in a && b."""
        self._noted: set[str] = set()

    def note(self, node: Any, text: str, once: str = "") -> None:
        if once in self._noted:
            return
        if once:
            self._noted.add(once)
        self.notes.append(Note(place(node)[0], text))

    def annotation(self, node: Any) -> Expr:
        """A condition of ACSL, whose numbers are those of mathematics."""
        return self._exactly(self.truth, node)

    def annotated_number(self, node: Any) -> Expr:
        """A number of ACSL."""
        return self._exactly(self.number, node).expr

    def _exactly(self, read: Callable[[Any], _T], node: Any) -> _T:
        outer, self.arithmetic = self.arithmetic, Arithmetic(self.integers, self.note, exact=True)
        try:
            return read(node)
        finally:
            self.arithmetic = outer

    # Booleans

    def truth(self, node: Any) -> Expr:
        """The node as a condition."""
        match node:
            case c_ast.UnaryOp(op="!"):
                return negate(self.truth(node.expr))
            case c_ast.BinaryOp(op="&&" | "||" as op):
                left = self.truth(node.left)
                whole = (both_folded if op == "&&" else either)(left, self._guard(node.right))
                if isinstance(whole, Boolean) and not self._guarded and not self.arithmetic.exact:
                    self.sink += evaluated(left)  # What C evaluates first may fail, whatever comes after it.
                return whole
            case c_ast.BinaryOp(op=op) if op in COMPARISONS:
                return self._comparison(node)
            case c_ast.BinaryOp(op="%"):
                return self._divisible("!=", node)
            case c_ast.ID(name=name) if self.is_bool(node):
                return Old(name) if name in self.scopes.entry_values else Name(name)
            case c_ast.FuncCall() if (unknown := self.unknown(node)) is not None and unknown.low is None:
                return Name(self.choose(node, unknown, BOOL))
            case c_ast.TernaryOp():
                test = self.truth(node.cond)
                yes, no = self._guard(node.iftrue), self._guard(node.iffalse)
                return both_folded(implies_folded(test, yes), implies_folded(negate(test), no))
            case c_ast.UnaryOp(op=op) if op in OF_CELLS:
                return said_of_cells(self, node)
            case c_ast.ExprList():
                return self.truth(self.after_effects(node))
            case c_ast.Cast() if self._cast_type(node) == BOOL:
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
                return values is not None and values.ctype == BOOL
            case c_ast.Cast():
                return self._cast_type(node) == BOOL
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
        first, second = self.arithmetic.common_of(self.number(left), self.number(right))
        return compare(first.expr, op, second.expr)

    def _divisible(self, op: str, node: Any) -> Expr:
        """A remainder compared with zero: there C's and SIP's remainders agree."""
        left, right = self.arithmetic.common_of(self.number(node.left), self.number(node.right))
        return compare(self.arithmetic.plain_remainder(left, right), op, ZERO)

    def _constant_of(self, node: Any) -> int | None:
        match node:
            case c_ast.Constant(type=kind) if kind not in ("string", "float", "double"):
                return whole_literal(self.number(node).expr)
            case c_ast.ID(name=name) if name not in self.scopes.variables and name in CONSTANTS:
                return CONSTANTS[name]
        return None

    # numbers

    def number(self, node: Any) -> TypedExpr:
        match node:
            case c_ast.Constant():
                return self.arithmetic.literal(node)
            case c_ast.ID():
                return self._name(node)
            case c_ast.UnaryOp(op=op) if op in STEPS:
                return self._step(node)
            case c_ast.UnaryOp():
                return self._unary(node)
            case c_ast.BinaryOp(op=op) if op in COMPARISONS or op in LOGIC:
                return self._from_truth(node)
            case c_ast.BinaryOp():
                return self.arithmetic.binary(node, node.op, self.number(node.left), self.number(node.right))
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
            case c_ast.ArrayRef():
                return read_cell(self, node)
        if isinstance(node, c_ast.StructRef):
            raise refuse(node, "this field is not read", "fields of variables, of cells and of pointers are, such as p.x and p->x")
        raise refuse(node, f"this kind of expression ({type(node).__name__}) is not read")

    def ctype_of(self, node: Any) -> CType:
        """The type that C gives an expression. Nothing is carried out."""
        match node:
            case c_ast.Constant():
                return self.arithmetic.literal(node).ctype
            case c_ast.ID(name=name):
                variable = self.scopes.variables.get(name)
                return variable.ctype if variable is not None else self._name(node).ctype
            case c_ast.UnaryOp(op=op) if op in STEPS:
                return self.ctype_of(node.expr)
            case c_ast.UnaryOp(op="+" | "-" | "~"):
                return promoted(self.ctype_of(node.expr))
            case c_ast.UnaryOp(op="sizeof"):
                return ULONG
            case c_ast.BinaryOp(op="+" | "-" | "*" | "/" | "%" | "&"):
                return common(self.ctype_of(node.left), self.ctype_of(node.right))
            case c_ast.BinaryOp(op="<<" | ">>"):
                return promoted(self.ctype_of(node.left))
            case c_ast.Assignment():
                return self.ctype_of(node.lvalue)
            case c_ast.ArrayRef():
                return cell_type(self, node)
            case c_ast.Cast():
                return self._cast_type(node)
            case c_ast.TernaryOp():
                return common(self.ctype_of(node.iftrue), self.ctype_of(node.iffalse))
            case c_ast.ExprList():
                return self.ctype_of(node.exprs[-1])
            case c_ast.FuncCall() if (unknown := self.unknown(node)) is not None:
                return unknown.ctype
            case c_ast.FuncCall(name=c_ast.ID(name=name)):
                return self.recursive[name].returns if name in self.recursive else ABSOLUTE.get(name, INT)
        return INT

    def _name(self, node: Any) -> TypedExpr:
        name = node.name
        if name == RESULT and self.result is not None:
            return self.result
        variable = self.scopes.variables.get(name)
        if variable is not None:
            if variable.type is Type.BOOL:
                return self._from_truth(node)
            if variable.type.element:
                raise refuse(node, f"'{name}' is an array, of which only cells are read")
            expr = Old(name) if name in self.scopes.entry_values else Name(variable.name)
            return TypedExpr(expr, variable.type, variable.ctype)
        if name in CONSTANTS:
            if name not in ("true", "false"):
                self.note(node, f"{name} is read as {CONSTANTS[name]}", once=name)
            return literal_value(CONSTANTS[name], CONSTANT_TYPES.get(name, INT))
        raise refuse(node, f"'{name}' is not declared", NOT_DECLARED)

    def _unary(self, node: Any) -> TypedExpr:
        match node.op:
            case "!":
                return self._from_truth(node)
            case "+":
                value = self.number(node.expr)
                return self.arithmetic.converted(value, promoted(value.ctype))
            case "-":
                return self.arithmetic.negative(self.number(node.expr))
            case "~":
                return self.arithmetic.complement(self.number(node.expr))
        if node.op == OLD and isinstance(node.expr, c_ast.ID):
            return self._entry_value(node.expr)
        if node.op == "sizeof":
            return size_of(self, node)
        what = {"*": "a pointer's target", "&": "an address"}.get(node.op, f"the operator {node.op}")
        raise refuse(node, f"{what} is not read; only variables that are whole numbers are")

    def _entry_value(self, node: Any) -> TypedExpr:
        variable = self.scopes.variables.get(node.name)
        if variable is None or variable.origin != "parameter" or variable.type is Type.BOOL:
            raise refuse(node, f"{OLD}({node.name}) is read only for numbers that are parameters")
        return TypedExpr(Old(node.name), variable.type, variable.ctype)

    def _from_truth(self, node: Any) -> TypedExpr:
        """A condition as a number, 0 or 1."""
        test = self.truth(node)
        if test in (TRUE, FALSE):
            return literal_value(int(test == TRUE))
        return TypedExpr(Name(self._by_cases(test, ZERO, ONE, INT, Type.NAT, node)), Type.NAT, INT)

    def _ternary(self, node: Any) -> TypedExpr:
        test = self.truth(node.cond)
        self._guarded += 1
        yes, no = self.arithmetic.common_of(self.number(node.iftrue), self.number(node.iffalse))
        self._guarded -= 1
        kind = Type.NAT if yes.type is no.type is Type.NAT else Type.INT
        return TypedExpr(Name(self._by_cases(test, no.expr, yes.expr, yes.ctype, kind, node)), kind, yes.ctype)

    def _by_cases(self, test: Expr, no: Expr, yes: Expr, ctype: CType, kind: Type, node: Any) -> str:
        if self.arithmetic.exact:
            raise refuse(node, "a value by cases in an annotation is not read", "write it with ==>")
        if self._guarded and any(map(divides, (test, yes, no))):
            hint = "compute it in a statement before, into a variable"
            raise refuse(node, "this is evaluated only sometimes, and divides, reads a cell or calls a function", hint)
        name = self.scopes.fresh("value", ctype, kind)
        self.sink.append(if_else(test, [Assign(Name(name), yes)], [Assign(Name(name), no)]))
        return name

    def _cast_type(self, node: Any) -> CType:
        declared = node.to_type.type
        if not isinstance(declared, c_ast.TypeDecl):
            raise refuse(node, "a cast to a pointer is not read")
        return self.scopes.type_of(declared.type, node)

    def _cast(self, node: Any) -> TypedExpr:
        ctype = self._cast_type(node)
        if ctype == BOOL:
            return self._from_truth(node)
        return self.arithmetic.converted(self.number(node.expr), ctype)

    # choices and calls

    def unknown(self, node: Any) -> ValueRange | None:
        """The values that a call of unknown() may give; None for anything else."""
        if not isinstance(node, c_ast.FuncCall) or not isinstance(node.name, c_ast.ID) or node.args is not None:
            return None
        name = node.name.name
        values = unknown_of(name) or given_elsewhere(self, node)
        if values is None or values.low is not None or name not in self.functions:
            return values
        declared = self.functions[name]
        if declared is None:
            raise refuse(node, f"'{name}' is not declared as a function that returns a whole number")
        return ValueRange(declared)

    def choose(self, node: Any, unknown: ValueRange, ctype: CType, name: str | None = None) -> str:
        """Adds a statement that gives a variable of this type any value of the range, and returns the variable's name.

        The values of the type must include those of the range, or those of the range give all of the type when they are converted.
        """
        called = node.name.name
        self.note(node, f"each call of {called}() is a choice (cassign), or an input where it comes first", once="unknown")
        target = name
        if name is None or self.tracing is not None:
            name = self.scopes.fresh("choice" if ctype == BOOL else "value", ctype)
        self.sink.append(Cassign((Name(name),), within(name, unknown.ctype, (unknown.low, unknown.high), ctype, self.integers)))
        if self.tracing is not None:
            low = unknown.ctype.low if unknown.low is None else unknown.low
            high = unknown.ctype.high if unknown.high is None else unknown.high
            self.tracing.sites[name] = InputSite(*place(node), low, high, False, ctype)
            self.sink += [] if target is None else [Assign(Name(target), Name(name))]
        return target or name

    def _call(self, node: Any) -> TypedExpr:
        unknown = self.unknown(node)
        if unknown is not None:
            ctype = INT if unknown.ctype == BOOL else unknown.ctype
            name = self.choose(node, unknown, ctype)
            return TypedExpr(Name(name), self.scopes.variables[name].type, ctype)
        name = node.name.name if isinstance(node.name, c_ast.ID) else "?"
        arguments = [] if node.args is None else node.args.exprs
        if name in ABSOLUTE and name not in self.defined and len(arguments) == 1:
            return self.arithmetic.absolute(self.number(arguments[0]), ABSOLUTE[name])
        if name in self.recursive:
            return self._recursive_call(node, self.recursive[name], arguments)
        raise refuse(node, f"the call of '{name}' is not read", hint_for(name, self.defined))

    def _recursive_call(self, node: Any, signature: CSignature, arguments: list[Any]) -> TypedExpr:
        if len(arguments) != len(signature.params):
            raise refuse(node, f"{signature.name} takes {len(signature.params)} arguments")
        pairs = zip(arguments, signature.params, strict=True)
        values = [self.arithmetic.converted(self.number(argument), ctype).expr for argument, ctype in pairs]
        call = Call(signature.name, tuple(values))
        if self._guarded:
            return TypedExpr(call, Type.INT, signature.returns)
        # The call is made once, and here: what comes of it lies in a variable, also where nobody uses it.
        name = self.scopes.fresh("value", signature.returns)
        self.sink.append(Assign(Name(name), call))
        return TypedExpr(Name(name), Type.INT, signature.returns)

    # effects

    def after_effects(self, node: Any) -> Any:
        """The last part of a comma expression; the others are carried out."""
        for part in node.exprs[:-1]:
            self.effect(part)
        return node.exprs[-1]

    def effect(self, node: Any) -> None:
        """Carries out an expression whose value nobody uses."""
        match node:
            case c_ast.Assignment(lvalue=c_ast.ArrayRef()) | c_ast.UnaryOp(op="++" | "--" | "p++" | "p--", expr=c_ast.ArrayRef()):
                write_cell(self, node)
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
                self.sink += evaluated(self.truth(node))
            case _:
                raise refuse(node, "this statement is not read", "write it with if and assignments")

    def _step(self, node: Any) -> TypedExpr:
        """Carries out x++, ++x, x-- or --x. The value of x++ is that of x before: afterwards it is x - 1, reduced to the type."""
        name = self._target(node, node.expr)
        variable = self.scopes.variables[name]
        op = STEPS[node.op]
        one = literal_value(1)
        before = TypedExpr(Name(name), variable.type, variable.ctype)
        after = self.arithmetic.converted(self.arithmetic.binary(node, op, before, one), variable.ctype)
        self.sink.append(Assign(Name(name), after.expr))
        if not node.op.startswith("p"):
            return before
        back = Binary("-" if op == "+" else "+", Name(name), Number(1))
        wraps = is_bounded(variable.ctype, Integers.MATH) or self.integers is Integers.MACHINE
        return TypedExpr(marked(WRAP, variable.ctype, back) if wraps else back, variable.type, variable.ctype)

    def may_change(self, node: Any) -> None:
        """Refuses a change of a variable where none may be."""
        if self.arithmetic.exact:
            raise refuse(node, "an annotation must not change a variable")
        if self._guarded:
            raise refuse(node, "a variable is changed where an expression is evaluated only sometimes", "write it with an if")

    def _target(self, node: Any, target: Any) -> str:
        self.may_change(node)
        if not isinstance(target, c_ast.ID):
            raise refuse(target, "only variables are assigned inside of expressions", "write it as a statement of its own")
        variable = self.scopes.variables.get(target.name)
        if variable is None:
            raise refuse(target, f"'{target.name}' is not declared")
        if variable.type.element:
            raise refuse(node, f"'{target.name}' is an array, of which only cells can be changed")
        if variable.type is Type.BOOL and not isinstance(node, c_ast.Assignment):
            raise refuse(node, f"'{target.name}' is a Boolean, with which C does not count as with numbers", "declare it as int")
        return variable.name

    def assign(self, node: Any) -> None:
        name = self._target(node, node.lvalue)
        variable = self.scopes.variables[name]
        if node.op == "=":
            self.set(name, node.rvalue)
            return
        if variable.type is Type.BOOL:
            raise refuse(node, f"{node.op} is not read for a Boolean", "declare it as int")
        before = TypedExpr(Name(name), variable.type, variable.ctype)
        value = self.arithmetic.binary(node, node.op[:-1], before, self.number(node.rvalue))
        self.sink.append(Assign(Name(name), self.arithmetic.converted(value, variable.ctype).expr))

    def set(self, name: str, node: Any, by: tuple[CType, ...] = ()) -> None:
        """Gives a variable the value of an expression, which C converts to the types `by` first."""
        ctype = self.scopes.variables[name].ctype
        unknown = self.unknown(node)
        if unknown is not None and not by and self._is_direct(unknown, ctype):
            self.choose(node, unknown, ctype, name)
        elif isinstance(node, c_ast.UnaryOp) and node.op in ("p++", "p--") and ctype != BOOL and not by and not self._guarded:
            before = self.arithmetic.converted(self.number(node.expr), ctype)
            self.sink.append(Assign(Name(name), before.expr))
            self._step(node)
        elif ctype == BOOL:
            self.sink.append(Assign(Name(name), self.truth(node)))
        elif self.is_bool(node):
            test = self.truth(node)
            self.sink.append(if_else(test, [Assign(Name(name), Number(1))], [Assign(Name(name), Number(0))]))
        elif isinstance(node, c_ast.TernaryOp) and not any(True for _ in effects(node)):
            self._set_by_cases(name, node, by)
        else:
            value = self.number(node)
            for target in (*by, ctype):
                value = self.arithmetic.converted(value, target)
            self.sink += [] if value.expr == Name(name) else [Assign(Name(name), value.expr)]

    def _is_direct(self, unknown: ValueRange, ctype: CType) -> bool:
        """Whether a variable can be given any value at once: no conversion changes it, or the conversion gives all values."""
        if fits(unknown.ctype, ctype):
            return is_bounded(unknown.ctype, self.integers) or not is_bounded(ctype, self.integers)
        return unknown.low is None and unknown.ctype.bits >= ctype.bits

    def _set_by_cases(self, name: str, node: Any, by: tuple[CType, ...]) -> None:
        test = self.truth(node.cond)
        by = (self.ctype_of(node), *by)
        cases: list[list[Stmt]] = []
        outer = self.sink
        for case in (node.iftrue, node.iffalse):
            self.sink = []
            self.set(name, case, by)
            cases.append(self.sink)
        self.sink = outer
        self.sink.append(if_else(test, *cases))
