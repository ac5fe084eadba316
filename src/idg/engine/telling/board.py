"""The board: which facts carry which part of the goal, and what waits for what.

Everything here is derived from proofs and from checked states. A part is proved only where the inductive facts prove it and nothing
unproved is taken for granted; it waits only where facts that are not proved yet would prove it; it is open only with a state from
which it fails. Where none of these is found with a bounded effort, it is unknown.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from idg.engine.books import Books
from idg.engine.inquiry import Inquiry
from idg.engine.judging.belief import FunctionStatus, obligation_query
from idg.engine.judging.promote import MANY
from idg.engine.judging.reliance import reached, reliance, statuses_of
from idg.engine.results import (
    Board,
    Fact,
    FailingRun,
    GoalPart,
    ObligationStatus,
    ProvedFact,
    SecondCheck,
    ToRuleOut,
    WaitingFact,
    WhyNot,
    inductive_facts,
    waiting_facts,
)
from idg.engine.states.states import failing_before_loops, failing_run, shown_state, state_for
from idg.engine.states.transitions import why_not
from idg.engine.telling.feedback import solved_only
from idg.prover.answers import Proved
from idg.prover.prove import QUICK
from idg.sip.errors import SipError
from idg.sip.record import Record, replace
from idg.sip.syntax import Call, Compare, Expr, Function, Index, Name, Number, Return
from idg.sip.text.expressions import parse_expression
from idg.sip.text.printer import print_expression
from idg.sip.trees.build import rewrite
from idg.sip.trees.logic import conjoin
from idg.sip.trees.split import Conjunct, promised, turned
from idg.sip.trees.traverse import node_count, statements
from idg.vc.query import Query, Requirement
from idg.vc.symbolic import ProgramTooLarge

GOALS = ("post", "assert")
"""Causes of parts that are listed first: what the program is there for."""
RETURNED_NODES_MAX = 3
"""Nodes of a returned expression that stands for `result` in the text of a part."""
STATES_SEARCHED_MAX = 8
"""Open parts for which a state is searched. The others stay unknown."""
WAITING_EXPLAINED_MAX = 24
"""Waiting facts for which the board finds out why they are not proved yet."""
PROVED_EXPLAINED_MAX = 40
"""Inductive facts for which the board finds out what their proofs use."""
FAILURES_TRIED_MAX = 4
"""Failing runs that are looked at for each part."""


def board(inquiry: Inquiry, books: Books) -> Board:
    """What carries what, where these are the books."""
    try:
        return _Board(inquiry, books).board()
    except ProgramTooLarge as error:
        waiting = tuple(WaitingFact(fact, WhyNot()) for fact in waiting_facts(books))
        proved = tuple(ProvedFact(fact) for fact in inductive_facts(books))
        return Board((), waiting, proved, str(error))


class _Place(Record):
    """A requirement that is a part of the goal, and the inquiry in which it leads."""

    function: str
    requirement: Requirement
    inquiry: Inquiry
    conjunct: Conjunct | None
    number: int


class _Core(Record):
    """A proof: the facts that it uses, and the unproved requirements that it takes for granted."""

    facts: tuple[Fact, ...]
    rests_on: frozenset[Requirement]


class _Board:
    def __init__(self, inquiry: Inquiry, books: Books) -> None:
        self.inquiry = inquiry
        self.program = inquiry.program
        self.books = books
        self.inductive, self.waiting = inductive_facts(books), waiting_facts(books)
        self.known = (*self.inductive, *self.waiting)
        self.feedback = solved_only(inquiry, books)
        self.places = self.found_places()
        self.numbers = {place.requirement: place.number for place in self.places}
        self.searched = 0

    def board(self) -> Board:
        parts = tuple(map(self.part, self.places))
        if self.feedback.second_check is SecondCheck.CONTRADICTED:
            # One of the two verifiers is wrong, so nothing that either of them says is believed.
            parts = tuple(replace(part, status="unknown", uses=()) for part in parts)
        return Board(parts, self.waiting_facts(parts), self.proved_facts(parts))

    # the parts

    def found_places(self) -> list[_Place]:
        conjuncts = {Requirement(part.cause, part.expr.span): part for part in promised(self.program)}
        turns = 1 + max((part.turn for part in conjuncts.values()), default=0)
        inquiries = [self.turned(turn) for turn in range(turns)]
        plainly_proved = _proved(statuses_of(inquiries[0], ()))
        level = self.program.level.name
        requirements = [
            (function, status.requirement)
            for function, own in statuses_of(inquiries[0], self.inductive).items()
            for status in own.statuses
            if status.requirement in conjuncts or status.requirement not in plainly_proved
        ]
        requirements.sort(key=lambda place: (place[0] != level, place[1].cause not in GOALS, place[1].span, place[1].cause))
        return [
            _Place(function, requirement, inquiries[_turn(conjuncts.get(requirement))], conjuncts.get(requirement), number)
            for number, (function, requirement) in enumerate(requirements, 1)
        ]

    def turned(self, turn: int) -> Inquiry:
        key = ("turned", self.inquiry.effort, turn)
        return self.inquiry.remembered(key, lambda: self.inquiry.about(turned(self.program, turn)))

    def part(self, place: _Place) -> GoalPart:
        """The part with what is known of it."""
        part = self.blank(place)
        status = _status(statuses_of(place.inquiry, self.inductive), place)
        if status.status == "proved":
            rests_on = reliance(place.inquiry, self.inductive).of([place.requirement])
            core = self.core_of_part(place, self.inductive, self.inductive)
            uses = status.uses if core is None or self.all_rests(place, core) else core.facts
            if not rests_on:
                return replace(part, status="proved", uses=uses)
            return replace(part, status="waits", uses=uses, rests_on=self.numbers_of(rests_on))
        whole = self.whole(place)
        if whole.status == "proved" and not whole.rests_on:
            return replace(part, status="proved", uses=whole.uses)
        failing = self.known_failure(place)
        if failing is not None:
            return replace(part, status="open", failing=failing)
        return self.waiting_part(place, part) or self.open_part(place, part) or part

    def blank(self, place: _Place) -> GoalPart:
        cause, span = place.requirement.cause, place.requirement.span
        analysis = place.inquiry.analysis(place.function, self.inductive, self.inductive)
        loops = [obligation.path.last for obligation in analysis.obligations if obligation.requirement == place.requirement]
        helper = "" if place.function == self.program.level.name else place.function
        text = self.program.quoted(span)
        if cause == "index":
            text = _cells_exist(text)
        if place.conjunct is not None:
            text = print_expression(_told(place.conjunct.expr, self.program.info.functions[place.function].function))
        return GoalPart(place.number, text, cause, span, helper, max(loops, default=0), "unknown")

    def whole(self, place: _Place) -> ObligationStatus:
        """The obligation of the program, as it stands in the text, that the part belongs to."""
        span = place.requirement.span
        return next(
            status
            for status in self.feedback.obligations
            if status.cause == place.requirement.cause and status.span.start <= span.start and span.end <= status.span.end
        )

    def numbers_of(self, requirements: Iterable[Requirement]) -> tuple[int, ...]:
        return tuple(sorted(self.numbers[requirement] for requirement in requirements if requirement in self.numbers))

    def all_rests(self, place: _Place, core: _Core) -> frozenset[Requirement]:
        """Everything unproved that a proof takes for granted, directly or through the inductive facts that it uses."""
        through = reliance(place.inquiry, self.inductive).of(core.facts)
        return core.rests_on.union(through) - {place.requirement}

    def waiting_part(self, place: _Place, part: GoalPart) -> GoalPart | None:
        """The part, where facts that are not proved yet would prove it."""
        if not self.waiting:
            return None
        core = self.core_of_part(place, self.known, self.inductive)
        helping: frozenset[Fact] = frozenset()
        if core is None and len(self.program.info.functions) > 1:
            # With these facts more of the helpers may be believed. Then it waits for what their proofs use, too.
            core = self.core_of_part(place, self.known, self.known)
            helping = self.used_by_helpers(place)
        if core is None:
            return None
        waits_for = tuple(fact for fact in self.waiting if fact in core.facts or fact in helping)
        if not waits_for:
            return None
        uses = tuple(fact for fact in self.inductive if fact in core.facts)
        rests_on = self.numbers_of(self.all_rests(place, core))
        return replace(part, status="waits", uses=uses, waits_for=waits_for, rests_on=rests_on)

    def used_by_helpers(self, place: _Place) -> frozenset[Fact]:
        """The facts that the proofs of those helpers use that are not proved without what waits."""
        before, after = (place.inquiry.beliefs(facts) for facts in (self.inductive, self.known))
        new = after.helpers.trusted - before.helpers.trusted
        return frozenset(fact for name in new for status in after.functions[name].statuses for fact in status.uses)

    def open_part(self, place: _Place, part: GoalPart) -> GoalPart | None:
        """The part, where there is a state from which it fails; one in which the facts that wait hold, where that is found."""
        for facts in dict.fromkeys((self.known, self.inductive)):
            function = statuses_of(place.inquiry, facts)[place.function]
            for obligation in function.refuted:
                if obligation.requirement != place.requirement or self.searched >= STATES_SEARCHED_MAX:
                    continue
                self.searched += 1
                shown: ToRuleOut | FailingRun | None
                if obligation.path.last:
                    shown = shown_state(place.inquiry, self.books, facts, place.function, obligation)
                    new = replace(self.books, shown=())
                    shown = shown or state_for(place.inquiry, new, facts, place.function, obligation)[0]
                else:
                    shown = failing_before_loops(place.inquiry, facts, place.function, obligation)
                if isinstance(shown, ToRuleOut):
                    return replace(part, status="open", to_rule_out=replace(shown, proved_only=facts != self.known))
                if isinstance(shown, FailingRun) and self.fails_here(place, shown):
                    return replace(part, status="open", failing=shown)
        return None

    def known_failure(self, place: _Place) -> FailingRun | None:
        runs = self.inquiry.runs_of(place.function)
        failures = (failing_run(failed, runs) for failed in runs.failures[:FAILURES_TRIED_MAX])
        return next((failing for failing in failures if self.fails_here(place, failing)), None)

    def fails_here(self, place: _Place, failing: FailingRun) -> bool:
        """Whether the run fails at this part, where it is checked before those that stand beside it."""
        outcome = place.inquiry.program.repeat(failing.start).outcome
        return outcome.kind == "failed" and Requirement(outcome.cause, outcome.span) == place.requirement

    # what proofs use

    def core_of_part(self, place: _Place, known: Sequence[Fact], proved: Sequence[Fact]) -> _Core | None:
        """A small proof of a part from known facts; `proved`: those that decide which helpers are believed."""

        def queries(facts: Sequence[Fact]) -> list[Query]:
            analysis = place.inquiry.analysis(place.function, facts, proved)
            obligations = [one for one in analysis.obligations if one.requirement == place.requirement]
            return [obligation_query(analysis, obligation) for obligation in obligations]

        proved_now = _proved(statuses_of(place.inquiry, self.inductive))
        return _core(place.inquiry, queries, known, proved_now)

    def core_of_fact(self, fact: Fact) -> _Core | None:
        """A small proof, from other inductive facts, that an inductive fact is one."""
        inquiry = self.inquiry

        def queries(facts: Sequence[Fact]) -> list[Query]:
            analysis = inquiry.analysis(inquiry.function_at(fact.loop), (*facts, fact), self.inductive)
            return [*analysis.entry(fact.loop, inquiry.expr(fact)), *analysis.step(fact.loop, inquiry.expr(fact))]

        others = [other for other in self.inductive if other != fact]
        return _core(inquiry, queries, others, _proved(statuses_of(inquiry, self.inductive)))

    # the facts

    def waiting_facts(self, parts: Sequence[GoalPart]) -> tuple[WaitingFact, ...]:
        explained = self.waiting[:WAITING_EXPLAINED_MAX]
        why = {fact: why_not(self.inquiry, self.books, fact) if fact in explained else WhyNot() for fact in self.waiting}
        edges = {fact: frozenset(reason.waits_for) for fact, reason in why.items()}
        served = {part.number: _reached_from(edges, part.waits_for) for part in parts}
        return tuple(
            WaitingFact(fact, reason, tuple(number for number, facts in served.items() if fact in facts))
            for fact, reason in why.items()
        )

    def proved_facts(self, parts: Sequence[GoalPart]) -> tuple[ProvedFact, ...]:
        uses: dict[Fact, tuple[Fact, ...]] = {}
        for fact in self.inductive:
            core = self.core_of_fact(fact) if len(uses) < PROVED_EXPLAINED_MAX else None
            # Where no small proof is found, its proof may use all the others.
            uses[fact] = tuple(other for other in self.inductive if other != fact) if core is None else core.facts
        edges = {fact: frozenset(others) for fact, others in uses.items()}
        needed = _reached_from(edges, (fact for part in parts if part.status == "proved" for fact in part.uses))
        return tuple(
            ProvedFact(fact, others, tuple(part.number for part in parts if fact in part.uses), fact in needed)
            for fact, others in uses.items()
        )


def _core(
    inquiry: Inquiry, queries: Callable[[Sequence[Fact]], list[Query]], known: Sequence[Fact], proved: frozenset[Requirement]
) -> _Core | None:
    """A small proof of queries, which depend on the facts that are known, where one is found.

    `proved`: the requirements that are proved, which a proof may take for granted.
    """

    def proof(asking: Inquiry, facts: Sequence[Fact]) -> _Core | None:
        sources = asking.sources(facts)
        asked = queries(facts)
        joint = asking.check(asked, optional=frozenset(sources), lean=True)
        if not isinstance(joint.answer, Proved):
            joint = asking.check(asked)
        if not isinstance(joint.answer, Proved):
            return None
        used = {sources[source] for source in joint.uses if source in sources}
        return _Core(tuple(fact for fact in facts if fact in used), joint.rests_on - proved)

    core = proof(inquiry, known)
    if core is None or len(core.facts) > MANY:
        return core
    quick = inquiry.with_effort(QUICK)
    for omitted in reversed(core.facts):
        fewer = proof(quick, [fact for fact in core.facts if fact != omitted]) if omitted in core.facts else None
        if fewer is not None and fewer.rests_on <= core.rests_on:
            core = fewer
    return core


def _proved(statuses: Mapping[str, FunctionStatus]) -> frozenset[Requirement]:
    return frozenset(one.requirement for own in statuses.values() for one in own.statuses if one.status == "proved")


def _status(statuses: Mapping[str, FunctionStatus], place: _Place) -> ObligationStatus:
    return next(status for status in statuses[place.function].statuses if status.requirement == place.requirement)


def _turn(conjunct: Conjunct | None) -> int:
    return 0 if conjunct is None else conjunct.turn


def _told(expr: Expr, function: Function) -> Expr:
    """The condition as players should read it: with what is returned for `result`, where that is always one short expression."""
    returns = [statement for statement in statements(function.body) if isinstance(statement, Return)]
    if len(returns) != 1 or returns[0] is not function.body.statements[-1] or node_count(returns[0].value) > RETURNED_NODES_MAX:
        return expr
    return rewrite(expr, lambda leaf: returns[0].value if leaf == Name("result") else leaf)


def _cells_exist(text: str) -> str:
    """What is to be shown of cells that are read, written or swapped: that they are some of the array's. Other texts stay."""
    try:
        place = parse_expression(text.partition(":=")[0])
    except SipError:
        return text
    match place:
        case Index(array, index):
            indices: tuple[Expr, ...] = (index,)
        case Call("swap", (Name() as array, *indices_of_both)):
            indices = tuple(indices_of_both)
        case _:
            return text
    in_arrays = (Compare((Number(0), index, Call("len", (array,))), ("<=", "<")) for index in indices)
    return print_expression(conjoin(in_arrays))


def _reached_from(edges: Mapping[Fact, frozenset[Fact]], facts: Iterable[Fact]) -> frozenset[Fact]:
    return frozenset[Fact]().union(*(reached(edges, fact) for fact in facts))
