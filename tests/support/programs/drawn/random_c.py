"""Random C programs with macros, unsigned numbers, casts, static variables and effects in expressions; they print what they do."""

from __future__ import annotations

import random

TYPES = {
    "int": "%d", "unsigned": "%u", "char": "%d", "unsigned char": "%d", "short": "%d", "unsigned short": "%d", "long": "%ld",
    "unsigned long": "%lu", "signed char": "%d", "long long": "%lld", "_Bool": "%d",
}  # fmt: skip
"""Type → how printf shows it."""
LITERALS = (
    "0", "1", "2", "3", "7", "10", "100", "255", "1u", "5u", "3000000000", "0xff", "0x80000000", "017", "1L", "4294967295u",
    "40000", "'a'", "-1", "-5", "65536", "0UL",
)  # fmt: skip
LARGE = ("2147483647", "-2147483647", "9223372036854775807")
"""Signed literals with which the compiler may compute what overflows."""
MACROS = (
    "#define PLUS 1+2\n", "#define BRACKETED (4 - 1)\n", "#define MINUS -1\n", "#define TWICE(x) (2 * (x))\n",
    "#define LOOSE(x) x*2\n",
    "#define NEXT(x, y) ((x) + (y) + 1)\n", "#define word unsigned\n", "#define step(v) v++\n", "#define a0 v0\n",
    "#define MODE 2\n#if MODE > 1 && defined(MODE)\n#define DEEP (MODE * 3)\n#else\n#define DEEP 1000\n#endif\n",
    "#define ONE 1\n#undef ONE\n#define ONE 11\n", "#define PICK(c, x, y) ((c) ? (x) : (y))\n", "#define GLUE(x, y) x##y\n",
)  # fmt: skip


