"""The second verifier: is a program correct, given invariants of its loops?

It shares with the first one only the language: its tree, its types and its runs. What it confirms rests on conditions.py, which
says what has to be proved, on smt.py, which writes it down for solvers, and on a solver's `unsat`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import product
from math import prod
from typing import Any

from idg.audit.arrays.small import speaks_of_arrays, state_of, written_out
from idg.audit.conditions import Invariants, ProofCondition, conditions_of
from idg.audit.expressions import OPAQUE, TooLarge
from idg.audit.runs import BrokenRun, broken_run
from idg.audit.smt import cvc5_answer, new_context, script, z3_answer
from idg.audit.terms import (
    FALSE,
    INT,
    QUANTIFIERS,
    TRUE,
    LogicTerm,
    NoMeaning,
    arithmetic,
    conjunction,
    degree_max,
    disjunction,
    evaluate,
    implication,
    instance,
    negation,
    number,
    parts,
    substitute,
    symbol,
    within,
)
from idg.sip.errors import line_and_column
from idg.sip.program import Program
from idg.sip.record import Record
from idg.sip.running.evaluator import evaluate as evaluate_expression
from idg.sip.running.runner import Undefined
from idg.sip.syntax import Call, Expr, Name
from idg.sip.values import Scalar, State, Value

CONFIRMED, CONTRADICTED, NOT_DECIDED = "confirmed", "contradicted", "not decided"
FIRST_RLIMIT, LAST_RLIMIT = 60_000, 1_000_000
"""z3's resources for its first attempt at a condition, which mostly suffices, and for the last one, when nothing else helped."""
DEGREE_MAX = 40
"""Conditions with polynomials of a higher degree are not given to solvers, which could multiply them out for hours."""
DIVISOR_MAX, REMAINDERS_MAX = 4, 16
"""Divisors whose remainders are looked at one by one, and cases that there may be then in all."""
UNDECIDED_MAX = 4
"""After this many undecided conditions the others are not looked at, because the answer is known."""


class AuditedCondition(Record):
    condition: ProofCondition
    answer: str
    """'confirmed', 'contradicted' or 'not decided'"""
    by: str = ""
    """What decided it."""
    state: State | None = None
    """Where it is contradicted: values of its symbols with which all hypotheses hold and the goal does not."""


class Audit(Record):
    answer: str
    """'confirmed', 'contradicted' or 'not decided'"""
    conditions: tuple[AuditedCondition, ...]
    run: BrokenRun | None = None
    """A run in which an invariant or an obligation fails."""
    too_large: str = ""
    """Why the program is beyond what is looked at."""

    @property
    def left(self) -> tuple[AuditedCondition, ...]:
        """The conditions that are not confirmed."""
        return tuple(audited for audited in self.conditions if audited.answer != CONFIRMED)


def audit(program: Program, facts: Iterable[tuple[int, Expr | str]] = ()) -> Audit:
    """Checks every obligation of the program, with these invariants besides those that its text states.

    A fact comes with the number of its loop. An expression must have been checked for its loop; a text is read as a proposal for
    it. Raises `SipError` where it is none.
    """
    invariants: dict[int, list[Expr]] = {}
    for loop, fact in facts:
        invariants.setdefault(loop, []).append(program.proposal(fact, loop) if isinstance(fact, str) else fact)
    return _audit(program, invariants)


def _audit(program: Program, invariants: Invariants) -> Audit:
    run = broken_run(program, invariants)
    try:
        conditions = conditions_of(program, invariants)
    except (TooLarge, RecursionError) as error:
        return Audit(CONTRADICTED if run else NOT_DECIDED, (), run, str(error))
    audited: list[AuditedCondition] = []
    context = new_context()
    for condition in conditions:
        hopeless = sum(other.answer == NOT_DECIDED for other in audited) >= UNDECIDED_MAX
        audited.append(AuditedCondition(condition, NOT_DECIDED, "not tried") if hopeless else decided(condition, program, context))
    answers = {result.answer for result in audited}
    if run or CONTRADICTED in answers:
        return Audit(CONTRADICTED, tuple(audited), run)
    return Audit(NOT_DECIDED if NOT_DECIDED in answers else CONFIRMED, tuple(audited))


