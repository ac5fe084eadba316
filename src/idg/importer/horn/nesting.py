"""The order in which predicates are visited, as nested loops: a weak topological order, after Bourdoncle (1993)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from idg.sip.record import Record


class Visit(Record):
    """A predicate, and where it is the head of a loop what the loop visits besides it, in order."""

    predicate: int
    inner: tuple[Visit, ...] | None = None
    """None for a predicate to which no way leads back."""

    def all(self) -> frozenset[int]:
        """The predicates that are visited."""
        return frozenset({self.predicate}).union(*(visit.all() for visit in self.inner or ()))


def nested(first: Sequence[int], leads: Mapping[int, Sequence[int]]) -> tuple[Visit, ...]:
    """The visits in an order in which each step of `leads` goes to a later visit, or to the head of a loop that it is in.

    Predicates that no way reaches from `first` are not among them."""
    return _Components(leads).visits(first)


class _Components:
    """Tarjan's strongly connected components, each opened again without its head."""

    def __init__(self, leads: Mapping[int, Sequence[int]]) -> None:
        self.leads = leads
        self.numbers: dict[int, float] = {}
        self.stack: list[int] = []
        self.count = 0

    def visits(self, first: Sequence[int]) -> tuple[Visit, ...]:
        visits: list[Visit] = []
        for predicate in first:
            if predicate not in self.numbers:
                self._visit(predicate, visits)
        return tuple(reversed(visits))

    def _visit(self, predicate: int, visits: list[Visit]) -> float:
        self.stack.append(predicate)
        self.count += 1
        own = self.numbers[predicate] = self.count
        least: float = own
        is_loop = False
        for target in self.leads[predicate]:
            reached = self.numbers[target] if target in self.numbers else self._visit(target, visits)
            if reached <= least:
                least, is_loop = reached, True
        if least < own:
            return least
        # The predicate is the head of its component: everything above it on the stack can come back to it.
        self.numbers[predicate] = float("inf")
        while (other := self.stack.pop()) != predicate:
            del self.numbers[other]
        visits.append(Visit(predicate, self._opened(predicate) if is_loop else None))
        return least

    def _opened(self, head: int) -> tuple[Visit, ...]:
        visits: list[Visit] = []
        for target in self.leads[head]:
            if target not in self.numbers:
                self._visit(target, visits)
        return tuple(reversed(visits))
