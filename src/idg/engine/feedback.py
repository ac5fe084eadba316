"""What is proved, and what still has to be ruled out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from idg.engine.belief import FunctionStatus, obligation_query
from idg.engine.books import Books
from idg.engine.claims import state_is_true, stops_in_helper, transition_is_true
from idg.engine.inquiry import Inquiry, NoValue
from idg.engine.promote import Failure
from idg.engine.reliance import obligations_of, reliance, statuses_of
from idg.engine.results import (
    Fact,
    FailingRun,
    Feedback,
    ObligationStatus,
    RestingFact,
    SecondCheck,
    StateAtHead,
    ToRuleOut,
    Transition,
    inductive_facts,
    waiting_facts,
)
from idg.engine.runs import FailedRun, RunPool
from idg.engine.second_check import second_check
from idg.prover.answers import Refuted
from idg.sip.build import equals
from idg.sip.logic import conjoin, negate
from idg.sip.program import Program
from idg.sip.record import replace
from idg.sip.syntax import Assert, Claim, Expr, While
from idg.sip.traverse import names, statements
from idg.sip.values import Value
from idg.vc.query import Hypothesis, Query
from idg.vc.symbolic import Analysis, Obligation, Path

STATES_STEPS_MAX = 60_000
"""Steps of the enumerator in one search for states to be shown."""
STATES_LIMIT = 8
"""States that such a search collects. The most readable of them is shown."""


def promises(program: Program) -> bool:
    """Whether the program promises anything that could be proved: a post, an assert, a claim or a given invariant."""
    return any(
        function.posts
        or any(
            isinstance(statement, Assert | Claim) or (isinstance(statement, While) and statement.invariant is not None)
            for statement in statements(function.body)
        )
        for function in (info.function for info in program.info.functions.values())
    )


def solved_only(inquiry: Inquiry, books: Books) -> Feedback:
    """What is proved, without a state to rule out."""
    inductive = inductive_facts(books)
    obligations = obligations_of(inquiry, inductive)
    if all_proved(obligations):
        return _proved(inquiry, obligations, inductive)
    failing = known_failure(inquiry, obligations)
    return Feedback(False, obligations, failing=failing, resting=resting_facts(inquiry, inductive))


def resting_facts(inquiry: Inquiry, inductive: Sequence[Fact]) -> tuple[RestingFact, ...]:
    """The inductive facts that rest on something that is not proved yet."""
    resting = reliance(inquiry, inductive)
    return tuple(RestingFact(fact, resting.of([fact])) for fact in inductive if resting.of([fact]))


def feedback(inquiry: Inquiry, books: Books, another: bool = False, resting: bool = True) -> Feedback:
    """As in the paper: whether the inductive invariants prove all, and if not, a state to rule out.

    The state satisfies the facts that are not proved yet, too, where there is such a state. With `another` a state is wanted that
    was not shown before. Without `resting` nothing is said about what facts and proofs rest on.
    """
    inductive, waiting = inductive_facts(books), waiting_facts(books)
    statuses = statuses_of(inquiry, inductive)
    obligations = obligations_of(inquiry, inductive, resting)
    if all_proved(obligations):
        return _proved(inquiry, obligations, inductive)
    waits_for: tuple[Fact, ...] = ()
    facts = inductive
    if waiting:
        with_waiting = obligations_of(inquiry, (*inductive, *waiting), resting=False)
        if all_proved(with_waiting):
            used = {fact for status in with_waiting for fact in status.uses}
            waits_for = tuple(fact for fact in waiting if fact in used)
        elif any(status.refuted for status in statuses_of(inquiry, (*inductive, *waiting)).values()):
            statuses, facts = statuses_of(inquiry, (*inductive, *waiting)), (*inductive, *waiting)
    shown, is_new = to_rule_out(inquiry, books, facts, statuses, another)
    failing = known_failure(inquiry, obligations) or (shown if isinstance(shown, FailingRun) else None)
    resting_now = resting_facts(inquiry, inductive) if resting else ()
    if failing is not None:
        return Feedback(False, obligations, failing=failing, resting=resting_now)
    assert not isinstance(shown, FailingRun)
    if shown is not None and waiting and facts == inductive:
        shown = replace(shown, proved_only=True)
    no_other = another and not is_new
    return Feedback(False, obligations, shown, bool(waits_for), waits_for=waits_for, no_other=no_other, resting=resting_now)


def helper_feedback(inquiry: Inquiry, books: Books, function: str) -> Feedback:
    """Whether the inductive invariants prove one helper, and if not, a state at one of its loops or a failing run of it."""
    facts = inductive_facts(books)
    status = statuses_of(inquiry, facts)[function]
    if all_proved(status.statuses):
        return Feedback(True, status.statuses)
    runs = inquiry.runs_of(function)
    shown, _ = to_rule_out(inquiry, books, facts, {function: status})
    failing = failing_run(runs.failures[0], runs) if runs.failures else shown if isinstance(shown, FailingRun) else None
    return Feedback(False, status.statuses, None if isinstance(shown, FailingRun) else shown, failing=failing)


def all_proved(statuses: Sequence[ObligationStatus]) -> bool:
    return all(status.status == "proved" for status in statuses)


def _proved(inquiry: Inquiry, statuses: tuple[ObligationStatus, ...], facts: tuple[Fact, ...]) -> Feedback:
    """Solved, unless one of a few runs fails or the second verifier contradicts: then a proof is wrong, and none is believed."""
    if not promises(inquiry.program):
        return Feedback(False, statuses, nothing_to_prove=True)
    failed = inquiry.runs.early_failure
    if failed is not None:
        return Feedback(False, statuses, failing=failing_run(failed, inquiry.runs))
    check = second_check(inquiry.program, facts)
    if check is SecondCheck.CONTRADICTED:
        return Feedback(False, tuple(replace(status, status="unknown", uses=()) for status in statuses), second_check=check)
    return Feedback(True, statuses, second_check=check)


def failing_run(failed: FailedRun, runs: RunPool) -> FailingRun:
    outcome = failed.outcome
    return FailingRun(failed.inputs, outcome.cause, outcome.span, failed.seed, failed.choices, runs.helper)


def known_failure(inquiry: Inquiry, obligations: Sequence[ObligationStatus]) -> FailingRun | None:
    """The failing run from the smallest inputs: of the level or, where none is known, of a helper that is not proved."""
    unproved = dict.fromkeys(status.function for status in obligations if status.status != "proved" and status.function)
    for runs in (inquiry.runs, *map(inquiry.runs_of, unproved)):
        if runs.failures:
            return failing_run(runs.failures[0], runs)
    return None


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
        failing = None if obligation.path.last else _failing_before_loops(inquiry, facts, function, obligation)
        if failing is not None:
            return failing, True
    old_shown: ToRuleOut | FailingRun | None = None
    for function, obligation in telling:
        if not obligation.path.last:
            continue
        shown, is_new = _state_for(inquiry, books, facts, function, obligation)
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


def _failing_before_loops(inquiry: Inquiry, facts: Sequence[Fact], function: str, obligation: Obligation) -> FailingRun | None:
    """A run from the inputs with which the prover refutes the obligation, where it fails."""
    analysis = inquiry.analysis(function, facts, facts)
    answer = inquiry.prover.prove(obligation_query(analysis, obligation), inquiry.effort)
    if not isinstance(answer, Refuted):
        return None
    runs = inquiry.runs_of(function)
    choices = analysis.executor.choices(obligation.path, answer.state)
    failed = runs.failing_with(analysis.executor.inputs(answer.state), choices)
    return None if failed is None else failing_run(failed, runs)


def _state_for(
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
    is_new = True

    def told(symbols: Mapping[str, Value]) -> ToRuleOut:
        state = inquiry.at_loop(analysis, loop, values, symbols)
        return ToRuleOut(loop, state, obligation.cause, obligation.span, obligation.path.inside)

    def misleads(symbols: Mapping[str, Value]) -> bool:
        return doubted and stops_in_helper(inquiry, told(symbols), analysis.executor.choices(obligation.path, symbols))

    def avoid(symbols: Mapping[str, Value]) -> bool:
        state = told(symbols).state
        return tuple(state.items()) in shown or tuple(state.values()) in runs.states[loop] or misleads(symbols)

    try:
        states = inquiry.prover.refuting_states(query, STATES_STEPS_MAX, STATES_LIMIT, avoid)
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
        best = min(states, key=lambda symbols: readability(told(symbols).state))
        to_show = told(best)
    except NoValue:
        return None, False
    failed = runs.failing_from(loop, tuple(to_show.state.values()))
    if failed is not None:
        return failing_run(failed, runs), True
    if not state_is_true(inquiry, to_show, facts, analysis.executor.choices(obligation.path, best)):
        return None, False
    return to_show, is_new


def _unlike(columns: Mapping[str, Expr], state: Mapping[str, Value]) -> Expr:
    """The condition that the columns, given as expressions over symbols, differ from the state."""
    return negate(conjoin(equals(columns[name], value) for name, value in state.items()))


def _with(query: Query, analysis: Analysis, conditions: Sequence[Expr]) -> Query:
    """The query with further hypotheses."""
    more = tuple(Hypothesis(condition, "shown before", names(condition)) for condition in conditions)
    return analysis.executor.query((*query.hypotheses, *more), query.goal) if more else query


def readability(state: Mapping[str, Value]) -> tuple[int, int, str]:
    """A key for sorting states: those with the smallest numbers come first."""
    numbers = [abs(value.numerator) + value.denominator - 1 for value in state.values()]
    return max(numbers, default=0), sum(numbers), str(sorted(state.items()))


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
