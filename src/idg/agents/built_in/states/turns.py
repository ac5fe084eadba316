"""Single turns of a loop from states that need not be reached: they show, without a solver, that a candidate is not kept.

A near state is a reached state in which some of the variables that the loop changes have other values. The variables that the loop
does not change keep theirs, so what the code before the loop says about those stays true. A turn from a near state counts as a
counterexample exactly where the state before it satisfies everything that is claimed.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

from idg.agents.built_in.states.loop_view import LoopView, numbers
from idg.sip.limits import RunLimits
from idg.sip.running.restarted import GOING, turn_program
from idg.sip.running.runner import Row
from idg.sip.syntax import Expr, Type
from idg.sip.trees.traverse import node_count
from idg.sip.values import Scalar, Value, cells, scalar

NEAR_STATES_MAX = 260
"""Near states of a loop, reached ones included. Every one costs the run of a turn, and every candidate is evaluated on all of
them."""
REACHED_MAX = 80
"""Reached states among them."""
EQUALS_MAX = 2
"""Claims that are kept although they are false in the same near states as shorter ones: they may differ elsewhere."""
TURN_LIMITS = RunLimits(steps_max=400, rows_max=400, choice_tries_max=200)
"""Limits of one turn. Few turns take longer, unless there is a loop in them."""
CHOICE_SEEDS = 3
"""Turns from each near state where the loop makes choices."""
EDGES_MAX = 12
"""Values at which the program is likely to behave differently: numbers of the text and their neighbours."""
FAR = 10**7
"""A value beyond those that the usual runs reach."""
SHIFTS = (-1, 1, -2, 2, -7, 12, -40, 100)
"""What is added to a value to get a near one: neighbours, and a few larger steps of both signs and parities."""
SHIFTED_BELOW, COPIED_BELOW = 0.45, 0.8
"""A changed value is shifted with the first probability; up to the second it is that of another variable, or its neighbour;
otherwise it is one of SPREAD."""
EXCHANGED_BELOW = 0.4
"""The probability with which a change of an array exchanges two of its cells; otherwise it changes one cell."""
SPREAD = (0, 1, -1, 2, -2, 3, -5, 17, -33, 1000)
"""Values of all sizes that do not depend on the state."""


class Turns:
    """Pairs of states before and after one turn of the loop."""

    def __init__(self, view: LoopView, seed: int) -> None:
        self.view = view
        self.before: list[Row] = []
        self.after: list[Row] = []
        self.near: list[Row] = []
        """All near states, also those from which there is no turn."""
        program = turn_program(view.program, view.loop)
        if program is None or not view.rows:
            return
        columns = len(view.loop.columns)
        seeds = CHOICE_SEEDS if program.level.name in program.info.choosing else 1
        for row in self._near_states(random.Random(seed)):
            self.near.append(row)
            inputs: dict[str, Value] = dict(zip(program.params, row, strict=False))
            inputs[GOING] = True
            for choice in range(seeds):
                run = program.run(inputs, limits=TURN_LIMITS, seed=choice)
                table = run.level_traces[0].rows
                if len(table) == 2:
                    self.before.append(row)
                    self.after.append(table[1][:columns] + row[columns:])

    def _near_states(self, pick: random.Random) -> Iterator[Row]:
        view = self.view
        changing = [column for column, name in enumerate(view.loop.columns) if name in view.changing]
        types = [view.types[name] for name in view.names]
        seen: set[Row] = set()
        half = REACHED_MAX // 2
        chosen = view.rows if len(view.rows) <= REACHED_MAX else [*view.rows[:half], *pick.sample(view.rows[half:], half)]
        # The largest numbers of the text come first, because the smaller ones are likely to be met anyway.
        around = [near for number in reversed(numbers(view.program)) for near in (number, number + 1, number - 1)]
        edges = list(dict.fromkeys((-1, 0, FAR, *around)))[:EDGES_MAX]
        for row in (*chosen, *self._at_edges(chosen[:: max(1, len(chosen) // 2)], changing, types, edges)):
            if row not in seen:
                yield row
            seen.add(row)
        for _ in range(3 * NEAR_STATES_MAX):
            if len(seen) >= NEAR_STATES_MAX or not changing:
                return
            values = list(pick.choice(chosen))
            for column in pick.sample(changing, min(len(changing), pick.choice((1, 1, 2, 3)))):
                values[column] = _other_value(values, column, types, pick)
            near = tuple(values)
            if near not in seen:
                seen.add(near)
                yield near

    def _at_edges(self, rows: Sequence[Row], changing: Sequence[int], types: Sequence[Type], edges: Sequence[int]) -> Iterator[Row]:
        """A few reached states with one number replaced by each of the edges."""
        for column in changing:
            for value in edges if types[column] is not Type.BOOL and not types[column].element else ():
                if value >= 0 or types[column] is not Type.NAT:
                    yield from ((*row[:column], value, *row[column + 1 :]) for row in rows)

    def sifted(self, claims: Sequence[Expr], known: Sequence[Expr]) -> tuple[list[bool], list[bool]]:
        """For each claim whether it survives, and whether it tells something.

        A claim survives if it is not false after any turn from a state in which all surviving claims and the known facts hold. It
        tells something if it is false in some near state, and not only where a known fact or a shorter claim is false, too.
        """
        if not self.near:
            return [True] * len(claims), [True] * len(claims)
        start_masks = self.view.masks([*claims, *known], self.before)
        end_masks = self.view.masks(claims, self.after, perhaps=True)
        known_hold = (1 << len(self.before)) - 1
        for mask in start_masks[len(claims) :]:
            known_hold &= mask
        telling = self._telling(claims, known)
        left = list(range(len(claims)))
        while True:
            all_hold = known_hold
            for claim in left:
                all_hold &= start_masks[claim]
            broken = {claim for claim in left if all_hold & ~end_masks[claim]}
            if not broken:
                kept = set(left)
                return [claim in kept for claim in range(len(claims))], telling
            left = [claim for claim in left if claim not in broken]

    def _telling(self, claims: Sequence[Expr], known: Sequence[Expr]) -> list[bool]:
        masks = self.view.masks([*claims, *known], self.near)
        everything = (1 << len(self.near)) - 1
        times_seen = dict.fromkeys([everything, *masks[len(claims) :]], EQUALS_MAX)
        telling = [False] * len(claims)
        for index in sorted(range(len(claims)), key=lambda index: node_count(claims[index])):
            times_seen[masks[index]] = times_seen.get(masks[index], 0) + 1
            telling[index] = times_seen[masks[index]] <= EQUALS_MAX
        return telling


def _other_value(row: Sequence[Value], column: int, types: Sequence[Type], pick: random.Random) -> Value:
    """Another value for the column, of its type; an array keeps its length."""
    element = types[column].element
    if element is not None:
        return other_cells(cells(row[column]), element, pick)
    if types[column] is Type.BOOL:
        return not row[column]
    way = pick.random()
    value: Scalar
    if way < SHIFTED_BELOW:
        value = scalar(row[column]) + pick.choice(SHIFTS)
    elif way < COPIED_BELOW:
        others = [other for other in row if not isinstance(other, bool | tuple) and other.denominator == 1]
        others += [len(other) for other in row if isinstance(other, tuple)]
        value = pick.choice(others) + pick.choice((-1, 0, 0, 1)) if others else 0
    else:
        value = pick.choice(SPREAD)
    if types[column] is not Type.RAT and value.denominator != 1:
        value = int(value)
    return -value if types[column] is Type.NAT and value < 0 else value


def other_cells(array: tuple[Scalar, ...], element: Type, pick: random.Random) -> tuple[Scalar, ...]:
    """The array with two cells exchanged, or with one cell that is like another one, or like the neighbour of one."""
    changed = list(array)
    if len(array) > 1 and pick.random() < EXCHANGED_BELOW:
        one, other = pick.sample(range(len(array)), 2)
        changed[one], changed[other] = array[other], array[one]
    elif array:
        place, like = pick.randrange(len(array)), pick.choice(array)
        near = not like if element is Type.BOOL else like + pick.choice((-1, 0, 0, 1))
        changed[place] = 0 if element is Type.NAT and near < 0 else near
    return tuple(changed)
