"""The real tools accept what is right and reject what is wrong. They run in `make test-exports`, where they are installed."""

from __future__ import annotations

import os

import pytest

from idg.export.exporting import TARGETS, ExportRefused
from idg.sip.record import replace
from tests.support.programs.exported import ARRAYS, EXAMPLES, FALSE_OF_SIP, TRUE_OF_SIP, WRONG_MEASURES, ExportExample, asserting
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
}
"""What is true and the tool does not see: it needs many steps of a recursion. That it is rejected does no harm."""


@targets
@pytest.mark.parametrize("condition", TRUE_OF_SIP)
def test_what_is_true_of_sip_is_accepted(condition: str, target: str) -> None:
    try:
        text = asserting(condition).exported(target)
    except ExportRefused as error:
        pytest.skip(str(error))
    answer = accepts(target, text)
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


@pytest.mark.skipif(not installed("smtlib"), reason="no z3")
@pytest.mark.parametrize("example", ARRAYS, ids=lambda example: example.name)
def test_programs_with_arrays_are_accepted_as_conditions(example: ExportExample) -> None:
    answer = accepts("smtlib", example.exported("smtlib"))
    assert answer.accepted, answer.reason
    assert not accepts("smtlib", ExportExample(example.name, example.text).exported("smtlib")).accepted
    wrong = example.text.replace("a[k] <= result", "a[k] < result").replace("s = sum", "s + 1 = sum")
    assert not accepts("smtlib", replace(example, text=wrong).exported("smtlib")).accepted


@targets
@pytest.mark.parametrize("example", WRONG_MEASURES, ids=lambda example: example.name)
def test_measures_that_do_not_fall_are_rejected(example: ExportExample, target: str) -> None:
    answer = accepts(target, example.exported(target))
    assert not answer.accepted
    assert not answer.reason.startswith("not read"), answer.reason
