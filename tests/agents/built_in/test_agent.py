"""The built-in agent: what it calls solved is proved again from scratch, and what it calls refuted fails when it is run."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from idg.agents import Agent, AgentResult, LocalEngine
from idg.agents.built_in import agent
from idg.agents.built_in.ideas.equalities import Fitting
from idg.agents.built_in.ideas.polynomials import bound_text, equation_text
from idg.agents.built_in.ideas.weakest import weakest
from idg.agents.built_in.rounds import ROUNDS
from idg.agents.built_in.states.loop_view import LoopView, seen_names
from idg.agents.built_in.states.turns import Turns
from idg.audit import CONFIRMED, audit
from idg.cli.main import parse
from idg.cli.playing.solve import solve
from idg.engine.states.runs import RunPool
from idg.prover import horn
from idg.prover.nullspace import dependencies
from idg.sip.program import Program, load
from idg.sip.text.expressions import parse_expression
from idg.sip.text.printer import print_expression
from tests.levels.test_corpus import FOLDER, entries
from tests.support.programs.agent_games import annotated, play, proved_from_scratch
from tests.support.programs.known_levels import known_level
from tests.support.volume import LONG


@cache
def played(level: str) -> AgentResult:
    entry = known_level(level)
    return play(entry.program())


# programs from outside


corpus = pytest.mark.skipif(not FOLDER.is_dir(), reason="the corpus is not beside the project")
SAMPLE = {
    "code2inv": ("c2i_1", "c2i_5", "c2i_23", "c2i_36", "c2i_46", "c2i_83", "c2i_88", "c2i_94", "c2i_110", "c2i_130"),
    "invgame": ("nl_ineq_4", "cube_1", "sqrt"),
    "nla": ("cohencu", "cohendiv", "fermat2", "geo1", "lcm1", "mannadiv", "ps4", "sqrt1", "bresenham"),
}


@corpus
@pytest.mark.parametrize(("suite", "name"), [(suite, name) for suite, names in SAMPLE.items() for name in names])
def test_a_sample_of_programs_from_outside(suite: str, name: str) -> None:
    [entry] = [candidate for candidate in entries(suite) if candidate["name"] == name]
    program = load(entry["sip"])
    outcome = play(program)
    assert outcome.outcome == "solved"
    proved_from_scratch(program, outcome)


@corpus
@pytest.mark.skipif(not LONG, reason="all programs from outside are played in make soak only")
@pytest.mark.parametrize("suite", SAMPLE)
def test_the_second_verifier_confirms_every_find(suite: str) -> None:
    solved = 0
    for entry in entries(suite):
        program = load(entry["sip"])
        outcome = play(program)
        if outcome.outcome == "solved":
            solved += 1
            assert entry["valid"] is not False, entry["id"]
            assert audit(annotated(program, outcome.invariants)).answer == CONFIRMED, entry["id"]
    assert solved > len(SAMPLE[suite])


@corpus
def test_wrong_programs_are_refuted_with_a_run_that_fails() -> None:
    wrong = [entry for entry in entries("code2inv") if entry["valid"] is False]
    assert len(wrong) == 9
    for entry in wrong:
        program = load(entry["sip"])
        outcome = play(program)
        assert outcome.outcome == "refuted", entry["id"]
        assert outcome.run is not None
        assert program.repeat(outcome.run).outcome.kind == "failed"


# honesty, repeatability, budgets


WRONG = """fn main(n: nat) {
  var i, s: int;
  i := 0;
  s := 0;
  while (i < n) {
    i := i + 1;
    s := s + i;
  }
  assert(s < 3000000);
}"""


def test_a_wrong_guarantee_far_away_is_refuted_by_a_run() -> None:
    program = load(WRONG)
    outcome = play(program)
    assert outcome.outcome == "refuted"
    assert outcome.run is not None
    assert program.repeat(outcome.run, record=False).outcome.kind == "failed"


def test_a_wrong_guarantee_that_no_run_shows_stays_open() -> None:
    text = "fn main(n: nat) { var i: int; i := 0; while (i < n) { i := i + 1; } assert(i != 987654321987654321); }"
    outcome = play(load(text), fuel_max=400)
    assert outcome.outcome == "open"
    assert outcome.run is None


@pytest.mark.parametrize("level", ["int-square-root", "small-change", "bean-can"])
def test_the_same_seed_plays_the_same_game(level: str) -> None:
    entry = known_level(level)
    assert play(entry.program()) == played(level)


REPEATED = """
import sys
from idg.agents import Agent, LocalEngine
from idg.levels import find_level
for name in sys.argv[1:]:
    print(Agent(LocalEngine(find_level(name).program())).play())
