// main: written by idg export, with the invariants that it proved.
// Check it by: frama-c -wp -wp-model Typed+nat+real -wp-prover z3,cvc4 FILE.c (each goal must be proved; numbers are exact so)

/*@ terminates \true; exits \false; assigns \nothing; */
long long any_int(void);  // any value

/*@
  requires 0 <= n;
  terminates \false;
  exits \false;
  assigns \nothing;
*/
void main_(long long n) {
  double x;
  long long i;
  long long y;
  x = 1.0;
  i = 0;
  y = any_int();
  /*@
    loop invariant 0 <= i;
    loop invariant x == 1.0;
    loop assigns x, i;
  */
  while (i < n) {
    x = ((1.0 / 2.0) * x) + (1.0 / 2.0);
    // i + 1 is a nat
    //@ assert 0 <= (i + 1);
    i = i + 1;
  }
  // x + 1 is an int
  //@ assert ((real) \floor((x + 1.0)) == (x + 1.0));
  {
    long long chosen = any_int();
    //@ admit chosen == \floor((x + 1.0));
    y = chosen;
  }
  // assert: y = 2 & min(x, 3) = 1 & abs(-x) = 1
  //@ assert (y == 2) && ((x <= 3.0 ? x : 3.0) == 1.0) && (((0.0 - (0.0 - x)) <= (0.0 - x) ? 0.0 - x : 0.0 - (0.0 - x)) == 1.0);
}
