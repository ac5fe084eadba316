"""Compares runs of a C file with runs of its reading: the file is compiled, and both get the same values that may be anything."""

from __future__ import annotations

import re
import shutil
import subprocess
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path

from idg.importer import Imported, ImportRefused
from idg.importer.c.text.tokens import lines_of
from idg.importer.c.traces import TRACE_MARK, InputSite, value_at
from idg.importer.c.twins.c_program import ENOUGH, FAILED, STOPPED, TRACES_MAX
from idg.importer.c.twins.twin import Twin, c_twin
from idg.sip.limits import RunLimits
from idg.sip.program import Program, load
from idg.sip.record import Record
from idg.sip.running.chooser import ChoiceRequest
from idg.sip.syntax import Type
from idg.sip.values import Scalar, Value, scalar

RUNS = 100
"""Seeds with which both programs are run."""
RUN_SECONDS = 5
"""The time of one run of the C program, which is far more than it needs."""
ALL_SECONDS = 30
"""The time of all runs together; seeds that are left then are not tried."""
COMPILE_SECONDS = 60
"""The time that the compiler may take for one file."""
STEPS_MAX = 4_000
"""The steps of a run of the SIP program: it reaches few loop heads for each of the traces after which the C program ends."""
COMPILERS = ("gcc", "cc", "clang")
_TRAPS = ("-fsanitize=signed-integer-overflow,shift,integer-divide-by-zero,bounds", "-fsanitize-undefined-trap-on-error")
"""Where a signed number overflows, or an array has no such cell, C's meaning is undefined, and the run is compared up to there
only."""
_WRAPS = ("-fwrapv", "-fsanitize=bounds", "-fsanitize-undefined-trap-on-error")
"""The same where signed numbers wrap round."""
_WATCHED = ("-fsanitize=address",)
"""With this a run also ends where a pointer leads to no cell. That takes longer, so it is done only where that may have
happened."""


class ReadingCheck(Record):
    """What the comparison gave. A difference means that the file was read wrongly."""

    difference: str
    """Empty where there is none."""
    note: str
    """What was compared, or why nothing was."""


def compare(text: str, headers: Mapping[str, str], imported: Imported, runs: int = RUNS) -> ReadingCheck:
    """Compares a C text with its reading by seeded runs of both, where there is a compiler."""
    compiler = next((path for path in map(shutil.which, COMPILERS) if path), None)
    if compiler is None:
        return ReadingCheck("", "there is no C compiler, so that the reading was not compared with runs of the compiled file")
    try:
        twin = c_twin(text, headers, imported)
    except ImportRefused as error:
        return ReadingCheck("", f"the reading was not compared with runs of the compiled file: {error.reason}")
    with tempfile.TemporaryDirectory() as folder:
        try:
            return _Comparer(compiler, Path(folder), twin, imported).all(text, headers, runs)
        except (OSError, subprocess.SubprocessError) as error:
            return ReadingCheck("", f"the reading was not compared with runs of the compiled file: {error}")


