"""One table of queries for every prover: texts, and whether the hypotheses imply the goal. A new row tests all provers."""

from __future__ import annotations

from idg.sip.checking.checker import FACT, Scope, check_boolean
from idg.sip.record import Record
from idg.sip.syntax import Type, type_named
from idg.sip.text.expressions import parse_expression
from idg.vc.query import Hypothesis, Query


class Example(Record):
    variables: str
    """Written as in the head of a function: 'x, y: int, k: nat'."""
    hypotheses: tuple[str, ...]
    goal: str
    valid: bool = True

    def query(self) -> Query:
        return make_query(self.variables, self.hypotheses, self.goal)

    def __str__(self) -> str:
        return f"{'; '.join(self.hypotheses)} |- {self.goal}"


def make_query(variables: str, hypotheses: tuple[str, ...] | list[str], goal: str) -> Query:
    """The type-checked query that the texts mean."""
    kinds: dict[str, Type] = {}
    waiting: list[str] = []
    for group in variables.split(",") if variables else ():
        name, _, kind = group.partition(":")
        waiting.append(name.strip())
        if kind:
            kinds |= dict.fromkeys(waiting, type_named(kind.strip()))
            waiting = []
    exprs = [parse_expression(text) for text in (*hypotheses, goal)]
    for expr in exprs:
        problems = check_boolean(expr, Scope(kinds, {}, {}), FACT, "the example")
        assert not problems, problems
    return Query(kinds, tuple(Hypothesis(expr) for expr in exprs[:-1]), exprs[-1])


def _examples(valid: bool, *rows: tuple[str, str, str]) -> list[Example]:
    return [Example(variables, tuple(filter(None, hypotheses.split("; "))), goal, valid) for variables, hypotheses, goal in rows]


