"""Counts what somebody has to read who follows one request: the functions and files of ours that it enters.

    .venv/bin/python -m tools.hops            # a proposal that nobody has made before, `idg solve` and `idg trace`
    .venv/bin/python -m tools.hops proposal   # one of them, with its files in the order in which they are entered

The way is the chain of calls from the request to the stage of the prover that is asked: what somebody reads who wants to know how
an answer comes about. The deepest chain is the longest one at any moment; it goes on below the stages, into the code that is
generated for one expression. A task belongs to the chain of the call that made it. `through` says in how many files the calls of a
chain are. The engine's part runs in this process, instead of in a worker, so that all of it is seen.
"""

from __future__ import annotations

import asyncio
import contextlib
import io
import json
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType
from typing import Any

from idg.cli.main import main as command_line
from tests.support.servers.coordinators import coordinating
from tools import ROOT

SOURCE = str(ROOT / "src/idg") + "/"
HEADERS = {"host": "127.0.0.1:7400", "origin": "http://127.0.0.1:7400", "content-type": "application/json"}
LEVEL, FACT = "int-square-root", "sqr = (cnt + 1)^2"


Call = tuple[str, str]
"""The file and the name of a function."""
STAGE = "attempt"
"""The name of the function of each stage of the prover."""


def counted(chain: list[Call]) -> str:
    return f"{len(chain)} calls through {len({file for file, _ in chain})} files"


class Followed:
    """The calls of our own functions since it was started."""

    def __init__(self) -> None:
        self.functions: set[tuple[str, str]] = set()
        self.files: dict[str, None] = {}
        self.deepest: list[Call] = []
        """The calls that were under way when most were."""
        self.way: list[Call] = []
        """The calls that were under way when a stage of the prover was asked, at the moment when most were."""
        self._made_by: dict[FrameType, list[Call]] = {}
        """The first frame of a task → the calls that were under way when it was made."""

    def task(self, loop: asyncio.AbstractEventLoop, work: Any, **others: Any) -> asyncio.Task[Any]:
        """Makes a task, as the factory of an event loop, and remembers who made it."""
        self._made_by[work.cr_frame] = self.chain(sys._getframe())
        return asyncio.Task(work, loop=loop, **others)

    def chain(self, frame: FrameType | None) -> list[Call]:
        """The calls of ours that are under way in this frame, the innermost first."""
        calls: list[Call] = []
        while frame is not None:
            if frame.f_code.co_filename.startswith(SOURCE):
                calls.append((frame.f_code.co_filename.removeprefix(SOURCE), frame.f_code.co_qualname))
            if frame in self._made_by:
                return calls + self._made_by[frame]
            frame = frame.f_back
        return calls

    def seen(self, frame: FrameType, event: str, _argument: object) -> None:
        file = frame.f_code.co_filename
        if event != "call" or not file.startswith(SOURCE):
            return
        self.functions.add((file, frame.f_code.co_qualname))
        self.files.setdefault(file.removeprefix(SOURCE))
        chain = self.chain(frame)
        if len(chain) > len(self.deepest):
            self.deepest = chain
        if frame.f_code.co_name == STAGE and len(chain) > len(self.way):
            self.way = chain

    def told(self) -> str:
        way = f"the way has {counted(self.way)}; " if self.way else ""
        return f"{way}the deepest chain has {counted(self.deepest)}; {len(self.functions)} functions in {len(self.files)} files"


@contextlib.contextmanager
def following() -> Iterator[Followed]:
    followed = Followed()
    sys.setprofile(followed.seen)
    try:
        yield followed
    finally:
        sys.setprofile(None)


async def request(app: Any, path: str, body: dict[str, object], cookie: str = "") -> tuple[dict[str, Any], str]:
    """The answer of the application to a POST request, and the cookie that it sets."""
    sent: list[dict[str, Any]] = []
    text = json.dumps(body).encode()
    headers = HEADERS | {"content-length": str(len(text)), "cookie": cookie}
    scope = {
        "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": "POST", "scheme": "http",
        "path": path, "raw_path": path.encode(), "query_string": b"", "root_path": "",
        "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
        "client": ("127.0.0.1", 50_000), "server": ("127.0.0.1", 7400),
    }  # fmt: skip
    waiting = [{"type": "http.request", "body": text, "more_body": False}]

    async def receive() -> dict[str, Any]:
        if waiting:
            return waiting.pop()
        return await asyncio.Future()

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    await app(scope, receive, send)
    cookies = [value.decode() for name, value in sent[0].get("headers", ()) if name.lower() == b"set-cookie"]
    answer = json.loads(b"".join(message.get("body", b"") for message in sent[1:]))
    assert sent[0]["status"] < 300, answer
    return answer, cookies[0].partition(";")[0] if cookies else cookie


async def _proposal() -> Followed:
    from idg.coordinator.web.app import create_app

    with tempfile.TemporaryDirectory() as folder:
        async with coordinating(Path(folder)) as (coordinator, _):
            app = create_app(coordinator)
            opened, cookie = await request(app, "/api/rooms", {"level": LEVEL})
            with following() as followed:
                asyncio.get_running_loop().set_task_factory(followed.task)
                await request(app, f"/api/rooms/{opened['room']['room']}/proposals", {"expression": FACT}, cookie)
    return followed


def proposal() -> Followed:
    """A proposal over HTTP that nobody has made before, from the first line of ours to the answer."""
    return asyncio.run(_proposal())


def carried_out(*arguments: str) -> Followed:
    with contextlib.redirect_stdout(io.StringIO()), following() as followed:
        command_line(list(arguments))
    return followed


WAYS: dict[str, Callable[[], Followed]] = {
    "proposal": proposal,
    "solve": lambda: carried_out("solve", LEVEL, "--processes", "1"),
    "trace": lambda: carried_out("trace", LEVEL, "n=46"),
}


def main() -> None:
    names = sys.argv[1:] or list(WAYS)
    for name in names:
        followed = WAYS[name]()
        print(f"{name}: {followed.told()}")
        if len(names) == 1:
            print("The way:", *(f"  {file}: {function}" for file, function in reversed(followed.way)), sep="\n")
            print("The files, in the order in which they are entered:", *(f"  {file}" for file in followed.files), sep="\n")


if __name__ == "__main__":
    main()
