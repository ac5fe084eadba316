"""Questions in which many facts are known: a fact becomes a hypothesis only if a state shows that it is needed.

Hundreds of facts make conditions that no prover reads in a moment, and nearly all of them are of no use to any single proof. So a
condition is first asked with none of them. A state that refutes it is told as rows at the heads of the loops that its path passes;
there every fact can be evaluated by the same code as on rows of runs. Facts that are false there are added, the simplest first, and
the condition is asked again. A state in which all known facts hold refutes the condition with all of them, because the rest of what
is assumed, which the program itself says, is the same whatever facts are known. A proof from some facts is a proof from all.

The rows of such a state say more than was asked: they break every fact that holds at the heads passed and fails where the path
arrives. `Rows` keeps that for all facts as bits, one for each state.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import accumulate, islice
from operator import and_

from idg.engine.inquiry import Inquiry, NoValue, completed
from idg.engine.judging.belief import obligation_query
from idg.engine.judging.rows import Passage, Rows
from idg.engine.results import Fact
from idg.engine.states.near import Changes, shown_rows
from idg.prover.answers import Answer, Proved, Refuted, Unknown
from idg.prover.check import refutes
from idg.prover.prove import KNOWN_STATE, REFUTING, Effort
from idg.sip.record import Record
from idg.sip.running.evaluator import Evaluator
from idg.sip.running.runner import Row, Undefined
from idg.sip.syntax import Expr, Name, Type
from idg.sip.trees.logic import TRUE
from idg.sip.values import InputError, Scalar, Value, fit_value, initial, scalar
from idg.vc.paths import Path
from idg.vc.query import Query, Requirement
from idg.vc.symbolic import Analysis

ROUNDS_MAX = 12
"""Rounds in which facts are added to a condition because a state breaks them. After these rounds all are added."""
COMPARED_MAX = 12
"""Facts that fail in one state, at most, among which the strongest is looked for."""
SEED_ROWS = 12
"""Rows of the first table, and of other runs, that are changed to get states near them."""
SEEDS_EACH = 60
"""The number of states that are tried for each way to change such rows: one column of the first table, one column of other runs,
two columns."""
SMALL_REACHES = (1, 3, 8, 20)
"""Bounds of the numbers in states that are far from runs."""
SMALL_EACH = 60
"""Such states for each bound."""
SMALL_CELLS_MAX = 3
"""Cells of an array in such a state."""
HEADS_SEEN_MAX = 400
"""States at loops' heads that are remembered to save questions; when there are more, all are forgotten."""


class Placed(Record):
    """A condition, the path that it is about, and the loop at whose head that path arrives; 0 for none."""

    query: Query
    path: Path
    loop: int = 0
    at_entry: bool = False


class Asked(Record):
    """The answer to some conditions, all of which must be proved."""

    answer: Answer
    """Proved, with an empty core, where all were proved; otherwise the first answer that is not a proof."""
    uses: frozenset[Fact] = frozenset()
    """The facts that the proofs use."""
    rests_on: frozenset[Requirement] = frozenset()
    """What the hypotheses rest on that the proofs use."""
    placed: Placed | None = None
    """The condition that was not proved, where it was asked."""
    passage: Passage | None = None
    """The state that refutes it, where its rows are known."""
    index: int = 0
    """The index of that condition."""


At = Callable[[Analysis, int], Placed | None]
"""The condition with this index in an analysis; None where there are not so many."""


class ManyAsked(Record):
    """Conditions about a function, and who may be assumed in them."""

    function: str
    conditions: At
    known: tuple[Fact, ...]
    """The facts that may be assumed, in order."""
    analysis: Callable[[Sequence[Fact]], Analysis]
    """The analysis of the function where some of these facts are known."""
    first: Fact | None = None
    """The one of them that is always assumed."""


def ask_many(inquiry: Inquiry, ask: ManyAsked, rows: Rows, failing: Callable[[], int] = lambda: 0) -> Asked:
    """Whether the known facts prove all the conditions.

    `rows`: states on the way to the place of the conditions, to which those that are found are added; `failing`: those of them in
    which some condition is known to fail.
    """
    own = [fact for fact in ask.known if inquiry.function_at(fact.loop) == ask.function]
    ordered = simplest_first(inquiry, own)
    assumed = {fact for fact in own if fact == ask.first}
    uses: set[Fact] = set()
    rests_on: set[Requirement] = set()
    index = 0
    while True:
        asked = _ask_one(inquiry, ask, own, ordered, assumed, rows, failing, index)
        if asked is None:
            return Asked(Proved("all", frozenset()), frozenset(uses), frozenset(rests_on))
        if not isinstance(asked.answer, Proved):
            return asked
        uses |= asked.uses
        rests_on |= asked.rests_on
        index += 1


