"""How a run makes its choices: the values of a cassign, and the values that variables have which are declared without one.

By default a cassign is answered by a seeded search that mostly tries small values first, and a declared variable starts as the zero
of its type. An exploring run starts such variables with any values and lets choices stay the same for long. A scripted run repeats
choices that are known.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import cached_property

from idg.sip.record import Record
from idg.sip.syntax import Expr, Type
from idg.sip.values import Given, InputError, Scalar, State, Value, fit, initial, read_value, scalar

RADII = (2, 5, 12, 40, 200, 2_000, 100_000, 10**9)
"""Sizes of the boxes around zero that are searched one after the other: a radius of 2 means the ints from -2 to 2."""
TRIES_PER_BOX = 500
"""Candidates tried from one box. A box with at most so many is searched completely, and a larger one is sampled."""
FIRST_TRIES = 24
"""Candidates of a random box that half of the choices try first, so that larger values occur, too."""
DENOMINATOR_MAX = 4
"""The largest denominator that is drawn for a rat."""
STAYING = (0.0, 0.5, 0.9, 0.97, 0.99)
"""Probabilities, of which an exploring run takes one, that a choice repeats its last values."""
COINS = (0.02, 0.1, 0.5, 0.5, 0.9, 0.98)
"""Probabilities, of which an exploring run takes one for each Boolean, that it becomes true."""
PHASES = (0, 0, 10, 40, 150, 350, 600)
"""Choices, of which an exploring run takes one number, after which it forgets its coins and last values and draws new ones; 0 means
that it never does. So a branch that is taken for long may end before the run does."""
INITIAL_ZEROS = 0.2
"""The probability that an exploring run starts the variables of a declaration as zeros."""
_ONE_BOOLEAN = (Type.BOOL,)


class ChoiceRequest(Record):
    """What a chooser is asked: to choose values for a cassign in a state."""

    names: tuple[str, ...]
    types: tuple[Type, ...]
    condition: Expr
    state: State
    """The variables that are visible there, with their values before the choice."""
    holds: Callable[[tuple[Scalar, ...]], bool]
    """Whether the condition holds with these values."""
    definitions: tuple[tuple[int, Callable[..., Scalar | None]], ...]
    """Positions whose values follow from the others, each with a function that computes it, in an order in which that can be done.

    A function takes all values chosen so far, and returns None where they leave no value that fits.
    """
    tries_max: int
    """Candidates that may be tried."""


Chooser = Callable[[ChoiceRequest], tuple[Scalar, ...] | None]
"""It returns values with which the condition holds, or None where there are none."""


class ChoiceExhausted(Exception):
    """The search was given up, and it is not known whether there are values."""


class SeededChooser:
    """The same seed makes the same choices in the same order."""

    def __init__(self, seed: int) -> None:
        self.seed = seed

    @cached_property
    def random(self) -> random.Random:
        """Made when the first choice needs it, because most runs make none."""
        return random.Random(self.seed)

    def __call__(self, request: ChoiceRequest) -> tuple[Scalar, ...] | None:
        fixed = {position for position, _ in request.definitions}
        free = [position for position in range(len(request.names)) if position not in fixed]
        for tries, guess in enumerate(self._guesses([request.types[position] for position in free], request.state)):
            if tries >= request.tries_max:
                raise ChoiceExhausted
            values: list[Scalar] = [0] * len(request.names)
            for position, value in zip(free, guess, strict=True):
                values[position] = value
            if self._complete(values, request) and request.holds(tuple(values)):
                return tuple(values)
        if all(request.types[position] is Type.BOOL for position in free):
            return None
        raise ChoiceExhausted

    def initial(self, types: tuple[Type, ...], length: int) -> tuple[Value, ...]:
        """The values that variables of these types have after a declaration that gives them none; `length`: that of arrays."""
        return tuple(initial(kind, length) for kind in types)

    def anything(self, names: tuple[str, ...], types: tuple[Type, ...], state: State) -> tuple[Scalar, ...]:
        """What is chosen where the condition is `true` and at least one try is allowed: the first guess."""
        if types == _ONE_BOOLEAN:
            # This is the first that _truths yields. It draws the stride as well, so that later choices are the same.
            start = self.random.randrange(2)
            self.random.randrange(2)
            return (start == 1,)
        return next(self._guesses(list(types), state))

    def _complete(self, values: list[Scalar], request: ChoiceRequest) -> bool:
        """Computes what follows from the guessed values. False where there is no value that fits."""
        for position, define in request.definitions:
            value = define(*values)
            if value is None:
                return False
            values[position] = value
        return True

    def _guesses(self, types: list[Type], state: State) -> Iterator[tuple[Scalar, ...]]:
        """Candidates of these types: all of them where all are Booleans, and else without end."""
        if all(kind is Type.BOOL for kind in types):
            yield from self._truths(len(types))
            return
        known = [value for value in state.values() if not isinstance(value, bool | tuple)]
        if self.random.random() < 0.5:
            yield from itertools.islice(self._box(types, self.random.choice(RADII), known), FIRST_TRIES)
        for radius in RADII:
            yield from self._box(types, radius, known)
        while True:
            yield tuple(self._draw(kind, self.random.choice(RADII), known) for kind in types)

    def _truths(self, count: int) -> Iterator[tuple[Scalar, ...]]:
        """All combinations of so many Booleans, in a seeded order that needs no list of them."""
        total = 1 << count
        start, stride = self.random.randrange(total), self.random.randrange(total) | 1
        for number in range(total):
            bits = start + number * stride
            yield tuple(bool(bits >> position & 1) for position in range(count))

    def _box(self, types: list[Type], radius: int, known: list[int | Fraction]) -> Iterator[tuple[Scalar, ...]]:
        """All candidates of a small box in a random order, or samples of a large one."""
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

    def _draw(self, kind: Type, radius: int, known: list[int | Fraction]) -> Scalar:
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


class ExploringChooser(SeededChooser):
    """Chooses as few other runs do: Booleans by biased coins, long stays with the same values, any initial values."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.staying = self.random.choice(STAYING)
        """The probability that a choice repeats the values that it had the last time."""
        self.coins: dict[str, float] = {}
        """For each Boolean, the probability that it becomes true."""
        self.last: dict[tuple[str, ...], tuple[Scalar, ...]] = {}
        """For each choice, by the names that it gives values to, what it gave the last time."""
        self.phase = random.Random(f"phase {seed}").choice(PHASES)
        """Choices after which everything is drawn anew; 0 for never."""
        self.made = 0
        """Choices so far."""

    def _begin_choice(self) -> None:
        self.made += 1
        if self.phase and self.made % self.phase == 0:
            self.coins.clear()
            self.last.clear()

    def initial(self, types: tuple[Type, ...], length: int) -> tuple[Value, ...]:
        if self.random.random() < INITIAL_ZEROS:
            return super().initial(types, length)
        radius = self.random.choice(RADII)
        return tuple(self._draw_value(kind, radius, length) for kind in types)

    def _draw_value(self, kind: Type, radius: int, length: int) -> Value:
        if kind.element is None:
            return self._draw(kind, radius, [])
        return tuple(self._draw(kind.element, radius, []) for _ in range(length))

    def __call__(self, request: ChoiceRequest) -> tuple[Scalar, ...] | None:
        self._begin_choice()
        last = self.last.get(request.names)
        if last is not None and self.random.random() < self.staying and request.holds(last):
            return last
        values = super().__call__(request)
        if values is not None:
            self.last[request.names] = values
        return values

    def anything(self, names: tuple[str, ...], types: tuple[Type, ...], state: State) -> tuple[Scalar, ...]:
        self._begin_choice()
        last = self.last.get(names)
        if last is not None and self.random.random() < self.staying:
            return last
        if all(kind is Type.BOOL for kind in types):
            values: tuple[Scalar, ...] = tuple(self.random.random() < self._coin(name) for name in names)
        else:
            values = super().anything(names, types, state)
        self.last[names] = values
        return values

    def _coin(self, name: str) -> float:
        if name not in self.coins:
            self.coins[name] = self.random.choice(COINS)
        return self.coins[name]


