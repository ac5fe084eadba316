"""Measures as asserts, for targets without measures: each turn notes the measure and asserts at its end that it fell."""

from __future__ import annotations

from functools import reduce

from idg.audit.terms import FALSE, INT, LogicTerm, compare, conjunction, disjunction, number, symbol
from idg.export.lowering.lowered import (
    Decide,
    LoweredFunction,
    LoweredProgram,
    LoweredStatement,
    Oblige,
    Repeat,
    SetTo,
    SortedVariable,
)
from idg.export.names import unused
from idg.sip.record import replace


def asserting_measures(program: LoweredProgram) -> LoweredProgram:
    """The same program; no loop of it has a measure any more."""
    return replace(program, functions=tuple(_Rewriting(function, program).function() for function in program.functions))


class _Rewriting:
    def __init__(self, function: LoweredFunction, program: LoweredProgram) -> None:
        self.rewritten = function
        self.locals = list(function.locals)
        self.taken = {variable.name for variable in (*function.params, *function.locals)} | {"result"}
        self.taken |= {other.name for other in program.functions}

    def function(self) -> LoweredFunction:
        body = self.block(self.rewritten.body)
        return replace(self.rewritten, body=body, locals=tuple(self.locals))

    def block(self, body: tuple[LoweredStatement, ...]) -> tuple[LoweredStatement, ...]:
        return tuple(map(self.statement, body))

    def statement(self, statement: LoweredStatement) -> LoweredStatement:
        match statement:
            case Decide(_, yes, no):
                return replace(statement, yes=self.block(yes), no=self.block(no))
            case Repeat(_, _, measure, body):
                inner = self.block(body)
                if measure:
                    inner = self.around(measure, inner)
                return replace(statement, body=inner, measure=())
        return statement

    def around(self, measure: tuple[LogicTerm, ...], body: tuple[LoweredStatement, ...]) -> tuple[LoweredStatement, ...]:
        before = []
        for _ in measure:
            name = unused("measure_before", self.taken)
            self.taken.add(name)
            self.locals.append(SortedVariable(name, INT))
            before.append(symbol(name, INT))
        noted = [SetTo(held.name, component) for held, component in zip(before, measure, strict=True)]
        fell, same = FALSE, list[LogicTerm]()
        for held, component in zip(before, measure, strict=True):
            falls = conjunction(compare(held, ">=", number(0)), compare(component, "<", held))
            fell = disjunction(fell, reduce(conjunction, [*same, falls]))
            same.append(compare(component, "=", held))
        return (*noted, *body, Oblige(fell, "the measure fell in this turn"))
