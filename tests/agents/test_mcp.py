"""`idg mcp` with the mcp package's own client, over standard input and output and over HTTP."""

from __future__ import annotations

import asyncio
import http.client
import json
import subprocess
import sys
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import pytest
from mcp import Client, StdioServerParameters
from mcp_types import TextContent, TextResourceContents

from idg.agents.mcp.server import build
from idg.agents.mcp.told import told_proposal, told_status
from idg.agents.mcp.tools import TOOLS, Tools
from idg.agents.sdk.player import Player
from idg.cli.main import main
from tests.support.programs.reading_client import ReadingClient
from tests.support.waiting import HANG_SECONDS

if TYPE_CHECKING:
    from tests.support.servers.servers import Server

pytest_plugins = ["tests.support.servers.servers"]
COUNTING = "fn main(n: nat) { var i: int; i := 0; while (i < n) { i := i + 1; } assert(i = n); }"
HALVES = "fn main(x: rat) { var y: rat; y := x; while (y > 1) { y := y / 2; } assert(y <= 1); }"
CONTEXT_MAX = 20_000
"""What a model may read of a level, from the instructions to the proof, in characters."""

Json = dict[str, Any]


class Model:
    """Does what a language model does: calls tools and reads their results."""

    def __init__(self, client: Client) -> None:
        self.client = client
        self.read = 0

    async def call(self, tool: str, **arguments: object) -> Json:
        result = await self.client.call_tool(tool, arguments)
        [content] = result.content
        assert isinstance(content, TextContent)
        assert not result.is_error, content.text
        assert isinstance(result.structured_content, dict)
        assert json.loads(content.text) == result.structured_content
        self.read = len(content.text)
        return result.structured_content

    async def refused(self, tool: str, **arguments: object) -> str:
        result = await self.client.call_tool(tool, arguments)
        assert result.is_error
        [content] = result.content
        assert isinstance(content, TextContent)
        return content.text


def in_process(play: Callable[[Model], Awaitable[None]]) -> None:
    """A client of a server in this process, which is enough where the transport does not matter."""

    async def run() -> None:
        async with Client(build(Player.local())) as client:
            await play(Model(client))

    asyncio.run(run())


def over_stdio(play: Callable[[Model], Awaitable[None]], *options: str) -> None:
    async def run() -> None:
        parameters = StdioServerParameters(command=sys.executable, args=["-m", "idg.cli.main", "mcp", *options])
        async with Client(parameters, read_timeout_seconds=HANG_SECONDS) as client:
            await play(Model(client))

    asyncio.run(run())


