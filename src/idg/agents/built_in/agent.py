"""The built-in agent: rounds of candidates, from cheap to dear, until the engine says that the program is solved or refuted.

The agent only guesses: the engine judges whatever it proposes, and a run that seems to fail is repeated before it counts.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from idg.agents.built_in.engine_access import EngineAccess, LocalEngine
from idg.agents.built_in.loop_ideas import LoopIdeas
from idg.agents.built_in.proposer import BATCH_MAX, Proposer
from idg.agents.built_in.results import AgentResult, HowItEnded
from idg.agents.built_in.rounds import ROUNDS, Round
from idg.agents.built_in.shrinking import shrunk, with_choices
from idg.agents.built_in.states import sampling, spreading, steering
from idg.agents.built_in.states.long_runs import long_runs
from idg.agents.built_in.states.loop_view import LoopView, seen_names
from idg.engine.results import Fact, FailingRun, Kind, SecondCheck
from idg.engine.states.runs import RunsStopped
from idg.prover import horn
from idg.sip.limits import RunLimits
from idg.sip.program import load
from idg.sip.record import replace
from idg.sip.running.chooser import ScriptError
from idg.sip.running.runner import RunStart
from idg.sip.text.printer import print_expression
from idg.sip.trees.entry import inputs_told
from idg.sip.trees.logic import separate_claims
from idg.sip.values import InputError, Value

FUEL_MAX = 60_000
"""Fuel of a whole game. One unit is some milliseconds of proving on an ordinary machine, so a game ends after a few minutes at
most."""
CLAUSE_STEPS_MAX = 12
"""States that the last round rules out, one after the other."""
BREAKING_MAX = 2
"""Candidates for which the agent asks, before bounds of sums are made, which transition breaks them."""
WIDENING_MAX = 4
"""Failed candidates for which the agent asks, in the last round, which transition breaks them."""
HORN_FUEL = 200
"""Fuel that one question to the Horn engine counts. It takes some tenths of a second at most, because its own budget is bounded."""
HORN_FIRST_RLIMIT, HORN_FIRST_FUEL = 20_000, 10
"""z3's resource count for the first question to Spacer, and its fuel. With so much it answers most linear programs that it answers
at all, in some ten milliseconds."""
EFFORT_GROWTHS_MAX = 2
"""Growths that double the prover's effort. Later ones change the runs only, because a single question would take too long."""
SHORT_SHARE = 4
"""The game on the same program with short arrays may use the fuel divided by this."""
GROWTH_FUEL = 100
"""Fuel that the first growth counts for its runs, doubled with each further one, so that even a game without proposals ends."""
CONFIRM_STEPS_MAX = 3_000_000
"""Steps of the first attempt to repeat a run that seems to fail: a few seconds."""
STEPS_PER_FUEL = 2_500
"""Steps that a long run may take when it is repeated, for each unit of the game's fuel: about as long as a unit takes to prove."""


