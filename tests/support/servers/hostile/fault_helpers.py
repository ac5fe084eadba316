"""Helpers of test_faults.py: servers that are killed and started again, players who talk to them, and what the store then has."""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from types import TracebackType
from typing import Any

import aiohttp

from idg.coordinator.cluster.local.programs import free_ports
from idg.coordinator.store import Event, Store
from tests.support.command_line import carried_out
from tests.support.programs.known_levels import known_level
from tests.support.waiting import HANG_SECONDS

EVENTS_MAX = 10_000
"""More events than any of these tests stores."""
ASK_AGAIN_SECONDS = 0.01
"""How long `until` waits before it asks for the second time; each further wait is half as long again as the one before."""
ASK_AGAIN_SECONDS_MAX = 0.2
"""How long `until` waits at most before it asks again."""
_WORKER = b"idg.coordinator.pool.worker"

# Expressions whose analyses take long, about real programs.
CUBES = """fn main(a: nat, b: nat, c: nat) {
  var i, s: int;
  i := 0;
  s := 0;
  while (i < a) {
    i := i + 1;
    s := s + i * i * i;
  }
  assert(s >= 0);
}
"""
TANGLE = """fn main(n: nat, m: nat) {
  var x, y, z: int;
  x := 0;
  y := 1;
  z := 2;
  while (x < n) {
    x := x + 1;
    y := y * z + x * y - m;
    z := z * z - y * x;
  }
  assert(x = n);
}
"""
MANY_SECONDS_IN_TANGLE = "y * y * y + z * z * z != 33 + x * x * x * x"
"""Judging it in TANGLE takes half a minute."""
_GCD = known_level("gcd-and-lcm")
GCD = _GCD.source
GCD_FACTS = ("x * u + y * v = 2 * a * b", "gcd(x, y) = gcd(a, b)", "x > 0 & y > 0")
"""Judging each takes some hundredths of a second, and together they solve the program."""


def hundredths_of_a_second(number: int) -> tuple[str, str]:
    """Two expressions about GCD that are different for each number."""
    return f"x * u + y * v + {number} = 2 * a * b + {number}", f"gcd(x, y) + {number} = gcd(a, b) + {number}"


_SLEEPER = """
import sys, time
from pathlib import Path

asleep = Path(__file__).with_name("asleep")
if "idg.coordinator.pool.computing.analyses" in sys.orig_argv and asleep.exists():
    from idg.coordinator.pool.computing import analyses

    propose, part = analyses.CALLS["propose"], asleep.read_text(encoding="utf-8")

    def propose_or_sleep(arguments):
        while part in arguments["expression"] and asleep.exists():
            time.sleep(0.05)
        return propose(arguments)

    analyses.CALLS["propose"] = propose_or_sleep
"""


class SleepingWorkers:
    """Engine workers that come to no end with certain proposals until they are woken. They sleep, and so cost no processor time."""

    def __init__(self, folder: Path, part: str) -> None:
        """They sleep over the expressions that have this part."""
        self.folder = folder / "sleeping"
        self.folder.mkdir()
        (self.folder / "sitecustomize.py").write_text(_SLEEPER, encoding="utf-8")
        (self.folder / "asleep").write_text(part, encoding="utf-8")

    @property
    def environment(self) -> dict[str, str]:
        """The variables of a server that shall have such workers."""
        return {"PYTHONPATH": str(self.folder)}

    def wake(self) -> None:
        """Let them go on, and judge everything from now on."""
        (self.folder / "asleep").unlink()


def free_port() -> int:
    """A port that stays free while a server is started again."""
    return free_ports(1)[0]


