"""Which functions of a program call which, and what that says about their calls."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product

from idg.sip.record import Record
from idg.sip.syntax import Assume, Binary, Call, Cassign, Expr, Function, Name, Number, Stmt, Type, While
from idg.sip.trees.traverse import assigned, called, expressions, function_expressions, statements

MEASURES_TRIED_MAX = 64
"""Choices of parameters, one for each function of a group that calls itself, that are tried as what grows smaller."""


class CallGraph(Record):
    """The calls between the functions of a program."""

    functions: Mapping[str, Function]
    callees: Mapping[str, frozenset[str]]
    """For each function, the functions of the program that it calls directly."""
    groups: tuple[frozenset[str], ...]
    """Functions that call each other, directly or not, are in one group. A group comes after all groups that it calls."""

    def group(self, name: str) -> frozenset[str]:
        """The function and those with which it is mutually recursive."""
        return next(group for group in self.groups if name in group)

    def reached(self, name: str) -> frozenset[str]:
        """The function and all that it calls, directly or not."""
        reached: set[str] = set()
        waiting = [name]
        while waiting:
            new = waiting.pop()
            reached.add(new)
            waiting += sorted(self.callees[new] - reached)
        return frozenset(reached)

    def is_recursive(self, group: frozenset[str]) -> bool:
        return any(self.callees[name] & group for name in group)

    def reaching(self, names: frozenset[str]) -> frozenset[str]:
        """These functions, and all that call one of them, directly or not."""
        reaching = set(names)
        for group in self.groups:
            if group & reaching or any(self.callees[name] & reaching for name in group):
                reaching |= group
        return frozenset(reaching)

    def with_statement(self, *kinds: type[Stmt]) -> frozenset[str]:
        """The functions that have such a statement, themselves or in what they call."""
        own = (
            name for name, function in self.functions.items() if any(isinstance(part, kinds) for part in statements(function.body))
        )
        return self.reaching(frozenset(own))

    def uncertain(self) -> frozenset[str]:
        """The functions whose calls may fail to return, as far as is seen at once: by a loop, an assume, a choice or recursion."""
        recursive = (name for group in self.groups if self.is_recursive(group) for name in group)
        return self.with_statement(While, Assume, Cassign) | self.reaching(frozenset(recursive))

    def ending(self) -> frozenset[str]:
        """The functions of which every call plainly ends.

        There is no loop, assume or choice, and each recursive call passes x - 1 or less for the same nat x, which is never
        assigned. In a group of functions that call each other, each has such a parameter, and each call within the group makes it
        smaller.
        """
        endless = set(self.with_statement(While, Assume, Cassign))
        for group in self.groups:
            calls_endless = any(self.callees[name] & endless for name in group)
            if calls_endless or (self.is_recursive(group) and not self._grows_smaller(group)):
                endless |= group
        return frozenset(self.functions.keys() - endless)

    def _grows_smaller(self, group: frozenset[str]) -> bool:
        members = sorted(group)
        calls = [(name, call) for name in members for call in _calls(self.functions[name]) if call.function in group]
        places = [_unchanged_nats(self.functions[name]) for name in members]
        for tried, chosen in enumerate(product(*places)):
            if tried == MEASURES_TRIED_MAX:
                return False
            place = dict(zip(members, chosen, strict=True))
            if all(
                _is_smaller(call.arguments[place[call.function]], self.functions[name].params[place[name]].name)
                for name, call in calls
            ):
                return True
        return False


def call_graph(functions: Mapping[str, Function]) -> CallGraph:
    callees = {name: called(function) & functions.keys() for name, function in functions.items()}
    return CallGraph(functions, callees, tuple(_groups(callees)))


def _groups(callees: Mapping[str, frozenset[str]]) -> Iterator[frozenset[str]]:
    """The strongly connected components, by Tarjan's algorithm with a stack of its own, because chains of calls may be long."""
    index: dict[str, int] = {}
    lowest: dict[str, int] = {}
    open_names: list[str] = []
    for root in callees:
        waiting = [] if root in index else [(root, iter(sorted(callees[root])))]
        while waiting:
            name, rest = waiting[-1]
            if name not in index:
                index[name] = lowest[name] = len(index)
                open_names.append(name)
            deeper = next((callee for callee in rest if callee not in index or callee in open_names), None)
            if deeper is None:
                waiting.pop()
                if waiting:
                    caller = waiting[-1][0]
                    lowest[caller] = min(lowest[caller], lowest[name])
                if lowest[name] == index[name]:
                    start = open_names.index(name)
                    yield frozenset(open_names[start:])
                    del open_names[start:]
            elif deeper in index:
                lowest[name] = min(lowest[name], index[deeper])
            else:
                waiting.append((deeper, iter(sorted(callees[deeper]))))


def _calls(function: Function) -> Iterator[Call]:
    for expr in function_expressions(function):
        yield from (part for part in expressions(expr) if isinstance(part, Call))


def _unchanged_nats(function: Function) -> list[int]:
    """The places of the nat parameters that are never assigned."""
    changed = assigned(function)
    return [place for place, param in enumerate(function.params) if param.type is Type.NAT and param.name not in changed]


def _is_smaller(argument: Expr, name: str) -> bool:
    """Whether the argument is `name - k` with a literal k of at least 1."""
    match argument:
        case Binary("-", Name(of), Number(less)):
            return of == name and less >= 1
        case _:
            return False
