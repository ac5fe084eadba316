"""`idg show FILE|LEVEL --as LANGUAGE`: a program as SIP, Python or C. The program is not run, and nothing of it is proved."""

from __future__ import annotations

import argparse
import sys

from idg.cli.arguments.agent_arguments import reading_arguments
from idg.cli.arguments.cluster_arguments import Command, SettingArguments
from idg.cli.errors import NEGATIVE, SUCCESS, tell_as_json, told_problem
from idg.cli.results import tell

VIEW_NAMES = ("sip", "python", "c")
"""The languages in which programs are shown. They stand here a second time so that other commands import no view; a test compares
the two lists."""


def show_command(command: Command, _: SettingArguments) -> None:
    show = command(
        "show",
        "show a program as SIP, Python or C",
        (
            "  idg show int-square-root --as python\n  idg show square.sip --as c\n  idg show old.c --as python\n\n"
            "exit code 1: the language cannot say what the program means"
        ),
    )
    show.add_argument("file", metavar="FILE|LEVEL", help="a .sip, .c or .py file, - for standard input, or the name of a level")
    show.add_argument("--as", dest="language", choices=VIEW_NAMES, default="sip", help="the language (default: sip)")
    show.add_argument("--json", action="store_true", help="the text and its language as JSON")
    reading_arguments(show)


def run_show_command(options: argparse.Namespace) -> int:
    from idg.cli.programs.texts import load_program, reading_asked
    from idg.export.views.views import ViewRefused, program_as

    program = load_program(options.file, reading_asked(options, options.file))
    try:
        text = program_as(program, options.language)
    except ViewRefused as error:
        print(f"not shown: {error}", file=sys.stderr)
        tell_as_json(options, [told_problem("no-view", str(error))])
        return NEGATIVE
    tell(options, text.removesuffix("\n"), language=options.language, text=text)
    return SUCCESS
