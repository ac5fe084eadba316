"""Reads struct: each field of a variable becomes a variable of its own, and each field of an array of structs an array.

`p.x` is written as `p_x`, `a[i].x` as `a_x[i]`, and `p->x`, where p is a pointer, as `*p_x`: a parameter that points to a struct
becomes one pointer for each field. What is done to a whole struct is done to each of its fields. Anything else is refused.
"""

from __future__ import annotations

from collections.abc import Callable
from copy import copy, deepcopy
from typing import Any

from pycparser import c_ast

from idg.importer.c.rewriting.types.fields import ARRAY, POINTER, VALUE, Field, Path, StructShape, StructTable, innermost, variables
from idg.importer.c.text.places import column_of_part, place, refuse
from idg.importer.c.text.spellings import GIVING, unknown_of
from idg.importer.c.text.trees import calls, effects, ids, is_zero, walk
from idg.importer.results import Note
from idg.sip.record import Record

_Made = Callable[[Field], Any]
"""Makes the node for one field of a struct."""


class _Whole(Record):
    """A struct in an expression, or a part of one: what comes after `path` is a field of it."""

    shape: StructShape
    path: Path
    made: _Made

    def inner(self, name: str) -> _Whole:
        return _Whole(self.shape, (*self.path, name), self.made)

    @property
    def fields(self) -> list[Field]:
        return [field for field in self.shape.fields if field.path[: len(self.path)] == self.path]


def without_structs(tree: Any) -> tuple[list[Note], frozenset[str]]:
    """Rewrites the file. The notes tell of it; the names are those of functions that have a struct among their parameters."""
    return _Rewriter(StructTable(tree)).rewrite(tree)


