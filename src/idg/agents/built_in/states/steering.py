"""Runs that are steered: towards branches that no run has taken, towards the guarantee's borders, or towards a state.

Few runs reach a branch such as `if (d = 1500)`, because inputs and choices must fit for long. So the agent measures how near a run
comes to it, keeps the inputs and the choices that lead to the nearest state, and goes on from there in other ways. Nothing of this
is trusted: a run that fails is repeated before it counts.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction

from idg.agents.built_in.states.loop_view import LoopView
from idg.agents.built_in.states.sampling import all_alike
from idg.agents.built_in.states.turns import other_cells
from idg.sip.errors import SipError
from idg.sip.limits import RunLimits
from idg.sip.program import Program
from idg.sip.record import Record
from idg.sip.running.chooser import ContinuingChooser
from idg.sip.running.compiler import Compiled, compile_states
from idg.sip.running.runner import Choices, RunStart, Undefined, evaluate_rows
from idg.sip.syntax import Binary, Compare, Expr, Type
from idg.sip.text.printer import print_expression
from idg.sip.trees.entry import inputs_told
from idg.sip.trees.traverse import names
from idg.sip.values import Scalar, Value, cells, format_value, scalar

AIMS_MAX = 6
"""Aims of one search. Each costs as many runs as STEERED_RUNS says."""
STEERED_RUNS = 120
"""Runs towards one aim."""
RUNS_PER_FUEL = 2
"""Steered runs that take about as long as a unit of fuel."""
STALE_RUNS = 25
"""Runs towards one aim that come no nearer, after which the search starts elsewhere."""
STEERING_LIMITS = RunLimits(steps_max=12_000, rows_max=6_000, choice_tries_max=200)
"""Limits of such a run: four times as many turns as the usual runs have, because the usual ones did not get there."""
KEPT_CHOICES = 0.7
"""The probability that a run begins with the choices that led to the nearest state."""
OTHER_INPUTS = 0.4
"""The probability that a run has other inputs than the nearest one."""
FIRST_SIZES = (3, 10, 40, 200, 1_000, 3_000)
"""Sizes of the inputs from which a search starts."""


class Aim(Record):
    """What a run should come near to: a state at the loop in which a term has a certain sign."""

    view: LoopView
    term: Compiled
    sign: int
    """1, -1 or 0."""
    inputs: Mapping[str, Value] | None = None
    """The inputs that every run has; None where any will do."""

    def distance(self, value: Scalar | Undefined) -> int | Fraction | None:
        """How far a value of the term is from the sign; None where it has none."""
        if isinstance(value, Undefined):
            return None
        if self.sign == 0:
            return value if value >= 0 else -value
        below = 1 - self.sign * value
        return below if below > 0 else 0


def unseen(view: LoopView, comparisons: Sequence[Compare]) -> Iterator[Aim]:
    """Aims for comparisons of the text: signs of the difference of their sides that no state has shown. Equations come first."""
    single = [comparison for comparison in dict.fromkeys(comparisons) if len(comparison.ops) == 1 and view.can_say(comparison)]
    numeric = [comparison for comparison in single if _is_numeric(view, comparison) and names(comparison) & view.changing]
    numeric.sort(key=lambda comparison: comparison.ops[0] not in ("=", "!="))
    terms: list[Expr] = [Binary("-", comparison.operands[0], comparison.operands[1]) for comparison in numeric]
    for comparison, term, values in zip(numeric, terms, view.values(terms, view.rows), strict=True):
        shown = {(value > 0) - (value < 0) for value in values if isinstance(value, int | Fraction)}
        wanted = (0,) if comparison.ops[0] in ("=", "!=") else (1, -1, 0)
        yield from (Aim(view, _compiled(view, term), sign) for sign in wanted if sign not in shown)


def towards(view: LoopView, state: Mapping[str, Value], program: Program) -> Aim | None:
    """The aim to reach a state at the loop, from the inputs that the state tells."""
    inputs = inputs_told(state, program.params)
    numbers = [name for name in view.loop.columns if view.types[name] is not Type.BOOL and name not in view.arrays]
    columns = [name for name in numbers if name in view.changing and name in state]
    if len(inputs) < len(program.params) or not columns:
        return None
    text = " + ".join(f"abs({name} - ({format_value(state[name])}))" for name in columns)
    return Aim(view, _compiled(view, program.expression(text, view.number)[0]), 0, inputs)


def _is_numeric(view: LoopView, comparison: Compare) -> bool:
    try:
        kinds = [view.program.expression(print_expression(side), view.number)[1] for side in comparison.operands]
    except SipError:
        return False
    return all(kind is not Type.BOOL for kind in kinds)


def _compiled(view: LoopView, term: Expr) -> Compiled:
    variables = {name: view.types[name] for name in view.loop.columns}
    return compile_states(view.program.info, variables, term, view.assigned_params)


def failing_run(
    program: Program, aim: Aim, known: Sequence[Mapping[str, Value]], seed: int, runs: int, is_over: Callable[[], bool]
) -> RunStart | None:
    """A run that fails, among runs that come nearer and nearer to the aim. `known` are inputs that meet the precondition."""
    search = _Search(program, aim, known, seed)
    for number in range(runs):
        if is_over():
            return None
        failing = search.step(number)
        if failing is not None:
            return failing
    return None


class _Search:
    def __init__(self, program: Program, aim: Aim, known: Sequence[Mapping[str, Value]], seed: int) -> None:
        self.program = program.checking_claims
        self.aim = aim
        self.pick = random.Random(seed)
        self.known = known
        self.chooses = program.level.name in program.info.choosing
        self.place = [loop.number for loop in program.info.level.loops].index(aim.view.number)
        self._has_arrays = any(kind.element for kind in program.params.values())
        self.inputs: Mapping[str, Value] = self._first_inputs(0)
        self.choices: Choices = ()
        """What the run to the nearest state chose before it got there."""
        self.nearest: int | Fraction | None = None
        self.stale = 0

    def step(self, number: int) -> RunStart | None:
        """Makes one run and keeps how it begins where it comes nearer. What repeats it, where it fails."""
        if self.stale > STALE_RUNS:
            self.inputs, self.choices, self.nearest, self.stale = self._first_inputs(number), (), None, 0
        inputs = self.inputs
        if self.aim.inputs is None and self.pick.random() < OTHER_INPUTS:
            inputs = self._changed(inputs)
        script = self.choices if self.pick.random() < KEPT_CHOICES else self.choices[: self.pick.randrange(len(self.choices) + 1)]
        recording = self.program.recording(inputs, STEERING_LIMITS, chooser=ContinuingChooser(script, self.pick.randrange(1 << 30)))
        if recording.outcome.kind == "failed":
            return RunStart(inputs, 0, tuple(values for _, values, _, _ in recording.noted), claims=True)
        entry = tuple(inputs[name] for name in self.aim.view.assigned_params)
        rows = [row + entry for row in recording.tables[self.place]]
        distances = map(self.aim.distance, evaluate_rows(self.aim.term, rows, {}, STEERING_LIMITS))
        near = min(((distance, row) for row, distance in enumerate(distances) if distance is not None), default=None)
        self.stale += 1
        if near is not None and (self.nearest is None or near[0] <= self.nearest):
            self.stale = self.stale if near[0] == self.nearest else 0
            self.nearest, self.inputs = near[0], inputs
            self.choices = tuple(values for _, values, counts, _ in recording.noted if counts[self.place] <= near[1])
        return None

    def _first_inputs(self, number: int) -> Mapping[str, Value]:
        if self.aim.inputs is not None:
            return self.aim.inputs
        if self.known and self.pick.random() < 0.5:
            return self.pick.choice(self.known)
        size = FIRST_SIZES[number % len(FIRST_SIZES)] if number else FIRST_SIZES[-1]
        return (
            all_alike(self.program, self.pick.randint(size // 2, size))
            if self._has_arrays
            else {name: kind is Type.BOOL or self.pick.randint(size // 2, size) for name, kind in self.program.params.items()}
        )

    def _changed(self, inputs: Mapping[str, Value]) -> dict[str, Value]:
        """The inputs with one of them changed, by a little or by a lot."""
        changed = dict(inputs)
        if not changed:
            return changed
        name = self.pick.choice(list(changed))
        element = self.program.params[name].element
        if element is not None:
            changed[name] = other_cells(cells(changed[name]), element, self.pick)
            return changed
        value, kind = scalar(changed[name]), self.program.params[name]
        if kind is Type.BOOL or isinstance(value, bool):
            changed[name] = not value
            return changed
        others = [other for other in inputs.values() if not isinstance(other, bool | tuple)]
        shift = self.pick.choice((1, -1, 2, -2, 5, -5, 20, -20))
        ways = (value + shift, value + shift, 2 * value, value // 2, self.pick.choice(others) + self.pick.choice((-1, 0, 1)))
        other = self.pick.choice(ways)
        other = max(0, other) if kind is Type.NAT else other
        return self.program.inputs({**changed, name: other}) if kind is Type.RAT else {**changed, name: int(other)}
