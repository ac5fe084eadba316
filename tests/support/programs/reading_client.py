"""A client of `idg mcp` that knows nothing of the game but what the tools say, and counts what it reads: a stand-in for a model.

It reads a program, runs it on a few inputs, finds equations and comparisons that hold in the rows it was shown, and proposes those
that are false in the state to rule out.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations_with_replacement
from math import lcm, prod
from typing import Any

from mcp import Client
from mcp_types import TextContent

Json = dict[str, Any]
Row = dict[str, Fraction]
Guess = tuple[str, Callable[[Row], bool]]
"""An expression as a text, and what it says of a row."""

SMALL_INPUTS = ((5, 3, 2, 4), (9, 4, 6, 1), (2, 7, 3, 5))
"""Inputs that it runs a program on, in the order of the parameters."""
GUESSES_MAX = 20
"""Guesses that it tries at once."""
ROUNDS_MAX = 8
"""Rounds after which it gives a level up."""


class ReadingClient:
    """Calls tools and counts the characters of everything that a model would have in its context."""

    def __init__(self, client: Client) -> None:
        self.client = client
        self.read = 0

    async def start(self) -> None:
        """Read what a model is given before its first call: the instructions and the tools."""
        tools = (await self.client.list_tools()).tools
        told = [{"name": tool.name, "description": tool.description, "input_schema": tool.input_schema} for tool in tools]
        self.read = len(self.client.instructions or "") + len(json.dumps(told, ensure_ascii=False, separators=(",", ":")))

    async def call(self, tool: str, **arguments: object) -> Json:
        result = await self.client.call_tool(tool, arguments)
        [content] = result.content
        assert isinstance(content, TextContent)
        assert not result.is_error, content.text
        self.read += len(tool) + len(json.dumps(arguments)) + len(content.text.encode())
        answer: Json = json.loads(content.text)
        return answer

    async def solve(self, level: str) -> bool:
        """Plays a level from its listing to its proof."""
        listed = await self.call("list_levels")
        assert level in [row["level"] for row in listed["levels"]]
        program = await self.call("read_program", level=level)
        rows = {loop["loop"]: _rows(program["first_trace"], loop["loop"]) for loop in program["loops"]}
        for values in SMALL_INPUTS:
            inputs = dict(zip(program["inputs"], values, strict=False))
            trace = await self.call("run_trace", level=level, inputs=inputs)
            for number, seen in rows.items():
                seen += _rows(trace, number)
        standing, tried = program, set[str]()
        for _ in range(ROUNDS_MAX):
            if standing["solved"] or "rule_out" not in standing:
                break
            number = standing["rule_out"].get("loop", 1)
            state = _row(standing["rule_out"]["state"])
            guesses = [text for text, says in _guesses(rows[number], program, number) if not says(state) and text not in tried]
            if not guesses:
                standing = await self.call("another_state", level=level)
                continue
            tried |= set(guesses[:GUESSES_MAX])
            checked = await self.call("check_expressions", level=level, loop=number, expressions=guesses[:GUESSES_MAX])
            if checked["holds"]:
                standing = await self.call("propose", level=level, loop=number, expressions=checked["holds"])
        return bool(standing["solved"])


def _rows(trace: Json, number: int) -> list[Row]:
    [loop] = (loop for loop in trace["loops"] if loop["loop"] == number)
    return [_row(dict(zip(loop["variables"], row, strict=True))) for row in loop["rows"] + loop.get("last_rows", [])]


def _row(values: Json) -> Row:
    return {name: Fraction(value) for name, value in values.items()}


def _guesses(rows: Sequence[Row], program: Json, number: int) -> Iterator[Guess]:
    """What holds in all rows: equations of degree two, and comparisons of two variables."""
    [loop] = (loop for loop in program["loops"] if loop["loop"] == number)
    names = loop["variables"]
    for guess in (*_equations(rows, names), *_comparisons(names)):
        if all(guess[1](row) for row in rows):
            yield guess


def _comparisons(names: Sequence[str]) -> Iterator[Guess]:
    for name in names:
        yield f"{name} >= 0", _says(name, 1, "", 0)
        for other in names:
            if other != name:
                yield f"{name} <= {other}", _says(name, 1, other, 0)
                yield f"{name} <= {other} + 1", _says(name, 1, other, 1)
                yield f"{name}^2 <= {other}", _says(name, 2, other, 0)


def _says(name: str, power: int, other: str, more: int) -> Callable[[Row], bool]:
    """`name^power <= other + more`; without another variable it is `name >= more`."""
    return lambda row: row[name] ** power <= row[other] + more if other else row[name] >= more


def _equations(rows: Sequence[Row], names: Sequence[str]) -> Iterator[Guess]:
    """Polynomials of degree two that are zero in all rows: the null space of the monomials' values."""
    monomials = [(), *((name,) for name in names), *combinations_with_replacement(names, 2)]
    pivots: dict[int, list[Fraction]] = {}
    for row in rows:
        vector = [prod((row[name] for name in monomial), start=Fraction(1)) for monomial in monomials]
        for column, pivot in pivots.items():
            vector = [a - vector[column] * b for a, b in zip(vector, pivot, strict=True)]
        lead = next((column for column, value in enumerate(vector) if value), None)
        if lead is not None:
            vector = [value / vector[lead] for value in vector]
            pivots = {key: _without(old, lead, vector) for key, old in pivots.items()} | {lead: vector}
    for free in range(len(monomials)):
        if free not in pivots:
            terms = {column: -pivot[free] for column, pivot in pivots.items() if pivot[free]} | {free: Fraction(1)}
            yield _equation({monomials[column]: value for column, value in terms.items()})


def _without(row: list[Fraction], lead: int, vector: list[Fraction]) -> list[Fraction]:
    return [a - row[lead] * b for a, b in zip(row, vector, strict=True)]


def _equation(terms: dict[tuple[str, ...], Fraction]) -> Guess:
    scale = lcm(*(value.denominator for value in terms.values()))
    whole = {monomial: int(value * scale) for monomial, value in terms.items()}
    text = " + ".join(f"{value}*{'*'.join(monomial)}" if monomial else str(value) for monomial, value in whole.items())
    return (
        f"{text} = 0",
        lambda row: not sum(value * prod((row[name] for name in monomial), start=Fraction(1)) for monomial, value in whole.items()),
    )