@contextmanager
def over_http() -> Iterator[str]:
    """The address of a server over HTTP, in a process of its own."""
    command = [sys.executable, "-m", "idg.cli.main", "mcp", "--http", "0"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        try:
            assert process.stderr is not None
            yield process.stderr.readline().removeprefix("MCP at ").strip()
        finally:
            process.terminate()


async def multiply(model: Model) -> None:
    """Plays a level from its listing to its proof."""
    levels = (await model.call("list_levels"))["levels"]
    assert "multiply" in [row["level"] for row in levels]
    program = await model.call("read_program", level="multiply")
    assert "while (cnt < m)" in program["program"]
    assert program["loops"][0]["variables"] == ["n", "m", "res", "cnt"]
    assert program["first_trace"]["loops"][0]["rows"][1] == [6, 7, 6, 1]
    assert program["rule_out"]["breaks"] == "assert in line 9"
    trace = await model.call("run_trace", level="multiply", inputs={"n": 3, "m": "2"})
    assert trace["loops"][0]["rows"][-1] == [3, 2, 6, 2]
    checked = await model.call("check_expressions", level="multiply", expressions=["res = n * cnt", "cnt < 2", "res ="])
    assert checked["holds"] == ["res = n * cnt"]
    assert checked["fails"] == {"cnt < 2": {"cnt": 2}}
    assert "expected a value" in checked["problems"]["res ="]
    answer = await model.call("propose", level="multiply", expressions=["cnt <= 3"])
    assert answer["judged"][0]["kind"] == "non-invariant"
    assert answer["judged"][0]["state"]["cnt"] == 4
    answer = await model.call("propose", level="multiply", expressions=["res <= n * m"])
    assert (answer["judged"][0]["kind"], answer["solved"]) == ("potential", False)
    broken = await model.call("breaking_transition", level="multiply", expression="res <= n * m")
    assert broken["before"] != broken["after"]
    another = await model.call("another_state", level="multiply")
    assert another["rule_out"] != answer["rule_out"]
    batch = await model.call("propose", level="multiply", expressions=["res = n * cnt", "cnt <= m"])
    assert batch["solved"]
    assert [judged["kind"] for judged in batch["judged"]] == ["inductive", "inductive"]
    assert (await model.call("status", level="multiply"))["solved"]
    assert (await model.call("explain", level="multiply"))["obligations"][0]["uses"]
    assert (await model.call("reset", level="multiply"))["rule_out"]
    assert (await model.call("status", level="multiply"))["proved"] == []


async def mistakes(model: Model) -> None:
    """Makes mistakes. Each refusal names what was wrong and says which tool helps."""
    wrong = await model.refused("propose", level="multiply", expressions=["res = 1", "res =", "nothing = 1"])
    assert "'res =': expected a value" in wrong
    assert "'nothing = 1': 'nothing' is not declared" in wrong
    assert "'res = 1'" not in wrong
    assert "check_expressions" in wrong
    assert (await model.call("status", level="multiply"))["proved"] == []
    assert "read_program lists the loops" in await model.refused("propose", level="multiply", expressions=["res = 1"], loop=7)
    assert "read_program lists the loops" in await model.refused(
        "check_expressions", level="multiply", expressions=["true"], loop=7
    )
    missing = await model.refused("run_trace", level="multiply", inputs={"n": "1"})
    assert "no value given for m" in missing
    assert "read_program names the inputs" in missing
    one_input = {"level": "multiply", "expressions": ["true"], "inputs": [{"n": "1"}]}
    assert "no value given for m" in await model.refused("check_expressions", **one_input)
    assert "status lists" in await model.refused("breaking_transition", level="multiply", expression="cnt >= 0")
    unknown = await model.refused("read_program", level="mutliply")
    assert "did you mean 'multiply'?" in unknown
    assert "list_levels" in unknown
    assert await model.refused("propose", level="multiply", expressions=[]) == (
        "expressions: list should have at least 1 item after validation, not 0"
    )
    assert (await model.refused("propose", level="multiply", expressions=["true", ""])).startswith("expressions[1]: ")
    assert "propose has no argument 'loops'" in await model.refused("propose", level="multiply", expressions=["true"], loops=2)
    assert "line 2, column 1: " in await model.refused("add_program", name="broken", source="fn main(\n{")
    assert "already" in await model.refused("add_program", name="multiply", source=COUNTING)
    assert "--url" in await model.refused("join_room", code="ABCDEF")


async def own_program(model: Model) -> None:
    assert (await model.call("add_program", name="counting", source=COUNTING))["guarantee"] == "i = n"
    assert (await model.call("propose", level="counting", expressions=["i <= n"]))["solved"]


def test_a_model_plays_over_standard_input_and_output() -> None:
    async def play(model: Model) -> None:
        await multiply(model)
        await own_program(model)

    over_stdio(play)


def test_a_model_plays_over_http() -> None:
    with over_http() as url:
        assert urlsplit(url).hostname == "127.0.0.1"

        async def run() -> None:
            async with Client(url, read_timeout_seconds=HANG_SECONDS) as client:
                await multiply(Model(client))

        asyncio.run(run())
        address = urlsplit(url).netloc
        assert asked(url, Host=address) not in (403, 421)
        assert asked(url, Host=address, Origin=f"http://{address}") not in (403, 421)
        assert asked(url, Host="evil.example") == 421
        assert asked(url, Host=address, Origin="http://evil.example") == 403
        assert asked(url, Host=address, Origin="http://localhost:1") == 403


def asked(url: str, **headers: str) -> int:
    """The status of a request with these headers."""
    connection = http.client.HTTPConnection(urlsplit(url).netloc, timeout=HANG_SECONDS)
    given = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream", **headers}
    connection.request("POST", urlsplit(url).path, json.dumps({"jsonrpc": "2.0", "method": "ping", "id": 1}), given)
    status = connection.getresponse().status
    connection.close()
    return status


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--http", "0.0.0.0:7410"], "say by --hosts"),
        (["--http", "host:port"], "expected a port"),
        (["--hosts", "idg.example.org"], "--hosts needs --http"),
    ],
)
def test_http_is_for_this_machine_unless_names_are_given(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["mcp", *arguments]) == 2
    assert message in capsys.readouterr().err


