"""A whole cluster of processes, as `idg cluster up` starts it: people play on two coordinators, and nodes compute."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator

import pytest

from idg.agents import Player
from idg.coordinator.cluster.local.local_cluster import LocalCluster, LocalPlan
from tests.support.programs.known_levels import known_level
from tests.support.waiting import HANG_SECONDS


@pytest.fixture(scope="module")
def cluster() -> Iterator[LocalCluster]:
    unlimited = ("--rate-player", "0", "--rate-address", "0", "--log-format", "json")
    started = LocalCluster(LocalPlan(nodes=2, coordinators=2, serve=unlimited, node=("--log-format", "json")))
    yield started
    started.stop()


def asked(url: str, path: str, headers: dict[str, str] | None = None) -> tuple[str, dict[str, str]]:
    with urllib.request.urlopen(urllib.request.Request(url + path, headers=headers or {}), timeout=HANG_SECONDS) as answer:
        return answer.read().decode(), {name.lower(): value for name, value in answer.headers.items()}


def test_a_level_is_solved_by_the_nodes(cluster: LocalCluster) -> None:
    level = known_level("int-square-root")
    for coordinator in cluster.coordinators:
        player = Player(coordinator.url)
        try:
            game = player.open(level.id)
            for fact in level.solution:
                game.propose(fact.expr, fact.loop)
            assert game.feedback.solved
        finally:
            player.close()
    # On a busy machine a member may be silent for a moment.
    until(lambda: health_of(cluster.coordinators[0].url) == ("ok", 2))
    until(
        lambda: (
            {'idg_cluster{which="nodes"} 2.0', 'idg_cluster{which="coordinators"} 2.0'}
            <= set(asked(cluster.coordinators[1].url, "/metrics")[0].splitlines())
        )
    )


def health_of(url: str) -> tuple[str, int]:
    try:
        health = json.loads(asked(url, "/api/health")[0])
    except urllib.error.HTTPError as error:
        health = json.load(error)
    return health["status"], health["workers"]


def until(holds: Callable[[], bool]) -> None:
    latest = time.monotonic() + HANG_SECONDS
    while not holds():
        assert time.monotonic() < latest, "it did not come to pass"
        time.sleep(0.1)


def test_one_id_from_the_browser_to_the_node(cluster: LocalCluster) -> None:
    url = cluster.coordinators[0].url
    body = json.dumps({"name": "Ada"}).encode()
    request = urllib.request.Request(f"{url}/api/players", body, {"Content-Type": "application/json", "X-Request-Id": "my-id.1"})
    with urllib.request.urlopen(request, timeout=HANG_SECONDS) as answer:
        token = json.load(answer)["token"]
        assert answer.headers["X-Request-Id"] == "my-id.1"
    assert re.fullmatch(r"[0-9a-f]{16}", asked(url, "/api/ping", {"X-Request-Id": "not an id"})[1]["x-request-id"])
    headers = {"Content-Type": "application/json", "Authorization": f"Bearer {token}", "X-Request-Id": "of-a-room"}
    opening = urllib.request.Request(f"{url}/api/rooms", json.dumps({"level": "multiply"}).encode(), headers)
    try:
        with urllib.request.urlopen(opening, timeout=HANG_SECONDS) as answer:
            room = json.load(answer)["room"]["room"]
    except urllib.error.HTTPError as error:
        raise AssertionError(error.read().decode()) from None
    headers["X-Request-Id"] = "of-a-proposal"
    proposal = json.dumps({"expression": "res = n * cnt + 0 * m", "loop": 1}).encode()
    proposing = urllib.request.Request(f"{url}/api/rooms/{room}/proposals", proposal, headers)
    with urllib.request.urlopen(proposing, timeout=HANG_SECONDS) as answer:
        assert answer.headers["X-Request-Id"] == "of-a-proposal"

    def said() -> set[str]:
        logs = [member.log.read_text() for member in (*cluster.coordinators, *cluster.nodes)]
        lines = [json.loads(line) for log in logs for line in log.split("\n")[:-1] if line.startswith("{")]
        return {line["message"] for line in lines if line.get("request") == "of-a-proposal"}

    # The node says so when it has heard that its answer is kept, which may be a moment after our answer.
    until(lambda: {"a node answered", "answered"} <= said())


def test_the_status_shows_all(cluster: LocalCluster) -> None:
    assert cluster.nats is not None
    command = [sys.executable, "-m", "idg", "cluster", "status", "--nats", cluster.nats.url]

    def shows_all() -> bool:
        """It listens for a second, in which not everybody may have said something on a busy machine."""
        result = subprocess.run(command, capture_output=True, text=True, timeout=HANG_SECONDS)
        shown = ("node1", "node2", r"2 nodes, 2 slots, \d free; 2 coordinators")
        return result.returncode == 0 and all(re.search(text, result.stdout) for text in shown)

    until(shows_all)


def test_a_cluster_needs_postgresql(cluster: LocalCluster) -> None:
    assert cluster.nats is not None
    command = [sys.executable, "-m", "idg", "serve", "--port", "0", "--nats", cluster.nats.url, "--data", str(cluster.folder)]
    result = subprocess.run(command, capture_output=True, text=True, timeout=HANG_SECONDS)
    assert result.returncode == 2
    assert "share a PostgreSQL database" in result.stderr


def test_up_starts_and_ends_all() -> None:
    command = [sys.executable, "-m", "idg", "cluster", "up", "--nodes", "1", "--coordinators", "1"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        lines = []
        for line in process.stdout:
            lines.append(line)
            if line.startswith("Ctrl-C"):
                break
        url = next(line.split()[-1] for line in lines if line.startswith("coordinator1 is at"))
        assert json.loads(asked(url.rstrip("/"), "/api/health")[0])["status"] == "ok"
        process.send_signal(signal.SIGINT)
        rest, complaints = process.communicate(timeout=HANG_SECONDS)
        assert (process.returncode, rest, complaints) == (0, "Ended.\n", "")
        with pytest.raises(urllib.error.URLError):
            asked(url.rstrip("/"), "/api/ping")
    finally:
        process.kill()
        process.wait()
