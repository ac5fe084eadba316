"""A C text made ready for the parser: comments, attributes and preprocessor lines become blanks, so that places stay true."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from pycparser import c_ast, c_parser  # type: ignore[import-untyped]

from idg.importer.results import Note, Refused
from idg.importer.spellings import TYPEDEFS
from idg.sip.record import Record

C_CHARS_MAX = 200_000
_COMMENT = re.compile(
    r"//@(?=\s*ass(?:ert|ume)\s*\()|//[^\n]*|/\*.*?(?:\*/|\Z)|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'", re.DOTALL
)
_DIRECTIVE = re.compile(r"^[ \t]*#[ \t]*(\w*)((?:\\\n|[^\n])*)", re.MULTILINE)
_OBJECT_MACRO = re.compile(r"\s*(\w+)(?!\()(?:\s+(.*?))?\s*", re.DOTALL)
_FUNCTION_MACRO = re.compile(r"\s*(\w+)\(.*", re.DOTALL)
_GNU = re.compile(r"__(?:extension|inline|restrict|volatile|const)(?:__)?\b|__attribute(?:__)?\s*(?=\(\()|__asm__\s*(?=\()")
_PLACE = re.compile(r"[^:\n]*:(\d+)(?::(\d+))?: (.*)", re.DOTALL)
IGNORED_DIRECTIVES = ("include", "pragma", "line", "undef", "ident", "error", "warning", "")


class Parsed(Record):
    tree: Any
    macros: dict[str, str]
    """Names that #define gives a text."""
    function_macros: frozenset[str]
    notes: tuple[Note, ...]


def parse_c(text: str, headers: Mapping[str, str] | None = None) -> Parsed:
    """The C syntax tree, or Refused. Of the headers, by the names that #include uses, only what #define says is read."""
    if len(text) > C_CHARS_MAX:
        raise Refused(1, 1, f"the text has {len(text):,} characters, and at most {C_CHARS_MAX:,} are read")
    text = _without_comments(text)
    macros: dict[str, str] = {}
    functions: set[str] = set()
    notes: list[Note] = []
    text = _DIRECTIVE.sub(lambda found: _directive(text, found, headers or {}, macros, functions, notes), text)
    text = _without_gnu(text)
    return Parsed(_parse(_with_typedefs(text)), macros, frozenset(functions), tuple(notes))


def parse_expression(text: str) -> Any:
    """The tree of a C expression; None where the text is none."""
    try:
        tree = c_parser.CParser().parse(f"int x = ({text});", "")
    except (c_parser.ParseError, AssertionError):
        return None
    return tree.ext[0].init


def _blank(text: str) -> str:
    return re.sub(r"[^\n]", " ", text)


def _without_comments(text: str) -> str:
    text = text.replace("\r\n", "\n").replace("\r", "\n").replace("\f", " ")
    return _COMMENT.sub(lambda found: found[0] if found[0][0] in "\"'" else _blank(found[0]), text)


def _directive(
    text: str, found: re.Match[str], headers: Mapping[str, str], macros: dict[str, str], functions: set[str], notes: list[Note]
) -> str:
    line = text.count("\n", 0, found.start()) + 1
    word, rest = found[1], found[2].replace("\\\n", " ")
    if word == "define":
        _define(rest, macros, functions)
    elif word in ("if", "ifdef", "ifndef", "elif", "else", "endif"):
        column = found[0].index("#") + 1
        raise Refused(line, column, f"#{word} is not read", "preprocess the file first (gcc -E -P), or keep one of the cases")
    elif word not in IGNORED_DIRECTIVES and not word.isdecimal():
        raise Refused(line, 1, f"#{word} is not read")
    elif word == "include" and rest.strip(' \t"<>') in headers:
        name = rest.strip(' \t"<>')
        _read_header(line, name, headers[name], macros, functions)
        notes.append(Note(line, f"{name}: only what #define says is read"))
    elif word == "include":
        notes.append(Note(line, f"#include{rest.rstrip()} is not read: assert, assume and unknown are known by their names"))
    return _blank(found[0])


def _define(rest: str, macros: dict[str, str], functions: set[str]) -> None:
    plain = _OBJECT_MACRO.fullmatch(rest)
    if plain is not None:
        macros[plain[1]] = plain[2] or ""
    else:
        called = _FUNCTION_MACRO.fullmatch(rest)
        functions.update([called[1]] if called else [])


def _read_header(line: int, name: str, text: str, macros: dict[str, str], functions: set[str]) -> None:
    """Which case of an #if holds is not known, so a name that gets two different texts is refused."""
    found: dict[str, str] = {}
    for each in _DIRECTIVE.finditer(_without_comments(text)):
        if each[1] == "define":
            said: dict[str, str] = {}
            _define(each[2].replace("\\\n", " "), said, functions)
            for macro, value in said.items():
                if found.setdefault(macro, value) != value:
                    raise Refused(line, 1, f"{name} defines {macro} in two ways", "put the right #define into the file itself")
    macros.update(found)


def _without_gnu(text: str) -> str:
    """Without GNU's additions that say nothing about values."""
    while True:
        found = _GNU.search(text)
        if found is None:
            return text
        end = found.end()
        if found[0].startswith(("__attribute", "__asm")):
            end = _closing(text, end)
        text = text[: found.start()] + _blank(text[found.start() : end]) + text[end:]


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
            raise Refused(int(found[1]), int(found[2] or 1), message) from None
        # The parser does not say where; its lexer has just read what it did not expect.
        line, begin = getattr(parser.clex, "_lineno", 1), getattr(parser.clex, "_line_start", 0)
        column = max(1, getattr(parser.clex, "_pos", begin) - begin)
        message = "the text nests too deep" if isinstance(error, RecursionError) else str(error).partition(": ")[2] or "not C"
        raise Refused(line, column, message[:1].lower() + message[1:], "this is near the place; is the text complete C?") from None


def place(node: Any) -> tuple[int, int]:
    """Line and column of a node; of its first part that has one, where it has none itself."""
    if node.coord is not None:
        return node.coord.line, node.coord.column or 1
    for _, child in node.children():
        found = place(child)
        if found != (0, 0):
            return found
    return 0, 0


def refuse(node: Any, reason: str, hint: str = "") -> Refused:
    line, column = place(node)
    return Refused(line or 1, column or 1, reason, hint)


__all__ = ["Parsed", "c_ast", "parse_c", "parse_expression", "place", "refuse"]