"""


def test_the_same_seed_plays_the_same_game_in_other_processes() -> None:
    """The two processes iterate over sets in different orders, which must not matter."""
    outputs = []
    for order in ("1", "2"):
        command = [sys.executable, "-c", REPEATED, "multiply", "int-square-root", "handfuls"]
        process = subprocess.run(command, env={**os.environ, "PYTHONHASHSEED": order}, capture_output=True, text=True, check=True)
        outputs.append(process.stdout)
    assert outputs[0] == outputs[1]
    assert outputs[0].count("solved") >= 3


def test_killed_in_mid_search_it_leaves_nothing(tmp_path: Any) -> None:
    """It leaves no file and no child process, because all it has is in its memory and its engine."""
    program, folder = tmp_path / "hard.sip", tmp_path / "folder"
    program.write_text(UNSEEN)
    folder.mkdir()
    script = (
        "import sys; from idg.agents import Agent, LocalEngine; from idg.sip.program import load; "
        "Agent(LocalEngine(load(open(sys.argv[1]).read())), tell=lambda line: print(line, flush=True)).play(); sys.stdin.read()"
    )
    surroundings = {**os.environ, "HOME": str(folder), "TMPDIR": str(folder), "PYTHONDONTWRITEBYTECODE": "1"}
    with subprocess.Popen(
        [sys.executable, "-c", script, str(program)],
        cwd=folder,
        env=surroundings,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as agent:
        assert agent.stdout is not None
        assert agent.stdout.readline().startswith("round 1")
        children = Path(f"/proc/{agent.pid}/task/{agent.pid}/children")
        assert not children.exists() or children.read_text() == ""
        agent.kill()
    assert list(folder.iterdir()) == []
    assert program.read_text() == UNSEEN


# Spacer only makes guesses


UNSEEN = "fn main(n: nat) { var i: int; i := 0; while (i < n) { i := i + 1; } assert(i != 987654321987654321); }"


@pytest.mark.parametrize("wrong", ["i < 987654321987654321", "i != 987654321987654321", "i <= 7", "false"])
def test_a_wrong_invariant_of_spacer_is_not_accepted(wrong: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """This holds even if no run shows that it is wrong and it would prove everything."""
    programs: list[Program] = []

    def answer(program: Program, rlimit: int = 0) -> horn.HornAnswer:
        programs.append(program)
        return horn.HornAnswer("safe", ((parse_expression(wrong), parse_expression("i <= n")),))

    monkeypatch.setattr(horn, "ask", answer)
    for spacer_first in (False, True):
        outcome = play(load(UNSEEN), fuel_max=800, spacer_first=spacer_first)
        assert programs
        assert outcome.outcome == "open"
        assert wrong not in {text for texts in outcome.invariants for text in texts}
    assert all(logged.kind != "inductive" for logged in outcome.log if logged.text == wrong)


def test_what_spacer_finds_is_proposed_and_proved(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(agent, "ROUNDS", [round_ for round_ in ROUNDS if round_.asks_spacer])
    program = load(
        "fn main(n: nat) { var x, y: int; x := 0; y := 0; while (x < n) { x := x + 1; if (x % 3 = 0) { y := y + 1; } }"
        " assert(3 * y <= x); }"
    )
    outcome = play(program)
    assert outcome.outcome == "solved"
    assert any("Spacer" in logged.source and logged.kind == "inductive" for logged in outcome.log)
    proved_from_scratch(program, outcome)


def test_every_proposal_is_in_the_log_with_its_reason() -> None:
    outcome = played("int-square-root")
    assert len(outcome.log) == outcome.proposals > 0
    assert all(logged.source and logged.kind and logged.round for logged in outcome.log)
    kept = {text for texts in outcome.invariants for text in texts}
    assert kept <= {logged.text for logged in outcome.log}


def test_a_program_without_promises_is_done_when_nothing_in_it_can_fail() -> None:
    """The agent searched for ever, because such a program is never called solved."""
    loop = "while (i < len(a)) { if (a[i] = x) { return i; } i := i + 1; }"
    engine = LocalEngine(load(f"fn main(a: int[], x: int): int {{ var i: int := 0; {loop} return -1; }}"))
    result = Agent(engine).play()
    assert (result.outcome, engine.feedback().nothing_to_prove) == ("open", True)
    assert "i >= 0" in result.invariants[0]
    assert result.proposals < 60


def test_the_budget_is_kept() -> None:
    entry = known_level("rabbit-pairs")
    outcome = play(entry.program(), fuel_max=60)
    assert outcome.outcome == "open"
    assert outcome.fuel < played("rabbit-pairs").fuel


def test_it_stops_when_told() -> None:
    entry = known_level("rabbit-pairs")
    outcome = Agent(LocalEngine(entry.program(), should_stop=lambda: True)).play()
    assert (outcome.outcome, outcome.proposals) == ("open", 0)


# other programs


OTHERS = {
    "no loop": ("fn main(n: nat) { var x: int; x := n + 1; assert(x > n); }", "solved"),
    "no loop, wrong": ("fn main(n: nat) { assert(n != 3); }", "refuted"),
    "no guarantee": ("fn main(n: nat) { var i: int; i := 0; while (i < n) { i := i + 1; } }", "open"),
    "two loops": (
        "fn main(n: nat) { var i, j: int; i := 0; j := 0; while (i < n) { i := i + 1; } while (j < i) { j := j + 2; }"
        " assert(j >= n & j <= n + 1); }",
        "solved",
    ),
    "nested": (
        "fn main(n, m: nat) { var i, j, s: int; i := 0; s := 0; while (i < n) { j := 0; while (j < m) { j := j + 1; s := s + 1; }"
        " i := i + 1; } assert(s = n * m); }",
        "solved",
    ),
    "a loop inside an if": (
        "fn main(n: nat) { var i: int; i := 0; if (n > 5) { while (i < n) { i := i + 1; } } else { i := n; } assert(i = n); }",
        "solved",
    ),
    "a helper": (
        "fn twice(k: nat): nat { return 2 * k; }"
        " fn main(n: nat) { var i, s: nat; i := 0; s := 0; while (i < n) { i := i + 1; s := s + 2; } assert(s = twice(n)); }",
        "solved",
    ),
    "a changed parameter": (
        "fn main(n: nat): nat { post(result = old(n)); var c: nat; c := 0; while (n > 0) { n := n - 1; c := c + 1; } return c; }",
        "solved",
    ),
    "a result of its own": (
        "fn main(n: nat): nat { post(result = 2 * n); var i: nat; i := 0; result := 0;"
        " while (i < n) { i := i + 1; result := result + 2; } }",
        "solved",
    ),
    "fractions": (
        "fn main(n: nat) { var i: nat; var x: rat; i := 0; x := 0; while (i < n) { i := i + 1; x := x + 1/2; }"
        " assert(2 * x = n); }",
        "solved",
    ),
    "choices": (
        "fn main(n: nat) { var i, a, b: int; var c: bool; i := 0; a := 0; b := 0; while (i < n) { i := i + 1; cassign([c], true);"
        " if (c) { a := a + 1; } else { b := b + 1; } } assert(a + b = n); }",
        "solved",
    ),
    "never ends": ("fn main() { var x: int; x := 0; while (true) { x := x + 1; } assert(x = -1); }", "solved"),
    "never ends, with an assert inside": (
        "fn main() { var x: int; x := 0; while (x >= 0) { x := x + 1; assert(x > 0); } }",
        "solved",
    ),
    "numbers too large to run": (
        "fn main(n: nat) { var x: nat; var i: nat; x := 2; i := 0; while (i < n) { i := i + 1; x := x * x * x; } assert(x >= 2); }",
        "solved",
    ),
    "no run gets in": (
        "fn main(n: nat) { pre(n < 0); var i: int; i := 0; while (i < n) { i := i + 1; } assert(i = 7); }",
        "solved",
    ),
}


@pytest.mark.parametrize("name", OTHERS)
def test_other_programs(name: str) -> None:
    text, expected = OTHERS[name]
    program = load(text)
    outcome = play(program, fuel_max=4_000)
    assert outcome.outcome == expected
    if expected == "refuted":
        assert outcome.run is not None
        assert program.repeat(outcome.run).outcome.kind == "failed"


UNUSED_FAILURE = """fn half(x: int): int { CHECK return x // 2; }
fn main(n: nat): int { post(result = n); var i, t: int := 0; while (i < n) { t := half(CALL); i := i + 1; } return i; }"""
SLOW_SUM = """fn sum(x: int): int {
  var s, j: int := 0;
  while (j < x) { j := j + 1; s := s + j; }
  assert(2 * s = x * (x + 1));
  return s;
}
fn main(n: nat): int { post(result = n); var i, t: int := 0; while (i < n) { t := sum(i); i := i + 1; } return i; }"""


@pytest.mark.parametrize(
    ("text", "helper"),
    [
        (UNUSED_FAILURE.replace("CHECK", "assert(x >= 0);").replace("CALL", "i"), "half"),
        (UNUSED_FAILURE.replace("CHECK", "assert(x != 1000000007);").replace("CALL", "0"), "half"),
        (SLOW_SUM, "sum"),
    ],
)
def test_a_helper_that_fails_alone_leaves_the_program_open_and_its_run_is_told(text: str, helper: str) -> None:
    program = load(text)
    outcome = play(program, fuel_max=4_000)
    assert outcome.outcome == "open"
    assert outcome.run is not None
    assert outcome.run.function == helper
    failed = program.repeat(outcome.run)
    assert (failed.outcome.kind, failed.message) == ("failed", outcome.message)


def test_a_helper_that_fails_in_a_long_run_of_the_program_refutes_it() -> None:
    """The helper is seen to fail at once, and the program's usual runs are too short to call it so."""
    program = load(UNUSED_FAILURE.replace("CHECK", "assert(x < 2500);").replace("CALL", "i"))
    outcome = play(program, fuel_max=4_000)
    assert outcome.outcome == "refuted"
    assert outcome.run is not None
    assert not outcome.run.function
    assert program.repeat(outcome.run).outcome.kind == "failed"


def test_hostile_programs_end() -> None:
    names = "abcdefghijkl"
    wide = "".join(f"{name} := {name} + {names[index - 1]}; " for index, name in enumerate(names))
    text = f"fn main() {{ var {', '.join(names)}: int; while (a < 1000000) {{ {wide} }} assert(l != 5); }}"
    # It is wrong where l starts as 5 and the loop is not entered.
    assert play(load(text), fuel_max=300).outcome == "refuted"


# parts


def test_dependencies_are_exact() -> None:
    rows = [[1, i, i * i, 3 * i * i - 7 * i + 2] for i in range(8)]
    assert dependencies(rows, 4) == {3: [-2, 7, -3, 1]}
    assert dependencies([], 3) == {}


def test_equalities_of_each_degree() -> None:
    counts = list(range(40))
    fitting = Fitting({"i": counts, "j": [2 * i + 1 for i in counts], "s": [i * i for i in counts]})
    assert [equation_text(poly, ["j"]) for poly in fitting.next_degree() or []] == ["j = 2 * i + 1"]
    assert [equation_text(poly, ["s"]) for poly in fitting.next_degree() or []] == ["s = i^2"]


@pytest.mark.parametrize(
    ("terms", "least", "text"),
    [
        ({"x": 1}, 3, "x >= 3"),
        ({"x": -1}, -3, "x <= 3"),
        ({"x": 1, "y": -1}, 0, "x >= y"),
        ({"x": 1, "y": -1}, -2, "x + 2 >= y"),
        ({"x": -1, "y": -1}, -5, "x + y <= 5"),
        ({"x": -1}, 2, "x + 2 <= 0"),
        ({"x": 1}, -4, "x >= -4"),
        ({"x": 2, "y": -1}, 1, "2 * x >= y + 1"),
    ],
)
def test_bounds_read_well(terms: dict[str, int], least: int, text: str) -> None:
    assert bound_text(terms, least) == text


def test_single_turns_drop_what_is_not_kept() -> None:
    program = load("fn main(n: nat) { var i: int; i := 0; while (i < n) { i := i + 1; } assert(i = n); }")
    view = LoopView(program, program.loops[0], RunPool(program), seen_names(program))
    turns = Turns(view, 0)
    kept, telling = turns.sifted([parse_expression(text) for text in ("i <= n", "i != 1", "i >= 0", "i = i")], [])
    assert kept == [True, False, True, True]
    assert telling == [True, True, True, False]
    assert turns.sifted([parse_expression("i = 2 * i")], [])[0] == [False]


def test_weakest_precondition_of_a_branching_body() -> None:
    program = load("fn main(x: int) { while (x > 9) { if (x % 2 = 0) { x := x - 2; } else { x := x - 1; } } assert(x <= 9); }")
    body = program.loops[0].statement.body.statements
    condition = weakest(program, body, parse_expression("x >= 0"))
    assert condition is not None
    assert print_expression(condition) == "(x % 2 = 0 -> x - 2 >= 0) & (x % 2 != 0 -> x - 1 >= 0)"


def test_all_effort_is_spent_only_on_what_is_unknown() -> None:
    program = load("fn main(n: nat) { var i: int; i := 0; while (i < n) { i := i + 1; } assert(i = n); }")
    engine = LocalEngine(program)
    before = engine.feedback()
    assert engine.look_again() is before, "a state refutes it, whatever the effort"
    engine.propose_many([(1, "i <= n")])
    assert engine.look_again().solved


# the command


def run_command(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str]:
    code = solve(parse(["solve", *arguments]))
    return code, capsys.readouterr().out


def test_the_command_prints_what_it_found(capsys: pytest.CaptureFixture[str]) -> None:
    code, out = run_command(capsys, "multiply")
    assert code == 0
    assert "solved" in out
    assert "cnt <= m" in out


def test_the_command_as_json(capsys: pytest.CaptureFixture[str], tmp_path: Any) -> None:
    code, out = run_command(capsys, "multiply", "--json", "--log")
    answer = json.loads(out)
    assert (code, answer["outcome"], answer["run"]) == (0, "solved", None)
    assert answer["proposals"] == len(answer["log"])
    wrong = tmp_path / "wrong.sip"
    wrong.write_text("fn main(n: nat) { assert(n != 3); }")
    code, out = run_command(capsys, str(wrong), "--json")
    assert (code, json.loads(out)["run"]["inputs"]) == (1, {"n": "3"})
