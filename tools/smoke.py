"""Uses every part of an installation once, a little: run by the Python of an environment, such as that of tools/lowest.py."""

from __future__ import annotations

import asyncio
import contextlib
import io
import json
import subprocess
import sys
import tempfile
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

C = "int main() {\n  unsigned n = unknown();\n  int i = 0;\n  while (i < n) i++;\n  assert(i == n);\n}\n"
PROOF = ["res = n * cnt", "cnt <= m"]


def cli(*arguments: str) -> str:
    """What a command prints; it must succeed."""
    from idg.cli.main import main

    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        assert main(arguments) == 0, arguments
    return printed.getvalue()


@contextmanager
def server(folder: Path) -> Iterator[str]:
    """The address of a server in a process of its own."""
    command = [sys.executable, "-m", "idg.cli.main", "serve", "--port", "0", "--data", str(folder), "--workers", "1"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            yield process.stdout.readline().removeprefix("IDG is at ").strip().rstrip("/")
        finally:
            process.terminate()


def the_solvers(_: Path) -> None:
    assert json.loads(cli("solve", "int-square-root", "--json", "--processes", "1"))["outcome"] == "solved"
    assert json.loads(cli("audit", "multiply", "-e", PROOF[0], "-e", PROOF[1], "--json"))
    for prover in ("z3", "cvc5"):
        cli("propose", "multiply", "-e", PROOF[0], "-e", PROOF[1], "--prover", prover)


def c_programs(folder: Path) -> None:
    (folder / "loop.c").write_text(C, encoding="utf-8")
    assert "while" in cli("import", str(folder / "loop.c"))


def a_server_and_the_sdk(folder: Path) -> None:
    from idg.agents import AsyncPlayer, Player

    with server(folder / "data") as url:
        with Player(url) as player:
            game = player.open("multiply")
            assert game.propose_many(PROOF).solved
            assert next(game.follow()).kind == "loaded"

        async def play() -> bool:
            async with AsyncPlayer(url) as other:
                return (await (await other.open("multiply")).propose_many(PROOF)).solved

        assert asyncio.run(play())
    events = folder / "events.jsonl"
    assert json.loads(cli("export", "events", "--json", "--data", str(folder / "data"), "-o", str(events)))["rows"] > 0


def language_models(_: Path) -> None:
    from mcp import Client

    from idg.agents import Player
    from idg.agents.mcp.server import build

    async def play() -> None:
        async with Client(build(Player.local())) as client:
            result = await client.call_tool("propose", {"level": "multiply", "expressions": PROOF})
            assert result.structured_content is not None
            assert result.structured_content["solved"]

    asyncio.run(play())


def learning_platforms(folder: Path) -> None:
    assert json.loads(cli("lti", "keys", "--json", "--data", str(folder)))["keys"]


def a_cluster(_: Path) -> None:
    """Without NATS there is only this to try: the modules can be imported, and keys can be read."""
    import nats
    import nkeys

    from idg.coordinator.cluster.requests.nats_pool import NatsPool

    assert NatsPool is not None
    assert nats.connect is not None
    assert nkeys.from_seed is not None


def postgresql(_: Path) -> None:
    from sqlalchemy.ext.asyncio import create_async_engine

    assert create_async_engine("postgresql+asyncpg://idg@127.0.0.1/idg").dialect.name == "postgresql"


def editors(_: Path) -> None:
    from idg.lsp.server import serve

    assert serve is not None


def notebooks(_: Path) -> None:
    import idg

    program = idg.load("fn main(n: nat) { var i: int := 0; while (i < n) { i := i + 1; } assert(i = n); }")
    assert list(program.run(n=3).of(1).to_dataframe()["i"]) == [0, 1, 2, 3]


def studies(_: Path) -> None:
    assert json.loads(cli("study", "power", "--win", "0.55", "0.4", "--json"))["participants_an_arm"] > 0


def shells(_: Path) -> None:
    assert "idg" in cli("completion", "bash")


PARTS: tuple[Callable[[Path], None], ...] = (
    *(the_solvers, c_programs, a_server_and_the_sdk, language_models, learning_platforms, a_cluster, postgresql, editors),
    *(notebooks, studies, shells),
)


def main() -> int:
    failed = []
    for part in PARTS:
        name = part.__name__.replace("_", " ")
        try:
            with tempfile.TemporaryDirectory() as folder:
                part(Path(folder))
        except Exception:
            failed.append(name)
            print(f"{name} fails:\n{traceback.format_exc()}", flush=True)
        else:
            print(f"{name} works", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
