"""The load generator, a process of its own: `python -m bench.servers.load URL[,URL…] warm|alone|paced|crowd [PLAYERS]`. It prints
its results as JSON lines.

`warm` plays the recorded games once, so that their answers are known. `alone` plays them again, one proposal right after the other.
`paced` plays them again with pauses, so that as many proposals come in a second as from the crowd. `crowd` connects a thousand
players, says so, waits for a line, and lets them play. In each room one player proposes; some rooms have a guest. Where there are
several coordinators, players are divided among them, and guests are at another one than their hosts.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import random
import resource
import sys
import time
from typing import Any

import aiohttp

from bench.proofs.games import Game, Move, is_expression, levels_played, new_game, recorded_games

PLAYERS = 1_000
"""Players who are connected at the same time, guests included."""
GUEST_SHARE = 0.1
"""Share of the players who only watch the room of another player."""
FRESH_SHARE = 0.1
"""Share of the players whose games were not played before, so that the workers have something to do."""
GAMES_A_LEVEL = 8
"""Games of each level whose answers are known."""
WARM_GAMES_SEED = 4
CROWD_SEED = 5
PLAY_SECONDS = 45.0
"""Seconds for which the crowd plays."""
THINK_SECONDS_MEDIAN, THINK_SPREAD = 10.0, 0.6
"""The pauses between proposals have a lognormal distribution with this median and spread; their mean is 12 seconds."""
CROWD_PAUSE_SECONDS = 0.014
"""Seconds between two proposals of the crowd, in the mean: 3,150 in 45 seconds."""
TIMES_PLAYED = {"warm": 1, "alone": 3, "paced": 2}
"""How often each part plays the recorded games."""
ARRIVING_AT_ONCE = 20
"""Players who connect at the same time."""
SETTLE_SECONDS_MAX = 10.0
"""Seconds in which the last events must reach everybody after the play has ended."""
KEPT_OPEN_SECONDS = 25.0
"""Seconds for which an unused connection is kept; most pauses are shorter."""


class Tally:
    def __init__(self) -> None:
        self.errors: list[str] = []
        self.known: list[float] = []
        self.fresh: list[float] = []
        self.proposals = self.events = self.lost = 0

    def as_json(self) -> dict[str, Any]:
        known = sorted(self.known)
        return {
            "proposals": self.proposals,
            "cached": len(known),
            "errors": len(self.errors),
            "first_errors": self.errors[:3],
            "events": self.events,
            "lost_events": self.lost,
            "p50": percentile(known, 0.5),
            "p99": percentile(known, 0.99),
            "max": known[-1] if known else 0.0,
            "uncached": len(self.fresh),
            "uncached_p99": percentile(sorted(self.fresh), 0.99),
        }


def percentile(values: list[float], share: float) -> float:
    return values[min(len(values) - 1, int(len(values) * share))] if values else 0.0


class Player:
    """A player with a connection of its own, as a browser has."""

    def __init__(self, url: str, tally: Tally) -> None:
        self.tally = tally
        self.web = aiohttp.ClientSession(
            url, connector=aiohttp.TCPConnector(limit=1, keepalive_timeout=KEPT_OPEN_SECONDS), cookie_jar=aiohttp.DummyCookieJar()
        )
        self._sockets = aiohttp.ClientSession(url, cookie_jar=aiohttp.DummyCookieJar())
        self.room = self.code = ""
        self.seen = 0
        self._headers: dict[str, str] = {}
        self._watching: asyncio.Task[None] | None = None

    async def arrive(self) -> None:
        self._headers = {"Authorization": f"Bearer {(await self.post('/api/players', {}))['token']}"}

    async def open(self, level: str, shared: bool = False) -> None:
        opened = await self.post("/api/rooms", {"level": level, "shared": shared, "resume": False})
        self.room, self.code = opened["room"]["room"], opened["room"]["code"]

    async def join(self, code: str) -> None:
        self.room = (await self.post("/api/rooms/join", {"code": code}))["room"]["room"]

    async def connect(self) -> None:
        path = f"/api/rooms/{self.room}/socket?after=0"
        socket = await self._sockets.ws_connect(path, headers=self._headers)
        self._watching = asyncio.create_task(self._watch(socket))

    async def _watch(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        async for message in socket:
            content = message.json()
            if content["type"] == "event":
                self.tally.events += 1
                number = content["event"]["number"]
                if number != self.seen + 1:
                    self.tally.lost += 1
                self.seen = number
        self.tally.errors.append(f"a socket was closed: {socket.close_code}")

    async def post(self, path: str, body: dict[str, Any], expected: int = 200) -> Any:
        async with self.web.post(path, json=body, headers=self._headers) as answer:
            content = await answer.json()
        if answer.status != expected:
            self.tally.errors.append(f"{path}: {answer.status} {content}")
        return content

    async def propose(self, game: Game, move: Move, known: bool) -> None:
        readable = is_expression(game.level, move)
        start = time.perf_counter()
        body = {"loop": move.loop, "expression": move.expression}
        await self.post(f"/api/rooms/{self.room}/proposals", body, 200 if readable else 422)
        self.tally.proposals += 1
        if readable:
            (self.tally.known if known else self.tally.fresh).append(time.perf_counter() - start)

    async def play(self, game: Game, known: bool, chooser: random.Random) -> None:
        """Plays the game again and again, with pauses for thought."""
        while True:
            for move in game.moves:
                await asyncio.sleep(chooser.lognormvariate(0, THINK_SPREAD) * THINK_SECONDS_MEDIAN)
                await self.propose(game, move, known)
            await self.post(f"/api/rooms/{self.room}/reset", {})

    async def up_to_date(self) -> bool:
        async with self.web.get(f"/api/rooms/{self.room}", headers=self._headers) as answer:
            return bool((await answer.json())["last_event"] == self.seen)

    async def leave(self) -> None:
        if self._watching is not None:
            self._watching.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._watching
        await self._sockets.close()
        await self.web.close()


async def one_after_the_other(url: str, times: int, pause_seconds: float = 0.0) -> Tally:
    """One player plays the recorded games, with pauses of this mean length before the proposals."""
    tally = Tally()
    chooser = random.Random(CROWD_SEED)
    player = Player(url, tally)
    await player.arrive()
    for game in recorded_games(WARM_GAMES_SEED, GAMES_A_LEVEL) * times:
        await player.open(game.level)
        for move in game.moves:
            if pause_seconds:
                await asyncio.sleep(chooser.expovariate(1 / pause_seconds))
            await player.propose(game, move, known=True)
    await player.leave()
    return tally


async def crowd(urls: list[str], count: int) -> None:
    tally = Tally()
    chooser = random.Random(CROWD_SEED)
    games = recorded_games(WARM_GAMES_SEED, GAMES_A_LEVEL)
    guest_count = int(GUEST_SHARE * count)
    plans = [_plan(chooser, games) for _ in range(count - guest_count)]
    hosts = [Player(urls[number % len(urls)], tally) for number in range(count - guest_count)]
    guests = [Player(urls[(number + 1) % len(urls)], tally) for number in range(guest_count)]
    players = hosts + guests
    await _in_turns(
        [_host(player, game, index < guest_count) for index, (player, (game, _)) in enumerate(zip(hosts, plans, strict=True))]
    )
    await _in_turns([_guest(player, host) for player, host in zip(guests, hosts, strict=False)])
    print(json.dumps({"players": len(players), "errors": len(tally.errors), "first_errors": tally.errors[:3]}), flush=True)
    await asyncio.to_thread(sys.stdin.readline)
    start, cpu = time.monotonic(), time.process_time()
    playing = [
        asyncio.create_task(player.play(game, known, random.Random(chooser.random())))
        for player, (game, known) in zip(hosts, plans, strict=True)
    ]
    await asyncio.sleep(PLAY_SECONDS)
    share = (time.process_time() - cpu) / (time.monotonic() - start)
    for task in playing:
        task.cancel()
    for result in await asyncio.gather(*playing, return_exceptions=True):
        if not isinstance(result, asyncio.CancelledError):
            tally.errors.append(repr(result))
    tally.lost += await _behind(players)
    report = tally.as_json() | {"generator_cpu": round(share, 3)}
    await asyncio.gather(*(player.leave() for player in players))
    print(json.dumps(report), flush=True)


def _plan(chooser: random.Random, games: list[Game]) -> tuple[Game, bool]:
    """A game, and whether its answers are known."""
    if chooser.random() < FRESH_SHARE:
        return new_game(chooser, chooser.choice(levels_played())), False
    return chooser.choice(games), True


async def _host(player: Player, game: Game, shared: bool) -> None:
    await player.arrive()
    await player.open(game.level, shared)
    await player.connect()


async def _guest(player: Player, host: Player) -> None:
    await player.arrive()
    await player.join(host.code)
    await player.connect()


async def _in_turns(work: list[Any]) -> None:
    gate = asyncio.Semaphore(ARRIVING_AT_ONCE)

    async def through(task: Any) -> None:
        async with gate:
            await task

    await asyncio.gather(*map(through, work))


async def _behind(players: list[Player]) -> int:
    """The number of players who have not seen their room's last event although nothing happens any more."""
    latest = time.monotonic() + SETTLE_SECONDS_MAX
    await asyncio.sleep(1)
    while True:
        behind = [player for player in players if not await player.up_to_date()]
        if not behind or time.monotonic() > latest:
            return len(behind)
        players = behind


def main() -> None:
    _, soft = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, soft))
    _, addresses, part, *more = sys.argv
    urls = addresses.split(",")
    if part == "crowd":
        asyncio.run(crowd(urls, int(more[0]) if more else PLAYERS))
    else:
        pause_seconds = CROWD_PAUSE_SECONDS if part == "paced" else 0.0
        tally = asyncio.run(one_after_the_other(urls[0], TIMES_PLAYED[part], pause_seconds))
        print(json.dumps(tally.as_json()), flush=True)


if __name__ == "__main__":
    main()
