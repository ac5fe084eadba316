"""The door to the provers: the stages in order, until one answers.

Every query is taken apart (normal.py), each part is brought into canonical form and its answer remembered. The answer is a function
of the canonical form and of the effort alone, so it is the same on every machine, whether it was remembered or not. Refuting states
are checked against the query as it was asked.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial

from idg.prover.algebra import cases, residues
from idg.prover.algebra import identities as algebra
from idg.prover.answers import Answer, Proved, Refuted, Unknown
from idg.prover.check import refutes
from idg.prover.normal import Canonical, canonical, names_of, parts
from idg.prover.search import enumerator
from idg.prover.smt import cvc5_stage, z3_stage
from idg.prover.smt.z3_stage import PLAIN, RETRIES, Setting
from idg.sip.record import Record
from idg.sip.running.evaluator import Evaluator
from idg.sip.syntax import Binary, Boolean, Expr
from idg.sip.traverse import expressions
from idg.sip.values import InputError, Value, fit
from idg.vc.query import Query

CACHED_ANSWERS_MAX = 20_000
LEFT_OUT_MAX = 8
"""Non-linear hypotheses that are left out one at a time when a proof fails."""


class Effort(Record):
    """How hard to try, as counts of resources: the same on every machine. 0 leaves a stage out."""

    enumerator_steps: int = 20_000
    z3_rlimit: int = 400_000
    subset_rlimit: int = 400_000
    """For each subset of the hypotheses."""
    retry_rlimit: int = 1_500_000
    """For each other setting of z3."""
    reals_rlimit: int = 400_000
    cvc5_rlimit: int = 30_000
    last_enumerator_steps: int = 1_000_000


DEFAULT = Effort()
QUICK = Effort(subset_rlimit=0, retry_rlimit=0, reals_rlimit=0, cvc5_rlimit=0, last_enumerator_steps=0)
"""Without the fallbacks: fit where Unknown is cheap."""


class StageCount(Record):
    asked: int = 0
    answered: int = 0
    seconds: float = 0.0
    """By the prover's clock; 0 without one."""


Attempt = Callable[[Query, Effort], Answer | None]


class Prover:
    """Answers queries and remembers the answers. One for each thread: it holds no lock."""

    name = "idg"

    def __init__(
        self,
        effort: Effort = DEFAULT,
        clock: Callable[[], float] | None = None,
        cached_answers_max: int = CACHED_ANSWERS_MAX,
        should_stop: Callable[[], bool] = lambda: False,
    ) -> None:
        """Once `should_stop` says so, what is not answered yet is Unknown, and that is not remembered."""
        self.effort = effort
        self.should_stop = should_stop
        self.clock = clock
        self.cached_answers_max = cached_answers_max
        self.counts: dict[str, StageCount] = {}
        self.hits = 0
        self.misses = 0
        self._answers: OrderedDict[tuple[str, Effort], Answer] = OrderedDict()

    def prove(self, query: Query, effort: Effort | None = None, hints: Sequence[Mapping[str, Value]] = ()) -> Answer:
        """Whether the hypotheses imply the goal. Hints are states to be tried first."""
        if hints:
            hinted = self._timed("hint", lambda: refuting_hint(query, hints))
            if hinted is not None:
                return hinted
        try:
            return self._prove(query, effort or self.effort)
        except RecursionError:
            return Unknown(("the expressions are nested too deeply",))

    def follow_quickly(self, query: Query, goals: Sequence[Expr]) -> list[bool]:
        """Which of many goals are seen at once to follow from the query's hypotheses (its own goal does not matter)."""
        try:
            return algebra.follows(query, goals)
        except RecursionError:
            return [False] * len(goals)

    def _prove(self, query: Query, effort: Effort) -> Answer:
        core: frozenset[int] = frozenset()
        by: list[str] = []
        split = []
        for part in parts(query):
            trivial = self._timed("trivial", partial(_trivial, part.query))
            if isinstance(trivial, Proved):
                core |= part.core(trivial.core)
            else:
                split.append(part)
        forms = [canonical(part.query) for part in split]
        answers = self._answer_all(forms, effort)
        for part, form, answer in zip(split, forms, answers, strict=True):
            if isinstance(answer, Refuted):
                state = form.state(answer.state, part.query)
                if refutes(query, state):
                    return Refuted(answer.by, state)
                return Unknown((f"{answer.by} found a state in which something has no value",))
        for part, form, answer in zip(split, forms, answers, strict=True):
            if not isinstance(answer, Proved):
                return answer or Unknown(())
            core |= part.core(form.core(answer.core))
            by.append(answer.by)
        return Proved(" and ".join(dict.fromkeys(by)) or "trivial", core)

    def _answer_all(self, forms: Sequence[Canonical], effort: Effort) -> list[Answer | None]:
        """An answer for each, unless one is refuted. Cheap stages are tried on all of them before dear ones on any."""
        answers: list[Answer | None] = [self._remembered(form, effort) for form in forms]
        tried: list[str] = []
        for name, attempt in stages(effort):
            if None not in answers or any(isinstance(each, Refuted) for each in answers):
                break
            tried.append(name)
            for at, form in enumerate(forms):
                if answers[at] is None:
                    if self.should_stop():
                        return [Unknown(("stopped",)) if each is None else each for each in answers]
                    found = self._timed(name, partial(attempt, form.query, effort))
                    if found is not None:
                        answers[at] = self._remember(form, effort, found)
                    if isinstance(found, Refuted):
                        break
        if not any(isinstance(each, Refuted) for each in answers):
            answers = [
                self._remember(form, effort, Unknown(tuple(tried))) if each is None else each
                for form, each in zip(forms, answers, strict=True)
            ]
        return answers

    def _remembered(self, form: Canonical, effort: Effort) -> Answer | None:
        found = self._answers.get((form.key, effort))
        if found is None:
            self.misses += 1
        else:
            self.hits += 1
            self._answers.move_to_end((form.key, effort))
        return found

    def _remember(self, form: Canonical, effort: Effort, answer: Answer) -> Answer:
        self._answers[form.key, effort] = answer
        if len(self._answers) > self.cached_answers_max:
            self._answers.popitem(last=False)
        return answer

    def _timed(self, stage: str, attempt: Callable[[], Answer | None]) -> Answer | None:
        start = self.clock() if self.clock else 0.0
        found = attempt()
        seconds = self.clock() - start if self.clock else 0.0
        count = self.counts.get(stage, StageCount())
        self.counts[stage] = StageCount(count.asked + 1, count.answered + (found is not None), count.seconds + seconds)
        return found


