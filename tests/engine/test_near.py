"""States near reachable rows: each refutes its query, has values of the program's types, and those that teach most come first."""

from __future__ import annotations

import pytest

from idg.engine.engine import Engine
from idg.engine.judging.belief import obligation_query
from idg.engine.states.near import Head, NearState, distance, near_states, shown_rows
from idg.levels import Level, all_levels
from idg.prover.check import refutes
from idg.sip.program import load
from idg.sip.values import scalar
from idg.vc.query import Query

LEVELS = pytest.mark.parametrize("level", all_levels()[::3], ids=lambda level: level.id)
NEAR_MAX = 40
"""Near states of one query that are looked at."""


def searched(engine: Engine) -> list[tuple[int, Query, list[NearState]]]:
    """For each obligation after a loop that no fact proves: the loop, the query, and the states found near reachable rows."""
    inquiry = engine.inquiry
    analysis = inquiry.analysis(inquiry.program.level.name, (), ())
    result = []
    for obligation in analysis.obligations:
        loop = obligation.path.last
        if loop:
            query = obligation_query(analysis, obligation)
            head = Head(analysis, loop, obligation.path.heads[loop])
            states = [state for state, _ in zip(near_states(inquiry, head, query), range(NEAR_MAX), strict=False)]
            result.append((loop, query, states))
    return result


@LEVELS
def test_near_states_refute_their_queries_and_differ_in_at_most_two_columns(level: Level) -> None:
    engine = Engine(level.program())
    states_seen = 0
    for loop, query, states in searched(engine):
        runs = engine.inquiry.runs_at(loop)
        rows = [*runs.first_rows(loop), *(reached.row for reached in runs.reached[loop])]
        for near in states:
            states_seen += 1
            assert refutes(query, {name: near.symbols[name] for name in query.variables})
            columns = near.rank[0]
            assert isinstance(columns, int)
            assert distance(tuple(near.state.values()), rows) <= columns
    # Near rows with arrays, none may break the goal: then states are looked for elsewhere.
    assert states_seen or any(kind.element for kind in engine.program.info.level.variables.values())


def test_near_states_have_values_of_their_types() -> None:
    """Without its type the nat could be changed to -1, where the promise fails."""
    engine = Engine(load("fn main(n: nat) { var i: nat := 0; while (i < n) { i := i + 1; } assert(i = n & i >= 0); }"))
    for _, _, states in searched(engine):
        assert states
        assert all(scalar(value) >= 0 for near in states for value in near.state.values())


def test_near_rows_of_the_first_table_come_before_those_of_other_runs() -> None:
    program = load("fn main(n: nat, k: nat) { var i: nat := 0; while (i < n) { i := i + 1; } assert(i = n); }")
    program.first_inputs = {"n": 29, "k": 17}
    engine = Engine(program)
    [(loop, _, states), *_] = searched(engine)
    runs = engine.inquiry.runs_at(loop)
    table = shown_rows(runs, loop)
    assert {row[:2] for row in table} == {(29, 17)}
    assert distance(tuple(states[0].state.values()), table) == 1


def test_near_states_are_not_looked_for_where_a_call_has_no_known_value() -> None:
    """A goal that says that a call is not evaluated is refuted by no state."""
    engine = Engine(
        load(
            "fn half(k: int): int { post(2 * result = k); return k // 2; } "
            "fn main(n: nat) { var i: int := 0; while (i < n) { i := i + 1; } claim(half(i) >= 0); assert(i = n); }"
        )
    )
    goals = [(query.call, states) for _, query, states in searched(engine)]
    assert any(call for call, _ in goals)
    assert not any(states for call, states in goals if call)
