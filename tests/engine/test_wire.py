"""The wire: what is written can be read again, what is not understood is refused, and the description fits what is written."""

from __future__ import annotations

import importlib
import json
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import pytest

from idg.engine.books import Books, LoopBooks, ShownState, values_from_json
from idg.engine.results import Fact, Kind
from idg.engine.session import Session
from idg.engine.wire.answers import (
    Assessment,
    BatchAnswer,
    Explanation,
    FeedbackAnswer,
    HintStep,
    ProposalAnswer,
    RunInputs,
    TraceAnswer,
    TransitionAnswer,
)
from idg.engine.wire.build import (
    Unchanged,
    batch_answer,
    explanation,
    feedback_answer,
    limited_batch,
    limited_proposal,
    proposal_answer,
    trace_answer,
    transition_answer,
)
from idg.engine.wire.codec import WireError, decode, decode_any, encode
from idg.engine.wire.events import (
    BODIES,
    CameOrWent,
    GivenHint,
    Loaded,
    ProgramSolved,
    Proposal,
    Proposed,
    ProposedFact,
    ProposedMany,
    RoomEvent,
    Traced,
    given_hint,
)
from idg.engine.wire.programs import ProgramAnswer, program_answer
from idg.engine.wire.rooms import wire_schema
from idg.levels import all_levels
from idg.sip.program import load
from idg.sip.record import Record, replace
from idg.sip.values import Value, values_json
from tests.support.programs.known_levels import known_level

RESTING = "fn main(n: nat) { var i: int := 0; while (i < n) { claim(i < 10^12); i := i + 1; } assert(i = n); }"
WRONG = "fn main(n: nat) { var i: int; i := 0; while (i < n) { i := i + 1; } assert(i < 7); }"
PLAYED = {
    "multiply": ("cnt <= 3", "cnt >= 0", "cnt <= m", "res <= n*m", "n >= 0", "res = n*cnt", "cnt <= m + 1"),
    "int-square-root": ("sqr >= cnt", "sqr = (cnt+1)^2", "odd = cnt*2+1", "odd % 2 = 1"),
    "light-switch": ("on | !on", "on"),
}
FEEDBACK = FeedbackAnswer(False, False, None, "Not solved yet.")
STEPS = (
    HintStep("variable", "Look at x.", variable="x"),
    HintStep("together", "x and y.", variables=("x", "y")),
    HintStep("shape", "Two things are equal.", shape="equation", degree=0),
    HintStep("template", "It has this form: x = □", template="x = □"),
    HintStep("invariant", "Propose: x = 1", expression="x = 1"),
    HintStep("falls", "What falls?", variables=("x",)),
    HintStep("measure-template", "It has this form: decreases x - □", template="decreases x - □"),
    HintStep("measure", "Propose: decreases x - 1", expression="decreases x - 1"),
    HintStep("endless", "For which n?", variables=("n",)),
    HintStep("endless-run", "Propose: endless n = 3", expression="endless n = 3"),
)


def answers() -> Iterator[Record]:
    """Answers of every kind that a game makes."""
    for name, texts in PLAYED.items():
        level = known_level(name)
        session = Session(level.program())
        for text in texts:
            yield proposal_answer(session.propose(text).result, session.program)
            for fact in session.potential:
                why = session.engine.why_not(session.books, fact.text, fact.loop)
                yield transition_answer(why, fact, session.program)
        yield explanation(session.engine.explain(session.books), session.program)
        yield session.books
        yield batch_answer(session.engine.propose_many(session.engine.start(), [(1, text) for text in texts]), session.program)
        yield trace_answer(session.program.run(level.inputs), None, 2)
    resting = Session(RESTING)
    yield proposal_answer(resting.propose("i <= 10^12").result, resting.program)
    wrong = Session(WRONG)
    yield feedback_answer(wrong.feedback, wrong.program)
    yield trace_answer(wrong.program.run(n=9), 1, 100)
    unchanged = Unchanged((Fact(1, "x = 1"),), (), (Fact(1, "x = 2"),), False, FEEDBACK, "time")
    yield limited_proposal(Fact(1, "x = 2"), unchanged)
    yield limited_batch([Fact(1, "x = 2"), Fact(1, "x = 3")], unchanged)
    yield Assessment("refuted", 3, 0, run=RunInputs({"n": Fraction(1, 2)}, 4))
    yield from STEPS
    yield from (given_hint(step, 1, 2, 3) for step in STEPS)


def test_what_is_written_can_be_read_again() -> None:
    kinds = set()
    for answer in answers():
        written = json.dumps(encode(answer))
        read = decode(type(answer), json.loads(written))
        assert read == answer
        assert json.dumps(encode(read)) == written
        kinds.add(type(answer))
    assert kinds >= {ProposalAnswer, BatchAnswer, Explanation, FeedbackAnswer, TraceAnswer, TransitionAnswer, Books}


