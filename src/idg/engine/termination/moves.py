"""What players propose, whatever it is: facts, measures, and runs that are said never to end. Texts are in canonical form."""

from __future__ import annotations

from collections.abc import Sequence

from idg.engine.books import Books
from idg.engine.engine import Engine
from idg.engine.telling.messages import LIMIT_REASONS
from idg.engine.termination.messages import endless_message, limited_move_message
from idg.engine.termination.reports import ending_report, measure_report
from idg.engine.termination.results import EndlessKind, MeasureKind
from idg.engine.termination.texts import endless_text, is_endless_text, is_fact_text, is_measure_text
from idg.engine.wire.answers import BatchAnswer, ProposalAnswer
from idg.engine.wire.build import batch_answer, proposal_answer
from idg.engine.wire.endings import EndingReport, EndlessJudged, JudgedClaim, ListedMeasure, MeasureJudged, MeasureReport
from idg.engine.wire.places import LimitReached
from idg.sip.record import replace
from idg.sip.text.expressions import DECREASES

MoveAnswer = ProposalAnswer | MeasureJudged | EndlessJudged
"""The answer to one proposal of any kind."""

UNSAID = EndingReport("open", (), (), (), (), None, "")
"""What is known of the end of a program of which nothing was said."""


def propose_move(engine: Engine, books: Books, text: str, loop: int) -> tuple[MoveAnswer, Books]:
    """Judges one proposal of any kind; gives the answer and the books after it."""
    if is_measure_text(text):
        return _measure(engine, books, text, loop)
    if is_endless_text(text):
        return _endless(engine, books, text, loop)
    verdict = engine.propose(books, text, loop)
    answer = proposal_answer(verdict, engine.program)
    if verdict.books == books:
        return answer, books
    proved, after, ending = engine.ending_so_far(verdict.books)
    told = None if ending is None else ending_report(ending, engine.program)
    return replace(answer, measures_proved=proved, ending=told), after


def _measure(engine: Engine, books: Books, text: str, loop: int) -> tuple[MeasureJudged, Books]:
    verdict = engine.propose_measure(books, text, loop)
    report = measure_report(verdict, engine.program)
    ending = ending_report(engine.known_ending(verdict.books), engine.program)
    return MeasureJudged(text, loop, verdict.kind, report, listed_measures(verdict.books), ending), verdict.books


def _endless(engine: Engine, books: Books, text: str, loop: int) -> tuple[EndlessJudged, Books]:
    verdict = engine.propose_endless(books, text)
    told = str(endless_message(verdict, engine.program))
    ending = ending_report(engine.known_ending(verdict.books), engine.program)
    claim, found_out = endless_text(verdict.inputs), (verdict.outcome, verdict.because, verdict.known)
    return EndlessJudged(claim, loop, verdict.kind, verdict.inputs, told, ending, *found_out), verdict.books


def propose_moves(engine: Engine, books: Books, proposals: Sequence[tuple[int, str]]) -> tuple[BatchAnswer, Books]:
    """Judges many proposals of any kind: the facts together, then the others one by one."""
    facts = [(loop, text) for loop, text in proposals if is_fact_text(text)]
    verdict = engine.propose_many(books, facts)
    answer, books = batch_answer(verdict, engine.program), verdict.books
    moves: dict[tuple[int, str], JudgedClaim] = {}
    for loop, text in proposals:
        if not is_fact_text(text):
            judged, books = propose_move(engine, books, text, loop)
            assert not isinstance(judged, ProposalAnswer)
            moves[loop, text] = judged.moves[0]
    proved, books, ending = engine.ending_so_far(books)
    told = None if ending is None else ending_report(ending, engine.program)
    return replace(answer, moves=tuple(moves.values()), measures_proved=proved, ending=told), books


def listed_measures(books: Books) -> tuple[ListedMeasure, ...]:
    """The measures on the books, the proved one of each loop first."""
    return tuple(
        ListedMeasure(number, text, proved)
        for number, loop in enumerate(books.loops, 1)
        for proved, texts in ((True, [loop.measure] if loop.measure else ()), (False, loop.waiting_measures))
        for text in texts
    )


def limited_move(
    text: str, loop: int, measures: tuple[ListedMeasure, ...], ending: EndingReport | None, limit: LimitReached
) -> MeasureJudged | EndlessJudged:
    """The answer to a measure, or to a run that is said never to end, whose analysis a limit of the server ended: unknown."""
    told = limited_move_message(text, limit)
    if is_measure_text(text):
        components = text.removeprefix(f"{DECREASES} ")
        report = MeasureReport(components, loop, MeasureKind.UNKNOWN, told, tried=(LIMIT_REASONS[limit],))
        return MeasureJudged(text, loop, MeasureKind.UNKNOWN, report, measures, ending or UNSAID, limit)
    return EndlessJudged(text, loop, EndlessKind.NOT_SHOWN, {}, told, ending or UNSAID, because=LIMIT_REASONS[limit], limited=limit)
