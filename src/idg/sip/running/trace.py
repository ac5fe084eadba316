"""What a run shows: its outcome, what it printed, the table of each loop, and expressions evaluated on those tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, Any

from idg.sip.checking.analysis import Loop
from idg.sip.errors import where_json
from idg.sip.limits import EVALUATION_STEPS_MAX, QUANTIFIER_RANGE_MAX, RunLimits
from idg.sip.record import Record, replace
from idg.sip.running.compiler import compile_rows, compile_states
from idg.sip.running.describe import describe_in_program, describe_outcome, describe_undefined
from idg.sip.running.runner import Chosen, Outcome, Recording, Row, RunStart, Undefined, evaluate_rows
from idg.sip.running.tables import counted, evaluation_table, html_run, html_table, run_text, text_table, trace_table
from idg.sip.syntax import Expr, Quantified, Type
from idg.sip.text.printer import print_expression
from idg.sip.trees.traverse import conjuncts
from idg.sip.values import Scalar, State, Value, format_value, short_value, value_json, values_json

if TYPE_CHECKING:
    from idg.sip.program import Program


CALLS_TRIED_MAX = 20
"""Calls of a helper among which the most telling one is looked for: the first ones."""
CALL_ROWS_MAX = 1_000
"""Rows and steps of a call that is run again so that the loops of a helper can be shown."""
TELLING_ROWS_MIN, TELLING_ROWS_MAX = 5, 12
"""How many rows the longest trace of a telling call has, at least and at most."""


class Trace:
    """The states at the head of one loop: a row for each time that the head was reached.

    `len(trace)` is the number of rows, and iterating over a trace gives its rows. It is a table in a notebook.
    """

    def __init__(self, run: Run, loop: Loop, rows: list[Row], outer_rows: list[int], call: State | None = None) -> None:
        self.run = run
        self.function = loop.function
        """The function that the loop belongs to."""
        self.call = call
        """For a loop of a helper: the arguments of the call that is shown; None where there is none."""
        self.loop = loop.number
        self.columns = loop.columns
        """The names of the variables, in the order of the values in a row."""
        self.outer = loop.outer
        """The number of the enclosing loop, if any."""
        self.rows = rows
        """The values of the variables, a tuple for each row."""
        self.outer_rows = outer_rows
        """For each row, the index of the enclosing loop's row during which it was reached; empty for an outermost loop."""

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[Row]:
        return iter(self.rows)

    def states(self) -> Iterator[dict[str, Value]]:
        """The rows as dictionaries: name → value."""
        for row in self.rows:
            yield dict(zip(self.columns, row, strict=True))

    def to_dataframe(self) -> Any:
        """The rows as a pandas DataFrame. Numbers stay exact: those that numpy cannot hold are Python's own."""
        return _data_frame(self.columns, [list(row) for row in self.rows])

    def evaluate(self, text: str) -> Evaluation:
        """Evaluate a Boolean or numeric expression on every row. Raises `SipError` where the text is none."""
        program = self.run.program
        expr, kind = program.expression(text, self.loop)
        return Evaluation(self, text, expr, kind, self.values(expr))

    @property
    def evaluation_limits(self) -> RunLimits:
        """What evaluating an expression on one row may spend. That is less than a run may, because there are many rows."""
        limits = self.run.limits
        return replace(limits, steps_max=min(limits.steps_max, EVALUATION_STEPS_MAX))

    def values(self, expr: Expr) -> list[Scalar | Undefined]:
        """The values of an expression that has been checked for this loop."""
        program = self.run.program
        compiled = compile_rows(program.info, self.columns, program.params, expr)
        return evaluate_rows(compiled, self.rows, self.run.inputs, self.evaluation_limits)

    def first_failing(self, expr: Quantified, row: int) -> int | None:
        """The first number of a forall for which its body is false in this row; None where there is none."""
        program, values = self.run.program, self.rows[row]
        low, high = self._on_row(expr.low, row), self._on_row(expr.high, row)
        if isinstance(low, Undefined) or isinstance(high, Undefined) or high - low >= QUANTIFIER_RANGE_MAX:
            return None
        numbers = range(int(low), int(high) + 1)
        entry = tuple(self.run.inputs[name] for name in program.info.level.assigned_params)
        own = {name: program.info.level.variables[name] for name in self.columns} | {expr.variable.name: Type.INT}
        compiled = compile_states(program.info, own, expr.body, program.info.level.assigned_params)
        truths = evaluate_rows(compiled, [(*values, number, *entry) for number in numbers], {}, self.evaluation_limits)
        return next((number for number, truth in zip(numbers, truths, strict=True) if truth is False), None)

    def _on_row(self, expr: Expr, row: int) -> Scalar | Undefined:
        program = self.run.program
        compiled = compile_rows(program.info, self.columns, program.params, expr)
        return evaluate_rows(compiled, [self.rows[row]], self.run.inputs, self.evaluation_limits)[0]

    def as_json(self) -> dict[str, object]:
        """The number of the loop, the columns and the rows, with all values as texts."""
        shown: dict[str, object] = {
            "loop": self.loop,
            "columns": list(self.columns),
            "rows": [list(map(value_json, row)) for row in self.rows],
        }
        if self.outer is not None:
            shown |= {"outer": self.outer, "outer_rows": self.outer_rows}
        if self.call is not None:
            shown |= {"call": values_json(self.call)}
        return shown

    def __str__(self) -> str:
        return text_table(trace_table(self))

    def __repr__(self) -> str:
        return f"<Trace of loop {self.loop}: {counted(len(self.rows), 'row')} of {', '.join(self.columns)}>"

    def _repr_html_(self) -> str:
        return html_table(trace_table(self))


