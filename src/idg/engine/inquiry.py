"""The program as the engine sees it: expressions by their text, conditions by the books, one prover for all of them."""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from copy import copy
from functools import lru_cache
from typing import Any, TypeVar

from idg.engine.books import Books, LoopBooks
from idg.engine.results import Fact
from idg.engine.runs import RunPool
from idg.prover.answers import Answer, Proved, Refuted, Unknown
from idg.prover.check import refutes
from idg.prover.prove import KNOWN_STATE, Effort, Prover, refuted_by_known_state
from idg.sip.entry import entry_column
from idg.sip.program import Program
from idg.sip.record import Record
from idg.sip.running.evaluator import evaluate
from idg.sip.running.runner import Undefined
from idg.sip.syntax import Expr
from idg.sip.text.expressions import parse_expression
from idg.sip.text.printer import print_expression
from idg.sip.traverse import names
from idg.sip.values import Value, zero
from idg.vc.query import Hypothesis, Query, used
from idg.vc.symbolic import Analysis, analyse

_T = TypeVar("_T")

LAZY_ROUNDS_MAX = 12
"""Times that hypotheses are added because a counterexample breaks them, before all are added."""
KNOWN_STATES_TRIED_MAX = 40
"""Known states that are tried on a query before the prover is asked; the latest ones."""
ANALYSES_KEPT = 64
EXPRESSIONS_KEPT = 1_000
WITNESSES_KEPT = 24


class Checked(Record):
    """The answer to several queries that all must be proved."""

    answer: Answer
    """Proved with no core of its own, or the first answer that is not a proof."""
    uses: frozenset[str] = frozenset()
    """Sources of the hypotheses that the proofs used."""
    query: Query | None = None
    """The one that was not proved."""
    at: int = 0
    """Its index."""


class NoValue(Exception):
    """A variable has no value in a state: it is that of a call that does not come to an end there."""


