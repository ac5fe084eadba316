"""The contract of a function whose calls are written out: what it ensures is asserted where its body has come to its end."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from typing import Any

from idg.importer.c.text.acsl import ASSERTED
from idg.importer.c.text.acsl_conditions import OLD, RESULT
from idg.importer.c.text.source import c_ast, refuse


def about_result(clause: Any, entry: Mapping[str, str], result: str) -> Any:
    """The clause as an assertion: parameters mean what was passed for them, and \\result the variable that has the result."""
    claim = deepcopy(clause)
    claim.name.name = ASSERTED
    claim.args.exprs = [_written(part, entry, result) for part in claim.args.exprs]
    return claim


def _written(node: Any, entry: Mapping[str, str], result: str) -> Any:
    match node:
        case c_ast.UnaryOp(op=op, expr=c_ast.ID(name=name)) if op == OLD:
            if name not in entry:
                raise refuse(node, f"{OLD}({name}) is read only for numbers that are parameters")
            return c_ast.ID(entry[name], node.coord)
        case c_ast.ID(name=name) if name in entry:
            return c_ast.ID(entry[name], node.coord)
        case c_ast.ID(name=name) if name == RESULT:
            if not result:
                raise refuse(node, f"a function without a result has no {RESULT}")
            return c_ast.ID(result, node.coord)
    for slot in node.__slots__:
        part = getattr(node, slot, None) if slot not in ("coord", "__weakref__") else None
        if isinstance(part, list):
            setattr(node, slot, [_written(item, entry, result) if isinstance(item, c_ast.Node) else item for item in part])
        elif isinstance(part, c_ast.Node):
            setattr(node, slot, _written(part, entry, result))
    return node
