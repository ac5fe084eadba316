"""What the engine keeps as inductive is inductive: a new inquiry, which remembers nothing, proves it again.

The candidates are those that are most likely to confuse the engine: the program's own tests, their negations, and near neighbours.
"""

from __future__ import annotations

import random

import pytest

from idg.agents.built_in.ideas import text
from idg.engine.engine import Engine
from idg.engine.inquiry import Inquiry
from idg.engine.results import Fact, Kind, inductive_facts
from idg.levels import all_levels
from idg.prover.answers import Refuted
from idg.prover.prove import QUICK, Prover
from idg.sip.errors import SipError
from idg.sip.program import Program, load
from idg.sip.text.printer import print_expression
from idg.sip.trees.logic import negate
from tests.support.volume import volume

NESTED = """fn main() {
  var a, b, c, m: nat;
  m := 1000;
  a := 0;
  while (a < m - 1) {
    b := 0;
    while (b < m - 1) {
      c := 0;
      while (c < m - 1) {
        assert(a + b + c < 3 * m);
        c := c + 1;
      }
      b := b + 1;
    }
    a := a + 1;
  }
  assert(a <= m);
}
"""
BRANCHING = """fn main(n: int) {
  var w, x, y, z: int;
  w := 0;
  x := 0;
  y := 0;
  z := 0;
  var more: bool;
  cassign([more], true);
  while (more) {
    if (x >= 4) { x := x + 1; y := y + 1; }
    else if (y > 10 * w & z >= 100 * x) { y := -y; }
    else { w := w + 1; z := z + 10; x := x + z // 20; }
    cassign([more], true);
  }
  while (y > z) { y := y - 1; x := x - 1; }
  assert(x >= 4 | y <= 2 | n = n);
}
"""
PHASES = """fn main() {
  var x, y, z: int;
  x := 0;
  y := 50;
  z := 0;
  while (x < 1000) {
    if (x < 50) { x := x + 1; } else { x := x + 2; y := y + 2; }
  }
  while (y > z) {
    y := y - 1;
    x := x - 1;
  }
  assert(x % 2 = 0);
}
"""
HELPERS = """fn down(n: nat): nat {
  post(result <= n);
  var k: nat := n;
  while (k > n // 2) { k := k - 1; }
  result := k;
  if (k > 1) { result := below(k); }
}
fn below(n: nat): nat {
  pre(n > 0);
  post(result < n);
  var j: nat := 0;
  while (j < n - 1) { j := j + 1; }
  if (j > 5) { result := down(n - 1); } else { result := j; }
}
fn main(n: nat) {
  var i, s: nat := 0;
  while (i < n) { s := down(s + 2); i := i + 1; if (i > 3) { s := below(i); } }
  assert(s <= 2 * n + 2);
}
"""
PROGRAMS = {"nested": NESTED, "branching": BRANCHING, "phases": PHASES, "helpers": HELPERS}
PROGRAMS |= {level.id: level.source for level in all_levels()}
GAMES = volume(2, 12)
"""Seeded games with each program; half of them propose one by one, the others in batches."""


def candidates(program: Program, pick: random.Random) -> list[tuple[int, str]]:
    proposals: dict[tuple[int, str], None] = {}
    for loop in program.loops:
        for atom in text.atoms(program.alone(loop.function)):
            for expr in (atom, negate(atom), *text.relaxed([atom]), *text.relaxed([negate(atom)])):
                proposals[loop.number, print_expression(expr)] = None
        for _ in range(12):
            a, b = pick.choice(loop.columns), pick.choice(loop.columns)
            shape = pick.choice(["{a} <= {b}", "{a} = {b}", "{a} >= {b} - 1", "{a} != {b}", "{a} >= 0", "{a} <= 0", "{a} >= 1"])
            proposals[loop.number, shape.format(a=a, b=b)] = None
    return [proposal for proposal in proposals if is_proposal(program, *proposal)]


def is_proposal(program: Program, loop: int, expression: str) -> bool:
    try:
        program.proposal(expression, loop)
    except SipError:
        return False
    return True


def not_inductive(program: Program, known: tuple[Fact, ...]) -> list[Fact]:
    """The facts that some state refutes on arrival at their loop or after a turn, although all of them hold before."""
    inquiry = Inquiry(program, Prover(QUICK))
    wrong = []
    for fact in known:
        expr = inquiry.expr(fact)
        analysis = inquiry.analysis(inquiry.function_at(fact.loop), known, known)
        for query in (*analysis.entry(fact.loop, expr), *analysis.step(fact.loop, expr)):
            if isinstance(inquiry.prover.prove(query), Refuted):
                wrong.append(fact)
                break
    return wrong


@pytest.mark.parametrize("name", PROGRAMS)
def test_what_is_kept_is_inductive(name: str) -> None:
    program = load(PROGRAMS[name])
    engine = Engine(program, Prover(QUICK))
    for seed in range(GAMES):
        pick = random.Random(seed)
        offered = candidates(program, pick)
        books = engine.start()
        if seed % 2:
            for loop, expression in pick.sample(offered, min(6, len(offered))):
                books = engine.propose(books, expression, loop).books
        else:
            for size in (25, 12):
                books = engine.propose_many(books, pick.sample(offered, min(size, len(offered))), search=False).books
        assert not not_inductive(program, inductive_facts(books)), (seed, inductive_facts(books))


def test_a_test_that_is_proposed_does_not_hide_the_way_out_of_its_loop() -> None:
    """If `b < 9` is taken for granted at loop 2, nothing leaves that loop, and then anything holds at loop 1."""
    source = (
        "fn main() { var a, b: nat; a := 0; while (a < 9) { b := 0; while (b < 9) { b := b + 1; } a := a + 1; } assert(a = 9); }"
    )
    program = load(source.replace("9", "99999"))
    engine = Engine(program)
    batch = engine.propose_many(engine.start(), [(2, "b < 99999"), (1, "a <= 500")])
    assert Kind.INDUCTIVE not in dict(batch.kinds).values()
    hasty = engine.propose_many(engine.start(), [(2, "b < 99999"), (1, "a <= 77777")], search=False)
    assert not inductive_facts(hasty.books)
    books = engine.start()
    for loop, expression in ((1, "a <= 77777"), (2, "b < 99999")):
        books = engine.propose(books, expression, loop).books
        assert not inductive_facts(books)
