"""Programs for tests of measures."""

from __future__ import annotations

GCD = """\
fn main(n: nat, m: nat) {
  pre(n > 0 & m > 0);
  var a: int := n;
  var b: int := m;
  while (a != b) {
    if (a > b) { a := a - b; } else { b := b - a; }
  }
  assert(a = b);
}
"""
"""What it promises follows from its test. The measure `a + b` falls only where both are known to be positive."""
