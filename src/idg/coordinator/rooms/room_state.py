"""A room's state: its books, who proposed what, the scores, and the hints. Every change makes a new state."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from idg.coordinator.cache import text_bytes
from idg.coordinator.players.scores import Tally
from idg.coordinator.pool.computing.calls import Summary
from idg.coordinator.pool.json_text import dumps, record_text
from idg.coordinator.rooms.judging.questions import Answered, digest
from idg.coordinator.store.records import TALLY_START
from idg.engine.books import LoopBooks, values_from_json
from idg.engine.results import Fact, Kind
from idg.engine.termination.results import MeasureKind
from idg.engine.wire.answers import FeedbackAnswer, HintAnswer, HintStep
from idg.engine.wire.codec import decode, decode_any
from idg.engine.wire.endings import EndingReport
from idg.engine.wire.events import GivenHint, OwnedFact, OwnedMeasure, ProgramEnded, ProgramSolved, Restored
from idg.sip.record import Record, replace
from idg.sip.text.expressions import DECREASES
from idg.sip.values import Value

FACTS_MAX = 1_000
"""How many facts can be accepted in one sitting of a room."""
FACTS_CHARS_MAX = 150_000
"""How many characters the accepted facts of one sitting of a room may have together."""
AUTHOR_BYTES = 200
"""About how much memory the author of a fact takes."""
HINTS_KEPT = 50
"""How many of the hints that were given in a sitting a room keeps, the newest ones."""
KEPT_KINDS = (Kind.INDUCTIVE, Kind.POTENTIAL, Kind.UNKNOWN)
"""The kinds that put a proposal on the books."""
KEPT_MEASURES = tuple(map(str, (MeasureKind.FALLS, MeasureKind.MAY_NOT_FALL, MeasureKind.UNKNOWN)))
"""The kinds that put a measure on the books."""


class RoomHints(Record):
    """The agent's plan, the fact that the hints are about, how many of its steps were given, and the hints of this sitting."""

    plan: tuple[Fact, ...]
    target: Fact | None
    taken: int
    given: tuple[GivenHint, ...]


class NextHint(Record):
    """The step that follows those given about the same fact, and how many follow it."""

    step: HintStep
    loop: int
    left: int


class NewMarks(Record):
    """The bodies of the events 'solved' and 'ended', where a verdict gives the room these marks."""

    solved: ProgramSolved | None
    ended: ProgramEnded | None


NO_HINTS = RoomHints((), None, 0, ())
"""The hints of a room that has asked for none."""


def author_key(fact: Fact) -> str:
    """A fact as it stands in the authors' table, such as '1: i <= n'."""
    return f"{fact.loop}: {fact.text}"


