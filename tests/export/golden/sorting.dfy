// main: written by idg export, with the invariants that it proved.
// Check it by: dafny /compile:0 FILE.dfy (Dafny 4: dafny verify --function-syntax:3 FILE.dfy)

method main(a_at_entry: seq<int>)
  requires 0 <= |a_at_entry|
{
  var a: seq<int>;
  var n: int;
  var j: int;
  a := a_at_entry;
  assert 0 <= |a|;  // len(a) is a nat
  n := |a|;
  while 1 < n
    invariant |a| == |a_at_entry|
    invariant 0 <= |a|
    invariant 0 <= n
    invariant n <= |a|
    invariant (n < (|a| - 1)) ==> ((0 <= n) && ((|a| - 1) < |a|))
    invariant (forall p: int, q: int :: n <= p <= (|a| - 1) && (p + 1) <= q <= (|a| - 1) ==> (a[p] <= a[q]))
    invariant (n <= (|a| - 1)) ==> ((0 <= (n - 1)) ==> ((0 < |a|) && ((n - 1) < |a|)))
    invariant (0 <= (n - 1)) ==> ((n <= (|a| - 1)) ==> ((0 <= n) && (0 <= (|a| - 1)) && (n < |a|) && ((|a| - 1) < |a|)))
    invariant (forall p: int, q: int :: 0 <= p <= (n - 1) && n <= q <= (|a| - 1) ==> (a[p] <= a[q]))
    invariant (multiset(a) == multiset(a_at_entry))
    decreases n
  {
    j := 1;
    while j < n
      invariant |a| == |a_at_entry|
      invariant 0 <= |a|
      invariant 0 <= j
      invariant (1 <= j) && (j <= n) && (n <= |a|)
      invariant (0 <= (j - 1)) ==> ((0 < |a|) && ((j - 1) < |a|))
      invariant (0 <= (j - 1)) ==> ((0 <= (j - 1)) && ((j - 1) < |a|))
      invariant (forall k: int :: 0 <= k <= (j - 1) ==> (a[k] <= a[j - 1]))
      invariant (n < (|a| - 1)) ==> ((0 <= n) && ((|a| - 1) < |a|))
      invariant (forall p: int, q: int :: n <= p <= (|a| - 1) && (p + 1) <= q <= (|a| - 1) ==> (a[p] <= a[q]))
      invariant (n <= (|a| - 1)) ==> ((0 <= (n - 1)) ==> ((0 < |a|) && ((n - 1) < |a|)))
      invariant (0 <= (n - 1)) ==> ((n <= (|a| - 1)) ==> ((0 <= n) && (0 <= (|a| - 1)) && (n < |a|) && ((|a| - 1) < |a|)))
      invariant (forall p: int, q: int :: 0 <= p <= (n - 1) && n <= q <= (|a| - 1) ==> (a[p] <= a[q]))
      invariant (multiset(a) == multiset(a_at_entry))
      decreases n - j
    {
      assert (0 <= (j - 1)) && ((j - 1) < |a|);  // cell a[j - 1]
      assert (0 <= j) && (j < |a|);  // cell a[j]
      if a[j] < a[j - 1] {
        assert (0 <= (j - 1)) && ((j - 1) < |a|);  // cell a[j - 1]
        assert (0 <= j) && (j < |a|);  // cell a[j]
        a := a[j - 1 := a[j]][j := a[j - 1]];
      }
      assert 0 <= (j + 1);  // j + 1 is a nat
      j := j + 1;
    }
    assert 0 <= (n - 1);  // n - 1 is a nat
    n := n - 1;
  }
  assert (0 < (|a| - 1)) ==> ((|a| - 1) < |a|);  // sorted(a, 0..len(a) - 1)
  assert (forall p: int, q: int :: 0 <= p <= (|a| - 1) && (p + 1) <= q <= (|a| - 1) ==> (a[p] <= a[q]));  // post: sorted(a, 0..len(a) - 1)
  assert (multiset(a) == multiset(a_at_entry));  // post: permutation(a, old(a))
}
