"""A transition system as a SIP program: any first state that fits, loops that may end anywhere, and asserts after them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from idg.importer.horn.nesting import Visit, nested
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
    Break,
    Cassign,
    Expr,
    Function,
    If,
    Module,
    Name,
    Return,
    Stmt,
    Type,
    Var,
    While,
)
from idg.sip.text.printer import print_program
from idg.sip.trees.build import compare, number, substitute
from idg.sip.trees.logic import both, either, negate
from idg.sip.trees.traverse import changed, names

TRUE, FALSE = Boolean(True), Boolean(False)


PRIME = "'"
"""Ends the names that ways have for the new values of variables. SIP has no such names, so they cannot clash."""


class SystemVariable(Record):
    name: str
    """The name as it is in the SIP program."""
    type: Type


class Predicate(Record):
    """Something unknown about some of the variables; where it stands in a circle of steps, it is the invariant of a loop."""

    variables: tuple[SystemVariable, ...]


class Move(Record):
    """A way in which one predicate leads to another, or to a first state."""

    source: int | None
    """The number of the predicate, from 0; None for first states."""
    target: int
    way: Way


class Wanted(Record):
    """A condition that must not hold in any state of a predicate, whatever values the helping variables have."""

    source: int | None
    helping: tuple[SystemVariable, ...]
    never: Expr


class TransitionSystem(Record):
    """Ways name the variables of their source as they are; the new value of x is x'."""

    predicates: tuple[Predicate, ...]
    """Variables of two predicates with one name are one variable of the program."""
    helping: Mapping[str, Type]
    """The types of the variables that only ways choose."""
    moves: tuple[Move, ...]
    wanted: tuple[Wanted, ...]

    def steps(self, source: int | None) -> tuple[Move, ...]:
        """The moves from there, without those that change nothing."""
        return tuple(move for move in self.moves if move.source == source and not _stays(move))


class WrittenSystem(Record):
    """The program, and where it has the predicates."""

    text: str
    loops: Mapping[int, int]
    """Predicates → the numbers of the loops at whose heads they hold."""
    reached: tuple[int, ...]
    """The predicates that some way of moves reaches, in the order of the program."""
    place: str | None
    """The variable whose value at a loop's head is the number of its predicate, from 1; None where no variable is needed."""


def program_of(system: TransitionSystem, spelling: Spelling) -> WrittenSystem:
    """The SIP program. The states at the head of each loop are exactly those in which the loop's predicate has to hold."""
    visits = _visits(system)
    trial = _Writer(system, Spelling(spelling.taken), visits, None)
    trial.program()
    place = spelling.of("place") if trial.is_open else None
    writer = _Writer(system, spelling, visits, place) if trial.is_open else trial
    text = print_program(writer.program() if trial.is_open else trial.written)
    reached = tuple(predicate for visit in visits for predicate in _in_order(visit))
    return WrittenSystem(text, writer.loops, reached, place)


def _visits(system: TransitionSystem) -> tuple[Visit, ...]:
    leads = {number: _targets(system.steps(number)) for number, _ in enumerate(system.predicates)}
    return nested(_targets(system.steps(None)), leads)


def _targets(moves: Iterable[Move]) -> tuple[int, ...]:
    return tuple(dict.fromkeys(move.target for move in moves))


def _in_order(visit: Visit) -> Iterator[int]:
    yield visit.predicate
    for inner in visit.inner or ():
        yield from _in_order(inner)


