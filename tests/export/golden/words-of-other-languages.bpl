// method: written by idg export, with the invariants that it proved.
// Check it by: boogie FILE.bpl

procedure method(let: int, v_Lemma_at_entry: int) returns (result: int)
  requires 0 <= let;
  requires 0 < let;
  ensures result == (v_Lemma_at_entry + let);
{
  var v_Lemma: int;
  var while_: int;
  var result_: int;
  var invariant_: int;
  var measure_before: int;
  v_Lemma := v_Lemma_at_entry;
  havoc result;
  havoc while_, result_, invariant_;
  while_ := 0;
  invariant_ := v_Lemma;
  while (while_ < let)
    invariant while_ <= let;
    invariant v_Lemma == (v_Lemma_at_entry + while_);
    invariant 0 <= while_;
  {
    measure_before := let - while_;
    while_ := while_ + 1;
    v_Lemma := v_Lemma + 1;
    assert (0 <= measure_before) && ((let - while_) < measure_before);  // the measure fell in this turn
  }
  result_ := v_Lemma;
  result := result_;
  assert result == (v_Lemma_at_entry + let);  // post: result = old(Lemma) + let
}
