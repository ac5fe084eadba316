"""The messages about wrong texts: the table of wrong inputs, its page in docs/, and texts that are far too large."""

from __future__ import annotations

import re
from collections import Counter
from functools import partial

import pytest

from idg.sip.errors import PROBLEMS_MAX, LaterHint, Problem, SipError, line_and_column
from idg.sip.messages import MESSAGES
from idg.sip.program import load
from idg.sip.syntax import Span
from idg.sip.text.expressions import parse_expression
from tools import ROOT
from tools.derived.vectors import SPEC, WRONG_INPUTS, Row, error_of, read_rows

WRONG_INPUTS_MIN = 70
"""The least number of rows in the table of wrong inputs."""
FIELDS = ("code", "line", "column", "message", "hint")
"""What the table says about the first problem of a wrong input."""
MESSAGE_CHARS_MAX = 200
"""Characters of a message, a hint, or a line that is shown."""
ROWS = [row for path in WRONG_INPUTS for row in read_rows(path)]
MANY = 10_000
"""Repetitions that take a text far beyond every bound on its size or depth."""


def first_problem(row: Row) -> dict[str, str]:
    error = error_of(row)
    if error is None:
        return dict.fromkeys(FIELDS, "accepted")
    first = error.problems[0]
    line, column = line_and_column(error.text, first.span.start)
    return {"code": first.code, "line": str(line), "column": str(column), "message": first.message, "hint": first.hint}


def test_wrong_inputs_are_told_what_is_wrong() -> None:
    failures = []
    for row in ROWS:
        expected, actual = {key: row[key] for key in FIELDS}, first_problem(row)
        failures += [
            f"{row['name']}: {key} {expected[key]!r}, found {actual[key]!r}" for key in FIELDS if expected[key] != actual[key]
        ]
    assert not failures, "\n".join(failures)


def test_there_are_enough_wrong_inputs_with_names_of_their_own() -> None:
    assert len(ROWS) >= WRONG_INPUTS_MIN
    assert not [name for name, count in Counter(row["name"] for row in ROWS).items() if count > 1]


def test_every_code_has_a_wrong_input() -> None:
    # Only what judges programs refuses arrays; tests/sip/test_arrays.py has that.
    assert {row["code"] for row in ROWS} | {"arrays-not-judged"} == set(MESSAGES)


def test_every_code_has_a_meaning_and_a_heading() -> None:
    assert [row["code"] for row in read_rows(SPEC / "meanings.json")] == list(MESSAGES)
    page = (ROOT / "docs" / "errors.md").read_text(encoding="utf-8")
    assert re.findall(r"^## (.+)$", page, re.MULTILINE) == list(MESSAGES)


def test_messages_are_sentences_for_people() -> None:
    for row in ROWS:
        for text in (row["message"], row["hint"]):
            assert len(text) <= MESSAGE_CHARS_MAX, text
            assert not text.endswith("."), text
            assert "{" not in re.sub(r"\{[ …].*?\}|'\{'", "", text), f"a placeholder is left in: {text}"
            assert not re.search(r"\bNone\b|Type\.|Traceback", text), text


def test_all_type_errors_of_a_program_are_reported_by_place() -> None:
    text = (
        "fn helper(x: int): bool { return x; }\n"
        "fn main(n: nat): int {\n"
        "  post(result);\n"
        "  var p: bool := 1;\n"
        "  while (n) { n := n & p; m := true + 1; }\n"
        "  assert(helper(p) = 3);\n"
        "  return p;\n"
        "}\n"
    )
    with pytest.raises(SipError) as caught:
        load(text)
    places = [(problem.code, line_and_column(text, problem.span.start)[0]) for problem in caught.value.problems]
    assert places == [
        ("assigned-type", 1), ("not-boolean", 3), ("assigned-type", 4), ("not-boolean", 5), ("needs-booleans", 5),
        ("assigned-type", 5), ("unknown-name", 5), ("needs-numbers", 5), ("needs-same-kind", 6), ("argument-type", 6),
        ("assigned-type", 7),
    ]  # fmt: skip
    assert caught.value.more == 0


