"""The encoding over the reals: whole numbers are read as reals, but comparisons of them still use that they are whole.

Every state that refutes the query also satisfies this weaker formula. So if it is unsatisfiable, the query is proved; a model of it
shows nothing.
"""

from __future__ import annotations

from idg.prover.smt.encoder import Encoder, Num, Unsupported
from idg.sip.syntax import Call, Expr, Type


class RealEncoder(Encoder):
    """Encodes every number with the sort Real. Here `whole` of a Num says that the number is known to be whole."""

    def sort(self, kind: Type) -> str:
        return "Bool" if kind is Type.BOOL else "Real"

    def number(self, expr: Expr) -> Num:
        num = super().number(expr)
        return num._replace(whole=num.whole or (not num.under and self._is_whole_variable(num.top)))

    def _is_whole_variable(self, top: str) -> bool:
        return self.variables.get(top.removeprefix("v_"), Type.RAT) in (Type.NAT, Type.INT)

    def widened(self, a: Num) -> Num:
        return a._replace(whole=False)

    def related(self, op: str, a: Num, b: Num) -> str:
        if a.whole and b.whole:
            below, above = f"(<= (+ {a.top} 1) {b.top})", f"(>= {a.top} (+ {b.top} 1))"
            if op in ("<", ">"):
                return below if op == "<" else above
            if op == "!=":
                return f"(or {below} {above})"
        return super().related(op, a, b)

    def whole_number(self, expr: Expr) -> str:
        a = self.plain(self.number(expr))
        if not a.whole:
            raise Unsupported("the whole part of a real")
        return a.top

    def boolean_call(self, expr: Call) -> str:
        if expr.function == "iswhole":
            number = self.number(expr.arguments[0])
            if not number.whole or number.under:
                return self.function("iswhole", ["Real"], "Bool", self.real(number))
        return super().boolean_call(expr)

    def floored(self, a: Num, divisor: int) -> Num:
        step = a.bottom * divisor
        quotient = self.function("floor_div", ["Real", "Real"], "Real", a.top, str(step))
        self.facts += [f"(<= (* {step} {quotient}) {a.top})", f"(<= {a.top} (+ (* {step} {quotient}) {step - 1}))"]
        return Num(quotient, True)

    def modulo(self, a: Num, divisor: int) -> Num:
        quotient = self.floored(a._replace(bottom=1), divisor)
        return Num(f"(- {a.top} (* {divisor} {quotient.top}))", True)

    def function(self, name: str, sorts: list[str], result: str, *arguments: str) -> str:
        """A constant instead of each application of a function, because nlsat knows no functions."""
        key = self._names.setdefault((name, arguments), f"c_{len(self._names)}")
        return super().function(key, [], "Bool" if result == "Bool" else "Real")
