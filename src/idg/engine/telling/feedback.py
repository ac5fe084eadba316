"""What is proved, and what still has to be ruled out."""

from __future__ import annotations

from collections.abc import Sequence

from idg.engine.books import Books
from idg.engine.inquiry import CROWD, Inquiry
from idg.engine.judging.promote import support
from idg.engine.judging.reliance import obligations_of, reliance, statuses_of
from idg.engine.judging.second_check import second_check
from idg.engine.results import (
    Fact,
    FailingRun,
    Feedback,
    ObligationStatus,
    RestingFact,
    SecondCheck,
    inductive_facts,
    waiting_facts,
)
from idg.engine.states.states import failing_run, to_rule_out
from idg.sip.program import Program
from idg.sip.record import replace
from idg.sip.syntax import Assert, Claim, While
from idg.sip.trees.traverse import statements


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


def proved_so_far(inquiry: Inquiry, books: Books) -> Feedback:
    """What is proved, and nothing else: here `solved` says that all obligations are proved, before the second verifier is asked."""
    obligations = obligations_of(inquiry, inductive_facts(books), resting=False)
    if all_proved(obligations):
        promising = promises(inquiry.program)
        return Feedback(promising, obligations, nothing_to_prove=not promising)
    return Feedback(False, obligations, failing=known_failure(inquiry, obligations))


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
    check = _second_check(inquiry, statuses, facts)
    if check is SecondCheck.CONTRADICTED:
        return Feedback(False, tuple(replace(status, status="unknown", uses=()) for status in statuses), second_check=check)
    return Feedback(True, statuses, second_check=check)


def _second_check(inquiry: Inquiry, statuses: Sequence[ObligationStatus], facts: tuple[Fact, ...]) -> SecondCheck:
    """What the second verifier says of the proof.

    Of many facts it is asked about those that the proof uses, directly or not: most others are redundant, and each costs it a
    condition with all of them as hypotheses. Unless these facts are confirmed to prove the program, it is asked about all.
    """
    if len(facts) > CROWD:
        used = {fact for status in statuses for fact in status.uses}
        needed = support(inquiry, facts, [fact for fact in facts if fact in used])
        if second_check(inquiry.program, needed) is SecondCheck.CONFIRMED:
            return SecondCheck.CONFIRMED
    return second_check(inquiry.program, facts)


def known_failure(inquiry: Inquiry, obligations: Sequence[ObligationStatus]) -> FailingRun | None:
    """The failing run from the smallest inputs: of the level or, where none is known, of a helper that is not proved."""
    unproved = dict.fromkeys(status.function for status in obligations if status.status != "proved" and status.function)
    for runs in (inquiry.runs, *map(inquiry.runs_of, unproved)):
        if runs.failures:
            return failing_run(runs.failures[0], runs)
    return None
