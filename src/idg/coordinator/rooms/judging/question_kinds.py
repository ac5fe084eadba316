"""The questions that the coordinator asks: about a program, about a room's books, and about all that was proposed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from idg.coordinator.catalog import CatalogEntry
from idg.coordinator.pool.computing.calls import (
    AboutBoard,
    AboutBooks,
    AboutCrowd,
    AboutExport,
    AboutFact,
    AboutFacts,
    AboutHint,
    AboutPartner,
    AboutProgram,
    AboutRun,
    TextChoices,
)
from idg.coordinator.pool.json_text import dumps
from idg.coordinator.pool.lines import JsonText
from idg.coordinator.rooms.judging.questions import Question
from idg.coordinator.rooms.room_state import RoomState
from idg.engine.results import Fact
from idg.engine.wire.codec import encode
from idg.engine.wire.events import Proposal, Proposed
from idg.sip.values import ValueJson

# About a program.


def start_question(entry: CatalogEntry) -> Question:
    """The first state to rule out, and the books with which a room begins."""
    return _program_question(entry, "start")


def inputs_question(entry: CatalogEntry) -> Question:
    """Inputs for a first trace."""
    return _program_question(entry, "inputs")


def assessment_question(entry: CatalogEntry) -> Question:
    """How hard the program is."""
    return _program_question(entry, "assess")


def _program_question(entry: CatalogEntry, call: str) -> Question:
    return Question(call, entry.hash, "", "", lambda: AboutProgram(entry.source))


def trace_question(
    entry: CatalogEntry,
    inputs: Mapping[str, ValueJson],
    loop: int | None,
    seed: int,
    offset: int,
    limit: int,
    choices: TextChoices = (),
) -> Question:
    """A page of a trace."""
    detail = dumps({"inputs": inputs, "loop": loop, "seed": seed, "offset": offset, "limit": limit, "choices": choices})
    about = AboutRun(entry.source, inputs, loop, seed, offset, limit, choices)
    return Question("trace", entry.hash, "", detail, lambda: about, stored=False)


def crowd_question(entry: CatalogEntry, facts: Sequence[Fact]) -> Question:
    """What these facts prove together."""
    detail = dumps([encode(fact) for fact in facts])
    return Question("crowd", entry.hash, "", detail, lambda: AboutCrowd(entry.source, tuple(facts)))


# About a room's books.


def proposal_question(entry: CatalogEntry, state: RoomState, proposal: Proposal) -> Question:
    """What one proposal is, or what many are together."""
    source = entry.source
    if isinstance(proposal, Proposed):
        loop, expression = proposal.loop, proposal.expression
        detail = f"{loop} {expression}"
        return Question(
            "propose", entry.hash, state.digest, detail, lambda: AboutFact(source, JsonText(state.books), expression, loop)
        )
    facts = proposal.proposals
    detail = dumps([encode(fact) for fact in facts])
    return Question("propose_many", entry.hash, state.digest, detail, lambda: AboutFacts(source, JsonText(state.books), facts))


def transition_question(entry: CatalogEntry, state: RoomState, fact: Fact) -> Question:
    """Why a potential invariant is not inductive yet."""

    def arguments() -> AboutFact:
        return AboutFact(entry.source, JsonText(state.books), fact.text, fact.loop)

    return Question("transition", entry.hash, state.digest, f"{fact.loop} {fact.text}", arguments)


def feedback_question(entry: CatalogEntry, state: RoomState) -> Question:
    """Another state to rule out."""
    return _books_question(entry, state, "feedback")


def explanation_question(entry: CatalogEntry, state: RoomState) -> Question:
    """Which invariants each proof uses."""
    return _books_question(entry, state, "explain")


def board_question(entry: CatalogEntry, state: RoomState) -> Question:
    """Which facts carry which part of the goal, and what waits for what."""
    best = entry.par
    about = AboutBoard(entry.source, JsonText(state.books), best)
    return Question("board", entry.hash, state.digest, "" if best is None else str(best), lambda: about)


def export_question(entry: CatalogEntry, state: RoomState, name: str, target: str) -> Question:
    """The proof in the language of another verifier. It is not stored: it is long, and soon computed again."""
    about = AboutExport(entry.source, JsonText(state.books), target, name)
    return Question("export", entry.hash, state.digest, f"{target} {name}", lambda: about, stored=False)


def _books_question(entry: CatalogEntry, state: RoomState, call: str) -> Question:
    return Question(call, entry.hash, state.digest, "", lambda: AboutBooks(entry.source, JsonText(state.books)))


def hint_question(entry: CatalogEntry, state: RoomState) -> Question:
    """The steps to the next fact that helps, or to a measure."""
    plan = state.hints.plan
    detail = dumps([encode(fact) for fact in plan])
    return Question("hint", entry.hash, state.digest, detail, lambda: AboutHint(entry.source, JsonText(state.books), plan))


def partner_question(
    entry: CatalogEntry, state: RoomState, plan: tuple[Fact, ...], mode: Literal["turns", "helper"], ending: bool
) -> Question:
    """What the computer proposes next as a partner. `ending`: whether the second mark is wanted, too."""
    detail = dumps([mode, ending, *(encode(fact) for fact in plan)])

    def arguments() -> AboutPartner:
        return AboutPartner(entry.source, JsonText(state.books), plan, mode, ending)

    return Question("partner", entry.hash, state.digest, detail, arguments)