class _Comparer:
    def __init__(self, compiler: str, folder: Path, twin: Twin, imported: Imported) -> None:
        self.compiler = compiler
        self.folder = folder
        self.twin = twin
        self.integers = imported.integers
        self.program = load(twin.sip.source)
        self.lines = 0

    def all(self, text: str, headers: Mapping[str, str], runs: int) -> ReadingCheck:
        words = self._preprocessed(text, headers)
        if words is None:
            return ReadingCheck("", "the compiler's preprocessor does not read the file, so that no runs were compared")
        if words != self.twin.words:
            return ReadingCheck("the compiler's preprocessor reads it differently", "")
        (self.folder / "twin.c").write_text(self.twin.c_source, encoding="utf-8")
        if not self._compiled("twin"):
            return ReadingCheck("", "the compiler does not read the file with traces, so that no runs were compared")
        start = time.monotonic()
        made = 0
        for seed in range(runs):
            difference = self._seed(seed)
            made += 1
            if difference:
                return ReadingCheck(f"{difference} (seed {seed})", "")
            if time.monotonic() - start > ALL_SECONDS:
                break
        name = Path(self.compiler).name
        return ReadingCheck(
            "", f"{made} runs of the file, compiled by {name}, had the same {self.lines} states as runs of its reading"
        )

    def _compiled(self, name: str, more: tuple[str, ...] = ()) -> bool:
        flags = _WRAPS if self.integers == "machine" else _TRAPS
        command = [self.compiler, "-std=gnu11", "-w", "-O0", *flags, *more, "-o", name, "twin.c"]
        return self._run(command, COMPILE_SECONDS).returncode == 0

    def _leaves_cells(self, seed: int) -> bool:
        """Whether the compiled program reads or writes where there is no cell, or nobody can say."""
        if not (self.folder / "watched").exists() and not self._compiled("watched", _WATCHED):
            return True
        code = self._run([str(self.folder / "watched"), str(seed)], RUN_SECONDS).returncode
        return code not in (0, FAILED, STOPPED, ENOUGH)

    def _run(self, command: list[str], seconds: int) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            command, cwd=self.folder, capture_output=True, encoding="utf-8", errors="replace", timeout=seconds, check=False,
            stdin=subprocess.DEVNULL,
        )  # fmt: skip

    def _preprocessed(self, text: str, headers: Mapping[str, str]) -> tuple[str, ...] | None:
        """The tokens that the compiler's own preprocessor gives. Headers of the system are taken out first."""
        for name, header in headers.items():
            path = (self.folder / "headers" / name).resolve()
            if self.folder.resolve() not in path.parents:
                return None
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(_without_system(header, headers, name), encoding="utf-8")
        (self.folder / "headers").mkdir(exist_ok=True)
        (self.folder / "headers" / "idg_file.c").write_text(_without_system(text, headers, ""), encoding="utf-8")
        made = self._run([self.compiler, "-std=gnu11", "-w", "-E", "-P", "headers/idg_file.c"], COMPILE_SECONDS)
        if made.returncode != 0:
            return None
        kept = "\n".join(line for line in made.stdout.splitlines() if not line.lstrip().startswith("#"))
        return tuple('""' if token.kind == "string" else token.text for line in lines_of(kept) for token in line)

    def _seed(self, seed: int) -> str:
        """How the two runs differ; empty where they do not."""
        done = self._run([str(self.folder / "twin"), str(seed)], RUN_SECONDS)
        c_lines = [list(map(int, line.split())) for line in done.stdout.splitlines()]
        kind, cause, lines = _sip_run(self.program, self.twin, seed)
        self.lines += min(len(lines), len(c_lines))
        for c_line, line in zip(c_lines, lines, strict=False):
            if not _agree(c_line, line):
                return f"at trace {c_line[0]} the compiled file has the values {c_line[1:]}, and its reading has others"
        difference = self._ends(done.returncode, len(c_lines), kind, cause, len(lines))
        # Where a pointer of C leads to no cell, nothing notices it.
        return "" if difference and cause == "index" and self._leaves_cells(seed) else difference

    def _ends(self, code: int, c_count: int, kind: str, cause: str, count: int) -> str:
        if code not in (0, FAILED, STOPPED) or kind == "bound" or (kind == "ignored" and self.twin.assumes):
            # The C program did something undefined, or enough was traced, or the reading was stopped.
            return ""
        if c_count != count:
            return f"the compiled file passes {c_count} traces, and its reading {count}"
        if (code == FAILED) != (kind == "failed"):
            how = {0: "ends", FAILED: "fails an assert", STOPPED: "stops"}[code]
            return f"the compiled file {how}, and the run of its reading is {kind} {cause}".rstrip()
        return "" if code != STOPPED or kind == "ignored" else f"the compiled file stops, and the run of its reading is {kind}"


def _without_system(text: str, headers: Mapping[str, str], includer: str) -> str:
    """The text with a blank line in place of each #include of a header that is not given."""
    from posixpath import dirname, join, normpath

    known = {normpath(name) for name in headers}

    def kept(match: re.Match[str]) -> str:
        names = (normpath(join(dirname(includer), match[2] or "")), normpath(match[2] or ""))
        return match[0] if match[2] and any(name in known for name in names) else ""

    return re.sub(r'^[ \t]*#[ \t]*include[ \t]*(<[^>\n]*>|"([^"\n]*)").*$', kept, text, flags=re.MULTILINE)


def _sip_run(program: Program, twin: Twin, seed: int) -> tuple[str, str, list[list[str]]]:
    """The outcome of the reading's run, its cause, and the traced lines."""

    def value(site: InputSite, traced: int, kind: Type) -> Scalar:
        number = site.target.wrapped(value_at(seed, site, traced))
        return bool(number) if kind is Type.BOOL else number

    def choose(request: ChoiceRequest) -> tuple[Scalar, ...]:
        traced = int(scalar(request.state[twin.counter]))
        return tuple(value(twin.sites[name], traced, kind) for name, kind in zip(request.names, request.types, strict=True))

    inputs: dict[str, Value] = {
        name: value(twin.sites[name], 0, kind) for name, kind in program.params.items() if name not in twin.arrays
    }
    for name, array in twin.arrays.items():
        cells = tuple(site.target.wrapped(value_at(seed, site, 0)) for site in array.cells)
        inputs[name] = cells[: int(scalar(inputs[array.length]))] if array.length else cells
    limits = RunLimits(steps_max=STEPS_MAX, prints_max=4 * TRACES_MAX + STEPS_MAX)
    run = program.run(inputs, limits=limits, chooser=choose, record=False)
    lines = [line.split() for line in run.printed]
    traced = [line for line in lines if line and line[0].isdigit() and int(line[0]) >= TRACE_MARK]
    if run.outcome.kind == "returned" and run.outcome.value is not None:
        traced.append([str(TRACE_MARK), "0", str(run.outcome.value)])
    return run.outcome.kind, run.outcome.cause or "", traced


def _agree(c_line: list[int], line: list[str]) -> bool:
    if c_line[0] != int(line[0]) - TRACE_MARK:
        return False
    for index, text in zip(line[1::2], line[2::2], strict=True):
        value = {"true": 1, "false": 0}.get(text)
        if c_line[1 + int(index)] != (int(text) if value is None else value):
            return False
    return True
