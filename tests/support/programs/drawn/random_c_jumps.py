"""Random C programs with goto, `do … while (0)`, break and continue, for comparison with a compiler: they print where they come."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import random

VARIABLES = ("x", "y", "z")
FUEL = 40
"""Turns and jumps back after which a program ends."""


class JumpProgram:
    """One program. Its text is in `text`."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.labels = 0
        self.marks = 0
        self.targets: list[str] = []
        """Labels further down in the blocks around the present place."""
        self.back: list[str] = []
        """Labels in front of the present place, to which nothing but jumps of the same level leads."""
        self.jumps = 0
        helper = self.function("int twist(int x, int y)", "int z = 1;", "return x + z;")
        calls = "x = twist(x, y); y = twist(z, 1);" if rng.random() < 0.5 else ""
        main = self.function(
            "int main(void)", f"int x = {rng.randint(-3, 5)}, y = {rng.randint(-3, 5)}, z = 0;\n{calls}", "return 0;"
        )
        self.text = f"int fuel = {FUEL};\n{helper}{main}"

    def function(self, head: str, first: str, last: str) -> str:
        return f"{head} {{\n{first}\n{self.block(3, False)}\n{self.shown()}\n{last}\n}}\n"

    def shown(self) -> str:
        self.marks += 1
        return f'printf("%d %d %d %d\\n", {self.marks}, x, y, z);'

    def number(self) -> str:
        return self.rng.choice([*VARIABLES, "x - y", "z + 1", "x + z", str(self.rng.randint(-4, 6))])

    def condition(self) -> str:
        return f"{self.number()} {self.rng.choice(('<', '>', '==', '!=', '<='))} {self.number()}"

    def block(self, depth: int, in_loop: bool) -> str:
        """Statements, among them labels; each may be reached by jumps from before it."""
        count = self.rng.randint(2, 4)
        ahead = [f"L{self.labels + number}" for number in range(self.rng.choice((0, 1, 1, 2)))]
        self.labels += len(ahead)
        outer = self.targets
        self.targets = [*outer, *ahead]
        lines = []
        for number in range(count):
            if ahead and number and self.rng.random() < 0.6:
                self.targets.remove(ahead[0])
                lines.append(f"{ahead.pop(0)}: {self.simple()}")
            lines.append(self.statement(depth, in_loop))
        for label in ahead:
            self.targets.remove(label)
            lines.append(f"{label}: {self.rng.choice([';', self.simple()])}")
        self.targets = outer
        return "\n".join(lines)

    def simple(self) -> str:
        target = self.rng.choice(VARIABLES)
        return self.rng.choice([f"{target} = {self.number()};", f"{target} += {self.number()};", self.shown()])

    def leaving(self, in_loop: bool) -> str:
        words = [f"goto {self.rng.choice(self.targets)};"] * 3 if self.targets else []
        words += ["break;", "continue;"] if in_loop else []
        self.jumps += bool(words)
        return self.rng.choice(words) if words else self.simple()

    def statement(self, depth: int, in_loop: bool) -> str:
        case = self.rng.randrange(10)
        if case < 3 or depth == 0:
            return self.simple()
        if case < 6:
            return f"if ({self.condition()}) {{ {self.simple()} {self.leaving(in_loop)} }}"
        if case == 6:
            no = f"else {{\n{self.block(depth - 1, in_loop)}\n}}" if self.rng.random() < 0.6 else ""
            return f"if ({self.condition()}) {{\n{self.block(depth - 1, in_loop)}\n}} {no}"
        if case == 7:
            inner, self.targets = self.targets, self.targets if self.rng.random() < 0.7 else []
            text = f"do {{\n{self.block(depth - 1, True)}\n}} while (0);"
            self.targets = inner
            return text
        if case == 8:
            self.labels += 1
            label = f"B{self.labels}"
            outer, self.targets = self.targets, []
            body = self.block(depth - 1, False)
            self.targets = outer
            return f"{label}: {self.simple()}\n{body}\nif ({self.condition()} && fuel > 0) {{ fuel--; goto {label}; }}"
        name = self.rng.choice(("v", "w"))
        body = f"fuel--; int {name} = {self.number()};\n{self.block(depth - 1, True)}\nx += {name};"
        match self.rng.randrange(3):
            case 0:
                return f"while (fuel > 0 && {self.condition()}) {{ {body} }}"
            case 1:
                return f"do {{ {body} }} while (fuel > 0 && {self.condition()});"
        return f"for (z = 0; fuel > 0 && z < {self.rng.randint(1, 4)}; z++) {{ {body} }}"
