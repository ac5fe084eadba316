// main: written by idg export, with the invariants that it proved.
// Check it by: frama-c -wp -wp-model Typed+nat+real -wp-prover z3,cvc4 FILE.c (each goal must be proved; numbers are exact so)

/*@ logic integer floor_div(integer x, integer y) =
      y == 0 ? 0 : x % y == 0 || (x % y > 0) == (y > 0) ? x / y : x / y - 1; */

/*@ logic integer floor_mod(integer x, integer y) = x - y * floor_div(x, y); */

/*@ terminates \true; exits \false; assigns \nothing; */
long long any_int(void);  // any value

/*@
  requires 0 <= n;
  terminates \true;
  exits \false;
  assigns \nothing;
*/
void main_(long long n, _Bool flag) {
  long long i;
  long long j;
  long long s;
  long long d;
  i = any_int();
  j = any_int();
  s = any_int();
  //@ admit 0 <= i;
  //@ admit 0 <= j;
  //@ admit 0 <= s;
  i = 0;
  s = 0;
  /*@
    loop invariant 0 <= i;
    loop invariant 0 <= j;
    loop invariant 0 <= s;
    loop invariant i <= n;
    loop invariant (!(flag != 0)) ==> (s == 0);
    loop assigns j, d, s, i;
    loop variant n - i;
  */
  while (i < n) {
    j = 0;
    /*@
      loop invariant 0 <= j;
      loop invariant 0 <= s;
      loop invariant i < n;
      loop invariant (!(flag != 0)) ==> (s == 0);
      loop assigns d, s, j;
      loop variant 3 - j;
    */
    while ((j < 3) && flag) {
      d = any_int();
      d = any_int();
      //@ admit (0 <= d) ==> ((j + 1) != 0);
      //@ admit (0 <= d) && (d <= floor_div(10, (j + 1)));
      // s + d is a nat
      //@ assert 0 <= (s + d);
      s = s + d;
      // j + 1 is a nat
      //@ assert 0 <= (j + 1);
      j = j + 1;
    }
    //@ admit ((floor_mod(s, 2)) == 0) || (!(flag != 0));
    // i + 1 is a nat
    //@ assert 0 <= (i + 1);
    i = i + 1;
  }
  // claim: i = n
  //@ assert i == n;
  // assert: flag | s = 0
  //@ assert (flag != 0) || (s == 0);
}
