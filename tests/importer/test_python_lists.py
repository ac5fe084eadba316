"""Lists of Python as arrays: readings run beside Python itself on random lists, and what is refused."""

from __future__ import annotations

import io
import random
from contextlib import redirect_stdout

import pytest

from idg.engine.verify import verify
from idg.importer import ImportRefused, import_python
from idg.prover.prove import Prover
from idg.sip.program import Program, load
from idg.sip.syntax import Type
from idg.sip.values import Value
from tests.support.volume import volume

LISTS = volume(40, 1_000)
"""Random inputs for each function."""
SHOW = "    for t in range(len(a)):\n        print(a[t])\n"
FUNCTIONS = {
    "sorts": (
        "def f(a: list[int]) -> int:\n    i = 1\n    while i < len(a):\n        j = i\n"
        "        while j > 0 and a[j - 1] > a[j]:\n            a[j - 1], a[j] = a[j], a[j - 1]\n            j -= 1\n"
        "        i += 1\n"
        f"{SHOW}    assert all(a[k] <= a[k + 1] for k in range(len(a) - 1))\n    return len(a)\n"
    ),
    "adds up": (
        "def f(a: list[int], n: int) -> int:\n    s = 0\n    for i in range(n):\n        s += a[i]\n        a[i] *= 2\n"
        f"{SHOW}    assert 2 * s == sum(a[k] for k in range(n))\n    return s\n"
    ),
    "the last cell": (
        "def f(a: list[int], n: int) -> int:\n    i = 0\n    while i < n:\n        a[-1] = a[-1] + a[-2]\n        i += 1\n"
        f"{SHOW}    return a[-1]\n"
    ),
    "goes through cells and their numbers": (
        "def f(a: list[int], n: int) -> int:\n    best = 0\n    for i, x in enumerate(a):\n        if x == n:\n"
        "            continue\n"
        f"        if x < a[best]:\n            best = i\n        a[i] = x\n{SHOW}"
        "    assert all(a[best] <= y or y == n for y in a)\n    assert not any(y > 90 for y in a)\n    return best + sum(a)\n"
    ),
    "else of loops": (
        "def f(a: list[int], n: int) -> int:\n    s = 0\n    for x in a:\n        s += x\n    else:\n        s += 1\n"
        "    i = 0\n    while i < len(a):\n        for k in range(3):\n            if a[i] == k:\n                break\n"
        "        else:\n            s += 100\n        if a[i] == n:\n            break\n        i += 1\n    else:\n"
        "        return -s\n    return s\n"
    ),
    "equal lists": (
        "def f(a: list[int], b: list[int]) -> int:\n    i = 0\n    while i < min(len(a), len(b)):\n        a[i] = b[i]\n"
        "        i += 1\n    if a == b:\n        return i\n    assert a != b\n    return -i\n"
    ),
    "goes through parts of lists": (
        "def f(a: list[int], b: list[int], n: int) -> int:\n    s = 0\n    for x in a[1:]:\n        s = 3 * s + x\n"
        "    for x in a[:-2]:\n        s = 3 * s + x\n    for x in a[1:-1]:\n        s = 3 * s + x\n        n += 1\n"
        "    for x, y in zip(a, b):\n        s = 2 * s + x * y\n        b[0] += 1\n    for x in reversed(b):\n"
        "        s = s * 2 - x\n        b[-1] = s\n    while b and n:\n        n -= 1\n        if not a:\n            return -s\n"
        "    return s if 3 in a and n not in b else -s\n"
    ),
    "the largest": (
        "def f(a: list[int], n: int) -> int:\n    best = n\n    for x in a:\n        best = max(best, x)\n"
        "    assert best >= max(a)\n    s = 0\n    if best == max(a):\n        s = 1\n    if min(a) > n - 4:\n        s += 2\n"
        "    assert n + 3 != s or min(a) == n\n    return s\n"
    ),
    "sorts, in Python's own words": (
        "def f(a: list[int]) -> int:\n    before = a[:]\n    n = len(a)\n    for i in range(n):\n"
        "        for j in range(0, n - i - 1):\n"
        "            if a[j] > a[j + 1]:\n                a[j], a[j + 1] = a[j + 1], a[j]\n    assert a == sorted(before)\n"
        "    assert sorted(a) == sorted(before) and a == sorted(a)\n    return 1 if before == sorted(before) else 0\n"
    ),
    "counts": (
        "def f(a: list[int], n: int) -> int:\n    c = 0\n    for x in a:\n        if x == n:\n            c += 1\n"
        "    assert c == a.count(n) == sum(1 for x in a if x == n) == sum([1 for k in range(len(a)) if a[k] == n])\n"
        "    assert all(x > 0 for x in a if x >= 1)\n    assert not any([x < 0 for x in a if x >= 0])\n    return c\n"
    ),
    "finds": (
        "def f(a: list[bool], n: int) -> int:\n    i = 0\n    while i < len(a):\n"
        "        if a[i]:\n            return i\n        i += 1\n"
        "    assert not any(a[k] for k in range(0, len(a)))\n    return -1\n"
    ),
    "goes through lists of its own": """\
def at(l: list[int], k: int) -> int:
    return l[k] if k < len(l) else -1


def f(a: list[int], n: int) -> int:
    b = a[:]
    c = [0] * (n - 1)
    d = [n] * 9
    w = [n, 2, n * n]
    s = at(w, n)
    for x in a:
        if len(b) > 1:
            b[0] += x
            a[-1] -= 1
        s += x
        if s > 9:
            break
    for y in b:
        s += 3 * y
    for y in c:
        s += y + 1
    for i in range(n):
        d[i] += at(a, i)
    return s + d[0]
""",
    "a sieve": """\
def f(n: int) -> int:
    prime = [True] * (n + 20)
    c = 0
    for i in range(2, len(prime)):
        if prime[i]:
            c += 1
            j = 2 * i
            while j < len(prime):
                prime[j] = False
                j += i
    return c
""",
    "an index of its own list": (
        "def f(a: list[int], n: int) -> int:\n    i = 0\n    while i < n and 0 <= a[i] < len(a):\n"
        "        a[a[i]] += 1\n        i = i + 1\n"
        f"{SHOW}    return i\n"
    ),
}


