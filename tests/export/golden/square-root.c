// main: written by idg export, with the invariants that it proved.
// Check it by: frama-c -wp -wp-model Typed+nat+real -wp-prover z3,cvc4 FILE.c (each goal must be proved; numbers are exact so)

/*@ terminates \true; exits \false; assigns \nothing; */
long long any_int(void);  // any value

/*@
  requires 0 <= n;
  terminates \false;
  exits \false;
  assigns \nothing;
  ensures ((\result * \result) <= n) && (n < ((\result + 1) * (\result + 1)));
*/
long long main_(long long n) {
  long long cnt;
  long long sqr;
  long long odd;
  long long result;
  result = any_int();
  cnt = any_int();
  sqr = any_int();
  odd = any_int();
  cnt = 0;
  sqr = 1;
  odd = 1;
  /*@
    loop invariant 0 <= cnt;
    loop invariant odd == ((2 * cnt) + 1);
    loop invariant sqr == ((cnt + 1) * (cnt + 1));
    loop invariant (cnt * cnt) <= n;
    loop assigns cnt, odd, sqr;
  */
  while (sqr <= n) {
    cnt = cnt + 1;
    odd = odd + 2;
    sqr = sqr + odd;
  }
  result = cnt;
  // post: result^2 <= n & n < (result + 1)^2
  //@ assert ((result * result) <= n) && (n < ((result + 1) * (result + 1)));
  return result;
}
