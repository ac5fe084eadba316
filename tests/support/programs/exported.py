"""Programs with invariants for the exporters, and what SIP's operations mean, as asserts that are true and that are false."""

from __future__ import annotations

from idg.export.exporting import export
from idg.sip.program import load
from idg.sip.record import Record, replace
from idg.sip.syntax import Expr


class ExportExample(Record):
    name: str
    text: str
    invariants: tuple[tuple[int, str], ...] = ()
    measures: tuple[tuple[int, str], ...] = ()

    def exported(self, target: str) -> str:
        program = load(self.text)
        invariants: dict[int, list[Expr]] = {}
        for loop, fact in self.invariants:
            invariants.setdefault(loop, []).append(program.proposal(fact, loop))
        measures = {loop: program.measure(text, loop) for loop, text in self.measures}
        return export(program, invariants, measures, target)


SQUARE_ROOT = ExportExample(
    "square root",
    """\
fn main(n: nat): int {
  post(result^2 <= n & n < (result + 1)^2);
  var cnt, sqr, odd: int;
  cnt := 0;
  sqr := 1;
  odd := 1;
  while (sqr <= n) {
    cnt := cnt + 1;
    odd := odd + 2;
    sqr := sqr + odd;
  }
  return cnt;
}
""",
    ((1, "cnt >= 0"), (1, "odd = 2 * cnt + 1"), (1, "sqr = (cnt + 1)^2"), (1, "cnt^2 <= n")),
)
WORDS = ExportExample(
    "words of other languages",
    """\
fn method(let: nat, Lemma: int): int {
  pre(let > 0);
  post(result = old(Lemma) + let);
  var while_, result_, invariant: int;
  while_ := 0;
  invariant := Lemma;
  while (while_ < let) {
    while_ := while_ + 1;
    Lemma := Lemma + 1;
  }
  result_ := Lemma;
  return result_;
}
""",
    ((1, "while_ <= let"), (1, "Lemma = old(Lemma) + while_"), (1, "while_ >= 0")),
    ((1, "let - while_"),),
)
CHOICES = ExportExample(
    "choices and nested loops",
    """\
fn main(n: nat, flag: bool) {
  var i, j, s: nat;
  i := 0;
  s := 0;
  while (i < n) {
    j := 0;
    while (j < 3 & flag) {
      var d: int;
      cassign([d], 0 <= d & d <= 10 // (j + 1));
      s := s + d;
      j := j + 1;
    }
    assume(s % 2 = 0 | !flag);
    i := i + 1;
  }
  claim(i = n);
  assert(flag | s = 0);
}
""",
    ((1, "i <= n"), (1, "!flag -> s = 0"), (2, "i < n"), (2, "!flag -> s = 0")),
    ((1, "n - i"), (2, "3 - j")),
)
HELPERS = ExportExample(
    "helpers",
    """\
fn double(x: nat): nat {
  post(result = 2 * x);
  var k: nat := 0;
  result := 0;
  while (k < x) {
    k := k + 1;
    result := result + 2;
  }
}

fn main(n: nat) {
  var i, s: nat := 0;
  while (i < n) {
    i := i + 1;
    if (i > 0 & double(i) >= 2) {
      s := s + double(i);
    }
  }
  assert(s = n * (n + 1));
}
""",
    ((1, "i <= n"), (1, "s = i * (i + 1)"), (2, "result = 2 * k"), (2, "k <= x")),
)
LEAVING = ExportExample(
    "leaving early",
    """\
fn main(n: int): int {
  pre(n >= 2);
  post(2 <= result & result <= n & n % result = 0);
  var d: int := 3;
  var twice: int := 6;
  if (n % 2 = 0) {
    return 2;
  }
  while (true) {
    if (twice >= 2 * n) {
      break;
    }
    if (n % d = 0) {
      return twice // 2;
    }
    d := d + 1;
    twice := twice + 2;
  }
  return n;
}
""",
    ((1, "d >= 3"), (1, "twice = 2 * d")),
    ((1, "n - d"),),
)
FRACTIONS = ExportExample(
    "fractions",
    """\
fn main(n: nat) {
  var x: rat := 1;
  var i: nat := 0;
  var y: int;
  while (i < n) {
    x := x / 2 + 1 / 2;
    i := i + 1;
  }
  y := x + 1;
  assert(y = 2 & min(x, 3) = 1 & abs(-x) = 1);
}
""",
    ((1, "x = 1"),),
)
POWERS = ExportExample(
    "powers",
    """\
fn main(n: nat) {
  var x: int := 1;
  var i: nat := 0;
  while (i < n) {
    x := x * 2;
    i := i + 1;
  }
  assert(x = 2^n);
}
""",
    ((1, "x = 2^i"), (1, "i <= n")),
)
BACK_AND_FORTH = ExportExample(
    "a measure of two components",
    """\
fn main(n: nat, m: nat) {
  var i, j: nat;
  i := n;
  j := m;
  while (i > 0) {
    if (j > 0) {
      j := j - 1;
    } else {
      i := i - 1;
      j := m;
    }
  }
  assert(i = 0);
}
""",
    (),
    ((1, "i, j"),),
)
EXAMPLES = (SQUARE_ROOT, WORDS, CHOICES, HELPERS, LEAVING, FRACTIONS, POWERS, BACK_AND_FORTH)
MAXIMUM = ExportExample(
    "maximum of an array",
    """\
fn main(a: int[], n: nat): int {
  pre(n = len(a) & n > 0);
  post(forall k in 0..n - 1: a[k] <= result);
  var i: nat := 1;
  var m: int := a[0];
  while (i < n) {
    if (a[i] > m) {
      m := a[i];
    }
    i := i + 1;
  }
  return m;
}
""",
    ((1, "1 <= i & i <= n"), (1, "n = len(a)"), (1, "forall k in 0..i - 1: a[k] <= m")),
)
SUM_OF_CELLS = ExportExample(
    "sum of cells",
    """\
fn main(a: int[]) {
  var i: nat := 0;
  var s: int := 0;
  while (i < len(a)) {
    s := s + a[i];
    a[i] := 0;
    i := i + 1;
  }
  assert(s = sum k in 0..len(a) - 1: old(a)[k]);
}
""",
    (
        (1, "i <= len(a)"),
        (1, "len(a) = len(old(a))"),
        (1, "forall k in i..len(a) - 1: a[k] = old(a)[k]"),
        (1, "s = sum k in 0..i - 1: old(a)[k]"),
    ),
)
ARRAYS = (MAXIMUM, SUM_OF_CELLS)
"""Programs with arrays, which are exported as conditions only."""
WRONG_MEASURES = (
    replace(BACK_AND_FORTH, measures=((1, "j, i"),)),
    replace(WORDS, measures=((1, "while_"),)),
    replace(CHOICES, measures=((1, "n - i"), (2, "-j"))),
)
"""Programs with measures that do not fall, or that fall for ever."""

