"""Runs compiled programs and says how they ended."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType, TracebackType
from typing import TypeVar

from idg.sip.limits import VARIABLE_BITS_MAX, RunLimits
from idg.sip.record import Record
from idg.sip.running.chooser import ChoiceExhausted, ChoiceRequest, Chooser, SeededChooser
from idg.sip.running.codegen import Site
from idg.sip.running.compiler import FILENAME, Choice, Compiled
from idg.sip.running.runtime import KIND_OF_CAUSE, Stop
from idg.sip.syntax import NOWHERE, Boolean, Span, Type
from idg.sip.values import InputError, Scalar, State, Value, bit_size, bounded_repr, fit, format_value, initial

_T = TypeVar("_T")
Row = tuple[Value, ...]
"""A state at a loop head, without the names of the variables."""
CALLS_NOTED_MAX = 60
"""Calls of helpers with loops that a run notes: the first ones, of all helpers together."""


class Outcome(Record):
    """How a run ended. docs/language.md lists the kinds and causes."""

    kind: str
    """'returned', 'failed', 'bound' (a limit was reached) or 'ignored' (the run does not count)"""
    cause: str = ""
    """Why it stopped, unless it returned."""
    value: Scalar | None = None
    """What it returned, where the level has a type."""
    span: Span = NOWHERE
    """Where it stopped, unless it returned."""
    values: State = MappingProxyType({})
    """The variables that are visible where it stopped, with their values."""


class Undefined(Record):
    """Why an expression has no value in a row."""

    cause: str
    span: Span
    values: State
    in_program: bool = False
    """Whether it happened in a helper: then the span is in the text of the program."""

    def __bool__(self) -> bool:
        return False


Choices = tuple[tuple[Value, ...], ...]
"""The first choices of a run, in order: of each cassign, and of each declaration whose values nothing determines."""


class RunStart(Record):
    """What decides a run of a program."""

    inputs: Mapping[str, Value]
    seed: int = 0
    """It decides what is chosen after the given choices."""
    choices: Choices = ()
    function: str = ""
    """Where a helper is run alone: its name."""
    claims: bool = False
    """Whether claims are checked, which a run usually passes over."""


class Chosen(Record):
    """What a run chose once: by a cassign, or for variables that are declared without a value."""

    names: tuple[str, ...]
    values: tuple[Value, ...]
    rows: tuple[int, ...]
    """How many rows each loop of the level had by then."""
    initial: bool
    """Whether these are the initial values of declared variables."""


NotedChoice = tuple[Choice, tuple[Value, ...], tuple[int, ...], bool]
"""What `Chosen` says, before anybody asks for it: runs make thousands of choices, and hardly any is looked at."""


OpenCall = tuple[str, Row]
"""A helper that was called, and its arguments."""


@dataclass(slots=True)
class Recording:
    """What a run leaves behind."""

    outcome: Outcome
    printed: list[str]
    tables: list[list[Row]]
    """For each loop, the states at its head."""
    outer: list[list[int]]
    """For each loop and each of its rows, the index of the row of the enclosing loop; empty for an outermost loop."""
    noted: list[NotedChoice]
    """All that the run chose, in order; empty where nothing was recorded."""
    calls: Mapping[str, Mapping[Row, None]]
    """For each helper with a loop, the arguments of its first calls, each once; empty where nothing was recorded."""
    open_calls: Mapping[int, OpenCall]
    """In programs with recursion, for each depth the last call of a helper; empty where nothing was recorded."""

    @property
    def choices(self) -> tuple[Chosen, ...]:
        """The noted choices as records."""
        return tuple(Chosen(choice.names, values, rows, initial) for choice, values, rows, initial in self.noted)


class ChooserError(Exception):
    """A chooser from outside has a bug: it gave values that do not fit, or with which the condition does not hold."""


class Context:
    """What generated code finds under the name R: the budgets and records of one run."""

    def __init__(
        self, limits: RunLimits, chooser: Chooser, sites: tuple[Site, ...], columns: Sequence[int] = (), record: bool = False
    ) -> None:
        """`columns`: the number of columns of each loop of the level."""
        self.limits = limits
        self.call_depth_max = limits.call_depth_max
        self.chooser = chooser
        self.seeded = chooser if isinstance(chooser, SeededChooser) and limits.choice_tries_max > 0 else None
        """The chooser, where it is ours and may make a try: then free choices need no request."""
        self.sites = sites
        self.record = record
        self.fuel = iter(range(limits.steps_max))
        """An iterator from which each step takes one."""
        self.columns = columns
        self.heads: list[Iterator[object]] = self._recorded_heads() if record else [self.fuel] * len(columns)
        """For each loop of the level, the iterator from which each arrival at its head takes one."""
        self.printed: list[str] = []
        self.printed_chars = 0
        self.tables: list[list[Row]] = [[] for _ in columns]
        self.outer: list[list[int]] = [[] for _ in columns]
        self.choices: list[NotedChoice] = []
        self.calls: dict[str, dict[Row, None]] = {}
        self.open_calls: dict[int, OpenCall] = {}
        """In programs with recursion: the last call of a helper at each depth."""
        self.resized_cells = 0
        """Cells in the tables so far of arrays whose length only the run decides."""
        self.notes_calls = record
        """Whether calls of helpers with loops are noted."""
        self.calls_left = CALLS_NOTED_MAX

    def note_call(self, function: str, arguments: Row) -> None:
        """Notes a call of a helper with a loop, whose pres hold, unless so many were made that nobody will look at it."""
        self.calls.setdefault(function, {}).setdefault(arguments)
        self.calls_left -= 1
        self.notes_calls = self.calls_left > 0

    def _recorded_heads(self) -> list[Iterator[object]]:
        """Iterators that end when the steps, the rows or the cells are used up."""
        limits = self.limits
        rows = iter(range(limits.rows_max))
        if limits.rows_max * max(self.columns, default=0) <= limits.cells_max:
            heads: Iterator[object] = zip(rows, self.fuel, strict=False)
            return [heads] * len(self.columns)
        # The rows are so wide that the cells may run out first. So each arrival also takes as many cells as there are columns.
        cells = iter(range(limits.cells_max))
        return [zip(rows, *[cells] * columns, self.fuel, strict=False) for columns in self.columns]

    def refuel(self) -> None:
        """Allows all steps again before the next row is evaluated, and drops what helpers printed for the last one."""
        self.fuel = iter(range(self.limits.steps_max))
        self._drop_prints(0, 0)

    def use_step(self, site: int) -> None:
        if next(self.fuel, -1) < 0:
            raise Stop("steps", site)

    def out_of_heads(self, site: int, loop: int, resized: int = 0) -> None:
        """Stops, because a loop head was reached once too often. `loop` is its index in the level, or -1 for one of a helper."""
        full = False
        if loop >= 0 and self.record:
            rows = sum(map(len, self.tables))
            full = rows >= self.limits.rows_max or self._cells_with(loop, resized) > self.limits.cells_max
        raise Stop("rows" if full else "steps", site)

    def use_cells(self, site: int, loop: int, resized: int) -> None:
        """Counts the cells of a row's arrays whose length only the run decides."""
        if self._cells_with(loop, resized) > self.limits.cells_max:
            raise Stop("rows", site)
        self.resized_cells += resized

    def _cells_with(self, loop: int, resized: int) -> int:
        """The cells of all tables with one row more of this loop."""
        cells = sum(len(table) * columns for table, columns in zip(self.tables, self.columns, strict=True))
        return cells + self.columns[loop] + self.resized_cells + resized

    def print(self, values: tuple[Scalar, ...], site: int) -> None:
        if len(self.printed) >= self.limits.prints_max:
            raise Stop("prints", site)
        left = self.limits.printed_chars_max - (self.printed_chars if self.printed else 0)
        texts: list[str] = []
        for value in values:
            texts.append(format_value(value))
            left -= len(texts[-1]) + (len(texts) > 1)
            if left < 0:
                raise Stop("prints", site)
        self.printed.append(" ".join(texts))
        self.printed_chars = self.limits.printed_chars_max - left

    def _drop_prints(self, lines: int, chars: int) -> None:
        """Drops all printed lines but the first `lines`, which have so many characters."""
        del self.printed[lines:]
        self.printed_chars = chars

    def initial(self, choice: Choice, length: int = 0) -> tuple[Value, ...]:
        """The values of variables that are declared without one. A chooser from outside is not asked: they are zeros."""
        seeded = self.chooser if isinstance(self.chooser, SeededChooser) else None
        values = seeded.initial(choice.types, length) if seeded else tuple(initial(kind, length) for kind in choice.types)
        self._note(choice, values, True)
        return values

    def _note(self, choice: Choice, values: tuple[Value, ...], initial: bool = False) -> None:
        if self.record:
            self.choices.append((choice, values, tuple(map(len, self.tables)), initial))

    def choose(
        self,
        choice: Choice,
        state: State,
        condition: Callable[..., bool],
        definitions: tuple[tuple[int, Callable[..., Scalar]], ...],
        site: int,
    ) -> tuple[Scalar, ...]:
        """The values of a cassign. `definitions`: positions whose values follow from the others, with what computes them."""
        if self.seeded is not None and type(choice.condition) is Boolean and choice.condition.value:
            # Any values will do. Runs make thousands of such choices, so this way is shorter; it costs a step as well.
            free_choice = self.seeded.anything(choice.names, choice.types, state)
            self.use_step(site)
            self._note(choice, free_choice)
            return free_choice
        trial = _Trial(self, choice, condition, site)
        solved = tuple((position, trial.definition(position, define)) for position, define in definitions)
        request = ChoiceRequest(
            choice.names, choice.types, choice.condition, state, trial.holds, solved, self.limits.choice_tries_max
        )
        try:
            values = self.chooser(request)
        except ChoiceExhausted:
            raise Stop("choice-tries", site) from None
        if values is None:
            raise Stop("number-too-large" if trial.too_large else "cassign", site)
        try:
            fitted = tuple(fit(value, kind) for value, kind in zip(values, choice.types, strict=True))
        except (InputError, ValueError, TypeError) as error:
            raise ChooserError(f"the chooser gave {bounded_repr(values)} for {choice.names}: {error}") from error
        if fitted != trial.accepted and not trial.holds(fitted):
            shown = bounded_repr(values)
            raise ChooserError(f"the chooser gave {shown} for {choice.names}, with which the condition does not hold")
        self._note(choice, fitted)
        return fitted

    def undefined(self, stopped: Stop) -> Undefined:
        site = self.sites[stopped.site]
        return Undefined(stopped.cause, site.span, _values_at(stopped, site), site.in_program)

    def outcome_of(self, stopped: Stop) -> Outcome:
        site = self.sites[stopped.site]
        return Outcome(KIND_OF_CAUSE[stopped.cause], stopped.cause, None, site.span, _values_at(stopped, site))


