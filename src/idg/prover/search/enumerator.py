"""The stage of enumeration: it searches for a small state in which all hypotheses hold and the goal does not.

The condition for a refuting state is split into literals. These are grouped into components that share no variable, and each
component is searched by itself. For a component one generator function in Python is written (search_code.py) and run on growing
boxes of values until there is a state.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product
from operator import length_hint
from types import FunctionType

from idg.prover.answers import Refuted
from idg.prover.check import refutes
from idg.prover.search import boxes
from idg.prover.search.literals import Compiler, SearchLiteral, literals_of
from idg.prover.search.search_code import PARAMETERS, SearchWriter
from idg.sip.checking.analysis import ModuleInfo
from idg.sip.record import Record
from idg.sip.running.codegen import CodeBase
from idg.sip.running.compiler import compile_states
from idg.sip.running.runtime import NAMESPACE
from idg.sip.syntax import Call, Expr, Number
from idg.sip.trees.traverse import expressions
from idg.sip.values import Scalar, Value, zero
from idg.vc.query import Query

State = dict[str, Value]
Row = tuple[Scalar, ...]
Avoid = Callable[[State], bool]

STEPS_MAX = 30_000
"""Turns of loops in one search, unless the caller says otherwise."""
CHOICE_STATES = 8
"""States of a component among which the most readable one is chosen."""
CHOICE_STEPS = 300
"""Turns of loops, after the first state of a component, that are spent on further ones."""
COMBINATIONS_MAX = 512
"""Combinations of the components' states that are tried as states of the query."""
MISTAKE_STEPS = 1_000
"""What a state that turns out not to refute the query costs, in turns of loops, because checking it takes that long."""
ORDINARY_NODES = 400
"""Nodes of a query of ordinary size. Larger queries get fewer steps, because each takes longer."""
EXTRAS_MAX = 12
"""Numbers outside the box, near those in the query, that are tried as well."""

_NAMES: dict[str, object] = {
    **NAMESPACE,
    "B": boxes.NUMBER_MAX,
    "C": -boxes.NUMBER_MAX,
    "box": boxes.box,
    "wide_box": boxes.wide_box,
    "class_box": boxes.class_box,
    "rational_box": boxes.rational_box,
    "whole_solutions": boxes.whole_solutions,
    "rational_solutions": boxes.rational_solutions,
    "UNDECIDED": frozenset({"steps", "call-depth", "prints", "choice-tries"}),
}


def attempt(query: Query, steps_max: int = STEPS_MAX, avoid: Avoid | None = None) -> Refuted | None:
    """A refuting state with small values; None where none is found in this many steps. States to `avoid` are passed over."""
    for state in states(query, steps_max, 1, avoid):
        return Refuted("enumerator", state)
    return None


def states(query: Query, steps_max: int = STEPS_MAX, limit: int = 10, avoid: Avoid | None = None) -> list[State]:
    """Up to `limit` different refuting states, roughly by the size of their values."""
    try:
        search = compile_search(query)
    except (SyntaxError, RecursionError, MemoryError):
        # Python does not compile terms that are nested too deeply.
        return []
    # Large queries take longer a step.
    steps = steps_max * min(ORDINARY_NODES, search.nodes) // search.nodes
    return SearchRun(query, search, steps, limit, avoid).states()


class Component(Record):
    """Some variables, and a function that yields those of their values in a box with which all literals about them hold."""

    function: Callable[..., Iterator[Row]]
    names: tuple[str, ...]
    grows: bool
    """Whether a larger box can have more states."""
    weight: int
    """How many steps one turn of a loop counts for."""


class Search(Record):
    """A query compiled for the search."""

    components: tuple[Component, ...]
    extras: tuple[int, ...]
    """Large numbers near those that the query mentions."""
    nodes: int
    """The size of the query."""


