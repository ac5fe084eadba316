"""More runs where the usual ones show too little: inputs for a narrow precondition, more choices, larger inputs."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping

from idg.agents.built_in.states.loop_view import numbers
from idg.engine.states.array_inputs import random_array_inputs
from idg.engine.states.runs import RUN_LIMITS, RunPool
from idg.sip.limits import RunLimits
from idg.sip.program import Program
from idg.sip.running.chooser import ExploringChooser
from idg.sip.running.compiler import compile_states
from idg.sip.running.runner import Row, RunStart, evaluate_rows
from idg.sip.syntax import Type
from idg.sip.trees.logic import conjoin
from idg.sip.values import Value

INPUTS_MIN = 25
"""Different inputs of the usual runs; where there are fewer, inputs that satisfy the precondition are drawn."""
STATES_MIN = 40
"""States that the usual runs reach at every loop; where there are fewer and the program makes choices, it is run with other
choices."""
DRAWS = 12_000
"""Inputs that are drawn at random. Only those that satisfy the precondition are used."""
ARRAY_DRAWS = 2_000
"""The same where there are arrays, which take longer to be drawn."""
FAR_CELLS = 30
"""The length of arrays in inputs that are larger than those of the usual runs."""
INPUTS_MAX = 60
"""Drawn inputs from which runs are made."""
CHOICE_RUNS = 60
"""Runs with other choices."""
DRAWN_BITS = (2, 3, 4, 5, 6, 7, 8, 10)
"""Bits of drawn numbers; each size is as likely as the others. Narrow preconditions are easier to meet with small numbers."""
GROWN_RUNS, GROWN_RUNS_MAX = 40, 5_000
"""Runs that are made when all rounds were played in vain, before they are played again: doubled each time, up to the most."""
GROWN_STATES_MAX = 40_000
"""States after which no further such run is made."""
FAR_SIZES = (300, 2_000, 5_000, 12_000)
"""Inputs larger than those of the usual runs, to see whether a run fails. A loop that counts up to the largest stays within
FAR_LIMITS."""
FAR_NUMBERS_MAX = 4
"""Numbers of the text, the largest ones, that are tried as inputs together with their neighbours."""
FAR_LIMITS = RunLimits(steps_max=15_000)
"""Limits of a run that is made only to see whether it fails."""
FAR_CHOICE_LIMITS = RunLimits(steps_max=2_000)
"""The same for the first of those runs in which the program chooses: a choice takes as long as many steps without one."""


class Sample:
    """What further runs found: states for each loop, and inputs from which a run fails."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.rows: list[list[tuple[Row, int]]] = [[] for _ in program.info.level.loops]
        """For each loop the states, each with the number of the run that reaches it."""
        self.failing: RunStart | None = None
        """What repeats a run that fails."""
        self.runs = 0

    def run(
        self, given: Mapping[str, Value], seed: int, assigned_params: tuple[str, ...], chooser: ExploringChooser | None = None
    ) -> None:
        """Makes a run and adds what it shows."""
        inputs = self.program.inputs(given)
        recording = self.program.recording(inputs, RUN_LIMITS, seed, chooser)
        self.runs += 1
        entry = tuple(inputs[name] for name in assigned_params)
        for table, rows in zip(self.rows, recording.tables, strict=True):
            table += ((row + entry, self.runs) for row in rows)
        if recording.outcome.kind == "failed" and self.failing is None:
            self.failing = RunStart(inputs, seed, tuple(values for _, values, _, _ in recording.noted))


def further_runs(program: Program, pool: RunPool, seed: int, is_over: Callable[[], bool]) -> Sample:
    """Makes further runs, but only where the known ones are few."""
    sample = Sample(program)
    pick = random.Random(seed)
    known = known_inputs(pool)
    states = min((len(table) for table in pool.reached.values()), default=0)
    if program.params and len(known) < INPUTS_MIN and program.level.pres:
        for inputs in fitting_inputs(program, pick):
            if not is_over():
                sample.run(inputs, pick.randrange(1000), pool.assigned_params)
    if pool.chooses and known and states < STATES_MIN:
        for number in range(CHOICE_RUNS):
            if not is_over():
                sample.run(pick.choice(known), number + 10, pool.assigned_params)
    return sample


