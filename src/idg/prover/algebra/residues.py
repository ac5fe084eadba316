"""The stage of remainders: proofs by looking at all remainders of the variables modulo some m.

For each way of choosing the variables' remainders modulo m, it is determined whether every hypothesis may be true there and the
goal may be false. Where no choice allows both, the goal follows for all whole numbers. For each subexpression a modulus k and a
remainder are known, where k depends on m and on the expression; k = 0 means that the value itself is known. For example, if x is
known modulo k and c divides k, then the value of `x % c` is known, and `x // c` is known modulo k / c.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import gcd, lcm
from typing import Any

from idg.prover.answers import Proved
from idg.sip.checking.analysis import ModuleInfo
from idg.sip.record import Record
from idg.sip.syntax import Binary, Boolean, Call, Compare, Expr, Name, Number, Old, Type, Unary
from idg.sip.trees.entry import entry_column
from idg.sip.trees.traverse import expressions, is_within, operands_of
from idg.vc.query import Query

STAGE = "residues"

MODULUS_MAX = 64
"""The largest modulus m that is tried."""
STATES_MAX = 20_000
"""Choices of the variables' remainders that are examined for one modulus; where there are more, that modulus is given up."""
MODULI = (1, 2, 4, 3, 8, 6, 5, 7, 9)
"""Candidates for m, in this order. What is tried is the least common multiple of the candidate and of the divisors in the query."""
MODULI_MAX = 6
"""Moduli tried for one query."""
VARIABLES_MAX = 10
"""Variables and other atoms of the goal and of the hypotheses that are used with it."""
LOOPS_MAX = 8
"""Nested loops of the search: variables that run through all remainders. The others are determined by an equation."""
NODES_MAX = 400
"""Nodes of the tree of one hypothesis or of the goal; larger ones are not read."""
LEVELS_MAX = 60
"""Levels of such a tree. The code that is generated is nested as deeply, and Python's parser bounds that."""
EXPONENT_MAX = 64
"""A power with a larger literal exponent is an atom of its own."""
LITERAL_BITS_MAX = 128
"""Bits of a whole number that is read as a literal; a larger one is not used."""
MINIMISED_MAX = 5
"""Used hypotheses, the first ones, for each of which it is tried to do without it."""


class _Atom(Record):
    """A variable, or a term that may have any value of its type."""

    expr: Expr


class _Value(Record):
    """What is known of a number, as Python code over the variables' remainders."""

    code: str
    modulus: int
    """The value of the code differs from the expression's by a multiple of this; 0 means that they are equal."""


def attempt(query: Query, _budget: int = 1) -> Proved | None:
    """A proof by this stage, which bounds itself and needs no budget; None where it finds none."""
    if not _may_succeed(query.goal) or not is_within(query.goal, NODES_MAX, LEVELS_MAX):
        return None
    reading = _Reading(query.variables, query.info)
    hypotheses = {
        index: hypothesis.expr for index, hypothesis in enumerate(query.hypotheses)
        if is_within(hypothesis.expr, NODES_MAX, LEVELS_MAX) and reading.says_anything(hypothesis.expr)
    }  # fmt: skip
    chosen = _related(reading, query.goal, hypotheses)
    own = [index for index in chosen if reading.atoms(hypotheses[index]) <= reading.atoms(query.goal)]
    for modulus in _moduli(query.goal, [hypotheses[index] for index in chosen]):
        for some in (chosen, own) if own != chosen else (chosen,):
            used = _proves(reading, query.goal, {index: hypotheses[index] for index in some}, modulus)
            if used is not None:
                return Proved(STAGE, frozenset(_minimised(reading, query.goal, hypotheses, used, modulus)))
    return None


def _minimised(reading: _Reading, goal: Expr, hypotheses: Mapping[int, Expr], used: list[int], modulus: int) -> list[int]:
    for index in used[:MINIMISED_MAX]:
        fewer = {other: hypotheses[other] for other in used if other != index}
        enough = _proves(reading, goal, fewer, modulus)
        if enough is not None:
            used = enough
    return used


def _may_succeed(goal: Expr) -> bool:
    """Whether remainders can show that some part of the goal holds.

    They cannot show that x = y, because numbers with the same remainder may differ; they can show x != y or x % 2 = 0.
    """
    for part in expressions(goal):
        match part:
            case Boolean(False) | Unary("!") | Binary("%" | "->") | Call("iswhole"):
                return True
            case Compare(_, ops) if "!=" in ops:
                return True
    return False


