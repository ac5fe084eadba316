"""Errors for people. A problem has a code, a place in the text, a sentence that says what was found and expected, and a hint.

The sentences are in messages.py.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from idg.sip.messages import MESSAGES
from idg.sip.record import Record, replace
from idg.sip.syntax import Span

if TYPE_CHECKING:
    from typing import Self

PROBLEMS_MAX = 20
"""Problems reported for one text. Nobody would read more of them."""
SHOWN_CHARS_MAX = 160
"""Characters of a source line that an error shows."""


class LaterHint(str):
    """A hint that takes a while to find. It is empty until a SipError asks for it, which asks for the first problems only."""

    __slots__ = ("search",)
    search: Callable[[], str]

    def __new__(cls, search: Callable[[], str]) -> Self:
        hint = super().__new__(cls)
        hint.search = search
        return hint


class Problem(Record):
    """One thing wrong with a text."""

    code: str
    message: str
    span: Span
    hint: str = ""


def problem(code: str, span: Span, /, hint: str = "", **details: object) -> Problem:
    """The problem with this code; the details fill the gaps of its sentence."""
    return Problem(code, MESSAGES[code].format(**details), span, hint)


Place = tuple[int, int]
"""A line and a column of a text. Both count from 1, and columns count code points."""


class MadeText(str):
    """The text of a program that was made from a text in another language. Whoever reads about it knows only the other text."""

    __slots__ = ("places",)
    places: tuple[Place, ...]
    """For each line, the place in the other text from which it comes."""

    def __new__(cls, text: str, places: tuple[Place, ...]) -> MadeText:
        made = super().__new__(cls, text)
        made.places = places
        return made

    def __reduce__(self) -> tuple[type[MadeText], tuple[str, tuple[Place, ...]]]:
        return MadeText, (str(self), self.places)


def line_and_column(text: str, offset: int) -> Place:
    """The place of an offset. In a text that was made from another one, it is the place there."""
    line = text.count("\n", 0, offset) + 1
    if isinstance(text, MadeText):
        return text.places[line - 1]
    return line, offset - (text.rfind("\n", 0, offset) + 1) + 1


class InputError(ValueError):
    """An input that a program cannot be run with; the message is for people."""


class SipError(Exception):
    """A text that is not a SIP program or expression, with the problems that were found, at most 20 of them.

    `str(error)` is for people: each problem with its place, the source line and a hint.
    """

    def __init__(self, text: str, problems: Iterable[Problem]) -> None:
        different = tuple(dict.fromkeys(problems))
        assert different, "a SipError needs a problem"
        self.text = text
        self.problems = tuple(
            replace(problem, hint=problem.hint.search()) if isinstance(problem.hint, LaterHint) else problem
            for problem in different[:PROBLEMS_MAX]
        )
        """What is wrong, first things first."""
        self.more = len(different) - len(self.problems)
        """The number of further problems."""
        super().__init__(text, self.problems)

    @property
    def code(self) -> str:
        """The code of the first problem."""
        return self.problems[0].code

    def __str__(self) -> str:
        return self.render()

    def render(self, source: str = "") -> str:
        """All problems with their source lines; `source` is the file's name, shown before the place."""
        shown = [render_problem(self.text, problem, source) for problem in self.problems]
        if self.more:
            shown.append(f"… and {self.more} more problem{'s' * (self.more > 1)}")
        return "\n".join(shown)

    def as_json(self) -> list[dict[str, object]]:
        """The one JSON error shape: code, message, where, hint."""
        return [_problem_json(self.text, problem) for problem in self.problems]


def _problem_json(text: str, problem: Problem) -> dict[str, object]:
    return {"code": problem.code, "message": problem.message, "where": where_json(text, problem.span), "hint": problem.hint}


def where_json(text: str, span: Span) -> dict[str, int]:
    """A place in a text: line and column of its start, from 1, and offsets in code points, from 0."""
    line, column = line_and_column(text, span.start)
    return {"line": line, "column": column, "start": span.start, "end": span.end}


def source_line(text: str, span: Span) -> tuple[str, int, int]:
    """The line on which the span starts, cut to what can be shown; then where the caret starts in it and how long it is."""
    begin = text.rfind("\n", 0, span.start) + 1
    end = text.find("\n", span.start)
    end = len(text) if end < 0 else end
    column = span.start - begin
    caret = max(1, min(span.end, end) - span.start)
    cut = max(0, column - SHOWN_CHARS_MAX * 3 // 4)
    line = text[begin + cut : min(end, begin + cut + SHOWN_CHARS_MAX)]
    column -= cut
    if cut:
        line, column = "…" + line, column + 1
    return _visible(line), column, min(caret, max(1, len(line) - column))


def _visible(line: str) -> str:
    """The line with each character that is not printable replaced by one that takes one column."""
    line = line.removesuffix("\r")
    return line if line.isprintable() else "".join(char if char.isprintable() else " " if char.isspace() else "�" for char in line)


def render_problem(text: str, problem: Problem, source: str = "") -> str:
    """The problem with its source line and a caret under the place."""
    line_number, column = line_and_column(text, problem.span.start)
    line, caret_start, caret_length = source_line(text, problem.span)
    place = f"{source}:{line_number}:{column}" if source else f"line {line_number}, column {column}"
    number = str(line_number)
    shown = [
        f"{place}: {problem.message} [{problem.code}]",
        f"  {number} | {line}",
        f"  {' ' * len(number)} | {' ' * caret_start}{'^' * caret_length}",
    ]
    if problem.hint:
        shown.append(f"  hint: {problem.hint}")
    return "\n".join(shown)
