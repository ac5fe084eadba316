"""Hints for a player, one step at a time. They come from what the agent would propose and are not written by hand.

A *plan* is a set of invariants that proves the program. The *target* of a hint is a fact of the plan that does not follow from what
the player has. Its steps reveal it little by little, from a variable to look at to the invariant itself.

Where the program is proved, the plan is about how its runs end: measures, the facts that these need, or a run that never ends. They
stand in plans as they are proposed (engine/termination/texts.py).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Literal

from idg.agents.built_in.agent import Agent
from idg.agents.built_in.engine_access import LocalEngine
from idg.agents.forms import SHAPES, shape_of, with_holes
from idg.agents.termination.plans import ending_is_known, ending_steps, is_missing, plan_ending, plans_an_ending
from idg.engine.books import Books
from idg.engine.engine import Engine
from idg.engine.judging.promote import implied_by
from idg.engine.results import Fact, Feedback, inductive_facts, waiting_facts
from idg.engine.telling.messages import loop_name
from idg.engine.termination.texts import is_fact_text
from idg.engine.wire.answers import NO_HINT, HintStep
from idg.sip.program import Program
from idg.sip.record import Record
from idg.sip.running.evaluator import evaluate
from idg.sip.syntax import Old
from idg.sip.text.printer import print_expression
from idg.sip.trees.traverse import expressions, names, node_count
from idg.sip.values import Value

FUEL_MAX = 8_000
"""Fuel of the agent's search for a plan, much less than for solving: a player waits for the hint."""


class Plan(Record):
    """What the agent would still propose."""

    outcome: Literal["solved", "refuted", "open", "end-open"]
    """'solved' where the agent found a proof, 'refuted' where no proof exists, 'open' where it found none; 'end-open' where the
    program is proved, and the agent knows nothing to propose about its end."""
    facts: tuple[Fact, ...]


class Hint(Record):
    """A fact that the player lacks, or a measure, or a run that never ends, and the steps that lead to it."""

    target: Fact
    steps: tuple[HintStep, ...]


def make_plan(program: Program, books: Books, fuel_max: int = FUEL_MAX, should_stop: Callable[[], bool] = lambda: False) -> Plan:
    """Lets the agent play on from the books of a player."""
    engine = LocalEngine(program, should_stop)
    engine.books = books
    result = Agent(engine, fuel_max=fuel_max).play()
    facts = tuple(Fact(number, text) for number, texts in enumerate(result.invariants, 1) for text in texts)
    return Plan(result.outcome, facts if result.outcome == "solved" else ())


def current_plan(engine: Engine, books: Books, known: tuple[Fact, ...], solved: bool) -> Plan:
    """The plan that is known, or a new one where nothing of that helps any more. `solved`: whether the guarantee is proved."""
    if solved and ending_is_known(engine, books):
        return Plan("solved", ())
    if solved == plans_an_ending(books, known) and missing(engine, books, known):
        return Plan("solved", known)
    if not solved:
        return make_plan(engine.program, books)
    moves = plan_ending(engine, books)
    return Plan("solved" if moves else "end-open", moves)


def missing(engine: Engine, books: Books, plan: Iterable[Fact]) -> list[Fact]:
    """What of the plan does not follow from what the player has, also where that is not proved yet."""
    known = (*inductive_facts(books), *waiting_facts(books))
    proved = inductive_facts(books)

    def is_new(fact: Fact) -> bool:
        if not is_fact_text(fact.text):
            return is_missing(books, fact)
        return fact not in known and implied_by(engine.inquiry, known, fact, False, proved) is None

    return [fact for fact in plan if is_new(fact)]


