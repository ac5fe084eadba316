"""Contracts of recursive functions that the program does not state, found by trying.

C programs state none, and the calls of a function may end only for the arguments with which the program calls it. Both searches
look at the program with more contracts: some functions have a `pre` and a `post` besides their own.

How to show that every run ends: if all functions keep to the further contracts, the runs are those of the program itself, so what
is proved about their end is true of the program.

How to show that a call never returns: the function gets `pre(S)` and `post(false)`. Where it keeps to both, a call for which S
holds does not
return: all calls of the function that it waits for are calls for which S holds, and by induction over their depth none of them
returns. Nor does it stop at a failure. So once a run makes such a call, the run never ends.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations, islice, permutations, product

from idg.engine.inquiry import Inquiry
from idg.engine.judging.second_check import second_check, second_check_of_contracts
from idg.engine.results import Fact, SecondCheck
from idg.engine.termination.results import Contract, NeverEnds
from idg.prover.prove import QUICK
from idg.sip.program import Program, load
from idg.sip.record import replace
from idg.sip.running.evaluator import evaluate
from idg.sip.running.trace import Run
from idg.sip.syntax import Block, Call, Claim, Compare, Expr, Function, Module, Name, Number, Type
from idg.sip.text.printer import print_expression, print_program
from idg.sip.trees.build import compare
from idg.sip.trees.logic import FALSE, TRUE, conjoin, negate
from idg.sip.trees.traverse import expressions, links, names, statement_expressions, statements
from idg.sip.values import Value

CONTRACTS_MAX = 40
"""Contracts that are tried for one group of functions that call each other."""
BOUNDS = (0, 1)
"""Numbers that a parameter or a result may always reach at least."""
PARAMS_MAX = 4
"""Parameters of a function for which contracts are tried."""
SETS_MAX = 40
"""Sets of arguments that are tried as what the calls of a run keep to for ever."""
LATE_CALLS = 12
"""At least this many of the innermost open calls of a run have to be in such a set."""
MIXED_PARAMS_MAX = 2
"""Up to so many parameters, all combinations of their bounds are tried; beyond, only the same bound for all."""


def _loaded(functions: Iterable[Function], level: str) -> Program:
    return load(print_program(Module(tuple(functions)))).alone(level)


def _with_contracts(functions: Iterable[Function], contracts: Sequence[Contract]) -> Iterator[Function]:
    """The functions, with these contracts besides their own. Their loops have the same numbers."""
    further = {contract.function: contract for contract in contracts}

    def function(part: Function) -> Function:
        if part.name not in further:
            return part
        own = further[part.name]
        pres = (*part.pres, *(() if own.pre == TRUE else (own.pre,)))
        return replace(part, pres=pres, posts=(*part.posts, *(() if own.post == TRUE else (own.post,))))

    return map(function, functions)


def has_claim(program: Program, functions: frozenset[str]) -> bool:
    """Whether one of these functions makes a claim. A run goes on where a claim is false, but proofs take it for true."""
    bodies = (program.info.functions[name].function.body for name in functions)
    return any(isinstance(part, Claim) for body in bodies for part in statements(body))


# Showing that every run ends


def contracts_to_try(program: Program, group: frozenset[str]) -> Iterator[tuple[Contract, ...]]:
    """Contracts for all functions of a group, the weakest demands first: least values of whole parameters and of results."""
    functions = [program.info.functions[name].function for name in sorted(group)]
    if any(len(function.params) > PARAMS_MAX for function in functions):
        return
    pres = [list(_demands(function)) for function in functions]
    posts = [list(_promises(function)) for function in functions]
    for demands in zip(*pres, strict=False):
        for promises in zip(*posts, strict=False):
            yield tuple(
                Contract(function.name, pre, post) for function, pre, post in zip(functions, demands, promises, strict=True)
            )


def _demands(function: Function) -> Iterator[Expr]:
    whole = [Name(param.name) for param in function.params if param.type in (Type.INT, Type.NAT)]
    if not whole:
        return
    options: Iterator[tuple[int | None, ...]] = product((None, *BOUNDS), repeat=len(whole))
    for bounds in options:
        demanded = [(name, bound) for name, bound in zip(whole, bounds, strict=True) if bound is not None]
        if demanded and (len(whole) <= MIXED_PARAMS_MAX or (len(demanded) == len(whole) and len({b for _, b in demanded}) == 1)):
            yield conjoin(compare(name, ">=", Number(bound)) for name, bound in demanded)
    yield from (compare(first, "<=", second) for first, second in permutations(whole, 2))


def _promises(function: Function) -> Iterator[Expr]:
    yield TRUE
    if function.result in (Type.INT, Type.NAT):
        yield from (compare(Name("result"), ">=", Number(bound)) for bound in BOUNDS)


def kept_contracts(
    inquiry: Inquiry, group: frozenset[str], facts: tuple[Fact, ...]
) -> Iterator[tuple[Inquiry, tuple[Contract, ...]]]:
    """Contracts to which all calls of the group's functions keep, each with an inquiry about the program that has them."""
    program = inquiry.program
    level = program.level.name
    if level in group or has_claim(program, program.info.calls.reached(level)):
        return
    for contracts in islice(contracts_to_try(program, group), CONTRACTS_MAX):
        other = Inquiry(_loaded(_with_contracts(program.module.functions, contracts), level), inquiry.prover).with_effort(QUICK)
        if _keeps(other, group, facts) and second_check_of_contracts(other.program, facts) is SecondCheck.CONFIRMED:
            yield other, contracts


