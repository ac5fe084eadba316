"""Python functions read as SIP: what they mean, what is refused and where, and random ones against Python itself."""

from __future__ import annotations

from typing import Any

import pytest

from idg.importer import ImportRefused, import_python
from idg.sip.program import load
from tests.support.programs.drawn.random_python import RandomPython
from tests.support.programs.drawn.random_python_lists import RandomPythonLists
from tests.support.volume import volume

LIST_PROGRAMS = volume(40, 3_000)
"""Random functions with lists."""
PROGRAMS = volume(150, 3_000)
"""Random functions, each run on eight pairs of inputs."""
INPUTS = ((0, 0), (1, 2), (5, 3), (-4, 7), (9, -2), (-3, -8), (12, 12), (100, 5))


def read(text: str, function: str | None = None) -> str:
    return import_python(text, function).source


ROOT = '''
def root(n: int) -> int:
    """The largest number whose square is at most n."""
    if n < 0:
        raise ValueError(n)
    cnt, sqr, odd = 0, 1, 1
    while sqr <= n:
        cnt += 1
        odd += 2
        sqr += odd
    assert cnt ** 2 <= n < (cnt + 1) ** 2
    return cnt
'''


def test_a_function_with_a_loop() -> None:
    assert read(ROOT) == (
        "fn root(n: int): int {\n  pre(n >= 0);\n  var cnt, sqr, odd: int;\n  cnt := 0;\n  sqr := 1;\n  odd := 1;\n"
        "  while (sqr <= n) {\n    cnt := cnt + 1;\n    odd := odd + 2;\n    sqr := sqr + odd;\n  }\n"
        "  assert(cnt^2 <= n < (cnt + 1)^2);\n  return cnt;\n}\n"
    )
    notes = import_python(ROOT).notes
    assert [str(note) for note in notes] == ["line 4: the check stands before the loop and is read as a precondition"]


def test_a_range_counts_with_its_own_variable_only_where_that_is_the_same() -> None:
    plain = "def f(n: int):\n    s = 0\n    for i in range(1, n):\n        s += i\n    assert s >= 0"
    assert "while (i < n) {\n    s := s + i;\n    i := i + 1;" in read(plain)
    later = "def f(n: int):\n    s, i = 0, 0\n    for i in range(1, n):\n        s += i\n    assert i >= 0"
    assert "while (i_next < i_end) {\n    i := i_next;\n    i_next := i_next + 1;" in read(later)
    changed = "def f(n: int):\n    for i in range(n):\n        n = n - 1\n    assert n >= 0"
    assert "i_end := n;" in read(changed)


CHECKS = """
def f(n: int):
    x = n // 2
    assert x > 1
    while x > 0:
        x -= 1
        assert n > 0
    assert x == 0
"""
EARLY = """
def f(n: int):
    if n == 0:
        return 0
    assert n > 0
    s = 0
    while s < n:
        s += 1
    return s
"""


def test_asserts_before_the_loop_are_preconditions_and_those_after_it_the_guarantee() -> None:
    source = read(CHECKS)
    assert "assume(x > 1);" in source
    assert source.count("assert(") == 2
    assert "assume(n > 0);" in read(EARLY)


HELPED = """
def tri(n: int) -> int:
    assert n >= 0
    if n == 0:
        return 0
    return n + tri(n - 1)

def unused():
    pass

def f(k: int):
    assert k > 0
    i = 0
    while i < k:
        i += 1
    assert tri(i) >= i
"""


def test_helpers_come_along_with_their_contracts() -> None:
    source = read(HELPED)
    assert "fn tri(n: int): int {\n  pre(n >= 0);" in source
    assert "unused" not in source


RENAMED = """
def main(old: int, größe: int):
    result = old
    while result > größe:
        result -= 1
    assert result <= größe or old <= größe
"""


def test_names_that_sip_has_itself_are_changed_and_told() -> None:
    imported = import_python(RENAMED)
    assert "fn main(old_2, gr__e: int) {" in imported.source
    assert "line 2: the parameter old is called old_2" in map(str, imported.notes)


DRAWN = """
import random
def f(n: int):
    x = random.randint(1, n)
    up = random.choice([True, False])
    while x > 0:
        x -= 1
    assert x == 0 or up
"""


def test_random_values_are_choices() -> None:
    assert "assert(1 <= n);\n  cassign([x], 1 <= x <= n);\n  cassign([up], true);" in read(DRAWN)


LEAVING = """
def f(a: int):
    while a > 0:
        a -= 1
        if a == 3:
            return 1
    return a
"""


