"""The arguments of `idg study`. Nothing of the coordinator and no statistics are imported here, which takes long."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence

from idg.cli.arguments.cluster_arguments import Command
from idg.cli.results import json_argument
from idg.needs import require

SettingArguments = Callable[[argparse.ArgumentParser, Sequence[str]], None]
"""Gives a parser the flags of settings."""
EXAMPLES = """\
  idg study new mine                          write mine.toml, to be changed
  idg study check mine.toml                   what is wrong with it, or what it says
  idg study preregister mine.toml             the text to register before the study begins
  idg study power --win 0.55 0.4 --attempts 4 how many participants are needed
  idg study open mine.toml --data ./idg-data  let people take part: http://your.server/study/mine?pid=ID
  idg study close mine --data ./idg-data      let nobody else begin
  idg study simulate mine.toml --url http://127.0.0.1:7400 --players 300 --seed 1    try all of it before people come
  idg study report mine --data ./idg-data -o report.html --json report.json --csv visits.csv
  idg study report mine.toml --from events.jsonl logs.jsonl -o report.html

exit code 0: done, 1: the definition is wrong, or nobody can be analysed"""


def study_commands(command: Command, setting_arguments: SettingArguments) -> None:
    study = command("study", "plan, run and evaluate a study", EXAMPLES)
    actions = study.add_subparsers(dest="action", metavar="ACTION", required=True, parser_class=type(study))

    def action(name: str, summary: str) -> argparse.ArgumentParser:
        parser = actions.add_parser(name, help=summary, description=summary)
        if name != "report":
            json_argument(parser)
        return parser

    new = action("new", "write the file of a new study")
    new.add_argument("name", metavar="NAME", help="the study's name: letters, digits, '_' and '-'")
    new.add_argument("-o", "--output", metavar="FILE", help="default: NAME.toml")

    check = action("check", "say what is wrong with the file of a study, or what it says")
    check.add_argument("file", metavar="FILE", help="a TOML file")

    register = action("preregister", "the text with which a study can be registered, as Markdown")
    register.add_argument("file", metavar="FILE", help="a TOML file")
    register.add_argument("-o", "--output", metavar="FILE", default="-", help="default: standard output")

    _power_arguments(action("power", "how many participants a study needs"))
    simulate = action("simulate", "let simulated participants with known parameters play through a server's API")
    simulate.add_argument("file", metavar="FILE", help="the file of a study that is open there")
    simulate.add_argument("--url", required=True, help="the server's address, such as http://127.0.0.1:7400")
    simulate.add_argument("--players", type=int, default=300, metavar="N", help="default: 300")
    simulate.add_argument("--seed", type=int, default=1, metavar="N", help="of what they do (default: 1)")
    simulate.add_argument("--attempts", type=int, default=4, metavar="N", help="levels that each attempts (default: 4)")
    for name, values, what in (("win", (0.55, 0.18), "to solve a level"), ("useful", (0.55, 0.38), "of a proposal to be useful")):
        told = f"the chance {what}, in each arm (default: {values[0]} {values[1]})"
        simulate.add_argument(f"--{name}", type=float, nargs=2, default=values, metavar="P", help=told)
    for name, summary, what in (
        ("open", "let people take part in a study", "a TOML file"),
        ("close", "let nobody else begin", "the study's name"),
    ):
        parser = action(name, summary)
        parser.add_argument("study", metavar="STUDY", help=what)
        setting_arguments(parser, ("data", "database"))
    _report_arguments(action("report", "the whole evaluation as one HTML page"), setting_arguments)


def _power_arguments(power: argparse.ArgumentParser) -> None:
    power.add_argument(
        "--win", type=float, nargs=2, metavar="RATE", required=True, help="the win rates that you expect, such as 0.55 0.4"
    )
    power.add_argument("--attempts", type=float, default=1.0, metavar="N", help="attempted levels of a participant (default: 1)")
    power.add_argument(
        "--likeness", type=float, default=0.0, metavar="R", help="how alike those of one participant are, 0 to 1 (default: 0)"
    )
    power.add_argument("--alpha", type=float, default=0.05, metavar="A", help="default: 0.05")
    power.add_argument("--power", type=float, default=0.8, metavar="P", help="the chance to find the effect (default: 0.8)")
    power.add_argument("--participants", type=int, metavar="N", help="in each arm: tell the power of so many instead")


def _report_arguments(report: argparse.ArgumentParser, setting_arguments: SettingArguments) -> None:
    report.add_argument("study", metavar="STUDY", help="the name of a study that was opened; with --from, its file")
    report.add_argument("--from", dest="files", metavar="FILE", nargs="+", help="files of 'idg export', of events and of logs")
    report.add_argument("-o", "--output", metavar="FILE", help="the page (default: NAME.html)")
    report.add_argument("--json", metavar="FILE", help="write all figures and attempts as JSON, too")
    report.add_argument("--csv", metavar="FILE", help="write a row for each level that a participant opened as CSV, too")
    report.add_argument("--keep-long", action="store_true", help="do not leave out participants with long times")
    setting_arguments(report, ("data", "database"))
    report.add_argument("--no-pooling", action="store_true", help="do not compute what the participants of an arm prove together")


def run_study_command(options: argparse.Namespace) -> int:
    if options.action in ("new", "check", "preregister", "simulate"):
        from idg.cli.studying import study_files

        return study_files.run(options)
    if options.action in ("open", "close"):
        require("server", f"idg study {options.action}")
        from idg.cli.studying import study_server

        return study_server.run(options)
    require("study", f"idg study {options.action}")
    from idg.cli.studying import study_figures

    return study_figures.run(options)