def _data_frame(columns: Sequence[str], rows: Sequence[Sequence[object]]) -> Any:
    try:
        from pandas import DataFrame
    except ImportError:
        raise ImportError("to_dataframe needs pandas: pip install 'idg[notebook]' (trace.states() does without)") from None
    return DataFrame({name: [row[index] for row in rows] for index, name in enumerate(columns)})


def _in_call(run: Run, loop: Loop, call: Run | None) -> Trace:
    """The trace of a helper's loop in a call of it; without rows where there is no such call."""
    if call is None:
        return Trace(run, loop, [], [])
    trace = call.of(loop.number)
    return Trace(call, loop, trace.rows, trace.outer_rows, call.inputs)


class Evaluation(Record):
    """An expression on every row of a trace. For a Boolean one it says where it holds, fails or cannot be evaluated."""

    trace: Trace
    text: str
    expr: Expr
    type: Type
    values: list[Scalar | Undefined]
    """The value in each row, or why there is none."""

    @property
    def holds(self) -> bool:
        """Whether it is a Boolean expression that is true in every row. Where there are no rows, nothing is known to hold."""
        return self.type is Type.BOOL and bool(self.values) and all(value is True for value in self.values)

    @property
    def failing(self) -> list[int]:
        """Indices of the rows in which it is false or cannot be evaluated (for a numeric one: has no value)."""
        return [row for row, value in enumerate(self.values) if value is False or isinstance(value, Undefined)]

    def why(self, row: int) -> str:
        """Why there is no value in this row; empty where there is one."""
        value = self.values[row]
        if not isinstance(value, Undefined):
            return ""
        limits = self.trace.evaluation_limits
        if value.in_program:
            return describe_in_program(value, self.trace.run.program.text, limits)
        return describe_undefined(value, self.text, limits)

    def to_dataframe(self) -> Any:
        """The rows as a pandas DataFrame, with a column for the expression; where it has no value, there is None."""
        values = (None if isinstance(value, Undefined) else value for value in self.values)
        rows = [[*row, value] for row, value in zip(self.trace.rows, values, strict=True)]
        return _data_frame((*self.trace.columns, print_expression(self.expr)), rows)

    def witness(self, row: int) -> str:
        """For which number a forall is false in this row, as `k = 2`; empty where that is not what makes the expression false."""
        for part in conjuncts(self.expr) if self.values[row] is False else ():
            if isinstance(part, Quantified) and part.word == "forall":
                number = self.trace.first_failing(part, row)
                if number is not None:
                    return f"{part.variable.name} = {number}"
        return ""

    def summary(self) -> str:
        """In how many rows the expression holds or has a value, in plain English."""
        count, failing = len(self.values), self.failing
        if not count:
            return f"there are no rows (the run: {self.trace.run.message})"
        if self.type is not Type.BOOL:
            return f"has a value in {count - len(failing)} of {count} rows"
        if not failing:
            return f"holds in {'the only row' if count == 1 else f'all {count} rows'}"
        witness = self.witness(failing[0])
        told = f", for {witness}" if witness else ""
        return f"holds in {count - len(failing)} of {count} rows; first fails in row {failing[0] + 1}{told}"

    def as_json(self) -> dict[str, object]:
        """The expression, its type, and its value in each row as a text, or why there is none."""
        values = [self._value_json(row, value) for row, value in enumerate(self.values)]
        return {"expression": self.text, "type": str(self.type), "loop": self.trace.loop, "values": values}

    def _value_json(self, row: int, value: Scalar | Undefined) -> str | dict[str, str]:
        return {"undefined": value.cause, "message": self.why(row)} if isinstance(value, Undefined) else format_value(value)

    def __str__(self) -> str:
        return f"{text_table(evaluation_table([self]))}\n{print_expression(self.expr)}: {self.summary()}"

    def __repr__(self) -> str:
        return f"<Evaluation of {print_expression(self.expr)}: {self.summary()}>"

    def _repr_html_(self) -> str:
        return html_table(evaluation_table([self]))


