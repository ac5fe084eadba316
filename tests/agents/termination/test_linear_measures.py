"""Linear measures by Farkas' lemma, phases by modes, and remainders: found for loops for which no simple component is enough."""

from __future__ import annotations

from fractions import Fraction

import pytest

from idg.agents.termination import decide_ending
from idg.agents.termination.linear import linear_measure
from idg.engine.engine import Engine
from idg.engine.termination.results import MeasureKind
from idg.prover.ranking import ONE, LinearTurn, RankingFunction, nested_functions, ranking_functions
from idg.sip.program import load


def loops(body: str, head: str = "x, y: int") -> Engine:
    return Engine(load(f"fn main({head}) {{ {body} }}"))


@pytest.mark.parametrize(
    "body",
    [
        "while (x > 0) { x := x - 1; }",
        # Neither x nor y falls always: 3 x + y does.
        "while (x > 0 & y > 0) { if ((x + y) % 3 = 0) { x := x - 1; y := y + 2; } else { x := x + 1; y := y - 4; } }",
        # Two functions, one after the other.
        "while (x > 0 & y > 0) { if (x % 2 = 0) { x := x - 1; y := y * y; } else { y := y - 1; } }",
        # The test is no conjunction, and there is a quotient.
        "while (x > y | x > y + 7) { if (x > 0) { x := x // 2; y := max(y, x); } else { x := x - 1; } }",
        "while (x > 0) { x := x // 2; }",
    ],
)
def test_linear_functions_are_measures(body: str) -> None:
    engine = loops(body)
    books = engine.start()
    proposal = linear_measure(engine, books, engine.program.loops[0])
    assert proposal is not None
    assert engine.propose_measure(books, proposal).kind is MeasureKind.FALLS


@pytest.mark.parametrize(
    "body",
    [
        "while (x > 0) { x := x - y; }",
        "while (x != 0) { x := x - 1; }",
        "while (x > 0 | y > 0) { x := x - 1; y := y + 1; }",
        "var z: rat := 1; while (z > 0) { z := z / 2; }",
    ],
)
def test_where_nothing_linear_falls_nothing_is_proposed(body: str) -> None:
    engine = loops(body)
    assert linear_measure(engine, engine.start(), engine.program.loops[0]) is None


@pytest.mark.parametrize(
    "text",
    [
        # A linear one with a fact in support: y stays at least 1, and the agent alone finds both.
        "fn main(n: int) { var x: int := n; var y: int := 1; while (x > 0) { x := x - y; if (x % 5 = 0) { y := y + 1; } } }",
        "fn main(x, y: int) { while (x > 0 & y > 0) { if ((x + y) % 3 = 0) { x := x - 1; y := y + 2; } "
        "else { x := x + 1; y := y - 4; } } }",
        # Phases: which component counts depends on a mode.
        "fn main(x: int) { var d: int := 1; while (x > 0) { if (x > 9) { d := -1; } x := x + d; } }",
        # Round a wheel.
        "fn main(x: int) { while (x % 7 != 3) { x := x + 1; } }",
        # What falls later: first the one grows past the other's steps, then their distance falls.
        "fn main(x, y: int) { pre(x >= 1); while (x < y) { x := 2 * x; y := y + 3; } }",
        # A mode that the loop itself does not change.
        "fn main(x, d: int) { if (d > 0) { d := 1; } else { d := -1; } while (x > 0 & x < 100) { x := x + d; } }",
        # A fact that a run leaves behind at the end of the loop.
        "fn main(x: int) { var up: int := 1; while (x > 0 & x < 60) { if (up = 1) { x := x + 1; } else { x := x - 1; } "
        "if (x = 30) { up := 1 - up; x := x - 30; } } }",
        # The state at which runs end bounds the others.
        "fn main(x: int) { pre(x > 0); while (x + 1 != 0) { x := x - 1; } }",
        # The sign of a number that no turn changes says what falls.
        "fn main(x, d: int) { while (x > 0 & x < 100 & d != 0) { x := x + d; } }",
        # What grows until a test inside is true.
        "fn main(x, y: int) { var going: bool := true; while (x > 0 & going) { if (y > 10) { going := false; } "
        "else { y := y + 1; x := x + 1; } } }",
        # The remainder by what a turn adds.
        "fn main(n: int) { var i: int := 0; while (i != 1001) { i := i + 7; } }",
        # Who is next: the numbers move on, and none of them falls always.
        "fn main(x, y, z: int) { while (x > 0 | y > 0 | z > 0) { var t: int := x; x := y; y := z; z := t - 1; } }",
        # A power of 4 comes down to 1; other numbers may not.
        "fn main(n: nat) { var q: int := 1; while (q <= n) { q := 4 * q; } while (q != 1) { q := q // 4; } }",
    ],
)
def test_the_agent_finds_measures_of_these_classes(text: str) -> None:
    engine = Engine(load(text))
    assert decide_ending(engine, engine.start()).ending.status == "ends"


def test_numbers_that_a_run_has_made_huge_are_no_facts() -> None:
    """They have more digits than the language allows; this raised an error."""
    engine = Engine(load("fn main(x, y: int) { while (y != 7) { x := x * x + 2; y := y * 3 + 1; } }"))
    assert decide_ending(engine, engine.start()).ending.status != "ends"


def test_functions_are_whole_and_come_one_after_the_other() -> None:
    def turn(test: str, x: int, y: int | None) -> LinearTurn:
        """A turn under `test` > 0 that adds these numbers to x and y; None makes y anything."""
        one = Fraction(1)
        after_y = {"any": one} if y is None else {"y": one, ONE: Fraction(y)}
        return LinearTurn(
            [{test: one, ONE: -one}], {"x": {"x": one}, "y": {"y": one}}, {"x": {"x": one, ONE: Fraction(x)}, "y": after_y}
        )

    first, second = ranking_functions([turn("x", -1, None), turn("y", 0, -1)], ["x", "y"])
    assert (first.factors, second.factors) == ({"x": 1}, {"y": 1})
    assert not first.is_bounded, "nothing is known of x where y falls"
    assert ranking_functions([turn("x", 1, 0)], ["x", "y"]) == []
    assert ranking_functions([turn("x", -1, None), turn("y", 1, -1)], ["x", "y"]) == []
    [only] = ranking_functions([turn("x", -2, 5)], ["x", "y"])
    assert isinstance(only, RankingFunction)
    assert all(isinstance(value, int) for value in only.factors.values())


def test_functions_that_fall_in_phases_are_found_together() -> None:
    one = Fraction(1)

    # y falls; once it is negative, x falls. Under x >= 0 that ends, and with y + 1 for y - 1 it does not.
    def turns(step: int) -> list[LinearTurn]:
        after = {"x": {"x": one, "y": one}, "y": {"y": one, ONE: Fraction(step)}}
        return [LinearTurn([{"x": one}], {"x": {"x": one}, "y": {"y": one}}, after)]

    assert ranking_functions(turns(-1), ["x", "y"]) == []
    first, second = nested_functions(turns(-1), ["x", "y"])
    assert list(first.factors) == ["y"]
    assert second.factors["x"] > 0
    assert nested_functions(turns(1), ["x", "y"]) == nested_functions(turns(0), ["x", "y"]) == []
