"""Text → tokens. A token's kind is its canonical spelling; only names and numbers are of the kinds "name" and "number"."""

from __future__ import annotations

import re
from typing import NamedTuple

from idg.sip.errors import Problem, SipError, problem
from idg.sip.limits import LITERAL_DIGITS_MAX, NAME_CHARS_MAX, PROGRAM_CHARS_MAX
from idg.sip.operators import CANONICAL, FUNCTIONS, RESERVED
from idg.sip.syntax import Span
from idg.sip.text import habits


class Token(NamedTuple):
    kind: str
    text: str
    start: int
    end: int

    @property
    def span(self) -> Span:
        return Span(self.start, self.end)


class Comment(NamedTuple):
    text: str
    start: int


class Tokens(NamedTuple):
    tokens: list[Token]
    """Ends with a token of the kind "end"."""
    comments: list[Comment]


KEYWORDS = {word: CANONICAL.get(word, word) for word in RESERVED if word.isalpha() and word not in FUNCTIONS}
"""The words that are no names, each with the kind of its token: `and` is of the kind `&`."""
VALUE_KINDS = frozenset({"name", "number", "true", "false", "result"})
"""After one of these, or a bracketed expression, // divides; elsewhere it starts a comment."""
HEAD_OPENERS = frozenset({"if", "while", "]", "pre", "post", "print", "assume", "assert", "claim", "cassign"})
"""A '(' after one of these belongs to a statement, not to an expression."""

_PATTERN = re.compile(
    r"""(?P<space>[\t\n\v\f\r\x20\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]+)
    |(?P<hash>\#[^\n]*)
    |(?P<slashes>//)
    |(?P<number>[0-9]+(?:\.[0-9]+)?)
    |(?P<word>[A-Za-z_][A-Za-z0-9_]*)
    |(?P<sign>\.\.|:=|->|=>|\|\||&&|==|!=|<=|>=|\*\*|[-+*/%^<>=!&|(){}\[\],;:→∨∧¬≠≤≥−·×÷])""",
    re.VERBOSE,
)
SHOWN_CHARS_MAX = 40
"""Characters of what was written that a message repeats."""
_STRING = re.compile(r"""\"[^\"\n]*\"|'[^'\n]*'|“[^”\n]*”""")
_NUMBER_TAIL = re.compile(r"(?:(?!\.\.)[A-Za-z0-9_.])*")
"""What may not follow a number. Two points may: in `0..n` they stand between the bounds of a range."""


def tokenize(text: str, *, program: bool) -> Tokens:
    """The tokens and comments of a text. Raises SipError where a part of it is no token.

    `program` says whether the text is a program, in which brackets outside all blocks belong to the heads of functions.
    """
    if len(text) > PROGRAM_CHARS_MAX:
        limit = PROGRAM_CHARS_MAX
        raise SipError(text, [problem("text-too-long", Span(limit, limit), limit=limit)])
    scanner = _Scanner(text, program)
    scanner.scan()
    if scanner.problems:
        raise SipError(text, scanner.problems)
    scanner.tokens.append(Token("end", "", len(text), len(text)))
    return Tokens(scanner.tokens, scanner.comments)