class _Writer:
    """Writes one program. Without a variable for the place it finds out whether one is needed: whether somewhere more than one
    predicate may come next."""

    def __init__(self, system: TransitionSystem, spelling: Spelling, visits: tuple[Visit, ...], place: str | None) -> None:
        self.system = system
        self.spelling = spelling
        self.visits = visits
        self.place = place
        own = {variable.name: variable.type for predicate in system.predicates for variable in predicate.variables}
        self.own = own
        self.types = own | dict(system.helping)
        self.more = spelling.of("more")
        self.loops: dict[int, int] = {}
        self.is_open = False
        self.ends_early = False
        self.asserted = False

    def program(self) -> Module:
        first, pending = self.moves(self.system.steps(None), ends=False)
        visited, _ = self.sequence(self.visits, pending)
        body = [*self.declared(), *self.asserts(None), *first, *visited]
        if not self.asserted:
            # Nothing that is reached is asked of: there is a solution, and the program promises something.
            body.insert(0, Assert(TRUE))
        if self.ends_early and not isinstance(body[-1], Return):
            body.append(Return(number(0)))
        kind = Type.INT if self.ends_early else None
        self.written = Module((Function("main", (), kind, (), (), Block(tuple(body))),))
        return self.written

    def declared(self) -> list[Stmt]:
        statements = [_declared([SystemVariable(name, kind)], kind) for name, kind in self.own.items()]
        if self.loops:
            statements.append(Var((Name(self.more),), Type.BOOL, None))
        if self.place is not None:
            statements.append(Var((Name(self.place),), Type.INT, number(0)))
        return statements

    def sequence(self, visits: Iterable[Visit], pending: frozenset[int]) -> tuple[list[Stmt], frozenset[int]]:
        """`pending`: the predicates at which the program may be; also of what is returned."""
        statements: list[Stmt] = []
        for visit in visits:
            starting = pending & visit.all()
            if not starting:
                continue
            others = pending - starting
            part, left = self.loop(visit, starting) if visit.inner is not None else self.left(visit.predicate)
            if others:
                self.is_open = True
                ending = [] if left else [self.end()]
                part = [_only_if(self.is_at_one_of(starting), [*part, *ending])]
            statements += part
            pending = others | left
        return statements, pending

    def left(self, predicate: int, inside: frozenset[int] = frozenset()) -> tuple[list[Stmt], frozenset[int]]:
        """What is asserted where a predicate holds, and the moves from there to others than those inside."""
        outside = [move for move in self.system.steps(predicate) if move.target not in inside]
        moves, targets = self.moves(outside, ends=True)
        return [*self.asserts(predicate), *moves], targets

    def loop(self, visit: Visit, entered: frozenset[int]) -> tuple[list[Stmt], frozenset[int]]:
        """The states of the predicate are those at the loop's head. Where a way can be taken, the loop may go on. A loop that is
        `entered` at another predicate than its head has first turns that begin there; they can be told by the place."""
        head, inside = visit.predicate, visit.all()
        self.loops[head] = len(self.loops) + 1
        steps = [move for move in self.system.steps(head) if move.target in inside]
        goes_on = _one_of(steps) if steps else TRUE
        choose: Stmt = Cassign((Name(self.more),), TRUE)
        turn, pending = self.moves(steps, guarded=goes_on) if steps else ([], frozenset({head}))
        test = both(Name(self.more), goes_on)
        elsewhere = entered - {head}
        if elsewhere:
            self.is_open = True
            turn = [_only_if(self.is_at(head), turn)]
            test = either(negate(self.is_at(head)), test)
        body, pending = self.sequence(visit.inner or (), pending | elsewhere)
        left_inside = pending - {head}
        if left_inside:
            self.is_open = True
            body.append(_only_if(negate(self.is_at(head)), [Break()]))
        # What a loop does not assign is known at its head. The predicate knows only what it says itself, so everything is assigned.
        known = changed(Block((*turn, *body)))
        kept: list[Stmt] = [
            Assign(Name(one.name), Name(one.name)) for one in self.system.predicates[head].variables if one.name not in known
        ]
        whole = While(None, test, Block((*turn, *body, *kept, choose)))
        after, targets = self.left(head, inside)
        if left_inside:
            ending = [] if targets else [self.end()]
            after = [_only_if(self.is_at(head), [*after, *ending])] if after or ending else []
        return [choose, whole, *after], targets | left_inside

    def is_at(self, predicate: int) -> Expr:
        return compare(Name(self.place or PRIME), "=", number(predicate + 1))

    def is_at_one_of(self, predicates: Iterable[int]) -> Expr:
        told: Expr = FALSE
        for predicate in sorted(predicates):
            told = either(told, self.is_at(predicate))
        return told

    def end(self) -> Stmt:
        """No state comes after this one."""
        self.ends_early = True
        return Return(number(0))

    def moves(self, moves: Sequence[Move], guarded: Expr = TRUE, ends: bool = False) -> tuple[list[Stmt], frozenset[int]]:
        """One of the ways, where its guard holds. `guarded`: what is known to hold here; `ends`: that the run ends where no guard
        holds, instead of not being one."""
        if not moves:
            return ([] if ends else [Assume(FALSE)]), frozenset()
        statements: list[Stmt] = []
        allowed = _one_of(moves)
        if ends and allowed != TRUE:
            statements.append(_only_if(negate(allowed), [self.end()]))
            guarded = allowed
        return [*statements, *self.chosen_way(moves, guarded)], frozenset(_targets(moves))

    def chosen_way(self, moves: Sequence[Move], guarded: Expr) -> list[Stmt]:
        ways = [move.way for move in moves]
        if len(moves) == 1:
            return [*([] if ways[0].guard in (TRUE, guarded) else [Assume(ways[0].guard)]), *self.taken(moves[0])]
        if all(excludes(one.guard, other.guard) for place, one in enumerate(ways) for other in ways[place + 1 :]):
            last = moves[-1:] if guarded == _one_of(moves) else ()
            branches = [Branch(move.way.guard, Block(tuple(self.taken(move)))) for move in (moves[:-1] if last else moves)]
            otherwise = self.taken(last[0]) if last else [Assume(FALSE)]
            return [If(tuple(branches), Block(tuple(otherwise)))]
        way_number = self.spelling.of("way")
        picked = [both(compare(Name(way_number), "=", number(place)), way.guard) for place, way in enumerate(ways, 1)]
        allowed: Expr = FALSE
        for condition in picked:
            allowed = either(allowed, condition)
        branches = [
            Branch(compare(Name(way_number), "=", number(place)), Block(tuple(self.taken(move))))
            for place, move in enumerate(moves[:-1], 1)
        ]
        return [
            Var((Name(way_number),), Type.INT, None),
            Cassign((Name(way_number),), allowed),
            If(tuple(branches), Block(tuple(self.taken(moves[-1])))),
            *([] if all(move.source == move.target for move in moves) else [Assign(Name(way_number), number(0))]),
        ]

    def taken(self, move: Move) -> list[Stmt]:
        """The values of the way, and the place to which it leads. What the new predicate does not speak of becomes 0."""
        statements, helping = self.assigned(move)
        if move.source != move.target:
            kept = {variable.name for variable in self.system.predicates[move.target].variables}
            before = self.own if move.source is None else [one.name for one in self.system.predicates[move.source].variables]
            gone = [SystemVariable(name, self.own[name]) for name in before if name not in kept]
            statements += _zeroed([*gone, *helping])
            if self.place is not None:
                statements.append(Assign(Name(self.place), number(move.target + 1)))
        return statements

    def assigned(self, move: Move) -> tuple[list[Stmt], list[SystemVariable]]:
        """The values of the way, all at once: a value that needs the old value of a changed variable comes before the change. Also
        the variables that were declared for that."""
        way, statements, helping = move.way, list[Stmt](), list[SystemVariable]()
        fresh: dict[str, str] = {}
        for name in way.chosen:
            plain = name.removesuffix(PRIME)
            # A first state is chosen at once: there are no old values.
            fresh[name] = plain if move.source is None and name != plain else self.spelling.of(f"{plain}_next")
            if fresh[name] != plain:
                helping.append(SystemVariable(fresh[name], self.types[plain]))
                statements.append(_declared(helping[-1:], helping[-1].type))
        given: dict[str, Expr] = {name: Name(word) for name, word in fresh.items()}
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
                helping.append(SystemVariable(self.spelling.of(f"{ready}_before"), self.types[ready]))
                aside = Name(helping[-1].name)
                statements.append(Var((aside,), self.types[ready], Name(ready)))
                own = values[ready]
                values = {name: substitute(value, {ready: aside}) for name, value in values.items() if name != ready}
                statements.append(Assign(Name(ready), own))
                continue
            statements.append(Assign(Name(ready), values.pop(ready)))
        return statements, helping

    def asserts(self, source: int | None) -> list[Stmt]:
        statements: list[Stmt] = []
        for wanted in self.system.wanted:
            if wanted.source == source:
                self.asserted = True
                statements += [_declared([variable], variable.type) for variable in wanted.helping]
                statements += [Assert(negate(wanted.never)), *_zeroed(wanted.helping)]
        return statements


