"""The families of random loops with planted invariants (bench/planted.py): each draws a loop around what it keeps true."""

from __future__ import annotations

import itertools
import random
import re
from collections.abc import Callable, Mapping
from fractions import Fraction
from math import lcm
from typing import NamedTuple


class Draft(NamedTuple):
    """A program before it is printed."""

    params: Mapping[str, str]
    """Name → type."""
    variables: Mapping[str, str]
    """Name → type."""
    start: list[str]
    """Statements before the loop, one a line."""
    body: list[str]
    """The loop, or several, and what follows them."""
    guarantee: str
    pres: tuple[str, ...] = ()

    def text(self, name: str) -> str:
        params = ", ".join(f"{name}: {kind}" for name, kind in self.params.items())
        lines = [f"fn {name}({params}) {{"]
        lines += [f"pre({pre});" for pre in self.pres]
        lines += [f"var {name}: {kind};" for name, kind in self.variables.items()]
        lines += [*self.start, *self.body, f"assert({self.guarantee});", "}"]
        return f"{_indented(lines)}\n"


def _indented(lines: list[str]) -> str:
    depth = 0
    shown = []
    for line in lines:
        depth -= line.startswith("}")
        shown.append("  " * depth + line)
        depth += line.endswith("{")
    return "\n".join(shown)


def _sum(terms: Mapping[str, int], constant: int = 0) -> str:
    """A linear sum as a text."""
    parts = [(factor, name if abs(factor) == 1 else f"{abs(factor)} * {name}") for name, factor in terms.items() if factor]
    parts += [(constant, str(abs(constant)))] if constant or not parts else []
    parts.sort(key=lambda part: part[0] < 0)
    first = f"-{parts[0][1]}" if parts[0][0] < 0 else parts[0][1]
    return first + "".join(f" {'-' if factor < 0 else '+'} {text}" for factor, text in parts[1:])


def _added(name: str, by: int | str) -> str:
    """The statement that adds something to a variable."""
    if isinstance(by, int):
        return f"{name} := {name} {'-' if by < 0 else '+'} {abs(by)};"
    return f"{name} := {name} + {by};"


def _branches(pick: random.Random, bodies: list[list[str]], tests: list[str]) -> tuple[list[str], dict[str, str]]:
    """Statements that execute one of the bodies, and the variables that they need. Each test decides against the bodies before."""
    lines: list[str] = []
    variables: dict[str, str] = {}
    for number, body in enumerate(bodies[:-1]):
        test = pick.choice(tests)
        if test == "*":
            flag = f"c{number + 1}"
            variables[flag] = "bool"
            lines += [f"cassign([{flag}], true);"]
            test = flag
        lines += [f"if ({test}) {{", *body, "} else {"]
    lines += bodies[-1] + ["}"] * (len(bodies) - 1)
    return lines, variables


def _loop(pick: random.Random, body: list[str], variables: dict[str, str]) -> tuple[list[str], bool]:
    """The loop around a body: as often as the input n says, or as often as it is chosen. True: n turns are made."""
    if pick.random() < 0.3:
        variables["go"] = "bool"
        return ["cassign([go], true);", "while (go) {", *body, "cassign([go], true);", "}"], False
    variables["i"] = "int"
    return ["i := 0;", "while (i < n) {", *body, "i := i + 1;", "}"], True


TESTS = ("*", "*", "i % 2 = 0", "i % 3 = 1", "a > b", "a < 10")
"""Tests of branches; `*` is a choice."""


def _tests(counted: bool) -> list[str]:
    return [test for test in TESTS if counted or not test.startswith("i ")]


def linear_equation(pick: random.Random) -> Draft:
    """Variables that each branch changes so that a linear equation stays true."""
    names = ["a", "b", "d", "e"][: pick.randint(2, 4)]
    factors = {name: pick.choice((1, 1, 2, 3, -1, -2, 5)) for name in names[:-1]} | {names[-1]: pick.choice((1, -1))}
    first = {name: pick.randint(-3, 10) for name in names}
    bodies = []
    for _ in range(pick.randint(1, 3)):
        steps = {name: pick.choice((0, 1, 2, 3, -1, -4, 7)) for name in names[:-1]}
        steps[names[-1]] = -factors[names[-1]] * sum(factors[name] * step for name, step in steps.items())
        bodies.append([_added(name, step) for name, step in steps.items() if step] or [_added("a", 0)])
    counted_tests = _tests(False)
    lines, variables = _branches(pick, bodies, counted_tests)
    variables |= dict.fromkeys(names, "int")
    loop, _ = _loop(pick, lines, variables)
    from_input = pick.random() < 0.4
    starts = [f"{name} := {_sum({'m': 1}, first[name]) if from_input and name == 'a' else first[name]};" for name in names]
    constant = sum(factors[name] * first[name] for name in names)
    right = _sum({"m": factors["a"]}, constant) if from_input else str(constant)
    params = {"n": "nat", "m": "int"} if from_input else {"n": "nat"}
    return Draft(params, variables, starts, loop, f"{_sum(factors)} = {right}")


