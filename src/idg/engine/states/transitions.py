"""Why a fact is not inductive yet: the transition that breaks it, or the facts that it waits for."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence

from idg.engine.books import Books
from idg.engine.inquiry import Inquiry, NoValue
from idg.engine.judging.promote import Failure, failure_of
from idg.engine.judging.reliance import proof_rests_on
from idg.engine.results import Fact, StateAtHead, Transition, WhyNot, inductive_facts, waiting_facts
from idg.engine.states.near import Head, near_states
from idg.engine.telling.claims import transition_is_true
from idg.sip.program import Program
from idg.sip.values import Value
from idg.vc.paths import Path
from idg.vc.query import Query
from idg.vc.symbolic import Analysis

NEAR_TRIED_MAX = 4
"""Turns starting near a reachable row that are examined before a turn from elsewhere is shown."""


def why_not(inquiry: Inquiry, books: Books, fact: Fact) -> WhyNot:
    """A transition that starts where all known facts hold, if there is one; else the facts that this one waits for.

    Where neither is found, a transition that starts where all proved facts hold.
    """
    inductive = inductive_facts(books)
    others = [other for other in waiting_facts(books) if other != fact]
    failure, uses = failure_of(inquiry, inductive, others, fact, books.counterexamples)
    if failure is None:
        rests_on = proof_rests_on(inquiry, inductive, (*inductive, *others, fact), fact)
        return WhyNot(waits_for=tuple(other for other in others if other in uses), rests_on=rests_on)
    if failure.state is None and others:
        failure, _ = failure_of(inquiry, inductive, (), fact, books.counterexamples)
    if failure is None or failure.state is None:
        return WhyNot(tried=failure.tried, because=failure.because) if failure else WhyNot()
    return WhyNot(transition_of(inquiry, failure, others))


def transition_of(inquiry: Inquiry, failure: Failure, unproved: Sequence[Fact]) -> Transition | None:
    """The failure of a candidate, told as states of the program's variables; None where no such states are known.

    A turn that starts near a row that a run reaches is preferred. `unproved`: the other facts that are not proved yet. Those that
    do not hold where the transition starts are named.
    """
    if failure.state is None:
        return None
    fact = failure.fact
    analysis = inquiry.analysis(inquiry.function_at(fact.loop), failure.known, failure.proved)
    cut = analysis.cut(fact.loop)
    expr = inquiry.expr(fact)
    rest = failure.query_index
    for path in cut.entries if failure.at_entry else cut.ends:
        queries = analysis.executor.holds(expr, path)
        if rest < len(queries):
            break
        rest -= len(queries)
    for state in itertools.chain(_near(inquiry, analysis, fact, path, queries[rest], failure), [failure.state]):
        try:
            transition = _told(inquiry, failure, unproved, analysis, path, state)
        except NoValue:
            continue
        choices = analysis.executor.choices(path, state)
        if transition_is_true(inquiry, transition, fact, failure.known, choices):
            return transition
    return None


def _near(
    inquiry: Inquiry, analysis: Analysis, fact: Fact, path: Path, query: Query, failure: Failure
) -> Iterator[Mapping[str, Value]]:
    """States of the symbols that break the fact in a turn. The turn starts near a row that a run reaches, but not at such a row."""
    if failure.at_entry or loops_passed(inquiry.program, path, fact.loop):
        return
    runs = inquiry.runs_at(fact.loop)
    head = Head(analysis, fact.loop, path.heads[fact.loop])
    for near in itertools.islice(near_states(inquiry, head, query), NEAR_TRIED_MAX):
        row = tuple(near.state.values())
        if row not in runs.states[fact.loop] and not runs.reaches(fact.loop, row):
            yield near.symbols


def _told(
    inquiry: Inquiry, failure: Failure, unproved: Sequence[Fact], analysis: Analysis, path: Path, state: Mapping[str, Value]
) -> Transition:
    """The transition in a state of the symbols. Raises NoValue where a variable has none."""
    fact = failure.fact
    after = inquiry.at_loop(analysis, fact.loop, path.values, state)
    before = after if failure.at_entry else inquiry.at_loop(analysis, fact.loop, path.heads[fact.loop], state)
    passed = tuple(
        StateAtHead(loop, inquiry.at_loop(analysis, loop, path.heads[loop], state))
        for loop in loops_passed(inquiry.program, path, 0 if failure.at_entry else fact.loop)
    )
    rows = [tuple(before.values())]
    false_there = [
        other for other in unproved if other.loop == fact.loop and not failure.at_entry and inquiry.on_rows(other, rows) != [True]
    ]
    return Transition(fact.loop, before, after, failure.at_entry, tuple(false_there), passed)


def loops_passed(program: Program, path: Path, since: int) -> list[int]:
    """The loops whose heads the path passed, in the order of the text; `since`: only those inside of the loop with this number."""
    return [loop for loop in sorted(path.heads) if since in (0, *_enclosing(program, loop)) and loop != since]


def _enclosing(program: Program, loop: int) -> Iterator[int]:
    """The loops around a loop, the innermost first."""
    outer = program.loops[loop - 1].outer
    while outer is not None:
        yield outer
        outer = program.loops[outer - 1].outer
