"""What students' programs read: `scanf("%d", &n)` gives n any value, and so does `n = atoi(argv[1])`."""

from __future__ import annotations

import re
from typing import Any

from idg.importer.c.rewriting.pointers import pointed_words
from idg.importer.c.text.source import c_ast, place
from idg.importer.c.text.trees import walk
from idg.importer.results import Note

_FORMAT = re.compile(r'"(?:\s|\\n|\\t|,)*(?:%(?:d|i|u|ld|li|lu|lld|llu|hd|hu|hhd|hhu)(?:\s|\\n|\\t|,)*)+"')
KINDS = {
    "d": "int", "i": "int", "u": "uint", "ld": "long", "li": "long", "lu": "ulong", "lld": "longlong", "llu": "ulonglong",
    "hd": "short", "hu": "ushort", "hhd": "char", "hhu": "uchar",
}  # fmt: skip
"""What scanf reads → the end of the name of a function that may give any value of that type."""
_WORDS = {
    "int": "int", "uint": "unsigned", "long": "long", "ulong": "unsigned long", "longlong": "long long",
    "ulonglong": "unsigned long long", "short": "short", "ushort": "unsigned short", "char": "char", "uchar": "unsigned char",
}  # fmt: skip
FROM_TEXT = {"atoi": "int", "atol": "long", "atoll": "longlong"}
"""Functions that read a number from a text."""


def with_choices(function: Any, tree: Any) -> list[Note]:
    """Writes choices in place of what the body reads from outside."""
    declared = function.decl.type.args
    texts = {param.name for param in (declared.params if declared else []) if _words_of_texts(param)}
    notes: list[Note] = []
    for part in walk(function.body):
        if isinstance(part, c_ast.FuncCall) and _is_number_of_text(part, texts):
            notes.append(Note(place(part)[0], f"{part.name.name} may give any number"))
            part.name, part.args = c_ast.ID(f"__VERIFIER_nondet_{FROM_TEXT[part.name.name]}", part.coord), None
        if isinstance(part, c_ast.Compound):
            items = []
            for item in part.block_items or []:
                read = _read(item, tree)
                if read:
                    text = "scanf may give any numbers; that it does not give one, at the end of the input, is among them"
                    notes.append(Note(place(item)[0], text))
                items += read or [item]
            part.block_items = items
    return notes


def _words_of_texts(param: Any) -> bool:
    """Whether a parameter is an array of texts, as that of main is."""
    return isinstance(getattr(param, "type", None), c_ast.PtrDecl | c_ast.ArrayDecl) and pointed_words(param) == ("char",)


def _is_number_of_text(call: Any, texts: set[str]) -> bool:
    arguments = [] if call.args is None else call.args.exprs
    named = getattr(call.name, "name", "") in FROM_TEXT and len(arguments) == 1
    return named and isinstance(arguments[0], c_ast.ArrayRef) and getattr(arguments[0].name, "name", None) in texts


def _is_moved(targets: list[Any]) -> bool:
    """Whether one of the numbers that are read decides where another one is stored: all places are known before any is read."""
    given = {getattr(getattr(target, "expr", None), "name", None) for target in targets}
    indices = [target.expr.subscript for target in targets if isinstance(getattr(target, "expr", None), c_ast.ArrayRef)]
    return any(part.name in given for index in indices for part in walk(index) if isinstance(part, c_ast.ID))


def _read(item: Any, tree: Any) -> list[Any]:
    """The choices that a statement `scanf(…)` makes; none for other statements, and where it is not plain."""
    if not isinstance(item, c_ast.FuncCall) or getattr(item.name, "name", "") != "scanf" or item.args is None:
        return []
    shape, *targets = item.args.exprs
    if not isinstance(shape, c_ast.Constant) or not _FORMAT.fullmatch(shape.value):
        return []
    kinds = [KINDS[kind] for kind in re.findall(r"%([a-z]+)", shape.value)]
    if len(kinds) != len(targets) or _is_moved(targets):
        return []
    made = []
    for kind, target in zip(kinds, targets, strict=True):
        if not isinstance(target, c_ast.UnaryOp) or target.op != "&" or not isinstance(target.expr, c_ast.ID | c_ast.ArrayRef):
            return []
        variable = target.expr if isinstance(target.expr, c_ast.ID) else target.expr.name
        words = {pointed_words(part) for part in walk(tree) if isinstance(part, c_ast.Decl) and part.name == variable.name}
        if {" ".join(sorted(set(word) - {"int"} or {"int"})) for word in words} != {" ".join(sorted(set(_WORDS[kind].split())))}:
            return []
        call = c_ast.FuncCall(c_ast.ID(f"__VERIFIER_nondet_{kind}", target.coord), None, target.coord)
        made.append(c_ast.Assignment("=", target.expr, call, target.coord))
    return made
