"""States as rows at loops' heads, and which facts hold in them, for many facts at once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from idg.engine.results import Fact
from idg.sip.record import Record
from idg.sip.running.runner import Row, Undefined
from idg.sip.values import Scalar, Value

FACTS_KEPT = 4_000
"""Facts for which a table remembers in which states they hold; when there are more, it forgets all of them."""


class Passage(Record):
    """A way to the head of a loop, or to any other place, in a state that satisfies all that the program says on this way."""

    passed: Mapping[int, Row]
    """The states at the heads of the loops that it passed."""
    loop: int
    """The loop at whose head it ends; 0 for another place."""
    row: Row
    """The state there."""
    state: Mapping[str, Value]
    """The same as a state of the symbols."""
    at_entry: bool


class Rows:
    """States as rows, and which facts hold in them: a bit for each state."""

    def __init__(
        self,
        evaluate: Callable[[Fact, list[Row]], list[Scalar | Undefined]],
        fails: Callable[[Fact, Scalar | Undefined], bool],
        base: Rows | None = None,
    ) -> None:
        """`evaluate`: the values of a fact on rows at its loop; `fails`: whether a value shows that the fact does not hold.

        `base`: a table that this one starts with. It must not grow any more; what is evaluated in its states is kept there.
        """
        self._evaluate = evaluate
        self._fails = fails
        self._base = base
        self.passages: list[Passage] = [] if base is None else list(base.passages)
        self._places: dict[object, int] = {} if base is None else dict(base._places)
        self._known: dict[Fact, _Bits] = {}

    def extended(self) -> Rows:
        """A table with the same states, to which others can be added."""
        return Rows(self._evaluate, self._fails, self)

    def add(self, passages: Iterable[Passage]) -> None:
        for passage in passages:
            self.place(passage)

    def place(self, passage: Passage) -> int:
        """The place of the state, which is added where it is new."""
        key = (tuple(passage.passed.items()), passage.loop, passage.row)
        place = self._places.setdefault(key, len(self.passages))
        if place == len(self.passages):
            self.passages.append(passage)
        return place

    def forget(self) -> None:
        self.passages.clear()
        self._places.clear()
        self._known.clear()

    def of(self, fact: Fact) -> _Bits:
        bits = self._bits(fact)
        if bits.evaluated < len(self.passages):
            if len(self._known) >= FACTS_KEPT:
                self._known.clear()
            bits = self._known[fact] = self._evaluated(fact, bits)
        return bits

    def _bits(self, fact: Fact) -> _Bits:
        """What was evaluated of the fact so far, in this table or in the one that it started with."""
        bits = self._known.get(fact)
        if bits is None:
            bits = _NO_BITS if self._base is None else self._base.of(fact)
        return bits

    def holds(self, fact: Fact, place: int) -> bool:
        """Whether the fact holds in one state at its loop's head, or the way did not pass that."""
        bits = self._bits(fact)
        if place < bits.evaluated:
            return bool(bits.true >> place & 1)
        row = self.passages[place].passed.get(fact.loop)
        return row is None or self._evaluate(fact, [row])[0] is True

    def satisfying(self, facts: Iterable[Fact]) -> int:
        """The states in which all these facts hold."""
        states = (1 << len(self.passages)) - 1
        for fact in facts:
            if not states:
                break
            states &= self.of(fact).true
        return states

    def _evaluated(self, fact: Fact, bits: _Bits) -> _Bits:
        loop, start, end = fact.loop, bits.evaluated, len(self.passages)
        new = list(enumerate(self.passages[start:], start))
        passing = [(index, passage.passed[loop]) for index, passage in new if loop in passage.passed]
        arriving = [(index, passage.row) for index, passage in new if passage.loop == loop]
        values = self._evaluate(fact, [row for _, row in (*passing, *arriving)])
        not_true = false = broken = 0
        for (index, _), value in zip(passing, values[: len(passing)], strict=True):
            if value is not True:
                not_true |= 1 << index
                if self._fails(fact, value):
                    false |= 1 << index
        for (index, _), value in zip(arriving, values[len(passing) :], strict=True):
            if value is not True and self._fails(fact, value):
                broken |= 1 << index
        true = (1 << end) - (1 << start) & ~not_true
        return _Bits(end, bits.true | true, bits.false | false, bits.broken | broken)


class _Bits(Record):
    """What is known of a fact in the states."""

    evaluated: int
    """The number of states, from the first on, in which it was evaluated."""
    true: int
    """The states in which it holds at its loop's head, and those that did not pass that."""
    false: int
    """The states in which it fails at its loop's head on the way."""
    broken: int
    """The states in which it fails at its loop's head, where the way arrives."""


_NO_BITS = _Bits(0, 0, 0, 0)
"""What is kept of a fact that was not evaluated yet."""