def test_all_levels_are_written_and_read() -> None:
    for level in all_levels():
        program = program_answer(level.program(), level.source, level.title)
        assert decode(ProgramAnswer, json.loads(json.dumps(encode(program)))) == program


RUNS = (
    "fn main(n: nat) { var i: int; i := 0; while (i < n) { i := i + 1; print(i, n); } assert(i < 7); }",
    "fn main(n: nat): int { var i: int; i := 0; while (i < n) { i := i + 1; } assert(i = n); return i * 2; }",
    "fn main(n: nat) { var i: int; i := 0; while (i >= 0) { i := i + 1; } assert(i = n); }",
    "fn main(n: nat) { var i: int; i := 0; while (i < n) { i := i + 1; } assume(n < 3); assert(i = n); }",
    "fn main(n: nat) { var x: rat; x := n / 2; while (x < n) { x := x + 1/3; } assert(x >= n); }",
)
"""Programs whose runs with n = 9 fail, return a value, are too long, are ignored, and have fractions."""


def test_pages_of_a_trace_are_bounded_and_lead_to_its_end() -> None:
    """Nested loops, large numbers: each page is short, no row is missing, and none comes twice."""
    program = load(
        "fn main(n: nat) { var x, i, j: int; x := 1; i := 0; while (i < n) {"
        " j := 0; while (j < i) { j := j + 1; print(j); x := x * 99; } i := i + 1; } assert(i >= n); }"
    )
    run = program.run(n=40)
    whole = trace_answer(run, None, 100_000)
    for loop in (1, 2):
        rows: list[tuple[Value, ...]] = []
        outer: list[int] = []
        while len(rows) < whole.loops[loop - 1].rows_total:
            page = trace_answer(run, loop, 100, len(rows), 5_000)
            assert len(json.dumps(encode(page.loops[0]))) < 6_000
            [told] = page.loops
            assert told.offset == len(rows)
            assert told.rows
            rows += told.rows
            outer += told.outer_rows or ()
        assert tuple(rows) == whole.loops[loop - 1].rows
        assert tuple(outer) == (whole.loops[loop - 1].outer_rows or ())
    both = trace_answer(run, None, 1_000, 0, 5_000)
    assert all(0 < len(told.rows) < told.rows_total for told in both.loops)
    assert len("".join(both.printed)) < 5_000


def test_a_run_and_its_answer_have_the_same_json() -> None:
    """The language package cannot know the wire, so `Run.as_json` writes a run by itself, with all its rows."""
    runs = [load(source).run(n=9) for source in RUNS] + [level.program().run(level.inputs) for level in all_levels()]
    assert {run.outcome.kind for run in runs} == {"returned", "failed", "bound", "ignored"}
    for run in runs:
        told = encode(trace_answer(run, None, max(len(run.printed), *map(len, run.traces))))
        for loop in told["loops"]:
            assert loop.pop("rows_total") == len(loop["rows"])
        assert json.dumps(run.as_json()) == json.dumps(told)


def test_what_is_written_fits_the_description() -> None:
    jsonschema: Any = importlib.import_module("jsonschema")
    described = wire_schema()
    jsonschema.Draft202012Validator.check_schema(described)
    checked = 0
    for answer in answers():
        name = type(answer).__name__
        if name in described["$defs"]:
            jsonschema.Draft202012Validator({"$ref": f"#/$defs/{name}", **described}).validate(encode(answer))
            checked += 1
    assert checked > 20
    event = RoomEvent(3, "hint", "p", 1.0, given_hint(STEPS[2], 1, 2, 3))
    validator = jsonschema.Draft202012Validator({"$ref": "#/$defs/RoomEvent", **described})
    validator.validate(encode(event))
    for broken in (encode(event) | {"kind": "solved"}, encode(event) | {"more": 1}):
        assert not validator.is_valid(broken)


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        ("loaded", Loaded("multiply", "0123")),
        ("joined", CameOrWent()),
        ("proposed", Proposed("x = 1", 1, "x=1")),
        ("proposed", ProposedMany((ProposedFact("x = 1", 1),))),
        ("solved", ProgramSolved(("p",), (Fact(1, "x = 1"),))),
        ("feedback", FEEDBACK),
        ("hint", given_hint(STEPS[0], 1, 2, 3)),
    ],
)
def test_the_kind_of_an_event_says_what_its_body_is(kind: str, body: Any) -> None:
    event = RoomEvent(1, kind, None, 2.5, body, answers=7)
    written = encode(event)
    assert list(written) == ["number", "kind", "player", "time", "answers", "body"]
    assert decode(RoomEvent, written) == event
    assert kind in BODIES


