"""What engine workers compute. Each call is a function of its arguments alone, so any worker can take it, and take it again.

The calls work with records; `CALLS` wraps each of them so that the worker process can read and write JSON.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache, lru_cache

from idg.agents import Agent, LocalEngine
from idg.agents.forms import degree_of
from idg.agents.hints import FUEL_MAX as HINT_FUEL_MAX
from idg.agents.hints import current_plan, next_hint
from idg.agents.partner import next_fact
from idg.agents.termination.plans import ending_is_known
from idg.coordinator.errors import ApiError
from idg.coordinator.pool.computing.calls import (
    AboutBoard,
    AboutBooks,
    AboutC,
    AboutCrowd,
    AboutExport,
    AboutFact,
    AboutFacts,
    AboutHint,
    AboutPartner,
    AboutProgram,
    AboutPython,
    AboutRun,
    AboutView,
    BatchResult,
    FeedbackResult,
    PartnerMove,
    ProposalResult,
    summary_of,
)
from idg.coordinator.pool.computing.foreign_texts import read_c, read_python, show_as
from idg.coordinator.pool.computing.text_calls import CALLS as TEXT_CALLS
from idg.coordinator.pool.computing.text_calls import by_json, existing_loop
from idg.coordinator.pool.json_text import dumps, json_text
from idg.coordinator.pool.lines import JsonText
from idg.engine.books import Books, books_from_json
from idg.engine.engine import Engine
from idg.engine.results import Fact, Feedback, Kind, inductive_facts
from idg.engine.states.inputs import first_inputs
from idg.engine.states.sample import ruled_out, sample
from idg.engine.termination.moves import propose_move, propose_moves
from idg.engine.wire.answers import (
    Assessment,
    BatchAnswer,
    CrowdAnswer,
    Explanation,
    FirstInputs,
    HintAnswer,
    HintTarget,
    ProposalAnswer,
    RunInputs,
    StatesRuledOut,
    TraceAnswer,
    TransitionAnswer,
)
from idg.engine.wire.board import BoardAnswer, board_answer
from idg.engine.wire.build import explanation, feedback_answer, resting_facts, trace_answer, transition_answer
from idg.engine.wire.codec import Json
from idg.engine.wire.programs import ExportedProof
from idg.export.exporting import TARGETS, ExportRefused, export_books
from idg.levels import all_levels
from idg.levels.daily import all_variations
from idg.levels.patterns import PATTERNS, fixed_names, patterns_of
from idg.prover.plugins.chosen import chosen_prover
from idg.prover.solvers import load_solvers
from idg.sip.errors import SipError
from idg.sip.program import load
from idg.sip.record import Record, replace
from idg.sip.running.runner import Row
from idg.sip.text.expressions import parse_expression
from idg.sip.trees.traverse import conjunct_count
from idg.sip.values import InputError, ValueJson

ENGINES_KEPT = 12
"""How many programs a worker keeps an engine for, with all that it has found out about them."""
SAMPLES_KEPT = 4 * ENGINES_KEPT
"""How many loops a worker keeps the sample of states for."""
TRACE_CHARS_MAX = 1_000_000
"""About how many characters the rows of a page of a trace have at most. It is more than a row of 200 variables can have."""
STATES_CHARS_MAX = 40_000
"""How many characters the counterexamples that the books remember may have, and as many the states that were shown. A state of
200 variables with a thousand digits each has 200,000."""
ACCEPTED = (Kind.INDUCTIVE, Kind.POTENTIAL)
"""The kinds of facts that earn coins."""


@lru_cache(ENGINES_KEPT)
def _engine(source: str) -> Engine:
    program = load(source)
    program.first_inputs = _known_inputs().get(source)
    return Engine(program, chosen_prover())


@cache
def _known_inputs() -> dict[str, Mapping[str, ValueJson]]:
    """The text of each level and of each variation → the inputs of the trace that is shown first."""
    inputs: dict[str, Mapping[str, ValueJson]] = {variation.source: variation.inputs for variation in all_variations()}
    return inputs | {level.source: level.inputs for level in all_levels()}


@lru_cache(SAMPLES_KEPT)
def _sample(source: str, loop: int) -> tuple[Row, ...]:
    return sample(_engine(source).inquiry.runs_at(loop), loop)


def start(arguments: AboutProgram) -> FeedbackResult:
    """The books before anything was proposed, and the first state to rule out."""
    engine = _engine(arguments.source)
    return _feedback(engine, *engine.feedback(engine.start()))


def feedback(arguments: AboutBooks) -> FeedbackResult:
    """Another state to rule out."""
    engine = _engine(arguments.source)
    return _feedback(engine, *engine.another_state(books_from_json(arguments.books)))


def _feedback(engine: Engine, current_feedback: Feedback, books: Books) -> FeedbackResult:
    return FeedbackResult(feedback_answer(current_feedback, engine.program), _bounded(books))


def propose(arguments: AboutFact) -> ProposalResult:
    engine = _engine(arguments.source)
    books = books_from_json(arguments.books)
    answer, after = propose_move(engine, books, arguments.expression, arguments.loop)
    if isinstance(answer, ProposalAnswer) and answer.kind in ACCEPTED:
        fact = Fact(answer.loop, answer.expression)
        answer = replace(answer, rules_out=(_rules_out(engine, arguments.source, fact),))
    return ProposalResult(answer, _bounded(after), after != books)


def propose_many(arguments: AboutFacts) -> BatchResult:
    engine = _engine(arguments.source)
    proposals = [(proposal.loop, proposal.expression) for proposal in arguments.proposals]
    answer, after = propose_moves(engine, books_from_json(arguments.books), proposals)
    accepted = [judged.fact for judged in answer.kinds if judged.kind in ACCEPTED]
    rules_out = tuple(_rules_out(engine, arguments.source, fact) for fact in accepted)
    return BatchResult(replace(answer, rules_out=rules_out), _bounded(after), True)


def _bounded(books: Books) -> Json:
    """The books as JSON. Of the states that only help to answer the next question, those are left out that make them too long."""
    data = books.as_json()
    for states in (data["shown"], data["hints"]):
        chars = 0
        for kept, state in enumerate(reversed(states)):
            chars += len(dumps(state))
            if chars > STATES_CHARS_MAX:
                del states[: len(states) - kept]
                break
    return data


def _rules_out(engine: Engine, source: str, fact: Fact) -> StatesRuledOut:
    """How much an accepted fact says: which states of the loop's sample it rules out."""
    states, expr = _sample(source, fact.loop), engine.inquiry.expr(fact)
    bits = ruled_out(engine.inquiry.runs_at(fact.loop), states, fact, expr)
    forms = patterns_of([(fact.loop, expr)], fixed_names(engine.program))
    return StatesRuledOut(fact.loop, len(states), f"{bits:x}", tuple(pattern for pattern in PATTERNS if pattern in forms))


