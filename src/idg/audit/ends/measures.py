"""Audits measures: the program is rewritten so that each turn asserts that the measure has fallen, and then audited as any other.

A loop `while (t) decreases e { body }` becomes

    while (t) { var measured: int := e; body; assert(measured >= 0 & e < measured); }

A run that stops, at an assert of its own, say, has come to an end. So it is no mistake of a measure where the program's own
obligations fail, and they are left to the audit of the program itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import reduce

from idg.audit.conditions import ProofCondition, conditions_of
from idg.audit.expressions import TooLarge
from idg.audit.runs import broken_run
from idg.audit.smt import new_context
from idg.audit.verifier import CONFIRMED, CONTRADICTED, NOT_DECIDED, Audit, decided
from idg.sip.checking.checker import check_expression
from idg.sip.program import Program, load
from idg.sip.record import replace
from idg.sip.syntax import (
    Assert,
    Binary,
    Block,
    Break,
    Compare,
    Expr,
    Function,
    If,
    Module,
    Name,
    Number,
    Old,
    Return,
    Span,
    Stmt,
    Type,
    Unary,
    Var,
    While,
)
from idg.sip.text.printer import print_program
from idg.sip.trees.traverse import expressions, is_in_claim

MEASURED = "measured_before_the_turn"
"""How the variables begin that hold the measure before a turn. Programs that use the name are not audited."""
STOPPING = frozenset({"assert", "post", "index", "zero-divisor", "negative-exponent", "narrowing", "callee-pre"})
"""What a run stops at, unless it stands in a claim."""

Measures = Mapping[int, Sequence[Expr]]
"""For each loop, by its number, the components of a measure."""


def audit_measures(program: Program, facts: Iterable[tuple[int, str]], measures: Measures) -> Audit:
    """Checks that the measures fall in every turn of their loops, where these invariants hold."""
    if MEASURED in program.text:
        return Audit(NOT_DECIDED, (), too_large=f"the program uses the name {MEASURED}")
    if any(isinstance(part, Old) for measure in measures.values() for component in measure for part in expressions(component)):
        return Audit(NOT_DECIDED, (), too_large="a measure speaks of a value at entry")
    rewritten = asserting(program, measures)
    invariants = read_facts(rewritten, facts)
    run = broken_run(rewritten, invariants)
    if run is not None and run.what != "invariant" and not is_added(rewritten, run.span):
        run = None
    try:
        conditions = conditions_of(rewritten, invariants)
    except (TooLarge, RecursionError) as error:
        return Audit(CONTRADICTED if run else NOT_DECIDED, (), run, str(error))
    own_conditions = [part for part in conditions if not stops(part, rewritten) or is_added(rewritten, part.span)]
    result = all_decided(own_conditions, rewritten)
    return replace(result, answer=CONTRADICTED, run=run) if run else result


def read_facts(program: Program, facts: Iterable[tuple[int, str]]) -> dict[int, list[Expr]]:
    """The facts by the numbers of their loops."""
    invariants: dict[int, list[Expr]] = {}
    for loop, fact in facts:
        invariants.setdefault(loop, []).append(program.proposal(fact, loop))
    return invariants


def all_decided(conditions: Sequence[ProofCondition], program: Program) -> Audit:
    """The answer to all of the conditions."""
    context = new_context()
    audited = tuple(decided(condition, program, context) for condition in conditions)
    answers = {result.answer for result in audited}
    return Audit(CONTRADICTED if CONTRADICTED in answers else NOT_DECIDED if NOT_DECIDED in answers else CONFIRMED, audited)


def stops(condition: ProofCondition, program: Program) -> bool:
    """Whether a run stops where the condition is violated. It goes on after a false claim, and after one that has no value."""
    functions = (info.function for info in program.info.functions.values())
    return condition.what in STOPPING and not is_in_claim(functions, condition.span)


def is_added(program: Program, span: Span) -> bool:
    """Whether this place of the rewritten program is in a statement that was added: a measure must have a value, too."""
    line = program.text[program.text.rfind("\n", 0, span.start) + 1 :].lstrip()
    return line.startswith((f"var {MEASURED}", f"assert({MEASURED}"))


def asserting(program: Program, measures: Measures) -> Program:
    """The program whose turns assert that the measures fell."""
    numbers = {id(loop.statement): loop.number for loop in program.loops}

    def block(part: Block) -> Block:
        return replace(part, statements=tuple(map(statement, part.statements)))

    def statement(part: Stmt) -> Stmt:
        match part:
            case If(branches, otherwise):
                taken = tuple(replace(branch, body=block(branch.body)) for branch in branches)
                return replace(part, branches=taken, otherwise=block(otherwise))
            case While(_, _, body):
                number = numbers[id(part)]
                inner = block(body).statements
                if number in measures:
                    before, after = _around(program, number, measures[number])
                    # Nothing may follow a statement that always leaves the loop, and then no turn comes to its end.
                    leaves = bool(inner) and isinstance(inner[-1], Break | Return)
                    inner = (*before, *inner, *(() if leaves else (after,)))
                return replace(part, body=Block(inner), measure=())
            case _:
                return part

    def function(part: Function) -> Function:
        return replace(part, body=block(part.body), measure=())

    module = Module(tuple(map(function, program.module.functions)))
    return load(print_program(module)).alone(program.level.name)


def _around(program: Program, loop: int, measure: Sequence[Expr]) -> tuple[list[Stmt], Stmt]:
    """What stands at the beginning and at the end of the loop's body."""
    scope = program.info.scope(program.loop(loop))
    before: list[Stmt] = []
    held_values: list[tuple[Expr, Expr, Type]] = []
    for index, component in enumerate(measure):
        kind = check_expression(component, scope)[0]
        assert kind is not None, "a measure was checked for its loop"
        held = Name(f"{MEASURED}_{loop}_{index}")
        before.append(Var((held,), Type.INT if kind is Type.NAT else kind, component))
        held_values.append((held, component, kind))
    return before, Assert(fell(held_values))


def fell(components: Sequence[tuple[Expr, Expr, Type]]) -> Expr:
    """The formula that a measure fell. Each component is given by its value before and after, and its type."""
    ways: list[Expr] = []
    unchanged: list[Expr] = []
    for before, after, kind in components:
        ways.append(reduce(_and, [*unchanged, *_fell(before, after, kind)]))
        unchanged.append(Compare((after, before), ("=",)))
    return reduce(lambda left, right: Binary("|", left, right), ways)


def _fell(before: Expr, after: Expr, kind: Type) -> list[Expr]:
    if kind is Type.BOOL:
        return [before, Unary("!", after)]
    lower = Binary("-", before, Number(1)) if kind is Type.RAT else before
    return [Compare((before, Number(0)), (">=",)), Compare((after, lower), ("<=" if kind is Type.RAT else "<",))]


def _and(left: Expr, right: Expr) -> Expr:
    return Binary("&", left, right)
