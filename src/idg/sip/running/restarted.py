"""Programs that start in the middle of another one: one turn of a loop, or everything from a loop's head on.

Their parameters are the variables that are visible at the loop's head, followed by one for each entry value old(x) of a parameter
that the program assigns. So a state at the loop's head is what such a program gets as its inputs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from idg.sip.checking.analysis import Loop, check_module
from idg.sip.program import Program
from idg.sip.syntax import (
    Assign,
    Binary,
    Block,
    Boolean,
    Expr,
    Function,
    Module,
    Name,
    Number,
    Old,
    Param,
    Return,
    Stmt,
    Type,
    While,
)
from idg.sip.text.printer import print_program
from idg.sip.trees.build import map_expressions, rewrite
from idg.sip.trees.entry import entry_parameters
from idg.sip.trees.traverse import expressions, statements

GOING = "one_turn_more"
"""The last parameter of a program of one turn: true before the turn, false after it."""


def turn_program(program: Program, loop: Loop) -> Program | None:
    """A program that makes at most one turn of the loop, from any state. None where SIP has no such program."""
    statement = loop.statement
    once = Block((Assign(Name(GOING), Boolean(False)), *statement.body.statements))
    turn: tuple[Stmt, ...] = (While(None, Binary("&", Name(GOING), statement.test), once),)
    result = program.level.result if any(isinstance(part, Return) for part in statements(statement.body)) else None
    if result is not None:
        turn += (Return(Boolean(False) if result is Type.BOOL else Number(0)),)
    return _restarted(program, loop, Block(turn), result, (), (Param(GOING, Type.BOOL),))


def rest_program(program: Program, loop: Loop) -> Program | None:
    """The program from the loop's head on, from any state. None where the loop is inside something, or SIP has no such program."""
    level = program.level
    body = level.body.statements
    start = next((index for index, statement in enumerate(body) if statement is loop.statement), None)
    return None if start is None else _restarted(program, loop, Block(body[start:]), level.result, level.posts, ())


def _restarted(
    program: Program, loop: Loop, body: Block, result: Type | None, posts: Sequence[Expr], further_params: tuple[Param, ...]
) -> Program | None:
    level = program.level
    variables = program.info.level.variables
    entries = entry_parameters(program.info.level.assigned_params)
    new_names = {*entries.values(), *(param.name for param in further_params)}
    reached = program.info.calls.reached(level.name)
    # `result` cannot be a parameter, and a call of the level itself, on whatever way, would be one of the new program.
    calls_itself = any(level.name in program.info.calls.callees[name] for name in reached)
    if "result" in loop.columns or calls_itself or variables.keys() & new_names:
        return None
    params = [Param(name, variables[name]) for name in loop.columns]
    params += (Param(entry, variables[name]) for name, entry in entries.items())
    function = Function(
        level.name,
        (*params, *further_params),
        result,
        (),
        tuple(_without_old(post, entries) for post in posts),
        map_expressions(body, lambda expr: _without_old(expr, entries)),
    )
    helpers = (helper.function for name, helper in program.info.functions.items() if name in reached - {level.name})
    module = Module((*helpers, function))
    info, problems = check_module(module)
    return None if problems else Program(print_program(module), info)


def _without_old(expr: Expr, entries: Mapping[str, str]) -> Expr:
    """The expression with the parameters that stand for entry values in place of them; where it has none, as it is in the text."""
    if not any(isinstance(part, Old) for part in expressions(expr)):
        return expr
    return rewrite(expr, lambda leaf: Name(entries.get(leaf.name, leaf.name)) if isinstance(leaf, Old) else leaf)
