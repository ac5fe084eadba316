"""The real tools accept what is right and reject what is wrong. They run in `make test-exports`, where they are installed."""

from __future__ import annotations

import os

import pytest

from idg.export.exporting import TARGETS, ExportRefused
from idg.sip.record import replace
from tests.support.programs.exported import (
    ARRAYS,
    EXAMPLES,
    FALSE_OF_ARRAYS,
    FALSE_OF_SIP,
    TRUE_OF_ARRAYS,
    TRUE_OF_SIP,
    WRONG_MEASURES,
    ExportExample,
    asserting,
    stating,
)
from tools.verifiers import accepts, installed

pytestmark = pytest.mark.skipif(os.environ.get("IDG_TEST_EXPORTS") != "1", reason="the real tools run in make test-exports")

targets = pytest.mark.parametrize(
    "target", [pytest.param(name, marks=pytest.mark.skipif(not installed(name), reason=f"no {name}")) for name in TARGETS]
)
TOO_HARD = {
    ("why3", "gcd(12, 18) = 6"),
    ("why3", "gcd(-4, 6) = 2"),
    ("why3", "!ispow(6, 2)"),
    ("smtlib", "gcd(12, 18) = 6"),
    ("smtlib", "gcd(-4, 6) = 2"),
    ("dafny", "copies and calls"),
}
"""What is true and the tool does not see: it needs many steps of a recursion, or a witness of `exists` that no term of the text
names. That it is rejected does no harm."""


@targets
@pytest.mark.parametrize("condition", TRUE_OF_SIP)
def test_what_is_true_of_sip_is_accepted(condition: str, target: str) -> None:
    answer = accepts(target, _said(asserting(condition), target))
    assert answer.accepted or (target, condition) in TOO_HARD, answer.reason


@targets
@pytest.mark.parametrize("condition", FALSE_OF_SIP)
def test_what_is_false_of_sip_is_rejected(condition: str, target: str) -> None:
    answer = accepts(target, asserting(condition).exported(target))
    assert not answer.accepted
    assert not answer.reason.startswith("not read"), answer.reason


@targets
@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.name)
def test_examples_are_accepted(example: ExportExample, target: str) -> None:
    answer = accepts(target, example.exported(target))
    assert answer.accepted, answer.reason


@targets
@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.name)
def test_examples_are_rejected_without_their_invariants(example: ExportExample, target: str) -> None:
    """Nothing is assumed that has to be proved: without the facts the same program must not be accepted."""
    if not example.invariants:
        pytest.skip("it needs none")
    answer = accepts(target, ExportExample(example.name, example.text).exported(target))
    assert not answer.accepted
    assert not answer.reason.startswith("not read"), answer.reason


@targets
@pytest.mark.parametrize("statements", TRUE_OF_ARRAYS)
def test_what_is_true_of_arrays_is_accepted(statements: str, target: str) -> None:
    answer = accepts(target, _said(stating(statements), target))
    assert answer.accepted or (target, statements) in TOO_HARD, answer.reason


@targets
@pytest.mark.parametrize("statements", FALSE_OF_ARRAYS)
def test_what_is_false_of_arrays_is_rejected(statements: str, target: str) -> None:
    answer = accepts(target, _said(stating(statements), target))
    assert not answer.accepted
    assert not answer.reason.startswith("not read"), answer.reason


@targets
@pytest.mark.parametrize("example", ARRAYS, ids=lambda example: example.name)
def test_programs_with_arrays_are_accepted(example: ExportExample, target: str) -> None:
    answer = accepts(target, _said(example, target))
    assert answer.accepted or (target, example.name) in TOO_HARD, answer.reason
    assert not accepts(target, _said(replace(example, invariants=(), measures=()), target)).accepted
    wrong = replace(example, text=_made_wrong(example.text))
    answer = accepts(target, _said(wrong, target))
    assert not answer.accepted
    assert not answer.reason.startswith("not read"), answer.reason


def _made_wrong(text: str) -> str:
    """One of these changes makes each program wrong."""
    changes = (("a[k] <= result", "a[k] < result"), ("s = sum", "s + 1 = sum"), ("n > 1", "n > 2"), ("b[k] > m", "b[k] > m + 1"))
    for right, wrong in changes:
        text = text.replace(right, wrong)
    return text


def _said(example: ExportExample, target: str) -> str:
    """The text; the test is skipped where the target refuses it."""
    try:
        return example.exported(target)
    except ExportRefused as error:
        pytest.skip(str(error))


@targets
@pytest.mark.parametrize("example", WRONG_MEASURES, ids=lambda example: example.name)
def test_measures_that_do_not_fall_are_rejected(example: ExportExample, target: str) -> None:
    answer = accepts(target, example.exported(target))
    assert not answer.accepted
    assert not answer.reason.startswith("not read"), answer.reason
