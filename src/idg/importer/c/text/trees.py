"""Walks through the parser's C trees."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pycparser import c_ast

STEPS = {"++": "+", "p++": "+", "--": "-", "p--": "-"}
"""C's operators that change a variable by one → what they do. The parser marks those that stand after the variable with p."""


def effects(node: Any) -> Iterator[Any]:
    """The assignments, ++ and -- in an expression."""
    if isinstance(node, c_ast.Assignment) or (isinstance(node, c_ast.UnaryOp) and node.op in STEPS):
        yield node
    for _, child in node.children():
        yield from effects(child)


def ids(node: Any) -> Iterator[Any]:
    """The names in an expression, those of called functions included."""
    if isinstance(node, c_ast.ID):
        yield node
    for _, child in node.children():
        yield from ids(child)


def calls(node: Any) -> Iterator[Any]:
    """The calls in an expression or statement."""
    if isinstance(node, c_ast.FuncCall):
        yield node
    for _, child in node.children():
        yield from calls(child)


def walk(node: Any) -> Iterator[Any]:
    """The node and everything inside it."""
    yield node
    for _, child in node.children():
        yield from walk(child)


def jumps_to(node: Any, label: str) -> bool:
    """Whether a goto to this label stands in the node."""
    return any(isinstance(part, c_ast.Goto) and part.name == label for part in walk(node))


def is_text(node: Any) -> bool:
    """Whether the expression is a text between quotes."""
    return isinstance(node, c_ast.Constant) and node.type == "string"


def numbered(base: str, taken: set[str]) -> str:
    """A name that nothing else has: this one with a number. From now on it is among those that are taken."""
    number = 1
    while f"{base}{number}" in taken:
        number += 1
    taken.add(f"{base}{number}")
    return f"{base}{number}"


def is_zero(node: Any) -> bool:
    return (isinstance(node, c_ast.Constant) and node.value == "0") or (isinstance(node, c_ast.ID) and node.name == "false")