@pytest.mark.parametrize(
    ("written", "why"),
    [
        ({"solved": True, "potential_suffices": False, "state": None}, "no field 'message'"),
        ({"solved": True, "potential_suffices": False, "state": None, "message": "", "more": 1}, "'more' that is unknown"),
        ({"solved": 1, "potential_suffices": False, "state": None, "message": ""}, "solved: expected true or false, found 1"),
        ({"solved": True, "potential_suffices": False, "state": {"loop": 1}, "message": ""}, "state: there is no field"),
        ([], "expected an object"),
        (None, "expected an object"),
    ],
)
def test_what_is_not_understood_is_refused(written: object, why: str) -> None:
    with pytest.raises(WireError, match=why):
        decode(FeedbackAnswer, written)


@pytest.mark.parametrize(
    "written",
    [
        {"step": "variable", "message": "m", "loop": 1, "left": 0, "coins": 0},
        {"step": "variable", "message": "m", "loop": 1, "left": 0, "coins": 0, "variable": "x", "shape": "equation"},
        {"step": "song", "message": "m", "loop": 1, "left": 0, "coins": 0},
        {"step": [], "message": "m", "loop": 1, "left": 0, "coins": 0},
    ],
)
def test_a_step_of_a_hint_reveals_what_it_should(written: object) -> None:
    with pytest.raises(WireError):
        decode(GivenHint, written)


def test_records_are_told_apart_by_their_fields() -> None:
    assert decode_any(Proposal, {"expression": "x = 1", "loop": 1, "text": "x=1"}) == Proposed("x = 1", 1, "x=1")
    assert decode_any(Proposal, {"proposals": [], "imported": True}) == ProposedMany((), True)
    with pytest.raises(WireError, match="expected one of Proposed or ProposedMany"):
        decode_any(Proposal, {"expression": "x = 1"})
    with pytest.raises(WireError, match="there is no kind 'sung' of a RoomEvent"):
        decode(RoomEvent, {"number": 1, "kind": "sung", "player": None, "time": 0, "body": {}})


@pytest.mark.parametrize("text", ["", "1/0", "one", "1e", "nan"])
def test_values_are_exact(text: str) -> None:
    good = ShownState(1, {"x": Fraction(-7, 3), "b": True, "n": 10**100})
    assert encode(good)["state"] == {"x": "-7/3", "b": "true", "n": f"1{'0' * 100}"}
    assert decode(ShownState, encode(good)) == good
    with pytest.raises(WireError, match="state"):
        decode(ShownState, {"loop": 1, "state": {"x": text}})


def test_what_has_its_default_is_left_out_unless_it_is_kept() -> None:
    assert encode(Books((LoopBooks(),))) == {"version": 1, "loops": [{"inductive": [], "potential": []}], "shown": [], "hints": []}
    with pytest.raises(WireError, match="no field 'hints'"):
        decode(Books, {"version": 1, "loops": [], "shown": []})
    answer = ProposalAnswer("x = 1", 1, Kind.DISPLACED, (), (), (), (), False, FEEDBACK, "", implied=())
    assert encode(answer)["implied_by"] == []
    assert "implied_by" not in encode(replace(answer, implied=None))
    assert "coins" not in encode(replace(answer, coins=3)), "a server tells them beside the verdict"


def test_arrays_are_lists_of_texts() -> None:
    program = load("fn main(a: int[], b: rat[], x: int) { var i: nat; while (i < len(a)) { i := i + 1; } assert(i >= len(a)); }")
    run = program.run(a=[3, -1], b="1/2", x=7)
    told = encode(trace_answer(run, None, 10))
    assert told["inputs"] == {"a": ["3", "-1"], "b": ["1/2"], "x": "7"}
    assert told["loops"][0]["rows"][1] == [["3", "-1"], ["1/2"], "7", "1"]
    assert decode(TraceAnswer, json.loads(json.dumps(told))).inputs == {"a": (3, -1), "b": (Fraction(1, 2),), "x": 7}
    jsonschema: Any = importlib.import_module("jsonschema")
    jsonschema.Draft202012Validator({"$ref": "#/$defs/TraceAnswer", **wire_schema()}).validate(told)
    view = encode(program_answer(program, program.text, "Arrays"))
    assert [param["type"] for param in view["params"]] == ["int[]", "rat[]", "int"]
    assert decode(ProgramAnswer, view).params[0].type is program.params["a"]
    for wrong in ([["3"]], [3], ["x"], {"0": "3"}):
        with pytest.raises(WireError):
            decode_any(Value, wrong)
    assert values_from_json(values_json(run.inputs)) == run.inputs


def test_inputs_are_passed_on_as_they_were_written() -> None:
    body = {"inputs": {"a": ["3", " 1"], "n": "x"}, "loop": None, "seed": 0}
    assert encode(decode(Traced, body)) == body
    for wrong in ([["3"]], [3], 3):
        with pytest.raises(WireError):
            decode(Traced, {**body, "inputs": {"a": wrong}})
