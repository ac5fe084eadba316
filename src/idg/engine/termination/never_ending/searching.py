"""Finds runs that never end.

There are two ways to know that a run never ends. Either it comes back to a state at the head of a loop in which it was before, in
the same execution of the loop: then it does the same again, for ever. Or it comes to a state in which some facts hold, the loop's
test among them, that every turn keeps: then the test is true each time, for ever, unless a turn itself never comes to its end. It
must be excluded that a turn fails on its way, at an assert, say: the run would end there.

Where the program makes choices or assumes something, runs are looked for that choose by a rule (choosing.py), or that come back to
a state and make the same choices again (circling.py).

A call that leads to a call of the same helper with the same arguments, before it returns, never returns: helpers are functions of
their arguments, so the inner call does what the outer one did. Calls with other arguments each time are for contracts.py.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice

from idg.engine.books import Books
from idg.engine.inquiry import Inquiry
from idg.engine.judging.belief import obligation_query
from idg.engine.judging.second_check import second_check_of_staying
from idg.engine.results import Fact, SecondCheck, inductive_facts
from idg.engine.states.inputs import input_weight, small_inputs
from idg.engine.states.runs import RUN_LIMITS, ReachedState, RunPool
from idg.engine.termination.contracts import calls_for_ever
from idg.engine.termination.never_ending.candidates import candidates, candidates_in_modes
from idg.engine.termination.never_ending.choosing import choosing_programs, literals
from idg.engine.termination.never_ending.circling import circling_run, repeated
from idg.engine.termination.results import NeverEnds
from idg.prover.answers import Proved, Refuted
from idg.sip.checking.analysis import Loop
from idg.sip.checking.checker import FACT, check_boolean
from idg.sip.program import Program
from idg.sip.record import replace
from idg.sip.running.runner import Row
from idg.sip.running.trace import Run, Trace
from idg.sip.syntax import Assume, Cassign, Claim, Expr, Type, Var, While
from idg.sip.text.printer import print_expression
from idg.sip.trees.traverse import can_be_left, statements, undetermined
from idg.sip.values import Value, initial, scalar
from idg.vc.query import Query
from idg.vc.symbolic import Analysis

RUNS_MAX = 40
"""Runs that reached a limit without an end in which a state is looked for that comes again."""
STAYING_RUNS_MAX = 3
"""Runs of this kind for which it is tried whether they stay in a loop."""
STATES_TRIED_MAX = 3
"""States of such a run from which this is tried."""
LITERAL_RUNS_MAX = 60
"""Further runs, from inputs that are numbers of the program."""
SMALL_RUNS_MAX = 30
"""Runs from small inputs, where no run comes to a loop."""
LEFT_OUT_MAX = 8
"""At most so many facts are left out, one by one, to see whether they are needed."""
PLAIN_RULES_MAX = 4
"""Rules of choice that are followed before runs are looked for that come back to a state by other choices."""
CANDIDATES_MAX = 100
"""Facts that are tried as what every turn keeps."""


def never_ends(inquiry: Inquiry, books: Books) -> NeverEnds | None:
    """A run of the level that never ends, where one is found."""
    tried = choosing_programs(inquiry.program)
    never = _following_rules(inquiry, books, islice(tried, PLAIN_RULES_MAX))
    return never or circling_run(inquiry) or _following_rules(inquiry, books, tried)


def _following_rules(inquiry: Inquiry, books: Books, tried: Iterable[tuple[Mapping[str, str], Program]]) -> NeverEnds | None:
    """A run that never ends, of one of these programs; each comes with the rule by which it chooses."""
    for chosen, program in tried:
        same = program is inquiry.program
        never = _never_ends(inquiry if same else Inquiry(program, inquiry.prover), books)
        if never is not None:
            return replace(never, chosen=chosen)
    return None


def _never_ends(inquiry: Inquiry, books: Books) -> NeverEnds | None:
    """The same for a program that chooses nothing."""
    return goes_on_for_ever(inquiry, books, _long_runs(inquiry.runs)) if is_determined(inquiry) else None


def goes_on_for_ever(inquiry: Inquiry, books: Books, runs: Iterable[Run]) -> NeverEnds | None:
    """One of these runs that is seen to go on for ever. They reached a limit, and the program chooses nothing."""
    program = inquiry.program
    first_runs: list[Run] = []
    for run in runs:
        calling = _repeated_call(run)
        if calling is None:
            calling = calls_for_ever(inquiry, run)
        if calling is not None:
            return calling
        first_runs = [*first_runs, run][:STAYING_RUNS_MAX]
        for trace in run.level_traces:
            rows = repeated(trace)
            if rows is not None:
                first, again = rows
                return _told(run, trace, first, again, ())
    inductive = inductive_facts(books)
    helpers = program.info.calls.reached(program.level.name) - {program.level.name}
    if not helpers <= inquiry.helpers(program.level.name, inductive).trusted:
        return None  # A turn may fail inside of a helper that is not proved.
    if any(isinstance(part, Claim) for part in statements(program.level.body)):
        return None  # A run goes on where a claim is false, but proofs take it for true.
    for loop in program.info.level.loops:
        for run in first_runs:
            staying = _staying(inquiry, loop, run, inductive)
            if staying is not None:
                return staying
    return None


def is_determined(inquiry: Inquiry) -> bool:
    """Whether a run of the level is determined by its inputs and by the initial values of its outermost variables."""
    info = inquiry.program.info
    level = info.level.function
    if info.calls.is_recursive(info.calls.group(level.name)):
        return False
    for name in info.calls.reached(level.name):
        function = info.functions[name].function
        if name != level.name and undetermined(function):
            return False
        if any(isinstance(statement, Cassign | Assume) for statement in statements(function.body)):
            return False
    unset = undetermined(level)
    inner = (part for statement in statements(level.body) if isinstance(statement, While) for part in statements(statement.body))
    return not any(isinstance(part, Var) and any(name.name in unset for name in part.names) for part in inner)


def _repeated_call(run: Run) -> NeverEnds | None:
    """The run, where an open call has the arguments of another open call of the same helper. Its helpers choose nothing."""
    seen: set[tuple[str, tuple[Value, ...]]] = set()
    for name, arguments in run.open_calls:
        call = name, tuple(arguments.values())
        if call in seen:
            return NeverEnds(0, run.inputs, 0, arguments, choices=run.choices, function=name, is_same_call=True)
        seen.add(call)
    return None


def _long_runs(runs: RunPool) -> Iterator[Run]:
    """Runs that reached a limit, from different inputs, the smallest first."""
    seen = 0
    plans: dict[tuple[object, ...], ReachedState] = {}
    for table in runs.reached.values():
        for reached in table:
            plans.setdefault((*reached.inputs.values(), reached.choices), reached)
    small = [] if plans else sorted(small_inputs(runs.program.params), key=input_weight)[:SMALL_RUNS_MAX]
    tried = [*((plan.inputs, plan.choices) for plan in plans.values()), *((inputs, ()) for inputs in small)]
    for inputs, choices in (*tried, *((inputs, ()) for inputs in islice(_near_literals(runs.program), LITERAL_RUNS_MAX))):
        run = runs.program.run(inputs, limits=RUN_LIMITS, choices=choices)
        if run.outcome.kind == "bound":
            seen += 1
            yield run
        if seen == RUNS_MAX:
            return


def _near_literals(program: Program) -> Iterator[dict[str, Value]]:
    """Inputs that are numbers of the program, or next to one: where one input matters, and the others are small."""
    near = [value + step for value in literals(program) for step in (0, 1, -1) if abs(value) > 1]
    kinds = program.params
    numeric = [name for name, kind in kinds.items() if kind in (Type.INT, Type.NAT, Type.RAT)]
    others = {name: initial(kind, 0) for name, kind in kinds.items() if name not in numeric}
    for value in dict.fromkeys(near):
        for name in numeric:
            for rest in (0, 1, -1):
                inputs = {**others, **dict.fromkeys(numeric, rest), name: value}
                if all(kinds[other] is not Type.NAT or scalar(inputs[other]) >= 0 for other in numeric):
                    yield {other: inputs[other] for other in kinds}


def _told(run: Run, trace: Trace, row: int, again: int, stays: tuple[str, ...]) -> NeverEnds:
    state = dict(zip(trace.columns, trace.rows[row], strict=True))
    choices = run.choices_before(trace.loop, row)
    return NeverEnds(trace.loop, run.inputs, row, state, again, stays, choices)


def _staying(inquiry: Inquiry, loop: Loop, run: Run, inductive: Sequence[Fact]) -> NeverEnds | None:
    """The run, where facts are found that hold in one of its late rows and keep it in the loop for ever."""
    trace = run.of(loop.number)
    count = len(trace.rows)
    if count < 2 or can_be_left(loop.statement):
        return None  # A turn that leaves the loop by a break or a return does not come to its end, so it keeps every fact.
    entry_values = tuple(run.inputs[name] for name in inquiry.runs.assigned_params)
    for index in dict.fromkeys(count * part // STATES_TRIED_MAX for part in range(STATES_TRIED_MAX)):
        later = [row + entry_values for row in _same_execution(trace, index)]
        kept = _kept(inquiry, loop, later, inductive)
        if kept:
            second = second_check_of_staying(inquiry.program, tuple(inductive), loop.number, kept)
            if second is not SecondCheck.CONTRADICTED:
                return replace(_told(run, trace, index, 0, kept), second_check=second)
    return None


def _same_execution(trace: Trace, index: int) -> list[Row]:
    """The row and those after it in the same execution of the loop."""
    if not trace.outer_rows:
        return list(trace.rows[index:])
    return [
        row for row, outer in zip(trace.rows[index:], trace.outer_rows[index:], strict=True) if outer == trace.outer_rows[index]
    ]


def _kept(inquiry: Inquiry, loop: Loop, rows: list[Row], inductive: Sequence[Fact]) -> tuple[str, ...]:
    """Facts that hold in these rows, the loop's test among them, that every turn keeps and from which no turn fails; or none.

    What holds in the first row matters. That it holds in the others, too, only saves questions. Facts about modes are tried last.
    """
    test = loop.statement.test
    if any(value is not True for value in inquiry.runs.truths(loop.number, test, rows)):
        return ()
    holding = [test]
    for further in (candidates(inquiry, loop, rows), candidates_in_modes(inquiry, loop, rows)):
        new = _holding(inquiry, loop, rows, further, holding)
        if not new and len(holding) > 1:
            break
        holding = [*holding, *new]
        kept = _kept_of(inquiry, loop, holding[:CANDIDATES_MAX], inductive)
        if kept:
            return kept
    return ()


def _holding(inquiry: Inquiry, loop: Loop, rows: list[Row], exprs: Iterable[Expr], known: Sequence[Expr]) -> list[Expr]:
    """Those of the expressions that are facts of the loop, hold in all of the rows, and are not known."""
    scope = inquiry.program.info.scope(loop)
    return [
        expr
        for expr in dict.fromkeys(exprs)
        if expr not in known
        and not check_boolean(expr, scope, FACT, "a fact")
        and all(value is True for value in inquiry.runs.truths(loop.number, expr, rows))
    ]


def _kept_of(inquiry: Inquiry, loop: Loop, holding: Sequence[Expr], inductive: Sequence[Fact]) -> tuple[str, ...]:
    """The facts that every turn keeps. None unless the test, which is the first fact, is among them, and no turn fails."""
    left = [Fact(loop.number, print_expression(expr)) for expr in holding]
    wanted = left[0]
    broken = left
    while broken:
        analysis = inquiry.analysis(loop.function, (*inductive, *left), inductive)
        broken = _broken(inquiry, analysis, left)
        if wanted in broken:
            return ()
        left = [fact for fact in left if fact not in broken]
    if not isinstance(inquiry.check(_turn_queries(analysis, loop)).answer, Proved):
        return ()
    return tuple(fact.text for fact in _needed(inquiry, loop, left, inductive))


def _broken(inquiry: Inquiry, analysis: Analysis, facts: Sequence[Fact]) -> list[Fact]:
    """The facts that some turn may not keep. Where the first is one of them, the others do not matter."""
    broken: list[Fact] = []
    states: list[Mapping[str, Value]] = []
    for fact in facts:
        answer = inquiry.check(analysis.step(fact.loop, inquiry.expr(fact)), states).answer
        if isinstance(answer, Proved):
            continue
        broken.append(fact)
        if fact == facts[0]:
            break
        if isinstance(answer, Refuted):
            states.append(answer.state)  # A turn that breaks one fact often breaks others.
    return broken


def _needed(inquiry: Inquiry, loop: Loop, kept: list[Fact], inductive: Sequence[Fact]) -> list[Fact]:
    """The facts without which the others are not seen to be kept by every turn. The first fact is the test."""
    kept = _used(inquiry, loop, kept, inductive)
    for fact in kept[1:] if len(kept) <= LEFT_OUT_MAX else ():
        fewer = [other for other in kept if other != fact]
        if _keep_each_other(inquiry, loop, fewer, inductive):
            kept = fewer
    return kept


def _used(inquiry: Inquiry, loop: Loop, kept: list[Fact], inductive: Sequence[Fact]) -> list[Fact]:
    """The facts that are used, directly or not, in the proofs that the test is kept and no turn fails, where these suffice."""
    analysis = inquiry.analysis(loop.function, (*inductive, *kept), inductive)
    sources = inquiry.sources((*inductive, *kept))
    used = [kept[0]]
    asked = _turn_queries(analysis, loop)
    for fact in used:  # It grows on the way.
        joint = inquiry.check([*asked, *analysis.step(loop.number, inquiry.expr(fact))])
        named = {sources[source] for source in joint.uses if source in sources}
        used += (other for other in kept if other in named and other not in used)
        asked = []
    return used if _keep_each_other(inquiry, loop, used, inductive) else kept


def _keep_each_other(inquiry: Inquiry, loop: Loop, facts: Sequence[Fact], inductive: Sequence[Fact]) -> bool:
    """Whether these facts and what is proved show that every turn keeps the facts, and that no turn fails."""
    analysis = inquiry.analysis(loop.function, (*inductive, *facts), inductive)
    steps = [query for fact in facts for query in analysis.step(loop.number, inquiry.expr(fact))]
    return isinstance(inquiry.check([*steps, *_turn_queries(analysis, loop)]).answer, Proved)


def _turn_queries(analysis: Analysis, loop: Loop) -> list[Query]:
    """The queries that a turn of the loop does not fail."""
    place = loop.statement.span
    return [
        obligation_query(analysis, obligation)
        for obligation in analysis.obligations
        if loop.number in obligation.path.heads and place.start <= obligation.span.start < place.end
    ]
