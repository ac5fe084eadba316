"""C leaves open in which order the parts of an expression are evaluated. What depends on it is refused."""

from __future__ import annotations

from collections import Counter
from typing import Any

from idg.importer.c.text.source import c_ast, refuse
from idg.importer.c.text.trees import effects, ids


def check_order(node: Any) -> None:
    """Refuses an expression that changes a variable and uses it elsewhere."""
    counts = Counter(name.name for name in ids(node))
    for change in effects(node):
        target = change.lvalue if isinstance(change, c_ast.Assignment) else change.expr
        if isinstance(target, c_ast.ArrayRef):
            target = target.name
        if not isinstance(target, c_ast.ID):
            raise refuse(change, "only variables and cells of arrays can be assigned; pointers and structs are not read")
        if counts[target.name] > sum(name.name == target.name for name in ids(change)):
            text = f"'{target.name}' is changed and used in the same expression"
            raise refuse(change, text, "write the change as a statement of its own")
