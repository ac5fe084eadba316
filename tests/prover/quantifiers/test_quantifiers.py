"""Arrays and quantifiers in the prover: a table of what is true and false, and random queries attacked by brute force."""

from __future__ import annotations

import itertools
import random
import re
from collections.abc import Iterator, Mapping

import pytest

from idg.prover.answers import Proved, Refuted, Unknown
from idg.prover.check import query_evaluator, refutes
from idg.prover.normal import canonical, parts
from idg.prover.plugins.acl2 import NOT_TOLD_OF_ARRAYS, Acl2
from idg.prover.plugins.interface import CVC5, REALS, Z3, ProverPlugin
from idg.prover.prove import QUICK, Prover
from idg.prover.quantifiers.instances import ground
from idg.prover.smt.questions import ask_z3_for_proof
from idg.sip.record import replace
from idg.sip.syntax import ARRAYS_OF, Type
from idg.sip.text.expressions import parse_expression
from idg.sip.values import Value
from idg.vc.query import Hypothesis, Query
from tests.support.volume import volume

INTS = ARRAYS_OF[Type.INT]
VARIABLES = {"a": INTS, "b": INTS, "p": ARRAYS_OF[Type.BOOL], "i": Type.NAT, "j": Type.NAT, "n": Type.INT, "m": Type.INT}


def query_of(hypotheses: list[str], goal: str) -> Query:
    exprs = [parse_expression(text) for text in hypotheses]
    return Query(VARIABLES, tuple(Hypothesis(expr) for expr in exprs), parse_expression(goal))


TRUE = [
    (["forall k in 0..n: a[k] <= m", "0 <= i", "i <= n"], "a[i] <= m"),
    (["forall k in 0..i - 1: a[k] <= m", "a[i] <= m"], "forall k in 0..i: a[k] <= m"),
    (["forall k in 0..i - 1: a[k] <= m", "m <= n", "a[i] <= n"], "forall k in 0..i: a[k] <= n"),
    (["exists k in 0..i - 1: a[k] = m"], "exists k in 0..i: a[k] = m"),
    (["forall k in 0..n: a[k] != m"], "!(exists k in 0..n: a[k] = m)"),
    (["exists k in 0..n: a[k] > m", "forall k in 0..n: a[k] <= m"], "false"),
    (["forall k in 0..n - 1: a[k] <= a[k + 1]", "0 <= i", "i + 1 < n"], "a[i] <= a[i + 2]"),
    (["forall k in 0..n: forall l in k..n: a[k] <= a[l]", "i <= j", "j <= n", "m < a[i]"], "forall k in j..n: m < a[k]"),
    (["forall k in 0..n: a[k] = b[k]", "forall k in 0..n: b[k] >= 0"], "forall k in 0..n: a[k] >= 0"),
    (["i = j"], "a[i] = a[j]"),
    (["n > m"], "forall k in n..m: a[k] = 7"),
    (["p[i]", "forall k in 0..n: p[k] -> a[k] = 1", "i <= n"], "a[i] = 1"),
    (["m = n -> (exists k in 0..i: a[k] = 3)", "forall k in 0..i: a[k] < 3"], "m != n"),
    (["forall k in 0..n: exists l in 0..n: a[l] > a[k]", "i <= n", "forall l in 0..n: a[l] <= 5"], "a[i] < 5"),
    (["(forall k in 0..n: a[k] = 0) = p[0]", "p[0]", "i <= n"], "a[i] = 0"),
    ([], "len(a) >= 0"),
    (["forall k in 0..n: k < i"], "n >= 0 -> n < i"),
    (["m = sum k in 0..i: a[k]"], "m + a[i + 1] = sum k in 0..i + 1: a[k]"),
    (["m = count k in 0..i: a[k] > 0", "a[i + 1] <= 0"], "m = count k in 0..i + 1: a[k] > 0"),
    (["n < 0"], "(sum k in 0..n: a[k]) = 0"),
    (["forall k in 0..n: a[k] != m"], "(count k in 0..n: a[k] = m) = 0"),
    (["i <= j"], "(count k in 0..i: a[k] = m) <= (count k in 0..j: a[k] = m)"),
    (["i < j"], "(sum k in 0..j: a[k]) = (sum k in 0..i: a[k]) + (sum k in i + 1..j: a[k])"),
    (["sorted(a, 0..n)", "i <= j", "j <= n"], "a[i] <= a[j]"),
    (["forall k in 0..n - 1: a[k] < a[k + 1]"], "sorted(a, 0..n)"),
    (["permutation(a, b)", "forall k in 0..len(b) - 1: b[k] > m", "i < len(a)"], "a[i] > m"),
    (["permutation(a, b)"], "permutation(b, a)"),
    (["permutation(a, b)"], "len(a) = len(b)"),
    (["sorted(a, 0..n) = p[0]", "p[0]", "n >= 1"], "a[0] <= a[1]"),
]
FALSE = [
    (["forall k in 0..i - 1: a[k] <= m", "i < len(a)"], "forall k in 0..i: a[k] <= m"),
    (["exists k in 0..i: a[k] = m", "i < len(a)"], "exists k in 0..i - 1: a[k] = m"),
    (["i < len(a)", "j < len(a)", "a[i] = a[j]"], "i = j"),
    (["len(a) = len(b)", "forall k in 0..len(a) - 2: a[k] = b[k]"], "forall k in 0..len(a) - 1: a[k] = b[k]"),
    (["len(a) >= 2", "forall k in 0..len(a) - 2: a[k] <= a[k + 1]"], "forall k in 0..len(a) - 2: a[k] < a[k + 1]"),
    (["len(a) > 3"], "exists k in 0..len(a) - 1: a[k] = 0"),
    (["len(a) = 4", "exists k in 0..3: a[k] > 2"], "exists k in 0..2: a[k] > 2"),
    (["len(p) = 2"], "p[0] | p[1]"),
    (["len(a) = 1", "a[0] > 1000"], "a[0] < 0"),
    (["forall k in 0..n: k < i"], "n < 3"),
    (
        ["(forall k in 0..1: a[k] > 0) & m = 1 | (forall j in 0..0: !(forall k in 0..1: a[k] > 0))", "a[0] > 0", "len(a) = 2"],
        "m = 1",
    ),
    (
        [
            "(forall k in 0..0: forall l in 0..1: a[l] > 0) & m = 1 | (forall k in 0..0: !(forall l in 0..1: a[l] > 0))",
            "a[0] > 0",
            "len(a) = 2",
        ],
        "m = 1",
    ),
    (["len(a) = 2"], "(sum k in 0..1: a[k]) >= 0"),
    (["len(a) = 3", "(count k in 0..2: a[k] = m) >= 2"], "a[0] = m"),
    (["permutation(a, b)", "len(a) >= 2"], "a[0] = b[0]"),
    (["exists k in 0..i: a[k] = m", "exists k in 0..i: a[k] = n", "i < len(a)"], "m = n"),
    (["len(a) = 3", "a[0] <= a[1]"], "sorted(a, 0..2)"),
    (["len(a) = 2", "len(b) = 2", "a[0] = b[1]"], "permutation(a, b)"),
]


