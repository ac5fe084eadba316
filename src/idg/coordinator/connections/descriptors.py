"""How many files and connections this process may have open, and how many of them connections may take."""

from __future__ import annotations

import logging

from idg.coordinator.settings import SettingError, Settings

RESERVED = 128
"""Descriptors that connections never take: for the database, the log, the listening socket, and what is open for a moment."""
RESERVED_A_WORKER = 8
"""Descriptors that are kept for each engine worker: its pipes, and those of its replacement while it starts."""
DESCRIPTORS_A_CONNECTION = 2
"""Descriptors that one connection can take: its own, and a file of the client that it is being sent."""
CONNECTIONS_MIN = 16
"""With fewer connections than this the server cannot be used, so it does not start."""

log = logging.getLogger("idg.connections")


def connections_allowed(settings: Settings) -> int:
    """How many connections may be open. The limit on descriptors is raised as far as that takes, and the system allows."""
    reserved = RESERVED + RESERVED_A_WORKER * settings.workers
    limit = _raised_limit(reserved + DESCRIPTORS_A_CONNECTION * settings.connections_max)
    if limit is None:
        return settings.connections_max
    allowed = min(settings.connections_max, (limit - reserved) // DESCRIPTORS_A_CONNECTION)
    if allowed < CONNECTIONS_MIN:
        raise SettingError(
            f"the system allows this process {limit} open files, and {reserved} of them are needed besides connections; "
            f"allow more (ulimit -n {reserved + DESCRIPTORS_A_CONNECTION * settings.connections_max})"
        )
    if allowed < settings.connections_max:
        log.info("the system's limit on open files bounds the connections", extra={"open_files": limit, "connections": allowed})
    return allowed


def _raised_limit(wanted: int) -> int | None:
    """The limit on open files, raised to `wanted` where the system allows it; None where the system has no such limit."""
    try:
        import resource
    except ImportError:  # Windows
        return None
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY:
        return None
    if soft < wanted:
        raised = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (raised, hard))
        except (OSError, ValueError):  # Some systems allow less than they say.
            return soft
        return raised
    return soft