def _ask_one(
    inquiry: Inquiry,
    ask: ManyAsked,
    own: Sequence[Fact],
    ordered: Sequence[Fact],
    assumed: set[Fact],
    rows: Rows,
    failing: Callable[[], int],
    index: int,
) -> Asked | None:
    """The answer to one condition; None where there are not so many. What was needed is added to what is assumed."""
    refuting = 0
    for _ in range(ROUNDS_MAX):
        place = _add_needed(ordered, assumed, rows, failing() | refuting)
        if place is not None:
            passage = rows.passages[place]
            return Asked(Refuted(KNOWN_STATE, passage.state), passage=passage, index=index)
        needed = [fact for fact in own if fact in assumed]
        asked = _ask_with(inquiry, ask, needed, index, REFUTING)
        if asked is None or isinstance(asked.answer, Proved):
            return asked
        if asked.passage is None:
            break
        place = rows.place(asked.passage)
        if all(rows.holds(fact, place) for fact in ordered):
            return asked
        refuting |= 1 << place
    asked = _ask_with(inquiry, ask, own, index, inquiry.effort)
    needed = [fact for fact in own if fact in assumed]
    if asked is not None and isinstance(asked.answer, Unknown) and len(needed) < len(own):
        # Where the prover is silent, the smaller question may be the easier one.
        again = _ask_with(inquiry, ask, needed, index, inquiry.effort)
        asked = again if again is not None and isinstance(again.answer, Proved) else asked
    return asked


def _add_needed(own: Sequence[Fact], assumed: set[Fact], rows: Rows, failing: int) -> int | None:
    """Assumes further facts until no state is left in which a condition fails. Of the simplest facts that exclude the first such
    state, the one is taken that excludes most of them.

    Where no fact excludes such a state, its place is the answer: a condition fails there although all facts hold.
    """
    states = failing & rows.satisfying(assumed)
    while states:
        place = (states & -states).bit_length() - 1
        excluding = list(islice((fact for fact in own if fact not in assumed and not rows.holds(fact, place)), COMPARED_MAX))
        if not excluding:
            return place
        strongest = min(excluding, key=lambda fact: (states & rows.of(fact).true).bit_count())
        assumed.add(strongest)
        states &= rows.of(strongest).true
    return None


def _ask_with(inquiry: Inquiry, ask: ManyAsked, facts: Sequence[Fact], index: int, effort: Effort) -> Asked | None:
    """The answer to one condition where these facts are assumed; None where there are not so many conditions."""
    analysis = ask.analysis(facts)
    placed = ask.conditions(analysis, index)
    if placed is None:
        return None
    answer = inquiry.prover.prove(placed.query, effort)
    if isinstance(answer, Proved):
        return _used(inquiry, facts, placed, answer)
    if isinstance(answer, Unknown) or placed.query.call:
        return Asked(Unknown(() if isinstance(answer, Refuted) else answer.tried), placed=placed, index=index)
    return Asked(answer, placed=placed, passage=passage_of(inquiry, analysis, placed, answer.state), index=index)


def _used(inquiry: Inquiry, facts: Sequence[Fact], placed: Placed, answer: Proved) -> Asked:
    sources = inquiry.sources(facts)
    used = [placed.query.hypotheses[position] for position in answer.core]
    return Asked(
        answer,
        frozenset(sources[hypothesis.source] for hypothesis in used if hypothesis.source in sources),
        frozenset(requirement for hypothesis in used for requirement in hypothesis.rests_on),
    )


def passage_of(inquiry: Inquiry, analysis: Analysis, placed: Placed, state: Mapping[str, Value]) -> Passage | None:
    """The state as rows; None where a variable has no value in it."""
    path = placed.path
    try:
        passed = {loop: tuple(inquiry.at_loop(analysis, loop, values, state).values()) for loop, values in path.heads.items()}
        row = tuple(inquiry.at_loop(analysis, placed.loop, path.values, state).values()) if placed.loop else ()
    except NoValue:
        return None
    return Passage(passed, placed.loop, row, state, placed.at_entry)


