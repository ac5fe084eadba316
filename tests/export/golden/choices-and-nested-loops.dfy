// main: written by idg export, with the invariants that it proved.
// Check it by: dafny /compile:0 FILE.dfy (Dafny 4: dafny verify --function-syntax:3 FILE.dfy)

function method floor_div(x: int, y: int): int {
  if y > 0 then x / y else if y < 0 then (-x) / (-y) else 0
}

method main(n: int, flag: bool)
  requires 0 <= n
{
  var i: int;
  var j: int;
  var s: int;
  var d: int;
  i := *;
  j := *;
  s := *;
  assume 0 <= i;
  assume 0 <= j;
  assume 0 <= s;
  i := 0;
  s := 0;
  while i < n
    invariant 0 <= i
    invariant 0 <= j
    invariant 0 <= s
    invariant i <= n
    invariant (!flag) ==> (s == 0)
    decreases n - i
  {
    j := 0;
    while (j < 3) && flag
      invariant 0 <= j
      invariant 0 <= s
      invariant i < n
      invariant (!flag) ==> (s == 0)
      decreases 3 - j
    {
      d := *;
      d := *;
      assume (0 <= d) ==> ((j + 1) != 0);
      assume (0 <= d) && (d <= floor_div(10, (j + 1)));
      assert 0 <= (s + d);  // s + d is a nat
      s := s + d;
      assert 0 <= (j + 1);  // j + 1 is a nat
      j := j + 1;
    }
    assume ((s % 2) == 0) || (!flag);
    assert 0 <= (i + 1);  // i + 1 is a nat
    i := i + 1;
  }
  assert i == n;  // claim: i = n
  assert flag || (s == 0);  // assert: flag | s = 0
}
