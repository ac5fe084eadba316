"""Parameters of C that are pointers: at each call they are written as what they point to, an array or a variable of the caller.

SIP has no pointers. Where a call is written out, `a[i]` and `*x` in the body become cells and variables of the caller, so that
two parameters that mean the same cells do so afterwards, too. A pointer that is used otherwise is refused.
"""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from typing import Any

from idg.importer.c.text.source import c_ast, refuse
from idg.importer.c.text.trees import calls, effects, ids, is_zero, walk

ONLY_CELLS = "use it only with an index, such as a[i]"


class Pointee:
    """What a pointer points to: the cell `offset` of the array `name`, or the variable `name`."""

    def __init__(self, name: str, offset: Any) -> None:
        self.name = name
        self.offset = offset
        """None for a variable."""

    def cell(self, node: Any, index: Any) -> Any:
        """What the pointer's target with this index is."""
        if self.offset is not None:
            place = index if is_zero(self.offset) else self.offset if is_zero(index) else None
            return c_ast.ArrayRef(
                c_ast.ID(self.name, node.coord), place or c_ast.BinaryOp("+", deepcopy(self.offset), index, node.coord), node.coord
            )
        if not is_zero(index):
            raise refuse(node, f"a pointer to the variable {self.name} is used as an array")
        return c_ast.ID(self.name, node.coord)

    def address(self, node: Any, index: Any) -> Any:
        cell = self.cell(node, index)
        if isinstance(cell, c_ast.ArrayRef) and is_zero(cell.subscript):
            return cell.name
        return c_ast.UnaryOp("&", cell, node.coord)


def is_pointer(param: Any) -> bool:
    """Whether a parameter is a pointer to numbers, also where it is written as an array."""
    return isinstance(param.type, c_ast.PtrDecl | c_ast.ArrayDecl) and isinstance(param.type.type, c_ast.TypeDecl)


def pointed_words(declaration: Any) -> tuple[str, ...]:
    """The words of the type to which a pointer points, of an array's cells, or of a variable."""
    kind = declaration.type
    while isinstance(kind, c_ast.PtrDecl | c_ast.ArrayDecl):
        kind = kind.type
    named = getattr(kind, "type", None)
    return tuple(sorted(named.names)) if isinstance(named, c_ast.IdentifierType) else ()


def place_of(argument: Any) -> tuple[str, Any] | None:
    """The array and the index, or the variable and None, of which an argument is the address."""
    match argument:
        case c_ast.ID(name=name):
            return name, c_ast.Constant("int", "0", argument.coord)
        case c_ast.UnaryOp(op="&", expr=c_ast.ID(name=name)):
            return name, None
        case c_ast.UnaryOp(op="&", expr=c_ast.ArrayRef(name=c_ast.ID(name=name), subscript=index)):
            return name, index
        case c_ast.BinaryOp(op="+", left=c_ast.ID(name=name), right=index):
            return name, index
    return None


def check_target(param: Any, argument: Any, declared: Mapping[str, list[Any]], called: str) -> tuple[str, Any]:
    """The array and the index, or the variable and None, that an argument gives to a pointer."""
    pointed = place_of(argument)
    reason = f"the call of '{called}' is not read: what is passed for the pointer {param.name} is neither an array nor an address"
    hint = "pass an array, such as a, or the address of a variable or of a cell, such as &x or &a[i]"
    if pointed is None:
        raise refuse(argument, reason, hint)
    name, index = pointed
    for declaration in declared.get(name, []) or [None]:
        kind = None if declaration is None else declaration.type
        good = isinstance(kind, c_ast.TypeDecl) if index is None else isinstance(kind, c_ast.ArrayDecl)
        if not good:
            raise refuse(argument, reason, hint)
        if pointed_words(declaration) != pointed_words(param):
            raise refuse(argument, f"{name} has another type than that to which {param.name} points", "give both the same type")
    if index is not None and (any(effects(index)) or any(calls(index))):
        raise refuse(argument, "an index with effects in an argument is not read", "compute it in a statement before")
    return name, index


def written_as(node: Any, targets: Mapping[str, Pointee]) -> Any:
    """The node, in which pointers are written as what they point to."""
    if not targets:
        return node
    zero = c_ast.Constant("int", "0", getattr(node, "coord", None))
    match node:
        case c_ast.UnaryOp(op="*", expr=c_ast.ID(name=name)) if name in targets:
            return targets[name].cell(node, zero)
        case c_ast.UnaryOp(op="*", expr=c_ast.BinaryOp(op="+", left=c_ast.ID(name=name), right=index)) if name in targets:
            return targets[name].cell(node, written_as(index, targets))
        case c_ast.ArrayRef(name=c_ast.ID(name=name)) if name in targets:
            return targets[name].cell(node, written_as(node.subscript, targets))
        case c_ast.UnaryOp(op="sizeof") if any(name.name in targets for name in ids(node)):
            raise refuse(node, "the size of a parameter that is a pointer is not read", "pass the length as a parameter")
        case c_ast.Decl(name=name) if name in targets:
            raise refuse(node, f"a variable is called {name} like a parameter that is a pointer", "give it another name")
        case c_ast.ID(name=name) if name in targets:
            raise refuse(node, f"the pointer {name} is used for something else than its cells", ONLY_CELLS)
        case c_ast.FuncCall() if node.args is not None:
            node.args.exprs = [_argument(argument, targets) for argument in node.args.exprs]
            return node
    for slot in node.__slots__:
        part = getattr(node, slot, None) if slot not in ("coord", "__weakref__") else None
        if isinstance(part, list):
            setattr(node, slot, [written_as(item, targets) if isinstance(item, c_ast.Node) else item for item in part])
        elif isinstance(part, c_ast.Node):
            setattr(node, slot, written_as(part, targets))
    return node


def _argument(node: Any, targets: Mapping[str, Pointee]) -> Any:
    """An argument of a call, which may be a pointer that is passed on."""
    pointed = place_of(node)
    if pointed is None or pointed[0] not in targets:
        return written_as(node, targets)
    name, index = pointed
    if index is None:
        raise refuse(node, f"the address of the pointer {name} is not read")
    return targets[name].address(node, written_as(index, targets))


def renamed(node: Any, old: str, new: str) -> None:
    """Gives a variable another name, in its declarations, too."""
    for part in walk(node):
        if isinstance(part, c_ast.ID | c_ast.Decl) and part.name == old:
            part.name = new
        if isinstance(part, c_ast.TypeDecl) and part.declname == old:
            part.declname = new
