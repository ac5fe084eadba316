"""Why a fact is not inductive yet: the transition that breaks it, or the facts that it waits for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from idg.engine.books import Books
from idg.engine.claims import transition_is_true
from idg.engine.inquiry import Inquiry, NoValue
from idg.engine.promote import Failure, failure_of
from idg.engine.reliance import proof_rests_on
from idg.engine.results import Fact, StateAtHead, Transition, WhyNot, inductive_facts, waiting_facts
from idg.sip.program import Program
from idg.vc.symbolic import Path


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

    `unproved`: the other facts that are not proved yet. Those that do not hold where the transition starts are named.
    """
    if failure.state is None:
        return None
    fact = failure.fact
    runs = inquiry.runs_at(fact.loop)
    analysis = inquiry.analysis(inquiry.function_at(fact.loop), failure.known, failure.proved)
    cut = analysis.cut(fact.loop)
    paths = cut.entries if failure.at_entry else cut.ends
    expr = inquiry.expr(fact)
    counts = [len(analysis.executor.holds(expr, path)) for path in paths]
    index, rest = 0, failure.query_index
    while rest >= counts[index]:
        rest -= counts[index]
        index += 1
    path = paths[index]
    try:
        after = inquiry.at_loop(analysis, fact.loop, path.values, failure.state)
        before = after if failure.at_entry else inquiry.at_loop(analysis, fact.loop, path.heads[fact.loop], failure.state)
        passed = tuple(
            StateAtHead(loop, inquiry.at_loop(analysis, loop, path.heads[loop], failure.state))
            for loop in loops_passed(inquiry.program, path, 0 if failure.at_entry else fact.loop)
        )
    except NoValue:
        return None
    rows = [tuple(before.values())]
    false_there = [
        other
        for other in unproved
        if other.loop == fact.loop and not failure.at_entry and runs.truths(other.loop, inquiry.expr(other), rows) != [True]
    ]
    transition = Transition(fact.loop, before, after, failure.at_entry, tuple(false_there), passed)
    choices = analysis.executor.choices(path, failure.state)
    return transition if transition_is_true(inquiry, transition, fact, failure.known, choices) else None


def loops_passed(program: Program, path: Path, since: int) -> list[int]:
    """The loops whose heads the path passed, in the order of the text; `since`: only those inside of the loop with this number."""
    return [loop for loop in sorted(path.heads) if since in (0, *_enclosing(program, loop)) and loop != since]


def _enclosing(program: Program, loop: int) -> Iterator[int]:
    """The loops around a loop, the innermost first."""
    outer = program.loops[loop - 1].outer
    while outer is not None:
        yield outer
        outer = program.loops[outer - 1].outer
