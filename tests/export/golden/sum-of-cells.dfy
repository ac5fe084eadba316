// main: written by idg export, with the invariants that it proved.
// Check it by: dafny /compile:0 FILE.dfy (Dafny 4: dafny verify --function-syntax:3 FILE.dfy)

function method sum_1(low: int, high: int, x1: seq<int>): int
  decreases high - low + 1
{
  if high < low then 0 else sum_1(low, high - 1, x1) + (if 0 <= high < |x1| then x1[high] else 0)
}

method main(a_at_entry: seq<int>)
  requires 0 <= |a_at_entry|
  decreases *
{
  var a: seq<int>;
  var i: int;
  var s: int;
  a := a_at_entry;
  i := 0;
  s := 0;
  while i < |a|
    invariant |a| == |a_at_entry|
    invariant 0 <= |a|
    invariant 0 <= i
    invariant i <= |a|
    invariant (i <= (|a| - 1)) ==> ((0 <= i) && (0 <= (|a| - 1)) && (i < |a|) && ((|a| - 1) < |a|))
    invariant (i <= (|a| - 1)) ==> ((0 <= i) && (0 <= (|a| - 1)) && (i < |a_at_entry|) && ((|a| - 1) < |a_at_entry|))
    invariant (forall k: int :: i <= k <= (|a| - 1) ==> (a[k] == a_at_entry[k]))
    invariant (0 <= (i - 1)) ==> ((0 < |a_at_entry|) && ((i - 1) < |a_at_entry|))
    invariant s == sum_1(0, (i - 1), a_at_entry)
    decreases *
  {
    assert (0 <= i) && (i < |a|);  // cell a[i]
    s := s + a[i];
    assert (0 <= i) && (i < |a|);  // cell a[i]
    a := a[i := 0];
    assert 0 <= (i + 1);  // i + 1 is a nat
    i := i + 1;
  }
  assert (0 <= (|a| - 1)) ==> ((0 < |a_at_entry|) && ((|a| - 1) < |a_at_entry|));  // cell old(a)[k]
  assert s == sum_1(0, (|a| - 1), a_at_entry);  // assert: s = sum k in 0..len(a) - 1: old(a)[k]
}
