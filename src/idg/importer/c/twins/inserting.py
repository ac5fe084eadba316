"""Puts traces into the functions of a C file: calls that show the variables that are seen there.

They are put into the text as it was written, before anything is rewritten. So they may change nothing that the rewriting
recognises: labels that only return, or that mean an error; variables that a jump passes over; branches that leave.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from typing import Any

from idg.importer.c.callers import called
from idg.importer.c.rewriting.exits import items_of, leaves
from idg.importer.c.rewriting.labels import end_labels, error_labels, staying_labels
from idg.importer.c.rewriting.memory import cells_given, pointed_variable
from idg.importer.c.rewriting.pointers import is_pointer, pointed_words
from idg.importer.c.rewriting.types.fields import ARRAY, POINTER, Field, StructShape, StructTypes
from idg.importer.c.text.source import TRACE, c_ast
from idg.importer.c.text.trees import calls, ids, is_zero, jumps_to

CELLS_SHOWN_MAX = 6
"""Cells of an array that a trace shows, the first ones."""
LOOPS = (c_ast.While, c_ast.For, c_ast.DoWhile)
_Maker = Callable[[Any], Any]
"""Makes, for a place, the node for something that is shown."""


class Shown:
    """A variable, or a cell of one, that a trace shows."""

    def __init__(self, variable: str, made: _Maker) -> None:
        self.variable = variable
        self.made = made


class Inserter:
    """For one file. Traces are numbered through all functions of it."""

    def __init__(self, tree: Any, written: set[str], everywhere: bool) -> None:
        """`written` are the functions that get traces."""
        self.structs = StructTypes(tree)
        self.numbers = count(1)
        self.file_variables = [
            entry for node in tree.ext if isinstance(node, c_ast.Decl) and node.name for entry in self._shown_of(node)
        ]
        self.written = written
        """The functions that get traces: after a call of one of them its result is shown."""
        self.everywhere = everywhere
        """Whether there are traces at labels, calls, beginnings and ends, too, and not only at loops."""
        self.kept: set[str] = set()
        """Labels that get no trace, because they mean an error or the end of the run, or the run stays there."""
        self.ending: set[Any] = set()
        """The returns after labels that only return."""

    def function(self, function: Any, is_chosen: bool, keeps_ends: bool) -> None:
        body = function.body
        errors = error_labels(body)
        ends = end_labels(items_of(body), errors) if keeps_ends else {}
        self.kept = errors | set(ends) | staying_labels(body)
        self.ending = {returned for returned in ends.values() if returned is not None}
        used = {name.name for name in ids(body)}
        declared = function.decl.type.args
        params = [param for param in (declared.params if declared else []) if getattr(param, "name", None)]
        names = {param.name for param in params}
        shown = [entry for entry in self.file_variables if entry.variable not in names]
        for param in params:
            if self.structs.known_shape(param) is not None:
                shown += self._shown_of(param)
            elif is_chosen and is_pointer(param):
                shown.append(_cell(param.name, 0))  # It is not empty in the runs that are compared.
            elif isinstance(param.type, c_ast.TypeDecl):
                shown.append(_plain(param.name))
        visible = [entry for entry in shown if entry.variable in used]
        items = self._items(list(body.block_items or []), visible)
        if self.everywhere:
            last = body.block_items[-1] if body.block_items else None
            if not ends and not isinstance(last, c_ast.Label) and not leaves(items_of(body)):
                items.append(self._trace(self._at_end(body.block_items or [], visible), body.coord))
            items.insert(0, self._trace(self._not_hidden(body.block_items or [], visible), body.coord))
        body.block_items = items

    def _trace(self, visible: list[Shown], coord: Any) -> Any:
        arguments = [c_ast.Constant("int", str(next(self.numbers)), coord), *(entry.made(coord) for entry in visible)]
        return c_ast.FuncCall(c_ast.ID(TRACE, coord), c_ast.ExprList(arguments, coord), coord)

    # what is seen where

    def _not_hidden(self, items: list[Any], visible: list[Shown]) -> list[Shown]:
        """What is seen from outside, without what variables of this block will hide."""
        own = {item.name for item in items if isinstance(item, c_ast.Decl)}
        return [entry for entry in visible if entry.variable not in own]

    def _at_end(self, items: list[Any], visible: list[Shown]) -> list[Shown]:
        seen = self._not_hidden(items, visible)
        for place, item in enumerate(items):
            seen = self._after(items, place, [*seen, *self._shown_of(item)])
        return seen

    def _after(self, items: list[Any], place: int, visible: list[Shown]) -> list[Shown]:
        """What is seen after an item of a block. A variable is not, where a jump may have passed over its declaration, or goes
        back to a place before it."""
        hidden: set[str] = set()
        for label_place, label in enumerate(items[: place + 1]):
            for name in _labels(label):
                jumps = [number for number, item in enumerate(items) if jumps_to(item, name)]
                before = [number for number in jumps if number < label_place]
                if before:
                    hidden |= {item.name for item in items[before[0] : label_place] if isinstance(item, c_ast.Decl)}
                if place in jumps and place == jumps[-1]:
                    hidden |= {item.name for item in items[label_place : place + 1] if isinstance(item, c_ast.Decl)}
        return [entry for entry in visible if entry.variable not in hidden]

    def _shown_of(self, node: Any) -> list[Shown]:
        """What a trace shows of a declared variable: itself, the first cells of an array, or those to which a pointer points."""
        if not isinstance(node, c_ast.Decl) or "extern" in node.storage:
            return []
        shape = self.structs.known_shape(node)
        if shape is not None:
            return _fields(node, shape)
        match node.type:
            case c_ast.TypeDecl():
                return [_plain(node.name)]
            case c_ast.ArrayDecl(dim=c_ast.Constant(value=cells)):
                return [_cell(node.name, place) for place in range(min(CELLS_SHOWN_MAX, int(cells, 0)))]
            case c_ast.PtrDecl() if node.init is not None:
                given = getattr(cells_given(node.init, pointed_words(node)), "value", "")
                if given.isdecimal() and given != "1":
                    return [_cell(node.name, place) for place in range(min(CELLS_SHOWN_MAX, int(given)))]
                if given == "1" or pointed_variable(node.init):
                    return [Shown(node.name, lambda coord: c_ast.UnaryOp("*", c_ast.ID(node.name, coord), coord))]
        return []

    # statements

    def _items(self, items: list[Any], visible: list[Shown]) -> list[Any]:
        visible = self._not_hidden(items, visible)
        made: list[Any] = []
        for place, item in enumerate(items):
            if _labels(item):
                visible = self._after(items, place, visible)
            inner, after = self._statement(item, visible)
            made += inner
            visible = self._after(items, place, [*visible, *self._shown_of(item)])
            if after:
                made.append(self._trace(visible, item.coord))
        return made

    def _statement(self, node: Any, visible: list[Shown]) -> tuple[list[Any], bool]:
        """The statement with traces, and whether one is wanted after it."""
        match node:
            case c_ast.Compound():
                node.block_items = self._items(list(node.block_items or []), visible)
            case c_ast.If():
                node.iftrue, node.iffalse = (self._branch(part, visible) for part in (node.iftrue, node.iffalse))
            case c_ast.Switch():
                for part in node.stmt.block_items or [] if isinstance(node.stmt, c_ast.Compound) else []:
                    if isinstance(part, c_ast.Case | c_ast.Default) and part.stmts:
                        part.stmts = self._items(part.stmts, visible)
            case c_ast.Label():
                return self._label(node, visible)
            case c_ast.While() | c_ast.For() | c_ast.DoWhile():
                self._loop(node, visible)
                return [node], True
            case c_ast.Return() if self.everywhere and node not in self.ending:
                return [self._trace(visible, node.coord), node], False
            case c_ast.Return() | c_ast.Goto() | c_ast.Break() | c_ast.Continue():
                return [node], False
            case _:
                return [node], self.everywhere and any(called(call) in self.written for call in calls(node))
        return [node], False

    def _branch(self, node: Any, visible: list[Shown]) -> Any:
        if node is None or isinstance(node, c_ast.Compound):
            return None if node is None else self._statement(node, visible)[0][0]
        made = self._items([node], visible)
        return made[0] if len(made) == 1 else c_ast.Compound(made, node.coord)

    def _label(self, node: Any, visible: list[Shown]) -> tuple[list[Any], bool]:
        """`L: S` becomes `L: trace; S`."""
        inner = node
        while isinstance(inner.stmt, c_ast.Label):
            inner = inner.stmt
        statements, after = self._statement(inner.stmt, visible)
        if self.everywhere and not self.kept & set(_labels(node)):
            statements = [self._trace(visible, node.coord), *statements]
        inner.stmt = statements[0] if statements else c_ast.EmptyStatement(node.coord)
        return [node, *statements[1:]], after

    def _loop(self, node: Any, visible: list[Shown]) -> None:
        if isinstance(node, c_ast.For) and isinstance(node.init, c_ast.DeclList):
            own = [declaration.name for declaration in node.init.decls]
            visible = [*(entry for entry in visible if entry.variable not in own), *map(_plain, own)]
        node.stmt = self._branch(node.stmt, visible)
        if not (isinstance(node, c_ast.DoWhile) and is_zero(node.cond)):
            node.stmt = c_ast.Compound([self._trace(visible, node.coord), node.stmt], node.coord)


def _labels(node: Any) -> list[str]:
    names = []
    while isinstance(node, c_ast.Label):
        names.append(node.name)
        node = node.stmt
    return names


def _plain(name: str) -> Shown:
    return Shown(name, lambda coord: c_ast.ID(name, coord))


def _cell(name: str, place: int) -> Shown:
    return Shown(name, lambda coord: c_ast.ArrayRef(c_ast.ID(name, coord), c_ast.Constant("int", str(place), coord), coord))


def _fields(node: Any, shape: StructShape) -> list[Shown]:
    """What a trace shows of a struct: its fields, and the first cells of those that are arrays."""

    def field_of(base: _Maker, field: Field) -> _Maker:
        def made(coord: Any) -> Any:
            part = base(coord)
            for name in field.path:
                part = c_ast.StructRef(part, ".", c_ast.ID(name, coord), coord)
            return part

        return made

    if shape.kind == POINTER:
        return []
    bases = [_plain(node.name).made]
    if shape.kind == ARRAY:
        length = int(getattr(node.type.dim, "value", "0"), 0)
        bases = [_cell(node.name, place).made for place in range(min(CELLS_SHOWN_MAX, length))]
    plain = [field for field in shape.fields if not field.is_array]
    return [Shown(node.name, field_of(base, field)) for base in bases for field in plain]
