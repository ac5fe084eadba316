"""Random C programs whose blocks declare names again, and are left by return, goto, break and the ends of cases."""

from __future__ import annotations

from typing import TYPE_CHECKING

from idg.sip.record import Record, replace

if TYPE_CHECKING:
    import random

NAMES = ("x", "y", "z")
DEPTH_MAX = 3
"""Blocks inside of each other."""


class Around(Record):
    """What stands around a place in the text."""

    labels: tuple[str, ...] = ()
    """Labels further down."""
    in_loop: bool = False
    """Whether break and continue belong to a loop."""
    returns: bool = False
    """Whether a return may stand there."""
    calls: bool = False
    """Whether the helper can be called."""


class BlockProgram:
    """One program. Its text is in `text`."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.numbers = 0
        helper = self.block(1, Around(returns=True), frozenset(NAMES))
        main = "\n".join(self.block(0, Around(calls=True), frozenset(NAMES)) for _ in range(2))
        shown = 'printf("%d %d %d %d\\n", x, y, z, g);'
        self.text = (
            f"int g = 1;\nint f(int x, int y) {{\nint z = 2;\n{helper}\n{shown}\nreturn {self.term()};\n}}\n"
            f"int main(void) {{\nint x = 1, y = 2, z = 3;\n{main}\n{shown}\nreturn 0;\n}}\n"
        )

    def fresh(self, base: str) -> str:
        self.numbers += 1
        return f"{base}{self.numbers}"

    def term(self) -> str:
        name = self.rng.choice(NAMES)
        return self.rng.choice(
            (name, name, str(self.rng.randint(0, 5)), f"({name} {self.rng.choice('+-*')} {self.rng.choice(NAMES)})")
        )

    def condition(self) -> str:
        first, second = (f"{self.term()} {self.rng.choice(('<', '>', '==', '!=', '<='))} {self.term()}" for _ in range(2))
        return self.rng.choice((first, first, first, f"({first}) && ({second})", f"({first}) || ({second})", f"!({first})"))

    def simple(self, around: Around) -> str:
        name = self.rng.choice((*NAMES, *NAMES, "g"))
        if around.calls and self.rng.random() < 0.3:
            return f"{name} = f({self.term()}, {self.term()}) % 50;"
        return self.rng.choice((f"{name}++;", f"{name} -= {self.term()};", f"{name} = {self.term()} % 50;"))

    def block(self, depth: int, around: Around, declared: frozenset[str] = frozenset()) -> str:
        """Statements in one block, which `declared` these names before."""
        label = self.fresh("L") if depth < DEPTH_MAX and self.rng.random() < 0.35 else ""
        inside = replace(around, labels=(*around.labels, label)) if label else around
        lines = []
        for _ in range(self.rng.randint(1, 3)):
            if self.rng.random() < 0.2:
                name = self.rng.choice(NAMES)
                if name not in declared:
                    declared |= {name}
                    other = self.rng.choice([known for known in NAMES if known != name])
                    lines.append(f"int {name} = {other} + {self.rng.randint(0, 9)};")
            else:
                lines.append(self.statement(depth, inside))
        if self.rng.random() < 0.4:
            lines.append(self.leaving(inside))
        if label:
            lines.append(f"{label}: ; {self.simple(around)}")
        return "\n".join(lines)

    def leaving(self, around: Around) -> str:
        words = [f"goto {label};" for label in around.labels]
        words += ["break;", "continue;"] if around.in_loop else []
        words += [f"return {self.term()};"] if around.returns else []
        return self.rng.choice(words) if words else ";"

    def statement(self, depth: int, around: Around) -> str:
        case = self.rng.randrange(10)
        if depth == DEPTH_MAX or case < 3:
            return self.simple(around)
        if case < 6:
            otherwise = f" else {{\n{self.block(depth + 1, around)}\n}}" if self.rng.random() < 0.5 else ""
            return f"if ({self.condition()}) {{\n{self.block(depth + 1, around)}\n}}{otherwise}"
        if case == 6:
            return f"{{\n{self.block(depth + 1, around)}\n}}"
        if case == 7:
            return self.switch(depth, replace(around, in_loop=False))
        body = self.block(depth + 1, replace(around, in_loop=True))
        if case == 8:
            return f"do {{\n{body}\n}} while (0);"
        counter = self.fresh("k")
        return f"for (int {counter} = 0; {counter} < {self.rng.randint(1, 3)}; {counter}++) {{\n{body}\n}}"

    def switch(self, depth: int, around: Around) -> str:
        cases = []
        for value in self.rng.sample(range(5), self.rng.randint(1, 3)):
            end = "break;" if self.rng.random() < 0.7 else ""
            cases.append(f"case {value}: {{\n{self.block(depth + 1, around)}\n}} {end}")
        if self.rng.random() < 0.6:
            cases.append(f"default: {{\n{self.block(depth + 1, around)}\n}}")
        text = "\n".join(cases)
        return f"switch ({self.term()}) {{\n{text}\n}}"
