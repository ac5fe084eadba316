"""Every code block of README.md and docs/ is run, or checked in the way that its kind allows. A block of another kind fails."""

from __future__ import annotations

import asyncio
import contextlib
import doctest
import io
import json
import re
import shlex
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

import pytest

from idg.agents import Player
from idg.cli.errors import SUCCESS
from idg.cli.main import build_parser
from idg.coordinator.settings import EXPLAINED, read_settings
from idg.importer import import_c
from idg.importer.horn import read_clauses, read_sygus
from idg.sip.operators import OPERATORS, WORDS
from idg.sip.program import load
from idg.sip.text.expressions import DECREASES
from idg.sip.text.parser import SWAP
from tests.support.command_line import carried_out
from tests.support.docs import PAGES, ROOT, Block, Command, blocks, commands
from tests.support.servers.clients import COUNTING, client

pytest_plugins = ["tests.support.servers.servers"]

SHOWN_URL, SHOWN_CODE, SHOWN_ROOM = "http://127.0.0.1:7400", "K7PQ4M", "ROOM"
"""What the pages write for the address of a server, the code of a shared room and the id of a room.

The test puts real ones there.
"""
STARTING_A_SERVER = ("serve", "play", "mcp", "lsp", "node", "cluster")
"""Commands that go on until they are ended, or need a cluster. Only their arguments are read here; other tests run them."""
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


class RunningServer(Protocol):
    url: str
    data: Path


