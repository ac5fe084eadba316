"""Audits that a run stays in a loop for ever: the program is rewritten so that each turn assumes facts and asserts them at its end.

A loop `while (t) { body }` becomes

    while (t) { assume(S); body; assert(S & t); }

If these asserts hold, and nothing else in the loop fails, then a run that comes to the loop's head in a state in which S and t hold
never leaves the loop. Nothing is shown of the rest of the program.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from idg.audit.conditions import conditions_of
from idg.audit.ends.measures import all_decided, read_facts, stops
from idg.audit.expressions import TooLarge
from idg.audit.verifier import NOT_DECIDED, Audit
from idg.sip.program import Program, load
from idg.sip.record import replace
from idg.sip.syntax import Assert, Assume, Block, Expr, If, Module, Stmt, While
from idg.sip.text.printer import print_program
from idg.sip.trees.traverse import can_be_left


def audit_staying(program: Program, facts: Iterable[tuple[int, str]], loop: int, kept: Sequence[Expr]) -> Audit:
    """Checks that every turn of the loop keeps these facts and the loop's test, where the invariants hold, and fails nowhere."""
    if can_be_left(program.loop(loop).statement):
        return Audit(NOT_DECIDED, (), too_large="a turn may leave the loop although its test is true")
    rewritten = _staying(program, loop, kept)
    place = rewritten.loop(loop)
    inside, reached = place.statement.span, rewritten.info.calls.reached(place.function)
    try:
        conditions = conditions_of(rewritten, read_facts(rewritten, facts))
    except (TooLarge, RecursionError) as error:
        return Audit(NOT_DECIDED, (), too_large=str(error))
    # Elsewhere a run may fail: it is known to come to the loop's head, because it was followed that far. But invariants and claims
    # are taken for true in the loop, and functions that are called in it must keep to what they promise.
    needed = [
        part
        for part in conditions
        if part.function in reached
        and (part.function != place.function or not stops(part, rewritten) or inside.start <= part.span.start < inside.end)
    ]
    return all_decided(needed, rewritten)


def _staying(program: Program, loop: int, kept: Sequence[Expr]) -> Program:
    """The program whose turns of this loop assume the facts and assert them, and the test, at their ends."""
    wanted = program.loop(loop).statement

    def block(part: Block) -> Block:
        return replace(part, statements=tuple(map(statement, part.statements)))

    def statement(part: Stmt) -> Stmt:
        match part:
            case If(branches, otherwise):
                taken = tuple(replace(branch, body=block(branch.body)) for branch in branches)
                return replace(part, branches=taken, otherwise=block(otherwise))
            case While(test=test, body=body):
                inner = block(body).statements
                if part is wanted:
                    inner = (*map(Assume, kept), *inner, *map(Assert, (*kept, test)))
                return replace(part, body=Block(inner), measure=())
            case _:
                return part

    functions = (replace(part, body=block(part.body), measure=()) for part in program.module.functions)
    return load(print_program(Module(tuple(functions)))).alone(program.level.name)