@pytest.mark.parametrize(("hypotheses", "goal"), TRUE)
def test_what_is_true_is_proved_from_a_core_that_suffices(hypotheses: list[str], goal: str) -> None:
    answer = Prover().prove(query_of(hypotheses, goal))
    assert isinstance(answer, Proved), answer
    kept = [hypotheses[index] for index in sorted(answer.core)]
    assert isinstance(Prover().prove(query_of(kept, goal)), Proved), (kept, goal)


@pytest.mark.parametrize(("hypotheses", "goal"), FALSE)
def test_what_is_false_is_refuted_by_short_arrays(hypotheses: list[str], goal: str) -> None:
    query = query_of(hypotheses, goal)
    answer = Prover().prove(query)
    assert isinstance(answer, Refuted), answer
    assert refutes(query, answer.state)
    assert all(len(value) <= 4 for value in answer.state.values() if isinstance(value, tuple))


@pytest.mark.parametrize(
    ("hypotheses", "goal"),
    [(["i < len(a)"], "a[j] = a[i]"), (["forall k in 0..1: forall l in k..1: a[k] <= a[l]"], "exists q in 0..1: b[q] = a[q]")],
)
def test_the_canonical_form_does_not_depend_on_names(hypotheses: list[str], goal: str) -> None:
    keys = []
    for names in ({"a": "b", "b": "a", "i": "j", "j": "i", "k": "q", "q": "r"}, {}):
        renamed = ["".join(names.get(word, word) for word in re.split(r"(\w+)", text)) for text in (*hypotheses, goal)]
        [part] = parts(query_of(renamed[:-1], renamed[-1]))
        keys.append(canonical(part.query).key)
    assert keys[0] == keys[1]


