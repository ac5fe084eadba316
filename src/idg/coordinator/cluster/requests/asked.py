"""A job that was given to the nodes of a cluster, as its coordinator keeps it."""

from __future__ import annotations

import contextlib
from secrets import token_hex

from nats.aio.subscription import Subscription

from idg.coordinator.cluster.members import Claim
from idg.coordinator.cluster.requests.direct import is_direct
from idg.coordinator.cluster.requests.work import PASSING, WorkAnswer
from idg.coordinator.cluster.subjects import Priority
from idg.coordinator.logs.request_ids import request_id
from idg.coordinator.pool.queueing.queue import Ticket


class AskedJob:
    """A job that was given to the nodes."""

    __slots__ = (
        "claimed_at", "generation", "in_stream", "is_joined", "is_looked_for", "is_lost", "key", "losses", "others", "over",
        "priority", "request", "returns", "sequence", "started_at", "ticket", "unseen_since",
    )  # fmt: skip

    def __init__(self, ticket: Ticket, now: float) -> None:
        job = ticket.job
        self.ticket = ticket
        self.priority: Priority = "agents" if job.asker.agent else "people"
        self.key = job.key or token_hex(16)
        self.request = request_id.get()
        self.generation = 0
        """How often the question was answered in a way that helps nobody: its time was over, or it was cancelled."""
        self.sequence = 0
        """Its place in the stream; 0 until JetStream has it."""
        self.started_at = self.unseen_since = now
        self.claimed_at: float | None = None
        """When a node first said that it works on it."""
        self.in_stream: Claim | None = None
        """The request in the stream, where it was then given to a node directly."""
        self.is_joined = False
        """Whether another published the request, who asked the same. Then it is not ours to cancel."""
        self.is_lost = False
        """Whether the node that worked on it is silent. It takes no slot then."""
        self.is_looked_for = False
        self.losses = 0
        self.returns = 0
        """How often a node gave it back without having begun it."""
        self.others: Subscription | None = None
        """The subject on which we hear the answer to the same question, which another coordinator asked."""
        self.over = False

    @property
    def claim(self) -> Claim:
        return self.priority, self.sequence

    async def hear_others_no_more(self) -> None:
        if self.others is not None:
            with contextlib.suppress(*PASSING):
                await self.others.unsubscribe()

    def ask_again(self) -> None:
        """The request helps us no more; the question is to be published once more."""
        self.generation += 1
        self.sequence = 0
        self.claimed_at = None
        self.is_joined = False

    def is_concerned_by(self, answer: WorkAnswer) -> bool:
        """Whether an answer that says why there is none is about our request, or about a later one for the same question: that was
        published only because ours was over. Requests that are given directly have no order."""
        if answer.priority != self.priority:
            return False
        if is_direct(answer.sequence) or is_direct(self.sequence):
            return answer.sequence == self.sequence
        return answer.sequence >= self.sequence