class SearchRun:
    """One search for states: the steps that are left, and the states so far."""

    def __init__(self, query: Query, search: Search, steps: int, limit: int, avoid: Avoid | None) -> None:
        self.query = query
        self.search = search
        self.left = steps
        self.limit = limit
        self.avoid = avoid
        self.context = boxes.CallContext(steps)
        self.pools: list[dict[Row, None]] = [{} for _ in search.components]
        """For each component its states so far, the most readable ones first."""
        self.tried: set[Row] = set()
        self.refuting: list[State] = []

    def states(self) -> list[State]:
        searched = list(zip(self.search.components, self.pools, strict=True))
        all_found = False
        for radius in boxes.RADII:
            arguments = self.arguments(radius)
            for component, pool in searched:
                if not pool or (all_found and component.grows):
                    self.explore(component, pool, arguments)
                if not pool and not component.grows:
                    return self.refuting
                if not pool:
                    # States of the other components are of no use as long as this one has none.
                    break
            all_found = all(self.pools)
            if all_found:
                self.combine()
            grows = any(component.grows for component, _ in searched)
            if len(self.refuting) >= self.limit or self.left <= 0 or not grows:
                break
        return self.refuting

    def arguments(self, radius: int) -> tuple[object, ...]:
        more = tuple(number for number in self.search.extras if number > radius) if radius > 1 else ()
        naturals = (*range(radius + 1), *more)
        return self.context, radius, naturals, (*boxes.integers(radius), *more), (*boxes.rationals(radius), *more), more

    def explore(self, component: Component, pool: dict[Row, None], arguments: tuple[object, ...]) -> None:
        """Adds states of this box to the pool, as many as are wanted."""
        # Every turn of a loop takes one byte of the array. Cutting the array while the loops run makes all of them end sooner.
        budget = bytearray(max(0, self.left) // component.weight)
        fuel = iter(budget)
        wanted = len(pool) + max(CHOICE_STATES, 2 * self.limit)
        before = len(pool)
        for row in component.function(*arguments, fuel):
            if self.avoid is not None and len(self.pools) == 1 and self.avoid(self.state(row)):
                continue
            pool[row] = None
            if len(pool) == before + 1:
                del budget[len(budget) - length_hint(fuel) + CHOICE_STEPS * self.limit :]
            if len(pool) >= wanted:
                break
        self.left -= component.weight * (len(budget) - length_hint(fuel) + 1)
        ordered = sorted(pool, key=boxes.readability)
        pool.clear()
        pool.update(dict.fromkeys(ordered))

    def combine(self) -> None:
        """Combines the components' states to states of the query, small ones first, and keeps those that refute it."""
        most = round(COMBINATIONS_MAX ** (1 / max(1, len(self.pools))))
        pools = [list(pool)[: max(1, most)] for pool in self.pools]
        for indices in sorted(product(*(range(len(pool)) for pool in pools)), key=sum):
            values = tuple(value for pool, index in zip(pools, indices, strict=True) for value in pool[index])
            if values in self.tried:
                continue
            self.tried.add(values)
            state = self.state(values)
            if self.avoid is not None and self.avoid(state):
                continue
            if not refutes(self.query, state):
                # The search was mistaken. That costs time but never gives a wrong answer; the charge bounds the time.
                self.left -= MISTAKE_STEPS
                continue
            self.refuting.append(state)
            if len(self.refuting) >= self.limit:
                return

    def state(self, values: Row) -> State:
        names = (name for component in self.search.components for name in component.names)
        known = {name: _whole(value) for name, value in zip(names, values, strict=True)}
        return {name: known.get(name, zero(kind)) for name, kind in self.query.variables.items()}


def _whole(value: Scalar) -> Scalar:
    return value.numerator if value.denominator == 1 and not isinstance(value, int) else value


def compile_search(query: Query) -> Search:
    functions = {name: info.function for name, info in query.info.functions.items()} if query.info else {}
    base = CodeBase(functions)
    compiler = Compiler(base, query.variables, {})
    bits = {name: 1 << index for index, name in enumerate(query.variables)}
    literals = literals_of([hypothesis.expr for hypothesis in query.hypotheses], query.goal, compiler, bits)
    writers = []
    lines: list[str] = []
    for index, (uses, members) in enumerate(_components(literals)):
        writer = SearchWriter([name for name, bit in bits.items() if uses & bit], members, compiler, bits)
        lines += [f"def search_{index}({PARAMETERS}):", *writer.write()]
        writers.append(writer)
    nodes = [node for literal in literals for node in expressions(literal.expr)]
    namespace = {**_NAMES, **base.constants}
    for node in nodes:
        if isinstance(node, Call) and node.function in functions:
            namespace |= _helpers(query, node)
            break
    exec(compile("\n".join(lines), "<search>", "exec"), namespace)
    components = []
    for index, writer in enumerate(writers):
        function = namespace[f"search_{index}"]
        assert isinstance(function, FunctionType)
        components.append(Component(function, tuple(writer.names), writer.grows, writer.weight))
    return Search(tuple(components), _extras(nodes), max(1, len(nodes)))


def _components(literals: list[SearchLiteral]) -> list[tuple[int, list[SearchLiteral]]]:
    """Literals grouped so that no two groups share a variable, each with the bits of its variables.

    The goal's group comes first, because it is the likeliest to have no state, and then the others need not be searched.
    """
    groups: list[tuple[int, list[SearchLiteral]]] = []
    for literal in literals:
        uses, members = literal.uses, [literal]
        apart = []
        for other in groups:
            if other[0] & uses:
                uses, members = uses | other[0], other[1] + members
            else:
                apart.append(other)
        groups = [*apart, (uses, members)]
    return groups[::-1]


def _extras(nodes: list[Expr]) -> tuple[int, ...]:
    numbers = sorted({node.value for node in nodes if isinstance(node, Number) and isinstance(node.value, int) and node.value > 3})
    near = dict.fromkeys(value for number in numbers if number < boxes.NUMBER_MAX for value in (number, number + 1, number - 1))
    return tuple(near)[:EXTRAS_MAX]


_latest: list[tuple[ModuleInfo, dict[str, object]]] = []
"""The compiled functions of the program that was asked about last. One is enough, because a program's queries come in a row."""


def _helpers(query: Query, call: Call) -> dict[str, object]:
    """The program's functions as Python functions, by the names they have in generated code."""
    assert query.info is not None
    if not _latest or _latest[0][0] is not query.info:
        # A call makes the compiler generate all functions; the call itself is not evaluated here.
        entry = compile_states(query.info, query.variables, call).entry
        assert isinstance(entry, FunctionType)
        _latest[:] = [(query.info, {name: value for name, value in entry.__globals__.items() if name.startswith("f_")})]
    return _latest[0][1]
