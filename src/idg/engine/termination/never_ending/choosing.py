"""Makes a program choose by a rule: its choices become assignments of what the rule says.

A rule says for each variable what is chosen: a number, or an expression of other variables. The program that follows the rule
assigns that, and asserts the condition of the choice. What is assumed, it asserts as well. So a run of it that stops at no assert
is a run of the program itself: its choices are allowed, and what is assumed in it holds.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice

from idg.sip.errors import SipError
from idg.sip.program import Program, load
from idg.sip.record import replace
from idg.sip.syntax import Assert, Assign, Assume, Binary, Block, Cassign, Expr, If, Module, Name, Number, Stmt, Type, While
from idg.sip.text.printer import print_expression, print_program
from idg.sip.trees.build import compare, number
from idg.sip.trees.logic import FALSE, TRUE
from idg.sip.trees.traverse import expressions, statement_expressions, statements

RULES_MAX = 24
"""Rules that are tried for a program."""
LITERALS_MAX = 4
"""Numbers of the program that are tried as choices, and with which variables are compared, the smallest first."""
VARIABLES_MAX = 4
"""Variables that rules of choices may depend on."""

Rule = Mapping[str, Expr]
"""What is chosen, for each variable."""


def literals(program: Program) -> list[int]:
    """The whole numbers in the text of the level and of what it calls, the smallest first."""
    reached = sorted(program.info.calls.reached(program.level.name))
    numbers = {
        part.value
        for name in reached
        for statement in statements(program.info.functions[name].function.body)
        for expr in statement_expressions(statement)
        for part in expressions(expr)
        if isinstance(part, Number) and isinstance(part.value, int)
    }
    return sorted(numbers, key=abs)


def choosing_programs(program: Program) -> Iterator[tuple[Mapping[str, str], Program]]:
    """The program itself where it chooses and assumes nothing. Else programs that follow rules, each with its rule as texts."""
    level = program.level
    parts = list(statements(level.body))
    if not any(isinstance(part, Cassign | Assume) for part in parts):
        yield {}, program
        return
    made = [part for part in parts if isinstance(part, Cassign)]
    names = list(dict.fromkeys(target.name for choice in made for target in choice.targets))
    for rule in islice(_rules(program, names), RULES_MAX):
        body = _following(level.body, rule)
        functions = (*(part for part in program.module.functions if part.name != level.name), replace(level, body=body))
        try:
            followed = load(print_program(Module(functions)))
        except SipError:
            continue  # A variable does not exist yet where the choice is made.
        yield {name: print_expression(expr) for name, expr in rule.items()}, followed


def _rules(program: Program, names: list[str]) -> Iterator[Rule]:
    if not names:
        yield {}
        return
    kinds = program.info.level.variables
    plain = [
        {name: truth if kinds[name] is Type.BOOL else number(value) for name in names}
        for truth, value in ((TRUE, 1), (FALSE, 0), (TRUE, -1), (FALSE, 1))
    ]
    yield from plain
    options = {name: list(_options(program, name, set(names))) for name in names}
    for base in plain[:2]:
        for index in range(max(map(len, options.values()))):
            for name in names:
                if index < len(options[name]):
                    yield {**base, name: options[name][index]}


def _options(program: Program, name: str, chosen: set[str]) -> Iterator[Expr]:
    """What may be chosen for one variable: numbers of the program, and what depends on other variables."""
    kinds = program.info.level.variables
    numeric = [Name(other) for other, kind in kinds.items() if other not in chosen and kind in (Type.INT, Type.NAT)][:VARIABLES_MAX]
    near = literals(program)[:LITERALS_MAX]
    if kinds[name] is Type.BOOL:
        for index, first in enumerate(numeric):
            yield from (compare(first, ">", second) for second in numeric[index + 1 :])
        yield from (compare(first, ">", number(value)) for first in numeric for value in near)
        return
    yield from numeric
    yield from (Binary("-", other, number(2)) for other in numeric)
    yield from (Binary("+", other, number(1)) for other in numeric)
    yield from (number(value + step) for value in near for step in (0, 1) if value + step not in (0, 1))


def _following(block: Block, rule: Rule) -> Block:
    """The block in which the rule makes the choices."""
    parts: list[Stmt] = []
    for statement in block.statements:
        match statement:
            case Cassign(targets, condition):
                parts += (Assign(target, rule[target.name]) for target in targets)
                parts += [] if condition == TRUE else [Assert(condition)]
            case Assume(condition):
                parts.append(Assert(condition))
            case If(branches, otherwise):
                taken = tuple(replace(branch, body=_following(branch.body, rule)) for branch in branches)
                parts.append(replace(statement, branches=taken, otherwise=_following(otherwise, rule)))
            case While(_, _, body):
                parts.append(replace(statement, body=_following(body, rule)))
            case _:
                parts.append(statement)
    return Block(tuple(parts))
