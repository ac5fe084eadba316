"""Keeps the agent's candidates and proposes them to the engine.

Before the engine is asked, the agent checks a candidate by itself: on the states that runs reach, and on single turns from states
near them. A candidate that is refuted there is not worth a proof attempt.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from idg.agents.built_in.candidates import Candidate, Idea
from idg.agents.built_in.engine_access import EngineAccess
from idg.agents.built_in.loop_ideas import ALWAYS_PROPOSED, BESIDE_POWERS, IN_STEPS, POWERS
from idg.agents.built_in.results import LogEntry
from idg.agents.built_in.states.loop_view import LoopView
from idg.agents.built_in.states.turns import Turns
from idg.engine.results import Fact, Kind
from idg.sip.errors import SipError
from idg.sip.syntax import Binary, Call, Compare, Expr, Quantified, Type
from idg.sip.text.printer import print_expression
from idg.sip.trees.traverse import expressions, names_and_olds, node_count

BATCH_MAX = 40
"""Candidates of one batch. The engine looks for the largest inductive subset of a batch: larger batches find more facts that need
each other, and take more proof attempts before a wrong candidate is thrown out."""
THOROUGH_BATCH_MAX = 4
"""Candidates of one batch that is judged with full effort. Each may take seconds, and the agent can be stopped between batches."""
ONCE_MORE_MAX = 6
"""Equations that failed before and go with a new batch."""
CELLS_ONCE_MORE_MAX = 12
"""Candidates about cells that failed before and go with a new batch that has others about cells."""
UNSIFTED_MAX = 6
"""Up to this many candidates, checking single turns first costs more than it saves."""


class Proposer:
    """The candidates of all loops of a program, and what the engine has said about them."""

    def __init__(self, engine: EngineAccess, views: Sequence[LoopView], seed: int, is_over: Callable[[], bool]) -> None:
        """`is_over` says whether the agent's fuel or time is used up."""
        self.engine = engine
        self.program = engine.program
        self.views = views
        self.seed = seed
        self.is_over = is_over
        self.round = ""
        """The name of the present round, for the log."""
        self.log: list[LogEntry] = []
        self.proposals = 0
        self.candidates: dict[tuple[int, str], Candidate] = {}
        """By loop and text: what is true in all states seen and not yet accepted."""
        self._judged: dict[tuple[int, str], tuple[int, Kind]] = {}
        """What was proposed in vain: how many invariants were known then, and what the engine called it."""
        self._seen: set[tuple[int, str]] = set()
        self._turns: dict[int, Turns] = {}

    def note(self, facts: Sequence[Fact], source: str) -> None:
        """Notes facts that were never candidates and are inductive."""
        self.proposals += len(facts)
        self._seen |= {(fact.loop, fact.text) for fact in facts}
        self.log += (LogEntry(self.round, fact.loop, fact.text, source, str(Kind.INDUCTIVE)) for fact in facts)

    def renew(self) -> None:
        """Forgets what was proposed in vain, because more effort is spent from now on, and what other states have made false."""
        self._judged.clear()
        self._turns.clear()
        for view in self.views:
            offered = [candidate for candidate in self.candidates.values() if candidate.loop == view.number]
            for candidate, holds in zip(offered, view.holding([candidate.expr for candidate in offered]), strict=True):
                if not holds:
                    del self.candidates[view.number, candidate.text]

    @property
    def tried(self) -> int:
        """The number of different expressions that were looked at, also those that a state refuted before they were proposed."""
        return len(self._seen)

    def offer(self, view: LoopView, ideas: Iterable[Idea]) -> None:
        """Takes the ideas that are new expressions of the loop and true in every state seen."""
        fresh: list[Candidate] = []
        for idea, source in ideas:
            wording = idea if isinstance(idea, str) else print_expression(idea)
            if (view.number, wording) in self._seen:
                continue
            self._seen.add((view.number, wording))
            try:
                expr, kind = self.program.expression(wording, view.number)
            except SipError:
                continue
            canonical = print_expression(expr)
            new = canonical == wording or (view.number, canonical) not in self._seen
            if kind is Type.BOOL and new and view.changing & names_and_olds(expr) and not _plainly_true(expr):
                self._seen.add((view.number, canonical))
                fresh.append(Candidate(view.number, canonical, expr, source, source in ALWAYS_PROPOSED))
        for candidate, holds in zip(fresh, view.holding([candidate.expr for candidate in fresh]), strict=True):
            if holds:
                self.candidates[view.number, candidate.text] = candidate

    def propose(self) -> bool:
        """Proposes what may be inductive, in batches. True: the program is solved."""
        batch, once_more = self._promising()
        # An equation that failed alone may be what a new one needs, and the other way round. So may an order of cells.
        about_cells = any(_is_about_cells(candidate.expr) for candidate in batch)
        if batch:
            batch += [candidate for candidate in once_more if _is_equation(candidate.expr)][:ONCE_MORE_MAX]
        if about_cells:
            batch += [candidate for candidate in once_more if not _is_equation(candidate.expr)][:CELLS_ONCE_MORE_MAX]
        # Equations go with each part of a large batch, because other candidates are likely to need them.
        needed = (
            [candidate for candidate in batch if _is_equation(candidate.expr)][: BATCH_MAX // 2] if len(batch) > BATCH_MAX else []
        )
        rest = sorted(
            (candidate for candidate in batch if candidate not in needed), key=lambda candidate: node_count(candidate.expr)
        )
        for start in range(0, max(1, len(rest)), BATCH_MAX):
            if not batch or self.is_over():
                return False
            left = [candidate for candidate in needed if (candidate.loop, candidate.text) in self.candidates]
            if self._propose_batch([*left, *rest[start : start + BATCH_MAX]]):
                return True
        return False

    def _promising(self) -> tuple[list[Candidate], list[Candidate]]:
        """The candidates worth proposing now, and those that failed before and may succeed together with these: equations, and
        facts about many cells."""
        known = self.engine.known
        batch: list[Candidate] = []
        once_more: list[Candidate] = []
        for view in self.views:
            offered = [candidate for candidate in self.candidates.values() if candidate.loop == view.number]
            accepted = [self.program.expression(fact.text, fact.loop)[0] for fact in known if fact.loop == view.number]
            if len(offered) <= UNSIFTED_MAX and view.number not in self._turns:
                kept = telling = [True] * len(offered)
            else:
                kept, telling = self._turns_of(view).sifted([candidate.expr for candidate in offered], accepted)
            for candidate, survives, tells in zip(offered, kept, telling, strict=True):
                known_then, kind = self._judged.get((candidate.loop, candidate.text), (-1, Kind.UNKNOWN))
                if survives and known_then < len(known) and (tells or candidate.always_proposed):
                    batch.append(candidate)
                elif survives and (
                    (kind is Kind.POTENTIAL and _is_equation(candidate.expr)) or (tells and _is_about_cells(candidate.expr))
                ):
                    once_more.append(candidate)
        return batch, once_more

    def _turns_of(self, view: LoopView) -> Turns:
        if view.number not in self._turns:
            self._turns[view.number] = Turns(view, self.seed)
        return self._turns[view.number]

    def propose_powers(self) -> bool:
        """Proposes facts about powers: they are few, but hard to prove.

        First come the wordings that help to prove other candidates, together with those; then the plain wordings, with full effort;
        then what was unknown.
        """
        by_source: dict[str, list[Candidate]] = {POWERS: [], IN_STEPS: [], BESIDE_POWERS: []}
        for candidate in self.candidates.values():
            by_source.get(candidate.source, []).append(candidate)
        if not by_source[POWERS]:
            return self.propose()
        equations = [candidate for candidate in self.candidates.values() if _is_equation(candidate.expr)][:THOROUGH_BATCH_MAX]
        helpful = [*by_source[IN_STEPS], *by_source[BESIDE_POWERS], *equations]
        if (helpful and self._propose_batch(helpful)) or self.propose():
            return True
        plain = [candidate for candidate in by_source[POWERS] if (candidate.loop, candidate.text) in self.candidates]
        return bool(plain) and (self._propose_batch(plain, thorough=True) or self.propose() or self.retry_unknown())

    def retry_unknown(self) -> bool:
        """Proposes what was unknown once more, with full effort; where something is accepted, the rest may follow from it."""
        unknown = [
            candidate for key, candidate in self.candidates.items() if self._judged.get(key, (0, Kind.POTENTIAL))[1] is Kind.UNKNOWN
        ]
        unknown.sort(
            key=lambda candidate: (isinstance(candidate.expr, Binary) and candidate.expr.op == "->", node_count(candidate.expr))
        )
        for start in range(0, len(unknown), THOROUGH_BATCH_MAX):
            if self.is_over():
                return False
            known_before = len(self.engine.known)
            if self._propose_batch(unknown[start : start + THOROUGH_BATCH_MAX], thorough=True):
                return True
            if len(self.engine.known) > known_before and self.propose():
                return True
        return False

    def _propose_batch(self, batch: Sequence[Candidate], thorough: bool = False) -> bool:
        verdict = self.engine.propose_many([(candidate.loop, candidate.text) for candidate in batch], thorough)
        self.proposals += len(batch)
        kinds = dict(verdict.kinds)
        known = len(self.engine.known)
        for candidate in batch:
            kind = kinds.get(Fact(candidate.loop, candidate.text), Kind.UNKNOWN)
            self.log.append(LogEntry(self.round, candidate.loop, candidate.text, candidate.source, str(kind)))
            if kind in (Kind.POTENTIAL, Kind.UNKNOWN):
                self._judged[candidate.loop, candidate.text] = (known, kind)
            else:
                self.candidates.pop((candidate.loop, candidate.text), None)
        feedback = self.engine.look_again() if thorough else self.engine.feedback()
        # A program that promises nothing is done when nothing in it can fail.
        return feedback.solved or feedback.nothing_to_prove


def _is_equation(expr: Expr) -> bool:
    return isinstance(expr, Compare) and expr.ops == ("=",)


def _is_about_cells(expr: Expr) -> bool:
    """Whether the condition says something of many cells. Such facts often need each other."""
    return any(isinstance(part, Quantified) or (isinstance(part, Call) and part.function == "sorted") for part in expressions(expr))


def _plainly_true(expr: Expr) -> bool:
    """Whether it compares something with itself, as x = x does: such a fact rules out no state."""
    return isinstance(expr, Compare) and len(expr.ops) == 1 and expr.operands[0] == expr.operands[1]
