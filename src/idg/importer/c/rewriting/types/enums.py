"""Reads enum: its names are numbers, and its variables are int.

Which type of whole numbers the variables of an enum have, C leaves to the compiler; int is one of its choices.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import add, mul, sub
from typing import Any

from pycparser import c_ast

from idg.importer.c.text.places import place, refuse
from idg.importer.c.text.spellings import CONSTANTS
from idg.importer.c.text.trees import walk
from idg.importer.results import Note

_OPERATORS: dict[str, Callable[[int, int], int]] = {"+": add, "-": sub, "*": mul}


def without_enums(tree: Any) -> list[Note]:
    """Puts numbers in place of the names of all enums of the file, and int in place of their types; with notes of it."""
    values: dict[str, int] = {}
    notes: list[Note] = []
    for part in walk(tree):
        if isinstance(part, c_ast.EnumeratorList):
            _number(part, values)
            line = place(part)[0]
            notes.append(Note(line, "the names of an enum are read as numbers, and its variables as int"))
    if not values and not any(isinstance(part, c_ast.Enum) for part in walk(tree)):
        return []
    for part in walk(tree):
        if isinstance(part, c_ast.Decl) and part.name in values:
            raise refuse(part, f"'{part.name}' is a variable and a name of an enum", "give the variable another name")
    _replace(tree, values)
    return notes


def _number(listed: Any, values: dict[str, int]) -> None:
    following = 0
    for enumerator in listed.enumerators:
        value = following if enumerator.value is None else _value(enumerator.value, values)
        if enumerator.name in values or CONSTANTS.get(enumerator.name, value) != value:
            raise refuse(enumerator, f"'{enumerator.name}' has another meaning, too", "give it another name")
        values[enumerator.name] = value
        following = value + 1


def _value(node: Any, values: dict[str, int]) -> int:
    match node:
        case c_ast.Constant(type="int") if node.value.isdigit() and (node.value == "0" or node.value[0] != "0"):
            return int(node.value)
        case c_ast.ID() if node.name in values:
            return values[node.name]
        case c_ast.UnaryOp(op="-"):
            return -_value(node.expr, values)
        case c_ast.BinaryOp() if node.op in _OPERATORS:
            return _OPERATORS[node.op](_value(node.left, values), _value(node.right, values))
    raise refuse(node, "this value of a name in an enum is not read", "write it as a number")


def _replace(node: Any, values: dict[str, int]) -> None:
    for field, child in list(node.children()):
        new = child
        if isinstance(child, c_ast.Enum):
            new = c_ast.IdentifierType(["int"], child.coord)
        elif isinstance(child, c_ast.ID) and child.name in values:
            value = values[child.name]
            new = c_ast.Constant("int", str(abs(value)), child.coord)
            new = c_ast.UnaryOp("-", new, child.coord) if value < 0 else new
        else:
            _replace(child, values)
            continue
        base, bracket, index = field.partition("[")
        if bracket:
            getattr(node, base)[int(index[:-1])] = new
        else:
            setattr(node, base, new)
