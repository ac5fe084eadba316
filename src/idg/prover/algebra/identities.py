"""The stage of exact algebra: proofs by polynomial identities, Gröbner bases and linear arithmetic over monomials.

This stage never refutes. It reads every variable as a rational number, which is sound because every nat and int is one. That ints
are whole is used to sharpen inequalities only. After a proof, each hypothesis is left out in turn and the proof is tried again. So
the hypotheses named as used are few, and known to suffice.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from idg.prover.algebra.atoms import Atoms, Comparison, Every, Formula, Some, is_small, negation
from idg.prover.algebra.closure import Closure, tighten
from idg.prover.algebra.linear import Inequality, contradiction
from idg.prover.algebra.polynomials import (
    ONE,
    Poly,
    PolynomialTooLarge,
    add,
    atom,
    atoms_of,
    degree,
    is_constant,
    multiply,
    support,
    times,
)
from idg.prover.answers import Proved
from idg.sip.syntax import Boolean, Expr
from idg.vc.query import Query

STAGE = "algebra"

HYPOTHESES_MAX = 60
"""Hypotheses of a query that are read; later ones are passed over."""
GOALS_MAX = 12
"""Single comparisons that are proved for one goal."""
SPLITS_MAX = 2
"""Nesting of case distinctions."""
SPLIT_CHOICES_MAX = 3
"""Disjunctions and disequations that a case distinction is tried on, at one level."""
CLOSURES_MAX = 14
"""Closures made in one search."""
MULTIPLIED_MAX = 4
"""Times that products of inequalities are formed in one search."""
MINIMISED_MAX = 10
"""Hypotheses of a core up to which it is tried to do without each of them; larger cores stay as they are."""
FACTORS_MAX = 9
"""Inequalities that are multiplied with each other, the negated goal among them."""
FACTOR_DEGREE_MAX = 3
"""Total degree of an inequality that is multiplied with others."""
PRODUCT_TERMS_MAX = 30
"""Terms of a product of inequalities; longer ones are left out."""
SQUARED_ATOMS_MAX = 5
"""Atoms whose squares, and the squares of whose sums and differences, are used."""
CANCELLED_MAX = 6
"""Polynomials that are not 0, by which an equation to be shown is multiplied: if p·q = 0 and q != 0, then p = 0."""

Known = list[tuple[Formula, int]]
"""Formulas, each with the hypotheses it comes from, as bits."""


def attempt(query: Query, _budget: int = 1) -> Proved | None:
    """A proof by this stage, which bounds itself and needs no budget; None where it finds none."""
    for index, hypothesis in enumerate(query.hypotheses):
        if hypothesis.expr == query.goal:
            return Proved(STAGE, frozenset((index,)))
    if isinstance(query.goal, Boolean) and query.goal.value:
        return Proved(STAGE, frozenset())
    if not is_small(query.goal):
        return None
    atoms = Atoms(query.variables, query.info)
    try:
        goal = atoms.formula(query.goal)
        known = read(query, atoms)
    except PolynomialTooLarge:
        return None
    uses = _Search(atoms).prove(known, goal)
    if uses is None:
        return None
    return Proved(STAGE, frozenset(_members(_minimised(atoms, known, goal, uses))))


def follows(query: Query, goals: Sequence[Expr]) -> list[bool]:
    """Which goals are seen to follow from the query's hypotheses.

    The closure of the hypotheses is made once for all comparisons, where possible. A disjunction is proved by proving one part from
    the negations of the others. Cases of hypotheses are not distinguished: so this is quick.
    """
    atoms = Atoms(query.variables, query.info)
    closure: Closure | None = None
    assumptions = Assumptions()
    answers = []
    for goal in goals:
        lemmas = len(atoms.lemmas)
        try:
            formula = atoms.formula(goal) if is_small(goal) else None
            if closure is None or len(atoms.lemmas) > lemmas:
                assumptions = Assumptions().plus(read(query, atoms))
                closure = Closure(atoms, [(lemma, 0) for lemma in atoms.lemmas] + assumptions.comparisons)
            answers.append(formula is not None and _Search(atoms).follows(closure, assumptions, formula))
        except PolynomialTooLarge:
            answers.append(False)
    return answers


def read(query: Query, atoms: Atoms) -> Known:
    known: Known = []
    for index, hypothesis in enumerate(query.hypotheses[:HYPOTHESES_MAX]):
        if is_small(hypothesis.expr):
            try:
                known.append((atoms.formula(hypothesis.expr), 1 << index))
            except PolynomialTooLarge:
                continue
    return known


def decided(closure: Closure, goal: Comparison) -> int | None:
    """The hypotheses of the closure from which a comparison is seen to follow, as bits; None where it is not seen to."""
    search = _Search(closure.atoms)
    search.multiplied = MULTIPLIED_MAX  # Products take long, and callers ask about many comparisons.
    try:
        return search.decide(closure, goal)
    except PolynomialTooLarge:
        return None


def _members(bits: int) -> list[int]:
    return [index for index in range(bits.bit_length()) if bits >> index & 1]


def _minimised(atoms: Atoms, known: Known, goal: Formula, uses: int) -> int:
    """Those of the used hypotheses from which the same search still finds a proof."""
    every = 0
    for _, bits in known:
        every |= bits
    if uses != every and _again(atoms, known, goal, uses) is None:
        return every
    members = _members(uses)
    if len(members) > MINIMISED_MAX:
        return uses
    for index in reversed(members):
        if uses >> index & 1:
            fewer = _again(atoms, known, goal, uses & ~(1 << index))
            if fewer is not None:
                uses &= ~(1 << index)
    return uses


def _again(atoms: Atoms, known: Known, goal: Formula, uses: int) -> int | None:
    return _Search(atoms).prove([fact for fact in known if fact[1] & ~uses == 0], goal)


class Assumptions:
    """Comparisons that hold, and disjunctions of which one part holds; each with the hypotheses it comes from."""

    def __init__(self, comparisons: Sequence[tuple[Comparison, int]] = (), choices: Sequence[tuple[Some, int]] = ()) -> None:
        self.comparisons = list(comparisons)
        self.choices = list(choices)

    def plus(self, formulas: Iterable[tuple[Formula, int]]) -> Assumptions:
        new = Assumptions(self.comparisons, self.choices)
        waiting = list(formulas)[::-1]
        while waiting:
            formula, uses = waiting.pop()
            match formula:
                case Comparison():
                    new.comparisons.append((formula, uses))
                case Every(parts):
                    waiting += [(part, uses) for part in parts[::-1]]
                case Some(parts):
                    if len(parts) == 1:
                        waiting.append((parts[0], uses))
                    else:
                        new.choices.append((_flat(formula), uses))
        return new


def _flat(choice: Some) -> Some:
    """A disjunction none of whose parts is a disjunction."""
    parts: list[Formula] = []
    for part in choice.parts:
        parts += _flat(part).parts if isinstance(part, Some) else (part,)
    return Some(tuple(parts))


class _Search:
    """One search for a proof, with counts of what it has done. Its methods return the hypotheses used, as bits, or None."""

    def __init__(self, atoms: Atoms) -> None:
        self.atoms = atoms
        self.closures = 0
        self.goals = 0
        self.multiplied = 0

    def prove(self, known: Known, goal: Formula) -> int | None:
        try:
            return self._prove(Assumptions().plus(known), goal, SPLITS_MAX)
        except PolynomialTooLarge:
            return None

    def follows(self, closure: Closure, assumptions: Assumptions, goal: Formula) -> bool:
        """Whether the assumptions, whose closure is given, imply the goal, where no cases are distinguished."""
        match goal:
            case Comparison():
                return self.decide(closure, goal) is not None
            case Every(parts):
                return all(self.follows(closure, assumptions, part) for part in parts)
            case Some(parts):
                self.multiplied = MULTIPLIED_MAX  # Products pay for a single comparison only: most disjunctions do not follow.
                quickly = any(self.follows(closure, assumptions, part) for part in parts)
                return quickly or self._prove(assumptions, goal, 0) is not None
        return False

    def _prove(self, assumptions: Assumptions, goal: Formula, splits: int) -> int | None:
        match goal:
            case Every(parts):
                uses = 0
                for part in parts:
                    core = self._prove(assumptions, part, splits)
                    if core is None:
                        return None
                    uses |= core
                return uses
            case Some(parts) if parts:
                return self._prove_some(assumptions, _flat(goal).parts, splits)
            case Comparison():
                return self._by_cases(assumptions, goal, splits)
        return self._by_cases(assumptions, Comparison(">", {}), splits)

    def _prove_some(self, assumptions: Assumptions, parts: tuple[Formula, ...], splits: int) -> int | None:
        """Proves one of the parts from the negations of all the others."""
        for index, part in enumerate(parts):
            others = [(negation(alternative), 0) for other, alternative in enumerate(parts) if other != index]
            core = self._prove(assumptions.plus(others), part, splits)
            if core is not None:
                return core
            if isinstance(part, Comparison) and part.relation != "=":
                break  # Its proof assumed the negations of all parts already, so trying the other parts would bring nothing new.
        return None

    def _by_cases(self, assumptions: Assumptions, goal: Comparison, splits: int) -> int | None:
        self.goals += splits == SPLITS_MAX
        if self.goals > GOALS_MAX or self.closures >= CLOSURES_MAX:
            raise PolynomialTooLarge
        self.closures += 1
        lemmas = [(lemma, 0) for lemma in self.atoms.lemmas]
        closure = Closure(self.atoms, lemmas + assumptions.comparisons)
        core = self.decide(closure, goal)
        if core is not None or not splits:
            return core
        choices = assumptions.choices[:SPLIT_CHOICES_MAX]
        for choice, uses in choices:
            rest = Assumptions(assumptions.comparisons, [other for other in assumptions.choices if other[0] is not choice])
            core = self._each_case(rest, [(part, uses) for part in choice.parts], goal, splits)
            if core is not None:
                return core
        about = support(goal.poly)
        for poly, uses in closure.distinct[: SPLIT_CHOICES_MAX - len(choices)]:
            if support(poly) & about:
                cases: Known = [(Comparison(">", poly), uses), (Comparison(">", times(poly, -1)), uses)]
                core = self._each_case(assumptions, cases, goal, splits)
                if core is not None:
                    return core
        return None

    def _each_case(self, assumptions: Assumptions, cases: Known, goal: Comparison, splits: int) -> int | None:
        uses = 0
        for case in cases:
            core = self._prove(assumptions.plus([case]), goal, splits - 1)
            if core is None:
                return None
            uses |= core | case[1]
        return uses

    def decide(self, closure: Closure, goal: Comparison) -> int | None:
        """Proves a single comparison without distinguishing cases."""
        if closure.contradiction is not None:
            return closure.contradiction
        poly, uses = closure.reduce(goal.poly)
        match goal.relation:
            case "=":
                return _decide_equation(closure, poly, uses)
            case "!=":
                why = closure.not_zero(poly) if poly else None
                if why is not None:
                    return uses | why
                assumed = closure.assuming(poly)
                return None if assumed.contradiction is None else uses | assumed.contradiction
            case _:
                return self._decide_inequality(closure, Inequality(poly, goal.relation == ">", uses))

    def _decide_inequality(self, closure: Closure, goal: Inequality) -> int | None:
        known = closure.sign(goal.poly)
        if known is not None and (known[0] or not goal.strict):
            return goal.uses | known[1]
        against = tighten(Inequality(times(goal.poly, -1), not goal.strict, 0), closure.atoms)
        inequalities = closure.inequalities
        core = contradiction([*inequalities, against])
        if (
            core is None
            and self.multiplied < MULTIPLIED_MAX
            and any(degree(inequality.poly) > 1 for inequality in [*inequalities, against])
        ):
            self.multiplied += 1
            core = contradiction([*inequalities, against, *_products(closure, against)])
        return None if core is None else goal.uses | core


def _decide_equation(closure: Closure, poly: Poly, uses: int) -> int | None:
    if not poly:
        return uses
    factors = [(factor, why) for factor, why in closure.distinct] + [
        (inequality.poly, inequality.uses) for inequality in closure.inequalities if inequality.strict
    ]
    for factor, why in factors[:CANCELLED_MAX]:
        try:
            product, more = closure.reduce(multiply(poly, factor))
        except PolynomialTooLarge:
            continue
        if not product:
            return uses | why | more
    inequalities = closure.inequalities
    for sign in (1, -1):
        core = contradiction([*inequalities, tighten(Inequality(times(poly, sign), True, 0), closure.atoms)])
        if core is None:
            return None
        uses |= core
    return uses


def _products(closure: Closure, against: Inequality) -> list[Inequality]:
    """Further inequalities: products of known ones, and squares."""
    about = support(against.poly)
    for inequality in [inequality for inequality in closure.inequalities if support(inequality.poly) & about]:
        about |= support(inequality.poly)  # Atoms that are bounded by the goal's atoms count, too.
    near = [
        inequality
        for inequality in closure.inequalities
        if degree(inequality.poly) <= FACTOR_DEGREE_MAX and support(inequality.poly) & about
    ]
    near.sort(
        key=lambda inequality: (degree(inequality.poly), len(inequality.poly))
    )  # The sort is stable: ties stay in the order of the query.
    factors = near[: FACTORS_MAX - 1]
    if degree(against.poly) <= FACTOR_DEGREE_MAX and not is_constant(against.poly):
        factors = [against, *factors]
    products: list[Inequality] = []
    for index, one in enumerate(factors):
        for other in factors[index:]:
            _add_product(closure, products, one, other)
    some = list(atoms_of(about))[:SQUARED_ATOMS_MAX]
    for index, one_atom in enumerate(some):
        single: Poly = {atom(one_atom): 1}
        forms = [single]
        for other_atom in some[:index]:
            forms += [add(single, {atom(other_atom): 1}), add(single, {atom(other_atom): -1})]
        for form in forms:
            square = Inequality(form, False, 0)
            _add_product(closure, products, square, square)
        if closure.atoms.is_whole(single):
            for step in (1, -1):  # No whole number lies between x and x + step, so x·(x + step) >= 0.
                _add_product(closure, products, Inequality(single, False, 0), Inequality(add(single, {ONE: step}), False, 0))
    return products


def _add_product(closure: Closure, products: list[Inequality], one: Inequality, other: Inequality) -> None:
    if len(one.poly) * len(other.poly) > 4 * PRODUCT_TERMS_MAX:
        return
    try:
        poly, uses = closure.reduce(multiply(one.poly, other.poly), one.uses | other.uses)
    except PolynomialTooLarge:
        return
    if len(poly) <= PRODUCT_TERMS_MAX and not is_constant(poly):
        products.append(tighten(Inequality(poly, one.strict and other.strict, uses), closure.atoms))
