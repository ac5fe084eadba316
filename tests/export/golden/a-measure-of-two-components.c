// main: written by idg export, with the invariants that it proved.
// Check it by: frama-c -wp -wp-model Typed+nat+real -wp-prover z3,cvc4 FILE.c (each goal must be proved; numbers are exact so)

/*@ terminates \true; exits \false; assigns \nothing; */
long long any_int(void);  // any value

/*@
  requires 0 <= n;
  requires 0 <= m;
  terminates \false;
  exits \false;
  assigns \nothing;
*/
void main_(long long n, long long m) {
  long long i;
  long long j;
  long long measure_before;
  long long measure_before_;
  i = any_int();
  j = any_int();
  //@ admit 0 <= i;
  //@ admit 0 <= j;
  i = n;
  j = m;
  /*@
    loop invariant 0 <= i;
    loop invariant 0 <= j;
    loop assigns measure_before, measure_before_, j, i;
  */
  while (0 < i) {
    measure_before = i;
    measure_before_ = j;
    if (0 < j) {
      // j - 1 is a nat
      //@ assert 0 <= (j - 1);
      j = j - 1;
    } else {
      // i - 1 is a nat
      //@ assert 0 <= (i - 1);
      i = i - 1;
      j = m;
    }
    // the measure fell in this turn
    //@ assert ((0 <= measure_before) && (i < measure_before)) || ((i == measure_before) && (0 <= measure_before_) && (j < measure_before_));
  }
  // assert: i = 0
  //@ assert i == 0;
}
