"""`idg export FILE|LEVEL|ROOM --to TARGET`: a proved program in the language of another verifier.

Whatever the facts come from, this engine proves the program with them before anything is written.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import re
import sys

from idg.agents.termination import decide_ending
from idg.cli.errors import NEGATIVE, SUCCESS, UsageError, tell_as_json, told_problem
from idg.cli.live import live_line
from idg.cli.playing.side_by_side import GameAsked, SideBySide
from idg.cli.programs.texts import is_c, load_program, reading_asked
from idg.cli.results import tell
from idg.engine.books import Books
from idg.engine.engine import Engine
from idg.engine.judging.second_check import second_check
from idg.engine.results import Fact, SecondCheck, inductive_facts
from idg.engine.telling.messages import feedback_message
from idg.export.exporting import ExportRefused, export_books
from idg.needs import require
from idg.sip.errors import SipError
from idg.sip.program import Program, load

ROOM_ID = re.compile(r"[A-Za-z0-9_-]{22}")
"""What the id of a room looks like."""


class _NotProved(Exception):
    """The program is not proved; the message says what is missing."""


def run(options: argparse.Namespace) -> int:
    """The exit code is 1 where nothing is exported."""
    if options.to is None:
        raise UsageError("say for which verifier: --to dafny, for example ('idg export --help' lists them)")
    if options.format or options.logs or options.with_ids:
        raise UsageError("--format, --logs and --with-ids are for 'idg export events'")
    try:
        text = _text(options)
    except SipError as error:
        print(error.render(), file=sys.stderr)
        tell_as_json(options, error.as_json())
        return NEGATIVE
    except (ExportRefused, _NotProved) as error:
        print(f"not exported: {error}", file=sys.stderr)
        tell_as_json(options, [told_problem("not-exported", str(error))])
        return NEGATIVE
    if options.output != "-":
        try:
            with open(options.output, "w", encoding="utf-8") as file:
                file.write(text)
        except OSError as error:
            raise UsageError(f"cannot write {options.output}: {error.strerror or error}") from None
    if options.json:
        tell(options, "", to=options.to, output=options.output, text=text)
    elif options.output == "-":
        print(text, end="")
    return SUCCESS


def _text(options: argparse.Namespace) -> str:
    if not os.path.exists(options.what) and ROOM_ID.fullmatch(options.what):
        require("server", "idg export ROOM")
        program, facts = asyncio.run(_room(options))
        engine, books = _proved(program, facts)
    else:
        program = load_program(options.what, reading_asked(options, options.what))
        engine, books = _by_agent(program, options) if options.expression is None else _proved(program, _given(program, options))
    if second_check(program, inductive_facts(books)) is SecondCheck.CONTRADICTED:
        raise _NotProved("the second verifier contradicts the proof; this is a mistake of ours")
    if is_c(options.what):
        from idg.cli.programs.importing import confirmed, imported

        confirmed(options.what, imported(options.what, reading_asked(options, options.what), notes=False))
    if options.terminates:
        books = decide_ending(engine, books).books
    return export_books(program, books, options.to)


def _given(program: Program, options: argparse.Namespace) -> list[Fact]:
    loop = 1 if options.loop is None else options.loop
    try:
        program.loop(loop)
    except LookupError as error:
        raise UsageError(str(error)) from None
    return [Fact(loop, text) for text in options.expression]


def _proved(program: Program, facts: list[Fact]) -> tuple[Engine, Books]:
    """The books with what is inductive of the facts, which prove the program."""
    engine = Engine(program)
    verdict = engine.propose_many(engine.start(), [(fact.loop, fact.text) for fact in facts])
    if not verdict.feedback.solved:
        raise _NotProved(f"these invariants do not prove the program. {feedback_message(verdict.feedback, program)}")
    return engine, verdict.books


def _by_agent(program: Program, options: argparse.Namespace) -> tuple[Engine, Books]:
    """The books of a game of the built-in agent. What the program states alone is tried first by the agent, too."""
    show = live_line()
    result, _ = SideBySide(GameAsked(program, 0, options.seconds), show, two=True).play()
    show("")
    if result.outcome != "solved":
        why = "a run refutes it" if result.run is not None else "the agent found no invariants that prove it"
        raise _NotProved(f"{why} ('idg solve' tells more)")
    return _proved(program, [Fact(loop, text) for loop, texts in enumerate(result.invariants, 1) for text in texts])


async def _room(options: argparse.Namespace) -> tuple[Program, list[Fact]]:
    """The program of a room, and the facts that its players proved."""
    from idg.cli.serving.server import settings_of
    from idg.coordinator.catalog import stored_entry
    from idg.coordinator.rooms.room_state import read_state
    from idg.coordinator.store import Store, StoreError

    try:
        store = await Store.open(settings_of(options).database_url)
    except StoreError as error:
        raise UsageError(str(error)) from None
    try:
        row = await store.room(options.what)
        if row is None:
            raise UsageError(f"there is no file, level or room {options.what}")
        entry = await stored_entry(store, row.program)
        assert entry is not None, "rooms play stored programs"
        return load(entry.source), [Fact(fact.loop, fact.text) for fact in read_state(row.state).inductive()]
    finally:
        await store.close()
