// main: written by idg export, with the invariants that it proved.
// Check it by: frama-c -wp -wp-model Typed+nat+real -wp-prover z3,cvc4 FILE.c (each goal must be proved; numbers are exact so)

/*@ terminates \true; exits \false; assigns \nothing; */
long long any_int(void);  // any value

/*@
  requires 0 <= x;
  terminates \false;
  exits \false;
  assigns \nothing;
  ensures 0 <= \result;
  ensures \result == (2 * x);
*/
long long double_(long long x) {
  long long k;
  long long result;
  result = any_int();
  //@ admit 0 <= result;
  k = 0;
  result = 0;
  /*@
    loop invariant 0 <= result;
    loop invariant 0 <= k;
    loop invariant result == (2 * k);
    loop invariant k <= x;
    loop assigns k, result;
  */
  while (k < x) {
    // k + 1 is a nat
    //@ assert 0 <= (k + 1);
    k = k + 1;
    // result + 2 is a nat
    //@ assert 0 <= (result + 2);
    result = result + 2;
  }
  // post: result = 2 * x
  //@ assert result == (2 * x);
  return result;
}

/*@
  requires 0 <= n;
  terminates \false;
  exits \false;
  assigns \nothing;
*/
void main_(long long n) {
  long long i;
  long long s;
  long long double_value;
  long long double_value_;
  i = 0;
  s = i;
  /*@
    loop invariant 0 <= i;
    loop invariant 0 <= s;
    loop invariant i <= n;
    loop invariant s == (i * (i + 1));
    loop assigns i, double_value, double_value_, s;
  */
  while (i < n) {
    // i + 1 is a nat
    //@ assert 0 <= (i + 1);
    i = i + 1;
    if (0 < i) {
      double_value = double_(i);
    }
    if ((0 < i) && (2 <= double_value)) {
      double_value_ = double_(i);
      // s + double(i) is a nat
      //@ assert 0 <= (s + double_value_);
      s = s + double_value_;
    }
  }
  // assert: s = n * (n + 1)
  //@ assert s == (n * (n + 1));
}
