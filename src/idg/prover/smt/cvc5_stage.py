"""cvc5: a second opinion, and a fallback where z3 does not know.

The budget is cvc5's resource count. There is no limit of time, because it could change an answer on a slow machine. cvc5 does not
count its cylindrical coverings, so these are switched off, and non-linear arithmetic is left to incremental linearisation.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import cvc5

from idg.prover.answers import Proved, Refuted
from idg.prover.check import refutes
from idg.prover.smt.encoder import Script, Unsupported, constant, script
from idg.prover.smt.questions import CVC5_RLIMIT
from idg.sip.syntax import Type
from idg.sip.values import Value, zero
from idg.vc.query import Query

_OPTIONS = {
    "produce-models": "true",
    "produce-unsat-assumptions": "true",
    "incremental": "true",
    "nl-ext-tplanes": "true",
    "nl-cov": "false",
}


def attempt(query: Query, rlimit: int = CVC5_RLIMIT) -> Proved | Refuted | None:
    """A proof, a checked refuting state, or None."""
    try:
        asked = script(query)
    except (Unsupported, RecursionError):
        return None
    manager: Any = cvc5.TermManager()
    solver: Any = cvc5.Solver(manager)
    for option, value in _OPTIONS.items():
        solver.setOption(option, value)
    solver.setOption("rlimit-per", str(rlimit))
    solver.setLogic("ALL")
    symbols = _read(solver, asked)
    literals = [symbols[f"h_{index}"] for index in range(len(asked.hypotheses))]
    try:
        result = solver.checkSatAssuming(*literals)
        if result.isUnsat():
            used = {str(literal) for literal in solver.getUnsatAssumptions()}
            return Proved("cvc5", frozenset(index for index in range(len(literals)) if f"h_{index}" in used))
        if result.isSat():
            state = _state(solver, symbols, query, asked)
            if state is not None and refutes(query, state):
                return Refuted("cvc5", state)
    except RuntimeError:
        # cvc5 raises this, among other cases, for models that it cannot write down.
        return None
    return None


def _read(solver: Any, asked: Script) -> dict[str, Any]:
    """Makes the solver assert the script, and returns the declared constants by their names."""
    parser: Any = cvc5.InputParser(solver)
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, asked.text(), "query")
    symbols = parser.getSymbolManager()
    while True:
        command = parser.nextCommand()
        if command.isNull():
            break
        command.invoke(solver, symbols)
    return {str(term): term for term in symbols.getDeclaredTerms()}


def _state(solver: Any, symbols: dict[str, Any], query: Query, asked: Script) -> dict[str, Value] | None:
    """The model as a state; None where a value is irrational."""
    state: dict[str, Value] = {name: zero(kind) for name, kind in query.variables.items()}
    for name in asked.variables:
        value = solver.getValue(symbols[constant(name)])
        kind = query.variables[name]
        if kind is Type.BOOL:
            state[name] = bool(value.getBooleanValue())
        elif kind is Type.RAT:
            if not value.isRealValue():
                return None
            number = Fraction(str(value.getRealValue()))
            state[name] = number.numerator if number.denominator == 1 else number
        else:
            state[name] = int(value.getIntegerValue())
    return state
