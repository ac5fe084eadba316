"""How a run picks the values of a cassign: by default a seeded search, mostly small values first."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Iterator
from fractions import Fraction

from idg.sip.record import Record
from idg.sip.syntax import Expr, Type
from idg.sip.values import InputError, State, Value, fit

RADII = (2, 5, 12, 40, 200, 2_000, 100_000, 10**9)
"""Boxes around zero that are searched one after the other."""
TRIES_PER_BOX = 500
"""Boxes with at most so many candidates are searched completely, larger ones by samples."""
FIRST_TRIES = 24
"""Candidates from a box picked at random that are tried first by every other choice, so that also larger values occur."""
DENOMINATOR_MAX = 4
_ONE_TRUTH = (Type.BOOL,)


class ChoiceRequest(Record):
    """A cassign in a state."""

    names: tuple[str, ...]
    types: tuple[Type, ...]
    condition: Expr
    state: State
    """The variables visible there, with their values before."""
    holds: Callable[[tuple[Value, ...]], bool]
    """Whether the condition holds with these values."""
    definitions: tuple[tuple[int, Callable[..., Value | None]], ...]
    """Positions whose value follows from the others, in an order in which they can be computed; None: there is no such value."""
    tries_max: int


Chooser = Callable[[ChoiceRequest], tuple[Value, ...] | None]
"""Values with which the condition holds, or None where there are none."""


class ChoiceExhausted(Exception):
    """The search was given up; there may or may not be values."""


class SeededChooser:
    """The same seed makes the same choices in the same order."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def __call__(self, request: ChoiceRequest) -> tuple[Value, ...] | None:
        fixed = {position for position, _ in request.definitions}
        free = [at for at in range(len(request.names)) if at not in fixed]
        for tries, guess in enumerate(self._guesses([request.types[at] for at in free], request.state)):
            if tries >= request.tries_max:
                raise ChoiceExhausted
            values: list[Value] = [0] * len(request.names)
            for at, value in zip(free, guess, strict=True):
                values[at] = value
            if self._complete(values, request) and request.holds(tuple(values)):
                return tuple(values)
        if all(request.types[at] is Type.BOOL for at in free):
            return None
        raise ChoiceExhausted

    def anything(self, types: tuple[Type, ...], state: State) -> tuple[Value, ...]:
        """What a call chooses where the condition is `true` and there is a try: the first guess, without asking."""
        if types == _ONE_TRUTH:
            # As _truths: the stride is drawn, too, so that later choices are the same.
            start = self.random.randrange(2)
            self.random.randrange(2)
            return (start == 1,)
        return next(self._guesses(list(types), state))

    def _complete(self, values: list[Value], request: ChoiceRequest) -> bool:
        """Compute what follows from the guessed values; False where that cannot be or does not fit."""
        for at, define in request.definitions:
            value = define(*values)
            if value is None:
                return False
            values[at] = value
        return True

    def _guesses(self, types: list[Type], state: State) -> Iterator[tuple[Value, ...]]:
        if all(kind is Type.BOOL for kind in types):
            yield from self._truths(len(types))
            return
        known = [value for value in state.values() if not isinstance(value, bool)]
        if self.random.random() < 0.5:
            yield from itertools.islice(self._box(types, self.random.choice(RADII), known), FIRST_TRIES)
        for radius in RADII:
            yield from self._box(types, radius, known)
        while True:
            yield tuple(self._draw(kind, self.random.choice(RADII), known) for kind in types)

    def _truths(self, count: int) -> Iterator[tuple[Value, ...]]:
        """All combinations of so many Booleans, in a seeded order that needs no list of them."""
        total = 1 << count
        start, stride = self.random.randrange(total), self.random.randrange(total) | 1
        for number in range(total):
            bits = start + number * stride
            yield tuple(bool(bits >> at & 1) for at in range(count))

    def _box(self, types: list[Type], radius: int, known: list[int | Fraction]) -> Iterator[tuple[Value, ...]]:
        count = 1
        for kind in types:
            count *= _box_size(kind, radius)
        if count <= TRIES_PER_BOX:
            every = list(itertools.product(*(_box_values(kind, radius) for kind in types)))
            self.random.shuffle(every)
            yield from every
            return
        for _ in range(TRIES_PER_BOX):
            yield tuple(self._draw(kind, radius, known) for kind in types)

    def _draw(self, kind: Type, radius: int, known: list[int | Fraction]) -> Value:
        """A value from the box, or one near a value of the state."""
        pick = self.random
        if kind is Type.BOOL:
            return pick.random() < 0.5
        if known and pick.random() < 0.4:
            near = pick.choice(known) + pick.randint(-2, 2)
            near = near if pick.random() < 0.8 else Fraction(near) / 2
            try:
                return fit(near, kind)
            except InputError:
                pass
        number = pick.randint(0 if kind is Type.NAT else -radius, radius)
        if kind is Type.RAT and pick.random() < 0.5:
            return fit(Fraction(number, pick.randint(1, DENOMINATOR_MAX)), kind)
        return number


def _box_size(kind: Type, radius: int) -> int:
    if kind is Type.BOOL:
        return 2
    if kind is Type.NAT:
        return radius + 1
    return (2 * radius + 1) * (DENOMINATOR_MAX if kind is Type.RAT else 1)


def _box_values(kind: Type, radius: int) -> list[Value]:
    if kind is Type.BOOL:
        return [False, True]
    if kind is Type.NAT:
        return list(range(radius + 1))
    if kind is Type.INT:
        return list(range(-radius, radius + 1))
    numbers = (Fraction(over, under) for under in range(1, DENOMINATOR_MAX + 1) for over in range(-radius, radius + 1))
    return [fit(each, kind) for each in dict.fromkeys(numbers)]
