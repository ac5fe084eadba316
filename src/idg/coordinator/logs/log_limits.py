"""A log that cannot be flooded: of lines that are alike, a few are written in each period, and then how many were left out.

Lines are alike where they have the same logger, level and text before its details are filled in, and, where an exception is logged,
the same place in the code that raised it. This holds for all lines, also those of libraries, so that nothing can fill the disk with
them: neither a client that provokes errors nor a database that is gone.
"""

from __future__ import annotations

import logging
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from typing import TextIO

PERIOD_SECONDS = 60.0
"""How long lines that are alike are counted together."""
LINES_A_PERIOD = 10
"""How many lines that are alike are written in a period."""
KINDS_MAX = 1_000
"""How many kinds of lines are counted; beyond that, the one that was not written for longest is forgotten."""

Kind = tuple[str, int, str, str]


class _Count:
    """How often a kind of line came since the beginning of its period."""

    __slots__ = ("begun", "lines")

    def __init__(self, begun: float) -> None:
        self.begun = begun
        self.lines = 0


class LimitedHandler(logging.StreamHandler[TextIO]):
    """Writes the log to a stream, within the limits above."""

    def __init__(self, stream: TextIO, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__(stream)
        self._clock = clock
        self._counts: OrderedDict[Kind, _Count] = OrderedDict()

    def emit(self, record: logging.LogRecord) -> None:
        """Called by one thread at a time, because `logging` holds the handler's lock."""
        kind = _kind(record)
        count = self._counts.get(kind)
        if count is None or self._clock() - count.begun >= PERIOD_SECONDS:
            self._end(kind)
            count = self._counts[kind] = _Count(self._clock())
            if len(self._counts) > KINDS_MAX:
                self._end(next(iter(self._counts)))
        count.lines += 1
        if count.lines <= LINES_A_PERIOD:
            super().emit(record)
        elif count.lines == LINES_A_PERIOD + 1:
            timer = threading.Timer(PERIOD_SECONDS - (self._clock() - count.begun), self._tell, (kind, count))
            timer.daemon = True
            timer.start()

    def close(self) -> None:
        """Says what was left out until now. `logging` calls this when the process ends."""
        self.acquire()
        try:
            for kind in tuple(self._counts):
                self._end(kind)
        finally:
            self.release()
        super().close()

    def _tell(self, kind: Kind, count: _Count) -> None:
        """The period is over: say how many lines were left out, unless the next line has done so."""
        self.acquire()
        try:
            if self._counts.get(kind) is count:
                self._end(kind)
        finally:
            self.release()

    def _end(self, kind: Kind) -> None:
        count = self._counts.pop(kind, None)
        left_out = 0 if count is None else count.lines - LINES_A_PERIOD
        if left_out > 0:
            logger, level, text, _ = kind
            told = logging.LogRecord(logger, level, "", 0, "%d more lines like this were left out: %s", (left_out, text), None)
            super().emit(told)


def _kind(record: logging.LogRecord) -> Kind:
    raised = ""
    if record.exc_info and record.exc_info[0] is not None:
        trace = record.exc_info[2]
        while trace is not None and trace.tb_next is not None:
            trace = trace.tb_next
        place = "" if trace is None else f" {trace.tb_frame.f_code.co_filename}:{trace.tb_lineno}"
        raised = record.exc_info[0].__name__ + place
    return record.name, record.levelno, str(record.msg), raised
