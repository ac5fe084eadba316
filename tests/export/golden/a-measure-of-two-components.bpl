// main: written by idg export, with the invariants that it proved.
// Check it by: boogie FILE.bpl

procedure main(n: int, m: int)
  requires 0 <= n;
  requires 0 <= m;
{
  var i: int;
  var j: int;
  var measure_before: int;
  var measure_before_: int;
  havoc i, j;
  assume 0 <= i;
  assume 0 <= j;
  i := n;
  j := m;
  while (0 < i)
    invariant 0 <= i;
    invariant 0 <= j;
  {
    measure_before := i;
    measure_before_ := j;
    if (0 < j) {
      assert 0 <= (j - 1);  // j - 1 is a nat
      j := j - 1;
    } else {
      assert 0 <= (i - 1);  // i - 1 is a nat
      i := i - 1;
      j := m;
    }
    assert ((0 <= measure_before) && (i < measure_before)) || ((i == measure_before) && (0 <= measure_before_) && (j < measure_before_));  // the measure fell in this turn
  }
  assert i == 0;  // assert: i = 0
}
