"""Bots that play in rooms through several coordinators, whatever becomes of these, and note what they saw.

A bot sends a request again, with the same id, at the next coordinator, until it has an answer.
"""

from __future__ import annotations

import asyncio
import contextlib
import random
import time
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

import aiohttp

from idg.sip.record import Record, replace
from tests.support.servers.cluster.history import Call, History, Look, Shown, Watched
from tests.support.servers.hostile.fault_helpers import Person, stored_events, until
from tests.support.volume import volume
from tests.support.waiting import HANG_SECONDS

TRY_SECONDS = 5.0
"""How long a bot waits for an answer before it asks another coordinator."""
PAUSE_SECONDS = 0.1
"""How long a bot waits after a failure."""
THINKING_SECONDS = volume(1, 12)
"""How long a bot thinks at most between two moves."""
EVENTS_MAX = 100_000
"""More events than the bots make."""
PEOPLE_A_ROOM = 3
"""How many bots play in one room."""


def proposals(number: int) -> Callable[[int], str]:
    """Expressions about the level multiply, all different: facts that are kept, that displace others, and that are wrong."""
    kinds = ("cnt <= m + {}", "res + {0} = n * cnt + {0}", "cnt + {} >= 0", "res <= n * m + {}", "cnt <= {}", "res >= {} - m")

    def text(turn: int) -> str:
        return kinds[(number + turn) % len(kinds)].format(number * 100 + turn)

    return text


class Bot:
    """Plays in one room."""

    def __init__(self, web: aiohttp.ClientSession, urls: Sequence[str], number: int, token: str, room: str) -> None:
        self.name = f"bot{number}"
        self.web = web
        self.urls = urls
        self.room = room
        self.calls: list[Call] = []
        self.looks: list[Look] = []
        self._headers = {"Authorization": f"Bearer {token}"}
        self._text = proposals(number)
        self._random = random.Random(number)
        self._place = number
        """Which coordinator is asked next."""
        self.refusals: list[str] = []
        """Answers that no fault explains."""

    async def play(self, is_over: Callable[[], bool]) -> None:
        while not is_over():
            await self._propose(len(self.calls))
            if self._random.random() < 0.3:
                await self._look()
            if self._random.random() < 0.3:
                self._place += 1  # No coordinator is one's own.
            await asyncio.sleep(THINKING_SECONDS * self._random.random())

    def answers_since(self, moment: float) -> int:
        """How many requests were sent and answered after a moment."""
        return sum(call.answered is not None and call.sent > moment for call in self.calls)

    async def _propose(self, turn: int) -> None:
        request = f"{self.name}-{turn}"
        body = {"expression": self._text(turn), "request": request}
        self.calls.append(Call(self.name, self.room, request, time.monotonic(), sends=0))
        while True:
            self.calls[-1] = replace(self.calls[-1], sends=self.calls[-1].sends + 1)
            answer = await self._asked("POST", f"/api/rooms/{self.room}/proposals", body)
            if answer is not None:
                self.calls[-1] = replace(self.calls[-1], answered=time.monotonic(), answer=answer["event"])
                return
            self._place += 1
            await asyncio.sleep(PAUSE_SECONDS)

    async def _look(self) -> None:
        sent = time.monotonic()
        answer = await self._asked("GET", f"/api/rooms/{self.room}", None)
        if answer is not None:
            self.looks.append(Look(self.name, self.room, sent, time.monotonic(), answer["last_event"]))

    async def _asked(self, method: str, path: str, body: dict[str, Any] | None) -> dict[str, Any] | None:
        url = self.urls[self._place % len(self.urls)] + path
        with contextlib.suppress(aiohttp.ClientError, TimeoutError, OSError):
            timeout = aiohttp.ClientTimeout(total=TRY_SECONDS)
            async with self.web.request(method, url, json=body, headers=self._headers, timeout=timeout) as answer:
                content: dict[str, Any] = await answer.json()
                if answer.status == 200:
                    return content
                if answer.status not in (429, 503):
                    self.refusals.append(f"{answer.status} {content}")
        return None


class RoomWatcher:
    """Watches a room by a socket. It comes back at the next coordinator, and says which event it saw last."""

    def __init__(self, web: aiohttp.ClientSession, urls: Sequence[str], token: str, room: str, name: str) -> None:
        self.room = room
        self.seen: list[Shown] = []
        self.watched: list[Watched] = []
        self._name = name
        self._people = [Person(web, url, token) for url in urls]
        self._task = asyncio.create_task(self._watch())

    async def _watch(self) -> None:
        place = len(self._name)
        while True:
            start = len(self.seen)
            try:
                async for event in self._people[place % len(self._people)].events(self.room, start):
                    self.seen.append(event)
            except (aiohttp.ClientError, OSError, TimeoutError):
                pass
            finally:
                self.watched.append(Watched(self._name, self.room, start, tuple(self.seen[start:])))
            place += 1
            await asyncio.sleep(PAUSE_SECONDS)

    async def end(self) -> None:
        self._task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await self._task


