"""The audit confirms nothing false: every kind of obligation is needed, and what is made wrong is never confirmed.

Thresholds such as 10^12 keep a mistake out of the reach of runs, so that only the conditions can notice it.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator

import pytest

from idg.audit import CONFIRMED, audit
from idg.audit.conditions import conditions_of
from idg.audit.smt import laws_of
from idg.audit.terms import BOOL, INT, REAL, LogicTerm, call, compare, evaluate, parts, smtlib, symbol
from idg.levels import Level, all_levels
from idg.sip.errors import SipError
from idg.sip.limits import RunLimits
from idg.sip.program import Program, load
from idg.sip.running.runner import Undefined
from idg.sip.text.printer import print_program
from idg.sip.values import Scalar, Value
from tests.support.programs.drawn.random_programs import random_inputs, random_program
from tests.support.programs.drawn.run_inputs import seeded_inputs
from tests.support.programs.simple.simple_interpreter import interpret
from tests.support.volume import volume

FALSE_PROGRAMS: dict[str, tuple[str, str]] = {
    "assert": ("assert", "fn main(n: nat) { assert(n < 10^12); }"),
    "claim": ("claim", "fn main(n: nat) { claim(n < 10^12); assert(n < 10^12); }"),
    "post": ("post", "fn main(n: nat): nat { post(result < 10^12); return n; }"),
    "post of old": ("post", "fn main(n: nat) { post(n = old(n)); n := n + 1; }"),
    "invariant on entry": (
        "invariant on entry",
        "fn main(n: nat) { var i: int := n; while [i < 10^12] (i > 0) { i := i - 1; } assert(i < 10^12); }",
    ),
    "invariant kept": (
        "invariant kept",
        "fn main(n: nat) { var i: int := 0; while [i < 10^12] (i < n) { i := i + 1; } assert(i < 10^12); }",
    ),
    "invariant without a value": (
        "invariant on entry",
        "fn main(n: nat) { var i: int := 0; while [10 // (n - 10^12) <= 10] (i < n) { i := i + 1; } }",
    ),
    "second invariant of a nested loop": (
        "invariant kept",
        """fn main(n: nat) { var i, j: int := 0;
        while [j < 10^12] (i < n) { while [j <= 10^12] (j < i) { j := j + 1; } i := i + 1; } assert(j < 10^12); }""",
    ),
    "post at an early return": ("post", "fn main(n: nat): nat { post(result < 10^12); if (n < 10) { return 0; } return n; }"),
    "post at a return in a loop": (
        "post",
        """fn main(n: nat): nat { post(result < 10^12); var i: nat := 0;
        while [i <= n] (i <= n) { if (i = n) { return i; } i := i + 1; } return 0; }""",
    ),
    "what holds after a break": (
        "assert",
        "fn main(n: nat) { var i: nat := 0; while (i < n) { if (i >= 10^12) { break; } i := i + 1; } assert(i >= n); }",
    ),
    "a break leaves the inner loop only": (
        "assert",
        """fn main(n: nat) { var i, j: nat := 0;
        while (i < n) { j := 0; while (true) { if (j >= i) { break; } j := j + 1; } i := i + 1; } assert(i < 10^12); }""",
    ),
    "a helper that returns early": (
        "assert",
        "fn f(x: nat): nat { if (x < 10^12) { return 0; } return 1; }\nfn main(n: nat) { assert(f(n) = 0); }",
    ),
    "floor division": ("zero-divisor", "fn main(n: nat) { var x: int := 7 // (n - 10^12); }"),
    "remainder": ("zero-divisor", "fn main(n: nat) { var x: int := 7 % (n - 10^12); }"),
    "quotient": ("zero-divisor", "fn main(n: nat) { var x: rat := 7 / (n - 10^12); }"),
    "divisor in a print": ("zero-divisor", "fn main(n: nat) { print(7 // (n - 10^12)); }"),
    "divisor in an assume": ("zero-divisor", "fn main(n: nat) { assume(7 // (n - 10^12) <= 7); }"),
    "divisor in a test": ("zero-divisor", "fn main(n: nat) { if (7 // (n - 10^12) > 0) { } }"),
    "divisor in the test of a loop": ("zero-divisor", "fn main(n: nat) { while (7 // (n - 10^12) > 9) { n := n + 1; } }"),
    "divisor in an assert": ("zero-divisor", "fn main(n: nat) { assert(7 // (n - 10^12) <= 7 | true); }"),
    "divisor in a chain": ("zero-divisor", "fn main(n: nat) { assert(0 <= n -> -8 < 7 // (n - 10^12) < 8 | true); }"),
    "exponent": ("negative-exponent", "fn main(n: int) { pre(n > -10^12); var x: int := 2^(n + 10^12 - 5); }"),
    "int to nat": ("narrowing", "fn main(n: nat) { var x: nat := 10^12 - n; }"),
    "rat to int": ("narrowing", "fn main(n: nat) { pre(n >= 10^12); var x: int := n / 2; }"),
    "rat to int, indirectly": ("narrowing", "fn main(n: nat) { pre(n >= 10^12); var r: rat := n / 2; var x: int := r; }"),
    "argument": ("narrowing", "fn f(x: nat): nat { return x; } fn main(n: nat) { var x: int := f(10^12 - n); }"),
    "result": ("narrowing", "fn main(n: nat): nat { return 10^12 - n; }"),
    "pre of a helper": (
        "callee-pre",
        "fn f(x: nat): nat { pre(x < 10^12); return x; } fn main(n: nat) { var x: int := f(n); assert(x < 10^12); }",
    ),
    "post of a helper": (
        "post",
        "fn f(x: nat): nat { post(result < 10^12); return x; } fn main(n: nat) { var x: int := f(n); assert(x < 10^12); }",
    ),
    "invariant of a helper": (
        "invariant kept",
        """fn f(x: nat): nat { post(result < 10^12); var i: nat := 0; while [i < 10^12] (i < x) { i := i + 1; } return i; }
        fn main(n: nat) { var x: int := f(n); assert(x < 10^12); }""",
    ),
    "divisor in a helper": (
        "zero-divisor",
        "fn f(x: nat): int { return 10 // (x - 10^12); } fn main(n: nat) { claim(f(n) = f(n)); }",
    ),
    "result of a helper that does not fit": (
        "narrowing",
        "fn g(x: int): nat { return x + 10^12; } fn main(n: int) { assert(g(n) >= 0); }",
    ),
    "a call that does not end": (
        "call-ends",
        "fn f(x: nat): nat { while (true) { } return x; } fn main(n: nat) { claim(f(n) = f(n)); }",
    ),
    "a choice": ("assert", "fn main(n: nat) { var x: int; cassign([x], x >= n); assert(x < 10^12); }"),
    "a variable without a value": ("assert", "fn main(n: nat) { var x: int; assert(x = 0); }"),
    "a helper that reads a variable without a value": (
        "assert",
        "fn f(x: int): int { var y: int; return y; } fn main(n: nat) { assert(f(n) = f(n)); }",
    ),
    "a parameter that a helper changes": (
        "assert",
        "fn f(x: int): int { post(result = x); x := x + 1; return x; } fn main(n: int) { var y: int := f(n); assert(y = n); }",
    ),
    "a result that a helper does not assign": (
        "assert",
        """fn f(x: int): int { if (x > 0) { result := x; } }
        fn main(n: int): int { result := 10^12; var y: int := f(n); assert(n > 0 | y = 10^12); }""",
    ),
    "a variable of a helper with the caller's name": (
        "assert",
        "fn f(x: int): int { var n: int := x + 1; return n; } fn main(n: int) { var y: int := f(n); assert(y = n); }",
    ),
}
"""Name → the kind of obligation without which the program would be confirmed, and the program, which is wrong."""


@pytest.mark.parametrize("name", FALSE_PROGRAMS)
def test_every_kind_of_obligation_is_needed(name: str) -> None:
    what, text = FALSE_PROGRAMS[name]
    result = audit(load(text))
    assert result.answer != CONFIRMED
    assert {audited.condition.what for audited in result.left} == {what}


def test_what_a_run_breaks_can_be_repeated() -> None:
    program = load("fn main(n: nat) { var x: int; cassign([x], x >= n); assert(x = n); }")
    run = audit(program).run
    assert run is not None
    assert program.repeat(run.start).outcome.cause == run.what == "assert"


def test_a_call_that_is_not_evaluated_tells_nothing() -> None:
    program = load(
        "fn f(x: nat): nat { post(false); while (true) { } return x; } fn main(n: nat) { assert(n = n | f(n) = 1); assert(n < 5); }"
    )
    assert {audited.condition.text for audited in audit(program).left} == {"n < 5"}


# Laws

SMALL = range(-4, 5)
"""Values with which laws are tried; exponents are among them."""
ROOTS = range(-16, 17)
"""Among these is every root of a power that is a small value."""


def with_root(term: LogicTerm) -> LogicTerm:
    if term.name == "ispow.root":
        return symbol("root", INT)
    return term._replace(args=tuple(map(with_root, term.args)))


def no_helper(name: str, arguments: list[Value]) -> Scalar:
    raise AssertionError(f"no law calls a helper, but one calls {name}")


@pytest.mark.parametrize(
    ("name", "sorts"),
    [
        ("floor.div", INT),
        ("floor.mod", INT),
        ("quotient", REAL),
        ("gcd", INT),
        ("ispow", BOOL),
        ("pow.int", INT),
        ("pow.rat", REAL),
    ],
)
def test_the_laws_given_to_solvers_are_true(name: str, sorts: str) -> None:
    base_sort = REAL if sorts == REAL else INT
    names = ("a", "b", "c", "d")
    last_sort = REAL if name == "quotient" else INT
    a, b, c, d = (symbol(letter, sort) for letter, sort in zip(names, (base_sort, last_sort, base_sort, last_sort), strict=True))
    laws = [with_root(law) for law in laws_of([compare(call(name, sorts, a, b), "=", call(name, sorts, c, d))])]
    assert laws
    for values in itertools.product(SMALL, repeat=4):
        state: dict[str, Scalar] = dict(zip(names, values, strict=True))
        for law in laws:
            roots = ROOTS if any(part.name == "root" for part in parts(law)) else (0,)
            assert any(evaluate(law, {**state, "root": root}, no_helper) for root in roots), (smtlib(law), state)


# Mutated invariants


def mutated(text: str, choices: random.Random) -> str:
    """The expression with one sign or number changed; an expression that has none, such as a flag, becomes its opposite."""
    words = text.replace("(", " ( ").replace(")", " ) ").replace("^", " ^ ").split()
    changes = {
        "=": ("<=", ">=", "!="), "<=": ("<", "=", ">="), "<": ("<=", ">"), ">=": (">", "="), ">": (">=", "<"), "!=": ("=",),
        "+": ("-",), "-": ("+",), "*": ("+",), "&": ("|",), "|": ("&",),
    }  # fmt: skip
    places = [place for place, word in enumerate(words) if word in changes or word.isdecimal()]
    if not places:
        return f"!({text})"
    place = choices.choice(places)
    word = words[place]
    words[place] = choices.choice(changes[word]) if word in changes else str(max(0, int(word) + choices.choice((-1, 1))))
    return " ".join(words)


def broken_by_a_run(program: Program, facts: list[tuple[int, str]], choices: random.Random) -> bool:
    for seed, inputs in enumerate(seeded_inputs(choices, program, 25)):
        run = program.run(inputs, seed=seed, limits=RunLimits(steps_max=2_000, rows_max=2_000))
        if run.outcome.kind == "failed":
            return True
        for loop, text in facts:
            values = run.of(loop).values(program.proposal(text, loop))
            if any(value is False or (isinstance(value, Undefined) and value.cause == "zero-divisor") for value in values):
                return True
    return False


def mutations(level: Level, program: Program, count: int) -> Iterator[list[tuple[int, str]]]:
    """Solutions of the level with one fact changed; what is no expression any more is left out."""
    choices = random.Random(level.id)
    for _ in range(count):
        changed = choices.randrange(len(level.solution))
        facts = [(fact.loop, fact.expr) for fact in level.solution]
        loop, text = facts[changed]
        facts[changed] = loop, mutated(text, choices)
        try:
            program.proposal(facts[changed][1], loop)
        except SipError:
            continue
        yield facts


def test_mutated_invariants_that_a_run_breaks_are_not_confirmed() -> None:
    broken = confirmed = 0
    for level in all_levels():
        program = level.program()
        for facts in mutations(level, program, volume(2, 40)):
            result = audit(program, facts)
            if broken_by_a_run(program, facts, random.Random(0)):
                broken += 1
                assert result.answer != CONFIRMED, (level.id, facts)
                # Also the conditions alone must notice it, without the audit's own runs.
                assert result.left, (level.id, facts)
            else:
                confirmed += result.answer == CONFIRMED
    assert broken >= 10
    assert confirmed


# Mutated programs


def test_mutated_programs_that_are_confirmed_do_not_fail() -> None:
    """A sign or number of a level is changed; its solution is kept."""
    confirmed = 0
    choices = random.Random("mutated programs")
    for _ in range(volume(30, 2_000)):
        level = choices.choice(all_levels())
        lines = level.source.splitlines()
        line = choices.choice(
            [index for index, text in enumerate(lines) if any(sign in text for sign in (" := ", "while", "assert("))]
        )
        try:
            lines[line] = mutated(lines[line], choices)
            program = load("\n".join(lines))
            facts = [(fact.loop, fact.expr) for fact in level.solution]
            answer = audit(program, facts).answer
        except (SipError, IndexError):  # It is no program any more, or there is nothing to change.
            continue
        if answer == CONFIRMED:
            confirmed += 1
            assert not broken_by_a_run(program, facts, choices), print_program(program.module)
    assert confirmed


# Random programs


def test_random_programs_that_are_confirmed_do_not_fail() -> None:
    confirmed = 0
    for seed in range(volume(25, 2_000)):
        choices = random.Random(f"audit {seed}")
        module = random_program(choices, choices.choice((3, 5, 9)))
        program = load(print_program(module))
        if audit(program).answer != CONFIRMED:
            continue
        confirmed += bool(conditions_of(program, {}))
        for _ in range(20):
            inputs = random_inputs(choices, program.level)
            outcome = interpret(program.module, inputs, RunLimits(steps_max=2_000, rows_max=2_000))
            assert outcome.kind != "failed", (seed, inputs, print_program(module))
    assert confirmed >= volume(4, 300)
