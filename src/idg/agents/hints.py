"""Hints for a player, one step at a time. They come from what the agent would propose and are not written by hand.

A *plan* is a set of invariants that proves the program. The *target* of a hint is a fact of the plan that does not follow from what
the player has. Its steps reveal it little by little, from a variable to look at to the invariant itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Literal

from idg.agents.built_in.agent import Agent
from idg.agents.built_in.engine_access import LocalEngine
from idg.engine.books import Books
from idg.engine.engine import Engine
from idg.engine.messages import loop_name
from idg.engine.promote import implied_by
from idg.engine.results import Fact, Feedback, inductive_facts, waiting_facts
from idg.engine.wire.answers import HintStep
from idg.sip.program import Program
from idg.sip.record import Record
from idg.sip.running.evaluator import evaluate
from idg.sip.syntax import Binary, Call, Compare, Expr, Name, Number, Old, Unary
from idg.sip.text.printer import print_expression
from idg.sip.traverse import expressions, names, node_count
from idg.sip.values import Value

FUEL_MAX = 8_000
"""Fuel of the agent's search for a plan, much less than for solving: a player waits for the hint."""
HOLE = "□"
"""Stands in a template for what the player is to find."""
SHAPES = {
    "equation": "Two things are equal",
    "bound": "One thing is never larger than another",
    "remainder": "Remainders are what matters",
    "different": "Two things are never equal",
    "condition": "Whenever one thing holds, so does another",
    "cases": "One of several cases holds",
    "power": "Something is a power",
    "fact": "Something is true, or false",
}
"""What the step 'shape' says of each shape of `shape_of`."""


class Plan(Record):
    """What the agent would still propose."""

    outcome: Literal["solved", "refuted", "open"]
    """'solved' where the agent found a proof, 'refuted' where no proof exists, 'open' where it found none."""
    facts: tuple[Fact, ...]


class Hint(Record):
    """A fact that the player lacks, and the steps that lead to it."""

    target: Fact
    steps: tuple[HintStep, ...]


def make_plan(program: Program, books: Books, fuel_max: int = FUEL_MAX, should_stop: Callable[[], bool] = lambda: False) -> Plan:
    """Lets the agent play on from the books of a player."""
    engine = LocalEngine(program, should_stop)
    engine.books = books
    result = Agent(engine, fuel_max=fuel_max).play()
    facts = tuple(Fact(number, text) for number, texts in enumerate(result.invariants, 1) for text in texts)
    return Plan(result.outcome, facts if result.outcome == "solved" else ())


def missing(engine: Engine, books: Books, facts: Iterable[Fact]) -> list[Fact]:
    """The facts that do not follow from what the player has, also where it is not proved yet."""
    known = (*inductive_facts(books), *waiting_facts(books))
    proved = inductive_facts(books)
    return [fact for fact in facts if fact not in known and implied_by(engine.inquiry, known, fact, False, proved) is None]


def next_hint(engine: Engine, books: Books, plan: Sequence[Fact], feedback: Feedback) -> Hint | None:
    """A hint to the simplest missing fact that rules out the state shown, or else to the simplest missing fact.

    None where nothing of the plan is missing.
    """
    wanted = missing(engine, books, plan)
    if not wanted:
        return None

    def rank(fact: Fact) -> tuple[bool, int, str]:
        return not _rules_out(engine, fact, feedback), node_count(engine.inquiry.expr(fact)), fact.text

    target = min(wanted, key=rank)
    return Hint(target, tuple(_steps(engine, books, target)))


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


def shape_of(expr: Expr) -> tuple[str, int]:
    """The shape of a fact, a key of SHAPES, and the degree of its terms."""
    degree = degree_of(expr)
    match expr:
        case Binary("->", _, _):
            return "condition", degree
        case Binary("|", _, _):
            return "cases", degree
        case Binary("&", left, _):
            return shape_of(left)
        case Call("ispow", _):
            return "power", degree
        case Compare(operands, ops):
            if any(isinstance(part, Binary) and part.op == "%" for operand in operands for part in expressions(operand)):
                return "remainder", degree
            return ("equation" if "=" in ops else "different" if "!=" in ops else "bound"), degree
    return "fact", degree


def degree_of(expr: Expr) -> int:
    """The highest number of variables that are multiplied with each other, such as 3 for x * y^2."""
    match expr:
        case Number():
            return 0
        case Name() | Old():
            return 1
        case Unary(_, operand):
            return degree_of(operand)
        case Binary("*", left, right):
            return degree_of(left) + degree_of(right)
        case Binary("^", left, Number(value)):
            return degree_of(left) * int(value)
        case Binary("^", left, _):
            return max(2, degree_of(left))
        case Binary(_, left, right):
            return max(degree_of(left), degree_of(right))
        case Compare(operands, _) | Call(_, operands):
            return max(map(degree_of, operands), default=0)
    return 0


def with_holes(expr: Expr) -> Expr:
    """The expression with holes in place of its numbers; where it has none, with a hole in place of its right side."""
    without_numbers = _without_numbers(expr)
    if without_numbers != expr:
        return without_numbers
    match expr:
        case Compare(operands, ops):
            return Compare((*operands[:-1], Name(HOLE)), ops)
        case Binary(op, left, _):
            return Binary(op, left, Name(HOLE))
    return Name(HOLE)


def _without_numbers(expr: Expr) -> Expr:
    match expr:
        case Number():
            return Name(HOLE)
        case Unary(op, operand):
            return Unary(op, _without_numbers(operand))
        case Binary(op, left, right):
            return Binary(op, _without_numbers(left), _without_numbers(right))
        case Compare(operands, ops):
            return Compare(tuple(map(_without_numbers, operands)), ops)
        case Call(function, arguments):
            return Call(function, tuple(map(_without_numbers, arguments)))
    return expr
