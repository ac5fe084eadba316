"""A coordinator to measure, as a process of its own, and the simplest client there can be."""

from __future__ import annotations

import contextlib
import json
import re
import socket
import subprocess
import sys
import tempfile
from pathlib import Path
from types import TracebackType
from typing import Any, Protocol

_LENGTH = re.compile(rb"content-length: (\d+)", re.IGNORECASE)


class BenchServer:
    """`idg serve` on a free port and an empty folder; it ends with the `with`."""

    def __init__(self, *flags: str) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="idg-bench-")
        command = [sys.executable, "-m", "idg", "serve", "--port", "0", "--data", self._folder.name, "--log-level", "warning"]
        for unlimited in (
            "rate-player",
            "rate-address",
            "connections-address",
            "players-a-day",
            "rooms-a-day",
            "programs-a-day",
            "stored-mb-a-day",
        ):
            command += [f"--{unlimited}", "0"]
        command += flags
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert self.process.stdout is not None
        announced = re.match(r"IDG is at http://([^:]+):(\d+)/", self.process.stdout.readline())
        assert announced is not None, "the server did not start"
        self.host, self.port = announced[1], int(announced[2])

    @property
    def url(self) -> str:
        return f"http://{self.host}:{self.port}"

    def __enter__(self) -> BenchServer:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.process.terminate()
        self.process.wait()
        assert self.process.stdout is not None
        self.process.stdout.close()
        self._folder.cleanup()

    def resident_bytes(self) -> int:
        """The memory of the coordinator's own process, private and file-backed, as the system counts it."""
        for line in Path(f"/proc/{self.process.pid}/status").read_text().splitlines():
            if line.startswith("VmRSS:"):
                return int(line.split()[1]) * 1024
        raise AssertionError("Linux tells it")

    @property
    def folder(self) -> Path:
        return Path(self._folder.name)

    def cpu_seconds(self) -> float:
        return cpu_seconds(self.process.pid)

    def worker_seconds(self) -> float:
        """CPU seconds of the child processes that are alive, as the scheduler counts them."""
        tasks = (task for child in _children(self.process.pid) for task in Path(f"/proc/{child}/task").iterdir())
        return sum(map(_scheduled_seconds, tasks))

    def cpu_by_part(self) -> tuple[float, float, float]:
        """CPU seconds of the main thread, which runs the event loop, of the other threads, and of all child processes alive."""
        pid = self.process.pid
        threads = {int(task.name): _scheduled_seconds(task) for task in Path(f"/proc/{pid}/task").iterdir()}
        return threads.pop(pid), sum(threads.values()), self.worker_seconds()


def _children(pid: int) -> list[int]:
    """The processes whose parent this is. One that ends while we look is left out."""
    children = []
    for entry in Path("/proc").iterdir():
        with contextlib.suppress(OSError):
            if entry.name.isdigit() and int((entry / "stat").read_text().rpartition(")")[2].split()[1]) == pid:
                children.append(int(entry.name))
    return children


def _scheduled_seconds(task: Path) -> float:
    """What the scheduler has counted for a thread; finer than the hundredths of a second in `stat`."""
    return int((task / "schedstat").read_text().split()[0]) / 1e9


def cpu_seconds(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / 100


class Reachable(Protocol):
    """Something that listens."""

    host: str
    port: int


class Wire:
    """One connection that sends requests written beforehand, because the server is to be measured and not a client's library."""

    def __init__(self, server: Reachable) -> None:
        self.server = server
        self.token = ""
        self._socket = socket.create_connection((server.host, server.port))
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.token = self.ask("POST", "/api/players", {})["token"]

    def request(self, method: str, path: str, body: dict[str, Any] | None = None) -> bytes:
        lines = [f"{method} {path} HTTP/1.1", f"Host: {self.server.host}:{self.server.port}"]
        content = b"" if body is None else json.dumps(body).encode()
        if self.token:
            lines.append(f"Authorization: Bearer {self.token}")
        if body is not None:
            lines += ["Content-Type: application/json", f"Content-Length: {len(content)}"]
        return "\r\n".join([*lines, "", ""]).encode() + content

    def send(self, request: bytes) -> bytes:
        """Sends the request and returns the body of the answer."""
        self._socket.sendall(request)
        received = b""
        while True:
            received += self._socket.recv(2**18)
            head, blank_line, body = received.partition(b"\r\n\r\n")
            if blank_line:
                length = _LENGTH.search(head)
                assert length is not None
                if len(body) >= int(length[1]):
                    assert head.startswith(b"HTTP/1.1 200"), body
                    return body

    def ask(self, method: str, path: str, body: dict[str, Any] | None = None) -> Any:
        return json.loads(self.send(self.request(method, path, body)))

    def room(self, source: str) -> str:
        """Opens a new room with this program and returns its name."""
        program = self.ask("POST", "/api/programs", {"source": source})["program"]
        room: str = self.ask("POST", "/api/rooms", {"program": program, "resume": False})["room"]["room"]
        return room

    def proposal(self, room: str, expression: str, loop: int) -> bytes:
        return self.request("POST", f"/api/rooms/{room}/proposals", {"loop": loop, "expression": expression})

    def close(self) -> None:
        self._socket.close()
