"""Texts about arrays that both implementations of the language are asked about, and a program whose helpers they call."""

ARRAY_PROGRAM = """
fn reversed(a: int[]): int {
  var b: int[len(a)];
  var i: nat;
  while (i < len(a)) { b[i] := a[len(a) - 1 - i]; i := i + 1; }
  return b[0];
}
fn smallest(a: int[]): int {
  pre(len(a) > 0); post(permutation(a, old(a)) & sorted(a));
  var i: nat := 1;
  while (i < len(a)) {
    var j: nat := i;
    while (j > 0) { if (a[j - 1] > a[j]) { swap(a, j - 1, j); j := j - 1; } else { break; } }
    i := i + 1;
  }
  return a[0];
}
fn fill(n: int, r: rat): nat {
  var b: nat[n];
  if (n > 2) { b[n - 3] := r; } else if (n = 2) { b[2] := 1; } else if (n = 1) { swap(b, 0, 1); }
  return len(b);
}
fn copies(a: int[], x: int): bool { var b: int[] := a; if (len(b) > 0) { b[0] := x; } var c: int[0]; c := b; return c = a; }
fn total(a: int[]): int { var s: int; s := sum k in 0..len(a) - 1: a[k]; return s; }
fn main(a, b: int[], c: rat[], f: bool[], n: nat, x: int): int { while (x > 0) { a[n] := x; x := x - 1; } return 1; }
"""
ARRAY_EDGES = (
    "smallest(a)", "smallest(b) <= total(b)", "reversed(a)", "fill(3, 1)", "fill(4, 1 / 2)", "fill(2, 0)", "fill(1, 0)",
    "fill(0, 0)", "fill(-1, 0)", "fill(1000, 0)", "fill(1001, 0)", "copies(a, x)", "total(a) + total(old(a))",
    "sum k in 0..len(a) - 1: a[k]", "sum k in 0..n: 2^65535", "sum k in 0..n: 2^65534 / 3", "sum k in 1..10000: k",
    "sum k in 1..10001: k", "sum k in 1..10000: count j in 1..3: f[0]", "forall j in 1..2: 10000 > count k in 1..9999: k > j",
    "sum k in 0..1: f[k]", "count k in 0..n: a[k]", "count k in 0..len(a) - 1: a[k] = x = 1",
    "x = sum k in 0..len(b) - 1: b[k] & f = f", "sum k in 3..0: a[k]", "sum + count", "sum(a)", "count(a, 1)", "sum k: a[k]",
    "sum k in 0..n: a[k] + k", "count k in 0..n: f[k] | f[k]", "sum k in 0..n: sum j in 0..n: 1",
    "count k in 0..n: x = sum j in 0..k: j", "sorted(a)", "sorted(c, 0..1)", "sorted(a, 1..n)", "sorted(f)", "sorted(a, 0, n)",
    "sorted()", "sorted", "sorted(old(a), 0..len(old(a)) - 1)", "sorted(a, 0..10001)", "sorted(a, 7..7)", "sorted(a, n..r)",
    "permutation(a, b)", "permutation(a, old(a))", "permutation(a)", "permutation(a, c)", "permutation(a, b, a)",
    "permutation(x, a)", "a = b", "a != old(a) = b", "a <= b", "a = 1", "a = c", "1 = a", "a = b = x", "old(a)[0] = a[0]",
    "old(a) [ 1 ]", "old(a)", "old(a)[0][1]", "len(old(a)) >= len(a)", "len(a, b)", "len(old(x))", "a", "-a", "!f", "a + b",
    "f & f", "max(a, b)", "gcd(a, 1)", "smallest(f)", "smallest(a, b)", "total(c)", "nothing(a)", "lenn(a)", "sortd(a)",
    "forall k in 0..n: sorted(a, k..k + 1) -> permutation(a, b)", "a[sum k in 0..1: k]",
    "forall k in 0..sum j in 0..1: j: k >= 0", "forall k in 0..n: sum k in 0..1: k > 0", "(sum k in 0..n: 1) + k",
    "(sum k in 0..n: k) * 2 ^ count k in 0..n: true", "-sum k in 0..2: k ^ 2",
    "forall k in 0..1: forall l in 0..1: sum m in 0..1: m >= 0", "exists k in 0..2^8192: k = 1", "forall k in 2^8192..0: true",
    "a[2^60]", "a[-2^60]", "c[0] = c[1] -> permutation(c, c)", "count k in 0..n: exists l in 0..k: a[l] = k & x = 1",
    "2 * sum k in 0..n: a[0] * x - 1",
)  # fmt: skip
"""Texts at which bounds are reached, words are names, or something is wrong."""
