"""What may hold of every cell of a range: bodies of quantifiers, from contract, tests and assignments of the program."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property

from idg.agents.built_in.states.loop_view import LoopView
from idg.sip.program import Program
from idg.sip.record import Record
from idg.sip.syntax import Binary, Block, Compare, Expr, If, Index, Name, Number, Old, Quantified, SetCell, While
from idg.sip.trees.build import ONE, arithmetic, compare, replace_part, substitute
from idg.sip.trees.entry import column_leaf
from idg.sip.trees.logic import conjoin, implies, negate
from idg.sip.trees.traverse import expressions, function_expressions, links, names

BODIES_MAX = 60
"""Bodies of one loop. Each is evaluated for every cell of every state seen."""
BOUND_NAMES = ("k", "p", "q", "r", "s", "t", "k1", "p1", "q1")
"""Names over which the quantifiers of candidates range, where the function has no such variables."""
OPS = ("=", "<", ">", "<=", ">=", "!=")
"""Comparisons that are tried between a cell and what it is compared with somewhere, the strongest first."""
EQUALITIES = ("=", "!=")
"""The same where the program only asks whether they are equal."""
WEAKER = {"=": ("<=", ">="), "<": ("<=", "!="), ">": (">=", "!=")}
"""What follows from a comparison."""


class Body(Record):
    """A condition on the cell whose number is the bound name."""

    expr: Expr
    source: str
    """Where it comes from, in a few words."""
    guard: Expr | None = None
    """The body is claimed only in states in which this holds."""
    follows_from: tuple[Expr, ...] = ()
    """Conditions on the same cell that imply it."""


def bound_names(program: Program, claims: Sequence[Expr]) -> list[str]:
    """Names for quantifiers that stand for nothing else in the level, nor for a quantifier inside of another one of the claims."""
    taken = {*program.info.level.variables, *program.info.functions}
    for claim in claims:
        for part in expressions(claim):
            if isinstance(part, Quantified):
                taken |= {inner.variable.name for inner in expressions(part.body) if isinstance(inner, Quantified)}
    return [name for name in BOUND_NAMES if name not in taken]


class Bodies:
    """The bodies for one loop."""

    def __init__(self, program: Program, view: LoopView, claims: Sequence[Expr]) -> None:
        """`claims`: what must hold somewhere, such as the guarantee and the precondition."""
        self.program = program
        self.view = view
        self.claims = claims
        self.cell = Name(bound_names(program, claims)[0])
        """The bound name, as an expression."""
        self.visible = {*view.loop.columns, self.cell.name}

    def sayable(self, bodies: Iterable[Body]) -> list[Body]:
        """The bodies that speak of cells and whose names are all visible at the loop, each once."""
        plain: dict[tuple[Expr, Expr | None], Body] = {}
        for body in bodies:
            used = names(body.expr) if body.guard is None else names(body.expr) | names(body.guard)
            if used <= self.visible and self._reads_cell(body.expr):
                plain.setdefault((body.expr, body.guard), body)
        return list(plain.values())[:BODIES_MAX]

    def _reads_cell(self, expr: Expr) -> bool:
        return any(isinstance(part, Index) and self.cell.name in names(part.index) for part in expressions(expr))

    def of_claims(self) -> Iterator[Body]:
        """What the contract, asserts and the guarantee say of all cells of some range."""
        for claim in self.claims:
            for guard, part in said_of_all(claim):
                yield Body(substitute(part.body, {part.variable.name: self.cell}), "the contract, about other cells", guard)

    def of_pairs(self) -> Iterator[Body]:
        """What the same texts say about pairs of cells, one of which is the cell at a counter."""
        for claim in self.claims:
            for _, part in said_of_all(claim):
                yield from self._fixed(part)

    def _fixed(self, part: Quantified) -> Iterator[Body]:
        """Claims about pairs of cells, where a counter tells which cell one of the two is."""
        inner = part.body
        if not isinstance(inner, Quantified) or inner.word != "forall":
            return
        for counter in self.view.counters:
            for value in (Name(counter), arithmetic("-", Name(counter), ONE)):
                for free, fixed in ((part, inner), (inner, part)):
                    body = substitute(inner.body, {free.variable.name: self.cell, fixed.variable.name: value})
                    yield from self._renamed(Body(body, "the contract, one cell being that of a counter"))

    def _renamed(self, body: Body) -> Iterator[Body]:
        """The body, and the same about other variables: a bound may hold of the part that is worked on, too."""
        yield body
        plain = [name for name in self.view.numeric if name not in self._used_in_indices]
        for name in plain if names(body.expr) & set(plain) else ():
            for other in plain:
                if other != name and name in names(body.expr):
                    yield Body(substitute(body.expr, {name: column_leaf(other)}), body.source)

    @cached_property
    def _used_in_indices(self) -> frozenset[str]:
        """Variables in indices of the text: they are numbers of cells, and are not compared with what is in cells."""
        wholes = list(function_expressions(self.program.level))
        indices = [part.index for whole in wholes for part in expressions(whole) if isinstance(part, Index)]
        return frozenset().union(*map(names, indices))

    def of_assignments(self) -> Iterator[Body]:
        """What is assigned to one cell, as a condition on every cell; also with the values that the cells had at the start."""
        params = self.program.params
        for statement, tests in _cells_set(self.program.level.body):
            shifted = _shift(statement.index)
            if shifted is None:
                continue
            variable, by = shifted
            counted = {variable: arithmetic("-" if by >= 0 else "+", self.cell, Number(abs(by)))}
            value = substitute(statement.value, counted)
            written = Index(statement.array, self.cell)
            yield Body(compare(written, "=", value), "an assignment, said of all cells")
            of_cell = [substitute(test, counted) for test in tests if names(test) == {variable}]
            if of_cell:
                yield Body(implies(conjoin(of_cell), compare(written, "=", value)), "an assignment under a test, said of all cells")
            at_start = _at_start(value, {name for name in self.view.changing if name in params})
            if at_start != value:
                yield Body(compare(written, "=", at_start), "an assignment, said of all cells as they were at the start")

    def frames(self) -> Iterator[Body]:
        """Equations of cells with those of another array. If the program writes that array, also with its cells at the start."""
        for one, other in itertools.combinations(self.view.arrays, 2):
            if self.view.types[one] is self.view.types[other]:
                left, right = column_leaf(one), column_leaf(other)
                yield Body(compare(Index(left, self.cell), "=", Index(right, self.cell)), "cells that are the same")

    def of_tests(self) -> Iterator[Body]:
        """Comparisons of cells in the text, and the other comparisons of the same two sides, as conditions on every cell."""
        for atom in self._atoms():
            left, right = atom.operands
            ops = EQUALITIES if atom.ops[0] in EQUALITIES else OPS
            for about in dict.fromkeys(self._about_cells(left, right)):
                for op in ops:
                    stronger = tuple(compare(about[0], other, about[1]) for other in ops if op in WEAKER.get(other, ()))
                    yield Body(compare(about[0], op, about[1]), "a test, said of all cells", None, stronger)

    def _atoms(self) -> Iterator[Compare]:
        seen: set[Expr] = set()
        for whole in function_expressions(self.program.level):
            for part in expressions(whole):
                for atom in links(part) if isinstance(part, Compare) else ():
                    if atom not in seen and any(isinstance(side, Index) for side in expressions(atom)):
                        seen.add(atom)
                        yield atom

    def _about_cells(self, left: Expr, right: Expr) -> Iterator[tuple[Expr, Expr]]:
        """The two sides with an index replaced by the bound name: wherever its variable stands, or in one place alone."""
        reads = [part for side in (left, right) for part in expressions(side) if isinstance(part, Index)]
        for read in reads:
            shifted = _shift(read.index)
            if shifted is None:
                continue
            variable, by = shifted
            value = arithmetic("-" if by >= 0 else "+", self.cell, Number(abs(by)))
            yield substitute(left, {variable: value}), substitute(right, {variable: value})
            alone = Index(read.array, self.cell)
            for side, other in ((left, right), (right, left)):
                if side == read:
                    sides = [other, *self._shifted_back(other)]
                    yield from ((alone, one) if side is left else (one, alone) for one in sides)

    def _shifted_back(self, expr: Expr) -> Iterator[Expr]:
        """The expression as it was a turn earlier, where a counter has gone up or down by one since."""
        indices = [part.index for part in expressions(expr) if isinstance(part, Index)]
        for counter in self.view.counters:
            if any(counter in names(index) for index in indices):
                yield substitute(expr, {counter: arithmetic("-", Name(counter), ONE)})
                yield substitute(expr, {counter: arithmetic("+", Name(counter), ONE)})


def _cells_set(block: Block, tests: tuple[Expr, ...] = ()) -> Iterator[tuple[SetCell, tuple[Expr, ...]]]:
    """The assignments to cells. Each comes with what the tests of the `if`s around it say when it is carried out."""
    for statement in block.statements:
        match statement:
            case SetCell():
                yield statement, tests
            case While(body=body):
                yield from _cells_set(body, tests)
            case If(branches, otherwise):
                passed = tests
                for branch in branches:
                    yield from _cells_set(branch.body, (*passed, branch.test))
                    passed = (*passed, negate(branch.test))
                yield from _cells_set(otherwise, passed)


def _at_start(expr: Expr, params: set[str]) -> Expr:
    """The expression with cells of these parameters replaced by what they were when the program started."""
    for part in list(expressions(expr)):
        if isinstance(part, Index) and isinstance(part.array, Name) and part.array.name in params:
            expr = replace_part(expr, part, Index(Old(part.array.name), part.index))
    return expr


def _shift(index: Expr) -> tuple[str, int] | None:
    """The variable of an index such as i - 1, and what is added to it."""
    match index:
        case Name(name):
            return name, 0
        case Binary("+" | "-" as op, Name(name), Number(value)) if isinstance(value, int):
            return name, value if op == "+" else -value
    return None


def said_of_all(claim: Expr, guard: Expr | None = None) -> Iterator[tuple[Expr | None, Quantified]]:
    """The forall quantifiers of a claim that are conclusions, each with the condition under which it is claimed."""
    match claim:
        case Quantified("forall"):
            yield guard, claim
            for inner_guard, inner in said_of_all(claim.body):
                if inner_guard is None:
                    yield guard, inner
        case Binary("&", left, right):
            yield from said_of_all(left, guard)
            yield from said_of_all(right, guard)
        case Binary("->", condition, conclusion):
            yield from said_of_all(conclusion, condition if guard is None else Binary("&", guard, condition))
        case Binary("|", left, right):
            yield from said_of_all(right, negate(left) if guard is None else Binary("&", guard, negate(left)))
