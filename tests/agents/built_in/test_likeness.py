"""Programs of a first course whose invariants look like their guarantee: powers, remainders, helpers."""

from __future__ import annotations

import pytest

from idg.agents import Agent, LocalEngine
from idg.sip.program import load

PROGRAMS = {
    "logarithm": (
        "fn main(n: nat): nat { pre(n >= 1); post(2^result <= n & n < 2^(result + 1)); var k, p: nat; k := 0; p := 1;"
        " while (2 * p <= n) { p := 2 * p; k := k + 1; } return k; }"
    ),
    "logarithm by halving": (
        "fn main(n: nat): nat { pre(n >= 1); post(2^result <= n & n < 2^(result + 1)); var k, m: nat; k := 0; m := n;"
        " while (m > 1) { m := m // 2; k := k + 1; } return k; }"
    ),
    "number of digits": (
        "fn main(n: nat): nat { pre(n > 0); post(10^(result - 1) <= n & n < 10^result & result >= 1); var m, d: nat; m := n;"
        " d := 0; while (m > 0) { m := m // 10; d := d + 1; } return d; }"
    ),
    "sum of digits": (
        "fn main(n: nat): nat { post(result % 9 = n % 9); var m, s: nat; m := n; s := 0;"
        " while (m > 0) { s := s + m % 10; m := m // 10; } return s; }"
    ),
    "alternating sum of digits": (
        "fn main(n: nat) { var m: nat; var s, sign: int; m := n; s := 0; sign := 1;"
        " while (m > 0) { s := s + sign * (m % 10); sign := -sign; m := m // 10; } assert((s - n) % 11 = 0); }"
    ),
    "factorial": (
        "fn fact(n: nat): nat { var r: nat; if (n = 0) { r := 1; } else { r := n * fact(n - 1); } return r; }"
        " fn main(n: nat): nat { post(result = fact(n)); var f, i: nat; f := 1; i := 1;"
        " while (i <= n) { f := f * i; i := i + 1; } return f; }"
    ),
    "bounded by a product": (
        "fn main(n, m: nat) { var x, s, k: nat; x := n; s := 0;"
        " while (x > 0) { x := x - 1; cassign([k], k <= m); s := s + k; } assert(s <= n * m); }"
    ),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_it_is_solved(name: str) -> None:
    assert Agent(LocalEngine(load(PROGRAMS[name]))).play().outcome == "solved"
