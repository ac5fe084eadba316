"""Promote and RemDisplaced: the two fixpoints of the paper."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from idg.engine.inquiry import Inquiry
from idg.engine.results import Fact, Removal
from idg.prover.answers import Proved, Refuted, Unknown
from idg.sip.record import Record
from idg.sip.syntax import Compare
from idg.sip.traverse import size
from idg.sip.values import Value
from idg.vc.symbolic import Analysis

MANY = 8
"""Facts at once beyond which it pays to go through them in groups."""
GROUP = 6
"""Candidates that are decided together, of many."""


FEW = 4
"""Potential ones below which it is not worth looking at the new one first."""


class Failure(Record):
    """Why a candidate is not inductive."""

    fact: Fact
    state: Mapping[str, Value] | None
    """Over the symbols of the conditions; None where it is not known."""
    at_entry: bool
    path: int
    """Index of the query, and so of the path, that failed."""
    tried: tuple[str, ...] = ()
    known: tuple[Fact, ...] = ()
    """What was assumed at the time."""


class Promotion(Record):
    promoted: tuple[Fact, ...]
    failures: tuple[Failure, ...]
    hints: tuple[Mapping[str, Value], ...]
    """Counterexamples found on the way."""
    implied: tuple[Removal, ...] = ()
    """Of those promoted, what the others were seen to imply."""


def promote(
    inquiry: Inquiry, inductive: Sequence[Fact], candidates: Sequence[Fact], hints: Sequence[Mapping[str, Value]]
) -> Promotion:
    """The greatest set of candidates, of all loops at once, that is inductive together with what is inductive already.

    Of many candidates the equations come first, then the simplest others: whatever set of them is inductive belongs to the greatest
    set, and so does what that set implies, which is quicker to see than that it is inductive. What failed on the way gets
    another chance at the end, all together.
    """
    if len(candidates) <= MANY:
        return _fixpoint(inquiry, inductive, candidates, hints)
    known = list(inductive)
    implied: list[Removal] = []
    failed: list[Fact] = []
    found = Promotion((), (), ())
    ordered = _simplest_first(inquiry, candidates)
    for start in range(0, len(ordered), GROUP):
        group = ordered[start : start + GROUP]
        at_once = inquiry.implied_at_once(known, group)
        implied += (Removal(fact, tuple(known)) for fact in group if fact in at_once)
        found = _fixpoint(inquiry, known, [fact for fact in group if fact not in at_once], (*hints, *found.hints))
        known += found.promoted
        failed += (each.fact for each in found.failures)
    last = _fixpoint(inquiry, known, failed, (*hints, *found.hints))
    accepted = {*known[len(inductive) :], *(each.fact for each in implied), *last.promoted}
    promoted = tuple(each for each in candidates if each in accepted)
    return Promotion(promoted, last.failures, (*found.hints, *last.hints), tuple(implied))


def promote_with(
    inquiry: Inquiry, inductive: Sequence[Fact], potential: Sequence[Fact], new: Fact, hints: Sequence[Mapping[str, Value]]
) -> Promotion:
    """The same for potential ones of which one is new, where nothing could be promoted before it came.

    Whatever is promoted now contains it. So where it is not kept even if all the others are taken for granted, that is all.
    """
    if len(potential) <= FEW:
        return promote(inquiry, inductive, potential, hints)
    known = (*inductive, *potential)
    optional = frozenset(source for source, each in inquiry.sources(known).items() if each in potential and each != new)
    failure, _ = _inductive(inquiry, inquiry.analysis(known), new, hints, optional, known)
    if failure is not None:
        return Promotion((), (failure,), () if failure.state is None else (failure.state,))
    return promote(inquiry, inductive, potential, hints)


def _simplest_first(inquiry: Inquiry, facts: Sequence[Fact]) -> list[Fact]:
    """Equations, then the others by size; otherwise in the order given."""
    return sorted(facts, key=lambda each: (not _is_equation(inquiry, each), size(inquiry.expr(each))))


def _fixpoint(
    inquiry: Inquiry, inductive: Sequence[Fact], candidates: Sequence[Fact], hints: Sequence[Mapping[str, Value]]
) -> Promotion:
    left = list(candidates)
    proofs: dict[Fact, frozenset[Fact]] = {}
    failures: dict[Fact, Failure] = {}
    known_hints = list(hints)
    while True:
        failed = False
        known = (*inductive, *left)
        analysis = inquiry.analysis(known)
        sources = inquiry.sources(known)
        for fact in list(left):
            if fact in proofs and proofs[fact] <= {*inductive, *left}:
                continue
            # The rest of the candidates is brought in only where a counterexample shows that it is needed.
            optional = frozenset(source for source, each in sources.items() if each in left and each != fact)
            failure, uses = _inductive(inquiry, analysis, fact, known_hints, optional, known)
            if failure is None:
                proofs[fact] = frozenset(sources[source] for source in uses if source in sources)
                continue
            failures[fact] = failure
            if failure.state is not None:
                known_hints.append(failure.state)
            left.remove(fact)
            failed = True
        if not failed:
            found = tuple(failures[fact] for fact in candidates if fact in failures)
            return Promotion(tuple(left), found, tuple(known_hints[len(hints) :]))


def _inductive(
    inquiry: Inquiry,
    analysis: Analysis,
    fact: Fact,
    hints: Sequence[Mapping[str, Value]],
    optional: frozenset[str],
    known: tuple[Fact, ...],
) -> tuple[Failure | None, set[str]]:
    """Entry and step of one candidate: why it is not inductive, or the sources that its proofs use."""
    expr = inquiry.expr(fact)
    uses: set[str] = set()
    for at_entry, queries in ((True, analysis.entry(fact.loop, expr)), (False, analysis.step(fact.loop, expr))):
        checked = inquiry.check(queries, hints, optional)
        uses |= checked.uses
        match checked.answer:
            case Refuted(_, state):
                return Failure(fact, state, at_entry, checked.at, (), known), uses
            case Unknown(tried):
                return Failure(fact, None, at_entry, checked.at, tried, known), uses
            case Proved():
                pass
    return None, uses


def support(inquiry: Inquiry, known: Sequence[Fact], wanted: Sequence[Fact]) -> tuple[Fact, ...]:
    """Of the known facts, which are inductive together, the wanted ones and those that their proofs use, in the order known."""
    sources = inquiry.sources(known)
    analysis = inquiry.analysis(known)
    found: list[Fact] = []
    waiting = [each for each in known if each in wanted]
    while waiting:
        fact = waiting.pop()
        found.append(fact)
        optional = frozenset(source for source, each in sources.items() if each != fact and each not in found)
        _, uses = _inductive(inquiry, analysis, fact, (), optional, tuple(known))
        new = [sources[each] for each in sorted(uses) if each in sources]
        waiting += (each for each in dict.fromkeys(new) if each not in found and each not in waiting)
    return tuple(each for each in known if each in found)


def remove_displaced(
    inquiry: Inquiry, inductive: Sequence[Fact], promotion: Promotion
) -> tuple[tuple[Fact, ...], tuple[Removal, ...]]:
    """No member is implied by the others. Oldest first, so that what newer ones imply goes."""
    removed = list(promotion.implied)
    gone = {each.fact for each in removed}
    kept = [*inductive, *(each for each in promotion.promoted if each not in gone)]
    few = len(promotion.promoted) <= MANY
    if not few:
        strong: list[Fact] = []
        for fact in _simplest_first(inquiry, kept):
            if inquiry.implied_at_once(strong, [fact]):
                removed.append(Removal(fact, tuple(strong)))
            else:
                strong.append(fact)
        kept = [each for each in kept if each in strong]
    for fact in list(kept):
        others = [each for each in kept if each != fact]
        by = implied_by(inquiry, others, fact, minimal=few)
        if by is not None:
            kept = others
            removed.append(Removal(fact, by))
    return tuple(kept), tuple(removed)


def _is_equation(inquiry: Inquiry, fact: Fact) -> bool:
    expr = inquiry.expr(fact)
    return isinstance(expr, Compare) and expr.ops == ("=",)


def implied_by(inquiry: Inquiry, known: Sequence[Fact], fact: Fact, minimal: bool = True) -> tuple[Fact, ...] | None:
    """Which of the known facts imply this one at its loop's head; empty: the program alone does; None: they do not."""
    analysis = inquiry.analysis(known)
    checked = inquiry.implied(analysis, fact.loop, inquiry.expr(fact))
    if not isinstance(checked.answer, Proved):
        return None
    sources = inquiry.sources(known)
    by = [sources[each] for each in sorted(checked.uses) if each in sources]
    return _minimal(inquiry, by, fact) if minimal else tuple(by)


def _minimal(inquiry: Inquiry, enough: list[Fact], fact: Fact) -> tuple[Fact, ...]:
    """A minimal subset that still implies the fact."""
    for each in list(enough):
        fewer = [other for other in enough if other != each]
        if isinstance(inquiry.implied(inquiry.analysis(fewer), fact.loop, inquiry.expr(fact)).answer, Proved):
            enough = fewer
    return tuple(enough)
