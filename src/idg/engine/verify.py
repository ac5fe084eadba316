"""Checks a whole program with the invariants that it states: every obligation, and each invariant on entry and after a turn."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import chain

from idg.engine.inquiry import Inquiry, NoValue
from idg.engine.judging.belief import obligation_query, proof_status
from idg.engine.judging.reliance import in_order, reached
from idg.engine.results import ProofStatus
from idg.engine.wire.answers import CheckAnswer, LinePlace
from idg.engine.wire.build import unproved_places
from idg.prover.answers import Answer, Proved, Refuted, Unknown
from idg.prover.prove import Prover
from idg.sip.errors import line_and_column
from idg.sip.program import Program
from idg.sip.record import Record, replace
from idg.sip.syntax import Expr, Span
from idg.sip.text.printer import print_expression, print_measure
from idg.sip.trees.traverse import conjuncts
from idg.sip.values import Value
from idg.vc.measures import falls_in_calls, falls_in_every_turn
from idg.vc.paths import Path
from idg.vc.query import Query, Requirement
from idg.vc.symbolic import Analysis, analyse

MEASURE = "measure"
"""What is to be proved of a measure that the program states."""
TURNS = frozenset({"step", MEASURE})
"""What is about turns of a loop, so that a state before and a state after it are told."""


class Check(Record):
    """One thing to be proved about a program."""

    function: str
    what: str
    """'entry' or 'step' of a given invariant, 'measure' for a given measure, else the cause of an obligation."""
    text: str
    """The expression, as it stands in the program."""
    span: Span
    status: ProofStatus
    queries: tuple[Query, ...]
    uses: tuple[str, ...] = ()
    """For a proved one: the given invariants that the proof uses."""
    used: frozenset[Requirement] = frozenset()
    """For a proved one: the requirements that the proof assumes, the given invariants included."""
    rests_on: tuple[Requirement, ...] = ()
    """For a proved one: the requirements that are not proved, and that the proof assumes or that something assumes that it uses."""
    before: Mapping[str, Value] | None = None
    """For a refuted one: a state at the loop head (or the inputs) that satisfies all that is known and leads to the failure."""
    after: Mapping[str, Value] | None = None
    """For a refuted step: the state after the turn."""
    run: Mapping[str, Value] | None = None
    """Inputs of a real run that fails there, where one is known."""
    tried: tuple[str, ...] = ()
    """For an unknown one: what could neither prove nor refute it."""

    def answer(self, program: Program) -> CheckAnswer:
        """The check as it is told, without its queries."""
        where = LinePlace(*line_and_column(program.text, self.span.start))
        states = (self.before, self.after, self.run)
        rests_on = unproved_places(self.rests_on, program)
        return CheckAnswer(self.function, self.what, self.text, where, self.status, self.uses, *states, self.tried, rests_on)

    @property
    def requirement(self) -> Requirement:
        return Requirement("invariant" if self.what in ("entry", "step") else self.what, self.span)


def verify(program: Program, prover: Prover) -> list[Check]:
    """All checks, function by function, in the order of the text. Raises ProgramTooLarge where the program cannot be analysed."""
    inquiry = Inquiry(program, prover)
    checks: list[Check] = []
    used: dict[Requirement, frozenset[Requirement]] = {}
    for name in program.info.functions:
        verifier = _Verifier(inquiry, name)
        checks += verifier.checks()
        used |= verifier.parts
    return _with_reliance(checks, used)


def _with_reliance(checks: list[Check], used: dict[Requirement, frozenset[Requirement]]) -> list[Check]:
    """The checks with what each rests on. `used`: for each invariant that a loop states, the requirements of its conjuncts."""
    unproved = frozenset(check.requirement for check in checks if check.status != "proved")
    for check in checks:
        if check.requirement not in unproved:
            used[check.requirement] = used.get(check.requirement, frozenset()) | check.used
    rests_on = {node: reached(used, node) & unproved for check in checks for node in check.used}
    # That an invariant holds before a turn is what its step is about, so its step does not rest on its entry.
    return [
        replace(check, rests_on=in_order({*chain.from_iterable(rests_on[node] for node in check.used)} - {check.requirement}))
        for check in checks
    ]


class _Verifier:
    def __init__(self, inquiry: Inquiry, function: str) -> None:
        self.inquiry = inquiry
        self.program = inquiry.program
        self.info = self.program.info.functions[function]
        self.name = function
        self.is_level = self.info is self.program.info.level
        self.given: dict[int, list[Expr]] = {}
        self.parts: dict[Requirement, frozenset[Requirement]] = {}
        """For each invariant that a loop states, the requirements of its conjuncts."""
        for loop in self.info.loops:
            stated = loop.statement.invariant
            if stated is not None:
                self.given[loop.number] = conjuncts(stated)
                parts = frozenset(Requirement("invariant", expr.span) for expr in self.given[loop.number])
                self.parts[Requirement("invariant", stated.span)] = parts
        self.sources = {
            f"invariant {number}.{position}": print_expression(expr)
            for number, exprs in self.given.items()
            for position, expr in enumerate(exprs)
        }
        self.requirements = {
            f"invariant {number}.{position}": Requirement("invariant", expr.span)
            for number, exprs in self.given.items()
            for position, expr in enumerate(exprs)
        }
        helpers = inquiry.helpers(function, ())
        invariants = {number: tuple(exprs) for number, exprs in self.given.items()}
        self.analysis: Analysis = analyse(self.program.info, invariants, function, helpers)

    def checks(self) -> list[Check]:
        checks: list[Check] = []
        for number, exprs in self.given.items():
            cut = self.analysis.cut(number)
            for expr in exprs:
                checks.append(self.invariant("entry", number, expr, cut.entries))
                checks.append(self.invariant("step", number, expr, cut.ends))
        checks += self.measures()
        grouped: dict[tuple[str, Span], list[tuple[Query, Path]]] = {}
        for obligation in self.analysis.obligations:
            if obligation.cause == "invariant":
                continue  # Given invariants were checked above, on entry and after a turn.
            grouped.setdefault((obligation.cause, obligation.span), []).append(
                (obligation_query(self.analysis, obligation), obligation.path)
            )
        for (cause, span), queries in grouped.items():
            checks.append(self.check(cause, self.program.quoted(span), span, queries, 0))
        return sorted(checks, key=lambda check: check.span)

    def measures(self) -> Iterator[Check]:
        """The measures that the function states: of its loops, and its own where it is recursive."""
        for loop in self.info.loops:
            measure = loop.statement.measure
            if measure:
                asked = falls_in_every_turn(self.analysis, loop.number, measure)
                queries = [(turn.query, turn.path) for turn in asked]
                yield self.check(MEASURE, print_measure(measure), _span(measure), queries, loop.number)
        group = self.program.info.calls.group(self.name)
        measure = self.info.function.measure
        if measure and self.program.info.calls.is_recursive(group):
            helpers = self.analysis.executor.helpers
            trusted = replace(helpers, trusted=helpers.trusted - group)
            measures = {name: self.program.info.functions[name].function.measure for name in group}
            calls = falls_in_calls(self.program.info, self.analysis.executor.invariants, self.name, trusted, measures)
            joint = self.inquiry.check(calls)
            status = proof_status(joint.answer)
            tried = joint.answer.tried if isinstance(joint.answer, Unknown) else ()
            used = joint.rests_on
            yield Check(self.name, MEASURE, print_measure(measure), _span(measure), status, tuple(calls), used=used, tried=tried)

    def invariant(self, what: str, number: int, expr: Expr, paths: tuple[Path, ...]) -> Check:
        queries = [(query, path) for path in paths for query in self.analysis.executor.holds(expr, path)]
        return self.check(what, print_expression(expr), expr.span, queries, number)

    def check(self, what: str, text: str, span: Span, queries: list[tuple[Query, Path]], loop: int) -> Check:
        joint = self.inquiry.check([query for query, _ in queries])
        answer: Answer = joint.answer
        asked = tuple(query for query, _ in queries)
        if isinstance(answer, Proved):
            uses = tuple(self.sources[source] for source in sorted(joint.uses) if source in self.sources)
            assumed = (self.requirements[source] for source in joint.uses if source in self.requirements)
            return Check(self.name, what, text, span, "proved", asked, uses, joint.rests_on.union(assumed))
        run = self.failing_run(what, span)
        if not isinstance(answer, Refuted):
            return Check(self.name, what, text, span, "unknown", asked, run=run, tried=answer.tried)
        try:
            before, after = self.states(queries[joint.index][1], answer.state, what, loop)
        except NoValue:
            return Check(self.name, what, text, span, "refuted", asked, run=run)
        return Check(self.name, what, text, span, "refuted", asked, before=before, after=after, run=run)

    def states(
        self, path: Path, state: Mapping[str, Value], what: str, loop: int
    ) -> tuple[Mapping[str, Value], Mapping[str, Value] | None]:
        number = loop if what in TURNS else path.last
        if not number or what == "entry":
            params = {param.name: self.analysis.executor.entry[param.name] for param in self.info.function.params}
            return self.inquiry.values(self.analysis, params, params, state), None
        columns = self.program.loops[number - 1].columns
        before = self.inquiry.values(self.analysis, path.heads[number], columns, state)
        after = self.inquiry.values(self.analysis, path.values, columns, state) if what in TURNS else None
        return before, after

    def failing_run(self, what: str, span: Span) -> Mapping[str, Value] | None:
        """Inputs from which a run of the level really fails there."""
        if not self.is_level:
            return None
        cause = "invariant" if what in ("entry", "step") else what
        for failed in self.inquiry.runs.failures:
            outcome = failed.outcome
            same = outcome.cause == cause and outcome.span.start <= span.start and span.end <= outcome.span.end
            if same or (outcome.cause, outcome.span) == (cause, span):
                return failed.inputs
        return None


def _span(measure: tuple[Expr, ...]) -> Span:
    return Span(measure[0].span.start, measure[-1].span.end)
