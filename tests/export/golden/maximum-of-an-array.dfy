// main: written by idg export, with the invariants that it proved.
// Check it by: dafny /compile:0 FILE.dfy (Dafny 4: dafny verify --function-syntax:3 FILE.dfy)

method main(a: seq<int>, n: int) returns (result: int)
  requires 0 <= |a|
  requires 0 <= n
  requires (n == |a|) && (0 < n)
  ensures (0 <= (n - 1)) ==> ((0 < |a|) && ((n - 1) < |a|))
  ensures (forall k: int :: 0 <= k <= (n - 1) ==> (a[k] <= result))
  decreases *
{
  var i: int;
  var m: int;
  result := *;
  i := 1;
  assert 0 < |a|;  // cell a[0]
  m := a[0];
  while i < n
    invariant 0 <= i
    invariant (1 <= i) && (i <= n)
    invariant n == |a|
    invariant (0 <= (i - 1)) ==> ((0 < |a|) && ((i - 1) < |a|))
    invariant (forall k: int :: 0 <= k <= (i - 1) ==> (a[k] <= m))
    decreases *
  {
    assert (0 <= i) && (i < |a|);  // cell a[i]
    if m < a[i] {
      assert (0 <= i) && (i < |a|);  // cell a[i]
      m := a[i];
    }
    assert 0 <= (i + 1);  // i + 1 is a nat
    i := i + 1;
  }
  result := m;
  assert (0 <= (n - 1)) ==> ((0 < |a|) && ((n - 1) < |a|));  // cell a[k]
  assert (forall k: int :: 0 <= k <= (n - 1) ==> (a[k] <= result));  // post: forall k in 0..n - 1: a[k] <= result
}
