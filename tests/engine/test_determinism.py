"""The same proposals give the same bytes: in another process, with another hash seed, when the clock runs on without it."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from threading import Event

from idg.engine.books import Books, books_from_json
from idg.engine.engine import Engine
from idg.engine.session import SessionAnswer
from idg.levels import Level, all_levels
from idg.sip.syntax import Type
from idg.sip.text.printer import print_expression
from tests.support.programs.drawn.random_programs import random_expression
from tests.support.shared_runs import made_anew
from tests.support.volume import volume

RANDOM_PROPOSALS = volume(4, 12)
"""Random proposals for each level, besides its solution and wrong neighbours of that."""
GUESSES = volume(5, 48)
"""Guesses for each level, as a player makes them at first. Most are wrong."""
LEVELS_STEP = volume(4, 1)
"""One level out of so many is played."""
PROPOSALS_MIN = volume(150, 2_000)
"""How many proposals are compared at least."""
RUNS_SECONDS, STANDS_SECONDS = 0.02, 0.01
"""How long a process runs and is then stopped, again and again, as on a machine that has much else to do."""


def proposals(level: Level) -> list[tuple[int, str]]:
    """True facts, their wrong neighbours and random expressions, in a seeded order."""
    rng = random.Random(level.id)
    result = [(fact.loop, fact.expr) for fact in level.solution]
    result += [(loop, f"!({text})") for loop, text in result]
    result += [(loop, f"{text} | {name} > 40") for loop, text in result[:2] for name in _numbers(level.program().params)[:1]]
    info = level.program().info
    for _ in range(RANDOM_PROPOSALS):
        loop = rng.choice(info.level.loops)
        scope = {name: kind for name in loop.columns if not (kind := info.level.variables[name]).element}
        params = tuple(param.name for param in info.level.function.params if not param.type.element)
        expression = random_expression(rng, scope, Type.BOOL, rng.randint(3, 7), params=params)
        result.append((loop.number, print_expression(expression)))
    for _ in range(GUESSES):
        loop = rng.choice(info.level.loops)
        numeric = _numbers({name: info.level.variables[name] for name in loop.columns})
        guess = f"{rng.choice(numeric)} {rng.choice(('=', '<', '>'))} {rng.choice((*numeric, '3', '7'))} + {rng.randint(0, 9)}"
        result.append((loop.number, guess))
    rng.shuffle(result)
    return result


def _numbers(variables: Mapping[str, Type]) -> list[str]:
    """The numbers among the variables, and the lengths of the arrays."""
    return [f"len({name})" if kind.element else name for name, kind in variables.items() if kind is not Type.BOOL]


def transcript() -> list[str]:
    """Everything that the engine says, one JSON text a proposal."""
    lines = []
    for level in all_levels()[::LEVELS_STEP]:
        program = level.program()
        engine = Engine(program)
        books: Books = engine.feedback(engine.start())[1]
        for loop, text in proposals(level):
            result = engine.propose(books, text, loop)
            answer = SessionAnswer(result, program).as_json()
            books = result.books
            assert books_from_json(json.loads(json.dumps(books.as_json()))) == books
            lines.append(json.dumps({"level": level.id, **answer, "books": books.as_json()}, ensure_ascii=False))
    return lines


def in_process(hash_seed: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "tests.engine.test_determinism"]
    path = os.pathsep.join(folder for folder in sys.path if folder)
    environment = {**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": path}
    return subprocess.Popen(command, stdout=subprocess.PIPE, env=environment, encoding="utf-8")


def interrupt(process: subprocess.Popen[str], ended: Event) -> int:
    """Stops the process for a moment, again and again, until it has ended; returns how often."""
    count = 0
    while not ended.wait(RUNS_SECONDS):
        process.send_signal(signal.SIGSTOP)
        ended.wait(STANDS_SECONDS)
        process.send_signal(signal.SIGCONT)
        count += 1
    return count


def test_the_same_proposals_give_the_same_bytes() -> None:
    """One of the two processes is stopped often, so that an answer that depended on the clock would be another one there."""
    children = [in_process("1"), in_process("4242")]
    ended = Event()
    with ThreadPoolExecutor(1) as executor:
        interrupting = executor.submit(interrupt, children[0], ended)
        try:
            outputs = [child.communicate()[0] for child in children]
        finally:
            ended.set()
    assert interrupting.result() > 10
    assert all(child.returncode == 0 for child in children)
    first, second = (output.splitlines() for output in outputs)
    assert len(first) >= PROPOSALS_MIN
    for line, repeated in zip(first, second, strict=True):
        assert line == repeated
    kinds = {json.loads(line)["kind"] for line in first}
    assert {"type-tautology", "displaced", "non-invariant", "inductive", "potential"} <= kinds


def test_a_warm_engine_answers_like_a_fresh_one() -> None:
    """Earlier questions must not show: the answer depends only on the program, the books and the proposal."""
    with made_anew():
        compare_warm_and_fresh_engines()


def compare_warm_and_fresh_engines() -> None:
    for level in all_levels()[:: 4 * LEVELS_STEP]:
        program = level.program()
        warm = Engine(program)
        for loop, text in proposals(level)[:6]:
            books = warm.start()
            fresh = Engine(program)
            answers = [SessionAnswer(engine.propose(books, text, loop), program).as_json() for engine in (fresh, warm, warm)]
            assert answers[0] == answers[1] == answers[2], f"{level.id}: {text}"


def main() -> None:
    for line in transcript():
        print(line)


if __name__ == "__main__":
    main()
