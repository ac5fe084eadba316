"""More runs where the usual ones show too little: inputs for a narrow precondition, more choices, larger inputs."""

from __future__ import annotations

import random
from collections.abc import Mapping

from idg.agents.built_in.states.loop_view import numbers
from idg.engine.runs import RUN_LIMITS, RunPool
from idg.sip.limits import RunLimits
from idg.sip.logic import conjoin
from idg.sip.program import Program
from idg.sip.running.compiler import compile_states
from idg.sip.running.runner import Row, evaluate_rows
from idg.sip.syntax import Type
from idg.sip.values import Value

FEW_INPUTS = 25
"""Inputs below which more are looked for."""
FEW_STATES = 40
DRAWS = 12_000
INPUTS_MAX = 60
CHOICE_RUNS = 60
FAR_SIZES = (300, 2_000, 5_000, 12_000)
FAR_NUMBERS_MAX = 4
FAR_LIMITS = RunLimits(steps_max=15_000)


class Sample:
    """What further runs found: states for each loop, and inputs from which a run fails."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.rows: list[list[tuple[Row, int]]] = [[] for _ in program.loops]
        """With the number of the run that reaches them."""
        self.failing: tuple[Mapping[str, Value], int] | None = None
        self.runs = 0

    def run(self, inputs: Mapping[str, Value], seed: int, assigned_params: tuple[str, ...]) -> bool:
        """Whether the run came to an end."""
        run = self.program.run(inputs, limits=RUN_LIMITS, seed=seed)
        self.runs += 1
        entry = tuple(run.inputs[name] for name in assigned_params)
        for table, trace in zip(self.rows, run.traces, strict=True):
            table += ((row + entry, self.runs) for row in trace.rows)
        if run.outcome.kind == "failed" and self.failing is None:
            self.failing = (dict(run.inputs), seed)
        return run.outcome.kind != "bound"


def more(program: Program, pool: RunPool, seed: int) -> Sample:
    """Further runs, only where the known ones are few."""
    found = Sample(program)
    pick = random.Random(seed)
    known = _known_inputs(pool)
    states = min((len(table) for table in pool.reached), default=0)
    if program.params and len(known) < FEW_INPUTS and program.level.pres:
        for each in fitting_inputs(program, pick):
            found.run(each, pick.randrange(1000), pool.assigned_params)
    if pool.chooses and states < FEW_STATES:
        for number in range(CHOICE_RUNS):
            found.run(pick.choice(known), number + 10, pool.assigned_params)
    return found


def fitting_inputs(program: Program, pick: random.Random) -> list[dict[str, Value]]:
    """Inputs that satisfy the precondition, drawn at random in all sizes."""
    rows = [tuple(_draw(kind, pick) for kind in program.params.values()) for _ in range(DRAWS)]
    compiled = compile_states(program.info, program.params, conjoin(program.level.pres))
    holds = evaluate_rows(compiled, rows, {}, RUN_LIMITS)
    fitting = list(dict.fromkeys(row for row, value in zip(rows, holds, strict=True) if value is True))
    return [dict(zip(program.params, row, strict=True)) for row in fitting[:INPUTS_MAX]]


def _draw(kind: Type, pick: random.Random) -> Value:
    if kind is Type.BOOL:
        return pick.random() < 0.5
    number = pick.randrange(1 << pick.choice((2, 3, 4, 5, 6, 7, 8, 10)))
    return -number if kind is not Type.NAT and pick.random() < 0.2 else number


def all_alike(program: Program, size: int) -> dict[str, Value]:
    """Inputs that are all of this size, or true."""
    return {name: kind is Type.BOOL or size for name, kind in program.params.items()}


def failing_far(program: Program, pool: RunPool, seed: int) -> tuple[Mapping[str, Value], int] | None:
    """Further runs, only to see whether one fails: from larger inputs than usual, from numbers of the text, with other choices."""
    told = [near for number in numbers(program)[-FAR_NUMBERS_MAX:] for near in (number - 1, number, number + 1)]
    for size in dict.fromkeys([*FAR_SIZES, *filter(lambda each: each > 0, told)]) if program.params else ():
        inputs = all_alike(program, size)
        if program.run(inputs, limits=FAR_LIMITS, record=False).outcome.kind == "failed":
            return inputs, 0
    if pool.chooses:
        pick = random.Random(seed)
        known = _known_inputs(pool)
        for number in range(CHOICE_RUNS):
            each = pick.choice(known)
            if program.run(each, seed=number, limits=FAR_LIMITS, record=False).outcome.kind == "failed":
                return each, number
    return None


def _known_inputs(pool: RunPool) -> list[dict[str, Value]]:
    """Of runs that reach a loop, in an order that is always the same."""
    found = {tuple(each.inputs.items()) for table in pool.reached for each in table}
    return [dict(each) for each in sorted(found, key=str)] or [{}]
