"""A program as players see it: its source, and the places of its loops, tests and promises."""

from __future__ import annotations

import hashlib

from idg.engine.wire.build import where
from idg.engine.wire.rooms import Guarantee, LoopPlaces, Place, ProgramAnswer, TypedName
from idg.sip.program import Program
from idg.sip.syntax import Expr
from idg.sip.text.printer import print_expression


def program_hash(source: str) -> str:
    """The name under which a program is stored and shared."""
    return hashlib.sha256(source.encode()).hexdigest()[:32]


def program_answer(program: Program, source: str, title: str) -> ProgramAnswer:
    """What is told of any program. What only levels have (story, inputs, …) is for the caller to add."""
    function = program.level
    return ProgramAnswer(
        program=program_hash(source),
        title=title,
        source=source,
        level=None,
        params=tuple(TypedName(name, kind) for name, kind in program.params.items()),
        assigned_params=tuple(name for name in program.params if name in program.info.level.assigned),
        chooses=function.name in program.info.choosing,
        helpers=tuple(helper.name for helper in program.module.functions[:-1]),
        loops=tuple(_loop(program, source, number) for number in range(1, len(program.loops) + 1)),
        guarantee=_guarantee(program, source),
        pres=tuple(_place(source, pre) for pre in function.pres),
        guarantee_text=" & ".join(map(print_expression, program.guarantee)),
    )


def _loop(program: Program, source: str, number: int) -> LoopPlaces:
    loop = program.loop(number)
    kinds = program.info.level.variables
    statement = loop.statement
    return LoopPlaces(
        number,
        loop.outer,
        tuple(TypedName(name, kinds[name]) for name in loop.columns),
        where(source, statement.span),
        _place(source, statement.test),
        where(source, statement.body.span),
    )


def _guarantee(program: Program, source: str) -> Guarantee:
    """What is promised, and where: at the end of the level for postconditions, otherwise from the first final assert on."""
    function = program.level
    statements = function.body.statements
    if function.posts or not statements:
        span = statements[-1].span if statements else function.body.span
    else:
        span = statements[-max(1, len(program.guarantee))].span
    return Guarantee(tuple(_place(source, expr) for expr in program.guarantee), where(source, span))


def _place(source: str, expr: Expr) -> Place:
    return Place(print_expression(expr), where(source, expr.span))
