"""The search for measures, loop by loop.

Components are evaluated on the turns of runs. A measure is built greedily: of the components that rise in no turn that is left, the
one that falls in most of them comes next, and the turns in which it falls are done. The engine judges the measure. Where it answers
with a turn that no run makes, facts are looked for that rule the turn out; where there are none, the turn counts as one that the
measure must fall in. Where all that fails, linear functions are looked for that fall in the turns as the conditions describe them
(linear.py).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from math import gcd
from operator import itemgetter

from idg.agents.built_in.ideas.equalities import Fitting
from idg.agents.built_in.ideas.polynomials import equation_text
from idg.agents.termination.components import components, is_mode
from idg.agents.termination.linear import linear_measure
from idg.agents.termination.remembering import remembering
from idg.engine.books import Books
from idg.engine.engine import Engine
from idg.engine.results import Fact, inductive_facts
from idg.engine.termination.never_ending.choosing import literals
from idg.engine.termination.results import Ending, MeasureKind, MeasureVerdict
from idg.engine.termination.turns import falls, measured, seen_turns
from idg.sip.checking.analysis import Loop
from idg.sip.checking.checker import FACT, check_boolean, check_expression
from idg.sip.record import Record, replace
from idg.sip.running.runner import Row, Undefined
from idg.sip.running.runtime import is_power
from idg.sip.syntax import Binary, Call, Compare, Expr, Name, Type
from idg.sip.text.expressions import parse_expression
from idg.sip.text.printer import print_expression, print_measure
from idg.sip.trees.build import compare, number
from idg.sip.trees.logic import conjuncts_inward, implies, left_nested
from idg.sip.trees.traverse import changed, names, statements

ROUNDS_MAX = 12
"""Measures that are tried for a loop."""
TURNS_MAX = 600
"""Turns of runs that measures are fitted to, taken evenly from all that were seen."""
LENGTH_MAX = 4
"""Components of one measure."""
FACTS_MAX = 60
"""Facts that are proposed together because they rule out a turn."""
FORMS_MAX = 60
"""Sums and differences that facts are about."""
MODULI = (2, 3, 4, 5)
"""Numbers by which a sum or a difference may always leave the same remainder."""
MODULUS_MAX = 1_000
"""The largest number that is tried as a divisor because all values differ by multiples of it."""
EQUATIONS_MAX = 6
"""Linear equations of the reached states that are tried as facts."""
BASES = (10, 8, 5, 4, 3, 2)
"""Numbers of which a variable may always be a power, the rarest first."""
BOUND_MAX = 10**18
"""The largest number that is tried as a bound. Beyond it, a run has reached it by growing, and the language refuses long ones."""
GUARDED_MAX = 40
"""Bounds that are looked at under one part of the test."""
STATES_MAX = 400
"""Reached states on which these facts are fitted."""

_FALLS, _SAME, _OTHER = "f", "s", "o"


class TerminationResult(Record):
    """What the search came to."""

    ending: Ending
    books: Books
    """The books with the measures, and the facts that they need."""
    tried: tuple[str, ...]
    """The measures that were judged, each with its loop and its answer."""


def decide_ending(engine: Engine, books: Books, should_stop: Callable[[], bool] = lambda: False) -> TerminationResult:
    """Looks for measures of all loops that a run may reach and, where one is missing, for a run that never ends.

    Where both are missing, the program is looked at that remembers values (remembering.py). Its facts and measures are not put on
    the books, because they speak of variables that the program itself does not have.
    """
    result = _decided(engine, books, should_stop)
    if result.ending.status != "open" or not result.ending.loops or should_stop():
        return result
    other = remembering(engine.program)
    if other is None:
        return result
    another = Engine(other, engine.inquiry.prover)
    better = _decided(another, another.start(), should_stop)
    tried = (*result.tried, *better.tried)
    if better.ending.status != "ends":
        return replace(result, tried=tried)
    return replace(result, ending=replace(better.ending, remembers=True), tried=tried)


def _decided(engine: Engine, books: Books, should_stop: Callable[[], bool]) -> TerminationResult:
    program = engine.program
    reached = program.info.calls.reached(program.level.name)
    tried: list[str] = []
    known: dict[int, tuple[Fact, ...]] = {}
    # What was proved for an outer loop may be what an inner one lacked, so those without a measure are looked at again.
    for loop in (*reversed(program.loops), *reversed(program.loops)):
        own, facts = books.loops[loop.number - 1], inductive_facts(books)
        if loop.function not in reached or own.measure or should_stop() or known.get(loop.number) == facts:
            continue
        books = _Search(engine, loop, tried, should_stop).run(books)
        known[loop.number] = inductive_facts(books)
    return TerminationResult(engine.ending(books), books, tuple(tried))


class _Search:
    def __init__(self, engine: Engine, loop: Loop, tried: list[str], should_stop: Callable[[], bool]) -> None:
        self.engine = engine
        self.loop = loop
        self.tried = tried
        self.should_stop = should_stop
        self.runs = engine.inquiry.runs_at(loop.number)
        seen = seen_turns(engine.inquiry, loop.number)
        every = max(1, len(seen) // TURNS_MAX)
        self.turns: list[tuple[Row, Row]] = [(turn.before, turn.after) for turn in seen[::every]]
        """The turns in which the measure must fall."""
        self.components: list[Expr] = []
        self.kinds: list[Type | None] = []
        self._scope = engine.program.info.scope(loop)
        self._unmoved = {*loop.columns} - changed(loop.statement.body)
        self._add(components(engine.program, loop, self._modes()))
        self._inner_was_tried = self._established_was_tried = False

    def _modes(self) -> dict[str, list[int]]:
        """The variables that had at most a few values in the turns, all of them numbers of the text."""
        known = {sign * value for value in literals(self.engine.program) for sign in (1, -1)}
        modes: dict[str, list[int]] = {}
        for name, values in zip(self.loop.columns, zip(*(row for turn in self.turns for row in turn), strict=True), strict=False):
            few = set(values)
            if is_mode(few) and few <= known:
                modes[name] = sorted(few)
        return modes

    def run(self, books: Books) -> Books:
        judged: set[str] = set()
        said = list(self._said(books))
        for _ in range(ROUNDS_MAX + len(said)):
            measure = None if self.should_stop() else said.pop(0) if said else self._fitting(judged)
            if measure is None and not self.should_stop():
                measure = self._fitting(judged) if self._adds_established() else None
            if measure is None:
                break
            judged.add(measure)
            books, proved = self._tried(books, measure)
            if proved:
                return books
        return books if self.should_stop() else self._linear(books)

    def _tried(self, books: Books, measure: str) -> tuple[Books, bool]:
        """The books after the measure was proposed, with facts that it needs, and whether it is proved."""
        verdict = self._judge(books, measure)
        while verdict.turn is not None and (better := self._with_support(books, verdict) or self._with_inner(books)) is not None:
            books = better
            verdict = self._judge(books, measure)
        if verdict.kind is MeasureKind.FALLS:
            return verdict.books, True
        self._note(verdict)
        return books, False

    def _adds_established(self) -> bool:
        """Adds components for what each turn establishes, such as y + z = -1; whether there are some. This is tried once."""
        if self._established_was_tried or not self.turns:
            return False
        self._established_was_tried = True
        forms = [form for form in self.components if isinstance(form, Name | Binary) and not names(form) <= self._unmoved]
        forms = [form for form in forms if check_expression(form, self._scope)[0] in (Type.INT, Type.NAT)][:FORMS_MAX]
        before, after = ([*zip(*self._measured(forms, side), strict=True)] for side in (0, 1))
        flags = []
        for form, old, new in zip(forms, before, after, strict=True):
            value = new[0]
            if not isinstance(value, int) or abs(value) > BOUND_MAX:
                continue
            # A form may have no value in some turns; what says so equals no number, and cannot be a member of a set.
            if all(later == value for later in new) and any(earlier != value for earlier in old):
                flags.append(compare(form, "!=", number(value)))
        self._add(flags)
        return bool(flags)

    def _measured(self, forms: Sequence[Expr], side: int) -> Sequence[Sequence[object]]:
        return measured(self.runs, self.loop.number, forms, [turn[side] for turn in self.turns])

    def _add(self, further: Sequence[Expr]) -> None:
        self.components += further
        self.kinds += [check_expression(component, self._scope)[0] for component in further]

    def _linear(self, books: Books) -> Books:
        """The books with a measure of linear functions, where one is proved: from what is known, or else with more bounds."""
        with_bounds = books
        for again in (False, True):
            if again:
                with_bounds = self._with_facts(books, [print_expression(expr) for expr in self._bounds()]) or books
            if again and with_bounds == books:
                break
            measure = linear_measure(self.engine, with_bounds, self.loop)
            if measure is not None:
                after, proved = self._tried(with_bounds, measure)
                if proved:
                    return after
        return books

    def _note(self, verdict: MeasureVerdict) -> None:
        """From now on the measure must fall in the turn that the verdict shows, too."""
        if verdict.run is not None:
            entry_values = tuple(verdict.run.inputs[name] for name in self.runs.assigned_params)
            self.turns.append((verdict.run.before + entry_values, verdict.run.after + entry_values))
        elif verdict.turn is not None:
            self.turns.append((tuple(verdict.turn.before.values()), tuple(verdict.turn.after.values())))

    def _said(self, books: Books) -> Iterator[str]:
        """The measure that the program itself states, and those of players that wait for facts."""
        if self.loop.statement.measure:
            yield print_measure(self.loop.statement.measure)
        yield from books.loops[self.loop.number - 1].waiting_measures

    def _judge(self, books: Books, measure: str) -> MeasureVerdict:
        verdict = self.engine.propose_measure(books, measure, self.loop.number)
        self.tried.append(f"loop {self.loop.number}: {measure}: {verdict.kind}")
        return verdict

    def _fitting(self, judged: set[str]) -> str | None:
        """A measure that falls in all turns and was not judged yet."""
        columns = self._columns()
        for first in range(len(self.components)):
            measure = self._greedy(columns, first)
            if measure is not None and measure not in judged:
                return measure
        return None

    def _columns(self) -> list[str]:
        """For each component, what it does in each turn: a letter a turn."""
        number_ = self.loop.number
        before = measured(self.runs, number_, self.components, [turn[0] for turn in self.turns])
        after = measured(self.runs, number_, self.components, [turn[1] for turn in self.turns])
        columns: list[str] = []
        for index, kind in enumerate(self.kinds):
            assert kind is not None
            letters = []
            for old, new in zip(before, after, strict=True):
                fell = falls((old[index],), (new[index],), [kind])
                same = not isinstance(old[index], Undefined) and old[index] == new[index]
                letters.append(_FALLS if fell else _SAME if same else _OTHER)
            columns.append("".join(letters))
        return columns

    def _greedy(self, columns: Sequence[str], first: int) -> str | None:
        """The measure whose first component is this one, where it is one that never rises and falls in some turn."""
        left = list(range(len(self.turns)))
        chosen: list[Expr] = []
        options = [first]
        while left or not chosen:
            if len(chosen) == LENGTH_MAX:
                return None
            best, fallen = -1, 0
            for index in options:
                letters = [columns[index][turn] for turn in left]
                if _OTHER not in letters and (letters.count(_FALLS) > fallen or not left):
                    best, fallen = index, letters.count(_FALLS)
            if best < 0:
                return None
            chosen.append(self.components[best])
            left = [turn for turn in left if columns[best][turn] != _FALLS]
            options = list(range(len(self.components)))
        return print_measure(tuple(chosen))

    def _with_support(self, books: Books, verdict: MeasureVerdict) -> Books | None:
        """The books with facts that rule out the turn of the verdict, where some are found and proved."""
        turn = verdict.turn
        assert turn is not None
        before = tuple(turn.before.values())
        facts = [print_expression(expr) for expr in self._bounds() if self.runs.truths(self.loop.number, expr, [before]) != [True]]
        return self._with_facts(books, facts)

    def _with_inner(self, books: Books) -> Books | None:
        """The books with what bounds the states of the loops inside: a turn is what they leave behind. This is tried once."""
        if self._inner_was_tried:
            return None
        self._inner_was_tried = True
        inside = set(map(id, statements(self.loop.statement.body)))
        known = inductive_facts(books)
        for loop in self.engine.program.loops:
            if id(loop.statement) in inside:
                inner = _Search(self.engine, loop, self.tried, self.should_stop)
                proposals = [(loop.number, print_expression(expr)) for expr in islice(inner._bounds(), FACTS_MAX)]
                books = self.engine.propose_many(books, proposals, search=False).books
        return self._settled(books) if inductive_facts(books) != known else None

    def _settled(self, books: Books) -> Books:
        """The books without facts that wait."""
        return replace(books, loops=tuple(replace(loop, potential=(), unknown=()) for loop in books.loops))

    def _with_facts(self, books: Books, facts: Sequence[str]) -> Books | None:
        """The books with those of the facts that are proved, where some are."""
        if not facts:
            return None
        known = inductive_facts(books)
        proposals = [(loop, text) for text in facts[:FACTS_MAX] for loop in self._loops_for(text)]
        result = self.engine.propose_many(books, proposals, search=False)
        if inductive_facts(result.books) == known:
            return None
        return self._settled(result.books)

    def _loops_for(self, text: str) -> Iterator[int]:
        """The loops at which a fact is proposed: this one, and those that may have to keep it, because a run comes from them."""
        yield self.loop.number
        program = self.engine.program
        expr = parse_expression(text)
        for loop in program.loops:
            same_function = loop.function == self.loop.function and loop.number != self.loop.number
            if same_function and not check_boolean(expr, program.info.scope(loop), FACT, "a fact"):
                yield loop.number

    def _bounds(self) -> Iterator[Expr]:
        """What bounds variables, their sums and differences in the reached states, also where a part of the test holds that no turn
        changes."""
        reached = self.runs.reached[self.loop.number]
        every = max(1, len(reached) // STATES_MAX)
        if not reached:
            return
        rows = list(dict.fromkeys([*(state.row for state in reached[::every]), *_extremes([state.row for state in reached])]))
        yield from self._bounds_on(rows)
        moved = changed(self.loop.statement.body)
        for part in conjuncts_inward(self.loop.statement.test):
            if isinstance(part, Compare) and not names(part) & moved:
                holding = [
                    row for row, value in zip(rows, self.runs.truths(self.loop.number, part, rows), strict=True) if value is True
                ]
                if 0 < len(holding) < len(rows):
                    yield from (implies(part, bound) for bound in islice(self._bounds_on(holding), GUARDED_MAX))
        yield from islice(self._where_turns_begin(rows), GUARDED_MAX)

    def _where_turns_begin(self, rows: list[Row]) -> Iterator[Expr]:
        """What bounds variables where the test holds, and does not always hold where a run has left the loop."""
        test = self.loop.statement.test
        inside = [row for row, value in zip(rows, self.runs.truths(self.loop.number, test, rows), strict=True) if value is True]
        if not 0 < len(inside) < len(rows):
            return
        for bound in self._bounds_on(inside):
            if any(value is not True for value in self.runs.truths(self.loop.number, bound, rows)):
                yield implies(test, bound)

    def _bounds_on(self, rows: list[Row]) -> Iterator[Expr]:
        """What bounds variables, their sums and differences in these states."""
        kinds = dict(zip(self.loop.columns, self.runs.kinds(self.loop.number), strict=False))
        names = [Name(name) for name, kind in kinds.items() if kind in (Type.INT, Type.NAT, Type.RAT)]
        yield from self._equations(names, rows)
        forms: list[Expr] = [*names]
        for index, first in enumerate(names):
            for second in names[index + 1 :]:
                forms += (Binary("-", first, second), Binary("+", first, second))
        for name, kind in kinds.items():
            if kind is Type.BOOL:
                forms.append(Name(name))
        forms += (form for form in self.components if isinstance(form, Binary) and form not in forms)
        for form in forms[:FORMS_MAX]:
            values = [value for value in self.runs.truths(self.loop.number, form, rows) if not isinstance(value, Undefined)]
            if len(values) < len(rows):
                continue
            if isinstance(form, Name) and kinds[form.name] is Type.BOOL:
                yield compare(form, "=", form) if len(set(values)) > 1 else form
                continue
            least, most = min(values), max(values)
            if isinstance(form, Name) and is_mode(few := set(values)):
                yield left_nested("|", [compare(form, "=", number(value)) for value in sorted(few)])
            if -BOUND_MAX <= least <= BOUND_MAX:
                yield compare(form, ">=", number(least))
            if -BOUND_MAX <= most <= BOUND_MAX:
                yield compare(form, "<=", number(most))
            whole = [value for value in values if isinstance(value, int)]
            if len(whole) == len(values) and least < most:
                yield from _remainders(form, whole)
            if isinstance(form, Name) and 1 <= least < most and len(whole) == len(values):
                powers = (base for base in BASES if all(is_power(value, base) for value in whole))
                yield from (Call("ispow", (form, number(base))) for base in islice(powers, 1))

    def _equations(self, numeric: Sequence[Name], rows: list[Row]) -> Iterator[Expr]:
        """Linear equations that hold in all of these states."""
        columns: dict[str, list[int]] = {}
        for name in numeric:
            values = self.runs.truths(self.loop.number, name, rows)
            whole = [value for value in values if isinstance(value, int)]
            if len(whole) == len(rows):
                columns[name.name] = whole
        fitting = Fitting(columns)
        if columns:
            yield from (parse_expression(equation_text(poly)) for poly in islice(fitting.next_degree() or (), EQUATIONS_MAX))


def _extremes(rows: Sequence[Row]) -> Iterator[Row]:
    """The rows with the least and with the largest whole number of each column. A sample may lack them."""
    for index, value in enumerate(rows[0]):
        if type(value) is int:
            yield min(rows, key=itemgetter(index))
            yield max(rows, key=itemgetter(index))


def _remainders(form: Expr, values: Sequence[int]) -> Iterator[Expr]:
    """The remainders that these values of the form have in common: by small numbers, and by all that the values differ by."""
    common = gcd(*(value - values[0] for value in values))
    for modulus in (*MODULI, *([common] if common <= MODULUS_MAX and common not in MODULI else ())):
        if common % modulus == 0 and modulus > 1:
            yield compare(Binary("%", form, number(modulus)), "=", number(values[0] % modulus))
