"""Runs of programs that choose and come back to a state at the head of a loop, in the same execution of the loop.

What a run does after such a state depends on nothing but the state and what is chosen from then on. So a run that makes the same
choices again and again goes round for ever: they were allowed once, in the same states.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from idg.engine.inquiry import Inquiry
from idg.engine.states.inputs import input_weight, small_inputs
from idg.engine.termination.never_ending.choosing import literals
from idg.engine.termination.results import NeverEnds
from idg.sip.limits import RunLimits
from idg.sip.running.chooser import ChoiceRequest, SeededChooser
from idg.sip.running.runner import Row
from idg.sip.running.trace import Run, Trace
from idg.sip.syntax import Cassign, Type
from idg.sip.trees.traverse import statements
from idg.sip.values import Scalar, State, Value

INPUTS_MAX = 120
"""Inputs from which a run is made: those of runs that reach a loop, and small ones."""
TURNING_MAX = 24
"""Inputs from which more runs are made, because the first of them made a turn."""
SEEDS = 6
"""Runs from each of these."""
LIMITS = RunLimits(steps_max=3_000, rows_max=120)
"""How long these runs are. Those that come back to a state mostly do so soon."""
SMALL = (0, 1, -1, 2)
"""Numbers that are chosen, besides those of the program."""
LITERALS_MAX = 4
"""Numbers of the program that are chosen, the smallest first."""


def circling_run(inquiry: Inquiry) -> NeverEnds | None:
    """A run that comes back to a state, where one is found among runs that choose from few values."""
    program = inquiry.program
    info = program.info
    reached = info.calls.reached(info.focus)
    chooses = any(isinstance(part, Cassign) for name in reached for part in statements(info.functions[name].function.body))
    if not chooses or info.calls.is_recursive(info.calls.group(info.focus)):
        return None
    numbers = tuple(dict.fromkeys((*SMALL, *literals(program)[:LITERALS_MAX])))
    turning = 0
    for inputs in islice(_inputs(inquiry), INPUTS_MAX):
        for seed in range(SEEDS):
            run = program.run(inputs, limits=LIMITS, chooser=_FewValues(seed, numbers))
            if seed == 0 and all(len(trace.rows) < 2 for trace in run.level_traces):
                break
            for trace in run.level_traces:
                rows = repeated(trace)
                if rows is not None:
                    return _told(run, trace, *rows)
            turning += seed == 0
        if turning == TURNING_MAX:
            break
    return None


def repeated(trace: Trace) -> tuple[int, int] | None:
    """The indices of two rows that are the same, in one execution of the loop."""
    seen: dict[tuple[int, Row], int] = {}
    for index, row in enumerate(trace.rows):
        execution = trace.outer_rows[index] if trace.outer_rows else 0
        first = seen.setdefault((execution, row), index)
        if first != index:
            return first, index
    return None


def _inputs(inquiry: Inquiry) -> Iterator[dict[str, Value]]:
    known: dict[tuple[Value, ...], dict[str, Value]] = {}
    for table in inquiry.runs.reached.values():
        for reached in table[:TURNING_MAX]:
            known.setdefault(tuple(reached.inputs.values()), dict(reached.inputs))
    for inputs in sorted(small_inputs(inquiry.program.params), key=input_weight):
        known.setdefault(tuple(inputs.values()), dict(inputs))
    yield from sorted(known.values(), key=input_weight)


def _told(run: Run, trace: Trace, row: int, again: int) -> NeverEnds:
    state = dict(zip(trace.columns, trace.rows[row], strict=True))
    choices = run.choices_before(trace.loop, again)
    before = len(run.choices_before(trace.loop, row))
    return NeverEnds(trace.loop, run.inputs, row, state, again, choices=choices, repeats=len(choices) - before)


class _FewValues(SeededChooser):
    """Chooses from few values, so that runs come back to states. Where none of them is allowed, it goes on as usual."""

    def __init__(self, seed: int, numbers: tuple[int, ...]) -> None:
        super().__init__(seed)
        self.numbers = numbers

    def __call__(self, request: ChoiceRequest) -> tuple[Scalar, ...] | None:
        values = list(self._few(request.types))
        if self._complete(values, request) and request.holds(tuple(values)):
            return tuple(values)
        return super().__call__(request)

    def anything(self, names: tuple[str, ...], types: tuple[Type, ...], state: State) -> tuple[Scalar, ...]:
        return self._few(types)

    def _few(self, types: tuple[Type, ...]) -> tuple[Scalar, ...]:
        return tuple(self._one(kind) for kind in types)

    def _one(self, kind: Type) -> Scalar:
        if kind is Type.BOOL:
            return self.random.random() < 0.5
        value = self.random.choice(self.numbers)
        return abs(value) if kind is Type.NAT else value
