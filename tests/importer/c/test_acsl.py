"""Contracts of ACSL as people write them for Frama-C: quantifiers, cells that exist, behaviors, contracts of several functions."""

from __future__ import annotations

import pytest

from idg.engine.verify import verify
from idg.importer import ImportRefused, import_c
from idg.prover.prove import Prover
from idg.sip.program import load

MAXIMUM = """\
/*@ requires n > 0 && \\valid_read(a + (0 .. n-1));
  @ assigns \\nothing;
  @ ensures \\forall integer k; 0 <= k < n ==> \\result >= a[k];
  @ ensures \\exists integer k; 0 <= k < n && \\result == a[k];
  @*/
int max_seq(const int *a, int n) {
  int m = a[0];
  /*@ loop invariant 1 <= i <= n;
    @ loop invariant \\forall integer k; 0 <= k < i ==> m >= a[k];
    @ loop invariant \\exists integer k; 0 <= k < i && m == a[k];
    @ loop assigns i, m;
    @ loop variant n - i;
    @*/
  for (int i = 1; i < n; i++)
    if (a[i] > m) m = a[i];
  return m;
}
"""
BEHAVIORS = """\
/*@ requires x > -1000;
    assigns \\nothing;
    behavior negative: assumes x < 0; ensures \\result == -x;
    behavior other: assumes x >= 0; assigns \\nothing; ensures \\result == x;
    complete behaviors; disjoint behaviors; */
int distance(int x) { if (x < 0) x = -x; return x; }
"""
SEVERAL = """\
/*@ requires b >= 0; ensures \\result == a * b; */
int mul(int a, int b) {
  int r = 0;
  //@ loop invariant 0 <= i <= b && r == a * i;
  for (int i = 0; i < b; i++) r += a;
  return r;
}
/*@ requires n >= 1; ensures \\result >= 1; */
int fact(int n) {
  int f = 1;
  //@ loop invariant f >= 1 && 1 <= i <= n + 1;
  for (int i = 1; i <= n; i++) f = mul(f, i);
  return f;
}
"""


@pytest.mark.parametrize("text", [MAXIMUM, BEHAVIORS, SEVERAL], ids=["quantifiers", "behaviors", "several"])
def test_contracts_are_proved_with_the_invariants_that_the_file_states(text: str) -> None:
    checks = verify(load(import_c(text).source), Prover())
    assert checks
    assert all(check.status == "proved" for check in checks), [str(check) for check in checks if check.status != "proved"]


@pytest.mark.parametrize(("old", "new"), [
    ("m >= a[k];\n    @ loop invariant \\exists", "m > a[k];\n    @ loop invariant \\exists"),
    ("\\result >= a[k]", "\\result > a[k]"),
    ("\\result == -x", "\\result == x"),
    ("\\result == a * b", "\\result == a + b"),
    ("ensures \\result >= 1", "ensures \\result >= 2"),
])  # fmt: skip
def test_wrong_contracts_are_not_proved(old: str, new: str) -> None:
    [text] = [text for text in (MAXIMUM, BEHAVIORS, SEVERAL) if old in text]
    checks = verify(load(import_c(text.replace(old, new)).source), Prover())
    assert any(check.status != "proved" for check in checks)


@pytest.mark.parametrize(("condition", "holds"), [
    ("\\forall integer k; 0 <= k < n ==> a[k] > 0", True),
    ("\\forall integer k; 0 <= k && k <= n - 1 ==> a[k] != 3", False),
    ("\\forall int k; n > k >= 0 ==> k != 2 ==> a[k] != 3", True),
    ("\\forall integer i, j; 0 <= i < j < n ==> a[i] < a[j]", True),
    ("\\forall integer i, j; 0 <= i <= j < n ==> a[i] < a[j]", False),
    ("\\forall integer j, i; 0 <= i && i < j && j < n ==> a[i] < a[j]", True),
    ("\\exists integer k; 0 <= k < n && a[k] == 5", True),
    ("\\exists integer k; 0 <= k < n && a[k] == 4", False),
    ("\\exists integer i, j; 0 <= i < j < n && a[i] + a[j] == 8", True),
    ("\\exists integer i, j; 0 <= i < j < n && a[i] + a[j] == 2", False),
    ("(\\forall integer n; 0 <= n < 2 ==> a[n] < 3) && (\\exists integer n; 2 <= n < 4 && a[n] == n + 1)", True),
    ("\\forall integer i; 0 <= i < n ==> \\exists integer j; i <= j < n && a[j] >= 5", True),
    ("!(\\forall integer i; 0 < i <= n ==> i < 4) || n == 0", True),
    ("\\forall integer k; 4 <= k < n ==> a[k] == 9", True),
])  # fmt: skip
def test_quantifiers_mean_what_they_mean_in_acsl(condition: str, holds: bool) -> None:
    text = f"int main() {{ int a[4] = {{1, 2, 3, 5}}; int n = 4; int k = 7;\n//@ assert {condition};\n k++; }}"
    assert load(import_c(text).source).run().outcome.kind == ("returned" if holds else "failed")


@pytest.mark.parametrize(("condition", "reason"), [
    ("\\forall integer k; a[k] > 0", "it must say between which numbers k lies"),
    ("\\forall integer k; 0 <= k ==> a[k] > 0", "between which numbers"),
    ("\\forall integer i, j; 0 <= i < j ==> a[i] < a[j]", "between which numbers i lies"),
    ("\\forall real x; 0 <= x < n ==> x > 0", "is not read"),
    ("\\valid(a + (1 .. n))", "is not read"),
    ("\\valid(n)", "only cells of arrays"),
])  # fmt: skip
def test_what_is_not_read_of_it_is_refused(condition: str, reason: str) -> None:
    with pytest.raises(ImportRefused, match=reason):
        import_c(f"int main() {{ int a[4]; int n = 4;\n//@ assert {condition};\n n++; }}")


def test_behaviors_speak_of_arguments() -> None:
    with pytest.raises(ImportRefused, match="about the numbers that are passed"):
        import_c("int g;\n" + BEHAVIORS.replace("assumes x < 0", "assumes g < 0"))


def test_without_main_the_function_is_read_that_no_other_one_calls() -> None:
    imported = import_c(SEVERAL)
    assert imported.source.startswith("fn fact(n: int) {")
    assert "assert(b >= 0);" in imported.source
    assert import_c(SEVERAL, function="mul").source.startswith("fn mul(a, b: int): int {")
