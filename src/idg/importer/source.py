"""Makes a C text ready for the parser, and parses it.

Comments, attributes and preprocessor lines become blanks, so that the lines and columns of everything else stay the same.
"""

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
"""Characters of a C text."""
TREE_LEVELS_MAX = 300
"""Levels of the syntax tree. The importer goes through trees by recursion, and Python bounds the depth of calls."""
TOO_DEEP = "this nests too deep, or is too long an expression"
SPLIT = "write it as several statements"
_GNU = re.compile(r"__(?:extension|inline|restrict|volatile|const)(?:__)?\b|__attribute(?:__)?\s*(?=\(\()|__asm__\s*(?=\()")
_PLACE = re.compile(r"[^:\n]*:(\d+)(?::(\d+))?: (.*)", re.DOTALL)
IGNORED_DIRECTIVES = ("pragma", "line", "ident", "error", "warning", "")
"""Preprocessor lines that change no value."""


class Parsed(Record):
    tree: Any
    macros: Macros
    notes: tuple[Note, ...]


def parse_c(text: str, headers: Mapping[str, str] | None = None) -> Parsed:
    """The C syntax tree; raises ImportRefused where the text is no C that is read. Of the headers only what they #define is
    read."""
    if len(text) > C_CHARS_MAX:
        raise ImportRefused(1, 1, f"the text has {len(text):,} characters, and at most {C_CHARS_MAX:,} are read")
    text = without_comments(text)
    macros = Macros(headers or {})
    text = DIRECTIVE.sub(lambda directive: _directive(text, directive, macros), text)
    text = _without_gnu(text)
    tree = _parse(_with_typedefs(text))
    check_levels(tree)
    return Parsed(tree, macros, tuple(macros.notes))


def check_levels(tree: Any) -> None:
    """Refuses a tree that is too deep, because everything else goes through trees by recursion."""
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


def _directive(text: str, match: re.Match[str], macros: Macros) -> str:
    line = text.count("\n", 0, match.start()) + 1
    word, rest = match[1], match[2].replace("\\\n", " ")
    if word == "define":
        macros.define(line, rest)
    elif word == "undef":
        macros.undefine(line, rest)
    elif word == "include":
        macros.include(line, rest)
    elif word in ("if", "ifdef", "ifndef", "elif", "else", "endif"):
        column = match[0].index("#") + 1
        raise ImportRefused(line, column, f"#{word} is not read", "preprocess the file first (gcc -E -P), or keep one of the cases")
    elif word not in IGNORED_DIRECTIVES and not word.isdecimal():
        raise ImportRefused(line, 1, f"#{word} is not read")
    return blank(match[0])


def _without_gnu(text: str) -> str:
    """The text without GNU's additions to C that do not change values."""
    while True:
        addition = _GNU.search(text)
        if addition is None:
            return text
        end = addition.end()
        if addition[0].startswith(("__attribute", "__asm")):
            end = _closing(text, end)
        text = text[: addition.start()] + blank(text[addition.start() : end]) + text[end:]


def _closing(text: str, start: int) -> int:
    """The index after the bracket that closes the one at `start`."""
    depth = 0
    for index in range(start, len(text)):
        depth += {"(": 1, ")": -1}.get(text[index], 0)
        if not depth:
            return index + 1
    return len(text)


def _with_typedefs(text: str) -> str:
    """The text with typedefs in front for the types of standard headers that it uses and does not define itself."""
    used = {word for word in re.findall(r"\w+", text) if word in TYPEDEFS}
    defined = set(re.findall(r"typedef[^;]*?\b(\w+)\s*;", text))
    before = "".join(f"typedef {TYPEDEFS[name]} {name}; " for name in sorted(used - defined))
    return f'{before}\n# 1 "c"\n{text}'


def _parse(text: str) -> Any:
    parser = c_parser.CParser()
    try:
        return parser.parse(text, "c")
    except (c_parser.ParseError, AssertionError, RecursionError) as error:
        position = _PLACE.fullmatch(str(error))
        if position is not None:
            message = re.sub(r"^before: (.*)", r"this is not expected here: '\1'", position[3], flags=re.DOTALL)
            raise ImportRefused(int(position[1]), int(position[2] or 1), message) from None
        # The parser does not say where it stopped, but its lexer has just read what was not expected.
        line, begin = getattr(parser.clex, "_lineno", 1), getattr(parser.clex, "_line_start", 0)
        column = max(1, getattr(parser.clex, "_pos", begin) - begin)
        if isinstance(error, RecursionError):
            raise ImportRefused(line, column, "the text nests too deep", SPLIT) from None
        message = str(error).partition(": ")[2] or "not C"
        raise ImportRefused(
            line, column, message[:1].lower() + message[1:], "this is near the place; is the text complete C?"
        ) from None


def place(node: Any) -> tuple[int, int]:
    """Line and column of a node, or of its first part that has them; (0, 0) where none has."""
    if node.coord is not None:
        return node.coord.line, node.coord.column or 1
    for _, child in node.children():
        position = place(child)
        if position != (0, 0):
            return position
    return 0, 0


def refuse(node: Any, reason: str, hint: str = "") -> ImportRefused:
    line, column = place(node)
    return ImportRefused(line or 1, column or 1, reason, hint)


__all__ = ["SPLIT", "TOO_DEEP", "Parsed", "c_ast", "parse_c", "parse_expression", "place", "refuse"]
