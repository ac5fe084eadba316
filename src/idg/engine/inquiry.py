"""Questions about one program: parses expressions, makes verification conditions from facts, and asks the prover about them."""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from copy import copy
from functools import lru_cache
from itertools import islice
from typing import Any, TypeVar

from idg.engine.books import Books, LoopBooks
from idg.engine.judging.belief import Beliefs, FunctionStatus, assumed_in, function_status, judge_helpers, obligation_query
from idg.engine.judging.rows import Rows
from idg.engine.results import Fact
from idg.engine.states.runs import RUN_LIMITS, RunPool
from idg.engine.telling.messages import may_not_end, not_proved_yet
from idg.prover.answers import Answer, Proved, Refuted, Unknown
from idg.prover.check import fails, refutes
from idg.prover.prove import KNOWN_STATE, Effort, Prover, refuted_by_known_state
from idg.sip.program import Program
from idg.sip.record import Record
from idg.sip.running.compiler import Compiled
from idg.sip.running.evaluator import evaluate
from idg.sip.running.runner import Row, Undefined, evaluate_rows
from idg.sip.syntax import Call, Compare, Expr, Name
from idg.sip.text.expressions import parse_expression
from idg.sip.text.printer import print_expression
from idg.sip.trees.arrays import PROVED, refuse_arrays
from idg.sip.trees.entry import entry_column
from idg.sip.trees.traverse import expressions, names, node_count
from idg.sip.values import Scalar, Value, initial
from idg.vc.helpers import Helpers
from idg.vc.query import Hypothesis, Query, Requirement, used
from idg.vc.symbolic import Analysis, analyse

_T = TypeVar("_T")

CROWD = 16
"""Up to this many facts, a condition is asked with all of them at once."""
LAZY_ROUNDS_MAX = 12
"""Rounds in which hypotheses are added to a query because a counterexample breaks them. After these rounds all are added."""
KNOWN_STATES_TRIED_MAX = 40
"""Known states that are tried on a query before the prover is asked: the latest ones."""
ANALYSES_KEPT = 64
"""Analyses that one inquiry keeps, and as many other results that follow from the program and some facts."""
EXPRESSIONS_KEPT = 4_000
"""Parsed expressions that one inquiry keeps."""
WITNESSES_KEPT = 24
"""States kept that showed that a fact is not implied by others: the latest ones."""


class JointAnswer(Record):
    """The answer to several queries together, all of which must be proved."""

    answer: Answer
    """Proved, with an empty core, where all were proved; otherwise the first answer that is not a proof."""
    uses: frozenset[str] = frozenset()
    """Sources of the hypotheses that the proofs used."""
    rests_on: frozenset[Requirement] = frozenset()
    """What these hypotheses rest on."""
    query: Query | None = None
    """The query that was not proved."""
    index: int = 0
    """The index of that query."""


class NoValue(Exception):
    """A variable has no value in a state, for example because it is that of a call that does not end there."""


