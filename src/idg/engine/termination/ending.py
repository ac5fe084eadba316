"""Whether a program ends: every loop that a run may reach has a measure, and every recursive function is known to end.

Suppose that all of this is proved, and look at a run that never ends. Either it makes calls inside of calls for ever, or one call
takes infinitely many steps although each call that it makes itself comes to an end. Each check that it comes to is passed, because
a run ends where one fails; so the proofs may rest on such checks without their being proved. In the first case the calls stay,
from some point on, within one group of functions that call each other; from call to call within the group something falls that
cannot fall for ever. In the second case a loop of the call makes infinitely many turns, each of which comes to its end. But in
each of them its measure falls, so there are only finitely many.
"""

from __future__ import annotations

from idg.engine.books import Books
from idg.engine.inquiry import Inquiry
from idg.engine.judging.reliance import in_order, statuses_of
from idg.engine.judging.second_check import second_check_of_measures
from idg.engine.results import Fact, SecondCheck, inductive_facts
from idg.engine.termination.calls import falling_measures
from idg.engine.termination.contracts import kept_contracts
from idg.engine.termination.measures import rests_on, used_facts
from idg.engine.termination.never_ending.given_runs import run_that_never_ends
from idg.engine.termination.never_ending.searching import never_ends
from idg.engine.termination.results import Contract, Ending, Measure
from idg.sip.record import replace
from idg.sip.syntax import Expr
from idg.sip.trees.traverse import is_in_claim
from idg.vc.query import Requirement

CHECKED_BY_RUNS = frozenset({"assert", "index", "zero-divisor", "negative-exponent", "narrowing"})
"""The causes of requirements at which a run ends where they are violated, unless they stand in a claim."""


def ending(inquiry: Inquiry, books: Books) -> Ending:
    """What the proved measures say of the program's end; runs that never end are not looked for."""
    info = inquiry.program.info
    reached = info.calls.reached(info.level.function.name)
    measures: list[Measure] = []
    without: list[int] = []
    assumed: set[Requirement] = set()
    for loop, own in zip(inquiry.program.loops, books.loops, strict=True):
        if loop.function not in reached:
            continue
        if not own.measure:
            without.append(loop.number)
            continue
        measure = Measure(loop.number, own.measure)
        measures.append(measure)
        assumed.update(part for part in rests_on(inquiry, books, measure) if not _ends_runs(inquiry, part))
    facts = inductive_facts(books)
    groups = [group for group in info.calls.groups if group <= reached and info.calls.is_recursive(group)]
    falling = {group: falling_measures(inquiry, group, facts) for group in groups}
    unending = [name for group in groups if falling[group] is None for name in sorted(group)]
    if any(falling.values()):
        assumed.update(part for part in _unproved(inquiry, facts) if not _ends_runs(inquiry, part))
    known = Ending("open", tuple(measures), tuple(without), tuple(unending), in_order(assumed))
    if without or unending or assumed:
        return known
    of_functions = tuple((name, tuple(parts)) for own in falling.values() for name, parts in (own or {}).items())
    second = _second_check(inquiry, facts, measures, of_functions)
    return replace(known, status="open" if second is SecondCheck.CONTRADICTED else "ends", second_check=second)


def _ends_runs(inquiry: Inquiry, violated: Requirement) -> bool:
    """Whether a run ends where it violates the requirement. It goes on after a false claim, and after one that has no value."""
    functions = (info.function for info in inquiry.program.info.functions.values())
    return violated.cause in CHECKED_BY_RUNS and not is_in_claim(functions, violated.span)


def _unproved(inquiry: Inquiry, facts: tuple[Fact, ...]) -> set[Requirement]:
    """What the program must ensure and is not proved to. Proofs that calls fall may use any of it."""
    statuses = (status for function in statuses_of(inquiry, facts).values() for status in function.statuses)
    return {status.requirement for status in statuses if status.status != "proved"}


def _second_check(
    inquiry: Inquiry, facts: tuple[Fact, ...], measures: list[Measure], functions: tuple[tuple[str, tuple[Expr, ...]], ...]
) -> SecondCheck:
    """What the second verifier says of the measures of loops, and of recursive functions.

    It is asked about the facts that the proofs use, because each of the others costs it a condition with all of them. Unless it
    confirms these, it is asked about all.
    """
    asked = tuple((measure.loop, measure.text) for measure in measures)

    def answer() -> SecondCheck:
        needed = facts if functions else used_facts(inquiry, facts, measures)
        check = second_check_of_measures(inquiry.program, needed, asked, dict(functions))
        if check is SecondCheck.CONFIRMED or needed == facts:
            return check
        return second_check_of_measures(inquiry.program, facts, asked, dict(functions))

    return inquiry.remembered(("measures", facts, asked, functions), answer)


def known_ending(inquiry: Inquiry, books: Books) -> Ending:
    """What players have shown of the program's end, by measures or by a run; no such run is looked for."""
    never = None if books.endless is None else run_that_never_ends(inquiry, books, books.endless)
    known = ending(inquiry, books)
    return known if never is None else replace(known, status="never ends", never=never, second_check=never.second_check)


def decided_ending(inquiry: Inquiry, books: Books) -> Ending:
    """The same, and where it is open, a run that never ends is looked for."""
    known = ending(inquiry, books)
    if known.status == "ends":
        return known
    never = never_ends(inquiry, books)
    if never is not None:
        return replace(known, status="never ends", never=never, second_check=never.second_check)
    if known.functions and not known.loops and not known.rests_on:
        return _ending_with_contracts(inquiry, books, known)
    return known


def _ending_with_contracts(inquiry: Inquiry, books: Books, known: Ending) -> Ending:
    """The same, where the program ends because its recursive functions keep to contracts that it does not state."""
    kept: tuple[Contract, ...] = ()
    for group in inquiry.program.info.calls.groups:
        if not group & frozenset(known.functions):
            continue
        for other, contracts in kept_contracts(inquiry, group, inductive_facts(books)):
            better = ending(other, books)
            if not group & frozenset(better.functions):
                inquiry, known, kept = other, better, (*kept, *contracts)
                break
    return replace(known, contracts=kept)
