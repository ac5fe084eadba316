"""The client's core, in TypeScript, agrees with the Python implementation: its own tests pass, and so does a differential fuzz.

`IDG_FUZZ_SEED=5` chooses the seed of a second fuzz, `IDG_FUZZ_EXPRESSIONS=200000` how many expressions each has.
"""

from __future__ import annotations

import json
import os
import random
import re
import shutil
import subprocess
from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any
from unicodedata import category

import pytest

from idg.levels import all_levels
from idg.sip.errors import SipError
from idg.sip.limits import EVALUATION_STEPS_MAX, RunLimits
from idg.sip.messages import MESSAGES
from idg.sip.operators import CANONICAL
from idg.sip.program import Program, load
from idg.sip.running.compiler import compile_rows
from idg.sip.running.runner import Row, Undefined, evaluate_rows
from idg.sip.syntax import BASIC_TYPES, Function, Module, Type
from idg.sip.text.printer import print_expression, print_program
from idg.sip.text.sexpr import expression_sexpr, module_sexpr
from idg.sip.values import Value, format_value, scalar
from tests.support.programs.array_texts import ARRAY_EDGES, ARRAY_PROGRAM
from tests.support.programs.drawn.random_arrays import ARRAYS, CELLS_MAX, expression_with_arrays, with_arrays
from tests.support.programs.drawn.random_programs import VARIABLES, random_expression, random_program, random_value
from tests.support.programs.drawn.random_writes import with_writes
from tests.support.volume import volume

CLIENT = Path(__file__).resolve().parents[2] / "client"
EXPRESSIONS = int(os.environ.get("IDG_FUZZ_EXPRESSIONS", str(volume(3_000, 40_000))))
"""Expressions that both implementations are asked about, in each fuzz."""
EXPRESSIONS_A_SITUATION = 40
"""Expressions that are asked about one program and its states."""
ARRAYS_SHARE = 0.4
"""The share of programs and states with arrays."""
WRITES_SHARE = 0.5
"""The share of programs with arrays whose helpers write them."""
ARRAY_STATES = 2
"""How often the texts about arrays are asked about, each time in other states."""
ROWS = 4
"""States of one program in which an expression is evaluated."""
SOURCES = EXPRESSIONS // 10
"""Programs, right and wrong, whose trees and problems are compared."""
FIXED_SEED = 20_000
"""The seed of the fuzz that always runs."""
SHOWN = 8
"""Differences that a failure shows."""
NODE_SECONDS = 300
"""Seconds for one call of Node; only guards against hanging."""
OWN_TESTS_MIN = 200
"""The least number of tests of the client itself, so that a run which finds none of them does not pass."""

PIECES = (
    "(", ")", "[", "]", "{", "}", ";", ",", ":", ":=", "=", "==", "===", "!=", "=!", "!", "! =", "> =", "- >", "=<", "<>",
    "<->", "<=>", "==>", "&&&", "<<", ">>", "++", "--", "+=", "|=", "/*", "//", "# c\n", "\n", " ", "\t", "\u00a0", "\ufeff",
    "\u2028", "-", "−", "·", "÷", "**", "^", "/", "%", "->", "=>", "→", "∨", "∧", "¬", "≠", "≤", "≥", "²", "√", "∀", "∑", "–",
    "⇒", "~~", "?", "\"s\"", "'s", "“s”", "`", ".", "\\", "§§", "𝑥", "😀😀", "\u200b", "\x00", "\x85", "\u0378", "0x10", "1e5",
    "1_000", "2x", "1.2.3", "3.", "0.5", "2.0", "7", "1,5", "123456789" * 3, "x", "y", "z", "result", "old(x)", "old(q)",
    "old(", "old x", "old()", "true", "false", "tru", "True", "AND", "NOT", "mod", "div", "xor", "implies", "sqrt", "sqrt(x)",
    "floor(x)", "abs", "abs(", "min(x)", "max()", "gcd(x, 2)", "gcd(x)", "ispow(y, 2)", "helper1", "helper1(x)",
    "helper2(x, y)", "main", "main(x)", "inner", "constructor", "toString", "__proto__", "hasOwnProperty(x)", "while", "if",
    "then", "do", "for", "assert", "return", "var", "int", "nat", "fn", "else", "pre", "post", "print", "cassign", "claim",
    "let", "elif", "invariant", "integer", "..", "0..1", "...", "forall", "exists", "forall k in 0..1: ", "exists k1 in 0..x: ",
    "in", "sum k in 0..1: ", "count k in 0..1: ", "sorted(", "sorted(ints)", "permutation(ints, ", "old(ints)", "swap(ints, 0, 1);",
    "sum", "ints = ", "[0]", "ints[0]", "ints", "nats[x]", "len(", "len(ints)", "len", "int[]", "int[", "∃", "[1, 2]",
)  # fmt: skip

