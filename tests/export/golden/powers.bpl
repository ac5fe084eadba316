// main: written by idg export, with the invariants that it proved.
// Check it by: boogie FILE.bpl

function pow_int(b: int, e: int): int;
function pow_int_inner(b: int, e: int): int;
axiom (forall b: int, e: int :: { pow_int(b, e) } pow_int(b, e) == pow_int_inner(b, e));
axiom (forall b: int, e: int :: { pow_int(b, e) } pow_int(b, e) == (if e <= 0 then 1 else b * pow_int_inner(b, e - 1)));

procedure main(n: int)
  requires 0 <= n;
{
  var x: int;
  var i: int;
  x := 1;
  i := 0;
  while (i < n)
    invariant 0 <= i;
    invariant x == pow_int(2, i);
    invariant i <= n;
  {
    x := x * 2;
    assert 0 <= (i + 1);  // i + 1 is a nat
    i := i + 1;
  }
  assert 0 <= n;  // exponent of 2^n
  assert x == pow_int(2, n);  // assert: x = 2^n
}
