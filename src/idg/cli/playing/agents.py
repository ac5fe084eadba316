"""`idg agent run` and `idg mcp`: programs and language models play. `idg league` loads its agents here, too."""

from __future__ import annotations

import argparse
import contextlib
import importlib.util
import os
import socket
import sys
import traceback
from collections.abc import Callable
from ipaddress import ip_address
from pathlib import Path
from time import process_time
from urllib.parse import urlsplit

from idg.agents.sdk.asynchronous import play_with
from idg.agents.sdk.errors import PlayError
from idg.agents.sdk.game import Game
from idg.agents.sdk.player import Player, Playing
from idg.cli.errors import NEGATIVE, SUCCESS, UsageError, tell_as_json, told_problem
from idg.cli.live import live_line
from idg.cli.results import as_json
from idg.engine.wire.answers import RestingFactAnswer
from idg.engine.wire.codec import encode
from idg.needs import MissingPackages
from idg.sip.record import Record

BUILT_IN = "built-in"
"""The name by which the built-in agent is asked for."""
TOKEN_VARIABLE = "IDG_TOKEN"
"""The environment variable with the token of a player who comes back to a server."""
REACH_SECONDS_MAX = 4.0
"""Seconds in which a server must accept a connection, so that a dead one is told within five."""
PORT_MAX = 65535
"""The largest number of a port."""
TITLE_CHARS_MAX = 80
"""The length of a program's title that a server accepts."""


def player_for(url: str | None, name: str | None) -> Playing:
    """A player of the server at `url`, or one in this process where no address is given.

    The token comes from the environment and not from an argument, because others can see the arguments of a process."""
    if url is None:
        return Player.local()
    _reach(url)
    try:
        return Player(url, token=os.environ.get(TOKEN_VARIABLE) or None, name=name)
    except ValueError as error:
        raise UsageError(str(error)) from None


def _reach(url: str) -> None:
    """Raises UsageError where nobody listens there. Calls of a game are tried again for long, but a dead server is told at once."""
    try:
        parts = urlsplit(url)
        port = parts.port or (443 if parts.scheme == "https" else 80)
    except ValueError:
        return  # The player says what an address looks like.
    if parts.hostname is None:
        return
    try:
        socket.create_connection((parts.hostname, port), timeout=REACH_SECONDS_MAX).close()
    except OSError as error:
        raise UsageError(f"the server at {url} does not answer: {error}; is it running? 'idg serve' starts one") from None


def load_agent(name: str) -> Callable[[Game], None]:
    """What lets the built-in agent play, or the function `play` that a Python file defines, which may be a coroutine function.
    Raises UsageError where there is no such function, and AgentExited where it ends the process while it plays."""
    if name == BUILT_IN:
        return play_built_in
    path = Path(name)
    spec = importlib.util.spec_from_file_location("idg_agent", path) if path.is_file() and path.suffix == ".py" else None
    if spec is None or spec.loader is None:
        raise UsageError(f"there is no Python file '{name}' (and '{BUILT_IN}' is the built-in agent)")
    module = importlib.util.module_from_spec(spec)
    # The agent may import modules that lie beside it, as a script may.
    sys.path.insert(0, str(path.resolve().parent))
    try:
        spec.loader.exec_module(module)
    except Exception:
        raise UsageError(f"{name} cannot be imported:\n{traceback.format_exc()}") from None
    except SystemExit as ended:
        raise UsageError(f"{name} ends the process while it is imported (exit code {exit_code(ended)})") from None
    finally:
        sys.path.pop(0)
    function = getattr(module, "play", None)
    if not callable(function):
        raise UsageError(f"{name} does not define a function play(game)")

    def play(game: Game) -> None:
        try:
            play_with(function, game)
        except SystemExit as ended:
            raise AgentExited(name, exit_code(ended)) from None

    return play


class AgentExited(Exception):
    """An agent that ended the process, as by `sys.exit`, instead of returning."""

    def __init__(self, name: str, code: int) -> None:
        super().__init__(f"{name} ended the process instead of returning (exit code {code})")


def exit_code(ended: SystemExit) -> int:
    """The code with which the process would have ended."""
    if ended.code is None:
        return 0
    return ended.code if isinstance(ended.code, int) else 1


def play_built_in(game: Game, tell: Callable[[str], None] = lambda _: None) -> None:
    from idg.agents.built_in import player as built_in

    game.proposals = built_in.play(game, tell=tell).proposals


def _apart(options: argparse.Namespace) -> contextlib.AbstractContextManager[object]:
    """With `--json`, what an agent prints goes to standard error, so that it cannot break the JSON."""
    return contextlib.redirect_stdout(sys.stderr) if options.json else contextlib.nullcontext()