class ContinuingChooser(ExploringChooser):
    """Makes the choices of a script as far as they fit, and then explores."""

    def __init__(self, script: Sequence[tuple[Value, ...]], seed: int) -> None:
        super().__init__(seed)
        self.script = list(reversed(script))

    def initial(self, types: tuple[Type, ...], length: int) -> tuple[Value, ...]:
        return self._next(types, length) or super().initial(types, length)

    def __call__(self, request: ChoiceRequest) -> tuple[Scalar, ...] | None:
        values = self._next_scalars(request.types)
        if values is not None and request.holds(values):
            return values
        self.script.clear()
        return super().__call__(request)

    def anything(self, names: tuple[str, ...], types: tuple[Type, ...], state: State) -> tuple[Scalar, ...]:
        return self._next_scalars(types) or super().anything(names, types, state)

    def _next_scalars(self, types: tuple[Type, ...]) -> tuple[Scalar, ...] | None:
        values = self._next(types, 0)
        return None if values is None else tuple(map(scalar, values))

    def _next(self, types: tuple[Type, ...], length: int) -> tuple[Value, ...] | None:
        """The next values of the script, where they are of these types; None where it has ended or does not fit."""
        values = self.script.pop() if self.script else ()
        if len(values) == len(types) and all(_is_of(value, kind, length) for value, kind in zip(values, types, strict=True)):
            return values
        self.script.clear()
        return None


