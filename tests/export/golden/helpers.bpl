// main: written by idg export, with the invariants that it proved.
// Check it by: boogie FILE.bpl

procedure double(x: int) returns (result: int)
  requires 0 <= x;
  ensures 0 <= result;
  ensures result == (2 * x);
{
  var k: int;
  havoc result;
  assume 0 <= result;
  k := 0;
  result := 0;
  while (k < x)
    invariant 0 <= result;
    invariant 0 <= k;
    invariant result == (2 * k);
    invariant k <= x;
  {
    assert 0 <= (k + 1);  // k + 1 is a nat
    k := k + 1;
    assert 0 <= (result + 2);  // result + 2 is a nat
    result := result + 2;
  }
  assert result == (2 * x);  // post: result = 2 * x
}

procedure main(n: int)
  requires 0 <= n;
{
  var i: int;
  var s: int;
  var double_value: int;
  var double_value_: int;
  i := 0;
  s := i;
  while (i < n)
    invariant 0 <= i;
    invariant 0 <= s;
    invariant i <= n;
    invariant s == (i * (i + 1));
  {
    assert 0 <= (i + 1);  // i + 1 is a nat
    i := i + 1;
    if (0 < i) {
      call double_value := double(i);
    }
    if ((0 < i) && (2 <= double_value)) {
      call double_value_ := double(i);
      assert 0 <= (s + double_value_);  // s + double(i) is a nat
      s := s + double_value_;
    }
  }
  assert s == (n * (n + 1));  // assert: s = n * (n + 1)
}
