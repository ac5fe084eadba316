"""Refuting by runs: a seeded set of runs of a program, shared by all its proposals."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from functools import cached_property

from idg.engine.results import Refutation
from idg.prover.check import fails
from idg.sip.entry import entry_column, inputs_told
from idg.sip.limits import RunLimits
from idg.sip.program import Program
from idg.sip.record import Record
from idg.sip.running.compiler import Compiled, compile_states
from idg.sip.running.runner import Outcome, Row, evaluate_rows
from idg.sip.syntax import Expr, Number, Type
from idg.sip.traverse import expressions
from idg.sip.values import Value

RUN_LIMITS = RunLimits(steps_max=1_500, rows_max=1_500, choice_tries_max=2_000)
SMALL_RUNS_MAX = 150
"""Runs from small inputs, all of them where that is so few."""
RANDOM_RUNS = 60
EARLY_RUNS = 30
"""Runs that are made before anything is called solved."""
CHOICE_SEEDS = 6
"""Runs from the same inputs where the program makes choices."""
ROWS_GATHERED_MAX = 100_000
"""Rows of all runs together, for programs whose runs do not end."""
CHOICE_ROWS_GATHERED_MAX = 15_000
"""The same where the program makes choices: a choice takes as long as twenty plain rows."""
STATES_MAX = 3_000
"""States kept for a loop."""
EARLY_STATES_MAX = 2_200
"""Of them, those reached in the fewest turns; the others are taken evenly from the rest."""
CHUNKS = (40, 400, STATES_MAX)
"""A wrong guess mostly fails early: the states are tried in growing portions."""
LITERALS_MAX = 6
LITERAL_INPUT_MAX = 10**12
LARGE = (2_500, 10_000, 10**6)
"""One run each: few programs have their first surprise later."""
SHRUNK_WEIGHT = 12
"""Smaller inputs than these are not worth the search."""
LITERAL_LIMITS = RunLimits(steps_max=20_000, rows_max=20_000, choice_tries_max=2_000)
FIRST_ROWS_MIN, FIRST_ROWS_MAX = 5, 12
"""Of a trace that is shown first."""
FIRST_LIMITS = RunLimits(steps_max=2_000, rows_max=500, choice_tries_max=500)
FIRST_TRIED_MAX = 300
SPARSE = (8, 15, 16, 17, 24, 25, 26, 31, 32, 48, 49, 50, 64, 81, 99, 100, 101, 255, 256, 1000, 1023, 1024)


class Reached(Record):
    """A state at a loop head and how a run gets there."""

    row: Row
    """The columns, then the entry values of assigned parameters."""
    inputs: Mapping[str, Value]
    seed: int
    at: int


Ranked = dict[Row, tuple[tuple[int, int], Reached]]
"""States with how early and from how small inputs they are reached, the best way only."""


class RunPool:
    def __init__(self, program: Program) -> None:
        self.program = program
        self.assigned_params = program.info.level.assigned_params
        self.chooses = program.level.name in program.info.choosing

    @cached_property
    def failures(self) -> tuple[tuple[Mapping[str, Value], int, Outcome], ...]:
        """Inputs and seeds of runs that fail an obligation, smallest inputs first, with how they fail."""
        return tuple(sorted(self._gathered[1], key=lambda each: input_weight(each[0])))

    @cached_property
    def early_failure(self) -> tuple[Mapping[str, Value], int, Outcome] | None:
        """Of the first few runs one that fails: quick to know, and the same whatever was asked before."""
        for inputs, seed in itertools.islice(self._inputs(), EARLY_RUNS):
            run = self.program.run(inputs, limits=FIRST_LIMITS, seed=seed, record=False)
            if run.outcome.kind == "failed":
                return inputs, seed, run.outcome
        return None

    @cached_property
    def reached(self) -> tuple[tuple[Reached, ...], ...]:
        """For each loop the states that runs reached, fewest turns first, then smallest inputs; each state once."""
        ordered = []
        for table in self._gathered[0]:
            ranked = [each for _, each in sorted(table.values(), key=lambda each: each[0])]
            early, late = ranked[:EARLY_STATES_MAX], ranked[EARLY_STATES_MAX:]
            every = max(1, -(-len(late) // (STATES_MAX - EARLY_STATES_MAX)))
            ordered.append((*early, *late[::every]))
        return tuple(ordered)

    @cached_property
    def _gathered(self) -> tuple[list[Ranked], list[tuple[Mapping[str, Value], int, Outcome]]]:
        """All the runs, once: the states they reach at each loop, and those that fail."""
        found: list[Ranked] = [{} for _ in self.program.loops]
        failures: list[tuple[Mapping[str, Value], int, Outcome]] = []
        rows = 0
        rows_max = CHOICE_ROWS_GATHERED_MAX if self.chooses else ROWS_GATHERED_MAX
        for inputs, seed in self._inputs():
            outcome, more = self._gather(inputs, seed, found)
            if outcome.kind == "failed":
                failures.append((inputs, seed, outcome))
            rows += more
            if rows > rows_max:
                break
        return found, failures

    def _gather(self, inputs: dict[str, Value], seed: int, found: list[Ranked]) -> tuple[Outcome, int]:
        run = self.program.run(inputs, limits=RUN_LIMITS, seed=seed)
        entry_values = tuple(inputs[name] for name in self.assigned_params)
        weight = input_weight(inputs)
        for table, trace in zip(found, run.traces, strict=True):
            for at, row in enumerate(trace.rows):
                key, rank = row + entry_values, (at, weight)
                if key not in table or table[key][0] > rank:
                    table[key] = (rank, Reached(key, inputs, seed, at))
        return run.outcome, sum(map(len, run.traces))

    def failing_from(self, loop: int, state: Row) -> tuple[Mapping[str, Value], int, Outcome] | None:
        """Whether the run from the inputs that the state itself tells reaches it and then fails an obligation."""
        columns = self.program.loops[loop - 1].columns
        told = dict(zip((*columns, *map(entry_column, self.assigned_params)), state, strict=True))
        inputs = inputs_told(told, self.program.params)
        for seed in range(CHOICE_SEEDS if self.chooses else 1):
            run = self.program.run(inputs, limits=LITERAL_LIMITS, seed=seed)
            if run.outcome.kind == "failed" and state[: len(columns)] in run.of(loop).rows:
                return inputs, seed, run.outcome
        return None

    def _inputs(self) -> Iterator[tuple[dict[str, Value], int]]:
        params = self.program.params
        seeds = range(CHOICE_SEEDS) if self.chooses else range(1)
        pick = random.Random(0)
        for inputs in itertools.chain(small_inputs(params), random_inputs(params, pick)):
            for seed in seeds:
                yield inputs, seed

    @cached_property
    def states(self) -> tuple[frozenset[Row], ...]:
        """For each loop all states reached: the columns, then the entry values of assigned parameters."""
        return tuple(frozenset(each.row for each in table) for table in self.reached)

    def refute(self, loop: int, expr: Expr) -> Refutation | None:
        """The shortest known run that reaches the loop with the expression false."""
        table = self.reached[loop - 1]
        compiled = self.compiled(loop, expr)
        start = 0
        for end in CHUNKS:
            rows = [each.row for each in table[start:end]]
            values = evaluate_rows(compiled, rows, {}, RUN_LIMITS)
            failing = next((at for at, value in enumerate(values) if fails(value)), None)
            if failing is not None:
                return self._refutation(loop, expr, table[start + failing])
            start = end
        return None

    def refute_by_literals(self, loop: int, expr: Expr) -> Refutation | None:
        """Runs from inputs near the numbers that the expression itself mentions."""
        values = {Fraction(each.value) for each in expressions(expr) if isinstance(each, Number)}
        literals = sorted(value for value in values if value > 2)
        tables: list[Ranked] = [{} for _ in self.program.loops]
        numeric = [name for name, kind in self.program.params.items() if kind is not Type.BOOL]
        for literal, name, other in itertools.product(literals[:LITERALS_MAX], numeric, (1, 2)):
            for near in (literal, literal + 1, literal - 1, literal**2, (literal + 1) ** 2):
                if near > LITERAL_INPUT_MAX:
                    continue
                inputs: dict[str, Value] = {each: _fitting(other, kind) for each, kind in self.program.params.items()}
                inputs[name] = _fitting(near, self.program.params[name])
                run = self.program.run(inputs, limits=LITERAL_LIMITS)
                entry_values = tuple(inputs[param] for param in self.assigned_params)
                rows = [row + entry_values for row in run.of(loop).rows]
                truths = evaluate_rows(self.compiled(loop, expr), rows, {}, RUN_LIMITS)
                failing = next((at for at, value in enumerate(truths) if fails(value)), None)
                if failing is not None:
                    weight = (failing, input_weight(inputs))
                    tables[loop - 1][rows[failing]] = (weight, Reached(rows[failing], inputs, 0, failing))
        if not tables[loop - 1]:
            return None
        return self._refutation(loop, expr, min(tables[loop - 1].values(), key=lambda each: each[0])[1])

    def confirm(self, loop: int, expr: Expr, inputs: Mapping[str, Value]) -> Refutation | None:
        """Whether a run from these inputs reaches the loop with the expression false."""
        for seed in range(CHOICE_SEEDS if self.chooses else 1):
            run = self.program.run(inputs, limits=LITERAL_LIMITS, seed=seed)
            values = run.of(loop).values(expr)
            failing = next((at for at, value in enumerate(values) if fails(value)), None)
            if failing is not None:
                return self._refutation(loop, expr, Reached((), dict(inputs), seed, failing))
        return None

    def kinds(self, loop: int) -> tuple[Type, ...]:
        """The types of what a reached row holds."""
        level = self.program.info.level
        return tuple(level.variables[name] for name in (*self.program.loops[loop - 1].columns, *self.assigned_params))

    def compiled(self, loop: int, expr: Expr) -> Compiled:
        """The expression as code over reached rows."""
        level = self.program.info.level
        variables = {name: level.variables[name] for name in self.program.loops[loop - 1].columns}
        return compile_states(self.program.info, variables, expr, self.assigned_params)

    def _refutation(self, loop: int, expr: Expr, reached: Reached) -> Refutation:
        """Run again, from smaller inputs where they do as well, and believe only what that run shows."""
        reached = self._shrunk(loop, expr, reached)
        run = self.program.run(reached.inputs, limits=LITERAL_LIMITS, seed=reached.seed)
        trace = run.of(loop)
        rows = trace.rows[: reached.at + 1]
        trace.rows = rows
        value = trace.values(expr)[-1]
        assert fails(value), "a refuting run does not refute when it is run again"
        return Refutation(reached.inputs, reached.seed, reached.at, tuple(rows), trace.columns)

    def _shrunk(self, loop: int, expr: Expr, reached: Reached) -> Reached:
        """Smaller inputs with which the expression fails in the same row or an earlier one."""
        if input_weight(reached.inputs) <= SHRUNK_WEIGHT:
            return reached
        for name, value in reached.inputs.items():
            step = 0 if isinstance(value, bool) or not isinstance(value, int) else 1 << max(0, abs(value).bit_length() - 1)
            while step:
                now = int(reached.inputs[name])
                smaller = now - step if now > 0 else now + step
                if 0 <= smaller < now or now < smaller <= 0:
                    found = self._failing(loop, expr, {**reached.inputs, name: smaller}, reached)
                    if found is not None:
                        reached = found
                        continue
                step //= 2
        return reached

    def _failing(self, loop: int, expr: Expr, inputs: dict[str, Value], reached: Reached) -> Reached | None:
        limits = RunLimits(steps_max=reached.at + 500, rows_max=reached.at + 500)
        run = self.program.run(inputs, limits=limits, seed=reached.seed)
        trace = run.of(loop)
        trace.rows = trace.rows[: reached.at + 1]
        values = trace.values(expr)
        failing = next((at for at, value in enumerate(values) if fails(value)), None)
        return None if failing is None else Reached((), inputs, reached.seed, failing)


def input_weight(inputs: Mapping[str, Value]) -> int:
    """How small inputs are; ties do not matter."""
    return sum(abs(value.numerator) + value.denominator for value in inputs.values())


def _fitting(value: int | Fraction, kind: Type) -> Value:
    if kind is Type.BOOL:
        return value != 0
    if kind is not Type.RAT:
        value = value.numerator // value.denominator
    return max(0, value) if kind is Type.NAT else value


def small_inputs(params: Mapping[str, Type]) -> Iterable[dict[str, Value]]:
    """All inputs from a small box, as large as the number of runs allows."""
    domains: list[tuple[Value, ...]] = []
    for radius in (12, 8, 5, 4, 3, 2, 1):
        domains = [_domain(kind, radius) for kind in params.values()]
        count = 1
        for domain in domains:
            count *= len(domain)
        if count <= SMALL_RUNS_MAX:
            break
    for values in itertools.islice(itertools.product(*domains), SMALL_RUNS_MAX * 3):
        yield dict(zip(params, values, strict=True))


def _domain(kind: Type, radius: int) -> tuple[Value, ...]:
    if kind is Type.BOOL:
        return (False, True)
    if kind is Type.NAT:
        return tuple(range(radius + 1))
    whole: tuple[Value, ...] = tuple(range(-(radius // 2), radius + 1))
    return (*whole, Fraction(1, 2), Fraction(-3, 2)) if kind is Type.RAT else whole


def random_inputs(params: Mapping[str, Type], pick: random.Random) -> Iterable[dict[str, Value]]:
    if not params:
        return
    for large in LARGE:
        yield {name: _fitting(large, kind) for name, kind in params.items()}
        for one in params:
            yield {name: _fitting(large if name == one else 3, kind) for name, kind in params.items()}
    for number in range(RANDOM_RUNS):
        reach = (20, 60, 200)[number % 3]
        yield {name: _random_value(kind, reach, pick) for name, kind in params.items()}


def _random_value(kind: Type, reach: int, pick: random.Random) -> Value:
    if kind is Type.BOOL:
        return pick.random() < 0.5
    number = pick.choice(SPARSE) if pick.random() < 0.25 else pick.randint(0, reach)
    if kind is not Type.NAT and pick.random() < 0.3:
        number = -number
    return number if kind is not Type.RAT else Fraction(number, pick.randint(1, 5))


def first_inputs(program: Program) -> dict[str, Value]:
    """For a program that comes without any: inputs of a trace that can be looked at, neither empty nor long."""

    def rank(given: Mapping[str, Value]) -> tuple[bool, int, int, int]:
        run = program.run(given, limits=FIRST_LIMITS)
        rows = max((len(each.rows) for each in run.traces), default=0)
        far = max(0, FIRST_ROWS_MIN - rows, rows - FIRST_ROWS_MAX)
        # Zeros, ones and equal values hide what depends on what.
        dull = sum(-1 <= value <= 1 for value in given.values()) + len(given) - len(set(given.values()))
        return run.outcome.kind != "returned" or not rows, far, dull, input_weight(given)

    candidates = itertools.chain(random_inputs(program.params, random.Random(1)), small_inputs(program.params))
    return min(itertools.islice(candidates, FIRST_TRIED_MAX), key=rank)
