"""Writes the enumerator's search functions.

Variables are ordered so that as many as possible are determined by equations once the others are known. Each of the rest becomes a
loop over a box, which is clipped by the inequalities whose other variables have values. Each literal is tested as soon as all its
variables have values.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from idg.prover.search.literals import VALUE_BITS, Compiler, Part, SearchLiteral, Shape, coefficients, shapes, zero_form
from idg.sip.checking.types import BOOL, NAT, RAT
from idg.sip.record import Record
from idg.sip.running.codegen import COMPARE
from idg.sip.syntax import Binary, Compare, Expr, Name, Number, Type, Unary
from idg.sip.trees.logic import MIRRORED
from idg.sip.trees.traverse import uses

PARAMETERS = "R, r, N, Z, Q, X, fuel"
"""The parameters of a search function: R, the context of calls; r, the radius; N, Z and Q, the boxes of the types nat, int and rat;
X, numbers outside the box that are worth trying; and `fuel`, an iterator from which each turn of a loop takes one element."""
LOOPS_MAX = 15
"""Nested loops of one search function. Python allows 20 nested blocks, and some are needed for other things."""
CALL_STEPS, QUADRATIC_STEPS, HELPER_STEPS, RATIONAL_STEPS = 3, 6, 8, 15
"""How long it takes to compute a box or a quotient, to take roots, to call a program's function, and to calculate with fractions,
measured in turns of a loop over a plain box."""


class Solver(Record):
    """An equation that determines one of its variables."""

    literal: int
    """The index of the equation among the literals."""
    target: str
    """The variable."""
    needs: int
    """The bits of the equation's other variables, which must have values before."""
    cost: int
    """0 where the variable's coefficient is 1 or -1, 1 where it is another number, 2 an expression; 3 where it occurs squared."""


