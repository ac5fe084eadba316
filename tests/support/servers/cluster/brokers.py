"""NATS servers for tests, fresh for each. A test module gets the fixtures by naming this module in `pytest_plugins`.

A server starts within a tenth of a second, so no test needs to share one with another.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from idg.coordinator.cluster.local.nats_servers import NatsServers


@pytest.fixture
def nats_servers() -> Iterator[NatsServers]:
    """One server."""
    servers = NatsServers()
    yield servers
    servers.stop()


@pytest.fixture
def three_nats_servers() -> Iterator[NatsServers]:
    """Three that form a cluster."""
    servers = NatsServers(3)
    yield servers
    servers.stop()
