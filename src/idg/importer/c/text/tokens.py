"""Cuts a C text into the tokens of the preprocessor.

Lines that end with a backslash are joined first, then comments are taken out. So a comment `// …\\` reaches over the next line, as
in C. A comment of ACSL (`//@ …` or `/*@ … */`) is kept: its words become tokens between two tokens that mark it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from idg.importer.results import ImportRefused

ACSL_BEGIN, ACSL_END = "acsl begin", "acsl end"
"""The kinds of the tokens around an annotation."""
_TOKEN = re.compile(
    r"(?P<line_comment>//[^\n]*)|(?P<comment>/\*.*?\*/)|(?P<open_comment>/\*)"
    r"|(?P<string>(?:u8|[uUL])?\"(?:\\.|[^\"\\\n])*\")|(?P<char>[uUL]?'(?:\\.|[^'\\\n])*')"
    r"|(?P<name>[A-Za-z_]\w*)|(?P<number>\.?\d(?:[eEpP][+-]|[\w.])*)"
    r"|(?P<op><<=|>>=|\.\.\.|->|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=|##|[^\s\w])"
    r"|(?P<newline>\n)|(?P<space>[^\S\n]+)|(?P<other>.)",
    re.DOTALL,
)
_LOGIC = re.compile(r"(?P<name>\\?[A-Za-z_]\w*)|(?P<number>\d\w*)|(?P<op><==>|==>|\^\^|<=|>=|==|!=|&&|\|\||\.\.|[^\s\w])")
_SPLICE = re.compile(r"\\[ \t]*\n")


class CToken(NamedTuple):
    """A token with its place in the file, from 1, and whether white space stands before it."""

    kind: str
    text: str
    line: int
    column: int
    space: bool
    hidden: frozenset[str] = frozenset()
    """Macros that this token comes from, and that it is therefore no call of: `#define x x + 1` is expanded once."""


def quoted_includes(text: str) -> list[str]:
    """The names that #include "..." uses."""
    names = []
    for line in lines_of(text):
        if [token.text for token in line[:2]] == ["#", "include"] and len(line) > 2 and line[2].kind == "string":
            names.append(line[2].text[1:-1])
    return list(dict.fromkeys(names))


def lines_of(text: str) -> Iterator[list[CToken]]:
    """The tokens of each line. A comment over several lines does not end the line in which it begins."""
    text, places = _joined(text)
    line: list[CToken] = []
    space = True
    for match in _TOKEN.finditer(text):
        kind = match.lastgroup or ""
        row, column = places.of(match.start())
        if kind == "newline":
            yield line
            line, space = [], True
        elif kind in ("comment", "line_comment"):
            line += _annotation(match[0], row, column)
            space = True
        elif kind == "space":
            space = True
        elif kind == "open_comment":
            raise ImportRefused(row, column, "this comment does not end")
        else:
            line.append(CToken(kind, match[0], row, column, space))
            space = False
    yield line


def _annotation(comment: str, line: int, column: int) -> list[CToken]:
    """The tokens of a comment: none, unless it is an annotation."""
    if comment[2:3] != "@":
        return []
    text = comment[3:].removesuffix("*/") if comment.startswith("/*") else comment[3:]
    text = re.sub(r"@\s*\Z", " ", re.sub(r"(?m)^\s*@", " ", text))
    tokens = [CToken(match.lastgroup or "op", match[0], line, column, True) for match in _LOGIC.finditer(text)]
    begin, end = (CToken(kind, "", line, column, True) for kind in (ACSL_BEGIN, ACSL_END))
    return [begin, *tokens, end]


class _Places:
    """Finds the place in the file of a character of the joined text."""

    def __init__(self, text: str, removed: list[tuple[int, int]]) -> None:
        self._starts = [0, *(match.end() for match in re.finditer("\n", text))]
        self._removed = removed
        """Where the joined text lacks characters: the index in the joined text, and how many are lacking up to there."""
        self._line = 0
        self._gap = 0

    def of(self, index: int) -> tuple[int, int]:
        """Line and column. The indices that are asked for must grow."""
        while self._gap < len(self._removed) and self._removed[self._gap][0] <= index:
            self._gap += 1
        offset = index + (self._removed[self._gap - 1][1] if self._gap else 0)
        while self._line + 1 < len(self._starts) and self._starts[self._line + 1] <= offset:
            self._line += 1
        return self._line + 1, offset - self._starts[self._line] + 1


def _joined(text: str) -> tuple[str, _Places]:
    """The text without the line ends that follow a backslash."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    removed: list[tuple[int, int]] = []
    lacking = 0
    for match in _SPLICE.finditer(text):
        removed.append((match.start() - lacking, lacking + len(match[0])))
        lacking += len(match[0])
    return _SPLICE.sub("", text), _Places(text, removed)