def zero(kind: Type) -> Expr:
    """The value of variables of which a predicate does not speak."""
    return FALSE if kind is Type.BOOL else number(0)


def _zeroed(variables: Iterable[SystemVariable]) -> list[Stmt]:
    """No fact can use what these variables were: the answer cannot say it."""
    return [Assign(Name(variable.name), zero(variable.type)) for variable in variables]


def _only_if(condition: Expr, statements: Iterable[Stmt]) -> Stmt:
    return If((Branch(condition, Block(tuple(statements))),), Block(()))


def _declared(variables: Iterable[SystemVariable], kind: Type) -> Stmt:
    return Var(tuple(Name(variable.name) for variable in variables), kind, None)


def _is_used_besides(name: str, values: Mapping[str, Expr]) -> bool:
    """Whether the value of another variable needs this one."""
    return any(name in names(value) for other, value in values.items() if other != name)


def _stays(move: Move) -> bool:
    """Whether the move leads from a predicate to itself and leaves every variable as it is."""
    unchanged = all(value == Name(name.removesuffix(PRIME)) for name, value in move.way.values.items())
    return move.source == move.target and not move.way.chosen and unchanged


def _one_of(moves: Sequence[Move]) -> Expr:
    """The condition that one of the guards holds."""
    told: Expr = FALSE
    for move in moves:
        told = either(told, move.way.guard)
    return told