def simplest_first(inquiry: Inquiry, facts: Iterable[Fact]) -> list[Fact]:
    """Equations first; among them, and among the others, small expressions first; otherwise in the order given."""
    return sorted(facts, key=inquiry.rank)


def implied_by_some(
    inquiry: Inquiry, known: Sequence[Fact], fact: Fact, proved: Sequence[Fact], heads: Rows | None = None
) -> tuple[Fact, ...] | None:
    """Some of the known facts that imply this one at its loop's head; None where they do not.

    `heads`: states at heads of the function's loops, to which those that are found are added; otherwise those near runs are taken.

    A state that was met before in which all of them hold and this one fails saves the question. It cannot change the answer: where
    there is such a state, there is no proof, and whether the prover finds the state is not told.
    """
    seen = inquiry.heads_seen
    failing = seen.of(fact).false
    if failing and failing & seen.satisfying(known):
        return None
    function = inquiry.function_at(fact.loop)
    rows = seeded(inquiry, function, proved, turns=False) if heads is None else heads
    ask = ManyAsked(function, follows_at(inquiry, fact), tuple(known), lambda facts: inquiry.analysis(function, facts, proved))
    asked = ask_many(inquiry, ask, rows, lambda: rows.of(fact).false)
    if isinstance(asked.answer, Proved):
        return tuple(other for other in known if other in asked.uses)
    if asked.passage is not None:
        if len(seen.passages) >= HEADS_SEEN_MAX:
            seen.forget()
        seen.add([asked.passage])
    return None


def ask_obligation(
    inquiry: Inquiry, function: str, facts: Sequence[Fact], analysis: Callable[[Sequence[Fact]], Analysis], index: int
) -> Asked:
    """Whether the facts prove the function's obligation with this index. States near those of runs tell which are needed."""

    def condition_at(analysed: Analysis, condition: int) -> Placed | None:
        obligation = analysed.obligations[index]
        return Placed(obligation_query(analysed, obligation), obligation.path) if condition == 0 else None

    rows = _failing_near_runs(inquiry, function, analysis(()), index).extended()
    near = (1 << len(rows.passages)) - 1
    return ask_many(inquiry, ManyAsked(function, condition_at, tuple(facts), analysis), rows, lambda: near)


def _failing_near_runs(inquiry: Inquiry, function: str, bare: Analysis, index: int) -> Rows:
    """States near those of runs from which the obligation with this index fails, where no fact is known. The table is shared."""
    key = ("obligation", index, function, bare.executor.helpers.trusted)
    if key not in inquiry.seeds:
        obligation = bare.obligations[index]
        rows = inquiry.rows()
        if obligation.path.last and not obligation.call:
            query = obligation_query(bare, obligation)
            for state in _near_head(inquiry, bare, obligation.path, obligation.path.last):
                complete = completed(query, state) | state
                if refutes(query, complete):
                    passage = passage_of(inquiry, bare, Placed(query, obligation.path), complete)
                    rows.add([] if passage is None else [passage])
        inquiry.seeds[key] = rows
    return inquiry.seeds[key]


# conditions about facts


def follows_at(inquiry: Inquiry, fact: Fact) -> At:
    """The conditions that the fact follows at its loop's head."""
    expr = inquiry.expr(fact)

    def condition_at(analysis: Analysis, index: int) -> Placed | None:
        return _nth(analysis, expr, [(path, 0, False) for path in analysis.cut(fact.loop).heads], index)

    return condition_at


def inductive_at(inquiry: Inquiry, fact: Fact) -> At:
    """The conditions that the fact holds when its loop is reached, and after each turn."""
    expr = inquiry.expr(fact)

    def condition_at(analysis: Analysis, index: int) -> Placed | None:
        cut = analysis.cut(fact.loop)
        paths = [(path, fact.loop, True) for path in cut.entries] + [(path, fact.loop, False) for path in cut.ends]
        return _nth(analysis, expr, paths, index)

    return condition_at


def _nth(analysis: Analysis, expr: Expr, paths: Sequence[tuple[Path, int, bool]], index: int) -> Placed | None:
    for path, loop, at_entry in paths:
        queries = analysis.executor.holds(expr, path)
        if index < len(queries):
            return Placed(queries[index], path, loop, at_entry)
        index -= len(queries)
    return None