TRUE_OF_SIP = (
    "7 // 2 = 3",
    "-7 // 2 = -4",
    "7 // -2 = -4",
    "-7 // -2 = 3",
    "7 % 2 = 1",
    "-7 % 2 = 1",
    "7 % -2 = -1",
    "-7 % -2 = -1",
    "k % 3 >= 0",
    "k < 0 -> 5 % k <= 0",
    "k != 0 -> 12 = k * (12 // k) + 12 % k",
    "k < 0 | 2^k * 0 = 0",
    "k = 0 -> 0^k = 1",
    "7 / 2 = 3.5",
    "k = 0 | 10 / k * k = 10",
    "gcd(12, 18) = 6",
    "gcd(0, 0) = 0",
    "gcd(-4, 6) = 2",
    "ispow(8, 2)",
    "!ispow(6, 2)",
    "ispow(1, k)",
    "-2^2 = -4",
    "10 - (4 - 3) = 9",
    "10 - 4 - 3 = 3",
    "(true -> false) -> false",
    "min(k, 3) <= max(k, 3)",
    "0.1 + 0.2 = 0.3",
)
"""Asserts that hold for every int k; obligations such as `k != 0 -> …` guard what follows them."""
FALSE_OF_SIP = (
    "-7 // 2 = -3",
    "7 // -2 = -3",
    "-7 % 2 = -1",
    "7 % -2 = 1",
    "10 // k * k <= 10",
    "10 - 4 - 3 = 9",
    "7 / 2 = 3",
    "2^k > 0",
    "2^k * 0 = 0 | k < 0",
    "k < 2^70",
    "gcd(12, 18) = 3",
    "ispow(6, 2)",
    "k * k > 0",
)
"""Asserts that fail for some int k, by their value or because they have none."""


def asserting(condition: str) -> ExportExample:
    """A program that asserts the condition of its input."""
    return ExportExample(condition, f"fn main(k: int) {{\n  assert({condition});\n}}\n")
