"""Attacks on the prover with random queries, as a whole and on each stage alone."""

from __future__ import annotations

import random

from idg.prover.normal import canonical, parts
from idg.prover.prove import QUICK, Effort, stages
from idg.sip.errors import SipError
from idg.sip.program import Program, load
from idg.sip.record import replace
from idg.sip.syntax import Compare, Expr, Type, Unary
from idg.vc.paths import Path
from idg.vc.query import Query
from idg.vc.symbolic import NO_INVARIANTS, Executor
from tests.support.attack.attack import AttackedProver, Report, attack_answer
from tests.support.attack.attack_programs import CALLS, HELPERS, NEEDS, ProgramMaker
from tests.support.attack.queries.random_queries import RandomQueries
from tests.support.programs.drawn.random_programs import random_expression

EFFORT = Effort(
    enumerator_steps=4_000, z3_rlimit=60_000, subset_rlimit=20_000, retry_rlimit=20_000, reals_rlimit=40_000, cvc5_rlimit=2_000,
    last_enumerator_steps=0,
)  # fmt: skip
"""Small budgets for every stage, so that each one has the chance to answer."""
WHOLE_EFFORT = replace(QUICK, enumerator_steps=4_000, z3_rlimit=60_000)
"""Budgets of the prover when it is attacked as a whole: those of QUICK, with less for the enumerator and z3."""
STAGES = stages(EFFORT)
CHEAP = [stage for stage in STAGES if stage.name in ("algebra", "residues", "congruences", "cases")]
DEAR_SHARE = 0.15
"""Share of the attacks on single stages that go to stages which call a solver, because those are slow."""


class QueryMaker:
    """Makes queries over the parameters of a program that does nothing but has helpers, which the queries may call."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        count = rng.choice((1, 2, 2, 3, 3, 4))
        kinds = {name: rng.choice(("nat", "nat", "int", "int", "int", "rat", "bool")) for name in ("x", "y", "i", "n")[:count]}
        if "n" not in kinds:
            kinds["n"] = rng.choice(("nat", "int"))
        names = [helper[3:].partition("(")[0] for helper in HELPERS]
        helpers = rng.sample(names, 1) if rng.random() < 0.15 else []
        helpers += [NEEDS[helper] for helper in helpers if helper in NEEDS]
        params = ", ".join(f"{name}: {kind}" for name, kind in kinds.items())
        chosen = [helper for helper in HELPERS if helper[3:].partition("(")[0] in helpers]
        self.program: Program = load("\n".join([*chosen, f"fn main({params}) {{ while (false) {{ }} }}"]))
        self.maker = ProgramMaker(rng, kinds, [helper for helper in helpers if helper in CALLS])
        self.kinds = dict(self.program.info.level.variables)

    def condition(self) -> Expr:
        if self.rng.random() < 0.3:
            return random_expression(self.rng, self.kinds, Type.BOOL, self.rng.randint(2, 6))
        while True:
            try:
                return self.program.expression(self.maker.condition(self.rng.choice((1, 2, 2, 3))))[0]
            except SipError:
                continue

    def goal(self, hypotheses: list[Expr]) -> Expr:
        """A random goal, or one near a hypothesis, which may well follow from it."""
        share = self.rng.random()
        if not hypotheses or share < 0.5:
            return self.condition()
        chosen = self.rng.choice(hypotheses)
        if share < 0.75 and isinstance(chosen, Compare) and self.numeric(chosen):
            weaker = {"<": "<=", ">": ">=", "=": "<=", "<=": "<", ">=": ">", "!=": "<"}
            return Compare(chosen.operands, tuple(weaker[op] for op in chosen.ops))
        return Unary("!", chosen) if share < 0.85 else self.condition()

    def numeric(self, expr: Compare) -> bool:
        from idg.prover.fold import is_boolean

        return not any(is_boolean(operand, self.kinds, self.program.info) for operand in expr.operands)

    def queries(self) -> list[Query]:
        executor = Executor(self.program.info, self.program.info.level, NO_INVARIANTS)
        values: dict[str, Expr] = {name: executor.fresh(name, kind) for name, kind in self.kinds.items()}
        executor.entry = values
        path = Path(values)
        hypotheses = [self.condition() for _ in range(self.rng.choice((0, 1, 1, 2, 2, 3, 4)))]
        for hypothesis in hypotheses:
            path = executor.known(hypothesis, path, "hypothesis")
        return executor.holds(self.goal(hypotheses), path)


def attack_queries(report: Report, seed: int) -> None:
    """Attacks the prover with a few queries over the same variables, and two single stages with one of them."""
    rng = random.Random(f"queries {seed}")
    report.seed = f"queries {seed}"
    program: Program | None = None
    if rng.random() < 0.25:
        queries = [RandomQueries(seed).query()]
    else:
        maker = QueryMaker(rng)
        program = maker.program
        queries = maker.queries()
    prover = AttackedProver(report, rng, program, WHOLE_EFFORT)
    for query in queries:
        prover.prove(query)
    for part in parts(rng.choice(queries))[:2]:
        form = canonical(part.query)
        for stage in (rng.choice(STAGES if rng.random() < DEAR_SHARE else CHEAP), rng.choice(CHEAP)):
            report.queries += 1
            answer = stage.attempt(form.query, stage.budget(EFFORT))
            report.count(f"{stage.name}: {type(answer).__name__}")
            attack_answer(report, form.query, answer, rng, program, total=True)
