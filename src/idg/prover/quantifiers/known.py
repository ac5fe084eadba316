"""Conclusions that are seen at once from hypotheses without quantifiers, together with the hypotheses that they follow from."""

from __future__ import annotations

from collections.abc import Iterable

from idg.prover.algebra.atoms import Atoms, Comparison, Every, Formula, is_small, negation
from idg.prover.algebra.closure import Closure
from idg.prover.algebra.identities import Assumptions, decided, read
from idg.prover.algebra.polynomials import ONE, Poly, PolynomialTooLarge, is_constant, key
from idg.sip.syntax import Expr
from idg.vc.query import Query


class Known:
    """The closure of a query's hypotheses. Answers are kept, because the same bounds are asked about again and again."""

    def __init__(self, query: Query) -> None:
        self.atoms = Atoms(query.variables, query.info)
        self._read = read(query, self.atoms)
        self._lemmas = -1
        self._answers: dict[tuple[str, object], int | None] = {}
        self._closure: Closure | None = None

    def truth(self, expr: Expr) -> tuple[bool, int] | None:
        """Whether the condition or its opposite is seen to follow, and from which hypotheses, as bits; None where neither is."""
        try:
            formula = self.atoms.formula(expr) if is_small(expr) else None
            if formula is None:
                return None
            for holds, side in ((False, negation(formula)), (True, formula)):
                uses = self._decide(side)
                if uses is not None:
                    return holds, uses
        except PolynomialTooLarge:
            pass
        return None

    def number(self, expr: Expr) -> tuple[object, int] | None:
        """What identifies the number that the expression is: equal terms get the same, if calculation shows it."""
        try:
            ratio = self.atoms.value(expr)
        except PolynomialTooLarge:
            return None
        return key(ratio.numerator), ratio.denominator

    def _decide(self, formula: Formula) -> int | None:
        match formula:
            case Comparison(relation, poly):
                return self._comparison(relation, poly)
            case Every(parts):
                return self._all(parts)
            case _:
                answers = (self._decide(part) for part in formula.parts)
                return next((answer for answer in answers if answer is not None), None)

    def _all(self, parts: Iterable[Formula]) -> int | None:
        uses = 0
        for part in parts:
            answer = self._decide(part)
            if answer is None:
                return None
            uses |= answer
        return uses

    def _comparison(self, relation: str, poly: Poly) -> int | None:
        if is_constant(poly):
            value = poly.get(ONE, 0)
            holds = {"=": value == 0, "!=": value != 0, ">=": value >= 0, ">": value > 0}[relation]
            return 0 if holds else None
        identity = relation, key(poly)
        if identity not in self._answers:
            self._answers[identity] = decided(self.closure, Comparison(relation, poly))
        return self._answers[identity]

    @property
    def closure(self) -> Closure:
        """It is made anew where more is known of new terms."""
        if self._closure is None or self._lemmas < len(self.atoms.lemmas):
            self._lemmas = len(self.atoms.lemmas)
            comparisons = Assumptions().plus(self._read).comparisons
            self._closure = Closure(self.atoms, [(lemma, 0) for lemma in self.atoms.lemmas] + comparisons)
        return self._closure
