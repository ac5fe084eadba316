"""`idg mcp` with the mcp package's own client, over standard input and output."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

import pytest
from mcp import Client, StdioServerParameters
from mcp_types import TextContent

from idg.agents.mcp_server import TOOLS, Tools, answer_json, standing_json
from idg.agents.sdk.player import Player
from tests.support.waiting import HANG_SECONDS

if TYPE_CHECKING:
    from tests.support.servers.servers import Server

pytest_plugins = ["tests.support.servers.servers"]
SCRIPT = "import argparse; from idg.cli import agents; agents.mcp(argparse.Namespace(url={url!r}, name='Model'))"
COUNTING = "fn main(n: nat) { var i: int; i := 0; while (i < n) { i := i + 1; } assert(i = n); }"

Json = dict[str, Any]


class Model:
    """Does what a language model does: calls tools and reads their results."""

    def __init__(self, client: Client) -> None:
        self.client = client

    async def call(self, tool: str, **arguments: object) -> Json:
        result = await self.client.call_tool(tool, arguments)
        [content] = result.content
        assert isinstance(content, TextContent)
        assert not result.is_error, content.text
        assert isinstance(result.structured_content, dict)
        assert json.loads(content.text) == result.structured_content
        return result.structured_content

    async def refused(self, tool: str, **arguments: object) -> str:
        result = await self.client.call_tool(tool, arguments)
        assert result.is_error
        [content] = result.content
        assert isinstance(content, TextContent)
        return content.text


def with_model(play: Callable[[Model], Awaitable[None]], url: str | None = None) -> None:
    async def run() -> None:
        parameters = StdioServerParameters(command=sys.executable, args=["-c", SCRIPT.format(url=url)])
        async with Client(parameters, read_timeout_seconds=HANG_SECONDS) as client:
            await play(Model(client))

    asyncio.run(run())


async def multiply(model: Model) -> None:
    """Plays a level from its listing to its proof."""
    levels = (await model.call("list_levels"))["levels"]
    assert "multiply" in [row["level"] for row in levels]
    program = await model.call("read_program", level="multiply")
    assert "while (cnt < m)" in program["program"]
    assert program["loops"][0]["variables"] == ["n", "m", "res", "cnt"]
    assert program["first_trace"]["loops"][0]["rows"][1] == ["6", "7", "6", "1"]
    assert program["state_to_rule_out"] is not None
    trace = await model.call("run_trace", level="multiply", inputs={"n": "3", "m": "2"})
    assert trace["loops"][0]["rows"][-1] == ["3", "2", "6", "2"]
    checked = (await model.call("check_expressions", level="multiply", expressions=["res = n * cnt", "cnt < 2"]))["results"]
    assert [result["holds_in_all"] for result in checked] == [True, False]
    assert checked[1]["fails_in"]["cnt"] == "2"
    answer = await model.call("propose", level="multiply", expressions=["cnt <= 3"])
    assert answer["kind"] == "non-invariant"
    assert answer["refuting_run"]["state"]["cnt"] == "4"
    answer = await model.call("propose", level="multiply", expressions=["res <= n * m"])
    assert (answer["kind"], answer["solved"]) == ("potential", False)
    broken = await model.call("breaking_transition", level="multiply", expression="res <= n * m")
    assert broken["transition"]["before"] != broken["transition"]["after"]
    another = await model.call("another_state", level="multiply")
    assert another["state_to_rule_out"] != answer["state_to_rule_out"]
    batch = await model.call("propose", level="multiply", expressions=["res = n * cnt", "cnt <= m"])
    assert batch["solved"]
    assert [judged["kind"] for judged in batch["kinds"]] == ["inductive", "inductive"]
    assert (await model.call("status", level="multiply"))["solved"]
    assert (await model.call("explain", level="multiply"))["obligations"]
    assert (await model.call("reset", level="multiply"))["inductive"] == []


async def mistakes(model: Model) -> None:
    """Makes mistakes. The tool reports each as an error and says what was wrong."""
    assert "expected a value" in await model.refused("propose", level="multiply", expressions=["res ="])
    assert "no-such-loop" in await model.refused("propose", level="multiply", expressions=["res = 1"], loop=7)
    assert "no value given for m" in await model.refused("run_trace", level="multiply", inputs={"n": "1"})
    one_input = {"level": "multiply", "expressions": ["true"], "inputs": [{"n": "1"}]}
    assert "no value given for m" in await model.refused("check_expressions", **one_input)
    assert "not-potential" in await model.refused("breaking_transition", level="multiply", expression="cnt >= 0")
    assert "not-found" in await model.refused("read_program", level="nothing")
    assert "expressions" in await model.refused("propose", level="multiply", expressions=[])
    assert "line 2, column 1: " in await model.refused("add_program", name="broken", source="fn main(\n{")
    assert "already" in await model.refused("add_program", name="multiply", source=COUNTING)


async def own_program(model: Model) -> None:
    assert (await model.call("add_program", name="counting", source=COUNTING))["guarantee"] == "i = n"
    assert (await model.call("propose", level="counting", expressions=["i <= n"]))["solved"]


def test_a_model_plays_in_process() -> None:
    async def play(model: Model) -> None:
        tools = (await model.client.list_tools()).tools
        assert [tool.name for tool in tools] == list(TOOLS)
        assert all(tool.description and len(tool.description) > 40 for tool in tools)
        assert "state to rule out" in (model.client.instructions or "")
        await multiply(model)
        await mistakes(model)
        await own_program(model)
        assert "--url" in await model.refused("join_room", code="ABCDEF")

    with_model(play)


def test_a_model_plays_on_a_server(server: Server) -> None:
    with Player(server.url) as person:
        game = person.open("int-square-root", shared=True)

        async def play(model: Model) -> None:
            await multiply(model)
            await own_program(model)
            joined = await model.call("join_room", code=game.code)
            assert joined["title"] == game.title
            await model.call("propose", level=joined["level"], expressions=["odd = 2*cnt+1"])

        with_model(play, server.url)
        assert "odd = 2 * cnt + 1" in [fact.text for fact in game.state().inductive]


def test_a_model_is_told_what_a_verdict_rests_on() -> None:
    game = Player.local().open(program=COUNTING.replace("i := i + 1;", "claim(i < 10^12); i := i + 1;"))
    told = answer_json(game.propose("i <= 10^12", 1))
    assert [(place["cause"], place["expression"]) for place in told["rests_on"]] == [("claim", "i < 10^12")]
    resting = {"loop": 1, "expression": "i <= 10^12", "message": "rests on the claim in line 1, 'i < 10^12'"}
    assert standing_json(game)["resting"] == [resting]


def test_games_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("idg.agents.mcp_server.GAMES_MAX", 1)
    tools = Tools(Player.local())
    tools.status("multiply")
    with pytest.raises(Exception, match="games are open already"):
        tools.status("cube")


def test_a_hint_reveals_one_step_more_each_time() -> None:
    async def play(model: Model) -> None:
        hints = [await model.call("hint", level="multiply") for _ in range(5)]
        assert [hint["step"] for hint in hints] == ["variable", "together", "shape", "template", "invariant"]
        assert "no-hint" in await model.refused("hint", level="multiply")
        answer = await model.call("propose", level="multiply", expressions=[hints[-1]["expression"]])
        assert answer

    with_model(play)
