"""`idg`: reads the arguments and calls the command's function in its module."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence

from idg.cli.arguments.agent_arguments import agent_commands, reading_arguments
from idg.cli.arguments.class_arguments import class_commands, run_class_command
from idg.cli.arguments.cluster_arguments import Command, cluster_commands, run_cluster_command
from idg.cli.arguments.editor_arguments import editor_commands, run_editor_command
from idg.cli.arguments.export_arguments import export_command, run_export_command
from idg.cli.arguments.minus import joined_arguments
from idg.cli.arguments.parser import CommandParser
from idg.cli.arguments.prover_arguments import prover_argument, second_opinion_argument, with_named_opinions
from idg.cli.arguments.shell_arguments import run_shell_command, shell_commands
from idg.cli.arguments.study_arguments import run_study_command, study_commands
from idg.cli.errors import INTERRUPTED, NEGATIVE, SUCCESS, USAGE, ProgramRefused, UsageError, tell_as_json, told_problem
from idg.cli.programs.showing import run_show_command, show_command
from idg.needs import MissingPackages, require
from idg.sip.errors import SipError

PROGRAM_HELP = "a .sip, .c or .py file, - for standard input, or the name of a level"

EXAMPLES = """\
examples:
  idg levels                                  what can be played
  idg play                                    play in the browser (--terminal: here)
  idg solve FILE                              let the agent find the invariants
  idg propose multiply -e "res = n * cnt"     what is this fact: inductive, potential, not an invariant, …?
  idg prove FILE                              prove a program with the invariants it states
  idg trace int-square-root n=46              the states at its loop head
  idg eval FILE n=46 -e "sqr = (cnt+1)^2"     an expression on each of them
  idg check FILE                              is it a correct SIP text?
