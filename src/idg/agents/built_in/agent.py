"""The built-in agent: rounds of growing effort, each with candidates of its own, until the engine says that the level is solved.

Whatever it proposes is judged by the engine behind its door. Before, it looks for itself: at the states that runs reach, and at
single turns from states near them; what those refute is not worth a question.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from idg.agents.built_in import sampling
from idg.agents.built_in.candidates import Candidate
from idg.agents.built_in.door import Door
from idg.agents.built_in.long_runs import long_runs
from idg.agents.built_in.rounds import BESIDE_POWERS, IN_STEPS, POWERS, REPHRASED, Idea, Mind
from idg.agents.built_in.turns import Turns
from idg.agents.built_in.view import View, seen_names
from idg.engine.results import Fact, Kind, ToRuleOut
from idg.prover import horn
from idg.sip.errors import SipError
from idg.sip.limits import RunLimits
from idg.sip.logic import separate_claims
from idg.sip.record import Record
from idg.sip.syntax import Binary, Compare, Expr, Type
from idg.sip.text.printer import print_expression
from idg.sip.traverse import names_and_olds, size
from idg.sip.values import Value

FUEL_MAX = 60_000
BATCH_MAX = 40
CLAUSE_STEPS_MAX = 12
"""States to be ruled out one after the other."""
THOROUGH_BATCH = 4
ONCE_MORE_MAX = 6
FEW = 6
"""So few are proposed without looking at single turns."""
BREAKING_MAX = 2
"""Candidates whose breaking transitions are asked for at once."""
LOOK_FAR_ROUND = 2
"""Before it, long runs are sampled by acceleration; the first round does without."""
HORN_AFTER = "quadratic"
SEARCH_AFTER = "curved_phases"
"""Where Spacer calls the program unsafe, the search for a failing run comes at once."""
HORN_FUEL = 200
"""What one question to the Horn engine counts, at most some tenths of a second."""
CONFIRM_STEPS_MAX = 3_000_000
"""Of a run that is made again to be sure that it fails."""
FAR_STEPS_PER_FUEL = 2_500
"""Of a run that seems to fail far away, by its jumps."""
GUIDED = ("powers", "phases")
"""Rounds after which the state to rule out is asked for sums that exclude it."""


class Entry(Record):
    """A line of the log: what was proposed, why, and what it turned out to be."""

    round: str
    loop: int
    text: str
    source: str
    kind: str


class Outcome(Record):
    outcome: str
    """'solved', 'refuted' or 'open'"""
    invariants: tuple[tuple[str, ...], ...]
    """For each loop what the engine keeps."""
    run: Mapping[str, Value] | None
    """Inputs of a run that fails an obligation, where one is known; it was run again to be sure."""
    run_seed: int
    """Of that run's choices."""
    message: str
    """How that run fails."""
    stopped: bool
    """Whether it was told to stop, or its fuel was used up."""
    proposals: int
    rounds: int
    fuel: int
    log: tuple[Entry, ...]