def counted_equation(pick: random.Random) -> Draft:
    """Variables that grow steadily; the guarantee says how far they are in the end."""
    step_a, step_b, first = pick.randint(1, 9), pick.choice((-3, -2, 2, 4, 11)), pick.randint(0, 20)
    body = [_added("a", step_a), _added("b", step_b)]
    pick.shuffle(body)
    variables = {"a": "int", "b": "int", "i": "int"}
    start = [f"a := {first};", "b := m;"]
    down = pick.random() < 0.3
    loop = (
        ["i := n;", "while (i > 0) {", *body, "i := i - 1;", "}"]
        if down
        else ["i := 0;", "while (i < n) {", *body, "i := i + 1;", "}"]
    )
    guarantee = pick.choice(
        (
            f"a = {_sum({'n': step_a}, first)} & b = {_sum({'m': 1, 'n': step_b})}",
            f"{_sum({'a': step_b, 'b': -step_a})} = {_sum({'m': -step_a}, step_b * first)}",
        )
    )
    return Draft({"n": "nat", "m": "int"}, variables, start, loop, guarantee)


def bounded_growth(pick: random.Random) -> Draft:
    """In each turn a grows by at most `most` and at least `least`; the guarantee bounds it by a multiple of the turns."""
    least, most = pick.choice(((0, 1), (0, 3), (1, 4), (0, 100), (-2, 5), (2, 7)))
    steps = sorted({least, most, pick.randint(least, most)})
    pick.shuffle(steps)
    lines, variables = _branches(pick, [[_added("a", step)] for step in steps], ["*", "*", "i % 2 = 0", "a < 20", "a > 3 * i"])
    variables |= {"a": "int", "i": "int"}
    first = pick.randint(0, 4)
    counter_step = pick.choice((1, 1, 2))
    loop = ["i := 0;", "while (i < n) {", *lines, f"i := i + {counter_step};", "}"]
    upper = f"a <= {_sum({'i': most}, first)}" if counter_step == 1 else f"2 * a <= {_sum({'i': most}, 2 * first)}"
    lower = f"a >= {_sum({'i': least}, first)}" if counter_step == 1 else f"2 * a >= {_sum({'i': least}, 2 * first)}"
    guarantee = pick.choice((upper, lower, f"{upper} & {lower}"))
    if counter_step == 1 and pick.random() < 0.5:
        guarantee = re.sub(r"\bi\b", "n", guarantee)
    return Draft({"n": "nat"}, variables, [f"a := {first};"], loop, guarantee)


def chain(pick: random.Random) -> Draft:
    """Each variable adds the one before it, so its sign follows from theirs."""
    names = ["a", "b", "d"][: pick.randint(2, 3)]
    sign = pick.choice((1, -1))
    body = [_added(names[0], sign * pick.randint(0, 3))]
    body += [f"{later} := {later} + {earlier};" for earlier, later in itertools.pairwise(names)]
    pick.shuffle(body)
    variables: dict[str, str] = dict.fromkeys(names, "int")
    if pick.random() < 0.4:
        body, more = _branches(pick, [body, [_added(names[-1], sign)]], ["*", "b < 100"])
        variables |= more
    loop, _ = _loop(pick, body, variables)
    first = {name: sign * pick.randint(0, 5) for name in names}
    sign_text = ">=" if sign > 0 else "<="
    guarantee = f"{names[-1]} {sign_text} {first[names[-1]]}"
    return Draft({"n": "nat"}, variables, [f"{name} := {first[name]};" for name in names], loop, guarantee)


