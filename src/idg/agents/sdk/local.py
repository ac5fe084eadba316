"""The protocol in-process: the same calls and answers over an engine here, without a server."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from idg.agents.hints import make_plan, next_hint
from idg.agents.sdk.connection import PlayError
from idg.agents.sdk.game import Game
from idg.agents.sdk.moves import Json, LevelInfo
from idg.engine.books import Books, values_to_json
from idg.engine.engine import Engine
from idg.engine.promote import inductive_facts, potential_facts
from idg.engine.results import Fact
from idg.engine.runs import first_inputs
from idg.engine.wire import batch_json, breaking_json, explanation_json, facts_json, feedback_json, result_json
from idg.levels import Level, all_levels, find_level
from idg.prover.prove import Prover
from idg.sip.errors import InputError, SipError
from idg.sip.program import Program, load
from idg.sip.text.printer import print_expression

FIRST_ROWS_MAX = 1_000


class LocalPlayer:
    """`Player` without a server: levels and own programs, each with an engine of its own."""

    name = "local"

    def levels(self) -> tuple[LevelInfo, ...]:
        return tuple(
            LevelInfo(each.id, each.title, each.world.id, each.difficulty, each.text, len(each.program().loops))
            for each in all_levels()
        )

    def open(self, level: str | None = None, *, program: Program | str | None = None, title: str = "A program") -> Game:
        """A game on a level, or on a program or its text."""
        if (level is None) == (program is None):
            raise PlayError("bad-request", "say either a level or a program")
        if level is not None:
            found = find_level(level)
            if found is None:
                raise PlayError("not-found", f"there is no level '{level}'", "levels() lists them")
            return _opened(found.source, found.title, found)
        return _opened(program.text if isinstance(program, Program) else program or "", title, None)

    def close(self) -> None:
        """There is nothing to close."""

    def __enter__(self) -> LocalPlayer:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _opened(source: str, title: str, level: Level | None) -> Game:
    try:
        program = load(source)
    except SipError as error:
        raise _text_error(error) from None
    if not program.loops or not program.guarantee:
        what = "has no loop, so there is no invariant to find"
        if program.loops:
            what = "promises nothing, so there is nothing to prove"
        raise PlayError("bad-text", f"'{program.level.name}' {what}")
    table = LocalTable(program)
    inputs = level.inputs if level is not None else values_to_json(first_inputs(program))
    trace = table.trace(inputs, None, 0, FIRST_ROWS_MAX)
    return Game(table, {"program": _program_json(program, source, title, level), "room": table.standing(), "trace": trace})


def _program_json(program: Program, source: str, title: str, level: Level | None) -> Json:
    found: dict[str, Any] = {
        "source": source,
        "title": title,
        "level": None if level is None else level.id,
        "params": [{"name": name, "type": str(kind)} for name, kind in program.params.items()],
        "loops": [
            {
                "number": each.number,
                "outer": each.outer,
                "columns": [{"name": name} for name in each.columns],
                "test": {"text": print_expression(each.statement.test)},
            }
            for each in program.loops
        ],
        "guarantee_text": " & ".join(map(print_expression, program.guarantee)),
    }
    if level is not None:
        found |= {"story": level.text, "tries": list(level.tries), "guarantee_text": level.guarantee}
    return found


class LocalTable:
    def __init__(self, program: Program) -> None:
        self.engine = Engine(program, Prover())
        self.program = program
        self.log: list[Json] = []
        self._start()
        self._note("loaded", {})

    def _start(self) -> None:
        self.books: Books = self.engine.start()
        self.feedback, self.books = self.engine.feedback(self.books)
        self.was_solved = self.feedback.solved
        self.plan: tuple[Fact, ...] = ()
        self.hinted: tuple[Fact | None, int] = (None, 0)
        """The fact that hints are about, and how many of its steps were told."""

    def _note(self, kind: str, body: Json) -> Json:
        self.log.append({"number": len(self.log) + 1, "kind": kind, "player": None, "body": body})
        return body

    def _fact(self, loop: int, expression: str) -> Fact:
        try:
            return self.engine.inquiry.fact(loop, expression)
        except SipError as error:
            raise _text_error(error) from None
        except LookupError as error:
            raise PlayError("no-such-loop", str(error), where={"field": "loop"}) from None

    def propose(self, loop: int, expression: str) -> tuple[Json, int]:
        fact = self._fact(loop, expression)
        self._note("proposed", {"loop": fact.loop, "expression": fact.text, "text": expression})
        result = self.engine.propose(self.books, fact.text, fact.loop)
        if result.books != self.books or result.feedback.solved:
            self.feedback = result.feedback
        self.books = result.books
        return self._judged(result_json(result, self.program)), 0

    def propose_many(self, proposals: Sequence[tuple[int, str]]) -> tuple[Json, int]:
        facts = [self._fact(loop, text) for loop, text in proposals]
        self._note("proposed", {"proposals": facts_json(facts)})
        result = self.engine.propose_many(self.books, [(each.loop, each.text) for each in facts])
        self.books, self.feedback = result.books, result.feedback
        return self._judged(batch_json(result, self.program)), 0

    def _judged(self, body: Json) -> Json:
        self._note("judged", body)
        if body["solved"] and not self.was_solved:
            self.was_solved = True
            self._note("solved", {"inductive": body["inductive"]})
        return body

    def trace(self, inputs: Mapping[str, str], loop: int | None, seed: int, rows_max: int) -> Json:
        try:
            run = self.program.run(inputs, seed=seed)
            wanted = run.traces if loop is None else (run.of(loop),)
        except InputError as error:
            raise PlayError("bad-inputs", str(error), where={"field": "inputs"}) from None
        except LookupError as error:
            raise PlayError("no-such-loop", str(error), where={"field": "loop"}) from None
        totals = [len(each.rows) for each in wanted]
        for each in wanted:
            each.rows, each.outer_rows = each.rows[:rows_max], each.outer_rows[:rows_max]
        found = run.as_json()
        found["printed"] = run.printed[:rows_max]
        found["loops"] = [each.as_json() | {"rows_total": total} for each, total in zip(wanted, totals, strict=True)]
        self._note("traced", {"inputs": dict(inputs), "loop": loop, "seed": seed})
        return found

    def transition(self, loop: int, expression: str) -> Json:
        fact = self._fact(loop, expression)
        if fact not in potential_facts(self.books):
            raise PlayError("not-potential", f"'{fact.text}' is not among the potential invariants of loop {loop}")
        return self._note("transition", breaking_json(self.engine.breaking_transition(self.books, fact.text, fact.loop), fact))

    def another_state(self) -> Json:
        self.feedback, self.books = self.engine.feedback(self.books)
        return self._note("feedback", feedback_json(self.feedback, self.program))

    def hint(self) -> Json:
        if self.was_solved:
            raise PlayError("no-hint", "the guarantee is proved: there is nothing left to hint at")
        wanted = next_hint(self.engine, self.books, self.plan, self.feedback)
        if wanted is None:
            self.plan = make_plan(self.program, self.books).facts
            wanted = next_hint(self.engine, self.books, self.plan, self.feedback)
        if wanted is None:
            raise PlayError("no-hint", "our agent has not found a proof from here, so it has no hint to give")
        target, taken = self.hinted
        taken = taken if target == wanted.target else 0
        if taken == len(wanted.steps):
            raise PlayError("no-hint", "all hints about the next fact were given: the last one says it; propose it")
        self.hinted = wanted.target, taken + 1
        more = {"loop": wanted.target.loop, "left": len(wanted.steps) - taken - 1, "coins": 0}
        return self._note("hint", wanted.steps[taken] | more)

    def explain(self) -> Json:
        return explanation_json(self.engine.explain(self.books), self.program)

    def standing(self) -> Json:
        return {
            "inductive": facts_json(inductive_facts(self.books)),
            "potential": facts_json(potential_facts(self.books)),
            "solved": self.was_solved,
            "feedback": feedback_json(self.feedback, self.program),
            "last_event": len(self.log),
        }

    def events(self, after: int) -> list[Json]:
        return self.log[after:]

    def follow(self, after: int) -> Iterator[Json]:
        return iter(self.log[after:])

    def reset(self) -> Json:
        self._start()
        found = feedback_json(self.feedback, self.program)
        self._note("reset", {"feedback": found})
        return found

    def leave(self) -> None:
        self._note("left", {})


def _text_error(error: SipError) -> PlayError:
    first = error.as_json()[0]
    where = first["where"]
    assert isinstance(where, dict)
    return PlayError("bad-text", str(first["message"]), str(first["hint"]), where)