class RoomState(Record):
    """Stored as one text, with the room's version. Books and feedback stay JSON texts, because they are passed on unread."""

    books: str
    digest: str
    """The digest of the books."""
    feedback: str
    authors: dict[str, str]
    """Fact, as `author_key` writes it → the player who proposed it first in this sitting."""
    tally: Tally
    hints: RoomHints = NO_HINTS
    ending: str = ""
    """What is known of the end of the program's runs, as JSON; empty where nobody has said anything about it in this sitting."""

    @property
    def solved(self) -> bool:
        return self.tally.solved

    @property
    def is_full(self) -> bool:
        """Whether nothing more can be proposed in this sitting. Every verdict lists all facts, so their number is bounded."""
        return len(self.authors) >= FACTS_MAX or sum(map(len, self.authors)) >= FACTS_CHARS_MAX

    @property
    def bytes(self) -> int:
        """About how much memory it takes."""
        authors = AUTHOR_BYTES * len(self.authors) + text_bytes(*self.authors)
        return text_bytes(self.books, self.feedback, self.ending) + authors + self.tally.bytes

    @property
    def loops(self) -> tuple[LoopBooks, ...]:
        """The facts of each loop."""
        loops: tuple[LoopBooks, ...] = decode_any(tuple[LoopBooks, ...], json.loads(self.books)["loops"])
        return loops

    def inductive(self) -> tuple[OwnedFact, ...]:
        return tuple(self._owned(Fact(number, text)) for number, loop in enumerate(self.loops, 1) for text in loop.inductive)

    def potential(self) -> tuple[OwnedFact, ...]:
        return tuple(self._owned(Fact(number, text)) for number, loop in enumerate(self.loops, 1) for text in loop.potential)

    def unknown(self) -> tuple[OwnedFact, ...]:
        return tuple(self._owned(Fact(number, text)) for number, loop in enumerate(self.loops, 1) for text in loop.unknown)

    def measures(self) -> tuple[OwnedMeasure, ...]:
        """The measures of all loops, the proved one of each loop first."""
        return tuple(
            OwnedMeasure(number, text, self.authors.get(author_key(Fact(number, f"{DECREASES} {text}"))), proved)
            for number, loop in enumerate(self.loops, 1)
            for proved, texts in ((True, (loop.measure,) if loop.measure else ()), (False, loop.waiting_measures))
            for text in texts
        )

    @property
    def endless(self) -> Mapping[str, Value] | None:
        """The inputs of a run that was shown never to end."""
        inputs = json.loads(self.books).get("endless")
        return None if inputs is None else values_from_json(inputs)

    def ending_report(self) -> EndingReport | None:
        return decode(EndingReport, json.loads(self.ending)) if self.ending else None

    def _owned(self, fact: Fact) -> OwnedFact:
        return OwnedFact(fact.loop, fact.text, self.authors.get(author_key(fact)))

    def feedback_answer(self) -> FeedbackAnswer:
        return decode(FeedbackAnswer, json.loads(self.feedback))

    # Changes.

    def after(
        self, player: str, answered: Answered, variant: str, par: int | None, imported: bool = False
    ) -> tuple[RoomState, NewMarks]:
        """The state after the verdict on a proposal, and the marks that the room gets by it."""
        summary = answered.summary
        assert summary is not None, "verdicts have a summary"
        tally = self.tally.copy()
        tally.imported = tally.imported or imported
        tally.judged(player, summary, variant)
        state = replace(self, tally=tally)
        if summary.changed:
            authors = dict(self.authors)
            for judged in summary.kinds:
                if judged.kind in KEPT_KINDS:
                    authors.setdefault(author_key(judged.fact), player)
            for move in summary.moves:
                if move.kind in KEPT_MEASURES:
                    authors.setdefault(author_key(Fact(move.loop, move.text)), player)
            state = replace(state.with_books(answered), authors=authors)
        return state, NewMarks(state._solved(player, summary, par), state._ended(player, summary))

    def _solved(self, player: str, summary: Summary, par: int | None) -> ProgramSolved | None:
        """The body of the event 'solved', where the verdict solves the program. The tally, a copy of ours, learns of it."""
        if not summary.solved or self.tally.solved:
            return None
        # Those have a part in a proof who proposed its invariants, and the one who completed it.
        credited = self._credited(player, summary.inductive)
        self.tally.proved(credited, summary.conjuncts or len(summary.inductive), par)
        return ProgramSolved(credited, summary.inductive)

    def _ended(self, player: str, summary: Summary) -> ProgramEnded | None:
        """The body of the event 'ended', where the verdict gives the second mark. The tally, a copy of ours, learns of it."""
        if not summary.ends or self.tally.ends:
            return None
        measures = () if summary.endless is not None else summary.measures
        credited = self._credited(player, tuple(Fact(measure.loop, f"{DECREASES} {measure.text}") for measure in measures))
        self.tally.ended(credited, summary.ends)
        return ProgramEnded(summary.ends, credited, measures, summary.endless)

    def _credited(self, player: str, proposed: Sequence[Fact]) -> tuple[str, ...]:
        """The authors of these proposals, and the player who completed a proof with them."""
        authors = (self.authors.get(author_key(fact)) for fact in proposed)
        return tuple(sorted({player, *(author for author in authors if author is not None)}))

    def with_books(self, answered: Answered) -> RoomState:
        """The state after an answer that has new books, such as another state to rule out."""
        feedback, ending = answered.feedback or self.feedback, answered.ending or self.ending
        return replace(self, books=answered.books, digest=answered.digest, feedback=feedback, ending=ending)

    def reset(self, start: Answered) -> RoomState:
        """The state at the beginning of a new sitting."""
        tally = self.tally.copy()
        tally.reset()
        return RoomState(start.books, start.digest, start.feedback, {}, tally)

    def restored(self, player: str, body: Restored, program: str) -> RoomState:
        """The state after a sealed progress file brought back what a player had. `program`: the hash of the room's program."""
        tally = self.tally.copy()
        if body.score is not None:
            tally.restored(player, body.score, program)
        hints = self.hints
        if body.hints and not hints.given:
            tally.hints = max(tally.hints, len(body.hints))
            hints = replace(hints, given=body.hints[-HINTS_KEPT:])
        return replace(self, tally=tally, hints=hints)

    def next_hint(self, answer: HintAnswer) -> NextHint | None:
        """None where there is no hint, or where all its steps were given."""
        if answer.hint is None or self._taken(answer) == len(answer.hint.steps):
            return None
        taken = self._taken(answer)
        return NextHint(answer.hint.steps[taken], answer.hint.loop, len(answer.hint.steps) - taken - 1)

    def hinted(self, player: str, answer: HintAnswer, given: GivenHint) -> RoomState:
        """The state after a step of this hint was given."""
        assert answer.hint is not None
        tally = self.tally.copy()
        tally.hinted(player, given.coins)
        hints = RoomHints(answer.plan, answer.hint.fact, self._taken(answer) + 1, (*self.hints.given, given)[-HINTS_KEPT:])
        return replace(self, tally=tally, hints=hints)

    def hinted_before(self, player: str, given: GivenHint) -> RoomState:
        """The state after a hint of another engine: it was paid, but its plan is not followed any more."""
        tally = self.tally.copy()
        tally.hinted(player, given.coins)
        return replace(self, tally=tally, hints=RoomHints((), None, 0, (*self.hints.given, given)[-HINTS_KEPT:]))

    def _taken(self, answer: HintAnswer) -> int:
        if answer.hint is None:
            return 0
        if self.hints.target is not None:
            return self.hints.taken if answer.hint.fact == self.hints.target else 0
        # Hints that a file brought back do not name their fact. Steps that say the same, word for word, were taken.
        told = [(given.loop, given.step, given.message) for given in self.hints.given]
        steps = [(answer.hint.loop, step.step, step.message) for step in answer.hint.steps]
        return max(count for count in range(len(steps) + 1) if count == 0 or told[-count:] == steps[:count])

    # The stored text.

    def text(self) -> str:
        head = f'"authors":{dumps(self.authors)},"books":{self.books},"feedback":{self.feedback}'
        # Rooms in which nobody speaks of the end have the text that they have always had.
        ending = f',"ending":{self.ending}' if self.ending else ""
        return f'{{{head}{ending},"hints":{record_text(self.hints)},"tally":{dumps(self.tally.as_json())}}}'


def first_state(start: Answered) -> RoomState:
    """The state of a new room."""
    return RoomState(start.books, start.digest, start.feedback, {}, Tally())


def read_tally(outline: str) -> Tally:
    """The tally of a room's state, from the end of its text (`RoomOutline.tally`)."""
    start = len(TALLY_START) - 1
    return Tally(json.loads(outline[start:-1]) if outline.startswith(TALLY_START) else json.loads(outline)["tally"])


def read_state(text: str) -> RoomState:
    """The state that a stored text stands for."""
    saved = json.loads(text)
    books = dumps(saved["books"])
    hints = decode(RoomHints, saved["hints"])
    ending = dumps(saved["ending"]) if "ending" in saved else ""
    return RoomState(books, digest(books), dumps(saved["feedback"]), saved["authors"], Tally(saved["tally"]), hints, ending)
