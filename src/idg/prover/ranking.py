"""Linear ranking functions of turns, by Farkas' lemma: what falls in every turn, as a solution of linear inequalities.

A turn is a set of linear inequalities over unknowns, with what each variable is before and after it. That c·x falls by 1 or more
whenever the inequalities hold means that some combination of them with non-negative factors is c·x − c·x' − 1; so c and the factors
are the solutions of linear equations, which z3 solves with exact fractions. Several functions are sought one after the other: each
falls in some of the turns that are left, rises in none of them, and is at least 0 before those in which it falls.

No stage of the prover uses this: it is here for agents, because the prover is the only package that imports z3. It is a source of
ideas; what comes from here must be proposed and proved like any other guess.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from math import ceil, lcm
from typing import Any, NamedTuple

RLIMIT = 200_000
"""z3's resource count for one function."""
BACKSTOP_MS = 5_000
"""Milliseconds for one function. The resource count should end it long before."""
SIZES = (1, 4, 1_000)
"""Bounds on the coefficients that are tried, the smallest first, because simple measures are easier to read and to prove."""
LENGTH_MAX = 4
"""Functions that are sought one after the other."""
NESTED_MAX = 3
"""Functions that are sought together, each of which falls when the one before it is used up."""
ONE = ""
"""The name under which a linear form has its constant."""

Linear = Mapping[str, Fraction]
"""A linear form: names of unknowns with their coefficients, and the constant under ONE."""


class LinearTurn(NamedTuple):
    """One way through the body of a loop."""

    known: Sequence[Linear]
    """What is at least 0 in it."""
    before: Mapping[str, Linear]
    """What each variable is before it, and after it."""
    after: Mapping[str, Linear]


class RankingFunction(NamedTuple):
    """A whole combination of variables that rises in no turn that was left and falls in some of them."""

    factors: Mapping[str, int]
    """Variables with their coefficients, none of which is 0."""
    constant: int
    is_bounded: bool
    """Whether it is at least 0 before every turn that was left, and not only before those in which it falls."""


def ranking_functions(turns: Sequence[LinearTurn], variables: Sequence[str]) -> list[RankingFunction]:
    """Functions of which one after the other falls until no turn is left; none where that was not achieved."""
    left = list(turns)
    functions: list[RankingFunction] = []
    while left and len(functions) < LENGTH_MAX:
        step = _step(left, variables)
        if step is None:
            return []
        functions.append(step[0])
        left = step[1]
    return [] if left else functions


def _step(left: Sequence[LinearTurn], variables: Sequence[str]) -> tuple[RankingFunction, list[LinearTurn]] | None:
    """The next function, and the turns that it leaves."""
    for size in SIZES:
        for first in range(len(left)):
            system = _System(left, variables, size)
            system.require_fall(first)
            if not system.is_solvable():
                continue
            fallen = {first}
            fallen |= {other for other in range(len(left)) if other != first and system.can(system.require_fall, other)}
            others = [index for index in range(len(left)) if index not in fallen]
            is_bounded = all(system.can(system.require_bound, index) for index in others)
            return system.functions([is_bounded])[0], [turn for index, turn in enumerate(left) if index not in fallen]
    return None


def nested_functions(turns: Sequence[LinearTurn], variables: Sequence[str]) -> list[RankingFunction]:
    """Functions f, g, … of which the first falls in every turn, each of the others in every turn before which the one before it is
    negative or 0, and the last is at least 0 before every turn: so they fall in phases. None where there are no such functions.

    These are the nested ranking functions of Leike and Heizmann: g falls by at least 1 - f, which is a linear requirement.
    """
    for depth in range(2, NESTED_MAX + 1):
        for size in SIZES:
            system = _NestedSystem(turns, variables, size, depth)
            if system.is_solvable():
                return system.functions([False] * depth)
    return []


