"""Every number with a name says what it bounds or means, and in which unit."""

from __future__ import annotations

import ast
import re
from pathlib import Path

SOURCE = Path(__file__).parents[2] / "src" / "idg"
CONSTANT = re.compile(r"_?[A-Z][A-Z0-9_]*")
COMMENT = re.compile(r"#\s*(?!fmt:|type:|noqa)\S")
"""The beginning of a comment that is meant for people."""


def targets(statement: ast.stmt) -> list[str]:
    """The names that a statement of a module assigns, where all of them are written like constants."""
    if isinstance(statement, ast.Assign):
        (target,) = statement.targets if len(statement.targets) == 1 else (None,)
    elif isinstance(statement, ast.AnnAssign):
        target = statement.target
    else:
        target = None
    parts = target.elts if isinstance(target, ast.Tuple) else [target]
    names = [part.id for part in parts if isinstance(part, ast.Name)]
    return names if len(names) == len(parts) and all(map(CONSTANT.fullmatch, names)) else []


def is_number(value: ast.expr | None) -> bool:
    """Whether an expression computes a number, or has a number in it, such as a table or a record of limits."""
    if value is None:
        return False
    arithmetic = isinstance(value, ast.BinOp) and not isinstance(value.op, ast.BitOr)
    return arithmetic or any(isinstance(node, ast.Constant) and type(node.value) in (int, float) for node in ast.walk(value))


def is_explained(body: list[ast.stmt], index: int, lines: list[str]) -> bool:
    """Whether there is a docstring below, or a comment above or beside."""
    statement = body[index]
    below = body[index + 1] if index + 1 < len(body) else None
    if isinstance(below, ast.Expr) and isinstance(below.value, ast.Constant) and isinstance(below.value.value, str):
        return True
    beside = lines[statement.lineno - 1 : statement.end_lineno]
    above = lines[statement.lineno - 2] if statement.lineno > 1 else ""
    return above.startswith("#") or any(map(COMMENT.search, beside))


def unexplained(text: str) -> list[str]:
    """The number constants of a module that nothing explains."""
    body, lines = ast.parse(text).body, text.splitlines()
    return [
        ", ".join(targets(statement))
        for index, statement in enumerate(body)
        if isinstance(statement, ast.Assign | ast.AnnAssign)
        and targets(statement)
        and is_number(statement.value)
        and not is_explained(body, index, lines)
    ]


def test_every_number_constant_is_explained() -> None:
    missing = {
        str(path.relative_to(SOURCE)): names
        for path in sorted(SOURCE.rglob("*.py"))
        if (names := unexplained(path.read_text(encoding="utf-8")))
    }
    assert not missing


def test_what_counts_as_explained() -> None:
    assert unexplained("ROWS_MAX = 40\n") == ["ROWS_MAX"]
    assert unexplained('ROWS_MAX = 40\n"""Rows of a table."""\n') == []
    assert unexplained("ROWS_MAX = 40  # rows of a table\n") == []
    assert unexplained("# Rows of a table.\nROWS_MAX = 40\n") == []
    assert unexplained("FIRST, LAST = 1, 2\nSIZES = (  \n    1,\n)  # fmt: skip\n") == ["FIRST, LAST", "SIZES"]
    assert unexplained('LIMITS: Limits = Limits(rows_max=3)\nBITS = BYTES * 8\nNAME = "n"\nkind = 3\n') == ["LIMITS", "BITS"]