EDGE_PROGRAM = """
fn deep(n: nat): nat { if (n = 0) { result := 0; } else { result := deep(n - 1) + 1; } }
fn spin(n: nat): nat { var i: nat; while (i < n) { i := i + 1; } return i; }
fn lines(n: nat): nat { var i: nat; while (i < n) { print(); print(i); print(); print(); print(); print(); i := i + 1; } return i; }
fn chars(n: nat): nat { var i: nat; while (i < n) { print(10^9999, 10^9999); i := i + 1; } return i; }
fn even(x: int): bool { pre(1 / x != 2); post(result -> x % 2 = 0); return x % 2 = 0; }
fn inverse(x: int): rat { pre(deep(3) / x != 0); assume(x != 5); claim(x = 1); return 1 / x; }
fn half(x: int): nat { pre(inverse(x) >= 0); assert(x != 8); return x / 2; }
fn twice(x: int): int { x := 2 * x; assert(x = 2 * old(x)); var r: rat := x / 3; return r * 3; }
fn slow(n: nat): bool { pre(spin(n) = n & inverse(n) > 0); return true; }
fn grow(x: int): int { x := x * x; return x; }
fn any(x: int): int { cassign([x], x > 0); return x; }
fn quiet(x: int) { print(x); }
fn main(cnta, cntb: nat, n, x: int): int {
  var r: rat;
  while [x >= 0] (x > 0) { var inner: int; x := x - 1; }
  return 1;
}
"""
EDGES = (
    *(f"deep({n})" for n in (0, 198, 199, 200, 201)),
    "deep(200) = 200 & deep(100) + deep(100) > 1",
    *(f"spin({n})" for n in (19_996, 19_997, 19_998, 19_999, 20_000)),
    "spin(9998) + spin(9998)",
    "spin(9999) + spin(9999)",
    *(f"lines({n})" for n in (16_666, 16_667)),
    *(f"chars({n})" for n in (249, 250)),
    "lines(9000) = chars(100)",
    "even(0)",
    "even(1)",
    "even(x)",
    "inverse(0)",
    "inverse(5)",
    "inverse(7)",
    "half(0)",
    "half(7)",
    "half(8)",
    "half(-2)",
    "half(6)",
    "half(x / 2)",
    "slow(30000)",
    "slow(5)",
    "slow(0)",
    "slow(2)",
    "twice(x)",
    "twice(r)",
    "twice(n / 3)",
    "grow(2^4095)",
    "grow(2^4096)",
    "grow(2^8191)",
    "any(1)",
    "quiet(x)",
    "quiet(x) = 1",
    "main(1, 2, 3, 4)",
    "main(-1, 2, 3, 4)",
    "main(1, 2, 3, -4)",
    "cntc = 1",
    "cnt = 1",
    "CNTA = 1",
    "inner = 1",
    "result = 1",
    "old(inner) = 1",
    "old(cnt) = 1",
    "2^65535 + 2^65535",
    "2^65535 + 2^65535 - 1",
    "2^65536",
    "2^65535 * 2",
    "2^65534 * 2",
    "-2^65535 * 2",
    "(1 / 2)^32768",
    "(1 / 2)^21845",
    "(2 / 3)^16384",
    "1 / 2^65534",
    "1 / 2^65535",
    "1 / 2^65533 / 2",
    "3^41349",
    "3^41348 > 0",
    "(-1)^(10^300)",
    "(-1)^(10^300 + 1)",
    "0^(10^300)",
    "0^0",
    "0^-0",
    "x^-n",
    "9007199254740991 + 1",
    "9007199254740992 - 1",
    "-9007199254740991 - 1",
    "94906267 * 94906267",
    "94906265^2",
    "3^33",
    "3^34",
    "2^53 // -3",
    "-2^53 % 7",
    "(2^53 - 1) % -2",
    "-(2^53 - 1) // 2",
    "gcd(2^100, 6^50)",
    "gcd(0, -2^60)",
    "ispow(2^1000, 2)",
    "ispow(-8, -2)",
    "ispow(4, -2)",
    "ispow(0, 0)",
    "ispow(1, 0)",
    "ispow(3^100 + 1, 3)",
    "max(1 / 3, 0.25, 2^60) - min(-2^60, 0.5)",
    "abs(-1 / 3) = 1 / 3",
    "0.1 + 0.2 = 0.3",
    "x / 0 = 1 | true",
    "true | x / 0 = 1",
    "2^32768 * 2^32767",
    "2^32768 * 2^32768",
    "-2^32768 * 2^32768",
    "2^32768 * 2^32767 + 2^32768 * 2^32767",
    "2^32768 * (2^32767 / 3)",
    "-(2^32768) * 2^32767 - 2^32768 * 2^32767",
    "2^32768 * (2^32766 / 3)",
    "1 // 0 < 1 % 0 < 2",
    "1 // 0 < 1 % 0",
    "1 // 0 + 1 % 0",
    "(1 / 0)^(2^70000)",
    "0 > 1 > x / 0",
    "0 < 1 < x / 0",
    "x // 0 < 1 < 1 % 0",
    "x = 1 & " * 99 + "true",
    "-" * 98 + "x",
    "(" * 219 + "x" + ")" * 219,
    "1" * 1000,
    "1" * 1001,
    "0." + "0" * 998 + "1",
    "a" * 100,
    "a" * 101,
    "x" * 100_001,
    "😀" * 100_001,
    "# only a comment",
    "",
    "x y",
    "p => q",
    "x \ufeff = = 1",
    "! \ufeff= x",
)
"""Texts at which bounds are reached exactly, numbers change their representation, or suggestions are equally near."""

