"""Where a node stands in a Python text, and refusing what is not read there."""

from __future__ import annotations

import ast

from idg.importer.results import ImportRefused

TREE_LEVELS_MAX = 200
"""Levels of the syntax tree of a Python text. The reader goes through trees by recursion, and Python bounds the depth of calls."""


class Refusal(Exception):
    """Something that is not read, at a node. The reader of the whole text tells its line and column."""

    def __init__(self, node: ast.AST, reason: str, hint: str = "") -> None:
        super().__init__(reason)
        self.node = node
        self.reason = reason
        self.hint = hint

    def placed(self, text: str) -> ImportRefused:
        line, offset = getattr(self.node, "lineno", 1), getattr(self.node, "col_offset", 0)
        # Python counts columns in bytes of UTF-8.
        lines = text.splitlines()
        before = lines[line - 1].encode()[:offset] if line <= len(lines) else b""
        return ImportRefused(line, len(before.decode(errors="replace")) + 1, self.reason, self.hint)


def line_of(node: ast.AST) -> int:
    return getattr(node, "lineno", 0)


def check_levels(tree: ast.AST) -> None:
    """Refuses a tree that is too deep."""
    left = [(tree, tree, 0)]
    while left:
        node, placed, level = left.pop()
        if level > TREE_LEVELS_MAX:
            raise Refusal(placed, "this nests too deep, or is too long an expression", "write it as several statements")
        left += [(child, child if hasattr(child, "lineno") else placed, level + 1) for child in ast.iter_child_nodes(node)]
