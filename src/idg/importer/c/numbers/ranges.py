"""Takes away the marks at which a number cannot leave its type's bounds, and writes C's meaning out at the others.

The intervals of all variables are computed at every place of the program (abstract interpretation). At a loop's head they grow
until a turn of the loop adds nothing. So `i + 1` in `while (i < n) i = i + 1;` needs no remainder for an unsigned n and an i that
starts at 0.
"""

from __future__ import annotations

from collections.abc import Iterable

from idg.importer.c.numbers.c_types import CType
from idg.importer.c.numbers.intervals import ANY, Interval, State, assume, joined, of_type, value_of
from idg.importer.c.numbers.terms import CHECK, WRAP, has_marks, mark_of, reduced
from idg.importer.origins import placed
from idg.sip.record import Record
from idg.sip.syntax import (
    Assert,
    Assign,
    Assume,
    Binary,
    Block,
    Boolean,
    Branch,
    Call,
    Cassign,
    Compare,
    Expr,
    If,
    Index,
    Name,
    Number,
    Old,
    Print,
    Quantified,
    Return,
    SetCell,
    Stmt,
    Unary,
    While,
)
from idg.sip.trees.arrays import no_arrays
from idg.sip.trees.build import number
from idg.sip.trees.logic import TRUE, both_folded, implies_folded, negate
from idg.sip.trees.traverse import expressions, statement_expressions, statements

ROUNDS_MAX = 80
"""How often the intervals at a loop's head may grow; afterwards those that still grow have no bound."""
PLAIN_ROUNDS = 2
"""Rounds in which intervals grow just as the loop makes them; afterwards they jump to the next number of the program."""
SHRINKING_ROUNDS = 2
"""Rounds in which intervals that jumped too far are made smaller again."""


class Written(Record):
    """The statements without marks, and how many remainders and obligations had to be written."""

    statements: tuple[Stmt, ...]
    remainders: int
    obligations: int


def written_out(body: Iterable[Stmt], bounds: dict[str, CType]) -> Written:
    """`bounds` names the variables whose values stay within a type of C."""
    body = tuple(body)
    analysis = _Analysis(body, bounds)
    result, _ = analysis.block(body, {name: of_type(ctype) for name, ctype in bounds.items()})
    return Written(result, analysis.remainders, analysis.obligations)


