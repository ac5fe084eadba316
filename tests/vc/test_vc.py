"""Verification conditions: what is printed for each kind of statement, and that conditions and runs agree."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest

from idg.prover.check import refutes
from idg.sip import syntax as sip
from idg.sip.checking.analysis import check_module
from idg.sip.limits import RunLimits
from idg.sip.program import Program, load
from idg.sip.running.evaluator import evaluate
from idg.sip.syntax import Block, Function, Module, Param, Stmt, Type
from idg.sip.text.printer import print_program
from idg.sip.trees.traverse import statements
from idg.sip.values import InputError, Value, fit
from idg.vc.helpers import helpers_of
from idg.vc.query import Query
from idg.vc.symbolic import NO_INVARIANTS, Executor, Invariants, ProgramTooLarge, analyse
from idg.vc.unroll import unrolled
from tests.support.programs.drawn.random_expressions import Expressions
from tests.support.programs.drawn.random_programs import Body, random_value

HELPERS = """
fn half(x: int): int { pre(x >= 0); post(2 * result <= x); while (false) { } return 0; }
fn inc(x: int): int { return x + 1; }
fn any(x: int): int { post(result > x); var y: int; cassign([y], y > x); return y; }
fn main(n: nat, x, y: int, q: rat, b: bool) { BODY }
"""


def program(body: str) -> Program:
    return load(HELPERS.replace("BODY", body))


def conditions(example: Program, invariants: Invariants = NO_INVARIANTS) -> list[Query]:
    """The queries which say that the assert at the end of the level holds whenever it is reached, from any values of its variables.

    The obligations of the statements before it (divisors, narrowing, callees' pres, asserts) count as checked. Loops stand for
    their summaries. In the paper this is GenCheckVCs.
    """
    *before, last = example.level.body.statements
    assert isinstance(last, sip.Assert)
    executor = Executor(example.info, example.info.level, invariants, helpers_of(example.info, frozenset(example.info.functions)))
    paths = executor.block(Block(tuple(before)), [executor.anywhere(example.info.level.variables)])
    return [query for path in paths for query in executor.holds(last.condition, path)]


def printed(body: str) -> str:
    example = program(body)
    return "\n".join(str(query) for query in conditions(example))


STATEMENTS = {
    "x := x + 1; assert(x > y);": "for all x: int, y: int\n  implies x + 1 > y",
    "x := 1; y := x + 1; assert(x < y);": "always\n  implies 1 < 2",
    "var z: int; z := x; x := y; y := z; assert(x = y);": "for all x: int, y: int\n  implies y = x",
    "var z: int; assert(z = 0);": "for all z_0: int\n  implies z_0 = 0",
    "if (b) { x := 1; } else { x := 2; } assert(x > 0);":
        "for all b: bool\n  b    # test\n  implies 1 > 0\nfor all b: bool\n  !b    # test\n  implies 2 > 0",
    "if (x > 0) { y := 1; } else if (x < 0) { y := 2; } assert(y > 0);":
        "for all x: int\n  x > 0    # test\n  implies 1 > 0\n"
        "for all x: int\n  x <= 0    # test\n  x < 0    # test\n  implies 2 > 0\n"
        "for all x: int, y: int\n  x <= 0    # test\n  x >= 0    # test\n  implies y > 0",
    "assume(x > 0); assert(x >= 1);": "for all x: int\n  x > 0    # assume\n  implies x >= 1",
    "assert(x > 0); assert(x >= 1);": "for all x: int\n  x > 0    # checked before\n  implies x >= 1",
    "claim(x > 0); assert(x >= 1);": "for all x: int\n  x > 0    # checked before\n  implies x >= 1",
    "print(x, y // x); assert(x != 0);": "for all x: int\n  x != 0    # checked before\n  implies x != 0",
    "cassign([x, y], x > y); assert(x >= y + 1);":
        "for all x_1: int, y_1: int\n  x_1 > y_1    # cassign\n  implies x_1 >= y_1 + 1",
    "while (x < n) { x := x + 1; } assert(x >= n);": "for all n: nat, x_1: int\n  x_1 >= n    # test\n  implies x_1 >= n",
    "x := 10 // y; assert(x < 11);": "for all y: int\n  y != 0    # checked before\n  implies 10 // y < 11",
    "x := x / 2; assert(x = 0);": "for all x: int\n  x % 2 = 0    # checked before\n  implies x // 2 = 0",
    "n := x; assert(n >= 0);": "for all x: int\n  x >= 0    # checked before\n  implies x >= 0",
    "x := 2^y; assert(x > 0);": "for all y: int\n  y >= 0    # checked before\n  implies 2^y > 0",
    "x := half(y); assert(2 * x <= y);":
        "for all y: int\n  y >= 0 -> 2 * half(y) <= y    # post of half\n  y >= 0    # checked before\n  implies 2 * half(y) <= y",
    "x := inc(inc(y)); assert(x = y + 2);":
        "for all y: int\n  inc(y) = y + 1    # body of inc\n"
        "  inc(inc(y)) = inc(y) + 1    # body of inc\n  implies inc(inc(y)) = y + 2",
    "x := any(y); assert(x > y);": "for all y: int, any: int\n  any > y    # post of any\n  implies any > y",
    "assert(10 / x > 0);": "for all x: int\n  implies x != 0\nfor all x: int\n  x != 0    # has a value\n  implies 10 / x > 0",
    "assert(b -> x // y = 1);":
        "for all y: int, b: bool\n  implies b -> y != 0\n"
        "for all x: int, y: int, b: bool\n  b -> y != 0    # has a value\n  implies b -> x // y = 1",
    "x := x + 1; assert(old(x) = x - 1);": "for all x: int, x_0: int\n  implies x_0 = x",
}  # fmt: skip


@pytest.mark.parametrize("body", STATEMENTS)
def test_conditions_are_readable_sip(body: str) -> None:
    assert printed(body) == STATEMENTS[body]


def test_a_loop_is_its_summary() -> None:
    example = program("x := 3; while (x < n) { x := x + 1; y := 2; } assert(x >= 3);")
    invariant = example.expression("x >= 3 & y // x >= 0")[0]
    [query] = conditions(example, {1: (invariant,)})
    assert str(query) == (
        "for all n: nat, x_1: int, y_1: int\n"
        "  (x_1 >= 3 -> x_1 != 0) & (x_1 >= 3 & y_1 // x_1 >= 0)    # invariant 1.0\n  x_1 >= n    # test\n  implies x_1 >= 3"
    )


def test_entry_step_and_exit_of_a_loop() -> None:
    example = load("fn main(n: nat) { pre(n >= 1); var i: int; i := 0; while (i < n) { i := i + 1; } assert(i = n); }")
    invariant = example.expression("i <= n")[0]
    analysis = analyse(example.info, {1: (invariant,)})
    assert [str(query) for query in analysis.entry(1, invariant)] == ["for all n: nat\n  n >= 1    # pre\n  implies 0 <= n"]
    known = "for all n: nat, i: int\n  n >= 1    # pre\n  i <= n    # invariant 1.0\n"
    assert [str(query) for query in analysis.step(1, invariant)] == [f"{known}  i < n    # test\n  implies i + 1 <= n"]
    assert [str(query) for query in analysis.at_head(1, invariant)] == [f"{known}  implies i <= n"]
    [guarantee] = analysis.obligations
    assert (guarantee.cause, example.text[guarantee.span.start : guarantee.span.end]) == ("assert", "i = n")
    query = analysis.executor.query(guarantee.path.hypotheses, guarantee.goal)
    assert str(query) == f"{known}  i >= n    # test\n  implies i = n"


def test_a_stated_invariant_is_not_assumed_again_where_its_conjuncts_are_known() -> None:
    """Two hypotheses that say the same cost the prover all its instances: `idg prove` did not follow what the agent had found."""
    example = load(
        "fn main(n: nat) { var i: int := 0; while [i <= n & n // (i + 1) >= 0 & i >= 0] (i < n) { i := i + 1; } assert(i = n); }"
    )
    texts = ("i <= n", "n // (i + 1) >= 0", "i >= 0")
    analysis = analyse(example.info, {1: tuple(example.expression(text)[0] for text in texts)})
    [step] = analysis.step(1, example.expression("i <= n")[0])
    assert [hypothesis.source for hypothesis in step.hypotheses] == ["invariant 1.0", "invariant 1.1", "invariant 1.2", "test"]
    [first] = analyse(example.info, {1: (example.expression("i <= n")[0],)}).step(1, example.expression("i <= n")[0])
    assert [hypothesis.source for hypothesis in first.hypotheses] == ["invariant 1.0", *["given invariant"] * 2, "test"]
    whole = example.info.level.loops[0].statement.invariant
    assert whole
    assert all(hypothesis.rests_on[-1].span == whole.span for hypothesis in first.hypotheses[1:3])


def test_an_inner_loop_starts_from_the_outer_one() -> None:
    example = load(
        "fn main(n: nat) { var i, j: int; i := 0; "
        "while (i < n) { j := i; while (j < n) { j := j + 1; } i := j + 1; } assert(i >= n); }"
    )
    outer, inner = example.expression("i >= 0", 1)[0], example.expression("j >= i", 2)[0]
    analysis = analyse(example.info, {1: (outer,), 2: (inner,)})
    [entry] = analysis.entry(2, example.expression("j >= 0", 2)[0])
    assert str(entry) == "for all n: nat, i: int\n  i >= 0    # invariant 1.0\n  i < n    # test\n  implies i >= 0"
    [step] = analysis.step(1, outer)
    assert [str(hypothesis.source) for hypothesis in step.hypotheses] == ["invariant 1.0", "test", "invariant 2.0", "test"]


def test_the_first_turns() -> None:
    example = load("fn main(n: nat) { var i: int; i := 0; while (i < n) { i := i + 2; } assert(i >= n); }")
    turns = unrolled(example.info, 1, example.expression("i <= n")[0], 2)
    assert [str(query.goal) for arrival in turns.arrivals for query in arrival.queries] == [str(goal) for goal in (
        example.expression("0 <= n")[0], example.expression("2 <= n")[0], example.expression("4 <= n")[0],
    )]  # fmt: skip


def test_the_first_turns_of_a_later_loop_and_what_is_chosen_on_the_way() -> None:
    """The inner loop is reached once a turn of the outer one; t starts with any value, and s is chosen in each turn."""
    example = load("""fn main(n: nat) {
      var i, s, t: int; i := 0;
      while (i < n) { cassign([s], s > i); while (t < s) { t := t + 1; } i := i + 1; }
    }""")
    turns = unrolled(example.info, 2, example.expression("t <= s", 2)[0], 1)
    first, second = turns.arrivals[:2]
    assert [[symbol.name for symbol in chosen] for chosen in first.path.choices] == [["s_0", "t_0"], ["s"]]
    [query] = first.queries
    state = dict.fromkeys(query.variables, 0) | {"n": 1, "t_0": 5, "s": 2}
    assert turns.inputs(state) == {"n": 1}
    assert turns.choices(first, state) == ((0, 5), (2,))
    run = example.run(turns.inputs(state), choices=turns.choices(first, state))
    assert run.of(2).rows[0] == (1, 0, 2, 5)
    assert len(second.path.hypotheses) > len(first.path.hypotheses)


def test_entry_values_come_from_the_table_of_symbols() -> None:
    """The symbol of n's entry value is n_0, except in a program that has a variable of that name."""
    source = "fn main(n: int) {{ var {other}: int; {other} := 3 * n; n := 0; while (n < {other}) {{ n := n + 1; }} }}"
    for name, symbol in (("m", "n_0"), ("n_0", "n_1")):
        example = load(source.format(other=name))
        turns = unrolled(example.info, 1, example.expression(f"{name} != 6")[0], 1)
        assert [[*query.variables] for query in turns.arrivals[0].queries] == [[symbol]]
        assert turns.inputs({symbol: 2}) == {"n": 2}
        assert turns.inputs({}) == {"n": 0}


@pytest.mark.parametrize(("body", "causes"), [
    ("x := 10 // y;", ["zero-divisor"]),
    ("x := 10 % (y - 1); print(x / y);", ["zero-divisor", "zero-divisor"]),
    ("n := x;", ["narrowing"]),
    ("x := q;", ["narrowing"]),
    ("n := q;", ["narrowing", "narrowing"]),
    ("x := y / 2;", ["narrowing"]),
    ("x := 2^y;", ["negative-exponent"]),
    ("x := 2^n;", []),
    ("x := half(y);", ["callee-pre"]),
    ("x := inc(n);", []),
    ("if (10 // x > y) { assert(b); }", ["zero-divisor", "assert"]),
    ("while (10 // x > 1) { x := x + 1; }", ["zero-divisor"]),
    ("claim(x = 0); assume(1 / x > 0);", ["claim", "zero-divisor"]),
    ("cassign([x], 10 // x = 2);", []),
    ("while [x >= 0] (x < y) { x := x + 1; }", ["invariant", "invariant"]),
])  # fmt: skip
def test_obligations(body: str, causes: list[str]) -> None:
    assert [obligation.cause for obligation in analyse(program(body).info).obligations] == causes


def test_what_a_narrowed_value_is_is_known_to_its_obligations() -> None:
    """Once the obligation that a rat fits a nat was about a fresh number of which nothing was known."""
    analysis = analyse(program("n := q;").info)
    _, positive = analysis.obligations
    query = analysis.executor.query(positive.path.hypotheses, positive.goal)
    assert refutes(query, {"q": Fraction(-2), "whole": -2})
    assert not refutes(query, {"q": Fraction(2), "whole": -2})


def test_the_limits_of_size() -> None:
    branches = "".join(f"if (x > {bound}) {{ x := x - 1; }} else {{ y := y - 1; }} " for bound in range(8))
    with pytest.raises(ProgramTooLarge, match="paths"):
        analyse(program(f"{branches} assert(x = y);").info)
    with pytest.raises(ProgramTooLarge, match="grows too large"):
        analyse(program("x := x * x + x; " * 12 + "assert(x = y);").info)


# Conditions and runs agree


def loop_free(rng: random.Random) -> Program | None:
    """A level of loop-free statements without choices that ends in one assert; None if it would be too large."""
    params = tuple(Param(name, rng.choice((Type.NAT, Type.INT, Type.INT, Type.RAT, Type.BOOL))) for name in ("x", "y", "z"))
    body = Body(rng, "main", params, (), set(), False, len(params))
    scope = {param.name: param.type for param in params}
    body_statements: list[Stmt] = []
    for _ in range(rng.randint(1, 6)):
        body_statements += [statement for statement in body.statement(scope, 3, 2) if determined(statement)]
    visible = declared(body_statements, params)
    goal = Expressions(rng, {name: kind for name, kind in scope.items() if name in visible}).make(Type.BOOL, 5)
    module = Module((Function("main", params, None, (), (), Block((*body_statements, sip.Assert(goal)))),))
    if check_module(module)[1]:
        return None
    return load(print_program(module))


def determined(statement: Stmt) -> bool:
    """Whether the statement has one outcome, which runs check: it contains no loop, choice, claim or arbitrary value."""
    for inner in statements(Block((statement,))):
        if isinstance(inner, sip.While | sip.Cassign | sip.Claim) or (isinstance(inner, sip.Var) and inner.value is None):
            return False
    return True


def declared(body_statements: list[Stmt], params: tuple[Param, ...]) -> set[str]:
    names = {param.name for param in params}
    return names | {target.name for statement in body_statements if isinstance(statement, sip.Var) for target in statement.names}


def symbols(query: Query, inputs: dict[str, Value]) -> dict[str, Value] | None:
    """The inputs as values of the query's symbols; None if the query has other symbols, such as whole parts."""
    values: dict[str, Value] = {}
    for name in query.variables:
        if name in inputs:
            values[name] = inputs[name]
        elif name.removesuffix("_0") in inputs:
            values[name] = inputs[name.removesuffix("_0")]
        else:
            return None
    return values


def test_a_state_refutes_a_condition_just_when_the_run_fails_the_assert() -> None:
    rng = random.Random(20)
    limits = RunLimits(steps_max=1_000)
    failed = held = 0
    for _ in range(700):
        example = loop_free(rng)
        if example is None:
            continue
        try:
            queries = conditions(example)
        except ProgramTooLarge:
            continue
        last = example.level.body.statements[-1].span
        for _ in range(6):
            inputs: dict[str, Value] = {name: random_value(rng, kind) for name, kind in example.params.items()}
            outcome = example.run(inputs, limits=limits, record=False).outcome
            if outcome.kind == "bound":
                continue
            fails = outcome.kind == "failed" and last.start <= outcome.span.start and outcome.span.end <= last.end
            states = [symbols(query, inputs) for query in queries]
            if any(state is None for state in states):
                continue
            refuted = [refutes_exactly(query, state) for query, state in zip(queries, states, strict=True) if state is not None]
            assert any(refuted) == fails, f"{example}\n{inputs}\n{outcome}\n" + "\n".join(map(str, queries))
            failed += fails
            held += not fails
    assert failed > 150
    assert held > 500


def refutes_exactly(query: Query, state: dict[str, Value]) -> bool:
    """Like refutes, but step by step: every hypothesis is true, and the goal is not."""
    try:
        fitted = {name: fit(state[name], kind) for name, kind in query.variables.items()}
    except InputError:
        return False
    values = [evaluate(expr, fitted, query.variables, query.info) for expr in (*(h.expr for h in query.hypotheses), query.goal)]
    exact = all(value is True for value in values[:-1]) and values[-1] is not True
    assert exact == refutes(query, state)
    return exact
