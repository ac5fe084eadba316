"""SMT-LIB and ACL2: provers without programs and loops. They get the conditions of the second verifier, each as a question.

If all of them hold, the program is correct; `idg.audit.conditions` says why.
"""

from __future__ import annotations

from collections.abc import Iterable

from idg.audit.conditions import ProofCondition, conditions_of
from idg.audit.ends.measures import MEASURED, asserting
from idg.audit.expressions import TooLarge
from idg.audit.terms import BOOL, INT, LogicTerm, parts
from idg.audit.verifier import condition_script
from idg.export.lowering.expressions import TERM_NODES_MAX, size
from idg.export.lowering.lowered import ExportRefused
from idg.export.lowering.lowering import Facts
from idg.sip.errors import line_and_column
from idg.sip.program import Program
from idg.sip.syntax import Old
from idg.sip.trees.traverse import expressions


def smtlib_text(program: Program, invariants: Facts, measures: Facts) -> str:
    """One script, in which every answer must be `unsat`."""
    program, conditions = _conditions(program, invariants, measures)
    lines = ["(set-logic ALL)"]
    for condition in conditions:
        script = condition_script(condition, program).splitlines()
        lines += ["", "(push 1)", *(line for line in script if line != "(set-logic ALL)"), "(pop 1)"]
    return "\n".join([*lines, ""])


def acl2_text(program: Program, invariants: Facts, measures: Facts) -> str:
    """A book's worth of theorems."""
    program, conditions = _conditions(program, invariants, measures)
    formulas = [formula for condition in conditions for formula in (*_hypotheses(condition), condition.goal)]
    calls = {part.name: part for formula in formulas for part in parts(formula) if part.op == "call"}
    lines = [_ACL2_START]
    for name, leaf in sorted(calls.items()):
        if name.endswith(".call"):
            lines.append(f"(defstub |{name}| ({' '.join(f'x{index}' for index in range(len(leaf.args)))}) t)")
        elif name in _ACL2_DEFINITIONS:
            lines.append(_ACL2_DEFINITIONS[name])
    for index, condition in enumerate(conditions, 1):
        line = line_and_column(program.text, condition.span.start)[0]
        told = " ".join(f"{condition.function}, line {line}: {condition.what}: {condition.text}".split())
        lines.append(f"; {told}\n(defthm |condition {index}|\n  {_theorem(condition)}\n  :rule-classes nil)")
    return "\n\n".join([*lines, '(cw "IDG: all conditions were tried.~%")', ""])


def _conditions(program: Program, invariants: Facts, measures: Facts) -> tuple[Program, list[ProofCondition]]:
    """The conditions that are not plainly true, and the program that they are about: with measures, asserts are added to it."""
    if measures:
        if MEASURED in program.text:
            raise ExportRefused(f"the program uses the name {MEASURED}")
        if any(isinstance(part, Old) for measure in measures.values() for whole in measure for part in expressions(whole)):
            raise ExportRefused("a measure speaks of a value at entry")
        program = asserting(program, measures)
    try:
        conditions = conditions_of(program, invariants)
    except (TooLarge, RecursionError) as error:
        raise ExportRefused(str(error)) from None
    if any(size(formula) > TERM_NODES_MAX for condition in conditions for formula in (*_hypotheses(condition), condition.goal)):
        raise ExportRefused("a condition becomes too large")
    if not conditions:
        raise ExportRefused("nothing is left to check: the program has no obligation, or each is true by computation alone")
    return program, conditions


def _hypotheses(condition: ProofCondition) -> list[LogicTerm]:
    return list(dict.fromkeys(step.formula for step in condition.hypotheses))


_ACL2_START = """\
(in-package "ACL2")
(include-book "arithmetic-5/top" :dir :system)
(set-default-hints '((nonlinearp-default-hint stable-under-simplificationp hist pspv)))"""
_ACL2_DEFINITIONS = {
    "gcd": """\
(defun |gcd of naturals| (a b)
  (declare (xargs :measure (+ (nfix a) (nfix b))))
  (cond ((zp a) (nfix b)) ((zp b) a) ((equal a b) a)
        ((< b a) (|gcd of naturals| (- a b) b))
        (t (|gcd of naturals| a (- b a)))))
(defun |gcd| (a b) (|gcd of naturals| (abs a) (abs b)))""",
    # The quotient is always smaller there. The definition tests it anyway, because ACL2 then sees at once that the function ends.
    "ispow": """\
(defun |ispow| (x b)
  (declare (xargs :measure (nfix (abs (ifix x)))))
  (cond ((equal x 1) t)
        ((not (and (integerp x) (integerp b))) nil)
        ((<= (abs b) 1) (equal x b))
        ((or (equal x 0) (not (equal (mod x b) 0)) (<= (abs x) (abs (floor x b)))) nil)
        (t (|ispow| (floor x b) b))))""",
}
_ACL2_FUNCTIONS = {
    "+": "+", "-": "-", "*": "*", "<": "<", "<=": "<=", "div": "floor", "mod": "mod", "floor.div": "floor", "floor.mod": "mod",
    "quotient": "/", "pow.int": "expt", "pow.rat": "expt", "and": "and", "or": "or", "not": "not", "=>": "implies", "ite": "if",
    "is_int": "integerp", "gcd": "|gcd|", "ispow": "|ispow|",
}  # fmt: skip
"""An operation of terms → the function of ACL2 that means the same wherever SIP gives it a value."""
_ACL2_TYPES = {BOOL: "booleanp", INT: "integerp"}


def _theorem(condition: ProofCondition) -> str:
    hypotheses = _hypotheses(condition)
    leaves: dict[LogicTerm, None] = {}
    for formula in (*hypotheses, condition.goal):
        leaves |= {part: None for part in parts(formula) if part.op == "symbol" or part.name.endswith(".call")}
    types = [f"({_ACL2_TYPES.get(leaf.sort, 'rationalp')} {acl2_term(leaf)})" for leaf in leaves]
    return f"(implies {_joined([*types, *map(acl2_term, hypotheses)])}\n           {acl2_term(condition.goal)})"


def _joined(terms: Iterable[str]) -> str:
    return "(and " + "\n                ".join(terms) + ")"


def acl2_term(term: LogicTerm) -> str:
    """The term as ACL2 writes it. Names stand between bars, because ACL2 does not distinguish capitals outside of them."""
    match term.op:
        case "symbol":
            return f"|{term.name}|"
        case "number":
            return str(term.value)
        case "true" | "false":
            return "t" if term.op == "true" else "nil"
        case "to_real":
            return acl2_term(term.args[0])
    args = " ".join(map(acl2_term, term.args))
    if term.op == "=":
        return f"({'iff' if term.args[0].sort == BOOL else 'equal'} {args})"
    if term.op == "call" and term.name.endswith(".call"):
        return f"(|{term.name}| {args})"
    return f"({_ACL2_FUNCTIONS[term.name if term.op == 'call' else term.op]} {args})"
