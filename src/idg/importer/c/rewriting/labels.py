"""What labels mean that suites and students use: an error, the end of the function, or a place to which the run goes on."""

from __future__ import annotations

from typing import Any

from idg.importer.c.rewriting.exits import items_of
from idg.importer.c.text.source import c_ast
from idg.importer.c.text.spellings import ASSERT, ERROR, ERROR_LABEL, STOP
from idg.importer.c.text.trees import is_zero, walk


def is_staying(label: Any) -> bool:
    """Whether a run that reaches the label stays there for ever."""
    first = next(iter(items_of(label.stmt)), None)
    return isinstance(first, c_ast.Goto) and bool(first.name == label.name)


def is_error_label(label: Any) -> bool:
    """Whether reaching the label is an error. Where a run stays for ever, the label's name says whether that is meant as one."""
    first = next(iter(items_of(label.stmt)), None)
    if is_staying(label):
        return ERROR_LABEL.fullmatch(label.name) is not None
    if isinstance(first, c_ast.FuncCall) and isinstance(first.name, c_ast.ID):
        name = first.name.name
        fails = name in ASSERT and first.args is not None and is_zero(first.args.exprs[0])
        return name in ERROR or fails or (name in STOP and ERROR_LABEL.fullmatch(label.name) is not None)
    return first is None and ERROR_LABEL.fullmatch(label.name) is not None


def error_labels(node: Any) -> set[str]:
    return {part.name for part in walk(node) if isinstance(part, c_ast.Label) and is_error_label(part)}


def staying_labels(node: Any) -> set[str]:
    """Labels at which runs stay for ever, which is no error."""
    return {part.name for part in walk(node) if isinstance(part, c_ast.Label) and is_staying(part) and not is_error_label(part)}


def end_labels(items: list[Any], errors: set[str]) -> dict[str, Any]:
    """Labels of a function's body after which it only returns → that return, or None where the function just ends."""
    labels: dict[str, Any] = {}
    for index, item in enumerate(items):
        if isinstance(item, c_ast.Label) and _only_returns(items[index:], errors):
            labels[item.name] = returned(items[index:])
    return labels


def _only_returns(items: list[Any], errors: set[str]) -> bool:
    """Whether these statements do nothing before the function returns."""
    for item in items:
        if isinstance(item, c_ast.Return):
            return True
        if not isinstance(item, c_ast.Label) or item.name in errors:
            return False
        inside = items_of(item.stmt)
        if inside:
            return isinstance(inside[0], c_ast.Return)
    return True


def returned(items: list[Any]) -> Any:
    """The first statement, if it is a return, also after labels; otherwise None."""
    for item in items:
        for inner in items_of(item.stmt) if isinstance(item, c_ast.Label) else [item]:
            return inner if isinstance(inner, c_ast.Return) else None
    return None
