// main: written by idg export, with the invariants that it proved.
// Check it by: boogie FILE.bpl

// How often the value stands in the first n cells.
function occurrences_int(a: [int]int, v: int, n: int): int;
axiom (forall a: [int]int, v: int, n: int :: { occurrences_int(a, v, n) } n <= 0 ==> occurrences_int(a, v, n) == 0);
axiom (forall a: [int]int, v: int, i: int, w: int, n: int :: { occurrences_int(a[i := w], v, n) }
  0 <= i && i < n ==> occurrences_int(a[i := w], v, n)
    == occurrences_int(a, v, n) - (if a[i] == v then 1 else 0) + (if w == v then 1 else 0));
function {:inline} permutation_int(a: [int]int, m: int, b: [int]int, n: int): bool {
  m == n && (forall v: int :: { occurrences_int(a, v, m) } { occurrences_int(b, v, n) }
    occurrences_int(a, v, m) == occurrences_int(b, v, n))
}

procedure main(a_at_entry: [int]int, a_at_entry_length: int)
  requires 0 <= a_at_entry_length;
{
  var a: [int]int;
  var a_length: int;
  var n: int;
  var j: int;
  var measure_before: int;
  var measure_before_: int;
  a := a_at_entry;
  a_length := a_at_entry_length;
  assert 0 <= a_length;  // len(a) is a nat
  n := a_length;
  while (1 < n)
    invariant a_length == a_at_entry_length;
    invariant 0 <= a_length;
    invariant 0 <= n;
    invariant n <= a_length;
    invariant (n < (a_length - 1)) ==> ((0 <= n) && ((a_length - 1) < a_length));
    invariant (forall p: int, q: int :: n <= p && p <= (a_length - 1) && (p + 1) <= q && q <= (a_length - 1) ==> (a[p] <= a[q]));
    invariant (n <= (a_length - 1)) ==> ((0 <= (n - 1)) ==> ((0 < a_length) && ((n - 1) < a_length)));
    invariant (0 <= (n - 1)) ==> ((n <= (a_length - 1)) ==> ((0 <= n) && (0 <= (a_length - 1)) && (n < a_length) && ((a_length - 1) < a_length)));
    invariant (forall p: int, q: int :: 0 <= p && p <= (n - 1) && n <= q && q <= (a_length - 1) ==> (a[p] <= a[q]));
    invariant permutation_int(a, a_length, a_at_entry, a_at_entry_length);
  {
    measure_before_ := n;
    j := 1;
    while (j < n)
      invariant a_length == a_at_entry_length;
      invariant 0 <= a_length;
      invariant 0 <= j;
      invariant (1 <= j) && (j <= n) && (n <= a_length);
      invariant (0 <= (j - 1)) ==> ((0 < a_length) && ((j - 1) < a_length));
      invariant (0 <= (j - 1)) ==> ((0 <= (j - 1)) && ((j - 1) < a_length));
      invariant (forall k: int :: 0 <= k && k <= (j - 1) ==> (a[k] <= a[j - 1]));
      invariant (n < (a_length - 1)) ==> ((0 <= n) && ((a_length - 1) < a_length));
      invariant (forall p: int, q: int :: n <= p && p <= (a_length - 1) && (p + 1) <= q && q <= (a_length - 1) ==> (a[p] <= a[q]));
      invariant (n <= (a_length - 1)) ==> ((0 <= (n - 1)) ==> ((0 < a_length) && ((n - 1) < a_length)));
      invariant (0 <= (n - 1)) ==> ((n <= (a_length - 1)) ==> ((0 <= n) && (0 <= (a_length - 1)) && (n < a_length) && ((a_length - 1) < a_length)));
      invariant (forall p: int, q: int :: 0 <= p && p <= (n - 1) && n <= q && q <= (a_length - 1) ==> (a[p] <= a[q]));
      invariant permutation_int(a, a_length, a_at_entry, a_at_entry_length);
    {
      measure_before := n - j;
      assert (0 <= (j - 1)) && ((j - 1) < a_length);  // cell a[j - 1]
      assert (0 <= j) && (j < a_length);  // cell a[j]
      if (a[j] < a[j - 1]) {
        assert (0 <= (j - 1)) && ((j - 1) < a_length);  // cell a[j - 1]
        assert (0 <= j) && (j < a_length);  // cell a[j]
        a := a[j - 1 := a[j]][j := a[j - 1]];
      }
      assert 0 <= (j + 1);  // j + 1 is a nat
      j := j + 1;
      assert (0 <= measure_before) && ((n - j) < measure_before);  // the measure fell in this turn
    }
    assert 0 <= (n - 1);  // n - 1 is a nat
    n := n - 1;
    assert (0 <= measure_before_) && (n < measure_before_);  // the measure fell in this turn
  }
  assert (0 < (a_length - 1)) ==> ((a_length - 1) < a_length);  // sorted(a, 0..len(a) - 1)
  assert (forall p: int, q: int :: 0 <= p && p <= (a_length - 1) && (p + 1) <= q && q <= (a_length - 1) ==> (a[p] <= a[q]));  // post: sorted(a, 0..len(a) - 1)
  assert permutation_int(a, a_length, a_at_entry, a_at_entry_length);  // post: permutation(a, old(a))
}
