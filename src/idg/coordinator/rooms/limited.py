"""The verdict where a limit of time or memory ended an analysis."""

from __future__ import annotations

from idg.coordinator.pool.calls import summary_of
from idg.coordinator.pool.json_text import record_text
from idg.coordinator.rooms.questions import Answered
from idg.coordinator.rooms.room_state import RoomState
from idg.engine.wire.answers import LimitReached
from idg.engine.wire.build import Unchanged, limited_batch, limited_proposal
from idg.engine.wire.events import Proposal, ProposalVerdict, Proposed


def limited(state: RoomState, proposal: Proposal, limit: LimitReached) -> Answered:
    """The answer where a limit ended the analysis: unknown, and the books stay as they are."""
    inductive = tuple(owned.fact for owned in state.inductive())
    potential = tuple(owned.fact for owned in state.potential())
    unknown = tuple(owned.fact for owned in state.unknown())
    known = Unchanged(inductive, potential, unknown, state.solved, state.feedback_answer(), limit)
    verdict: ProposalVerdict
    if isinstance(proposal, Proposed):
        verdict = limited_proposal(proposal.fact, known)
    else:
        verdict = limited_batch(proposal.facts, known)
    return Answered(record_text(verdict), summary=summary_of(verdict, changed=False))
