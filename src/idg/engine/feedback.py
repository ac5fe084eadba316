"""What is proved, and what still has to be ruled out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from idg.engine.books import Books
from idg.engine.inquiry import Inquiry, NoValue
from idg.engine.promote import Failure
from idg.engine.results import (
    Fact,
    FailingRun,
    Feedback,
    ObligationStatus,
    ProofStatus,
    ToRuleOut,
    Transition,
    inductive_facts,
    potential_facts,
)
from idg.engine.runs import FailedRun
from idg.prover.answers import Answer, Proved, Refuted
from idg.sip.values import Value
from idg.vc.query import Query
from idg.vc.symbolic import Analysis, Obligation, analyse

STATES_STEPS_MAX = 60_000
"""Steps of the enumerator in one search for states to be shown."""
STATES_LIMIT = 8
"""States that such a search collects. The most readable of them is shown."""


def obligation_query(analysis: Analysis, obligation: Obligation) -> Query:
    return analysis.executor.query(obligation.path.hypotheses, obligation.goal)


def solved_only(inquiry: Inquiry, books: Books) -> Feedback:
    """What is proved, without a state to rule out."""
    statuses = (*_statuses(inquiry, inductive_facts(books))[0], *helper_statuses(inquiry))
    return _proved(inquiry, statuses) if all_proved(statuses) else Feedback(False, statuses, failing=known_failure(inquiry))


def feedback(inquiry: Inquiry, books: Books) -> Feedback:
    """As in the paper: whether the inductive invariants prove all, and if not, a state to rule out.

    The state satisfies the potential invariants too, where there is such a state.
    """
    inductive, potential = inductive_facts(books), potential_facts(books)
    statuses, refuted = _statuses(inquiry, inductive)
    helpers = helper_statuses(inquiry)
    if all_proved((*statuses, *helpers)):
        return _proved(inquiry, (*statuses, *helpers))
    suffices = False
    if potential:
        with_potential, still_refuted = _statuses(inquiry, (*inductive, *potential))
        suffices = all(status.status == "proved" for status in with_potential)
        refuted = still_refuted or refuted
        facts = (*inductive, *potential) if still_refuted else inductive
    else:
        facts = inductive
    shown = None if suffices else to_rule_out(inquiry, books, facts, refuted)
    failing = known_failure(inquiry) or (shown if isinstance(shown, FailingRun) else None)
    if failing is not None:
        return Feedback(False, (*statuses, *helpers), failing=failing)
    assert not isinstance(shown, FailingRun)
    return Feedback(False, (*statuses, *helpers), shown, suffices)


def all_proved(statuses: Sequence[ObligationStatus]) -> bool:
    return all(status.status == "proved" for status in statuses)


def _proved(inquiry: Inquiry, statuses: tuple[ObligationStatus, ...]) -> Feedback:
    """Solved, unless one of a few runs fails: then the proof is wrong, and nobody should believe it."""
    failed = inquiry.runs.early_failure
    return Feedback(True, statuses) if failed is None else Feedback(False, statuses, failing=failing_run(failed))


def failing_run(failed: FailedRun) -> FailingRun:
    outcome = failed.outcome
    return FailingRun(failed.inputs, outcome.cause, outcome.span, failed.seed, failed.choices)


def known_failure(inquiry: Inquiry) -> FailingRun | None:
    """The failing run from the smallest inputs among the program's runs."""
    failures = inquiry.runs.failures
    return failing_run(failures[0]) if failures else None


def _statuses(inquiry: Inquiry, facts: Sequence[Fact]) -> tuple[list[ObligationStatus], list[Obligation]]:
    """One status for each obligation of the level, over all paths to it; and the refuted obligations, path by path."""
    return inquiry.remembered(("statuses", inquiry.effort, *facts), lambda: _new_statuses(inquiry, facts))


_WORSE: tuple[ProofStatus, ...] = ("proved", "unknown", "refuted")
"""The statuses from the best to the worst. An obligation that several paths reach has the worst status of them."""


def _new_statuses(inquiry: Inquiry, facts: Sequence[Fact]) -> tuple[list[ObligationStatus], list[Obligation]]:
    analysis = inquiry.analysis(facts)
    sources = inquiry.sources(facts)
    statuses: dict[tuple[str, int, int], ObligationStatus] = {}
    refuted: list[Obligation] = []
    for obligation in analysis.obligations:
        joint = inquiry.check([obligation_query(analysis, obligation)])
        key = (obligation.cause, *obligation.span)
        status = _status(joint.answer)
        uses = tuple(sources[source] for source in sorted(joint.uses) if source in sources)
        if status == "refuted":
            refuted.append(obligation)
        before = statuses.get(key)
        if before is not None:
            worse = max(before.status, status, key=_WORSE.index)
            uses, status = tuple(dict.fromkeys((*before.uses, *uses))), worse
        statuses[key] = ObligationStatus(obligation.cause, obligation.span, status, uses if status == "proved" else ())
    return list(statuses.values()), refuted