def _literal(expr: Expr) -> int | None:
    """A whole literal, perhaps negated."""
    match expr:
        case Number(int() as value) if value.bit_length() <= LITERAL_BITS_MAX:
            return value
        case Unary("-", inner):
            value_inside = _literal(inner)
            return None if value_inside is None else -value_inside
    return None


def _quotient(expr: Expr) -> tuple[Expr, int] | None:
    """The pair p, c where the expression is iswhole(p / c) with a literal c that is not 0."""
    match expr:
        case Call("iswhole", (Binary("/", left, right),)):
            divisor = _literal(right)
            if divisor:
                return left, divisor
    return None


def _moduli(goal: Expr, hypotheses: Sequence[Expr]) -> list[int]:
    base = _needed(goal, 1)
    if base > MODULUS_MAX:
        return []
    for hypothesis in hypotheses:
        more = lcm(base, _needed(hypothesis, 1))
        if more <= MODULUS_MAX:
            base = more
    moduli: list[int] = []
    for each_modulus in MODULI:
        modulus = lcm(base, each_modulus)
        if 1 < modulus <= MODULUS_MAX and modulus not in moduli:
            moduli.append(modulus)
    return moduli[:MODULI_MAX]


def _needed(expr: Expr, modulus: int) -> int:
    """A number that m should be a multiple of, so that the expression is known modulo `modulus`."""
    if modulus > MODULUS_MAX:
        return modulus
    match expr:
        case Binary("%" | "//" as op, left, right):
            divisor = _literal(right)
            if divisor:
                return _needed(left, abs(divisor) if op == "%" else abs(divisor) * modulus)
        case Call("iswhole"):
            pair = _quotient(expr)
            if pair is not None:
                return _needed(pair[0], abs(pair[1]))
    return lcm(modulus, *(_needed(operand, modulus) for operand in operands_of(expr)))


def _related(reading: _Reading, goal: Expr, hypotheses: Mapping[int, Expr]) -> list[int]:
    """The hypotheses that share variables with the goal, directly or through others, as long as the variables are not too many."""
    inside = set(reading.atoms(goal))
    chosen: list[int] = []
    left = list(hypotheses)
    while left:
        best = None
        for index in left:
            mentioned = reading.atoms(hypotheses[index])
            new = len(mentioned - inside)
            if (mentioned & inside or not inside) and len(inside) + new <= VARIABLES_MAX and (best is None or new < best[0]):
                best = (new, index)
        if best is None:
            break
        chosen.append(best[1])
        left.remove(best[1])
        inside |= reading.atoms(hypotheses[best[1]])
    return sorted(chosen)


class _Reading:
    """Decides which subexpressions are atoms: variables, and terms that are treated like variables."""

    def __init__(self, variables: Mapping[str, Type], info: ModuleInfo | None) -> None:
        self._variables = variables
        self._info = info
        self._atoms: dict[int, tuple[Expr, frozenset[_Atom]]] = {}

    def kind(self, expr: Expr) -> Type:
        """The type of an atom."""
        match expr:
            case Name(name):
                return self._variables.get(name, Type.RAT)
            case Old(name):
                return self._variables.get(entry_column(name), self._variables.get(name, Type.RAT))
            case Call("gcd"):
                return Type.NAT
            case Call("ispow" | "iswhole"):
                return Type.BOOL
            case Call("abs" | "min" | "max", arguments):
                return Type.INT if all(self.is_whole(argument) for argument in arguments) else Type.RAT
            case Call(name):
                function = self._info.functions.get(name) if self._info else None
                return (function and function.function.result) or Type.RAT
            case Binary("//" | "%"):
                return Type.INT
            case Binary("^", left, _):
                return Type.INT if self.is_whole(left) else Type.RAT
        return Type.RAT

    def is_atom(self, expr: Expr) -> bool:
        match expr:
            case Name() | Old():
                return True
            case Call():
                return _quotient(expr) is None
            case Binary("//" | "%", left, right):
                return not _literal(right) or not self.is_whole(left)
            case Binary("^", _, right):
                exponent = _literal(right)
                return exponent is None or not 0 <= exponent <= EXPONENT_MAX
            case Binary("/"):
                return True
            case Number(value):
                return not isinstance(value, int) or value.bit_length() > LITERAL_BITS_MAX
        return False

    def is_whole(self, expr: Expr) -> bool:
        if self.is_atom(expr):
            return self.kind(expr) in (Type.NAT, Type.INT)
        operands = operands_of(expr)
        if isinstance(expr, Binary) and expr.op in ("//", "%", "^"):
            operands = operands[:1]  # The other operand is a literal, because otherwise this would be an atom.
        return all(self.is_whole(operand) for operand in operands)

    def is_truth(self, expr: Expr) -> bool:
        match expr:
            case Boolean() | Compare() | Unary("!") | Binary("&" | "|" | "->"):
                return True
        return self.is_atom(expr) and self.kind(expr) is Type.BOOL

    def atoms(self, expr: Expr) -> frozenset[_Atom]:
        """The atoms of the expression whose values are whole or Boolean."""
        known = self._atoms.get(id(expr))
        if known is not None:
            return known[1]
        atoms: set[_Atom] = set()
        waiting = [expr]
        while waiting:
            part = waiting.pop()
            if not self.is_atom(part):
                waiting += operands_of(part)
            elif self.kind(part) is not Type.RAT:
                atoms.add(_Atom(part))
        result = frozenset(atoms)
        self._atoms[id(expr)] = (expr, result)  # Keeping the expression makes sure that no other gets its id.
        return result

    def says_anything(self, expr: Expr) -> bool:
        """Whether remainders could show that the condition is false; otherwise it is of no use as a hypothesis."""
        match expr:
            case Binary("&", left, right):
                return self.says_anything(left) or self.says_anything(right)
            case Binary("|" | "->"):
                return True
            case Compare(operands, ops):
                exact = any(isinstance(part, Binary) and part.op == "%" for part in expressions(expr))
                return exact or ("=" in ops and any(self.is_whole(operand) for operand in operands))
            case Unary("!") | Name() | Call() | Boolean():
                return True
        return False


