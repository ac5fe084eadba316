"""States that have to be ruled out: which one is shown, and that it is what its sentence says."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence

from idg.engine.books import Books
from idg.engine.inquiry import Inquiry, NoValue, completed
from idg.engine.judging.belief import FunctionStatus, obligation_query
from idg.engine.results import Fact, FailingRun, ToRuleOut
from idg.engine.states.near import Head, distance, near_states, readability, shown_rows
from idg.engine.states.runs import FailedRun, RunPool
from idg.engine.telling.claims import state_is_true, stops_in_helper
from idg.prover.answers import Refuted
from idg.prover.check import refutes
from idg.sip.syntax import Expr, Name, Number
from idg.sip.trees.build import equals
from idg.sip.trees.logic import conjoin, negate
from idg.sip.trees.stores import cell, length
from idg.sip.trees.traverse import is_in_test, names
from idg.sip.values import Value
from idg.vc.paths import Obligation
from idg.vc.query import Hypothesis, Query
from idg.vc.symbolic import Analysis

STATES_STEPS_MAX = 60_000
"""Steps of the enumerator in one search for states to be shown."""
STATES_LIMIT = 8
"""States that such a search collects. The most readable of them is shown."""


def failing_run(failed: FailedRun, runs: RunPool) -> FailingRun:
    outcome = failed.outcome
    return FailingRun(failed.inputs, outcome.cause, outcome.span, failed.seed, failed.choices, runs.helper)


def to_rule_out(
    inquiry: Inquiry, books: Books, facts: Sequence[Fact], statuses: Mapping[str, FunctionStatus], another: bool = False
) -> tuple[ToRuleOut | FailingRun | None, bool]:
    """A small state at a loop's head from which an obligation fails, that no known run reaches; and whether it is new.

    The obligations of the level come first, then those of its helpers in the order of the text. The state is new where that is
    possible; with `another`, every obligation is searched for a new one before an old one is shown again. If a run from the inputs
    that the state tells does reach it and fails, the program is wrong, and that run is the answer. So is a run that fails before it
    comes to any loop; this comes first.
    """
    telling = list(_most_telling(statuses))
    for function, obligation in telling:
        failing = None if obligation.path.last else failing_before_loops(inquiry, facts, function, obligation)
        if failing is not None:
            return failing, True
    old_shown: ToRuleOut | FailingRun | None = None
    for function, obligation in telling:
        if not obligation.path.last:
            continue
        shown, is_new = state_for(inquiry, books, facts, function, obligation)
        if shown is not None and (is_new or not another):
            return shown, is_new
        old_shown = old_shown or shown
    return old_shown, False


def _most_telling(statuses: Mapping[str, FunctionStatus]) -> Iterator[tuple[str, Obligation]]:
    """The refuted obligations, each with its function: guarantees before others, and those after a loop before those in it."""
    for function, status in statuses.items():
        ordered = sorted(
            status.refuted, key=lambda obligation: (obligation.cause not in ("post", "assert"), obligation.path.inside)
        )
        yield from ((function, obligation) for obligation in ordered)


def failing_before_loops(inquiry: Inquiry, facts: Sequence[Fact], function: str, obligation: Obligation) -> FailingRun | None:
    """A run from the inputs with which the prover refutes the obligation, where it fails."""
    analysis = inquiry.analysis(function, facts, facts)
    answer = inquiry.prover.prove(obligation_query(analysis, obligation), inquiry.effort)
    if not isinstance(answer, Refuted):
        return None
    runs = inquiry.runs_of(function)
    choices = analysis.executor.choices(obligation.path, answer.state)
    failed = runs.failing_with(analysis.executor.inputs(answer.state), choices)
    return None if failed is None else failing_run(failed, runs)


def state_for(
    inquiry: Inquiry, books: Books, facts: Sequence[Fact], function: str, obligation: Obligation
) -> tuple[ToRuleOut | FailingRun | None, bool]:
    """A state from which the obligation fails, and whether it was not shown before."""
    analysis = inquiry.analysis(function, facts, facts)
    loop = obligation.path.last
    values = obligation.path.heads[loop]
    query = obligation_query(analysis, obligation)
    shown = {tuple(earlier.state.items()) for earlier in books.shown if earlier.loop == loop}
    runs = inquiry.runs_at(loop)
    doubted = bool(inquiry.beliefs(facts).doubted)
    inside = obligation.path.inside or is_in_test(inquiry.program.loop(loop).statement, obligation.span)
    is_new = True

    def told(symbols: Mapping[str, Value]) -> ToRuleOut:
        state = inquiry.at_loop(analysis, loop, values, symbols)
        return ToRuleOut(loop, state, obligation.cause, obligation.span, inside)

    def misleads(symbols: Mapping[str, Value]) -> bool:
        return doubted and stops_in_helper(inquiry, told(symbols), analysis.executor.choices(obligation.path, symbols))

    def avoid(symbols: Mapping[str, Value]) -> bool:
        state = told(symbols).state
        return tuple(state.items()) in shown or tuple(state.values()) in runs.states[loop] or misleads(symbols)

    try:
        near = near_states(inquiry, Head(analysis, loop, values), query)
        states = [dict(state.symbols) for state in itertools.islice((one for one in near if not avoid(one.symbols)), 1)]
        states = states or inquiry.prover.refuting_states(query, STATES_STEPS_MAX, STATES_LIMIT, avoid)
        if not states:
            columns = inquiry.columns_at(analysis, loop, values)
            unlike = [_unlike(columns, earlier.state) for earlier in books.shown if earlier.loop == loop]
            answer = inquiry.prover.prove(_with(query, analysis, unlike), inquiry.effort)
            if not isinstance(answer, Refuted) and unlike:
                is_new = False
                answer = inquiry.prover.prove(query, inquiry.effort)
            if not isinstance(answer, Refuted) or misleads(answer.state):
                return None, False
            states = [dict(answer.state)]
        known = shown_rows(runs, loop)

        def rank(symbols: Mapping[str, Value]) -> tuple[int, int, int, str]:
            state = told(symbols).state
            return distance(tuple(state.values()), known), *readability(state)

        best = min(states, key=rank)
        to_show = told(best)
    except NoValue:
        return None, False
    failed = runs.failing_from(loop, tuple(to_show.state.values()))
    if failed is not None:
        return failing_run(failed, runs), True
    if not state_is_true(inquiry, to_show, facts, analysis.executor.choices(obligation.path, best)):
        return None, False
    return to_show, is_new


def shown_state(inquiry: Inquiry, books: Books, facts: Sequence[Fact], function: str, obligation: Obligation) -> ToRuleOut | None:
    """The state shown last from which the obligation still fails, where these facts hold."""
    analysis = inquiry.analysis(function, facts, facts)
    loop = obligation.path.last
    query = obligation_query(analysis, obligation)
    for earlier in reversed(books.shown):
        symbols = _symbols_of(inquiry, analysis, obligation, earlier.state) if earlier.loop == loop else None
        if symbols is None or not refutes(query, completed(query, symbols)):
            continue
        inside = obligation.path.inside or is_in_test(inquiry.program.loop(loop).statement, obligation.span)
        shown = ToRuleOut(loop, earlier.state, obligation.cause, obligation.span, inside)
        choices = analysis.executor.choices(obligation.path, symbols)
        if inquiry.beliefs(facts).doubted and stops_in_helper(inquiry, shown, choices):
            continue
        if state_is_true(inquiry, shown, facts, choices):
            return shown
    return None


def _symbols_of(
    inquiry: Inquiry, analysis: Analysis, obligation: Obligation, state: Mapping[str, Value]
) -> dict[str, Value] | None:
    """The values of the symbols where the head that the obligation's path passed last is in this state; None where it never is."""
    loop = obligation.path.last
    values = obligation.path.heads[loop]
    columns = inquiry.columns_at(analysis, loop, values)
    if columns.keys() != state.keys():
        return None
    symbols = {expr.name: state[name] for name, expr in columns.items() if isinstance(expr, Name)}
    try:
        return symbols if inquiry.at_loop(analysis, loop, values, symbols) == state else None
    except NoValue:
        return None


def _unlike(columns: Mapping[str, Expr], state: Mapping[str, Value]) -> Expr:
    """The condition that the columns, given as expressions over symbols, differ from the state."""
    return negate(conjoin(_has_value(columns[name], value) for name, value in state.items()))


def _has_value(expr: Expr, value: Value) -> Expr:
    """The condition that the expression, which may be an array, has this value."""
    if not isinstance(value, tuple):
        return equals(expr, value)
    cells = (equals(cell(expr, Number(place)), content) for place, content in enumerate(value))
    return conjoin((equals(length(expr), len(value)), *cells))


def _with(query: Query, analysis: Analysis, conditions: Sequence[Expr]) -> Query:
    """The query with further hypotheses."""
    more = tuple(Hypothesis(condition, "shown before", names(condition)) for condition in conditions)
    return analysis.executor.query((*query.hypotheses, *more), query.goal) if more else query
