"""A plugin of pytest that tells what tests cost in CPU seconds, with everything that they start.

    .venv/bin/python -m pytest -p tools.cost_of_tests --costs costs.json tests/cli

The process of pytest joins a control group of its own, which Linux bills for all processes in it: also for servers that outlive a
test, and for children that nobody waited for. What a shared fixture costs is billed to the test that needs it first. It needs the
right to make control groups (root has it), and no `-n`, because the workers of xdist would be billed together.
"""

from __future__ import annotations

import atexit
import json
import os
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

GROUPS = Path("/sys/fs/cgroup")
SHOWN_TESTS = 20
"""How many of the dearest tests are printed."""


class Meter:
    """A control group that the process of the tests is in, and what it has used."""

    def __init__(self) -> None:
        first = GROUPS / "cpuacct" if (GROUPS / "cpuacct").is_dir() else GROUPS
        self.outer = first
        self.group = first / f"idg-tests-{os.getpid()}"
        self.group.mkdir()
        (self.group / "cgroup.procs").write_text(str(os.getpid()))
        atexit.register(self.close)

    def seconds(self) -> float:
        usage = self.group / "cpuacct.usage"
        if usage.exists():
            return int(usage.read_text()) / 1e9
        fields = dict(line.split() for line in (self.group / "cpu.stat").read_text().splitlines())
        return int(fields["usage_usec"]) / 1e6

    def close(self) -> None:
        """Leave the group, with what is still running in it, so that it can be removed."""
        for process in (self.group / "cgroup.procs").read_text().split():
            try:
                (self.outer / "cgroup.procs").write_text(process)
            except ProcessLookupError:
                continue
        self.group.rmdir()


class Costs:
    """The CPU seconds of each test: of its preparation, of itself, and of what follows it."""

    def __init__(self, meter: Meter, report: Path) -> None:
        self.meter = meter
        self.report = report
        self.tests: dict[str, dict[str, float]] = defaultdict(dict)
        self.collected = 0.0

    def pytest_collection_finish(self) -> None:
        self.collected = self.meter.seconds()

    def _measured(self, item: pytest.Item, phase: str) -> Iterator[None]:
        before = self.meter.seconds()
        yield
        self.tests[item.nodeid][phase] = round(self.meter.seconds() - before, 3)

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> Iterator[None]:
        yield from self._measured(item, "setup")

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Iterator[None]:
        yield from self._measured(item, "call")

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_runtest_teardown(self, item: pytest.Item) -> Iterator[None]:
        yield from self._measured(item, "teardown")

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        modules: dict[str, float] = defaultdict(float)
        sums = {test: sum(phases.values()) for test, phases in self.tests.items()}
        for test, seconds in sums.items():
            modules[test.partition("::")[0]] += seconds
        self.report.write_text(json.dumps({"collected": self.collected, "tests": self.tests}, indent=1), encoding="utf-8")
        terminalreporter.section("CPU seconds")
        terminalreporter.write_line(f"{self.meter.seconds():8.1f} all, {self.collected:.1f} to collect the tests")
        for module, seconds in sorted(modules.items(), key=lambda pair: -pair[1]):
            terminalreporter.write_line(f"{seconds:8.1f} {module}")
        for test, seconds in sorted(sums.items(), key=lambda pair: -pair[1])[:SHOWN_TESTS]:
            terminalreporter.write_line(f"{seconds:8.1f} {test} {self.tests[test]}")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--costs", type=Path, help="the file that gets the CPU seconds of each test, as JSON")


def pytest_configure(config: pytest.Config) -> None:
    report = config.getoption("--costs")
    if report is not None:
        config.pluginmanager.register(Costs(Meter(), report))