class Server:
    """`idg serve` as a process of its own, with one engine worker, which may take as long as a busy machine needs.

    It is killed at the end of the `with` if it has not ended before."""

    def __init__(
        self, folder: Path, *flags: str, port: int = 0, database: str = "", environment: dict[str, str] | None = None
    ) -> None:
        command = [
            sys.executable, "-m", "idg", "serve", "--port", str(port), "--data", str(folder), "--rate-player", "0",
            "--rate-address", "0", "--workers", "1", "--deadline-seconds", str(HANG_SECONDS),
            *(("--database", database) if database else ()), *flags,
        ]  # fmt: skip
        self.complaints = folder / "complaints"
        with self.complaints.open("ab") as stderr:
            self.process = subprocess.Popen(
                command,
                stdout=subprocess.PIPE,
                stderr=stderr,
                text=True,
                env=os.environ | (environment or {}),
                start_new_session=True,
            )
        self.url = self._announced()

    def _announced(self) -> str:
        assert self.process.stdout is not None
        output = ""
        for line in self.process.stdout:
            output += line
            if line.startswith("Ctrl-C"):
                break
        announced = re.search(r"^IDG is at (http://\S+)/$", output, re.MULTILINE)
        assert announced is not None, f"the server did not start: {output}{self.complaints.read_text()}"
        return announced[1]

    def __enter__(self) -> Server:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if self.process.poll() is None:
            self.kill()
        if self.process.stdout is not None:
            self.process.stdout.close()

    def kill(self) -> None:
        """Ends the process as `kill -9` does."""
        self.process.kill()
        self.process.wait()

    def end(self, number: signal.Signals) -> int:
        """Asks the server to end, waits until it has, and returns its exit code."""
        self.process.send_signal(number)
        return self.process.wait(HANG_SECONDS)

    def workers(self) -> list[int]:
        """The process ids of the server's engine workers."""
        pids = []
        for folder in Path("/proc").iterdir():
            if folder.name.isdecimal() and _parent(folder) == self.process.pid and _is_worker(folder):
                pids.append(int(folder.name))
        return pids


def _parent(folder: Path) -> int | None:
    try:
        return int((folder / "stat").read_bytes().rpartition(b")")[2].split()[1])
    except (OSError, IndexError):
        return None


def _is_worker(folder: Path) -> bool:
    """Whether this process is a worker. Zombies have no command line, so they do not count."""
    try:
        return _WORKER in (folder / "cmdline").read_bytes()
    except OSError:
        return False


def still_alive(pids: list[int]) -> list[int]:
    return [pid for pid in pids if _is_worker(Path(f"/proc/{pid}"))]


def signal_all(pids: list[int], number: signal.Signals) -> None:
    for pid in pids:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, number)


def kill_all(pids: list[int]) -> None:
    signal_all(pids, signal.SIGKILL)


async def until(holds: Callable[[], Any], condition: str) -> None:
    """Waits until `holds` returns something true; a coroutine function is awaited.

    Asking may cost a request or a walk through a database, so the longer it takes, the less often we ask."""
    latest = time.monotonic() + HANG_SECONDS
    pause = ASK_AGAIN_SECONDS
    while True:
        result = holds()
        if asyncio.iscoroutine(result):
            result = await result
        if result:
            return
        assert time.monotonic() < latest, f"waited {HANG_SECONDS} s until {condition}"
        await asyncio.sleep(pause)
        pause = min(1.5 * pause, ASK_AGAIN_SECONDS_MAX)