class _Forms:
    """Sought functions as linear forms whose factors are unknown, and requirements on them."""

    def __init__(self, turns: Sequence[LinearTurn], variables: Sequence[str], size: int, count: int) -> None:
        import z3  # Imported here, because few programs need it.

        self.z3: Any = z3
        self.context: Any = z3.Context()
        self.solver: Any = z3.SolverFor("QF_LRA", ctx=self.context)
        self.solver.set("timeout", BACKSTOP_MS)
        self.solver.set("rlimit", RLIMIT)
        self.solver.set("ctrl_c", False)  # Python hears of it; z3 would take it for itself.
        self.turns = turns
        self.sought = [
            {name: z3.Real(f"c{place}_{index}", self.context) for index, name in enumerate(variables)} for place in range(count)
        ]
        self.constants = [z3.Real(f"c{place}", self.context) for place in range(count)]
        self.made = 0
        for factors in self.sought:
            for factor in factors.values():
                self.solver.add(factor <= size, factor >= -size)

    def _value(self, side: Mapping[str, Linear], place: int = 0) -> dict[str, Any]:
        """The function of these values without its constant: for each unknown a sum of the sought factors."""
        total: dict[str, Any] = {}
        for name, factor in self.sought[place].items():
            for unknown, value in side[name].items():
                term = factor * self._number(value)
                total[unknown] = total[unknown] + term if unknown in total else term
        return total

    def _number(self, value: Fraction) -> Any:
        return self.z3.RealVal(f"{value.numerator}/{value.denominator}", self.context)

    def _fall(self, index: int, place: int = 0) -> dict[str, Any]:
        """How much the function falls in a turn."""
        before, after = self._value(self.turns[index].before, place), self._value(self.turns[index].after, place)
        zero = self._number(Fraction(0))
        return {unknown: before.get(unknown, zero) - after.get(unknown, zero) for unknown in dict.fromkeys((*before, *after))}

    def _require(self, index: int, form: Mapping[str, Any], least: Fraction) -> None:
        """The form is at least this in the turn: it is a combination of what is known there, and of something not negative."""
        known = self.turns[index].known
        self.made += 1
        weights = [self.z3.Real(f"w{self.made}_{position}", self.context) for position in range(len(known))]
        self.solver.add(*(weight >= 0 for weight in weights))
        combined: dict[str, Any] = {}
        for weight, part in zip(weights, known, strict=True):
            for unknown, value in part.items():
                term = weight * self._number(value)
                combined[unknown] = combined[unknown] + term if unknown in combined else term
        zero = self._number(Fraction(0))
        for unknown in dict.fromkeys((ONE, *form, *combined)):
            left, right = form.get(unknown, zero), combined.get(unknown, zero)
            self.solver.add(left - self._number(least) >= right if unknown == ONE else left == right)

    def require_bound(self, index: int, place: int = 0) -> None:
        """The function is at least 0 before the turn."""
        self._require(index, self._with_constant(index, place), Fraction(0))

    def _with_constant(self, index: int, place: int) -> dict[str, Any]:
        """The function before the turn."""
        value, constant = self._value(self.turns[index].before, place), self.constants[place]
        return {**value, ONE: value[ONE] + constant if ONE in value else constant}

    def is_solvable(self) -> bool:
        return bool(self.solver.check() == self.z3.sat)

    def functions(self, bounded: Sequence[bool]) -> list[RankingFunction]:
        """The functions that were found, with whole factors; all are scaled alike."""
        self.solver.check()
        model = self.solver.model()
        values = [
            {name: model.eval(factor, model_completion=True).as_fraction() for name, factor in factors.items()}
            for factors in self.sought
        ]
        constants = [model.eval(constant, model_completion=True).as_fraction() for constant in self.constants]
        scale = lcm(1, *(value.denominator for own in values for value in own.values()))
        return [
            RankingFunction({name: int(value * scale) for name, value in own.items() if value}, ceil(constant * scale), is_bounded)
            for own, constant, is_bounded in zip(values, constants, bounded, strict=True)
        ]


class _System(_Forms):
    """The equations for one function that rises in no turn, to which requirements are added."""

    def __init__(self, turns: Sequence[LinearTurn], variables: Sequence[str], size: int) -> None:
        super().__init__(turns, variables, size, 1)
        for index in range(len(turns)):
            self._require(index, self._fall(index), Fraction(0))

    def require_fall(self, index: int) -> None:
        """The function falls by 1 or more in the turn, and is at least 0 before it."""
        self._require(index, self._fall(index), Fraction(1))
        self.require_bound(index)

    def can(self, require: Callable[[int], None], index: int) -> bool:
        """Whether this can be required of a turn, too; if so, it is."""
        self.solver.push()
        require(index)
        if self.is_solvable():
            return True
        self.solver.pop()
        return False


class _NestedSystem(_Forms):
    """The equations for functions that fall in phases."""

    def __init__(self, turns: Sequence[LinearTurn], variables: Sequence[str], size: int, depth: int) -> None:
        super().__init__(turns, variables, size, depth)
        for index in range(len(turns)):
            for place in range(depth):
                fall = self._fall(index, place)
                if place:
                    earlier = self._with_constant(index, place - 1)
                    zero = self._number(Fraction(0))
                    fall = {name: fall.get(name, zero) + earlier.get(name, zero) for name in dict.fromkeys((*fall, *earlier))}
                self._require(index, fall, Fraction(1))
            self.require_bound(index, depth - 1)
