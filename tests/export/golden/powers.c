// main: written by idg export, with the invariants that it proved.
// Check it by: frama-c -wp -wp-model Typed+nat+real -wp-prover z3,cvc4 FILE.c (each goal must be proved; numbers are exact so)

/*@ logic integer pow_int(integer b, integer e) = e <= 0 ? 1 : b * pow_int(b, e - 1); */

/*@
  requires 0 <= n;
  terminates \false;
  exits \false;
  assigns \nothing;
*/
void main_(long long n) {
  long long x;
  long long i;
  x = 1;
  i = 0;
  /*@
    loop invariant 0 <= i;
    loop invariant x == pow_int(2, i);
    loop invariant i <= n;
    loop assigns x, i;
  */
  while (i < n) {
    x = x * 2;
    // i + 1 is a nat
    //@ assert 0 <= (i + 1);
    i = i + 1;
  }
  // exponent of 2^n
  //@ assert 0 <= n;
  // assert: x = 2^n
  //@ assert x == pow_int(2, n);
}
