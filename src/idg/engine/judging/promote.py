"""Promote and RemDisplaced: the two fixpoints of the paper."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from idg.engine.inquiry import CROWD, Inquiry
from idg.engine.judging.many import (
    Asked,
    ManyAsked,
    ask_many,
    implied_by_some,
    inductive_at,
    known_passages,
    not_implied,
    refuted_near_runs,
    seeded,
    simplest_first,
)
from idg.engine.judging.reliance import implication_rests_on, reliance, rests_on_no_more
from idg.engine.judging.rows import Rows
from idg.engine.results import Fact, Removal
from idg.prover.answers import Proved, Refuted, Unknown
from idg.sip.record import Record, replace
from idg.sip.values import Value

MANY = 8
"""Up to this many facts are decided together, and told with a minimal set that implies them. More would take too long at once."""
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

    Many candidates are decided in three steps: equations, other comparisons, everything else. Whatever is inductive in its step
    belongs to the greatest set. So does whatever the accepted comparisons imply, which is quicker to see than that it is inductive.
    What failed in its step gets another chance in the next.
    """
    if _are_few(inductive, candidates):
        return _fixpoint(inquiry, inductive, candidates, counterexamples)
    tables = {}
    for function in dict.fromkeys(inquiry.function_at(fact.loop) for fact in candidates):
        tables[function] = seeded(inquiry, function, inductive, turns=True)
        tables[function].add(known_passages(inquiry, function, inductive, counterexamples))
    known = list(inductive)
    implied: dict[Fact, Removal] = {}
    step = Promotion((), (), ())
    breaking_states: list[Mapping[str, Value]] = []
    left = list(candidates)
    for belongs in (inquiry.is_equation, inquiry.is_comparison, lambda _: True):
        own = [fact for fact in left if belongs(fact)]
        step = _joint_fixpoint(inquiry, known, own, tables)
        known += step.promoted
        breaking_states += step.counterexamples
        accepted = set(known)
        left = [fact for fact in left if fact not in accepted]
        if step.promoted and len(own) < len(left):
            plain = _plain(inquiry, known)
            for fact in inquiry.implied_at_once(plain, left):
                implied[fact] = Removal(fact, tuple(plain))
            left = [fact for fact in left if fact not in implied]
    accepted = {*known, *implied}
    promoted = tuple(fact for fact in candidates if fact in accepted)
    removals = tuple(implied[fact] for fact in candidates if fact in implied)
    return Promotion(promoted, step.failures, tuple(breaking_states), removals)


def _plain(inquiry: Inquiry, facts: Sequence[Fact]) -> list[Fact]:
    """The simplest comparisons of the facts: from few strong ones, it is quickly seen what they imply."""
    return [fact for fact in simplest_first(inquiry, facts) if inquiry.is_comparison(fact)][:CROWD]


def _are_few(inductive: Sequence[Fact], candidates: Sequence[Fact]) -> bool:
    return len(candidates) <= MANY and len(inductive) + len(candidates) <= CROWD


