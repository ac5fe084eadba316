"""Random C programs against gcc: the reading prints what the compiled program prints, or the program is refused."""

from __future__ import annotations

import random
import shutil
import subprocess
from pathlib import Path

import pytest

from idg.cli.programs.comparing import compare
from idg.importer import ImportRefused, import_c
from idg.sip.program import load
from tests.support.programs.drawn.random_c import RandomC
from tests.support.programs.drawn.random_c_arrays import ArrayProgram
from tests.support.programs.drawn.random_c_blocks import BlockProgram
from tests.support.programs.drawn.random_c_jumps import JumpProgram
from tests.support.programs.drawn.random_c_pointers import PointerProgram
from tests.support.volume import volume
from tests.support.waiting import HANG_SECONDS

GCC = shutil.which("gcc")
pytestmark = pytest.mark.skipif(GCC is None, reason="there is no gcc here")
PROGRAMS = volume(60, 600)
"""Random programs for each meaning of signed arithmetic."""
ARRAY_PROGRAMS = volume(6, 300)
"""Random programs with arrays."""
REWRITTEN_PROGRAMS = volume(15, 1000)
"""Random programs with names that are declared again, as many with goto, and as many with pointers."""
ARRAY_RUNS = 6
"""Seeds with which each of them is run."""
TRAPS = ("-fsanitize=signed-integer-overflow,shift", "-fsanitize-undefined-trap-on-error")
PRELUDE = "#include <stdio.h>\n#define putchar(c) ((void) (c))\n"


def compiled_lines(text: str, folder: Path, flags: tuple[str, ...]) -> tuple[list[str], bool] | None:
    """What the compiled program prints, and whether it came to its end; None where the compiler itself computed what overflows."""
    prelude = PRELUDE + "#line 1\n"
    (folder / "a.c").write_text(
        prelude + text.replace("int main(void) {", "int main(void) {\nsetbuf(stdout, 0);", 1), encoding="utf-8"
    )
    made = subprocess.run(["gcc", "-std=gnu11", *flags, "-o", "a", "a.c"], cwd=folder, capture_output=True, text=True)
    assert made.returncode == 0, f"{made.stderr}\n{text}"
    if "integer overflow in expression" in made.stderr and "-fwrapv" not in flags:
        return None
    done = subprocess.run([folder / "a"], capture_output=True, text=True, timeout=HANG_SECONDS)
    return done.stdout.splitlines(), done.returncode == 0


@pytest.mark.parametrize("integers", ["math", "check", "machine"])
def test_the_reading_prints_what_the_compiled_program_prints(integers: str, tmp_path: Path) -> None:
    read = whole = left_out = 0
    for seed in range(PROGRAMS):
        text = RandomC(seed, large=integers == "machine").text()
        try:
            imported = import_c(text, integers=integers)
        except ImportRefused:
            continue
        compiled = compiled_lines(text, tmp_path, ("-fwrapv",) if integers == "machine" else TRAPS)
        if compiled is None:
            continue
        read += 1
        lines, ended = compiled
        run = load(imported.source).run()
        shown = f"seed {seed}, {integers}\n{text}\n{imported.source}\n{run.message}"
        if ended and integers == "check" and run.outcome.cause == "assert":
            # The compiler left out an operation that overflows, because nothing depends on its value.
            left_out += 1
            assert lines[: len(run.printed)] == run.printed, shown
            continue
        assert run.printed[: len(lines)] == lines, shown
        if ended:
            whole += 1
            assert (run.outcome.kind, len(run.printed)) == ("returned", len(lines)), shown
        else:
            assert integers != "machine", shown
            assert integers == "math" or (run.outcome.kind, run.outcome.cause) == ("failed", "assert"), shown
    assert read > PROGRAMS // 3, "most programs are read"
    assert whole > PROGRAMS // 6
    assert left_out <= PROGRAMS // 30


def test_the_comparison_agrees(tmp_path: Path) -> None:
    for seed in range(1000, 1000 + PROGRAMS // 4):
        text = RandomC(seed).text()
        try:
            imported = import_c(text)
        except ImportRefused:
            continue
        if compiled_lines(text, tmp_path, TRAPS) is None:
            continue
        comparison = compare(text, {}, imported, 2)
        assert not comparison.difference, f"seed {seed}\n{text}\n{imported.source}"


def test_programs_with_arrays_have_the_states_of_the_compiled_programs() -> None:
    read = 0
    for seed in range(ARRAY_PROGRAMS):
        rng = random.Random(seed)
        text = ArrayProgram(rng).text
        integers = rng.choice(("math", "check", "machine"))
        try:
            imported = import_c(text, integers=integers)
        except ImportRefused:
            continue
        read += 1
        comparison = compare(text, {}, imported, ARRAY_RUNS)
        assert not comparison.difference, f"seed {seed}, {integers}\n{text}\n{imported.source}"
        assert comparison.note.startswith(f"{ARRAY_RUNS} runs of the file"), comparison.note
    assert read > ARRAY_PROGRAMS // 2, "most programs are read"


@pytest.mark.parametrize("made", [BlockProgram, JumpProgram, PointerProgram])
def test_rewritten_programs_print_what_the_compiled_programs_print(
    made: type[BlockProgram] | type[JumpProgram] | type[PointerProgram], tmp_path: Path
) -> None:
    """And the comparison says so, too."""
    read = 0
    for seed in range(REWRITTEN_PROGRAMS):
        text = made(random.Random(seed)).text
        try:
            imported = import_c(text)
        except ImportRefused:
            continue
        compiled = compiled_lines(text, tmp_path, TRAPS)
        assert compiled is not None
        lines, ended = compiled
        program = load(imported.source)
        # A variable that a goto might leave without a value is an input; what it is does not matter.
        printed = program.run(dict.fromkeys(program.params, 0)).printed
        shown = f"seed {seed}\n{text}\n{imported.source}"
        assert printed[: len(lines)] == lines, shown
        assert not ended or len(printed) == len(lines), shown
        comparison = compare(text, {}, imported, 1)
        assert not comparison.difference, f"{comparison.difference}\n{shown}"
        assert comparison.note.startswith("1 runs of the file"), comparison.note
        read += ended
    assert read > REWRITTEN_PROGRAMS // 2, "most programs are read and come to their end"
