"""What follows from a set of comparisons of polynomials with 0: equations are solved, and everything else is reduced modulo them.

An equation of the form c·x = rest, where the atom x does not occur in the rest, is used to replace x everywhere. A Gröbner basis is
computed of the other equations, within limits. Two inequalities p >= 0 and -p >= 0 make an equation, too. Every result carries the
hypotheses from which it follows, as bits.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from math import gcd
from typing import NamedTuple

from idg.prover.algebra import polynomials
from idg.prover.algebra.atoms import Atoms, Comparison, Ratio, Term, in_lowest_terms
from idg.prover.algebra.groebner import groebner
from idg.prover.algebra.linear import Inequality
from idg.prover.algebra.polynomials import (
    ONE,
    Poly,
    PolynomialTooLarge,
    add,
    atom,
    atoms_of,
    field,
    is_constant,
    isolated,
    multiply,
    power,
    primitive,
    reduce_by,
    substitute,
    support,
    times,
)  # fmt: skip

ROUNDS_MAX = 8
"""Rounds of one closure: a round works in the equations and inequalities that the round before it brought."""
BASIS_EQUATIONS_MAX = 8
"""Equations up to which a Gröbner basis is computed; if there are more, none is."""
BASIS_DEGREE_MAX = 12
"""Total degree of an equation that is taken for the Gröbner basis."""
REDUCED_TERMS_MAX = 4_000
"""Terms of all polynomials that are divided by polynomials of the basis, in all closures over the same atoms together."""
INNER_POWER_MAX = 4
"""Powers of a base, such as `b * b`, that are recognised as bases of others."""
POWER_GAP_MAX = 8
"""The greatest d for which x^(j·m + d) = (x^j)^m · x^d is used."""

Bound = int | Fraction


class SolvedEquation(NamedTuple):
    """An equation solved for one atom: atom = numerator / denominator."""

    atom_index: int
    numerator: Poly
    denominator: int
    uses: int


class Divisor(NamedTuple):
    """An equation poly = 0 by which other polynomials are divided."""

    poly: Poly
    leading: int
    """The leading monomial."""
    uses: int


class _Contradiction(Exception):
    """The hypotheses in `uses` cannot all hold."""

    def __init__(self, uses: int) -> None:
        self.uses = uses


class Closure:
    """Comparisons and what was found to follow from them."""

    contradiction: int | None = None
    """Hypotheses that cannot hold together, if such were found."""

    def __init__(self, atoms: Atoms, comparisons: Iterable[tuple[Comparison, int]]) -> None:
        self.atoms = atoms
        self._solved: list[SolvedEquation] = []
        self._rest: list[tuple[Poly, int]] = []
        self._basis: list[Divisor] = []
        self._bounds: dict[tuple[tuple[int, int], ...], tuple[Bound, Inequality]] = {}
        self._seen: set[object] = set()
        self.distinct: list[tuple[Poly, int]] = []
        """Polynomials that are not 0."""
        equations: list[tuple[Poly, int]] = []
        inequalities: list[Inequality] = []
        for (relation, poly), uses in comparisons:
            if relation == "=":
                equations.append((poly, uses))
            elif relation == "!=":
                self.distinct.append((poly, uses))
            else:
                # Tightened now: that needs whole values, and substitution may bring in atoms that need not be whole.
                inequalities.append(tighten(Inequality(poly, relation == ">", uses), atoms))
        try:
            self._run(equations, inequalities)
        except _Contradiction as contradiction:
            self.contradiction = contradiction.uses

    def assuming(self, poly: Poly) -> Closure:
        """The closure of what is known here together with poly = 0."""
        comparisons: list[tuple[Comparison, int]] = [(Comparison("=", poly), 0)]
        for solution in self._solved:
            comparisons.append(
                (Comparison("=", add(solution.numerator, {atom(solution.atom_index): solution.denominator}, -1)), solution.uses)
            )
        comparisons += [(Comparison("=", divisor.poly), divisor.uses) for divisor in self._basis]
        comparisons += [
            (Comparison(">" if inequality.strict else ">=", inequality.poly), inequality.uses) for inequality in self.inequalities
        ]
        comparisons += [(Comparison("!=", other), uses) for other, uses in self.distinct]
        return Closure(self.atoms, comparisons)

    @property
    def inequalities(self) -> list[Inequality]:
        return [inequality for _, inequality in self._bounds.values()]

    def bound(self, part: Poly) -> tuple[Bound, Inequality] | None:
        """The number c and the inequality that says part + c >= 0. The part has no constant term and no common divisor."""
        return self._bounds.get(polynomials.key(part))

    # reduction

    def scaled(self, poly: Poly, uses: int) -> tuple[Poly, int, int]:
        """A positive multiple of the polynomial in normal form, the factor, and the hypotheses used."""
        scale = 1
        bits = support(poly)
        for solution in self._solved:
            if bits & field(solution.atom_index):
                poly, factor = substitute(poly, solution.atom_index, solution.numerator, solution.denominator)
                scale *= factor
                uses |= solution.uses
                bits = support(poly)
        changed = bool(self._basis)
        while changed and poly:
            changed = False
            for divisor in self._basis:
                before = poly
                poly, factor = reduce_by(poly, divisor.poly, divisor.leading)
                if poly is not before:
                    changed = True
                    uses |= divisor.uses
                    scale *= factor
                    self.atoms.reduced_terms += len(before) + len(poly)
                    if self.atoms.reduced_terms > REDUCED_TERMS_MAX:
                        raise PolynomialTooLarge
        return poly, scale, uses

    def reduce(self, poly: Poly, uses: int = 0) -> tuple[Poly, int]:
        """A positive multiple of the polynomial in normal form, and the hypotheses used."""
        poly, _, uses = self.scaled(poly, uses)
        return primitive(poly), uses

    # rounds

    def _run(self, equations: list[tuple[Poly, int]], inequalities: list[Inequality]) -> None:
        for _ in range(ROUNDS_MAX):
            if equations:
                self._solve(equations)
                inequalities = [*self.inequalities, *inequalities]
                self._bounds = {}
            equations = []
            for inequality in inequalities:
                equations += self._take(inequality)
            inequalities = []
            equations += self._separate()
            if self.atoms.terms and not equations:
                for (relation, poly), uses in self._about_terms():
                    if relation == "=":
                        equations.append((poly, uses))
                    else:
                        inequalities.append(Inequality(poly, False, uses))
            if not equations and not inequalities:
                return
        for inequality in inequalities:
            self._take(inequality)

    def _solve(self, equations: list[tuple[Poly, int]]) -> None:
        waiting = equations
        self._basis = []
        while waiting:
            for poly, uses in waiting:
                self._work_in(poly, uses)
            basis = self._grobner()
            waiting = [(divisor.poly, divisor.uses) for divisor in basis if self._choice(divisor.poly) is not None]
            if not waiting:
                self._basis = basis

    def _work_in(self, poly: Poly, uses: int) -> None:
        waiting = [(poly, uses)]
        while waiting:
            try:
                poly, uses = self.reduce(*waiting.pop())
            except PolynomialTooLarge:
                continue  # An equation that is too large is left out: fewer proofs are found then, never a wrong one.
            if not poly:
                continue
            if is_constant(poly):
                raise _Contradiction(uses)
            if poly.get(ONE, 0) % gcd(*(value for monomial, value in poly.items() if monomial)) and self.atoms.is_whole(poly):
                raise _Contradiction(uses)  # For example, 2·x + 4·y = 1 has no whole solution.
            index = self._choice(poly)
            if index is None:
                self._rest.append((poly, uses))
                continue
            value = poly[atom(index)]
            others = {monomial: coefficient for monomial, coefficient in poly.items() if monomial != atom(index)}
            self._solved.append(SolvedEquation(index, times(others, -1 if value > 0 else 1), abs(value), uses))
            waiting += [equation for equation in self._rest if support(equation[0]) & field(index)]
            self._rest = [equation for equation in self._rest if not support(equation[0]) & field(index)]

    def _choice(self, poly: Poly) -> int | None:
        """The atom for which the equation is solved; None where none can be.

        An atom that need not be whole is preferred, then one with coefficient 1 or -1, then a later one.
        """
        best = max(
            ((bool(self.atoms.fractional & field(index)), abs(poly[atom(index)]) == 1, index)
             for index in atoms_of(support(poly)) if isolated(poly, index)),
            default=None,
        )  # fmt: skip
        return None if best is None else best[2]

    def _grobner(self) -> list[Divisor]:
        rest = [equation for equation in self._rest if polynomials.degree(equation[0]) <= BASIS_DEGREE_MAX]
        own = [Divisor(poly, max(poly), uses) for poly, uses in rest]
        if not 2 <= len(own) <= BASIS_EQUATIONS_MAX:
            return own
        bits, uses = 0, 0
        for divisor in own:
            bits |= support(divisor.poly)
            uses |= divisor.uses
        known = {polynomials.key(divisor.poly): divisor.uses for divisor in own}
        basis: list[Divisor] = []
        for poly in groebner([divisor.poly for divisor in own], list(atoms_of(bits))[::-1]):
            if is_constant(poly):
                raise _Contradiction(uses)
            basis.append(Divisor(poly, max(poly), known.get(polynomials.key(poly), uses)))
        return basis

    # inequalities

    def _take(self, inequality: Inequality) -> list[tuple[Poly, int]]:
        """Enters an inequality among the bounds, and returns the equations that follow."""
        try:
            poly, uses = self.reduce(inequality.poly, inequality.uses)
        except PolynomialTooLarge:
            return []
        return self._enter(Inequality(poly, inequality.strict, uses))

    def _enter(self, inequality: Inequality) -> list[tuple[Poly, int]]:
        if is_constant(inequality.poly):
            value = inequality.poly.get(ONE, 0)
            if value < 0 or (inequality.strict and not value):
                raise _Contradiction(inequality.uses)
            return []
        inequality = tighten(inequality, self.atoms)
        part, bound = parted(inequality.poly)
        identity = polynomials.key(part)
        old = self._bounds.get(identity)
        if old is not None and (old[0], not old[1].strict) <= (bound, not inequality.strict):
            return []
        self._bounds[identity] = (bound, inequality)
        against = self._bounds.get(polynomials.key(times(part, -1)))
        if against is None:
            return []
        room, uses = bound + against[0], inequality.uses | against[1].uses
        if room < 0 or (room == 0 and (inequality.strict or against[1].strict)):
            raise _Contradiction(uses)
        return [(inequality.poly, uses)] if room == 0 else []

    def _separate(self) -> list[tuple[Poly, int]]:
        """Makes p > 0 of p >= 0 and p != 0, and returns the equations that follow."""
        equations: list[tuple[Poly, int]] = []
        kept: list[tuple[Poly, int]] = []
        for poly, uses in self.distinct:
            try:
                poly, uses = self.reduce(poly, uses)
            except PolynomialTooLarge:
                continue
            if not poly:
                raise _Contradiction(uses)
            if is_constant(poly):
                continue
            kept.append((poly, uses))
            for signed in (poly, times(poly, -1)):
                part, bound = parted(signed)
                old = self.bound(part)
                if old is not None and old[0] == bound and not old[1].strict:
                    equations += self._enter(Inequality(signed, True, uses | old[1].uses))
        self.distinct = kept
        return equations

    def sign(self, poly: Poly) -> tuple[int, int] | None:
        """1 (positive) or 0 (not negative) and the hypotheses used; None where the sign is not seen at once.

        The polynomial is in normal form.
        """
        if is_constant(poly):
            value = poly.get(ONE, 0)
            return None if value < 0 else (int(value > 0), 0)
        part, bound = parted(poly)
        old = self.bound(part)
        if old is not None and old[0] <= bound:
            return int(old[1].strict or old[0] < bound), old[1].uses
        # It is positive or not negative, too, where it is a sum of terms none of which is negative.
        uses, positive = 0, poly.get(ONE, 0) > 0
        for monomial, value in poly.items():
            if value < 0:
                return None
            if monomial != ONE:
                for index in atoms_of(support({monomial: 1})):
                    single = self.bound({atom(index): 1})
                    if single is None or single[0] > 0:
                        return None
                    uses |= single[1].uses
        return int(positive), uses

    def not_zero(self, poly: Poly) -> int | None:
        """The hypotheses that show that the polynomial is not 0; None where that is not seen at once. It is in normal form."""
        for signed in (poly, times(poly, -1)):
            known = self.sign(signed)
            if known is not None and known[0]:
                return known[1]
            for other, uses in self.distinct:
                if other == signed:
                    return uses
        return None

    # atoms that are no variables

    def _about_terms(self) -> list[tuple[Comparison, int]]:
        """What follows for terms whose arguments are equal, and the laws of terms whose conditions are known to hold."""
        facts: list[tuple[Comparison, int]] = []
        reduced: list[tuple[Term, tuple[Ratio, ...], int]] = []
        for term in self.atoms.terms:
            try:
                reduced.append((term, *self._reduced(term)))
            except PolynomialTooLarge:
                continue
        for position, (term, arguments, uses) in enumerate(reduced):
            single: Poly = {atom(term.atom_index): 1}
            for other, others, why in reduced[:position]:
                if other.operator == term.operator:
                    if others == arguments:
                        facts.append((Comparison("=", add(single, {atom(other.atom_index): 1}, -1)), uses | why))
                    elif term.operator == "^":
                        facts += self._powers(other, others, term, arguments, uses | why)
                        if others[0] != arguments[0]:
                            facts += self._powers(term, arguments, other, others, uses | why)
            try:
                facts += self._laws(term, single, arguments, uses)
            except PolynomialTooLarge:
                continue
        return [fact for fact in facts if self._is_new(fact)]

    def _reduced(self, term: Term) -> tuple[tuple[Ratio, ...], int]:
        uses = 0
        arguments: list[Ratio] = []
        for argument in term.arguments:
            poly, scale, why = self.scaled(argument.numerator, 0)
            arguments.append(in_lowest_terms(poly, argument.denominator * scale))
            uses |= why
        return tuple(arguments), uses

    def _is_new(self, fact: tuple[Comparison, int]) -> bool:
        (relation, poly), _ = fact
        identity = (relation, polynomials.key(poly))
        new = identity not in self._seen
        self._seen.add(identity)
        return new

    def _powers(
        self, one: Term, left: tuple[Ratio, ...], other: Term, right: tuple[Ratio, ...], uses: int
    ) -> list[tuple[Comparison, int]]:
        """The law x^(j·m + d) = (x^j)^m · x^d for two powers, where the exponent of the lower one is known to be at least 0.

        j and d are numbers, and m is whole, so that (x^2)^m is not taken for the power of a root.
        """
        if left[0].denominator != 1 or right[0].denominator != 1:
            return []
        inner = next((j for j in range(1, INNER_POWER_MAX + 1) if power(left[0].numerator, j) == right[0].numerator), None)
        exponent = other.arguments[1]
        if inner is None or exponent.denominator != 1 or not self.atoms.is_whole(exponent.numerator):
            return []
        scale = left[1].denominator * right[1].denominator
        gap = add(times(left[1].numerator, right[1].denominator), times(right[1].numerator, inner * left[1].denominator), -1)
        if not is_constant(gap) or gap.get(ONE, 0) % scale:
            return []
        distance = gap.get(ONE, 0) // scale
        low, high, lower = (other, one, right[1]) if distance > 0 else (one, other, left[1])
        known = self.sign(lower.numerator)
        if known is None or abs(distance) > POWER_GAP_MAX:
            return []
        try:
            product = multiply({atom(low.atom_index): 1}, power(left[0].numerator, abs(distance)))
        except PolynomialTooLarge:
            return []
        return [(Comparison("=", add({atom(high.atom_index): 1}, product, -1)), uses | known[1])]

    def _laws(self, term: Term, single: Poly, arguments: tuple[Ratio, ...], uses: int) -> list[tuple[Comparison, int]]:
        """What the term's operator says of it. `single` is the term's atom as a polynomial, `arguments` are in normal form."""
        if len(arguments) < 2:
            return []
        left, right = arguments[:2]
        if term.operator in ("abs", "min", "max"):
            return self._greatest(term.operator, single, left, right, uses) if len(arguments) == 2 else []
        if term.operator not in ("^", "/", "//", "%"):
            return []
        if term.operator == "^":
            if is_constant(right.numerator) and right.denominator == 1 and right.numerator.get(ONE, 0) >= 0:
                value = self.atoms.power(left, right)
                return [(Comparison("=", add(times(single, value.denominator), value.numerator, -1)), uses)]
            base, exponent = self.sign(left.numerator), self.sign(right.numerator)
            if base is None or exponent is None:
                return []
            at_least = int(bool(base[0]) and self.atoms.is_whole(left.numerator) and left.denominator == 1)
            return [(Comparison(">=", add(single, {ONE: -at_least} if at_least else {})), uses | base[1] | exponent[1])]
        why = self.not_zero(right.numerator)
        if why is None or left.denominator != 1 or right.denominator != 1:
            return []
        if term.operator == "/":
            return [(Comparison("=", add(multiply(single, right.numerator), left.numerator, -1)), uses | why)]
        facts: list[tuple[Comparison, int]] = []
        rest = single
        if term.operator == "//":
            rest = add(left.numerator, multiply(single, right.numerator), -1)
        else:
            # left - single = quotient · right. The quotient is an atom, but substitution may have made a fraction of it.
            share = arguments[2]
            product = multiply(share.numerator, right.numerator)
            facts.append((Comparison("=", add(times(add(left.numerator, single, -1), share.denominator), product, -1)), uses | why))
        known = self.sign(right.numerator)
        if known is not None and known[0]:
            below = add(add(right.numerator, rest, -1), {ONE: -1})
            facts += [(Comparison(">=", rest), uses | known[1]), (Comparison(">=", below), uses | known[1])]
        return facts

    def _greatest(self, operator: str, single: Poly, left: Ratio, right: Ratio, uses: int) -> list[tuple[Comparison, int]]:
        """Which of its two arguments a min, max or abs equals, where the sign of their difference is known."""
        difference = add(times(left.numerator, right.denominator), right.numerator, -left.denominator)
        for greater, less, sign in ((left, right, 1), (right, left, -1)):
            known = self.sign(primitive(times(difference, sign)))
            if known is not None:
                value = less if operator == "min" else greater
                return [(Comparison("=", add(times(single, value.denominator), value.numerator, -1)), uses | known[1])]
        return []


def tighten(inequality: Inequality, atoms: Atoms) -> Inequality:
    """The same inequality without a common divisor, and sharper where all its values are whole.

    Then p > 0 means p - 1 >= 0, and the constant term can be rounded: 2·x - 3 >= 0 becomes x - 2 >= 0.
    """
    poly = inequality.poly
    common = gcd(*(value for monomial, value in poly.items() if monomial != ONE))
    if not common:
        return inequality
    if not atoms.is_whole(poly):
        return Inequality(primitive(poly), inequality.strict, inequality.uses)
    last = (poly.get(ONE, 0) - inequality.strict) // common
    rest = {monomial: value // common for monomial, value in poly.items() if monomial != ONE}
    if last:
        rest[ONE] = last
    return Inequality(rest, False, inequality.uses)


def parted(poly: Poly) -> tuple[Poly, Bound]:
    """The terms that are not constant, divided by their common divisor, and the constant term divided by the same number."""
    part = {monomial: value for monomial, value in poly.items() if monomial != ONE}
    common = gcd(*part.values())
    last = poly.get(ONE, 0)
    if common <= 1:
        return part, last
    part = {monomial: value // common for monomial, value in part.items()}
    return part, last // common if last % common == 0 else Fraction(last, common)
