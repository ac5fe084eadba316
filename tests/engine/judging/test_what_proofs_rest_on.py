"""What facts and proofs rest on, where lean proofs are looked for only of what may rest on something."""

from __future__ import annotations

import pytest

from idg.engine.engine import Engine
from idg.engine.judging import reliance
from idg.engine.results import inductive_facts
from idg.sip.program import Program, load
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
    x := x + y;
    y := y + 1;
    assert(y > i);
    i := i + 1;
  }
  assert(x >= 0 & y = n);
}"""
)
PROPOSALS = (
    (ASSERTS_IN_THE_BODY, ("x >= -5", "i >= 0", "y > i - 1", "x >= 0", "y = i", "i <= n")),
    (student_program("dutch-flag").program, tuple(text for _, text in student_program("dutch-flag").facts[:5])),
    (student_program("partition").program, tuple(text for _, text in student_program("partition").facts)),
)


@pytest.mark.parametrize(("program", "texts"), PROPOSALS, ids=["asserts", "dutch-flag", "partition"])
def test_it_is_the_same_whether_all_proofs_are_looked_at_or_those_that_matter(
    program: Program, texts: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = Engine(program)
    books = engine.start()
    resting: set[bool] = set()
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
        resting.update(map(bool, quick.resting.values()))
    assert False in resting
    assert True in resting or program is not ASSERTS_IN_THE_BODY
