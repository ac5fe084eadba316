"""What an agent thinks of at one loop, round by round: each round is a source of candidates."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

from idg.agents.built_in.ideas import bounds, clauses, guarded, likeness, shapes, text
from idg.agents.built_in.ideas.equalities import Fitting
from idg.agents.built_in.ideas.polynomials import Poly, equation_text
from idg.agents.built_in.ideas.weakest import weakest
from idg.agents.built_in.view import View, numbers
from idg.sip.errors import SipError
from idg.sip.logic import TRUE, either, implies, negate, separate_claims, simplified
from idg.sip.program import Program
from idg.sip.syntax import Compare, Expr, Number, Type
from idg.sip.text.printer import print_expression
from idg.sip.traverse import expressions
from idg.sip.values import Value

PULLED_BACK_MAX = 4
WIDE = 9
"""Columns beyond which guarded equalities stay linear."""

POWERS, IN_STEPS, BESIDE_POWERS = "powers", "powers, said in steps", "remainder, as long as powers are divided"
REPHRASED = frozenset({IN_STEPS})
"""Sources of candidates that say again what others say."""

Idea = tuple[str | Expr, str]
"""An expression, or its text, and where it comes from."""


class Mind:
    ROUNDS = (
        "from_text",
        "from_bounds",
        "like_the_guarantee",
        "quadratic",
        "powers",
        "from_shapes",
        "cubic",
        "phases",
        "renamed",
        "curved_phases",
        "higher",
        "pulled_back",
    )

    def __init__(self, program: Program, view: View) -> None:
        self.program = program
        self.view = view
        self.test = view.loop.statement.test

    @cached_property
    def goals(self) -> list[Expr]:
        found = text.goal(self.program, self.view.loop.statement)
        return [] if found is None else [each for each in separate_claims(found) if self.view.can_say(each)]

    @cached_property
    def atoms(self) -> list[Compare]:
        return [each for each in text.atoms(self.program) if self.view.can_say(each)]

    @cached_property
    def moduli(self) -> list[int]:
        return sorted({2, 3, *(each for each in shapes.divisors(self.program) if each <= 100)})[:8]

    def changing_first(self, names: Sequence[str]) -> list[str]:
        return [name for name in names if name in self.view.changing]

    # rounds

    def from_text(self) -> Iterator[Idea]:
        for goal in self.goals:
            yield goal, "the guarantee"
            if self.view.can_say(self.test):
                yield either(self.test, goal), "the guarantee, unless the loop goes on"
        for pre in self.program.level.pres:
            for each in separate_claims(pre):
                yield each, "the precondition"
        yield from self.bounded_pairs(self.atoms, "a test or its relaxation")
        if not self.ends:
            for found in text.relaxed(separate_claims(self.test)):
                if self.view.can_say(found):
                    yield found, "the test, relaxed by one turn"
        for equation in self.linear:
            yield equation, "linear equality of the states"

    def bounded_pairs(self, claims: Sequence[Expr], source: str) -> Iterator[Idea]:
        pairs = [
            (each.operands[0], each.operands[1])
            for each in claims
            if isinstance(each, Compare) and len(each.ops) == 1 and self.is_number(each.operands[0])
        ]
        for found in bounds.about_difference(self.view, list(dict.fromkeys(pairs))):
            yield found, source

    def is_number(self, expr: Expr) -> bool:
        try:
            return self.program.expression(print_expression(expr), self.view.number)[1] is not Type.BOOL
        except SipError:
            return False

    @cached_property
    def ends(self) -> bool:
        """Whether a state was reached in which the loop ends; otherwise the states do not tell where it does."""
        if not self.view.can_say(self.test):
            return True
        return self.view.masks([self.test], self.view.rows)[0] != (1 << len(self.view.rows)) - 1

    @cached_property
    def linear(self) -> list[str]:
        fitting = Fitting({name: self.view.column(name) for name in self.view.numeric})
        found = fitting.next_degree() or []
        self.dependent = {name for lead in fitting.leading for name in lead}
        return [equation_text(poly, self.changing_first(self.view.numeric)) for poly in found]

    @cached_property
    def independent(self) -> list[str]:
        """Variables that no linear equality gives."""
        assert self.linear is not None
        return [name for name in self.view.numeric if name not in self.dependent]

    @cached_property
    def fitting(self) -> Fitting:
        found = Fitting({name: self.view.column(name) for name in self.independent})
        found.next_degree()
        return found

    def from_bounds(self) -> Iterator[Idea]:
        wanted = self.view.numeric
        linked = [(a, b) for at, a in enumerate(wanted) for b in wanted[at + 1 :]]
        for found in bounds.octagon(self.view, wanted, linked):
            yield found, "bound of the states"
        general = text.generalised(self.view, self.goals)
        for claim in general:
            yield claim, "the guarantee, a limit replaced by the variable that runs to it"
        yield from self.bounded_pairs(general, "bound of a term of the guarantee")

    def like_the_guarantee(self) -> Iterator[Idea]:
        for found in likeness.like(self.view, self.goals):
            if self.view.can_say(found):
                yield found, "looks like the guarantee"

    def polynomials(self) -> Iterator[Idea]:
        poly: Poly
        for poly in self.fitting.next_degree() or []:
            yield equation_text(poly, self.changing_first(self.view.numeric)), f"equality of degree {max(map(len, poly))}"

    def quadratic(self) -> Iterator[Idea]:
        yield from self.polynomials()

    def cubic(self) -> Iterator[Idea]:
        yield from self.polynomials()

    def higher(self) -> Iterator[Idea]:
        for _ in range(3):
            yield from self.polynomials()

    def powers(self) -> Iterator[Idea]:
        """Powers, and the remainders that go with them."""
        found = list(shapes.powers(self.view, self.program))
        for _, each in found:
            yield each, POWERS
        for each in shapes.in_steps(self.view, self.program):
            yield each, IN_STEPS
        others = [name for name in self.view.numeric if name not in {name for name, _ in found}]
        if found and self.view.can_say(self.test):
            for guard, rows in guarded.phases(self.view, separate_claims(self.test)):
                for each in guarded.remainders(self.view, guard, rows, others, self.moduli[:1]):
                    yield each, BESIDE_POWERS

    def from_shapes(self) -> Iterator[Idea]:
        for found in bounds.remainders(self.view, self.view.numeric, self.moduli):
            yield found, "remainder"
        for found in shapes.truth_values(self.view, self.atoms):
            yield found, "a Boolean says what a comparison says"
        for found in shapes.common_divisors(self.view):
            yield found, "greatest common divisor"
        unequal = [
            each
            for each in self.goals
            if isinstance(each, Compare) and each.ops[0] not in ("=", "!=") and self.is_number(each.operands[0])
        ]
        factors = [1, *shapes.divisors(self.program)][: shapes.FACTORS_MAX]
        pairs = list(shapes.mixed(self.view, unequal, self.test, factors)) if self.view.can_say(self.test) else []
        for claim in bounds.about_difference(self.view, pairs):
            yield claim, "bound of a term of the guarantee with a variable of the test"

    def phases(self) -> Iterator[Idea]:
        for guard, rows in self.guards:
            source = f"while {print_expression(guard)}"
            for found in guarded.equalities(self.view, guard, rows, 1, self.view.numeric):
                yield found, source
            for found in guarded.bounds(self.view, guard, rows, self.view.numeric):
                yield found, source
            for found in guarded.remainders(self.view, guard, rows, self.view.numeric, self.moduli):
                yield found, source

    @cached_property
    def guards(self) -> list[tuple[Expr, list[int]]]:
        literals: list[Expr] = []
        for name in self.view.booleans:
            literals += [self.view.leaf(name), negate(self.view.leaf(name))]
        general = text.generalised(self.view, self.goals)
        parts = [part for claim in general for part in expressions(claim) if isinstance(part, Compare)]
        for each in dict.fromkeys([*self.atoms, *parts]):
            literals += [each, negate(each)]
        return list(guarded.phases(self.view, literals))

    def curved_phases(self) -> Iterator[Idea]:
        if len(self.independent) > WIDE:
            return
        for guard, rows in self.guards:
            for found in guarded.equalities(self.view, guard, rows, 2, self.independent):
                yield found, f"while {print_expression(guard)}"

    def renamed(self) -> Iterator[Idea]:
        for each in text.renamed(self.view, [*self.goals, *self.atoms]):
            yield each, "an atom of the text about another variable"
            yield negate(each), "an atom of the text about another variable"

    def pulled_back(self) -> Iterator[Idea]:
        """What must hold one turn earlier, two turns earlier, … so that the guarantee holds in the end."""
        if not self.goals or not self.view.can_say(self.test):
            return
        for goal in self.goals:
            claim: Expr | None = either(self.test, goal)
            for turns in range(1, PULLED_BACK_MAX + 1):
                claim = None if claim is None else weakest(self.program, self.view.loop.statement.body.statements, claim)
                if claim is None or not self.view.can_say(claim):
                    break
                claim = simplified(implies(self.test, claim))
                for each in separate_claims(claim):
                    yield each, f"the guarantee, pulled back through {turns} turn{'s' * (turns > 1)}"

    def to_be_kept(self) -> Iterator[Expr]:
        """What is false at the loop's head only if the program fails: there, or within the turn that follows."""
        if not self.view.can_say(self.test):
            return
        for goal in self.goals:
            yield either(self.test, goal)
        turn = weakest(self.program, self.view.loop.statement.body.statements, TRUE)
        if turn is not None and turn != TRUE and self.view.can_say(turn):
            yield implies(self.test, simplified(turn))

    # guided by states to rule out

    @cached_property
    def literals(self) -> list[Expr]:
        atoms: list[Expr] = [*self.atoms, *map(negate, self.atoms)]
        return clauses.simple_literals(self.view, numbers(self.program), atoms)

    def products_against(self, known: Sequence[Expr], bad: Mapping[str, Value]) -> Iterator[Idea]:
        """Bounds of terms by products of what is known not to be negative, where they rule out the state shown."""
        row = clauses.row_of(self.view, bad)
        if row is None:
            return
        sides = [side for goal in self.goals if isinstance(goal, Compare) for side in goal.operands if self.is_number(side)]
        variables = [self.view.leaf(name) for name in self.view.numeric if name in self.view.changing]
        terms = [each for each in dict.fromkeys([*variables, *sides]) if not isinstance(each, Number)]
        found = list(bounds.about_difference(self.view, list(shapes.products(self.view, known, terms))))
        for each, mask in zip(found, self.view.masks(found, [row]), strict=True):
            if not mask:
                yield each, "bound by a product of what is not negative"

    def sums_against(self, bad: Mapping[str, Value]) -> Iterator[Idea]:
        row = clauses.row_of(self.view, bad)
        if row is not None:
            for found in bounds.combinations(self.view, row):
                yield found, "bound of a sum that rules out the state shown"

    def against(self, bad: Sequence[Mapping[str, Value]]) -> Iterator[Idea]:
        rows = [row for row in (clauses.row_of(self.view, each) for each in bad) if row is not None]
        if rows:
            for found in clauses.clauses(self.view, self.literals, rows[-1]):
                yield found, "rules out the state shown"
            for found in clauses.tree(self.view, self.literals, rows):
                yield found, "a decision between reached states and states to rule out"
