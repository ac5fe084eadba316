"""What the store keeps of learning platforms (LTI 1.3). The fields of a record are in the order of its table's columns."""

from __future__ import annotations

from idg.sip.record import Record


class PlatformRow(Record):
    """A platform whose launches are accepted."""

    name: str
    """The name that the person who runs the server has given it."""
    issuer: str
    client: str
    """The id that the platform gave us."""
    login_url: str
    """Where browsers are sent for a launch."""
    token_url: str
    """Where we get the tokens with which we may use the platform's services."""
    keys_url: str
    """Where the platform's public keys are."""
    audience: str
    """The audience of our requests for tokens; empty where it is `token_url`."""
    deployments: str
    """The deployments that are accepted, separated by spaces; empty for all of this client id."""
    hosts: str
    """Further hosts of the platform's services, separated by spaces."""
    time: float


class CourseRow(Record):
    """The course of a platform to which a class belongs."""

    class_id: str
    platform: str
    deployment: str
    context: str
    members_url: str | None
    """Where the platform tells who is in the course."""


class LinkRow(Record):
    """Which assignment an activity of a platform is."""

    class_id: str
    link: str
    assignment: int
    item_url: str | None
    """The column of the platform's gradebook."""
    items_url: str | None
    """Where such a column can be made."""


class ScoreRow(Record):
    """The score of a student that a platform has not been told yet."""

    class_id: str
    assignment: int
    student: int
    version: int
    """Counts how often it was changed, so that a change while it is being sent is not lost."""
    due: float | None
    """When it is tried next; None where the platform has refused it."""
    tries: int
    problem: str
    """Why it could not be sent the last time; empty before the first time."""
