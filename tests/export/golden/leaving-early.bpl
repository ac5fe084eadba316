// main: written by idg export, with the invariants that it proved.
// Check it by: boogie FILE.bpl

function {:inline} floor_mod(x: int, y: int): int {
  if y > 0 then x mod y else if y < 0 then 0 - ((0 - x) mod (0 - y)) else 0
}

procedure main(n: int) returns (result: int)
  requires 2 <= n;
  ensures ((2 <= result) && (result <= n)) ==> (result != 0);
  ensures (2 <= result) && (result <= n) && (floor_mod(n, result) == 0);
{
  var d: int;
  var twice: int;
  var measure_before: int;
  havoc result;
  d := 3;
  twice := 6;
  if ((n mod 2) == 0) {
    result := 2;
    assert ((2 <= result) && (result <= n)) ==> (result != 0);  // divisor of n % result
    assert (2 <= result) && (result <= n) && (floor_mod(n, result) == 0);  // post: 2 <= result & result <= n & n % result = 0
    return;
  }
  while (true)
    invariant 3 <= d;
    invariant twice == (2 * d);
  {
    measure_before := n - d;
    if ((2 * n) <= twice) {
      break;
    }
    assert d != 0;  // divisor of n % d
    if (floor_mod(n, d) == 0) {
      result := twice div 2;
      assert ((2 <= result) && (result <= n)) ==> (result != 0);  // divisor of n % result
      assert (2 <= result) && (result <= n) && (floor_mod(n, result) == 0);  // post: 2 <= result & result <= n & n % result = 0
      return;
    }
    d := d + 1;
    twice := twice + 2;
    assert (0 <= measure_before) && ((n - d) < measure_before);  // the measure fell in this turn
  }
  result := n;
  assert ((2 <= result) && (result <= n)) ==> (result != 0);  // divisor of n % result
  assert (2 <= result) && (result <= n) && (floor_mod(n, result) == 0);  // post: 2 <= result & result <= n & n % result = 0
}
