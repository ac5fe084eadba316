"""The ideas about arrays at one loop: ranges of cells with what holds of each, and instances of the contract."""

from __future__ import annotations

import itertools
import operator
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from fractions import Fraction
from functools import cached_property

from idg.agents.built_in.candidates import Idea
from idg.agents.built_in.ideas import text
from idg.agents.built_in.ideas.arrays import sums
from idg.agents.built_in.ideas.arrays.bodies import Bodies, Body, bound_names, said_of_all
from idg.agents.built_in.ideas.arrays.borders import Borders, CellRange
from idg.agents.built_in.ideas.arrays.fitted import fitted_cells
from idg.agents.built_in.ideas.arrays.ranges import (
    CellTruth,
    PairTruth,
    largest_pairs,
    largest_ranges,
    nearly_sorted_ranges,
    sorted_ranges,
)
from idg.agents.built_in.states.loop_view import LoopView
from idg.sip.program import Program
from idg.sip.syntax import (
    Assert,
    Assign,
    Binary,
    Boolean,
    Call,
    Claim,
    Compare,
    Expr,
    Index,
    Name,
    Number,
    Old,
    Quantified,
    Type,
    Unary,
    Var,
)
from idg.sip.text.printer import print_expression
from idg.sip.trees.build import compare, literal, map_operands, substitute
from idg.sip.trees.logic import TRUE, both, either, implies, separate_claims
from idg.sip.trees.traverse import assigned, expressions, function_expressions, names, statements

WITNESSES_MAX = 2
"""Quantifiers `exists` around each other for which counters are tried."""
STARTS_MAX = 1
"""The largest number at which a counter is supposed to start that may be beyond its limit from the first."""
COMPARED: dict[str, Callable[[int | Fraction, int | Fraction], bool]] = {
    "=": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
}  # fmt: skip