class Inquiry:
    """Asks the prover about one program. It holds the runs of the program and caches; each question says which facts are known.

    A question also says which facts are proved, because these decide which helpers are believed. The known facts may be more: in a
    proof by induction, candidates are known, too.
    """

    def __init__(self, program: Program, prover: Prover) -> None:
        """Raises SipError where the program has a construct of arrays of which nothing is proved."""
        refuse_arrays(program, PROVED)
        self.program = program
        self.prover = prover
        self.effort = prover.effort
        """The effort that is spent on each query."""
        self.runs = RunPool(program, prover=prover)
        """The runs of the level."""
        self._helper_runs: dict[str, RunPool] = {}
        self._analyse = lru_cache(ANALYSES_KEPT)(self._new_analysis)
        self._parse = lru_cache(EXPRESSIONS_KEPT)(parse_expression)
        self.rank = lru_cache(EXPRESSIONS_KEPT)(lambda fact: _rank(self.expr(fact)))
        """Orders facts: equations first; among them, and among the others, small expressions first."""
        self._code = lru_cache(EXPRESSIONS_KEPT)(self._new_code)
        self.calls_helper = lru_cache(EXPRESSIONS_KEPT)(self._calls_helper)
        """Whether a fact calls a function of the program."""
        self.heads_seen = self.rows()
        """States at loops' heads in which some facts hold and others fail. They only save questions whose answer would be no."""
        self.seeds: dict[Hashable, Rows] = {}
        """Tables of states near those of runs, which are made once: of each function, for the helpers that it may trust."""
        self._remembered: OrderedDict[Hashable, Any] = OrderedDict()
        self._witnesses: deque[Mapping[str, Value]] = deque(maxlen=WITNESSES_KEPT)
        """States that showed that a fact is not implied by others. Nobody is shown them, so their order does not matter."""

    def with_effort(self, effort: Effort) -> Inquiry:
        """The same inquiry, spending this effort on each query. Both share the runs and all that either remembers."""
        other = copy(self)
        other.effort = effort
        return other

    def about(self, program: Program) -> Inquiry:
        """The same inquiry about a program that has the same loops, and whose runs reach the same states. It shares the runs."""
        other = Inquiry(program, self.prover)
        other.effort, other.runs, other._helper_runs = self.effort, self.runs, self._helper_runs
        return other

    def empty(self) -> Books:
        return Books(tuple(LoopBooks() for _ in self.program.loops))

    def expr(self, fact: Fact) -> Expr:
        return self._parse(fact.text)

    def fact(self, loop: int, text: str) -> Fact:
        """The proposal in canonical text. Raises SipError where it is no Boolean expression of the loop."""
        return Fact(loop, print_expression(self.program.proposal(text, loop)))

    def is_equation(self, fact: Fact) -> bool:
        return not _rank(self.expr(fact))[0]

    def is_comparison(self, fact: Fact) -> bool:
        return isinstance(self.expr(fact), Compare)

    def _calls_helper(self, fact: Fact) -> bool:
        return any(isinstance(part, Call) and part.function in self.program.info.functions for part in expressions(self.expr(fact)))

    def on_rows(self, fact: Fact, rows: list[Row]) -> list[Scalar | Undefined]:
        """The values of a fact in states at its loop's head: the columns, then the entry values of assigned parameters."""
        return evaluate_rows(self._code(fact), rows, {}, RUN_LIMITS)

    def _new_code(self, fact: Fact) -> Compiled:
        return self.runs_at(fact.loop).compiled(fact.loop, self.expr(fact))

    def rows(self) -> Rows:
        """A table of states, none yet, for facts of this program."""
        # Where a call fails inside of a helper, nothing can be said. So a fact that calls one is never said to fail.
        return Rows(self.on_rows, lambda fact, value: fails(value) and not self.calls_helper(fact))

    def function_at(self, loop: int) -> str:
        """The function that the loop belongs to."""
        return self.program.loops[loop - 1].function

    def runs_of(self, function: str) -> RunPool:
        """The runs of the level, or of a helper alone."""
        if function == self.program.level.name:
            return self.runs
        if function not in self._helper_runs:
            self._helper_runs[function] = RunPool(self.program.alone(function), self.runs, self.prover)
        return self._helper_runs[function]

    def runs_at(self, loop: int) -> RunPool:
        """The runs of the function that the loop belongs to."""
        return self.runs_of(self.function_at(loop))

    def analysis(self, function: str, known: Iterable[Fact], proved: Iterable[Fact]) -> Analysis:
        """Verification conditions of a function, where the known facts hold at their loops and these facts are proved."""
        own = tuple(fact for fact in known if self.function_at(fact.loop) == function)
        return self._analyse(function, own, self.helpers(function, proved))

    def beliefs(self, proved: Iterable[Fact]) -> Beliefs:
        """What is proved of the program's helpers by these facts at their loops, with the effort of this inquiry."""
        level = self.program.level.name
        facts = tuple(fact for fact in proved if self.function_at(fact.loop) != level)

        def judge(function: str, helpers: Helpers) -> FunctionStatus:
            return self.status(function, facts, helpers)

        return self.remembered(("beliefs", self.effort, facts), lambda: judge_helpers(self.program.info, judge))

    def helpers(self, function: str, proved: Iterable[Fact]) -> Helpers:
        """The helpers that conditions about the function may trust, where these facts are proved."""
        return assumed_in(self.program.info, self.beliefs(proved).helpers, function)

    def status(self, function: str, known: Iterable[Fact], helpers: Helpers) -> FunctionStatus:
        """What is proved of a function by those of the facts that are at its loops, trusting these helpers."""
        from idg.engine.judging.many import ask_obligation  # That module asks through this one.

        facts = tuple(fact for fact in known if self.function_at(fact.loop) == function)

        def analysis(known: Sequence[Fact]) -> Analysis:
            return self._analyse(function, tuple(known), helpers)

        def ask(index: int) -> tuple[Answer, tuple[Fact, ...], frozenset[Requirement]]:
            if len(facts) > CROWD:
                asked = ask_obligation(self, function, facts, analysis, index)
                return asked.answer, tuple(fact for fact in facts if fact in asked.uses), asked.rests_on
            whole = analysis(facts)
            sources = self.sources(facts)
            query = obligation_query(whole, whole.obligations[index])
            # A question about arrays is dear, and the same question without most of the facts was often asked before.
            optional = frozenset(sources) if any(kind.element for kind in query.variables.values()) else frozenset[str]()
            joint = self.check([query], (), optional)
            return joint.answer, tuple(sources[source] for source in sorted(joint.uses) if source in sources), joint.rests_on

        def judged() -> FunctionStatus:
            helper = "" if function == self.program.level.name else function
            return function_status(analysis(facts), ask, helper)

        return self.remembered(("status", self.effort, function, facts, helpers.trusted), judged)

    def why_unknown(self, query: Query, proved: Iterable[Fact]) -> str:
        """Why a query can be neither proved nor refuted, where that lies in calls of helpers of which nothing is known."""
        beliefs = self.beliefs(proved)
        exprs = (query.goal, *(hypothesis.expr for hypothesis in query.hypotheses))
        calls = (part.function for expr in exprs for part in expressions(expr) if isinstance(part, Call))
        name = query.call or next((name for name in calls if name in beliefs.doubted), "")
        if name not in beliefs.doubted:
            return may_not_end(name) if name else ""
        doubted = beliefs.doubted[name]
        return not_proved_yet(name, doubted, beliefs.unproved(doubted), beliefs.too_large.get(doubted, ""), self.program)

    def _new_analysis(self, function: str, facts: tuple[Fact, ...], helpers: Helpers) -> Analysis:
        invariants: dict[int, tuple[Expr, ...]] = {}
        for fact in facts:
            invariants[fact.loop] = (*invariants.get(fact.loop, ()), self.expr(fact))
        return analyse(self.program.info, invariants, function, helpers)

    def remembered(self, key: Hashable, answer: Callable[[], _T]) -> _T:
        """What `answer` computes. It must depend on the program and the key alone, because it is computed once and then kept."""
        if key not in self._remembered:
            self._remembered[key] = answer()
            if len(self._remembered) > ANALYSES_KEPT:
                self._remembered.popitem(last=False)
        value: _T = self._remembered[key]
        return value

    def implied(self, analysis: Analysis, loop: int, expr: Expr) -> JointAnswer:
        """Whether the expression follows at the loop's head."""
        joint = self.check(analysis.at_head(loop, expr), tuple(self._witnesses))
        if isinstance(joint.answer, Refuted) and joint.answer.by != KNOWN_STATE:
            self._witnesses.append(joint.answer.state)
        return joint

    def sources(self, facts: Iterable[Fact]) -> dict[str, Fact]:
        """The source of a hypothesis in the conditions of `analysis(facts)` → the fact that the hypothesis states."""
        sources: dict[str, Fact] = {}
        counts: dict[int, int] = {}
        for fact in facts:
            position = counts.get(fact.loop, 0)
            counts[fact.loop] = position + 1
            sources[f"invariant {fact.loop}.{position}"] = fact
        return sources

    def implied_at_once(self, known: Sequence[Fact], facts: Sequence[Fact]) -> set[Fact]:
        """Those of many facts that are seen at once to follow from the known ones, which are proved, at their loops' heads."""
        following: set[Fact] = set()
        for loop in sorted({fact.loop for fact in facts}):
            analysis = self.analysis(self.function_at(loop), known, known)
            heads = analysis.cut(loop).heads
            if len(heads) != 1:
                continue
            asked = [(fact, analysis.at_head(loop, self.expr(fact))) for fact in facts if fact.loop == loop]
            # Only facts that always have a value and call no helper are considered, because they all have the same hypotheses.
            same = heads[0].hypotheses
            plain = [(fact, queries[0]) for fact, queries in asked if len(queries) == 1 and queries[0].hypotheses is same]
            if not plain:
                continue
            variables = {name: kind for _, query in plain for name, kind in query.variables.items()}
            # Which hypotheses were used is not told here. So those that rest on something are left out.
            certain = tuple(hypothesis for hypothesis in same if not hypothesis.rests_on)
            together = Query(variables, certain, plain[0][1].goal, self.program.info)
            follow = self.prover.follow_quickly(together, [query.goal for _, query in plain])
            following.update(fact for (fact, _), yes in zip(plain, follow, strict=True) if yes)
        return following

    # asking

    def check(
        self,
        queries: Sequence[Query],
        known_states: Sequence[Mapping[str, Value]] = (),
        optional: frozenset[str] = frozenset(),
        lean: bool = False,
    ) -> JointAnswer:
        """Tries to prove all queries.

        Hypotheses from `optional` sources are added only where a counterexample breaks them. With `lean`, so are those that rest on
        something and can be left out.
        """
        uses: set[str] = set()
        rests_on: set[Requirement] = set()
        for index, query in enumerate(queries):
            waiting = frozenset(
                position
                for position, hypothesis in enumerate(query.hypotheses)
                if hypothesis.source in optional or (lean and hypothesis.can_be_left_out)
            )
            answer, asked = self._ask(query, known_states, waiting)
            if query.call and isinstance(answer, Refuted):
                answer = Unknown(())
            if not isinstance(answer, Proved):
                return JointAnswer(answer, query=query, index=index)
            for position in answer.core:
                uses.add(asked.hypotheses[position].source)
                rests_on.update(asked.hypotheses[position].rests_on)
        return JointAnswer(Proved("all", frozenset()), frozenset(uses), frozenset(rests_on))

    def _ask(self, query: Query, known_states: Sequence[Mapping[str, Value]], waiting: frozenset[int]) -> tuple[Answer, Query]:
        """The answer, and the query that was asked. The `waiting` hypotheses, by their positions, are added only where needed."""
        tried = [completed(query, state) for state in known_states[-KNOWN_STATES_TRIED_MAX:]]
        if not waiting:
            return self.prover.prove(query, self.effort, tried), query
        refuted = refuted_by_known_state(query, tried)
        if refuted is not None:
            return refuted, query
        for _ in range(LAZY_ROUNDS_MAX):
            kept = tuple(hypothesis for position, hypothesis in enumerate(query.hypotheses) if position not in waiting)
            smaller = restricted(query, kept)
            answer = self.prover.prove(smaller, self.effort)
            if isinstance(answer, Proved):
                return answer, smaller
            if isinstance(answer, Unknown):
                break
            state = completed(query, answer.state)
            added = 2
            positions = sorted(waiting)
            if len(waiting) > CROWD:
                added = 3
                positions.sort(key=lambda position: _rank(query.hypotheses[position].expr))
            broken = (position for position in positions if not self._true(query.hypotheses[position].expr, query, state))
            first_broken = set(islice(broken, added))
            if not first_broken:
                if refutes(query, state):
                    return Refuted(answer.by, state), query
                break
            waiting -= first_broken
        return self.prover.prove(query, self.effort, tried), query

    def _true(self, expr: Expr, query: Query, state: Mapping[str, Value]) -> bool:
        return evaluate(expr, state, query.variables, query.info) is True

    def columns_at(self, analysis: Analysis, loop: int, values: Mapping[str, Expr]) -> dict[str, Expr]:
        """The loop's columns where a path stands, then the entry values of parameters that the program changes, over symbols."""
        entry = {entry_column(name): analysis.executor.entry[name] for name in analysis.executor.function.assigned_params}
        return {name: values[name] for name in self.program.loops[loop - 1].columns} | entry

    def at_loop(self, analysis: Analysis, loop: int, values: Mapping[str, Expr], state: Mapping[str, Value]) -> dict[str, Value]:
        """The values of these columns in a state of the symbols."""
        columns = self.columns_at(analysis, loop, values)
        return self.values(analysis, columns, columns, state)

    def values(
        self, analysis: Analysis, values: Mapping[str, Expr], columns: Iterable[str], state: Mapping[str, Value]
    ) -> dict[str, Value]:
        """The values of columns where a path stands, in a state of the analysis' symbols. Raises NoValue where one has none."""
        column_values: dict[str, Value] = {}
        for name in columns:
            symbols = used(analysis.executor.symbols, [values[name]])
            complete = {symbol: state.get(symbol, initial(kind, 0)) for symbol, kind in symbols.items()}
            expr = values[name]
            value = complete[expr.name] if isinstance(expr, Name) else evaluate(expr, complete, symbols, self.program.info)
            if isinstance(value, Undefined):
                raise NoValue(name)
            column_values[name] = value
        return column_values


def _rank(expr: Expr) -> tuple[bool, int]:
    """Orders expressions: equations first; among them, and among the others, small ones first."""
    return not (isinstance(expr, Compare) and expr.ops == ("=",)), node_count(expr)


def restricted(query: Query, kept: tuple[Hypothesis, ...]) -> Query:
    """The query with these of its hypotheses only."""
    used_names = names(query.goal).union(*(hypothesis.names for hypothesis in kept))
    return Query(
        {name: kind for name, kind in query.variables.items() if name in used_names}, kept, query.goal, query.info, query.call
    )


def completed(query: Query, state: Mapping[str, Value]) -> dict[str, Value]:
    """The state with a value for every variable of the query: zero, or false, where the state has none."""
    return {name: state.get(name, initial(kind, 0)) for name, kind in query.variables.items()}
