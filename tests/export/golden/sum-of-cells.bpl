// main: written by idg export, with the invariants that it proved.
// Check it by: boogie FILE.bpl

function sum_1(low: int, high: int, x1: [int]int, x1_length: int): int;
function sum_1_inner(low: int, high: int, x1: [int]int, x1_length: int): int;
axiom (forall low: int, high: int, x1: [int]int, x1_length: int :: { sum_1(low, high, x1, x1_length) } sum_1(low, high, x1, x1_length) == sum_1_inner(low, high, x1, x1_length));
axiom (forall low: int, high: int, x1: [int]int, x1_length: int :: { sum_1(low, high, x1, x1_length) } sum_1(low, high, x1, x1_length) == (if high < low then 0 else sum_1_inner(low, (high - 1), x1, x1_length) + x1[high]));
axiom (forall low: int, high: int, x1: [int]int, x1_length: int :: { sum_1_inner(low, high, x1, x1_length) } (high < low ==> sum_1_inner(low, high, x1, x1_length) == 0) && (high == low ==> sum_1_inner(low, high, x1, x1_length) == x1[high]));

procedure main(a_at_entry: [int]int, a_at_entry_length: int)
  requires 0 <= a_at_entry_length;
{
  var a: [int]int;
  var a_length: int;
  var i: int;
  var s: int;
  a := a_at_entry;
  a_length := a_at_entry_length;
  i := 0;
  s := 0;
  while (i < a_length)
    invariant a_length == a_at_entry_length;
    invariant 0 <= a_length;
    invariant 0 <= i;
    invariant i <= a_length;
    invariant (i <= (a_length - 1)) ==> ((0 <= i) && (0 <= (a_length - 1)) && (i < a_length) && ((a_length - 1) < a_length));
    invariant (i <= (a_length - 1)) ==> ((0 <= i) && (0 <= (a_length - 1)) && (i < a_at_entry_length) && ((a_length - 1) < a_at_entry_length));
    invariant (forall k: int :: i <= k && k <= (a_length - 1) ==> (a[k] == a_at_entry[k]));
    invariant (0 <= (i - 1)) ==> ((0 < a_at_entry_length) && ((i - 1) < a_at_entry_length));
    invariant s == sum_1(0, (i - 1), a_at_entry, a_at_entry_length);
  {
    assert (0 <= i) && (i < a_length);  // cell a[i]
    s := s + a[i];
    assert (0 <= i) && (i < a_length);  // cell a[i]
    a := a[i := 0];
    assert 0 <= (i + 1);  // i + 1 is a nat
    i := i + 1;
  }
  assert (0 <= (a_length - 1)) ==> ((0 < a_at_entry_length) && ((a_length - 1) < a_at_entry_length));  // cell old(a)[k]
  assert s == sum_1(0, (a_length - 1), a_at_entry, a_at_entry_length);  // assert: s = sum k in 0..len(a) - 1: old(a)[k]
}
