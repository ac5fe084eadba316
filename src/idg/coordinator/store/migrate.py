"""Brings a database to the newest schema when it is opened, by the Alembic migrations beside this module.

A database is migrated in one transaction, by one process at a time.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection, inspect, text

from idg.coordinator.store.records import StoreError
from idg.coordinator.store.schema import metadata

if TYPE_CHECKING:
    from alembic.config import Config

HEAD = "0007"
"""The newest revision. Because it is written here, a database that is up to date opens without importing Alembic (0.15 s)."""
BASE = "base"
"""What Alembic calls a database before its first revision."""

_LOCK_KEY = 0x1D6_5702E
"""The key of an advisory lock on PostgreSQL that is held until the transaction ends; any number that nobody else uses will do. On
SQLite the write transaction itself is the lock."""


def config() -> Config:
    from alembic.config import Config

    alembic = Config()
    alembic.set_main_option("script_location", str(Path(__file__).parent / "migrations").replace("%", "%%"))
    alembic.set_main_option("path_separator", "os")
    return alembic


def revision_of(connection: Connection) -> str | None:
    """The revision that the database has; None where it is empty."""
    if not inspect(connection).has_table("alembic_version"):
        return None
    revision: str | None = connection.execute(text("SELECT version_num FROM alembic_version")).scalar()
    return revision


def touch(connection: Connection) -> None:
    """Writes the revision again, to see whether the database can be written."""
    connection.execute(text("UPDATE alembic_version SET version_num = version_num"))


def migrate(connection: Connection, target: str = HEAD) -> None:
    """Brings the database to the target revision, within the connection's transaction. On SQLite it must be one that writes."""
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _LOCK_KEY})
    revision = revision_of(connection)
    if revision != target:
        _move(connection, revision, target)


def _move(connection: Connection, current: str | None, target: str) -> None:
    from alembic.runtime.environment import EnvironmentContext
    from alembic.script import ScriptDirectory
    from alembic.script.revision import RevisionError
    from alembic.util import CommandError

    script = ScriptDirectory.from_config(config())
    try:
        script.get_revisions([current] if current else [])
    except (CommandError, RevisionError) as error:
        raise StoreError(
            f"the database is of revision {current} and this IDG knows revisions up to {HEAD}: "
            "a newer IDG wrote it; upgrade IDG, or name another database"
        ) from error

    def steps(revision: Any, _: object) -> Any:
        return script._downgrade_revs(target, revision) if target == BASE else script._upgrade_revs(target, revision)

    with EnvironmentContext(config(), script, fn=steps, destination_rev=target) as environment:
        environment.configure(connection=connection, target_metadata=metadata)
        environment.run_migrations()
