// main: written by idg export, with the invariants that it proved.
// Check it by: dafny /compile:0 FILE.dfy (Dafny 4: dafny verify --function-syntax:3 FILE.dfy)

function method count_1(low: int, high: int, x1: seq<int>, x2: int): int
  decreases high - low + 1
{
  if high < low then 0 else count_1(low, high - 1, x1, x2) + (if (if 0 <= high < |x1| then x1[high] else 0) == (x2 + 1) then 1 else 0)
}

method largest(b: seq<int>) returns (result: int)
  requires 0 <= |b|
  requires (forall k: int :: 0 <= k <= (|b| - 1) ==> (0 <= b[k]))
  requires 0 < |b|
  ensures 0 <= result
  ensures (0 <= (|b| - 1)) ==> ((0 < |b|) && ((|b| - 1) < |b|))
  ensures (forall k: int :: 0 <= k <= (|b| - 1) ==> (b[k] <= result))
  decreases *
{
  var i: int;
  result := *;
  assume 0 <= result;
  i := 1;
  assert 0 < |b|;  // cell b[0]
  assert 0 <= b[0];  // b[0] is a nat
  result := b[0];
  while i < |b|
    invariant 0 <= result
    invariant 0 <= i
    invariant (1 <= i) && (i <= |b|)
    invariant (0 <= (i - 1)) ==> ((0 < |b|) && ((i - 1) < |b|))
    invariant (forall k: int :: 0 <= k <= (i - 1) ==> (b[k] <= result))
    decreases *
  {
    assert (0 <= i) && (i < |b|);  // cell b[i]
    assert 0 <= (if b[i] <= result then result else b[i]);  // max(result, b[i]) is a nat
    result := (if b[i] <= result then result else b[i]);
    assert 0 <= (i + 1);  // i + 1 is a nat
    i := i + 1;
  }
  assert (0 <= (|b| - 1)) ==> ((0 < |b|) && ((|b| - 1) < |b|));  // cell b[k]
  assert (forall k: int :: 0 <= k <= (|b| - 1) ==> (b[k] <= result));  // post: forall k in 0..len(b) - 1: b[k] <= result
}

method main(a: seq<int>, b_length: int)
  requires 0 <= |a|
  requires (forall k: int :: 0 <= k <= (|a| - 1) ==> (0 <= a[k]))
  requires 0 <= b_length
  decreases *
{
  var b: seq<int>;
  var m: int;
  var largest_value: int;
  assert 0 <= (b_length + 1);  // b_length + 1 is a nat
  b := *;
  assume |b| == (b_length + 1);
  assume (forall k: int :: 0 <= k <= (|b| - 1) ==> (0 <= b[k]));
  m := *;
  assume 0 <= m;
  if 0 < |a| {
    b := a;
  }
  largest_value := largest(b);
  m := largest_value;
  assert 0 <= (m + 1);  // m + 1 is a nat
  assert 0 < |b|;  // cell b[0]
  b := b[0 := m + 1];
  assert (0 <= (|b| - 1)) ==> ((0 < |b|) && ((|b| - 1) < |b|));  // cell b[k]
  assert (exists k: int :: 0 <= k <= (|b| - 1) && (m < b[k]));  // assert: exists k in 0..len(b) - 1: b[k] > m
  assert (0 < |a|) ==> ((1 <= (|b| - 1)) ==> ((0 <= (|b| - 1)) && (1 < |b|) && ((|b| - 1) < |b|)));  // cell b[k]
  assert (0 < |a|) ==> ((1 <= (|b| - 1)) ==> ((0 <= (|b| - 1)) && (1 < |a|) && ((|b| - 1) < |a|)));  // cell a[k]
  assert (0 < |a|) ==> ((forall k: int :: 1 <= k <= (|b| - 1) ==> (b[k] == a[k])) ==> (0 < |a|));  // cell a[0]
  assert (0 < |a|) ==> ((forall k: int :: 1 <= k <= (|b| - 1) ==> (b[k] == a[k])) && (a[0] <= m));  // assert: len(a) > 0 -> (forall k in 1..len(b) - 1: b[k] = a[k]) & a[0] <= m
  assert 0 < |b|;  // cell b[k]
  assert count_1(0, 0, b, m) == 1;  // assert: (count k in 0..0: b[k] = m + 1) = 1
}