def condition_script(condition: ProofCondition, program: Program) -> str:
    """The condition as an SMT-LIB script for any solver."""
    line = line_and_column(program.text, condition.span.start)[0]
    comments = (
        f"{condition.function}, line {line}: {condition.what}: {condition.text}",
        "A symbol x.line7 is the value that x gets in line 7, and x.in is the value of the parameter x at entry.",
        "If no values satisfy what is asserted here, the condition is valid. So unsat is expected.",
    )
    return script([step.formula for step in condition.hypotheses], condition.goal, comments)


def decided(condition: ProofCondition, program: Program, context: Any = None) -> AuditedCondition:
    """The answer to one condition. `context`: z3's, where several are asked."""
    ways: dict[str, None] = {}
    known = [part for step in condition.hypotheses for part in (step.formula.args if step.formula.op == "and" else (step.formula,))]
    for hypotheses, goal in _simple_goals(known, condition.goal):
        by, state = _proof(hypotheses, goal, program, context)
        if not by:
            return AuditedCondition(condition, CONTRADICTED if state else NOT_DECIDED, "z3" if state else "", state)
        ways[by] = None
    return AuditedCondition(condition, CONFIRMED, ", ".join(ways))


def _simple_goals(hypotheses: list[LogicTerm], goal: LogicTerm) -> list[tuple[list[LogicTerm], LogicTerm]]:
    """Goals that together are equivalent to this one: none is an implication, a forall, or a conjunction unless that is linear."""
    if goal.op == "and" and not _is_linear(goal):
        return [simple for part in goal.args for simple in _simple_goals(hypotheses, part)]
    if goal.op == "=>":
        return _simple_goals([*hypotheses, goal.args[0]], goal.args[1])
    if goal.op == "forall":
        low, high, _ = goal.args
        # Each goal inside of another one has more hypotheses, so no two of their symbols have the same name.
        index = symbol(f"{goal.name}.any{len(hypotheses)}", INT)
        instances = [_instance_for(formula, index) for formula in hypotheses if formula.op == "forall"]
        return _simple_goals([*hypotheses, within(low, index, high), *instances], instance(goal, index))
    return [(hypotheses, _with_ends(goal))]


def _with_ends(goal: LogicTerm) -> LogicTerm:
    """The same goal, in which an exists about sums says that it holds at the ends of its range, or somewhere.

    A sum without cells is found by no pattern, because no term of the hypotheses is like it.
    """
    if goal.op != "exists" or not any(part.op in ("sum", "count") for part in parts(goal)):
        return goal
    low, high, _ = goal.args
    ends = (conjunction(within(low, end, high), _with_ends(instance(goal, end))) for end in (low, high))
    return disjunction(disjunction(*ends), goal)


def _is_linear(goal: LogicTerm) -> bool:
    return degree_max([goal]) <= 1 and all(part.op not in ("call", *QUANTIFIERS) for part in parts(goal))


def _instance_for(formula: LogicTerm, index: LogicTerm) -> LogicTerm:
    """What a forall says of this number. Solvers find it only where a term of the formula's patterns occurs."""
    low, high, _ = formula.args
    return implication(within(low, index, high), instance(formula, index))