def grown_sample(program: Program, pool: RunPool, seed: int, growth: int, is_over: Callable[[], bool]) -> Sample:
    """Runs from other inputs and with other choices: twice as many with each growth, until one fails or the time is up."""
    sample = Sample(program)
    pick = random.Random(f"{seed} grown {growth}")
    known = [*known_inputs(pool), *(fitting_inputs(program, pick) if program.params else [])]
    states = 0
    for number in range(min(GROWN_RUNS << growth, GROWN_RUNS_MAX) if known else 0):
        if is_over() or sample.failing is not None or states > GROWN_STATES_MAX:
            break
        inputs = dict(pick.choice(known))
        for name, kind in program.params.items():
            if kind is not Type.BOOL and not kind.element and pick.random() < 0.3:
                inputs[name] = _draw(kind, pick)
        sample.run(inputs, number, pool.assigned_params, ExploringChooser(pick.randrange(1 << 30)) if pool.explores else None)
        states = sum(map(len, sample.rows))
    return sample


def explored_rows(pool: RunPool, loop: int) -> list[tuple[Row, int]]:
    """States that runs with unusual choices and initial values reach at the loop, each with the number of its run."""
    run_numbers: dict[int, int] = {}
    return [(reached.row, run_numbers.setdefault(id(reached.choices), len(run_numbers))) for reached in pool.explored.get(loop, ())]


def fitting_inputs(program: Program, pick: random.Random) -> list[dict[str, Value]]:
    """Inputs that satisfy the precondition, drawn at random in all sizes."""
    if any(kind.element for kind in program.params.values()):
        rows = [tuple(inputs.values()) for inputs in random_array_inputs(program.params, ARRAY_DRAWS, pick)]
    else:
        rows = [tuple(_draw(kind, pick) for kind in program.params.values()) for _ in range(DRAWS)]
    if not program.level.pres:
        return [dict(zip(program.params, row, strict=True)) for row in rows[:INPUTS_MAX]]
    compiled = compile_states(program.info, program.params, conjoin(program.level.pres))
    holds = evaluate_rows(compiled, rows, {}, RUN_LIMITS)
    fitting = list(dict.fromkeys(row for row, value in zip(rows, holds, strict=True) if value is True))
    return [dict(zip(program.params, row, strict=True)) for row in fitting[:INPUTS_MAX]]


def _draw(kind: Type, pick: random.Random) -> Value:
    if kind is Type.BOOL:
        return pick.random() < 0.5
    number = pick.randrange(1 << pick.choice(DRAWN_BITS))
    return -number if kind is not Type.NAT and pick.random() < 0.2 else number


def all_alike(program: Program, size: int) -> dict[str, Value]:
    """Inputs in which every number is of this size and every Boolean is true, also in arrays, which have a fixed length."""
    return {name: _alike(kind, size) for name, kind in program.params.items()}


def _alike(kind: Type, size: int) -> Value:
    if kind.element is not None:
        return (kind.element is Type.BOOL or size,) * FAR_CELLS
    return kind is Type.BOOL or size


def failing_far(program: Program, pool: RunPool, seed: int, is_over: Callable[[], bool]) -> RunStart | None:
    """A run that fails: from larger inputs than usual, from numbers of the text, or with other choices and initial values."""
    near_numbers = [near for number in numbers(program)[-FAR_NUMBERS_MAX:] for near in (number - 1, number, number + 1)]
    positive = [number for number in near_numbers if number > 0]
    for size in dict.fromkeys([*FAR_SIZES, *positive]) if program.params else ():
        inputs = all_alike(program, size)
        if is_over():
            return None
        if program.run(inputs, limits=FAR_LIMITS, record=False).outcome.kind == "failed":
            return RunStart(inputs)
    chosen = failing_by_choice(program, pool, seed, FAR_CHOICE_LIMITS, is_over)
    if chosen is None and pool.explored_failure is not None:
        return pool.explored_failure.start
    return chosen


def failing_by_choice(
    program: Program, pool: RunPool, seed: int, limits: RunLimits, is_over: Callable[[], bool]
) -> RunStart | None:
    """A run that fails, among some that go further than usual and choose otherwise."""
    pick = random.Random(seed)
    known = known_inputs(pool) if pool.chooses else []
    for number in range(CHOICE_RUNS if known else 0):
        inputs = pick.choice(known)
        if is_over():
            return None
        if program.run(inputs, seed=number, limits=limits, record=False).outcome.kind == "failed":
            return RunStart(inputs, number)
    return None


def known_inputs(pool: RunPool) -> list[dict[str, Value]]:
    """The inputs of runs that reach a loop, in an order that is always the same. None are known where no run reaches one."""
    items = {tuple(reached.inputs.items()) for table in pool.reached.values() for reached in table}
    return [dict(inputs) for inputs in sorted(items, key=str)] or ([] if pool.program.params else [{}])
