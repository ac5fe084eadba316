"""Measures how near states to rule out are to states that runs reach: those that differ in one column teach most."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain

from bench.timing import Figure
from idg.engine.books import Books
from idg.engine.engine import Engine
from idg.engine.judging.belief import obligation_query
from idg.engine.judging.reliance import statuses_of
from idg.engine.results import Fact, ToRuleOut, inductive_facts, waiting_facts
from idg.engine.states.near import distance
from idg.levels import Level, all_levels
from idg.prover.check import refutes
from idg.sip.running.runner import Row
from idg.sip.syntax import Name, Type
from idg.sip.values import Scalar, zero

SHARE_MIN = 0.8
"""The share of states that differ from a reachable one in one column, where there is such a state."""
ROWS_MAX = 150
"""Reachable rows of each loop that are changed in every column, to find out whether there is such a state."""
VALUES = range(-12, 61)
"""The values that are tried in each column then, besides those near the column's own."""


def figures() -> list[Figure]:
    shown_near = table_near = possible = count = 0
    for level in all_levels():
        engine = Engine(level.program())
        for books in _books(engine, level):
            shown = engine.feedback(books)[0].to_rule_out
            if shown is None:
                continue
            runs = engine.inquiry.runs_at(shown.loop)
            table, row = runs.first_rows(shown.loop), tuple(shown.state.values())
            is_near = distance(row, [*table, *(state.row for state in runs.reached[shown.loop])]) == 1
            count += 1
            shown_near += is_near
            table_near += distance(row, table) == 1
            possible += is_near or _is_possible(engine, books, shown)
    name = (
        f"{count} states to rule out, of levels without one fact of their solution: {table_near} differ in one column from a row "
        f"of the first table, {shown_near} from a row of some run, and for {possible} there is such a state; share of the shown"
    )
    share = shown_near / possible
    return [Figure(name, "all for which there is one", share, 1.0, f"at least {SHARE_MIN:.0%}", share >= SHARE_MIN, unit="")]


def _books(engine: Engine, level: Level) -> Iterator[Books]:
    """The empty books, and the books with all but one of the facts of the solution."""
    yield engine.start()
    for left_out in level.solution:
        books = engine.start()
        for fact in level.solution:
            if fact is not left_out:
                books = engine.propose(books, fact.expr, fact.loop).books
        yield books


def _is_possible(engine: Engine, books: Books, shown: ToRuleOut) -> bool:
    """Whether some reachable row, changed in one column, is a state from which the same obligation fails."""
    inquiry = engine.inquiry
    known: Sequence[Fact] = inductive_facts(books)
    if not shown.proved_only:
        known = (*known, *waiting_facts(books))
    function = inquiry.function_at(shown.loop)
    analysis = inquiry.analysis(function, known, known)
    runs = inquiry.runs_at(shown.loop)
    reached = (state.row for state in runs.reached[shown.loop])
    rows = list(dict.fromkeys(chain(runs.first_rows(shown.loop)[:ROWS_MAX], reached)))[:ROWS_MAX]
    for obligation in statuses_of(inquiry, known)[function].refuted:
        if (obligation.cause, obligation.span, obligation.path.last) != (shown.cause, shown.span, shown.loop):
            continue
        query = obligation_query(analysis, obligation)
        columns = inquiry.columns_at(analysis, shown.loop, obligation.path.heads[shown.loop])
        symbols = {place: expr.name for place, expr in enumerate(columns.values()) if isinstance(expr, Name)}
        unnamed = {name: zero(kind) for name, kind in query.variables.items()}
        for row in _changed(rows, symbols, runs.kinds(shown.loop)):
            state = unnamed | {name: row[place] for place, name in symbols.items()}
            if refutes(query, {name: state[name] for name in query.variables}):
                return True
    return False


def _changed(rows: Sequence[Row], places: dict[int, str], kinds: Sequence[Type]) -> Iterator[Row]:
    for row in rows:
        for place in places:
            values: list[Scalar] = [False, True] if kinds[place] is Type.BOOL else [*VALUES]
            if kinds[place] is Type.NAT:
                values = [value for value in values if value >= 0]
            for value in values:
                if value != row[place]:
                    yield (*row[:place], value, *row[place + 1 :])
