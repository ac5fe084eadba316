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
SORTING = ExportExample(
    "sorting",
    """\
fn main(a: int[]) {
  post(sorted(a, 0..len(a) - 1));
  post(permutation(a, old(a)));
  var n: nat := len(a);
  while (n > 1) {
    var j: nat := 1;
    while (j < n) {
      if (a[j - 1] > a[j]) {
        swap(a, j - 1, j);
      }
      j := j + 1;
    }
    n := n - 1;
  }
}
""",
    (
        (1, "n <= len(a)"),
        (1, "sorted(a, n..len(a) - 1)"),
        (1, "forall p in 0..n - 1: forall q in n..len(a) - 1: a[p] <= a[q]"),
        (1, "permutation(a, old(a))"),
        (2, "1 <= j & j <= n & n <= len(a)"),
        (2, "forall k in 0..j - 1: a[k] <= a[j - 1]"),
        (2, "sorted(a, n..len(a) - 1)"),
        (2, "forall p in 0..n - 1: forall q in n..len(a) - 1: a[p] <= a[q]"),
        (2, "permutation(a, old(a))"),
    ),
    ((1, "n"), (2, "n - j")),
)
COPYING = ExportExample(
    "copies and calls",
    """\
fn largest(b: nat[]): nat {
  pre(len(b) > 0);
  post(forall k in 0..len(b) - 1: b[k] <= result);
  var i: nat := 1;
  result := b[0];
  while (i < len(b)) {
    result := max(result, b[i]);
    i := i + 1;
  }
}

fn main(a: nat[], b_length: nat) {
  var b: nat[b_length + 1];
  var m: nat;
  if (len(a) > 0) {
    b := a;
  }
  m := largest(b);
  b[0] := m + 1;
  assert(exists k in 0..len(b) - 1: b[k] > m);
  assert(len(a) > 0 -> (forall k in 1..len(b) - 1: b[k] = a[k]) & a[0] <= m);
  assert((count k in 0..0: b[k] = m + 1) = 1);
}
""",
    ((1, "1 <= i & i <= len(b)"), (1, "forall k in 0..i - 1: b[k] <= result")),
)
ARRAYS = (MAXIMUM, SUM_OF_CELLS, SORTING, COPYING)
"""Programs with arrays."""
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


TRUE_OF_ARRAYS = (
    "assert(len(a) >= 0);",
    "assert(0 <= k & k < len(a) -> a[k] - a[k] = 0);",
    "assert(forall i in 3..2: a[i] > 0);",
    "assert(!(exists i in 0..-1: true));",
    "assert(forall i in 0..k: forall j in 0..i: j <= k);",
    "assert(a = b -> len(a) = len(b));",
    "assert(a = b & 0 <= k & k < len(a) -> a[k] = b[k]);",
    "assert((sum i in 0..-1: a[i]) = 0);",
    "assert(len(a) > 1 -> (sum i in 0..1: a[i]) = a[0] + a[1]);",
    "assert(len(a) > 1 & a[1] = 3 & a[0] = 2 -> (count i in 0..1: a[i] = 3) = 1);",
    "assert(permutation(a, a));",
    "assert(permutation(a, b) -> len(a) = len(b));",
    "assert(len(a) = 3 & sorted(a, 0..2) -> a[0] <= a[2]);",
    "assert(len(a) = 3 & a[0] <= a[1] & a[1] <= a[2] -> sorted(a, 0..2));",
    "assert(sorted(a, 5..5) & sorted(a, 0..-7));",
    "if (len(a) > 0) { b := a; b[0] := 7; assert(a = old(a) & b[0] = 7 & len(b) = len(a)); }",
    "if (len(a) > 1) { swap(a, 0, 1); assert(a[0] = old(a)[1] & a[1] = old(a)[0]); }",
    "if (len(a) > 1) { swap(a, 0, 1); assert(permutation(a, old(a))); }",
    "if (len(a) > 1) { swap(a, 1, 1); assert(a = old(a)); }",
    "var c: nat[3]; assert(c[0] >= 0 & len(c) = 3);",
    "var c: int[2]; while (k > 0) { c[0] := k; k := k - 1; } assert(len(c) = 2);",
    "var c: rat[1]; c[0] := k; c[0] := c[0] / 2; assert(2 * c[0] = k);",
    "var c: bool[1]; c[0] := k > 0; assert(c[0] -> k >= 1);",
)
"""Statements over arrays a and b and a number k, all of int, that never fail."""
FALSE_OF_ARRAYS = (
    "assert(a[0] = a[0]);",
    "assert(forall i in 0..len(a): a[i] = a[i]);",
    "assert(0 <= k & k <= len(a) -> a[k] = a[k]);",
    "assert(k < len(a) -> a[k] = a[k]);",
    "assert(exists i in 0..len(a) - 1: a[i] = a[i]);",
    "assert(forall i in 0..1: i = 0);",
    "assert(len(a) = len(b) -> a = b);",
    "assert(a != b);",
    "assert(sorted(a, 0..len(a) - 1));",
    "assert(sorted(a, 0..1) | true);",
    "assert(len(a) > 1 -> (sum i in 0..1: a[i]) = a[0]);",
    "assert(len(a) > 0 -> (sum i in 0..0: a[i]) = 0);",
    "assert(len(a) > 1 -> (count i in 0..1: a[i] = 3) <= 1);",
    "assert(len(a) = len(b) -> permutation(a, b));",
    "assert(permutation(a, b) -> a = b);",
    "assert(len(a) = 1 & len(b) = 1 & permutation(a, b) -> a[0] = 0);",
    "a[0] := 1;",
    "if (len(a) > 0) { b := a; b[0] := a[0] + 1; assert(a = b); }",
    "if (len(a) > 0) { a[0] := 1; assert(a[0] = old(a)[0]); }",
    "if (len(a) > 1) { swap(a, 0, 1); assert(a = old(a)); }",
    "if (len(a) > 0) { swap(a, 0, len(a)); }",
    "if (len(a) > 1) { a[0] := a[1]; assert(permutation(a, old(a))); }",
    "var c: int[2]; assert(c[0] = c[1]);",
    "var c: int[2]; assert(c[2] = c[2]);",
    "var c: nat[2]; c[0] := k;",
    "var c: int[k]; assert(len(c) = k);",
    "var c: int[1]; c[0] := 5; while (k > 0) { c[0] := k; k := k - 1; } assert(c[0] = 5);",
)
"""Statements of the same kind that fail for some input."""


def stating(statements: str) -> ExportExample:
    """A program with these statements."""
    return ExportExample(statements, f"fn main(a: int[], b: int[], k: int) {{\n  {statements}\n}}\n")
