"""Games of the built-in agent, proofs of what it calls solved from scratch, and games that players have half finished."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import Any

from idg.agents import Agent, AgentResult, LocalEngine
from idg.audit import CONFIRMED, audit
from idg.engine.books import Books
from idg.engine.engine import Engine
from idg.engine.verify import verify
from idg.levels import Level
from idg.prover.answers import Refuted
from idg.prover.prove import Prover
from idg.prover.smt import cvc5_stage
from idg.sip.program import Program, load
from idg.sip.record import replace
from idg.sip.syntax import Block, Branch, Expr, If, Module, Stmt, While
from idg.sip.text.expressions import parse_expression
from idg.sip.text.printer import print_program
from idg.sip.trees.logic import conjoin


def play(program: Program, **options: Any) -> AgentResult:
    """A game of the agent alone, with the engine in this process."""
    return Agent(LocalEngine(program), **options).play()


def annotated(program: Program, invariants: Sequence[Sequence[str]]) -> Program:
    """The program with these invariants written at its loops."""
    waiting: Iterator[Expr] = iter([conjoin(map(parse_expression, texts)) for texts in invariants])

    def block(inner: Block) -> Block:
        return Block(tuple(map(statement, inner.statements)))

    def statement(inner: Stmt) -> Stmt:
        match inner:
            case While(_, test, body):
                invariant = next(waiting)
                return While(invariant, test, block(body))
            case If(branches, otherwise):
                return If(tuple(Branch(branch.test, block(branch.body)) for branch in branches), block(otherwise))
            case _:
                return inner

    level = replace(program.level, body=block(program.level.body))
    return load(print_program(Module((*program.module.functions[:-1], level))))


def proved_from_scratch(program: Program, outcome: AgentResult) -> None:
    """Checks without the agent and its engine that all obligations and invariants are proved, and that cvc5 refutes none.

    The second verifier confirms it, too.
    """
    stated = annotated(program, outcome.invariants)
    assert audit(stated).answer == CONFIRMED
    checks = verify(stated, Prover())
    assert checks
    for check in checks:
        assert check.status == "proved", f"{check.what}: {check.text}"
        for query in check.queries:
            assert not isinstance(cvc5_stage.attempt(query), Refuted), f"cvc5 disagrees about {query}"


def half_finished(engine: Engine, entry: Level, seed: int) -> Books:
    """The books after some of the facts that people propose, in some order."""
    pick = random.Random(seed)
    facts = [(fact.loop, fact.expr) for fact in entry.solution]
    chosen = pick.sample(facts, pick.randrange(len(facts)))
    books = engine.start()
    for loop, text in chosen:
        books = engine.propose(books, text, loop).books
    return books