class Party:
    """Many bots in rooms of a few each, and a watcher in every room."""

    def __init__(self, web: aiohttp.ClientSession, urls: Sequence[str]) -> None:
        self.web = web
        self.urls = urls
        self.bots: list[Bot] = []
        self.watchers: list[RoomWatcher] = []
        self.is_over = False
        self._playing: list[asyncio.Task[None]] = []

    @classmethod
    async def gather(cls, web: aiohttp.ClientSession, urls: Sequence[str], bots: int) -> Party:
        """Everybody comes through one coordinator or the other, and joins their room through the other."""
        party = cls(web, urls)
        room, code = "", ""
        for number in range(bots):
            here, there = urls[number % len(urls)], urls[(number + 1) % len(urls)]
            token = (await _posted(web, f"{here}/api/players", {"name": f"bot{number}"}))["token"]
            if number % PEOPLE_A_ROOM == 0:
                wanted = {"level": "multiply", "shared": True, "resume": False}
                opened = await _posted(web, f"{there}/api/rooms", wanted, token)
                room, code = opened["room"]["room"], opened["room"]["code"]
                party.watchers.append(RoomWatcher(web, urls, token, room, f"watcher{number}"))
            else:
                await _posted(web, f"{there}/api/rooms/join", {"code": code}, token)
            party.bots.append(Bot(web, urls, number, token, room))
        party._playing = [asyncio.create_task(bot.play(lambda: party.is_over)) for bot in party.bots]
        return party

    async def answered(self, since: float, times: int = 1) -> float:
        """Waits until every bot has so many answers to requests that it sent after a moment; returns how many seconds passed since
        that moment until then."""

        def all_have() -> bool:
            for task in self._playing:
                if task.done():
                    task.result()
            return all(bot.answers_since(since) >= times for bot in self.bots)

        await until(all_have, f"every bot has {times} answers")
        return time.monotonic() - since

    def longest_wait(self, since: float) -> float:
        """The longest time for which a bot waited for an answer after a moment."""
        calls = (call for bot in self.bots for call in bot.calls)
        return max(call.answered - max(call.sent, since) for call in calls if call.answered is not None and call.answered > since)

    async def end(self, database: str) -> History:
        """Everybody stops when they have the answer for which they wait; returns all that they saw."""
        self.is_over = True
        await asyncio.wait_for(asyncio.gather(*self._playing), HANG_SECONDS)
        rooms = await self._logs(database)
        await until(lambda: all(len(w.seen) >= len(rooms[w.room]) for w in self.watchers), "every watcher has seen all")
        for watcher in self.watchers:
            await watcher.end()
        refusals = [refusal for bot in self.bots for refusal in bot.refusals]
        assert not refusals, refusals[:5]
        return History(
            tuple(call for bot in self.bots for call in bot.calls),
            tuple(look for bot in self.bots for look in bot.looks),
            tuple(part for watcher in self.watchers for part in watcher.watched),
            rooms,
        )

    async def _logs(self, database: str) -> dict[str, list[Shown]]:
        """Room → its events, when all are answered, as a coordinator tells them."""

        async def all_answered() -> bool:
            events = await stored_events(database, EVENTS_MAX)
            answered = {(event.room, event.answers) for event in events if event.kind == "judged"}
            return all((event.room, event.number) in answered for event in events if event.kind == "proposed")

        await until(all_answered, "every proposal is answered")
        rooms: dict[str, list[Shown]] = {}
        for bot in self.bots:
            if bot.room in rooms:
                continue
            rooms[bot.room] = []
            while True:
                after = len(rooms[bot.room])
                page = await _until_told(bot, f"/api/rooms/{bot.room}/events?after={after}&limit=500")
                rooms[bot.room] += page["events"]
                if len(rooms[bot.room]) >= page["last_event"]:
                    break
        return rooms


async def _posted(web: aiohttp.ClientSession, url: str, body: dict[str, Any], token: str = "") -> dict[str, Any]:
    """The answer. A server that is busy, or whose node is silent for a moment, is asked again, but not for ever: a quota of a
    day was used up once, and the test never ended."""
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    start = time.monotonic()
    while True:
        async with web.post(url, json=body, headers=headers) as answer:
            content: dict[str, Any] = await answer.json()
        if answer.status == 200:
            return content
        assert answer.status in (429, 503), content
        assert time.monotonic() < start + HANG_SECONDS, content
        await asyncio.sleep(PAUSE_SECONDS)


async def _until_told(bot: Bot, path: str) -> dict[str, Any]:
    while True:
        answer = await bot._asked("GET", path, None)
        if answer is not None:
            return answer
        bot._place += 1
        await asyncio.sleep(PAUSE_SECONDS)


Fault = Callable[[], Awaitable[None]]
"""Makes something go wrong."""


class Waited(Record):
    """How many seconds bots waited for answers."""

    usual: float
    """The longest wait before the fault: this is what the machine can do."""
    first: float
    """Until the first answer to a request that was sent after the fault, or after it was healed."""
    longest: float
    """The longest wait from then on, counted from then where the request was under way already."""


async def play_through(party: Party, fault: Fault, heal: Fault | None = None, heal_seconds: float = 0.0) -> Waited:
    """Everybody plays; a fault happens; everybody gets answers again. What does not heal by itself is healed after some seconds."""
    await party.answered(0.0, 2)
    await party.answered(time.monotonic())
    usual = party.longest_wait(0.0)
    moment = time.monotonic()
    await fault()
    if heal is not None:
        await asyncio.sleep(heal_seconds)
        await heal()
        moment = time.monotonic()
    await party.answered(moment)
    first = min(call.answered for bot in party.bots for call in bot.calls if call.answered and call.sent > moment) - moment
    await party.answered(time.monotonic(), 2)
    return Waited(usual, first, party.longest_wait(moment))