def _summed(coefficients: list[Fraction]) -> list[Fraction]:
    """The polynomial S with S(0) = 0 and S(i + 1) - S(i) = p(i); both are lists of coefficients, the constant first."""
    degree = len(coefficients)
    points: list[Fraction] = [Fraction(0)]
    for i in range(degree):
        points.append(points[-1] + sum(c * i**power for power, c in enumerate(coefficients)))
    # Newton's form: the differences at 0, and the falling factorials over k! expanded.
    result = [Fraction(0)] * (degree + 1)
    differences = points
    basis = [Fraction(1)]
    for order in range(degree + 1):
        for power, c in enumerate(basis):
            result[power] += differences[0] * c
        differences = [b - a for a, b in itertools.pairwise(differences)]
        shifted = [Fraction(0), *basis]
        basis = [
            (shifted[power] - order * (basis[power] if power < len(basis) else 0)) / (order + 1) for power in range(len(shifted))
        ]
    return result


def _polynomial(coefficients: list[int], name: str) -> str:
    """A polynomial in one variable as a text."""
    powers = {("*".join([name] * power) if power else "1"): value for power, value in enumerate(coefficients)}
    constant = powers.pop("1", 0)
    return _sum({" * ".join(text.split("*")): value for text, value in powers.items()}, constant)


def polynomial_sum(pick: random.Random) -> Draft:
    """The sum of a polynomial at the turns, perhaps the sum of these sums; the guarantee is the closed form."""
    degree = pick.choice((1, 1, 2))
    step = [Fraction(pick.randint(-3, 6)) for _ in range(degree)] + [Fraction(pick.choice((1, 2, 3)))]
    whole = [int(c) for c in step]
    first = pick.randint(0, 7)
    closed = _summed(step)
    closed[0] += first
    body = [f"s := s + {_polynomial(whole, 'i')};"]
    variables = {"s": "int", "i": "int"}
    start = [f"s := {first};"]
    name = "s"
    if degree == 1 and pick.random() < 0.35:
        name, variables["t"] = "t", "int"
        start.append("t := 0;")
        body.insert(0, "t := t + s;")
        closed = _summed(closed)
    factor = lcm(*(c.denominator for c in closed))
    end = pick.choice(("i", "n"))
    guarantee = f"{_sum({name: factor})} = {_polynomial([int(c * factor) for c in closed], end)}"
    return Draft({"n": "nat"}, variables, start, ["i := 0;", "while (i < n) {", *body, "i := i + 1;", "}"], guarantee)


def product_sum(pick: random.Random) -> Draft:
    """Sums of products of inputs and the counter."""
    factor, extra = pick.randint(1, 4), pick.randint(0, 5)
    if pick.random() < 0.5:
        body, guarantee = [f"s := s + {_sum({'m': factor}, extra)};"], f"s = {_sum({'m * n': factor, 'n': extra})}"
    else:
        body, guarantee = (
            [f"s := s + {_sum({'m * i': 2 * factor}, extra)};"],
            f"s = {_sum({'m * n * n': factor, 'm * n': -factor, 'n': extra})}",
        )
    return Draft(
        {"n": "nat", "m": "int"},
        {"s": "int", "i": "int"},
        ["s := 0;"],
        ["i := 0;", "while (i < n) {", *body, "i := i + 1;", "}"],
        guarantee,
    )


def geometric(pick: random.Random) -> Draft:
    """Two variables that are multiplied in each turn; they stay in one linear relation."""
    ratio, extra, first = pick.choice((2, 3, 4)), pick.randint(1, 5), pick.randint(1, 4)
    body = [f"p := {ratio} * p;", f"q := {ratio} * q + {extra};"]
    guarantee = (
        f"{_sum({'q': ratio - 1}, extra)} = {_sum({'p': extra})}"
        if first == 1
        else f"{_sum({'q': first * (ratio - 1)}, first * extra)} = {_sum({'p': extra})}"
    )
    variables = {"p": "int", "q": "int"}
    loop, _ = _loop(pick, body, variables)
    return Draft({"n": "nat"}, variables, [f"p := {first};", "q := 0;"], loop, guarantee)


