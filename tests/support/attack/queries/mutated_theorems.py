"""True theorems with one thing changed, put to each stage of the prover alone.

Most of them are false now, and only just, so a stage that is careless with a sign or a bound proves one. What a stage proves is
attacked by brute force and by z3 and cvc5 with an encoding of the tests' own.
"""

from __future__ import annotations

import random
from functools import cache

import z3

from idg.engine.inquiry import Inquiry
from idg.engine.judging.belief import obligation_query
from idg.levels import all_levels
from idg.prover.answers import Proved, Refuted
from idg.prover.check import refutes
from idg.prover.fold import is_boolean
from idg.prover.normal import canonical, parts, speaks_of_arrays
from idg.prover.prove import Prover, Stage
from idg.sip.program import Program
from idg.sip.record import replace
from idg.sip.syntax import Binary, Boolean, Call, Compare, Expr, Name, Number, Type, Unary
from idg.sip.trees.traverse import expressions
from idg.vc.query import Hypothesis, Query
from tests.support.attack.attack import Report, attack_answer, shows
from tests.support.attack.encoding.own_cells import Beyond
from tests.support.attack.encoding.own_encoding import cvc5_says_sat, z3_model
from tests.support.attack.encoding.own_expressions import Encoding, Place
from tests.support.attack.queries.attack_queries import EFFORT, STAGES
from tests.support.attack.queries.prover_examples import LEMMAS, VALID
from tests.support.attack.queries.random_queries import counterexample

QUICK_STAGES = ("algebra", "residues", "congruences", "cases", "enumerator")
"""Stages that are asked about every mutated theorem. Of the others, which call a solver, each theorem meets one."""
CVC5_SHARE = 0.1
"""Share of the proofs that are attacked by cvc5 as well as by z3."""
THEOREM_RLIMIT = 100_000
"""z3's own count of resources for the attack on one proof."""
COMPARISONS = ("=", "!=", "<", "<=", ">", ">=")


@cache
def theorems() -> tuple[Query, ...]:
    """The valid queries of the table, and the conditions by which the levels are proved with their solutions."""
    queries = [example.query() for example in (*VALID, *LEMMAS)]
    for level in all_levels():
        program = level.program()
        inquiry = Inquiry(program, Prover())
        facts = [inquiry.fact(fact.loop, fact.expr) for fact in level.solution]
        analysis = inquiry.analysis(inquiry.program.level.name, facts, facts)
        for fact in facts:
            expr = inquiry.expr(fact)
            queries += (*analysis.entry(fact.loop, expr), *analysis.step(fact.loop, expr))
        queries += (obligation_query(analysis, obligation) for obligation in analysis.obligations)
    # Queries about arrays have an attack of their own (array_attack.py), with an encoding that knows arrays.
    return tuple(query for query in queries if not speaks_of_arrays(query))


def mutated(query: Query, rng: random.Random) -> Query:
    """The query with its goal or one of its hypotheses changed in one place, or with a hypothesis less."""
    index = rng.randrange(-1, len(query.hypotheses))
    if index < 0:
        return replace(query, goal=_changed(query.goal, query, rng))
    before, chosen, after = query.hypotheses[:index], query.hypotheses[index], query.hypotheses[index + 1 :]
    if rng.random() < 0.3:
        return replace(query, hypotheses=before + after)
    return replace(query, hypotheses=(*before, Hypothesis(_changed(chosen.expr, query, rng)), *after))


def _changed(expr: Expr, query: Query, rng: random.Random) -> Expr:
    """The expression with one of its parts replaced by something near it."""
    places = [part for part in expressions(expr) if not isinstance(part, Boolean)]
    if not places:
        return Unary("!", expr)
    place = rng.choice(places)
    return _replaced(expr, place, _near(place, query, rng))


def _replaced(expr: Expr, part: Expr, new: Expr) -> Expr:
    """The expression with this very part replaced."""
    if expr is part:
        return new
    match expr:
        case Unary(op, operand):
            return Unary(op, _replaced(operand, part, new))
        case Binary(op, left, right):
            return Binary(op, _replaced(left, part, new), _replaced(right, part, new))
        case Compare(operands, ops):
            return Compare(tuple(_replaced(operand, part, new) for operand in operands), ops)
        case Call(function, arguments):
            return Call(function, tuple(_replaced(argument, part, new) for argument in arguments))
        case _:
            return expr


