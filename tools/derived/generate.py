"""Random conformance vectors from a fixed seed. Their expected values come from the simple interpreter, not from the compiler."""

from __future__ import annotations

import random
from collections.abc import Iterator

from idg.sip.checking.checker import Scope as Visible
from idg.sip.checking.checker import check_expression
from idg.sip.syntax import Expr, Type
from idg.sip.text.expressions import parse_expression
from idg.sip.text.printer import print_expression
from idg.sip.text.sexpr import expression_sexpr
from idg.sip.trees.traverse import expressions
from idg.sip.values import Value, format_value
from tests.support.programs.drawn.random_expressions import Scope
from tests.support.programs.drawn.random_programs import random_expression, random_value
from tests.support.programs.simple import simple_interpreter
from tests.support.programs.simple.simple_numbers import Stop
from tools.derived.vectors import Row

COUNT = 100
"""Rows that are made of each kind."""
SEED = 2024
TEXT_CHARS = (12, 160)
"""The least and the most characters of an expression's text."""
VALUE_CHARS_MAX = 200
"""The most characters of a value, so that a row can be read."""
UNDEFINED_MAX = 30
"""Rows without a value among the COUNT rows. Without this bound too many random expressions would have no value."""
NODES = (3, 16)
"""The least and the most nodes of an expression's tree."""
VARIABLES: Scope = {
    "n": Type.NAT, "k": Type.NAT, "x": Type.INT, "y": Type.INT, "r": Type.RAT, "s": Type.RAT, "p": Type.BOOL, "q": Type.BOOL,
}  # fmt: skip


def generated_parse() -> list[Row]:
    """Random trees and their printed texts, which show that the printer puts brackets where they are needed."""
    rows: list[Row] = []
    for expr, text in _expressions(random.Random(SEED)):
        rows.append({"name": f"generated {len(rows) + 1}", "kind": "expression", "text": text, "sexpr": expression_sexpr(expr)})
        if len(rows) == COUNT:
            break
    return rows


def generated_evaluate() -> list[Row]:
    rng = random.Random(SEED + 1)
    rows: list[Row] = []
    undefined = 0
    for expr, text in _expressions(rng):
        if check_expression(expr, Visible(VARIABLES, VARIABLES, {}))[1]:
            continue
        names = {part.name for part in expressions(expr) if hasattr(part, "name")}
        used = {name: kind for name, kind in VARIABLES.items() if name in names}
        state: dict[str, Value] = {name: random_value(rng, kind) for name, kind in used.items()}
        outcome = _value(parse_expression(text), state)
        undefined += "undefined" in outcome
        if len(outcome.get("value", "")) > VALUE_CHARS_MAX or ("undefined" in outcome and undefined > UNDEFINED_MAX):
            continue
        rows.append({
            "name": f"generated {len(rows) + 1}",
            "variables": {name: str(kind) for name, kind in used.items()},
            "state": {name: format_value(value) for name, value in state.items()},
            "text": text, **outcome,
        })  # fmt: skip
        if len(rows) == COUNT:
            break
    return rows


def _expressions(rng: random.Random) -> Iterator[tuple[Expr, str]]:
    """Expressions of a readable length, each with its text, no two alike."""
    seen: set[str] = set()
    while True:
        expr = random_expression(rng, VARIABLES, None, rng.randint(*NODES))
        text = print_expression(expr)
        if TEXT_CHARS[0] <= len(text) <= TEXT_CHARS[1] and text not in seen:
            seen.add(text)
            yield expr, text


def _value(expr: Expr, state: simple_interpreter.State) -> Row:
    try:
        return {"value": format_value(simple_interpreter.evaluate(expr, state, state, VARIABLES, {}))}
    except Stop as stop:
        return {"undefined": stop.cause, "span": f"{stop.span.start}-{stop.span.end}"}