class ArrayIdeas:
    """What can be thought of about the arrays that are seen at one loop."""

    def __init__(self, program: Program, view: LoopView, goals: Sequence[Expr]) -> None:
        """`goals`: what must hold where the loops end."""
        self.program = program
        self.view = view
        plain = [claim for goal in goals for claim in separate_claims(decided(goal))]
        self.goals = list(dict.fromkeys([*plain, *(part for claim in plain for part in self._witnessed(claim))]))
        pres = [part for pre in program.level.pres for part in separate_claims(pre)]
        written = assigned(program.level)
        self.said = list(dict.fromkeys([*self.goals, *pres, *_asserted(program)]))
        """Everything that the program says about its arrays, including those that it never writes."""
        # Statements about arrays that the program never writes stay true by themselves.
        self.claims = [*self.goals, *(pre for pre in pres if names(pre) & written)]
        self.names = bound_names(program, self.claims)
        self.bodies = Bodies(program, view, self.claims)
        self._held: dict[Expr, list[CellRange]] = {}
        self._seen: set[Hashable] = set()

    @cached_property
    def borders(self) -> Borders:
        return Borders(self.view)

    def _witnessed(self, claim: Expr) -> Iterator[Expr]:
        """For a claim that cells with some property exist: the property, stated for the cells at which counters stand."""
        variables: list[str] = []
        body = claim
        while isinstance(body, Quantified) and body.word == "exists":
            variables.append(body.variable.name)
            body = body.body
        if not 1 <= len(variables) <= WITNESSES_MAX:
            return
        for chosen in itertools.permutations(self.view.counters, len(variables)):
            yield from separate_claims(substitute(body, {name: Name(one) for name, one in zip(variables, chosen, strict=True)}))

    def from_contract(self) -> Iterator[Idea]:
        """The guarantee about the cells that were looked at so far, and what is kept or assigned on the way."""
        for claim in self.goals:
            if not any(isinstance(part, Quantified) for part in expressions(claim)):
                yield claim, "the guarantee, about cells of counters"
        yield from self._kept()
        for general in text.generalised(self.view, self.goals):
            yield general, "the guarantee, a limit replaced by the variable that runs to it"
        yield from self._limits()
        yield from self._ranges((*self.bodies.of_claims(), *self.bodies.of_assignments(), *self.bodies.frames()))
        yield from self._sorted()
        yield from sums.equations(self.borders, self.said)

    def _kept(self) -> Iterator[Idea]:
        """What may hold from the beginning to the end: posts about whole arrays, and cells that variables were given.

        After a loop, cells may be written once more. Then what must hold where the loop ends is no such post.
        """
        for post in (part for whole in self.program.level.posts for part in separate_claims(whole)):
            if any(isinstance(part, Call) and part.function == "permutation" for part in expressions(post)):
                yield post, "a post about a whole array"
        written = assigned(self.program.level)
        for target, value in _assignments(self.program):
            arrays = {part.array.name for part in expressions(value) if isinstance(part, Index) and isinstance(part.array, Name)}
            if arrays and self.view.can_say(both(compare(target, "=", target), compare(value, "=", value))):
                yield compare(target, "=", value), "a cell that a variable was given"
                if arrays <= written & self.program.params.keys():
                    yield compare(target, "=", _of_entry(value)), "a cell that a variable was given, as it was at first"

    def _sorted(self) -> Iterator[Idea]:
        """Ranges whose cells are in order."""
        for name in self._orderable:
            for part in sorted_ranges(self.borders, name):
                yield Call("sorted", (Name(name), *self.borders.bounds(part))), "cells that are in order"

    def _nearly_sorted(self) -> Iterator[Idea]:
        """Ranges whose cells are in order except for the cell at a counter, which is being moved to its place."""
        first, second = map(Name, self.names[:2])
        for name, counter, later in itertools.product(self._orderable, self.view.counters, (True, False)):
            if counter not in self.view.changing:
                continue
            for part in nearly_sorted_ranges(self.borders, name, counter, later=later):
                low, high = self.borders.bounds(part)
                in_order = compare(Index(Name(name), first), "<=", Index(Name(name), second))
                excused = either(compare(second if later else first, "=", Name(counter)), in_order)
                inner = Quantified("forall", second, first, high, excused)
                yield Quantified("forall", first, low, high, inner), "cells that are in order, but for that of a counter"

    @property
    def _orderable(self) -> list[str]:
        """The arrays of numbers that change, if the program has to do with an order."""
        if not self._asks_for_order:
            return []
        view = self.view
        changing = [name for name in view.arrays if name in view.changing and name in view.loop.columns]
        return [name for name in changing if view.types[name].element is not Type.BOOL]

    def from_sums(self) -> Iterator[Idea]:
        """Sums and counts of the contract, compared up to a counter."""
        yield from sums.comparisons(self.view, self.said)
        yield from sums.passed(self.view, self.goals)

    def from_tests(self) -> Iterator[Idea]:
        """Comparisons of cells in the text, said of all cells of a range."""
        yield from self._ranges(self.bodies.of_tests())

    def from_fits(self) -> Iterator[Idea]:
        """Equations of the cells of a range, which need not stand anywhere in the text."""
        cell = self.bodies.cell.name
        for part, equation in fitted_cells(self.borders, cell):
            low, high = map(print_expression, self.borders.bounds(part))
            yield f"forall {cell} in {low}..{high}: {equation}", "an equation of the cells seen"

    def from_pairs(self) -> Iterator[Idea]:
        """Conditions on pairs of cells: for all pairs from two ranges, and for the cell at a counter with every cell of a range."""
        yield from self._pairs()
        yield from self._nearly_sorted()
        yield from self._ranges(self.bodies.of_pairs())

    def _limits(self) -> Iterator[Idea]:
        """Facts that say that a counter is at most its limit, or still where it started."""
        for claim in separate_claims(self.view.loop.statement.test):
            if isinstance(claim, Compare) and claim.ops == ("<",) and isinstance(claim.operands[0], Name):
                for start in range(STARTS_MAX + 1):
                    limit = Call("max", (claim.operands[1], Number(start)))
                    yield compare(claim.operands[0], "<=", limit), "a counter is at most its limit, or where it started"

    def _ranges(self, bodies: Iterable[Body]) -> Iterator[Idea]:
        """The largest ranges for which each body holds."""
        for body in self.bodies.sayable(bodies):
            truth = CellTruth(self.borders, body, self.bodies.cell.name)
            if truth.key in self._seen:
                continue
            self._seen.add(truth.key)
            largest = self._held[body.expr] = largest_ranges(self.borders, truth)
            stronger = [part for expr in body.follows_from for part in self._held.get(expr, ())]
            for part in largest:
                if not any(self.borders.contains(other, part) for other in stronger):
                    yield self._forall(body, self.bodies.cell, part), body.source

    def _forall(self, body: Body, cell: Name, part: CellRange) -> Expr:
        claim = Quantified("forall", cell, *self.borders.bounds(part), body.expr)
        return claim if body.guard is None else implies(body.guard, claim)

    def _pairs(self) -> Iterator[Idea]:
        """The contract's conditions on pairs of cells, and the condition that two cells are in order, for all pairs from two
        ranges."""
        first, second = map(Name, self.names[:2])
        seen: set[Expr] = set()
        for expr, source in self._about_pairs(first, second):
            visible = {*self.view.loop.columns, first.name, second.name}
            if expr in seen or not names(expr) <= visible:
                continue
            seen.add(expr)
            one_array = len({part.array for part in expressions(expr) if isinstance(part, Index)}) == 1
            in_order = self._in_order(expr)
            for one, two in largest_pairs(self.borders, PairTruth(self.borders, expr, first.name, second.name), one_array):
                if any(self.borders.contains(whole, one) and self.borders.contains(whole, two) for whole in in_order):
                    continue  # A fact that says that the whole range is in order is stronger.
                inner = Quantified("forall", second, *self.borders.bounds(two), expr)
                yield Quantified("forall", first, *self.borders.bounds(one), inner), source

    def _in_order(self, expr: Expr) -> list[CellRange]:
        """If the condition says that two cells of one array are in order: the ranges that are in order as a whole."""
        match expr:
            case Compare((Index(Name(one)), Index(Name(two))), ("<=",)) if one == two and one in self._orderable:
                return sorted_ranges(self.borders, one)
        return []

    def _about_pairs(self, first: Name, second: Name) -> Iterator[tuple[Expr, str]]:
        for claim in self.claims:
            for _, part in said_of_all(claim):
                if isinstance(part.body, Quantified) and part.body.word == "forall":
                    both = {part.variable.name: first, part.body.variable.name: second}
                    yield substitute(part.body.body, both), "the contract, about cells of two ranges"
        if self._asks_for_order:
            arrays = [name for name in self.view.arrays if name in self.view.loop.columns]
            for one in arrays:
                for two in arrays:
                    if {one, two} & self.view.changing:
                        yield compare(Index(Name(one), first), "<=", Index(Name(two), second)), "cells that are at most others"

    @cached_property
    def _asks_for_order(self) -> bool:
        """Whether the program compares one cell with another one, or asks for an order."""
        comparisons = [part for whole in (*self.claims, *function_expressions(self.program.level)) for part in expressions(whole)]
        return any(
            (isinstance(part, Compare) and sum(isinstance(inner, Index) for inner in expressions(part)) > 1)
            or (isinstance(part, Call) and part.function == "sorted")
            for part in comparisons
        )