class _Writer:
    """Writes conditions as Python over remainders modulo m."""

    def __init__(self, reading: _Reading, modulus: int) -> None:
        self.reading = reading
        self.modulus = modulus
        self.names: dict[_Atom, str] = {}

    def name(self, atom: _Atom) -> str:
        return self.names.setdefault(atom, f"v{len(self.names)}")

    def value(self, expr: Expr) -> _Value | None:
        """What is known of the number; None where nothing is."""
        if self.reading.is_atom(expr):
            kind = self.reading.kind(expr)
            if kind is Type.RAT:
                return None
            return _Value(self.name(_Atom(expr)), 0 if kind is Type.BOOL else self.modulus)
        match expr:
            case Number(number):
                return _Value(str(number), 0)
            case Unary("-", operand):
                inner = self.value(operand)
                return inner and _Value(f"(-{inner.code})", inner.modulus)
            case Binary("+" | "-" | "*" | "//" | "%" | "^" as op, left, right):
                one, other = self.value(left), self.value(right)
                return one and other and self._operation(op, one, other, _literal(left), _literal(right))
        return None

    def _operation(self, op: str, one: _Value, other: _Value, left: int | None, right: int | None) -> _Value | None:
        if op == "^":
            assert right is not None
            code = f"pow({one.code}, {right}, {one.modulus})" if one.modulus else f"{one.code} ** {right}"
            return _Value(f"({code})", one.modulus)
        if op in ("//", "%"):
            assert right
            if one.modulus % right:
                return None
            return _Value(f"({one.code} {op} ({right}))", 0 if op == "%" else one.modulus // abs(right))
        modulus = gcd(one.modulus, other.modulus)
        if op == "*" and (left is not None or right is not None):
            # If x is known modulo k, then c·x is known modulo c·k.
            modulus = abs(left) * other.modulus if left is not None else abs(right or 0) * one.modulus
        return None if modulus == 1 else _Value(f"({one.code} {op} {other.code})", modulus)

    def may(self, expr: Expr, truth: bool) -> str:
        """Code that says whether the condition has this truth value in some state with these remainders; true if in doubt."""
        match expr:
            case Boolean(value):
                return str(value is truth)
            case Unary("!", operand):
                return self.may(operand, not truth)
            case Binary("&" | "|" | "->" as op, left, right):
                both = (self.may(left, truth is not (op == "->")), self.may(right, truth))
                return _joined("and" if (op == "&") is truth else "or", both)
            case Compare(operands, ops):
                links = tuple(self._link(op, operands[index], operands[index + 1], truth) for index, op in enumerate(ops))
                return _joined("and" if truth else "or", links)
            case Name() | Call() if self.reading.kind(expr) is Type.BOOL and self.reading.is_atom(expr):
                name = self.name(_Atom(expr))
                return name if truth else f"(not {name})"
        pair = _quotient(expr)
        if pair is not None:
            inner = self.value(pair[0])
            if inner is not None and inner.modulus % pair[1] == 0 and self.reading.is_whole(pair[0]):
                return f"({inner.code} % {abs(pair[1])} {'==' if truth else '!='} 0)"
        return "True"

    def _link(self, op: str, left: Expr, right: Expr, truth: bool) -> str:
        if self.reading.is_truth(left) or self.reading.is_truth(right):
            same = (op == "=") is truth
            cases = [_joined("and", (self.may(left, value), self.may(right, value is same))) for value in (True, False)]
            return _joined("or", tuple(cases))
        one, other = self.value(left), self.value(right)
        if one is None or other is None:
            return "True"
        modulus = gcd(one.modulus, other.modulus)
        if modulus == 0:
            code = f"({one.code} {'==' if op == '=' else op} {other.code})"
            return code if truth else f"(not {code})"
        if (op == "=") is truth and op in ("=", "!="):
            return f"(({one.code} - {other.code}) % {modulus} == 0)"
        return "True"


def _joined(word: str, codes: tuple[str, ...]) -> str:
    absorbing, neutral = ("False", "True") if word == "and" else ("True", "False")
    if absorbing in codes:
        return absorbing
    left = [code for code in codes if code != neutral]
    return f"({f' {word} '.join(left)})" if left else neutral


def _proves(reading: _Reading, goal: Expr, hypotheses: Mapping[int, Expr], modulus: int) -> list[int] | None:
    """The hypotheses that suffice for a proof with this modulus; None where there is no proof."""
    writer = _Writer(reading, modulus)
    target = writer.may(goal, False)
    if target == "False":
        return []
    tests = {index: code for index, hypothesis in hypotheses.items() if (code := writer.may(hypothesis, True)) != "True"}
    if target == "True" and not tests:
        return None
    lines = _loops(writer, hypotheses, tests, f"if {target}: return True")
    if lines is None:
        return None
    names: dict[str, Any] = {}
    exec("\n".join(["def search(used):", *lines, " return False"]), names)
    search: Callable[[set[int]], bool] = names["search"]
    used: set[int] = set()
    return None if search(used) else sorted(used)


def _loops(writer: _Writer, hypotheses: Mapping[int, Expr], tests: Mapping[int, str], last: str) -> list[str] | None:
    """The body of the search: it gives every variable a remainder and then executes the last line; None where it is too large.

    A variable is computed from an equation where possible, and runs through all remainders otherwise. A hypothesis is tested as
    soon as all its variables have remainders; where it fails, the search goes on with the next choice.
    """
    reading = writer.reading
    order = list(writer.names)
    needed = {index: reading.atoms(hypotheses[index]) & writer.names.keys() for index in tests}
    bound: set[_Atom] = set()
    lines = [" for _ in (0,):"]
    depth, states, loops = 2, 1, 0
    waiting = list(tests)
    while True:
        for index in [test for test in waiting if needed[test] <= bound]:
            waiting.remove(index)
            lines.append(f"{' ' * depth}if not {tests[index]}: used.add({index}); continue")
        rest = [atom for atom in order if atom not in bound]
        if not rest:
            return [*lines, " " * depth + last]
        defined = next(
            ((index, definition) for index in waiting if (definition := _definition(writer, hypotheses[index], bound)) is not None),
            None,
        )
        if defined is not None:
            index, (atom, code) = defined
            lines.append(f"{' ' * depth}used.add({index}); {writer.name(atom)} = {code} % {writer.modulus}")
            bound.add(atom)
            continue
        atom = rest[0]
        size = 2 if reading.kind(atom.expr) is Type.BOOL else writer.modulus
        states *= size
        loops += 1
        if states > STATES_MAX or loops > LOOPS_MAX:
            return None
        lines.append(f"{' ' * depth}for {writer.name(atom)} in range({size}):")
        depth += 1
        bound.add(atom)


def _definition(writer: _Writer, expr: Expr, bound: set[_Atom]) -> tuple[_Atom, str] | None:
    """An atom that the equation determines by those that have remainders already, and the code for its value."""
    if not isinstance(expr, Compare) or expr.ops != ("=",):
        return None
    for left, right in (expr.operands, expr.operands[::-1]):
        atom = _Atom(left)
        if atom in writer.names and atom not in bound and writer.reading.kind(left) is not Type.BOOL:
            value = writer.value(right)
            if value is not None and value.modulus % writer.modulus == 0 and writer.reading.atoms(right) <= bound:
                return atom, value.code
    return None
