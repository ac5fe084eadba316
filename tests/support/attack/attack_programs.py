"""Random small programs with loops that run several turns, and invariants to propose for them, mined from runs or at random."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import lcm

from idg.sip.limits import RunLimits
from idg.sip.program import Program
from idg.sip.syntax import Type
from idg.sip.text.printer import print_expression
from idg.sip.values import Scalar, scalar
from tests.support.programs.drawn.random_programs import random_expression
from tests.support.programs.drawn.run_inputs import seeded_inputs

MINING_RUNS = 12
"""Seeded runs of a program whose rows suggest invariants."""
MINED_ROWS_MAX = 60
"""Rows of these runs that are looked at; more are sampled."""
MINING_LIMITS = RunLimits(steps_max=200, rows_max=200, choice_tries_max=500)
"""Limits of these runs, so that an endless one ends soon."""
TERMS_MAX = 7
"""Bound on the columns and products among which equations are searched."""

HELPERS = (
    "fn half(k: nat): nat { return k // 2; }",
    "fn same(k: nat): nat { return k; }",
    "fn sq(k: int): int { post(result >= 0); return k * k; }",
    "fn clamp(k: int): nat { result := 0; if (k >= 0) { result := k; } }",
    "fn tri(k: nat): nat { post(result >= k); if (k = 0) { result := 0; } else { result := tri(k - 1) + k; } }",
    "fn upto(k: nat): nat { post(result = k); var j: nat := 0; while [j <= k] (j < k) { j := j + 1; } return j; }",
    "fn below(k: nat): nat { post(result <= k); cassign([result], result <= k); }",
    "fn dec(k: nat): nat { pre(k > 0); return k - 1; }",
    "fn odd(k: int): bool { return k % 2 = 1; }",
    "fn avg(a: rat, b: rat): rat { post(min(a, b) <= result <= max(a, b)); return (a + b) / 2; }",
    "fn down(k: int): int { var v: int := k; while (v > 3) { v := v - 2; } return v; }",
    "fn wrong(k: int): int { post(result > 1); return k * k + 1; }",
    "fn old_one(k: nat): nat { post(result = old(k) + 1); k := k + 1; return k; }",
    "fn dec2(k: nat): nat { return dec(k) + 1; }",
    "fn twice(k: nat): nat { post(result = 2 * k); var j, y: nat := 0; while (j < k) { j := j + 1; y := y + 2; } return y; }",
    "fn used(k: nat): nat { post(result = old(k)); var c: nat := 0; while (k > 0) { k := k - 1; c := c + 1; } return c; }",
    "fn near(k: nat): nat { post(result < 10^12); var j: nat := k; while (j > 10^13) { j := j - 1; } return j; }",
    "fn ends(k: nat): nat { pre(k > 1); post(result = 1); while (k > 2) { k := k - 2; } return k; }",
    "fn four(k: nat): nat { post(result = 4 * k); var j, y: nat := 0; while (j < k) { j := j + 1; y := y + twice(2); } return y; }",
    "fn early(k: int): nat { post(result >= k); if (k < 0) { return 0; } else if (k > 5) { return 2 * k; } return k; }",
    "fn first(k: nat): nat { post(result <= k); var j: nat := 0; "
    "while (j < k) { if (j * j >= k) { return j; } j := j + 1; } return k; }",
    "fn upper(k: nat): nat { post(result * result >= k); var j: nat := 0; "
    "while (true) { if (j * j >= k) { break; } j := j + 1; } return j; }",
    "fn ping(k: nat): nat { post(result <= k); var j: nat := k; while (j > k // 2) { j := j - 1; } result := 0; "
    "if (k > 0) { result := pong(j); } }",
    "fn pong(k: nat): nat { post(result <= k); result := 0; if (k > 0) { result := ping(k - 1); } }",
)
LOOPING = ("down", "twice", "used", "near", "ends", "four", "first", "upper", "ping")
"""Helpers with loops that state no invariants."""
NEEDS = {"dec2": "dec", "four": "twice", "ping": "pong", "pong": "ping"}
"""Helpers that call another one."""
CALLS = {
    "half": "half({nat})",
    "same": "same({nat})",
    "sq": "sq({int})",
    "clamp": "clamp({int})",
    "tri": "tri({nat})",
    "upto": "upto({nat})",
    "below": "below({nat})",
    "dec": "dec({nat})",
    "odd": "odd({int})",
    "avg": "avg({rat}, {rat})",
    "down": "down({int})",
    "wrong": "wrong({int})",
    "old_one": "old_one({nat})",
    "dec2": "dec2({nat})",
    "twice": "twice({nat})",
    "used": "used({nat})",
    "near": "near({nat})",
    "ends": "ends({nat})",
    "four": "four({nat})",
    "early": "early({int})",
    "first": "first({nat})",
    "upper": "upper({nat})",
    "ping": "ping({nat})",
    "pong": "pong({nat})",
}
RESULTS = {"odd": "bool", "avg": "rat", "sq": "int", "down": "int", "wrong": "int"}
CHOOSING = ("below",)


@dataclass
class ProgramMaker:
    """Writes one program as text."""

    rng: random.Random
    kinds: dict[str, str] = field(default_factory=dict)
    helpers: list[str] = field(default_factory=list)
    locals: int = 0
    loops: int = 0
    result: str = ""
    """The type of the level, while its body is written."""

    def pick(self, *choices: str) -> str:
        return self.rng.choice(choices)

    def chance(self, share: float) -> bool:
        return self.rng.random() < share

    def program(self, looping: bool = False) -> str:
        """`looping`: with one or two helpers that have loops without given invariants."""
        rng = self.rng
        known = LOOPING if looping else [helper[3:].partition("(")[0] for helper in HELPERS]
        self.helpers = rng.sample(known, rng.choice((1, 2) if looping else (0, 0, 1, 2)))
        self.helpers = list(dict.fromkeys((*(NEEDS[helper] for helper in self.helpers if helper in NEEDS), *self.helpers)))
        names = ["n", "m", "r"][: rng.choice((1, 1, 2, 3))]
        self.kinds = {name: rng.choice(("nat", "nat", "int", "rat", "bool") if name != "n" else ("nat", "int")) for name in names}
        params = ", ".join(f"{name}: {kind}" for name, kind in self.kinds.items())
        lines = [f"pre({self.condition(2)});"] if self.chance(0.25) else []
        self.result = self.pick("int", "nat", "rat", "bool")
        body = self.declarations() + self.loop(depth=0)
        if self.chance(0.2):
            body += [self.update(), *self.loop(depth=0)]
        if self.chance(0.3):
            body.append(f"assert({self.condition(3)});")
        body.append(f"return {self.value(self.result, 2)};")
        visible = {name: self.kinds[name] for name in names} | {"result": self.result}
        if self.chance(0.5):
            lines.append(f"post({ProgramMaker(rng, visible).condition(3)});")
        chosen = [helper for helper in HELPERS if helper[3:].partition("(")[0] in self.helpers]
        return "\n".join([*chosen, f"fn main({params}): {self.result} {{", *lines, *body, "}"])

    def declarations(self) -> list[str]:
        declarations = []
        for name in ("i", "a", "b", "c")[: self.rng.choice((2, 2, 3, 4))]:
            kind = self.pick("int", "nat", "int") if name == "i" else self.pick("int", "nat", "int", "rat", "bool")
            start = self.pick("0", "0", "1", "n") if kind != "bool" and name == "i" else self.value(kind, 1)
            if kind == "nat" and start == "n" and self.kinds["n"] != "nat":
                start = self.pick("0", "abs(n)")
            self.kinds[name] = kind
            declarations.append(f"var {name}: {kind};" if self.chance(0.05) else f"var {name}: {kind} := {start};")
        return declarations

    def loop(self, depth: int) -> list[str]:
        self.loops += 1
        counter = "i" if depth == 0 else f"j{self.loops}"
        start = []
        if depth:
            self.kinds[counter] = self.pick("int", "nat")
            start = [f"var {counter}: {self.kinds[counter]} := 0;"]
        end = self.pick("n", "n", "n", "2 * n", "n // 2", "5") if depth == 0 else self.pick("i", "2", "n")
        shape = self.pick("up", "up", "up", "down", "halve", "square", "other")
        match shape:
            case "up":
                test, step = f"{counter} < {end}", f"{counter} := {counter} + {self.pick('1', '1', '2', '3')};"
            case "down":
                test, step = f"{counter} > 0", f"{counter} := {counter} - 1;"
            case "halve":
                test, step = f"{counter} > 1", f"{counter} := {counter} // 2;"
            case "square":
                test, step = f"{counter} * {counter} <= {end}", f"{counter} := {counter} + 1;"
            case _:
                test, step = f"{counter} != {end}", f"{counter} := {counter} + {self.pick('1', '-1')};"
        if self.chance(0.15):
            test = f"{test} {self.pick('&', '|')} {self.condition(1)}"
        invariant = f" [{self.condition(1)}]" if self.chance(0.06) else f" [{counter} >= 0]" if self.chance(0.1) else ""
        body = [self.statement(depth + 1) for _ in range(self.rng.choice((1, 1, 2, 3)))]
        if self.chance(0.25):
            body.insert(0, step)
        else:
            body.append(step)
        inner = [name for name in self.kinds if name.startswith(("t", "j")) and name != counter]
        for name in inner:
            del self.kinds[name]
        if depth:
            del self.kinds[counter]
        return [*start, f"while{invariant} ({test}) {{", *body, "}"]

    def statement(self, depth: int) -> str:
        share = self.rng.random()
        if share < 0.55:
            return self.update()
        if share < 0.72:
            otherwise = f" else {{ {self.update()} }}" if self.chance(0.6) else ""
            return f"if ({self.condition(2)}) {{ {self.update()} }}{otherwise}"
        if share < 0.76:
            name = self.rng.choice([variable for variable in self.kinds if variable != "i"])
            bound = self.value(self.kinds[name], 1)
            relation = self.pick("=", "!=") if self.kinds[name] == "bool" else self.pick("<=", ">=", "=", "<")
            bound_below = f" & {name} >= 0" if self.kinds[name] != "bool" and self.chance(0.3) else ""
            return f"cassign([{name}], {name} {relation} {bound}{bound_below});"
        if share < 0.81:
            return f"{self.pick('assert', 'assume')}({self.condition(2)});"
        if share < 0.9 and depth == 1 and self.loops < 3:
            return "\n".join(self.loop(depth))
        if share < 0.95:
            self.locals += 1
            name = f"t{self.locals}"
            kind = self.pick("int", "nat", "rat")
            text = f"var {name}: {kind} := {self.value(kind, 2)};"
            self.kinds[name] = kind
            return text
        if share < 0.985 and self.result:
            leaving = self.pick("break;", "break;", f"return {self.value(self.result, 1)};")
            return f"if ({self.condition(2)}) {{ {self.pick('', self.update())} {leaving} }}"
        return f"print({self.value('rat', 1)});"

    def update(self) -> str:
        name = self.rng.choice([variable for variable in self.kinds if variable not in ("n", "i") or self.chance(0.05)] or ["i"])
        kind = self.kinds[name]
        if kind == "bool":
            return f"{name} := {self.pick('!' + name, self.condition(1), self.condition(1))};"
        match self.pick("add", "add", "add", "scale", "set", "shift"):
            case "add":
                value = f"{name} + {self.value(kind, 1)}"
            case "scale":
                value = f"{self.pick('2', '3')} * {name}" + self.pick("", " + 1", f" - {name}")
            case "shift":
                value = self.pick("{} - 1", "{} // 2", "{} % 3", "{} / 2", "max({} - 1, 0)", "-{}", "{}^2").format(name)
                if kind == "rat" and ("//" in value or "%" in value):
                    value = f"{name} / 2"
            case _:
                value = self.value(kind, 2)
        return f"{name} := {value};"

    def names(self, kind: str) -> list[str]:
        wanted = {"nat": ("nat",), "int": ("nat", "int"), "rat": ("nat", "int", "rat"), "bool": ("bool",)}[kind]
        return [name for name, kind_of_name in self.kinds.items() if kind_of_name in wanted]

    def value(self, kind: str, size: int) -> str:
        if kind == "bool":
            return self.condition(size)
        # Sometimes the value has a wider type. Then the program has the obligation that it fits.
        if kind != "rat" and self.chance(0.1):
            kind = {"nat": "int", "int": "rat"}[kind]
        names = self.names(kind)
        leaf = self.rng.choice(names) if names and self.chance(0.75) else str(self.rng.randint(0, 4))
        if size <= 0 or self.chance(0.35):
            return leaf if kind != "rat" or self.chance(0.8) else self.pick("0.5", "2.5")
        share = self.rng.random()
        if share < 0.5:
            return f"({self.value(kind, size - 1)} {self.pick('+', '*') if kind == 'nat' else self.pick('+', '-', '*')} {leaf})"
        if share < 0.6 and kind != "rat":
            return f"({self.value(kind, size - 1)} {self.pick('//', '%')} {self.pick('2', '3', '(abs(n) + 1)', leaf)})"
        if share < 0.65:
            return f"{leaf}^{self.pick('2', '2', '3', '(i % 3)')}" if "i" in self.kinds else f"{leaf}^2"
        if share < 0.7:
            return f"{self.pick('min', 'max')}({leaf}, {self.value(kind, size - 1)})"
        if share < 0.75:
            return f"abs({leaf})" if kind != "rat" else f"({leaf} / {self.pick('2', '3')})"
        return self.call(kind, size) or leaf

    def call(self, kind: str, size: int, specification: bool = False) -> str | None:
        widths = {"nat": ("nat",), "int": ("nat", "int"), "rat": ("nat", "int", "rat"), "bool": ("bool",)}[kind]
        fitting = [
            helper for helper in self.helpers if RESULTS.get(helper, "nat") in widths and not (specification and helper in CHOOSING)
        ]
        if not fitting:
            return None
        text = CALLS[self.rng.choice(fitting)]
        for width in ("nat", "int", "rat"):
            while f"{{{width}}}" in text:
                text = text.replace(
                    f"{{{width}}}", self.value("int" if width == "nat" and self.chance(0.3) else width, size - 1), 1
                )
        return text

    def condition(self, size: int) -> str:
        share = self.rng.random()
        bools = self.names("bool")
        if bools and share < 0.2:
            return self.rng.choice(bools)
        if self.helpers and share < 0.28:
            call = self.call("bool", 1, True)
            if call:
                return call
        if size > 1 and share < 0.4:
            return f"({self.condition(size - 1)} {self.pick('&', '|', '->')} {self.condition(size - 1)})"
        kind = self.pick("int", "int", "rat")
        left = self.specified(kind, size - 1)
        if kind == "int" and share < 0.5:
            return f"{left} % {self.pick('2', '3')} = {self.pick('0', '1')}"
        if share < 0.6:
            return f"0 <= {left} {self.pick('<', '<=')} {self.specified(kind, size - 1)}"
        return f"{left} {self.pick('<', '<=', '>', '>=', '=', '!=')} {self.specified(kind, size - 1)}"

    def specified(self, kind: str, size: int) -> str:
        """A value that calls no helper which chooses, because those must not occur in a specification."""
        kept, self.helpers = self.helpers, [helper for helper in self.helpers if helper not in CHOOSING]
        value = self.value(kind, size)
        self.helpers = kept
        return value


# Candidates


def mined_rows(program: Program, loop: int, rng: random.Random) -> list[tuple[Scalar, ...]]:
    states: dict[tuple[Scalar, ...], None] = {}
    for seed, inputs in enumerate(seeded_inputs(rng, program, MINING_RUNS)):
        run = program.run(inputs, limits=MINING_LIMITS, seed=seed)
        states.update((tuple(map(scalar, row)), None) for row in run.of(loop).rows[:8])
    rows = list(states)
    return rng.sample(rows, min(len(rows), MINED_ROWS_MAX))


def candidates(program: Program, loop: int, rng: random.Random, count: int) -> list[str]:
    """Texts of expressions for the loop. Some are true in all runs, and some are not."""
    columns = program.loops[loop - 1].columns
    types = program.info.level.variables
    rows = mined_rows(program, loop, rng)
    helpers = [helper for helper in program.info.functions if helper in CALLS]
    maker = ProgramMaker(rng, {name: str(types[name]) for name in columns}, helpers)
    texts = [*_equations(columns, types, rows, rng), *_bounds(columns, types, rows), *_remainders(columns, types, rows)]
    rng.shuffle(texts)
    texts = texts[: count // 2 + 1]
    while len(texts) < count:
        share = rng.random()
        if share < 0.45:
            texts.append(maker.condition(rng.choice((1, 2, 3))))
        elif share < 0.6 and texts:
            texts.append(f"{rng.choice(texts)} {rng.choice(('|', '->', '&'))} {maker.condition(2)}")
        elif share < 0.75:
            scope = {name: types[name] for name in columns}
            olds = tuple(name for name in program.params if rng.random() < 0.3)
            texts.append(print_expression(random_expression(rng, scope, Type.BOOL, rng.randint(2, 6), (), olds)))
        else:
            bounds = _bounds(columns, types, rows[:1])
            texts.append(rng.choice(bounds) if bounds else "true")
    rng.shuffle(texts)
    return texts


def _equations(columns: Sequence[str], types: Mapping[str, Type], rows: list[tuple[Scalar, ...]], rng: random.Random) -> list[str]:
    """Linear equations between columns, and products of two of them, that hold in all rows."""
    numeric = [(name, index) for index, name in enumerate(columns) if types[name] is not Type.BOOL]
    terms: list[tuple[str, list[Fraction]]] = [("1", [Fraction(1)] * len(rows))]
    terms += ((name, [Fraction(row[index]) for row in rows]) for name, index in numeric)
    products = [(f"{a} * {b}", [Fraction(row[x]) * row[y] for row in rows]) for a, x in numeric for b, y in numeric if x <= y]
    terms += rng.sample(products, min(len(products), max(0, TERMS_MAX - len(terms))))
    equations = []
    for vector in _null_space([values for _, values in terms]):
        scale = lcm(*(value.denominator for value in vector))
        parts = [f"{int(value * scale)} * {name}" for value, (name, _) in zip(vector, terms, strict=True) if value]
        if parts and all(abs(value * scale) < 10_000 for value in vector):
            equations.append(" + ".join(map(_signed, parts)) + " = 0")
    return equations


def _signed(part: str) -> str:
    return f"({part.split(' * ', 1)[0]}) * {part.split(' * ', 1)[1]}" if part.startswith("-") else part


def _null_space(columns: list[list[Fraction]]) -> list[list[Fraction]]:
    """Vectors v for which the sum of all v[k] · columns[k] is 0, one for each column that depends on earlier ones."""
    count = len(columns)
    matrix = [[columns[k][row] for k in range(count)] for row in range(len(columns[0]))]
    pivots: list[int] = []
    for k in range(count):
        pivot_row = next((row for row in range(len(pivots), len(matrix)) if matrix[row][k]), None)
        if pivot_row is None:
            continue
        place = len(pivots)
        matrix[place], matrix[pivot_row] = matrix[pivot_row], matrix[place]
        head = matrix[place][k]
        matrix[place] = [value / head for value in matrix[place]]
        for row in range(len(matrix)):
            if row != place and matrix[row][k]:
                factor = matrix[row][k]
                matrix[row] = [a - factor * b for a, b in zip(matrix[row], matrix[place], strict=True)]
        pivots.append(k)
    vectors = []
    for free in range(count):
        if free in pivots:
            continue
        vector = [Fraction(0)] * count
        vector[free] = Fraction(1)
        for place, pivot in enumerate(pivots):
            vector[pivot] = -matrix[place][free]
        vectors.append(vector)
    return vectors


def _bounds(columns: Sequence[str], types: Mapping[str, Type], rows: list[tuple[Scalar, ...]]) -> list[str]:
    if not rows:
        return []
    bounds = []
    numeric = [(name, index) for index, name in enumerate(columns) if types[name] is not Type.BOOL]
    for name, index in numeric:
        low, high = (Fraction(choose(row[index] for row in rows)) for choose in (min, max))
        bounds += [f"{name} >= {_text(low)}", f"{name} <= {_text(high)}"]
        for number, column in numeric:
            gaps = [Fraction(row[index]) - row[column] for row in rows]
            if index != column and abs(min(gaps)) < 4:
                bounds.append(f"{name} - {number} >= {_text(min(gaps))}")
    for name, index in ((name, index) for index, name in enumerate(columns) if types[name] is Type.BOOL):
        for number, column in numeric:
            for sign in ("", "!"):
                values = [Fraction(row[column]) for row in rows if row[index] is (not sign)]
                if values:
                    bounds.append(f"{sign}{name} -> {number} >= {_text(min(values))}")
    return bounds


def _remainders(columns: Sequence[str], types: Mapping[str, Type], rows: list[tuple[Scalar, ...]]) -> list[str]:
    texts = []
    for index, name in enumerate(columns):
        if types[name] in (Type.NAT, Type.INT):
            for modulus in (2, 3, 4):
                values = {int(row[index]) % modulus for row in rows}
                if len(values) < modulus and values:
                    texts.append(" | ".join(f"{name} % {modulus} = {value}" for value in sorted(values)))
    return texts


def _text(value: Fraction) -> str:
    number = str(value.numerator) if value.denominator == 1 else f"{value.numerator} / {value.denominator}"
    return f"(-{number[1:]})" if value < 0 else f"({number})" if "/" in number else number