def in_python(text: str, inputs: dict[str, Value]) -> tuple[str, object, list[str]]:
    """How Python ends, what it returns and what it prints."""
    scope: dict[str, object] = {}
    exec(text, scope)
    function = scope["f"]
    assert callable(function)
    printed = io.StringIO()
    with redirect_stdout(printed):
        try:
            ended, value = "returned", function(*(list(given) if isinstance(given, tuple) else given for given in inputs.values()))
        except (AssertionError, IndexError, ValueError):
            ended, value = "failed", None
    return ended, value, printed.getvalue().splitlines()


def random_lists(rng: random.Random, program: Program) -> dict[str, Value]:
    inputs: dict[str, Value] = {}
    for name, kind in program.params.items():
        if kind.element is None:
            inputs[name] = rng.randint(0, 5)
        else:
            cells = range(rng.randint(0, 6))
            inputs[name] = tuple(rng.random() < 0.2 if kind.element is Type.BOOL else rng.randint(-4, 6) for _ in cells)
    return inputs


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_reading_runs_as_python_does(name: str) -> None:
    text = FUNCTIONS[name]
    program = load(import_python(text).source)
    rng = random.Random(name)
    ends = set()
    for _ in range(LISTS):
        inputs = random_lists(rng, program)
        ended, value, printed = in_python(text, inputs)
        run = program.run(inputs)
        assert (run.outcome.kind, run.outcome.value, run.printed) == (ended, value, printed), (inputs, program.text)
        ends.add(ended)
    assert "returned" in ends


def test_a_function_with_a_list_is_proved() -> None:
    head = "def f(a: list[int]) -> int:\n    assert len(a) > 0\n    i, m = 1, a[0]\n"
    text = head + "    while i < len(a):\n        m = max(m, a[i])\n        i += 1\n    return m\n"
    source = import_python(text).source
    assert source.startswith("fn f(a: int[]): int {\n  pre(len(a) > 0);\n")
    proved = source.replace("while (i < len(a))", "while [1 <= i & i <= len(a)] (i < len(a))")
    assert all(check.status == "proved" for check in verify(load(proved), Prover()))