VALID = _examples(
    True,
    # linear
    ("x, y: int", "x < y", "x + 1 <= y"),
    ("i, n: int", "i < n; i >= 0", "i + 1 <= n & i + 1 >= 0"),
    ("i, n: int", "i <= n; !(i < n)", "i = n"),
    ("x: nat", "", "x >= 0"),
    ("x, y: nat", "x + y = 0", "x = 0 & y = 0"),
    ("x, y, z: int", "x <= y <= z", "x <= z"),
    ("x, y: int", "2 * x + 3 * y = 7; x = 2", "y = 1"),
    ("x: int", "2 * x > 1; 2 * x < 5", "x = 1 | x = 2"),
    ("x, y: int", "2 * x = 2 * y + 1", "false"),
    ("x, y: int", "3 * x + 6 * y = 4", "x > 100"),
    ("x, y, s: int", "s = x + y; x > 0; y > 0", "s >= 2"),
    ("x: int", "x != 0; x > -1", "x >= 1"),
    # equalities that are not linear
    ("cnt, odd, sqr: int", "sqr = (cnt + 1)^2; odd = 2 * cnt + 1", "sqr + odd + 2 = (cnt + 2)^2"),
    ("n, x, y, z: int", "z = 6 * n + 6; y = 3 * n * n + 3 * n + 1; x = n * n * n", "x + y = (n + 1)^3"),
    ("n, s: int", "2 * s = n * (n + 1)", "2 * (s + n + 1) = (n + 1) * (n + 2)"),
    ("a, b, p, q, x, y: int", "q + a * b * p = x * y; a % 2 = 0", "q + (a // 2) * b * (2 * p) = x * y"),
    ("x, y: int", "x = y", "x^3 = y^3"),
    ("a, b: int", "", "(a + b)^2 = a^2 + 2 * a * b + b^2"),
    ("q, r, x, y: int", "x = q * y + r; r >= y", "x = (q + 1) * y + (r - y)"),
    ("x, y, z: int", "x * y = 0; y != 0", "x * z = 0"),
    ("i, n, s: int", "s = i * i; i <= n; !(i < n)", "s = n^2"),
    # inequalities with squares
    ("x: int", "", "x^2 >= 0"),
    ("x: int", "", "x^2 >= x"),
    ("x, y: int", "", "x^2 + y^2 >= 2 * x * y"),
    ("x, y: int", "0 <= x < y", "x^2 < y^2"),
    ("x, n: nat", "x^2 <= n", "x <= n"),
    ("x: int", "x^2 < 9", "-3 < x < 3"),
    ("x, y: int", "x > 0; y > 0", "x * y > 0"),
    ("x, y: int", "x * y > 0; x > 0", "y > 0"),
    ("a, cnt: int, n: nat", "a^2 <= n; n < (a + 1)^2; cnt^2 <= n; n < (cnt + 1)^2; a >= 0; cnt >= 0", "a = cnt"),
    ("x: int", "x^2 = x", "x = 0 | x = 1"),
    # parity and remainders
    ("x: int", "", "x * (x + 1) % 2 = 0"),
    ("x: int", "x % 2 = 1", "x^2 % 8 = 1"),
    ("x, y: int", "x % 2 = 0; y % 2 = 0", "(x + y) % 2 = 0"),
    ("x: int", "x % 6 = 0", "x % 2 = 0 & x % 3 = 0"),
    ("x: int", "x % 2 = 0; x % 3 = 0", "x % 6 = 0"),
    ("x: int", "", "x % 2 = 0 | x % 2 = 1"),
    ("x, y: int", "x % 3 = 1; y % 3 = 2", "x * y % 3 = 2"),
    ("x: int", "", "(x^3 - x) % 6 = 0"),
    # floor and mod
    ("x: int", "", "x = 2 * (x // 2) + x % 2"),
    ("x: int", "x % 2 != 0", "x // 2 = (x - 1) // 2"),
    ("x, y: int", "y > 0", "0 <= x % y < y"),
    ("x, y: int", "y != 0", "x = y * (x // y) + x % y"),
    ("x, y: nat", "y > 0", "x // y <= x"),
    ("x: nat", "x > 0", "x // 2 < x"),
    ("x: int", "", "-7 // 2 = -4 & -7 % 2 = 1"),
    ("x: int", "", "x // -2 = -x // 2"),
    ("x, y: nat", "y > x", "x // y = 0 & x % y = x"),
    # rationals
    ("x, y: rat", "x < y", "x < (x + y) / 2 & (x + y) / 2 < y"),
    ("x: rat", "x > 1", "x^2 > x"),
    ("x, y: rat", "x * y = 1", "x != 0"),
    ("x: rat", "2 * x = 1", "x = 0.5"),
    ("n: nat, s: rat", "s = n * (n + 1) / 2", "s + (n + 1) = (n + 1) * (n + 2) / 2"),
    ("r: rat, a: rat", "a > 0; r > 0; r = (r + a / r) / 2", "r^2 = a"),
    ("x: rat, k: int", "x = k / 3; k > 4", "x > 1"),
    ("a, b: int", "b > 0; a / b >= 2", "a >= 2 * b"),
    ("a, b: rat", "b != 0", "(a / b) * b = a"),
    ("a, b: int", "b != 0; a % b = 0", "a / b = a // b"),
    # Booleans
    ("p, q: bool", "p -> q; !q", "!p"),
    ("p, q: bool", "p | q; !p", "q"),
    ("p, q: bool", "p != q", "p | q"),
    ("p, q: bool", "p = q", "p -> q"),
    ("p: bool, x: int", "p = (x > 0); x = 3", "p"),
    ("p, q, r: bool", "p -> q; q -> r", "p -> r"),
    ("p, q: bool", "", "!(p & q) = (!p | !q)"),
    # powers
    ("k: nat, p: int", "p = 2^k", "2 * p = 2^(k + 1)"),
    ("k: nat", "", "2^k >= 1"),
    ("k: nat", "", "2^k > k"),
    ("k: nat", "k >= 1", "2^k % 2 = 0"),
    ("k: nat, x: int", "k = 0", "x^k = 1"),
    ("i, n: nat, p, x: int", "p = x^i; i < n", "p * x = x^(i + 1)"),
    ("i, n: nat, p, x: int", "p = x^i; i <= n; !(i < n)", "p = x^n"),
    ("i, j: nat", "i < j", "2^i < 2^j"),
    ("n: nat, s: int", "s = 2^n - 1", "2 * s + 1 = 2^(n + 1) - 1"),
    ("i, j: nat, x: int", "", "x^(i + j) = x^i * x^j"),
    ("e: nat, b, r, z, x: int, y: nat", "r * b^e = z; e > 0; e % 2 = 1", "(r * b) * b^(e - 1) = z"),
    # gcd
    ("a, b, x, y: int", "gcd(a, b) = gcd(x, y); a > b", "gcd(a - b, b) = gcd(x, y)"),
    ("a, b, x, y: int", "gcd(a, b) = gcd(x, y); b > a", "gcd(a, b - a) = gcd(x, y)"),
    ("a, b, x, y: nat", "gcd(a, b) = gcd(x, y); a = b", "a = gcd(x, y)"),
    ("a, b: int", "", "gcd(a, b) = gcd(b, a)"),
    ("a, b, g: nat", "gcd(a, b) = g; b = 0", "a = g"),
    ("a, b, x, y: nat", "gcd(a, b) = gcd(x, y); b != 0", "gcd(b, a % b) = gcd(x, y)"),
    ("a, b: nat", "a > 0", "a % gcd(a, b) = 0"),
    ("a, b: int", "", "gcd(a + b, b) = gcd(a, b)"),
    # ispow
    ("p: int", "ispow(p, 2)", "ispow(2 * p, 2)"),
    ("p: int", "ispow(p, 2); p > 1", "ispow(p // 2, 2) & p % 2 = 0"),
    ("p: int", "ispow(p, 3)", "p >= 1"),
    ("p: int", "p = 1", "ispow(p, 7)"),
    ("b, p: nat", "ispow(p, b)", "ispow(p * b, b)"),
    # abs, min, max
    ("x: int", "", "abs(x) >= 0"),
    ("x, y: int", "", "abs(x + y) <= abs(x) + abs(y)"),
    ("x, y: int", "", "min(x, y) <= max(x, y)"),
    ("x, y: int", "", "min(x, y) + max(x, y) = x + y"),
    ("x, y, z: int", "z = max(x, y, 0)", "z >= x & z >= y & z >= 0"),
    ("x, y: rat", "x < y", "min(x, y) = x"),
    ("x, y: int", "", "abs(x * y) = abs(x) * abs(y)"),
)

