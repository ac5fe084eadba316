"""Who is in which room at other coordinators, as far as they have told us."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from idg.coordinator.cluster.coordinators.news import WhoCame, WhoIsHere

SILENT_SECONDS = 10.0
"""A coordinator that is not heard of for so long is taken for gone, and with it all who were in rooms there."""


class Report:
    """What one coordinator has told."""

    def __init__(self) -> None:
        self.heard = 0.0
        """When we have heard of it last, by the monotonic clock."""
        self.change: int | None = None
        """The number of the last change that we know; None where we do not know who is there."""
        self.rooms: dict[str, set[str]] = {}
        self.listed: dict[str, set[str]] = {}
        """The parts of a list that is being told."""
        self.parts = 0
        """How many parts of it we have."""


class Elsewhere:
    def __init__(self, show: Callable[[str], None], ask: Callable[[str], None]) -> None:
        """`show` is called with each room in which somebody came or went; `ask` with each coordinator that should tell who is
        there, because something was missed."""
        self._show = show
        self._ask = ask
        self._reports: dict[str, Report] = {}

    def players(self, room: str) -> frozenset[str]:
        """Those who are in the room at other coordinators."""
        present = [report.rooms[room] for report in self._reports.values() if room in report.rooms]
        return frozenset().union(*present) if present else frozenset()

    def coordinators(self) -> tuple[str, ...]:
        """The others of which we have heard of late."""
        return tuple(self._reports)

    def beat(self, coordinator: str, change: int, now: float) -> None:
        report = self._heard(coordinator, now)
        if report.change != change:
            self._ask(coordinator)

    def changed(self, coordinator: str, came: WhoCame, now: float) -> None:
        report = self._heard(coordinator, now)
        if report.change is None or report.change >= came.change:
            return  # We do not know the rest yet, or the list that we know is newer.
        if report.change + 1 != came.change:
            report.change = None
            self._ask(coordinator)
            return
        report.change = came.change
        for room, players in came.came.items():
            report.rooms.setdefault(room, set()).update(players)
        for room, players in came.went.items():
            present = report.rooms.get(room, set())
            present.difference_update(players)
            if not present:
                report.rooms.pop(room, None)
        self._show_all((*came.came, *came.went))

    def listed(self, coordinator: str, news: WhoIsHere, now: float) -> None:
        report = self._heard(coordinator, now)
        if news.part == 1:
            report.listed, report.parts = {}, 0
        if news.part != report.parts + 1:
            return  # A part got lost. The next sign of life makes us ask again.
        report.parts = news.part
        report.listed |= {room: set(players) for room, players in news.rooms.items()}
        if news.part == news.parts:
            before, report.rooms, report.listed = report.rooms, report.listed, {}
            report.change = news.change
            self._show_all(room for room in before.keys() | report.rooms.keys() if before.get(room) != report.rooms.get(room))

    def drop_silent(self, now: float) -> None:
        for coordinator in [name for name, report in self._reports.items() if now - report.heard > SILENT_SECONDS]:
            self.forget(coordinator)

    def forget(self, coordinator: str) -> None:
        """The coordinator has ended."""
        report = self._reports.pop(coordinator, None)
        if report is not None:
            self._show_all(report.rooms)

    def _heard(self, coordinator: str, now: float) -> Report:
        report = self._reports.setdefault(coordinator, Report())
        report.heard = now
        return report

    def _show_all(self, rooms: Iterable[str]) -> None:
        for room in dict.fromkeys(rooms):
            self._show(room)
