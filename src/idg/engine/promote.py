"""Promote and RemDisplaced: the two fixpoints of the paper."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from idg.engine.inquiry import Inquiry
from idg.engine.reliance import implication_rests_on, reliance, rests_on_no_more
from idg.engine.results import Fact, Removal
from idg.prover.answers import Proved, Refuted, Unknown
from idg.sip.record import Record, replace
from idg.sip.syntax import Compare
from idg.sip.traverse import node_count
from idg.sip.values import Value

MANY = 8
"""Up to this many facts are decided together, and told with a minimal set that implies them. More would take too long at once."""
GROUP = 6
"""Candidates that are decided together, where there are more than MANY."""
FEW = 4
"""Up to this many potential facts, all are decided at once: examining the new one first would save too little."""


class Failure(Record):
    """Why a candidate is not inductive."""

    fact: Fact
    state: Mapping[str, Value] | None
    """A state of the symbols of the conditions that breaks the candidate; None where none is known."""
    at_entry: bool
    """Whether the candidate fails where the loop is reached. Otherwise a turn of the loop breaks it."""
    query_index: int
    """The index of the query that was not proved, among the queries of entry or of step."""
    tried: tuple[str, ...] = ()
    """Where no state is known: what could neither prove nor refute it."""
    because: str = ""
    """Where no state is known because nothing is known of a helper that it calls, or that the program calls: why that is so."""
    known: tuple[Fact, ...] = ()
    """The facts that were assumed."""
    proved: tuple[Fact, ...] = ()
    """Those that are proved. They decide which helpers were believed."""


class Promotion(Record):
    """Which candidates became inductive, and why others did not."""

    promoted: tuple[Fact, ...]
    failures: tuple[Failure, ...]
    counterexamples: tuple[Mapping[str, Value], ...]
    """States that refuted candidates on the way, over the symbols of the conditions."""
    implied: tuple[Removal, ...] = ()
    """The promoted facts that were seen at once to follow from others."""


def promote(
    inquiry: Inquiry, inductive: Sequence[Fact], candidates: Sequence[Fact], counterexamples: Sequence[Mapping[str, Value]]
) -> Promotion:
    """The greatest set of candidates, of all loops at once, that is inductive together with what is inductive already.

    The loops of helpers come before those of the functions that call them, because what is promoted there may prove a contract
    that is needed here. A contract is used only where facts that are promoted already prove it.
    """
    known = list(inductive)
    promotions: list[Promotion] = []
    further = tuple(counterexamples)
    for own in _by_group(inquiry, candidates):
        promotion = _promote_in_group(inquiry, known, own, further)
        promotions.append(promotion)
        implied = {removal.fact for removal in promotion.implied}
        known += (fact for fact in promotion.promoted if fact not in implied)
        further = (*further, *promotion.counterexamples)
    accepted = {fact for promotion in promotions for fact in promotion.promoted}
    failures = {failure.fact: failure for promotion in promotions for failure in promotion.failures}
    return Promotion(
        tuple(fact for fact in candidates if fact in accepted),
        tuple(failures[fact] for fact in candidates if fact in failures),
        further[len(counterexamples) :],
        tuple(removal for promotion in promotions for removal in promotion.implied),
    )


def _by_group(inquiry: Inquiry, facts: Sequence[Fact]) -> list[list[Fact]]:
    """The facts by the groups of functions that call each other. A group comes after the groups that it calls."""
    by_group = ([fact for fact in facts if inquiry.function_at(fact.loop) in group] for group in inquiry.program.info.calls.groups)
    return [own for own in by_group if own]


def _promote_in_group(
    inquiry: Inquiry, inductive: Sequence[Fact], candidates: Sequence[Fact], counterexamples: Sequence[Mapping[str, Value]]
) -> Promotion:
    """The same for candidates at the loops of functions that call each other.

    Many candidates are decided in groups: equations come first, then the others, and short ones before long ones. Whatever is
    inductive within a group belongs to the greatest set. So does whatever the accepted facts imply, which is quicker to see than
    that it is inductive. What failed in its group gets another chance at the end, together with all the others that failed.
    """
    if len(candidates) <= MANY:
        return _fixpoint(inquiry, inductive, candidates, counterexamples)
    known = list(inductive)
    implied: list[Removal] = []
    failed: list[Fact] = []
    group_promotion = Promotion((), (), ())
    ordered = _simplest_first(inquiry, candidates)
    for start in range(0, len(ordered), GROUP):
        group = ordered[start : start + GROUP]
        at_once = inquiry.implied_at_once(known, group)
        implied += (Removal(fact, tuple(known)) for fact in group if fact in at_once)
        group_promotion = _fixpoint(
            inquiry, known, [fact for fact in group if fact not in at_once], (*counterexamples, *group_promotion.counterexamples)
        )
        known += group_promotion.promoted
        failed += (failure.fact for failure in group_promotion.failures)
    last = _fixpoint(inquiry, known, failed, (*counterexamples, *group_promotion.counterexamples))
    accepted = {*known[len(inductive) :], *(removal.fact for removal in implied), *last.promoted}
    promoted = tuple(fact for fact in candidates if fact in accepted)
    return Promotion(promoted, last.failures, (*group_promotion.counterexamples, *last.counterexamples), tuple(implied))


def promote_with(
    inquiry: Inquiry,
    inductive: Sequence[Fact],
    potential: Sequence[Fact],
    new: Fact,
    counterexamples: Sequence[Mapping[str, Value]],
) -> Promotion:
    """The same for potential facts of which one is new, and of which none could be promoted before it came.

    Any set that is promoted now contains the new fact. So if the new fact is not inductive even where all the others are taken for
    granted, nothing can be promoted.
    """
    if len(potential) <= FEW:
        return promote(inquiry, inductive, potential, counterexamples)
    known = (*inductive, *potential)
    optional = frozenset(source for source, fact in inquiry.sources(known).items() if fact in potential and fact != new)
    failure, _ = _inductive(inquiry, new, counterexamples, optional, known, tuple(inductive))
    if failure is not None:
        return Promotion((), (failure,), () if failure.state is None else (failure.state,))
    return promote(inquiry, inductive, potential, counterexamples)


def _simplest_first(inquiry: Inquiry, facts: Sequence[Fact]) -> list[Fact]:
    """Equations first; among them, and among the others, small expressions first; otherwise in the order given."""
    return sorted(facts, key=lambda fact: (not _is_equation(inquiry, fact), node_count(inquiry.expr(fact))))


def _fixpoint(
    inquiry: Inquiry, inductive: Sequence[Fact], candidates: Sequence[Fact], counterexamples: Sequence[Mapping[str, Value]]
) -> Promotion:
    left = list(candidates)
    proofs: dict[Fact, frozenset[Fact]] = {}
    failures: dict[Fact, Failure] = {}
    known_counterexamples = list(counterexamples)
    while True:
        failed = False
        known = (*inductive, *left)
        sources = inquiry.sources(known)
        for fact in list(left):
            if fact in proofs and proofs[fact] <= {*inductive, *left}:
                continue
            # The other candidates become hypotheses only where a counterexample shows that they are needed.
            optional = frozenset(source for source, other in sources.items() if other in left and other != fact)
            failure, uses = _inductive(inquiry, fact, known_counterexamples, optional, known, tuple(inductive))
            if failure is None:
                proofs[fact] = frozenset(sources[source] for source in uses if source in sources)
                continue
            failures[fact] = failure
            if failure.state is not None:
                known_counterexamples.append(failure.state)
            left.remove(fact)
            failed = True
        if not failed:
            failed_candidates = tuple(failures[fact] for fact in candidates if fact in failures)
            return Promotion(tuple(left), failed_candidates, tuple(known_counterexamples[len(counterexamples) :]))


def _inductive(
    inquiry: Inquiry,
    fact: Fact,
    counterexamples: Sequence[Mapping[str, Value]],
    optional: frozenset[str],
    known: tuple[Fact, ...],
    proved: tuple[Fact, ...],
) -> tuple[Failure | None, set[str]]:
    """Examines entry and step of one candidate: why it is not inductive, or None; and the sources that its proofs use.

    `known`: the facts that may be assumed, candidates among them; `proved`: those of them that are proved.
    """
    expr = inquiry.expr(fact)
    analysis = inquiry.analysis(inquiry.function_at(fact.loop), known, proved)
    uses: set[str] = set()
    for at_entry, queries in ((True, analysis.entry(fact.loop, expr)), (False, analysis.step(fact.loop, expr))):
        joint = inquiry.check(queries, counterexamples, optional)
        uses |= joint.uses
        match joint.answer:
            case Refuted(_, state):
                return Failure(fact, state, at_entry, joint.index, (), "", known, proved), uses
            case Unknown(tried):
                because = "" if joint.query is None else inquiry.why_unknown(joint.query, proved)
                return Failure(fact, None, at_entry, joint.index, tried, because, known, proved), uses
            case Proved():
                pass
    return None, uses


def failure_of(
    inquiry: Inquiry, proved: Sequence[Fact], others: Sequence[Fact], fact: Fact, counterexamples: Sequence[Mapping[str, Value]]
) -> tuple[Failure | None, tuple[Fact, ...]]:
    """Why the fact is not inductive where the proved facts and these others hold; else the facts that its proofs use.

    The others are brought in only where a counterexample shows that they are needed.
    """
    known = (*proved, *others, fact)
    sources = inquiry.sources(known)
    names = frozenset(source for source, other in sources.items() if other in others)
    failure, uses = _inductive(inquiry, fact, counterexamples, names, known, tuple(proved))
    return failure, tuple(sources[source] for source in sorted(uses) if source in sources)


def support(inquiry: Inquiry, known: Sequence[Fact], wanted: Sequence[Fact]) -> tuple[Fact, ...]:
    """The wanted facts and those that their proofs use, directly or not, in the order of `known`.

    The known facts must be inductive together.
    """
    sources = inquiry.sources(known)
    supporting: list[Fact] = []
    waiting = [fact for fact in known if fact in wanted]
    while waiting:
        fact = waiting.pop()
        supporting.append(fact)
        optional = frozenset(source for source, other in sources.items() if other != fact and other not in supporting)
        _, uses = _inductive(inquiry, fact, (), optional, tuple(known), tuple(known))
        new = [sources[source] for source in sorted(uses) if source in sources]
        waiting += (other for other in dict.fromkeys(new) if other not in supporting and other not in waiting)
    return tuple(other for other in known if other in supporting)


def remove_displaced(
    inquiry: Inquiry, inductive: Sequence[Fact], promotion: Promotion
) -> tuple[tuple[Fact, ...], tuple[Removal, ...]]:
    """The facts that stay, none of which is implied by the others, and the facts that go.

    The oldest are examined first, so an old fact goes where newer ones imply it. It stays where it rests on less than the
    implication does. Otherwise an old fact would be lost to newer ones that may turn out to rest on something false. Where a helper
    could no longer be proved without those that go, the facts at its loops stay.
    """
    removed = list(promotion.implied)
    gone = {removal.fact for removal in removed}
    kept = [*inductive, *(fact for fact in promotion.promoted if fact not in gone)]
    few = len(promotion.promoted) <= MANY
    if not few:
        strong: list[Fact] = []
        for fact in _simplest_first(inquiry, kept):
            if inquiry.implied_at_once(strong, [fact]):
                removed.append(Removal(fact, tuple(strong)))
            else:
                strong.append(fact)
        kept = [fact for fact in kept if fact in strong]
    # So far nothing was used but facts that are kept.
    rests_on = reliance(inquiry, kept).of(kept) if removed else ()
    removed = [replace(removal, rests_on=rests_on) for removal in removed]
    for fact in list(kept):
        others = [other for other in kept if other != fact]
        by = implied_by(inquiry, others, fact, minimal=few)
        if by is None:
            continue
        rests_on = implication_rests_on(inquiry, kept, by, fact)
        if not set(rests_on) <= set(reliance(inquiry, kept).of([fact])):
            no_more = rests_on_no_more(inquiry, kept, others, fact)
            if no_more is None:
                continue
            by, rests_on = no_more
        kept = others
        removed.append(Removal(fact, by, rests_on))
    accepted = (*inductive, *(fact for fact in promotion.promoted if fact not in gone))
    return _with_helpers_proved(inquiry, accepted, kept, removed)


def _with_helpers_proved(
    inquiry: Inquiry, accepted: Sequence[Fact], kept: Sequence[Fact], removed: Sequence[Removal]
) -> tuple[tuple[Fact, ...], tuple[Removal, ...]]:
    """The same facts and removals, but where a helper is proved by the accepted facts and not by the kept ones, its facts stay."""
    lost = inquiry.beliefs(accepted).helpers.trusted - inquiry.beliefs(kept).helpers.trusted
    back = [fact for fact in accepted if fact not in kept and inquiry.function_at(fact.loop) in lost]
    if not back:
        return tuple(kept), tuple(removed)
    return (
        tuple(fact for fact in accepted if fact in kept or fact in back),
        tuple(removal for removal in removed if removal.fact not in back),
    )


def _is_equation(inquiry: Inquiry, fact: Fact) -> bool:
    expr = inquiry.expr(fact)
    return isinstance(expr, Compare) and expr.ops == ("=",)


def implied_by(
    inquiry: Inquiry, known: Sequence[Fact], fact: Fact, minimal: bool = True, proved: Sequence[Fact] | None = None
) -> tuple[Fact, ...] | None:
    """The known facts that imply this one at its loop's head: empty where the program alone does, None where they do not.

    `proved`: those that decide which helpers are believed; by default all of them.
    """
    proved = known if proved is None else proved
    analysis = inquiry.analysis(inquiry.function_at(fact.loop), known, proved)
    joint = inquiry.implied(analysis, fact.loop, inquiry.expr(fact))
    if not isinstance(joint.answer, Proved):
        return None
    sources = inquiry.sources(known)
    by = [sources[source] for source in sorted(joint.uses) if source in sources]
    return _minimal(inquiry, by, fact, proved) if minimal else tuple(by)


def _minimal(inquiry: Inquiry, enough: list[Fact], fact: Fact, proved: Sequence[Fact]) -> tuple[Fact, ...]:
    """A minimal subset of facts that still implies the fact."""
    for omitted in list(enough):
        fewer = [known for known in enough if known != omitted]
        analysis = inquiry.analysis(inquiry.function_at(fact.loop), fewer, proved)
        if isinstance(inquiry.implied(analysis, fact.loop, inquiry.expr(fact)).answer, Proved):
            enough = fewer
    return tuple(enough)