class Run:
    """One run of a program: how it ended, what it printed, and the trace of each loop. `Program.run` makes one."""

    def __init__(
        self,
        program: Program,
        inputs: Mapping[str, Value],
        limits: RunLimits,
        recording: Recording,
        recorded: bool = True,
        seed: int = 0,
    ) -> None:
        self.program = program
        self.recorded = recorded
        self.inputs: State = inputs
        """Name → value."""
        self.limits = limits
        self.seed = seed
        self.outcome: Outcome = recording.outcome
        """How it ended."""
        self.printed: list[str] = recording.printed
        """The printed lines."""
        self.level_traces = tuple(
            Trace(self, loop, rows, outer)
            for loop, rows, outer in zip(program.info.level.loops, recording.tables, recording.outer, strict=True)
            if recorded
        )
        """The trace of each loop of the level, in their order; empty where nothing was recorded."""
        self._recording = recording

    @cached_property
    def choices(self) -> tuple[Chosen, ...]:
        """What the run chose, in order: by cassign, and for variables that are declared without a value."""
        return self._recording.choices

    @cached_property
    def traces(self) -> tuple[Trace, ...]:
        """The trace of each loop, in the order of their numbers; empty where nothing was recorded.

        A loop of a helper is shown as in one call of the helper that the run makes, the most telling one (`_telling_call`). That
        call is run again by itself; where the helper makes choices, they are those of this run's seed.
        """
        if not self.recorded:
            return ()
        known = {trace.loop: trace for trace in self.level_traces}
        telling = {name: self._telling_call(name) for name, info in self.program.info.functions.items() if info.loops}
        for loop in self.program.loops:
            if loop.number not in known:
                known[loop.number] = _in_call(self, loop, telling.get(loop.function))
        return tuple(known[loop.number] for loop in self.program.loops)

    def calls(self, function: str) -> Iterator[dict[str, Value]]:
        """The arguments of the first calls of a helper with a loop, each once."""
        params = [param.name for param in self.program.info.functions[function].function.params]
        for arguments in self._recording.calls.get(function, ()):
            yield dict(zip(params, arguments, strict=True))

    @property
    def open_calls(self) -> list[tuple[str, dict[str, Value]]]:
        """Where the run stopped because of the depth of its calls: its open calls of helpers, the outermost first."""
        if self.outcome.cause != "call-depth":
            return []
        named = (self._recording.open_calls[depth] for depth in sorted(self._recording.open_calls))
        params = {name: [param.name for param in info.function.params] for name, info in self.program.info.functions.items()}
        return [(name, dict(zip(params[name], arguments, strict=True))) for name, arguments in named]

    def _telling_call(self, function: str) -> Run | None:
        """The first noted call of a helper whose traces are neither nearly empty nor long, or the one nearest to that."""
        alone = self.program.alone(function)
        limits = replace(self.limits, steps_max=min(self.limits.steps_max, CALL_ROWS_MAX), rows_max=CALL_ROWS_MAX)

        def far(run: Run) -> int:
            rows = max(map(len, run.level_traces))
            return max(0, TELLING_ROWS_MIN - rows, rows - TELLING_ROWS_MAX)

        calls = islice(self.calls(function), CALLS_TRIED_MAX)
        return min((alone.run(arguments, limits=limits, seed=self.seed) for arguments in calls), key=far, default=None)

    @property
    def trace(self) -> Trace:
        """The trace of the first loop."""
        return self.of(1)

    def of(self, loop: int) -> Trace:
        """The trace of the loop with this number. Raises `LookupError` where there is none."""
        number = self.program.loop(loop).number
        if not self.recorded:
            raise LookupError("this run recorded nothing: it was asked for with record=False")
        own = [trace for trace in self.level_traces if trace.loop == number]
        return own[0] if own else self.traces[number - 1]

    @property
    def start(self) -> RunStart:
        """What repeats this run. A run that recorded nothing can be repeated by its seed only."""
        return RunStart(self.inputs, self.seed, tuple(chosen.values for chosen in self.choices))

    def to_dataframe(self, loop: int = 1) -> Any:
        """The rows of this loop as a pandas DataFrame."""
        return self.of(loop).to_dataframe()

    def choices_before(self, loop: int, index: int) -> tuple[Chosen, ...]:
        """What the run had chosen when it reached the row with this index at the loop."""
        position = [trace.loop for trace in self.level_traces].index(loop)
        return tuple(chosen for chosen in self.choices if chosen.rows[position] <= index)

    def evaluate(self, text: str, loop: int = 1) -> Evaluation:
        """Evaluate an expression on every row of the trace of this loop."""
        return self.of(loop).evaluate(text)

    @property
    def message(self) -> str:
        """How it ended, in plain English."""
        return describe_outcome(self.outcome, self.program.text, self.limits)

    def as_json(self) -> dict[str, object]:
        """Inputs, outcome, printed lines and the rows of all loops, with all values as texts."""
        return {
            "inputs": values_json(self.inputs),
            "outcome": self._outcome_json(),
            "printed": self.printed,
            "loops": [trace.as_json() for trace in self.traces],
        }

    def _outcome_json(self) -> dict[str, object]:
        outcome = self.outcome
        shown: dict[str, object] = {"kind": outcome.kind, "message": self.message}
        if outcome.kind == "returned":
            shown["value"] = None if outcome.value is None else format_value(outcome.value)
            return shown
        where = where_json(self.program.text, outcome.span)
        return shown | {"cause": outcome.cause, "where": where, "values": values_json(outcome.values)}

    def __str__(self) -> str:
        return run_text(self)

    def __repr__(self) -> str:
        inputs = ", ".join(f"{name}={short_value(value)}" for name, value in self.inputs.items())
        rows = "not recorded" if not self.recorded else counted(sum(map(len, self.level_traces)), "row")
        return f"<Run of {self.program.level.name}({inputs}): {self.message}; {rows}>"

    def _repr_html_(self) -> str:
        return html_run(self)
