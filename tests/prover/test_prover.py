"""The prover as its users see it, and the conformance suite that every plug-in passes."""

from __future__ import annotations

import subprocess
import sys

import pytest

from idg.prover.answers import Proved, Refuted, Unknown
from idg.prover.check import refutes
from idg.prover.plugins.acl2 import NOT_INSTALLED, Acl2
from idg.prover.plugins.interface import CVC5, REALS, Z3, ProverPlugin
from idg.prover.prove import DEFAULT, KNOWN_STATE, QUICK, Effort, Prover, prove
from idg.sip.program import load
from idg.sip.syntax import Call, Compare, Name, Number, Type
from idg.sip.values import scalar
from idg.vc.query import Hypothesis, Query
from tests.support.attack.queries.prover_examples import EXAMPLES, INVALID, LEMMAS, VALID, Example, make_query

LEMMAS_UNPROVED_MAX = 2
"""Textbook lemmas that may remain unproved."""


@pytest.fixture(scope="module")
def prover() -> Prover:
    return Prover()


@pytest.mark.parametrize("example", EXAMPLES, ids=str)
def test_decides_every_example(prover: Prover, example: Example) -> None:
    query = example.query()
    answer = prover.prove(query)
    if example.valid:
        assert isinstance(answer, Proved), answer
    else:
        assert isinstance(answer, Refuted), answer
        assert refutes(query, answer.state)


def test_proves_textbook_lemmas(prover: Prover) -> None:
    answers = [(example, prover.prove(example.query())) for example in LEMMAS]
    assert not [(str(example), answer) for example, answer in answers if isinstance(answer, Refuted)]
    assert sum(not isinstance(answer, Proved) for _, answer in answers) <= LEMMAS_UNPROVED_MAX


@pytest.mark.parametrize("plugin", [Z3, CVC5, REALS], ids=lambda plugin: plugin.name)
def test_plugins_are_never_wrong(plugin: ProverPlugin) -> None:
    for example in EXAMPLES + LEMMAS:
        query = example.query()
        answer = plugin.prove(query)
        assert not isinstance(answer, Refuted if example.valid else Proved), (str(example), answer)
        assert not isinstance(answer, Refuted) or refutes(query, answer.state)


@pytest.mark.parametrize(("plugin", "decided_min"), [(Z3, 125), (CVC5, 110)], ids=["z3", "cvc5"])
def test_solvers_alone_decide_most_examples(plugin: ProverPlugin, decided_min: int) -> None:
    assert sum(not isinstance(plugin.prove(example.query()), Unknown) for example in EXAMPLES) >= decided_min


def test_acl2_is_never_wrong() -> None:
    if not Acl2.available():
        assert Acl2().prove(VALID[0].query()) == Unknown((NOT_INSTALLED,))
        pytest.skip(NOT_INSTALLED)
    with Acl2(steps_max=60_000) as acl2:
        proved = [acl2.prove(example.query()) for example in VALID[::4]]
        assert sum(isinstance(answer, Proved) for answer in proved) >= len(proved) * 3 // 4
        for example in INVALID[::4]:
            assert isinstance(acl2.prove(example.query()), Unknown), str(example)


def test_the_tables_are_large_enough() -> None:
    assert len(VALID) >= 60
    assert len(INVALID) >= 30
    assert len(LEMMAS) >= 50


@pytest.mark.parametrize("example", VALID, ids=str)
def test_a_core_suffices(prover: Prover, example: Example) -> None:
    query = example.query()
    answer = prover.prove(query)
    assert isinstance(answer, Proved)
    assert answer.core <= set(range(len(query.hypotheses)))
    kept = tuple(query.hypotheses[index] for index in sorted(answer.core))
    assert isinstance(prover.prove(Query(query.variables, kept, query.goal)), Proved)


@pytest.mark.parametrize("plugin", [Z3, CVC5], ids=lambda plugin: plugin.name)
def test_cores_leave_out_what_is_not_needed(plugin: ProverPlugin) -> None:
    answer = plugin.prove(make_query("x, y, z: int", ["z > 3", "x > 1", "y > 2", "z < 100"], "x + y > 3"))
    assert answer == Proved(plugin.name, frozenset({1, 2}))


