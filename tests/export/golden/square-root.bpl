// main: written by idg export, with the invariants that it proved.
// Check it by: boogie FILE.bpl

procedure main(n: int) returns (result: int)
  requires 0 <= n;
  ensures ((result * result) <= n) && (n < ((result + 1) * (result + 1)));
{
  var cnt: int;
  var sqr: int;
  var odd: int;
  havoc result;
  havoc cnt, sqr, odd;
  cnt := 0;
  sqr := 1;
  odd := 1;
  while (sqr <= n)
    invariant 0 <= cnt;
    invariant odd == ((2 * cnt) + 1);
    invariant sqr == ((cnt + 1) * (cnt + 1));
    invariant (cnt * cnt) <= n;
  {
    cnt := cnt + 1;
    odd := odd + 2;
    sqr := sqr + odd;
  }
  result := cnt;
  assert ((result * result) <= n) && (n < ((result + 1) * (result + 1)));  // post: result^2 <= n & n < (result + 1)^2
}
