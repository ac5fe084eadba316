"""The door: a program with proved invariants and measures becomes the text of another verifier."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain

from idg.engine.books import Books
from idg.engine.results import inductive_facts
from idg.export.acsl import acsl
from idg.export.boogie import boogie
from idg.export.conditions import acl2_text, smtlib_text
from idg.export.dafny import dafny
from idg.export.lowering.lowered import ExportRefused, LoweredProgram
from idg.export.lowering.lowering import Facts, lowered
from idg.export.why3 import why3
from idg.sip.program import Program
from idg.sip.record import Record
from idg.sip.syntax import Expr
from idg.sip.trees.arrays import array_constructs, expression_constructs


class Target(Record):
    name: str
    suffix: str
    """What the name of a file ends with."""
    comment: str
    """How a line of comment is written; {} stands for the text."""
    command: str
    """How the tool is called."""
    write: Callable[[Program, Facts, Facts], str]
    no_arrays: str = ""
    """Why the target cannot express programs with arrays and quantifiers; empty where it can."""


def _lowering(printer: Callable[[LoweredProgram], str]) -> Callable[[Program, Facts, Facts], str]:
    """The writer of a target that has programs and loops."""
    return lambda program, invariants, measures: printer(lowered(program, invariants, measures))


DAFNY_COMMAND = "dafny /compile:0 FILE.dfy (Dafny 4: dafny verify --function-syntax:3 FILE.dfy)"
ACSL_COMMAND = "frama-c -wp -wp-model Typed+nat+real -wp-prover z3,cvc4 FILE.c (each goal must be proved; numbers are exact so)"
ACL2_ARRAYS = "ACL2 would need a recursive function for each range that is spoken of, and an induction for each law about it"
C_ARRAYS = "arrays of C are passed by reference and have no length of their own, and those of this language are values"
TARGETS = {
    target.name: target
    for target in (
        Target("dafny", ".dfy", "// {}", DAFNY_COMMAND, _lowering(dafny)),
        Target("why3", ".mlw", "(* {} *)", "why3 prove -a split_vc -P z3 FILE.mlw", _lowering(why3)),
        Target("boogie", ".bpl", "// {}", "boogie FILE.bpl", _lowering(boogie)),
        Target("acl2", ".lisp", "; {}", "acl2 < FILE.lisp (no theorem may fail)", acl2_text, ACL2_ARRAYS),
        Target("acsl", ".c", "// {}", ACSL_COMMAND, _lowering(acsl), C_ARRAYS),
        Target("smtlib", ".smt2", "; {}", "z3 FILE.smt2 (each answer must be unsat)", smtlib_text),
    )
}


def export(program: Program, invariants: Facts, measures: Facts, target: str) -> str:
    """The text for this target. The invariants, those that the program states included, and the measures must be proved: nothing
    is proved here.

    Raises ExportRefused where the program cannot be said in the target's language.
    """
    chosen = TARGETS[target]
    if chosen.no_arrays:
        construct = next(_constructs(program, invariants, measures), None)
        if construct is not None:
            raise ExportRefused(f"{target} cannot say {construct}: {chosen.no_arrays}")
    text = chosen.write(program, invariants, measures)
    told = (f"{program.level.name}: written by idg export, with the invariants that it proved.", f"Check it by: {chosen.command}")
    return "\n".join([*(chosen.comment.format(line) for line in told), "", text])


def _constructs(program: Program, invariants: Facts, measures: Facts) -> Iterator[str]:
    """The constructs of arrays and quantifiers in the program and its facts, as a message names them."""
    yield from (construct for construct, _ in array_constructs(program))
    for number, facts in chain(invariants.items(), measures.items()):
        variables = program.info.functions[program.loop(number).function].variables
        yield from (construct for fact in facts for construct, _ in expression_constructs(fact, variables))


def export_books(program: Program, books: Books, target: str) -> str:
    """The text for this target, with the inductive facts and the proved measures of books that prove the program."""
    invariants: dict[int, list[Expr]] = {}
    for fact in inductive_facts(books):
        invariants.setdefault(fact.loop, []).append(program.proposal(fact.text, fact.loop))
    measures = {number: program.measure(loop.measure, number) for number, loop in enumerate(books.loops, 1) if loop.measure}
    return export(program, invariants, measures, target)


__all__ = ["TARGETS", "ExportRefused", "Target", "export", "export_books"]