def _is_of(value: Value, kind: Type, length: int = 0) -> bool:
    if isinstance(value, tuple) or kind.element is not None:
        element = kind.element
        return (
            element is not None
            and isinstance(value, tuple)
            and len(value) == length
            and all(_is_of(cell, element) for cell in value)
        )
    if kind is Type.BOOL or isinstance(value, bool):
        return kind is Type.BOOL and isinstance(value, bool)
    return kind is Type.RAT or (value.denominator == 1 and (kind is Type.INT or value >= 0))


class ScriptError(Exception):
    """The next choice of a script does not fit the run: other variables are chosen there, or their condition does not hold."""


class ScriptedChooser(SeededChooser):
    """Makes the choices of a script, in their order. Where the script has ended, it chooses as the seed says."""

    def __init__(self, script: Sequence[Sequence[Given]], seed: int) -> None:
        super().__init__(seed)
        self.script = iter(script)

    def initial(self, types: tuple[Type, ...], length: int) -> tuple[Value, ...]:
        return self._next(types, length) or super().initial(types, length)

    def __call__(self, request: ChoiceRequest) -> tuple[Scalar, ...] | None:
        values = self._next_scalars(request.types)
        if values is None:
            return super().__call__(request)
        if not request.holds(values):
            raise ScriptError(f"the condition on {', '.join(request.names)} does not hold with the values of the script")
        return values

    def anything(self, names: tuple[str, ...], types: tuple[Type, ...], state: State) -> tuple[Scalar, ...]:
        return self._next_scalars(types) or super().anything(names, types, state)

    def _next_scalars(self, types: tuple[Type, ...]) -> tuple[Scalar, ...] | None:
        values = self._next(types, 0)
        return None if values is None else tuple(map(scalar, values))

    def _next(self, types: tuple[Type, ...], length: int) -> tuple[Value, ...] | None:
        """The next values of the script; None where it has ended. Arrays must be of this length."""
        values = next(self.script, None)
        if values is None:
            return None
        if len(values) != len(types):
            raise ScriptError(f"{len(types)} values are chosen at once, and the script has {len(values)}")
        try:
            read = tuple(map(read_value, values, types))
        except InputError as error:
            raise ScriptError(str(error)) from error
        lengths = [len(value) for value in read if isinstance(value, tuple) and len(value) != length]
        if lengths:
            raise ScriptError(f"an array of {length} cells is chosen, and the script has one of {lengths[0]}")
        return read


def _box_size(kind: Type, radius: int) -> int:
    if kind is Type.BOOL:
        return 2
    if kind is Type.NAT:
        return radius + 1
    return (2 * radius + 1) * (DENOMINATOR_MAX if kind is Type.RAT else 1)


def _box_values(kind: Type, radius: int) -> list[Scalar]:
    if kind is Type.BOOL:
        return [False, True]
    if kind is Type.NAT:
        return list(range(radius + 1))
    if kind is Type.INT:
        return list(range(-radius, radius + 1))
    numbers = (Fraction(over, under) for under in range(1, DENOMINATOR_MAX + 1) for over in range(-radius, radius + 1))
    return [fit(number, kind) for number in dict.fromkeys(numbers)]
