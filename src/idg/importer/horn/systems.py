"""A transition system as a SIP program: any first state that fits, a loop that may end anywhere, and asserts after it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from idg.importer.horn.steps import Way, excludes
from idg.importer.names import Spelling
from idg.sip.record import Record
from idg.sip.syntax import (
    Assert,
    Assign,
    Assume,
    Block,
    Boolean,
    Branch,
    Cassign,
    Expr,
    Function,
    If,
    Module,
    Name,
    Stmt,
    Type,
    Var,
    While,
)
from idg.sip.text.printer import print_program
from idg.sip.trees.build import compare, number, substitute
from idg.sip.trees.logic import both, either, negate
from idg.sip.trees.traverse import names

TRUE, FALSE = Boolean(True), Boolean(False)


PRIME = "'"
"""Ends the names that ways have for the new values of variables. SIP has no such names, so they cannot clash."""


class SystemVariable(Record):
    name: str
    """As in the SIP program."""
    type: Type


class Wanted(Record):
    """What must not happen: values of the helping variables with which the condition holds."""

    helping: tuple[SystemVariable, ...]
    never: Expr


class TransitionSystem(Record):
    """Ways name the variables of the state as they are; the new value of x is x'."""

    variables: tuple[SystemVariable, ...]
    helping: Mapping[str, Type]
    """The types of the variables that only ways choose."""
    first: tuple[Way, ...]
    steps: tuple[Way, ...]
    wanted: tuple[Wanted, ...]


def program_of(system: TransitionSystem, spelling: Spelling) -> str:
    """The text of the SIP program. Its only loop has the system's states at its head."""
    writer = _Writer(system, spelling)
    body = [*writer.declared(), *writer.chosen_way(system.first), *writer.loop(), *writer.asserts()]
    return print_program(Module((Function("main", (), None, (), (), Block(tuple(body))),)))


class _Writer:
    def __init__(self, system: TransitionSystem, spelling: Spelling) -> None:
        self.system = system
        self.spelling = spelling
        self.types = {variable.name: variable.type for variable in system.variables} | dict(system.helping)
        self.more = spelling.of("more")

    def declared(self) -> list[Stmt]:
        return [_declared([variable], variable.type) for variable in self.system.variables]

    def loop(self) -> list[Stmt]:
        """States of the system are those at the loop's head. The loop goes on as long as it likes, where a way can be taken."""
        steps = [way for way in self.system.steps if not _stays(way)]
        goes_on = _one_of(steps) if steps else TRUE
        choose: Stmt = Cassign((Name(self.more),), TRUE)
        turn = [*(self.chosen_way(steps, guarded=goes_on) if steps else ()), choose]
        return [Var((Name(self.more),), Type.BOOL, None), choose, While(None, both(Name(self.more), goes_on), Block(tuple(turn)))]

    def chosen_way(self, ways: Sequence[Way], guarded: Expr = TRUE) -> list[Stmt]:
        """One of the ways, where its guard holds. `guarded`: what is known to hold here."""
        if not ways:
            return [Assume(FALSE)]
        if len(ways) == 1:
            [way] = ways
            return [*([] if way.guard in (TRUE, guarded) else [Assume(way.guard)]), *self.taken(way)]
        if all(excludes(one.guard, other.guard) for place, one in enumerate(ways) for other in ways[place + 1 :]):
            last = ways[-1:] if guarded == _one_of(ways) else ()
            branches = [Branch(way.guard, Block(tuple(self.taken(way)))) for way in (ways[:-1] if last else ways)]
            otherwise = self.taken(last[0]) if last else [Assume(FALSE)]
            return [If(tuple(branches), Block(tuple(otherwise)))]
        way_number = self.spelling.of("way")
        picked = [both(compare(Name(way_number), "=", number(place)), way.guard) for place, way in enumerate(ways, 1)]
        allowed: Expr = FALSE
        for condition in picked:
            allowed = either(allowed, condition)
        branches = [
            Branch(compare(Name(way_number), "=", number(place)), Block(tuple(self.taken(way))))
            for place, way in enumerate(ways[:-1], 1)
        ]
        return [
            Var((Name(way_number),), Type.INT, None),
            Cassign((Name(way_number),), allowed),
            If(tuple(branches), Block(tuple(self.taken(ways[-1])))),
        ]

    def taken(self, way: Way) -> list[Stmt]:
        """The values of the way, all at once: a value that needs the old value of a changed variable comes before the change."""
        statements: list[Stmt] = []
        fresh = {name: self.spelling.of(f"{name.removesuffix(PRIME)}_next") for name in way.chosen}
        given: dict[str, Expr] = {name: Name(word) for name, word in fresh.items()}
        for name in way.chosen:
            statements.append(Var((Name(fresh[name]),), self.types[name.removesuffix(PRIME)], None))
        if way.chosen:
            fits = substitute(way.fits, given)
            statements.append(Cassign(tuple(Name(fresh[name]) for name in way.chosen), fits))
        new: dict[str, Expr] = {name: substitute(value, given) for name, value in way.values.items()}
        new |= {name: value for name, value in given.items() if name.endswith(PRIME)}
        values = {name.removesuffix(PRIME): value for name, value in new.items() if value != Name(name.removesuffix(PRIME))}
        while values:
            ready = next((name for name in values if not _is_used_besides(name, values)), None)
            if ready is None:
                # The values are exchanged in a circle: one old value is kept aside.
                ready = next(iter(values))
                aside = self.spelling.of(f"{ready}_before")
                statements.append(Var((Name(aside),), self.types[ready], Name(ready)))
                own = values[ready]
                values = {name: substitute(value, {ready: Name(aside)}) for name, value in values.items() if name != ready}
                statements.append(Assign(Name(ready), own))
                continue
            statements.append(Assign(Name(ready), values.pop(ready)))
        return statements

    def asserts(self) -> list[Stmt]:
        statements: list[Stmt] = []
        for wanted in self.system.wanted:
            statements += [_declared([variable], variable.type) for variable in wanted.helping]
            statements.append(Assert(negate(wanted.never)))
        return statements


def _declared(variables: Iterable[SystemVariable], kind: Type) -> Stmt:
    return Var(tuple(Name(variable.name) for variable in variables), kind, None)


def _is_used_besides(name: str, values: Mapping[str, Expr]) -> bool:
    """Whether the value of another variable needs this one."""
    return any(name in names(value) for other, value in values.items() if other != name)


def _stays(way: Way) -> bool:
    """Whether the way leaves every variable as it is."""
    return not way.chosen and all(value == Name(name.removesuffix(PRIME)) for name, value in way.values.items())


def _one_of(ways: Sequence[Way]) -> Expr:
    """That one of the guards holds."""
    told: Expr = FALSE
    for way in ways:
        told = either(told, way.guard)
    return told
