"""Pointers that are variables: one that points to the same variable, or to the same memory, all the time is written as that.

`int *p = &x;` makes `*p` another word for x; `int *p = malloc(sizeof(int))` (or alloca) makes it a variable of its own, and with
`10 * sizeof(int)` or `n * sizeof(int)` an array of so many cells, which are zeros where it is calloc that gives them. The pointer
may be declared before, and be set once. That memory is always given is taken for granted. Other pointers are refused later.
"""

from __future__ import annotations

from typing import Any

from idg.importer.c.rewriting.pointers import Pointee, pointed_words, written_as
from idg.importer.c.text.source import c_ast, place
from idg.importer.c.text.spellings import GIVING
from idg.importer.c.text.trees import calls, effects, ids, walk
from idg.importer.results import Note


def without_memory(function: Any, tree: Any) -> list[Note]:
    """Rewrites the body of a function; the notes tell what is taken for granted."""
    _declare_where_set(function)
    pointers = [part for part in walk(function.body) if isinstance(part, c_ast.Decl) and isinstance(part.type, c_ast.PtrDecl)]
    declared: dict[str, list[Any]] = {}
    for part in walk(tree):
        if isinstance(part, c_ast.Decl):
            declared.setdefault(part.name, []).append(part)
    targets: dict[str, Pointee] = {}
    notes: list[Note] = []
    for pointer in pointers:
        name = pointer.name
        own = [part for part in walk(function) if isinstance(part, c_ast.Decl) and part.name == name]
        if len(own) != 1 or pointer.storage or pointer.init is None or not isinstance(pointer.type.type, c_ast.TypeDecl):
            continue
        variable = pointed_variable(pointer.init)
        cells = cells_given(pointer.init, pointed_words(pointer))
        if variable and len(declared.get(variable, [])) == 1 and variable not in targets:
            [other] = declared[variable]
            if isinstance(other.type, c_ast.TypeDecl) and pointed_words(other) == pointed_words(pointer):
                targets[name] = Pointee(variable, None)
                pointer.name = None
        elif cells:
            kind = pointer.type.type
            zero = c_ast.Constant("int", "0", pointer.coord)
            single = getattr(cells, "value", "") == "1"
            pointer.type = kind if single else c_ast.ArrayDecl(kind, cells, [], pointer.coord)
            zeros = c_ast.InitList([zero], pointer.coord)
            pointer.init = None if not is_cleared(pointer.init) else zero if single else zeros
            targets[name] = Pointee(name, None if single else zero)
            notes.append(Note(place(pointer)[0], f"that there is memory for {name} is taken for granted"))
    if targets:
        function.body = _written(function.body, targets)
    return notes


def _declare_where_set(function: Any) -> None:
    """Moves the declaration of a pointer without a value to the one place where it gets one, in the same block."""
    parts = list(walk(function.body))
    if any(isinstance(part, c_ast.Goto) for part in parts):
        return
    for block in [part for part in parts if isinstance(part, c_ast.Compound) and part.block_items]:
        for declaration in list(block.block_items):
            if not isinstance(declaration, c_ast.Decl) or not isinstance(declaration.type, c_ast.PtrDecl) or declaration.init:
                continue
            rest = block.block_items[block.block_items.index(declaration) + 1 :]
            first = next((item for item in rest if any(name.name == declaration.name for name in ids(item))), None)
            is_set = isinstance(first, c_ast.Assignment) and first.op == "=" and _is_name(first.lvalue, declaration.name)
            changes = [change for change in effects(function.body) if _is_name(_target_of(change), declaration.name)]
            if first is not None and is_set and changes == [first] and not any(_names(first.rvalue, declaration.name)):
                declaration.init, declaration.coord = first.rvalue, first.coord
                block.block_items = [item for item in block.block_items if item is not declaration]
                block.block_items[block.block_items.index(first)] = declaration


def _target_of(change: Any) -> Any:
    return change.lvalue if isinstance(change, c_ast.Assignment) else change.expr


def _is_name(node: Any, name: str) -> bool:
    return isinstance(node, c_ast.ID) and node.name == name


def _names(node: Any, name: str) -> list[Any]:
    return [part for part in ids(node) if part.name == name]


def _written(body: Any, targets: dict[str, Pointee]) -> Any:
    """The body without these pointers, the calls of free that end them, and their declarations."""
    new = {name for name, target in targets.items() if target.name == name}
    kept = {part: part.name for part in walk(body) if isinstance(part, c_ast.Decl) and part.name in new}
    for part in walk(body):
        if isinstance(part, c_ast.Compound):
            part.block_items = [item for item in part.block_items or [] if not _is_gone(item, targets)]
    for declaration in kept:
        declaration.name = ""
    body = written_as(body, targets)
    for declaration, name in kept.items():
        declaration.name = name
    return body


def _is_gone(item: Any, targets: dict[str, Pointee]) -> bool:
    if isinstance(item, c_ast.Decl):
        return item.name is None
    freed = isinstance(item, c_ast.FuncCall) and getattr(item.name, "name", "") == "free" and item.args is not None
    return freed and len(item.args.exprs) == 1 and getattr(item.args.exprs[0], "name", None) in targets


def pointed_variable(value: Any) -> str:
    """The variable whose address this is; '' for anything else."""
    if isinstance(value, c_ast.UnaryOp) and value.op == "&" and isinstance(value.expr, c_ast.ID):
        return str(value.expr.name)
    return ""


def cells_given(value: Any, words: tuple[str, ...]) -> Any:
    """For how many numbers of this type memory is asked here, as an expression; None where none is, or that is not plain."""
    while isinstance(value, c_ast.Cast):
        value = value.expr
    if not isinstance(value, c_ast.FuncCall) or value.args is None:
        return None
    [size, *more] = value.args.exprs
    if is_cleared(value) and len(more) == 1:
        size = c_ast.BinaryOp("*", size, more[0], value.coord)
    elif getattr(value.name, "name", "") not in GIVING or more:
        return None
    if _is_size(size, words):
        return c_ast.Constant("int", "1", size.coord)
    if isinstance(size, c_ast.BinaryOp) and size.op == "*":
        for count, other in ((size.left, size.right), (size.right, size.left)):
            if _is_size(other, words) and not any(effects(count)) and not any(calls(count)):
                return count
    return None


def is_cleared(value: Any) -> bool:
    """Whether this asks for memory whose cells are zeros."""
    while isinstance(value, c_ast.Cast):
        value = value.expr
    return isinstance(value, c_ast.FuncCall) and getattr(value.name, "name", "") == "calloc"


def _is_size(node: Any, words: tuple[str, ...]) -> bool:
    """Whether this is the size of one number of the type."""
    if not isinstance(node, c_ast.UnaryOp) or node.op != "sizeof" or not isinstance(node.expr, c_ast.Typename):
        return False
    named = getattr(node.expr.type, "type", None)
    return isinstance(named, c_ast.IdentifierType) and tuple(sorted(named.names)) == words