def test_a_model_plays_on_a_server(server: Server) -> None:
    with Player(server.url) as person:
        game = person.open("int-square-root", shared=True)

        async def play(model: Model) -> None:
            await own_program(model)
            joined = await model.call("join_room", code=game.code)
            assert joined["program"] == game.source
            trace = await model.call("run_trace", level=joined["level"], inputs={"n": 1_000_000})
            assert trace["loops"][0]["last_rows"][-1][1] == 1000
            await model.call("propose", level=joined["level"], expressions=["odd = 2*cnt+1"])

        over_stdio(play, "--url", server.url, "--name", "Model")
        assert "odd = 2 * cnt + 1" in [fact.text for fact in game.state().inductive]


def test_what_a_client_is_told_of_the_tools() -> None:
    async def play(model: Model) -> None:
        tools = (await model.client.list_tools()).tools
        assert [tool.name for tool in tools] == list(TOOLS)
        for tool in tools:
            assert tool.description is not None
            assert len(tool.description) > 25
            assert tool.output_schema is not None
            assert tool.output_schema["type"] == "object"
            assert tool.annotations is not None
            assert tool.annotations.title
            assert tool.annotations.read_only_hint == (TOOLS[tool.name][1] == "reads")
        [reset] = [tool for tool in tools if tool.annotations is not None and tool.annotations.destructive_hint]
        assert reset.name == "reset"
        assert "rule_out" in (model.client.instructions or "")

    in_process(play)


def test_mistakes_are_told_with_the_tool_that_helps() -> None:
    in_process(mistakes)


@pytest.mark.parametrize("level", ["candle", "multiply", "summation", "rain-barrel", "int-square-root"])
def test_a_client_that_only_reads_what_tools_say_solves_a_level(level: str) -> None:
    async def play(model: Model) -> None:
        reader = ReadingClient(model.client)
        await reader.start()
        assert await reader.solve(level)
        assert reader.read <= CONTEXT_MAX

    in_process(play)


