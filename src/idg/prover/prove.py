"""Where others ask the prover: it tries the stages in order until one of them answers.

Every query is taken apart (normal.py); each part is brought into canonical form, and its answer is remembered. The answer depends
on nothing but the canonical form and the effort, so it is the same on every machine, whether it was remembered or not. Refuting
states are checked against the query as it was asked.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, partial

from idg.prover.algebra import cases, congruences, residues
from idg.prover.algebra import identities as algebra
from idg.prover.answers import Answer, Proved, Refuted, Unknown
from idg.prover.check import refutes
from idg.prover.normal import Canonical, QueryPart, canonical, parts, speaks_of_arrays
from idg.prover.search import enumerator
from idg.prover.smt.questions import PLAIN, RETRIES, Setting, ask_cvc5, ask_z3, ask_z3_for_proof, ask_z3_over_reals
from idg.sip.record import Record, replace
from idg.sip.running.evaluator import Evaluator
from idg.sip.running.runner import Row
from idg.sip.syntax import Binary, Expr
from idg.sip.trees.logic import FALSE
from idg.sip.trees.stores import TooManyCases
from idg.sip.trees.traverse import expressions, names
from idg.sip.values import InputError, Value, fit_value
from idg.vc.query import Query

CACHED_ANSWERS_MAX = 20_000
"""Answers that one prover remembers; the one that was not used for longest is forgotten first."""
LEFT_OUT_MAX = 8
"""Non-linear hypotheses that are left out one at a time when a proof fails."""
KNOWN_STATE = "known state"
"""Who refuted a query, where it was none of the stages but a state that the caller gave along."""


class Effort(Record):
    """How hard to try: a budget for each stage, counted in resources, so that it ends at the same point on every machine.

    A budget of 0 leaves the stage out. The budgets of z3 and cvc5 are their own resource counts (`rlimit`). The enumerator counts
    turns of its loops.
    """

    enumerator_steps: int = 20_000
    z3_rlimit: int = 400_000
    subset_rlimit: int = 400_000
    """For each subset of the hypotheses."""
    retry_rlimit: int = 1_500_000
    """For each other setting of z3."""
    reals_rlimit: int = 400_000
    cvc5_rlimit: int = 30_000
    last_enumerator_steps: int = 1_000_000
    first_enumerator_steps: int = 0
    """For the enumerator before the algebra, where most queries are expected to be refuted."""

    def times(self, factor: int) -> Effort:
        """The effort with every budget so many times as large."""
        return Effort(*(factor * getattr(self, budget) for budget in Effort.__match_args__))


DEFAULT = Effort()
QUICK = Effort(subset_rlimit=0, retry_rlimit=0, reals_rlimit=0, cvc5_rlimit=0, last_enumerator_steps=0)
"""No fallback stages: for callers to whom Unknown costs little."""
REFUTING = replace(QUICK, enumerator_steps=0, first_enumerator_steps=QUICK.enumerator_steps)
"""The same answers, sooner where a state refutes the query: the algebra never refutes, and the enumerator never proves."""


class Stage(Record):
    """One way to answer a query."""

    name: str
    attempt: Callable[[Query, int], Answer | None]
    """Answers the query within a budget; None where the stage does not know."""
    budget: Callable[[Effort], int]
    """The stage's budget as a part of the effort; 0 leaves the stage out."""
    fuel: int
    """What one question to the stage costs a player who counts fuel. One unit is some milliseconds on an ordinary machine."""


class StageCount(Record):
    """How often a stage was asked, and what came of it."""

    asked: int = 0
    answered: int = 0
    seconds: float = 0.0
    """By the prover's clock; 0 without one."""


class _Progress(Record):
    """How far the stages of an effort came with one canonical form."""

    silent: int = 0
    """The number of stages, from the first on, that have said nothing."""
    answer: Answer | None = None
    """What the next stage answered; None where it was not asked yet."""


_NO_PROGRESS = _Progress()


class _Stopped(Exception):
    """The prover was told to stop before a stage that had to be asked."""