def next_hint(engine: Engine, books: Books, plan: Sequence[Fact], feedback: Feedback) -> Hint | None:
    """A hint to the simplest missing fact that rules out the state shown, or else to the simplest missing fact.

    Measures come before the facts that they need, because then a turn shows what these facts are good for. None where nothing of
    the plan is missing.
    """
    wanted = missing(engine, books, plan)
    if not wanted:
        return None

    def rank(fact: Fact) -> tuple[bool, bool, int, int, str]:
        if not is_fact_text(fact.text):
            return False, False, 0, -fact.loop, fact.text
        return True, not _rules_out(engine, fact, feedback), node_count(engine.inquiry.expr(fact)), 0, fact.text

    target = min(wanted, key=rank)
    is_fact = is_fact_text(target.text)
    return Hint(target, tuple(_steps(engine, books, target) if is_fact else ending_steps(engine, target)))


class NoHint(Exception):
    """There is no further step. The message says why."""


class NextStep(Record):
    """A step of a hint, what it leads to, and how many steps follow."""

    step: HintStep
    target: Fact
    left: int


class HintSteps:
    """The hints of one game in this process: remembers the plan, and which steps were told."""

    def __init__(self) -> None:
        self.plan: tuple[Fact, ...] = ()
        self.target: Fact | None = None
        self.taken = 0

    def next(self, engine: Engine, books: Books) -> NextStep:
        """The next step from these books. Raises NoHint where there is none."""
        feedback, _ = engine.feedback(books)
        plan = current_plan(engine, books, self.plan, feedback.solved)
        self.plan = plan.facts
        hint = next_hint(engine, books, self.plan, feedback)
        if hint is None:
            raise NoHint(NO_HINT[plan.outcome])
        taken = self.taken if hint.target == self.target else 0
        if taken == len(hint.steps):
            raise NoHint(NO_HINT["taken"])
        self.target, self.taken = hint.target, taken + 1
        return NextStep(hint.steps[taken], hint.target, len(hint.steps) - taken - 1)


def _rules_out(engine: Engine, fact: Fact, feedback: Feedback) -> bool:
    shown = feedback.to_rule_out
    return shown is not None and shown.loop == fact.loop and is_false_in(engine, fact, shown.state)


def is_false_in(engine: Engine, fact: Fact, state: Mapping[str, Value]) -> bool:
    """Whether a fact is false in a state at the head of its loop, as far as that can be evaluated."""
    expr = engine.inquiry.expr(fact)
    if any(isinstance(part, Old) for part in expressions(expr)):
        return False
    kinds = engine.program.info.functions[engine.inquiry.function_at(fact.loop)].variables
    return evaluate(expr, state, {name: kinds[name] for name in state if name in kinds}, engine.program.info) is False


def _steps(engine: Engine, books: Books, target: Fact) -> Iterable[HintStep]:
    expr = engine.inquiry.expr(target)
    columns = engine.program.loop(target.loop).columns
    involved = [name for name in columns if name in names(expr)]
    loop = f" of {loop_name(target.loop, engine.program)}" if len(engine.program.loops) > 1 else ""
    if involved:
        least = _least_constrained(engine, books, target, involved)
        text = f"Look at {least} at the head{loop}: what is known leaves it too free."
        yield HintStep("variable", text, variable=least)
    if len(involved) > 1:
        listed = ", ".join(involved[:-1]) + f" and {involved[-1]}"
        yield HintStep("together", f"{listed} belong together: compare them row by row.", variables=tuple(involved))
    shape, degree = shape_of(expr)
    more = f" (of degree {degree}: think of squares or products)" if degree > 1 else ""
    yield HintStep("shape", f"{SHAPES[shape]}{more}.", shape=shape, degree=degree)
    template = print_expression(with_holes(expr))
    yield HintStep("template", f"It has this form: {template}", template=template)
    yield HintStep("invariant", f"Propose: {target.text}", expression=target.text)


def _least_constrained(engine: Engine, books: Books, target: Fact, involved: Sequence[str]) -> str:
    """The variable of the target that the fewest known facts of its loop speak of; parameters that never change come last."""
    own = engine.program.info.functions[engine.inquiry.function_at(target.loop)]
    params = {param.name for param in own.function.params} - own.assigned
    known = [names(engine.inquiry.expr(fact)) for fact in inductive_facts(books) if fact.loop == target.loop]
    return min(involved, key=lambda name: (name in params, sum(name in names_of_fact for names_of_fact in known)))