def _keeps(inquiry: Inquiry, group: frozenset[str], facts: tuple[Fact, ...]) -> bool:
    """Whether all obligations of the group's functions, and of all calls of them, are proved."""
    beliefs = inquiry.beliefs(facts)
    calls = inquiry.program.info.calls
    if not group <= beliefs.helpers.trusted:
        return False
    level = inquiry.program.level.name
    callers = [name for name in calls.reached(level) if calls.callees[name] & group and name not in group | {level}]
    if not frozenset(callers) <= beliefs.helpers.trusted:
        return False
    statuses = inquiry.status(level, facts, inquiry.helpers(level, facts)).statuses
    return all(status.status == "proved" for status in statuses if status.cause == "callee-pre")


# Showing that a call never returns


def calls_for_ever(inquiry: Inquiry, run: Run) -> NeverEnds | None:
    """The run, where one of its open calls is seen never to return. The program chooses and assumes nothing."""
    called = run.open_calls[-LATE_CALLS:]
    program = inquiry.program
    for name in dict.fromkeys(name for name, _ in called):
        if name == program.level.name or has_claim(program, program.info.calls.reached(name)):
            continue
        function = program.info.functions[name].function
        states = [arguments for other, arguments in called if other == name]
        for kept in islice(_sets(function, states), SETS_MAX):
            if _never_returns(inquiry, name, conjoin(kept)):
                calls = (arguments for other, arguments in run.open_calls if other == name)
                first = next(arguments for arguments in calls if _holds(kept, arguments, function))
                told = tuple(map(print_expression, kept))
                confirmed = SecondCheck.CONFIRMED
                return NeverEnds(0, run.inputs, 0, first, stays=told, choices=run.choices, function=name, second_check=confirmed)
    return None


def _sets(function: Function, states: Sequence[Mapping[str, Value]]) -> Iterator[tuple[Expr, ...]]:
    """Facts about the parameters that hold in all these calls: none, one, two of them."""
    holding = [fact for fact in dict.fromkeys(_facts(function)) if all(_holds((fact,), state, function) for state in states)]
    for length in range(3):
        yield from combinations(holding, length)


def _facts(function: Function) -> Iterator[Expr]:
    """What may be true of the arguments of all calls: the function's tests and their negations, signs, how parameters compare."""
    whole = [Name(param.name) for param in function.params if param.type in (Type.INT, Type.NAT, Type.RAT)]
    params = {param.name for param in function.params}
    for statement in statements(function.body):
        for expr in statement_expressions(statement):
            for part in expressions(expr):
                for link in links(part) if isinstance(part, Compare) else ():
                    if names(link) <= params and not any(isinstance(inner, Call) for inner in expressions(link)):
                        yield from (link, negate(link))
                        # What jumps over the value that ends the recursion stays on one side of it.
                        sides = ("<", ">") if link.ops[0] in ("=", "!=") else ()
                        yield from (compare(link.operands[0], op, link.operands[1]) for op in sides)
    for name in whole:
        yield from (compare(name, op, Number(0)) for op in ("<", ">", "<=", ">="))
    for first, second in combinations(whole, 2):
        yield from (compare(first, op, second) for op in ("<", ">", "<=", ">=", "="))


def _holds(facts: Sequence[Expr], arguments: Mapping[str, Value], function: Function) -> bool:
    params = {param.name: param.type for param in function.params}
    return all(evaluate(fact, arguments, params) is True for fact in facts)


def _never_returns(inquiry: Inquiry, name: str, kept: Expr) -> bool:
    """Whether a call of the function whose arguments satisfy this neither returns nor fails, as both verifiers say."""
    reached = inquiry.program.info.calls.reached(name)
    functions = [part for part in inquiry.program.module.functions if part.name in reached]
    # The functions that call each other with it get the same contract, where they have parameters of these names.
    group = inquiry.program.info.calls.group(name)
    of_group = {part.name: {param.name for param in part.params} for part in functions if part.name in group}
    contracts = [Contract(part, kept if names(kept) <= params else TRUE, FALSE) for part, params in of_group.items()]
    # A program has a level, and no helper calls it.
    level = replace(inquiry.program.level, result=None, pres=(), posts=(), measure=(), body=Block(()))
    never = _loaded((*_with_contracts(functions, contracts), level), level.name)
    other = Inquiry(never, inquiry.prover).with_effort(QUICK)
    statuses = (status for part in sorted(group) for status in other.status(part, (), other.helpers(part, ())).statuses)
    return all(status.status == "proved" for status in statuses) and second_check(never, ()) is SecondCheck.CONFIRMED