class _Trial:
    """What is learnt while candidates for one cassign are tried.

    Each candidate costs a step, and what helpers print meanwhile is dropped.
    """

    def __init__(self, context: Context, choice: Choice, condition: Callable[..., bool], site: int) -> None:
        self.context = context
        self.types = choice.types
        self.condition = condition
        self.site = site
        self.kept = len(context.printed), context.printed_chars
        """The lines and characters that were printed before."""
        self.accepted: tuple[Scalar, ...] | None = None
        """The last values with which the condition held."""
        self.too_large = False
        """Whether a number was too large for some candidate. Then there may be values even though none were found."""

    def holds(self, values: tuple[Scalar, ...]) -> bool:
        self.context.use_step(self.site)
        if self._attempt(self.condition, values):
            self.accepted = values
            return True
        return False

    def definition(self, position: int, define: Callable[..., Scalar]) -> Callable[..., Scalar | None]:
        """The function that computes the value at the position, as one that returns None where no value fits."""
        kind = self.types[position]

        def defined(*values: Scalar) -> Scalar | None:
            value = self._attempt(define, values)
            if value is not None and kind is not Type.BOOL and bit_size(value) > VARIABLE_BITS_MAX:
                self.too_large, value = True, None
            if value is not None:
                try:
                    return fit(value, kind)
                except InputError:
                    pass
            self.context.use_step(self.site)
            return None

        return defined

    def _attempt(self, compute: Callable[..., _T], values: tuple[Scalar, ...]) -> _T | None:
        """What is computed, or None where it has no value. Where a limit is reached or the run is to be ignored, the run stops."""
        try:
            return compute(*values)
        except Stop as stopped:
            if stopped.cause == "number-too-large":
                self.too_large = True
            elif KIND_OF_CAUSE[stopped.cause] != "failed":
                raise
            return None
        finally:
            self.context._drop_prints(*self.kept)