@pytest.mark.parametrize(
    ("hypotheses", "goal"),
    [
        (["len(a) = 2", "(count k in 0..1: (forall l in 0..1: a[l] >= k)) = m"], "m = 2"),
        (["len(a) = 2", "(sum k in 0..1: a[k]) != (count k in 0..1: (exists l in 0..1: a[l] >= k))"], "a[0] = 7"),
    ],
)
def test_a_count_of_what_quantifiers_decide_is_a_number(hypotheses: list[str], goal: str) -> None:
    """That two counts are equal was once read as if they were truth values, and z3 refused it."""
    assert not isinstance(Prover(QUICK).prove(query_of(hypotheses, goal)), Proved)


@pytest.mark.parametrize("plugin", [Z3, CVC5, REALS], ids=lambda plugin: plugin.name)
def test_plug_ins_are_not_wrong_about_arrays(plugin: ProverPlugin) -> None:
    """They see the query as it is, with quantifiers and sums of which they know nothing."""
    assert not [row for row in FALSE if isinstance(plugin.prove(query_of(*row)), Proved)]
    assert not [row for row in TRUE if isinstance(plugin.prove(query_of(*row)), Refuted)]


def test_acl2_is_not_told_of_arrays() -> None:
    assert Acl2().prove(query_of(*TRUE[0])) == Unknown((NOT_TOLD_OF_ARRAYS,))


# The attack

GROUND = ("{0} <= {1}", "{0} = {1}", "{0} < {1}", "{0} != {1}")
SUMS = (
    "(sum k in 0..n: a[k])", "(sum k in 0..n - 1: a[k])", "(sum k in i..n: a[k])", "(sum k in 0..i: a[k])", "(sum k in 0..n: b[k])",
    "(count k in 0..n: a[k] = m)", "(count k in 0..i: a[k] = m)", "(count k in 1..n: a[k] = m)", "(count k in i..j: b[k] < a[k])",
    "(count k in 0..i - 1: a[k] = m)", "(sum k in 0..n: a[k] + a[i])",
)  # fmt: skip
NUMBERS = ("i", "j", "n", "m", "0", "1", "len(a) - 1", "i + 1", "a[i]", "b[j]", "a[j]", "a[n]", "a[i + 1]", "b[0]", *SUMS)
WHOLE = (
    "permutation(a, b)", "permutation(b, a)", "sorted(a, 0..n)", "sorted(a, i..j)", "sorted(b, 0..len(b) - 1)",
    "sorted(a, 0..n) = p[0]", "len(a) = len(b)",
)  # fmt: skip
BOUNDS = ("0", "1", "i", "j", "n", "i - 1", "i + 1", "len(a) - 1", "len(b) - 2", "n - 1")
BODIES = (
    "a[k] <= m", "a[k] = b[k]", "a[k] < a[k + 1]", "a[k] != b[k - 1]", "k <= a[k]", "a[k] >= 0 | k = i", "a[k] = m -> b[k] = n",
    "a[n - k] <= b[k]", "p[k]", "p[k] = (a[k] < 1)", "a[k] <= a[i]", "forall l in k..j: a[k] <= a[l]",
    "exists l in 0..j: b[l] = a[k]", "a[b[k]] = k", "k < j",
)  # fmt: skip
QUERIES = volume(100, 20_000)


def _condition(pick: random.Random) -> str:
    shape = pick.random()
    if shape < 0.1:
        return pick.choice(WHOLE)
    if shape < 0.4:
        return pick.choice(GROUND).format(pick.choice(NUMBERS), pick.choice(NUMBERS))
    word = pick.choice(("forall", "forall", "exists"))
    quantified = f"({word} k in {pick.choice(BOUNDS)}..{pick.choice(BOUNDS)}: {pick.choice(BODIES)})"
    if shape < 0.85:
        return quantified
    ground = pick.choice(GROUND).format(pick.choice(NUMBERS), pick.choice(NUMBERS))
    return pick.choice((f"{ground} -> {quantified}", f"{ground} | {quantified}", f"!{quantified}", f"{quantified} = p[0]"))


def _states(pick: random.Random, count: int) -> Iterator[dict[str, Value]]:
    """Short arrays with few different numbers."""
    arrays = [numbers for length in range(4) for numbers in itertools.product((-1, 0, 1, 2), repeat=length)]
    truths = [values for length in range(3) for values in itertools.product((False, True), repeat=length)]
    for _ in range(count):
        yield {
            "a": pick.choice(arrays), "b": pick.choice(arrays), "p": pick.choice(truths), "i": pick.randrange(4),
            "j": pick.randrange(4), "n": pick.randint(-1, 3), "m": pick.randint(-1, 2),
        }  # fmt: skip