class _Analysis:
    def __init__(self, body: tuple[Stmt, ...], bounds: dict[str, CType]) -> None:
        self.bounds = bounds
        self.thresholds = _thresholds(body)
        self.remainders = 0
        self.obligations = 0
        self.writing = True
        """False while only the intervals are wanted."""

    def _unknown(self, name: str) -> Interval:
        return of_type(self.bounds[name]) if name in self.bounds else ANY

    # Statements

    def block(self, body: tuple[Stmt, ...], state: State | None) -> tuple[tuple[Stmt, ...], State | None]:
        """The statements written out, and the state after them; None where no run gets there."""
        result: list[Stmt] = []
        for statement in body:
            # What no run reaches is written out for any values.
            current = state if state is not None else {name: of_type(ctype) for name, ctype in self.bounds.items()}
            made, after = self._statement(statement, current)
            result += placed(made, statement.span)
            state = None if state is None else after
        return tuple(result), state

    def _statement(self, statement: Stmt, state: State) -> tuple[list[Stmt], State | None]:
        match statement:
            case Assign(target, value):
                before, written = self._written(value, state)
                return [*before, Assign(target, written)], {**state, target.name: value_of(value, state)}
            case SetCell(array, index, value):
                first, place = self._written(index, state)
                before, written = self._written(value, state)
                return [*first, *before, SetCell(array, place, written)], state
            case Cassign(targets, condition):
                chosen = {**state, **{target.name: self._unknown(target.name) for target in targets}}
                return [Cassign(targets, self._condition(condition, chosen))], assume(condition, chosen)
            case Assume(condition):
                before, written = self._written(condition, state)
                return [*before, Assume(written)], assume(condition, state)
            case Assert(condition):
                before, written = self._written(condition, state)
                return [*before, Assert(written)], assume(condition, state)
            case Return(value):
                before, written = self._written(value, state)
                return [*before, Return(written)], None
            case Print(values):
                parts = [self._written(value, state) for value in values]
                return [*(item for before, _ in parts for item in before), Print(tuple(part for _, part in parts))], state
            case If():
                return self._if(statement, state)
            case While():
                return self._while(statement, state)
        return [statement], state

    def _if(self, statement: If, state: State) -> tuple[list[Stmt], State | None]:
        before: list[Stmt] = []
        branches: list[Branch] = []
        end: State | None = None
        rest: State | None = state
        passed: Expr = TRUE
        for branch in statement.branches:
            current = rest if rest is not None else state
            first, test = self._written(branch.test, current)
            before += [Assert(implies_folded(passed, part.condition)) if isinstance(part, Assert) else part for part in first]
            body, after = self.block(branch.body.statements, None if rest is None else assume(branch.test, rest))
            branches.append(Branch(test, Block(body)))
            end = joined(end, after)
            rest = None if rest is None else assume(negate(branch.test), rest)
            passed = both_folded(passed, negate(test))
        otherwise, after = self.block(statement.otherwise.statements, rest)
        return [*before, If(tuple(branches), Block(otherwise))], joined(end, after)

    def _while(self, statement: While, state: State) -> tuple[list[Stmt], State | None]:
        writing, self.writing = self.writing, False
        head = self._head(statement, state)
        self.writing = writing
        before, test = self._written(statement.test, head)
        invariant = None if statement.invariant is None else self._condition(statement.invariant, head)
        inside = assume(statement.test, head)
        body, after = self.block(statement.body.statements, inside)
        # The obligations of the test are those of each evaluation: before the loop, and after each turn.
        again = [] if after is None else before
        measure = tuple(self._condition(component, head) for component in statement.measure)
        loop = While(invariant, test, Block((*body, *again)), measure=measure)
        return [*before, loop], assume(negate(statement.test), head)

    def _head(self, statement: While, entry: State) -> State:
        """The intervals at the loop's head, in all turns."""
        head = entry
        for turn in range(ROUNDS_MAX):
            grown = self._grown(statement, entry, head)
            if _includes(head, grown):
                break
            if turn >= ROUNDS_MAX - 2:
                head = {}
            else:
                head = grown if turn < PLAIN_ROUNDS else self._widened(head, grown)
        for _ in range(SHRINKING_ROUNDS):
            smaller = self._grown(statement, entry, head)
            if not _includes(smaller, self._grown(statement, entry, smaller)):
                break
            head = smaller
        return head

    def _grown(self, statement: While, entry: State, head: State) -> State:
        """What may hold at the head after no turn or after one more."""
        inside = assume(statement.test, head)
        after = None if inside is None else self.block(statement.body.statements, inside)[1]
        grown = joined(entry, after)
        return entry if grown is None else grown

    def _widened(self, head: State, grown: State) -> State:
        widened: State = {}
        for name, interval in grown.items():
            before = head.get(name, ANY)
            low, high = interval.low, interval.high
            if before.low is not None and low is not None and low < before.low:
                low = max((number for number in self.thresholds if number <= low), default=None)
            if before.high is not None and high is not None and high > before.high:
                high = min((number for number in self.thresholds if number >= high), default=None)
            low = None if before.low is None else low
            high = None if before.high is None else high
            widened[name] = Interval(low, high)
        return widened

    # Expressions

    def _condition(self, condition: Expr, state: State) -> Expr:
        """A condition whose numbers have no obligations of their own."""
        return self._written(condition, state)[1]

    def _written(self, expr: Expr, state: State) -> tuple[list[Stmt], Expr]:
        """The obligations of the expression, as asserts, and the expression without marks."""
        if not self.writing or not has_marks(expr):
            return [], expr
        obligations: list[Expr] = []
        written = self._without_marks(expr, state, obligations, TRUE)
        return [Assert(obligation) for obligation in dict.fromkeys(obligations)], written

    def _without_marks(self, expr: Expr, state: State, obligations: list[Expr], when: Expr) -> Expr:
        """`when` is the condition under which C evaluates the expression."""

        def inner(part: Expr, condition: Expr = when) -> Expr:
            return self._without_marks(part, state, obligations, condition)

        mark = mark_of(expr)
        if mark is not None:
            kind, ctype, marked = mark
            if value_of(marked, state).is_within(ctype):
                return inner(marked)
            if kind == WRAP:
                marked = _congruent(marked, ctype.bits)
            plain = inner(marked)
            if kind == WRAP and value_of(marked, state).is_within(ctype):
                return plain
            if kind == CHECK:
                self.obligations += 1
                obligations.append(implies_folded(when, _fits(plain, ctype)))
                return plain
            self.remainders += 1
            return reduced(ctype, plain)
        match expr:
            case Number() | Boolean() | Name() | Old():
                return expr
            case Unary(op, operand):
                return Unary(op, inner(operand))
            case Binary("&" | "->" as op, left, right):
                first = inner(left)
                return Binary(op, first, inner(right, both_folded(when, first)))
            case Binary("|", left, right):
                first = inner(left)
                return Binary("|", first, inner(right, both_folded(when, negate(first))))
            case Binary(op, left, right):
                return Binary(op, inner(left), inner(right))
            case Compare(operands, ops):
                return Compare(tuple(map(inner, operands)), ops)
            case Call(function, arguments):
                return Call(function, tuple(map(inner, arguments)))
            case Index(array, index):
                return Index(array, inner(index))
            case Quantified():
                no_arrays(expr)


def _congruent(expr: Expr, bits: int) -> Expr:
    """The number without reductions to at least this width in its sums and products: modulo 2^bits it stays the same."""
    mark = mark_of(expr)
    if mark is not None:
        kind, ctype, inner = mark
        return _congruent(inner, bits) if kind == WRAP and ctype.bits >= bits else expr
    match expr:
        case Unary("-", operand):
            return Unary("-", _congruent(operand, bits))
        case Binary("+" | "-" | "*" as op, left, right):
            return Binary(op, _congruent(left, bits), _congruent(right, bits))
    return expr


def _fits(expr: Expr, ctype: CType) -> Expr:
    return Compare((number(ctype.low), expr, number(ctype.high)), ("<=", "<="))


def _includes(outer: State, inner: State) -> bool:
    """Whether the one state allows all that the other does."""
    return all(_contains(interval, inner.get(name, ANY)) for name, interval in outer.items())


def _contains(outer: Interval, interval: Interval) -> bool:
    low = outer.low is None or (interval.low is not None and outer.low <= interval.low)
    return low and (outer.high is None or (interval.high is not None and interval.high <= outer.high))


def _thresholds(body: tuple[Stmt, ...]) -> list[int]:
    """The numbers to which intervals jump: those of the program, their neighbours, and the bounds of C's types."""
    numbers = {0, *(sign * 2**bits + offset for bits in (7, 8, 15, 16, 31, 32, 63, 64) for sign in (1, -1) for offset in (-1, 0))}
    for statement in statements(Block(body)):
        for expr in statement_expressions(statement):
            for part in expressions(expr):
                if isinstance(part, Number) and isinstance(part.value, int):
                    numbers |= {sign * part.value + offset for sign in (1, -1) for offset in (-1, 0, 1)}
    return sorted(numbers)
