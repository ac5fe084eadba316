"""Running servers for tests, each a process `idg serve`. A test module gets the fixtures by naming this module in `pytest_plugins`.

A test module that names this plugin imports its helpers from `clients` and not from here, because pytest could then not rewrite
the asserts of this module.
"""

from __future__ import annotations

import asyncio
import functools
import os
import re
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from idg.coordinator.store import Store
from tests.support.servers.clients import UNLIMITED, limited_command
from tests.support.waiting import HANG_SECONDS

ADMIN_TOKEN = "the-admin-token-of-the-tests"


class Server:
    """`idg serve` on a free port. It can be ended and started again with the same data. The system allows it `open_files`."""

    def __init__(self, data: Path, *flags: str, environment: dict[str, str] | None = None, open_files: int | None = None) -> None:
        self.data = data
        self.flags = flags
        self.open_files = open_files
        self.environment = environment or {}
        self.admin_token = ""
        self.url = ""
        self.output: list[str] = []
        self.start()

    def start(self) -> None:
        if "--database" not in self.flags and self.data.is_dir() and not any(self.data.iterdir()):
            (self.data / "idg.db").write_bytes(migrated_database())
        command = [sys.executable, "-m", "idg", "serve", "--port", "0", "--data", str(self.data), *self.flags]
        if self.open_files is not None:
            command = limited_command(command, self.open_files)
        self.process = subprocess.Popen(
            command,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=os.environ | self.environment,
            start_new_session=True,
        )
        self.output = []
        self.complaints: list[str] = []
        self._reader = threading.Thread(target=self._read_complaints, args=(self.process,), daemon=True)
        self._reader.start()
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.output.append(line)
            if line.startswith("Ctrl-C"):
                break
        printed = "".join(self.output)
        announced = re.search(r"^IDG is at (http://\S+)/$", printed, re.MULTILINE)
        assert announced is not None, f"the server did not start: {printed}{''.join(self.complaints)}"
        self.url = announced[1]
        token = re.search(r"^Admin token: (\S+)$", printed, re.MULTILINE)
        assert token is not None
        self.admin_token = token[1]

    def _read_complaints(self, process: subprocess.Popen[str]) -> None:
        assert process.stderr is not None
        for line in process.stderr:
            self.complaints.append(line)

    @property
    def pid(self) -> int:
        return self.process.pid

    def stop(self, number: int = signal.SIGINT) -> int:
        """Ends the whole process group, as Ctrl-C in a terminal does, and returns the exit code."""
        stdout = self.process.stdout
        assert stdout is not None
        if stdout.closed:
            return self.process.returncode
        if self.process.poll() is None:
            os.killpg(self.process.pid, number)
        try:
            self.process.wait(HANG_SECONDS)
        except subprocess.TimeoutExpired:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
            raise
        self.output += stdout.readlines()
        stdout.close()
        self._reader.join(HANG_SECONDS)
        assert self.process.stderr is not None
        self.process.stderr.close()
        return self.process.returncode

    def kill(self) -> None:
        """Kills the server without any warning. Its workers end by themselves when nobody reads them."""
        self.process.kill()
        self.stop()

    def restart(self) -> None:
        self.stop()
        self.start()


@functools.cache
def migrated_database() -> bytes:
    """A database file without rows, of the newest revision. A server that finds it starts sooner than one that has to make it. The
    servers of tests/coordinator/test_faults.py start in empty folders and make it themselves."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "idg.db"

        async def make() -> None:
            await (await Store.open(f"sqlite:///{file}")).close()

        asyncio.run(make())
        return file.read_bytes()


StartServer = Callable[..., Server]


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One server for all tests that need nothing special, without rate limits and with a known admin token."""
    data = tmp_path_factory.mktemp("server")
    started = Server(data, *UNLIMITED, "--spares", "0", "--admin-token", ADMIN_TOKEN, "--log-level", "warning")
    yield started
    started.stop()
    assert not started.complaints, "".join(started.complaints)


@pytest.fixture
def start_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[StartServer]:
    """Starts further servers with flags of their own, which end with the test. They have one engine worker and no spares where
    the flags do not say how many: few of them lose a worker, and each spare takes some tenths of a second."""
    yield from starting(tmp_path_factory)


@pytest.fixture(scope="module")
def start_module_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[StartServer]:
    """Starts further servers with flags of their own, which end with the test module."""
    yield from starting(tmp_path_factory)


def starting(tmp_path_factory: pytest.TempPathFactory) -> Iterator[StartServer]:
    started: list[Server] = []

    def start(*flags: str, data: Path | None = None, **more: Any) -> Server:
        server = Server(data or tmp_path_factory.mktemp("server"), "--workers", "1", "--spares", "0", *flags, **more)
        started.append(server)
        return server

    yield start
    for server in started:
        if server.process.poll() is None:
            server.stop()
