"""What nodes and coordinators tell of themselves is read back as it was written, and anything else is refused by one error."""

from __future__ import annotations

import json

import pytest

from idg.coordinator.cluster.members import CoordinatorNews, NodeNews, read_claim
from idg.coordinator.cluster.requests.direct import decode, encode
from idg.coordinator.pool.sandbox.confine import HELD, OFF, Sandbox

NODE = NodeNews(
    name="node1",
    version="0.2.0",
    engine="0123456789abcdef",
    cores=2,
    slots=2,
    free=1,
    running=(("people", 7), ("agents", 9)),
    draining=False,
    done=5,
    failed=1,
    killed=0,
    started=1_700_000_000.5,
    sandbox=Sandbox(HELD, OFF, "not held: no Landlock"),
)
COORDINATOR = CoordinatorNews("first", "0.2.0", "0123456789abcdef", 3, 2, 1, 1_700_000_000.0, "host")


def test_news_are_read_as_they_were_written() -> None:
    assert NodeNews.decode(NODE.encode()) == NODE
    assert CoordinatorNews.decode(COORDINATOR.encode()) == COORDINATOR
    # A newer release may tell more, and a time may be a whole number.
    more = json.loads(COORDINATOR.encode()) | {"mood": "good", "started": 1_700_000_000}
    assert CoordinatorNews.decode(json.dumps(more).encode()) == COORDINATOR


@pytest.mark.parametrize(
    "changes",
    [
        {"name": None}, {"cores": "2"}, {"slots": True}, {"started": "now"}, {"running": {}}, {"running": [["people"]]},
        {"running": [["nobody", 7]]}, {"running": [["people", "7"]]}, {"running": [7]}, {"sandbox": {}}, {"sandbox": "held"},
    ],
    ids=str,
)  # fmt: skip
def test_wrong_news_of_a_node_are_refused(changes: dict[str, object]) -> None:
    """Some were raised as other errors, and some were believed."""
    with pytest.raises(ValueError, match=r"news of a member|names no request|no priority"):
        NodeNews.decode(json.dumps(json.loads(NODE.encode()) | changes).encode())


@pytest.mark.parametrize("body", [b"", b"[]", b"7", b"{}", b"\xff", b"null"])
def test_what_is_no_news_is_refused(body: bytes) -> None:
    for kind in (NodeNews, CoordinatorNews):
        with pytest.raises(ValueError):  # noqa: PT011  # Of JSON, of UTF-8 or our own.
            kind.decode(body)


def test_claims() -> None:
    assert read_claim(["agents", 3]) == ("agents", 3)
    assert decode(encode(("people", 3), b"body")) == (("people", 3), b"body")
    for data in ("people 3", ["people"], [3, "people"], None):
        with pytest.raises(ValueError, match=r"names no request|no priority"):
            read_claim(data)
    for direct in (b"nobody 3\nbody", b"people\nbody", b"people three\nbody"):
        with pytest.raises(ValueError):  # noqa: PT011  # Of `int`, of unpacking or our own.
            decode(direct)
