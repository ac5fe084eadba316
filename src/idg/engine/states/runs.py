"""Refutes proposals by runs: a function has one seeded set of runs, which all proposals about its loops share."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import cached_property

from idg.engine.results import Refutation
from idg.engine.states.inputs import FIRST_LIMITS, first_inputs, input_weight, inputs_near, random_inputs, small_inputs
from idg.engine.states.narrow import are_narrow, solved_inputs
from idg.prover.check import failing, fails
from idg.prover.prove import Prover
from idg.sip.limits import RunLimits
from idg.sip.program import Program
from idg.sip.record import Record, replace
from idg.sip.running.chooser import ExploringChooser
from idg.sip.running.compiler import Compiled, compile_states
from idg.sip.running.runner import Choices, Chosen, Outcome, Recording, Row, RunStart, Undefined, evaluate_rows
from idg.sip.running.trace import Run
from idg.sip.syntax import Expr, Number, Type
from idg.sip.trees.entry import entry_column, inputs_told
from idg.sip.trees.traverse import expressions, undetermined
from idg.sip.values import InputError, Scalar, Value, scalar

RUN_LIMITS = RunLimits(steps_max=1_500, rows_max=1_500, choice_tries_max=2_000)
"""The limits of each run of the set."""
EARLY_RUNS = 30
"""Runs that are made before anything is called solved."""
CHOICE_SEEDS = 6
"""Runs from the same inputs, with different seeds, where the program makes choices."""
ROWS_GATHERED_MAX = 100_000
"""Rows of all runs together. When there are more, no further run is made; this matters for programs whose runs do not end."""
EXPLORING_RUNS = 120
"""Runs with unusual choices and initial values, for programs in which runs from the same inputs may differ."""
EXPLORING_LIMITS = RunLimits(steps_max=1_000, rows_max=1_000, choice_tries_max=300)
"""The limits of each of these. They also bound the choices that have to be told to repeat the run."""
CHOICE_ROWS_GATHERED_MAX = 15_000
"""The same where the program makes choices. There are fewer, because a choice takes as long as twenty plain rows."""
STATES_MAX = 3_000
"""States that are kept for each loop."""
EARLY_STATES_MAX = 2_200
"""The number of these that are the states reached in the fewest turns. The others are taken evenly from the rest."""
CHUNKS = (40, 400, STATES_MAX)
"""Numbers of states after which the evaluation pauses to look for a false one, because a wrong guess mostly fails early."""
LITERALS_MAX = 6
"""Numbers in an expression, the smallest above 2, near which inputs are chosen."""
SHRUNK_WEIGHT = 12
"""The weight of inputs (see `input_weight`) up to which no smaller ones are searched for, because these are readable enough."""
LITERAL_LIMITS = RunLimits(steps_max=20_000, rows_max=20_000, choice_tries_max=2_000)
"""The limits of single runs that are made because of one expression or one state. They may be longer because they are few."""


class RunsStopped(Exception):
    """The caller wanted to stop before all runs were made. Nothing of them is kept."""


class ReachedState(Record):
    """A state at a loop's head, and how a run gets there."""

    row: Row
    """The columns, then the entry values of assigned parameters."""
    inputs: Mapping[str, Value]
    seed: int
    index: int
    """The index of the row in the loop's trace."""
    choices: Choices = ()


class FailedRun(Record):
    """A run that fails an obligation, and how it fails."""

    inputs: Mapping[str, Value]
    seed: int
    outcome: Outcome
    choices: tuple[Chosen, ...]

    @property
    def start(self) -> RunStart:
        """What repeats the run."""
        choices = tuple(chosen.values for chosen in self.choices)
        return RunStart(self.inputs, self.seed, choices, claims=True)


def _failed(run: Run) -> FailedRun:
    return FailedRun(run.inputs, run.seed, run.outcome, run.choices)


