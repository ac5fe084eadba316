"""Engine workers are a sandbox: each thing that a confined worker must not do is tried inside of one, while analyses go on."""

from __future__ import annotations

import json
import os
import re
import socket
import struct
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from idg.coordinator.pool.jobs import Asker, Job, NotStarted, PoolSettings
from idg.coordinator.pool.local import LocalPool
from idg.coordinator.pool.sandbox import seccomp
from idg.coordinator.pool.sandbox.confine import HELD, OFF, Sandbox
from tests.support.programs.known_levels import known_level
from tests.support.servers.pool_scenarios import LINUX, ROOT, a_pool, children, job, run
from tests.support.waiting import HANG_SECONDS

pytestmark = pytest.mark.skipif(not LINUX, reason="the sandbox is made of parts of Linux")

REFUSALS = {"EPERM", "EACCES", "ENOSYS"}
CALLS = "tests.support.servers.hostile.confined_calls"


@pytest.fixture(autouse=True)
def _find_calls(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lets workers import the calls of this test and the package of this tree."""
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(ROOT), str(ROOT / "src")]))


@pytest.fixture
def given(tmp_path: Path) -> Iterator[dict[str, Any]]:
    """What attempts aim at: a database file, its folder, a port where somebody listens, and a process of the same user."""
    (tmp_path / "idg.db").write_bytes(b"SQLite format 3\0")
    victim = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port: int = listener.getsockname()[1]
        yield {"file": str(tmp_path / "idg.db"), "folder": str(tmp_path), "port": port, "victim": victim.pid}
    assert victim.poll() is None, "somebody has ended the process"
    victim.communicate(b"\n")


async def _solve_a_level(pool: LocalPool) -> None:
    level = known_level("gcd-and-lcm")
    books = (await pool.ask(Job("start", {"source": level.source}, Asker("r"))))["books"]
    for fact in level.solution:
        arguments = {"source": level.source, "books": books, "expression": fact.expr, "loop": fact.loop}
        books = (await pool.ask(Job("propose", arguments, Asker("r"))))["books"]
    feedback = await pool.ask(Job("feedback", {"source": level.source, "books": books}, Asker("r")))
    assert json.loads(feedback["feedback"])["solved"] is True
    # The hint for a name that is nearly right imports a module when it is first needed.
    trace: dict[str, Any] = {
        "source": level.source.replace("gcd(", "gdc("),
        "inputs": {},
        "loop": None,
        "seed": 0,
        "offset": 0,
        "limit": 10,
    }
    with pytest.raises(Exception, match="gcd"):
        await pool.ask(Job("trace", trace, Asker("r")))


IMPORTED_WHEN_CONFINED = """
import sys
from idg.coordinator.pool import worker

def confine(setting):
    sys.exit(" ".join(sorted({"cvc5", "flint", "z3", "sqlalchemy", "fastapi", "asyncio"} & set(sys.modules))))

worker.confine = confine
sys.argv[1:] = ["--calls", "idg.coordinator.pool.computing.analyses"]
worker.main()
"""
"""A worker that ends when it would be confined, and says which solvers it has imported by then, and what of the server."""


def test_solvers_are_imported_before_a_worker_is_confined_and_nothing_of_the_server() -> None:
    """SQLAlchemy alone took as long to import as everything else that a worker needs, each time that one was started."""
    ended = subprocess.run([sys.executable, "-c", IMPORTED_WHEN_CONFINED], capture_output=True, text=True, timeout=HANG_SECONDS)
    assert ended.stderr == "cvc5 flint z3\n"


def test_a_confined_worker_does_nothing_but_analyses(given: dict[str, Any]) -> None:
    async def scenario() -> None:
        async with a_pool(workers=1, calls_module=CALLS, sandbox="required", recycle_after=3) as pool:
            assert pool.stats().sandbox == Sandbox(HELD, HELD, HELD)
            for _ in range(2):
                outcome = (await pool.ask(job("attempt", given=given, hopeless=True)))["outcome"]
                assert {name: said for name, said in outcome.items() if said not in REFUSALS} == {}
                await _solve_a_level(pool)
            assert pool.stats().recycled > 0, "the workers that replace others are confined, too"
            assert pool.stats().died == pool.stats().killed == 0
        folder = Path(given["folder"])
        assert [path.name for path in folder.iterdir()] == ["idg.db"]
        assert (folder / "idg.db").read_bytes() == b"SQLite format 3\0"

    run(scenario())


def test_without_the_sandbox_the_same_attempts_succeed(given: dict[str, Any]) -> None:
    """Otherwise the test above would show nothing."""

    async def scenario() -> None:
        async with a_pool(workers=1, calls_module=CALLS, sandbox="off") as pool:
            assert pool.stats().sandbox == Sandbox(OFF, OFF, OFF)
            outcome = (await pool.ask(job("attempt", given=given, hopeless=False)))["outcome"]
            assert {name: said for name, said in outcome.items() if said} == {}

    run(scenario())


def test_workers_get_no_secrets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("IDG_ADMIN_TOKEN", "a secret")
    monkeypatch.setenv("PGPASSWORD", "a secret")

    async def scenario() -> None:
        async with a_pool(workers=1, calls_module=CALLS, sandbox="auto") as pool:
            around = await pool.ask(job("surroundings"))
            assert "a secret" not in around["environment"].values()
            assert set(around["environment"]) >= {"PYTHONPATH", "PATH"}
            kinds = {re.sub(r"\d+", "N", target) for target in around["descriptors"]}
            assert kinds <= {"/dev/null", "pipe:[N]", "/proc/N/statm"}

    run(scenario())


# Systems that lack a part.

_WITHOUT = """
import ctypes, os, struct, sys
from idg.coordinator.pool.sandbox import seccomp
number, argument, errno = map(int, sys.argv[1:4])
# A filter as containers have them: one call fails (if `argument` is not -1, only with this first argument).
check = [(0x20, 0, 0, 16), (0x15, 0, 1, argument)] if argument >= 0 else []
rules = [(0x20, 0, 0, 0), (0x15, 0, len(check) + 1, number), *check, (6, 0, 0, 0x50000 | errno), (6, 0, 0, 0x7FFF0000)]
code = b"".join(struct.pack("=HBBI", *rule) for rule in rules)
libc = ctypes.CDLL(None, use_errno=True)
program = seccomp._Program(len(rules), code)
assert libc.prctl(38, 1, 0, 0, 0) == 0 and libc.prctl(22, 2, ctypes.byref(program), 0, 0) == 0
os.execv(sys.executable, [sys.executable, *sys.argv[4:]])
"""
_NO_LANDLOCK = ("444", "-1", "38")
_NO_SECCOMP = (str(seccomp.numbers(seccomp._CHECKED, 0)["prctl"]), "22", "22")


def _without(part: tuple[str, ...], *command: str) -> subprocess.Popen[str]:
    """Starts a Python command on a system that seems to lack a part."""
    command = (sys.executable, "-c", _WITHOUT, *part, *command)
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


@pytest.mark.skipif(os.uname().machine != "x86_64", reason="the number of prctl is that of x86-64")
@pytest.mark.parametrize(
    ("part", "held", "reason"),
    [
        (_NO_LANDLOCK, {"network", "processes"}, "Landlock is missing: Function not implemented"),
        (_NO_SECCOMP, set(), "seccomp refused the filter: Invalid argument"),
    ],
)
def test_what_is_not_held_is_said(part: tuple[str, ...], held: set[str], reason: str) -> None:
    with _without(part, "-m", "idg.coordinator.pool.worker", "--calls", "tests.support.servers.hostile.hostile_calls") as worker:
        assert worker.stdout is not None
        sandbox = json.loads(worker.stdout.readline())["sandbox"]
        worker.communicate("")
    assert {name for name, said in sandbox.items() if said == HELD} == held
    assert {said for said in sandbox.values() if said != HELD} == {f"not held: {reason}"}


def test_a_server_that_requires_the_sandbox_does_not_start_without_it(tmp_path: Path) -> None:
    flags = ("--port", "0", "--data", str(tmp_path), "--workers", "1", "--sandbox", "required")
    with _without(_NO_LANDLOCK, "-m", "idg", "serve", *flags) as server:
        _, said = server.communicate("")
    assert server.returncode == 2
    assert "the sandbox is required, and this system does not hold it" in said
    assert "files: not held: Landlock is missing" in said


def test_a_pool_says_why_it_cannot_start(monkeypatch: pytest.MonkeyPatch) -> None:
    """A second thread before the worker is confined would stay outside."""
    monkeypatch.setenv("PYTHON_HOSTILE_THREAD", "1")

    async def scenario() -> None:
        pool = LocalPool(PoolSettings(calls_module="tests.support.servers.hostile.hostile_calls", sandbox="required"))
        with pytest.raises(NotStarted, match="the worker had a second thread before it was confined"):
            await pool.start()
        assert not children()

    run(scenario())


# The filter.


def _header(path: str, pattern: str) -> dict[str, int]:
    return {name: int(number) for name, number in re.findall(pattern, Path(path).read_text())}


HEADERS = {0: "/usr/include/x86_64-linux-gnu/asm/unistd_64.h", 1: "/usr/include/asm-generic/unistd.h"}


@pytest.mark.parametrize("column", HEADERS)
def test_the_numbers_of_system_calls_are_those_of_linux(column: int) -> None:
    if not Path(HEADERS[column]).exists():
        pytest.skip("the headers of Linux are not installed")
    known = _header(HEADERS[column], r"#define __NR(?:3264)?_(\w+) (\d+)")
    generic = {"newfstatat": "fstatat", "fadvise64": "fadvise64"} if column else {}
    for table in (seccomp._HARMLESS, seccomp._CHECKED):
        for name, number in seccomp.numbers(table, column).items():
            assert known[generic.get(name, name)] == number, name


def _decide(machine: str, number: int, arguments: tuple[int, ...] = (), arch: int | None = None) -> int:
    """What the filter decides, computed by an interpreter of its instructions."""
    program = seccomp.filter_program(machine, pid=1234)
    arch = seccomp._ARCHITECTURES[machine][1] if arch is None else arch
    data = struct.pack("=iIQ6Q", number, arch, 0, *(*arguments, *[0] * (6 - len(arguments))))
    accumulator, place = 0, 0
    while True:
        code, if_true, if_false, constant = program[place]
        place += 1
        match code:
            case 0x20:
                accumulator = int(struct.unpack_from("=I", data, constant)[0])
            case 0x06:
                return constant
            case _:
                holds = {0x15: accumulator == constant, 0x25: accumulator > constant, 0x45: bool(accumulator & constant)}[code]
                place += if_true if holds else if_false


@pytest.mark.parametrize("machine", ["x86_64", "aarch64"])
def test_the_filter_decides_as_its_tables_say(machine: str) -> None:
    column = seccomp._ARCHITECTURES[machine][0]
    allowed, refused, missing = 0x7FFF0000, 0x50001, 0x50026
    harmless, checked = seccomp.numbers(seccomp._HARMLESS, column), seccomp.numbers(seccomp._CHECKED, column)
    assert not set(harmless) & set(checked)
    for number in range(600):
        if number in harmless.values():
            expected = allowed
        elif number == 435 or number > 450:
            expected = missing
        elif number in checked.values():
            continue
        else:
            expected = refused
        assert _decide(machine, number) == expected, number
    assert _decide(machine, harmless["read"], arch=0x40000003) == refused
    cases: dict[str, tuple[tuple[int, ...], list[tuple[int, ...]]]] = {
        "openat": ((0, 0, os.O_RDONLY | os.O_CLOEXEC), [(0, 0, os.O_RDWR), (0, 0, os.O_CREAT), (0, 0, os.O_TRUNC)]),
        "clone": ((0x3D0F00,), [(17,), (0,), (0x3D0F00 | 0x40000000,), (0x4111,)]),
        "kill": ((1234, 6), [(1, 9), (0, 9), (2**32 - 1, 9), (2**32 - 1234, 9)]),
        "tgkill": ((1234, 1300, 6), [(1, 1, 9)]),
        "prlimit64": ((0,), [(1,)]),
        "fcntl": ((3, 1030), [(3, 8), (3, 10), (3, 1024)]),
        "ioctl": ((3, 0x5401), [(3, 0x5412), (3, 0x8901)]),
        "prctl": ((15,), [(22,), (4,), (35,)]),
    }
    for name, (good, bad) in cases.items():
        assert _decide(machine, checked[name], good) == allowed, name
        for arguments in bad:
            assert _decide(machine, checked[name], arguments) == refused, (name, arguments)
