"""All states of a loop that has few, as one fact: a program that chooses nothing and takes no inputs mostly has a single run.

Such a fact is exact. So it is inductive where the runs have reached every state, and then everything that holds follows from it.
"""

from __future__ import annotations

from collections.abc import Iterator

from idg.agents.built_in.states.loop_view import LoopView
from idg.sip.running.runner import Row
from idg.sip.text.printer import print_expression
from idg.sip.trees.build import number
from idg.sip.trees.traverse import undetermined
from idg.sip.values import Value, cells

STATES_MAX = 40
"""States of a program without inputs. Each becomes one alternative of the fact, and each alternative a case of its proof."""
STATES_OF_MANY_RUNS_MAX = 12
"""The same for a program with inputs or choices, whose runs seldom reach all states where there are more."""
CELLS_MAX = 8
"""Cells of an array that is part of the states. Each becomes an equation of each state."""


def few_states(view: LoopView, one_run: bool) -> Iterator[str]:
    """The disjunction of the states that were seen, where they are few; also without what has any value until it is assigned."""
    arrays = {name for name in view.arrays if all(len(cells(row[view.index[name]])) <= CELLS_MAX for row in view.rows)}
    varying = [name for name in view.loop.columns if len({row[view.index[name]] for row in view.rows}) > 1]
    columns = [name for name in varying if name in {*view.numeric, *view.booleans, *arrays}]
    determined = [name for name in columns if name not in undetermined(view.program.level)]
    most = STATES_MAX if one_run else STATES_OF_MANY_RUNS_MAX
    for kept in dict.fromkeys((tuple(columns), tuple(determined))):
        states = list(dict.fromkeys(tuple(row[view.index[name]] for name in kept) for row in view.rows))
        if kept and 1 < len(states) <= most:
            yield " | ".join(_state(kept, state) for state in states)


def _state(columns: tuple[str, ...], state: Row) -> str:
    return f"({' & '.join(part for name, value in zip(columns, state, strict=True) for part in _equations(name, value))})"


def _equations(name: str, value: Value) -> list[str]:
    if isinstance(value, tuple):
        return [f"len({name}) = {len(value)}", *(part for k, cell in enumerate(value) for part in _equations(f"{name}[{k}]", cell))]
    if isinstance(value, bool):
        return [name if value else f"!{name}"]
    return [f"{name} = {print_expression(number(value))}"]