def transition(arguments: AboutFact) -> TransitionAnswer:
    engine = _engine(arguments.source)
    fact = engine.inquiry.fact(arguments.loop, arguments.expression)
    books = books_from_json(arguments.books)
    return transition_answer(engine.why_not(books, fact.text, fact.loop), fact, engine.program)


def explain(arguments: AboutBooks) -> Explanation:
    engine = _engine(arguments.source)
    return explanation(engine.explain(books_from_json(arguments.books)), engine.program)


def board(arguments: AboutBoard) -> BoardAnswer:
    engine = _engine(arguments.source)
    return board_answer(engine.board(books_from_json(arguments.books)), engine.program, arguments.best)


def export(arguments: AboutExport) -> ExportedProof:
    """The program with what is proved of it, for another verifier."""
    engine = _engine(arguments.source)
    books = books_from_json(arguments.books)
    if not engine.feedback(books)[0].solved:
        raise ApiError("no-export", "the program is not proved yet")
    target = TARGETS[arguments.target]
    try:
        text = export_books(engine.program, books, target.name)
    except ExportRefused as error:
        raise ApiError("no-export", str(error)) from None
    except SipError as error:  # A construct, such as an array, that no target knows yet.
        raise ApiError("no-export", error.problems[0].message) from None
    file = f"{arguments.name}{target.suffix}"
    return ExportedProof(target.name, file, target.command.replace(f"FILE{target.suffix}", file), text)


def crowd(arguments: AboutCrowd) -> CrowdAnswer:
    """What the proposals of all players prove together."""
    engine = _engine(arguments.source)
    proposals = [(fact.loop, fact.text) for fact in arguments.proposals]
    verdict = engine.propose_many(engine.start(), proposals)
    resting = resting_facts(verdict.feedback, engine.program)
    return CrowdAnswer(verdict.feedback.solved, inductive_facts(verdict.books), len(proposals), resting)


def trace(arguments: AboutRun) -> TraceAnswer:
    """A page of the states at the loop heads for given inputs, and how many there were."""
    program = load(arguments.source)
    if arguments.loop is not None:
        existing_loop(program, arguments.loop)
    try:
        given = program.inputs(arguments.inputs)
    except InputError as error:
        raise ApiError("bad-inputs", str(error), field="inputs") from None
    try:
        run = program.run(given, seed=arguments.seed, choices=arguments.choices)
    except InputError as error:
        # Only the run itself shows whether choices fit, because it decides what is chosen next.
        raise ApiError("bad-inputs", str(error), field="choices") from None
    return trace_answer(run, arguments.loop, arguments.limit, arguments.offset, TRACE_CHARS_MAX)


def inputs(arguments: AboutProgram) -> FirstInputs:
    """Inputs for a first trace of a program that comes without any."""
    return FirstInputs(first_inputs(load(arguments.source)))


