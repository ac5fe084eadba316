"""Entry values: what parameters hold when the program starts. In a tree this is `Old("n")`, and people read and write `old(n)`.

A state at a loop head is a row of values: first those of the variables that are visible there, then the entry values of the
parameters that the program assigns. A parameter that is never assigned keeps its entry value, so that it needs no second column.
The columns of such a row are called `n` and `old(n)`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from idg.sip.syntax import Name, Old
from idg.sip.values import Value

_START, _END = "old(", ")"


def entry_column(param: str) -> str:
    """What the column of the parameter's entry value is called."""
    return f"{_START}{param}{_END}"


def is_entry_column(column: str) -> bool:
    return column.startswith(_START)


def column_leaf(column: str) -> Name | Old:
    """What the column holds, as an expression."""
    return Old(column[len(_START) : -len(_END)]) if is_entry_column(column) else Name(column)


def inputs_told(state: Mapping[str, Value], params: Iterable[str]) -> dict[str, Value]:
    """The inputs of the run that leads to a state, as far as its columns tell them."""
    values = {param: state.get(entry_column(param), state.get(param)) for param in params}
    return {param: value for param, value in values.items() if value is not None}


def entry_parameters(params: Iterable[str]) -> dict[str, str]:
    """For a program that starts in the middle of another one: the parameter that stands for each entry value there.

    The caller must see to it that the other program has no variables of these names.
    """
    return {param: f"{param}_at_entry" for param in params}
