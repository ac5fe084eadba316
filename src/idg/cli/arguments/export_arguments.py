"""The arguments of `idg export`. Nothing of the exporters and of the coordinator is imported here, which takes long."""

from __future__ import annotations

import argparse

from idg.cli.arguments.agent_arguments import reading_arguments
from idg.cli.arguments.cluster_arguments import Command, SettingArguments
from idg.cli.results import json_argument
from idg.needs import require

EVENTS = "events"
"""What is exported where no program is named: the events of all rooms."""
TARGET_NAMES = ("dafny", "why3", "boogie", "acl2", "acsl", "smtlib")
"""The verifiers that programs can be written for. The names stand here a second time because most commands export nothing; a test
compares the two lists."""


def export_command(command: Command, setting_arguments: SettingArguments) -> None:
    export = command(
        "export",
        "write a proved program for another verifier, or the events of all rooms",
        (
            "  idg export int-square-root --to dafny -o root.dfy\n"
            '  idg export multiply -e "res = n * cnt" -e "cnt <= m" --to why3\n'
            "  idg export ROOM --to boogie --data ./idg-data    (with what its players proved)\n"
            "  idg export events -o events.jsonl\n  idg export events --format csv -o events.csv\n"
            "  idg export events --logs -o logs.jsonl\n\n"
            "exit code 1: the program is not proved, or it cannot be said in the other language; nothing is written then"
        ),
    )
    export.add_argument(
        "what",
        metavar="FILE|LEVEL|ROOM|events",
        nargs="?",
        default=EVENTS,
        help="a .sip, .c or .py file, a level, the id of a solved room, or 'events' (default) for the events of all rooms",
    )
    export.add_argument("--to", choices=TARGET_NAMES, help="the verifier that the program is written for")
    export.add_argument(
        "-e", "--expression", metavar="EXPR", action="append", help="an invariant (default: the agent looks for them)"
    )
    export.add_argument("--loop", type=int, metavar="N", help="the loop that the expressions are about (default: 1)")
    reading_arguments(export)
    export.add_argument("--terminates", action="store_true", help="with measures, where the agent proves that the loops end")
    export.add_argument(
        "--seconds", type=float, default=30.0, metavar="S", help="CPU seconds that the agent may search (default: 30)"
    )
    export.add_argument("-o", "--output", metavar="FILE", default="-", help="default: standard output")
    json_argument(export, "the text, or how many rows were written, as JSON")
    export.add_argument("--format", choices=("jsonl", "csv"), help="of events (default: jsonl)")
    export.add_argument("--logs", action="store_true", help="what browsers logged, instead of the events")
    export.add_argument("--with-ids", action="store_true", help="events: name participants of studies by the ids of their links")
    setting_arguments(export, ("data", "database"))


def run_export_command(options: argparse.Namespace) -> int:
    if options.what == EVENTS and options.to is None:
        require("server", "idg export")
        from idg.cli.serving import server

        options.format = options.format or "jsonl"
        return server.export(options)
    from idg.cli.programs import exporting

    return exporting.run(options)