def test_answers_are_short() -> None:
    """A run of 1,001 rows shows its first and last rows; verdicts were four times as long in version 0.1."""

    async def play(model: Model) -> None:
        trace = await model.call("run_trace", level="int-square-root", inputs={"n": 1_000_000})
        assert model.read <= 772
        [loop] = trace["loops"]
        assert (loop["rows"][0][1], loop["last_rows"][-1][1]) == (0, 1000)
        assert len(loop["rows"]) + loop["left_out"] + len(loop["last_rows"]) == 1001
        for expression, characters in (("cnt = 3", 955 // 4), ("cnt^2 <= n", 1413 // 4), ("odd = 2*cnt+1", 1059 // 4)):
            await model.call("propose", level="int-square-root", expressions=[expression])
            assert model.read <= characters, expression

    in_process(play)


def test_numbers_are_exact_both_ways() -> None:
    async def play(model: Model) -> None:
        await model.call("add_program", name="halves", source=HALVES)
        assert "as a text" in await model.refused("run_trace", level="halves", inputs={"x": 2.5})
        trace = await model.call("run_trace", level="halves", inputs={"x": "2.5"})
        assert trace["loops"][0]["rows"] == [["5/2", "5/2"], ["5/2", "5/4"], ["5/2", "5/8"]]
        long = await model.call("run_trace", level="multiply", inputs={"n": 2**53, "m": 1})
        assert long["loops"][0]["rows"][0][:2] == [str(2**53), 1]
        longer = await model.call("run_trace", level="multiply", inputs={"n": str(10**200), "m": 0})
        assert "(201 digits)" in longer["inputs"]["n"]

    in_process(play)


def test_arrays_are_lists() -> None:
    source = "fn main(a: int[]) { var i: int; i := 0; while (i < len(a)) { i := i + 1; } assert(i = len(a)); }"

    async def play(model: Model) -> None:
        await model.call("add_program", name="cells", source=source)
        trace = await model.call("run_trace", level="cells", inputs={"a": [1, "2", -3]})
        assert trace["loops"][0]["rows"][-1] == [[1, 2, -3], 3]
        positive = {"level": "cells", "expressions": ["forall k in 0..i - 1: a[k] >= 0"], "inputs": [{"a": [1, "2", -3]}]}
        checked = await model.call("check_expressions", **positive)
        assert checked["fails"] == {"forall k in 0..i - 1: a[k] >= 0": {"a": [1, 2, -3], "i": 3}}
        assert "as a text" in await model.refused("run_trace", level="cells", inputs={"a": [1.5]})
        assert (await model.call("propose", level="cells", expressions=["i <= len(a)"]))["solved"]

    in_process(play)


def test_measures_and_runs_that_never_end() -> None:
    async def play(model: Model) -> None:
        await model.call("add_program", name="counting", source=COUNTING)
        measure = await model.call("propose", level="counting", expressions=["decreases n - i"])
        assert (measure["judged"][0]["kind"], measure["ends"]) == ("falls", "ends")
        assert (await model.call("status", level="counting"))["measures"] == ["decreases n - i (falls)"]
        claim = await model.call("claim_endless", level="counting", inputs={"n": 3})
        assert claim["judged"][0]["kind"] == "run-ends"

    in_process(play)


def test_resources_and_prompts() -> None:
    async def play(model: Model) -> None:
        async def read(uri: str) -> str:
            [content] = (await model.client.read_resource(uri)).contents
            assert isinstance(content, TextResourceContents)
            return content.text

        assert await read("idg://room") == "{}"
        assert "`while`" in await read("idg://language")
        assert "multiply (Multiply; difficulty 2): " in await read("idg://levels")
        assert json.loads(await read("idg://levels/multiply"))["guarantee"] == "res = n * m"
        await model.call("propose", level="multiply", expressions=["cnt <= m"])
        assert json.loads(await read("idg://room"))["proved"] == ["cnt <= m"]
        prompts = {prompt.name: prompt for prompt in (await model.client.list_prompts()).prompts}
        assert sorted(prompts) == ["explain_proof", "play_level", "write_level"]
        for name, argument in (("explain_proof", "level"), ("play_level", "level"), ("write_level", "topic")):
            [message] = (await model.client.get_prompt(name, {argument: "multiply"})).messages
            assert isinstance(message.content, TextContent)
            assert "multiply" in message.content.text

    in_process(play)


def test_a_model_is_told_what_a_verdict_rests_on() -> None:
    game = Player.local().open(program=COUNTING.replace("i := i + 1;", "claim(i < 10^12); i := i + 1;"))
    told = told_proposal(game, game.propose("i <= 10^12", 1))
    assert told.judged[0].rests_on == ["claim in line 1: i < 10^12"]
    assert told_status(game).resting == ["i <= 10^12 rests on the claim in line 1, 'i < 10^12'"]


def test_games_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("idg.agents.mcp.tools.GAMES_MAX", 1)
    tools = Tools(Player.local())
    tools.status("multiply")
    with pytest.raises(Exception, match="games are open already"):
        tools.status("cube")


def test_a_hint_reveals_one_step_more_each_time() -> None:
    async def play(model: Model) -> None:
        hints = [await model.call("hint", level="multiply") for _ in range(5)]
        assert [hint["step"] for hint in hints] == ["variable", "together", "shape", "template", "invariant"]
        assert "another_state" in await model.refused("hint", level="multiply")
        answer = await model.call("propose", level="multiply", expressions=[hints[-1]["expression"]])
        assert answer

    in_process(play)