class RandomC:
    """One program, made from a seed."""

    def __init__(self, seed: int, large: bool = False) -> None:
        self.random = random.Random(seed)
        self.literals: tuple[str, ...] = (*LITERALS, *LARGE) if large else LITERALS
        self.variables: dict[str, str] = {}
        self.changed: set[str] = set()
        """Variables with which the present expression does something else already."""
        self.loops = 0

    def text(self) -> str:
        pick = self.random
        macros = "".join(MACROS)
        shared = pick.choice(["", "static unsigned g;\n", "int g = -3;\n", "static char g = 100;\n", "unsigned long g;\n"])
        if shared:
            self.variables["g"] = shared.split(" g")[0].removeprefix("static ").strip()
        lines = []
        for number in range(pick.randint(2, 4)):
            kind = pick.choice([kind for kind in TYPES if number or kind != "_Bool"])
            static = pick.random() < 0.15
            value = "" if static and pick.random() < 0.5 else f" = {pick.choice(self.literals)}"
            lines.append(f"{'static ' if static else ''}{kind} v{number}{value};")
            self.variables[f"v{number}"] = kind
        lines += [self.statement(2) for _ in range(pick.randint(2, 4))]
        lines.append(self.loop(2))
        lines.append(self.shown())
        return f"{macros}{shared}int main(void) {{\n" + "\n".join(lines) + "\nreturn 0;\n}\n"

    def shown(self) -> str:
        formats = " ".join(TYPES[kind] for kind in self.variables.values())
        return f'printf("{formats}\\n", {", ".join(self.variables)});'

    def numbers(self) -> list[str]:
        return [name for name, kind in self.variables.items() if kind != "_Bool"]

    def statement(self, depth: int) -> str:
        pick = self.random
        self.changed = set()
        case = pick.randrange(10)
        if case < 4 or depth == 0:
            target = pick.choice(list(self.variables))
            self.changed = {target}
            plain = self.variables[target] == "_Bool"
            op = "=" if plain else pick.choice(["=", "=", "=", "+=", "-=", "*="])
            self.changed = set() if op == "=" else {target}
            return f"{target} {op} {self.expression(3, target)};"
        if case == 4:
            return pick.choice(["{}++;", "--{};", "step({});", "{}--;"]).format(pick.choice(self.numbers()))
        if case == 5:
            return f"putchar({self.effect() or '65'});"
        if case == 6:
            return f"if ({self.expression(2)}) {{ {self.statement(depth - 1)} }} else {{ {self.statement(depth - 1)} }}"
        if case == 7 and self.loops < 2:
            return self.loop(depth - 1)
        if case == 8:
            return f'{{ int v0 = {pick.randint(-3, 9)}; v0 += a0 - {pick.randint(0, 3)}; printf("%d\\n", a0); }}'
        return self.shown()

    def loop(self, depth: int) -> str:
        pick = self.random
        self.loops += 1
        counter = f"i{self.loops}"
        kind = pick.choice(["int", "unsigned", "char", "word", "short"])
        limit = pick.choice(["3", "5u", "BRACKETED", "(unsigned char) 260", "TWICE(2)"])
        body = "\n".join(self.statement(depth) for _ in range(pick.randint(1, 3)))
        leave = pick.choice(["", "", f"if ({self.condition()}) break;", f"if ({self.condition()}) continue;"])
        body = f"{leave}\n{body}\n{self.shown()}"
        match pick.randrange(3):
            case 0:
                return f"for ({kind} {counter} = 0; {counter} < {limit}; {counter}++) {{\n{body}\n}}"
            case 1:
                return f"{{ {kind} {counter} = 0; while ({counter}++ < {limit}) {{\n{body}\n}} }}"
        return f"{{ {kind} {counter} = 0; do {{\n{body}\n}} while (++{counter} < {limit}); }}"

    def condition(self) -> str:
        self.changed = set()
        op = self.random.choice(["<", ">", "==", "!=", "<=", ">="])
        return f"{self.expression(1)} {op} {self.expression(1)}"

    def effect(self) -> str:
        """A step of a variable that the present expression does not use otherwise; empty where there is none."""
        free = [name for name in self.numbers() if name not in self.changed]
        if not free:
            return ""
        name = self.random.choice(free)
        self.changed.add(name)
        shapes = ["{}++", "++{}", "{}--", "--{}", *([f"GLUE(v, {name[1:]})++"] if name != "g" else [])]
        return self.random.choice(shapes).format(name)

    def expression(self, depth: int, target: str = "") -> str:
        pick = self.random
        case = pick.randrange(14) if depth else pick.randrange(2)
        if case == 0:
            named = ("PLUS", "BRACKETED", "MINUS", "DEEP", "ONE")
            return pick.choice((*self.literals, *named))
        if case == 1:
            free = [name for name in self.variables if name not in self.changed or name == target]
            if not free:
                return pick.choice(self.literals)
            name = pick.choice(free)
            self.changed.add(name)
            return "a0" if name == "v0" and pick.random() < 0.3 else name
        left = self.expression(depth - 1)
        if case < 6:
            op = pick.choice(["+", "-", "*", "-", "+"])
            return (
                f"{left} {op} {self.expression(depth - 1)}"
                if pick.random() < 0.4
                else f"({left} {op} {self.expression(depth - 1)})"
            )
        if case == 6:
            return f"({pick.choice(list(TYPES))}) {pick.choice(['(' + left + ')', left])}"
        if case == 7:
            return f"({left} {pick.choice(['<', '>', '==', '<=', '!=', '>='])} {self.expression(depth - 1)})"
        if case == 8:
            op, value = pick.choice(
                [("/", "3"), ("%", "7"), ("/", "5u"), ("%", "-4"), (">>", "2"), ("<<", "3"), ("&", "15"), ("/", "-2")]
            )
            return f"(({left}) {op} {value})"
        if case == 9:
            return pick.choice([f"~({left})", f"-({left})", f"!({left})", f"+({left})"])
        if case == 10:
            return f"({left} > 2 ? {pick.choice(self.literals)} : {self.plain()})"
        if case == 11:
            return self.effect() or left
        if case == 12:
            return pick.choice(
                [f"TWICE({left})", f"LOOSE({left})", f"NEXT({left}, {self.expression(0)})", f"PICK({self.plain()}, {left}, 3u)"]
            )
        return f"(({left}) && {self.plain()} || {self.plain()})"

    def plain(self) -> str:
        """An expression without effects, for a part that is evaluated only sometimes."""
        free = [name for name in self.variables if name not in self.changed]
        if not free:
            return self.random.choice(self.literals)
        name = self.random.choice(free)
        self.changed.add(name)
        return self.random.choice([name, f"{name} - 1u", f"{name} * 3", f"(char) {name}"])