def _values_at(stopped: Stop, site: Site) -> dict[str, Value]:
    """The visible variables' values, read from the frame of generated code in which the run stopped."""
    frames: list[dict[str, Value]] = []
    traceback: TracebackType | None = stopped.__traceback__
    while traceback is not None:
        code = traceback.tb_frame.f_code
        if code.co_filename == FILENAME and code.co_name.startswith("f_"):
            frames.append(dict(traceback.tb_frame.f_locals))
        elif code.co_filename == FILENAME and code.co_name == "<genexpr>" and frames:
            # The instances of a quantifier: the number is theirs, and everything else is that of the function.
            frames[-1] |= traceback.tb_frame.f_locals
        traceback = traceback.tb_next
    if not frames:
        return {}
    values = frames[-2] if site.at_call and len(frames) > 1 else frames[-1]
    return {name: values[f"v_{name}"] for name in site.names if f"v_{name}" in values}


def run(
    compiled: Compiled,
    inputs: Mapping[str, Value],
    columns: Sequence[int],
    *,
    record: bool,
    limits: RunLimits,
    seed: int,
    chooser: Chooser | None,
) -> Recording:
    """Runs the compiled level. `inputs` must fit the parameters, in their order; `columns`: the number of columns of each loop."""
    context = Context(limits, chooser or SeededChooser(seed), compiled.sites, columns, record)
    try:
        value = compiled.entry(context, 0, -1, *inputs.values())
    except Stop as stopped:
        outcome = context.outcome_of(stopped)
    else:
        assert value is None or isinstance(value, Scalar)
        outcome = Outcome("returned", value=value)
    return Recording(outcome, context.printed, context.tables, context.outer, context.choices, context.calls, context.open_calls)


def _no_choice(request: ChoiceRequest) -> None:
    raise AssertionError("the checker lets no expression call a helper that makes choices")


def evaluate_rows(
    compiled: Compiled, rows: list[Row], entry_values: Mapping[str, Value], limits: RunLimits
) -> list[Scalar | Undefined]:
    """The value of a compiled expression on each row. `entry_values`: of all parameters in their order, for `compile_rows`."""
    context = Context(limits, _no_choice, compiled.sites)
    results: list[Scalar | Undefined] = []
    compiled.entry(context, rows, results, *entry_values.values())
    return results