class Prover:
    """Answers queries and remembers the answers. It holds no lock, so each thread needs a prover of its own."""

    name = "idg"

    def __init__(
        self,
        effort: Effort = DEFAULT,
        clock: Callable[[], float] | None = None,
        cached_answers_max: int = CACHED_ANSWERS_MAX,
        should_stop: Callable[[], bool] = lambda: False,
    ) -> None:
        """`effort` is spent on queries that are asked without one.

        `should_stop` is asked before each attempt of a stage. Once it says yes, what is not answered yet is Unknown, which is not
        remembered.
        """
        self._effort = effort
        self.should_stop = should_stop
        self.clock = clock
        self.cached_answers_max = cached_answers_max
        self.counts: dict[str, StageCount] = {}
        self.hits = 0
        self.misses = 0
        self._progress: OrderedDict[tuple[str, Effort], _Progress] = OrderedDict()
        """How far the stages came with the canonical form of this key."""

    @property
    def effort(self) -> Effort:
        """What is spent on queries that are asked without an effort."""
        return self._effort

    @property
    def fuel_spent(self) -> int:
        """What all questions to the stages have cost so far."""
        return sum(_FUEL.get(name, 0) * count.asked for name, count in self.counts.items())

    def prove(self, query: Query, effort: Effort | None = None, known_states: Sequence[Mapping[str, Value]] = ()) -> Answer:
        """Whether the hypotheses imply the goal. The known states are tried before any stage: one of them may refute the query."""
        if known_states:
            refuted = self._timed(KNOWN_STATE, lambda: refuted_by_known_state(query, known_states))
            if refuted is not None:
                return refuted
        try:
            return self._prove(query, effort or self.effort)
        except _Stopped:
            return Unknown(("stopped",))
        except RecursionError:
            return Unknown(("the expressions are nested too deeply",))
        except TooManyCases:
            return Unknown(("cells are written too often",))

    def refuting_states(
        self, query: Query, steps_max: int, states_max: int, avoid: Callable[[Mapping[str, Value]], bool]
    ) -> list[dict[str, Value]]:
        """Small states that refute the query, none of them one to be avoided; none where a search of so many steps finds none."""
        if speaks_of_arrays(query):
            from idg.prover.search import cells

            return cells.states(query, steps_max, states_max, avoid)
        return enumerator.states(query, steps_max, states_max, avoid)

    def follow_quickly(self, query: Query, goals: Sequence[Expr]) -> list[bool]:
        """Which of many goals are seen at once to follow from the query's hypotheses (its own goal does not matter)."""
        try:
            return algebra.follows(query, goals)
        except RecursionError:
            return [False] * len(goals)

    def _prove(self, query: Query, effort: Effort) -> Answer:
        core: frozenset[int] = frozenset()
        hard_parts = []
        for part in parts(query):
            trivial = self._timed("trivial", partial(_trivial, part.query))
            if isinstance(trivial, Proved):
                core |= part.core(trivial.core)
            else:
                hard_parts.append(part)
        forms = [canonical(part.query) for part in hard_parts]
        answers: list[Answer | None] = [None] * len(forms)
        for form in forms:
            self._count_hit(form, effort)
        asked = [stages(effort, form.arrays) for form in forms]
        for place in range(max(map(len, asked), default=0)):
            # Each stage is tried on all parts before the next, dearer stage is tried on any. Remembered answers are taken at the
            # stage that gave them, so the first refuting state is the same whatever was asked before.
            for index, (part, form) in enumerate(zip(hard_parts, forms, strict=True)):
                if answers[index] is not None or place >= len(asked[index]):
                    continue
                answer = answers[index] = self._answer_of_stage(form, effort, place, asked[index][place])
                if isinstance(answer, Refuted):
                    state = form.state(answer.state, part.query)
                    if refutes(query, state):
                        return Refuted(answer.by, state)
        return _whole_answer(core, hard_parts, forms, answers, effort)

    def _answer_of_stage(self, form: Canonical, effort: Effort, place: int, stage: Stage) -> Answer | None:
        """What the stage, which is at this place among the effort's stages, says of the form; the stages before it said nothing."""
        key = form.key, effort
        progress = self._progress.get(key, _NO_PROGRESS)
        if progress.silent <= place and progress.answer is None:
            if self.should_stop():
                raise _Stopped
            answer = self._timed(stage.name, partial(stage.attempt, form.query, stage.budget(effort)))
            progress = _Progress(place, answer) if answer is not None else _Progress(place + 1)
            self._progress[key] = progress
            if len(self._progress) > self.cached_answers_max:
                self._progress.popitem(last=False)
        else:
            self._progress.move_to_end(key)
        return progress.answer if progress.silent == place else None

    def _count_hit(self, form: Canonical, effort: Effort) -> None:
        progress = self._progress.get((form.key, effort), _NO_PROGRESS)
        if progress.answer is not None or progress.silent == len(stages(effort, form.arrays)):
            self.hits += 1
        else:
            self.misses += 1

    def _timed(self, stage: str, attempt: Callable[[], Answer | None]) -> Answer | None:
        start = self.clock() if self.clock else 0.0
        answer = attempt()
        seconds = self.clock() - start if self.clock else 0.0
        count = self.counts.get(stage, StageCount())
        self.counts[stage] = StageCount(count.asked + 1, count.answered + (answer is not None), count.seconds + seconds)
        return answer


