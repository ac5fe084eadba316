"""Finds runs that never end.

There are two ways to know that a run never ends. Either it comes back to a state at the head of a loop in which it was before, in
the same execution of the loop: then it does the same again, for ever. Or it comes to a state in which some facts hold, the loop's
test among them, that every turn keeps: then the test is true each time, for ever, unless a turn itself never comes to its end. It
must be excluded that a turn fails on its way, at an assert, say: the run would end there.

Where the program makes choices or assumes something, runs are looked for that choose by a rule (choosing.py).

A call that leads to a call of the same helper with the same arguments, before it returns, never returns: helpers are functions of
their arguments, so the inner call does what the outer one did. Calls with other arguments each time are for contracts.py.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from idg.engine.books import Books
from idg.engine.inquiry import Inquiry
from idg.engine.judging.belief import obligation_query
from idg.engine.results import Fact, inductive_facts
from idg.engine.states.inputs import input_weight, small_inputs
from idg.engine.states.runs import RUN_LIMITS, ReachedState, RunPool
from idg.engine.termination.contracts import calls_for_ever
from idg.engine.termination.never_ending.choosing import choosing_programs, literals
from idg.engine.termination.results import NeverEnds
from idg.prover.answers import Proved
from idg.sip.checking.analysis import Loop
from idg.sip.checking.checker import FACT, check_boolean
from idg.sip.program import Program
from idg.sip.record import replace
from idg.sip.running.runner import Row
from idg.sip.running.trace import Run, Trace
from idg.sip.syntax import Assume, Binary, Cassign, Claim, Compare, Expr, Name, Number, Type, Var, While
from idg.sip.text.printer import print_expression
from idg.sip.trees.build import compare, number
from idg.sip.trees.entry import entry_column
from idg.sip.trees.logic import negate
from idg.sip.trees.traverse import can_be_left, expressions, links, statement_expressions, statements, undetermined
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
CANDIDATES_MAX = 100
"""Facts that are tried as what every turn keeps."""
MODULI = (2, 3)
"""Numbers by which a variable may always leave the same remainder."""


def never_ends(inquiry: Inquiry, books: Books) -> NeverEnds | None:
    """A run of the level that never ends, where one is found."""
    for chosen, program in choosing_programs(inquiry.program):
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
            repeated = _repeated(trace)
            if repeated is not None:
                first, again = repeated
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


def _repeated(trace: Trace) -> tuple[int, int] | None:
    """The indices of two rows that are the same, in one execution of the loop."""
    seen: dict[tuple[int, Row], int] = {}
    for index, row in enumerate(trace.rows):
        execution = trace.outer_rows[index] if trace.outer_rows else 0
        first = seen.setdefault((execution, row), index)
        if first != index:
            return first, index
    return None


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
            return _told(run, trace, index, 0, kept)
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

    What holds in the first row matters. That it holds in the others, too, only saves questions.
    """
    test = loop.statement.test
    scope = inquiry.program.info.scope(loop)
    holding = [
        expr
        for expr in dict.fromkeys((test, *_candidates(inquiry, loop, rows)))
        if not check_boolean(expr, scope, FACT, "a fact")
        and all(value is True for value in inquiry.runs.truths(loop.number, expr, rows))
    ]
    if test not in holding:
        return ()
    left = [Fact(loop.number, print_expression(expr)) for expr in holding[:CANDIDATES_MAX]]
    wanted = left[0]
    while True:
        analysis = inquiry.analysis(loop.function, (*inductive, *left), inductive)
        broken = [
            fact for fact in left if not isinstance(inquiry.check(analysis.step(loop.number, inquiry.expr(fact))).answer, Proved)
        ]
        if wanted in broken:
            return ()
        if not broken:
            break
        left = [fact for fact in left if fact not in broken]
    if not isinstance(inquiry.check(_turn_queries(analysis, loop)).answer, Proved):
        return ()
    return tuple(fact.text for fact in _needed(inquiry, loop, left, inductive))


def _needed(inquiry: Inquiry, loop: Loop, kept: list[Fact], inductive: Sequence[Fact]) -> list[Fact]:
    """The facts without which the others are not seen to be kept by every turn. The first fact is the test."""
    for fact in kept[1:]:
        fewer = [other for other in kept if other != fact]
        analysis = inquiry.analysis(loop.function, (*inductive, *fewer), inductive)
        steps = [query for other in fewer for query in analysis.step(loop.number, inquiry.expr(other))]
        if isinstance(inquiry.check([*steps, *_turn_queries(analysis, loop)]).answer, Proved):
            kept = fewer
    return kept


def _turn_queries(analysis: Analysis, loop: Loop) -> list[Query]:
    """The queries that a turn of the loop does not fail."""
    place = loop.statement.span
    return [
        obligation_query(analysis, obligation)
        for obligation in analysis.obligations
        if loop.number in obligation.path.heads and place.start <= obligation.span.start < place.end
    ]


def _candidates(inquiry: Inquiry, loop: Loop, rows: list[Row]) -> Iterator[Expr]:
    """What might be kept: the comparisons of the program and their negations, Boolean variables, and how numbers compare with each
    other and with the numbers of the program."""
    level = inquiry.program.info.level
    for statement in statements(level.function.body):
        for expr in statement_expressions(statement):
            for part in expressions(expr):
                if isinstance(part, Compare):
                    for single in links(part):
                        yield from (single, negate(single))
    runs = inquiry.runs
    columns = (*loop.columns, *map(entry_column, runs.assigned_params))
    numeric = [name for name, kind in zip(columns, runs.kinds(loop.number), strict=True) if kind in (Type.INT, Type.NAT, Type.RAT)]
    numeric = [name for name in numeric if name in loop.columns]
    kinds_of = inquiry.program.info.functions[loop.function].variables
    values = dict(zip(columns, rows[0], strict=True))
    for name in loop.columns:
        if kinds_of[name] is Type.BOOL:
            yield from (Name(name), negate(Name(name)))
    for name in numeric:
        for bound in (0, 1):
            yield compare(Name(name), ">=", Number(bound))
        yield compare(Name(name), "<=", Number(0))
        value = values[name]
        if isinstance(value, int):
            yield compare(Name(name), "=", number(value))
            if value < 0:
                yield compare(Name(name), "<", Number(0))
    for position, name in enumerate(numeric):
        for other in numeric[position + 1 :]:
            yield from (compare(Name(name), op, Name(other)) for op in ("<", "<=", "=", ">=", ">"))
        for other in numeric[position + 1 :]:
            difference = values[name], values[other]
            for modulus in MODULI if all(isinstance(value, int) for value in difference) else ():
                rest = (scalar(difference[0]) - scalar(difference[1])) % modulus
                yield compare(Binary("%", Binary("-", Name(name), Name(other)), number(modulus)), "=", number(rest))
    for name in numeric:
        for bound in literals(inquiry.program):
            yield from (compare(Name(name), op, number(bound)) for op in (">", "<"))
        value = values[name]
        for modulus in MODULI if isinstance(value, int) else ():
            yield compare(Binary("%", Name(name), number(modulus)), "=", number(scalar(value) % modulus))
