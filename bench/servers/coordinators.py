"""Two coordinators with a thousand players against one with half as many: the 99th percentile of proposals whose answers are known.

All of it, with NATS, PostgreSQL, a node and the generator, runs on this machine. So where twice as many players need more
processors than there are, the figure says so and not what two machines would do; what each part used is printed with it.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from typing import Any

from bench.servers.generator import Crowd, generate
from bench.servers.load import PLAYERS
from bench.servers.server import cpu_seconds
from bench.timing import Figure
from idg.coordinator.cluster.local.local_cluster import LocalCluster, LocalPlan

UNLIMITED = tuple(
    part
    for name in (
        "rate-player", "rate-address", "connections-address", "players-a-day", "rooms-a-day", "programs-a-day", "stored-mb-a-day",
    )
    for part in (f"--{name}", "0")
)  # fmt: skip
RATIO_MAX = 1.5
"""How many times as long known proposals may take at the 99th percentile."""


def figures() -> Iterator[Figure]:
    flags = (*UNLIMITED, "--queue-max", "2000", "--log-level", "warning")
    cluster = LocalCluster(LocalPlan(nodes=1, coordinators=2, serve=flags, node=("--log-level", "warning")))
    try:
        urls = [member.url for member in cluster.coordinators]
        for url in urls:
            generate(url, "warm")
        half = _played(cluster, urls[:1], PLAYERS // 2)
        all_players = _played(cluster, urls, PLAYERS)
    finally:
        cluster.stop()
    faults = half["errors"] + half["lost_events"] + all_players["errors"] + all_players["lost_events"]
    proposals = half["proposals"] + all_players["proposals"]
    yield Figure("two coordinators: errors and lost events", "proposals", faults, proposals, "none", faults == 0, unit="")
    name = f"two coordinators, {PLAYERS} players, known proposals, 99th percentile"
    ours, theirs = all_players["p99"], half["p99"]
    met = ours <= RATIO_MAX * theirs
    yield Figure(name, f"one coordinator, {PLAYERS // 2} players", ours, theirs, f"at most {RATIO_MAX:g}", met)


def _played(cluster: LocalCluster, urls: list[str], players: int) -> dict[str, Any]:
    crowd = Crowd(",".join(urls), players)
    parts = {
        "coordinators": [member.process for member in cluster.coordinators],
        "node": [member.process for member in cluster.nodes],
        "NATS": [server.process for server in (cluster.nats.servers if cluster.nats else ())],
    }

    def used() -> dict[str, float]:
        return {name: sum(cpu_seconds(process.pid) for process in processes if process) for name, processes in parts.items()}

    before, start = used(), time.monotonic()
    report = crowd.play()
    seconds = time.monotonic() - start
    shares = ", ".join(f"{name} {(after - before[name]) / seconds:.0%}" for name, after in used().items())
    print(
        f"    {players} players at {len(urls)}: p50 {1e3 * report['p50']:.1f} ms, p99 {1e3 * report['p99']:.1f} ms of "
        f"{report['cached']} known proposals; of a core: {shares}, generator {report['generator_cpu']:.0%} "
        f"(without PostgreSQL and workers); load average {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores",
        flush=True,
    )
    return report