class Agent:
    """Plays one program: its helpers first, each by itself, and then the level.

    The same seed plays the same game on every machine, unless the engine's `should_stop` ends it.
    """

    def __init__(
        self,
        engine: EngineAccess,
        seed: int = 0,
        fuel_max: int = FUEL_MAX,
        tell: Callable[[str], None] = lambda _: None,
        given: Sequence[tuple[int, str]] = (),
        grows: bool = False,
        grown: bool = False,
        spacer_first: bool = False,
    ) -> None:
        """`tell` gets a line for each round; `given` are expressions that others have proposed, each with the number of its
        loop. An agent that `grows` plays all rounds again, with more runs and more effort, until its fuel or its time is used
        up; one that has `grown` begins with more of both, and looks for a failing run first. With `spacer_first`, Spacer is
        asked before anything else, with a small budget: mostly quicker, but its invariants are harder to read.
        """
        self.engine = engine
        self.program = engine.program
        self.seed = seed
        self.fuel_max = fuel_max
        self.tell = tell
        self.given = given
        self.grows = grows
        self.spacer_first = spacer_first
        self.grown = grown
        self.growth = 0
        """How often all rounds were played in vain."""
        self.round_names: list[str] = []
        self.views: list[LoopView] = []
        """One for each loop of the level; filled when the game begins, and shared with the proposer."""
        self.loop_ideas: dict[int, LoopIdeas] = {}
        """The ideas for each loop of the level, by its number."""
        self.proposer = Proposer(engine, self.views, seed, self._over)
        self._own_fuel = 0
        """What was spent besides proposals: on questions to Spacer, and on growing."""
        self._tried_by_helpers = 0
        self._seems_unsafe = False
        self._searched = False

    def play(self) -> AgentResult:
        try:
            return self._play()
        except RunsStopped:
            return self._result("open")

    def _play(self) -> AgentResult:
        if self.spacer_first and self._is_proved_by_spacer():
            return self._proved()
        result = self._play_with_short_arrays()
        if result is not None:
            return result
        feedback = self.engine.feedback()
        if feedback.solved:
            return self._proved()
        if feedback.failing is not None:
            return self._refuted(feedback.failing)
        if feedback.too_large or feedback.nothing_to_prove:
            return self._result("open")
        unproved = self._play_helpers()
        if unproved is not None:
            return unproved
        if self.engine.feedback().solved:
            return self._proved()
        if not self.program.info.level.loops:
            return self._result("open")
        sample = self._look()
        if sample.failing is not None:
            return self._confirmed(sample.failing) or self._result("open")
        self.loop_ideas = {view.number: LoopIdeas(self.program, view) for view in self.views}
        for loop, wording in self.given:
            if loop in self.loop_ideas:
                self.proposer.offer(self.loop_ideas[loop].view, [(wording, "proposed by others")])
        result = (self._grow() or self._search() if self.grown else None) or self._play_rounds()
        while result is None and self.grows and not self._over():
            result = self._grow() or self._play_rounds()
        return result or self._result("open")

    def _play_rounds(self) -> AgentResult | None:
        """The result of the game, where one of the rounds decides it."""
        for round_ in ROUNDS:
            if self._over():
                return None
            if round_.about_arrays and not any(view.arrays for view in self.views):
                continue
            result = self._play_round(round_)
            if result is not None:
                return result
        return self._play_last_rounds()

    def _grow(self) -> AgentResult | None:
        """More states and more effort for the next time that all rounds are played. The result, where a run fails on the way."""
        self.growth += 1
        self._own_fuel += GROWTH_FUEL << self.growth
        self.engine.grow(1 << min(self.growth, EFFORT_GROWTHS_MAX))
        self._searched = self._seems_unsafe = False
        sample = sampling.grown_sample(self.program, self.engine.runs, self.seed, self.growth, self._over)
        for view, rows in zip(self.views, sample.rows, strict=True):
            view.add(rows)
        self.proposer.renew()
        self.loop_ideas = {view.number: LoopIdeas(self.program, view) for view in self.views}
        return None if sample.failing is None else self._confirmed(sample.failing)

    def _play_helpers(self) -> AgentResult | None:
        """Plays the helpers with loops that are not proved yet, those called first. The result where one stays unproved."""
        for helper in self.engine.helpers():
            if helper.feedback().solved:
                continue
            self.tell(f"helper {helper.program.level.name}")
            agent = Agent(helper, self.seed, self.fuel_max, self.tell, self.given, self.grows)
            result = agent.play()
            self.round_names += result.round_names
            self._tried_by_helpers += result.tried
            self.proposer.proposals += result.proposals
            self.proposer.log += result.log
            self._own_fuel += agent._own_fuel
            if result.outcome == "refuted":
                assert result.run is not None
                return self._helper_fails(replace(result.run, function=helper.program.level.name), result.message)
            if result.outcome != "solved":
                return self._result("open")
        return None

    def _play_round(self, round_: Round) -> AgentResult | None:
        """The result of the game, where this round decides it."""
        self._begin(round_.name)
        if round_.looks_far:
            result = self._look_far()
            if result is not None:
                return result
        if round_.spreads and self.engine.runs.chooses:
            result = self._spread()
            if result is not None:
                return result
        for ideas in self.loop_ideas.values():
            self.proposer.offer(ideas.view, round_.ideas(ideas))
        if (
            round_.propose(self.proposer)
            or (round_.bounds_sums and self._propose_sums())
            or (round_.asks_spacer and self._propose_horn_solution())
        ):
            return self._proved()
        failing = self.engine.shown().failing
        if failing is not None:
            return self._refuted(failing)
        if (round_.asks_spacer and self._seems_unsafe) or (round_.searches and not self._searched):
            return self._search()
        return None

    def _play_last_rounds(self) -> AgentResult | None:
        """What is tried when no idea is left: the run that the engine's state suggests, and rounds guided by that state."""
        result = self._run_shown()
        if result is not None:
            return result
        for play_round in (self._propose_products, self._propose_thoroughly, self._propose_clauses):
            if not self._over() and play_round():
                return self._proved()
        return None

    def _begin(self, name: str) -> None:
        self.round_names.append(name)
        self.proposer.round = name
        self.tell(f"round {len(self.round_names)}: {name.replace('_', ' ')}; {len(self.engine.known)} invariants")

    @property
    def fuel_spent(self) -> int:
        return self.engine.fuel_spent + self._own_fuel

    def _over(self) -> bool:
        return self.fuel_spent > self.fuel_max or self.engine.should_stop()

    # runs

    def _look(self) -> sampling.Sample:
        seen = seen_names(self.program)
        self.views[:] = [LoopView(self.program, loop, self.engine.runs, seen) for loop in self.program.info.level.loops]
        sample = sampling.further_runs(self.program, self.engine.runs, self.seed, self._over)
        for view, rows in zip(self.views, sample.rows, strict=True):
            view.add(rows)
        return sample

    def _look_far(self) -> AgentResult | None:
        """Adds states that only long runs reach. Where such a run seems to fail, it is made in full: the result, if it does
        fail."""
        failing = sampling.failing_far(self.program, self.engine.runs, self.seed, self._over)
        if failing is not None:
            return self._confirmed(failing)
        for view in self.views if self.engine.runs.chooses else ():
            view.add(sampling.explored_rows(self.engine.runs, view.number))
        steps_max = STEPS_PER_FUEL * min(self.fuel_max, FUEL_MAX)
        for number, run in enumerate(long_runs(self.program, self.views)):
            for view in self.views:
                view.add([(row, number) for loop, row in run.rows if loop == view.number])
            if run.seems_to_fail and run.turns < steps_max:
                result = self._confirmed(RunStart(run.inputs), steps_max)
                if result is not None:
                    return result
        return None

    def _spread(self) -> AgentResult | None:
        """Adds states that runs reach which go on from one new state to the next. The result, where such a run fails."""
        runs = spreading.SPREADING_RUNS << self.growth
        self._own_fuel += runs // spreading.RUNS_PER_FUEL
        known = sampling.known_inputs(self.engine.runs)
        sample = spreading.spread(self.program, known, self.seed + self.growth, runs, self._over)
        for view, rows in zip(self.views, sample.rows, strict=True):
            view.add(rows)
        return None if sample.failing is None else self._confirmed(sample.failing)

    def _search(self) -> AgentResult | None:
        """A run that fails within the first turns of a loop, from any start: the engine searches for it with a solver."""
        self._searched = True
        for ideas in self.loop_ideas.values():
            for claim in ideas.to_be_kept():
                start = self.engine.run_against(ideas.view.number, print_expression(claim)) if not self._over() else None
                result = None if start is None else self._confirmed(start)
                if result is not None:
                    return result
        further = sampling.failing_by_choice(self.program, self.engine.runs, self.seed, sampling.FAR_LIMITS, self._over)
        result = None if further is None else self._confirmed(further)
        if result is not None:
            return result
        aims = [aim for ideas in self.loop_ideas.values() for aim in steering.unseen(ideas.view, ideas.comparisons)]
        return self._steer(aims[: steering.AIMS_MAX << self.growth])

    def _steer(self, aims: Sequence[steering.Aim]) -> AgentResult | None:
        """A run that fails, among runs that are steered towards each of the aims."""
        known = sampling.known_inputs(self.engine.runs)
        for aim in aims:
            seed, runs = self.seed + self.growth, steering.STEERED_RUNS << self.growth
            self._own_fuel += runs // steering.RUNS_PER_FUEL
            start = steering.failing_run(self.program, aim, known, seed, runs, self._over)
            result = None if start is None else self._confirmed(start)
            if result is not None:
                return result
        return None

    def _run_shown(self) -> AgentResult | None:
        """Makes runs from the inputs in the state that is left to rule out: one may reach it, or fail later than usual runs go."""
        shown = self.engine.shown().to_rule_out
        if shown is None or shown.loop not in self.loop_ideas or self._over():
            return None
        inputs = inputs_told(shown.state, self.program.params)
        if len(inputs) < len(self.program.params):
            return None
        aim = steering.towards(self.loop_ideas[shown.loop].view, shown.state, self.program) if self.engine.runs.explores else None
        return self._confirmed(RunStart(inputs)) or (None if aim is None else self._steer([aim]))

    def _refuted(self, failing: FailingRun) -> AgentResult:
        if failing.function in ("", self.program.level.name):
            return self._confirmed(failing.start) or self._result("open")
        return self._helper_fails(failing.start, self.program.repeat(failing.start).message)

    def _helper_fails(self, start: RunStart, message: str) -> AgentResult:
        """A helper that fails alone leaves the program open: it cannot be proved, but perhaps no run of it calls the helper so.

        Therefore such a run of the program is searched for. Where none is found, the result is 'open', with the helper's own run.
        """
        if not self.program.info.level.loops:
            return self._result("open", start, message)
        self.tell(f"a run of the program in which {start.function} fails")
        sample = self._look()
        failing = sample.failing or sampling.failing_far(self.program, self.engine.runs, self.seed, self._over)
        self.loop_ideas = {view.number: LoopIdeas(self.program, view) for view in self.views}
        result = (None if failing is None else self._confirmed(failing)) or self._search()
        return result or self._result("open", start, message)

    def _confirmed(self, start: RunStart, steps_max: int = CONFIRM_STEPS_MAX) -> AgentResult | None:
        """The result 'refuted', where the run from this start is repeated and fails.

        The number of steps grows from attempt to attempt, so that the agent can be stopped in between.
        """
        steps = min(CONFIRM_STEPS_MAX, steps_max)
        while True:
            run = self.program.repeat(start, limits=RunLimits(steps_max=steps), record=False)
            if run.outcome.kind == "failed":
                return self._result("refuted", start, run.message)
            if run.outcome.kind != "bound" or steps >= steps_max or self.engine.should_stop():
                return None
            steps = min(3 * steps, steps_max)

    def _proved(self) -> AgentResult:
        """The result where everything is proved: 'solved', unless the second verifier or a run contradicts."""
        feedback = self.engine.settled()
        if feedback.failing is not None:
            return self._refuted(feedback.failing)
        return self._result("solved" if feedback.solved else "open", check=feedback.second_check)

    def _result(
        self, outcome: HowItEnded, run: RunStart | None = None, message: str = "", check: SecondCheck = SecondCheck.NOT_ASKED
    ) -> AgentResult:
        known = self.engine.known
        texts = tuple(tuple(fact.text for fact in known if fact.loop == loop.number) for loop in self.program.loops)
        stopped = outcome == "open" and self._over()
        proposals, log = self.proposer.proposals, tuple(self.proposer.log)
        rounds, tried = tuple(self.round_names), self.proposer.tried + self._tried_by_helpers
        return AgentResult(outcome, texts, run, message, stopped, proposals, rounds, self.fuel_spent, log, check, tried)

    # rounds that depend on what the engine or Spacer answers; each is true where the program is solved then

    def _propose_sums(self) -> bool:
        """Bounds of sums that rule out the state shown. Where none is shown: states in which the guarantee's own candidates
        break."""
        shown = self.engine.shown().to_rule_out
        bad = [(shown.loop, shown.state)] if shown is not None else []
        if not bad:
            from_guarantee = [
                candidate for candidate in self.proposer.candidates.values() if candidate.source.startswith("the guarantee")
            ]
            for candidate in from_guarantee[-BREAKING_MAX:]:
                transition = self.engine.transition(candidate.loop, candidate.text)
                bad += [(candidate.loop, transition.before)] if transition is not None and not transition.at_entry else []
        if not bad:
            return False
        self._begin("sums")
        for loop, state in bad:
            ideas = self.loop_ideas[loop]
            self.proposer.offer(ideas.view, ideas.sums_against(state))
        return self.proposer.propose()

    def _is_proved_by_spacer(self) -> bool:
        """Whether what Spacer says after a short time is a proof. The engine proves it again, without making any runs."""
        own = self.program.info.level.loops
        if self.engine.known or not own or len(own) < len(self.program.loops):
            return False
        answer = horn.ask(self.program, HORN_FIRST_RLIMIT)
        if answer.status == "refused":
            return False
        self._own_fuel += HORN_FIRST_FUEL
        parts = [
            Fact(loop.number, print_expression(part)) for loop, parts in zip(own, answer.invariants, strict=False) for part in parts
        ]
        if answer.status != "safe" or not self.engine.is_proved_by(parts):
            return False
        self._begin("horn_clauses")
        self.proposer.note(self.engine.known, "part of Spacer's solution of the Horn clauses")
        return True

    def _play_with_short_arrays(self) -> AgentResult | None:
        """The result, where what proves the same program with short arrays proves this one, too, or a run like one of it fails."""
        smaller = None if self.engine.known else shrunk(self.program)
        if smaller is None:
            return None
        self.tell("the same program with short arrays")
        agent = Agent(LocalEngine(load(smaller.text), self.engine.should_stop), self.seed, self.fuel_max // SHORT_SHARE)
        result = agent.play()
        self._own_fuel += agent.fuel_spent
        if result.outcome == "refuted" and result.run is not None and not result.run.function:
            runs = smaller.enlarged_runs(with_choices(agent.program, result.run))
            return next(filter(None, map(self._refuted_as, runs)), None)
        facts = [Fact(loop, smaller.enlarged(fact)) for loop, facts in enumerate(result.invariants, 1) for fact in facts]
        if result.outcome != "solved" or not self.engine.is_proved_by(facts):
            return None
        self._begin("short_arrays")
        self.proposer.note(self.engine.known, "from the same program with short arrays")
        return self._proved()

    def _refuted_as(self, start: RunStart) -> AgentResult | None:
        """The result, where a run from this start fails. What it chooses may not fit, or be more than it needs."""
        try:
            result = self._confirmed(start)
        except (ScriptError, InputError):
            return None
        return None if result is None else replace(result, run=with_choices(self.program, start))

    def _propose_horn_solution(self) -> bool:
        """What Spacer takes for the invariants of a linear program, conjunct by conjunct. They are guesses like any other."""
        if self._over():
            return False
        answer = horn.ask(self.program, horn.RLIMIT << 2 * min(self.growth, EFFORT_GROWTHS_MAX))
        if answer.status == "refused":
            return False
        self._own_fuel += HORN_FUEL
        self._seems_unsafe = answer.status == "unsafe"
        if answer.status != "safe":
            return False
        self._begin("horn_clauses")
        for view, conjuncts_of_loop in zip(self.views, answer.invariants, strict=True):
            self.proposer.offer(view, ((expr, "part of Spacer's solution of the Horn clauses") for expr in conjuncts_of_loop))
        return self.proposer.propose()

    def _propose_products(self) -> bool:
        """Bounds by products of what is known not to be negative, where they rule out the state shown."""
        shown = self.engine.shown().to_rule_out
        if shown is None:
            return False
        self._begin("products")
        known = [self.program.expression(fact.text, shown.loop)[0] for fact in self.engine.known if fact.loop == shown.loop]
        facts = [part for expr in (*self.program.level.pres, *known) for part in separate_claims(expr)]
        ideas = self.loop_ideas[shown.loop]
        self.proposer.offer(ideas.view, ideas.products_against(facts, shown.state))
        return self.proposer.propose()

    def _propose_thoroughly(self) -> bool:
        """What was unknown once more, with full effort, as long as that adds invariants."""
        self._begin("thoroughly")
        feedback = self.engine.look_again()
        if feedback.solved or feedback.nothing_to_prove:
            return True
        known_before = -1
        while len(self.engine.known) > known_before:
            known_before = len(self.engine.known)
            if self.proposer.retry_unknown():
                return True
        return False

    def _propose_clauses(self) -> bool:
        """Clauses that rule out the states that the engine shows, one state after the other."""
        self._begin("clauses")
        bad: dict[int, list[Mapping[str, Value]]] = {}
        for _ in range(CLAUSE_STEPS_MAX << self.growth):
            shown = self.engine.shown().to_rule_out
            if shown is None or self._over():
                return False
            bad.setdefault(shown.loop, []).append(shown.state)
            known_before = len(self.engine.known)
            ideas = self.loop_ideas[shown.loop]
            self.proposer.offer(ideas.view, ideas.against(bad[shown.loop]))
            if self.proposer.propose():
                return True
            if len(self.engine.known) == known_before and not self._widen(bad):
                return False
        return False

    def _widen(self, bad: dict[int, list[Mapping[str, Value]]]) -> bool:
        """Adds the states in which the latest candidates break, because those have to be ruled out, too. False: no state is new."""
        learnt = False
        for entry in [entry for entry in self.proposer.log[-BATCH_MAX:] if entry.kind == str(Kind.POTENTIAL)][:WIDENING_MAX]:
            transition = self.engine.transition(entry.loop, entry.text)
            states = bad.setdefault(entry.loop, [])
            if transition is not None and not transition.at_entry and transition.before not in states:
                states.append(transition.before)
                ideas = self.loop_ideas[entry.loop]
                self.proposer.offer(ideas.view, ideas.against(states))
                learnt = True
        return learnt