def prove(query: Query, effort: Effort = DEFAULT, hints: Sequence[Mapping[str, Value]] = ()) -> Answer:
    """One query, nothing remembered."""
    return Prover(effort).prove(query, hints=hints)


def refuting_hint(query: Query, hints: Sequence[Mapping[str, Value]]) -> Refuted | None:
    """The first of the states that refutes the query; all are evaluated together."""
    rows = []
    for hint in hints:
        try:
            rows.append(tuple(fit(hint[name], kind) for name, kind in query.variables.items()))
        except (InputError, KeyError):
            continue
    if not rows:
        return None
    goal = len(query.hypotheses)
    evaluator = Evaluator([*(each.expr for each in query.hypotheses), query.goal], query.variables, query.info)
    rows = [row for row, value in zip(rows, evaluator.rows(goal, rows), strict=True) if value is not True]
    for at in range(goal):
        rows = [row for row, value in zip(rows, evaluator.rows(at, rows), strict=True) if value is True]
    for row in rows:
        state = dict(zip(query.variables, row, strict=True))
        if refutes(query, state):
            return Refuted("hint", state)
    return None


# The stages


def stages(effort: Effort) -> Iterator[tuple[str, Attempt]]:
    """The stages in order, without those that the effort leaves out."""
    yield "algebra", lambda query, _: algebra.attempt(query)
    if effort.enumerator_steps:
        yield "enumerator", lambda query, effort: enumerator.attempt(query, effort.enumerator_steps)
    yield "residues", lambda query, _: residues.attempt(query)
    yield "cases", lambda query, _: cases.attempt(query)
    if effort.z3_rlimit:
        yield PLAIN.name, lambda query, effort: z3_stage.attempt(query, effort.z3_rlimit)
    if effort.subset_rlimit:
        yield "z3 with fewer hypotheses", _with_fewer
    if effort.reals_rlimit:
        yield "reals", lambda query, effort: z3_stage.attempt_reals(query, effort.reals_rlimit)
    if effort.retry_rlimit:
        for setting in RETRIES[:2]:
            yield setting.name, _retry(setting)
    if effort.cvc5_rlimit:
        yield "cvc5", lambda query, effort: cvc5_stage.attempt(query, effort.cvc5_rlimit)
    if effort.retry_rlimit:
        for setting in RETRIES[2:]:
            yield setting.name, _retry(setting)
    if effort.last_enumerator_steps:
        yield "long enumeration", lambda query, effort: enumerator.attempt(query, effort.last_enumerator_steps)


def _retry(setting: Setting) -> Attempt:
    return lambda query, effort: z3_stage.attempt(query, effort.retry_rlimit, setting)


def _trivial(query: Query) -> Proved | None:
    for at, each in enumerate(query.hypotheses):
        if each.expr in (query.goal, Boolean(False)):
            return Proved("trivial", frozenset([at]))
    return None


def _with_fewer(query: Query, effort: Effort) -> Proved | None:
    """z3 with subsets of the hypotheses: a true but useless non-linear one can cost a proof."""
    for kept in _subsets(query):
        smaller = Query(query.variables, tuple(query.hypotheses[at] for at in kept), query.goal, query.info)
        found = z3_stage.attempt(smaller, effort.subset_rlimit)
        if isinstance(found, Proved):
            return Proved("z3 with fewer hypotheses", frozenset(kept[at] for at in found.core))
    return None


def _subsets(query: Query) -> Iterator[tuple[int, ...]]:
    everything = tuple(range(len(query.hypotheses)))
    wanted = names_of(query.goal)
    names = [names_of(each.expr) for each in query.hypotheses]
    bent = [at for at in everything if not is_linear(query.hypotheses[at].expr)]
    candidates = [
        tuple(at for at in everything if names[at] & wanted),
        tuple(at for at in everything if names[at] <= wanted),
        tuple(at for at in everything if at not in bent),
        *(tuple(at for at in everything if at != left_out) for left_out in bent[:LEFT_OUT_MAX]),
    ]
    yield from (each for each in dict.fromkeys(candidates) if each != everything)


def is_linear(expr: Expr) -> bool:
    """Whether no product, power or quotient of the expression has variables on both sides."""
    for each in expressions(expr):
        if isinstance(each, Binary) and each.op in ("*", "/", "//", "%", "^") and names_of(each.right):
            if each.op != "*" or names_of(each.left):
                return False
        elif isinstance(each, Binary) and each.op == "^" and names_of(each.left):
            return False
    return True