def _whole_answer(
    core: frozenset[int],
    query_parts: Sequence[QueryPart],
    forms: Sequence[Canonical],
    answers: Sequence[Answer | None],
    effort: Effort,
) -> Answer:
    """The answer to a query from the answers to its parts, none of which refutes it. `core`: of the parts that were trivial."""
    for answer in answers:
        if isinstance(answer, Refuted):
            return Unknown((f"{answer.by} found a state in which something has no value",))
    by: list[str] = []
    for part, form, answer in zip(query_parts, forms, answers, strict=True):
        if not isinstance(answer, Proved):
            return Unknown(tuple(stage.name for stage in stages(effort, form.arrays)))
        core |= part.core(form.core(answer.core))
        by.append(answer.by)
    return Proved(" and ".join(dict.fromkeys(by)) or "trivial", core)


def prove(query: Query, effort: Effort = DEFAULT, known_states: Sequence[Mapping[str, Value]] = ()) -> Answer:
    """Answers one query with a prover of its own, which remembers nothing."""
    return Prover(effort).prove(query, known_states=known_states)


def refuted_by_known_state(query: Query, states: Sequence[Mapping[str, Value]]) -> Refuted | None:
    """The first of the states that refutes the query; all are evaluated together."""
    rows: list[Row] = []
    for state in states:
        try:
            rows.append(tuple(fit_value(state[name], kind) for name, kind in query.variables.items()))
        except (InputError, KeyError):
            continue
    if not rows:
        return None
    goal = len(query.hypotheses)
    evaluator = Evaluator([*(hypothesis.expr for hypothesis in query.hypotheses), query.goal], query.variables, query.info)
    rows = [row for row, value in zip(rows, evaluator.rows(goal, rows), strict=True) if value is not True]
    for index in range(goal):
        rows = [row for row, value in zip(rows, evaluator.rows(index, rows), strict=True) if value is True]
    for row in rows:
        fitted = dict(zip(query.variables, row, strict=True))
        if refutes(query, fitted):
            return Refuted(KNOWN_STATE, fitted)
    return None


# The stages


def _by_instances(attempt: Callable[[Query, int], Answer | None], level: int, by: str) -> Callable[[Query, int], Answer | None]:
    """A stage that is asked about a query with instances in place of quantifiers."""

    def asked(query: Query, budget: int) -> Answer | None:
        from idg.prover.quantifiers.instances import ground

        instances = ground(query, level)
        return instances.proved(attempt(instances.query, budget), by)

    return asked


def _cells(query: Query, steps_max: int) -> Answer | None:
    from idg.prover.search import cells

    return cells.attempt(query, steps_max)


def _always(_: Effort) -> int:
    """The budget of a stage that bounds itself: every effort includes it."""
    return 1


def _retry(setting: Setting) -> Stage:
    def attempt(query: Query, rlimit: int) -> Answer | None:
        return ask_z3(query, rlimit, setting)

    return Stage(setting.name, attempt, lambda effort: effort.retry_rlimit, FALLBACK_FUEL)


def _with_fewer(query: Query, rlimit: int) -> Proved | None:
    """z3 with subsets of the hypotheses, because a hypothesis that is non-linear and of no use can cost a proof."""
    for kept in _subsets(query):
        smaller = Query(query.variables, tuple(query.hypotheses[index] for index in kept), query.goal, query.info)
        answer = ask_z3(smaller, rlimit)
        if isinstance(answer, Proved):
            return Proved("z3 with fewer hypotheses", frozenset(kept[index] for index in answer.core))
    return None