def _assignments(program: Program) -> Iterator[tuple[Name, Expr]]:
    for statement in statements(program.level.body):
        match statement:
            case Assign(target, value):
                yield target, value
            case Var((target,), _, value) if value is not None:
                yield target, value


def _of_entry(value: Expr) -> Expr:
    """The value with cells as they were when the program started."""
    match value:
        case Index(Name(array), index):
            return Index(Old(array), _of_entry(index))
        case _:
            return map_operands(value, _of_entry)


def _asserted(program: Program) -> Iterator[Expr]:
    for statement in statements(program.level.body):
        if isinstance(statement, Assert | Claim):
            yield from separate_claims(statement.condition)


def decided(claim: Expr) -> Expr:
    """The claim without conditions that are plainly true or false, such as -1 < 0 after `return -1`."""
    match claim:
        case Binary("->", condition, conclusion):
            known = _plain_truth(condition)
            return conclusion if known else TRUE if known is False else claim
        case Binary("&", left, right):
            return both(decided(left), decided(right))
    return claim


def _plain_truth(expr: Expr) -> bool | None:
    match expr:
        case Boolean(value):
            return value
        case Unary("!", Boolean(value)):
            return not value
        case Compare((left, right), (op,)):
            one, two = literal(left), literal(right)
            return None if one is None or two is None else COMPARED[op](one, two)
    return None