INVALID = _examples(
    False,
    ("x, y: int", "x < y", "x + 2 <= y"),
    ("i, n: int", "i <= n", "i = n"),
    ("x: int", "", "x >= 0"),
    ("x: nat", "", "x >= 1"),
    ("x, y: nat", "x + y = 1", "x = 0"),
    ("cnt, odd, sqr: int", "odd = 2 * cnt + 1", "sqr = (cnt + 1)^2"),
    ("n, s: int", "2 * s = n * (n + 1)", "2 * (s + n) = (n + 1) * (n + 2)"),
    ("x: int", "x^2 >= 4", "x >= 2"),
    ("x, y: int", "x < y", "x^2 < y^2"),
    ("x, y: int", "x * y > 0", "x > 0"),
    ("x, n: int", "x^2 <= n", "x < n"),
    ("x: int", "", "x % 2 = 0"),
    ("x: int", "x % 2 = 0; x % 4 != 0", "x % 3 = 0"),
    ("x, y: int", "x % 6 = 0; y % 4 = 0", "(x + y) % 12 = 0"),
    ("x: int", "x > 1000", "x > 1001"),
    ("x, y: int", "x = 3 * y; x > 100; x < 104", "y = 33"),
    ("x, y: int", "x^2 + y^2 = 25; x > 0; y > 0", "x < y"),
    ("x: int", "", "x // 2 * 2 = x"),
    ("x: int", "", "x // -2 = -(x // 2)"),
    ("x, y: int", "y != 0", "x % y >= 0"),
    ("x: int", "", "x // 2 < x"),
    ("x: rat", "", "x^2 >= x"),
    ("x, y: rat", "x < y", "x + 1 <= y"),
    ("x: rat", "2 * x = 1", "x = 0.4"),
    ("x: rat, k: int", "x = k / 3; k > 3", "x >= 1.5"),
    ("a, b: int", "b != 0; a / b >= 2", "a >= 2 * b"),
    ("p, q: bool", "p -> q; q", "p"),
    ("p, q: bool", "p | q", "p & q"),
    ("p: bool, x: int", "p = (x > 0)", "!p"),
    ("k: nat", "", "2^k > k + 1"),
    ("k: nat", "", "2^k % 2 = 0"),
    ("i, j: nat, x: int", "i < j", "x^i < x^j"),
    ("a, b: int", "", "gcd(a, b) >= 1"),
    ("a, b: nat", "a > 0; b > 0", "gcd(a, b) = 1"),
    ("a, b, c: nat", "gcd(a, b) = 1; gcd(b, c) = 1", "gcd(a, c) = 1"),
    ("p: int", "p >= 1; p % 2 = 0", "ispow(p, 2)"),
    ("p: int", "ispow(p, 2)", "ispow(p // 2, 2)"),
    ("x, y: int", "", "abs(x - y) = abs(x) - abs(y)"),
    ("x, y: int", "", "max(x, y) > min(x, y)"),
    ("x, y: int", "", "abs(x + y) = abs(x) + abs(y)"),
)

EXAMPLES = VALID + INVALID
"""The table that every prover is asked."""

