"""The Invariant Analysis Engine: proposals in, verdicts and new books out."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy

from idg.engine.books import Books, LoopBooks
from idg.engine.inquiry import CROWD, Inquiry
from idg.engine.judging.many import all_refuted_near_runs, refuted_near_runs
from idg.engine.judging.promote import MANY, Promotion, implied_by, promote, promote_with, remove_displaced
from idg.engine.judging.reliance import implication_rests_on, in_order, obligations_of, reliance, rests_on_no_more
from idg.engine.results import (
    BatchVerdict,
    Board,
    Fact,
    Feedback,
    Kind,
    Refutation,
    Removal,
    Verdict,
    WhyNot,
    inductive_facts,
    potential_facts,
    unknown_facts,
    waiting_facts,
)
from idg.engine.states.transitions import why_not
from idg.engine.telling.board import board
from idg.engine.telling.feedback import all_proved, feedback, helper_feedback, proved_so_far, solved_only
from idg.engine.termination.ending import decided_ending, known_ending
from idg.engine.termination.measures import judge_measure, measure_of, tried_again
from idg.engine.termination.never_ending.given_runs import judge_endless
from idg.engine.termination.results import Ending, EndlessKind, EndlessVerdict, Measure, MeasureKind, MeasureVerdict
from idg.engine.termination.texts import endless_inputs
from idg.prover.answers import Proved, Refuted
from idg.prover.prove import QUICK, Effort, Prover
from idg.sip.program import Program
from idg.sip.record import replace
from idg.sip.syntax import Expr
from idg.vc.query import Requirement
from idg.vc.symbolic import ProgramTooLarge, from_types
from idg.vc.unroll import unrolled

UNROLLED_TURNS_MAX = 4
"""Turns of a loop that are written out as conditions, where inputs are searched for whose run makes a proposal false."""
SEARCH = replace(QUICK, z3_rlimit=100_000)
"""The effort for each query of that search. It is small because only counterexamples matter there; proofs are of no use."""


class Engine:
    """Judges proposals about one program. It holds nothing but caches, so the same call always gives the same answer."""

    def __init__(self, program: Program, prover: Prover | None = None) -> None:
        self.program = program
        self.inquiry = Inquiry(program, prover or Prover())

    def with_effort(self, effort: Effort) -> Engine:
        """The same engine, spending this effort on each query. Both share the runs and all that either remembers."""
        other = copy(self)
        other.inquiry = self.inquiry.with_effort(effort)
        return other

    def start(self) -> Books:
        return self.inquiry.empty()

    def feedback(self, books: Books, resting: bool = True, another: bool = False) -> tuple[Feedback, Books]:
        """What is proved so far, with the next state to rule out, and the books that remember this state as shown.

        Players that only look for a proof leave out the `resting` facts. `another`: a state that was not shown before; where none
        is found, the feedback says so.
        """
        try:
            answer = feedback(self.inquiry, books, another, resting)
        except ProgramTooLarge as error:
            return Feedback(False, (), too_large=str(error)), books
        if answer.to_rule_out is not None:
            books = books.with_shown(answer.to_rule_out.loop, answer.to_rule_out.state)
        return answer, books

    def another_state(self, books: Books) -> tuple[Feedback, Books]:
        """The feedback with a state that was not shown before."""
        return self.feedback(books, another=True)

    def proved_so_far(self, books: Books) -> Feedback:
        """Only whether everything is proved, for players that ask often. Here `solved` says no more than that.

        Nobody may be told that the program is solved before `feedback` says so: that asks the second verifier, too.
        """
        try:
            return proved_so_far(self.inquiry, books)
        except ProgramTooLarge as error:
            return Feedback(False, (), too_large=str(error))

    def is_proved(self, books: Books) -> bool:
        """Whether every obligation is proved by these books. No runs are made."""
        try:
            return all_proved(obligations_of(self.inquiry, inductive_facts(books), resting=False))
        except ProgramTooLarge:
            return False

    def helper_feedback(self, books: Books, function: str) -> Feedback:
        """The feedback about one helper alone: here `solved` says that its own obligations are proved."""
        try:
            return helper_feedback(self.inquiry, books, function)
        except ProgramTooLarge as error:
            return Feedback(False, (), too_large=str(error))

    # proposing

    def propose(self, books: Books, text: str, loop: int = 1) -> Verdict:
        """Says what the expression is, and gives the books after it. Raises SipError where it is no expression of the loop."""
        fact = self.inquiry.fact(loop, text)
        try:
            return self._propose(books, fact)
        except ProgramTooLarge as error:
            return Verdict(fact, Kind.UNKNOWN, books, Feedback(False, (), too_large=str(error)), tried=(str(error),))

    def _propose(self, books: Books, fact: Fact) -> Verdict:
        inquiry = self.inquiry
        inductive, potential = inductive_facts(books), potential_facts(books)
        expr = inquiry.expr(fact)
        if fact in inductive:
            rests_on = reliance(inquiry, inductive).of([fact])
            return self._unchanged(books, fact, Kind.DISPLACED, implied_by=(fact,), rests_on=rests_on)
        if fact in potential:
            return self._unchanged(books, fact, Kind.DISPLACED_POTENTIAL, implied_by=(fact,))
        if fact in unknown_facts(books):
            return self._judged_anew(books, fact)
        # A fact that a run refutes is of no earlier kind, and runs are the cheapest test. So they come first.
        refutation = inquiry.runs_at(fact.loop).refute(fact.loop, expr)
        if refutation is not None:
            return self._unchanged(books, fact, Kind.NON_INVARIANT, refutation=refutation)
        if self._is_tautology(inductive, fact):
            return self._unchanged(books, fact, Kind.TAUTOLOGY)
        by = implied_by(inquiry, inductive, fact)
        if by is not None:
            return self._displaced(books, fact, by)
        equivalent = self._equivalent_potential(inductive, potential, fact)
        if equivalent is not None:
            rests_on = self._equivalence_rests_on(inductive, equivalent, fact)
            return self._unchanged(books, fact, Kind.DISPLACED_POTENTIAL, implied_by=equivalent, rests_on=rests_on)
        return self._add(books, fact)

    def _unchanged(
        self,
        books: Books,
        fact: Fact,
        kind: Kind,
        implied_by: tuple[Fact, ...] = (),
        refutation: Refutation | None = None,
        rests_on: tuple[Requirement, ...] = (),
    ) -> Verdict:
        feedback = self._solved_only(books)
        return Verdict(fact, kind, books, feedback, implied_by=implied_by, refutation=refutation, rests_on=rests_on)

    def _judged_anew(self, books: Books, fact: Fact) -> Verdict:
        """The verdict on a fact about which nothing could be established when it was proposed before."""
        verdict = self._propose(self._with_waiting(books, [other for other in waiting_facts(books) if other != fact]), fact)
        if verdict.kind in (Kind.INDUCTIVE, Kind.POTENTIAL, Kind.UNKNOWN):
            return verdict
        feedback, books = self.feedback(verdict.books)
        return replace(verdict, books=books, feedback=feedback)

    def _displaced(self, books: Books, fact: Fact, by: tuple[Fact, ...]) -> Verdict:
        """The verdict on a fact that these inductive facts imply: displaced, unless it is inductive and rests on less than that."""
        inductive = inductive_facts(books)
        rests_on = implication_rests_on(self.inquiry, inductive, by, fact)
        if rests_on and set(reliance(self.inquiry, (*inductive, fact)).of([fact])) < set(rests_on):
            no_more = rests_on_no_more(self.inquiry, (*inductive, fact), inductive, fact)
            if no_more is not None:
                by, rests_on = no_more
                return self._unchanged(books, fact, Kind.DISPLACED, implied_by=by, rests_on=rests_on)
            verdict = self._add(books, fact)
            if verdict.kind is Kind.INDUCTIVE:
                return verdict
        return self._unchanged(books, fact, Kind.DISPLACED, implied_by=by, rests_on=rests_on)

    def _solved_only(self, books: Books) -> Feedback:
        """What is proved, without a state to rule out: the books did not change, so there is no new one."""
        try:
            return solved_only(self.inquiry, books)
        except ProgramTooLarge as error:
            return Feedback(False, (), too_large=str(error))

    def _add(self, books: Books, fact: Fact) -> Verdict:
        before = books
        books = books.with_loop(fact.loop, potential=(*books.loops[fact.loop - 1].potential, fact.text))
        promotion, books, removed = self._settle(books, fact)
        failure = next((failure for failure in promotion.failures if failure.fact == fact), None)
        if failure is not None:
            # The search for a refuting run comes last, because it is expensive and must fail where the expression is inductive.
            refutation = self._refuted_by_search(inductive_facts(before), fact)
            if refutation is not None:
                return self._unchanged(before, fact, Kind.NON_INVARIANT, refutation=refutation)
        feedback, books = self.feedback(books)
        if failure is None:
            gone = (removal.rests_on for removal in removed if removal.fact == fact)
            rests_on = next(gone, reliance(self.inquiry, inductive_facts(books)).of([fact]))
            return Verdict(fact, Kind.INDUCTIVE, books, feedback, promotion.promoted, removed, rests_on=rests_on)
        why = why_not(self.inquiry, books, fact)
        kind = Kind.POTENTIAL if failure.state is not None or why.waits_for else Kind.UNKNOWN
        if kind is Kind.UNKNOWN:
            books = self._with_waiting(books, waiting_facts(books), [fact])
        return Verdict(
            fact,
            kind,
            books,
            feedback,
            promotion.promoted,
            removed,
            transition=why.transition,
            waits_for=why.waits_for,
            tried=failure.tried if kind is Kind.UNKNOWN else (),
            because=failure.because if kind is Kind.UNKNOWN else "",
            rests_on=why.rests_on,
        )

    def _settle(self, books: Books, new: Fact | None = None, tidy: bool = True) -> tuple[Promotion, Books, tuple[Removal, ...]]:
        """Promotes what can be promoted, then drops what became redundant.

        `new` is given where it is the only waiting fact that was not tried before. Without `tidy`, the only facts that are
        dropped are those that `promote` itself saw to be implied.
        """
        inductive, waiting = inductive_facts(books), waiting_facts(books)
        if new is None:
            promotion = promote(self.inquiry, inductive, waiting, books.counterexamples)
        else:
            promotion = promote_with(self.inquiry, inductive, waiting, new, books.counterexamples)
        for counterexample in promotion.counterexamples:
            books = books.with_counterexample(counterexample)
        if not promotion.promoted:
            return promotion, books, ()
        if tidy:
            accepted, removed = remove_displaced(self.inquiry, inductive, promotion)
        else:
            removed = promotion.implied
            gone = {removal.fact for removal in removed}
            accepted = (*inductive, *(fact for fact in promotion.promoted if fact not in gone))
        by_loop = [tuple(fact.text for fact in accepted if fact.loop == loop) for loop in range(1, len(books.loops) + 1)]
        books = replace(books, loops=tuple(replace(loop, inductive=own) for loop, own in zip(books.loops, by_loop, strict=True)))
        return promotion, self._with_waiting(books, [fact for fact in waiting if fact not in promotion.promoted]), removed

    def _with_waiting(self, books: Books, waiting: Sequence[Fact], unknown: Sequence[Fact] = ()) -> Books:
        """The books with these facts waiting. Those that were unknown stay so, and the `unknown` ones become so."""

        def loop_books(number: int, loop: LoopBooks) -> LoopBooks:
            own = [fact for fact in waiting if fact.loop == number]
            doubtful = [fact.text for fact in own if fact in unknown or fact.text in loop.unknown]
            potential = tuple(fact.text for fact in own if fact.text not in doubtful)
            return replace(loop, potential=potential, unknown=tuple(doubtful))

        return replace(books, loops=tuple(loop_books(number, loop) for number, loop in enumerate(books.loops, 1)))

    def propose_many(self, books: Books, proposals: Sequence[tuple[int, str]], search: bool = True) -> BatchVerdict:
        """Judges many proposals at once: one Promote over all of them, which accepts the largest inductive subset.

        Players that try a lot leave out the `search`. Then only the runs at hand are used, so a fact that another run would refute
        is called potential. Only facts that are seen at once to follow from others are removed, and there is no feedback.
        """
        facts = list(dict.fromkeys(self.inquiry.fact(loop, text) for loop, text in proposals))
        try:
            return self._propose_many(books, facts, search)
        except ProgramTooLarge:
            verdict = self._propose_many(books, [fact for fact in facts if self._can_be_analysed(fact)], search)
        kinds = dict(verdict.kinds)
        for fact in facts:
            refuted = fact not in kinds and self._refuted_by_runs(fact)
            kinds.setdefault(fact, Kind.NON_INVARIANT if refuted else Kind.UNKNOWN)
        return replace(verdict, kinds=tuple((fact, kinds[fact]) for fact in facts))

    def accepted(self, facts: Sequence[Fact]) -> Books:
        """Books with the largest inductive subset of these facts and nothing else, without those that others imply.

        No runs are made: for players who expect all of them to be proved.
        """
        books = self.start()
        for loop in dict.fromkeys(fact.loop for fact in facts):
            books = books.with_loop(loop, potential=tuple(dict.fromkeys(fact.text for fact in facts if fact.loop == loop)))
        try:
            books = self._settle(books)[1]
        except ProgramTooLarge:
            return self.start()
        return self._with_waiting(books, ())

    def _can_be_analysed(self, fact: Fact) -> bool:
        try:
            analysis = self.inquiry.analysis(self.inquiry.function_at(fact.loop), [fact], ())
            analysis.entry(fact.loop, self.inquiry.expr(fact))
            analysis.step(fact.loop, self.inquiry.expr(fact))
        except ProgramTooLarge:
            return False
        return True

    def _propose_many(self, books: Books, facts: Sequence[Fact], search: bool) -> BatchVerdict:
        inductive, potential = inductive_facts(books), potential_facts(books)
        kinds: dict[Fact, Kind] = {}
        new: list[Fact] = []
        for fact in facts:
            if fact in inductive or fact in potential:
                kinds[fact] = Kind.DISPLACED if fact in inductive else Kind.DISPLACED_POTENTIAL
            elif self._refuted_by_runs(fact):
                kinds[fact] = Kind.NON_INVARIANT
            else:
                new.append(fact)
        # What was unknown before is judged anew.
        books = self._with_waiting(books, [fact for fact in waiting_facts(books) if fact not in new])
        for fact in new:
            loop_books = books.loops[fact.loop - 1]
            books = books.with_loop(fact.loop, potential=(*loop_books.potential, fact.text))
        promotion, books, removed = self._settle(books, tidy=search) if new else (Promotion((), (), ()), books, ())
        failures = {failure.fact: failure for failure in promotion.failures}
        refuted: list[Fact] = []
        for fact in new:
            failure = failures.get(fact)
            if failure is None:
                kinds[fact] = Kind.INDUCTIVE
            elif search and self._refuted_by_search(inductive, fact) is not None:
                kinds[fact] = Kind.NON_INVARIANT
                refuted.append(fact)
            else:
                kinds[fact] = Kind.POTENTIAL if failure.state is not None else Kind.UNKNOWN
        unknown = [fact for fact in new if kinds[fact] is Kind.UNKNOWN]
        books = self._with_waiting(books, [fact for fact in waiting_facts(books) if fact not in refuted], unknown)
        feedback, books = self.feedback(books) if search else (Feedback(False, ()), books)
        return BatchVerdict(tuple((fact, kinds[fact]) for fact in facts), promotion.promoted, removed, books, feedback)

    # the questions of ProposeLoopInv

    def _is_tautology(self, proved: Sequence[Fact], fact: Fact) -> bool:
        """Whether the variables' types alone imply it, and what is proved of the helpers that it calls."""
        if refuted_near_runs(self.inquiry, (), fact, proved, making=True):
            return False
        info, loop = self.program.info, self.program.loop(fact.loop)
        helpers = self.inquiry.helpers(loop.function, proved)
        # What is only assumed of a function in its own proof is not known here.
        believed = replace(helpers, trusted=helpers.trusted - info.calls.group(loop.function))
        queries = from_types(info, loop, self.inquiry.expr(fact), believed)
        return isinstance(self.inquiry.check(queries).answer, Proved)

    def _refuted_by_runs(self, fact: Fact) -> bool:
        """Whether one of the usual runs makes the fact false."""
        return self.inquiry.runs_at(fact.loop).refute(fact.loop, self.inquiry.expr(fact)) is not None

    def _refuted_by_search(self, proved: Sequence[Fact], fact: Fact) -> Refutation | None:
        """A run that makes the fact false.

        Tried are inputs near the numbers in the expression, then inputs, initial values and choices that the prover finds for the
        first turns, then runs with unusual initial values and choices.
        """
        runs = self.inquiry.runs_at(fact.loop)
        expr = self.inquiry.expr(fact)
        return (
            runs.refute_by_literals(fact.loop, expr)
            or self._refuted_in_first_turns(proved, fact.loop, expr)
            or runs.refute_by_exploring(fact.loop, expr)
        )

    def _refuted_in_first_turns(self, proved: Sequence[Fact], loop: int, expr: Expr) -> Refutation | None:
        """A run that makes the expression false, of which the prover found out how it starts. Only what the run shows counts.

        With arrays none is looked for: the usual runs have all kinds of short arrays, and what several turns write grows too large.
        """
        if any(kind.element for kind in self.program.info.functions[self.inquiry.function_at(loop)].variables.values()):
            return None
        helpers = self.inquiry.helpers(self.inquiry.function_at(loop), proved)
        turns = unrolled(self.program.info, loop, expr, UNROLLED_TURNS_MAX, helpers)
        for arrival in turns.arrivals:
            for query in arrival.queries:
                if query.call:
                    continue  # A state would say nothing: the goal is that the call is not evaluated.
                answer = self.inquiry.prover.prove(query, SEARCH)
                if isinstance(answer, Refuted):
                    choices = turns.choices(arrival, answer.state)
                    confirmed = self.inquiry.runs_at(loop).confirm(loop, expr, turns.inputs(answer.state), choices)
                    if confirmed is not None:
                        return confirmed
        return None

    def _equivalent_potential(self, inductive: Sequence[Fact], potential: Sequence[Fact], fact: Fact) -> tuple[Fact, ...] | None:
        """The potential facts that this fact implies and that together imply it, given the inductive ones; None where none do."""
        inquiry = self.inquiry
        same_loop = [other for other in potential if other.loop == fact.loop]
        if len(inductive) + len(same_loop) > CROWD:
            return self._equivalent_of_many(inductive, same_loop, fact)
        if not same_loop or implied_by(inquiry, (*inductive, *same_loop), fact, False, inductive) is None:
            return None
        implied = [other for other in same_loop if implied_by(inquiry, (*inductive, fact), other, False, inductive) is not None]
        if not implied:
            return None
        by = implied_by(inquiry, (*inductive, *implied), fact, len(implied) <= MANY, inductive)
        return None if by is None else tuple(other for other in by if other in implied)

    def _equivalent_of_many(self, inductive: Sequence[Fact], same_loop: Sequence[Fact], fact: Fact) -> tuple[Fact, ...] | None:
        """The same among many: whether this one implies a potential fact is asked only where a proof of this one uses that."""
        inquiry = self.inquiry
        known = (*inductive, fact)
        refuted = all_refuted_near_runs(inquiry, known, same_loop, inductive)
        left = [other for other in same_loop if other not in refuted]
        implied: set[Fact] = set()
        while left:
            by = implied_by(inquiry, (*inductive, *left), fact, False, inductive)
            if by is None:
                return None
            used = tuple(other for other in by if other in left)
            implied.update(
                other for other in used if other not in implied and implied_by(inquiry, known, other, False, inductive) is not None
            )
            if implied.issuperset(used):
                by = implied_by(inquiry, (*inductive, *used), fact, len(used) <= MANY, inductive) or used
                return tuple(other for other in by if other in used)
            left = [other for other in left if other not in used or other in implied]
        return None

    def _equivalence_rests_on(self, inductive: Sequence[Fact], equivalent: Sequence[Fact], fact: Fact) -> tuple[Requirement, ...]:
        """What it rests on that the fact and these potential ones imply each other, given the inductive ones."""
        inquiry = self.inquiry
        implications = [((*inductive, *equivalent), fact), *(((*inductive, fact), other) for other in equivalent)]
        rests_on: set[Requirement] = set()
        for known, implied in implications:
            by = implied_by(inquiry, known, implied, False, inductive)
            rests_on.update(implication_rests_on(inquiry, inductive, known if by is None else by, implied))
        return in_order(rests_on)

    # the end of the program

    def propose_measure(self, books: Books, text: str, loop: int = 1) -> MeasureVerdict:
        """Says whether the measure falls in every turn of the loop, and gives the books after it.

        Raises SipError where the text is no measure of the loop.
        """
        measure = measure_of(self.inquiry, loop, text)
        try:
            return judge_measure(self.inquiry, books, measure)
        except ProgramTooLarge as error:
            return MeasureVerdict(measure, MeasureKind.UNKNOWN, books, tried=(str(error),))

    def measures_again(self, books: Books) -> tuple[tuple[Measure, ...], Books]:
        """The waiting measures that can be proved now, after facts arrived, and the books with them."""
        try:
            return tried_again(self.inquiry, books)
        except ProgramTooLarge:
            return (), books

    def propose_endless(self, books: Books, text: str) -> EndlessVerdict:
        """Says whether the run with the inputs in the text, such as `endless x = 3`, never ends, and gives the books after it.

        Raises InputError where the text names no run.
        """
        inputs = endless_inputs(self.program, text)
        try:
            return judge_endless(self.inquiry, books, inputs)
        except ProgramTooLarge as error:
            return EndlessVerdict(inputs, EndlessKind.NOT_SHOWN, books, because=str(error))

    def ending_so_far(self, books: Books) -> tuple[tuple[Measure, ...], Books, Ending | None]:
        """The waiting measures that can be proved now, the books with them, and what is known of the end of the program.

        Nothing is told of the end where nobody has said anything about it.
        """
        if books.endless is None and not any(loop.measure or loop.waiting_measures for loop in books.loops):
            return (), books, None
        proved, books = self.measures_again(books)
        return proved, books, self.known_ending(books)

    def known_ending(self, books: Books) -> Ending:
        """Whether the program is shown to end, or not to end, by what players have said. Nothing else is looked for."""
        try:
            return known_ending(self.inquiry, books)
        except ProgramTooLarge:
            return self._open_ending()

    def _open_ending(self) -> Ending:
        return Ending("open", loops=tuple(loop.number for loop in self.program.loops))

    def ending(self, books: Books) -> Ending:
        """Whether the program is proved to end by its measures; where not, whether a run is known that never ends."""
        try:
            return decided_ending(self.inquiry, books)
        except ProgramTooLarge:
            return self._open_ending()

    # on demand

    def why_not(self, books: Books, text: str, loop: int = 1) -> WhyNot:
        """Why a potential invariant is not inductive yet: a transition that breaks it, or the facts that it waits for."""
        return why_not(self.inquiry, books, self.inquiry.fact(loop, text))

    def explain(self, books: Books) -> Feedback:
        """Which invariants the proof of each obligation uses."""
        return self._solved_only(books)

    def board(self, books: Books) -> Board:
        """Which facts carry which part of the goal, and what waits for what."""
        return board(self.inquiry, books)
