// main: written by idg export, with the invariants that it proved.
// Check it by: boogie FILE.bpl

function count_1(low: int, high: int, x1: [int]int, x1_length: int, x2: int): int;
function count_1_inner(low: int, high: int, x1: [int]int, x1_length: int, x2: int): int;
axiom (forall low: int, high: int, x1: [int]int, x1_length: int, x2: int :: { count_1(low, high, x1, x1_length, x2) } count_1(low, high, x1, x1_length, x2) == count_1_inner(low, high, x1, x1_length, x2));
axiom (forall low: int, high: int, x1: [int]int, x1_length: int, x2: int :: { count_1(low, high, x1, x1_length, x2) } count_1(low, high, x1, x1_length, x2) == (if high < low then 0 else count_1_inner(low, (high - 1), x1, x1_length, x2) + (if x1[high] == (x2 + 1) then 1 else 0)));
axiom (forall low: int, high: int, x1: [int]int, x1_length: int, x2: int :: { count_1_inner(low, high, x1, x1_length, x2) } (high < low ==> count_1_inner(low, high, x1, x1_length, x2) == 0) && (high == low ==> count_1_inner(low, high, x1, x1_length, x2) == (if x1[high] == (x2 + 1) then 1 else 0)));

procedure largest(b: [int]int, b_length_: int) returns (result: int)
  requires 0 <= b_length_;
  requires (forall k: int :: 0 <= k && k <= (b_length_ - 1) ==> (0 <= b[k]));
  requires 0 < b_length_;
  ensures 0 <= result;
  ensures (0 <= (b_length_ - 1)) ==> ((0 < b_length_) && ((b_length_ - 1) < b_length_));
  ensures (forall k: int :: 0 <= k && k <= (b_length_ - 1) ==> (b[k] <= result));
{
  var i: int;
  havoc result;
  assume 0 <= result;
  i := 1;
  assert 0 < b_length_;  // cell b[0]
  assert 0 <= b[0];  // b[0] is a nat
  result := b[0];
  while (i < b_length_)
    invariant 0 <= result;
    invariant 0 <= i;
    invariant (1 <= i) && (i <= b_length_);
    invariant (0 <= (i - 1)) ==> ((0 < b_length_) && ((i - 1) < b_length_));
    invariant (forall k: int :: 0 <= k && k <= (i - 1) ==> (b[k] <= result));
  {
    assert (0 <= i) && (i < b_length_);  // cell b[i]
    assert 0 <= (if b[i] <= result then result else b[i]);  // max(result, b[i]) is a nat
    result := (if b[i] <= result then result else b[i]);
    assert 0 <= (i + 1);  // i + 1 is a nat
    i := i + 1;
  }
  assert (0 <= (b_length_ - 1)) ==> ((0 < b_length_) && ((b_length_ - 1) < b_length_));  // cell b[k]
  assert (forall k: int :: 0 <= k && k <= (b_length_ - 1) ==> (b[k] <= result));  // post: forall k in 0..len(b) - 1: b[k] <= result
}

procedure main(a: [int]int, a_length: int, b_length: int)
  requires 0 <= a_length;
  requires (forall k: int :: 0 <= k && k <= (a_length - 1) ==> (0 <= a[k]));
  requires 0 <= b_length;
{
  var b: [int]int;
  var b_length_: int;
  var m: int;
  var largest_value: int;
  assert 0 <= (b_length + 1);  // b_length + 1 is a nat
  havoc b, b_length_;
  assume b_length_ == (b_length + 1);
  assume (forall k: int :: 0 <= k && k <= (b_length_ - 1) ==> (0 <= b[k]));
  havoc m;
  assume 0 <= m;
  if (0 < a_length) {
    b := a;
    b_length_ := a_length;
  }
  call largest_value := largest(b, b_length_);
  m := largest_value;
  assert 0 <= (m + 1);  // m + 1 is a nat
  assert 0 < b_length_;  // cell b[0]
  b := b[0 := m + 1];
  assert (0 <= (b_length_ - 1)) ==> ((0 < b_length_) && ((b_length_ - 1) < b_length_));  // cell b[k]
  assert (exists k: int :: 0 <= k && k <= (b_length_ - 1) && (m < b[k]));  // assert: exists k in 0..len(b) - 1: b[k] > m
  assert (0 < a_length) ==> ((1 <= (b_length_ - 1)) ==> ((0 <= (b_length_ - 1)) && (1 < b_length_) && ((b_length_ - 1) < b_length_)));  // cell b[k]
  assert (0 < a_length) ==> ((1 <= (b_length_ - 1)) ==> ((0 <= (b_length_ - 1)) && (1 < a_length) && ((b_length_ - 1) < a_length)));  // cell a[k]
  assert (0 < a_length) ==> ((forall k: int :: 1 <= k && k <= (b_length_ - 1) ==> (b[k] == a[k])) ==> (0 < a_length));  // cell a[0]
  assert (0 < a_length) ==> ((forall k: int :: 1 <= k && k <= (b_length_ - 1) ==> (b[k] == a[k])) && (a[0] <= m));  // assert: len(a) > 0 -> (forall k in 1..len(b) - 1: b[k] = a[k]) & a[0] <= m
  assert 0 < b_length_;  // cell b[k]
  assert count_1(0, 0, b, b_length_, m) == 1;  // assert: (count k in 0..0: b[k] = m + 1) = 1
}
