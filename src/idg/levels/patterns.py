"""The patterns of facts that players collect: which of nineteen forms a fact has, read from its text alone.

The client has the same in client/src/map/patterns.ts, and spec/patterns.json holds the two together. A pattern is no verdict:
where a form is not recognised, nothing but a tile on the map is missing.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from fractions import Fraction

from idg.sip.program import Program
from idg.sip.syntax import Binary, Call, Compare, Expr, Name, Number, Old, Quantified, Unary
from idg.sip.text.printer import print_expression
from idg.sip.trees.polynomials import Monomial, NamedPolynomial, difference, multiplied, scaled, total
from idg.sip.trees.traverse import conjuncts, expressions, links, names_and_olds, node_count

PATTERNS = (
    "product", "kept-sum", "limit", "head-start", "ratio", "share", "remainder", "at-least", "square",
    "helper-column", "half-product", "distance", "sandwich", "flag", "case", "power", "kept-value",
    "every-cell", "running-total",
)  # fmt: skip
"""All patterns, in the order in which the way introduces them."""
EXPONENT_MAX = 6
"""The largest exponent that is multiplied out."""
TERMS_MAX = 40
"""Terms of a polynomial up to which a fact is looked at. A longer one has no pattern."""
NODES_MAX = 400
"""Nodes of a fact up to which it is looked at."""

_WORDS_OF_ARRAYS = {"every-cell": {"forall"}, "running-total": {"sum", "count"}}
"""Patterns of facts about arrays, with the words that show them."""

Bound = tuple[str, str]
"""The smaller and the larger side of a bound, as texts."""


def fixed_names(program: Program) -> tuple[str, ...]:
    """The inputs that the program never changes."""
    return tuple(name for name in program.params if name not in program.info.level.assigned)


def patterns_of(facts: Iterable[tuple[int, Expr]], fixed: Collection[str]) -> set[str]:
    """The patterns of these facts, each with the number of its loop. `fixed` are the names whose values never change."""
    collected: set[str] = set()
    bounds: dict[int, list[Bound]] = {}
    for loop, fact in facts:
        if node_count(fact) > NODES_MAX:
            continue
        about_arrays = _about_arrays(fact)
        if about_arrays:
            collected |= about_arrays
            continue
        for claim in conjuncts(fact):
            collected |= _of_claim(claim, fixed)
            bounds.setdefault(loop, []).extend(_bounds(claim))
    for pairs in bounds.values():
        uppers = {larger for _, larger in pairs}
        if any(smaller in uppers for smaller, _ in pairs):
            collected.add("sandwich")
    return collected


def _about_arrays(fact: Expr) -> set[str]:
    """The patterns of a fact that speaks of many cells at once. It has no others."""
    parts = list(expressions(fact))
    words = {part.word for part in parts if isinstance(part, Quantified)}
    words |= {"forall" for part in parts if isinstance(part, Call) and part.function == "sorted"}
    return {pattern for pattern, meant in _WORDS_OF_ARRAYS.items() if words & meant}


def _of_claim(claim: Expr, fixed: Collection[str]) -> set[str]:
    match claim:
        case Binary("->"):
            return {"case"}
        case Call("ispow"):
            return {"power"}
        case Compare((left, right), ("=",)):
            collected = _equation(left, right, fixed)
            return set() if collected is None else {collected}
        case Compare(operands, ("<=" | "<" | ">=" | ">",)):
            small, large = operands if claim.ops[0] in ("<=", "<") else operands[::-1]
            if _has_distance(claim):
                return {"distance"}
            return {"at-least" if _is_product(small) and not _is_product(large) else "limit"}
        case _:
            return set()


def _bounds(claim: Expr) -> list[Bound]:
    """The bounds that a sandwich can be made of: those of a chain, and single ones between two sides that vary."""
    if not isinstance(claim, Compare):
        return []
    result = []
    for link in links(claim):
        left, right = (link.operands[0], link.operands[1]) if link.ops[0] in ("<=", "<") else (link.operands[1], link.operands[0])
        plain = len(claim.ops) > 1 or (names_and_olds(left) and names_and_olds(right))
        if link.ops[0] in ("<=", "<", ">=", ">") and plain and not _has_distance(link):
            result.append((print_expression(left), print_expression(right)))
    return result


def _has_distance(expr: Expr) -> bool:
    return any(isinstance(node, Call) and node.function == "abs" for node in expressions(expr))


def _is_truth(expr: Expr) -> bool:
    """Whether it can only be true or false, such as a comparison."""
    match expr:
        case Compare() | Unary("!") | Binary("&" | "|" | "->") | Call("ispow"):
            return True
        case _:
            return False


def _is_product(expr: Expr) -> bool:
    """Whether two things that vary are multiplied in it."""
    polynomial = _polynomial(expr)
    return polynomial is not None and any(len(names) > 1 for names in polynomial)


def _equation(left: Expr, right: Expr, fixed: Collection[str]) -> str | None:
    if _is_truth(left) or _is_truth(right):
        return "flag"
    nodes = [*expressions(left), *expressions(right)]
    if any(isinstance(node, Binary) and node.op == "%" for node in nodes):
        return "remainder"
    if any(isinstance(node, Binary) and node.op == "^" and not isinstance(node.right, Number) for node in nodes):
        return "power"
    if isinstance(left, Call) and isinstance(right, Call):
        return "kept-value" if left.function == right.function else None
    if (isinstance(left, Name) and _is_power(right)) or (isinstance(right, Name) and _is_power(left)):
        return "square"
    first, second = _polynomial(left), _polynomial(right)
    if first is None or second is None:
        return None
    distance = _short(difference(first, second))
    return None if distance is None else _of_polynomial(distance, fixed)


def _is_power(expr: Expr) -> bool:
    if not isinstance(expr, Binary):
        return False
    if expr.op == "^":
        return isinstance(expr.right, Number) and expr.right.value >= 2
    return expr.op == "*" and not isinstance(expr.left, Number) and print_expression(expr.left) == print_expression(expr.right)


def _of_polynomial(polynomial: NamedPolynomial, fixed: Collection[str]) -> str | None:
    """The pattern of the equation that says that this is zero."""
    constant = polynomial.get((), Fraction(0))
    terms = {names: factor for names, factor in polynomial.items() if names}
    plus = [names for names, factor in terms.items() if factor > 0]
    minus = [names for names, factor in terms.items() if factor < 0]
    if all(len(names) == 1 for names in terms):
        return _linear(terms, constant, plus, minus, fixed)
    if len(terms) == 2 and not constant and min(map(len, terms)) == 1:
        [lone] = [names for names in terms if len(names) == 1]
        [product] = [names for names in terms if len(names) > 1]
        if lone[0] not in product:
            return "square" if len(set(product)) == 1 else "product"
    for lone in (names for names in terms if len(names) == 1):
        others = {name for names in terms if names != lone for name in names}
        if len(others) == 1 and lone[0] not in others:
            return "half-product"
    return _whole(plus, minus, fixed)


def _linear(
    terms: NamedPolynomial, constant: Fraction, plus: list[Monomial], minus: list[Monomial], fixed: Collection[str]
) -> str | None:
    sizes = {abs(factor) for factor in terms.values()}
    if len(terms) == 2 and plus and minus:
        if constant:
            return "helper-column"
        return "ratio" if len(sizes) > 1 else None
    if len(terms) == 2:
        return "kept-sum" if len(sizes) == 1 else "helper-column"
    if len(terms) < 2:
        return None
    for one, many in ((plus, minus), (minus, plus)):
        if len(one) == 1 and len({abs(terms[names]) for names in many}) == 1:
            return "kept-sum"
    return "kept-sum" if len(sizes) == 1 else _whole(plus, minus, fixed)


def _whole(plus: list[Monomial], minus: list[Monomial], fixed: Collection[str]) -> str | None:
    """A whole and its parts: a share where the whole never changes, a head start where it is what is built up."""
    for [whole, *rest], parts_of_it in ((plus or [()], minus), (minus or [()], plus)):
        if whole and not rest and parts_of_it:
            if all(name in fixed for name in whole):
                return "share"
            if len(whole) == 1 and not any(whole[0] in names for names in parts_of_it):
                return "head-start"
    return None


def _polynomial(expr: Expr) -> NamedPolynomial | None:
    """The expression multiplied out; None where it is no polynomial, or a long one."""
    match expr:
        case Number(value):
            return {(): Fraction(value)} if value else {}
        case Name(name):
            return {(name,): Fraction(1)}
        case Old(name):
            return {(f"old({name})",): Fraction(1)}
        case Unary("-", operand):
            inner = _polynomial(operand)
            return None if inner is None else scaled(inner, -1)
        case Binary("^", left, Number(exponent)) if exponent == int(exponent) and 0 <= exponent <= EXPONENT_MAX:
            base = _polynomial(left)
            result: NamedPolynomial = {(): Fraction(1)}
            for _ in range(int(exponent)):
                product = None if base is None else _short(multiplied(result, base))
                if product is None:
                    return None
                result = product
            return result
        case Binary("/", left, Number(divisor)) if divisor:
            inner = _polynomial(left)
            return None if inner is None else scaled(inner, 1 / Fraction(divisor))
        case Binary("+" | "-" | "*" as op, left, right):
            first, second = _polynomial(left), _polynomial(right)
            if first is None or second is None:
                return None
            return _short({"+": total, "-": difference, "*": multiplied}[op](first, second))
        case _:
            return None


def _short(polynomial: NamedPolynomial) -> NamedPolynomial | None:
    return polynomial if len(polynomial) <= TERMS_MAX else None
