"""Conditions as SMT-LIB scripts, and what z3 and cvc5 answer about them.

A script asserts the hypotheses and the opposite of the goal: `unsat` means that the condition is valid. Budgets are the solvers'
own counts of resources, and seeds are fixed, so that the answer is the same on every machine.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from functools import lru_cache
from itertools import permutations
from typing import Any

from idg.audit.arrays.aggregates import Aggregates, law_text
from idg.audit.terms import (
    BOOL,
    FORMULAS_KEPT,
    FUNCTIONS,
    INT,
    QUANTIFIERS,
    LogicTerm,
    arithmetic,
    call,
    compare,
    conjunction,
    disjunction,
    formula_text,
    has_bound,
    implication,
    length_symbol,
    negation,
    number,
    operations,
    over_reals,
    parts,
    symbol,
)
from idg.sip.values import Scalar

FAR = 10**20
"""A number counts as far beyond those of a condition if it is at least this many times as large as all of them."""
PREPARING = ("simplify", "propagate-values", "solve-eqs")
"""What z3 does with a script first: it eliminates the symbols that equations give.

Not in a script with quantifiers: a term that then stands inside of a quantifier only is none for which others are instantiated.
"""
CVC5_RLIMIT = 20_000
"""What cvc5 may spend on one script, in its own count of resources."""
MULTIPLES_MAX = 4
"""How many numbers of the formulas, the smallest above 1, have a law which says that adding so many times the divisor keeps a
remainder."""


def script(hypotheses: Iterable[LogicTerm], goal: LogicTerm, comments: Iterable[str] = (), reals: bool = False) -> str:
    """A script that is unsatisfiable only if the hypotheses imply the goal. `reals`: with real numbers instead of whole ones."""
    aggregates = Aggregates()
    formulas = list(map(aggregates.without, [*dict.fromkeys(hypotheses), negation(goal)]))
    laws = list(aggregates.laws(formulas))
    formulas = [*laws_of(formulas), *_named_reads(formulas), *formulas]
    if reals:
        formulas = [over_reals(formula) for formula in formulas]
    leaves = {part.name: part for formula in formulas for part in declared(formula)}
    for law in laws:
        variables = {variable.name for variable in law.variables}
        leaves |= {part.name: part for part in declared(law.formula) if part.name not in variables}
    lines = [f"; {comment}" for comment in comments]
    lines += ["(set-logic ALL)"]
    for name, leaf in sorted(leaves.items()):
        lines.append(f"(declare-fun {name} ({' '.join(arg.sort for arg in leaf.args)}) {leaf.sort})")
    lines += [f"(assert {law_text(law)})" for law in laws]
    lines += [f"(assert {formula_text(formula)})" for formula in formulas]
    return "\n".join([*lines, "(check-sat)", ""])


def _named_reads(formulas: Iterable[LogicTerm]) -> list[LogicTerm]:
    """Equations with new symbols for the reads that stand inside of quantifiers only and have no bound variable.

    Quantifiers are instantiated for the terms that occur outside of them. So these are made to occur there.
    """
    inside: dict[LogicTerm, None] = {}
    for formula in formulas:
        for part in parts(formula) if QUANTIFIERS & operations(formula) else ():
            if part.op in QUANTIFIERS:
                inside |= {read: None for read in parts(part) if read.op == "select" and not has_bound(read)}
    return [compare(symbol(f"read.{index}", read.sort), "=", read) for index, read in enumerate(inside)]


@lru_cache(FORMULAS_KEPT)
def declared(formula: LogicTerm) -> tuple[LogicTerm, ...]:
    """The symbols and calls of the formula, those for the lengths of arrays among them."""
    symbols: dict[LogicTerm, None] = {}
    for part in parts(formula):
        if part.op in ("symbol", "call"):
            symbols[part] = None
        elif part.op == "len":
            symbols[length_symbol(part)] = None
    return tuple(symbols)


def laws_of(formulas: Iterable[LogicTerm]) -> list[LogicTerm]:
    """Laws of the functions that SMT-LIB does not have, for the calls that occur in the formulas.

    There are no laws for calls with a bound variable, so nothing can be proved that needs one.
    """
    formulas = list(formulas)
    if not any("call" in operations(formula) for formula in formulas):
        return []
    calls: dict[str, dict[LogicTerm, None]] = {}
    numbers: set[int] = set()
    for formula in formulas:
        for part in parts(formula):
            if part.op == "call" and part.name in FUNCTIONS and not has_bound(part):
                calls.setdefault(part.name, {})[part] = None
            elif part.op == "number" and part.value.denominator == 1:
                numbers.add(abs(int(part.value)))
    multiples = [1, *sorted(number for number in numbers if number > 1)[:MULTIPLES_MAX]]
    zero, one = number(0), number(1)
    laws: list[LogicTerm] = []
    for name, terms in calls.items():
        for term in terms:
            left, right = term.args
            if name in ("floor.div", "floor.mod"):
                rest = call("floor.mod", INT, left, right)
                whole = arithmetic("+", arithmetic("*", right, call("floor.div", INT, left, right)), rest)
                small = disjunction(
                    conjunction(compare(zero, "<=", rest), compare(rest, "<", right)),
                    conjunction(compare(right, "<", rest), compare(rest, "<=", zero)),
                )
                laws.append(implication(compare(right, "!=", zero), conjunction(compare(left, "=", whole), small)))
            elif name == "quotient":
                laws.append(implication(compare(right, "!=", zero), compare(left, "=", arithmetic("*", right, term))))
            elif name == "gcd":
                laws += _gcd_laws(term)
            elif name == "ispow":
                laws += _ispow_laws(term)
            else:
                laws.append(implication(compare(right, "=", zero), compare(term, "=", one)))
                for op in (">", ">="):
                    positive = conjunction(compare(left, op, zero), compare(right, ">=", zero))
                    laws.append(implication(positive, compare(term, op, zero)))
        for first, second in permutations(terms, 2):
            laws += _laws_of_pair(name, first, second)
            laws += _laws_of_remainders(first, second, multiples) if name == "floor.mod" else []
    return laws


def _laws_of_remainders(first: LogicTerm, second: LogicTerm, multiples: Iterable[int]) -> list[LogicTerm]:
    """A multiple of the divisor that is added does not change the remainder."""
    (left, right), (other, last) = first.args, second.args
    same = conjunction(compare(right, "=", last), compare(right, "!=", number(0)))
    return [
        implication(
            conjunction(same, compare(other, "=", arithmetic("+", left, arithmetic("*", number(multiple), right)))),
            compare(first, "=", second),
        )
        for multiple in multiples
    ]


def _gcd_laws(term: LogicTerm) -> list[LogicTerm]:
    left, right = term.args
    zero = number(0)
    laws = [compare(term, ">=", zero)]
    for same, other in ((left, right), (right, left)):
        equal = disjunction(compare(other, "=", same), compare(other, "=", zero))
        laws.append(implication(conjunction(equal, compare(same, ">=", zero)), compare(term, "=", same)))
    return laws


def _ispow_laws(term: LogicTerm) -> list[LogicTerm]:
    value, base = term.args
    one = number(1)
    root = call("ispow.root", INT, value, base)
    smaller = conjunction(compare(value, "=", arithmetic("*", base, root)), call("ispow", BOOL, root, base))
    return [
        implication(compare(value, "=", one), term),
        implication(conjunction(term, compare(base, ">=", one)), compare(value, ">=", one)),
        implication(conjunction(term, compare(value, "!=", one)), smaller),
    ]


def _laws_of_pair(name: str, first: LogicTerm, second: LogicTerm) -> list[LogicTerm]:
    """How the values of two terms are related if their arguments are."""
    (left, right), (other, last) = first.args, second.args
    zero, one = number(0), number(1)
    if name.startswith("pow."):
        next_power = conjunction(
            compare(left, "=", other), compare(last, "=", arithmetic("+", right, one)), compare(right, ">=", zero)
        )
        return [implication(next_power, compare(second, "=", arithmetic("*", left, first)))]
    if name == "ispow":
        next_power = conjunction(first, compare(right, "=", last), compare(other, "=", arithmetic("*", left, right)))
        return [implication(next_power, second)]
    if name == "floor.div":
        # A multiple of the divisor is doubled, or halved with an even quotient.
        rest, other_rest = call("floor.mod", INT, left, right), call("floor.mod", INT, other, last)
        multiple = conjunction(compare(right, "=", last), compare(right, "!=", zero), compare(rest, "=", zero))
        two, exact = number(2), compare(other_rest, "=", zero)
        doubled = conjunction(multiple, compare(other, "=", arithmetic("*", two, left)))
        even = compare(LogicTerm("mod", INT, (first, two)), "=", zero)
        halved = conjunction(multiple, even, compare(other, "=", LogicTerm("div", INT, (left, two))))
        return [
            implication(doubled, conjunction(compare(second, "=", arithmetic("*", two, first)), exact)),
            implication(halved, conjunction(compare(first, "=", arithmetic("*", two, second)), exact)),
        ]
    if name != "gcd":
        return []
    swapped = conjunction(compare(left, "=", last), compare(right, "=", other))
    reduced = [
        conjunction(compare(kept, "=", arg), compare(arithmetic("-", moved, kept), "=", by))
        for kept, moved in ((left, right), (right, left))
        for arg, by in ((other, last), (last, other))
    ]
    return [implication(case, compare(first, "=", second)) for case in (swapped, *reduced)]


# Solvers


def new_context() -> Any:
    """What z3 keeps its terms in. To make one takes longer than most conditions, so all of an audit have the same one."""
    import z3  # Imported here, because z3 takes longer to import than most commands need, and they end without a proof to audit.

    return z3.Context()


def z3_answer(text: str, rlimit: int, reals: bool = False, context: Any = None) -> tuple[str, dict[str, Scalar]]:
    """'unsat', 'sat' with the values of the symbols in z3's model, or 'unknown'. Values that are irrational are left out.

    `reals`: the script has no whole numbers, so z3's solver for polynomials over the reals is asked.
    """
    import z3

    context = context or new_context()
    goal: Any = z3.Goal(ctx=context)
    solver: Any = z3.Tactic("qfnra-nlsat", ctx=context).solver() if reals else z3.SimpleSolver(ctx=context)
    solver.set("rlimit", rlimit)
    solver.set("ctrl_c", False)  # Python hears of it, and not z3 alone.
    solver.set("seed" if reals else "random_seed", 0)
    if not reals:
        # Quantifiers are used where their patterns match. z3's other way, which looks for models of them, takes long and finds few.
        solver.set("auto_config", False)
        solver.set("mbqi", False)
    bounded = z3.Bool("bounded", context)
    try:
        asserted = z3.parse_smt2_string(text, ctx=context)
        # Formulas are handed on as they are. To make an object of Python of each takes longer than z3 needs for most answers.
        ref = context.ref()
        for place in range(len(asserted)):
            z3.Z3_goal_assert(ref, goal.goal, z3.Z3_ast_vector_get(ref, asserted.vector, place))
        quantified = "(forall" in text or "(exists" in text
        [simpler] = [goal] if quantified else z3.Then(*PREPARING, ctx=context)(goal)
        for place in range(len(simpler)):
            z3.Z3_solver_assert(ref, solver.solver, z3.Z3_goal_formula(ref, simpler.goal, place))
        if reals:
            answer = str(solver.check())
        else:
            # Without a product nothing is squared. To walk through the terms takes longer than most answers.
            far = _far_bound(list(simpler), context) if "(* " in text else z3.BoolVal(True, context)
            solver.add(z3.Implies(bounded, far))
            answer = str(solver.check(bounded))
            if answer == "unsat" and len(solver.unsat_core()):
                return "unknown", {}  # The bound was needed, and it is no hypothesis.
        model: Any = simpler.convert_model(solver.model()) if answer == "sat" else None
    except z3.Z3Exception:
        return "unknown", {}
    values: dict[str, Scalar] = {}
    for leaf in model.decls() if model is not None else ():
        term = model[leaf]
        if leaf == bounded.decl():
            continue
        if leaf.arity() == 0 and (z3.is_true(term) or z3.is_false(term)):
            values[leaf.name()] = bool(z3.is_true(term))
        elif leaf.arity() == 0 and (z3.is_int_value(term) or z3.is_rational_value(term)):
            value = Fraction(term.as_string())
            values[leaf.name()] = value.numerator if value.denominator == 1 else value
    return answer, values


def _far_bound(formulas: list[Any], context: Any) -> Any:
    """The formula that unknown numbers are below a bound far beyond those of the formulas; `true` where these are linear.

    z3 does not count how long its numbers are, and squares them for ever where bounds of products raise each other.
    """
    import z3

    seen, waiting = set[int](), list(formulas)
    largest, numbers, is_linear = 1, list[Any](), True
    while waiting:
        term = waiting.pop()
        if term.get_id() in seen:
            continue
        seen.add(term.get_id())
        waiting += term.children()
        if z3.is_quantifier(term) or z3.is_var(term):
            continue  # Its instances are not known here, but products in its body are looked at.
        if z3.is_int_value(term) or z3.is_rational_value(term):
            largest = max(largest, abs(Fraction(term.as_string())).__ceil__())
        elif (
            z3.is_mul(term) and sum(not (z3.is_int_value(factor) or z3.is_rational_value(factor)) for factor in term.children()) > 1
        ):
            is_linear = False
        elif z3.is_arith(term) and term.decl().kind() == z3.Z3_OP_UNINTERPRETED:
            numbers.append(term)
    far = FAR * largest**2
    within = [] if is_linear else [z3.And(-far <= term, term <= far) for term in numbers]
    return z3.And(*within, z3.BoolVal(True, context))


def cvc5_answer(text: str, rlimit: int = CVC5_RLIMIT) -> str:
    """'unsat', 'sat' or 'unknown'."""
    import cvc5  # Imported here, for the same reason.

    solver: Any = cvc5.Solver(cvc5.TermManager())
    for option, value in {"rlimit-per": str(rlimit), "nl-ext-tplanes": "true", "seed": "0"}.items():
        solver.setOption(option, value)
    parser: Any = cvc5.InputParser(solver)
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, text, "condition")
    answer = "unknown"
    try:
        while not (command := parser.nextCommand()).isNull():
            answer = str(command.invoke(solver, parser.getSymbolManager())).strip() or answer
    except RuntimeError:
        return "unknown"
    return answer if answer in ("sat", "unsat") else "unknown"
