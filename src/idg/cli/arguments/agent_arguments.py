"""The arguments of `idg agent`, `idg league`, `idg mcp` and `idg import`."""

from __future__ import annotations

import argparse

from idg.cli.arguments.cluster_arguments import Command

AGENT_HELP = "a Python file that defines play(game), or 'built-in'"


def agent_commands(command: Command) -> None:
    agent = command(
        "agent",
        "let an agent play one game",
        (
            "  idg agent run examples/agent.py --level multiply\n  idg agent run my_agent.py --program square.sip --json\n"
            "  idg agent run built-in --room K7PQ4M --url http://127.0.0.1:7400\n\n"
            "exit code 0: the level is solved, 1: not"
        ),
    )
    agent.add_argument("action", choices=("run",), help="run: let an agent play one game")
    agent.add_argument("agent", metavar="AGENT", help=AGENT_HELP)
    where = agent.add_mutually_exclusive_group(required=True)
    where.add_argument("--level", help="a level's name or number")
    where.add_argument("--program", metavar="FILE", help="a .sip, .c or .py file")
    where.add_argument("--room", metavar="CODE", help="a room's code; needs --url")
    agent.add_argument("--json", action="store_true", help="the result as JSON")

    league = command(
        "league",
        "play agents on a set of programs",
        (
            "  idg league examples/agent.py built-in --level multiply --level cube\n"
            "  idg league examples/agent.py --programs my_programs --seconds 20 --json\n\n"
            "games are played side by side, each in a process of its own; CPU seconds do not include starting it"
        ),
    )
    league.add_argument("agents", metavar="AGENT", nargs="+", help=AGENT_HELP)
    league.add_argument("--level", metavar="LEVEL", action="append", help="may be given several times (default: all levels)")
    league.add_argument("--programs", metavar="FOLDER", help="all .sip, .c and .py files of a folder, instead of levels")
    league.add_argument("--seconds", type=float, default=60.0, metavar="N", help="for one game, by the clock (default: 60)")
    league.add_argument(
        "--jobs",
        "--processes",
        dest="processes",
        type=int,
        default=0,
        metavar="N",
        help="games that are played side by side (default: one a core)",
    )
    league.add_argument("--json", action="store_true", help="one object a game")

    mcp = _mcp_command(command)
    for parser in (agent, mcp):
        parser.add_argument("--url", help="the server's address, such as http://127.0.0.1:7400 (default: play in this process)")
        parser.add_argument("--name", help="the player's name on the server")
    _import_command(command)


def _mcp_command(command: Command) -> argparse.ArgumentParser:
    parser = command(
        "mcp",
        "let a language model play, by the Model Context Protocol over standard input and output, or over HTTP",
        (
            "  idg mcp                                  (it plays in this process)\n"
            "  idg mcp --url http://127.0.0.1:7400      (as a player of a server)\n"
            "  idg mcp --http 7410                      (for clients on this machine, at http://127.0.0.1:7410/mcp)"
        ),
    )
    parser.add_argument("--http", metavar="[HOST:]PORT", help="serve over HTTP at this port; without a host only for this machine")
    parser.add_argument("--hosts", metavar="NAMES", help="with --http: further names of this server, divided by commas")
    return parser


def _import_command(command: Command) -> None:
    importing = command(
        "import",
        "read a C or Python program as SIP",
        (
            "  idg import loop.c                    (SIP to standard output, the readings made to standard error)\n"
            "  idg import loop.c -o loop.sip\n"
            "  idg import loop.c --int check        (that no int overflows becomes an obligation)\n"
            "  idg import roots.py --function isqrt (this function, with those that it calls)\n\n"
            "exit code 0: read, 1: something is outside the subset (line, column and reason are told)"
        ),
    )
    importing.add_argument("file", metavar="FILE", help="a .c or .py file, or - for C from standard input")
    importing.add_argument("--json", action="store_true", help="the program and the readings made, as JSON")
    importing.add_argument("-o", "--output", metavar="FILE", default="-", help="default: standard output")
    integers_argument(importing)
    function_argument(importing)


def integers_argument(parser: argparse.ArgumentParser) -> None:
    text = (
        "of a C file: signed numbers have no bound (math, the default), must not overflow (check: an assert at each operation that "
        "might), or wrap round (machine); unsigned numbers, casts and conversions always keep C's meaning"
    )
    parser.add_argument("--int", choices=("math", "check", "machine"), help=text)


def reading_arguments(parser: argparse.ArgumentParser) -> None:
    """How a file of another language is read."""
    integers_argument(parser)
    function_argument(parser)


def function_argument(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--function",
        metavar="NAME",
        help="the function of a C or Python file (default: of C the one with the loops, of Python the last one)",
    )