FALLBACK_FUEL = 150
"""What a question to a fallback stage costs: these often use up their whole budget and then have no answer."""

STAGES = (
    Stage("first enumerator", enumerator.attempt, lambda effort: effort.first_enumerator_steps, 3),
    Stage("algebra", algebra.attempt, _always, 1),
    Stage("enumerator", enumerator.attempt, lambda effort: effort.enumerator_steps, 3),
    Stage("residues", residues.attempt, _always, 1),
    Stage("congruences", congruences.attempt, _always, 1),
    Stage("cases", cases.attempt, _always, 1),
    Stage(PLAIN.name, ask_z3, lambda effort: effort.z3_rlimit, 6),
    Stage("z3 with fewer hypotheses", _with_fewer, lambda effort: effort.subset_rlimit, FALLBACK_FUEL),
    Stage("reals", ask_z3_over_reals, lambda effort: effort.reals_rlimit, FALLBACK_FUEL),
    *map(_retry, RETRIES[:2]),
    Stage("cvc5", ask_cvc5, lambda effort: effort.cvc5_rlimit, FALLBACK_FUEL),
    *map(_retry, RETRIES[2:]),
    Stage("long enumeration", enumerator.attempt, lambda effort: effort.last_enumerator_steps, FALLBACK_FUEL),
)
"""All stages in the order in which they are tried: roughly from the cheapest to the dearest."""

ARRAY_STAGES = (
    Stage("instances", _by_instances(algebra.attempt, 1, "instances"), _always, 2),
    Stage("instances and z3", _by_instances(ask_z3_for_proof, 1, "instances and z3"), lambda effort: effort.z3_rlimit, 6),
    Stage("search of cells", _cells, lambda effort: effort.enumerator_steps or effort.first_enumerator_steps, 3),
    Stage("more instances and z3", _by_instances(ask_z3_for_proof, 2, "more instances and z3"), lambda effort: effort.z3_rlimit, 8),
    Stage("most instances and z3", _by_instances(ask_z3_for_proof, 3, "most instances and z3"), lambda effort: effort.z3_rlimit, 8),
    Stage("long search of cells", _cells, lambda effort: effort.last_enumerator_steps, FALLBACK_FUEL),
)
"""The stages for queries with arrays or quantifiers. Instances always come before the search, which is much dearer
here, also where most queries are expected to be refuted."""
_FUEL = {stage.name: stage.fuel for stage in (*STAGES, *ARRAY_STAGES)}


@cache
def stages(effort: Effort, arrays: bool = False) -> tuple[Stage, ...]:
    """The stages in order, without those that the effort leaves out; `arrays`: those for queries with arrays or quantifiers."""
    return tuple(stage for stage in (ARRAY_STAGES if arrays else STAGES) if stage.budget(effort))


def _trivial(query: Query) -> Proved | None:
    for index, hypothesis in enumerate(query.hypotheses):
        if hypothesis.expr in (query.goal, FALSE):
            return Proved("trivial", frozenset([index]))
    return None


def _subsets(query: Query) -> Iterator[tuple[int, ...]]:
    """Indices of hypotheses to be kept: those that share variables with the goal, the linear ones, all but one non-linear one."""
    everything = tuple(range(len(query.hypotheses)))
    goal_names = names(query.goal)
    occurring = [names(hypothesis.expr) for hypothesis in query.hypotheses]
    nonlinear = [index for index in everything if not is_linear(query.hypotheses[index].expr)]
    candidates = [
        tuple(index for index in everything if occurring[index] & goal_names),
        tuple(index for index in everything if occurring[index] <= goal_names),
        tuple(index for index in everything if index not in nonlinear),
        *(tuple(index for index in everything if index != left_out) for left_out in nonlinear[:LEFT_OUT_MAX]),
    ]
    yield from (subset for subset in dict.fromkeys(candidates) if subset != everything)


def is_linear(expr: Expr) -> bool:
    """Whether no product, power or quotient of the expression has variables on both sides."""
    for part in expressions(expr):
        if isinstance(part, Binary) and part.op in ("*", "/", "//", "%", "^") and names(part.right):
            if part.op != "*" or names(part.left):
                return False
        elif isinstance(part, Binary) and part.op == "^" and names(part.left):
            return False
    return True