@pytest.mark.parametrize("text", [
    "def f(n: int) -> list[int]:\n    assert n >= 0\n    a = [0] * n\n    for i in range(n):\n        a[i] = 1\n"
    "    assert all(y == 1 for y in a)\n    return a\n",
    "def f(x: int, y: int) -> tuple[int, int]:\n    assert x >= 0 and y > 0\n    q, r = 0, x\n    while r >= y:\n        r -= y\n"
    "        q += 1\n    assert x == q * y + r and r < y\n    return q, r\n",
], ids=["list", "tuple"])  # fmt: skip
def test_what_is_returned_besides_numbers_is_left_out_and_told(text: str) -> None:
    imported = import_python(text)
    assert "is no result here: facts speak of" in " ".join(map(str, imported.notes))
    assert load(imported.source).run(dict.fromkeys(load(imported.source).params, 4)).outcome.kind == "returned"
    # Elsewhere than at the end it is refused, and nothing is left out.
    with pytest.raises(ImportRefused):
        import_python(text.replace("    return", "    if 3 > 2:\n        return", 1))


def test_what_is_assumed_of_lists_is_noted() -> None:
    text = "def f(a: list[int], b: list[int], n: int):\n    i = 0\n    while i < n:\n        a[i] = b[i]\n        i += 1\n"
    notes = " ".join(map(str, import_python(text).notes))
    assert "an index must not be negative" in notes
    assert "each of their values must exist" in " ".join(map(str, import_python(FUNCTIONS["sorts"]).notes))
    assert "a and b are taken for different lists" in notes


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("    b = a\n", "only by its cells and its length"),
        ("    a = 3\n", "assigned as a whole"),
        ("    a.append(n)\n", "changes how long the list is"),
        ("    b = []\n", "would never get cells"),
        ("    b = [1, n > 0]\n", "truth values and numbers"),
        ("    b = [[0] * n] * n\n", "a list is not read"),
        ("    b = [0] * n\n    b = a[:]\n", "assigned as a whole"),
        ("    if n > 0:\n        b = [0] * n\n", "only outside of loops and branches"),
        ("    b = c = [0] * n\n", "a list is not read"),
        ("    b = a[1:]\n", "a slice is not read"),
        ("    b = a + a\n", "only by its cells"),
        ("    n = max(a)\n", "read only in comparisons"),
        ("    assert n <= max(a)\n", "only in `m == max(a)`"),
        ("    for x in a[1:]:\n        a[0] = x\n", "for goes only through a range"),
        ("    for x in g(n):\n        n += x\n", "for goes only through a range"),
        ("    for x in b:\n        n += x\n    b = [0]\n", "b may have no value here"),
        ("    n = a[0:2]\n", "a slice is not read"),
        ("    n = abs(a)\n", "only by its cells"),
        ("    n = len(n)\n", "only cells of lists"),
        ("    a[0] = n > 0\n", "cells of the type int"),
        ("    a[0], a[a[0]] = a[a[0]], a[0]\n", "only variables are assigned"),
        ("    a[g(n)] += 1\n", "would be made twice"),
        ("    assert all(a)\n", "only of a generator over a range"),
        ("    assert all(a[k] > 0 for k in range(9) if k > n if k < n)\n", "only of a generator over a range"),
        ("    n = sum(a[k] for k in range(9) if k > n)\n", "only where it counts"),
        ("    assert all(a[k] > 0 for k in range(0, 9, 2))\n", "this range is not read"),
        ("    assert all(a[n] > 0 for n in range(9))\n", "n is a variable of the function, too"),
    ],
)
def test_what_is_not_read_of_lists_is_refused(body: str, reason: str) -> None:
    with pytest.raises(ImportRefused) as caught:
        import_python(f"def g(x: int) -> int:\n    return x\n\n\ndef f(a: list[int], n: int):\n{body}    g(n)\n")
    assert reason in caught.value.reason


def test_a_helper_changes_no_list() -> None:
    """SIP hands over a copy, Python the list itself."""
    with pytest.raises(ImportRefused, match="the function g changes cells of a list"):
        import_python("def g(a: list[int]) -> int:\n    a[0] = 1\n    return 2\n\n\ndef f(a: list[int]):\n    n = g(a)\n")