def _joint_fixpoint(
    inquiry: Inquiry, inductive: Sequence[Fact], candidates: Sequence[Fact], tables: Mapping[str, Rows]
) -> Promotion:
    """The greatest set of candidates that is inductive with the facts that are.

    `tables`: for each function, states on the way to heads of its loops. Those that are found are added.

    A state in which all facts that are left hold, and in which a turn or an entry makes some of them fail, drops all of these:
    none of them is inductive together with any subset of the facts that are left. Then states may count that broke a fact that is
    gone. Facts that no state breaks are examined one by one, until each has a proof from facts that are left.
    """
    left = dict.fromkeys(candidates)
    failures: dict[Fact, Failure] = {}
    breaking_states: list[Mapping[str, Value]] = []
    proofs: dict[Fact, frozenset[Fact]] = {}
    proved = tuple(inductive)

    def drop(fact: Fact, failure: Failure) -> None:
        failures[fact] = failure
        del left[fact]

    def drop_broken() -> None:
        dropping = True
        while dropping:
            dropping = False
            for rows in tables.values():
                states = rows.satisfying((*inductive, *left))
                for fact in list(left) if states else ():
                    breaking = states & rows.of(fact).broken
                    if breaking:
                        passage = rows.passages[(breaking & -breaking).bit_length() - 1]
                        drop(fact, Failure(fact, passage.state, passage.at_entry, 0, proved=proved))
                        dropping = True

    drop_broken()
    ordered = simplest_first(inquiry, left)
    settled = False
    while not settled:
        settled = True
        for fact in ordered:
            if fact not in left or (fact in proofs and all(used in left for used in proofs[fact])):
                continue
            asked = _ask_whether_inductive(inquiry, fact, (*inductive, *left), proved, tables[inquiry.function_at(fact.loop)])
            if isinstance(asked.answer, Proved):
                proofs[fact] = asked.uses.intersection(left)
                continue
            settled = False
            if isinstance(asked.answer, Refuted):
                breaking_states.append(asked.answer.state)
            drop(fact, _failure_when_asked(inquiry, fact, asked, proved))
            drop_broken()
    return Promotion(tuple(left), tuple(failures[fact] for fact in candidates if fact in failures), tuple(breaking_states))


def _ask_whether_inductive(inquiry: Inquiry, fact: Fact, known: tuple[Fact, ...], proved: tuple[Fact, ...], rows: Rows) -> Asked:
    function = inquiry.function_at(fact.loop)
    ask = ManyAsked(function, inductive_at(inquiry, fact), known, lambda facts: inquiry.analysis(function, facts, proved), fact)
    return ask_many(inquiry, ask, rows, lambda: rows.of(fact).broken)


