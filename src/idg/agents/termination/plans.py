"""What the agent would still propose so that it is known how the runs of a program end, and the hints that lead there.

A plan of an ending has measures, the facts that they need, or the claim that a run never ends, each as it is proposed. Everything
in it was judged by the engine before anybody hears of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from idg.agents.forms import with_holes
from idg.agents.termination.search import decide_ending
from idg.engine.books import Books
from idg.engine.engine import Engine
from idg.engine.results import Fact, inductive_facts
from idg.engine.telling.messages import loop_name
from idg.engine.termination.results import EndlessKind, MeasureKind
from idg.engine.termination.texts import endless_inputs, endless_text, is_endless_text, is_measure_text
from idg.engine.wire.answers import HintStep
from idg.sip.text.expressions import DECREASES, parse_measure
from idg.sip.text.printer import print_measure
from idg.sip.trees.traverse import names

LEFT_OUT_MAX = 6
"""At most this many facts are left out, one by one, to see whether a measure needs them. Each of them takes a proof."""


def ending_is_known(engine: Engine, books: Books) -> bool:
    """Whether the second mark is given by what is on the books."""
    _, _, ending = engine.ending_so_far(books)
    return ending is not None and ending.status != "open"


def plan_ending(engine: Engine, books: Books) -> tuple[Fact, ...]:
    """Measures of the loops that have none with the facts that they need, or a run that never ends. Only what is proved counts, and
    nothing is told where nothing was found."""
    result = decide_ending(engine, books)
    never = result.ending.never
    if never is not None:
        claim = endless_text(never.inputs)
        shown = engine.propose_endless(books, claim).kind is EndlessKind.NEVER_ENDS
        return (Fact(1, claim),) if shown else ()
    new = [
        (number, after.measure)
        for number, (before, after) in enumerate(zip(books.loops, result.books.loops, strict=True), 1)
        if after.measure and not before.measure
    ]
    measures = tuple(Fact(number, f"{DECREASES} {text}") for number, text in new)
    return (*measures, *_needed(engine, books, result.books, new))


def _needed(engine: Engine, books: Books, after: Books, measures: list[tuple[int, str]]) -> tuple[Fact, ...]:
    """The facts added by the search that the measures need: all of them, or only those that the proofs of the measures use, if
    these suffice. Where these are few, each one that can be left out is left out."""

    def suffices(facts: Sequence[Fact]) -> bool:
        tried = engine.propose_many(books, [(fact.loop, fact.text) for fact in facts], search=False).books
        return all(engine.propose_measure(tried, text, number).kind is MeasureKind.FALLS for number, text in measures)

    known = inductive_facts(books)
    added = [fact for fact in inductive_facts(after) if fact not in known]
    used = {fact for number, text in measures for fact in engine.propose_measure(after, text, number).uses}
    needed = [fact for fact in added if fact in used]
    if not suffices(needed):
        return tuple(added)
    for fact in sorted(needed, key=lambda fact: -len(fact.text)) if len(needed) <= LEFT_OUT_MAX else ():
        fewer = [other for other in needed if other != fact]
        if suffices(fewer):
            needed = fewer
    return tuple(needed)


def plans_an_ending(books: Books, plan: Sequence[Fact]) -> bool:
    """Whether the plan is about the end of the program, and its claims about that are not all proved."""
    return any(
        books.endless is None
        if is_endless_text(move.text)
        else is_measure_text(move.text) and not books.loops[move.loop - 1].measure
        for move in plan
    )


def is_missing(books: Books, move: Fact) -> bool:
    """Whether a measure, or the claim that a run never ends, is neither on the books nor made needless by them."""
    if is_endless_text(move.text):
        return books.endless is None
    own = books.loops[move.loop - 1]
    return not own.measure and move.text.removeprefix(f"{DECREASES} ") not in own.waiting_measures


# Hints


def ending_steps(engine: Engine, move: Fact) -> Iterator[HintStep]:
    """The steps that lead to a measure, or to a run that never ends: where to look, the form, and what to propose."""
    return _measure_steps(engine, move) if is_measure_text(move.text) else _endless_steps(engine, move)


def _measure_steps(engine: Engine, move: Fact) -> Iterator[HintStep]:
    measure = parse_measure(move.text.removeprefix(f"{DECREASES} "))
    spoken_of = frozenset[str]().union(*map(names, measure))
    involved = tuple(name for name in engine.program.loop(move.loop).columns if name in spoken_of)
    several = len(engine.program.loops) > 1
    turn = f"every turn of {loop_name(move.loop, engine.program)}" if several else "every turn"
    if involved:
        listed = ", ".join(involved[:-1]) + f" and {involved[-1]}" if len(involved) > 1 else involved[0]
        yield HintStep("falls", f"Look at {listed}: what falls in {turn} and cannot fall for ever?", variables=involved)
    template = f"{DECREASES} {print_measure(tuple(map(with_holes, measure)))}"
    yield HintStep("measure-template", f"It has this form: {template}", template=template)
    yield HintStep("measure", f"Propose: {move.text}", expression=move.text)


def _endless_steps(engine: Engine, move: Fact) -> Iterator[HintStep]:
    inputs = tuple(endless_inputs(engine.program, move.text))
    if inputs:
        listed = ", ".join(inputs)
        yield HintStep("endless", f"Not every run ends. With which {listed} is the test of a loop true for ever?", variables=inputs)
    yield HintStep("endless-run", f"Propose: {move.text}", expression=move.text)
