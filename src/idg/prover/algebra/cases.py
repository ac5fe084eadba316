"""The stage of cases: it distinguishes which argument of each min, max and abs is the greater, and lets algebra prove every case.

Imported C programs need it, because the importer writes C's division with max where a number may be negative.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from idg.prover.algebra import identities as algebra
from idg.prover.answers import Proved
from idg.sip.syntax import Binary, Call, Compare, Expr, Unary
from idg.sip.trees.build import ZERO
from idg.sip.trees.traverse import expressions, names
from idg.vc.query import Hypothesis, Query

TESTS_MAX = 3
"""Differences whose signs are distinguished; n of them make 2^n cases."""


def attempt(query: Query, _budget: int = 1) -> Proved | None:
    """Proved where algebra proves every case, None otherwise. The stage bounds itself and needs no budget."""
    tests = list(dict.fromkeys(_tests(query)))
    if not 0 < len(tests) <= TESTS_MAX:
        return None
    core: set[int] = set()
    given = len(query.hypotheses)
    for ops in itertools.product((">=", "<="), repeat=len(tests)):
        facts = (Compare((test, ZERO), (op,)) for test, op in zip(tests, ops, strict=True))
        more = (Hypothesis(fact, "case", names(fact)) for fact in facts)
        answer = algebra.attempt(Query(query.variables, (*query.hypotheses, *more), query.goal, query.info))
        if not isinstance(answer, Proved):
            return None
        core |= {index for index in answer.core if index < given}
    return Proved("cases", frozenset(core))


def _tests(query: Query) -> Iterator[Expr]:
    """For each min, max and abs the expression whose sign decides it; max(x, 0) and max(-x, 0) are decided by the same one."""
    for whole in (query.goal, *(hypothesis.expr for hypothesis in query.hypotheses)):
        for part in expressions(whole):
            match part:
                case Call("abs", (argument,)):
                    yield _positive(argument)
                case Call("min" | "max", (left, right)):
                    yield _positive(left) if right == ZERO else _positive(right) if left == ZERO else Binary("-", left, right)


def _positive(expr: Expr) -> Expr:
    return expr.operand if isinstance(expr, Unary) and expr.op == "-" else expr
