// main: written by idg export, with the invariants that it proved.
// Check it by: dafny /compile:0 FILE.dfy (Dafny 4: dafny verify --function-syntax:3 FILE.dfy)

function method pow_int(base: int, exponent: int): int
  decreases exponent
{
  if exponent <= 0 then 1 else base * pow_int(base, exponent - 1)
}

method main(n: int)
  requires 0 <= n
  decreases *
{
  var x: int;
  var i: int;
  x := 1;
  i := 0;
  while i < n
    invariant 0 <= i
    invariant x == pow_int(2, i)
    invariant i <= n
    decreases *
  {
    x := x * 2;
    assert 0 <= (i + 1);  // i + 1 is a nat
    i := i + 1;
  }
  assert 0 <= n;  // exponent of 2^n
  assert x == pow_int(2, n);  // assert: x = 2^n
}
