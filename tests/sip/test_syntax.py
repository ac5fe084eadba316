"""Printing and parsing are inverse; the parser answers every text with a program or a SipError."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from idg.levels import all_levels
from idg.sip.errors import SipError
from idg.sip.operators import CANONICAL, OPERATORS, RESERVED
from idg.sip.program import load
from idg.sip.syntax import BASIC_TYPES, Type
from idg.sip.text.expressions import parse_expression
from idg.sip.text.formatter import format_program
from idg.sip.text.parser import parse_program
from idg.sip.text.printer import print_expression, print_program
from tests.support.programs.drawn.random_programs import random_expression, random_program
from tests.support.volume import volume

MUTATED_TEXTS = volume(8_000, 200_000)
"""Mutated texts that are parsed in all batches together."""
BATCHES = 10
"""Batches of mutated texts, which can run in parallel."""
PIECES = (
    *sorted(RESERVED),
    *(operator.token for operator in OPERATORS),
    *sorted(CANONICAL),
    *"(){}[];,:#",
    ":=",
    "//",
    "\n",
    " ",
    "0",
    "1",
    "12",
    "0.5",
    "1.",
    ".5",
    "9" * 30,
    "x",
    "n",
    "main",
    "result",
    "'",
    '"',
    "\\",
    "@",
    "²",
    "é",
    "\x00",
    "\u2028",
    "𝟙",
)
SCOPE = {"p": Type.BOOL, "i": Type.NAT, "x": Type.INT, "r": Type.RAT}
RANDOMS = st.randoms(use_true_random=False)
MANY = settings(max_examples=400, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True, database=None)


@MANY
@given(RANDOMS, st.sampled_from([None, *BASIC_TYPES]), st.integers(1, 40))
def test_expressions_survive_printing_and_parsing(rng: random.Random, want: Type | None, size: int) -> None:
    expr = random_expression(rng, SCOPE, want, size, params=("x", "i"))
    assert parse_expression(print_expression(expr)) == expr


@MANY
@given(RANDOMS)
def test_programs_survive_printing_and_parsing(rng: random.Random) -> None:
    module = random_program(rng)
    text = print_program(module)
    assert parse_program(text) == module
    assert format_program(text) == text


@MANY
@given(RANDOMS, st.data())
def test_layout_spelling_and_comments_do_not_change_the_tree(rng: random.Random, data: st.DataObject) -> None:
    text = print_program(random_program(rng))
    tree = parse_program(text)
    for token in ("&", "|", "->"):
        spellings = [token, *(spelling for spelling, canonical in CANONICAL.items() if canonical == token)]
        respelt = text.replace(f" {token} ", f" {data.draw(st.sampled_from(spellings))} ")
        assert respelt == text or parse_program(respelt) == tree
    spread = text.replace(";", " ; # why\n\t").replace("{", "\n{ // block\n")
    assert parse_program(spread) == tree
    once = format_program(spread)
    assert parse_program(once) == tree
    assert format_program(once) == once
    assert once.count("# why") == text.count(";")


def texts() -> list[str]:
    rng = random.Random(2)
    return [level.source for level in all_levels()] + [print_program(random_program(rng)) for _ in range(60)]


def mutated(rng: random.Random, text: str) -> str:
    for _ in range(rng.choice((1, 1, 1, 2, 3, 8))):
        start, end = sorted((rng.randint(0, len(text)), rng.randint(0, len(text))))
        match rng.randrange(6):
            case 0:
                text = text[:start] + text[min(end, start + rng.randint(1, 12)) :]
            case 1:
                text = text[:start] + rng.choice(PIECES) + text[start:]
            case 2:
                text = text[:start] + rng.choice(PIECES) + text[start + rng.randint(1, 4) :]
            case 3:
                text = text[:start] + text[start:end] * 2 + text[end:]
            case 4:
                text = text[:start] + chr(rng.choice((rng.randrange(128), rng.randrange(0xD800)))) + text[start + 1 :]
            case _:
                text = text[:start]
    return text


def problems_of(read: Callable[[str], object], text: str) -> SipError | None:
    """The SipError that reading the text raises, if any. Any other exception fails the test."""
    try:
        read(text)
    except SipError as error:
        return error
    return None


@pytest.mark.parametrize("batch", range(BATCHES))
def test_mutated_texts_give_a_program_or_a_sip_error(batch: int) -> None:
    rng = random.Random(batch)
    sources = texts()
    wrong = 0
    for _ in range(MUTATED_TEXTS // BATCHES):
        text = mutated(rng, rng.choice(sources))
        read = load if rng.random() < 0.8 else parse_expression
        error = problems_of(read, text)
        if error is not None:
            wrong += 1
            for problem in error.problems:
                assert 0 <= problem.span.start <= problem.span.end <= len(text), (text, problem)
            assert str(error)
    assert MUTATED_TEXTS // BATCHES * 0.5 < wrong < MUTATED_TEXTS // BATCHES


@MANY
@given(st.text(max_size=60) | st.lists(st.sampled_from(PIECES), max_size=25).map(" ".join))
def test_any_text_gives_an_expression_or_a_sip_error(text: str) -> None:
    for read in (parse_expression, parse_program, load):
        error = problems_of(read, text)
        assert error is None or error.problems


def test_the_formatter_keeps_every_comment() -> None:
    text = Path(__file__).with_name("comments.sip").read_text(encoding="utf-8")
    formatted = format_program(text)
    for number in range(1, 16):
        assert f"c{number}." in formatted
    assert parse_program(formatted) == parse_program(text)
    assert format_program(formatted) == formatted


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        ("x // y", "(x // y)"),
        ("(x) // y", "(x // y)"),
        ("x // y // z", "((x // y) // z)"),
        ("x # // y", "x"),
        ("-x^2", "(-(x^2))"),
        ("!p = q", "(!(p = q))"),
        ("a -> b -> c", "(a -> (b -> c))"),
    ],
)
def test_slashes_divide_after_a_value_and_brackets_fall_as_documented(text: str, tree: str) -> None:
    assert parse_expression(text) == parse_expression(tree)


def test_slashes_after_a_head_start_a_comment() -> None:
    text = (
        "fn main(n: nat) // the level\n{ var x: int; // one\n while [x = x] (x < n) // go on\n { x := x // 2 + 1; }\n"
        "if (x > 1) // so\n { } }"
    )
    assert print_program(parse_program(text)).count("//") == 1
