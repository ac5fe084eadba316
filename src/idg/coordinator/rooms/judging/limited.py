"""The verdict where a limit of time or memory ended an analysis."""

from __future__ import annotations

from idg.coordinator.pool.computing.calls import summary_of
from idg.coordinator.pool.json_text import record_text
from idg.coordinator.rooms.judging.questions import Answered
from idg.coordinator.rooms.room_state import RoomState
from idg.engine.termination.moves import limited_move
from idg.engine.termination.texts import is_fact_text
from idg.engine.wire.build import Unchanged, limited_batch, limited_proposal
from idg.engine.wire.endings import ListedMeasure
from idg.engine.wire.events import Proposal, ProposalVerdict, Proposed
from idg.engine.wire.places import LimitReached


def limited(state: RoomState, proposal: Proposal, limit: LimitReached) -> Answered:
    """The answer where a limit ended the analysis: unknown, and the books stay as they are."""
    inductive = tuple(owned.fact for owned in state.inductive())
    potential = tuple(owned.fact for owned in state.potential())
    unknown = tuple(owned.fact for owned in state.unknown())
    known = Unchanged(inductive, potential, unknown, state.solved, state.feedback_answer(), limit)
    verdict: ProposalVerdict
    if isinstance(proposal, Proposed) and not is_fact_text(proposal.expression):
        measures = tuple(ListedMeasure(owned.loop, owned.text, owned.proved) for owned in state.measures())
        verdict = limited_move(proposal.expression, proposal.loop, measures, state.ending_report(), limit)
    elif isinstance(proposal, Proposed):
        verdict = limited_proposal(proposal.fact, known)
    else:
        verdict = limited_batch([fact for fact in proposal.facts if is_fact_text(fact.text)], known)
    return Answered(record_text(verdict), summary=summary_of(verdict, changed=False))
