"""What can go wrong with a platform: a launch that is refused, and a service that does not do what we ask."""

from __future__ import annotations

from typing import Literal

Reason = Literal[
    "unknown-platform",
    "bad-request",
    "forged",
    "expired",
    "replayed",
    "wrong-state",
    "no-course",
    "no-role",
    "not-open",
    "unreachable",
]
"""Why somebody cannot come in; pages.py has the sentences."""


class LaunchRefused(Exception):
    """A launch is not accepted. `detail` is for the log: it says more than whoever made the launch is told."""

    def __init__(self, reason: Reason, detail: str) -> None:
        super().__init__(f"{reason}: {detail}")
        self.reason = reason
        self.detail = detail


class ServiceFailed(Exception):
    """A request to a platform failed. `for_good` says that the same request will fail again."""

    def __init__(self, message: str, for_good: bool = False, status: int | None = None) -> None:
        super().__init__(message)
        self.for_good = for_good
        self.status = status
