"""Runs compiled programs and says how they ended."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType, TracebackType

from idg.sip.chooser import ChoiceExhausted, ChoiceRequest, Chooser, SeededChooser
from idg.sip.codegen import Site
from idg.sip.compiler import FILENAME, Choice, Compiled
from idg.sip.limits import RunLimits
from idg.sip.record import Record
from idg.sip.runtime import KIND_OF_CAUSE, Stop
from idg.sip.syntax import NOWHERE, Span
from idg.sip.values import InputError, State, Value, fit, format_value

Row = tuple[Value, ...]


class Outcome(Record):
    """How a run ended. docs/language.md lists the kinds and causes."""

    kind: str
    """'returned', 'failed', 'bound' or 'ignored'"""
    cause: str = ""
    """Why, unless it returned."""
    value: Value | None = None
    """What it returned, where the function has a type."""
    span: Span = NOWHERE
    """Where it stopped, unless it returned."""
    values: State = MappingProxyType({})
    """The variables visible where it stopped."""


class Undefined(Record):
    """Why an expression has no value in a row."""

    cause: str
    span: Span
    values: State

    def __bool__(self) -> bool:
        return False


@dataclass(slots=True)
class Recording:
    """What a run leaves behind besides its outcome."""

    outcome: Outcome
    printed: list[str]
    tables: list[list[Row]]
    outer: list[list[int]]


class ChooserError(Exception):
    """A chooser from outside gave values with which the condition does not hold: a bug in the chooser."""


class Context:
    """What generated code finds under the name R: the budgets and records of one run."""

    def __init__(self, limits: RunLimits, chooser: Chooser, sites: tuple[Site, ...], loops: int = 0, record: bool = False) -> None:
        self.limits = limits
        self.call_depth_max = limits.call_depth_max
        self.chooser = chooser
        self.sites = sites
        self.record = record
        self.fuel = iter(range(limits.steps_max))
        self.heads: Iterator[object] = zip(iter(range(limits.rows_max)), self.fuel, strict=False) if record else self.fuel
        self.printed: list[str] = []
        self.tables: list[list[Row]] = [[] for _ in range(loops)]
        self.outer: list[list[int]] = [[] for _ in range(loops)]

    def refuel(self) -> None:
        self.fuel = iter(range(self.limits.steps_max))

    def out_of_heads(self, site: int, in_level: bool) -> None:
        """A loop head was reached once too often."""
        full = in_level and self.record and sum(map(len, self.tables)) >= self.limits.rows_max
        raise Stop("rows" if full else "steps", site)

    def print(self, values: tuple[Value, ...], site: int) -> None:
        if len(self.printed) >= self.limits.prints_max:
            raise Stop("prints", site)
        self.printed.append(" ".join(map(format_value, values)))

    def choose(
        self, choice: Choice, state: State, condition: Callable[..., bool],
        definitions: tuple[tuple[int, Callable[..., Value]], ...], site: int,
    ) -> tuple[Value, ...]:
        kept = len(self.printed)
        accepted: tuple[Value, ...] | None = None

        def holds(values: tuple[Value, ...]) -> bool:
            nonlocal accepted
            try:
                found = condition(*values)
            except Stop as stopped:
                if KIND_OF_CAUSE[stopped.cause] == "failed" or stopped.cause == "number-too-large":
                    return False
                raise
            finally:
                del self.printed[kept:]
            accepted = values if found else accepted
            return found

        request = ChoiceRequest(
            choice.names, choice.types, choice.condition, state, holds, definitions, self.limits.choice_tries_max
        )
        try:
            values = self.chooser(request)
        except ChoiceExhausted:
            raise Stop("choice-tries", site) from None
        if values is None:
            raise Stop("cassign", site)
        try:
            fitted = tuple(fit(value, kind) for value, kind in zip(values, choice.types, strict=True))
        except (InputError, ValueError) as error:
            raise ChooserError(f"the chooser gave {values} for {choice.names}: {error}") from error
        if fitted != accepted and not holds(fitted):
            raise ChooserError(f"the chooser gave {values} for {choice.names}, with which the condition does not hold")
        return fitted

    def undefined(self, stopped: Stop) -> Undefined:
        site = self.sites[stopped.site]
        return Undefined(stopped.cause, site.span, _values_at(stopped, site))

    def outcome_of(self, stopped: Stop) -> Outcome:
        site = self.sites[stopped.site]
        return Outcome(KIND_OF_CAUSE[stopped.cause], stopped.cause, None, site.span, _values_at(stopped, site))


def _values_at(stopped: Stop, site: Site) -> dict[str, Value]:
    """The visible variables' values, read from the frame of generated code in which the run stopped."""
    frames = []
    at: TracebackType | None = stopped.__traceback__
    while at is not None:
        code = at.tb_frame.f_code
        if code.co_filename == FILENAME and code.co_name.startswith("f_"):
            frames.append(at.tb_frame)
        at = at.tb_next
    if not frames:
        return {}
    frame = frames[-2] if site.at_call and len(frames) > 1 else frames[-1]
    found = frame.f_locals
    return {name: found[f"v_{name}"] for name in site.names if f"v_{name}" in found}


def run(
    compiled: Compiled, inputs: Mapping[str, Value], loops: int, *, record: bool, limits: RunLimits, seed: int,
    chooser: Chooser | None,
) -> Recording:
    """Run the compiled level. `inputs` must fit the parameters, in their order."""
    context = Context(limits, chooser or SeededChooser(seed), compiled.sites, loops, record)
    try:
        value = compiled.entry(context, 0, -1, *inputs.values())
    except Stop as stopped:
        outcome = context.outcome_of(stopped)
    else:
        assert value is None or isinstance(value, Value)
        outcome = Outcome("returned", value=value)
    return Recording(outcome, context.printed, context.tables, context.outer)


def evaluate_rows(compiled: Compiled, rows: list[Row], olds: Mapping[str, Value], limits: RunLimits) -> list[Value | Undefined]:
    """The value of a compiled expression on each row. `olds` are all parameters' values at entry, in their order."""
    context = Context(limits, SeededChooser(0), compiled.sites)
    results: list[Value | Undefined] = []
    compiled.entry(context, rows, results, *olds.values())
    return results

