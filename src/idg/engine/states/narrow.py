"""Inputs for narrow preconditions: where hardly any of the usual inputs satisfies them, the prover is asked for some."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from idg.prover.answers import Refuted
from idg.prover.prove import QUICK, Prover
from idg.sip.limits import RunLimits
from idg.sip.program import Program
from idg.sip.running.compiler import compile_states
from idg.sip.running.runner import evaluate_rows
from idg.sip.syntax import Call, Expr, Name, Type, Unary
from idg.sip.trees.build import compare, number
from idg.sip.trees.logic import FALSE, conjoin
from idg.sip.values import Value
from idg.vc.query import Hypothesis, Query

FITTING_MIN = 6
"""Usual inputs that satisfy the precondition. Where there are fewer, the prover is asked for others."""
SOLVED_MAX = 16
"""Inputs that the prover is asked for."""
QUESTIONS_MAX = 40
"""Questions that are asked for them."""
STRIDES = (0, 3, 50)
"""How far beyond known inputs others are looked for, one parameter at a time."""
LIMITS = RunLimits(steps_max=100_000)
"""What the helpers that a precondition calls may spend."""


def are_narrow(program: Program, usual: Iterable[Mapping[str, Value]]) -> bool:
    """Whether hardly any of the usual inputs satisfies the precondition."""
    compiled = compile_states(program.info, program.params, conjoin(program.level.pres))
    rows = [tuple(inputs[name] for name in program.params) for inputs in usual]
    return sum(value is True for value in evaluate_rows(compiled, rows, {}, LIMITS)) < FITTING_MIN


def solved_inputs(program: Program, prover: Prover) -> list[dict[str, Value]]:
    """Inputs that satisfy the precondition: one, and others that are smaller or larger in one parameter."""
    pres = tuple(Hypothesis(pre, "pre") for pre in program.level.pres)
    solved: list[dict[str, Value]] = []
    for asked, further in enumerate(_beyond(program, solved)):
        if asked >= QUESTIONS_MAX or len(solved) >= SOLVED_MAX:
            break
        conditions = (*pres, *(Hypothesis(condition) for condition in further))
        answer = prover.prove(Query(program.params, conditions, FALSE, program.info), QUICK)
        if isinstance(answer, Refuted):
            inputs = {name: answer.state[name] for name in program.params}
            if inputs not in solved:
                solved.append(inputs)
        elif not further:
            break
    return solved


def _beyond(program: Program, solved: list[dict[str, Value]]) -> Iterable[tuple[Expr, ...]]:
    """What to ask for: anything, then what lies beyond the inputs known so far, to which each answer may add one."""
    yield ()
    for stride in STRIDES:
        position = 0
        while position < len(solved):
            for name, kind in program.params.items():
                value: Value = solved[position][name]
                term: Expr = Name(name)
                if isinstance(value, tuple):
                    value, term = len(value), Call("len", (Name(name),))
                if kind is Type.BOOL:
                    yield (Unary("!", term) if value else term,)
                else:
                    yield (compare(term, ">", number(value + stride)),)
                    yield (compare(term, "<", number(value - stride)),)
            position += 1