def test_of_very_many_problems_the_first_are_shown_and_the_others_counted() -> None:
    text = "fn main(n: nat) {\n" + "  n := true;\n" * 50 + "}\n"
    with pytest.raises(SipError) as caught:
        load(text)
    assert len(caught.value.problems) == PROBLEMS_MAX
    assert caught.value.render().endswith(f"… and {50 - PROBLEMS_MAX} more problems")


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("(" * MANY + "x" + ")" * MANY, "too-deep"),
        ("(" * MANY, "too-deep"),
        ("!" * MANY + "p", "too-deep"),
        ("-" * MANY + "x", "too-deep"),
        ("a + " * MANY + "a", "too-deep"),
        ("a ^ " * MANY + "a", "too-deep"),
        ("a -> " * MANY + "a", "too-deep"),
        ("f(" * MANY + "x" + ")" * MANY, "too-deep"),
        ("a < " * MANY + "a", "expression-too-large"),
        ("max(" + "a, " * MANY + "a)", "expression-too-large"),
        ("9" * MANY, "literal-too-long"),
        ("0." + "9" * MANY, "literal-too-long"),
        ("x" * MANY, "name-too-long"),
        ("x + 1 " * 33_334, "text-too-long"),
        (" " * 200_000, "text-too-long"),
        ("\x00" * MANY, "bad-character"),
        (")" * MANY, "expected"),
    ],
    ids=lambda value: value[:12],
)
def test_huge_expressions(text: str, code: str) -> None:
    with pytest.raises(SipError) as caught:
        parse_expression(text)
    assert caught.value.code == code
    assert_readable(caught.value)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("fn main() { " + "if (true) { " * 5_000 + "} " * 5_001, "blocks-too-deep"),
        ("fn main(){" + "if(t){" * MANY + "}" * (MANY + 1), "blocks-too-deep"),
        ("fn main() { " + "while (true) { " * 5_000 + "} " * 5_001, "loops-too-deep"),
        ("fn main() {" + "{" * MANY + "}" * MANY + "}", "expected"),
        ("fn main() { x := " + "(" * MANY + "1" + ")" * MANY + "; }", "too-deep"),
        ("fn main() { assert(" + "!" * MANY + "true); }", "too-deep"),
        ("fn main() { var x: int; x := " + "x + " * MANY + "x; }", "too-deep"),
        ("fn main() { var x: int := " + "9" * MANY + "; }", "literal-too-long"),
        ("fn main() { " + "print(1); " * 20_000 + "}", "text-too-long"),
        ("fn f() { } " * 9_000, "function-declared-twice"),
        ("fn main() { " + "x := 1; " * MANY + "}", "unknown-name"),
        ("{" * MANY, "expected"),
    ],
    ids=lambda value: value[:32],
)
def test_huge_programs(text: str, code: str) -> None:
    with pytest.raises(SipError) as caught:
        load(text)
    assert caught.value.code == code
    assert_readable(caught.value)


@pytest.mark.parametrize(
    "text",
    [
        "(" * 219 + "x" + ")" * 219,
        "!" * 99 + "p",
        "a + " * 99 + "a",
        "9" * 1_000,
        "x" * 100,
        "x" + " " * 99_999,
        "x" + " < x" * 2_499,
        "max(" + "a, " * 4_998 + "a)",
    ],
    ids=lambda value: value[:12],
)
def test_expressions_just_within_the_bounds(text: str) -> None:
    assert parse_expression(text)


@pytest.mark.parametrize("head", ["if (true)", "while (true)"])
def test_blocks_just_within_the_bounds(head: str) -> None:
    depth = 10 if head.startswith("while") else 40
    assert load("fn main() { " + f"{head} {{ " * depth + "} " * depth + "}")


def test_a_long_else_if_is_not_nested() -> None:
    branches = " else ".join(["if (n = 1) { }"] * 100)
    assert load(f"fn main(n: nat) {{ {branches} }}")


def test_hints_are_looked_for_only_where_they_are_shown() -> None:
    """Finding a hint among long names takes a millisecond, and ten thousand problems must not take ten seconds."""
    numbers: list[int] = []

    def hint(number: int) -> str:
        numbers.append(number)
        return f"hint {number}"

    error = SipError(
        "", [Problem("unknown-name", "?", Span(number, number), LaterHint(partial(hint, number))) for number in range(1_000)]
    )
    assert numbers == list(range(PROBLEMS_MAX))
    assert error.problems[3].hint == "hint 3"
    names = "".join(f"var {'x' * 80}{number}: int; " for number in range(190))
    uses = "".join(f"{'x' * 80}y{number} := 1; " for number in range(800))
    with pytest.raises(SipError) as caught:
        load(f"fn main() {{ {names}{uses} }}")
    assert all("did you mean" in problem.hint for problem in caught.value.problems)
    assert caught.value.more > 500


def test_what_is_known_says_how_much_is_left_out() -> None:
    with pytest.raises(SipError) as caught:
        load("fn main() { var " + ", ".join(f"a{number}" for number in range(17)) + ": int; print(zzzzzz); }")
    assert caught.value.problems[0].hint.endswith("a3, a4 and 5 more")


def test_source_lines_show_no_control_characters() -> None:
    text = "fn main() {\r\n\tx\x1b[2J\x07 := 1; }\r\n"
    with pytest.raises(SipError) as caught:
        load(text)
    shown = caught.value.render()
    assert not {"\x1b", "\x07", "\r", "\t"} & set(shown)
    assert "x�[2J� := 1; }" in shown
    assert line_and_column(text, caught.value.problems[0].span.start) == (2, 3)


def assert_readable(error: SipError) -> None:
    """Checks that the message is short, however large the text is."""
    shown = error.render()
    assert shown.count("\n") <= 4 * (PROBLEMS_MAX + 1)
    assert max(map(len, shown.split("\n"))) <= MESSAGE_CHARS_MAX
