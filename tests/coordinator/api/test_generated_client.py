"""A client that openapi-python-client generates from the server's description: it is whole, type-checks, and plays a level."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.request import urlopen

import pytest

from tests.support.waiting import HANG_SECONDS

if TYPE_CHECKING:
    from tests.support.servers.servers import Server

pytest.importorskip("openapi_python_client")
pytest_plugins = ["tests.support.servers.servers"]

CONFIGURATION = """\
post_hooks: []
content_type_overrides:
  application/jsonl: text/plain
"""
"""Lines of JSON are a text to the generator, which knows no such type. Nothing is formatted, which takes longest."""

PLAYER = """\
# Plays a level by the generated client.

import sys

from idg_client import AuthenticatedClient, Client
from idg_client.api.levels_and_programs import run_program
from idg_client.api.players import create_player
from idg_client.api.rooms import explain_proof, open_room, propose_many, read_room
from idg_client.models.batch import Batch
from idg_client.models.batch_answer import BatchAnswer
from idg_client.models.error_view import ErrorView
from idg_client.models.event_view_judged import EventViewJudged
from idg_client.models.explanation import Explanation
from idg_client.models.fact_body import FactBody
from idg_client.models.judged_view import JudgedView
from idg_client.models.new_player import NewPlayer
from idg_client.models.new_room import NewRoom
from idg_client.models.opened_room_view import OpenedRoomView
from idg_client.models.player_token import PlayerToken
from idg_client.models.room_view import RoomView
from idg_client.models.trace_answer import TraceAnswer
from idg_client.models.trace_request import TraceRequest
from idg_client.models.trace_request_inputs import TraceRequestInputs


def play(url: str) -> None:
    player = create_player.sync(client=Client(base_url=url), body=NewPlayer(name="Generated", agent=True))
    assert isinstance(player, PlayerToken)
    client = AuthenticatedClient(base_url=url, token=player.token)
    opened = open_room.sync(client=client, body=NewRoom(level="multiply"))
    assert isinstance(opened, OpenedRoomView)
    inputs = TraceRequestInputs.from_dict({"n": "3", "m": "2"})
    run = run_program.sync(opened.program.program, client=client, body=TraceRequest(inputs=inputs))
    assert isinstance(run, TraceAnswer)
    assert run.loops[0].rows[-1] == ["3", "2", "6", "2"]
    room = opened.room.room
    wrong = propose_many.sync(room, client=client, body=Batch(proposals=[FactBody(loop=1, expression="res =")], request="b-0"))
    assert isinstance(wrong, ErrorView)
    assert wrong.code == "bad-text"
    facts = [FactBody(loop=1, expression=text) for text in ("res = n * cnt", "cnt <= m")]
    judged = propose_many.sync(room, client=client, body=Batch(proposals=facts, request="b-1"))
    assert isinstance(judged, JudgedView)
    assert isinstance(judged.event, EventViewJudged)
    assert isinstance(judged.event.body, BatchAnswer)
    print([fact.kind for fact in judged.event.body.kinds], judged.event.body.feedback.message)
    state = read_room.sync(room, client=client)
    assert isinstance(state, RoomView)
    explained = explain_proof.sync(room, client=client)
    assert isinstance(explained, Explanation)
    print("solved" if state.solved and explained.solved else "open")


play(sys.argv[1])
"""


def run(folder: Path, *command: str) -> str:
    """What a command prints; it must succeed."""
    surroundings = {**os.environ, "PYTHONPATH": str(folder), "MYPYPATH": str(folder)}
    ended = subprocess.run(
        [sys.executable, *command], cwd=folder, env=surroundings, capture_output=True, text=True, timeout=HANG_SECONDS, check=False
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr
    return ended.stdout + ended.stderr


def test_a_generated_client_type_checks_and_plays(server: Server, tmp_path: Path) -> None:
    with urlopen(f"{server.url}/api/openapi.json") as answer:
        (tmp_path / "openapi.json").write_bytes(answer.read())
    (tmp_path / "configuration.yaml").write_text(CONFIGURATION, encoding="utf-8")
    (tmp_path / "player.py").write_text(PLAYER, encoding="utf-8")
    options = ("--path", "openapi.json", "--config", "configuration.yaml", "--meta", "none", "--output-path", "idg_client")
    # A warning says that something of the description was left out.
    assert "WARNING" not in run(tmp_path, "-m", "openapi_python_client", "generate", *options)
    (tmp_path / "idg_client" / "py.typed").touch()
    run(tmp_path, "-m", "mypy", "--strict", "--cache-dir", str(tmp_path / "cache"), "player.py")
    told = run(tmp_path, "player.py", server.url)
    assert "INDUCTIVE" in told
    assert told.endswith("solved\n")
