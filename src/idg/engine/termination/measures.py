"""Judges proposed measures: proved to fall in every turn, refuted by a turn of a run, or kept with a turn to be ruled out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from idg.engine.books import Books
from idg.engine.inquiry import Inquiry, JointAnswer, NoValue
from idg.engine.judging.promote import support
from idg.engine.judging.reliance import reliance
from idg.engine.results import Fact, StateAtHead, inductive_facts, waiting_facts
from idg.engine.states.inputs import input_weight
from idg.engine.states.transitions import loops_passed
from idg.engine.telling.claims import turn_is_true
from idg.engine.termination.results import Measure, MeasureKind, MeasureValues, MeasureVerdict, RunTurn, Turn
from idg.engine.termination.turns import falls, measured, seen_turns, told
from idg.prover.answers import Proved, Refuted, Unknown
from idg.sip.checking.checker import check_expression
from idg.sip.record import replace
from idg.sip.syntax import Expr, Type
from idg.sip.text.expressions import parse_measure
from idg.sip.text.printer import print_measure
from idg.sip.values import Value
from idg.vc.measures import TurnQuery, falls_in_every_turn
from idg.vc.query import Requirement
from idg.vc.symbolic import Analysis


def measure_of(inquiry: Inquiry, loop: int, text: str) -> Measure:
    """The proposal in canonical text. Raises SipError where it is no measure of the loop."""
    return Measure(loop, print_measure(inquiry.program.measure(text, loop)))


def component_types(inquiry: Inquiry, loop: int, components: Sequence[Expr]) -> list[Type]:
    scope = inquiry.program.info.scope(inquiry.program.loop(loop))
    kinds = [check_expression(component, scope)[0] for component in components]
    return [kind for kind in kinds if kind is not None]


def judge_measure(inquiry: Inquiry, books: Books, measure: Measure) -> MeasureVerdict:
    """The answer to a proposed measure, with the books after it. Raises ProgramTooLarge where the program cannot be analysed."""
    own = books.loops[measure.loop - 1]
    if measure.text == own.measure:
        return replace(_proved(inquiry, books, measure), known=True)
    verdict = _judged(inquiry, books, measure)
    if verdict.kind is MeasureKind.FALLS:
        # One measure is enough for a loop. The first that is proved stays, so that the answer does not change under a player.
        text = own.measure or measure.text
        waiting = tuple(other for other in own.waiting_measures if other != measure.text) if own.measure else ()
        return replace(verdict, books=books.with_measures(measure.loop, text, waiting))
    if verdict.kind is MeasureKind.DOES_NOT_FALL or own.measure:
        return verdict
    known = measure.text in own.waiting_measures
    waiting = own.waiting_measures if known else (*own.waiting_measures, measure.text)
    return replace(verdict, books=books.with_measures(measure.loop, "", waiting), known=known)


def _proved(inquiry: Inquiry, books: Books, measure: Measure) -> MeasureVerdict:
    verdict = _judged(inquiry, books, measure)
    # Facts that became redundant are gone, and without them the budgets need not suffice for the proof that was found before.
    return verdict if verdict.kind is MeasureKind.FALLS else MeasureVerdict(measure, MeasureKind.FALLS, books)


def tried_again(inquiry: Inquiry, books: Books) -> tuple[tuple[Measure, ...], Books]:
    """The waiting measures that what is proved now proves, and the books with them."""
    proved: list[Measure] = []
    for number, loop in enumerate(books.loops, 1):
        for text in loop.waiting_measures:
            measure = Measure(number, text)
            if not books.loops[number - 1].measure and _judged(inquiry, books, measure).kind is MeasureKind.FALLS:
                proved.append(measure)
                books = books.with_measures(number, text, ())
    return tuple(proved), books


def rests_on(inquiry: Inquiry, books: Books, measure: Measure) -> tuple[Requirement, ...]:
    """What the proof that a proved measure falls rests on that is not proved yet."""
    inductive = inductive_facts(books)
    if not reliance(inquiry, inductive).assumed:
        return ()
    _, queries, joint = _asked(inquiry, measure, parse_measure(measure.text), inductive, ())
    if not isinstance(joint.answer, Proved):
        # The facts by which it was proved became redundant. Whatever the conditions assume may be needed.
        assumed = (part.rests_on for asked in queries for part in asked.query.hypotheses)
        return reliance(inquiry, inductive).of((*inductive, *(requirement for parts in assumed for requirement in parts)))
    return _proof_rests_on(inquiry, inductive, joint)[1]


def used_facts(inquiry: Inquiry, inductive: Sequence[Fact], measures: Sequence[Measure]) -> tuple[Fact, ...]:
    """The facts that the proofs of these measures use, directly or not; all, where no such proofs are found."""
    used: set[Fact] = set()
    for measure in measures:
        _, _, joint = _asked(inquiry, measure, parse_measure(measure.text), inductive, ())
        if not isinstance(joint.answer, Proved):
            return tuple(inductive)
        used.update(_proof_rests_on(inquiry, inductive, joint)[0])
    return support(inquiry, inductive, [fact for fact in inductive if fact in used])


def _proof_rests_on(
    inquiry: Inquiry, inductive: Sequence[Fact], joint: JointAnswer
) -> tuple[tuple[Fact, ...], tuple[Requirement, ...]]:
    """The facts that the proof uses, and what it rests on that is not proved yet."""
    sources = inquiry.sources(inductive)
    uses = tuple(dict.fromkeys(sources[source] for source in sorted(joint.uses) if source in sources))
    return uses, reliance(inquiry, inductive).of((*uses, *joint.rests_on))


def _judged(inquiry: Inquiry, books: Books, measure: Measure) -> MeasureVerdict:
    components = parse_measure(measure.text)
    run, values = _not_falling_run(inquiry, measure.loop, components)
    if run is not None:
        return MeasureVerdict(measure, MeasureKind.DOES_NOT_FALL, books, run=run, values=values)
    inductive, waiting = inductive_facts(books), waiting_facts(books)
    analysis, queries, joint = _asked(inquiry, measure, components, inductive, ())
    if isinstance(joint.answer, Proved):
        return MeasureVerdict(measure, MeasureKind.FALLS, books, *_proof_rests_on(inquiry, inductive, joint))
    waits_for = _waits_for(inquiry, measure, components, inductive, waiting)
    turn = None
    if isinstance(joint.answer, Refuted):
        turn = _turn(inquiry, analysis, queries[joint.index], measure, joint.answer.state, inductive, components)
    if turn is not None:
        rows = [tuple(turn.before.values()), tuple(turn.after.values())]
        before, after = measured(inquiry.runs_at(measure.loop), measure.loop, components, rows)
        return MeasureVerdict(measure, MeasureKind.MAY_NOT_FALL, books, turn=turn, values=(before, after), waits_for=waits_for)
    if waits_for:
        return MeasureVerdict(measure, MeasureKind.MAY_NOT_FALL, books, waits_for=waits_for)
    tried = joint.answer.tried if isinstance(joint.answer, Unknown) else ()
    because = "" if joint.query is None else inquiry.why_unknown(joint.query, inductive)
    return MeasureVerdict(measure, MeasureKind.UNKNOWN, books, tried=tried, because=because)


def _asked(
    inquiry: Inquiry, measure: Measure, components: Sequence[Expr], proved: Sequence[Fact], others: Sequence[Fact]
) -> tuple[Analysis, list[TurnQuery], JointAnswer]:
    """Whether the measure falls where the proved facts and these others hold. The others are used only where they are needed."""
    known = (*proved, *others)
    analysis = inquiry.analysis(inquiry.function_at(measure.loop), known, proved)
    queries = falls_in_every_turn(analysis, measure.loop, components)
    optional = frozenset(source for source, fact in inquiry.sources(known).items() if fact in others)
    return analysis, queries, inquiry.check([asked.query for asked in queries], (), optional, lean=True)


def _waits_for(
    inquiry: Inquiry, measure: Measure, components: Sequence[Expr], inductive: Sequence[Fact], waiting: Sequence[Fact]
) -> tuple[Fact, ...]:
    """The facts, not proved yet, with which the measure would fall; none where it would not."""
    if not waiting:
        return ()
    _, _, joint = _asked(inquiry, measure, components, inductive, waiting)
    if not isinstance(joint.answer, Proved):
        return ()
    sources = inquiry.sources((*inductive, *waiting))
    used = {sources[source] for source in joint.uses if source in sources}
    return tuple(fact for fact in waiting if fact in used)


def _not_falling_run(
    inquiry: Inquiry, loop: int, components: Sequence[Expr]
) -> tuple[RunTurn | None, tuple[MeasureValues, MeasureValues]]:
    """The first turn of a run in which the measure does not fall, with the measure before and after it."""
    runs, turns = inquiry.runs_at(loop), seen_turns(inquiry, loop)
    kinds = component_types(inquiry, loop, components)
    before = measured(runs, loop, components, [turn.before for turn in turns])
    after = measured(runs, loop, components, [turn.after for turn in turns])
    failing = [index for index, (old, new) in enumerate(zip(before, after, strict=True)) if falls(old, new, kinds) is False]
    if not failing:
        return None, ((), ())
    index = min(failing, key=lambda index: turns[index].index + input_weight(turns[index].plan.inputs))
    return told(runs, loop, turns[index]), (before[index], after[index])


def _turn(
    inquiry: Inquiry,
    analysis: Analysis,
    asked: TurnQuery,
    measure: Measure,
    state: Mapping[str, Value],
    known: Sequence[Fact],
    components: Sequence[Expr],
) -> Turn | None:
    """The turn in which the measure does not fall, told as states of the program's variables; None where it fails its check."""
    loop, path = measure.loop, asked.path
    try:
        before = inquiry.at_loop(analysis, loop, path.heads[loop], state)
        after = inquiry.at_loop(analysis, loop, path.values, state)
        passed = tuple(
            StateAtHead(other, inquiry.at_loop(analysis, other, path.heads[other], state))
            for other in loops_passed(inquiry.program, path, loop)
        )
    except NoValue:
        return None
    turn = Turn(loop, before, after, passed)
    rows = [tuple(before.values()), tuple(after.values())]
    kinds = component_types(inquiry, loop, components)
    old, new = measured(inquiry.runs_at(loop), loop, components, rows)
    fell = falls(old, new, kinds)
    mistake = "" if fell is False else "the measure falls in it"
    choices = analysis.executor.choices(path, state)
    what = f"the turn {turn} in which {measure.text} does not fall"
    return turn if turn_is_true(inquiry, turn.loop, before, after, turn.passed, known, choices, mistake, what) else None
