"""S-expressions with their places: the layer under SMT-LIB and SyGuS."""

from __future__ import annotations

import re

from idg.importer.results import ImportRefused
from idg.sip.record import Record

DEPTH_MAX = 400
"""How deeply expressions may be nested; Python's stack allows a few times as much."""
TOKEN = re.compile(
    r'[ \t\r\n]+|;[^\n]*|(?P<open>\()|(?P<close>\))|(?P<quoted>\|[^|\\]*\|)|(?P<string>"(?:[^"]|"")*")|(?P<word>[^\s()|";]+)'
)

PASSED_OVER = frozenset(
    {"set-logic", "set-info", "set-option", "check-sat", "check-synth", "get-model", "exit", "declare-primed-var"}
)
"""Commands that do not change what is asked."""


class SPlace(Record):
    """Where an expression begins; line and column from 1."""

    line: int
    column: int


class SAtom(Record):
    """A symbol, a number, a keyword or a string."""

    text: str
    place: SPlace
    quoted: bool = False
    """Whether it stood between bars or quotation marks."""


class SList(Record):
    items: tuple[SAtom | SList, ...]
    place: SPlace


SExpr = SAtom | SList


def read_sexprs(text: str) -> list[SExpr]:
    """Raises ImportRefused where the text is not a sequence of S-expressions."""
    done: list[SExpr] = []
    stack: list[tuple[SPlace, list[SExpr]]] = []
    line, line_start, position = 1, 0, 0
    while position < len(text):
        place = SPlace(line, position - line_start + 1)
        token = TOKEN.match(text, position)
        if token is None:
            raise refusal(place, "this is neither a symbol nor a number nor a bracket")
        into = stack[-1][1] if stack else done
        match token.lastgroup:
            case "open":
                if len(stack) >= DEPTH_MAX:
                    raise refusal(place, f"brackets are nested more than {DEPTH_MAX} deep")
                stack.append((place, []))
            case "close":
                if not stack:
                    raise refusal(place, "this bracket closes nothing")
                start, items = stack.pop()
                (stack[-1][1] if stack else done).append(SList(tuple(items), start))
            case "quoted" | "string":
                into.append(SAtom(token.group()[1:-1], place, quoted=True))
            case "word":
                into.append(SAtom(token.group(), place))
        newlines = token.group().count("\n")
        if newlines:
            line += newlines
            line_start = position + token.group().rindex("\n") + 1
        position = token.end()
    if stack:
        raise refusal(stack[-1][0], "this bracket is not closed")
    return done


def refusal(place: SPlace, reason: str, hint: str = "") -> ImportRefused:
    return ImportRefused(place.line, place.column, reason, hint)


def head_of(expr: SExpr) -> str:
    """The symbol that a list begins with; empty where there is none."""
    if isinstance(expr, SList) and expr.items and isinstance(expr.items[0], SAtom):
        return expr.items[0].text
    return ""


def items_of(expr: SExpr, what: str, count: int | None = None) -> tuple[SExpr, ...]:
    """The parts of a list. `what` says for a refusal what should stand here."""
    if not isinstance(expr, SList) or (count is not None and len(expr.items) != count):
        raise refusal(expr.place, f"here should stand {what}")
    return expr.items


def symbol_of(expr: SExpr, what: str) -> str:
    if not isinstance(expr, SAtom) or not expr.text:
        raise refusal(expr.place, f"here should stand {what}")
    return expr.text
