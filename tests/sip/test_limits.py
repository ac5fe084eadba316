"""The deepest and largest programs within the bounds can be loaded, printed, formatted, run, evaluated, compared and copied."""

from __future__ import annotations

import copy
import pickle
import random

import pytest

import idg
from idg.sip.errors import SipError
from idg.sip.limits import (
    BLOCK_LEVELS_MAX,
    CALL_DEPTH_CEILING,
    EXPRESSION_LEVELS_MAX,
    EXPRESSION_NODES_MAX,
    IF_BRANCHES_MAX,
    LITERAL_DIGITS_MAX,
    LOOP_LEVELS_MAX,
    NAME_CHARS_MAX,
    READING_LEVELS_MAX,
    VARIABLES_MAX,
    RunLimits,
)
from idg.sip.running.runner import Undefined
from idg.sip.syntax import Binary, Call, Compare, Expr, Name, Number, Type, Unary
from idg.sip.text.expressions import parse_expression
from idg.sip.text.formatter import format_program
from idg.sip.text.parser import parse_program
from idg.sip.text.printer import print_expression, print_program
from tests.support.programs.drawn.random_programs import random_expression

LEVELS = EXPRESSION_LEVELS_MAX
HELPERS = (
    "fn h(k: nat): rat { return k / 1; }\nfn g(q: rat): int { return 1; }\n"
    "fn g2(q: rat): rat { return q; }\nfn t(p: bool): bool { return p; }\nfn pair(a: nat, b: int): int { return b - a; }\n"
)


def nested(start: str, before: str, after: str, levels: int = LEVELS - 1) -> str:
    return before * levels + start + after * levels