def test_loops_are_left_by_break_and_return() -> None:
    assert "if (a = 3) {\n      return 1;\n    }" in read(LEAVING)
    assert "if (a = 3) {\n      break;\n    }" in read(LEAVING.replace("return 1", "break"))


REFUSED = [
    ("def f(n):\n    n = n or 5\n    return n", "2:9", "a number may be the value of this", "an if statement"),
    ("def f(a: int, b: int):\n    return a / b", "2:12", "floating point", "`//`"),
    ("def f(a: int):\n    return a + 0.5", "2:16", "floating point", "Fraction(1, 2)"),
    ("def f(a: list):\n    return 0", "1:10", "the type list is not read", ""),
    ("def f(a: int):\n    x = [[a]]\n    return 0", "2:10", "a list is not read", ""),
    ("def f(a: int):\n    if a > 0:\n        y = 1\n    return y", "4:12", "y may have no value here", ""),
    ("def f(a: int):\n    for i in range(a):\n        pass\n    return i", "4:12", "i may have no value here", ""),
    ("def f(a: int):\n    x = True\n    x = a\n    return x", "3:9", "x is a bool elsewhere, and an int here", ""),
    ("def f(a: int):\n    return True + a", "2:12", "a truth value is used as a number", ""),
    ("def f(a: int):\n    return a == True", "2:17", "a truth value is compared like a number", ""),
    ("import os\ndef f(a: int):\n    return a", "1:1", "the module os is not read", ""),
    ("def f(a: int):\n    global x\n    return a", "2:5", "global is not read", ""),
    (LEAVING.replace("return 1", "return").replace("return a", "a = 1"), "6:13", "return without a value", ""),
    ("def f(a: int):\n    if a > 0:\n        return 1", "1:1", "others none", ""),
    ("def g(a: int) -> int:\n    return f(a - 1)\ndef f(a: int) -> int:\n    return g(a)", "2:12", "through another", ""),
    ("def f(a: int):\n    return min(a, 2)\nmin = 3", "3:1", "min is a name of Python itself", ""),
    ("def f(a: int):\n    return a\nf = abs(f)", "3:1", "f is a function of the file", ""),
    ("def f(a: int):\n    return a\na = b = 4\nprint(f(a))\ndef g(n: int):\n    return b", "6:12", "b has no value", ""),
    ("def f(a: int):\n    x = float(input())\n    return a", "2:9", "this call of float", ""),
    ("def f(a: int):\n    match a:\n        case [a, *_]:\n            a = 2\n    return a", "2:5", "match is not read", ""),
    ("def f(a: int):\n    return a in a", "2:17", "`in` is read only of", "x in range(n)"),
    ("def f(a: int):\n    def g(b: int) -> int:\n        return a + b\n    return g(1)", "2:5", "a function inside", ""),
    ("def g(a: int):\n    return a\ndef f(a: int):\n    return g(a)", "1:1", "does not say what it returns", ""),
    ("@cached\ndef f(a: int):\n    return a", "1:2", "decorators", ""),
    ("def f(*a):\n    return 0", "1:1", "only plain parameters", ""),
    ("def f(a: int):\n    return b", "2:12", "b has no value", ""),
    ("def f(a: int):\n    é = (a, )\n    return 0", "2:9", "a tuple is not read", ""),
    ("def f(a: int)\n    return 0", "1:14", "this is no Python", ""),
    ("x = 1\nx = 2\ndef f(a: int):\n    return x", "2:1", "assigned twice", ""),
    ("def f(a: int):\n    return eval('a')", "2:12", "this call of eval is not read", ""),
    ("def f(a: int):\n    abs = a\n    return abs(a)", "3:12", "abs is a variable here", ""),
    ("def f(a: int):\n    a |= 3\n    return a", "2:5", "not read", ""),
    ("class C:\n    pass\ndef f(a: int):\n    return a", "1:1", "outside of functions", ""),
]  # fmt: skip
"""A text, where it is refused, why, and a part of the hint."""


@pytest.mark.parametrize(("text", "place", "reason", "hint"), REFUSED, ids=[row[2] for row in REFUSED])
def test_what_is_refused(text: str, place: str, reason: str, hint: str) -> None:
    with pytest.raises(ImportRefused) as refused:
        import_python(text)
    assert (f"{refused.value.line}:{refused.value.column}", reason in refused.value.reason) == (place, True), refused.value
    assert hint in refused.value.hint


SCRIPT = """
STEP = 2
print("a number?")
n = int(input())
def twice(x: int) -> int:
    return STEP * x
total = 0
i = 0
while i < n:
    total += twice(i)
    i = i + 1
i = 7
if __name__ == "__main__":
    assert total >= 0 or n < 0
"""


