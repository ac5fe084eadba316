"""Single turns of a loop from states that need not be reached: what shows, without a solver, that a guess is not kept.

A near state is a reached one in which some of the variables that the loop changes have other values. Whatever the code before the
loop says about the rest stays true, so a turn from it counts exactly when it satisfies all that is claimed.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence

from idg.agents.built_in.states.loop_view import LoopView, numbers
from idg.sip.build import map_expressions, rewrite
from idg.sip.checking.analysis import check_module
from idg.sip.entry import entry_parameters
from idg.sip.limits import RunLimits
from idg.sip.program import Program
from idg.sip.running.runner import Row
from idg.sip.syntax import Assign, Binary, Block, Boolean, Expr, Function, Module, Name, Old, Param, Type, While
from idg.sip.text.printer import print_program
from idg.sip.traverse import called, size
from idg.sip.values import Value

NEAR_STATES_MAX = 260
REACHED_MAX = 80
"""Reached states among them."""
EQUALS_MAX = 2
"""Claims that are false in the same near states and are kept nevertheless: they may differ elsewhere."""
TURN_LIMITS = RunLimits(steps_max=400, rows_max=400, choice_tries_max=200)
CHOICE_SEEDS = 3
EDGES_MAX = 12
FAR = 10**7
SHIFTS = (-1, 1, -2, 2, -7, 12, -40, 100)
GOING = "one_turn_more"


class Turns:
    """Pairs of states before and after one turn of the loop."""

    def __init__(self, view: LoopView, seed: int) -> None:
        self.view = view
        self.before: list[Row] = []
        self.after: list[Row] = []
        self.near: list[Row] = []
        """All near states, also those from which there is no turn."""
        program = turn_program(view)
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
                table = run.traces[0].rows
                if len(table) == 2:
                    self.before.append(row)
                    self.after.append(table[1][:columns] + row[columns:])

    def _near_states(self, pick: random.Random) -> Iterator[Row]:
        view = self.view
        changing = [at for at, name in enumerate(view.loop.columns) if name in view.changing]
        kinds = [view.types[name] for name in view.names]
        seen: set[Row] = set()
        half = REACHED_MAX // 2
        chosen = view.rows if len(view.rows) <= REACHED_MAX else [*view.rows[:half], *pick.sample(view.rows[half:], half)]
        # The largest numbers of the text first: the smaller ones are likely to be met anyway.
        edges = [near for number in reversed(numbers(view.program)) for near in (number, number + 1, number - 1)]
        wanted = list(dict.fromkeys((-1, 0, FAR, *edges)))[:EDGES_MAX]
        for row in (*chosen, *self._at_edges(chosen[:: max(1, len(chosen) // 2)], changing, kinds, wanted)):
            if row not in seen:
                yield row
            seen.add(row)
        for _ in range(3 * NEAR_STATES_MAX):
            if len(seen) >= NEAR_STATES_MAX or not changing:
                return
            values = list(pick.choice(chosen))
            for at in pick.sample(changing, min(len(changing), pick.choice((1, 1, 2, 3)))):
                values[at] = _other(values, at, kinds, pick)
            found = tuple(values)
            if found not in seen:
                seen.add(found)
                yield found

    def _at_edges(self, rows: Sequence[Row], changing: Sequence[int], kinds: Sequence[Type], edges: Sequence[int]) -> Iterator[Row]:
        """A few reached states with one number replaced by those where something is likely to change."""
        for at in changing:
            for value in edges if kinds[at] is not Type.BOOL else ():
                if value >= 0 or kinds[at] is not Type.NAT:
                    yield from ((*row[:at], value, *row[at + 1 :]) for row in rows)

    def sifted(self, claims: Sequence[Expr], known: Sequence[Expr]) -> tuple[list[bool], list[bool]]:
        """Which claims survive: not false after any turn from a state in which all that survive and the known ones hold.

        And which tell something: are false in some near state, and not just where a known one or a shorter claim is.
        """
        if not self.near:
            return [True] * len(claims), [True] * len(claims)
        start = self.view.masks([*claims, *known], self.before)
        end = self.view.masks(claims, self.after, perhaps=True)
        alive = (1 << len(self.before)) - 1
        for mask in start[len(claims) :]:
            alive &= mask
        telling = self._telling(claims, known)
        left = list(range(len(claims)))
        while True:
            here = alive
            for at in left:
                here &= start[at]
            broken = {at for at in left if here & ~end[at]}
            if not broken:
                kept = set(left)
                return [at in kept for at in range(len(claims))], telling
            left = [at for at in left if at not in broken]

    def _telling(self, claims: Sequence[Expr], known: Sequence[Expr]) -> list[bool]:
        masks = self.view.masks([*claims, *known], self.near)
        everything = (1 << len(self.near)) - 1
        taken = dict.fromkeys([everything, *masks[len(claims) :]], EQUALS_MAX)
        telling = [False] * len(claims)
        for at in sorted(range(len(claims)), key=lambda at: size(claims[at])):
            taken[masks[at]] = taken.get(masks[at], 0) + 1
            telling[at] = taken[masks[at]] <= EQUALS_MAX
        return telling


def _other(row: Sequence[Value], at: int, kinds: Sequence[Type], pick: random.Random) -> Value:
    if kinds[at] is Type.BOOL:
        return not row[at]
    way = pick.random()
    value: Value
    if way < 0.45:
        value = row[at] + pick.choice(SHIFTS)
    elif way < 0.8:
        others = [each for each, kind in zip(row, kinds, strict=True) if kind is not Type.BOOL and each.denominator == 1]
        value = pick.choice(others) + pick.choice((-1, 0, 0, 1)) if others else 0
    else:
        value = pick.choice((0, 1, -1, 2, -2, 3, -5, 17, -33, 1000))
    if kinds[at] is not Type.RAT and value.denominator != 1:
        value = int(value)
    return -value if kinds[at] is Type.NAT and value < 0 else value


def turn_program(view: LoopView) -> Program | None:
    """A program of its own whose level is one turn of the loop, started anywhere. None where that cannot be said in SIP."""
    level = view.program.level
    variables = view.program.info.level.variables
    entries = entry_parameters(view.assigned_params)
    if "result" in view.loop.columns or level.name in called(level) or variables.keys() & {GOING, *entries.values()}:
        return None
    params = [Param(name, variables[name]) for name in view.loop.columns]
    params += (Param(entry, variables[name]) for name, entry in entries.items())
    loop = view.loop.statement
    once = Block((Assign(Name(GOING), Boolean(False)), *loop.body.statements))
    body = Block((While(None, Binary("&", Name(GOING), loop.test), once),))
    module = Module(
        (
            *view.program.module.functions[:-1],
            Function(level.name, (*params, Param(GOING, Type.BOOL)), None, (), (), without_old(body, entries)),
        )
    )
    info, problems = check_module(module)
    return None if problems else Program(print_program(module), info)


def without_old(block: Block, entries: Mapping[str, str]) -> Block:
    """Old values become parameters of their own."""
    return map_expressions(block, lambda expr: rewrite(expr, lambda leaf: entry_of(leaf, entries)))


def entry_of(leaf: Name | Old, entries: Mapping[str, str]) -> Expr:
    return Name(entries.get(leaf.name, leaf.name)) if isinstance(leaf, Old) else leaf
