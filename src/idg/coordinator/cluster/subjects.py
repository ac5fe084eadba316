"""The names of streams, consumers and subjects in NATS. Whatever concerns the engine has its version in its name, so that nodes of
another version never see the requests, and two versions can work side by side."""

from __future__ import annotations

from typing import Literal

from idg.sip.record import Record

Priority = Literal["people", "agents"]
PRIORITIES: tuple[Priority, ...] = ("people", "agents")


def read_priority(name: object) -> Priority:
    """The priority of this name; ValueError where there is none."""
    for priority in PRIORITIES:
        if name == priority:
            return priority
    raise ValueError(f"there is no priority {name!r:.40}")


"""Whom requests are for. People are served first."""
STREAM_PREFIX = "IDG-"
"""How the names of all our streams begin."""
CONSUMER = "nodes"
"""The consumer of each stream of requests. All nodes of a version share it, so each request goes to one of them."""
ALL_NODES = "idg.node.>"
ALL_COORDINATORS = "idg.coordinator.>"
"""Where nodes and coordinators of all versions tell about themselves."""
NODE_INBOXES = "_INBOX_NODE"
"""How the subjects begin at which nodes get the replies to their own requests. They may listen at no others."""


class Subjects(Record):
    """The names for one version of the engine."""

    engine: str

    def work_stream(self, priority: Priority) -> str:
        return f"{STREAM_PREFIX}{priority}-{self.engine}"

    def work(self, priority: Priority) -> str:
        return f"idg.work.{self.engine}.{priority}"

    @property
    def answers_stream(self) -> str:
        return f"{STREAM_PREFIX}answers-{self.engine}"

    def answer(self, coordinator: str, key: str) -> str:
        """Where the answer to a question is published that this coordinator has asked."""
        return f"idg.answer.{self.engine}.{coordinator}.{key}"

    @property
    def parts_stream(self) -> str:
        return f"{STREAM_PREFIX}parts-{self.engine}"

    def part(self, token: str, number: int | str) -> str:
        """Where the parts of what is too long for one message are published."""
        return f"idg.part.{self.engine}.{token}.{number}"

    @property
    def cancel(self) -> str:
        """Where nodes hear that nobody waits for an answer any more."""
        return f"idg.cancel.{self.engine}"

    @property
    def hello(self) -> str:
        """Where nodes hear that somebody wants to know of them at once."""
        return f"idg.hello.{self.engine}"

    def node(self, name: str) -> str:
        return f"idg.node.{self.engine}.{name}"

    def direct(self, node: str) -> str:
        """Where a node is given requests while JetStream takes none."""
        return f"idg.direct.{self.engine}.{node}"

    def coordinator(self, name: str) -> str:
        return f"idg.coordinator.{self.engine}.{name}"

    def exhausted(self, priority: Priority) -> str:
        """Where the server tells that a request was delivered as often as it may be."""
        return f"$JS.EVENT.ADVISORY.CONSUMER.MAX_DELIVERIES.{self.work_stream(priority)}.{CONSUMER}"

    def next(self, priority: Priority) -> str:
        """Where a node asks for the next request."""
        return f"$JS.API.CONSUMER.MSG.NEXT.{self.work_stream(priority)}.{CONSUMER}"
