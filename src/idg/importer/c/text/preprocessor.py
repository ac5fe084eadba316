"""The C preprocessor: macros, conditions and included files.

The core reads no files and starts no programs, so this is written here. Where there is a compiler, `idg solve` compares the result
with that of the compiler's own preprocessor. What this one cannot know, such as the macros of the compiler, is refused.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from posixpath import dirname, join, normpath

from idg.importer.c.text.conditions import evaluate
from idg.importer.c.text.spellings import CONSTANTS, TYPEDEFS
from idg.importer.c.text.tokens import ACSL_BEGIN, CToken, lines_of
from idg.importer.results import ImportRefused, Note
from idg.sip.record import Record

HEADERS_READ_MAX = 100
"""Headers that are read for one file; one that is included twice counts twice."""
HEADER_LEVELS_MAX = 20
"""Headers within each other."""
TOKENS_MAX = 200_000
"""Tokens that the macros of one text may give. Macros that use each other twice would otherwise give any number."""
PREPROCESS = "preprocess the file first (gcc -E -P)"
_STANDARD = re.compile(
    r"\w+_(?:MAX|MIN|WIDTH|C|BIT)|NULL|EOF|BUFSIZ|stdin|stdout|stderr|errno|assert|static_assert|bool|offsetof|"
    r"(?:EXIT|SEEK|SIG|PRI|SCN|FLT|DBL)\w+"
)
"""Names that a header of the system may define."""
_SYSTEM_HEADERS = frozenset(
    f"{name}.h"
    for name in (
        *("assert", "ctype", "errno", "float", "inttypes", "iso646", "limits", "locale", "math", "setjmp", "signal", "stdalign"),
        *("stdarg", "stdatomic", "stdbool", "stddef", "stdint", "stdio", "stdlib", "stdnoreturn", "string", "time", "unistd"),
        *("wchar", "wctype"),
    )
)
"""Headers that C finds in the system where they do not lie beside the file."""
_IGNORED = ("pragma", "line", "ident", "sccs", "warning")
"""Directives that change no value."""


class Macro(Record):
    params: tuple[str, ...] | None
    """None for a macro without arguments."""
    variadic: bool
    body: tuple[CToken, ...]


class Preprocessed(Record):
    tokens: tuple[CToken, ...]
    notes: tuple[Note, ...]


def preprocess(text: str, headers: Mapping[str, str]) -> Preprocessed:
    """The tokens of a C text after preprocessing. `headers` maps the names that #include "…" uses to texts."""
    return _Preprocessor(headers).file(text)