Way = tuple[int, int, Mapping[str, Value], int, Choices]
"""How a run reaches a state: after how many turns, the weight of its inputs, the inputs, the seed and the choices."""
Ranked = dict[Row, Way]
"""State → how a run reaches it; of several ways the one with the fewest turns, then the one with the smallest inputs."""


def _rank(entry: tuple[Row, Way]) -> tuple[int, int]:
    return entry[1][:2]


CALLS_MAX = 60
"""Calls of a helper in the level's runs whose arguments are also inputs of the helper's own runs."""


class RunPool:
    """The runs of a program's level, or of a helper alone. They are made when they are first needed, and then kept.

    A helper's inputs are its arguments, all that its pres allow, whoever passes them.
    """

    def __init__(self, program: Program, caller: RunPool | None = None, prover: Prover | None = None) -> None:
        """`caller`: for a helper alone, the runs of the level, whose calls of the helper are among its inputs.

        `prover`: who is asked for inputs where the precondition is narrow.
        """
        self.program = program
        self.prover = prover
        self.checked = program.checking_claims
        """The program whose runs check claims, too. What is false at a claim breaks the program's promise."""
        self.caller = caller
        self.helper = "" if caller is None else program.level.name
        """The helper that is run alone; empty for the level."""
        self.assigned_params = program.info.level.assigned_params
        self.chooses = program.level.name in program.info.choosing
        self.explores = self.chooses or bool(undetermined(program.level))
        """Whether runs from the same inputs may differ, by choices or by the initial values of variables."""

    @property
    def are_made(self) -> bool:
        """Whether the runs of the set were made before."""
        return "_gathered" in self.__dict__

    @cached_property
    def failures(self) -> tuple[FailedRun, ...]:
        """The runs that fail an obligation, smallest inputs first."""
        return tuple(sorted(self._gathered[1], key=lambda failure: input_weight(failure.inputs)))

    @cached_property
    def early_failure(self) -> FailedRun | None:
        """The first of a few runs that fails an obligation. It is known quickly, and does not depend on what was asked before."""
        for inputs, seed in itertools.islice(self._inputs(), EARLY_RUNS):
            run = self.checked.run(inputs, limits=FIRST_LIMITS, seed=seed, record=False)
            if run.outcome.kind == "failed":
                return _failed(self.checked.run(inputs, limits=FIRST_LIMITS, seed=seed))
        return None

    @cached_property
    def _first_run(self) -> Run:
        """The run whose table is shown first."""
        inputs = self.program.first_inputs if self.program.first_inputs is not None else first_inputs(self.program)
        return self.program.run(inputs, limits=LITERAL_LIMITS)

    def first_rows(self, loop: int) -> list[Row]:
        """The rows of the table that is shown first: the columns, then the entry values of assigned parameters."""
        run = self._first_run
        entry_values = tuple(run.inputs[name] for name in self.assigned_params)
        return [row + entry_values for trace in run.level_traces if trace.loop == loop for row in trace.rows]

    @cached_property
    def reached(self) -> dict[int, tuple[ReachedState, ...]]:
        """For each loop, by its number, the states that runs reached, each once: fewest turns first, then smallest inputs."""
        return self._ordered(self._gathered[0])

    @property
    def were_made(self) -> bool:
        """Whether the states that runs reach are known already."""
        return "reached" in self.__dict__

    def _ordered(self, tables: dict[int, Ranked]) -> dict[int, tuple[ReachedState, ...]]:
        ordered: dict[int, tuple[ReachedState, ...]] = {}
        for loop, table in tables.items():
            ranked = sorted(table.items(), key=_rank)
            early, late = ranked[:EARLY_STATES_MAX], ranked[EARLY_STATES_MAX:]
            every = max(1, -(-len(late) // (STATES_MAX - EARLY_STATES_MAX)))
            ordered[loop] = tuple(
                ReachedState(row, inputs, seed, index, choices)
                for row, (index, _, inputs, seed, choices) in (*early, *late[::every])
            )
        return ordered

    @cached_property
    def _gathered(self) -> tuple[dict[int, Ranked], list[FailedRun], dict[str, list[dict[str, Value]]]]:
        """Makes all runs: the states that they reach at each loop, the runs that fail, and their calls of helpers with loops."""
        tables = self._no_states()
        failures: list[FailedRun] = []
        calls: dict[str, list[dict[str, Value]]] = {name: [] for name, info in self.program.info.functions.items() if info.loops}
        rows = 0
        rows_max = CHOICE_ROWS_GATHERED_MAX if self.chooses else ROWS_GATHERED_MAX
        for inputs, seed in self._inputs():
            self._go_on()
            recording = self.program.recording(inputs, RUN_LIMITS, seed)
            self._gather(recording, inputs, seed, (), tables)
            # A run that passes over a claim shows more states than one that fails there.
            ended = recording if self.checked is self.program else self.checked.recording(inputs, RUN_LIMITS, seed)
            if ended.outcome.kind == "failed":
                failures.append(FailedRun(inputs, seed, ended.outcome, ended.choices))
            if calls:
                run = self.program.told(inputs, RUN_LIMITS, seed, recording)
                for function, known in calls.items():
                    known += (given for given in run.calls(function) if len(known) < CALLS_MAX and given not in known)
            rows += sum(map(len, recording.tables))
            if rows > rows_max:
                break
        return tables, failures, calls

    def _go_on(self) -> None:
        """Raises RunsStopped where the prover is to stop: an incomplete set of runs must not be taken for the set."""
        if self.prover is not None and self.prover.should_stop():
            raise RunsStopped

    def _no_states(self) -> dict[int, Ranked]:
        return {loop.number: {} for loop in self.program.info.level.loops}

    @cached_property
    def _explored(self) -> tuple[dict[int, tuple[ReachedState, ...]], list[FailedRun]]:
        """Makes runs that start variables with any values and choose as few runs do: what they reach, and those that fail."""
        tables = self._no_states()
        failures: list[FailedRun] = []
        params = self.program.params
        pick = random.Random(1)
        known = self._solved or [*small_inputs(params), *random_inputs(params, pick)]
        rows = 0
        for seed in range(EXPLORING_RUNS if self.explores else 0):
            self._go_on()
            inputs = self.program.inputs(pick.choice(known))
            recording = self.program.recording(inputs, EXPLORING_LIMITS, chooser=ExploringChooser(seed))
            self._gather(recording, inputs, 0, tuple(values for _, values, _, _ in recording.noted), tables)
            if recording.outcome.kind == "failed":
                failures.append(FailedRun(inputs, 0, recording.outcome, recording.choices))
            rows += sum(map(len, recording.tables))
            if rows > CHOICE_ROWS_GATHERED_MAX:
                break
        return self._ordered(tables), sorted(failures, key=lambda failure: len(failure.choices))

    @property
    def explored(self) -> dict[int, tuple[ReachedState, ...]]:
        """For each loop, by its number, the states that exploring runs reach."""
        return self._explored[0]

    @property
    def explored_failure(self) -> FailedRun | None:
        """The exploring run with the fewest choices that fails an obligation."""
        return next(iter(self._explored[1]), None)

    def _gather(
        self, recording: Recording, inputs: Mapping[str, Value], seed: int, choices: Choices, tables: dict[int, Ranked]
    ) -> None:
        """Adds the states that a run reaches."""
        entry_values = tuple(inputs[name] for name in self.assigned_params)
        weight = input_weight(inputs)
        for loop, rows in zip(self.program.info.level.loops, recording.tables, strict=True):
            table = tables[loop.number]
            for index, row in enumerate(rows):
                key = row + entry_values
                known = table.get(key)
                if known is None or index < known[0] or (index == known[0] and weight < known[1]):
                    table[key] = (index, weight, inputs, seed, choices)

    def failing_from(self, loop: int, state: Row) -> FailedRun | None:
        """The run from the inputs that the state itself tells, where it reaches the state and fails an obligation."""
        for run in self._from(loop, state):
            if run.outcome.kind == "failed" and _reaches(run, loop, state):
                return _failed(run)
        return None

    def reaches(self, loop: int, state: Row) -> bool:
        """Whether a run from the inputs that the state itself tells reaches the state."""
        return any(_reaches(run, loop, state) for run in self._from(loop, state))

    def _from(self, loop: int, state: Row) -> Iterator[Run]:
        """The runs from the inputs that a state at the loop tells."""
        columns = (*self.program.loops[loop - 1].columns, *map(entry_column, self.assigned_params))
        inputs = inputs_told(dict(zip(columns, state, strict=True)), self.program.params)
        for seed in range(CHOICE_SEEDS if self.chooses else 1):
            yield self.checked.run(inputs, limits=LITERAL_LIMITS, seed=seed)

    def failing_with(self, inputs: Mapping[str, Value], choices: Choices) -> FailedRun | None:
        """The run from these inputs, with these first choices, where it fails an obligation."""
        try:
            run = self.checked.run(inputs, limits=LITERAL_LIMITS, choices=choices)
        except InputError:
            return None  # The choices do not fit this run.
        return _failed(run) if run.outcome.kind == "failed" else None

    def _inputs(self) -> Iterator[tuple[dict[str, Value], int]]:
        params = self.program.params
        seeds = range(CHOICE_SEEDS) if self.chooses else range(1)
        calls = [] if self.caller is None else self.caller._gathered[2].get(self.program.level.name, [])
        for given in itertools.chain(self._solved, small_inputs(params), random_inputs(params, random.Random(0)), calls):
            inputs = self.program.inputs(given)
            for seed in seeds:
                yield inputs, seed

    @cached_property
    def _solved(self) -> list[dict[str, Value]]:
        """Inputs from the prover, where hardly any of the usual ones satisfies the precondition."""
        params = self.program.params
        if self.prover is None or not params or not self.program.level.pres:
            return []
        if not are_narrow(self.program, [*small_inputs(params), *random_inputs(params, random.Random(0))]):
            return []
        return solved_inputs(self.program, self.prover)

    @cached_property
    def states(self) -> dict[int, frozenset[Row]]:
        """For each loop the states that are kept: the columns, then the entry values of assigned parameters."""
        return {loop: frozenset(reached.row for reached in table) for loop, table in self.reached.items()}

    def refute(self, loop: int, expr: Expr) -> Refutation | None:
        """The shortest known run that reaches the loop with the expression false."""
        return self._refuted_by(self.reached[loop], loop, expr)

    def refute_by_exploring(self, loop: int, expr: Expr) -> Refutation | None:
        """A run that reaches the loop with the expression false, with initial values and choices that few runs have."""
        return self._refuted_by(self._explored[0][loop], loop, expr)

    def _refuted_by(self, table: tuple[ReachedState, ...], loop: int, expr: Expr) -> Refutation | None:
        compiled = self.compiled(loop, expr)
        start = 0
        for end in CHUNKS:
            rows = [reached.row for reached in table[start:end]]
            values = evaluate_rows(compiled, rows, {}, RUN_LIMITS)
            first = next(failing(values), None)
            if first is not None:
                return self._refutation(loop, expr, table[start + first])
            start = end
        return None

    def refute_by_literals(self, loop: int, expr: Expr) -> Refutation | None:
        """A run that reaches the loop with the expression false, from inputs near the numbers in the expression."""
        values = {Fraction(part.value) for part in expressions(expr) if isinstance(part, Number)}
        literals = sorted(value for value in values if value > 2)
        table: Ranked = {}
        for inputs in inputs_near(self.program.params, literals[:LITERALS_MAX]):
            run = self.program.run(inputs, limits=LITERAL_LIMITS)
            entry_values = tuple(inputs[param] for param in self.assigned_params)
            rows = [row + entry_values for row in run.of(loop).rows]
            truths = evaluate_rows(self.compiled(loop, expr), rows, {}, RUN_LIMITS)
            first = next(failing(truths), None)
            if first is not None:
                table[rows[first]] = (first, input_weight(inputs), inputs, 0, ())
        if not table:
            return None
        row, (index, _, nearest, seed, _) = min(table.items(), key=_rank)
        return self._refutation(loop, expr, ReachedState(row, nearest, seed, index))

    def confirm(self, loop: int, expr: Expr, inputs: Mapping[str, Value], choices: Choices = ()) -> Refutation | None:
        """A run from these inputs, with these first choices, where one reaches the loop with the expression false."""
        for seed in range(CHOICE_SEEDS if self.chooses else 1):
            reached = self._first_failing(loop, expr, ReachedState((), dict(inputs), seed, 0, choices), LITERAL_LIMITS)
            if reached is not None:
                return self._refutation(loop, expr, reached)
        return None

    def _first_failing(self, loop: int, expr: Expr, plan: ReachedState, limits: RunLimits) -> ReachedState | None:
        """The first row in which the expression fails, in a run from the plan's inputs and choices; None where there is none."""
        try:
            run = self.program.run(plan.inputs, limits=limits, seed=plan.seed, choices=plan.choices)
        except InputError:
            # The choices were those of another run, and they do not fit this one.
            return None
        values = run.of(loop).values(expr)
        first = next(failing(values), None)
        return None if first is None else replace(plan, index=first)

    def kinds(self, loop: int) -> tuple[Type, ...]:
        """The types of the values in the row of a reached state."""
        level = self.program.info.level
        return tuple(level.variables[name] for name in (*self.program.loops[loop - 1].columns, *self.assigned_params))

    def compiled(self, loop: int, expr: Expr) -> Compiled:
        """The expression as code over reached rows."""
        level = self.program.info.level
        variables = {name: level.variables[name] for name in self.program.loops[loop - 1].columns}
        return compile_states(self.program.info, variables, expr, self.assigned_params)

    def truths(self, loop: int, expr: Expr, rows: list[Row]) -> list[Scalar | Undefined]:
        """The values of the expression in states at the loop: the columns, then the entry values of assigned parameters."""
        return evaluate_rows(self.compiled(loop, expr), rows, {}, RUN_LIMITS)

    def _refutation(self, loop: int, expr: Expr, reached: ReachedState) -> Refutation:
        """Runs the program again, from smaller inputs where these refute as well. Only what this run shows is believed."""
        reached = self._shrunk(loop, expr, reached)
        run = self.program.run(reached.inputs, limits=LITERAL_LIMITS, seed=reached.seed, choices=reached.choices)
        trace = run.of(loop)
        rows = trace.rows[: reached.index + 1]
        trace.rows = rows
        value = trace.values(expr)[-1]
        assert fails(value), "a refuting run does not refute when it is run again"
        choices = run.choices_before(loop, reached.index)
        return Refutation(reached.inputs, reached.seed, reached.index, tuple(rows), trace.columns, choices, self.helper)

    def _shrunk(self, loop: int, expr: Expr, reached: ReachedState) -> ReachedState:
        """The same from smaller inputs, where the expression fails in the same row or an earlier one."""
        if input_weight(reached.inputs) <= SHRUNK_WEIGHT:
            return reached
        for name, value in reached.inputs.items():
            step = 0 if isinstance(value, bool) or not isinstance(value, int) else 1 << max(0, abs(value).bit_length() - 1)
            while step:
                now = int(scalar(reached.inputs[name]))
                smaller = now - step if now > 0 else now + step
                if 0 <= smaller < now or now < smaller <= 0:
                    plan = replace(reached, row=(), inputs={**reached.inputs, name: smaller})
                    limits = RunLimits(steps_max=reached.index + 500, rows_max=reached.index + 500)
                    smaller_reached = self._first_failing(loop, expr, plan, limits)
                    if smaller_reached is not None and smaller_reached.index <= reached.index:
                        reached = smaller_reached
                        continue
                step //= 2
        return reached


def _reaches(run: Run, loop: int, state: Row) -> bool:
    trace = run.of(loop)
    return state[: len(trace.columns)] in trace.rows