class _Rewriter:
    def __init__(self, table: StructTable) -> None:
        self.table = table
        self.shapes = table.shapes
        self.struct_of = table.types.struct_of
        self.name_of = table.name_of

    def rewrite(self, tree: Any) -> tuple[list[Note], frozenset[str]]:
        if not self.shapes:
            return [], frozenset()
        called_with = frozenset(
            node.decl.name
            for node in tree.ext
            if isinstance(node, c_ast.FuncDef) and node.decl.type.args and any(map(self._has_struct, node.decl.type.args.params))
        )
        notes = [self._note(part) for part in variables(tree) if part.name in self.shapes]
        tree.ext = self._list([node for node in tree.ext if not self._only_declares(node)])
        return list(dict.fromkeys(notes)), called_with

    def _has_struct(self, param: Any) -> bool:
        return isinstance(param, c_ast.Decl) and param.name in self.shapes

    def _note(self, declaration: Any) -> Note:
        shape = self.shapes[declaration.name]
        named = ", ".join(self.name_of(declaration.name, field) for field in shape.fields)
        return Note(place(declaration)[0], f"the fields of the struct {declaration.name} are variables of their own: {named}")

    def _only_declares(self, node: Any) -> bool:
        """Whether this declares a type and no variable."""
        if isinstance(node, c_ast.Typedef):
            return self.struct_of(node.type) is not None
        return isinstance(node, c_ast.Decl) and node.name is None and isinstance(node.type, c_ast.Struct)

    def _list(self, nodes: list[Any]) -> list[Any]:
        """The nodes of a list, of which one may become several."""
        made: list[Any] = []
        for node in nodes:
            if not isinstance(node, c_ast.Node):
                made.append(node)
            elif self._only_declares(node):
                continue
            elif isinstance(node, c_ast.Decl) and isinstance(node.type, c_ast.FuncDecl):
                made.append(node)
            elif isinstance(node, c_ast.Decl) and node.name in self.shapes:
                made += self._declared(node)
            elif isinstance(node, c_ast.FuncCall) and getattr(node.name, "name", "") == "free":
                made += self._freed(node)
            else:
                made.append(self._node(node))
        return made

    def _node(self, node: Any) -> Any:
        match node:
            case c_ast.StructRef():
                return self._field(node)
            case c_ast.Assignment() if (target := self._whole(node.lvalue)) is not None:
                return self._assigned(node, target)
            case c_ast.FuncCall():
                if node.args is not None:
                    node.args.exprs = [part for argument in node.args.exprs for part in self._argument(argument)]
                return node
            case c_ast.UnaryOp(op="sizeof") if self._measures(node.expr):
                raise refuse(node, "the size of a struct is not read")
            case c_ast.UnaryOp(op="&", expr=c_ast.StructRef()):
                field = self._field(node.expr)
                return field.expr if isinstance(field, c_ast.UnaryOp) else c_ast.UnaryOp("&", field, node.coord)
            case c_ast.ID(name=name) if name in self.shapes:
                raise refuse(node, f"the struct {name} is used as a whole", "use its fields, such as " + name + ".x")
        for slot in node.__slots__:
            part = getattr(node, slot, None) if slot not in ("coord", "__weakref__") else None
            if isinstance(part, list):
                setattr(node, slot, self._list(part))
            elif isinstance(part, c_ast.Node):
                setattr(node, slot, self._node(part))
        return node

    def _measures(self, node: Any) -> bool:
        kind = node.type if isinstance(node, c_ast.Typename) else None
        return (kind is not None and self.struct_of(kind) is not None) or self._whole(node) is not None

    # expressions

    def _whole(self, node: Any) -> _Whole | None:
        """The struct that an expression means; None where it means something else."""
        match node:
            case c_ast.ID(name=name) if name in self.shapes and self.shapes[name].kind == VALUE:
                return _Whole(self.shapes[name], (), lambda field: c_ast.ID(self.name_of(name, field), node.coord))
            case c_ast.ArrayRef(name=c_ast.ID(name=name), subscript=index) if name in self.shapes:
                return self._cell(node, name, self._node(index))
            case c_ast.UnaryOp(op="*", expr=c_ast.ID(name=name)) if name in self.shapes and self.shapes[name].kind == POINTER:
                return self._target(node, name)
            case c_ast.StructRef(type="."):
                outer = self._whole(node.name)
            case c_ast.StructRef(type="->", name=c_ast.ID(name=name)) if name in self.shapes:
                outer = self._target(node, name) if self.shapes[name].kind == POINTER else None
            case _:
                return None
        inner = None if outer is None else outer.inner(node.field.name)
        return inner if inner is not None and inner.fields else None

    def _target(self, node: Any, name: str) -> _Whole:
        def made(field: Field) -> Any:
            flat = c_ast.ID(self.name_of(name, field), node.coord)
            return flat if field.is_array else c_ast.UnaryOp("*", flat, node.coord)

        return _Whole(self.shapes[name], (), made)

    def _cell(self, node: Any, name: str, index: Any) -> _Whole | None:
        """A cell of an array of structs, or of a pointer to some."""
        shape = self.shapes[name]
        if shape.kind == VALUE:
            return None

        def made(field: Field) -> Any:
            if field.is_array:
                raise refuse(node, f"{name} points to a struct with an array, and is used as an array")
            return c_ast.ArrayRef(c_ast.ID(self.name_of(name, field), node.coord), deepcopy(index), node.coord)

        return _Whole(shape, (), made)

    def _field(self, node: Any) -> Any:
        """The variable, cell or target that a field is."""
        whole = self._whole(node)
        if whole is None:
            return node  # Where it is read, it is refused.
        for field in whole.fields:
            if field.path == whole.path:
                return whole.made(field)
        raise refuse(node, "this struct inside of a struct is used as a whole", "use its fields")

    def _each(self, node: Any, whole: _Whole) -> list[Any]:
        """The fields of a struct of which the value is used."""
        for field in whole.fields:
            if field.is_array:
                raise refuse(node, "a struct with an array is copied", "copy its fields one by one")
        made = [whole.made(field) for field in whole.fields]
        if any(True for part in made for _ in effects(part)) or any(True for part in made for _ in calls(part)):
            raise refuse(node, "an index with an effect in a struct that is copied is not read", "compute it before")
        return made

    def _assigned(self, node: Any, target: _Whole) -> Any:
        """`p = q`, field by field; or the assignment of one field."""
        if [field.path for field in target.fields] == [target.path]:
            node.lvalue, node.rvalue = self._field(node.lvalue), self._node(node.rvalue)
            return node
        value = self._whole(node.rvalue)
        same = value is not None and _types(value.fields) == _types(target.fields)
        if node.op != "=" or value is None or not same:
            raise refuse(node, "what is assigned to this struct is not read", "assign its fields one by one")
        pairs = list(zip(self._each(node, target), self._each(node, value), strict=True))
        _check_indices(node, pairs)
        return c_ast.ExprList([c_ast.Assignment("=", left, right, node.coord) for left, right in pairs], node.coord)

    def _argument(self, node: Any) -> list[Any]:
        """What stands for an argument: a struct is passed field by field, and so is its address."""
        match node:
            case c_ast.ID(name=name) if name in self.shapes and self.shapes[name].kind != VALUE:
                return [c_ast.ID(self.name_of(name, field), node.coord) for field in self.shapes[name].fields]
            case c_ast.UnaryOp(op="&", expr=inner) if (whole := self._whole(inner)) is not None and not self._is_one(whole):
                parts = [(field, whole.made(field)) for field in whole.fields]
                return [part if field.is_array else _address(part, node) for field, part in parts]
        whole = self._whole(node)
        if whole is not None and not self._is_one(whole):
            return self._each(node, whole)
        return [self._node(node)]

    def _is_one(self, whole: _Whole) -> bool:
        return any(field.path == whole.path for field in whole.fields)

    def _freed(self, node: Any) -> list[Any]:
        self._node(node)
        arguments = [] if node.args is None else node.args.exprs
        return [c_ast.FuncCall(node.name, c_ast.ExprList([part], node.coord), node.coord) for part in arguments]

    # declarations

    def _declared(self, node: Any) -> list[Any]:
        """A declaration for each field."""
        shape = self.shapes[node.name]
        given = self._given(node, shape)
        made = []
        for number, field in enumerate(shape.fields):
            name = self.name_of(node.name, field)
            kind = self._kind(node, shape, field, name)
            quals = list(dict.fromkeys([*node.quals, *field.declaration.quals, *_quals(node.type)]))
            coord = copy(node.coord)
            coord.column = column_of_part(place(node)[1], number)
            made.append(c_ast.Decl(name, quals, [], node.storage, node.funcspec, kind, given(field), None, coord))
        return made

    def _kind(self, node: Any, shape: StructShape, field: Field, name: str) -> Any:
        """The type of what stands for a field."""
        kind = deepcopy(field.declaration.type)
        innermost(kind).declname = name
        if shape.kind == POINTER:
            return c_ast.PtrDecl(node.type.quals, kind.type if field.is_array else kind, node.coord)
        if shape.kind == ARRAY:
            dimension = None if node.type.dim is None else self._node(deepcopy(node.type.dim))
            if dimension is not None and (any(effects(dimension)) or any(calls(dimension))):
                raise refuse(node, f"the length of '{node.name}' is computed with an effect", "compute it in a statement before")
            return c_ast.ArrayDecl(kind, dimension, node.type.dim_quals, node.coord)
        return kind

    def _given(self, node: Any, shape: StructShape) -> Callable[[Field], Any]:
        """What each field is given where the variable is declared."""
        if node.init is None:
            return lambda field: None
        if shape.kind == POINTER:
            return self._pointed(node, shape)
        if isinstance(node.init, c_ast.InitList):
            if shape.kind == ARRAY:
                return self._given_cells(node, shape)
            values_by_path = self._spread(node.init, shape.struct, ())
            self._check_order(node, values_by_path)
            return lambda field: values_by_path.get(field.path) or _zero(field, node)
        value = self._whole(node.init)
        if shape.kind == ARRAY or value is None or _types(value.fields) != _types(shape.fields):
            raise refuse(node, f"what the struct '{node.name}' is given is not read", "give it values in braces")
        copied = dict(zip((field.path for field in shape.fields), self._each(node, value), strict=True))
        return lambda field: copied[field.path]

    def _given_cells(self, node: Any, shape: StructShape) -> Callable[[Field], Any]:
        cells = []
        for value in node.init.exprs:
            if isinstance(value, c_ast.InitList):
                cells.append(self._spread(value, shape.struct, ()))
            elif not is_zero(value) or len(node.init.exprs) > 1:
                raise refuse(value, f"the values of '{node.name}' are not read", "write each struct in braces of its own")
        self._check_order(node, {(str(place), *path): value for place, cell in enumerate(cells) for path, value in cell.items()})
        if node.type.dim is None:
            node.type.dim = c_ast.Constant("int", str(len(cells)), node.coord)

        def given(field: Field) -> Any:
            zero = c_ast.Constant("int", "0", node.coord)
            return c_ast.InitList([cell.get(field.path) or zero for cell in cells] or [zero], node.coord)

        return given

    def _spread(self, values: Any, struct: Any, path: Path) -> dict[Path, Any]:
        """What values in braces give to which field. The others are zero."""
        names = [field.name for field in struct.decls]
        values_by_path: dict[Path, Any] = {}
        following = 0
        for value in values.exprs:
            if isinstance(value, c_ast.NamedInitializer):
                if len(value.name) != 1 or getattr(value.name[0], "name", None) not in names:
                    raise refuse(value, "this name of a field is not read")
                following, value = names.index(value.name[0].name), value.expr
            if following >= len(names):
                raise refuse(value, "there are more values than fields")
            field, own = struct.decls[following], (*path, names[following])
            following += 1
            inner = self.struct_of(field.type)
            if inner is None and isinstance(field.type, c_ast.ArrayDecl) == isinstance(value, c_ast.InitList):
                values_by_path[own] = self._node(value)
            elif inner is not None and isinstance(value, c_ast.InitList):
                values_by_path |= self._spread(value, inner, own)
            elif not is_zero(value) or len(values.exprs) > 1:
                raise refuse(value, f"what the field '{field.name}' is given is not read", "write arrays and structs in braces")
        return values_by_path

    def _check_order(self, node: Any, values_by_path: dict[Path, Any]) -> None:
        """Refuses values whose order matters, because C leaves it open."""
        acting = [
            value
            for value in values_by_path.values()
            if any(effects(value)) or any(unknown_of(getattr(call.name, "name", "")) is None for call in calls(value))
        ]
        if acting and len(values_by_path) > 1:
            raise refuse(acting[0], f"a value of '{node.name}' has an effect", "compute it in a statement before")

    def _pointed(self, node: Any, shape: StructShape) -> Callable[[Field], Any]:
        """What the pointers to the fields point to: fields of a variable, or memory that is given."""
        value = node.init
        while isinstance(value, c_ast.Cast):
            value = value.expr
        if self._is_memory(node, value):
            return lambda field: self._memory(value, field)
        whole = self._whole(value.expr) if isinstance(value, c_ast.UnaryOp) and value.op == "&" else None
        if whole is None or _types(whole.fields) != _types(shape.fields):
            text = f"what the pointer '{node.name}' points to is not read"
            raise refuse(node, text, "let it point to a variable, such as &s, or to memory for one struct")
        targets = dict(zip((field.path for field in shape.fields), self._argument(value), strict=True))
        return lambda field: targets[field.path]

    def _is_memory(self, node: Any, value: Any) -> bool:
        """Whether memory for one struct is asked for here."""
        arguments = value.args.exprs if isinstance(value, c_ast.FuncCall) and value.args is not None else []
        if getattr(getattr(value, "name", None), "name", "") not in GIVING or len(arguments) != 1:
            return False
        size = arguments[0]
        if not isinstance(size, c_ast.UnaryOp) or size.op != "sizeof":
            return False
        if isinstance(size.expr, c_ast.Typename):
            return self.struct_of(size.expr.type) is self.shapes[node.name].struct
        return isinstance(size.expr, c_ast.UnaryOp) and size.expr.op == "*" and getattr(size.expr.expr, "name", "") == node.name

    def _memory(self, value: Any, field: Field) -> Any:
        kind = deepcopy(field.declaration.type)
        element = kind.type if field.is_array else kind
        element.declname = None
        size = c_ast.UnaryOp("sizeof", c_ast.Typename(None, [], None, element, value.coord), value.coord)
        whole = c_ast.BinaryOp("*", kind.dim, size, value.coord) if field.is_array else size
        return c_ast.FuncCall(value.name, c_ast.ExprList([whole], value.coord), value.coord)


def _check_indices(node: Any, pairs: list[tuple[Any, Any]]) -> None:
    """Refuses a copy whose indices use a field that it changes: in C they are computed before the first field is copied."""
    cells = [part for pair in pairs for side in pair for part in walk(side) if isinstance(part, c_ast.ArrayRef)]
    used = {name.name for cell in cells for name in ids(cell.subscript)}
    stored = {name.name for left, _ in pairs for name in ids(left.name if isinstance(left, c_ast.ArrayRef) else left)}
    if used & stored:
        raise refuse(node, "a struct is copied to or from a cell whose number the copy changes", "compute the number before")


def _quals(kind: Any) -> list[str]:
    return list(innermost(kind).quals)


def _zero(field: Field, node: Any) -> Any:
    zero = c_ast.Constant("int", "0", node.coord)
    return c_ast.InitList([zero], node.coord) if field.is_array else zero


def _address(part: Any, node: Any) -> Any:
    return part.expr if isinstance(part, c_ast.UnaryOp) and part.op == "*" else c_ast.UnaryOp("&", part, node.coord)


def _types(fields: list[Field] | tuple[Field, ...]) -> list[Any]:
    """The declarations of the fields: those of equal structs are the same nodes."""
    return [id(field.declaration) for field in fields]
