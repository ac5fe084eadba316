"""Promote and RemDisplaced: the two fixpoints of the paper."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from idg.engine.books import Books
from idg.engine.results import Fact, Removal
from idg.engine.state import State
from idg.prover.answers import Proved, Refuted, Unknown
from idg.sip.record import Record
from idg.sip.syntax import Compare
from idg.sip.values import Value
from idg.vc.symbolic import Analysis

MANY = 8
"""Facts promoted at once beyond which redundant ones are sorted out one by one."""


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


def inductive_facts(state: State) -> tuple[Fact, ...]:
    return tuple(Fact(at, text) for at, books in enumerate(state.loops, 1) for text in books.inductive)


def potential_facts(state: State) -> tuple[Fact, ...]:
    return tuple(Fact(at, text) for at, books in enumerate(state.loops, 1) for text in books.potential)


def promote(books: Books, inductive: Sequence[Fact], candidates: Sequence[Fact], hints: Sequence[Mapping[str, Value]]) -> Promotion:
    """The greatest set of candidates, of all loops at once, that is inductive together with what is inductive already."""
    left = list(candidates)
    proofs: dict[Fact, frozenset[Fact]] = {}
    failures: dict[Fact, Failure] = {}
    known_hints = list(hints)
    while True:
        failed = False
        known = (*inductive, *left)
        analysis = books.analysis(known)
        sources = books.sources(known)
        for fact in list(left):
            if fact in proofs and proofs[fact] <= {*inductive, *left}:
                continue
            # The rest of the candidates is brought in only where a counterexample shows that it is needed.
            optional = frozenset(source for source, each in sources.items() if each in left and each != fact)
            failure, uses = _inductive(books, analysis, fact, known_hints, optional, known)
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
    books: Books, analysis: Analysis, fact: Fact, hints: Sequence[Mapping[str, Value]], optional: frozenset[str],
    known: tuple[Fact, ...],
) -> tuple[Failure | None, set[str]]:
    """Entry and step of one candidate: why it is not inductive, or the sources that its proofs use."""
    expr = books.expr(fact)
    uses: set[str] = set()
    for at_entry, queries in ((True, analysis.entry(fact.loop, expr)), (False, analysis.step(fact.loop, expr))):
        checked = books.check(queries, hints, optional)
        uses |= checked.uses
        match checked.answer:
            case Refuted(_, state):
                return Failure(fact, state, at_entry, checked.at, (), known), uses
            case Unknown(tried):
                return Failure(fact, None, at_entry, checked.at, tried, known), uses
            case Proved():
                pass
    return None, uses


def remove_displaced(
    books: Books, inductive: Sequence[Fact], promoted: Sequence[Fact] = ()
) -> tuple[tuple[Fact, ...], tuple[Removal, ...]]:
    """No member is implied by the others. Oldest first, so that what newer ones imply goes.

    Many facts promoted at once have no order of acceptance among them: they are taken in one by one, equations first, unless
    those before imply them. That leaves few to be examined against each other.
    """
    removed: list[Removal] = []
    kept = [*inductive, *promoted]
    if len(promoted) > MANY:
        kept = list(inductive)
        for fact in sorted(promoted, key=lambda each: (not _is_equation(books, each), promoted.index(each))):
            by = implied_by(books, kept, fact, minimal=False)
            if by is None:
                kept.append(fact)
            else:
                removed.append(Removal(fact, by))
    for fact in list(kept):
        others = [each for each in kept if each != fact]
        by = implied_by(books, others, fact)
        if by is not None:
            kept = others
            removed.append(Removal(fact, by))
    return tuple(kept), tuple(removed)


def _is_equation(books: Books, fact: Fact) -> bool:
    expr = books.expr(fact)
    return isinstance(expr, Compare) and expr.ops == ("=",)


def implied_by(books: Books, known: Sequence[Fact], fact: Fact, minimal: bool = True) -> tuple[Fact, ...] | None:
    """Which of the known facts imply this one at its loop's head; empty: the program alone does; None: they do not."""
    analysis = books.analysis(known)
    checked = books.check(analysis.at_head(fact.loop, books.expr(fact)))
    if not isinstance(checked.answer, Proved):
        return None
    sources = books.sources(known)
    by = [sources[each] for each in sorted(checked.uses) if each in sources]
    return _minimal(books, by, fact) if minimal else tuple(by)


def _minimal(books: Books, enough: list[Fact], fact: Fact) -> tuple[Fact, ...]:
    """A minimal subset that still implies the fact."""
    for each in list(enough):
        fewer = [other for other in enough if other != each]
        queries = books.analysis(fewer).at_head(fact.loop, books.expr(fact))
        if isinstance(books.check(queries).answer, Proved):
            enough = fewer
    return tuple(enough)