def test_a_core_names_the_hypotheses_as_given() -> None:
    query = make_query("x, y, z: int", ["z = 7", "y = 2 & x = 3", "true", "x = 3"], "x = 3 & x + y = 5 & (z > 9 -> z > 8)")
    answer = prove(query)
    assert isinstance(answer, Proved)
    assert answer.core == frozenset({1})


def test_what_a_goal_assumes_is_used() -> None:
    assert isinstance(prove(make_query("a, b: int", [], "b > 0 & a > 0 -> a / b > 0")), Proved)
    assert isinstance(prove(make_query("a, b: int", ["b > 1"], "b != 0 & (a > b -> a / b > 1)")), Proved)


def test_a_goal_without_a_value_is_refuted() -> None:
    query = make_query("a, b: int", [], "b != 0 & a / b * b = a")
    answer = prove(query)
    assert isinstance(answer, Refuted)
    assert answer.state["b"] == 0


def test_a_refuted_part_refutes_the_whole() -> None:
    query = make_query("x, y: int", ["x >= 0"], "x >= 0 & x > -1 & x + y = y + x & x < 17")
    answer = prove(query)
    assert isinstance(answer, Refuted)
    assert refutes(query, answer.state)


def test_known_states_come_first() -> None:
    query = make_query("x: int", ["x > 5"], "x > 6")
    for states in ([{"x": 6}], [{"x": 3}, {"x": 7}, {"x": 6}], [{}, {"x": "no"}, {"x": 6}]):
        assert prove(query, known_states=states) == Refuted(KNOWN_STATE, {"x": 6})  # type: ignore[arg-type]
    assert prove(query, known_states=[{"x": 8}]) == Refuted("enumerator", {"x": 6})


def test_iswhole_is_a_remainder() -> None:
    def query(goal: object) -> Query:
        whole = Call("iswhole", (make_query("n: int", [], "n / 2 = 0").goal.operands[0],))  # type: ignore[union-attr]
        return Query({"n": Type.INT}, (Hypothesis(whole),), goal)  # type: ignore[arg-type]

    assert isinstance(prove(query(make_query("n: int", [], "n % 2 = 0").goal)), Proved)
    assert isinstance(prove(query(make_query("n: int", [], "n % 4 = 0").goal)), Refuted)
    assert isinstance(Z3.prove(query(make_query("n: int", [], "n % 2 = 0").goal)), Proved)


HELPER = load("""
fn double(x: int): nat { pre(x >= 0); return x + x; }
fn main(n: nat) { assert(double(n) >= n); }
""")


def test_helpers_are_functions_of_which_only_hypotheses_speak() -> None:
    n = Name("n")
    twice = Call("double", (n,))
    known = Hypothesis(Compare((twice, n), (">",)))
    variables = {"n": Type.NAT}

    def ask(goal: object, *hypotheses: Hypothesis) -> object:
        return prove(Query(variables, hypotheses, goal, HELPER.info))  # type: ignore[arg-type]

    assert isinstance(ask(Compare((twice, n), (">=",)), known), Proved)
    assert isinstance(ask(Compare((twice, Number(0)), (">=",))), Proved)
    refuted = ask(Compare((twice, Number(5)), ("<",)))
    assert isinstance(refuted, Refuted)
    assert scalar(refuted.state["n"]) >= 3
    # This is true of the helper, but nothing says so. So there is no proof, and no state that would show the opposite.
    assert isinstance(ask(Compare((twice, Number(7)), ("!=",))), Unknown)


def test_remembered_answers_are_the_same_up_to_names_and_order() -> None:
    prover = Prover()
    first = prover.prove(make_query("x, y: int, n: nat", ["x < y", "y < n"], "x + 1 < n"))
    assert (prover.hits, prover.misses) == (0, 1)
    second = prover.prove(make_query("k: nat, b, a: int", ["b < k", "true", "a < b"], "a + 1 < k"))
    assert (prover.hits, prover.misses) == (1, 1)
    assert isinstance(first, Proved)
    assert isinstance(second, Proved)
    assert (sorted(first.core), sorted(second.core)) == ([0, 1], [0, 2])