def _near(part: Expr, query: Query, rng: random.Random) -> Expr:
    match part:
        case Number(value):
            return Number(max(0, int(value) + rng.choice((-1, 1, 1, 2))))
        case Name(name):
            same = [other for other, kind in query.variables.items() if (kind is Type.BOOL) == (query.variables[name] is Type.BOOL)]
            whole = query.variables[name] is not Type.RAT
            fitting = [other for other in same if not whole or query.variables[other] is not Type.RAT]
            return Name(rng.choice(fitting))
        case Compare(operands, ops):
            place = rng.randrange(len(ops))
            if any(is_boolean(operand, query.variables, query.info) for operand in operands):
                return Compare(operands, ("!=" if ops[0] == "=" else "=",))
            return Compare(operands, (*ops[:place], rng.choice(COMPARISONS), *ops[place + 1 :]))
        case Binary(op, left, right) if op in ("+", "-", "*"):
            return Binary(rng.choice(("+", "-", "*")), left, right)
        case Binary(op, left, right) if op in ("&", "|", "->"):
            return Binary(rng.choice(("&", "|", "->")), left, right)
        case Binary("//" | "%" as op, left, right):
            return Binary("%" if op == "//" else "//", left, right)
        case Unary(_, operand):
            return operand
        case _:
            return part


def violation(query: Query, core: frozenset[int]) -> object:
    """The formula that the core's hypotheses hold and the goal has a value and is false. Raises `Beyond`."""
    encoding = Encoding()
    terms = {name: encoding.fresh(name, kind) for name, kind in query.variables.items()}
    place = Place({name: term for name, (term, _) in terms.items()}, {})
    goal = encoding.read(query.goal, place)
    known = [encoding.read(query.hypotheses[index].expr, place).holds for index in sorted(core)]
    return z3.And(*(typed for _, typed in terms.values()), *known, goal.defined, z3.Not(goal.value))


def attack_theorem(report: Report, seed: int) -> None:
    """Puts one mutated theorem to the quick stages and to one of the others."""
    rng = random.Random(f"theorem {seed}")
    report.seed = f"theorem {seed}"
    query = mutated(rng.choice(theorems()), rng)
    dear = [stage for stage in STAGES if stage.name not in QUICK_STAGES]
    asked = [stage for stage in STAGES if stage.name in QUICK_STAGES]
    asked.append(rng.choice(dear))
    for part in parts(query)[:2]:
        form = canonical(part.query).query
        for stage in asked:
            _attack_stage(report, stage, form, rng)


def _attack_stage(report: Report, stage: Stage, query: Query, rng: random.Random) -> None:
    answer = stage.attempt(query, stage.budget(EFFORT))
    report.queries += 1
    report.count(f"{stage.name}: {type(answer).__name__}")
    program = None if query.info is None else Program("", query.info)
    if isinstance(answer, Refuted) and not (refutes(query, answer.state) and shows(query, answer.state, program)):
        report.wrong(f"refuted by {stage.name} alone, but {dict(answer.state)} does not show it", query)
    if not isinstance(answer, Proved):
        return
    attack_answer(report, query, answer, rng, program, total=True)
    smaller = replace(query, hypotheses=tuple(query.hypotheses[index] for index in sorted(answer.core)))
    state = counterexample(query, answer, rng)
    if state is not None and shows(smaller, state, program, total=True):
        report.wrong(f"proved by {stage.name} alone, but false in {state}", query, f"core {sorted(answer.core)}")
    try:
        formula = violation(query, answer.core)
    except Beyond:
        report.count("theorems: not encoded")
        return
    report.count("theorems: asked of z3")
    model = z3_model(formula, THEOREM_RLIMIT)
    if model is not None:
        report.wrong(f"proved by {stage.name} alone, but z3 says no", query, f"core {sorted(answer.core)}", model)
    if rng.random() < CVC5_SHARE and cvc5_says_sat(formula):
        report.wrong(f"proved by {stage.name} alone, but cvc5 says no", query, f"core {sorted(answer.core)}")
