"""What facts and proofs rest on, where lean proofs are looked for only of what may rest on something."""

from __future__ import annotations

import pytest

from idg.engine.engine import Engine
from idg.engine.judging import reliance
from idg.engine.results import Fact, inductive_facts
from idg.sip.program import Program, load
from idg.vc.query import Requirement
from tests.support.programs.student_programs import student_program

ASSERTS_IN_THE_BODY = load(
    """fn main(n: nat) {
  var x, y, i: int;
  x := 0;
  y := 0;
  i := 0;
  while (i < n) {
    assert(x >= 0);
    assert(x + 1 > 0);
    y := y + x;
    x := x + i;
    i := i + 1;
  }
  assert(y >= 0 & x >= 0);
}"""
)
PROPOSALS = (
    (ASSERTS_IN_THE_BODY, ("y >= 0", "i <= n", "x >= -5", "i >= 0", "x >= 0")),
    (student_program("dutch-flag").program, tuple(text for _, text in student_program("dutch-flag").facts[:5])),
    (student_program("partition").program, tuple(text for _, text in student_program("partition").facts)),
)


@pytest.mark.parametrize(("program", "texts"), PROPOSALS, ids=["asserts", "dutch-flag", "partition"])
def test_it_is_the_same_whether_all_proofs_are_looked_at_or_those_that_matter(
    program: Program, texts: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = Engine(program)
    books = engine.start()
    resting: set[tuple[type, bool]] = set()
    for text in texts:
        books = engine.propose(books, text).books
        facts = inductive_facts(books)
        quick = reliance._reliance(engine.inquiry, facts)
        with monkeypatch.context() as patch:
            # Now everything may use everything.
            everything = frozenset((*facts, *quick.resting, *quick.assumed))
            patch.setattr(reliance, "_assumed_somewhere", lambda *_, everything=everything: everything)
            whole = reliance._reliance(engine.inquiry, facts)
        assert (quick.assumed, quick.resting) == (whole.assumed, whole.resting)
        resting.update((type(node), bool(rests_on)) for node, rests_on in quick.resting.items())
    assert (Fact, False) in resting
    assert {(Fact, True), (Requirement, True)} <= resting or program is not ASSERTS_IN_THE_BODY
