"""Random Python functions as in random_python.py, with lists that they make, copy, change, go through and pass on."""

from __future__ import annotations

from tests.support.programs.drawn.random_python import NUMBERS, RandomPython

LISTS = ("w", "v", "c")


class RandomPythonLists(RandomPython):
    def text(self) -> str:
        made = self.random.choice(("[0] * (a % 4 + 1)", "[a] * 3", "(b % 3 + 1) * [7]", "[z] * (b % 5 + 2)"))
        copy = self.random.choice(("w[:]", "list(w)", "v.copy()", "v[:]"))
        start = "    r = Fraction(a, 3)\n"
        lists = f"    w = [a, b - 1, 2]\n    v = {made}\n    c = {copy}\n"
        helper = "def at(l: list[int], k: int) -> int:\n    return l[k % len(l)] - l[0]\n\n\n"
        shown = "".join(f"    for e in {name}:\n        print(e)\n" for name in LISTS)
        head, _, tail = super().text().partition("def main")
        tail = tail.replace(start, start + lists, 1).replace("    r = r + Fraction(z, 2) * x\n", f"{shown}    r = r + z\n", 1)
        return f"{head}{helper}def main{tail}"

    def cell(self) -> str:
        name = self.random.choice(LISTS)
        index = self.random.choice(("0", "-1", f"x % len({name})", f"len({name}) - 1", "2", f"z % len({name})"))
        return f"{name}[{index}]"

    def number(self, depth: int, names: tuple[str, ...] = NUMBERS) -> str:
        if names is NUMBERS and self.random.random() < 0.15:
            return self.random.choice((self.cell(), self.cell(), f"at({self.random.choice(LISTS)}, {super().number(0)})"))
        return super().number(depth, names)

    def statement(self, depth: int, level: int) -> list[str]:
        pad = "    " * depth
        if self.random.random() < 0.75:
            return super().statement(depth, level)
        if level < 2 and self.random.random() < 0.3:
            self.loops += 1
            counter = self.random.choice((f"e{self.loops}", "y"))
            return [
                f"{pad}for {counter} in {self.random.choice(LISTS)}:",
                *self.block(depth + 1, level + 1),
                f"{pad}    z += {counter}",
            ]
        cell = self.cell()
        lines = [f"{pad}{cell} {self.random.choice(('=', '+=', '-='))} {self.number(1)} % 1000"]
        return self.random.choice(([f"{pad}{cell} = {self.number(1)}", f"{pad}{cell} %= 1009"], lines))
