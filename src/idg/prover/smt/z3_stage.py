"""z3: proofs with the hypotheses they use, and small refuting states.

Each query gets a fresh context. With a shared one an answer would depend on what was asked before, and z3 crashes when threads
share a context. The budget is z3's resource count, which is the same on every machine. There is no limit of time, because
it could change an answer on a slow machine: a query that hangs is ended by whoever runs the engine.

One thing z3 does not count: how long its numbers are. Where bounds of products raise each other (`x * x < y & y < 2 * x`), they are
squared at each step, so that after some thirty steps the next one takes for ever. So z3 is asked about non-linear queries with a
bound on all numbers, far beyond those of the query, as one more hypothesis. A proof that uses it is none.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import z3

from idg.prover.answers import Proved, Refuted
from idg.prover.check import refutes
from idg.prover.smt.encoder import Script, Unsupported, constant, script
from idg.prover.smt.questions import PLAIN, Z3_RLIMIT, Setting
from idg.prover.smt.reals import RealEncoder
from idg.sip.syntax import Type
from idg.sip.values import Value, scalar, zero
from idg.vc.query import Query

MODEL_BOUNDS = (3, 10, 40, 200)
"""Sizes of numbers within which a smaller refuting state is looked for, one after the other."""
MODEL_RLIMIT = 60_000
"""z3's resource count for each of these."""

BOUNDED = "bounded"
"""The constant that stands for the bound on all numbers."""


def attempt(query: Query, rlimit: int = Z3_RLIMIT, setting: Setting = PLAIN, states: bool = True) -> Proved | Refuted | None:
    """A proof, a checked refuting state, or None. Without `states`, none is looked for."""
    try:
        asked = script(query)
    except (Unsupported, RecursionError):
        return None
    session = _Z3Session(asked, setting, rlimit)
    result = session.check()
    if result == z3.unsat:
        core = session.core()
        return None if core is None else Proved(setting.name, core)
    if result == z3.sat and states:
        state = session.small_state(query)
        return None if state is None else Refuted(setting.name, state)
    return None


class _Z3Session:
    """A solver that has read one script."""

    def __init__(self, asked: Script, setting: Setting, rlimit: int) -> None:
        self.script = asked
        self.context: Any = z3.Context()
        self.solver: Any = z3.SimpleSolver(ctx=self.context)
        self.solver.set("rlimit", rlimit)
        self.solver.set("ctrl_c", False)  # Python hears of it; z3 would take it for itself and go on with another question.
        for option, value in setting.options.items():
            self.solver.set(option, value)
        literals = [f"h_{index}" for index in range(len(asked.hypotheses))]
        text = asked.text()
        if asked.numbers and not asked.is_linear:
            within = " ".join(f"(<= (- {asked.bound}) {number} {asked.bound})" for number in asked.numbers)
            text += f"\n(declare-const {BOUNDED} Bool)(assert (=> {BOUNDED} (and {within})))"
            literals.append(BOUNDED)
        self.solver.from_string(text)
        self.literals = [z3.Bool(literal, self.context) for literal in literals]

    def check(self) -> Any:
        try:
            return self.solver.check(*self.literals)
        except z3.Z3Exception:
            return z3.unknown

    def core(self) -> frozenset[int] | None:
        """The hypotheses that the proof uses; None where it uses the bound, which is no hypothesis of the query."""
        literals = set(map(str, self.solver.unsat_core()))
        return None if BOUNDED in literals else frozenset(int(literal.removeprefix("h_")) for literal in literals)

    def small_state(self, query: Query) -> dict[str, Value] | None:
        """A refuting state with small numbers: z3 is asked again with bounds on all variables, small bounds first.

        Where that gives none, it is the state of the first model; None where that does not refute the query.
        """
        first = self.state(query)
        numbers = [name for name in self.script.variables if query.variables[name] is not Type.BOOL]
        self.solver.set("rlimit", MODEL_RLIMIT)
        for bound in MODEL_BOUNDS:
            if first is not None and _largest(first, numbers) <= bound:
                break
            self.solver.push()
            for name in numbers:
                make = z3.Real if query.variables[name] is Type.RAT else z3.Int
                term = make(constant(name), self.context)
                self.solver.add(term <= bound, term >= -bound)
            small = self.state(query) if self.check() == z3.sat else None
            self.solver.pop()
            if small is not None and refutes(query, small):
                return small
        return first if first is not None and refutes(query, first) else None

    def state(self, query: Query) -> dict[str, Value] | None:
        """The model as a state; None where a value is irrational."""
        model = self.solver.model()
        state: dict[str, Value] = {name: zero(kind) for name, kind in query.variables.items()}
        known = set(self.script.variables)
        for declared in model.decls():
            name = declared.name().removeprefix("v_")
            if declared.arity() == 0 and declared.name().startswith("v_") and name in known:
                value = _value(model[declared])
                if value is None:
                    return None
                state[name] = value
        return state


def _largest(state: Mapping[str, Value], names: list[str]) -> Fraction:
    return max((_size(state[name]) for name in names), default=Fraction(0))


def _size(value: Value) -> Fraction:
    return abs(Fraction(scalar(value)))


def _value(term: Any) -> Value | None:
    if z3.is_true(term) or z3.is_false(term):
        return bool(z3.is_true(term))
    if z3.is_int_value(term):
        return int(term.as_long())
    if z3.is_rational_value(term):
        value = Fraction(term.numerator_as_long(), term.denominator_as_long())
        return value.numerator if value.denominator == 1 else value
    return None


def attempt_reals(query: Query, rlimit: int = Z3_RLIMIT) -> Proved | None:
    """A proof of the query over the reals by nlsat. The query over the reals is weaker, so a model of it refutes nothing."""
    try:
        asked = script(query, RealEncoder)
    except (Unsupported, RecursionError):
        return None
    context: Any = z3.Context()
    solver: Any = z3.Tactic("qfnra-nlsat", ctx=context).solver()
    solver.set("rlimit", rlimit)
    solver.set("ctrl_c", False)
    plain = [f"(assert {formula})" for formula in (*asked.assertions, *asked.hypotheses)]
    solver.from_string("\n".join([*asked.declarations, *plain]))
    try:
        result = solver.check()
    except z3.Z3Exception:
        return None
    return Proved("reals", frozenset(range(len(asked.hypotheses)))) if result == z3.unsat else None