def refuted_near_runs(inquiry: Inquiry, known: Sequence[Fact], fact: Fact, proved: Sequence[Fact], making: bool = False) -> bool:
    """Whether the known facts hold and this one fails in a state near those that runs reach, at its loop's head.

    Then there is no proof that they imply it, so the prover need not be asked. Runs are not made for this: where there are none
    yet, nothing is said. The table of states is made where that is wanted, because it pays only where questions follow.
    """
    return bool(all_refuted_near_runs(inquiry, known, [fact], proved, making))


def all_refuted_near_runs(
    inquiry: Inquiry, known: Sequence[Fact], facts: Sequence[Fact], proved: Sequence[Fact], making: bool = False
) -> set[Fact]:
    """Those of some facts of which the same is seen."""
    refuted: set[Fact] = set()
    for function in dict.fromkeys(inquiry.function_at(fact.loop) for fact in facts):
        if not inquiry.runs_of(function).were_made:
            continue
        if not making and ("heads", function, inquiry.helpers(function, proved).trusted) not in inquiry.seeds:
            continue
        rows = _seeds(inquiry, function, proved, turns=False)
        own = [fact for fact in facts if inquiry.function_at(fact.loop) == function]
        failing = [(fact, bits) for fact in own if (bits := rows.of(fact).false)]
        states = rows.satisfying(other for other in known if failing and inquiry.function_at(other.loop) == function)
        refuted.update(fact for fact, bits in failing if bits & states)
    return refuted


def not_implied(inquiry: Inquiry, facts: Sequence[Fact], tables: Mapping[str, Rows]) -> set[Fact]:
    """Those of the facts that a state shows not to follow from all the others. `tables`: for each function, states at heads."""
    needed: set[Fact] = set()
    for function, rows in tables.items():
        own = [fact for fact in facts if inquiry.function_at(fact.loop) == function]
        before = list(accumulate((rows.of(fact).true for fact in own), and_, initial=rows.satisfying(())))
        after = rows.satisfying(())
        for fact, earlier in zip(reversed(own), reversed(before[:-1]), strict=True):
            if rows.of(fact).false & earlier & after:
                needed.add(fact)
            after &= rows.of(fact).true
    return needed


def seeded(inquiry: Inquiry, function: str, proved: Sequence[Fact], turns: bool) -> Rows:
    """A table of states near those that runs reach: at loops' heads or, with `turns`, with one turn of the loop."""
    return _seeds(inquiry, function, proved, turns).extended()


def _seeds(inquiry: Inquiry, function: str, proved: Sequence[Fact], turns: bool) -> Rows:
    """The same table, which is shared. So it must not grow."""
    key = ("turns" if turns else "heads", function, inquiry.helpers(function, proved).trusted)
    if key not in inquiry.seeds:
        rows = inquiry.rows()
        rows.add(_near_passages(inquiry, inquiry.analysis(function, (), proved), turns))
        inquiry.seeds[key] = rows
    return inquiry.seeds[key]


def _near_passages(inquiry: Inquiry, analysis: Analysis, turns: bool) -> Iterator[Passage]:
    for cut in analysis.cuts:
        for path in cut.ends if turns else cut.heads:
            states = [*_near_head(inquiry, analysis, path, cut.number), *_small_states(inquiry, analysis, path, cut.number)]
            yield from _passages(inquiry, analysis, path, cut.number if turns else 0, False, states)


def _near_head(inquiry: Inquiry, analysis: Analysis, path: Path, loop: int) -> list[dict[str, Value]]:
    """States of the symbols near rows that runs reach at the head of a loop that the path passes."""
    runs = inquiry.runs_at(loop)
    columns = inquiry.columns_at(analysis, loop, path.heads[loop]).values()
    places = {expr.name: place for place, expr in enumerate(columns) if isinstance(expr, Name)}
    changes = Changes(runs.kinds(loop), sorted(places.values()))
    first = shown_rows(runs, loop)
    reached = [state.row for state in runs.reached[loop][:SEED_ROWS]]
    changed = [
        *_evenly([row for row, _ in changes.changed(first[:SEED_ROWS])]),
        *_evenly([row for row, _ in changes.changed(reached)]),
        *_evenly([row for row, _ in changes.changed_twice((first or reached)[:SEED_ROWS], runs.first_rows(loop))]),
    ]
    symbols = analysis.executor.symbols
    states = [{name: row[place] for name, place in places.items()} for row in dict.fromkeys(changed)]
    # An int that nobody assigns may stand for the symbol of a nat, so that it was changed as no nat can be.
    return [state for state in states if _fits(state, symbols)]


