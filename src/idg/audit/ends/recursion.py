"""Audits recursion. The program is rewritten: each call within a group of functions that call each other becomes a call of another
function, about which nothing is known, and which demands that the measure has fallen since the caller was entered.

    fn f(n: nat): nat { decreases(n); … f(n - 1) … }                    becomes
    fn f(n: nat): nat { var measured: int := n; … call(n - 1, measured) … }
    fn call(n: nat, before: int): nat { pre(before >= 0 & n < before); var any: nat; return any; }

So no contract of the group helps to show that its calls come to an end. What the caller has to grant before the call (the pre of f)
may be taken for granted in the demand, because a run that breaks it stops.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from idg.audit import helpers
from idg.audit.conditions import conditions_of
from idg.audit.ends.measures import MEASURED, all_decided, fell, is_added, read_facts, stops
from idg.audit.expressions import TooLarge
from idg.audit.verifier import CONFIRMED, NOT_DECIDED, Audit
from idg.sip.checking.checker import Scope, check_expression
from idg.sip.program import Program, load
from idg.sip.record import replace
from idg.sip.syntax import Binary, Block, Call, Claim, Expr, Function, Module, Name, Old, Param, Return, Type, Var
from idg.sip.text.printer import print_program
from idg.sip.trees.build import map_calls, map_expressions, rename
from idg.sip.trees.traverse import expressions, statements

CALLED = f"{MEASURED}_call"
"""How the functions begin that stand for calls within a group."""

Measures = Mapping[str, Sequence[Expr]]
"""For each recursive function, by its name, the components of a measure over its parameters."""


def audit_recursion(program: Program, facts: Iterable[tuple[int, str]], measures: Measures) -> Audit:
    """Checks that calls cannot go on inside of each other for ever, where these invariants hold.

    Functions whose text alone shows that they end need no measure.
    """
    functions = {name: info.function for name, info in program.info.functions.items()}
    groups = _groups(program.level.name, functions)
    if not groups:
        return Audit(CONFIRMED, ())
    problem = _beyond(program, functions, groups, measures)
    if problem:
        return Audit(NOT_DECIDED, (), too_large=problem)
    facts = list(facts)
    assumed = _assumed(program, facts)
    if assumed.answer != CONFIRMED:
        return assumed
    rewritten = _calling(program, functions, groups, measures)
    known = [
        (loop, fact)
        for loop, fact in facts
        if program.loop(loop).function in groups and not _calls(program.proposal(fact, loop), groups.keys())
    ]
    try:
        conditions = conditions_of(rewritten, read_facts(rewritten, known))
    except (TooLarge, RecursionError) as error:
        return Audit(NOT_DECIDED, (), too_large=str(error))
    demands = [
        condition
        for condition in conditions
        if condition.function in groups
        and ((condition.what == "callee-pre" and condition.text.startswith(CALLED)) or is_added(rewritten, condition.span))
    ]
    return all_decided(demands, rewritten)


def _assumed(program: Program, facts: Sequence[tuple[int, str]]) -> Audit:
    """Whether the facts and the program's claims hold wherever a run comes to them. What follows them takes them for true."""
    try:
        conditions = conditions_of(program, read_facts(program, facts))
    except (TooLarge, RecursionError) as error:
        return Audit(NOT_DECIDED, (), too_large=str(error))
    return all_decided([condition for condition in conditions if not stops(condition, program)], program)


def _groups(level: str, functions: helpers.Functions) -> dict[str, frozenset[str]]:
    """For each recursive function that the level may call and that does not plainly end: those that call each other with it."""
    reached = {level} | helpers.callees(functions[level], functions)
    reaching = {name: helpers.callees(functions[name], functions) for name in reached}
    return {
        name: frozenset(other for other in reaching[name] if name in reaching[other])
        for name in sorted(reached)
        if name in reaching[name] and not helpers.evidently_ends(functions[name], functions)
    }


