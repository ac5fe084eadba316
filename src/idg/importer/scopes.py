"""The variables of a C function. Each gets a name of its own, which replaces the C name in the tree, and a type of SIP.

C has a scope for each block, SIP one for each function. So two variables that are called x in C are called x and x_2 in SIP.
"""

from __future__ import annotations

from typing import Any

from idg.importer.results import Note
from idg.importer.source import c_ast, place, refuse
from idg.sip.operators import RESERVED
from idg.sip.record import Record
from idg.sip.syntax import Type

_WORDS = {"int", "long", "short", "char", "signed", "unsigned", "_Bool"}
"""The words of the types that are read."""
FLOATS = {"float", "double"}


class Variable(Record):
    name: str
    type: Type
    line: int
    origin: str
    """'local', 'global' or 'parameter', or 'fresh' for one that C does not have"""


class Scopes:
    """Declares names and looks them up. `variables` are all of them, in the order of their declarations."""

    def __init__(self, typedefs: dict[str, list[str]], taken: set[str]) -> None:
        self.typedefs = typedefs
        self.taken = set(taken)
        self.variables: dict[str, Variable] = {}
        self.notes: list[Note] = []
        self._scopes: list[dict[str, str]] = [{}]
        self._noted: set[str] = set()

    # declaring

    def declare(self, node: Any, origin: str) -> str:
        """The variable's name in SIP."""
        kind = self._type_of(node)
        if "volatile" in node.quals:
            raise refuse(node, f"'{node.name}' is volatile: it may change at any time")
        line, _ = place(node)
        name = self._free(node.name)
        if name != node.name:
            self.notes.append(Note(line, f"the variable {node.name} is called {name}: the name is a word of SIP or used before"))
        self._scopes[-1][node.name] = name
        self.variables[name] = Variable(name, kind, line, origin)
        return name

    def fresh(self, base: str, kind: Type) -> str:
        """A variable that C does not have."""
        number = 1
        while f"{base}{number}" in self.taken:
            number += 1
        name = f"{base}{number}"
        self.taken.add(name)
        self.variables[name] = Variable(name, kind, 0, "fresh")
        return name

    def _free(self, wanted: str) -> str:
        name, number = wanted, 1
        while name in self.taken or name in RESERVED:
            number += 1
            name = f"{wanted}_{number}"
        self.taken.add(name)
        return name

    def _type_of(self, node: Any) -> Type:
        declared = node.type
        if not isinstance(declared, c_ast.TypeDecl):
            what = {"ArrayDecl": "an array", "PtrDecl": "a pointer"}.get(type(declared).__name__, "no number")
            raise refuse(node, f"'{node.name}' is {what}; only whole numbers and Booleans are read")
        return self.type_of(declared.type, node)

    def type_of(self, named: Any, node: Any) -> Type:
        if not isinstance(named, c_ast.IdentifierType):
            raise refuse(node, f"a {type(named).__name__.lower()} is not read; only whole numbers and Booleans are")
        words = self._words(named.names)
        if words & FLOATS:
            raise refuse(node, "floating-point numbers are not read: they round, and SIP's numbers are exact")
        if words - _WORDS or not words:
            raise refuse(node, f"the type '{' '.join(named.names)}' is not read; only whole numbers and Booleans are")
        if "_Bool" in words:
            return Type.BOOL
        kind = Type.NAT if "unsigned" in words else Type.INT
        self._note_type(words, kind)
        return kind

    def _words(self, names: list[str]) -> set[str]:
        words: set[str] = set()
        for name in names:
            words |= self._words(self.typedefs[name]) if name in self.typedefs else {name}
        return words

    def _note_type(self, words: set[str], kind: Type) -> None:
        no_bounds = {
            Type.INT: "C's int is read as SIP's int, which has no bound: nothing overflows",
            Type.NAT: "C's unsigned is read as SIP's nat: nothing wraps round, and no variable may fall below zero (an obligation)",
        }
        if str(kind) not in self._noted:
            self._noted.add(str(kind))
            self.notes.append(Note(0, no_bounds[kind]))
        shorter = sorted(words & {"long", "short", "char"})
        if shorter and shorter[0] not in self._noted:
            self._noted.add(shorter[0])
            self.notes.append(Note(0, f"C's {shorter[0]} is read like int, without a bound"))

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