def _failure_when_asked(inquiry: Inquiry, fact: Fact, asked: Asked, proved: tuple[Fact, ...]) -> Failure:
    told = asked.passage or asked.placed
    at_entry = told is not None and told.at_entry
    match asked.answer:
        case Refuted(_, state):
            return Failure(fact, state, at_entry, asked.index, proved=proved)
        case Unknown(tried):
            because = "" if asked.placed is None else inquiry.why_unknown(asked.placed.query, proved)
            return Failure(fact, None, at_entry, asked.index, tried, because, proved=proved)
        case Proved():
            raise AssertionError("what is proved did not fail")


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
    if len(known) > CROWD:
        rows = seeded(inquiry, inquiry.function_at(new.loop), inductive, turns=True)
        asked = _ask_whether_inductive(inquiry, new, known, tuple(inductive), rows)
        failure = None if isinstance(asked.answer, Proved) else _failure_when_asked(inquiry, new, asked, tuple(inductive))
    else:
        optional = frozenset(source for source, fact in inquiry.sources(known).items() if fact in potential and fact != new)
        failure, _ = _inductive(inquiry, new, counterexamples, optional, known, tuple(inductive))
    if failure is not None:
        return Promotion((), (failure,), () if failure.state is None else (failure.state,))
    return promote(inquiry, inductive, potential, counterexamples)


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

    The known facts must be inductive together. Where the effort does not suffice for one of these proofs, they are all known facts.
    """
    sources = inquiry.sources(known)
    supporting: list[Fact] = []
    waiting = [fact for fact in known if fact in wanted]
    while waiting:
        fact = waiting.pop()
        supporting.append(fact)
        optional = frozenset(source for source, other in sources.items() if other != fact and other not in supporting)
        failure, uses = _inductive(inquiry, fact, (), optional, tuple(known), tuple(known))
        if failure is not None:
            return tuple(known)
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
    accepted = tuple(kept)
    few = len(promotion.promoted) <= MANY
    if len(kept) <= CROWD and not few:
        strong: list[Fact] = []
        for fact in simplest_first(inquiry, kept):
            if inquiry.implied_at_once(strong, [fact]):
                removed.append(Removal(fact, tuple(strong)))
            else:
                strong.append(fact)
        kept = [fact for fact in kept if fact in strong]
    # So far nothing was used but facts that are kept.
    rests_on = reliance(inquiry, kept).of(kept) if removed else ()
    removed = [replace(removal, rests_on=rests_on) for removal in removed]
    if len(kept) > CROWD and not reliance(inquiry, kept).assumed:
        kept, implied = _of_many(inquiry, kept)
    else:
        kept, implied = _one_by_one(inquiry, kept, few)
    return _with_helpers_proved(inquiry, accepted, kept, [*removed, *implied])


def _one_by_one(inquiry: Inquiry, facts: Sequence[Fact], minimal: bool) -> tuple[list[Fact], list[Removal]]:
    """The facts that stay and those that go, each examined by itself, because what it rests on depends on the proof."""
    kept = list(facts)
    removed: list[Removal] = []
    for fact in facts:
        others = [other for other in kept if other != fact]
        by = implied_by(inquiry, others, fact, minimal)
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
    return kept, removed


def _of_many(inquiry: Inquiry, facts: Sequence[Fact]) -> tuple[list[Fact], list[Removal]]:
    """The same facts as one by one, where nothing is assumed that facts could rest on.

    A fact stays if a state shows that the others do not imply it. Whatever facts that stay imply goes, whenever it is examined. So
    all that is seen at once to follow from them goes together, and so does what follows once another one has to stay.
    """
    kept = list(facts)
    removed: list[Removal] = []
    functions = dict.fromkeys(inquiry.function_at(fact.loop) for fact in facts)
    tables = {function: seeded(inquiry, function, facts, turns=False) for function in functions}
    staying = not_implied(inquiry, facts, tables)
    news = bool(staying)
    for fact in facts:
        if news:
            base = _plain(inquiry, [other for other in kept if other in staying])
            implied = _follow_at_once(inquiry, base, [other for other in kept if other not in staying], tables)
            removed += (Removal(other, tuple(base)) for other in kept if other in implied)
            kept = [other for other in kept if other not in implied]
            news = False
        if fact in staying or fact not in kept:
            continue
        others = [other for other in kept if other != fact]
        by = implied_by_some(inquiry, others, fact, others, tables[inquiry.function_at(fact.loop)])
        if by is None:
            staying.add(fact)
            news = inquiry.is_comparison(fact)
        else:
            removed.append(Removal(fact, by))
            kept = others
    return kept, removed


def _follow_at_once(inquiry: Inquiry, known: Sequence[Fact], facts: Sequence[Fact], tables: Mapping[str, Rows]) -> set[Fact]:
    """Those of many facts that are seen at once to follow from the known ones. Those that fail in a state need not be tried."""
    satisfying = {function: rows.satisfying(known) for function, rows in tables.items()}

    def fails(fact: Fact) -> bool:
        function = inquiry.function_at(fact.loop)
        return bool(satisfying[function] & tables[function].of(fact).false)

    return inquiry.implied_at_once(known, [fact for fact in facts if not fails(fact)])


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


def implied_by(
    inquiry: Inquiry, known: Sequence[Fact], fact: Fact, minimal: bool = True, proved: Sequence[Fact] | None = None
) -> tuple[Fact, ...] | None:
    """The known facts that imply this one at its loop's head: empty where the program alone does, None where they do not.

    `proved`: those that decide which helpers are believed; by default all of them.
    """
    proved = known if proved is None else proved
    if refuted_near_runs(inquiry, known, fact, proved):
        return None
    if len(known) > CROWD:
        by_some = implied_by_some(inquiry, known, fact, proved)
        return by_some if by_some is None or not minimal else _minimal(inquiry, list(by_some), fact, proved)
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
        if refuted_near_runs(inquiry, fewer, fact, proved):
            continue
        analysis = inquiry.analysis(inquiry.function_at(fact.loop), fewer, proved)
        if isinstance(inquiry.implied(analysis, fact.loop, inquiry.expr(fact)).answer, Proved):
            enough = fewer
    return tuple(enough)
