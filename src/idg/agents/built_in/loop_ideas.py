"""The ideas that the agent has about one loop. Each method that yields ideas is the source of a round (rounds.py) or is guided by
states that have to be ruled out (agent.py)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

from idg.agents.built_in.candidates import Idea
from idg.agents.built_in.ideas import bounds, clauses, guarded, likeness, pieces, shapes, sloped, text
from idg.agents.built_in.ideas.arrays.array_ideas import ArrayIdeas, decided
from idg.agents.built_in.ideas.equalities import Fitting
from idg.agents.built_in.ideas.few_states import few_states
from idg.agents.built_in.ideas.polynomials import equation_text
from idg.agents.built_in.ideas.weakest import weakest
from idg.agents.built_in.states.loop_view import LoopView, numbers
from idg.sip.errors import SipError
from idg.sip.program import Program
from idg.sip.syntax import Cassign, Compare, Expr, Number, Type
from idg.sip.text.printer import print_expression
from idg.sip.trees.entry import column_leaf
from idg.sip.trees.logic import TRUE, either, implies, negate, separate_claims, simplified
from idg.sip.trees.traverse import expressions, statements
from idg.sip.values import Value

PULLED_BACK_MAX = 4
"""Turns through which the guarantee is pulled back. Every turn multiplies the size of the condition by the number of paths through
the body, so more turns soon exceed the largest size that weakest.py allows."""
COLUMNS_MAX = 9
"""Variables up to which guarded equalities of degree two are fitted. There are 55 monomials over nine variables; more need more
states than one phase of a loop usually shows."""
MODULUS_MAX = 100
"""Largest divisor of the text that is tried as a modulus: beyond it the states seen rarely show two numbers with the same
remainder."""
MODULI_MAX = 8
"""Moduli that are tried, the smallest first. Every modulus adds a candidate for each variable, and for each pair of them."""
HIGHER_DEGREES = 3
"""Degrees beyond the cubic ones that the round 'higher' fits."""

POWERS, IN_STEPS, BESIDE_POWERS = "powers", "powers, said in steps", "remainder, as long as powers are divided"
"""Sources of candidates about powers, which are proposed in an order of their own."""
PIECE = "a piece of the program"
"""The source of candidates that are taken from the text as they are, or nearly so."""
ALWAYS_PROPOSED = frozenset({IN_STEPS, PIECE})
"""Sources of candidates that are proposed although near states do not show that they say more than others."""


class LoopIdeas:
    """What can be thought of at one loop from the program's text and from the states that runs reach."""

    def __init__(self, program: Program, view: LoopView) -> None:
        self.program = program
        self.view = view
        self.test = view.loop.statement.test

    @cached_property
    def goals(self) -> list[Expr]:
        """The separate_claims of what must hold where the loop ends."""
        goal = text.goal(self.program, self.view.loop.statement)
        if goal is not None and self.view.arrays:
            goal = decided(goal)
        return [] if goal is None else [part for part in separate_claims(goal) if self.view.can_say(part)]

    @cached_property
    def atoms(self) -> list[Compare]:
        """The comparisons of the program's text that speak of variables of this loop."""
        return [atom for atom in text.atoms(self.program) if self.view.can_say(atom)]

    @property
    def comparisons(self) -> list[Compare]:
        """The same, and those in what must hold where the loop ends."""
        return [*self.atoms, *self._comparisons_in(self.goals)]

    def _comparisons_in(self, claims: Sequence[Expr]) -> list[Compare]:
        """Those that speak of variables of this loop. Inside of a quantifier or a sum stand comparisons about its own variable."""
        parts = (part for claim in claims for part in expressions(claim))
        return [part for part in parts if isinstance(part, Compare) and self.view.can_say(part)]

    @cached_property
    def moduli(self) -> list[int]:
        """Two and three, and the divisors of the text that are not too large."""
        return sorted({2, 3, *(divisor for divisor in shapes.divisors(self.program) if divisor <= MODULUS_MAX)})[:MODULI_MAX]

    @cached_property
    def changing_numbers(self) -> list[str]:
        return [name for name in self.view.numeric if name in self.view.changing]

    # the sources of rounds

    def from_text(self) -> Iterator[Idea]:
        """The guarantee, the precondition, the program's tests as far as the states allow them, and linear equations."""
        for goal in self.goals:
            yield goal, "the guarantee"
            if self.view.can_say(self.test):
                yield either(self.test, goal), "the guarantee, unless the loop goes on"
        for pre in self.program.level.pres:
            for part in separate_claims(pre):
                yield part, "the precondition"
        yield from self._bounded_pairs(self.atoms, "a test or its relaxation")
        if not self._ends:
            for claim in text.relaxed(separate_claims(self.test)):
                if self.view.can_say(claim):
                    yield claim, "the test, relaxed by one turn"
        for equation in self._linear_equations:
            yield equation, "linear equality of the states"

    def _bounded_pairs(self, claims: Sequence[Expr], source: str) -> Iterator[Idea]:
        """For each comparison: how far one side is from the other at most."""
        pairs = [
            (claim.operands[0], claim.operands[1])
            for claim in claims
            if isinstance(claim, Compare) and len(claim.ops) == 1 and self._is_number(claim.operands[0])
        ]
        for bound in bounds.about_difference(self.view, list(dict.fromkeys(pairs))):
            yield bound, source

    def _is_number(self, expr: Expr) -> bool:
        try:
            return self.program.expression(print_expression(expr), self.view.number)[1] is not Type.BOOL
        except SipError:
            return False

    @cached_property
    def _ends(self) -> bool:
        """Whether a state was reached in which the loop ends. Otherwise the states do not show how far its variables go."""
        if not self.view.can_say(self.test):
            return True
        return self.view.masks([self.test], self.view.rows)[0] != (1 << len(self.view.rows)) - 1

    @cached_property
    def _linear(self) -> tuple[list[str], list[str]]:
        """The linear equations of the states, as texts, and the variables that none of them gives."""
        fitting = Fitting({name: self.view.column(name) for name in (*self.view.numeric, *self.view.lengths)})
        polys = fitting.next_degree() or []
        dependent = {name for leading in fitting.leading for name in leading}
        equations = [equation_text(poly, self.changing_numbers) for poly in polys]
        return equations, [name for name in self.view.numeric if name not in dependent]

    @property
    def _linear_equations(self) -> list[str]:
        return self._linear[0]

    @property
    def _independent(self) -> list[str]:
        return self._linear[1]

    @cached_property
    def _fitting(self) -> Fitting:
        """Equations over the independent variables, beyond the linear ones: the others would say the same again."""
        fitting = Fitting({name: self.view.column(name) for name in self._independent})
        fitting.next_degree()
        return fitting

    def from_bounds(self) -> Iterator[Idea]:
        """Bounds of variables, sums and differences; the guarantee with a limit replaced by the variable that runs to it."""
        names = (*self.view.numeric, *self.view.lengths)
        pairs = [(first, second) for index, first in enumerate(names) for second in names[index + 1 :]]
        for bound in bounds.octagon(self.view, names, pairs):
            yield bound, "bound of the states"
        general = text.generalised(self.view, self.goals)
        for claim in general:
            yield claim, "the guarantee, a limit replaced by the variable that runs to it"
        yield from self._bounded_pairs(general, "bound of a term of the guarantee")

    def few_states(self) -> Iterator[Idea]:
        """All states that were seen, where they are few."""
        one_run = not self.program.params and not any(isinstance(part, Cassign) for part in statements(self.program.level.body))
        for states in few_states(self.view, one_run):
            yield states, "all states that were seen"

    def pieces(self) -> Iterator[Idea]:
        """Parts of the guarantee and of tests, with borders moved by one, and bounds by numbers of the text."""
        for piece in pieces.pieces(self.view, self.goals, self.atoms):
            yield piece, PIECE

    def coefficients(self) -> Iterator[Idea]:
        """Bounds of variables by multiples of others, such as y <= 100 * x."""
        for bound in bounds.about_difference(self.view, pieces.with_coefficients(self.view, self.program)):
            yield bound, "bound by a multiple of another variable"

    def like_the_guarantee(self) -> Iterator[Idea]:
        """Facts of the guarantee's shape about the values on the way."""
        for claim in likeness.like(self.view, self.goals):
            if self.view.can_say(claim):
                yield claim, "looks like the guarantee"

    def next_degree(self) -> Iterator[Idea]:
        """The polynomial equations of the next degree: two at the first call, three at the second."""
        for poly in self._fitting.next_degree() or []:
            yield equation_text(poly, self.changing_numbers), f"equality of degree {max(map(len, poly))}"

    def higher_degrees(self) -> Iterator[Idea]:
        """The polynomial equations of several further degrees at once."""
        for _ in range(HIGHER_DEGREES):
            yield from self.next_degree()

    def powers(self) -> Iterator[Idea]:
        """Powers of numbers of the text, and the remainders that other variables have while powers are divided."""
        powers = list(shapes.powers(self.view, self.program))
        for _, claim in powers:
            yield claim, POWERS
        for claim in shapes.in_steps(self.view, self.program):
            yield claim, IN_STEPS
        others = [name for name in self.view.numeric if name not in {name for name, _ in powers}]
        if powers and self.view.can_say(self.test):
            for guard, rows in guarded.phases(self.view, separate_claims(self.test)):
                for claim in guarded.remainders(self.view, guard, rows, others, self.moduli[:1]):
                    yield claim, BESIDE_POWERS

    def from_shapes(self) -> Iterator[Idea]:
        """Remainders, truth values, greatest common divisors, and terms of the guarantee mixed with variables of the test."""
        for remainder in bounds.remainders(self.view, self.view.numeric, self.moduli):
            yield remainder, "remainder"
        for claim in shapes.remainders_by_variables(self.view, self.program):
            yield claim, "remainder by a variable"
        for equivalence in shapes.truth_values(self.view, self.atoms):
            yield equivalence, "a Boolean says what a comparison says"
        for equation in shapes.common_divisors(self.view):
            yield equation, "greatest common divisor"
        inequalities = [
            goal
            for goal in self.goals
            if isinstance(goal, Compare) and goal.ops[0] not in ("=", "!=") and self._is_number(goal.operands[0])
        ]
        factors = [1, *shapes.divisors(self.program)][: shapes.FACTORS_MAX]
        pairs = list(shapes.mixed(self.view, inequalities, self.test, factors)) if self.view.can_say(self.test) else []
        for bound in bounds.about_difference(self.view, pairs):
            yield bound, "bound of a term of the guarantee with a variable of the test"

    def phases(self) -> Iterator[Idea]:
        """Linear equations, bounds and remainders that hold while a test of the program does."""
        for guard, rows in self._guards:
            source = f"while {print_expression(guard)}"
            for equation in guarded.equalities(self.view, guard, rows, 1, self.view.numeric):
                yield equation, source
            for bound in guarded.bounds(self.view, guard, rows, self.view.numeric):
                yield bound, source
            for remainder in guarded.remainders(self.view, guard, rows, self.view.numeric, self.moduli):
                yield remainder, source

    def sloped(self) -> Iterator[Idea]:
        """The guarantee's inequalities, tightened by a multiple of another variable, always or while a test holds."""
        everything: tuple[None, Sequence[int]] = None, range(len(self.view.rows))
        inequalities = [goal for goal in self.goals if isinstance(goal, Compare) and self._is_number(goal.operands[0])]
        for claim in sloped.sloped(self.view, inequalities, [everything, *self._guards]):
            yield claim, "the guarantee, tightened by a multiple of another variable"

    @cached_property
    def _guards(self) -> list[tuple[Expr, list[int]]]:
        """Tests that hold in some of the states only, each with the indices of the rows where it does."""
        literals: list[Expr] = []
        for name in self.view.booleans:
            literals += [column_leaf(name), negate(column_leaf(name))]
        general = text.generalised(self.view, self.goals)
        single = list(dict.fromkeys([*self.atoms, *self._comparisons_in(general)]))
        for comparison in single:
            literals += [comparison, negate(comparison)]
        return list(guarded.phases(self.view, [*literals, *guarded.between(single)]))

    def curved_phases(self) -> Iterator[Idea]:
        """Quadratic equations that hold while a test of the program does."""
        if len(self._independent) > COLUMNS_MAX:
            return
        for guard, rows in self._guards:
            for equation in guarded.equalities(self.view, guard, rows, 2, self._independent):
                yield equation, f"while {print_expression(guard)}"

    def renamed(self) -> Iterator[Idea]:
        """The program's comparisons, and their negations, about other variables."""
        for claim in text.renamed(self.view, [*self.goals, *self.atoms]):
            yield claim, "an atom of the text about another variable"
            yield negate(claim), "an atom of the text about another variable"

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
                for part in separate_claims(claim):
                    yield part, f"the guarantee, pulled back through {turns} turn{'s' * (turns > 1)}"

    # arrays

    @cached_property
    def _arrays(self) -> ArrayIdeas:
        goals = [text.goal(self.program, loop.statement) for loop in self.program.info.level.loops]
        return ArrayIdeas(self.program, self.view, [goal for goal in goals if goal is not None])

    def cells_of_contract(self) -> Iterator[Idea]:
        """The guarantee's conditions on cells, for ranges between counters; equations of cells with those of another array."""
        return self._arrays.from_contract()

    def cells_of_tests(self) -> Iterator[Idea]:
        """Comparisons of cells in the text, as conditions on all cells of a range."""
        return self._arrays.from_tests()

    def pairs_of_cells(self) -> Iterator[Idea]:
        """Conditions on pairs of cells: for two ranges, or for the cell at a counter and a range."""
        return self._arrays.from_pairs()

    def fitted_cells(self) -> Iterator[Idea]:
        """Equations of the cells of a range."""
        return self._arrays.from_fits()

    def sums_of_cells(self) -> Iterator[Idea]:
        """Sums and counts of the contract, compared up to a counter."""
        return self._arrays.from_sums()

    # guided by states to rule out

    def to_be_kept(self) -> Iterator[Expr]:
        """Expressions that are false at the loop's head only if the program fails: there, or within the turn that follows."""
        if not self.view.can_say(self.test):
            return
        for goal in self.goals:
            yield either(self.test, goal)
        turn = weakest(self.program, self.view.loop.statement.body.statements, TRUE)
        if turn is not None and turn != TRUE and self.view.can_say(turn):
            yield implies(self.test, simplified(turn))

    @cached_property
    def _literals(self) -> list[Expr]:
        atoms: list[Expr] = [*self.atoms, *map(negate, self.atoms)]
        return clauses.simple_literals(self.view, numbers(self.program), atoms)

    def products_against(self, known: Sequence[Expr], bad: Mapping[str, Value]) -> Iterator[Idea]:
        """Bounds of terms by products of what is known not to be negative, where they rule out the bad state."""
        row = clauses.row_of(self.view, bad)
        if row is None:
            return
        sides = [side for goal in self.goals if isinstance(goal, Compare) for side in goal.operands if self._is_number(side)]
        variables = [column_leaf(name) for name in self.changing_numbers]
        terms = [term for term in dict.fromkeys([*variables, *sides]) if not isinstance(term, Number)]
        claims = list(bounds.about_difference(self.view, list(shapes.products(self.view, known, terms))))
        for claim, mask in zip(claims, self.view.masks(claims, [row]), strict=True):
            if not mask:
                yield claim, "bound by a product of what is not negative"

    def sums_against(self, bad: Mapping[str, Value]) -> Iterator[Idea]:
        """Bounds of sums of variables that rule out the bad state."""
        row = clauses.row_of(self.view, bad)
        if row is not None:
            for bound in bounds.combinations(self.view, row):
                yield bound, "bound of a sum that rules out the state shown"

    def against(self, bad: Sequence[Mapping[str, Value]]) -> Iterator[Idea]:
        """Clauses that rule out the latest bad state, and a decision tree that rules out all of them."""
        rows = [row for row in (clauses.row_of(self.view, state) for state in bad) if row is not None]
        if rows:
            for clause in clauses.clauses(self.view, self._literals, rows[-1]):
                yield clause, "rules out the state shown"
            for clause in clauses.tree(self.view, self._literals, rows):
                yield clause, "a decision between reached states and states to rule out"
