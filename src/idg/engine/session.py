"""A session: one program, its books, and everything that was proposed. It is pleasant to use in a notebook."""

from __future__ import annotations

from idg.engine.books import Books
from idg.engine.engine import Engine
from idg.engine.results import BatchVerdict, Board, Fact, Feedback, Verdict, inductive_facts, potential_facts, unknown_facts
from idg.engine.telling.messages import (
    Message,
    explain_message,
    fact_told,
    feedback_message,
    message,
    message_html,
    transition_message,
)
from idg.engine.termination.messages import endless_message, measure_message
from idg.engine.termination.reports import measure_report
from idg.engine.termination.results import Ending, Measure, MeasureVerdict
from idg.engine.wire.build import proposal_answer
from idg.engine.wire.codec import Json, encode
from idg.prover.prove import Prover
from idg.sip.program import Program, load


class Session:
    """One game with the engine: `session = Session(program)`, then `session.propose("sqr = (cnt+1)^2")` until `session.solved`.

    It takes a program or its text. `feedback` says where the program stands, with a state to rule out; `books` are the facts that
    are known so far, as an immutable value; `history` has the results of all single proposals.
    """

    def __init__(self, program: Program | str, prover: Prover | None = None) -> None:
        self.program = load(program) if isinstance(program, str) else program
        self.engine = Engine(self.program, prover)
        self.books: Books = self.engine.start()
        self.feedback: Feedback
        self.feedback, self.books = self.engine.feedback(self.books)
        self.history: list[Verdict] = []

    @property
    def solved(self) -> bool:
        """Whether the inductive invariants prove every obligation of the program."""
        return self.feedback.solved

    @property
    def inductive(self) -> tuple[Fact, ...]:
        """The invariants that are proved, of all loops."""
        return inductive_facts(self.books)

    @property
    def potential(self) -> tuple[Fact, ...]:
        """The expressions, of all loops, that no run breaks and that are not proved to be inductive."""
        return potential_facts(self.books)

    @property
    def unknown(self) -> tuple[Fact, ...]:
        """The expressions about which nothing could be established, of all loops."""
        return unknown_facts(self.books)

    def propose(self, text: str, loop: int = 1) -> SessionAnswer:
        """Judge an expression and update the books. Raises `SipError` where the text is no Boolean expression about this loop."""
        result = self.engine.propose(self.books, text, loop)
        changed = result.books != self.books
        self.books = result.books
        if changed or result.feedback.solved:
            self.feedback = result.feedback
        self.history.append(result)
        return SessionAnswer(result, self.program)

    def propose_measure(self, text: str, loop: int = 1) -> MeasureAnswer:
        """Judge a measure, such as `n - i` or `decreases x, y`. Raises `SipError` where the text is no measure of this loop."""
        verdict = self.engine.propose_measure(self.books, text, loop)
        self.books = verdict.books
        return MeasureAnswer(verdict, self.program)

    @property
    def measures(self) -> tuple[Measure, ...]:
        """The measures that are proved to fall, of all loops. Those that wait are tried again with what is proved by now."""
        _, self.books = self.engine.measures_again(self.books)
        return tuple(Measure(number, loop.measure) for number, loop in enumerate(self.books.loops, 1) if loop.measure)

    def ending(self) -> Ending:
        """Whether every run ends: by the measures of all loops, or with a run that never ends, or open."""
        self.books = self.engine.measures_again(self.books)[1]
        return self.engine.ending(self.books)

    def known_ending(self) -> Ending:
        """Whether every run ends, by what was proposed in this session. No run that never ends is looked for."""
        return self.engine.known_ending(self.books)

    def measures_again(self) -> tuple[Measure, ...]:
        """The measures that waited and that are proved to fall by now."""
        proved, self.books = self.engine.measures_again(self.books)
        return proved

    def claim_endless(self, text: str) -> Message:
        """Judge the claim that a run never ends, such as `endless x = 3`. Raises `InputError` where it names no run."""
        verdict = self.engine.propose_endless(self.books, text)
        self.books = verdict.books
        return endless_message(verdict, self.program)

    def propose_many(self, texts: list[str], loop: int = 1) -> BatchVerdict:
        """Judge several expressions together, so that facts which need each other are proved together."""
        verdict = self.engine.propose_many(self.books, [(loop, text) for text in texts])
        self.books, self.feedback = verdict.books, verdict.feedback
        return verdict

    def why(self, text: str, loop: int = 1) -> Message:
        """Why a potential invariant is not inductive yet: one turn of the loop that breaks it, where such a turn is found."""
        fact = self.engine.inquiry.fact(loop, text)
        return transition_message(self.engine.why_not(self.books, text, loop), fact, self.program)

    def another_state(self) -> Message:
        """Another state to rule out."""
        self.feedback, self.books = self.engine.another_state(self.books)
        return feedback_message(self.feedback, self.program)

    def explain(self) -> Message:
        """Which invariants the proof of each obligation uses."""
        return explain_message(self.engine.explain(self.books), self.program)

    def board(self) -> Board:
        """Which facts carry which part of the goal, and what waits for what, as data."""
        return self.engine.board(self.books)

    def __str__(self) -> str:
        def listed(facts: tuple[Fact, ...]) -> str:
            return "".join(f"\n  {fact_told(fact, self.feedback, self.program)}" for fact in facts) or "\n  (none)"

        status = str(feedback_message(self.feedback, self.program))
        unknown = f"unknown:{listed(self.unknown)}\n" if self.unknown else ""
        return f"inductive:{listed(self.inductive)}\npotential:{listed(self.potential)}\n{unknown}{status}"

    def _repr_html_(self) -> str:
        from idg.engine.telling.pictures import fact_lists
        from idg.sip.running.tables import html_program

        lists = {"inductive": self.inductive, "potential": self.potential, "unknown": self.unknown}
        facts = fact_lists({name: [fact_told(fact, self.feedback, self.program) for fact in own] for name, own in lists.items()})
        standing = message_html(feedback_message(self.feedback, self.program), "solved" if self.solved else "")
        return html_program(str(self.program)) + facts + standing


