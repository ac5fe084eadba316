// main: written by idg export, with the invariants that it proved.
// Check it by: frama-c -wp -wp-model Typed+nat+real -wp-prover z3,cvc4 FILE.c (each goal must be proved; numbers are exact so)

/*@ logic integer floor_div(integer x, integer y) =
      y == 0 ? 0 : x % y == 0 || (x % y > 0) == (y > 0) ? x / y : x / y - 1; */

/*@ logic integer floor_mod(integer x, integer y) = x - y * floor_div(x, y); */

/*@ terminates \true; exits \false; assigns \nothing; */
_Bool any_bool(void);  // any value

/*@ terminates \true; exits \false; assigns \nothing; */
long long any_int(void);  // any value

/*@
  requires 2 <= n;
  terminates \true;
  exits \false;
  assigns \nothing;
  ensures ((2 <= \result) && (\result <= n)) ==> (\result != 0);
  ensures (2 <= \result) && (\result <= n) && (floor_mod(n, \result) == 0);
*/
long long main_(long long n) {
  long long d;
  long long twice;
  long long result;
  result = any_int();
  d = 3;
  twice = 6;
  {
    _Bool chosen = any_bool();
    //@ admit (chosen != 0) <==> ((floor_mod(n, 2)) == 0);
    if (chosen) {
      result = 2;
      // divisor of n % result
      //@ assert ((2 <= result) && (result <= n)) ==> (result != 0);
      // post: 2 <= result & result <= n & n % result = 0
      //@ assert (2 <= result) && (result <= n) && (floor_mod(n, result) == 0);
      return result;
    }
  }
  /*@
    loop invariant 3 <= d;
    loop invariant twice == (2 * d);
    loop assigns result, d, twice;
    loop variant n - d;
  */
  while (1) {
    if ((2 * n) <= twice) {
      break;
    }
    // divisor of n % d
    //@ assert d != 0;
    {
      _Bool chosen = any_bool();
      //@ admit (chosen != 0) <==> (floor_mod(n, d) == 0);
      if (chosen) {
        {
          long long chosen = any_int();
          //@ admit chosen == (floor_div(twice, 2));
          result = chosen;
        }
        // divisor of n % result
        //@ assert ((2 <= result) && (result <= n)) ==> (result != 0);
        // post: 2 <= result & result <= n & n % result = 0
        //@ assert (2 <= result) && (result <= n) && (floor_mod(n, result) == 0);
        return result;
      }
    }
    d = d + 1;
    twice = twice + 2;
  }
  result = n;
  // divisor of n % result
  //@ assert ((2 <= result) && (result <= n)) ==> (result != 0);
  // post: 2 <= result & result <= n & n % result = 0
  //@ assert (2 <= result) && (result <= n) && (floor_mod(n, result) == 0);
  return result;
}
