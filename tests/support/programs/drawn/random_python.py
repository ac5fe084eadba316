"""Random Python functions in the subset that the importer reads: ints, truth values and fractions; loops that end."""

from __future__ import annotations

import random

NUMBERS = ("a", "b", "x", "y", "z")
TRUTHS = ("p", "q")
STATEMENTS_MAX = 5
"""Statements of a block."""


class RandomPython:
    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.loops = 0
        self.leaving, self.ending = self.random.choice((
            ("return x", "return x + y * z"), ("return y", "return z if p else y"), ("return q", "return p and q"),
            ("return r", "return r"), ("return z", "if q:\n        return x\n    return y % 7"),
        ))  # fmt: skip
        """How the function returns from inside a loop, and at its end."""

    def text(self) -> str:
        lines = ["import math", "from fractions import Fraction", "LIMIT = -3", ""]
        lines += ["def helper(x: int, k: int) -> int:"]
        lines += ["    assert k != 5"] if self.random.random() < 0.3 else []
        lines += [f"    if {self.truth(1, ('x', 'k'))}:", f"        return {self.number(2, ('x', 'k'))}"]
        lines += [f"    return {self.number(1, ('x', 'k'))}", ""]
        lines += ["def main(a: int, b: int):", f"    assert {self.truth(1, ('a', 'b'))} or a >= b or a < b"]
        lines += ["    x, y = a, b - 1", "    z = 2", "    p = a < b", "    q = not p", "    r = Fraction(a, 3)"]
        lines += self.block(1, 0)
        lines += ["    for last in range(3):", "        z += last"]
        lines += self.block(1, 1)
        lines += [f"    assert {self.truth(2)} or {self.truth(1)}", "    r = r + Fraction(z, 2) * x"]
        return "\n".join([*lines, f"    {self.ending}", ""])

    def block(self, depth: int, level: int) -> list[str]:
        lines: list[str] = []
        for _ in range(self.random.randint(1, STATEMENTS_MAX)):
            lines += self.statement(depth, level)
        return lines

    def statement(self, depth: int, level: int) -> list[str]:
        pad = "    " * depth
        name, other = self.random.sample(("x", "y", "z"), 2)
        kind = self.random.randrange(17 if level < 2 else 9)
        match kind:
            case 0 | 1:
                return [f"{pad}{name} = {self.number(2)}"]
            case 2:
                return [f"{pad}{name} {self.random.choice(('+=', '-=', '*='))} {self.number(1)}", f"{pad}{name} %= 1009"]
            case 3:
                return [f"{pad}{name}, {other} = {self.number(1)}, {self.number(1)}"]
            case 4:
                return [f"{pad}{self.random.choice(TRUTHS)} = {self.truth(2)}"]
            case 5:
                return [f"{pad}{name}, {other} = divmod({self.number(1)}, {self.number(1)})"]
            case 6:
                return [f"{pad}{name} = {self.number(1)} if {self.test(1)} else {self.number(1)}"]
            case 7:
                return [f"{pad}r = r {self.random.choice('+-')} Fraction({self.number(1)}, {self.random.randint(1, 5)})"]
            case 8:
                return [f"{pad}{name} = {other} = {self.number(1)} % 50"]
            case 9 | 10:
                lines = [f"{pad}if {self.test(2)}:", *self.block(depth + 1, level + 1)]
                if self.random.random() < 0.4:
                    lines += [f"{pad}elif {self.test(1)}:", *self.block(depth + 1, level + 1)]
                return [*lines, f"{pad}else:", *self.block(depth + 1, level + 1)] if self.random.random() < 0.5 else lines
            case 11 | 12:
                return self.counted(pad, depth, level)
            case 13:
                return self.matched(name, pad, depth, level)
            case 14:
                test = f"({name} := {self.number(1)}) {self.random.choice(('> 3', '!= a', ''))}"
                return [f"{pad}if {test.strip()}:", *self.block(depth + 1, level + 1)]
            case 15:
                return self.assigning(pad, depth, level)
        self.loops += 1
        counter = f"w{self.loops}"
        lines = [f"{pad}{counter} = 0", f"{pad}while {counter} < {self.random.randint(0, 4)} and {self.test(1)}:"]
        return [*lines, f"{pad}    {counter} += 1", *self.block(depth + 1, level + 1)]

    def matched(self, name: str, pad: str, depth: int, level: int) -> list[str]:
        lines = [f"{pad}match {name}:"]
        for case in self.random.sample(("0", "-1 | 2", f"3 if {self.test(1)}", "7", f"_ if {self.test(1)}"), 3):
            lines += [f"{pad}    case {case}:", *self.block(depth + 2, level + 2)]
        return [*lines, f"{pad}    case _:", *self.block(depth + 2, level + 2)] if self.random.random() < 0.5 else lines

    def assigning(self, pad: str, depth: int, level: int) -> list[str]:
        """A loop whose test assigns."""
        self.loops += 1
        counter = f"w{self.loops}"
        lines = [f"{pad}{counter} = {self.random.randint(-2, 3)}", f"{pad}while ({counter} := {counter} + 1) < 4:"]
        lines += [f"{pad}    if {self.test(1)}:", f"{pad}        {self.random.choice(('continue', 'break', 'x += 1'))}"]
        return [*lines, *self.block(depth + 1, level + 1)]

    def counted(self, pad: str, depth: int, level: int) -> list[str]:
        self.loops += 1
        counter = self.random.choice((f"i{self.loops}", "last", "x"))
        limits = self.random.choice(("3", "a % 4", "1, y % 5", "4, 0, -1", "x % 3, 7, 2", "-2, LIMIT - 3, -1"))
        source = f"range({limits})"
        if self.random.random() < 0.2:
            source = self.random.choice(("reversed(range(4))", "reversed(range(LIMIT, a % 3))", "reversed(range(x % 5))"))
        lines = [f"{pad}for {counter} in {source}:"]
        if self.random.random() < 0.4:
            lines += [f"{pad}    if {self.test(1)}:", *self.block(depth + 2, level + 2), f"{pad}        continue"]
        lines += self.block(depth + 1, level + 1)
        if self.random.random() < 0.4:
            leaving = self.random.choice(("break", "break", "z += 1\n" + f"{pad}        break", self.leaving))
            lines += [f"{pad}    if {self.truth(1)}:", f"{pad}        {leaving}"]
        return [*lines, f"{pad}    z += {counter}"]

    def number(self, depth: int, names: tuple[str, ...] = NUMBERS) -> str:
        if depth == 0 or self.random.random() < 0.2:
            return self.random.choice((*names, *names, str(self.random.randint(0, 9)), "LIMIT"))
        left, right = self.number(depth - 1, names), self.number(depth - 1, names)
        forms = [
            f"({left} + {right})", f"({left} - {right})", f"({left} * {right}) % 1013", f"({left} // {right})",
            f"({left} % {right})", f"-{left}", f"~{left}", f"abs({left})", f"min({left}, {right})", f"max({left}, {right}, 3)",
            f"math.gcd({left}, {right})",
            f"({left} % 100) ** {self.random.randint(0, 3)}", f"({left} % 9 << 2)", f"({left} >> 1)", f"({left} & 3)",
        ]  # fmt: skip
        if names is NUMBERS:
            forms += [f"helper({left}, {right})", f"int({left})", f"pow({left} % 11, 2)"]
        return self.random.choice(forms)

    def test(self, depth: int) -> str:
        """What stands in a test may be a number, too, and is true if it is not 0."""
        match self.random.randrange(6):
            case 0:
                return self.number(1)
            case 1:
                return f"(not {self.number(0)} or {self.number(0)} and {self.truth(depth)})"
            case 2:
                inside = self.random.choice(("in", "not in"))
                return f"({self.random.choice(NUMBERS)} {inside} {self.random.choice(('(1, a, 5)', 'range(b)', 'range(a, 9)'))})"
        return self.truth(depth)

    def truth(self, depth: int, names: tuple[str, ...] = NUMBERS) -> str:
        if depth == 0 or self.random.random() < 0.3:
            if names is NUMBERS and self.random.random() < 0.3:
                return self.random.choice(TRUTHS)
            sign = self.random.choice(("<", "<=", "==", "!=", ">", ">="))
            return f"{self.number(1, names)} {sign} {self.number(1, names)}"
        left, right = self.truth(depth - 1, names), self.truth(depth - 1, names)
        chained = f"{self.number(1, names)} < {self.number(1, names)} <= {self.number(1, names)}"
        return self.random.choice((f"({left} and {right})", f"({left} or {right})", f"(not {left})", f"({chained})"))
