"""Hints, one step at a time, for a player's present state: made by the agent, never stored by hand.

A *plan* is a set of invariants that proves the level. A fact of it that is not implied by what the player has is the *target*; its
steps reveal it little by little, from a variable to look at to the invariant itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Literal

from idg.agents.built_in.agent import Agent
from idg.agents.built_in.engine_access import LocalEngine
from idg.engine.books import Books
from idg.engine.engine import Engine
from idg.engine.promote import implied_by
from idg.engine.results import Fact, Feedback, inductive_facts, potential_facts
from idg.engine.wire.answers import HintStep
from idg.sip.program import Program
from idg.sip.record import Record
from idg.sip.running.evaluator import evaluate
from idg.sip.syntax import Binary, Call, Compare, Expr, Name, Number, Old, Unary
from idg.sip.text.printer import print_expression
from idg.sip.traverse import expressions, names, size

FUEL_MAX = 8_000
HOLE = "□"
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


class Plan(Record):
    outcome: Literal["solved", "refuted", "open"]
    """'solved' where the agent found a proof, 'refuted' where no proof exists, 'open' where it found none."""
    facts: tuple[Fact, ...]


class Hint(Record):
    target: Fact
    steps: tuple[HintStep, ...]


def make_plan(program: Program, books: Books, fuel_max: int = FUEL_MAX, should_stop: Callable[[], bool] = lambda: False) -> Plan:
    """What the agent would still propose, from the books of a player."""
    engine = LocalEngine(program, should_stop)
    engine.books = books
    found = Agent(engine, fuel_max=fuel_max).play()
    facts = tuple(Fact(number, text) for number, texts in enumerate(found.invariants, 1) for text in texts)
    return Plan(found.outcome, facts if found.outcome == "solved" else ())


def missing(engine: Engine, books: Books, facts: Iterable[Fact]) -> list[Fact]:
    """Facts that what the player has, potential invariants included, does not imply."""
    known = (*inductive_facts(books), *potential_facts(books))
    return [each for each in facts if each not in known and implied_by(engine.inquiry, known, each, minimal=False) is None]


def next_hint(engine: Engine, books: Books, plan: Sequence[Fact], feedback: Feedback) -> Hint | None:
    """About the missing fact that rules out the state shown, the simplest first; None where nothing of the plan is missing."""
    wanted = missing(engine, books, plan)
    if not wanted:
        return None

    def rank(fact: Fact) -> tuple[bool, int, str]:
        return not _rules_out(engine, fact, feedback), size(engine.inquiry.expr(fact)), fact.text

    target = min(wanted, key=rank)
    return Hint(target, tuple(_steps(engine, books, target)))


def _rules_out(engine: Engine, fact: Fact, feedback: Feedback) -> bool:
    shown = feedback.to_rule_out
    if shown is None or shown.loop != fact.loop:
        return False
    expr = engine.inquiry.expr(fact)
    if any(isinstance(each, Old) for each in expressions(expr)):
        return False
    kinds = engine.program.info.level.variables
    return evaluate(expr, shown.state, {name: kinds[name] for name in shown.state if name in kinds}, engine.program.info) is False


def _steps(engine: Engine, books: Books, target: Fact) -> Iterable[HintStep]:
    expr = engine.inquiry.expr(target)
    columns = engine.program.loop(target.loop).columns
    involved = [name for name in columns if name in names(expr)]
    loop = f" of loop {target.loop}" if len(engine.program.loops) > 1 else ""
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
    """The variable of the target that the fewest known facts of its loop speak of; of several, one that the loop changes."""
    level = engine.program.info.level
    params = {each.name for each in level.function.params} - level.assigned
    known = [names(engine.inquiry.expr(each)) for each in inductive_facts(books) if each.loop == target.loop]
    return min(involved, key=lambda name: (name in params, sum(name in each for each in known)))


def shape_of(expr: Expr) -> tuple[str, int]:
    """What kind of fact it is, and the degree of its terms."""
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
            if any(isinstance(each, Binary) and each.op == "%" for operand in operands for each in expressions(operand)):
                return "remainder", degree
            return ("equation" if "=" in ops else "different" if "!=" in ops else "bound"), degree
    return "fact", degree


def degree_of(expr: Expr) -> int:
    """The highest number of variables multiplied with each other."""
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
    """Numbers become holes; where there is none, the right side does."""
    found = _filled(expr)
    if found != expr:
        return found
    match expr:
        case Compare(operands, ops):
            return Compare((*operands[:-1], Name(HOLE)), ops)
        case Binary(op, left, _):
            return Binary(op, left, Name(HOLE))
    return Name(HOLE)


def _filled(expr: Expr) -> Expr:
    match expr:
        case Number():
            return Name(HOLE)
        case Unary(op, operand):
            return Unary(op, _filled(operand))
        case Binary(op, left, right):
            return Binary(op, _filled(left), _filled(right))
        case Compare(operands, ops):
            return Compare(tuple(map(_filled, operands)), ops)
        case Call(function, arguments):
            return Call(function, tuple(map(_filled, arguments)))
    return expr