"""


def build_parser() -> argparse.ArgumentParser:
    parser = CommandParser(
        prog="idg",
        description="The Invariant Discovery Game: programs, their traces, and facts about them.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="store_true", help="print the version")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", parser_class=CommandParser)

    def command(name: str, summary: str, examples: str) -> argparse.ArgumentParser:
        return commands.add_parser(
            name,
            help=summary,
            description=summary,
            epilog=f"examples:\n{examples}",
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )

    check = command(
        "check",
        "report everything that is wrong with a SIP text",
        (
            "  idg check square.sip\n  cat square.sip | idg check -\n  idg check square.sip --json\n\n"
            "exit code 0: no problem, 1: problems, 2: the file cannot be read"
        ),
    )
    check.add_argument("file", metavar="FILE", help=PROGRAM_HELP)
    check.add_argument("--json", action="store_true", help="problems as JSON: code, message, where, hint")

    fmt = command(
        "fmt",
        "print a SIP text in its canonical layout",
        ("  idg fmt square.sip\n  idg fmt square.sip --write\n  idg fmt square.sip --check    (exit code 1 if it would change)"),
    )
    fmt.add_argument("file", metavar="FILE", help=PROGRAM_HELP)
    fmt.add_argument("--json", action="store_true", help="the text and whether it changed, as JSON")
    fmt.add_argument("--write", action="store_true", help="change the file instead of printing")
    fmt.add_argument("--check", action="store_true", help="print nothing; exit code 1 if the layout differs")

    trace = command(
        "trace",
        "run a program and show the states at its loop heads",
        (
            "  idg trace int-square-root n=46\n  idg trace square.sip n=46 --loop 1\n"
            "  idg trace - x=-7/3 flag=true --json < square.sip\n\n"
            "exit code 1: the run failed an obligation (an assert, a post, a division by zero, …)"
        ),
    )
    _run_arguments(trace)

    evaluate = command(
        "eval",
        "evaluate expressions on every row of a trace",
        (
            '  idg eval int-square-root n=46 -e "sqr = (cnt+1)^2"\n  idg eval square.sip n=46 -e "sqr - odd" -e "odd % 2 = 1"\n\n'
            "exit code 1: a Boolean expression does not hold in every row, or one has no value somewhere"
        ),
    )
    _run_arguments(evaluate)
    evaluate.add_argument("-e", "--expression", metavar="EXPR", action="append", required=True, help="may be given several times")

    _engine_commands(command)
    _solve_command(command)
    _level_command(command)
    agent_commands(command)
    _server_commands(command)
    for add in (export_command, show_command, cluster_commands, study_commands, class_commands, editor_commands, shell_commands):
        add(command, _setting_arguments)
    return parser


def _level_command(command: Command) -> None:
    levels = command("levels", "list the levels", "  idg levels\n  idg levels int-square-root    (its story and program)")
    levels.add_argument("level", metavar="LEVEL", nargs="?", help="show this level")
    levels.add_argument("--json", action="store_true", help="the levels, or the one, as JSON")


def _engine_commands(command: Command) -> None:
    propose = command(
        "propose",
        "propose invariants for a loop and see what each one is",
        (
            '  idg propose int-square-root -e "odd = 2*cnt+1" -e "sqr = (cnt+1)^2" -e "cnt^2 <= n"\n'
            '  idg propose two.sip --loop 2 -e "x <= n" --json\n\n'
            "exit code 0: the guarantee is proved, 1: not yet, or an expression is wrong"
        ),
    )
    propose.add_argument("file", metavar="FILE", help=PROGRAM_HELP)
    propose.add_argument("-e", "--expression", metavar="EXPR", action="append", required=True, help="may be given several times")
    propose.add_argument("--loop", type=int, metavar="N", help="the loop they are about (default: 1)")
    propose.add_argument("--json", action="store_true", help="a list, one object a proposal")

    prove = command(
        "prove",
        "prove a program with the invariants that it states: while [e] (t) { … }",
        (
            "  idg prove square.sip\n  idg prove square.sip --show-vcs\n  idg prove square.sip --second-opinion --json\n\n"
            "exit code 0: everything is proved, 1: not"
        ),
    )
    prove.add_argument("file", metavar="FILE", help=PROGRAM_HELP)
    prove.add_argument("--json", action="store_true", help="every obligation, and what the second verifier says")
    prove.add_argument("--show-vcs", action="store_true", help="print the verification conditions")
    second_opinion_argument(prove)
    prover_argument(prove)
    prover_argument(propose)
    second_opinion_argument(propose)
    for parser in (prove, propose):
        reading_arguments(parser)

    audit = command(
        "audit",
        "check a program and its invariants by the second verifier",
        (
            "  idg audit square.sip\n  idg audit square.sip --smtlib conditions    (write them as SMT-LIB files)\n"
            '  idg audit multiply -e "res = n * cnt" -e "cnt <= m" --json\n\n'
            "exit code 0: everything is confirmed, 1: something is contradicted or not decided"
        ),
    )
    audit.add_argument("file", metavar="FILE", help=PROGRAM_HELP)
    audit.add_argument(
        "-e", "--expression", metavar="EXPR", action="append", help="an invariant besides those that the program states"
    )
    audit.add_argument("--loop", type=int, metavar="N", help="the loop that the expressions are about (default: 1)")
    audit.add_argument("--smtlib", metavar="FOLDER", help="write every condition as an SMT-LIB file")
    audit.add_argument("--json", action="store_true", help="the answer, every condition, and a run that fails")
    reading_arguments(audit)


def _solve_command(command: Command) -> None:
    solve = command(
        "solve",
        "let the agent look for the invariants",
        (
            "  idg solve int-square-root\n  idg solve square.sip --seconds 60 --json\n  idg solve loop.c\n"
            "  idg solve euclid --terminates\n\n"
            "exit code 0: solved (and proved to end, with --terminates), 1: refuted by a run, or still open"
        ),
    )
    solve.add_argument("file", metavar="FILE", help=PROGRAM_HELP)
    solve.add_argument(
        "--seconds",
        type=float,
        default=30.0,
        metavar="S",
        help="CPU seconds that each process of the search may use, on however busy a machine (default: 30)",
    )
    solve.add_argument(
        "--processes",
        type=int,
        choices=(1, 2),
        default=2,
        help="2: a second game is played beside a long one (default); 1: only one",
    )
    solve.add_argument("--seed", type=int, default=0, metavar="N", help="of the runs it looks at (default: 0)")
    solve.add_argument("--terminates", action="store_true", help="also decide whether every run ends, by measures of the loops")
    solve.add_argument("--log", action="store_true", help="tell every proposal, why it was made and what it turned out to be")
    solve.add_argument(
        "--json", action="store_true", help="outcome, invariants of each loop, run, what is left, what was assumed, CPU seconds"
    )
    solve.add_argument("--answer", action="store_true", help="for .sl and .smt2 files: print what solvers of such problems print")
    reading_arguments(solve)


def _server_commands(command: Command) -> None:
    play = command(
        "play",
        "play the game: in the browser, or here in the terminal",
        ("  idg play\n  idg play int-square-root\n  idg play --terminal multiply\n  idg play --terminal own.sip"),
    )
    play.add_argument("level", metavar="LEVEL", nargs="?", help="the level's name or number; with --terminal also a file")
    play.add_argument("--terminal", action="store_true", help="play in the terminal; nothing is served or stored")
    play.add_argument("--no-browser", action="store_true", help="only print the address")
    play.add_argument("--port", help="default: 7400")
    play.add_argument("--data", metavar="FOLDER", help="where progress is kept (default: a folder of yours, named at the start)")

    serve = command(
        "serve",
        "serve the game and its API to many players",
        (
            "  idg serve\n  idg serve --host 0.0.0.0 --hosts idg.example.org --workers 4\n"
            "  IDG_DATABASE=postgresql://idg@db/idg idg serve --settings server.toml\n\n"
            "docs/server.md explains every setting; each can also be given by its environment variable (IDG_PORT, …) or in a file"
        ),
    )
    serve.add_argument("--settings", metavar="FILE", help="a TOML file with settings, such as port = 7400")
    _setting_arguments(serve, SERVER_SETTINGS)

    replay = command(
        "replay",
        "judge a room's history again and compare",
        (
            "  idg replay ROOM\n  idg replay all --data ./idg-data\n  idg replay --certificate hand-in.json --data ./idg-data\n\n"
            "exit code 0: the same verdicts and books, and what the certificate says; 1: not"
        ),
    )
    replay.add_argument("--json", action="store_true", help="what differs in each room, or what was found of the certificate")
    choice = replay.add_mutually_exclusive_group(required=True)
    choice.add_argument("room", metavar="ROOM", nargs="?", help="the room's id, or 'all'")
    choice.add_argument("--certificate", metavar="FILE", help="check the certificate of a hand-in against the log of its room")
    _setting_arguments(replay, ("data", "database", "deadline_seconds", "memory_mb", "prover", "second_opinion"))

    prune = command(
        "prune",
        "delete rooms that nobody came back to, and what no room uses",
        (
            "  idg prune --keep-days 90 --dry-run\n  idg prune --keep-days 90 --keep-solved-days 400\n\n"
            "rooms are deleted for good, with their events: 'idg export events' saves them first"
        ),
    )
    prune.add_argument("--json", action="store_true", help="the rooms, and what is deleted, as JSON")
    prune.add_argument("--dry-run", action="store_true", help="delete nothing, but say what would be deleted")
    _setting_arguments(prune, ("data", "database", "keep_days", "keep_solved_days", "data_mb"))


SERVER_SETTINGS = (
    "host", "port", "data", "database", "nats", "nats_ca", "nats_certificate", "nats_key", "nats_nkey", "nats_credentials",
    "workers", "spares", "queue_max", "deadline_seconds", "memory_mb", "recycle_after", "sandbox", "prover", "second_opinion",
    "verdicts_mb", "rooms_mb",
    "rate_player", "rate_address", "players_a_day", "rooms_a_day", "programs_a_day", "classes_a_day", "classes",
    "stored_mb_a_day", "data_mb", "keep_days", "keep_solved_days", "sockets_max", "sockets_player", "members_max",
    "partners_max", "partner_seconds", "connections_max", "connections_address", "head_seconds", "body_seconds",
    "stall_seconds", "waiting_mb", "ping_seconds", "hosts", "secure", "proxies", "admin_token", "log_level", "log_format",
)  # fmt: skip
"""The names of the server's settings. They stand here a second time because commands that serve nothing must not import the
coordinator, which takes long; a test compares the two lists."""


def _setting_arguments(parser: argparse.ArgumentParser, names: Sequence[str]) -> None:
    for name in names:
        told = f"the setting {name} of docs/server.md"
        parser.add_argument(f"--{name.replace('_', '-')}", metavar=name.rsplit("_")[-1].upper(), help=told)


def _run_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help=PROGRAM_HELP)
    parser.add_argument("inputs", metavar="NAME=VALUE", nargs="*", help="the inputs: n=46 x=-7/3 flag=true (a level has defaults)")
    parser.add_argument("--loop", type=int, metavar="N", help="only this loop; those of helpers come last")
    parser.add_argument("--json", action="store_true", help="JSON, with all rows and values as strings")
    parser.add_argument("--rows", metavar="N", default=None, help="show at most N rows of a table, or all (default: 40)")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="for the choices of cassign (default: 0)")
    told = "the first choices, in order, such as '4; 2, 3': of each cassign, and of variables declared without a value"
    parser.add_argument("--choices", default="", metavar="VALUES", help=told)
    parser.add_argument("--steps", type=int, default=None, metavar="N", help="stop after N steps (default: 1,000,000)")
    reading_arguments(parser)


def main(arguments: Sequence[str] | None = None) -> int:
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    options = parse(arguments)
    try:
        code = _dispatch(options)
        sys.stdout.flush()
        return code
    except UsageError as error:
        print(f"idg {options.command}: {error}", file=sys.stderr)
        tell_as_json(options, [told_problem("usage", str(error))])
        return USAGE
    except ProgramRefused as refused:
        tell_as_json(options, refused.problems)
        raise
    except SipError as error:
        # The program was read, and what the command needs refuses it: agents do not know arrays, for example.
        print(error, file=sys.stderr)
        tell_as_json(options, error.as_json())
        return NEGATIVE
    except MissingPackages as error:
        print(error, file=sys.stderr)
        tell_as_json(options, [told_problem("missing-packages", str(error))])
        return USAGE
    except BrokenPipeError:
        # Whoever reads our output has closed it. Python writes the rest of its buffer at exit, which must not fail again.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return SUCCESS
    except KeyboardInterrupt:
        return INTERRUPTED


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = build_parser()
    given = with_named_opinions(sys.argv[1:] if arguments is None else arguments)
    CommandParser.wants_json = "--json" in given
    options, rest = parser.parse_known_args(joined_arguments(given))
    # argparse takes the inputs only if they stand together; people also write some of them after an option.
    if "inputs" in options and all(not argument.startswith("-") for argument in rest):
        options.inputs += rest
    elif rest:
        _subparser(parser, options.command).error(f"not expected: {' '.join(rest)}")
    return options


def _subparser(parser: argparse.ArgumentParser, command: str | None) -> argparse.ArgumentParser:
    """The parser of a command, which prints the usage of that command; the whole parser where no command was given."""
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction) and command in action.choices:
            own: argparse.ArgumentParser = action.choices[command]
            return own
    return parser


def _dispatch(options: argparse.Namespace) -> int:
    if options.version:
        from idg import __version__

        print(f"idg {__version__}")
        return SUCCESS
    match options.command:
        case "check" | "fmt":
            from idg.cli.programs import texts

            return texts.check(options) if options.command == "check" else texts.fmt(options)
        case "trace" | "eval":
            from idg.cli.programs import runs

            return runs.trace(options) if options.command == "trace" else runs.evaluate(options)
        case "propose" | "prove":
            from idg.cli.programs import prove

            return prove.propose(options) if options.command == "propose" else prove.prove(options)
        case "audit":
            from idg.cli.programs import audit

            return audit.run(options)
        case "solve":
            from idg.cli.playing import solve

            return solve.solve(options)
        case "agent" | "mcp":
            if options.command == "mcp":
                require("mcp", "idg mcp")
            from idg.cli.playing import agents

            return agents.mcp(options) if options.command == "mcp" else agents.run_agent(options)
        case "league":
            from idg.cli.playing import league

            return league.run(options)
        case "import":
            from idg.cli.programs import importing

            return importing.run(options)
        case "levels":
            from idg.cli.programs import levels

            return levels.show(options)
        case "play" if options.terminal:
            from idg.cli.playing import terminal

            return terminal.play(options)
        case "export" | "show":
            return run_export_command(options) if options.command == "export" else run_show_command(options)
        case "play" | "serve" | "replay" | "prune":
            require("server", f"idg {options.command}", "idg play --terminal does without" if options.command == "play" else "")
            from idg.cli.serving import server

            commands = {"play": server.play, "serve": server.serve, "replay": server.replay_rooms, "prune": server.prune_store}
            return commands[options.command](options)
        case "node" | "cluster":
            return run_cluster_command(options)
        case "study":
            return run_study_command(options)
        case "teachers" | "lti":
            return run_class_command(options)
        case "lsp":
            return run_editor_command(options)
        case "completion" | "doctor":
            return run_shell_command(options, build_parser())
    build_parser().print_help()
    return SUCCESS


if __name__ == "__main__":
    sys.exit(main())
