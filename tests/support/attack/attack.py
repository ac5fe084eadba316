"""Attacks on the answers of the prover and the engine: a search for the opposite of everything they say.

What they call proved is attacked by the enumerator, by random states and by cvc5; what they call refuted is evaluated and run by
the simple interpreter, which shares nothing with the engine but the syntax tree. Every attack is a function of a seed.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from types import MappingProxyType

from idg.engine.engine import Engine
from idg.engine.judging.promote import implied_by
from idg.engine.judging.reliance import implication_rests_on, reliance
from idg.engine.results import Fact, Feedback, Kind, Refutation, SecondCheck, ToRuleOut, Transition, Verdict, inductive_facts
from idg.prover.answers import Answer, Proved, Refuted
from idg.prover.prove import Effort, Prover
from idg.sip import syntax as sip
from idg.sip.errors import SipError
from idg.sip.limits import RunLimits
from idg.sip.program import Program, load
from idg.sip.running.evaluator import Evaluator
from idg.sip.running.runner import Chosen
from idg.sip.syntax import Expr, Name, Old, Type
from idg.sip.text.expressions import parse_expression
from idg.sip.trees.traverse import statements
from idg.sip.values import Scalar, Value, scalar
from idg.vc.query import Query
from tests.support.attack.attack_programs import ProgramMaker, candidates
from tests.support.attack.queries.refuting import Violations, is_false, refuting_state
from tests.support.programs.drawn.run_inputs import seeded_inputs, seeded_value
from tests.support.programs.simple import simple_interpreter as simple
from tests.support.programs.simple.module_alone import module_alone
from tests.support.programs.simple.simple_arrays import cell
from tests.support.programs.simple.simple_loops import Names, deep_recursion
from tests.support.programs.simple.simple_numbers import Stop, zero

RUNS = 200
"""Seeded runs of a program that must not contradict the engine."""
RUN_LIMITS = RunLimits(steps_max=400, rows_max=400, choice_tries_max=500)
"""Limits of these runs, so that an endless one ends soon."""
REPLAY_LIMITS = RunLimits(steps_max=20_000, rows_max=20_000, choice_tries_max=2_000)
"""Limits of repeating a run that the engine shows as a refutation, which may be longer than a run of our own."""
BOX_STATES = 400
"""Random states in which a tautology must be true."""
NOTHING: Mapping[str, Value] = MappingProxyType({})
EFFORT = Effort(subset_rlimit=100_000, retry_rlimit=0, reals_rlimit=100_000, cvc5_rlimit=0, last_enumerator_steps=0)
"""The budgets of a prover that asks all stages which are sound by themselves, without the repetitions, which cost most."""


@dataclass(frozen=True)
class Disagreement:
    """An answer that was shown to be wrong: what was claimed, what shows the opposite, and how to see it again."""

    seed: str
    claim: str
    reproduction: str

    def __str__(self) -> str:
        return f"[{self.seed}] {self.claim}\n{self.reproduction}\n"


@dataclass
class Report:
    """What the attacks have found so far."""

    seed: str = ""
    queries: int = 0
    answers: dict[str, int] = field(default_factory=dict)
    disagreements: list[Disagreement] = field(default_factory=list)

    def count(self, answer: str) -> None:
        self.answers[answer] = self.answers.get(answer, 0) + 1

    def wrong(self, claim: str, *reproduction: object) -> None:
        self.disagreements.append(Disagreement(self.seed, claim, "\n".join(map(str, reproduction))))


def proof_is_complete(feedback: Feedback) -> bool:
    """Whether every obligation is proved.

    Unlike `solved`, this looks neither at known runs nor at the second verifier, which would hide that a proof is wrong.
    """
    if feedback.second_check is SecondCheck.CONTRADICTED:
        return True  # It is asked only where all is proved.
    return not feedback.too_large and all(status.status == "proved" for status in feedback.obligations)


# Single expressions


class _Run(simple.Run):
    """The simple interpreter with the functions that occur only in conditions of the engine."""

    failed_in_helper = False  # Although the arguments of the call were right, and its pre was satisfied.

    def call(self, expr: sip.Call, frame: simple.Frame) -> Scalar:
        match expr.function, expr.arguments:
            case "iswhole", (number,):
                return Fraction(self.evaluate(number, frame)).denominator == 1
            case "ite", (test, yes, no):
                return self.evaluate(yes if self.evaluate(test, frame) else no, frame)
        return super().call(expr, frame)

    def array(self, expr: Expr, frame: simple.Frame) -> tuple[Scalar, ...]:
        match expr:
            case sip.Call("store", (array, place, value)):
                before, index = self.array(array, frame), int(self.evaluate(place, frame))
                cell(before, index, expr.span)
                return (*before[:index], self.evaluate(value, frame), *before[index + 1 :])
        return super().array(expr, frame)

    def body_and_posts(self, function: sip.Function, frame: simple.Frame) -> Scalar | None:
        try:
            return super().body_and_posts(function, frame)
        except Stop as stop:
            self.failed_in_helper |= stop.kind == "failed"
            raise


def truth(
    expr: Expr,
    state: Mapping[str, Value],
    types: Mapping[str, Type],
    program: Program | None,
    old: Mapping[str, Value] = NOTHING,
    undefined: bool | None = False,
    in_helper: bool | None = False,
) -> bool | None:
    """Whether the expression holds in the state; None if only a bound of the interpreter keeps it from saying so.

    `undefined` is the answer for an expression without a value, and `in_helper` for one that has none because a helper fails.
    Entry values come from `old`; those that it lacks come from the state's `old(x)`, or else from the state's `x`.
    """
    olds = dict(state) | {name[4:-1]: value for name, value in state.items() if name.startswith("old(")} | dict(old)
    functions = {function.name: function for function in program.module.functions} if program else {}
    run = _Run(functions, simple.DEFAULT_LIMITS, simple.small_values_first(500))
    try:
        with deep_recursion():
            return bool(run.evaluate(expr, simple.Frame(dict(state), olds, dict(types), 0)))
    except Stop as stop:
        return None if stop.kind == "bound" else in_helper if run.failed_in_helper else undefined


# Answers of the prover


class AttackedProver(Prover):
    """A prover whose every answer is attacked."""

    def __init__(self, report: Report, rng: random.Random, program: Program | None = None, effort: Effort = EFFORT) -> None:
        super().__init__(effort)
        self.report = report
        self.rng = rng
        self.program = program
        self.violations = Violations()

    def prove(self, query: Query, effort: Effort | None = None, known_states: Sequence[Mapping[str, Value]] = ()) -> Answer:
        answer = super().prove(query, effort, known_states)
        self.report.queries += 1
        self.report.count(type(answer).__name__)
        attack_answer(self.report, query, answer, self.rng, self.program, violations=self.violations)
        return answer


def attack_answer(
    report: Report,
    query: Query,
    answer: Answer | None,
    rng: random.Random,
    program: Program | None = None,
    total: bool = False,
    violations: Violations | None = None,
) -> None:
    """Searches for a state that shows the answer to be wrong. With `total`, the prover may take any value for what has none."""
    if isinstance(answer, Proved):
        # Hypotheses that the core does not name must not matter. So a state that refutes the query without them refutes the proof.
        core = tuple(query.hypotheses[index] for index in sorted(answer.core))
        smaller = Query(query.variables, core, query.goal, query.info)
        state = refuting_state(smaller, rng, violations)
        if state is None:
            return
        if shows(query, state, program, total):
            report.wrong(f"proved by {answer.by}, but false in {state}", query)
        elif shows(smaller, state, program, total=True):
            # An expression that loses its value together with a hypothesis may have any value here, hence `total`.
            report.wrong(f"proved by {answer.by}, but its core fails in {state}", query, f"core {sorted(answer.core)}")
    elif isinstance(answer, Refuted) and not shows(query, answer.state, program, in_helper=False):
        report.wrong(f"refuted by {answer.by}, but {dict(answer.state)} does not show it", query)


def shows(
    query: Query, state: Mapping[str, Value], program: Program | None, total: bool = False, in_helper: bool | None = None
) -> bool:
    """Whether the simple interpreter agrees that all hypotheses hold in the state and the goal does not.

    A goal without a value because a helper fails shows no proof to be wrong. In code such a call ends the run, so what comes after
    it may take its value for granted; and which helpers proposals may call is decided by the engine, whose verdicts are attacked,
    too. In refutations such a goal counts as false (`in_helper=False`), because it is not known to be true.
    """
    fitting = all(_fits(state[name], kind) for name, kind in query.variables.items())
    hold = all(truth(hypothesis.expr, state, query.variables, program) for hypothesis in query.hypotheses)
    undefined = None if total else False
    return (
        fitting and hold and truth(query.goal, state, query.variables, program, undefined=undefined, in_helper=in_helper) is False
    )


def _fits(value: Value, kind: Type) -> bool:
    if kind.element is not None:
        return isinstance(value, tuple) and all(_fits(cell, kind.element) for cell in value)
    if kind is Type.BOOL or isinstance(value, bool):
        return kind is Type.BOOL and isinstance(value, bool)
    return (kind is Type.RAT or Fraction(scalar(value)).denominator == 1) and (kind is not Type.NAT or scalar(value) >= 0)


# Answers of the engine


def replayed(program: Program, inputs: Mapping[str, Value], choices: Sequence[Chosen]) -> simple.Result:
    """The run with these inputs, initial values and choices, made by the simple interpreter."""
    waiting = (tuple(map(scalar, chosen.values)) for chosen in choices if not chosen.initial)
    initial = [dict(zip(chosen.names, chosen.values, strict=True)) for chosen in choices if chosen.initial]

    def replay(_names: Names, _types: tuple[Type, ...], holds: simple.Holds) -> tuple[Scalar, ...] | None:
        values = next(waiting, None)
        assert values is None or holds(values), "the runner chose what the condition does not allow"
        return values

    return simple.interpret(module_alone(program), dict(inputs), REPLAY_LIMITS, replay, initial)


class EngineAttack:
    """Attacks everything that the engine says about several proposals for one program."""

    def __init__(self, report: Report, text: str, rng: random.Random) -> None:
        self.report = report
        self.rng = rng
        self.program = load(text)
        self.prover = AttackedProver(report, rng, self.program)
        self.engine = Engine(self.program, self.prover)
        self.rows: dict[int, list[tuple[tuple[Value, ...], Mapping[str, Value]]]] = {loop.number: [] for loop in self.program.loops}
        """For each loop, the rows that runs other than the engine's reach, with the inputs of these runs."""
        self.failures: list[tuple[str, Mapping[str, Value], int, str]] = []
        """Runs that fail, of the level or of a helper alone."""
        for name in self.program.info.functions:
            alone = self.program.alone(name)
            for seed, inputs in enumerate(seeded_inputs(rng, alone, RUNS), 1_000):
                run = alone.run(inputs, limits=RUN_LIMITS, seed=seed)
                for trace in run.level_traces:
                    self.rows[trace.loop] += ((row, inputs) for row in trace.rows)
                if run.outcome.kind == "failed":
                    self.failures.append((name, inputs, seed, run.outcome.cause))

    def attack(self, count: int) -> None:
        books = self.engine.start()
        feedback, books = self.engine.feedback(books)
        self.check_feedback(proof_is_complete(feedback), feedback.to_rule_out, inductive_facts(books))
        proposals: list[tuple[int, str]] = []
        for loop in range(1, len(self.program.loops) + 1):
            proposals += ((loop, text) for text in self.candidates(loop, count))
        self.rng.shuffle(proposals)
        for loop, text in proposals[: 2 * count]:
            try:
                result = self.engine.propose(books, text, loop)
            except SipError:
                continue
            self.report.count(str(result.kind))
            self.check(result)
            books = result.books
        self.check_books(inductive_facts(books))
        if proposals:
            self.check_batch(proposals[:count])

    def candidates(self, loop: int, count: int) -> list[str]:
        """Facts to propose for the loop."""
        return candidates(self.alone(loop), loop, self.rng, count)

    def wrong(self, claim: str, *evidence: object) -> None:
        self.report.wrong(claim, self.program.text, *evidence)

    def check(self, result: Verdict) -> None:
        fact = result.fact
        match result.kind:
            case Kind.TAUTOLOGY:
                self.check_tautology(fact)
            case Kind.DISPLACED | Kind.INDUCTIVE:
                self.check_rows(fact, str(result.kind))
            case Kind.NON_INVARIANT:
                assert result.refutation is not None
                self.check_refutation(fact, result.refutation)
            case _:
                pass
        if result.kind is Kind.INDUCTIVE and fact not in result.promoted:
            self.wrong("inductive but not promoted", result)
        for accepted_fact in (*result.promoted, *(removal.fact for removal in result.removed)):
            self.check_rows(accepted_fact, "promoted")
        accepted = inductive_facts(result.books)
        if result.transition is not None:
            self.check_transition(fact, result.transition, accepted)
        self.check_feedback(proof_is_complete(result.feedback), result.feedback.to_rule_out, accepted)

    def alone(self, loop: int) -> Program:
        """The program as the function sees it that the loop belongs to."""
        return self.program.alone(self.program.loops[loop - 1].function)

    def types(self, loop: int) -> Mapping[str, Type]:
        """The types of the variables of that function."""
        return self.alone(loop).info.level.variables

    def expr(self, fact: Fact) -> Expr:
        return parse_expression(fact.text)

    def holds(self, fact: Fact, state: Mapping[str, Value], inputs: Mapping[str, Value] = NOTHING) -> bool | None:
        return truth(self.expr(fact), state, self.types(fact.loop), self.program, inputs)

    def check_rows(self, fact: Fact, kind: str) -> None:
        """Reports a run that reaches the loop with the fact false."""
        table = self.rows[fact.loop]
        columns = self.program.loops[fact.loop - 1].columns
        types = self.types(fact.loop)
        entry = {f"0{name}": kind for name, kind in self.alone(fact.loop).params.items()}
        expr = _with_entry(self.expr(fact))
        evaluator = Evaluator([expr], {name: types[name] for name in columns} | entry, self.program.info)
        values = evaluator.rows(0, [(*row, *inputs.values()) for row, inputs in table])
        for (row, inputs), value in zip(table, values, strict=True):
            if is_false(value) and self.holds(fact, dict(zip(columns, row, strict=True)), inputs) is False:
                self.wrong(f"{kind}, but a run refutes it: {fact}", dict(inputs), dict(zip(columns, row, strict=True)))
                return

    def check_tautology(self, fact: Fact) -> None:
        alone = self.alone(fact.loop)
        types = alone.info.level.variables
        columns = self.program.loops[fact.loop - 1].columns
        for _ in range(BOX_STATES):
            reach = self.rng.choice((1, 2, 4, 30, 10_000))
            state = {name: seeded_value(self.rng, types[name], reach) for name in columns}
            old = {name: seeded_value(self.rng, kind, reach) for name, kind in alone.params.items()}
            old |= {name: state[name] for name in old if name not in alone.info.level.assigned}
            if self.holds(fact, state, old) is False:
                self.wrong(f"tautology, but not in some state: {fact}", state, old)
                return

    def check_refutation(self, fact: Fact, refutation: Refutation) -> None:
        """Reports a refutation unless the simple interpreter sees the same run and the same failure."""
        alone = self.alone(fact.loop)
        if refutation.function != ("" if alone is self.program else alone.level.name):
            self.wrong(f"the run that refutes {fact} is not one of its function", refutation)
        run = replayed(alone, refutation.inputs, refutation.choices)
        _, rows, _ = run.loops[[loop.number for loop in alone.info.level.loops].index(fact.loop)]
        if tuple(rows[: refutation.row + 1]) != refutation.rows:
            self.wrong(f"the run that refutes {fact} goes otherwise", refutation, rows[: refutation.row + 1])
        elif self.holds(fact, dict(zip(refutation.columns, refutation.rows[-1], strict=True)), refutation.inputs) is not False:
            self.wrong(f"the run does not refute {fact}", refutation)

    def check_transition(self, fact: Fact, transition: Transition, accepted: Iterable[Fact]) -> None:
        loop = self.program.loops[transition.loop - 1].statement
        if self.holds(fact, transition.after) is not False:
            self.wrong(f"the state after does not break {fact}", transition)
        if transition.at_entry:
            return
        for hypothesis in (fact, *accepted):
            if hypothesis.loop == transition.loop and self.holds(hypothesis, transition.before) is False:
                self.wrong(f"the state before breaks {hypothesis}", transition, f"proposed {fact}")
        if truth(loop.test, transition.before, self.types(transition.loop), self.program) is False:
            self.wrong("the loop test is false before the turn", transition, fact)
        if not _is_determined(loop.body, self.program):
            return
        after = self.execute(transition.loop, loop.body.statements, transition.before)
        columns = self.program.loops[transition.loop - 1].columns
        if not isinstance(after, dict) or any(after[name] != transition.after[name] for name in columns):
            self.wrong("a turn from the state before does not lead to the state after", transition, after, fact)

    def execute(self, loop: int, body: Sequence[sip.Stmt], state: Mapping[str, Value]) -> dict[str, Value] | str:
        """The state after the statements, which belong to the loop, or why they stop."""
        functions = {function.name: function for function in self.program.module.functions}
        run = simple.Run(functions, simple.DEFAULT_LIMITS, simple.small_values_first(500))
        types = dict(self.types(loop))
        frame = simple.Frame(dict(state), dict(state), types, 0)
        if "result" in types:
            frame.state.setdefault("result", zero(types["result"]))
        try:
            with deep_recursion():
                run.block(sip.Block(tuple(body)), frame)
        except Stop as stop:
            return f"{stop.kind} {stop.cause}"
        return frame.state

    def check_feedback(self, solved: bool, shown: ToRuleOut | None, accepted: Iterable[Fact]) -> None:
        if solved:
            self.report.count("solved")
            if self.failures:
                self.wrong(f"solved with {list(accepted)}, but a run fails", self.failures[0])
        if shown is None:
            return
        self.report.count("state")
        for fact in accepted:
            if fact.loop == shown.loop and self.holds(fact, shown.state) is False:
                self.wrong(f"the state to rule out is ruled out by {fact}", shown)
        loop = self.program.loops[shown.loop - 1].statement
        if truth(loop.test, shown.state, self.types(shown.loop), self.program, undefined=None) is (not shown.inside):
            self.wrong(f"the loop test is {not shown.inside} in the state to rule out", shown)
        elif shown.inside and shown.cause != "claim" and _is_determined(loop.body, self.program):
            arrival = () if loop.invariant is None else (sip.Assert(loop.invariant),)
            outcome = self.execute(shown.loop, (*loop.body.statements, *arrival), shown.state)
            if outcome != f"failed {'assert' if shown.cause == 'invariant' else shown.cause}":
                self.wrong(f"from the state to rule out the body does not fail: {outcome}", shown)

    def check_books(self, accepted: tuple[Fact, ...]) -> None:
        """Asks a prover that remembers nothing: the accepted facts are inductive together, and none follows from the others."""
        inquiry = self.engine.inquiry
        prover = Prover(EFFORT)
        for fact in accepted:
            expr = self.expr(fact)
            function = inquiry.function_at(fact.loop)
            analysis = inquiry.analysis(function, accepted, accepted)
            for query in (*analysis.entry(fact.loop, expr), *analysis.step(fact.loop, expr)):
                self.report.queries += 1
                answer = prover.prove(query)
                if isinstance(answer, Refuted):
                    self.wrong(f"accepted, but not inductive with the others: {fact}", accepted, query, answer)
            others = tuple(neighbour for neighbour in accepted if neighbour != fact)
            needed = inquiry.beliefs(accepted).helpers.trusted != inquiry.beliefs(others).helpers.trusted
            answers = [prover.prove(query) for query in inquiry.analysis(function, others, others).at_head(fact.loop, expr)]
            self.report.queries += len(answers)
            if not needed and all(isinstance(answer, Proved) for answer in answers):
                # A fact stays where it rests on less than what implies it.
                more = implication_rests_on(inquiry, accepted, implied_by(inquiry, others, fact) or others, fact)
                if set(more) <= set(reliance(inquiry, accepted).of([fact])):
                    self.wrong(f"accepted, but the others imply it: {fact}", accepted)

    def check_batch(self, proposals: Sequence[tuple[int, str]]) -> None:
        good = []
        for loop, text in proposals:
            try:
                self.engine.inquiry.fact(loop, text)
            except SipError:
                continue
            good.append((loop, text))
        batch = self.engine.propose_many(self.engine.start(), good)
        for fact, kind in batch.kinds:
            if kind in (Kind.INDUCTIVE, Kind.DISPLACED, Kind.TAUTOLOGY):
                self.check_rows(fact, f"{kind} in a batch")
        accepted = inductive_facts(batch.books)
        self.check_feedback(proof_is_complete(batch.feedback), batch.feedback.to_rule_out, accepted)
        self.check_books(accepted)


def _with_entry(expr: Expr) -> Expr:
    """The expression with a variable of its own in the place of each old(x)."""
    from idg.sip.trees.build import rewrite

    return rewrite(expr, lambda leaf: Name(f"0{leaf.name}") if isinstance(leaf, Old) else leaf)


def _is_determined(body: sip.Block, program: Program) -> bool:
    """Whether executing the block from a state has one outcome: no choice, no loop, nothing uninitialised, no old values."""
    for statement in statements(body):
        if isinstance(statement, sip.While | sip.Cassign) or (isinstance(statement, sip.Var) and statement.value is None):
            return False
        text = repr(statement)
        if "Old(" in text or any(f"function='{name}'" in text for name in program.info.choosing):
            return False
    return True


# Everything by its seed


def attack_engine(report: Report, seed: int, count: int = 6, looping: bool = False) -> None:
    """Attacks the engine with one random program and some proposals; `looping`: with one whose helpers have loops."""
    rng = random.Random(f"engine {seed}")
    report.seed = f"engine {seed}"
    text = ProgramMaker(rng).program(looping)
    try:
        attack = EngineAttack(report, text, rng)
    except SipError:
        return
    attack.attack(count)