class Reader:
    """A reader of one page, who tries everything in its order and has no other files than those that the page makes.

    Only the example of an agent and a folder of programs are there from the beginning.
    """

    def __init__(self, server: RunningServer) -> None:
        self.server = server
        self.names: dict[str, object] = {}
        """What the Python blocks of the page have defined so far."""
        with contextlib.closing(Player(server.url)) as player:
            self.token = player.token
            game = player.open("multiply", shared=True)
            self.room, self.code = game.room or "", game.code or ""
            assert game.propose("res = n * cnt").coins, "so that there is something to export and to replay"
        self.exit_code = SUCCESS
        """The exit code of the last command."""
        Path("programs").mkdir()
        Path("programs/counting.sip").write_text(COUNTING, encoding="utf-8")
        for name in ("my_agent.py", "examples/agent.py"):
            Path(name).parent.mkdir(exist_ok=True)
            Path(name).write_text((ROOT / "examples" / "agent.py").read_text(encoding="utf-8"), encoding="utf-8")

    def read(self, block: Block) -> None:
        kinds: dict[str, Callable[[Block], None]] = {
            "console": self.console,
            "python": self.python,
            "sip": self.sip,
            "c": self.c,
            "lisp": self.lisp,
            "json": self.json,
            "toml": self.toml,
            "ebnf": self.grammar,
            "http": self.http,
        }
        assert block.kind in kinds, f"{block.place}: no test knows what to do with a block of the kind '{block.kind}'"
        if block.title:
            Path(block.title).write_text(block.text, encoding="utf-8")
        kinds[block.kind](block)

    # kinds

    def console(self, block: Block) -> None:
        for command in commands(block):
            program, *arguments = shlex.split(self.real(command.text))
            file = ""
            if ">" in arguments:
                *arguments, _, file = arguments
            if program == "echo":
                assert arguments == ["$?"], command.place
                assert command.shown == [str(self.exit_code)], f"{command.place}: the exit code was {self.exit_code}"
                self.exit_code = SUCCESS
                continue
            assert self.exit_code == SUCCESS, f"{command.place}: the command before ended with the exit code {self.exit_code}"
            if program == "make":
                makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
                assert all(re.search(rf"^{target}:", makefile, re.MULTILINE) for target in arguments), command.place
            elif program == "pip":
                assert arguments[0] == "install", command.place
                extras = set(re.findall(r"\[(\w+)\]", " ".join(arguments)))
                assert extras <= set(PROJECT["optional-dependencies"]), command.place
            elif program == "cat":
                assert command.is_shown(Path(*arguments).read_text(encoding="utf-8")), command.place
            else:
                assert program == "idg", f"{command.place}: no test knows the command '{program}'"
                self.idg(command, arguments, file)
        assert self.exit_code == SUCCESS, f"{block.place}: the last command ended with the exit code {self.exit_code}"

    def idg(self, command: Command, arguments: list[str], file: str) -> None:
        """Carries out a command; what it prints goes to the file, if one is named."""
        if arguments[0] in STARTING_A_SERVER and "--terminal" not in arguments:
            options = build_parser().parse_args(arguments)
            if arguments[0] not in ("mcp", "lsp"):
                assert read_settings({name: getattr(options, name, None) for name in EXPLAINED}, {}, None)
            assert not command.shown, f"{command.place}: what it prints is not checked"
            return
        result = carried_out(*arguments, typed=command.typed, joined=True)
        self.exit_code, printed = result.returncode, result.stdout
        if file:
            Path(file).write_text(printed, encoding="utf-8")
            return
        assert command.is_shown(printed), f"{command.place}: {command.text} prints\n{printed}"

    def python(self, block: Block) -> None:
        """Runs examples and compares their results with what is shown. A module without examples is only executed."""
        if ">>>" not in block.text:
            exec(compile(block.text, block.place, "exec"), self.names)
            return
        examples = doctest.DocTestParser().get_doctest(
            self.real(block.text), self.names, block.page.name, str(block.page), block.line - 1
        )
        complaints = io.StringIO()
        runner = doctest.DocTestRunner(verbose=False, optionflags=doctest.ELLIPSIS)
        result = runner.run(examples, out=complaints.write, clear_globs=False)
        self.names.update(examples.globs)
        assert result.failed == 0, complaints.getvalue()

    def sip(self, block: Block) -> None:
        assert load(block.text).loops, block.place

    def c(self, block: Block) -> None:
        assert import_c(block.text).source, block.place

    def lisp(self, block: Block) -> None:
        read = read_clauses if block.title.endswith(".smt2") else read_sygus
        assert read(block.text).source, block.place

    def json(self, block: Block) -> None:
        """Checks how a client of the Model Context Protocol starts `idg mcp`, or that the programs of a world can be read."""
        world = json.loads(block.text)
        if world.get("format") == "idg-world":
            for level in world["levels"]:
                assert load(level["source"]).loops, block.place
            return
        [settings] = json.loads(block.text)["mcpServers"].values()
        assert settings.keys() == {"command", "args"}, block.place
        assert settings["command"] == "idg"
        assert build_parser().parse_args(settings["args"]).command == "mcp"

    def toml(self, block: Block) -> None:
        """Reads a file of settings."""
        file = Path(block.title or "server.toml")
        file.write_text(block.text, encoding="utf-8")
        assert set(tomllib.loads(block.text)) <= set(EXPLAINED), block.place
        assert read_settings({}, {}, str(file)), block.place

    def grammar(self, block: Block) -> None:
        """Checks that each rule that is used is defined, and that each word in quotes is a word or a sign of the language."""
        text = re.sub(r"--.*", "", block.text)
        words = set(re.findall(r"'([^']+)'", text))
        known = {token for word in (*WORDS, *OPERATORS) for token in word.token.split()}
        known |= {*"(){}[],:;", ":=", DECREASES, SWAP}
        assert words <= known, f"{block.place}: {words - known}"
        rules = set(re.findall(r"(\w+) *::=", text))
        used = set(re.findall(r"[a-z]+", re.sub(r"'[^']+'", "", text)))
        assert used - rules <= {"name", "e"}, f"{block.place}: {used - rules}"

    def http(self, block: Block) -> None:
        """Sends requests. Each stands on one line with its JSON behind it, and its answer may stand below."""

        async def story() -> None:
            async with client(self.server.url, self.token) as player:
                for request in re.split(r"\n(?=[A-Z]+ /)", block.text.strip()):
                    first, _, shown = request.partition("\n")
                    method, path, *body = first.split(maxsplit=2)
                    answer = await player.ask(method, self.real(path), json.loads(body[0]) if body else None)
                    if (method, path) == ("POST", "/api/rooms"):
                        self.room = answer.ok()["room"]["room"]
                    elif shown:
                        assert answer.json == json.loads(shown), f"{block.place}: {first} is answered with {answer.text}"
                    else:
                        assert answer.ok(), block.place

        asyncio.run(story())

    def real(self, text: str) -> str:
        """The text with the address of the running server, and with the code and the id of a room there."""
        return re.sub(rf"\b{SHOWN_ROOM}\b", self.room, text.replace(SHOWN_URL, self.server.url).replace(SHOWN_CODE, self.code))


@pytest.fixture(scope="module")
def server(start_module_server: Callable[..., RunningServer]) -> RunningServer:
    """A server for these tests alone, because all of its rooms are exported and replayed."""
    return start_module_server("--rate-player", "0", "--rate-address", "0", "--log-level", "warning")


@pytest.mark.parametrize("page", [page for page in PAGES if page.name != "errors.md"], ids=lambda page: page.name)
def test_every_block_is_real(page: Path, server: RunningServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("IDG_DATA", str(server.data))
    reader = Reader(server)
    for block in blocks(page):
        reader.read(block)
    fences = page.read_text(encoding="utf-8").count("```")
    assert fences == 2 * len(blocks(page)), "a block was not read"


def test_the_page_of_errors_has_only_texts() -> None:
    """That page is written by `make spec`; tests/sip/test_errors.py compares it with the real messages."""
    [page] = [page for page in PAGES if page.name == "errors.md"]
    assert {block.kind for block in blocks(page)} == {"text"}