def test_statements_outside_of_functions_are_played_where_they_have_the_loops() -> None:
    imported = import_python(SCRIPT)
    assert "fn main(n: int) {" in imported.source
    assert imported.source.index("i := 0") < imported.source.index("while") < imported.source.index("i := 7")
    notes = " ".join(map(str, imported.notes))
    assert "the statements outside of functions are read as a function main" in notes
    assert "what is typed at the beginning is read as inputs: n" in notes
    run = load(imported.source).run(n=4)
    assert [run.trace.rows[-1][run.trace.columns.index(name)] for name in ("total", "i")] == [12, 4]
    named = import_python(SCRIPT, "twice")
    assert "while" not in named.source
    assert "is left out" in " ".join(map(str, named.notes))


TRIES = """
def count(n: int) -> int:
    if n < 0:
        raise ValueError
    i = 0
    while i < n:
        i += 1
    assert i == n
    return i

for k in range(10):
    print(count(k))
"""


def test_statements_that_only_try_out_functions_are_left_out() -> None:
    imported = import_python(TRIES)
    assert imported.source.startswith("fn count(n: int): int {\n  pre(n >= 0);")
    assert "line 11: what is done when the file is started as a program is left out" in map(str, imported.notes)


def test_numbers_that_are_typed_are_any_numbers() -> None:
    text = "def f():\n    a, b = map(int, input().split())\n    while a < b:\n        a += 1\n"
    source = read(f"{text}    c = int(input('c'))\n    assert a >= b\n")
    assert "cassign([a], true);\n  cassign([b], true);" in source
    assert "cassign([c], true);" in source


def test_a_function_that_calls_itself_is_called_by_another() -> None:
    imported = import_python(HELPED.split("def unused")[0].replace("    assert n >= 0", "    if n < 0:\n        raise ValueError"))
    assert imported.source.endswith("fn call_tri(n: int): int {\n  pre(n >= 0);\n  return tri(n);\n}\n")
    assert imported.source.startswith("fn tri(n: int): int {\n  pre(n >= 0);")


def test_functions_inside_of_functions_stand_outside_where_they_use_nothing_of_it() -> None:
    inner = "    def half(k: int) -> int:\n        return k // 2\n"
    text = f"def f(n: int):\n{inner}    while n > 0:\n        n = half(n)\n    assert n <= 0\n"
    assert read(text).startswith("fn half(k: int): int {")
    # Another function that speaks of `half` means something else.
    with pytest.raises(ImportRefused):
        import_python(f"def other(n: int) -> int:\n    return half(n)\n{text}    other(n)\n")


def test_texts_that_are_too_deep_are_refused() -> None:
    for value in ("-" * 5_000 + "a", "a" + " + a" * 500):
        with pytest.raises(ImportRefused):
            import_python(f"def f(a: int):\n    return {value}")


def python_outcome(function: Any, inputs: tuple[int, int]) -> object:
    try:
        return function(*inputs)
    except AssertionError:
        return "assert"
    except ZeroDivisionError:
        return "zero-divisor"
    except IndexError:
        return "index"


@pytest.mark.parametrize(("made", "programs"), [(RandomPython, PROGRAMS), (RandomPythonLists, LIST_PROGRAMS)])
def test_a_reading_does_what_python_does(made: type[RandomPython], programs: int) -> None:
    outcomes: dict[str, int] = {}
    for seed in range(programs):
        text = made(seed).text()
        program = load(import_python(text).source)
        scope: dict[str, Any] = {}
        exec(compile(text, f"seed {seed}", "exec"), scope)
        for inputs in INPUTS:
            expected = python_outcome(scope["main"], inputs)
            run = program.run(dict(zip("ab", inputs, strict=True)))
            shown = f"seed {seed}, inputs {inputs}\n{text}\n{program.text}\n{run.message}\nPython: {expected}"
            match run.outcome.kind:
                case "returned":
                    outcome = "value"
                    assert isinstance(run.outcome.value, bool) == isinstance(expected, bool), shown
                    assert run.outcome.value == expected, shown
                case "failed":
                    outcome = run.outcome.cause
                    assert expected == {"callee-pre": "assert"}.get(outcome, outcome), shown
                case _:
                    outcome = run.outcome.cause
                    assert outcome in ("pre", "assume", "number-too-large", "steps"), shown
                    assert outcome not in ("pre", "assume") or expected in ("assert", "zero-divisor", "index"), shown
            outcomes[outcome] = outcomes.get(outcome, 0) + 1
    assert outcomes["value"] > programs
    assert min(outcomes["zero-divisor"], outcomes["assert"]) > 2
