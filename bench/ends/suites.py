"""Programs whose end is asked for, and what the agent says of one of them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from time import process_time
from typing import NamedTuple

from bench.proofs.audit import CORPUS
from idg.agents.termination import decide_ending
from idg.engine.books import Books
from idg.engine.engine import Engine
from idg.importer import import_c
from idg.levels import all_levels
from idg.sip.program import Program, load

OWN = Path(__file__).with_name("programs.txt")
SUITES = ("invgame", "nla", "code2inv")
SECONDS_MAX = 20.0
"""CPU seconds after which the search for one program is stopped."""


class Asked(NamedTuple):
    """A program of a suite."""

    suite: str
    name: str
    text: str
    """SIP, or C for the suite `own`."""
    answer: str = ""
    """`ends` or `never ends`, where it is known."""

    def program(self) -> Program:
        return load(import_c(self.text).source if self.suite == "own" else self.text)


class Answered(NamedTuple):
    """What the agent said."""

    status: str
    seconds: float
    """CPU seconds, with the second verifier."""
    program: Program
    books: Books
    """With the measures, and the facts that they need."""


def own_programs() -> list[Asked]:
    """The C programs of this folder."""
    programs = []
    for part in OWN.read_text(encoding="utf-8").split("\n==== ")[1:]:
        head, _, text = part.partition("\n")
        name, _, answer = head.partition(": ")
        programs.append(Asked("own", name, text, answer))
    return programs


def all_programs() -> Iterator[Asked]:
    """The levels, the C programs of this folder, and the suites from outside where they are at hand."""
    for level in all_levels():
        yield Asked("levels", level.id, level.program().text)
    yield from own_programs()
    for suite in SUITES if CORPUS.is_dir() else ():
        for entry in json.loads((CORPUS / f"{suite}.json").read_text(encoding="utf-8")):
            yield Asked(suite, entry["name"], entry["sip"])


def decide(asked: Asked) -> Answered:
    """What the agent finds out of the program's end within the time."""
    start = process_time()
    program = asked.program()
    engine = Engine(program)
    result = decide_ending(engine, engine.start(), lambda: process_time() - start > SECONDS_MAX)
    return Answered(result.ending.status, process_time() - start, program, result.books)
