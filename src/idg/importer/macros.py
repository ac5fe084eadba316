"""What #define says, in the file and in its headers.

The cases of an #if are not evaluated, so what a header defines inside one may or may not hold, and its use is refused.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from posixpath import dirname, join, normpath

from idg.importer.results import ImportRefused, Note
from idg.importer.spellings import CONSTANTS

HEADERS_READ_MAX = 100
"""Headers that are read for one file; one that is included twice counts twice."""
HEADER_LEVELS_MAX = 20
"""Headers within each other."""
DIRECTIVE = re.compile(r"^[ \t]*#[ \t]*(\w*)((?:\\\n|[^\n])*)", re.MULTILINE)
FILE = "the file"
_COMMENT = re.compile(
    r"//@(?=\s*ass(?:ert|ume)\s*\()|//[^\n]*|/\*.*?(?:\*/|\Z)|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'", re.DOTALL
)
_OBJECT_MACRO = re.compile(r"\s*(\w+)(?!\()(?:\s+(.*?))?\s*", re.DOTALL)
_FUNCTION_MACRO = re.compile(r"\s*(\w+)\(.*", re.DOTALL)
_QUOTED = re.compile(r'\s*"([^"\n]+)"\s*')
_NOT_DEFINED = re.compile(r"\s*!\s*defined\s*(?:\(\s*(\w+)\s*\)|(\w+))\s*")
_ON, _OFF, _UNCERTAIN = "on", "off", "uncertain"


def blank(text: str) -> str:
    return re.sub(r"[^\n]", " ", text)


def without_comments(text: str) -> str:
    text = text.replace("\r\n", "\n").replace("\r", "\n").replace("\f", " ")
    return _COMMENT.sub(lambda match: match[0] if match[0][0] in "\"'" else blank(match[0]), text)


def quoted_includes(text: str) -> list[str]:
    """The names that #include "..." uses."""
    includes = (directive[2] for directive in DIRECTIVE.finditer(without_comments(text)) if directive[1] == "include")
    names = (_QUOTED.fullmatch(rest) for rest in includes)
    return list(dict.fromkeys(name[1] for name in names if name is not None))


class Macros:
    """The macros of a file and its headers, and the notes of what was read and what was not."""

    def __init__(self, headers: Mapping[str, str]) -> None:
        self.texts: dict[str, str] = {}
        """Names that #define gives a text."""
        self.functions: set[str] = set()
        """Macros with arguments."""
        self.uncertain: dict[str, str] = {}
        """Names that a header defines in a case that may or may not hold: name → header."""
        self.mentioned: set[str] = set()
        """Words of the headers that were read."""
        self.notes: list[Note] = []
        self._headers = {normpath(name): text for name, text in headers.items()}
        self._origins: dict[str, str] = {}
        self._open: list[str] = []
        self._read = 0

    def define(self, line: int, rest: str, origin: str = FILE) -> None:
        plain = _OBJECT_MACRO.fullmatch(rest)
        if plain is None:
            called = _FUNCTION_MACRO.fullmatch(rest)
            self.functions.update([called[1]] if called else [])
            return
        name, text = plain[1], plain[2] or ""
        before = self._origins.setdefault(name, origin)
        if " ".join(self.texts.setdefault(name, text).split()) != " ".join(text.split()):
            hint = "put the right #define into the file itself" if origin != FILE else "keep one of them"
            where = f"{origin} defines {name} in two ways"
            raise ImportRefused(line, 1, where if before == origin else f"{before} and {origin} define {name} differently", hint)
        self.uncertain.pop(name, None)

    def undefine(self, line: int, rest: str, origin: str = FILE) -> None:
        name = rest.strip()
        if name in self.texts or name in self.functions:
            raise ImportRefused(
                line, 1, f"{origin} takes back the #define of {name}, which is not read", "preprocess it (gcc -E -P)"
            )

    def include(self, line: int, rest: str) -> None:
        quoted = _QUOTED.fullmatch(rest)
        name = normpath(quoted[1]) if quoted else ""
        if name in self._headers:
            self._header(line, name, certain=True)
        else:
            text = f"#include{rest.rstrip()} is not read: assert, assume and unknown are known by their names"
            self.notes.append(Note(line, text))

    # headers

    def _header(self, line: int, name: str, certain: bool) -> None:
        """A header that includes itself, by others too, adds nothing the second time."""
        if name in self._open:
            return
        self._read += 1
        if self._read > HEADERS_READ_MAX or len(self._open) >= HEADER_LEVELS_MAX:
            raise ImportRefused(
                line, 1, f"more than {HEADERS_READ_MAX} headers, or more than {HEADER_LEVELS_MAX} within each other"
            )
        note = Note(line, f"{name}: only what #define says is read")
        self.notes += [] if note in self.notes else [note]
        text = without_comments(self._headers[name])
        self.mentioned.update(re.findall(r"\w+", text))
        self._open.append(name)
        directives = [(directive[1], directive[2].replace("\\\n", " ")) for directive in DIRECTIVE.finditer(text)]
        cases = [_ON if certain else _UNCERTAIN]
        for index, (word, rest) in enumerate(directives):
            if word in ("if", "ifdef", "ifndef"):
                cases.append(self._case(cases[-1], directives[index : index + 2]))
            elif word in ("else", "elif"):
                cases[-1] = _OFF if cases[-2:-1] == [_OFF] else _UNCERTAIN
            elif word == "endif":
                cases = cases[:-1] or cases
            elif cases[-1] != _OFF:
                self._in_header(line, name, word, rest, cases[-1] == _ON)
        self._open.pop()

    def _in_header(self, line: int, header: str, word: str, rest: str, certain: bool) -> None:
        if word == "define" and certain:
            self.define(line, rest, header)
        elif word == "define":
            named = re.match(r"\s*(\w+)", rest)
            if named is not None and named[1] not in self.texts:
                self.uncertain.setdefault(named[1], header)
        elif word == "undef":
            self.undefine(line, rest, header)
        elif word == "include":
            quoted = _QUOTED.fullmatch(rest)
            name = normpath(join(dirname(header), quoted[1])) if quoted else ""
            if name in self._headers:
                self._header(line, name, certain)
            elif quoted:
                self.notes.append(Note(line, f"{header} includes {quoted[1]}, which is not read"))

    def _case(self, around: str, directives: list[tuple[str, str]]) -> str:
        """Whether the case of an #if in a header holds.

        The only form that is understood is `#ifndef NAME` followed by `#define NAME`: it keeps a header from being read twice, or
        gives a value that the file may set before. Any other case is uncertain.
        """
        (word, rest), *following = directives
        negated = _NOT_DEFINED.fullmatch(rest) if word == "if" else None
        name = rest.strip() if word == "ifndef" else (negated[1] or negated[2]) if negated else ""
        if around == _OFF or (name and (name in self.texts or name in self.functions)):
            return _OFF
        first = re.match(r"\s*(\w+)", following[0][1]) if following and following[0][0] == "define" else None
        known = name in CONSTANTS or name in self.uncertain
        return _ON if around == _ON and name and first is not None and first[1] == name and not known else _UNCERTAIN