DEEP = {
    "sums": "1" + " + 1" * (LEVELS - 1),
    "sums to the right": nested("1", "1 + (", ")"),
    "differences": "n" + " - 1" * (LEVELS - 1),
    "differences to the right": nested("1", "n - (", ")"),
    "products": "n" + " * 1" * (LEVELS - 1),
    "products to the right": nested("1", "n * (", ")"),
    "products of sums": nested("n", "(n + ", ") * n", (LEVELS - 1) // 2),
    "quotients": nested("1", "(", ") / n"),
    "quotients to the right": nested("1", "n / (", ")"),
    "quotients of quotients": "n" + " / n" * (LEVELS - 1),
    "rat sums": nested("r", "r + (", ")"),
    "rat products": "r" + " * r" * (LEVELS - 1),
    "floors": "n" + " // 1" * (LEVELS - 1),
    "floors by names": "n" + " // n" * (LEVELS - 1),
    "floors to the right": nested("1", "n // (", ")"),
    "remainders": "n" + " % n" * (LEVELS - 1),
    "remainders to the right": nested("1", "n % (", ")"),
    "powers": "1" + "^1" * (LEVELS - 1),
    "powers to the left": nested("n", "(", ")^1"),
    "minus": "-" * (LEVELS - 1) + "n",
    "minus with brackets": nested("n", "-(", ")"),
    "not": "!" * (LEVELS - 1) + "p",
    "not before comparisons": nested("p", "p = !", "", (LEVELS - 1) // 2),
    "and": "p" + " & p" * (LEVELS - 1),
    "and to the right": nested("p", "p & (", ")"),
    "or": "p" + " | p" * (LEVELS - 1),
    "or to the right": nested("p", "p | (", ")"),
    "implications": "p -> " * (LEVELS - 1) + "p",
    "implications to the left": nested("p", "(", ") -> p"),
    "comparisons": nested("p", "p = (", ")"),
    "comparisons to the left": nested("p", "(", ") = p"),
    "negative exponents": nested("n", "0^-", "", (LEVELS - 1) // 2),
    "abs": nested("n", "abs(", ")"),
    "min": nested("n", "min(n, ", ")"),
    "min of differences": nested("n", "min(n, n - ", ")", (LEVELS - 1) // 2),
    "gcd": nested("n", "gcd(n, ", ")"),
    "ispow": nested("ispow(n, 2)", "p = ispow(1, n) & (", ")", (LEVELS - 2) // 2),
    "calls": nested("p", "t(", ")"),
    "calls that narrow": nested("1", "g(h(", "))", (LEVELS - 1) // 2),
    "calls that narrow rats": nested("n", "h(g2(", "))", (LEVELS - 1) // 2),
    "calls that narrow differences": nested("1", "h(n - ", ")", (LEVELS - 1) // 2),
    "calls that narrow quotients": nested("1", "h(n / ", ")", (LEVELS - 1) // 2),
    "calls with two arguments": nested("1", "pair(0, pair(1, ", "))", (LEVELS - 1) // 2),
    "calls in products": nested("1", "h(1 * g(", "))", (LEVELS - 1) // 3),
    "redundant brackets": nested("n", "(", ")", READING_LEVELS_MAX - 1),
    "a long chain": "1" + " <= 1" * (EXPRESSION_NODES_MAX // 2 - 1),
    "many arguments": "max(" + "n, " * (EXPRESSION_NODES_MAX - 2) + "n)",
    "a long literal": "9" * LITERAL_DIGITS_MAX,
    "a long decimal": "0." + "9" * (LITERAL_DIGITS_MAX - 1),
}


@pytest.mark.parametrize("text", DEEP.values(), ids=DEEP.keys())
def test_the_deepest_expressions_can_be_used(text: str) -> None:
    expr = parse_expression(text)
    printed = print_expression(expr)
    assert parse_expression(printed) == expr
    assert_usable(expr)
    source = HELPERS + "fn main(n: nat, p: bool, r: rat) {\n  pre(n = 2);\n  while (false) {\n  }\n}\n"
    run = idg.load(source).run(n=2, p=True, r="1/2")
    evaluation = run.evaluate(text)
    assert isinstance(evaluation.values[0], bool | int | Undefined) or evaluation.type is Type.RAT
    again = run.evaluate(printed)
    assert [str(value) for value in again.values if not isinstance(value, Undefined)] == [
        str(value) for value in evaluation.values if not isinstance(value, Undefined)
    ]
    kind = evaluation.type
    statements = [f"var x: {kind} := {text}; print({text}, {text});", f"n := max(n, 2); r := h(2); print({text});"]
    if kind is Type.BOOL:
        statements.append(f"if ({text}) {{ }} while [{text}] ({text}) {{ p := !p; n := 0; }} assert({text}); cassign([p], {text});")
    for statement in statements:
        whole = source.replace("{\n  }\n}\n", "{\n  }\n  " + statement + "\n}\n")
        program = idg.load(whole)
        assert format_program(format_program(whole)) == format_program(whole)
        for record in (True, False):
            assert program.run(n=2, p=True, r="1/2", record=record, limits=RunLimits(steps_max=500)).message


def assert_usable(tree: object) -> None:
    """Checks that equality, hash, repr, copy and pickle reach the bottom of the tree."""
    again = pickle.loads(pickle.dumps(tree))
    assert again == tree
    assert hash(again) == hash(tree)
    assert repr(again) == repr(tree)
    assert copy.deepcopy(tree) == tree


def chain(branches: int, inside: str) -> str:
    return "if (n < 0) { }" + " else if (n < 0) { }" * (branches - 2) + f" else if (n >= 0) {{ {inside} }}"


DEEP_SUM = "n" + " + 1" * (LEVELS - 1)
DEEP_NOT = "(" * 50 + "!" * (LEVELS - 1) + "true" + ")" * 50


def blocks(levels: int, start: str, inside: str) -> str:
    return f"{start} {{ " * levels + inside + " }" * levels


PROGRAMS = {
    "blocks": blocks(BLOCK_LEVELS_MAX, "if (true)", f"n := {DEEP_SUM};"),
    "else blocks": "if (false) { } else { " * BLOCK_LEVELS_MAX + f"n := {DEEP_SUM};" + " }" * BLOCK_LEVELS_MAX,
    "loops": blocks(LOOP_LEVELS_MAX, "while (n < 9)", f"n := {DEEP_SUM};"),
    "loops in blocks": blocks(
        BLOCK_LEVELS_MAX - LOOP_LEVELS_MAX, "if (true)", blocks(LOOP_LEVELS_MAX, "while (n < 9)", f"n := {DEEP_SUM};")
    ),
    "branches": chain(IF_BRANCHES_MAX, f"n := {DEEP_SUM};"),
    "a deep test": f"if ({DEEP_NOT}) {{ n := 7; }}",
    "variables": "".join(f"var v{index}: int := {index}; " for index in range(VARIABLES_MAX - 1))
    + "while (n < 9) { n := n + v1; }",
    "variables of one declaration": "var " + ", ".join(f"v{index}" for index in range(VARIABLES_MAX - 1)) + ": int;",
    "long names": f"var {'x' * NAME_CHARS_MAX}: int;",
    "statements": "n := 1; " * 9_000,
    "prints": "print(n); " * 7_500,
    "a long print": "print(" + "n, " * 30_000 + "n);",
    "choices": "cassign([n], n = 3); " * 4_000,
    "many loops": "while (false) { } " * 4_400,
    "chosen Booleans": "var " + ", ".join(f"b{index}" for index in range(150)) + ": bool; "
    + "cassign([" + ", ".join(f"b{index}" for index in range(150)) + "], b1 & !b2);",
}  # fmt: skip


@pytest.mark.parametrize("body", PROGRAMS.values(), ids=PROGRAMS.keys())
def test_the_largest_programs_can_be_used(body: str) -> None:
    text = f"fn main(n: nat) {{ {body} }}"
    program = idg.load(text)
    assert parse_program(print_program(program.module)) == program.module
    formatted = format_program(text)
    assert format_program(formatted) == formatted
    assert_usable(program.module)
    run = program.run(n=1)
    assert run.outcome.kind == "returned", run.message
    assert program.run(n=1, record=False).outcome == run.outcome
    if run.traces:
        assert run.evaluate("n >= 0").values == [True] * len(run.trace)


def test_long_chains_of_branches_inside_each_other() -> None:
    body = f"n := {DEEP_SUM};"
    for branches in (8, 9, 40):
        nested_chains = body
        for _ in range(BLOCK_LEVELS_MAX):
            nested_chains = chain(branches, nested_chains)
        program = idg.load(f"fn main(n: nat): nat {{ {nested_chains} return n; }}")
        assert program.run(n=1).outcome.value == LEVELS
        assert_usable(program.module)


def test_branches_are_taken_in_order_whatever_their_number() -> None:
    for count in (2, 8, 9, 30):
        tests = " else ".join(f"if (n <= {bound}) {{ n := n + 100; x := {bound}; }}" for bound in range(count))
        program = idg.load(f"fn main(n: nat): int {{ var x: int := -1; {tests} else {{ x := -2; }} return x; }}")
        assert [program.run(n=n).outcome.value for n in range(count + 1)] == [*range(count), -2]


def test_many_functions_and_parameters() -> None:
    text = (
        "".join(f"fn f{number}(n: nat): nat {{ return n; }}\n" for number in range(2_000))
        + "fn main(n: nat): nat { return f7(n); }"
    )
    assert idg.load(text).run(n=4).outcome.value == 4
    params = ", ".join(f"a{number}" for number in range(VARIABLES_MAX))
    called = ", ".join(["n"] * VARIABLES_MAX)
    program = idg.load(f"fn f({params}: nat): nat {{ return a7; }}\nfn main(n: nat): nat {{ return f({called}); }}")
    assert program.run(n=4).outcome.value == 4


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (f"fn main(n: nat) {{ {chain(IF_BRANCHES_MAX + 1, '')} }}", "too-many-branches"),
        (f"fn main(n: nat) {{ {''.join(f'var v{number}: int; ' for number in range(VARIABLES_MAX))} }}", "too-many-variables"),
        (f"fn main({', '.join(f'v{number}: int' for number in range(6_000))}) {{ }}", "too-many-variables"),
        (f"fn main(n: nat) {{ n := {DEEP_SUM} + 1; }}", "too-deep"),
        (f"fn main(n: nat) {{ n := {'(' * READING_LEVELS_MAX}n{')' * READING_LEVELS_MAX}; }}", "too-deep"),
    ],
    ids=lambda value: value[:20],
)
def test_one_more_is_refused(text: str, code: str) -> None:
    with pytest.raises(SipError) as caught:
        idg.load(text)
    assert caught.value.code == code


def deepened(rng: random.Random, expr: Expr, levels: int) -> Expr:
    """An expression of about so many levels around the given one."""
    for _ in range(levels):
        operand: Expr = Number(rng.randint(0, 9))
        match rng.randrange(6):
            case 0:
                expr = Unary(rng.choice("-!"), expr)
            case 1:
                expr = Compare((expr, operand) if rng.random() < 0.5 else (operand, expr), (rng.choice(("=", "<")),))
            case 2:
                expr = Call(rng.choice(("abs", "f")), (expr,))
            case _:
                op = rng.choice(("->", "|", "&", "+", "-", "*", "/", "//", "%", "^"))
                expr = Binary(op, expr, operand) if rng.random() < 0.5 else Binary(op, operand, expr)
    return expr


def test_whatever_tree_is_not_too_deep_can_be_printed_and_read_again() -> None:
    rng = random.Random(8)
    for _ in range(300):
        start = random_expression(rng, {"x": Type.INT}, Type.INT, 3)
        expr = deepened(rng, start, LEVELS - height(start))
        assert height(expr) == LEVELS
        assert parse_expression(print_expression(expr)) == expr
        assert_usable(expr)


def height(expr: Expr) -> int:
    match expr:
        case Unary(_, operand):
            return 1 + height(operand)
        case Binary(_, left, right):
            return 1 + max(height(left), height(right))
        case Compare(operands):
            return 1 + max(map(height, operands))
        case Call(_, arguments):
            return 1 + max(map(height, arguments), default=0)
        case _:
            assert isinstance(expr, Name | Number) or expr
            return 1


def test_calls_nest_as_deep_as_can_be_asked_for() -> None:
    """Calls nest inside each other, also as arguments, with a check of every result."""
    text = "fn m(k: nat): rat { var r: rat; if (k > 0) { r := m(m(k - 1)); } return 0; }\nfn main(n: nat): rat { return m(n); }"
    program = idg.load(text)
    limits = RunLimits(call_depth_max=CALL_DEPTH_CEILING)
    assert program.run(n=CALL_DEPTH_CEILING - 1, limits=limits).outcome.kind == "returned"
    assert program.run(n=CALL_DEPTH_CEILING, limits=limits).outcome.cause == "call-depth"