class Person:
    """A player at a server."""

    def __init__(self, session: aiohttp.ClientSession, url: str, token: str) -> None:
        self.session = session
        self.url = url
        self.headers = {"Authorization": f"Bearer {token}"}

    @classmethod
    async def arrive(cls, session: aiohttp.ClientSession, url: str) -> Person:
        async with session.post(f"{url}/api/players", json={}) as answer:
            return cls(session, url, (await answer.json())["token"])

    def at(self, url: str) -> Person:
        """The same player at another coordinator on the same database."""
        person = Person(self.session, url, "")
        person.headers = self.headers
        return person

    async def get(self, path: str) -> Any:
        async with self.session.get(f"{self.url}{path}", headers=self.headers) as answer:
            content = await answer.json()
            assert answer.status == 200, content
            return content

    async def post(self, path: str, body: dict[str, Any]) -> Any:
        async with self.session.post(f"{self.url}{path}", json=body, headers=self.headers) as answer:
            content = await answer.json()
            assert answer.status == 200, content
            return content

    async def room(self, source: str, shared: bool = False) -> str:
        """Opens a new room with this program."""
        program = (await self.post("/api/programs", {"source": source}))["program"]
        opened = await self.post("/api/rooms", {"program": program, "shared": shared, "resume": False})
        room: str = opened["room"]["room"]
        return room

    async def propose(self, room: str, expression: str) -> dict[str, Any]:
        """Proposes an expression and returns the judged event."""
        event: dict[str, Any] = (await self.post(f"/api/rooms/{room}/proposals", {"expression": expression}))["event"]
        return event

    async def try_to_propose(self, room: str, expression: str) -> dict[str, Any] | None:
        """Proposes an expression; returns None if the server ends or dies before it answers."""
        with contextlib.suppress(aiohttp.ClientError, AssertionError):
            return await self.propose(room, expression)
        return None

    async def events(self, room: str, after: int = 0) -> AsyncIterator[dict[str, Any]]:
        """Reads the events by WebSocket, until the server closes it."""
        async with self.session.ws_connect(f"{self.url}/api/rooms/{room}/socket?after={after}", headers=self.headers) as socket:
            async for message in socket:
                content = message.json()
                if content["type"] == "event":
                    yield content["event"]


class Watcher:
    """A client that stays in a room. It comes back by itself, and says which event it saw last."""

    def __init__(self, person: Person, room: str) -> None:
        self.seen: list[dict[str, Any]] = []
        self.connections = 0
        self._task = asyncio.create_task(self._watch(person, room))

    async def _watch(self, person: Person, room: str) -> None:
        while True:
            with contextlib.suppress(aiohttp.ClientError):
                self.connections += 1
                async for event in person.events(room, self.seen[-1]["number"] if self.seen else 0):
                    self.seen.append(event)
            await asyncio.sleep(0.02)

    @property
    def numbers(self) -> list[int]:
        return [event["number"] for event in self.seen]

    async def end(self) -> None:
        self._task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await self._task


async def metric(session: aiohttp.ClientSession, url: str, name: str, label: str) -> float:
    """The value of one of the server's metrics, 0 if there is none."""
    async with session.get(f"{url}/metrics") as answer:
        text = await answer.text()
    sample = re.search(rf'^{name}{{[^}}]*"{label}"}} (\S+)$', text, re.MULTILINE)
    return float(sample[1]) if sample else 0.0


@contextlib.asynccontextmanager
async def opened(database: str) -> AsyncIterator[Store]:
    store = await Store.open(database)
    try:
        yield store
    finally:
        await store.close()


async def stored_events(database: str, limit: int = EVENTS_MAX) -> list[Event]:
    async with opened(database) as store:
        return await _events(store, limit)


async def _events(store: Store, limit: int = EVENTS_MAX) -> list[Event]:
    return [placed.event for placed in await store.all_events(0, limit)]


async def until_proposed(store: Store, count: int) -> None:
    async def holds() -> bool:
        return len(answers(await _events(store))) >= count

    await until(holds, f"{count} proposals are stored")


async def until_answered(database: str) -> None:
    async with opened(database) as store:

        async def holds() -> bool:
            return 0 not in answers(await _events(store)).values()

        await until(holds, "every proposal is answered")


def answers(events: list[Event]) -> dict[tuple[str, int], int]:
    """The number of verdicts of each stored proposal."""
    proposals = {(event.room or "", event.number or 0): 0 for event in events if event.kind == "proposed"}
    counted = Counter((event.room or "", event.answers or 0) for event in events if event.kind == "judged")
    assert set(counted) <= set(proposals), "a verdict answers a proposal"
    return proposals | counted


def rooms_of(events: list[Event]) -> Iterator[list[int]]:
    """The numbers of each room's events."""
    for room in {event.room for event in events if event.room is not None}:
        yield [event.number or 0 for event in events if event.room == room]


def replay_all(folder: Path, database: str = "") -> tuple[int, str]:
    """The exit code of `idg replay all`, and what it tells."""
    result = carried_out("replay", "all", "--data", str(folder), *(("--database", database) if database else ()))
    return result.returncode, result.stdout + result.stderr
