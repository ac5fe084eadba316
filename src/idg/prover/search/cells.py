"""The search for refuting states with arrays: each cell becomes a variable of its own, and the enumerator looks for their values.

For arrays of at most n cells, the query is written without arrays and quantifiers: what a quantifier says is written out for each
number, and what is said of a[i] is said of each cell under the condition that i is its place. The new query only serves to find
states. Each of them is checked against the query as it was asked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from idg.prover.answers import Refuted
from idg.prover.check import refutes
from idg.prover.fold import fold
from idg.prover.quantifiers.aggregates import written_out
from idg.prover.quantifiers.witnesses import split_equalities
from idg.prover.search import enumerator
from idg.sip.operators import AGGREGATES
from idg.sip.syntax import Binary, Boolean, Call, Expr, Index, Name, Number, Quantified, Type, Unary
from idg.sip.trees.build import compare, equals, map_operands, number, replace_part, substitute, whole_literal
from idg.sip.trees.logic import FALSE, TRUE, both_folded, conjuncts_inward, either
from idg.sip.trees.stores import CHOICE, ChoiceCases, TooManyCases
from idg.sip.trees.traverse import expressions, node_count
from idg.sip.values import Value, scalar, zero
from idg.vc.query import Hypothesis, Query

SIZES = ((1, 1), (2, 3), (3, 4), (4, 4))
"""How many cells the arrays may have, and how many of all SHARES of the steps are spent on such arrays."""
SHARES = 12
"""All shares together."""
NODES_MAX = 12_000
"""Nodes of a query that is written out; larger ones are not searched."""

State = dict[str, Value]


def attempt(query: Query, steps_max: int) -> Refuted | None:
    """A refuting state with short arrays; None where none is found in this many steps."""
    for state in states(query, steps_max, 1, lambda _: False):
        return Refuted("search of cells", state)
    return None


def states(query: Query, steps_max: int, limit: int, avoid: Callable[[State], bool]) -> list[State]:
    """Up to `limit` different refuting states, those with the shortest arrays first."""
    refuting: list[State] = []
    arrays = [name for name, kind in query.variables.items() if kind.element]
    for cells, shares in SIZES if arrays else ((3, SHARES),):
        written = _WrittenOut(query, cells)
        try:
            plain = written.query()
        except (_TooLarge, TooManyCases):
            break

        def unwanted(values: Mapping[str, Value], written: _WrittenOut = written) -> bool:
            state = written.state(values)
            return state in refuting or not refutes(query, state) or avoid(state)

        steps = steps_max * shares // SHARES
        for values in enumerator.states(plain, steps, limit - len(refuting), unwanted):
            state = written.state(values)
            if not unwanted(values):
                refuting.append(state)
        if len(refuting) >= limit:
            break
    return refuting


class _TooLarge(Exception):
    """The query cannot be written out with so few nodes."""


class _WrittenOut:
    """A query about arrays of at most so many cells, written without arrays and quantifiers."""

    def __init__(self, query: Query, cells: int) -> None:
        self.original = query
        self.cells = cells
        self.arrays = {name: kind.element for name, kind in query.variables.items() if kind.element}
        self.variables: dict[str, Type] = {}
        for name, kind in query.variables.items():
            if kind.element:
                self.variables[_length(name)] = Type.NAT
                self.variables |= {_cell(name, place): kind.element for place in range(cells)}
            else:
                self.variables[name] = kind
        self.nodes = 0
        self.cases = ChoiceCases()

    def query(self) -> Query:
        """The query about lengths and cells. Cells behind the end of an array are zero, so that each array is met once."""
        hypotheses: list[Expr] = []
        for name, element in self.arrays.items():
            length = Name(_length(name))
            hypotheses.append(compare(length, "<=", Number(self.cells)))
            for place in range(self.cells):
                empty = equals(Name(_cell(name, place)), scalar(zero(element)))
                hypotheses.append(Binary("|", compare(Number(place), "<", length), empty))
        for hypothesis in self.original.hypotheses:
            hypotheses += conjuncts_inward(self.plain(hypothesis.expr, True))
        goal = self.plain(self.original.goal, False)
        told = tuple(Hypothesis(expr) for expr in hypotheses if expr != TRUE)
        return Query(self.variables, told, goal, self.original.info, self.original.call)

    def plain(self, expr: Expr, assumed: bool) -> Expr:
        told = self.cases.without_choices(written_out(split_equalities(expr), assumed))
        return self.condition(fold(told, self.original.variables, self.original.info), assumed)

    def condition(self, expr: Expr, assumed: bool) -> Expr:
        """The condition, written out. `assumed`: whether it must be true in a state that is looked for; otherwise false."""
        match expr:
            case Boolean():
                return expr
            case Unary("!", operand):
                return fold(Unary("!", self.condition(operand, not assumed)), self.variables)
            case Binary("&", left, right):
                return both_folded(self.condition(left, assumed), self.condition(right, assumed))
            case Binary("|", left, right):
                return either(self.condition(left, assumed), self.condition(right, assumed))
            case Binary("->", left, right):
                return _implied(self.condition(left, not assumed), self.condition(right, assumed))
            case Quantified():
                return self.quantified(expr, assumed)
            case Call("permutation", (Name(left), Name(right))):
                return self.permutation(left, right)
            case _:
                return self.comparison(self.without_lengths(self.without_sums(expr)), assumed)

    def permutation(self, left: str, right: str) -> Expr:
        """The condition that two arrays have the same length, and that each cell of one is equally often in both."""
        whole: Expr = compare(Name(_length(left)), "=", Name(_length(right)))
        for place in range(self.cells):
            value = Name(_cell(left, place))
            same = compare(self.times(left, value), "=", self.times(right, value))
            whole = both_folded(whole, Binary("|", compare(Name(_length(left)), "<=", Number(place)), same))
        self.nodes += node_count(whole)
        return whole

    def times(self, array: str, value: Expr) -> Expr:
        """How often the value is in the array."""
        total: Expr = Number(0)
        for place in range(self.cells):
            inside = compare(Number(place), "<", Name(_length(array)))
            same = Binary("&", inside, compare(Name(_cell(array, place)), "=", value))
            total = Binary("+", total, Call(CHOICE, (same, Number(1), Number(0))))
        return total

    def without_sums(self, expr: Expr) -> Expr:
        """The condition with each sum and each count written out, from the innermost ones on."""
        expr = map_operands(expr, self.without_sums)
        if not isinstance(expr, Quantified) or expr.word not in AGGREGATES:
            return expr
        total: Expr = Number(0)
        for value in self.range(expr):
            literal = number(value)
            inside = fold(Binary("&", compare(expr.low, "<=", literal), compare(literal, "<=", expr.high)), self.original.variables)
            body = fold(substitute(expr.body, {expr.variable.name: literal}), self.original.variables, self.original.info)
            added = body if expr.word == "sum" else Call(CHOICE, (body, Number(1), Number(0)))
            if inside != FALSE and not _reads_before(body):
                total = Binary("+", total, added if inside == TRUE else Call(CHOICE, (inside, added, Number(0))))
        return total

    def quantified(self, expr: Quantified, assumed: bool) -> Expr:
        every = expr.word == "forall"
        whole: Expr = TRUE if every else FALSE
        for value in self.range(expr):
            literal = number(value)
            inside = fold(Binary("&", compare(expr.low, "<=", literal), compare(literal, "<=", expr.high)), self.variables)
            if inside == FALSE:
                continue
            body = fold(substitute(expr.body, {expr.variable.name: literal}), self.original.variables, self.original.info)
            told = self.condition(body, assumed)
            if every:
                whole = both_folded(whole, _implied(self.condition(inside, not assumed), told))
            else:
                whole = either(whole, both_folded(self.condition(inside, assumed), told))
        return whole

    def range(self, expr: Quantified) -> range:
        """The numbers that are written out: those of the cells, and one more at each end; all, where the bounds are literals."""
        low, high = whole_literal(expr.low), whole_literal(expr.high)
        first = low if low is not None else -1
        last = high if high is not None and high - first <= self.cells + 2 else self.cells
        return range(first, last + 1)

    def without_lengths(self, expr: Expr) -> Expr:
        for part in list(expressions(expr)):
            if isinstance(part, Call) and part.function == "len" and isinstance(part.arguments[0], Name):
                expr = replace_part(expr, part, Name(_length(part.arguments[0].name)))
        return expr

    def comparison(self, expr: Expr, assumed: bool) -> Expr:
        """A condition without connectives, in which each read is replaced by the cells that it may read."""
        self.nodes += node_count(expr)
        if self.nodes > NODES_MAX:
            raise _TooLarge
        if any(isinstance(part, Quantified) for part in expressions(expr)):
            return Boolean(assumed)  # A sum or a count has a quantifier inside. Nothing is asked of it; the state is checked later.
        read = _innermost(expr)
        if read is None and any(isinstance(part, Name) and part.name in self.arrays for part in expressions(expr)):
            return Boolean(assumed)  # An array is passed to a helper. Nothing is asked of it here; the state is checked later.
        if read is None:
            return fold(expr, self.variables, self.original.info)
        places = whole_literal(read.index)
        if places is not None:
            inside = 0 <= places < self.cells
            cell: Expr = Name(_cell(read.array.name, places)) if inside else Number(0)
            if not inside and self.arrays[read.array.name] is Type.BOOL:
                cell = FALSE
            return self.comparison(replace_part(expr, read, cell), assumed)
        whole: Expr = TRUE if assumed else FALSE
        for place in range(self.cells):
            same_place = fold(compare(read.index, "=", Number(place)), self.variables, self.original.info)
            if same_place == FALSE:
                continue
            told = self.comparison(replace_part(expr, read, Name(_cell(read.array.name, place))), assumed)
            whole = both_folded(whole, _implied(same_place, told)) if assumed else either(whole, both_folded(same_place, told))
        return whole

    def state(self, values: Mapping[str, Value]) -> State:
        """The state of the query that these values of lengths and cells are."""
        state: State = {}
        for name in self.original.variables:
            if name not in self.arrays:
                state[name] = values[name]
                continue
            length = values[_length(name)]
            assert isinstance(length, int)
            state[name] = tuple(scalar(values[_cell(name, place)]) for place in range(min(length, self.cells)))
        return state


def _reads_before(body: Expr) -> bool:
    """Whether the body reads in front of an array's first cell. No range that is looked for has such a number in it."""
    places = (whole_literal(part.index) for part in expressions(body) if isinstance(part, Index))
    return any(place is not None and place < 0 for place in places)


def _length(array: str) -> str:
    """The variable for the length. No variable of a program starts with a digit."""
    return f"0len_{array}"


def _cell(array: str, place: int) -> str:
    return f"{place}cell_{array}"


def _implied(condition: Expr, conclusion: Expr) -> Expr:
    if condition == TRUE or conclusion == TRUE:
        return conclusion
    if condition == FALSE:
        return TRUE
    return Binary("->", condition, conclusion)


def _innermost(expr: Expr) -> Index | None:
    """A read of the expression whose place reads no array."""
    reads: Iterator[Index] = (part for part in expressions(expr) if isinstance(part, Index))
    return next((read for read in reads if _innermost(read.index) is None), None)