def test_remembered_states_are_translated() -> None:
    prover = Prover()
    first = prover.prove(make_query("x, y: int", ["x < y", "x > 3"], "y > 6"))
    second = prover.prove(make_query("u, p, q: int", ["p > 3", "p < q"], "q > 6"))
    assert prover.hits == 1
    assert isinstance(first, Refuted)
    assert isinstance(second, Refuted)
    assert second.state == {"u": 0, "p": first.state["x"], "q": first.state["y"]}


def test_answers_do_not_depend_on_what_was_asked_before() -> None:
    fresh = [prove(example.query()) for example in EXAMPLES]
    prover = Prover()
    for example in reversed(EXAMPLES):
        prover.prove(example.query())
    assert [prover.prove(example.query()) for example in EXAMPLES] == fresh


def test_the_cache_is_bounded() -> None:
    prover = Prover(cached_answers_max=3)
    for bound in range(9):
        prover.prove(make_query("x: int", [f"x > {bound}"], f"x > {bound + 1}"))
    assert len(prover._progress) == 3


def test_different_efforts_are_remembered_apart() -> None:
    prover = Prover()
    query = make_query("x: int", [], "(x^5 - x) % 5 = 0")
    nothing = Effort(0, 0, 0, 0, 0, 0, 0)
    prover.prove(query, nothing)
    assert isinstance(prover.prove(query), Proved)
    assert prover.hits == 0


def test_statistics_say_which_stage_answered() -> None:
    ticks = iter(range(10_000))
    prover = Prover(clock=lambda: float(next(ticks)))
    prover.prove(make_query("x: int", ["x > 1"], "x > 1"))
    prover.prove(make_query("x: int", ["x > 1"], "x > 2"))
    assert prover.counts["trivial"].asked == 2
    assert prover.counts["trivial"].answered == 1
    assert prover.counts["enumerator"].answered == 1
    assert prover.counts["trivial"].seconds == 2.0


def test_unknown_says_what_was_tried() -> None:
    hard = make_query("x, y, z: nat", ["x > 0", "y > 0", "z > 0"], "x^3 + y^3 != z^3")
    answer = prove(hard, QUICK)
    assert isinstance(answer, Unknown)
    assert "z3" in answer.tried
    assert "cvc5" not in answer.tried


def test_huge_numbers_and_exponents_are_harmless() -> None:
    assert isinstance(prove(make_query("x: int", [f"x > 10^{10**6}"], "x > 0"), QUICK), Proved | Unknown)
    assert isinstance(prove(make_query("x: int", ["x = 2^(2^(2^(2^(2^9))))"], "x = 3"), QUICK), Refuted | Unknown | Proved)
    digits = "9" * 1_000
    assert isinstance(prove(make_query("x: int", [f"x > {digits}"], "x > 1"), QUICK), Proved)


def test_deep_expressions_are_harmless() -> None:
    expr = Name("x")
    for _ in range(3_000):
        expr = make_deeper(expr)
    query = Query({"x": Type.INT}, (), Compare((expr, Number(0)), (">",)))
    assert isinstance(prove(query), Unknown | Refuted)


def make_deeper(expr: object) -> Name:
    from idg.sip.syntax import Binary

    return Binary("+", expr, Number(1))  # type: ignore[arg-type, return-value]


def test_the_language_does_without_solvers() -> None:
    code = "import sys, idg, idg.cli.main; assert not {'z3', 'cvc5', 'flint'} & sys.modules.keys()"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_default_effort_is_counted_not_timed() -> None:
    assert all(isinstance(getattr(DEFAULT, field), int) for field in Effort.__match_args__)


def test_a_prover_that_is_stopped_says_unknown_and_does_not_remember_it() -> None:
    query = make_query("x, y: int", ["x * x = y * y + 2 * y + 1", "x > y", "y >= 0"], "x = y + 1")
    stopped = [True]
    prover = Prover(should_stop=lambda: stopped[0])
    assert prover.prove(query) == Unknown(("stopped",))
    stopped[0] = False
    assert isinstance(prover.prove(query), Proved)
    stopped[0] = True
    assert isinstance(prover.prove(query), Proved), "what is known needs no stage"