def helper_statuses(inquiry: Inquiry) -> list[ObligationStatus]:
    """The obligations of helpers. They do not depend on the books, because the helpers' own loops state invariants for them."""
    return inquiry.remembered(("helpers", inquiry.effort), lambda: _new_helper_statuses(inquiry))


def _new_helper_statuses(inquiry: Inquiry) -> list[ObligationStatus]:
    statuses: list[ObligationStatus] = []
    info = inquiry.program.info
    for name, function in info.functions.items():
        if function is info.level:
            continue
        analysis = analyse(info, function=name)
        for obligation in analysis.obligations:
            answer = inquiry.check([obligation_query(analysis, obligation)]).answer
            statuses.append(ObligationStatus(obligation.cause, obligation.span, _status(answer), (), name))
    return statuses


def _status(answer: Answer) -> ProofStatus:
    return "proved" if isinstance(answer, Proved) else "refuted" if isinstance(answer, Refuted) else "unknown"


def to_rule_out(
    inquiry: Inquiry, books: Books, facts: Sequence[Fact], refuted: Sequence[Obligation]
) -> ToRuleOut | FailingRun | None:
    """A small state at a loop's head from which an obligation fails; where possible one that is new and that no known run reaches.

    If a run from the inputs that the state tells does reach it and fails, the program is wrong, and that run is the answer.
    """
    analysis = inquiry.analysis(facts)
    by_place = {(obligation.cause, obligation.span): obligation for obligation in reversed(analysis.obligations)}
    ordered = sorted(refuted, key=lambda obligation: (obligation.cause not in ("post", "assert"), obligation.path.inside))
    for old in ordered:
        obligation = by_place.get((old.cause, old.span))
        for other in analysis.obligations:
            if other == old:
                obligation = other
        if obligation is None or not obligation.path.last:
            continue
        shown = _state_for(inquiry, books, analysis, obligation)
        if shown is not None:
            return shown
    return None


def _state_for(inquiry: Inquiry, books: Books, analysis: Analysis, obligation: Obligation) -> ToRuleOut | FailingRun | None:
    loop = obligation.path.last
    values = obligation.path.heads[loop]
    query = obligation_query(analysis, obligation)
    shown = {tuple(earlier.state.items()) for earlier in books.shown if earlier.loop == loop}

    def at_head(symbols: Mapping[str, Value]) -> dict[str, Value]:
        return inquiry.at_loop(analysis, loop, values, symbols)

    def avoid(symbols: Mapping[str, Value]) -> bool:
        state = at_head(symbols)
        return tuple(state.items()) in shown or tuple(state.values()) in inquiry.runs.states[loop - 1]

    try:
        states = inquiry.prover.refuting_states(query, STATES_STEPS_MAX, STATES_LIMIT, avoid)
        if not states:
            answer = inquiry.prover.prove(query, inquiry.effort)
            if not isinstance(answer, Refuted):
                return None
            states = [dict(answer.state)]
        best = at_head(min(states, key=lambda symbols: readability(at_head(symbols))))
    except NoValue:
        return None
    failed = inquiry.runs.failing_from(loop, tuple(best.values()))
    if failed is not None:
        return failing_run(failed)
    return ToRuleOut(loop, best, obligation.cause, obligation.span, obligation.path.inside)


def readability(state: Mapping[str, Value]) -> tuple[int, int, str]:
    """A key for sorting states: those with the smallest numbers come first."""
    numbers = [abs(value.numerator) + value.denominator - 1 for value in state.values()]
    return max(numbers, default=0), sum(numbers), str(sorted(state.items()))


def transition_of(inquiry: Inquiry, failure: Failure) -> Transition | None:
    """The failure of a candidate, told as states of the program's variables; None where no such states are known."""
    if failure.state is None:
        return None
    analysis = inquiry.analysis(failure.known)
    fact = failure.fact
    cut = analysis.cuts[fact.loop - 1]
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
    except NoValue:
        return None
    return Transition(fact.loop, before, after, failure.at_entry)
