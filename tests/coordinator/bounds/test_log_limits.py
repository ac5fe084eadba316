"""The log cannot be flooded, and what is left out is counted."""

from __future__ import annotations

import io
import logging
import threading

import pytest

from idg.coordinator.logs import log_limits
from idg.coordinator.logs.log_limits import LINES_A_PERIOD, PERIOD_SECONDS, LimitedHandler


class _Log:
    """A logger with a clock that the test moves."""

    def __init__(self) -> None:
        self.now = 0.0
        self.stream = io.StringIO()
        self.handler = LimitedHandler(self.stream, lambda: self.now)
        self.logger = logging.Logger("a.logger")
        self.logger.addHandler(self.handler)

    @property
    def lines(self) -> list[str]:
        return self.stream.getvalue().splitlines()


def test_lines_that_are_alike_are_counted() -> None:
    log = _Log()
    for number in range(1_000):
        log.logger.error("request %d failed", number)
    log.logger.error("something else")
    assert log.lines == [*(f"request {number} failed" for number in range(LINES_A_PERIOD)), "something else"]
    log.now = PERIOD_SECONDS
    log.logger.error("request %d failed", 1_000)
    assert log.lines[-2:] == [
        f"{1_000 - LINES_A_PERIOD} more lines like this were left out: request %d failed",
        "request 1000 failed",
    ]
    for number in range(LINES_A_PERIOD):
        log.logger.error("request %d failed", number)
    log.handler.close()
    assert log.lines[-1] == "1 more lines like this were left out: request %d failed"


def test_different_mistakes_are_different_lines() -> None:
    log = _Log()
    for number in range(100):
        try:
            if number % 2:
                raise ValueError(number)
            raise KeyError(number)
        except (ValueError, KeyError):
            log.logger.exception("a request failed")
    assert log.stream.getvalue().count("ValueError: ") == log.stream.getvalue().count("KeyError: ") == LINES_A_PERIOD


def test_the_count_is_told_when_no_further_line_comes(monkeypatch: pytest.MonkeyPatch) -> None:
    timers = []

    class _Timer:
        def __init__(self, seconds: float, function: object, arguments: tuple[object, ...]) -> None:
            timers.append((seconds, function, arguments))

        def start(self) -> None: ...

    monkeypatch.setattr(threading, "Timer", _Timer)
    log = _Log()
    log.now = 5.0
    for _ in range(LINES_A_PERIOD + 7):
        log.logger.warning("a line")
        log.now = 15.0
    [(seconds, function, arguments)] = timers
    assert seconds == PERIOD_SECONDS - 10
    for _ in range(2):
        function(*arguments)  # type: ignore[operator]
        assert log.lines[LINES_A_PERIOD:] == ["7 more lines like this were left out: a line"]


def test_the_memory_of_the_log_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(log_limits, "KINDS_MAX", 5)
    log = _Log()
    for number in range(50):
        log.logger.error(f"line {number}")
    assert len(log.lines) == 50
    assert len(log.handler._counts) == 5