def _fits(state: Mapping[str, Value], symbols: Mapping[str, Type]) -> bool:
    """Whether every symbol has a value of its own type."""
    try:
        return all(fit_value(value, symbols[name]) == value for name, value in state.items())
    except InputError:
        return False


def _small_states(inquiry: Inquiry, analysis: Analysis, path: Path, loop: int) -> list[dict[str, Value]]:
    """Seeded states of the symbols with small numbers at the head of a loop that the path passes.

    Far from runs, they show what facts do not say about each other. A search of the prover would find such states one by one.
    """
    columns = inquiry.columns_at(analysis, loop, path.heads[loop]).values()
    kinds = {expr.name: analysis.executor.symbols[expr.name] for expr in columns if isinstance(expr, Name)}
    rng = random.Random(loop)

    def value(kind: Type, reach: int) -> Value:
        if kind.element:
            element, length = kind.element, rng.randint(0, SMALL_CELLS_MAX)
            return tuple(scalar(value(element, reach)) for _ in range(length))
        if kind is Type.BOOL:
            return rng.random() < 0.5
        return rng.randint(0 if kind is Type.NAT else -reach, reach)

    return [{name: value(kind, reach) for name, kind in kinds.items()} for reach in SMALL_REACHES for _ in range(SMALL_EACH)]


def _evenly(rows: list[Row]) -> list[Row]:
    """Some of the rows, taken evenly."""
    return rows[:: max(1, -(-len(rows) // SEEDS_EACH))]


def known_passages(
    inquiry: Inquiry, function: str, proved: Sequence[Fact], states: Sequence[Mapping[str, Value]]
) -> Iterator[Passage]:
    """The ways to loops' heads of a function in states of the symbols, where these are states of some way."""
    analysis = inquiry.analysis(function, (), proved)
    for cut in analysis.cuts:
        for path in cut.entries:
            yield from _passages(inquiry, analysis, path, cut.number, True, states)
        for path in cut.ends:
            yield from _passages(inquiry, analysis, path, cut.number, False, states)


_ARRIVES = 0
"""Stands for the place where a way ends, among the numbers of the loops that it passed."""


def _passages(
    inquiry: Inquiry, analysis: Analysis, path: Path, loop: int, at_entry: bool, states: Sequence[Mapping[str, Value]]
) -> Iterator[Passage]:
    """The ways on this path in those of some states of symbols in which all that the program says on it is true."""
    query = analysis.executor.query(path.hypotheses, TRUE)
    symbols = analysis.executor.symbols
    kept = satisfying(query, [completed(query, state) | dict(state) for state in states])
    columns = {number: inquiry.columns_at(analysis, number, values) for number, values in path.heads.items()}
    columns[_ARRIVES] = inquiry.columns_at(analysis, loop, path.values) if loop else {}
    table: dict[int, list[list[Scalar | Undefined]]] = {}
    rows = [tuple(state.get(name, initial(kind, 0)) for name, kind in symbols.items()) for state in kept]
    for number, exprs in columns.items():
        evaluator = Evaluator(list(exprs.values()), symbols, inquiry.program.info)
        table[number] = [evaluator.rows(index, rows) for index in range(len(exprs))]
    for position, state in enumerate(kept):
        told: dict[int, Row] = {}
        for number, values in table.items():
            told[number] = tuple(value for column in values if not isinstance(value := column[position], Undefined))
        if all(len(told[number]) == len(values) for number, values in table.items()):
            row = told.pop(_ARRIVES)
            yield Passage(told, loop, row, state, at_entry)


def satisfying(query: Query, states: Sequence[Mapping[str, Value]]) -> list[Mapping[str, Value]]:
    """Those of the states, which have a value for each variable, in which all hypotheses of a query are true."""
    rows = []
    for state in states:
        with suppress(InputError):
            rows.append((tuple(fit_value(state[name], kind) for name, kind in query.variables.items()), state))
    evaluator = Evaluator([hypothesis.expr for hypothesis in query.hypotheses], query.variables, query.info)
    for index in range(len(query.hypotheses)):
        values = evaluator.rows(index, [row for row, _ in rows])
        rows = [pair for pair, value in zip(rows, values, strict=True) if value is True]
    return [state for _, state in rows]
