// main: written by idg export, with the invariants that it proved.
// Check it by: boogie FILE.bpl

procedure main(n: int)
  requires 0 <= n;
{
  var x: real;
  var i: int;
  var y: int;
  x := 1.0;
  i := 0;
  havoc y;
  while (i < n)
    invariant 0 <= i;
    invariant x == 1.0;
  {
    x := ((1.0 / 2.0) * x) + (1.0 / 2.0);
    assert 0 <= (i + 1);  // i + 1 is a nat
    i := i + 1;
  }
  assert (real(int((x + 1.0))) == (x + 1.0));  // x + 1 is an int
  y := int((x + 1.0));
  assert (y == 2) && ((if x <= 3.0 then x else 3.0) == 1.0) && ((if (0.0 - (0.0 - x)) <= (0.0 - x) then 0.0 - x else 0.0 - (0.0 - x)) == 1.0);  // assert: y = 2 & min(x, 3) = 1 & abs(-x) = 1
}
