"""Text → tokens. A token's kind is its canonical spelling; names and numbers are of the kinds "name" and "number"."""

from __future__ import annotations

import re
from typing import NamedTuple

from idg.sip.errors import Problem, SipError, problem
from idg.sip.limits import LITERAL_DIGITS_MAX, NAME_CHARS_MAX, PROGRAM_CHARS_MAX
from idg.sip.operators import CANONICAL, FUNCTIONS, RESERVED
from idg.sip.syntax import Span


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
VALUE_KINDS = frozenset({"name", "number", "true", "false", "result"})
"""After one of these, or a bracketed expression, // divides; elsewhere it starts a comment."""
HEAD_OPENERS = frozenset({"if", "while", "]"})

_PATTERN = re.compile(
    r"""(?P<space>\s+)
    |(?P<hash>\#[^\n]*)
    |(?P<slashes>//)
    |(?P<number>[0-9]+(?:\.[0-9]+)?)
    |(?P<word>[A-Za-z_][A-Za-z0-9_]*)
    |(?P<sign>:=|->|=>|\|\||&&|==|!=|<=|>=|\*\*|[-+*/%^<>=!&|(){}\[\],;:→∨∧¬≠≤≥−·×÷])""",
    re.VERBOSE,
)
_NUMBER_TAIL = re.compile(r"[A-Za-z0-9_.]*")

_CHARACTER_HINTS = {
    '"': "there are no strings; print takes values only",
    "'": "there are no strings; print takes values only",
    "?": "there is no '? :'; use if (…) { … } else { … }",
    "²": "write ^2",
    "³": "write ^3",
    "√": "there are no roots; square both sides",
    "½": "write 1 / 2",
    "~": "write ! for not",
    "@": "names are made of letters, digits and _",
    "$": "names are made of letters, digits and _",
    ".": "a point stands only inside a number, between digits: 0.5",
    "`": "write the expression only, without quotes",
    "∣": "write y % x = 0 for 'x divides y'",
    "∀": "there are no quantifiers; a proposal speaks about one state",
    "∃": "there are no quantifiers; a proposal speaks about one state",
    "“": "there are no strings; print takes values only",
    "”": "there are no strings; print takes values only",
    "\\": "write <= >= != * & | ! -> as plain signs, and // for the quotient rounded down",
    "–": "write the minus sign -",
    "⇒": "write ->",
    "⟹": "write ->",
    "⇔": "write = between the two Booleans",
    "⟺": "write = between the two Booleans",
    "↔": "write = between the two Booleans",
    "∈": "write comparisons: 0 <= x & x < n",
    "∑": "there are no sums; say what the sum is, such as 2 * sum = i * (i + 1)",
    "⌊": "write x // y for the quotient rounded down",
    "∞": "there is no infinity; numbers are unbounded",
}


def tokenize(text: str, *, program: bool) -> Tokens:
    """`program` says whether brackets outside all blocks belong to function heads."""
    if len(text) > PROGRAM_CHARS_MAX:
        limit = PROGRAM_CHARS_MAX
        raise SipError(text, [problem("text-too-long", Span(limit, limit), found=len(text), limit=limit)])
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
        self.blocks = 0
        self.after_value = False

    def scan(self) -> None:
        text, match, at, size = self.text, _PATTERN.match, 0, len(self.text)
        add = self.tokens.append
        while at < size:
            found = match(text, at)
            if found is None:
                at = self._bad_character(at)
                continue
            end = found.end()
            group = found.lastgroup
            if group == "space":
                at = end
                continue
            if group == "word":
                word = text[at:end]
                kind = KEYWORDS.get(word, "name")
                if end - at > NAME_CHARS_MAX:
                    self._report("name-too-long", at, end, found=end - at, limit=NAME_CHARS_MAX)
                add(Token(kind, word, at, end))
                self.after_value = kind in VALUE_KINDS
            elif group == "sign":
                self._sign(text[at:end], at, end)
            elif group == "number":
                end = self._number(at, end)
            elif group == "slashes" and self.after_value:
                add(Token("//", "//", at, end))
                self.after_value = False
            else:
                newline = text.find("\n", at)
                end = size if newline < 0 else newline
                self.comments.append(Comment(text[at:end].rstrip(), at))
            at = end

    def _sign(self, sign: str, at: int, end: int) -> None:
        kind = CANONICAL.get(sign, sign)
        after_value = False
        if kind == "(":
            in_head = self.program and not self.blocks
            self.heads.append(in_head or (bool(self.tokens) and self.tokens[-1].kind in HEAD_OPENERS))
        elif kind == ")":
            after_value = not self.heads or not self.heads.pop()
        elif kind == "{":
            self.blocks += 1
            self.heads.clear()
        elif kind == "}":
            self.blocks -= 1
            self.heads.clear()
        self.after_value = after_value
        self.tokens.append(Token(kind, sign, at, end))

    def _number(self, at: int, end: int) -> int:
        tail = _NUMBER_TAIL.match(self.text, end)
        assert tail is not None
        if tail.end() > end:
            end = tail.end()
            written = self.text[at:end]
            hint = "a number needs a digit on both sides of the point: 0.5" if "." in written else ""
            if written.lstrip("0123456789").isidentifier():
                digits = len(written) - len(written.lstrip("0123456789"))
                hint = f"did you mean {_short(written[:digits])} * {_short(written[digits:])}?"
            self._report("bad-number", at, end, hint=hint, found=f"'{_short(written)}'")
        elif end - at > LITERAL_DIGITS_MAX:
            self._report("literal-too-long", at, end, found=end - at, limit=LITERAL_DIGITS_MAX)
        self.tokens.append(Token("number", self.text[at:end], at, end))
        self.after_value = True
        return end

    def _bad_character(self, at: int) -> int:
        character = self.text[at]
        shown = f"'{character}'" if character.isprintable() else f"the character U+{ord(character):04X}"
        self._report("bad-character", at, at + 1, hint=_CHARACTER_HINTS.get(character, ""), found=shown)
        self.after_value = False
        return at + 1

    def _report(self, code: str, start: int, end: int, hint: str = "", **details: object) -> None:
        self.problems.append(problem(code, Span(start, end), hint=hint, **details))


def _short(text: str) -> str:
    return text if len(text) <= 40 else text[:39] + "…"
