"""The program with variables that remember values, for measures of loops that have loops inside.

That an inner loop never makes n larger cannot be said at its head, because there n has its new value only. So a new variable keeps
what n was when the inner loop was reached, and `n <= n_before_2` is a fact like any other. The program reads no such variable, so
its runs are the same otherwise, and they end if and only if those of the program itself do.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from idg.sip.checking.analysis import Loop
from idg.sip.program import Program, load
from idg.sip.record import replace
from idg.sip.syntax import Block, If, Module, Name, Stmt, Type, Var, While
from idg.sip.text.printer import print_program
from idg.sip.trees.traverse import changed

REMEMBERED_MAX = 4
"""Variables that are remembered before one loop."""


def remembering(program: Program) -> Program | None:
    """The program that remembers what inner loops change, or None where no loop inside of another changes what this one knows."""
    taken = {name for info in program.info.functions.values() for name in info.variables} | program.info.functions.keys()
    remembered = {id(loop.statement): tuple(_remembered(program, loop, taken)) for loop in program.loops if loop.outer}
    if not any(remembered.values()):
        return None
    functions = tuple(replace(part, body=_in_block(part.body, remembered)) for part in program.module.functions)
    return load(print_program(Module(functions))).alone(program.level.name)


def _remembered(program: Program, loop: Loop, taken: set[str]) -> Iterator[Var]:
    """Declarations of variables that keep what the loop changes, as far as the loop around it knows that."""
    assert loop.outer is not None
    moved, kinds = changed(loop.statement.body), program.info.functions[loop.function].variables
    known = program.loop(loop.outer).columns
    wanted = [name for name in known if name in moved and kinds[name] in (Type.INT, Type.NAT)]
    for name in wanted[:REMEMBERED_MAX]:
        fresh = f"{name}_before_{loop.number}"
        if fresh not in taken:
            yield Var((Name(fresh),), kinds[name], Name(name))


def _in_block(block: Block, remembered: Mapping[int, tuple[Var, ...]]) -> Block:
    statements: list[Stmt] = []
    for statement in block.statements:
        statements += [*remembered.get(id(statement), ()), _in_statement(statement, remembered)]
    return replace(block, statements=tuple(statements))


def _in_statement(statement: Stmt, remembered: Mapping[int, tuple[Var, ...]]) -> Stmt:
    match statement:
        case If(branches, otherwise):
            inside = tuple(replace(branch, body=_in_block(branch.body, remembered)) for branch in branches)
            return replace(statement, branches=inside, otherwise=_in_block(otherwise, remembered))
        case While(body=body):
            return replace(statement, body=_in_block(body, remembered))
    return statement
