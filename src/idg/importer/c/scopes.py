"""The variables of a C function. Each gets a name of its own, which replaces the C name in the tree, and a type of SIP.

C has a scope for each block, SIP one for each function. So two variables that are called x in C are called x and x_2 in SIP.
"""

from __future__ import annotations

from typing import Any

from idg.importer.c.numbers.c_types import BOOL, LONG, CType, Integers, is_bounded, named_type
from idg.importer.c.text.source import c_ast, place, refuse
from idg.importer.results import Note
from idg.sip.limits import ARRAY_CELLS_MAX
from idg.sip.operators import RESERVED
from idg.sip.record import Record
from idg.sip.syntax import ARRAYS_OF, Expr, Name, Number, Type

FLOATS = {"float", "double"}


class Variable(Record):
    name: str
    type: Type
    """nat where it cannot be negative"""
    ctype: CType
    """The type of the variable; for an array, that of its cells."""
    line: int
    column: int
    origin: str
    """'local', 'static', 'global' or 'parameter', or 'fresh' for one that C does not have"""
    length: Expr | None = None
    """For an array that is a parameter: how many cells it has."""
    at_least: bool = False
    """Whether it may have more of them."""


class Scopes:
    """Declares names and looks them up. `variables` are all of them, in the order of their declarations."""

    def __init__(self, typedefs: dict[str, list[str]], taken: set[str], integers: Integers) -> None:
        self.typedefs = typedefs
        self.integers = integers
        self.entry_values: frozenset[str] = frozenset()
        """Parameters whose names mean their entry values, as they do in an `ensures`."""
        self.taken = set(taken)
        self.variables: dict[str, Variable] = {}
        self.notes: list[Note] = []
        self._bound: dict[str, str] = {}
        """Variables of quantifiers, by their names in the tree → their names in SIP."""
        self._scopes: list[dict[str, str]] = [{}]
        self._noted: set[str] = set()

    # declaring

    def declare(self, node: Any, origin: str, length: str = "") -> str:
        """The variable's name in SIP. `length` is the parameter that says how many cells an array has, at least."""
        ctype = self._type_of(node, origin)
        array = isinstance(node.type, c_ast.ArrayDecl)
        if "volatile" in [*node.quals, *(node.type.type.quals if array else [])]:
            raise refuse(node, f"'{node.name}' is volatile: it may change at any time")
        line, column = place(node)
        name = self._free(node.name)
        if name != node.name:
            self.notes.append(Note(line, f"the variable {node.name} is called {name}: the name is a word of SIP or used before"))
        self._scopes[-1][node.name] = name
        kind = ARRAYS_OF[ctype.sip] if array else ctype.sip
        parameter = array and origin == "parameter"
        cells = self._length(node, c_ast.ID(length) if length else node.type.dim) if parameter else None
        at_least = parameter and (bool(length) or "static" in node.type.dim_quals)
        self.variables[name] = Variable(name, kind, ctype, line, column, origin, cells, at_least)
        return name

    def _length(self, node: Any, dimension: Any) -> Expr:
        """How many cells an array has that is a parameter, as its declaration says, or as custom has it."""
        match dimension:
            case c_ast.Constant(value=value) if value.isdecimal() and int(value) <= ARRAY_CELLS_MAX:
                return Number(int(value))
            case c_ast.ID(name=name):
                variable = self.variables.get(self._sip_name(name))
                if variable is not None and variable.origin == "parameter" and variable.type in (Type.INT, Type.NAT):
                    return Name(variable.name)
        hint = f"say how many cells it has by a number or by a parameter before it: int n, int {node.name}[n]"
        raise refuse(node, f"how long the array '{node.name}' is is not said", hint)

    def fresh(self, base: str, ctype: CType, kind: Type | None = None) -> str:
        """A variable that C does not have."""
        number = 1
        while f"{base}{number}" in self.taken:
            number += 1
        name = f"{base}{number}"
        self.taken.add(name)
        self.variables[name] = Variable(name, kind or ctype.sip, ctype, 0, 0, "fresh")
        return name

    def bind(self, name: str) -> str:
        """Makes the variable of a quantifier known while its body is read; its name in SIP."""
        if name not in self._bound:
            self._bound[name] = self._free(name.lstrip("\\").rstrip("0123456789"))
        self.variables[name] = Variable(self._bound[name], Type.INT, LONG, 0, 0, "bound")
        return self._bound[name]

    def unbind(self, name: str) -> None:
        del self.variables[name]

    def _free(self, wanted: str) -> str:
        name, number = wanted, 1
        while name in self.taken or name in RESERVED:
            number += 1
            name = f"{wanted}_{number}"
        self.taken.add(name)
        return name

    def _type_of(self, node: Any, origin: str) -> CType:
        declared = node.type
        array = isinstance(declared, c_ast.ArrayDecl)
        declared = declared.type if array else declared
        if not isinstance(declared, c_ast.TypeDecl):
            what = {"ArrayDecl": "an array of arrays", "PtrDecl": "a pointer"}.get(type(declared).__name__, "no number")
            raise refuse(node, f"'{node.name}' is {what}; only whole numbers, Booleans and arrays of whole numbers are read")
        ctype = self.type_of(declared.type, node)
        if array and ctype == BOOL:
            raise refuse(node, f"'{node.name}' is an array of Booleans", "declare it as int")
        return ctype

    def type_of(self, named: Any, node: Any) -> CType:
        if not isinstance(named, c_ast.IdentifierType):
            hint = "structs are read whose fields are numbers, arrays of numbers, or such structs"
            raise refuse(node, f"this {type(named).__name__.lower()} is not read", hint if isinstance(named, c_ast.Struct) else "")
        words = self.words(named.names)
        if FLOATS & set(words):
            raise refuse(node, "floating-point numbers are not read: they round, and SIP's numbers are exact")
        ctype = named_type(words)
        if ctype is None:
            raise refuse(node, f"the type '{' '.join(named.names)}' is not read; only whole numbers and Booleans are")
        self._note_type(ctype)
        return ctype

    def words(self, names: list[str]) -> list[str]:
        words: list[str] = []
        for name in names:
            words += self.words(self.typedefs[name]) if name in self.typedefs else [name]
        return words

    def _note_type(self, ctype: CType) -> None:
        if str(ctype) in self._noted or ctype == BOOL:
            return
        self._noted.add(str(ctype))
        if not is_bounded(ctype, self.integers):
            text = f"C's {ctype} is read as SIP's int, which has no bound: nothing overflows (--int math)"
        elif ctype.signed and ctype.bits >= 32:
            wraps = self.integers is Integers.MACHINE
            then = "wraps round (--int machine)" if wraps else "is a failed obligation (--int check)"
            text = f"C's {ctype} has {ctype.bits} bits: an operation that leaves its bounds {then}"
        else:
            text = (
                f"C's {ctype} has {ctype.bits} bits: it wraps round as in C, unless the ranges of the variables show that it cannot"
            )
        self.notes.append(Note(0, text))

    # looking up, and renaming in the tree

    def resolve(self, node: Any) -> None:
        """Renames the variables in a statement or expression."""
        match node:
            case c_ast.Compound() | c_ast.For():
                self._scopes.append({})
                for _, child in node.children():
                    self.resolve(child)
                self._scopes.pop()
            case c_ast.Decl():
                if isinstance(node.type, c_ast.FuncDecl):
                    return
                if isinstance(node.type, c_ast.ArrayDecl) and node.type.dim is not None:
                    self.resolve(node.type.dim)
                if node.init is not None:
                    self.resolve(node.init)
                node.name = self.declare(node, "local")
            case c_ast.ID():
                node.name = self._sip_name(node.name)
            case c_ast.FuncCall():
                if node.args is not None:
                    self.resolve(node.args)
            case c_ast.Typename():
                return
            case _:
                for _, child in node.children():
                    self.resolve(child)

    def _sip_name(self, name: str) -> str:
        """The name of the variable that this C name means in the innermost scope that declares it."""
        for scope in reversed(self._scopes):
            if name in scope:
                return scope[name]
        return name