class Inquiry:
    """Helps to ask questions about a program and a state of the books."""

    def __init__(self, program: Program, prover: Prover) -> None:
        self.program = program
        self.prover = prover
        self.effort = prover.effort
        """What is spent on each query."""
        self.runs = RunPool(program)
        self._analyse = lru_cache(ANALYSES_KEPT)(self._new_analysis)
        self._parse = lru_cache(EXPRESSIONS_KEPT)(parse_expression)
        self._remembered: OrderedDict[Hashable, Any] = OrderedDict()
        self._witnesses: deque[Mapping[str, Value]] = deque(maxlen=WITNESSES_KEPT)
        """States that showed that a fact is not implied by others. Nobody sees them, so their order decides nothing."""

    def with_effort(self, effort: Effort) -> Inquiry:
        """The same inquiry, spending this effort on each query. Both share the runs and all that either remembers."""
        other = copy(self)
        other.effort = effort
        return other

    def empty(self) -> Books:
        return Books(tuple(LoopBooks() for _ in self.program.loops))

    def expr(self, fact: Fact) -> Expr:
        return self._parse(fact.text)

    def fact(self, loop: int, text: str) -> Fact:
        """The proposal in canonical text; SipError where it is no Boolean expression of the loop."""
        return Fact(loop, print_expression(self.program.proposal(text, loop)))

    def analysis(self, facts: Iterable[Fact]) -> Analysis:
        """Verification conditions with these facts known at their loops."""
        return self._analyse(tuple(facts))

    def _new_analysis(self, facts: tuple[Fact, ...]) -> Analysis:
        invariants: dict[int, tuple[Expr, ...]] = {}
        for fact in facts:
            invariants[fact.loop] = (*invariants.get(fact.loop, ()), self.expr(fact))
        return analyse(self.program.info, invariants)

    def remembered(self, key: Hashable, answer: Callable[[], _T]) -> _T:
        """What follows from the program and the key alone, computed once."""
        if key not in self._remembered:
            self._remembered[key] = answer()
            if len(self._remembered) > ANALYSES_KEPT:
                self._remembered.popitem(last=False)
        found: _T = self._remembered[key]
        return found

    def implied(self, analysis: Analysis, loop: int, expr: Expr) -> Checked:
        """Whether the expression follows at the loop's head."""
        found = self.check(analysis.at_head(loop, expr), tuple(self._witnesses))
        if isinstance(found.answer, Refuted) and found.answer.by != KNOWN_STATE:
            self._witnesses.append(found.answer.state)
        return found

    def sources(self, facts: Iterable[Fact]) -> dict[str, Fact]:
        """The names that hypotheses from these facts have in the conditions of `analysis(facts)`."""
        found: dict[str, Fact] = {}
        counts: dict[int, int] = {}
        for fact in facts:
            at = counts.get(fact.loop, 0)
            counts[fact.loop] = at + 1
            found[f"invariant {fact.loop}.{at}"] = fact
        return found

    def implied_at_once(self, known: Sequence[Fact], facts: Sequence[Fact]) -> set[Fact]:
        """Those of many facts that are seen at once to follow from the known ones at their loops' heads."""
        analysis = self.analysis(known)
        found: set[Fact] = set()
        for loop in sorted({each.loop for each in facts}):
            heads = analysis.cuts[loop - 1].heads
            if len(heads) != 1:
                continue
            asked = [(each, analysis.at_head(loop, self.expr(each))) for each in facts if each.loop == loop]
            # Only facts that always have a value and call nothing: they all have the same hypotheses.
            same = heads[0].hypotheses
            plain = [(each, queries[0]) for each, queries in asked if len(queries) == 1 and queries[0].hypotheses is same]
            if not plain:
                continue
            variables = {name: kind for _, query in plain for name, kind in query.variables.items()}
            together = Query(variables, same, plain[0][1].goal, self.program.info)
            follow = self.prover.follow_quickly(together, [query.goal for _, query in plain])
            found.update(each for (each, _), yes in zip(plain, follow, strict=True) if yes)
        return found

    # asking

    def check(
        self, queries: Sequence[Query], known_states: Sequence[Mapping[str, Value]] = (), optional: frozenset[str] = frozenset()
    ) -> Checked:
        """Prove all. `optional`: sources of hypotheses to be added only where a counterexample breaks them."""
        uses: set[str] = set()
        for at, query in enumerate(queries):
            answer, asked = self._ask(query, known_states, optional)
            if not isinstance(answer, Proved):
                return Checked(answer, query=query, at=at)
            uses.update(asked.hypotheses[index].source for index in answer.core)
        return Checked(Proved("all", frozenset()), frozenset(uses))

    def _ask(self, query: Query, known_states: Sequence[Mapping[str, Value]], optional: frozenset[str]) -> tuple[Answer, Query]:
        completed = [_completed(query, state) for state in known_states[-KNOWN_STATES_TRIED_MAX:]]
        waiting = [each for each in query.hypotheses if each.source in optional]
        if not waiting:
            return self.prover.prove(query, self.effort, completed), query
        refuted = refuted_by_known_state(query, completed)
        if refuted is not None:
            return refuted, query
        added: list[Hypothesis] = []
        for _ in range(LAZY_ROUNDS_MAX):
            kept = tuple(each for each in query.hypotheses if each.source not in optional or each in added)
            smaller = _restricted(query, kept)
            answer = self.prover.prove(smaller, self.effort)
            if isinstance(answer, Proved):
                return answer, smaller
            if isinstance(answer, Unknown):
                break
            state = _completed(query, answer.state)
            broken = [each for each in waiting if each not in added and not self._true(each.expr, query, state)]
            if not broken:
                if refutes(query, state):
                    return Refuted(answer.by, state), query
                break
            added += broken[:2]
        return self.prover.prove(query, self.effort, completed), query

    def _true(self, expr: Expr, query: Query, state: Mapping[str, Value]) -> bool:
        return evaluate(expr, state, query.variables, query.info) is True

    def at_loop(self, analysis: Analysis, loop: int, values: Mapping[str, Expr], state: Mapping[str, Value]) -> dict[str, Value]:
        """The loop's columns where a path stands, then what the parameters were that the program changes."""
        entry = {entry_column(name): analysis.executor.entry[name] for name in self.program.info.level.assigned_params}
        return self.values(analysis, {**values, **entry}, (*self.program.loops[loop - 1].columns, *entry), state)

    def values(
        self, analysis: Analysis, values: Mapping[str, Expr], columns: Iterable[str], state: Mapping[str, Value]
    ) -> dict[str, Value]:
        """The program's variables where a path stands, in a state of the analysis' symbols; NoValue where one has none there."""
        found: dict[str, Value] = {}
        for name in columns:
            symbols = used(analysis.executor.symbols, [values[name]])
            complete = {each: state.get(each, zero(kind)) for each, kind in symbols.items()}
            value = evaluate(values[name], complete, symbols, self.program.info)
            if isinstance(value, Undefined):
                raise NoValue(name)
            found[name] = value
        return found


def _restricted(query: Query, kept: tuple[Hypothesis, ...]) -> Query:
    found = names(query.goal).union(*(each.names for each in kept))
    return Query({name: kind for name, kind in query.variables.items() if name in found}, kept, query.goal, query.info)


def _completed(query: Query, state: Mapping[str, Value]) -> dict[str, Value]:
    """The state with values for all variables of the query: zero where it says nothing."""
    return {name: state.get(name, zero(kind)) for name, kind in query.variables.items()}