class _Scanner:
    def __init__(self, text: str, program: bool) -> None:
        self.text = text
        self.program = program
        self.tokens: list[Token] = []
        self.comments: list[Comment] = []
        self.problems: list[Problem] = []
        self.heads: list[bool] = []
        """For each open '(': whether it opens the head of a statement or function."""
        self.indexing: list[bool] = []
        """For each open '[': whether it follows a value, so that a cell of an array is read there."""
        self.blocks = 0
        """How many blocks are open."""
        self.after_value = False
        """Whether the last token ends a value, after which // divides."""

    def scan(self) -> None:
        text, match, start, size = self.text, _PATTERN.match, 0, len(self.text)
        add = self.tokens.append
        while start < size:
            matched = match(text, start)
            if matched is None:
                start = self._bad_character(start)
                continue
            end = matched.end()
            group = matched.lastgroup
            if group == "space":
                start = end
                continue
            if group == "word":
                word = text[start:end]
                kind = KEYWORDS.get(word, "name")
                if end - start > NAME_CHARS_MAX:
                    self._report("name-too-long", start, end, found=end - start, limit=NAME_CHARS_MAX)
                add(Token(kind, word, start, end))
                self.after_value = kind in VALUE_KINDS
            elif group == "sign":
                self._sign(text[start:end], start, end)
            elif group == "number":
                end = self._number(start, end)
            elif group == "slashes" and self.after_value:
                add(Token("//", "//", start, end))
                self.after_value = False
            else:
                newline = text.find("\n", start)
                end = size if newline < 0 else newline
                self.comments.append(Comment(text[start:end].rstrip(), start))
            start = end

    def _sign(self, sign: str, start: int, end: int) -> None:
        kind = CANONICAL.get(sign, sign)
        after_value = False
        if kind == "(":
            in_head = self.program and not self.blocks
            self.heads.append(in_head or (bool(self.tokens) and self.tokens[-1].kind in HEAD_OPENERS))
        elif kind == ")":
            after_value = not self.heads or not self.heads.pop()
        elif kind == "[":
            self.indexing.append(self.after_value)
        elif kind == "]":
            after_value = bool(self.indexing) and self.indexing.pop()
        elif kind == "{" or kind == "}":
            self.blocks += 1 if kind == "{" else -1
            self.heads.clear()
            self.indexing.clear()
        self.after_value = after_value
        self.tokens.append(Token(kind, sign, start, end))

    def _number(self, start: int, end: int) -> int:
        tail = _NUMBER_TAIL.match(self.text, end)
        assert tail is not None
        if tail.end() > end:
            end = tail.end()
            written = self.text[start:end]
            self._report("bad-number", start, end, hint=_number_hint(written), found=f"'{_short(written)}'")
        elif end - start > LITERAL_DIGITS_MAX:
            digits = end - start - self.text.count(".", start, end)
            if digits > LITERAL_DIGITS_MAX:
                self._report("literal-too-long", start, end, found=digits, limit=LITERAL_DIGITS_MAX)
        self.tokens.append(Token("number", self.text[start:end], start, end))
        self.after_value = True
        return end

    def _bad_character(self, start: int) -> int:
        """Reports one problem for a whole string, or for neighbours that are wrong in the same way. Returns where they end."""
        text, character = self.text, self.text[start]
        string = _STRING.match(text, start)
        if string:
            end, shown = string.end(), f"'{_short(string.group())}'"
        else:
            end = start + 1
            hint = habits.CHARACTERS.get(character)
            while end < len(text) and not _PATTERN.match(text, end) and habits.CHARACTERS.get(text[end]) == hint:
                end += 1
            run = text[start:end]
            shown = f"'{_short(run)}'" if run.isprintable() else f"the character U+{ord(character):04X}"
        self._report("bad-character", start, end, hint=habits.CHARACTERS.get(character, ""), found=shown)
        self.after_value = bool(string)
        return end

    def _report(self, code: str, start: int, end: int, hint: str = "", **details: object) -> None:
        self.problems.append(problem(code, Span(start, end), hint=hint, **details))


def _number_hint(written: str) -> str:
    digits = written.rstrip("_").replace("_", "")
    if digits.isdecimal():
        return f"write {_short(digits)}"
    if re.fullmatch(r"[0-9.]+[eE][0-9]*", written):
        return "write 1000 or 10^3; there is no exponent notation"
    if re.fullmatch(r"0[xXbBoO][0-9A-Fa-f_]+", written):
        return "write decimal numbers"
    if "." in written:
        return "a number needs a digit on both sides of the point: 0.5"
    rest = written.lstrip("0123456789")
    return f"did you mean {_short(written[: -len(rest)])} * {_short(rest)}?"


def _short(text: str) -> str:
    return text if len(text) <= SHOWN_CHARS_MAX else text[: SHOWN_CHARS_MAX - 1] + "…"
