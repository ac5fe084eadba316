"""Places in a text: offsets as the language counts them, and positions as editors count them."""

from __future__ import annotations

import re
from bisect import bisect_right

from lsprotocol.types import Position, Range

from idg.sip.syntax import Span

_LINE_END = re.compile(r"\r\n|\n|\r")
"""What ends a line for editors. Python's splitlines knows more line ends, and the language knows fewer."""


class TextPositions:
    """Translates between offsets, in code points, and positions: a line and a column in UTF-16 code units, both from 0."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._starts = [0, *(match.end() for match in _LINE_END.finditer(text))]
        self._ends = [*(match.start() for match in _LINE_END.finditer(text)), len(text)]

    def position(self, offset: int) -> Position:
        line = bisect_right(self._starts, offset) - 1
        return Position(line, _units(self.text[self._starts[line] : min(offset, self._ends[line])]))

    def offset(self, position: Position) -> int:
        """The offset of a position. One beyond the end of its line or of the text means that end, as the protocol has it."""
        line: int = position.line
        if line >= len(self._starts):
            return len(self.text)
        offset, end = self._starts[line], self._ends[line]
        units: int = position.character
        while units > 0 and offset < end:
            units -= _units(self.text[offset])
            offset += 1
        return offset

    def range(self, span: Span) -> Range:
        return Range(self.position(span.start), self.position(span.end))

    def rest_of_line(self, line: int, column: int) -> Range:
        """From a place, both counted from 1, to the end of its line."""
        number = min(line, len(self._starts)) - 1
        end = self._starts[number] + len(self.text[self._starts[number] : self._ends[number]].rstrip())
        return self.range(Span(min(self._starts[number] + column - 1, end), end))

    def line(self, offset: int) -> int:
        return bisect_right(self._starts, offset) - 1


def _units(text: str) -> int:
    """How many UTF-16 code units a text has."""
    return len(text) + sum(char > "\uffff" for char in text)
