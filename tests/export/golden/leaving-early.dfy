// main: written by idg export, with the invariants that it proved.
// Check it by: dafny /compile:0 FILE.dfy (Dafny 4: dafny verify --function-syntax:3 FILE.dfy)

function method floor_mod(x: int, y: int): int {
  if y > 0 then x % y else if y < 0 then -((-x) % (-y)) else 0
}

method main(n: int) returns (result: int)
  requires 2 <= n
  ensures ((2 <= result) && (result <= n)) ==> (result != 0)
  ensures (2 <= result) && (result <= n) && (floor_mod(n, result) == 0)
{
  var d: int;
  var twice: int;
  result := *;
  d := 3;
  twice := 6;
  if (n % 2) == 0 {
    result := 2;
    assert ((2 <= result) && (result <= n)) ==> (result != 0);  // divisor of n % result
    assert (2 <= result) && (result <= n) && (floor_mod(n, result) == 0);  // post: 2 <= result & result <= n & n % result = 0
    return;
  }
  while true
    invariant 3 <= d
    invariant twice == (2 * d)
    decreases n - d
  {
    if (2 * n) <= twice {
      break;
    }
    assert d != 0;  // divisor of n % d
    if floor_mod(n, d) == 0 {
      result := twice / 2;
      assert ((2 <= result) && (result <= n)) ==> (result != 0);  // divisor of n % result
      assert (2 <= result) && (result <= n) && (floor_mod(n, result) == 0);  // post: 2 <= result & result <= n & n % result = 0
      return;
    }
    d := d + 1;
    twice := twice + 2;
  }
  result := n;
  assert ((2 <= result) && (result <= n)) ==> (result != 0);  // divisor of n % result
  assert (2 <= result) && (result <= n) && (floor_mod(n, result) == 0);  // post: 2 <= result & result <= n & n % result = 0
}
