"""Outcomes and undefined values in plain English."""

from __future__ import annotations

import re

from idg.sip.errors import line_and_column
from idg.sip.limits import ARRAY_CELLS_MAX, NUMBER_BITS_MAX, QUANTIFIER_RANGE_MAX, VARIABLE_BITS_MAX, RunLimits
from idg.sip.running.runner import Outcome, Undefined
from idg.sip.values import State, short_value

SHOWN_SOURCE_CHARS_MAX = 60
"""Characters of the program's text that a sentence repeats."""

_SENTENCES = {
    "assert": "the assert in line {line} fails: {source} is false{values}",
    "claim": "the claim in line {line} does not hold: {source} is false{values}",
    "post": "the post in line {line} fails: {source} is false{values}",
    "invariant": "the given invariant in line {line} fails: {source} is false{values}",
    "narrowing": "line {line}: the value of {source} does not fit the type it is assigned to{values}",
    "zero-divisor": "line {line}: division by zero in {source}{values}",
    "negative-exponent": "line {line}: negative exponent in {source}{values}",
    "callee-pre": "line {line}: the call {source} breaks a pre of the function{values}",
    "index": "line {line}: {source} {reaches} outside of {array}{needed}{values}",
    "steps": "stopped after {steps_max:,} steps, at {source} in line {line}{values}",
    "rows": "stopped: the traces have become too long (at most {rows_max:,} rows and {cells_max:,} values), "
    "at {source} in line {line}{values}",
    "number-too-large": "line {line}: the value of {source} is too large "
    "(variables hold {variable_bits:,} bits, other results {number_bits:,})",
    "call-depth": "line {line}: more than {call_depth_max:,} calls inside each other, at {source}{values}",
    "prints": "stopped: too much is printed (at most {prints_max:,} lines and {printed_chars_max:,} characters), "
    "in line {line}{values}",
    "array-too-long": "line {line}: an array of more than {array_cells:,} cells: {source}{values}",
    "range": "line {line}: {source} speaks of more than {range_max:,} numbers{values}",
    "choice-tries": "line {line}: no values found for {source} in {choice_tries_max:,} tries{values}",
    "assume": "ignored: the assume in line {line} is false: {source}{values}",
    "pre": "ignored: these inputs do not satisfy the pre in line {line}: {source}{values}",
    "cassign": "ignored: line {line}: no values satisfy {source}{values}",
}


def describe_outcome(outcome: Outcome, text: str, limits: RunLimits) -> str:
    if outcome.kind == "returned":
        return "finished" if outcome.value is None else f"returned {short_value(outcome.value)}"
    return _sentence(outcome, text, limits)


def describe_undefined(undefined: Undefined, text: str, limits: RunLimits) -> str:
    """Why an expression has no value; `text` is the text of the expression."""
    return _sentence(undefined, text, limits).removeprefix("line 1: ")


def describe_in_program(undefined: Undefined, text: str, limits: RunLimits) -> str:
    """Why an expression has no value, where the reason lies in a helper; `text` is the text of the program."""
    return _sentence(undefined, text, limits)


def _sentence(end: Outcome | Undefined, text: str, limits: RunLimits) -> str:
    source = " ".join(text[end.span.start : end.span.end].split())
    reaches, array, needed = _outside(source, end.values) if end.cause == "index" else ("", "", "")
    if len(source) > SHOWN_SOURCE_CHARS_MAX:
        source = source[: SHOWN_SOURCE_CHARS_MAX - 1] + "…"
    bounds = {name: getattr(limits, name) for name in limits.__match_args__}
    return _SENTENCES[end.cause].format(
        line=line_and_column(text, end.span.start)[0],
        source=source,
        values=describe_values(end.values, " with "),
        reaches=reaches,
        array=array,
        needed=needed,
        array_cells=ARRAY_CELLS_MAX,
        range_max=QUANTIFIER_RANGE_MAX,
        variable_bits=VARIABLE_BITS_MAX,
        number_bits=NUMBER_BITS_MAX,
        **bounds,
    )


def _outside(source: str, values: State) -> tuple[str, str, str]:
    """For what reaches outside of an array: whether it reads or writes there, which array that is, and what is needed instead."""
    target, assigns, _ = source.partition(":=")
    call = re.match(r"(swap|sorted) ?\( ?(old ?\( ?\w+ ?\)|\w+)", source)
    if call:
        array, place = call.group(2), ""
    else:
        array, _, place = (part.strip() for part in target.strip().removesuffix("]").partition("["))
    cells = values.get(array)
    if call:
        length = f", which has {len(cells)} cell{'s' * (len(cells) != 1)}" if isinstance(cells, tuple) else ""
        return "writes" if call.group(1) == "swap" else "reads", array, length
    length = f", which is {len(cells)} here," if isinstance(cells, tuple) else ""
    return "writes" if assigns else "reads", array, f": this needs 0 <= {place} < len({array}){length}"


def describe_values(values: State, before: str = "") -> str:
    if not values:
        return ""
    return before + ", ".join(f"{name} = {short_value(value)}" for name, value in values.items())