def _beyond(program: Program, functions: helpers.Functions, groups: Mapping[str, frozenset[str]], measures: Measures) -> str:
    """Why these measures are not looked at; empty where they are."""
    if MEASURED in program.text:
        return f"the program uses the name {MEASURED}"
    for name in groups:
        function = functions[name]
        if not measures.get(name):
            return f"there is no measure of {name}"
        over_params = {param.name for param in function.params}
        for part in (part for component in measures[name] for part in expressions(component)):
            is_foreign = isinstance(part, Name) and part.name not in over_params
            if is_foreign or isinstance(part, Old) or (isinstance(part, Call) and part.function in functions):
                return f"the measure of {name} is more than an expression of its parameters"
        claims = (part.condition for part in statements(function.body) if isinstance(part, Claim))
        if any(_calls(expr, groups.keys()) for expr in (*function.posts, *function.pres, *claims)):
            return f"a contract or a claim of {name} makes such calls"
    for group in set(groups.values()):
        shapes = {tuple(_type(program, name, part) is Type.BOOL for part in measures[name]) for name in group}
        if len(shapes) > 1:
            return f"the measures of {', '.join(sorted(group))} cannot be compared"
    return ""


def _calls(expr: Expr, names: Iterable[str]) -> bool:
    wanted = set(names)
    return any(isinstance(part, Call) and part.function in wanted for part in expressions(expr))


def _type(program: Program, function: str, component: Expr) -> Type:
    params = {param.name: param.type for param in program.info.functions[function].function.params}
    kind = check_expression(component, Scope(params, {}, {}))[0]
    assert kind is not None, "a measure was checked for its function"
    return kind


def _calling(program: Program, functions: helpers.Functions, groups: Mapping[str, frozenset[str]], measures: Measures) -> Program:
    """The program whose calls within a group demand that the measure fell."""
    added: dict[str, Function] = {}

    def function(part: Function) -> Function:
        if part.name not in groups:
            return replace(part, measure=())
        held = [Name(f"{MEASURED}_{index}") for index in range(len(measures[part.name]))]
        kinds = [_whole(_type(program, part.name, component)) for component in measures[part.name]]

        def change(call: Call) -> Expr:
            if call.function not in groups[part.name]:
                return call
            name = f"{CALLED}_{part.name}_{call.function}"
            added.setdefault(name, _demand(program, name, functions[call.function], kinds, measures[call.function]))
            return Call(name, (*call.arguments, *held))

        body = map_expressions(part.body, lambda expr: map_calls(expr, change))
        before = [Var((name,), kind, value) for name, kind, value in zip(held, kinds, measures[part.name], strict=True)]
        return replace(part, body=Block((*before, *body.statements)), measure=())

    changed = tuple(map(function, program.module.functions))
    return load(print_program(Module((*added.values(), *changed)))).alone(program.level.name)


def _whole(kind: Type) -> Type:
    return Type.INT if kind is Type.NAT else kind


def _demand(program: Program, name: str, callee: Function, kinds: Sequence[Type], measure: Sequence[Expr]) -> Function:
    """The function that stands for calls of the callee from a function whose measure has components of these types."""
    assert callee.result is not None
    params = {param.name: f"argument_{index}" for index, param in enumerate(callee.params)}
    own = tuple(Param(params[param.name], param.type) for param in callee.params)
    held = tuple(Param(f"{MEASURED}_{index}", kind) for index, kind in enumerate(kinds))
    after = [rename(component, params) for component in measure]
    joined = [
        Type.RAT if Type.RAT in (kind, _type(program, callee.name, component)) else kind
        for kind, component in zip(kinds, measure, strict=True)
    ]
    values = [(Name(param.name), value, kind) for param, value, kind in zip(held, after, joined, strict=True)]
    demand = fell(values)
    for pre in reversed(callee.pres):
        demand = Binary("->", rename(pre, params), demand)
    body = Block((Var((Name("any_value"),), callee.result, None), Return(Name("any_value"))))
    return replace(callee, name=name, params=(*own, *held), pres=(demand,), posts=(), measure=(), body=body)
