// main: written by idg export, with the invariants that it proved.
// Check it by: dafny /compile:0 FILE.dfy (Dafny 4: dafny verify --function-syntax:3 FILE.dfy)

method main(n: int, m: int)
  requires 0 <= n
  requires 0 <= m
{
  var i: int;
  var j: int;
  i := *;
  j := *;
  assume 0 <= i;
  assume 0 <= j;
  i := n;
  j := m;
  while 0 < i
    invariant 0 <= i
    invariant 0 <= j
    decreases i, j
  {
    if 0 < j {
      assert 0 <= (j - 1);  // j - 1 is a nat
      j := j - 1;
    } else {
      assert 0 <= (i - 1);  // i - 1 is a nat
      i := i - 1;
      j := m;
    }
  }
  assert i == 0;  // assert: i = 0
}