def run_agent(options: argparse.Namespace) -> int:
    with _apart(options):
        play = load_agent(options.agent)
    player = player_for(options.url, options.name)
    try:
        game = _opened(options, player)
        start = process_time()
        if play is play_built_in:
            tell = live_line(not options.json)
            play_built_in(game, tell)
            tell("")
        else:
            with _apart(options):
                play(game)
        seconds = process_time() - start
        if options.url is not None:
            game.state()
        report = game_report(game, seconds)
    except (UsageError, MissingPackages):
        raise
    except PlayError as error:
        print(f"idg agent: {error}", file=sys.stderr)
        tell_as_json(options, [told_problem(error.code, str(error))])
        return NEGATIVE
    except AgentExited as ended:
        print(f"idg agent: {ended}", file=sys.stderr)
        tell_as_json(options, [told_problem("agent-exited", str(ended))])
        return NEGATIVE
    except Exception:
        print(f"idg agent: {options.agent} failed:\n{traceback.format_exc()}", file=sys.stderr)
        tell_as_json(options, [told_problem("agent-failed", traceback.format_exc().strip().splitlines()[-1])])
        return NEGATIVE
    finally:
        player.close()
    if game.solved and options.program is not None and options.program.endswith(".c"):
        from idg.cli.programs.importing import confirmed, imported

        confirmed(options.program, imported(options.program, notes=False))
    print(as_json(game.solved, encode(report)) if options.json else _result_text(game, seconds))
    return SUCCESS if game.solved else NEGATIVE


def _opened(options: argparse.Namespace, player: Playing) -> Game:
    if options.room is not None:
        if not isinstance(player, Player):
            raise UsageError("--room needs --url: rooms are on a server")
        return player.open(room=options.room)
    if options.level is not None:
        return player.open(_level_id(options.level))
    from idg.cli.programs.texts import program_text

    return player.open(program=program_text(options.program), title=Path(options.program).stem[:TITLE_CHARS_MAX] or "A program")


def _level_id(name: str) -> str:
    from idg.levels import find_level

    level = find_level(name)
    return name if level is None else level.id


class GameReport(Record):
    """How a game ended that an agent played."""

    program: str
    """The level, or the title of a program."""
    solved: bool
    cpu_seconds: float
    proposals: int
    invariants: tuple[tuple[str, ...], ...]
    """The inductive invariants of each loop."""
    resting: tuple[RestingFactAnswer, ...] = ()
    """The invariants that rest on something that is not proved yet."""


def game_report(game: Game, seconds: float) -> GameReport:
    return GameReport(
        game.level or game.title,
        game.solved,
        round(seconds, 3),
        game.proposals,
        tuple(tuple(fact.text for fact in game.inductive if fact.loop == loop.number) for loop in game.loops),
        game.feedback.resting,
    )


def _result_text(game: Game, seconds: float) -> str:
    how = "solved" if game.solved else "not solved"
    lines = [f"{game.title}: {how} with {game.proposals} proposals, {seconds:.2f} CPU seconds"]
    notes = {resting.fact: f"  ({resting.message})" for resting in game.feedback.resting}
    lines += [
        f"  {f'loop {fact.loop}: ' if len(game.loops) > 1 else ''}{fact.text}{notes.get(fact, '')}" for fact in game.inductive
    ]
    return "\n".join(lines if game.solved else [*lines, game.feedback.message])


def mcp(options: argparse.Namespace) -> int:
    from idg.agents.mcp.server import serve, serve_http

    if options.http is None:
        if options.hosts:
            raise UsageError("--hosts needs --http")
        serve(player_for(options.url, options.name))
        return SUCCESS
    host, port = _listening(options.http)
    hosts = [name.strip() for name in (options.hosts or "").split(",") if name.strip()]
    if not is_loopback(host) and not hosts:
        raise UsageError(f"{host} can be reached from other machines: say by --hosts under which names this server may be called")
    try:
        serve_http(
            player_for(options.url, options.name),
            host,
            port,
            hosts,
            lambda url: print(f"MCP at {url}", file=sys.stderr, flush=True),
        )
    except OSError as error:
        raise UsageError(f"cannot listen at {options.http}: {error.strerror or error}") from None
    return SUCCESS


def _listening(address: str) -> tuple[str, int]:
    """Host and port of `7410`, `127.0.0.1:7410` or `[::1]:7410`. Without a host it is this machine only."""
    host, _, port = address.rpartition(":")
    if not (port.isascii() and port.isdecimal() and int(port) <= PORT_MAX):
        raise UsageError(f"--http: expected a port or an address such as 127.0.0.1:7410, found '{address}'")
    return host.strip("[]") or "127.0.0.1", int(port)


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach the host."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