pytestmark = pytest.mark.skipif(shutil.which("node") is None, reason="needs Node.js 20.19 or newer")


def node(*arguments: str, stdin: str = "") -> str:
    environment = {**os.environ, "NO_COLOR": "1", "CI": "1"}
    result = subprocess.run(
        ["node", *arguments], cwd=CLIENT, input=stdin, capture_output=True, encoding="utf-8", timeout=NODE_SECONDS, env=environment
    )
    assert result.returncode == 0, f"node {' '.join(arguments)}:\n{result.stdout[-6000:]}\n{result.stderr[-6000:]}"
    return result.stdout


@pytest.fixture(scope="session")
def client() -> None:
    """Installs the client's packages if they are missing."""
    node("ensure.mjs")


@pytest.fixture(scope="session")
def fuzzer(client: None, tmp_path_factory: pytest.TempPathFactory) -> str:
    """Bundles the client's half of the fuzz for Node, and returns its path."""
    folder = tmp_path_factory.mktemp("fuzz")
    node("node_modules/vite/bin/vite.js", "build", "--ssr", "tests/core/fuzz.ts", "--outDir", str(folder), "--logLevel", "error")
    (folder / "package.json").write_text('{"type": "module"}', encoding="utf-8")
    return str(folder / "fuzz.js")


def test_the_lock_names_no_host() -> None:
    lock = (CLIENT / "package-lock.json").read_text(encoding="utf-8")
    assert '"resolved"' not in lock
    assert "registry" not in lock
    assert lock.count('"integrity"') > 50
    assert "omit-lockfile-registry-resolved=true" in (CLIENT / ".npmrc").read_text(encoding="utf-8").splitlines()


def test_the_clients_own_tests_pass(client: None) -> None:
    report = node("node_modules/vitest/vitest.mjs", "run")
    passed = re.search(r"Tests +(\d+) passed \((\d+)\)", report)
    assert passed is not None, report[-6000:]
    assert passed[1] == passed[2], "none is skipped"
    assert int(passed[1]) >= OWN_TESTS_MIN


def test_messages_are_the_same(fuzzer: str) -> None:
    assert json.loads(node(fuzzer, stdin='{"messages": true}\n')) == MESSAGES


# What Python says