def remainder(pick: random.Random) -> Draft:
    """A variable that changes by multiples of a number only."""
    modulus = pick.choice((2, 3, 4, 5, 7, 10))
    first = pick.randint(0, 2 * modulus)
    steps = [modulus * pick.choice((1, 2, -1, 3, -2)) for _ in range(pick.randint(1, 3))]
    lines, variables = _branches(pick, [[_added("a", step)] for step in steps], ["*", "a < 50", "a > 9"])
    variables["a"] = "int"
    loop, _ = _loop(pick, lines, variables)
    return Draft({"n": "nat"}, variables, [f"a := {first};"], loop, f"a % {modulus} = {first % modulus}")


def variable_remainder(pick: random.Random) -> Draft:
    """A variable that changes by multiples of an input, which may be 0."""
    factor = pick.choice((1, 2, 3))
    variables = {"a": "int"}
    body = [f"a := a + {_sum({'k': factor})};"]
    if pick.random() < 0.5:
        body, more = _branches(pick, [body, ["a := a - k;"]], ["*"])
        variables |= more
    loop, _ = _loop(pick, body, variables)
    positive = pick.random() < 0.4
    guarantee = "a % k = 0" if positive else "k = 0 | a % k = 0"
    return Draft({"n": "nat", "k": "nat"}, variables, ["a := 0;"], loop, guarantee, ("k > 0",) if positive else ())


def sequence(pick: random.Random) -> Draft:
    """A loop that fills and a loop that empties."""
    up, factor = pick.choice((1, 2, 3)), pick.choice((1, 2, 5))
    start = ["a := 0;", "i := 0;", "b := 0;"]
    first = ["while (i < n) {", f"a := a + {up};", "i := i + 1;", "}"]
    second = ["while (a > 0) {", f"a := a - {up};", f"b := b + {factor};", "}"]
    guarantee = pick.choice((f"b = {_sum({'n': factor})}", f"a = 0 & b = {_sum({'n': factor})}", "b >= n"))
    return Draft({"n": "nat"}, {"a": "int", "b": "int", "i": "int"}, start, [*first, *second], guarantee)


def two_phases(pick: random.Random) -> Draft:
    """A loop that does one thing up to a border and another one after it."""
    step_a, step_b = pick.choice((1, 2, 3)), pick.choice((1, 2, -1))
    constant = pick.random() < 0.5
    border, end = (str(pick.randint(5, 40)), str(pick.randint(50, 120))) if constant else ("m", "n")
    body = [f"if (i < {border}) {{", _added("a", step_a), "} else {", _added("b", step_b), "}"]
    loop = ["i := 0;", f"while (i < {end}) {{", *body, "i := i + 1;", "}"]
    if constant:
        guarantee = f"a = {step_a * int(border)} & b = {step_b * (int(end) - int(border))}"
        guarantee = pick.choice((guarantee, guarantee.split(" & ")[1]))
        return Draft({}, {"a": "int", "b": "int", "i": "int"}, ["a := 0;", "b := 0;"], loop, guarantee)
    guarantee = pick.choice((f"a = {_sum({'m': step_a})}", f"b = {_sum({'n': step_b, 'm': -step_b})}"))
    return Draft(
        {"n": "nat", "m": "nat"}, {"a": "int", "b": "int", "i": "int"}, ["a := 0;", "b := 0;"], loop, guarantee, ("m <= n",)
    )


def nested(pick: random.Random) -> Draft:
    """A loop in a loop that counts its turns."""
    factor = pick.choice((1, 2, 3))
    triangle = pick.random() < 0.4
    inner = "i" if triangle else "m"
    loop = [
        "i := 0;",
        "while (i < n) {",
        "j := 0;",
        f"while (j < {inner}) {{",
        f"k := k + {factor};",
        "j := j + 1;",
        "}",
        "i := i + 1;",
        "}",
    ]
    guarantee = f"2 * k = {_sum({'n * n': factor, 'n': -factor})}" if triangle else f"k = {_sum({'n * m': factor})}"
    params = {"n": "nat"} if triangle else {"n": "nat", "m": "nat"}
    return Draft(params, {"i": "int", "j": "int", "k": "int"}, ["k := 0;"], loop, guarantee)


def quadratic_bound(pick: random.Random) -> Draft:
    """A sum of some of the turns' numbers, which stays below a square."""
    kind = pick.choice(("int", "int", "rat"))
    step = "i" if kind == "int" else "i / 2"
    lines, variables = _branches(pick, [[f"s := s + {step};"], ["s := s + 0;"]], ["*", "*", "i % 2 = 0"])
    variables |= {"s": kind, "i": "int"}
    bound = (
        pick.choice(("2 * s <= i * i - i", "s <= i * i", "2 * s <= i * i"))
        if kind == "int"
        else pick.choice(("4 * s <= i * i", "s <= i * i"))
    )
    guarantee = pick.choice((bound, re.sub(r"\bi\b", "n", bound)))
    return Draft({"n": "nat"}, variables, ["s := 0;"], ["i := 0;", "while (i < n) {", *lines, "i := i + 1;", "}"], guarantee)


