// main: written by idg export, with the invariants that it proved.
// Check it by: boogie FILE.bpl

procedure main(a: [int]int, a_length: int, n: int) returns (result: int)
  requires 0 <= a_length;
  requires 0 <= n;
  requires (n == a_length) && (0 < n);
  ensures (0 <= (n - 1)) ==> ((0 < a_length) && ((n - 1) < a_length));
  ensures (forall k: int :: 0 <= k && k <= (n - 1) ==> (a[k] <= result));
{
  var i: int;
  var m: int;
  havoc result;
  i := 1;
  assert 0 < a_length;  // cell a[0]
  m := a[0];
  while (i < n)
    invariant 0 <= i;
    invariant (1 <= i) && (i <= n);
    invariant n == a_length;
    invariant (0 <= (i - 1)) ==> ((0 < a_length) && ((i - 1) < a_length));
    invariant (forall k: int :: 0 <= k && k <= (i - 1) ==> (a[k] <= m));
  {
    assert (0 <= i) && (i < a_length);  // cell a[i]
    if (m < a[i]) {
      assert (0 <= i) && (i < a_length);  // cell a[i]
      m := a[i];
    }
    assert 0 <= (i + 1);  // i + 1 is a nat
    i := i + 1;
  }
  result := m;
  assert (0 <= (n - 1)) ==> ((0 < a_length) && ((n - 1) < a_length));  // cell a[k]
  assert (forall k: int :: 0 <= k && k <= (n - 1) ==> (a[k] <= result));  // post: forall k in 0..n - 1: a[k] <= result
}