def test_nothing_proved_is_refuted_by_short_arrays() -> None:
    """Where a hypothesis or the goal has no value in a state, the state says nothing: whoever asks adds when they have one."""
    pick = random.Random(4)
    prover = Prover(QUICK)
    proved = refuted = 0
    for _ in range(QUERIES):
        query = query_of([_condition(pick) for _ in range(pick.randrange(1, 4))], _condition(pick))
        answer = prover.prove(query)
        refuted += isinstance(answer, Refuted)
        if not isinstance(answer, Proved):
            continue
        proved += 1
        core = tuple(query.hypotheses[index] for index in sorted(answer.core))
        evaluator = query_evaluator(Query(VARIABLES, core, query.goal))
        rows = [tuple(state[name] for name in VARIABLES) for state in _states(pick, 800)]
        rows = [row for row, value in zip(rows, evaluator.rows(len(core), rows), strict=True) if value is False]
        for index in range(len(core)):
            rows = [row for row, value in zip(rows, evaluator.rows(index, rows), strict=True) if value is True]
        assert not rows, (str(query), answer, dict(zip(VARIABLES, rows[0], strict=True)))
    assert proved > QUERIES // 20
    assert refuted > QUERIES // 4


PINNED_RLIMIT = 2_000_000
"""z3's budget for a query without quantifiers in which every value is a literal."""
STATES = volume(60, 4_000)
ABOUT_PERMUTATIONS = (
    "permutation(a, b)", "permutation(b, a)", "a[i] != b[i]", "a[0] != b[0]", "len(a) = 2", "i < len(a)", "a[j] != b[j]",
    "len(b) = 3",
    "forall k in 0..len(a) - 1: a[k] != b[k]", "sorted(a, 0..len(a) - 1)", "exists k in 0..len(b) - 1: b[k] = m", "a[0] != a[1]",
    "forall k in 0..len(a) - 1: exists l in 0..len(b) - 1: a[k] < b[l]", "j = i + 1",
)  # fmt: skip


def _literal(value: Value) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _pinned(query: Query, state: Mapping[str, Value]) -> Query:
    """The query, with further hypotheses that say every value of the state."""
    told: list[str] = []
    for name in query.variables:
        value = state[name]
        if isinstance(value, tuple):
            told += (f"len({name}) = {len(value)}", *(f"{name}[{place}] = {_literal(cell)}" for place, cell in enumerate(value)))
        else:
            told.append(f"{name} = {_literal(value)}")
    return replace(query, hypotheses=(*query.hypotheses, *(Hypothesis(parse_expression(text)) for text in told)))


def _is_false(query: Query, state: Mapping[str, Value]) -> bool:
    """Whether the goal has a value in the state, and is false. Of states in which it has none, instances say nothing."""
    row = tuple(state[name] for name in query.variables)
    return query_evaluator(query).value(len(query.hypotheses), row) is False


def _instances_prove(query: Query) -> bool:
    forms = [canonical(part.query) for part in parts(query)]
    return all(isinstance(ask_z3_for_proof(ground(form.query, 3).query, PINNED_RLIMIT), Proved) for form in forms)


@pytest.mark.parametrize(("hypotheses", "goal"), FALSE)
def test_instances_do_not_prove_what_is_false(hypotheses: list[str], goal: str) -> None:
    """The search for states is asked before the last stages and would hide that these are wrong. Here they are asked alone."""
    assert not _instances_prove(query_of(hypotheses, goal))


def test_instances_and_laws_contradict_no_state() -> None:
    """A state that refutes a query satisfies all instances, whatever the witnesses are called."""
    pick = random.Random(11)
    refuted = 0
    for _ in range(STATES):
        count = pick.randrange(2, 5)
        conditions = [pick.choice(ABOUT_PERMUTATIONS) if pick.random() < 0.6 else _condition(pick) for _ in range(count)]
        query = query_of(conditions[:-1], conditions[-1])
        answer = Prover(QUICK).prove(query)
        if isinstance(answer, Refuted) and _is_false(query, answer.state):
            refuted += 1
            assert not _instances_prove(query), (str(query), answer.state)
            assert not _instances_prove(_pinned(query, answer.state)), (str(query), answer.state)
    assert refuted > STATES // 4
