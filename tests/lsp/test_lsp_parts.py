"""The parts of the language server that need no editor: places, insertions, words, and what is called proved."""

from __future__ import annotations

import pytest
from lsprotocol.types import Position

from idg.engine.results import Fact, SecondCheck
from idg.lsp.insertions import inserted, insertions, stated_conjuncts
from idg.lsp.jobs import CheckedPlace, FileAnalysis, analysed, proved_insertion
from idg.lsp.positions import TextPositions
from idg.lsp.shown import analysis_diagnostics, lenses, summary
from idg.lsp.words import completions, token_at
from idg.sip.program import load
from idg.sip.syntax import Span

COUNTING = "fn main(n: nat) { var i: int; i := 0; while (i < n) { i := i + 1; } assert(i = n); }"


@pytest.mark.parametrize(
    ("text", "offset", "position"),
    [
        ("ab\ncd", 4, (1, 1)),
        ("ab\r\ncd", 4, (1, 0)),
        ("a\rb", 2, (1, 0)),
        ("# 🙂 x\ny", 4, (0, 5)),  # the smiley is one code point and two units of UTF-16
        ("# \u2028 x\ny", 6, (1, 0)),  # a line end for Python, but not for editors
        ("", 0, (0, 0)),
    ],
)
def test_places_are_counted_as_editors_count(text: str, offset: int, position: tuple[int, int]) -> None:
    positions = TextPositions(text)
    assert positions.position(offset) == Position(*position)
    assert positions.offset(Position(*position)) == offset


def test_a_place_beyond_the_end_is_the_end() -> None:
    positions = TextPositions("ab\ncd")
    assert positions.offset(Position(0, 99)) == 2
    assert positions.offset(Position(9, 0)) == 5


@pytest.mark.parametrize(
    ("head", "facts", "expected"),
    [
        ("while (i < n)", ["i <= n"], "while [i <= n] (i < n)"),
        ("while(i < n)", ["i <= n", "i >= 0"], "while[i <= n & i >= 0] (i < n)"),
        ("while [i >= 0] (i < n)", ["i <= n"], "while [i >= 0 & i <= n] (i < n)"),
        ("while [i >= 0] (i < n)", ["i >= 0"], "while [i >= 0] (i < n)"),
        ("while [i = 0 | i > 0] (i < n)", ["i <= n"], "while [(i = 0 | i > 0) & i <= n] (i < n)"),
        ("while [(i = 0 | i > 0)] (i < n)", ["i <= n"], "while [((i = 0 | i > 0)) & i <= n] (i < n)"),
        ("while (i < n)", ["i > 5 -> n > 5"], "while [(i > 5 -> n > 5)] (i < n)"),
        ("while [i >= 0 # a ] here\n ] (i < n)", ["i <= n"], "while [i >= 0 & i <= n # a ] here\n ] (i < n)"),
        ("while # (\n (i < n)", ["i <= n"], "while # (\n [i <= n] (i < n)"),
    ],
)
def test_invariants_are_put_where_they_belong(head: str, facts: list[str], expected: str) -> None:
    text = COUNTING.replace("while (i < n)", head)
    program = load(text)
    changed = inserted(text, insertions(program, [Fact(1, program_text(text, fact)) for fact in facts]))
    assert changed == COUNTING.replace("while (i < n)", expected)
    stated = {fact.text for fact in stated_conjuncts(load(changed))}
    assert {program_text(text, fact) for fact in facts} <= stated


def program_text(text: str, fact: str) -> str:
    """The fact in canonical form."""
    from idg.sip.text.printer import print_expression

    return print_expression(load(text).expression(fact)[0])


def test_only_what_is_proved_is_offered() -> None:
    program = load(COUNTING)
    whole = proved_insertion(program, [Fact(1, "i <= n")])
    assert whole is not None
    assert whole.proves_all
    part = proved_insertion(program, [Fact(1, "i >= 0")])
    assert part is not None
    assert not part.proves_all
    assert proved_insertion(program, [Fact(1, "i < n")]) is None, "it is false when the loop ends"
    # What is inserted must not rest on something that the text states wrongly.
    wrong = load(COUNTING.replace("while (", "while [n = 3] (").replace("i + 1", "i + n - 2"))
    assert proved_insertion(wrong, [Fact(1, "i >= 0")]) is None


def test_what_an_analysis_says_is_what_idg_prove_says() -> None:
    assert not analysed(COUNTING, print).proved
    proved = analysed(COUNTING.replace("while (", "while [i <= n] ("), print)
    assert proved.proved
    assert proved.second is SecondCheck.CONFIRMED
    assert analysed("fn main(n: nat) { print(n); }", print).checks == ()


def test_nothing_is_called_proved_that_the_second_verifier_contradicts() -> None:
    program = load(COUNTING)
    place = CheckedPlace("assert", "i = n", Span(75, 80), "proved", "", "", "", None, ())
    analysis = FileAnalysis((place,), SecondCheck.CONTRADICTED)
    positions = TextPositions(COUNTING)
    assert not analysis.proved
    titles = [lens.command.title for lens in lenses(program, analysis, positions, "") if lens.command]
    assert titles == ["not proved: the second verifier contradicts the proof"]
    [diagnostic] = analysis_diagnostics(analysis, positions)
    assert diagnostic.code == "contradicted"
    unfinished = summary(FileAnalysis((place,), SecondCheck.NOT_DECIDED))
    assert "the second check did not finish" in unfinished


def test_a_proof_that_rests_on_something_unproved_says_so() -> None:
    text = COUNTING.replace("while (", "while [i <= n & n < 9] (")
    analysis = analysed(text, print)
    titles = [lens.command.title for lens in lenses(load(text), analysis, TextPositions(text), "") if lens.command]
    assert not analysis.proved
    assert any(title.startswith("n < 9: ") for title in titles), titles


def test_completion_reads_texts_that_are_no_programs() -> None:
    text = "fn half(x: nat): nat { return x // 2; }\nfn main(a, b: nat) { # var no: int\n  var sum: int; sum := a + "
    labels = {item.label: item.detail for item in completions(text, len(text))}
    assert labels["a"] == labels["b"] == "nat"
    assert labels["sum"] == "int"
    assert {"half", "main", "gcd", "while"} <= labels.keys()
    assert not {"no", "x"} & labels.keys(), "a comment declares nothing, and parameters belong to their function"
    items = [item for item in completions(text, len(text)) if item.label in {"sum", "count"}]
    assert [(item.label, bool(item.documentation)) for item in items] == [("sum", False), ("count", True)], "sum is a name here"


def test_words_in_comments_are_no_tokens() -> None:
    text = COUNTING + " # while"
    assert token_at(text, len(text) - 2) is None
    token = token_at(text, text.index("while"))
    assert token is not None
    assert token.kind == "while"
    assert token_at("fn $", 1) is None
