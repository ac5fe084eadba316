"""Random C programs with arrays, for comparison with a compiler: cells of several widths, mostly read and written inside."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import random

TYPES = ("int", "unsigned", "unsigned char", "char", "short", "long")
"""The types of cells and of numbers."""
ARRAYS = {"a": 4, "b": 3, "g": 5}
"""The arrays of each program and their lengths; g is one of the file."""


class ArrayProgram:
    """One program. Its text is in `text`."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        kinds = {name: rng.choice(TYPES) for name in (*ARRAYS, "x", "y")}
        given = ", ".join(str(rng.randint(0, 9)) for _ in range(rng.randint(1, 3)))
        first = [
            f"  {kinds['a']} a[4]{f' = {{{given}}}' if rng.random() < 0.5 else ''};",
            f"  {'static ' if rng.random() < 0.3 else ''}{kinds['b']} b[3];",
            f"  {kinds['x']} x = unknown();",
            f"  {kinds['y']} y = {rng.randint(0, 5)};",
            "  int i = 0;",
        ]
        body = [f"    {self.statement(2)}" for _ in range(rng.randint(2, 5))]
        loop = [f"  while (i < {rng.randint(2, 6)}) {{", *body, "    i++;", "  }"]
        last = f"  assert({self.condition(2)});"
        self.text = "\n".join([f"{kinds['g']} g[5];", "int main(void) {", *first, *loop, last, "}"])

    def cell(self, depth: int) -> str:
        name = self.rng.choice(list(ARRAYS))
        length = ARRAYS[name]
        places = [f"i % {length}", str(self.rng.randrange(length)), "i % 3", f"{length - 1} - i % {length}"]
        if depth > 0:
            inner = self.number(depth - 1)
            places += [f"({inner}) & {1 if length < 4 else 3}", inner if self.rng.random() < 0.3 else "i & 1"]
        return f"{name}[{self.rng.choice(places)}]"

    def number(self, depth: int) -> str:
        if depth <= 0 or self.rng.random() < 0.3:
            return self.rng.choice(["x", "y", "i", str(self.rng.randint(0, 300)), self.cell(depth - 1)])
        left, right = self.number(depth - 1), self.number(depth - 1)
        forms = [f"{left} {self.rng.choice('+-*')} {right}", f"({left} + {right}) % 7", f"({left} - {right}) / 3", f"-({left})"]
        forms += [f"(unsigned char) ({left})", f"({left} < {right})", self.cell(depth)]
        return self.rng.choice(forms)

    def condition(self, depth: int) -> str:
        tests = [f"{self.number(depth)} {self.rng.choice(('<', '<=', '==', '!=', '>'))} {self.number(depth)}"]
        if depth > 0:
            word = self.rng.choice(("&&", "||"))
            tests += [f"({self.condition(depth - 1)} {word} {self.condition(depth - 1)})", f"!({self.condition(depth - 1)})"]
        return self.rng.choice(tests)

    def statement(self, depth: int) -> str:
        target = self.rng.choice([self.cell(1), self.cell(1), self.cell(1), "x", "y"])
        forms = [f"{target} = {self.number(2)};", f"{target} {self.rng.choice('+-*')}= {self.number(1)};", f"{target}++;"]
        forms.append(f"{target} = {self.condition(1)} ? {self.number(1)} : {self.number(1)};")
        if depth > 0:
            forms.append(f"if ({self.condition(1)}) {{ {self.statement(depth - 1)} }} else {{ {self.statement(depth - 1)} }}")
        return self.rng.choice(forms)