class SearchWriter:
    """Writes the body of one search function."""

    def __init__(self, names: list[str], literals: list[SearchLiteral], compiler: Compiler, bits: Mapping[str, int]) -> None:
        self.names = names
        self.literals = literals
        self.compiler = compiler
        self.bits = bits
        self.variables = compiler.variables
        self.waiting = dict.fromkeys(range(len(literals)))
        """Indices of the literals that the lines written so far do not ensure yet. The keys of a dict keep their order."""
        self.solvers = [solver for index in self.waiting for solver in self.solvers_of(index)]
        self.known = 0
        self.lines: list[str] = []
        self.boxes: list[str] = []
        """Lines that define boxes which depend on no variable; they stand before the loops."""
        self.loops = 0
        self.grows = False
        """Whether a larger box can have more states."""
        self.weight = max(literal.rational * RATIONAL_STEPS + literal.calls * HELPER_STEPS + 1 for literal in literals)
        """What a turn of a loop costs, in turns of a loop over a plain box."""

    def write(self) -> list[str]:
        unknown = list(self.names)
        self.tests()
        while unknown:
            ready = [solver for solver in self.solvers if not solver.needs & ~self.known]
            if ready:
                solver = min(ready, key=lambda solver: solver.cost)
                name = solver.target
                self.solve(solver)
            else:
                name = max(unknown, key=self.merit)
                self.loop(name)
            unknown.remove(name)
            self.known |= self.bits[name]
            self.solvers = [solver for solver in self.solvers if solver.target != name]
            self.tests()
        self.add(f"yield ({''.join(f'v_{name}, ' for name in self.names)})")
        # The outermost loop has one turn. It is there so that `continue` always has a loop to continue.
        return [" D = 0", *self.boxes, " for _ in (0,):", *self.lines]

    def add(self, line: str) -> None:
        self.lines.append("  " + " " * self.loops + line)

    def tests(self) -> None:
        """Tests the literals whose variables all have values; first those whose evaluation cannot fail, because they are cheap."""
        ready = [index for index in self.waiting if not self.literals[index].uses & ~self.known]
        for index in sorted(ready, key=lambda index: not self.literals[index].code.safe):
            self.test(self.literals[index])
            del self.waiting[index]

    def test(self, literal: SearchLiteral) -> None:
        if literal.calls:
            self.add("R.refuel()")
        if literal.code.safe:
            self.add(f"if not {literal.code.within(COMPARE)}: continue")
            return
        self.add("try:")
        if literal.refuted:
            self.add(f" if {literal.code.text}: continue")
            self.add("except Stop as stopped:")
            self.add(" if stopped.cause in UNDECIDED: continue")
        else:
            self.add(f" if not {literal.code.within(COMPARE)}: continue")
            self.add("except Stop: continue")

    def solvers_of(self, index: int) -> list[Solver]:
        literal = self.literals[index]
        expr = literal.expr
        if literal.refuted:
            return []
        match expr:
            case Name(name) | Unary("!", Name(name)):
                return [Solver(index, name, 0, 0)]
            case Compare((left, right), ("=" | "!=",)) if is_boolean(left, right, self.variables):
                return [
                    Solver(index, this.name, literal.uses & ~self.bits[this.name], 0)
                    for this, other in ((left, right), (right, left))
                    if isinstance(this, Name) and not uses(other, this.name)
                ]
            case Compare((left, right), ("=",)):
                shape_of, _ = shapes(Binary("-", left, right))
                return [
                    Solver(index, name, literal.uses & ~self.bits[name], cost_of(shape))
                    for name, shape in shape_of.items()
                    if shape.degree <= 2
                ]
            case _:
                return []

    def merit(self, name: str) -> tuple[float, ...]:
        """How good it is to loop over this variable next; the greatest is taken.

        What counts first is how many other variables are then determined by equations.
        """
        bit = self.bits[name]
        known = self.known | bit
        follow = 0
        changed = True
        while changed:
            changed = False
            for solver in self.solvers:
                target = self.bits[solver.target]
                if not solver.cost and not target & known and not solver.needs & ~known:
                    known |= target
                    follow += 1
                    changed = True
        definable = any(not solver.cost and solver.target == name for solver in self.solvers)
        helps = sum(
            1 / (solver.needs & ~self.known).bit_count() for solver in self.solvers if not solver.cost and solver.needs & bit
        )
        small = self.variables[name] is BOOL
        shared = sum(1 / (uses & ~self.known).bit_count() for uses in map(self.uses_of, self.waiting) if uses & bit)
        return follow, not definable, small, helps, shared

    def uses_of(self, index: int) -> int:
        return self.literals[index].uses

    def solve(self, solver: Solver) -> None:
        name, literal = solver.target, self.literals[solver.literal]
        kind = self.variables[name]
        del self.waiting[solver.literal]
        if kind is BOOL:
            self.assign(literal, f"v_{name} = {self.boolean_value(literal.expr, name)}")
            return
        assert isinstance(literal.expr, Compare)
        form = zero_form(literal.expr, name, self.compiler)
        assert form is not None, "what has a shape of degree 2 or less has coefficients"
        (constant, linear, square), negative = form
        if square == 0 and linear in (1, -1) and (kind is RAT or not literal.rational):
            self.assign(literal, f"v_{name} = {constant if linear == -1 else negative}")
            if isinstance(constant, int) and abs(constant) < 1 << VALUE_BITS and (kind is not NAT or constant * linear <= 0):
                return
            if kind is RAT:
                self.add(f"if not (C < v_{name} < B and v_{name}.denominator < B): continue")
            else:
                self.add(f"if not {'0 <=' if kind is NAT else 'C <'} v_{name} < B: continue")
            return
        low, high = self.bounds(name)
        if not any(isinstance(coefficient, int) and coefficient for coefficient in (linear, square)):
            # The coefficients may both turn out to be zero. Then the equation does not determine the variable, and a box is tried.
            self.grows = True
        function = "rational_solutions" if kind is RAT else "whole_solutions"
        self.assign(literal, f"t = {function}({square}, {linear}, {constant}, {low}, {high}, r)")
        self.enter(f"v_{name}", "t", QUADRATIC_STEPS if square != 0 else CALL_STEPS)

    def assign(self, literal: SearchLiteral, line: str) -> None:
        """Adds a line that computes something from the literal. Where that has no value, the literal is not true."""
        if literal.code.safe:
            self.add(line)
            return
        if literal.calls:
            self.add("R.refuel()")
        self.add(f"try: {line}")
        self.add("except Stop: continue")

    def enter(self, target: str, values: str, steps: int = 1) -> None:
        """Begins a loop over the values. `steps`: how long it takes to make the values, in turns of a loop over a plain box.

        Where too many loops are open already, only the first value is tried.
        """
        if self.loops:
            self.weight = max(self.weight, steps)
        if self.loops < LOOPS_MAX:
            self.add(f"for {target}, _ in zip({values}, fuel):")
            self.loops += 1
        else:
            self.add(f"{target} = next(iter({values}), None)")
            self.add(f"if {target} is None: continue")

    def boolean_value(self, expr: Expr, name: str) -> str:
        match expr:
            case Compare((left, right), (op,)):
                other = right if left == Name(name) else left
                text = self.compiler.compile(other).within(COMPARE + 1)
                return text if op == "=" else f"not {text}"
            case _:
                return str(isinstance(expr, Name))

    def loop(self, name: str) -> None:
        kind = self.variables[name]
        if kind is BOOL:
            self.enter(f"v_{name}", "(False, True)")
            return
        self.grows = True
        low, high = self.bounds(name)
        unbounded = high == "B" and low == ("0" if kind is NAT else "C")
        if kind is RAT:
            self.enter(f"v_{name}", "Q" if unbounded else f"rational_box({low}, {high}, r)", CALL_STEPS)
            return
        remainder = self.remainder_class(name)
        if remainder is not None:
            rest, modulus = remainder
            self.add(f"m_{name} = {rest} % {modulus}")
            self.enter(f"k_{name}", f"class_box(m_{name}, {modulus}, {low}, {high}, r)", CALL_STEPS)
            self.add(f"v_{name} = m_{name} + {modulus} * k_{name}")
            return
        if unbounded:
            self.enter(f"v_{name}", "N" if kind is NAT else "Z")
        elif "v_" not in low + high:
            self.boxes.append(f" b_{name} = wide_box({low}, {high}, r, X)")
            self.enter(f"v_{name}", f"b_{name}")
        else:
            self.enter(f"v_{name}", f"box({low}, {high}, r)", CALL_STEPS)

    def comparisons(self, name: str) -> Iterator[tuple[int, Compare, SearchLiteral]]:
        """Comparisons not ensured yet, in which only this variable has no value, and whose evaluation cannot fail."""
        unknown = self.bits[name]
        for index in tuple(self.waiting):
            literal = self.literals[index]
            expr = literal.expr
            if literal.uses & ~self.known == unknown and literal.code.safe and isinstance(expr, Compare) and len(expr.ops) == 1:
                yield index, expr, literal

    def bounds(self, name: str) -> tuple[str, str]:
        """The least and the greatest value that the inequalities allow, as Python code."""
        kind = self.variables[name]
        lows = ["0"] if kind is NAT else []
        highs: list[str] = []
        for index, expr, literal in self.comparisons(name):
            op = expr.ops[0]
            if op in ("=", "!="):
                continue
            form = zero_form(expr, name, self.compiler)
            if form is None:
                continue
            (constant, factor, square), negative = form
            if square != 0 or factor == 0 or not isinstance(factor, int):
                continue
            if factor < 0:
                constant, negative, factor, op = negative, constant, -factor, MIRRORED[op]
            if kind is RAT:
                bound = str(negative) if factor == 1 else f"divide({negative}, {factor}, 0)"
            else:
                bound = whole_bound(op, constant, negative, factor if factor > 1 or literal.rational else 0)
                del self.waiting[index]
            (highs if op in ("<", "<=") else lows).append(bound)
        return one_of("max", lows, "C"), one_of("min", highs, "B")

    def remainder_class(self, name: str) -> tuple[str, int] | None:
        """A remainder r (as code) and a modulus m such that only values x with x % m = r % m satisfy a literal."""
        for index, expr, literal in self.comparisons(name):
            match expr:
                case Compare((Binary("%", left, Number(int() as modulus)), right), (("=" | "!=") as op,)):
                    pass
                case Compare((right, Binary("%", left, Number(int() as modulus))), (("=" | "!=") as op,)):
                    pass
                case _:
                    continue
            if uses(right, name) or modulus < 2 or (op == "!=" and modulus > 2):
                continue
            parts = coefficients(left, name, self.compiler)
            rest = coefficients(right, name, self.compiler)
            if parts is None or rest is None or parts[2] != 0 or parts[1] not in (1, -1) or literal.rational:
                continue
            if isinstance(rest[0], int) and 0 <= rest[0] < modulus:
                # Otherwise the literal is tested later, because the remainder asked for may be out of the modulus's range.
                del self.waiting[index]
            text = f"({rest[0]} - {parts[0]}{' + 1' if op == '!=' else ''})"
            return (text if parts[1] == 1 else f"(-{text})"), modulus
        return None


