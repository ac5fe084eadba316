// method: written by idg export, with the invariants that it proved.
// Check it by: dafny /compile:0 FILE.dfy (Dafny 4: dafny verify --function-syntax:3 FILE.dfy)

method method_(let: int, v_Lemma_at_entry: int) returns (result: int)
  requires 0 <= let
  requires 0 < let
  ensures result == (v_Lemma_at_entry + let)
{
  var v_Lemma: int;
  var while_: int;
  var result_: int;
  var invariant_: int;
  v_Lemma := v_Lemma_at_entry;
  result := *;
  while_ := *;
  result_ := *;
  invariant_ := *;
  while_ := 0;
  invariant_ := v_Lemma;
  while while_ < let
    invariant while_ <= let
    invariant v_Lemma == (v_Lemma_at_entry + while_)
    invariant 0 <= while_
    decreases let - while_
  {
    while_ := while_ + 1;
    v_Lemma := v_Lemma + 1;
  }
  result_ := v_Lemma;
  result := result_;
  assert result == (v_Lemma_at_entry + let);  // post: result = old(Lemma) + let
}