LEMMAS = _examples(
    True,
    # parity
    ("n: int", "", "n % 2 = 0 | (n + 1) % 2 = 0"),
    ("n: int", "", "(n^2 + n) % 2 = 0"),
    ("n: int", "n % 2 = 0", "n^2 % 4 = 0"),
    ("n: int", "n % 2 = 1", "n^2 % 4 = 1"),
    ("n: int", "n^2 % 2 = 0", "n % 2 = 0"),
    ("m, n: int", "m % 2 = 1; n % 2 = 1", "(m + n) % 2 = 0"),
    ("m, n: int", "m % 2 = 1; n % 2 = 1", "m * n % 2 = 1"),
    ("m, n: int", "m % 2 = 0", "m * n % 2 = 0"),
    ("m, n: int", "(m + n) % 2 = 0", "(m - n) % 2 = 0"),
    ("m, n: int", "", "(m^2 - n^2) % 2 = (m - n) % 2"),
    ("n: int", "", "n * (n + 1) * (n + 2) % 6 = 0"),
    ("n: int", "", "n * (n + 1) * (2 * n + 1) % 6 = 0"),
    ("n: int", "n % 2 = 1", "(n^2 - 1) % 8 = 0"),
    ("m, n: int", "m^2 = 2 * n^2", "m % 2 = 0"),
    # squares
    ("n: int", "", "n^2 % 3 != 2"),
    ("n: int", "", "n^2 % 4 = 0 | n^2 % 4 = 1"),
    ("m, n: int", "", "(m^2 + n^2) % 4 != 3"),
    ("n: int", "", "n^2 % 5 != 2 & n^2 % 5 != 3"),
    ("n: int", "", "(n^5 - n) % 5 = 0"),
    ("n: int", "", "n * n * n % 7 = 0 | n * n * n % 7 = 1 | n * n * n % 7 = 6"),
    ("a, b: int", "", "a^2 - b^2 = (a - b) * (a + b)"),
    ("a, b: int", "", "(a - b)^2 = (b - a)^2"),
    ("a, b, c, d: int", "", "(a^2 + b^2) * (c^2 + d^2) = (a * c - b * d)^2 + (a * d + b * c)^2"),
    ("a, b: int", "a^2 = b^2", "a = b | a = -b"),
    ("a, b: nat", "a^2 = b^2", "a = b"),
    ("a, b: nat", "a^2 <= b^2", "a <= b"),
    ("n: nat", "", "n <= n^2"),
    ("n: int", "n^2 <= 0", "n = 0"),
    ("m, n: int", "m^2 + n^2 = 0", "m = 0 & n = 0"),
    ("n, k: int", "k < n < k + 1", "false"),
    ("n, k: nat", "k^2 < n^2; n^2 < (k + 1)^2", "false"),
    # floor and mod
    ("n: int", "", "(n + 2) // 2 = n // 2 + 1"),
    ("n: int", "", "n // 2 + (n + 1) // 2 = n"),
    ("n: int", "", "(n // 2) // 2 = n // 4"),
    ("n: int", "", "(n // 2) // 3 = n // 6"),
    ("n: int", "", "2 * (n // 2) <= n & n <= 2 * (n // 2) + 1"),
    ("n: int", "", "n % 10 % 5 = n % 5"),
    ("m, n: int", "", "(m + n) % 7 = (m % 7 + n % 7) % 7"),
    ("m, n: int", "", "m * n % 7 = (m % 7) * (n % 7) % 7"),
    ("m, n: int", "m % 5 = n % 5", "(m - n) % 5 = 0"),
    ("m, n: int", "m <= n", "m // 3 <= n // 3"),
    ("n: int", "", "-n // 2 = -((n + 1) // 2)"),
    ("a, b, q, r: int", "b > 0; a = b * q + r; 0 <= r < b", "a // b = q & a % b = r"),
    ("a, b: int", "b > 0", "(a + b) // b = a // b + 1"),
    ("a, b: int", "b > 0", "(a + b) % b = a % b"),
    ("a, b: int", "b > 0; a % b = 0", "(a // b) * b = a"),
    ("a, b, c: nat", "c > 0; a <= b", "a // c <= b // c"),
    ("a, b: nat", "b > 0", "a - a % b = b * (a // b)"),
    ("n: nat", "", "n % 9 = (n // 10 + n % 10) % 9"),
    # means and orders
    ("a, b: rat", "", "4 * a * b <= (a + b)^2"),
    ("a, b: rat", "a >= 0; b >= 0", "a * b <= ((a + b) / 2)^2"),
    ("a, b: rat", "", "((a + b) / 2)^2 <= (a^2 + b^2) / 2"),
    ("a, b, c: rat", "", "a * b + b * c + c * a <= a^2 + b^2 + c^2"),
    ("x: rat", "x > 0", "x + 1 / x >= 2"),
    ("a, b: rat", "0 < a <= b", "1 / b <= 1 / a"),
    ("a, b, c, d: rat", "", "(a * c + b * d)^2 <= (a^2 + b^2) * (c^2 + d^2)"),
    ("a, b, c: rat", "a >= 0; b >= 0; c >= 0", "3 * a * b * c <= a^3 + b^3 + c^3"),
    ("x, y: rat", "", "abs(abs(x) - abs(y)) <= abs(x - y)"),
    ("x: rat", "", "abs(x)^2 = x^2"),
    ("x: rat, n: nat", "x > 0; n = 2", "(1 + x)^n >= 1 + n * x"),
)