def division(pick: random.Random) -> Draft:
    """Division by repeated subtraction, several at once."""
    times = pick.choice((1, 2, 3))
    loop = [f"while (r >= {_sum({'y': times})}) {{", f"r := r - {_sum({'y': times})};", f"q := q + {times};", "}"]
    guarantee = pick.choice(("x = q * y + r", f"x = q * y + r & r >= 0 & r < {_sum({'y': times})}"))
    return Draft({"x": "nat", "y": "nat"}, {"q": "int", "r": "int"}, ["q := 0;", "r := x;"], loop, guarantee, ("y > 0",))


def saturating(pick: random.Random) -> Draft:
    """A variable that grows only below a limit."""
    limit, step = pick.randint(3, 60), pick.randint(1, 6)
    variables = {"a": "int"}
    body = [f"if (a < {limit}) {{", _added("a", step), "} else {", _added("a", -pick.randint(1, step)), "}"]
    if pick.random() < 0.5:
        body, more = _branches(pick, [body, [_added("a", 0)]], ["*"])
        variables |= more
    loop, _ = _loop(pick, body, variables)
    return Draft({"n": "nat"}, variables, ["a := 0;"], loop, f"a <= {limit + step - 1} & a >= {min(0, limit - step)}")


def flag(pick: random.Random) -> Draft:
    """A Boolean that remembers whether a limit was passed."""
    limit = pick.randint(2, 30)
    steps = [pick.choice((1, 2, 3)), pick.choice((0, 1))]
    lines, variables = _branches(pick, [[_added("a", step)] for step in steps], ["*", "i % 2 = 0"])
    variables |= {"a": "int", "i": "int", "seen": "bool"}
    body = [*lines, f"if (a > {limit}) {{", "seen := true;", "} else {", "}"]
    loop = ["i := 0;", "while (i < n) {", *body, "i := i + 1;", "}"]
    guarantee = pick.choice((f"seen = (a > {limit})", f"seen | a <= {limit}", f"seen -> a > {limit}"))
    return Draft({"n": "nat"}, variables, ["a := 0;", "seen := false;"], loop, guarantee)


def drawn_sum(pick: random.Random) -> Draft:
    """The sum and the largest of numbers that are chosen below a limit."""
    limit = pick.choice((1, 9, 100, 255))
    body = [f"cassign([v], v >= 0 & v <= {limit});", "s := s + v;", "if (v > most) {", "most := v;", "} else {", "}"]
    loop = ["i := 0;", "while (i < n) {", *body, "i := i + 1;", "}"]
    guarantee = pick.choice((f"s <= {_sum({'n': limit})}", f"most <= {limit}", "most <= s", "s >= 0 & most >= 0"))
    return Draft({"n": "nat"}, {"v": "int", "s": "int", "most": "int", "i": "int"}, ["s := 0;", "most := 0;"], loop, guarantee)


def swapping(pick: random.Random) -> Draft:
    """Two variables that change places and keep their sum and their difference's square."""
    first, second = pick.randint(0, 9), pick.randint(10, 30)
    step = pick.randint(1, 3)
    body, variables = _branches(pick, [["t := a;", "a := b;", "b := t;"], [_added("a", step), _added("b", -step)]], ["*", "a < b"])
    variables |= {"a": "int", "b": "int", "t": "int"}
    loop, _ = _loop(pick, body, variables)
    return Draft({"n": "nat"}, variables, [f"a := {first};", f"b := {second};", "t := 0;"], loop, f"a + b = {first + second}")


FAMILIES: tuple[Callable[[random.Random], Draft], ...] = (
    linear_equation,
    counted_equation,
    bounded_growth,
    chain,
    polynomial_sum,
    product_sum,
    geometric,
    remainder,
    variable_remainder,
    sequence,
    two_phases,
    nested,
    quadratic_bound,
    division,
    saturating,
    flag,
    drawn_sum,
    swapping,
)