class _PrintedAnswer:
    """What both kinds of answers do: printing one, or showing it in a notebook, shows its message."""

    @property
    def message(self) -> Message:
        """The answer in plain English, with tables."""
        raise NotImplementedError

    @property
    def kind(self) -> str:
        """What was proposed turned out to be this."""
        raise NotImplementedError

    def __str__(self) -> str:
        return str(self.message)

    def _repr_html_(self) -> str:
        return f"<div><code>{self.kind}</code></div>{message_html(self.message, self.kind)}"


class MeasureAnswer(_PrintedAnswer):
    """The answer to a proposed measure. `result` has it as data; printing it shows the message."""

    def __init__(self, result: MeasureVerdict, program: Program) -> None:
        self.result = result
        self.program = program

    @property
    def kind(self) -> str:
        """What the measure is, such as `"falls"`."""
        return str(self.result.kind)

    @property
    def message(self) -> Message:
        """The answer in plain English, with tables."""
        return measure_message(self.result, self.program)

    def as_json(self) -> Json:
        """The answer as data; docs/engine.md explains the fields."""
        return encode(measure_report(self.result, self.program))

    def __repr__(self) -> str:
        return f"<{self.kind}: decreases {self.result.measure.text}>"


class SessionAnswer(_PrintedAnswer):
    """The answer to a proposal. `result` has it as data; printing it shows the message."""

    def __init__(self, result: Verdict, program: Program) -> None:
        self.result = result
        self.program = program

    @property
    def kind(self) -> str:
        """What the proposal is, such as `"inductive"`."""
        return str(self.result.kind)

    @property
    def message(self) -> Message:
        """The answer in plain English, with tables."""
        return message(self.result, self.program)

    def as_json(self) -> Json:
        """The answer as data; docs/engine.md explains the fields."""
        return encode(proposal_answer(self.result, self.program))

    def __repr__(self) -> str:
        return f"<{self.kind}: {self.result.fact.text}>"