def hint(arguments: AboutHint) -> HintAnswer:
    """The steps to the next fact that helps, or to a measure. Where nothing of the plan helps any more, a new plan is made."""
    engine = _engine(arguments.source)
    books = books_from_json(arguments.books)
    current_feedback, _ = engine.feedback(books)
    plan = current_plan(engine, books, arguments.plan, current_feedback.solved)
    wanted = next_hint(engine, books, plan.facts, current_feedback)
    target = None if wanted is None else HintTarget(wanted.target.loop, wanted.target.text, wanted.steps)
    return HintAnswer(plan.outcome, plan.facts, target)


def partner(arguments: AboutPartner) -> PartnerMove:
    """What the computer would propose next: a fact, or where the second mark is wanted, what gives it."""
    engine = _engine(arguments.source)
    books = books_from_json(arguments.books)
    current_feedback, _ = engine.feedback(books)
    if current_feedback.solved and (not arguments.ending or ending_is_known(engine, books)):
        return PartnerMove("solved", (), is_proved=True)
    plan = current_plan(engine, books, arguments.plan, current_feedback.solved)
    proposed = next_fact(engine, books, plan.facts, current_feedback, arguments.mode)
    move = PartnerMove(plan.outcome, plan.facts)
    return move if proposed is None else replace(move, fact=proposed.fact, helps=proposed.helps)


def assess(arguments: AboutProgram) -> Assessment:
    """How hard a program is for the agent, and what is wrong with it."""
    program = load(arguments.source)
    access = LocalEngine(program)
    game = Agent(access, fuel_max=HINT_FUEL_MAX).play()
    assessed = Assessment(game.outcome, game.rounds, sum(map(len, game.invariants)))
    if game.outcome == "solved":
        degree = max((degree_of(parse_expression(text)) for texts in game.invariants for text in texts), default=0)
        level = difficulty(assessed.invariants, degree, game.rounds, len(program.loops))
        assessed = replace(assessed, degree=degree, difficulty=level)
    if game.run is not None:
        assessed = replace(assessed, run=RunInputs(game.run.inputs, game.run.seed, game.run.choices))
    if game.outcome == "open":
        assessed = replace(assessed, feedback=feedback_answer(access.left(), program))
    return assessed


def difficulty(invariants: int, degree: int, rounds: int, loops: int) -> int:
    """From 1 to 5, by what the agent needed."""
    return max(1, min(5, (invariants + 1) // 2 + max(0, degree - 1) + (rounds > 3) + (loops > 1)))


def prepare() -> None:
    """Before the worker is confined: the solvers are imported, and the levels are read."""
    load_solvers()
    _known_inputs()


def warm() -> None:
    """Before the first request: one small proof is made."""
    engine = Engine(load("fn main(n: nat) { var i: int; i := 0; while (i < n) { i := i + 1; } assert(i = n); }"))
    _, books = engine.feedback(engine.start())
    engine.propose(books, "i <= n")


def _texts(result: Record) -> Json:
    """What the coordinator gets: texts that it need not read, and of a verdict the summary, which it reads."""
    match result:
        case FeedbackResult(feedback, books):
            return {"books": JsonText(dumps(books)), "feedback": json_text(feedback)}
        case ProposalResult(answer, books, changed) | BatchResult(answer, books, changed):
            texts = {"answer": json_text(answer), "books": JsonText(dumps(books))}
            conjuncts = 0
            if isinstance(answer, ProposalAnswer | BatchAnswer):
                facts = answer.inductive if answer.solved else ()
                conjuncts = sum(conjunct_count(parse_expression(fact.text)) for fact in facts)
                texts["feedback"] = json_text(answer.feedback)
            if answer.ending is not None:
                texts["ending"] = json_text(answer.ending)
            return texts | {"summary": json_text(summary_of(answer, changed, conjuncts))}
    return {"answer": json_text(result)}


CALLS: dict[str, Callable[[Json], Json]] = {
    **TEXT_CALLS,
    "start": by_json(AboutProgram, start, _texts),
    "propose": by_json(AboutFact, propose, _texts),
    "propose_many": by_json(AboutFacts, propose_many, _texts),
    "feedback": by_json(AboutBooks, feedback, _texts),
    "transition": by_json(AboutFact, transition, _texts),
    "explain": by_json(AboutBooks, explain, _texts),
    "board": by_json(AboutBoard, board, _texts),
    "export": by_json(AboutExport, export, _texts),
    "crowd": by_json(AboutCrowd, crowd, _texts),
    "trace": by_json(AboutRun, trace, _texts),
    "inputs": by_json(AboutProgram, inputs, _texts),
    "hint": by_json(AboutHint, hint, _texts),
    "read_c": by_json(AboutC, read_c, _texts),
    "read_python": by_json(AboutPython, read_python, _texts),
    "show_as": by_json(AboutView, show_as, _texts),
    "partner": by_json(AboutPartner, partner, _texts),
    "assess": by_json(AboutProgram, assess, _texts),
}
"""Name of a call → a function of JSON arguments to a JSON answer, as worker.py wants it."""
