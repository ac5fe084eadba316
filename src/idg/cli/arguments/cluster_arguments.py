"""The arguments of the commands `idg node` and `idg cluster`. Nothing of the coordinator is imported here, which takes long."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence

from idg.needs import require

Command = Callable[[str, str, str], argparse.ArgumentParser]
"""Makes the parser of a command from the command's name, a summary and examples."""
SettingArguments = Callable[[argparse.ArgumentParser, Sequence[str]], None]
"""Gives a parser the flags of settings."""
NODE_SETTINGS = (
    "nats", "nats_ca", "nats_certificate", "nats_key", "nats_nkey", "nats_credentials", "workers", "spares", "deadline_seconds",
    "memory_mb", "recycle_after", "sandbox", "prover", "second_opinion", "log_level", "log_format",
)  # fmt: skip
"""The names of the settings that an engine node has, too."""


def cluster_commands(command: Command, setting_arguments: SettingArguments) -> None:
    node = command(
        "node",
        "compute analyses for the coordinators of a cluster",
        (
            "  idg node --nats nats://nats.example.org:4222\n"
            "  idg node --nats tls://nats:4222 --nats-credentials node.creds --workers 8\n\n"
            "it needs no database; SIGTERM ends it after what it works on"
        ),
    )
    node.add_argument("--name", help="the node's name (default: the machine's name and the process id)")
    setting_arguments(node, NODE_SETTINGS)

    cluster = command(
        "cluster",
        "start a cluster on this machine, or look at one",
        (
            "  idg cluster up --nodes 2 --coordinators 2      (for development: NATS, PostgreSQL and all, as processes)\n"
            "  idg cluster status --nats nats://127.0.0.1:4222 --watch\n\n"
            "exit code of status 0: there are nodes and coordinators, 1: not"
        ),
    )
    cluster.add_argument("action", choices=("up", "status"), help="up: start one; status: show its nodes, slots and queues")
    for name, default, text in (
        ("nodes", 2, "engine nodes"),
        ("coordinators", 2, "coordinators"),
        ("nats-servers", 1, "NATS servers: 1, or 3 that store everything thrice"),
        ("workers", 1, "engine workers of each node"),
        ("port", 0, "the port of the first coordinator; the others have the next ones (default: free ones)"),
    ):
        parser_text = text if not default else f"{text} (default: {default})"
        cluster.add_argument(f"--{name}", type=int, metavar="N", default=default, help=f"up: {parser_text}")
    cluster.add_argument("--data", metavar="FOLDER", help="up: keep what is stored in this folder (default: nothing is kept)")
    cluster.add_argument("--watch", action="store_true", help="status: tell it again every second")
    cluster.add_argument("--json", action="store_true", help="status: as JSON")
    setting_arguments(cluster, tuple(name for name in NODE_SETTINGS if name.startswith("nats")))


def run_cluster_command(options: argparse.Namespace) -> int:
    require("cluster", f"idg {options.command}")
    from idg.cli.serving import cluster

    return cluster.run(options)
