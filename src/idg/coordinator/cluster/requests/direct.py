"""Requests without JetStream. Its servers elect a new leader for 4 to 9 seconds after one is lost, and take nothing while their
disks are full. Meanwhile coordinators give requests to nodes directly, by plain messages: such a request is lost with its node, and
then its coordinator gives it to another one.
"""

from __future__ import annotations

from collections.abc import Iterable
from secrets import randbits

from nats.aio.client import Client

from idg.coordinator.cluster.members import Claim, NodeNews
from idg.coordinator.cluster.requests.work import PASSING
from idg.coordinator.cluster.subjects import Subjects, read_priority

FIRST_SEQUENCE = 2**52
"""Requests that are given directly have numbers from here on. No stream ever gets so long."""
NUMBER_BITS = 40
"""How many random bits the number of such a request has."""
TAKE_SECONDS = 1.0
"""How long a node may take to say that it takes a request."""
NODES_ASKED_MAX = 3
"""How many nodes are asked in turn."""
TAKEN, BUSY = b"taken", b"busy"


def is_direct(sequence: int) -> bool:
    return sequence >= FIRST_SEQUENCE


def new_sequence() -> int:
    return FIRST_SEQUENCE + randbits(NUMBER_BITS)


async def give(client: Client, subjects: Subjects, nodes: Iterable[NodeNews], claim: Claim, body: bytes) -> bool:
    """Give a request to one of the nodes that said that they have a free slot. False where none takes it."""
    free = sorted((node for node in nodes if node.free > 0 and not node.problem), key=lambda node: -node.free)
    for node in free[:NODES_ASKED_MAX]:
        try:
            reply = await client.request(subjects.direct(node.name), encode(claim, body), timeout=TAKE_SECONDS)
        except PASSING:
            continue
        if reply.data == TAKEN:
            return True
    return False


def encode(claim: Claim, body: bytes) -> bytes:
    return f"{claim[0]} {claim[1]}\n".encode() + body


def decode(data: bytes) -> tuple[Claim, bytes]:
    """ValueError where it is no such request."""
    head, _, body = data.partition(b"\n")
    name, sequence = head.decode().split()
    return (read_priority(name), int(sequence)), body
