"""A C text made ready for the parser: comments, attributes and preprocessor lines become blanks, so that places stay true."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from pycparser import c_ast, c_parser  # type: ignore[import-untyped]

from idg.importer.macros import DIRECTIVE, Macros, blank, without_comments
from idg.importer.results import ImportRefused, Note
from idg.importer.spellings import TYPEDEFS
from idg.sip.record import Record

C_CHARS_MAX = 200_000
TREE_LEVELS_MAX = 300
TOO_DEEP = "this nests too deep, or is too long an expression"
SPLIT = "write it as several statements"
_GNU = re.compile(r"__(?:extension|inline|restrict|volatile|const)(?:__)?\b|__attribute(?:__)?\s*(?=\(\()|__asm__\s*(?=\()")
_PLACE = re.compile(r"[^:\n]*:(\d+)(?::(\d+))?: (.*)", re.DOTALL)
IGNORED_DIRECTIVES = ("pragma", "line", "ident", "error", "warning", "")


class Parsed(Record):
    tree: Any
    macros: Macros
    notes: tuple[Note, ...]


def parse_c(text: str, headers: Mapping[str, str] | None = None) -> Parsed:
    """The C syntax tree, or ImportRefused. Of the headers, by the names that #include uses, only what #define says is read."""
    if len(text) > C_CHARS_MAX:
        raise ImportRefused(1, 1, f"the text has {len(text):,} characters, and at most {C_CHARS_MAX:,} are read")
    text = without_comments(text)
    macros = Macros(headers or {})
    text = DIRECTIVE.sub(lambda found: _directive(text, found, macros), text)
    text = _without_gnu(text)
    tree = _parse(_with_typedefs(text))
    check_levels(tree)
    return Parsed(tree, macros, tuple(macros.notes))


def check_levels(tree: Any) -> None:
    """Everything else goes through the tree by recursion."""
    left = [(tree, 0)]
    while left:
        node, level = left.pop()
        if level > TREE_LEVELS_MAX:
            raise refuse(node, TOO_DEEP, SPLIT)
        left += [(child, level + 1) for _, child in node.children()]


def parse_expression(text: str) -> Any:
    """The tree of a C expression; None where the text is none."""
    try:
        tree = c_parser.CParser().parse(f"int x = ({text});", "")
    except (c_parser.ParseError, AssertionError):
        return None
    check_levels(tree)
    return tree.ext[0].init


def _directive(text: str, found: re.Match[str], macros: Macros) -> str:
    line = text.count("\n", 0, found.start()) + 1
    word, rest = found[1], found[2].replace("\\\n", " ")
    if word == "define":
        macros.define(line, rest)
    elif word == "undef":
        macros.undefine(line, rest)
    elif word == "include":
        macros.include(line, rest)
    elif word in ("if", "ifdef", "ifndef", "elif", "else", "endif"):
        column = found[0].index("#") + 1
        raise ImportRefused(line, column, f"#{word} is not read", "preprocess the file first (gcc -E -P), or keep one of the cases")
    elif word not in IGNORED_DIRECTIVES and not word.isdecimal():
        raise ImportRefused(line, 1, f"#{word} is not read")
    return blank(found[0])


def _without_gnu(text: str) -> str:
    """Without GNU's additions that say nothing about values."""
    while True:
        found = _GNU.search(text)
        if found is None:
            return text
        end = found.end()
        if found[0].startswith(("__attribute", "__asm")):
            end = _closing(text, end)
        text = text[: found.start()] + blank(text[found.start() : end]) + text[end:]


def _closing(text: str, start: int) -> int:
    """After the bracket that closes the one at `start`."""
    depth = 0
    for at in range(start, len(text)):
        depth += {"(": 1, ")": -1}.get(text[at], 0)
        if not depth:
            return at + 1
    return len(text)


def _with_typedefs(text: str) -> str:
    """Types of headers that were not read."""
    used = {word for word in re.findall(r"\w+", text) if word in TYPEDEFS}
    defined = set(re.findall(r"typedef[^;]*?\b(\w+)\s*;", text))
    before = "".join(f"typedef {TYPEDEFS[name]} {name}; " for name in sorted(used - defined))
    return f'{before}\n# 1 "c"\n{text}'


def _parse(text: str) -> Any:
    parser = c_parser.CParser()
    try:
        return parser.parse(text, "c")
    except (c_parser.ParseError, AssertionError, RecursionError) as error:
        found = _PLACE.fullmatch(str(error))
        if found is not None:
            message = re.sub(r"^before: (.*)", r"this is not expected here: '\1'", found[3], flags=re.DOTALL)
            raise ImportRefused(int(found[1]), int(found[2] or 1), message) from None
        # The parser does not say where; its lexer has just read what it did not expect.
        line, begin = getattr(parser.clex, "_lineno", 1), getattr(parser.clex, "_line_start", 0)
        column = max(1, getattr(parser.clex, "_pos", begin) - begin)
        if isinstance(error, RecursionError):
            raise ImportRefused(line, column, "the text nests too deep", SPLIT) from None
        message = str(error).partition(": ")[2] or "not C"
        raise ImportRefused(
            line, column, message[:1].lower() + message[1:], "this is near the place; is the text complete C?"
        ) from None


def place(node: Any) -> tuple[int, int]:
    """Line and column of a node; of its first part that has one, where it has none itself."""
    if node.coord is not None:
        return node.coord.line, node.coord.column or 1
    for _, child in node.children():
        found = place(child)
        if found != (0, 0):
            return found
    return 0, 0


def refuse(node: Any, reason: str, hint: str = "") -> ImportRefused:
    line, column = place(node)
    return ImportRefused(line or 1, column or 1, reason, hint)


__all__ = ["SPLIT", "TOO_DEEP", "Parsed", "c_ast", "parse_c", "parse_expression", "place", "refuse"]