class _Preprocessor:
    def __init__(self, headers: Mapping[str, str]) -> None:
        self.headers = {normpath(name): text for name, text in headers.items()}
        self.macros: dict[str, Macro] = {}
        self.notes: list[Note] = []
        self.output: list[CToken] = []
        self.text: list[CToken] = []
        """The tokens since the last directive, which are not yet expanded."""
        self.waiting_name = ""
        """A macro with arguments that stood last before a directive, without its arguments."""
        self.system = False
        """Whether a header of the system was included."""
        self.cases: list[tuple[bool, bool]] = []
        """For each open #if: whether its present case is read, and whether one of its cases was."""
        self.open: list[str] = []
        self.read = 0
        self.made = 0

    def file(self, text: str) -> Preprocessed:
        self._lines(text, "", None)
        self._flush()
        return Preprocessed(tuple(self.output), tuple(self.notes))

    def _lines(self, text: str, name: str, at_line: int | None) -> None:
        """Reads the lines of a file; those of a header get the place of its #include."""
        outer = len(self.cases)
        for tokens in lines_of(text):
            if at_line is not None:
                tokens = [token._replace(line=at_line, column=1) for token in tokens]
            if tokens and tokens[0].text == "#":
                self._flush()
                self._directive(tokens, name)
            elif tokens and self._active():
                self.text += tokens
        if len(self.cases) != outer:
            raise ImportRefused(at_line or 1, 1, "an #if has no #endif")

    def _active(self) -> bool:
        return all(active for active, _ in self.cases)

    # directives

    def _directive(self, tokens: list[CToken], name: str) -> None:
        if len(tokens) == 1:
            return
        sign, word, *rest = tokens
        if word.text in ("if", "ifdef", "ifndef", "elif", "else", "endif"):
            self._condition(word, rest)
            return
        if not self._active() or word.kind == "number" or word.text in _IGNORED:
            if any("macro" in token.text or token.text == "poison" for token in rest) and self._active():
                raise _refused(sign, f"#{word.text} {rest[0].text} is not read")
            return
        if any(token.kind == ACSL_BEGIN for token in rest):
            raise _refused(sign, "an annotation of ACSL in a preprocessor line is not read")
        if word.text == "define":
            self._define(word, rest)
        elif word.text == "undef" and rest:
            self.macros.pop(rest[0].text, None)
        elif word.text == "include":
            self._include(word, rest, name)
        else:
            raise _refused(sign, f"#{word.text} is not read")

    def _condition(self, word: CToken, rest: list[CToken]) -> None:
        around = all(active for active, _ in self.cases[:-1])
        match word.text:
            case "if" | "ifdef" | "ifndef":
                holds = self._active() and self._holds(word, rest)
                self.cases.append((holds, holds))
            case _ if not self.cases:
                raise _refused(word, f"#{word.text} without #if")
            case "elif":
                _, done = self.cases.pop()
                holds = around and not done and self._holds(word, rest)
                self.cases.append((holds, done or holds))
            case "else":
                _, done = self.cases.pop()
                self.cases.append((around and not done, True))
            case _:
                self.cases.pop()

    def _holds(self, word: CToken, rest: list[CToken]) -> bool:
        if not rest:
            raise _refused(word, f"#{word.text} has no condition")
        if word.text in ("ifdef", "ifndef"):
            return self._defined(rest[0]) == (word.text == "ifdef")
        tokens: list[CToken] = []
        index = 0
        while index < len(rest):
            if rest[index].text == "defined":
                bracket = index + 1 < len(rest) and rest[index + 1].text == "("
                index += 2 if bracket else 1
                if index >= len(rest) or (bracket and (index + 1 >= len(rest) or rest[index + 1].text != ")")):
                    raise _refused(word, "this condition is not read", PREPROCESS)
                tokens.append(rest[index]._replace(kind="number", text=str(int(self._defined(rest[index])))))
                index += 2 if bracket else 1
            else:
                tokens.append(rest[index])
                index += 1
        expanded = self.expand(tokens)
        for token in expanded:
            if token.kind == "name":
                self._defined(token)
        value = evaluate([token.text for token in expanded])
        if value is None:
            raise _refused(word, "this condition is not read", PREPROCESS)
        return value != 0

    def _defined(self, name: CToken) -> bool:
        """Whether a name is defined; refuses a name that the compiler or a header of the system may define."""
        if name.text in self.macros:
            return True
        unsure = name.text.startswith("_") or name.text in ("linux", "unix", "i386", "true", "false")
        if unsure or (self.system and (_STANDARD.fullmatch(name.text) or name.text in CONSTANTS or name.text in TYPEDEFS)):
            text = f"whether '{name.text}' is defined depends on the compiler or on a header that is not read"
            raise _refused(name, text, PREPROCESS)
        return False

    def _define(self, word: CToken, rest: list[CToken]) -> None:
        if not rest or rest[0].kind != "name" or rest[0].text == "defined":
            raise _refused(word, "this #define is not read")
        name, *body = rest
        params: tuple[str, ...] | None = None
        variadic = False
        if body and body[0].text == "(" and not body[0].space:
            end = next((index for index, token in enumerate(body) if token.text == ")"), None)
            if end is None:
                raise _refused(word, "this #define is not read")
            inside, body = [token.text for token in body[1:end]], body[end + 1 :]
            names, commas = inside[::2], inside[1::2]
            variadic = names[-1:] == ["..."]
            names = names[:-1] if variadic else names
            good = all(re.fullmatch(r"[A-Za-z_]\w*", param) for param in names) and len(set(names)) == len(names)
            if not good or any(comma != "," for comma in commas) or (inside and len(commas) != len(inside[::2]) - 1):
                raise _refused(word, f"the parameters of the macro '{name.text}' are not read", PREPROCESS)
            params = tuple(names)
        if any(token.text in ("__VA_OPT__", "__COUNTER__", "_Pragma") for token in body):
            raise _refused(word, f"the macro '{name.text}' is not read", PREPROCESS)
        made = Macro(params, variadic, tuple(body))
        before = self.macros.get(name.text)
        if before is not None and not _same(before, made):
            raise _refused(word, f"'{name.text}' is defined in two ways", "keep one of them, or write #undef before the second")
        self.macros[name.text] = made

    def _include(self, word: CToken, rest: list[CToken], includer: str) -> None:
        rest = rest if rest and (rest[0].kind == "string" or rest[0].text == "<") else self.expand(rest)
        shown = "".join(token.text for token in rest)
        if len(rest) == 1 and rest[0].kind == "string":
            name = normpath(join(dirname(includer), shown[1:-1]))
            if name not in self.headers:
                name = normpath(shown[1:-1])
            if name in self.headers:
                self._header(word, name)
                return
            if shown[1:-1] not in _SYSTEM_HEADERS:
                raise _refused(word, f"the header {shown} does not lie beside the file", "put it there, or take the line out")
        elif not rest or rest[0].text != "<":
            raise _refused(word, "this #include is not read")
        own = sorted(name for name in self.macros if _STANDARD.fullmatch(name) or name in CONSTANTS or name in TYPEDEFS)
        if own:
            raise _refused(word, f"'{own[0]}' is defined before a header that may define it, too", PREPROCESS)
        if shown[1:-1] == "assert.h" and "NDEBUG" in self.macros:
            raise _refused(word, "NDEBUG is defined: the asserts of this file promise nothing", "take the line out that defines it")
        self.system = True
        self.notes.append(Note(word.line, f"#include {shown} is not read: assert, assume and unknown are known by their names"))

    def _header(self, word: CToken, name: str) -> None:
        self.read += 1
        if self.read > HEADERS_READ_MAX or len(self.open) >= HEADER_LEVELS_MAX:
            text = f"more than {HEADERS_READ_MAX} headers, or more than {HEADER_LEVELS_MAX} within each other"
            raise ImportRefused(word.line, 1, text)
        self.open.append(name)
        self._lines(self.headers[name], name, word.line)
        self._flush()
        self.open.pop()

    # macros

    def _flush(self) -> None:
        """Expands the text since the last directive."""
        if not self.text:
            return
        if self.waiting_name and self.text[0].text == "(":
            raise _refused(self.text[0], f"a preprocessor line in the call of the macro '{self.waiting_name}' is not read")
        expanded = self.expand(self.text)
        self.text = []
        last = expanded[-1] if expanded else None
        macro = self.macros.get(last.text) if last is not None and last.kind == "name" else None
        self.waiting_name = last.text if last is not None and macro is not None and macro.params is not None else ""
        self.output += expanded

    def expand(self, tokens: list[CToken]) -> list[CToken]:
        """The tokens with all macros expanded (the algorithm of Prosser, which C's standard describes)."""
        done: list[CToken] = []
        waiting = list(reversed(tokens))
        while waiting:
            token = waiting.pop()
            macro = self.macros.get(token.text) if token.kind == "name" and token.text not in token.hidden else None
            if token.text == "__LINE__" and token.kind == "name":
                token = token._replace(kind="number", text=str(token.line))
            if macro is None:
                done.append(token)
                continue
            if macro.params is None:
                result = self._substitute(token, macro, {}, token.hidden | {token.text})
            else:
                if not waiting or waiting[-1].text != "(":
                    done.append(token)
                    continue
                arguments, closing = self._arguments(token, waiting)
                hidden = (token.hidden & closing.hidden) | {token.text}
                result = self._substitute(token, macro, self._bound(token, macro, arguments), hidden)
            self.made += len(result) + 1
            if self.made > TOKENS_MAX:
                raise _refused(token, f"macros give more than {TOKENS_MAX:,} tokens")
            waiting += reversed(result)
        return done

    def _arguments(self, name: CToken, waiting: list[CToken]) -> tuple[list[list[CToken]], CToken]:
        """Takes the arguments in brackets from the tokens that follow; also returns the closing bracket."""
        waiting.pop()
        arguments: list[list[CToken]] = [[]]
        depth = 0
        while waiting:
            token = waiting.pop()
            if token.kind == ACSL_BEGIN:
                raise _refused(token, "an annotation of ACSL in the call of a macro is not read")
            if token.text == ")" and depth == 0:
                return arguments, token
            depth += {"(": 1, ")": -1}.get(token.text, 0) if token.kind == "op" else 0
            if token.text == "," and depth == 0:
                arguments.append([])
            else:
                arguments[-1].append(token)
        raise _refused(name, f"the call of the macro '{name.text}' does not end, or a preprocessor line stands in it", PREPROCESS)

    def _bound(self, name: CToken, macro: Macro, arguments: list[list[CToken]]) -> dict[str, list[CToken]]:
        params = macro.params or ()
        if macro.variadic:
            rest = arguments[len(params) :]
            tail = [token for index, part in enumerate(rest) for token in ([_comma(name)] if index else []) + part]
            if len(arguments) < len(params) or (len(arguments) == len(params) and params):
                raise _refused(name, f"the macro '{name.text}' has too few arguments here")
            return {**dict(zip(params, arguments, strict=False)), "__VA_ARGS__": tail}
        if not params and arguments == [[]]:
            return {}
        if len(arguments) != len(params):
            raise _refused(name, f"the macro '{name.text}' has {len(params)} arguments, and {len(arguments)} are given")
        return dict(zip(params, arguments, strict=True))

    def _substitute(self, name: CToken, macro: Macro, bound: dict[str, list[CToken]], hidden: frozenset[str]) -> list[CToken]:
        result: list[CToken] = []
        body = macro.body
        index = 0
        while index < len(body):
            token = body[index]
            following = body[index + 1] if index + 1 < len(body) else None
            if token.text == "#" and macro.params is not None and following is not None and following.text in bound:
                result.append(_text_of(bound[following.text], name))
                index += 2
            elif token.text == "##" and token.kind == "op":
                if not result or following is None:
                    raise _refused(name, f"## in the macro '{name.text}' is not read here", PREPROCESS)
                if following.text == "__VA_ARGS__" or (following.text in bound and not bound[following.text]):
                    raise _refused(name, f"## with an empty or a variable argument (macro '{name.text}') is not read", PREPROCESS)
                right = list(bound.get(following.text, [following]))
                result[-1:] = [_pasted(result[-1], right[0], name), *right[1:]]
                index += 2
            else:
                pasted = following is not None and following.text == "##"
                inserted = bound.get(token.text) if token.kind == "name" else None
                if inserted is not None and pasted and not inserted:
                    raise _refused(name, f"## with an empty argument (macro '{name.text}') is not read", PREPROCESS)
                result += [token] if inserted is None else inserted if pasted else self.expand(inserted)
                index += 1
        return [token._replace(line=name.line, column=name.column, hidden=token.hidden | hidden, space=True) for token in result]


def _comma(name: CToken) -> CToken:
    return CToken("op", ",", name.line, name.column, False)


def _text_of(tokens: list[CToken], name: CToken) -> CToken:
    text = "".join((" " if token.space and index else "") + token.text for index, token in enumerate(tokens))
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return CToken("string", f'"{escaped}"', name.line, name.column, True)


def _pasted(left: CToken, right: CToken, name: CToken) -> CToken:
    for line in lines_of(left.text + right.text):
        if len(line) == 1 and line[0].kind != ACSL_BEGIN:
            return line[0]._replace(line=name.line, column=name.column)
    raise _refused(name, f"{left.text}##{right.text} gives no token", PREPROCESS)


def _same(first: Macro, second: Macro) -> bool:
    def spelled(macro: Macro) -> list[tuple[str, bool]]:
        return [(token.text, token.space and index > 0) for index, token in enumerate(macro.body)]

    return (first.params, first.variadic, spelled(first)) == (second.params, second.variadic, spelled(second))


def _refused(token: CToken, reason: str, hint: str = "") -> ImportRefused:
    return ImportRefused(token.line, token.column, reason, hint)
