"""Random C programs whose functions take pointers and arrays, and whose calls stand at unusual places; they print what they do."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import random

CELLS = 4
"""Cells of each array of main. Functions use the first two of what is passed to them."""


class PointerProgram:
    """One program. Its text is in `text`; `kind` is the type of everything."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.kind = rng.choice(("int", "int", "long", "unsigned char", "short"))
        self.own = "x" if rng.random() < 0.5 else "t"
        text = f"{self.kind} g = 2;\n"
        text += self.function("change", "{} *p, {} *q, {} k", ["(*p)", "(*q)", "k"], [])
        text += self.function("cells", "{} p[], const {} *q, int k", ["p[0]", "p[1]", "(*(p + 1))", "q[k & 1]", "p[k & 1]"], ["q"])
        text += self.function("both", "{} *p, {} *q, int k", ["p[0]", "q[1]", "(*q)", "k"], [], self.inner_calls())
        text += f"{self.kind} plain({self.kind} v) {{ v += 1; return v % 5; }}\n"
        body = "\n".join(self.call() for _ in range(rng.randint(3, 6)))
        self.text = (
            f"{text}int main(void) {{\n{self.kind} x = {rng.randint(0, 9)}, y = {rng.randint(0, 9)}, i = 0;\n"
            f"{self.kind} a[{CELLS}] = {{3, 1, 2}}, b[{CELLS}] = {{5, 4}};\n"
            f"while (i < 2) {{\n{body}\n{self.shown()}\ni++;\n}}\nreturn 0;\n}}\n"
        )

    def shown(self) -> str:
        names = ["x", "y", "g", *(f"{array}[{cell}]" for array in "ab" for cell in range(CELLS))]
        return f'printf("{"%ld " * (len(names) - 1)}%ld\\n", {", ".join(f"(long) {name}" for name in names)});'

    def function(self, name: str, params: str, cells: list[str], fixed: list[str], calls: list[str] | None = None) -> str:
        """A function that changes what is passed to it, with a variable of its own that may be called like one of main's."""
        written = [cell for cell in cells if not any(cell.startswith(start) for start in fixed) and cell != "k"]
        operands = [*cells, self.own, "g", "3"]
        lines = [f"{self.kind} {self.own} = {self.rng.choice(cells)};"]
        for _ in range(self.rng.randint(1, 3)):
            value = f"{self.rng.choice(operands)} {self.rng.choice('+-')} {self.rng.choice(operands)}"
            target = self.rng.choice([*written, self.own, "g"])
            lines.append(
                self.rng.choice([
                    f"{target} = ({value}) % 50;",
                    f"{target} += {self.rng.choice(operands)} % 7;",
                    f"if ({value} > 3) {{ {target}--; }}",
                    f"if ({value} < 0) return {self.rng.choice(operands)};",
                ])
            )  # fmt: skip
            lines += self.rng.sample(calls or [], len(calls or []) and 1)
        declared = params.format(*[self.kind] * params.count("{}"))
        contract = "/*@ ensures \\result == \\result && \\old(k) == k; */\n" if self.rng.random() < 0.3 else ""
        return f"{contract}{self.kind} {name}({declared}) {{\n" + "\n".join(lines) + f"\nreturn {self.own};\n}}\n"

    def inner_calls(self) -> list[str]:
        return ["change(p, q, 1);", "cells(p, q, k);", "change(&p[1], q + 1, k);", f"{self.own} = change(&{self.own}, p, 2);"]

    def call(self) -> str:
        pick = self.rng.choice
        one = ["&x", "&y", "&a[i]", "&b[1]", "a", "a + 1", "&a[x & 1]", "&g"]
        many = ["a", "b", "a + 1", "&b[2]", "a + i", "&b[y & 1]"]
        change = f"change({pick(one)}, {pick(one)}, {pick(['x', '2', 'a[1]'])})"
        cells = f"{pick(['cells', 'both'])}({pick(many)}, {pick(many)}, {pick(['i', '1', '0'])})"
        return pick([
            f"{change};",
            f"{cells};",
            f"x = {cells};",
            f"y = {change};",
            f"if (x > 1 && {change} > 0) y--;",
            f"if (i == 1 || {cells} < 3 || plain(x)) x += plain(y);",
            f"for (y = 0; y < 3; y = plain(y) + 1) {{ {change}; }}",
            "do { x = x / 2; } while (plain(x) > 1 && x > 0);",
            "a[i] = plain(a[1]);",
        ])  # fmt: skip