def _proof(hypotheses: list[LogicTerm], goal: LogicTerm, program: Program, context: Any) -> tuple[str, State | None]:
    """What proves the goal, or '' and, if there is one, a state that refutes it."""
    if goal == TRUE or goal in hypotheses or FALSE in hypotheses:
        return "the hypotheses", None
    if degree_max([*hypotheses, goal]) > DEGREE_MAX:
        return "", None
    text = script(hypotheses, goal)
    answer, values = z3_answer(text, FIRST_RLIMIT, context=context)
    about_arrays = speaks_of_arrays([*hypotheses, goal])
    if about_arrays and answer != "unsat":
        state = _short_state(hypotheses, goal, program, context)
        if state is not None:
            return "", state
    if answer == "unknown":
        try:
            if z3_answer(script(hypotheses, goal, reals=True), FIRST_RLIMIT, True, context)[0] == "unsat":
                return "z3 over the reals", None
        except NoMeaning:
            pass
        if cvc5_answer(text) == "unsat":
            return "cvc5", None
        answer, values = z3_answer(text, LAST_RLIMIT)  # In a context of its own, where other terms do not lead it astray.
    if answer == "unsat":
        return "z3", None
    if answer == "unknown" and proved_by_remainders(hypotheses, goal):
        return "z3, remainder by remainder", None
    if answer != "sat" or about_arrays:
        return "", None
    return "", _refuting_state(hypotheses, goal, state_of(_symbols(hypotheses, goal), values), program)


def _symbols(hypotheses: list[LogicTerm], goal: LogicTerm) -> dict[str, LogicTerm]:
    return {part.name: part for formula in (*hypotheses, goal) for part in parts(formula) if part.op == "symbol"}


def _short_state(hypotheses: list[LogicTerm], goal: LogicTerm, program: Program, context: Any) -> State | None:
    """A state with short arrays that refutes the goal."""
    formulas = written_out([*hypotheses, negation(goal)])
    answer, values = z3_answer(script(formulas, FALSE), FIRST_RLIMIT, context=context) if formulas else ("", {})
    return _refuting_state(hypotheses, goal, state_of(_symbols(hypotheses, goal), values), program) if answer == "sat" else None


def proved_by_remainders(hypotheses: list[LogicTerm], goal: LogicTerm) -> bool:
    """Whether z3 proves the goal in each case, where a symbol that is divided by a small number k is k * quotient + remainder."""
    divisors: dict[str, int] = {}
    for formula in (*hypotheses, goal):
        for part in parts(formula):
            if part.op in ("div", "mod") and part.args[0].op == "symbol" and part.args[1].value <= DIVISOR_MAX:
                divisors[part.args[0].name] = int(part.args[1].value)
    if not divisors or prod(divisors.values()) > REMAINDERS_MAX:
        return False
    for remainders in product(*map(range, divisors.values())):
        values = {
            name: arithmetic("+", arithmetic("*", number(divisor), symbol(f"{name}.quotient", INT)), number(remainder))
            for (name, divisor), remainder in zip(divisors.items(), remainders, strict=True)
        }
        done: dict[LogicTerm, LogicTerm] = {}
        case = script([substitute(formula, values, done) for formula in hypotheses], substitute(goal, values, done))
        if z3_answer(case, LAST_RLIMIT)[0] != "unsat":
            return False
    return True


def _refuting_state(hypotheses: list[LogicTerm], goal: LogicTerm, state: Mapping[str, Value], program: Program) -> State | None:
    """The state that a solver's model gives, if exact evaluation agrees that it refutes the goal."""
    if any(name.startswith(OPAQUE) for name in state):
        return None

    def helper(name: str, arguments: list[Value]) -> Scalar:
        params = program.info.functions[name].function.params
        given = {param.name: value for param, value in zip(params, arguments, strict=True)}
        call = Call(name, tuple(Name(param.name) for param in params))
        value = evaluate_expression(call, given, {param.name: param.type for param in params}, program.info)
        if isinstance(value, Undefined):
            raise NoMeaning(name)
        return value

    try:
        holds = all(evaluate(formula, state, helper) for formula in hypotheses)
        return state if holds and not evaluate(goal, state, helper) else None
    except NoMeaning:
        return None