class Situation:
    """A program with a loop, and states at that loop."""

    def __init__(self, rng: random.Random, text: str = "") -> None:
        self.helpers: tuple[Function, ...] = ()
        self.text = text or self.random_text(rng)
        self.program: Program = load(self.text)
        variables = self.program.info.level.variables
        loop = self.program.loops[0]
        self.columns = loop.columns
        self.scope = {name: variables[name] for name in loop.columns}
        self.arrays = any(kind.element for kind in self.scope.values())
        self.rows: list[Row] = [tuple(state_value(rng, kind) for kind in self.scope.values()) for _ in range(ROWS)]
        self.old: dict[str, Value] = {name: state_value(rng, kind) for name, kind in self.program.params.items()}

    def random_text(self, rng: random.Random) -> str:
        module = random_program(rng, 5)
        arrays = rng.random() < ARRAYS_SHARE
        helpers = helpers_of(module)
        types = {name: rng.choice(BASIC_TYPES) for name in VARIABLES[: rng.randint(1, 6)]}
        local = {f"l{name}": kind for name, kind in types.items() if rng.random() < 0.3}
        params = ", ".join(f"{name}: {kind}" for name, kind in (types | ARRAYS if arrays else types).items())
        declared = "".join(f"  var {name}: {kind};\n" for name, kind in local.items())
        result = rng.choice((("", ""), (": int", "  return 1;\n"), (": nat", "  result := 3;\n")))
        self.helpers = helpers
        shown = with_arrays(rng, Module(helpers)) if arrays else Module(helpers)
        if arrays and rng.random() < WRITES_SHARE:
            shown = with_writes(rng, shown)
        return (
            f"{print_program(shown)}\nfn main({params}){result[0]} {{\n{declared}"
            f"  while (false) {{\n    var inner: int;\n  }}\n{result[1]}}}\n"
        )

    def as_json(self) -> dict[str, object]:
        rows = [list(map(format_value, row)) for row in self.rows]
        old = {name: format_value(value) for name, value in self.old.items()}
        return {"situation": {"program": self.text, "rows": rows, "old": old}}

    def answer(self, text: str) -> dict[str, Any]:
        program = self.program
        try:
            expr, kind = program.expression(text)
        except SipError as error:
            return refusal(error)
        compiled = compile_rows(program.info, self.columns, program.params, expr)
        values = evaluate_rows(compiled, self.rows, self.old, RunLimits(steps_max=EVALUATION_STEPS_MAX))
        return {
            "sexpr": expression_sexpr(expr), "canonical": print_expression(expr), "type": str(kind),
            "values": [[value.cause, *value.span] if isinstance(value, Undefined) else format_value(value) for value in values],
        }  # fmt: skip


def state_value(rng: random.Random, kind: Type) -> Value:
    """A value of the type. Some are near the limit of JavaScript's exact numbers, or of what a variable may hold."""
    if kind.element:
        return tuple(scalar(state_value(rng, kind.element)) for _ in range(rng.randint(0, CELLS_MAX)))
    if kind is Type.BOOL or rng.random() < 0.9:
        return random_value(rng, kind)
    number = rng.choice((2**26, 2**53, 2**53, 2**64, 2**4096, 2**8191)) + rng.randint(-2, 2)
    if kind is not Type.NAT and rng.random() < 0.5:
        number = -number
    if kind is not Type.RAT or number.bit_length() > 4096:
        return number
    value = Fraction(number, rng.choice((3, 2**53 - 1, 10**30)))
    return value.numerator if value.denominator == 1 else value


def helpers_of(module: Module) -> tuple[Function, ...]:
    return module.functions[:-1]


def refusal(error: SipError) -> dict[str, Any]:
    return {
        "problems": [[problem.code, *problem.span, problem.message, problem.hint] for problem in error.problems],
        "more": error.more,
    }


def source_answer(text: str) -> dict[str, Any]:
    try:
        program = load(text)
    except SipError as error:
        return refusal(error)
    return {"sexpr": module_sexpr(program.module), "loops": [[list(loop.columns), loop.outer] for loop in program.loops]}


# Cases


def expression_text(rng: random.Random, situation: Situation) -> str:
    """Mostly a well-typed expression. Others have variables with wrong types, or are mutated."""
    scope = {name: kind for name, kind in situation.scope.items() if kind.element is None}
    if rng.random() < 0.25:
        kinds = list(scope.values())
        rng.shuffle(kinds)
        scope = dict(zip(scope, kinds, strict=True))
    params = tuple(name for name, kind in situation.program.params.items() if kind.element is None)
    expr = random_expression(rng, scope, None, rng.choice((1, 3, 6, 6, 12, 25)), situation.helpers, params)
    if situation.arrays:
        expr = expression_with_arrays(rng, expr, scope, {helper.name for helper in situation.helpers})
    text = print_expression(expr)
    if rng.random() < 0.15:
        text = respelt(rng, text)
    return mutated(rng, text) if rng.random() < 0.3 else text


def respelt(rng: random.Random, text: str) -> str:
    """The same tree in another spelling and layout."""
    spelling, canonical = rng.choice(sorted(CANONICAL.items()))
    text = text.replace(f" {canonical} ", f" {spelling} ")
    return text.replace(" ", rng.choice((" ", "  ", "\n", " # why 😀\n", "\u00a0")))


