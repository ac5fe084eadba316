"""Contracts that the search finds for recursive functions: the first verifier alone must not believe a wrong one."""

from __future__ import annotations

import pytest

from idg.engine.engine import Engine
from idg.engine.inquiry import Inquiry
from idg.engine.results import SecondCheck
from idg.engine.termination import contracts
from idg.sip.program import load
from idg.sip.text.expressions import parse_expression
from idg.sip.text.printer import print_expression

DOWN = "fn down(n: int): int {{\n  if (n = 0) {{ return 0; }}\n  return down(n - {step});\n}}\n"
CALLED = "fn f({params}) {{\n  {before}var y: int;\n  y := down({argument});\n  assert(y = 0);\n}}\n"
CLAIMED = "claim(false);\n  "


@pytest.fixture(autouse=True)
def believing(monkeypatch: pytest.MonkeyPatch) -> None:
    """The second verifier confirms whatever it is asked, so that it hides no mistake of the first."""
    for name in ("second_check", "second_check_of_contracts"):
        monkeypatch.setattr(contracts, name, lambda *_: SecondCheck.CONFIRMED)


def inquiry_of(step: int = 1, argument: str = "4", params: str = "", before: str = "") -> Inquiry:
    text = DOWN.format(step=step) + CALLED.format(argument=argument, params=params, before=before)
    return Engine(load(text)).inquiry


def demands(inquiry: Inquiry) -> set[str]:
    """What the contracts ask of the arguments that are said to be kept."""
    kept = contracts.kept_contracts(inquiry, frozenset({"down"}), ())
    return {print_expression(contract.pre) for _, contracts_kept in kept for contract in contracts_kept}


def test_a_contract_to_which_all_calls_keep_is_taken() -> None:
    assert "n >= 0" in demands(inquiry_of())


def test_a_contract_that_the_program_does_not_keep_is_not_taken() -> None:
    assert not demands(inquiry_of(argument="m", params="m: int"))


def test_a_contract_that_the_function_itself_does_not_keep_is_not_taken() -> None:
    assert not demands(inquiry_of(step=2))


def test_no_contract_is_looked_for_beside_a_claim() -> None:
    """A run goes on where a claim is false, but proofs take it for true."""
    assert not demands(inquiry_of(argument="m", params="m: int", before=CLAIMED))


@pytest.mark.parametrize(("arguments", "never"), [("n < 0", True), ("n >= 0", False), ("n != 0", False)])
def test_calls_that_return_are_not_said_to_run_for_ever(arguments: str, never: bool) -> None:
    assert contracts._never_returns(inquiry_of(), "down", parse_expression(arguments)) is never