def whole_bound(op: str, constant: Part, negative: Part, divisor: int) -> str:
    """The bound on a whole x that `divisor * x + constant op 0` means, as code.

    The divisor 0 stands for 1 where the constant is whole, so that nothing need be rounded.
    """
    if isinstance(constant, int):
        floor, ceiling = -constant // (divisor or 1), -(constant // (divisor or 1))
        return str({"<=": floor, ">": floor + 1, ">=": ceiling, "<": ceiling - 1}[op])
    if op in ("<=", ">"):
        text = f"{negative} // {divisor}" if divisor else f"{negative}"
        return text if op == "<=" else f"{text} + 1"
    text = f"-({constant} // {divisor})" if divisor else f"{negative}"
    return text if op == ">=" else f"{text} - 1"


def one_of(function: str, bounds: list[str], otherwise: str) -> str:
    bounds = [*dict.fromkeys(bounds)]
    if function == "max" and len(bounds) > 1 and bounds[0] == "0" and bounds[1].isdecimal():
        del bounds[0]  # Any other number is at least as great a lower bound.
    if len(bounds) <= 1:
        return bounds[0] if bounds else otherwise
    return f"{function}({', '.join(bounds)})"


def cost_of(shape: Shape) -> int:
    if shape.degree > 1:
        return 3
    return 2 if shape.factor is None else int(shape.factor not in (1, -1))


def is_boolean(left: Expr, right: Expr, variables: Mapping[str, Type]) -> bool:
    """Whether one side of a comparison is a Boolean variable."""
    return any(isinstance(side, Name) and variables[side.name] is BOOL for side in (left, right))