def mutated(rng: random.Random, text: str) -> str:
    for _ in range(rng.choice((1, 1, 1, 2, 4))):
        start, end = sorted((rng.randint(0, len(text)), rng.randint(0, len(text))))
        piece = rng.choice(PIECES)
        match rng.randrange(7):
            case 0:
                text = text[:start] + text[min(end, start + rng.randint(1, 5)) :]
            case 1:
                text = f"{text[:start]}{piece}{text[start:]}"
            case 2:
                text = f"{text[:start]} {piece} {text[start + rng.randint(0, 4) :]}"
            case 3:
                text = text[:start] + text[start:end] * 2 + text[end:]
            case 4:
                words = text.split(" ")
                words[rng.randrange(len(words))] = piece
                text = " ".join(words)
            case 5:
                text = text[:start] + character(rng) + text[start + 1 :]
            case _:
                text = text[:start]
    return text


def character(rng: random.Random) -> str:
    """A character that is assigned in this Python's Unicode. Node may know more characters, and shows those that it can print."""
    return rng.choice([sign for sign in (chr(rng.randrange(128)), chr(rng.randrange(0x2400))) if category(sign) != "Cn"])


def sources(rng: random.Random) -> Iterator[str]:
    """Programs and mutated programs."""
    levels = [level.source for level in all_levels()]
    for _ in range(SOURCES):
        if rng.random() < 0.4:
            text = rng.choice(levels)
        else:
            module = random_program(rng, 6)
            module = with_arrays(rng, module) if (arrays := rng.random() < ARRAYS_SHARE) else module
            text = print_program(with_writes(rng, module) if arrays and rng.random() < WRITES_SHARE else module)
        yield mutated(rng, text) if rng.random() < 0.85 else text


def cases(rng: random.Random) -> Iterator[tuple[dict[str, object], object]]:
    """The questions that Node is asked, with the answers that Python gives."""
    edge = Situation(rng, EDGE_PROGRAM)
    yield edge.as_json(), None
    for text in EDGES:
        yield {"text": text}, edge.answer(text)
    for _ in range(ARRAY_STATES):
        arrays = Situation(rng, ARRAY_PROGRAM)
        yield arrays.as_json(), None
        for text in ARRAY_EDGES:
            yield {"text": text}, arrays.answer(text)
    for _ in range(EXPRESSIONS // EXPRESSIONS_A_SITUATION):
        situation = Situation(rng)
        yield situation.as_json(), None
        for _ in range(EXPRESSIONS_A_SITUATION):
            text = expression_text(rng, situation)
            yield {"text": text}, situation.answer(text)
    for text in sources(rng):
        yield {"source": text}, source_answer(text)


def seeds() -> Sequence[int]:
    seed_text = os.environ.get("IDG_FUZZ_SEED")
    return (FIXED_SEED,) if seed_text is None else (FIXED_SEED, int(seed_text))


@pytest.mark.parametrize("seed", seeds())
def test_both_implementations_agree(fuzzer: str, seed: int) -> None:
    questions, expected = zip(*cases(random.Random(seed)), strict=True)
    lines = node(fuzzer, stdin="".join(f"{json.dumps(question)}\n" for question in questions)).splitlines()
    assert len(lines) == len(questions)
    differing = []
    situation: object = None
    for question, answer, line in zip(questions, expected, lines, strict=True):
        situation = question.get("situation", situation)
        if json.loads(line) != answer:
            about = situation if "text" in question else ""
            differing.append(f"{question}\n  Python:     {json.dumps(answer)}\n  TypeScript: {line}\n  in {about}")
    shown = "\n".join(difference[:3000] for difference in differing[:SHOWN])
    assert not differing, f"seed {seed}: {len(differing)} of {len(questions)} differ:\n{shown}"
    assert_covers(question_kinds(expected))


def question_kinds(answers: Sequence[object]) -> Counter[str]:
    """How often each kind of answer occurs: types, causes, codes."""
    counts: Counter[str] = Counter()
    for answer in answers:
        if isinstance(answer, dict):
            counts.update([answer["type"]] if "type" in answer else [])
            counts.update(value[0] if isinstance(value, list) else "value" for value in answer.get("values", ()))
            counts.update(problem[0] for problem in answer.get("problems", ()))
    return counts


def assert_covers(kinds: Counter[str]) -> None:
    """The fuzz would be worth little if its cases were all alike."""
    codes = len(kinds.keys() & MESSAGES.keys())
    assert codes > 35, f"only {codes} kinds of problems"
    causes = ("zero-divisor", "negative-exponent", "number-too-large", "narrowing", "callee-pre")
    for kind in ("bool", "nat", "int", "rat", "value", *causes, "index"):
        assert kinds[kind] > EXPRESSIONS // 1000, f"{kind}: {kinds[kind]}"
