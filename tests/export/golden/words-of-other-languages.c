// method: written by idg export, with the invariants that it proved.
// Check it by: frama-c -wp -wp-model Typed+nat+real -wp-prover z3,cvc4 FILE.c (each goal must be proved; numbers are exact so)

/*@ terminates \true; exits \false; assigns \nothing; */
long long any_int(void);  // any value

/*@
  requires 0 <= let;
  requires 0 < let;
  terminates \true;
  exits \false;
  assigns \nothing;
  ensures \result == (v_Lemma_at_entry + let);
*/
long long method(long long let, long long v_Lemma_at_entry) {
  long long v_Lemma;
  long long while_;
  long long result_;
  long long invariant_;
  long long result;
  v_Lemma = v_Lemma_at_entry;
  result = any_int();
  while_ = any_int();
  result_ = any_int();
  invariant_ = any_int();
  while_ = 0;
  invariant_ = v_Lemma;
  /*@
    loop invariant while_ <= let;
    loop invariant v_Lemma == (v_Lemma_at_entry + while_);
    loop invariant 0 <= while_;
    loop assigns while_, v_Lemma;
    loop variant let - while_;
  */
  while (while_ < let) {
    while_ = while_ + 1;
    v_Lemma = v_Lemma + 1;
  }
  result_ = v_Lemma;
  result = result_;
  // post: result = old(Lemma) + let
  //@ assert result == (v_Lemma_at_entry + let);
  return result;
}
