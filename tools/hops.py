"""Counts what somebody has to read who follows one request: the functions and files of ours that it enters.

    .venv/bin/python -m tools.hops            # a proposal that nobody has made before, `idg solve` and `idg trace`
    .venv/bin/python -m tools.hops proposal   # one of them, with its files in the order in which they are entered

The deepest chain is the longest stack of calls at any moment, and `through` says in how many files its calls are. The engine's
part runs in this process, instead of in a worker, so that all of it is seen.
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


class Followed:
    """The calls of our own functions since it was started."""

    def __init__(self) -> None:
        self.functions: set[tuple[str, str]] = set()
        self.files: dict[str, None] = {}
        self.deepest: list[str] = []
        """The files of the calls that were under way when most were."""

    def seen(self, frame: FrameType, event: str, _argument: object) -> None:
        file = frame.f_code.co_filename
        if event != "call" or not file.startswith(SOURCE):
            return
        self.functions.add((file, frame.f_code.co_qualname))
        self.files.setdefault(file.removeprefix(SOURCE))
        chain: list[str] = []
        caller: FrameType | None = frame
        while caller is not None:
            if caller.f_code.co_filename.startswith(SOURCE):
                chain.append(caller.f_code.co_filename)
            caller = caller.f_back
        if len(chain) > len(self.deepest):
            self.deepest = chain

    def told(self) -> str:
        return (
            f"{len(self.functions)} functions in {len(self.files)} files; "
            f"the deepest chain has {len(self.deepest)} calls through {len(set(self.deepest))} files"
        )


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
            print(*followed.files, sep="\n")


if __name__ == "__main__":
    main()
