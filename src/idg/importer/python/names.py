"""The variables of a Python function: which there are, how they are spelled in SIP, and their types."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator

from idg.importer.python.expressions import KIND_WORDS, NotTyped, PythonExpressions
from idg.importer.python.lists import LISTS_OF, list_type
from idg.importer.python.places import Refusal
from idg.sip.syntax import Type

ANNOTATIONS = {"int": Type.INT, "bool": Type.BOOL, "Fraction": Type.RAT}
ANNOTATIONS |= {name: list_type(ANNOTATIONS[kind]) for name, kind in LISTS_OF.items()}


def annotated(node: ast.expr | None, expressions: PythonExpressions) -> Type | None:
    """The type that an annotation names; None where there is none."""
    if node is None:
        return None
    path = ast.unparse(node)
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        path = node.value
    head, _, tail = path.rpartition(".")
    word = "Fraction" if expressions.known.get(path) == "Fraction" or (tail == "Fraction" and head) else path
    if word not in ANNOTATIONS:
        raise Refusal(node, f"the type {path} is not read", "int, bool and Fraction are, and lists of them, such as list[int]")
    return ANNOTATIONS[word]


def stored_names(body: Iterable[ast.stmt]) -> list[str]:
    """The variables that statements assign, in the order of the text."""
    stored: dict[str, None] = {}
    for statement in body:
        inside = {
            part for node in ast.walk(statement) if isinstance(node, ast.GeneratorExp | ast.ListComp) for part in ast.walk(node)
        }
        for node in walk_in_order(statement):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and node not in inside:
                stored.setdefault(node.id)
    return list(stored)


def walk_in_order(node: ast.AST) -> Iterator[ast.AST]:
    yield node
    for child in ast.iter_child_nodes(node):
        yield from walk_in_order(child)


def assignments(body: Iterable[ast.stmt]) -> Iterator[tuple[str, ast.expr | Type]]:
    """Each variable that is assigned, with the expression or the type that it gets."""
    for statement in body:
        for node in walk_in_order(statement):
            match node:
                case ast.Assign(targets, value):
                    for target in targets:
                        yield from _assigned(target, value)
                case ast.AnnAssign(ast.Name(id), _, ast.expr() as value):
                    yield id, value
                case ast.AugAssign(ast.Name(id) as target, op, value):
                    yield id, ast.copy_location(ast.BinOp(ast.copy_location(ast.Name(id, ast.Load()), target), op, value), node)
                case ast.For(ast.Name(id), ast.Name() as source):
                    yield id, ast.copy_location(ast.Subscript(source, ast.Constant(0), ast.Load()), source)
                case ast.For(ast.Name(id)):
                    yield id, Type.INT


def _assigned(target: ast.expr, value: ast.expr) -> Iterator[tuple[str, ast.expr | Type]]:
    match target, value:
        case ast.Name(id), ast.IfExp(_, first, second):
            yield from ((id, first), (id, second))
        case ast.Name(id), _:
            yield id, value
        case ast.Tuple(targets), ast.Tuple(values) if len(targets) == len(values):
            for single, part in zip(targets, values, strict=True):
                yield from _assigned(single, part)
        case ast.Tuple(targets), ast.Call(ast.Name("divmod")):
            yield from ((single.id, Type.INT) for single in targets if isinstance(single, ast.Name))


def infer_types(body: list[ast.stmt], expressions: PythonExpressions, kind_of: Callable[[ast.expr], Type]) -> None:
    """Finds the type of each variable: the join of what it is assigned. A number may be an int here and a Fraction there."""
    gathered = list(assignments(body))
    given = expressions.params
    for _ in range(2 * len(expressions.types) + 2):
        changed = False
        for name, value in gathered:
            try:
                kind = value if isinstance(value, Type) else kind_of(value)
            except NotTyped:
                continue
            old = expressions.types.get(name)
            lists = [part for part in (old, kind) if part is not None and part.element is not None]
            if lists and (name in given or [other for other, _ in gathered].count(name) > 1 or lists != [kind] * len(lists)):
                node = value if isinstance(value, ast.expr) else body[0]
                raise Refusal(node, f"the list {name} is assigned as a whole", "change its cells")
            if old is not None and (old is Type.BOOL) != (kind is Type.BOOL):
                node = value if isinstance(value, ast.expr) else body[0]
                raise Refusal(node, f"{name} is {KIND_WORDS[old]} elsewhere, and {KIND_WORDS[kind]} here")
            joined = kind if old in (None, kind) else Type.RAT
            changed |= joined is not old
            expressions.types[name] = joined
        if not changed:
            return