class Agent:
    """Plays one level. The same seed plays the same game, whatever the machine, unless its door says that it is time to stop."""

    def __init__(
        self,
        door: Door,
        seed: int = 0,
        fuel_max: int = FUEL_MAX,
        tell: Callable[[str], None] = lambda _: None,
        given: Sequence[tuple[int, str]] = (),
    ) -> None:
        """`given`: for each loop's number, expressions that others have proposed."""
        self.door = door
        self.given = given
        self.program = door.program
        self.seed = seed
        self.fuel_max = fuel_max
        self.far_steps_max = FAR_STEPS_PER_FUEL * fuel_max
        self.tell = tell
        self.log: list[Entry] = []
        self.proposals = 0
        self.rounds = 0
        self.horn_fuel = 0
        self.seems_unsafe = False
        self.views: list[View] = []
        self.pool: dict[tuple[int, str], Candidate] = {}
        """True in all states seen, not yet accepted."""
        self.judged: dict[tuple[int, str], tuple[int, Kind]] = {}
        """What was proposed in vain, with how much was known then and what it was."""
        self.seen: set[tuple[int, str]] = set()
        self._turns: dict[int, Turns] = {}

    def play(self) -> Outcome:
        feedback = self.door.feedback()
        if feedback.solved:
            return self._outcome("solved")
        if feedback.failing is not None:
            return self._refuted(feedback.failing.inputs, feedback.failing.seed)
        if feedback.too_large or not self.program.loops:
            return self._outcome("open")
        further = self._look()
        if further.failing is not None:
            return self._refuted(*further.failing)
        minds = [Mind(self.program, view) for view in self.views]
        for loop, wording in self.given:
            self.offer(self.views[loop - 1], [(wording, "proposed by others")])
        for name in Mind.ROUNDS:
            if self._over():
                break
            self._begin(name)
            if self.rounds == LOOK_FAR_ROUND:
                far = self._look_far()
                if far is not None:
                    return far
            for mind in minds:
                self.offer(mind.view, getattr(mind, name)())
            if self.propose_powers() if name == "powers" else self.propose():
                return self._outcome("solved")
            if (name in GUIDED and self._by_sums(minds)) or (name == HORN_AFTER and self._by_horn()):
                return self._outcome("solved")
            failing = self.door.feedback().failing
            if failing is not None:
                return self._refuted(failing.inputs, failing.seed)
            against = self._search(minds[0]) if name == (HORN_AFTER if self.seems_unsafe else SEARCH_AFTER) else None
            if against is not None:
                return against
        shown = self._run_shown()
        if shown is not None:
            return shown
        for last in (self._by_products, self._thoroughly, self._by_clauses):
            if not self._over() and last(minds):
                return self._outcome("solved")
        return self._outcome("open")

    def _look(self) -> sampling.Sample:
        seen = seen_names(self.program)
        self.views = [View(self.program, loop, self.door.pool, seen) for loop in self.program.loops]
        further = sampling.more(self.program, self.door.pool, self.seed)
        for view, rows in zip(self.views, further.rows, strict=True):
            view.add(rows)
        return further

    def _look_far(self) -> Outcome | None:
        """States late in long runs; a run that seems to fail there is made in full."""
        failing = sampling.failing_far(self.program, self.door.pool, self.seed)
        if failing is not None:
            return self._confirmed(*failing)
        for number, far in enumerate(long_runs(self.program, self.views)):
            for view in self.views:
                view.add([(row, number) for loop, row in far.rows if loop == view.number])
            if far.seems_to_fail and far.turns < self.far_steps_max:
                found = self._confirmed(far.inputs, 0, self.far_steps_max)
                if found is not None:
                    return found
        return None

    def _search(self, mind: Mind) -> Outcome | None:
        """A run that fails within the first turns of the first loop, from whatever inputs: the engine searches with a solver."""
        for claim in mind.to_be_kept():
            found = self.door.run_against(mind.view.number, print_expression(claim)) if not self._over() else None
            failing = None if found is None else self._confirmed(*found)
            if failing is not None:
                return failing
        return None

    def _run_shown(self) -> Outcome | None:
        """The run from the inputs that the state to be ruled out names: it may fail later than usual runs go."""
        shown = self.door.feedback().to_rule_out
        if shown is None or self._over():
            return None
        inputs = {name: shown.state.get(f"old({name})", shown.state.get(name)) for name in self.program.params}
        known = {name: value for name, value in inputs.items() if value is not None}
        return self._confirmed(known, 0) if len(known) == len(inputs) else None

    def _begin(self, name: str) -> None:
        self.rounds += 1
        self.round = name
        self.tell(f"round {self.rounds}: {name.replace('_', ' ')}; {len(self.door.known)} invariants")

    @property
    def fuel_spent(self) -> int:
        return self.door.fuel_spent + self.horn_fuel

    def _over(self) -> bool:
        return self.fuel_spent > self.fuel_max or self.door.should_stop()

    def _outcome(self, outcome: str, run: Mapping[str, Value] | None = None, seed: int = 0, message: str = "") -> Outcome:
        if outcome == "solved":
            self.door.tidy()
        known = self.door.known
        texts = tuple(tuple(each.text for each in known if each.loop == loop.number) for loop in self.program.loops)
        stopped = outcome == "open" and self._over()
        return Outcome(outcome, texts, run, seed, message, stopped, self.proposals, self.rounds, self.fuel_spent, tuple(self.log))

    def _refuted(self, inputs: Mapping[str, Value], seed: int = 0) -> Outcome:
        return self._confirmed(inputs, seed) or self._outcome("open")

    def _confirmed(self, inputs: Mapping[str, Value], seed: int, steps_max: int = CONFIRM_STEPS_MAX) -> Outcome | None:
        """Refuted, where the run is made again and fails; in growing portions, so that it can be told to stop."""
        steps = min(CONFIRM_STEPS_MAX, steps_max)
        while True:
            run = self.program.run(inputs, seed=seed, limits=RunLimits(steps_max=steps), record=False)
            if run.outcome.kind == "failed":
                return self._outcome("refuted", inputs, seed, run.message)
            if run.outcome.kind != "bound" or steps >= steps_max or self.door.should_stop():
                return None
            steps = min(3 * steps, steps_max)

    # offering and proposing

    def offer(self, view: View, ideas: Iterable[Idea]) -> None:
        """Takes the ideas that are new expressions of the loop and true in every state seen."""
        fresh: list[Candidate] = []
        for idea, source in ideas:
            wording = idea if isinstance(idea, str) else print_expression(idea)
            if (view.number, wording) in self.seen:
                continue
            self.seen.add((view.number, wording))
            try:
                expr, kind = self.program.expression(wording, view.number)
            except SipError:
                continue
            canonical = print_expression(expr)
            new = canonical == wording or (view.number, canonical) not in self.seen
            if kind is Type.BOOL and new and view.changing & names_and_olds(expr) and not _plainly_true(expr):
                self.seen.add((view.number, canonical))
                fresh.append(Candidate(view.number, canonical, expr, source, source in REPHRASED))
        for each, holds in zip(fresh, view.holding([each.expr for each in fresh]), strict=True):
            if holds:
                self.pool[view.number, each.text] = each

    def turns(self, view: View) -> Turns:
        if view.number not in self._turns:
            self._turns[view.number] = Turns(view, self.seed)
        return self._turns[view.number]

    def propose(self) -> bool:
        """Hands the engine what may be inductive. True: solved."""
        known = self.door.known
        batch: list[Candidate] = []
        once_more: list[Candidate] = []
        for view in self.views:
            offered = [each for each in self.pool.values() if each.loop == view.number]
            accepted = [self.program.expression(each.text, each.loop)[0] for each in known if each.loop == view.number]
            if len(offered) <= FEW and view.number not in self._turns:
                kept = telling = [True] * len(offered)
            else:
                kept, telling = self.turns(view).sifted([each.expr for each in offered], accepted)
            for each, survives, tells in zip(offered, kept, telling, strict=True):
                before, kind = self.judged.get((each.loop, each.text), (-1, Kind.UNKNOWN))
                if survives and before < len(known) and (tells or each.rephrases):
                    batch.append(each)
                elif survives and kind is Kind.POTENTIAL and _is_equation(each.expr):
                    once_more.append(each)
        # An equation that failed alone may be what a new one needs, and the other way round.
        if batch:
            batch += once_more[:ONCE_MORE_MAX]
        # What others are likely to need goes with each part of a large batch.
        needed = [each for each in batch if _is_equation(each.expr)][: BATCH_MAX // 2] if len(batch) > BATCH_MAX else []
        rest = sorted((each for each in batch if each not in needed), key=lambda each: size(each.expr))
        for start in range(0, max(1, len(rest)), BATCH_MAX):
            if not batch or self._over():
                return False
            left = [each for each in needed if (each.loop, each.text) in self.pool]
            if self.propose_batch([*left, *rest[start : start + BATCH_MAX]]):
                return True
        return False

    def propose_powers(self) -> bool:
        """Few, but hard to prove: the wording that helps others together with those, then the plain one, then what was unknown."""
        by_source: dict[str, list[Candidate]] = {POWERS: [], IN_STEPS: [], BESIDE_POWERS: []}
        for each in self.pool.values():
            by_source.get(each.source, []).append(each)
        if not by_source[POWERS]:
            return self.propose()
        equations = [each for each in self.pool.values() if _is_equation(each.expr)][:THOROUGH_BATCH]
        helpful = [*by_source[IN_STEPS], *by_source[BESIDE_POWERS], *equations]
        if (helpful and self.propose_batch(helpful)) or self.propose():
            return True
        plain = [each for each in by_source[POWERS] if (each.loop, each.text) in self.pool]
        return bool(plain) and (self.propose_batch(plain, thorough=True) or self.propose() or self._retry_unknown())

    def propose_batch(self, batch: Sequence[Candidate], thorough: bool = False) -> bool:
        verdict = self.door.propose_many([(each.loop, each.text) for each in batch], thorough)
        self.proposals += len(batch)
        kinds = dict(verdict.kinds)
        known = len(self.door.known)
        for each in batch:
            kind = kinds.get(Fact(each.loop, each.text), Kind.UNKNOWN)
            self.log.append(Entry(self.round, each.loop, each.text, each.source, str(kind)))
            if kind in (Kind.POTENTIAL, Kind.UNKNOWN):
                self.judged[each.loop, each.text] = (known, kind)
            else:
                self.pool.pop((each.loop, each.text), None)
        return (self.door.look_again() if thorough else self.door.feedback()).solved

    # the last rounds

    def _thoroughly(self, _: Sequence[Mind]) -> bool:
        self._begin("thoroughly")
        if self.door.look_again().solved:
            return True
        before = -1
        while len(self.door.known) > before:
            before = len(self.door.known)
            if self._retry_unknown():
                return True
        return False

    def _retry_unknown(self) -> bool:
        """What was unknown once more, with all that the prover can do; where that helps, the rest may follow."""
        unknown = [each for key, each in self.pool.items() if self.judged.get(key, (0, Kind.POTENTIAL))[1] is Kind.UNKNOWN]
        unknown.sort(key=lambda each: (isinstance(each.expr, Binary) and each.expr.op == "->", size(each.expr)))
        for start in range(0, len(unknown), THOROUGH_BATCH):
            if self._over():
                return False
            before = len(self.door.known)
            if self.propose_batch(unknown[start : start + THOROUGH_BATCH], thorough=True):
                return True
            if len(self.door.known) > before and self.propose():
                return True
        return False

    def _by_clauses(self, minds: Sequence[Mind]) -> bool:
        """Rules out the states that the engine shows, one after the other."""
        self._begin("clauses")
        bad: dict[int, list[Mapping[str, Value]]] = {}
        for _ in range(CLAUSE_STEPS_MAX):
            shown = self.door.feedback().to_rule_out
            if shown is None or self._over():
                return False
            bad.setdefault(shown.loop, []).append(shown.state)
            before = len(self.door.known)
            self._offer_against(minds, shown, bad[shown.loop])
            if self.propose():
                return True
            if len(self.door.known) == before and not self._widen(minds, bad):
                return False
        return False

    def _by_horn(self) -> bool:
        """What Spacer holds to be the invariants of a linear program, part by part; they are guesses as any."""
        if self._over():
            return False
        answer = horn.ask(self.program)
        if answer.status == "refused":
            return False
        self.horn_fuel += HORN_FUEL
        self.seems_unsafe = answer.status == "unsafe"
        if answer.status != "safe":
            return False
        self._begin("horn_clauses")
        for view, found in zip(self.views, answer.invariants, strict=True):
            self.offer(view, ((each, "part of Spacer's solution of the Horn clauses") for each in found))
        return self.propose()

    def _by_products(self, minds: Sequence[Mind]) -> bool:
        shown = self.door.feedback().to_rule_out
        if shown is None:
            return False
        self._begin("products")
        known = [self.program.expression(each.text, shown.loop)[0] for each in self.door.known if each.loop == shown.loop]
        facts = [part for each in (*self.program.level.pres, *known) for part in separate_claims(each)]
        mind = minds[shown.loop - 1]
        self.offer(mind.view, mind.products_against(facts, shown.state))
        return self.propose()

    def _by_sums(self, minds: Sequence[Mind]) -> bool:
        """Bounds of sums that rule out the state shown or, where none is, what breaks the guarantee's own candidates."""
        shown = self.door.feedback().to_rule_out
        bad = [(shown.loop, shown.state)] if shown is not None else []
        if not bad:
            potential = [each for each in self.pool.values() if each.source.startswith("the guarantee")]
            for each in potential[-BREAKING_MAX:]:
                transition = self.door.transition(each.loop, each.text)
                bad += [(each.loop, transition.before)] if transition is not None and not transition.at_entry else []
        if not bad:
            return False
        self._begin("sums")
        for loop, state in bad:
            self.offer(minds[loop - 1].view, minds[loop - 1].sums_against(state))
        return self.propose()

    def _offer_against(self, minds: Sequence[Mind], shown: ToRuleOut, bad: Sequence[Mapping[str, Value]]) -> None:
        mind = minds[shown.loop - 1]
        self.offer(mind.view, mind.against(bad))

    def _widen(self, minds: Sequence[Mind], bad: dict[int, list[Mapping[str, Value]]]) -> bool:
        """Nothing was accepted: what breaks the latest proposals has to be ruled out, too. False: nothing new is learnt."""
        learnt = False
        for entry in [each for each in self.log[-BATCH_MAX:] if each.kind == str(Kind.POTENTIAL)][:4]:
            transition = self.door.transition(entry.loop, entry.text)
            states = bad.setdefault(entry.loop, [])
            if transition is not None and not transition.at_entry and transition.before not in states:
                states.append(transition.before)
                mind = minds[entry.loop - 1]
                self.offer(mind.view, mind.against(states))
                learnt = True
        return learnt


def _is_equation(expr: Expr) -> bool:
    return isinstance(expr, Compare) and expr.ops == ("=",)


def _plainly_true(expr: Expr) -> bool:
    return isinstance(expr, Compare) and len(expr.ops) == 1 and expr.operands[0] == expr.operands[1]
