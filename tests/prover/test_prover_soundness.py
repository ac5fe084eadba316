"""Random queries: proved goals hold in every state of a box, laws are true, and solvers agree."""

from __future__ import annotations

import itertools
import random
from fractions import Fraction

from idg.prover.answers import Proved, Refuted
from idg.prover.check import refutes
from idg.prover.normal import canonical, parts
from idg.prover.plugins.interface import CVC5, REALS, Z3
from idg.prover.prove import QUICK, Prover
from idg.prover.smt import z3_stage
from idg.prover.smt.laws import laws
from idg.sip.running.evaluator import Evaluator
from idg.sip.syntax import Type
from idg.sip.text.printer import print_expression
from idg.sip.values import Value, scalar
from idg.vc.query import Query
from tests.support.attack.queries.prover_queries import random_query

BOX: dict[Type, list[Value]] = {
    Type.INT: [0, 1, -1, 2, -2, 3, 5, -7],
    Type.NAT: [0, 1, 2, 3, 4, 9],
    Type.RAT: [0, 1, -1, Fraction(1, 2), Fraction(-3, 2), Fraction(5, 3)],
    Type.BOOL: [False, True],
}


def rows_of(query: Query) -> list[tuple[Value, ...]]:
    return list(itertools.product(*(BOX[kind] for kind in query.variables.values())))


def falsified(query: Query) -> dict[str, Value] | None:
    """A state of the box in which all hypotheses are true and the goal has a value and is false."""
    rows = rows_of(query)
    evaluator = Evaluator([*(hypothesis.expr for hypothesis in query.hypotheses), query.goal], query.variables)
    columns = [evaluator.rows(index, rows) for index in range(len(query.hypotheses) + 1)]
    for row, *hypotheses, goal in zip(rows, *columns, strict=True):
        if goal is False and all(value is True for value in hypotheses):
            return dict(zip(query.variables, row, strict=True))
    return None


def test_what_is_proved_holds() -> None:
    prover = Prover(QUICK)
    proved = refuted = 0
    for seed in range(400):
        query = random_query(random.Random(seed))
        answer = prover.prove(query)
        if isinstance(answer, Proved):
            proved += 1
            assert falsified(query) is None, f"seed {seed}: {query}"
        elif isinstance(answer, Refuted):
            refuted += 1
            assert refutes(query, answer.state), f"seed {seed}: {query}"
    assert proved > 100
    assert refuted > 100


def test_solvers_agree() -> None:
    for seed in range(1_000, 1_150):
        query = random_query(random.Random(seed))
        answers = {plugin.name: plugin.prove(query) for plugin in (Z3, CVC5, REALS)}
        if any(isinstance(answer, Proved) for answer in answers.values()):
            assert falsified(query) is None, f"seed {seed}: {answers} {query}"
            for answer in answers.values():
                if isinstance(answer, Refuted):
                    # This may happen only if the goal has no value, which a prover may take for anything.
                    assert Evaluator([query.goal], query.variables).on(answer.state)[0] is not False, f"seed {seed}: {query}"


def test_laws_are_true() -> None:
    counted = 0
    for seed in range(2_000, 2_400):
        query = random_query(random.Random(seed))
        rows = rows_of(query)
        for law in laws([*(hypothesis.expr for hypothesis in query.hypotheses), query.goal], query.variables, None):
            counted += 1
            for row, value in zip(rows, Evaluator([law], query.variables).rows(0, rows), strict=True):
                state = dict(zip(query.variables, row, strict=True))
                assert value is not False, f"{print_expression(law)} is false in {state}"
    assert counted > 1_000


def test_parts_mean_the_whole() -> None:
    for seed in range(3_000, 3_300):
        query = random_query(random.Random(seed))
        split = parts(query)
        for row in rows_of(query)[::7]:
            state = dict(zip(query.variables, row, strict=True))
            broken = [part for part in split if refutes(part.query, state)]
            values = Evaluator([*(hypothesis.expr for hypothesis in query.hypotheses), query.goal], query.variables).on(state)
            if all(isinstance(value, bool) for value in values):
                assert bool(broken) == refutes(query, state), f"seed {seed}: {state} {query}"


def test_the_canonical_form_forgets_names_and_order() -> None:
    for seed in range(4_000, 4_200):
        query = random_query(random.Random(seed))
        renamed = canonical(query).query
        shuffled = Query(renamed.variables, renamed.hypotheses[::-1], renamed.goal)
        assert canonical(renamed).key == canonical(query).key
        assert canonical(canonical(shuffled).query).key == canonical(shuffled).key


def test_the_canonical_form_tells_bound_names_from_free_ones() -> None:
    from tests.support.attack.queries.prover_examples import make_query

    declared = "a: int[], x: int, y: int"
    facts = ("forall k in 0..x: a[k] % 2 = y", "forall k in 0..x: a[k] % 2 = k", "forall k in 0..x: a[k] % 2 = x")
    forms = [canonical(make_query(declared, [fact], "x % y = 0")) for fact in facts]
    assert len({form.key for form in forms}) == len(facts)
    other_name = canonical(make_query(declared, [facts[1].replace("k", "l")], "x % y = 0"))
    assert other_name.key == forms[1].key
    assert repr(other_name.query) == repr(forms[1].query)


def test_models_of_z3_are_small() -> None:
    from tests.support.attack.queries.prover_examples import make_query

    answer = z3_stage.attempt(make_query("x, y, z: int", ["x * y > 5", "z > x"], "x + y > 20"))
    assert isinstance(answer, Refuted)
    assert all(-10 <= scalar(value) <= 10 for value in answer.state.values())
