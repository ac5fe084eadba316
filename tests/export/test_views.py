"""Programs shown as Python and as C: random ones are run in these languages and compared with runs of SIP."""

from __future__ import annotations

import io
import random
import re
import shutil
import subprocess
from contextlib import redirect_stdout
from fractions import Fraction
from pathlib import Path

import pytest

from idg.cli.main import main
from idg.cli.programs.showing import VIEW_NAMES
from idg.export.views.views import LANGUAGES, ViewRefused, program_as
from idg.importer import import_python
from idg.levels import all_levels
from idg.sip.errors import SipError
from idg.sip.limits import RunLimits
from idg.sip.program import Program, load
from idg.sip.running.trace import Run
from idg.sip.syntax import Type
from idg.sip.text.printer import print_program
from idg.sip.values import Value
from tests.support.programs.drawn.random_arrays import array_inputs, with_arrays
from tests.support.programs.drawn.random_programs import random_inputs, random_program
from tests.support.programs.drawn.random_writes import LOCAL, with_writes
from tests.support.programs.known_levels import known_level
from tests.support.volume import volume

PYTHON_PROGRAMS = volume(300, 6_000)
"""Random programs that are run as Python."""
ARRAY_PROGRAMS = volume(150, 4_000)
"""Random programs with arrays that are run as Python."""
C_PROGRAMS = volume(25, 500)
"""Random programs that are run as C. Each is compiled."""
LIMITS = RunLimits(steps_max=300, rows_max=200, call_depth_max=12, prints_max=20)
"""Runs are short; those that reach a bound are not compared."""
GCC = shutil.which("gcc")
OVERFLOW = -4
"""What a C program ends with where a number does not fit: the signal of an illegal instruction."""
ABORTED = -6
"""What a C program ends with where an assert does not hold."""


def without_choices(text: str) -> str:
    """The text with a value for each variable and without cassign, so that there is a view of it."""
    text = re.sub(r"(var [\w, ]+: (?:int|nat|rat));", r"\1 := 0;", text)
    text = re.sub(r"(var [\w, ]+: bool);", r"\1 := false;", text)
    return re.sub(r"(?m)^ *cassign\(.*\);\n", "", text)


def without_fractions(text: str) -> str:
    text = re.sub(r"(?m)^ *print\(.*\);\n", "", text) if text.count("fn ") > 1 else text
    return re.sub(r"(\d)\.(\d)", r"\1\2", text.replace(": rat", ": int").replace(" / ", " // "))


def shown(rng: random.Random, language: str) -> tuple[Program, str]:
    """A random program that has a view in the language, and the view."""
    while True:
        text = without_choices(print_program(random_program(rng)))
        try:
            program = load(without_fractions(text) if language == "c" else text)
            return program, program_as(program, language)
        except (SipError, ViewRefused):
            continue


def shown_with_arrays(rng: random.Random) -> tuple[Program, str]:
    """The same of a program with arrays. A local one begins as a copy of a parameter; else its cells may have any values."""
    while True:
        text = without_choices(print_program(with_writes(rng, with_arrays(rng, random_program(rng)))))
        text = re.sub(rf"var (\w+){LOCAL}: (\w+)\[.*\];", rf"var \g<1>{LOCAL}: \2[] := \1;", text)
        try:
            program = load(text)
            return program, program_as(program, "python")
        except (SipError, ViewRefused):
            continue


def run_of(program: Program, inputs: dict[str, Value]) -> Run | None:
    run = program.run(inputs, limits=LIMITS)
    return None if run.outcome.kind == "bound" else run


def as_python_has_it(value: Value, kind: Type) -> object:
    if isinstance(value, tuple):
        return [as_python_has_it(cell, kind.element or kind) for cell in value]
    return Fraction(value) if kind is Type.RAT else value


def as_python(text: str, inputs: dict[str, Value], params: dict[str, Type]) -> tuple[str, object, list[str]]:
    """How the view ended, its value, and what it printed."""
    scope: dict[str, object] = {}
    given = [as_python_has_it(value, params[name]) for name, value in inputs.items()]
    printed = io.StringIO()
    ended, value = "returned", None
    with redirect_stdout(printed):
        exec(text, scope)
        function = scope["main"]
        assert callable(function)
        try:
            value = function(*given)
        except (AssertionError, ZeroDivisionError, IndexError):
            ended = "failed"
        except SystemExit:
            ended = "ignored"
    return ended, value, printed.getvalue().splitlines()


def expected_end(run: Run) -> str:
    """A pre that does not hold is an assert in the view."""
    return "failed" if run.outcome.cause == "pre" else run.outcome.kind


def test_random_programs_mean_the_same_in_python() -> None:
    rng = random.Random(20)
    ends: dict[str, int] = {}
    for _ in range(PYTHON_PROGRAMS):
        program, text = shown(rng, "python")
        for _ in range(2):
            inputs = random_inputs(rng, program.level)
            run = run_of(program, inputs)
            if run is None:
                continue
            ended, value, printed = as_python(text, inputs, program.params)
            assert (ended, printed) == (expected_end(run), list(run.printed)), (program.text, inputs, text)
            if ended == "returned":
                assert value == run.outcome.value, (program.text, inputs, text)
            ends[ended] = ends.get(ended, 0) + 1
    assert min(ends["returned"], ends["failed"]) > PYTHON_PROGRAMS // 5
    assert ends["ignored"] > 0


def test_random_programs_with_arrays_mean_the_same_in_python() -> None:
    rng = random.Random(22)
    ends: dict[str, int] = {}
    for _ in range(ARRAY_PROGRAMS):
        program, text = shown_with_arrays(rng)
        inputs = random_inputs(rng, program.level) | array_inputs(rng, program.params)
        run = run_of(program, inputs)
        if run is None:
            continue
        ended, value, printed = as_python(text, inputs, program.params)
        assert (ended, printed) == (expected_end(run), list(run.printed)), (program.text, inputs, text)
        assert ended != "returned" or value == run.outcome.value, (program.text, inputs, text)
        ends[ended] = ends.get(ended, 0) + 1
    assert min(ends["returned"], ends["failed"]) > ARRAY_PROGRAMS // 20, ends


def test_a_swap_whose_places_are_cells_exchanges_the_cells_that_they_name() -> None:
    program = load("fn main(a: int[]): int { swap(a, 0, a[0]); swap(a, a[1], 2); return 100 * a[0] + 10 * a[1] + a[2]; }")
    for cells in ((1, 2, 0), (2, 1, 0), (0, 2, 1), (1, 0, 2)):
        run = program.run({"a": cells})
        assert as_python(program_as(program, "python"), {"a": cells}, program.params)[1] == run.outcome.value, cells


@pytest.mark.parametrize("name", ["sheep-and-goats", "painted-fence", "traffic-count", "till", "bookshelf"])
def test_a_level_with_arrays_is_read_again_from_its_python(name: str) -> None:
    program = known_level(name).program()
    again = load(import_python(program_as(program, "python")).source)
    assert len(again.loops) == len(program.loops)
    for run in ({key: (3, 1, 2, 1) if kind.element else 1 for key, kind in program.params.items()},):
        assert (again.run(run).outcome.kind, again.run(run).outcome.value) == (
            program.run(run).outcome.kind, program.run(run).outcome.value,
        )  # fmt: skip


@pytest.mark.skipif(GCC is None, reason="there is no gcc here")
def test_random_programs_mean_the_same_in_c(tmp_path: Path) -> None:
    rng = random.Random(21)
    compared = 0
    for _ in range(C_PROGRAMS):
        program, text = shown(rng, "c")
        inputs = random_inputs(rng, program.level)
        run = run_of(program, inputs)
        if run is None:
            continue
        done = as_c(text, inputs, program, tmp_path)
        if done.returncode == OVERFLOW or any(abs(value) >= 2**63 for value in inputs.values() if isinstance(value, int)):
            continue
        lines = done.stdout.splitlines()
        told = [line for line in lines if not line.startswith("= ")]
        ended = {ABORTED: "failed", 0: "returned" if len(told) < len(lines) else "ignored"}[done.returncode]
        assert (ended, told) == (expected_end(run), list(run.printed)), (program.text, inputs, text)
        if ended == "returned" and program.level.result:
            assert int(lines[-1].removeprefix("= ")) == run.outcome.value, (program.text, inputs, text)
        compared += 1
    assert compared > C_PROGRAMS // 2


def as_c(text: str, inputs: dict[str, Value], program: Program, folder: Path) -> subprocess.CompletedProcess[str]:
    given = ", ".join(f"{int(value)}LL" for value in inputs.values())  # type: ignore[arg-type]
    call = f"main_({given})"
    told = f'printf("= %lld\\n", (long long) {call});' if program.level.result else f'{call}; printf("= none\\n");'
    harness = f"#include <stdio.h>\n{text}\nint main(void) {{ setvbuf(stdout, 0, _IONBF, 0); {told} return 0; }}\n"
    (folder / "a.c").write_text(harness, encoding="utf-8")
    trapping = ["-fsanitize=signed-integer-overflow", "-fsanitize-undefined-trap-on-error"]
    subprocess.run(["gcc", "-std=c11", "-w", "-O0", *trapping, "-o", "a", "a.c"], cwd=folder, check=True)
    return subprocess.run(["./a"], cwd=folder, capture_output=True, text=True, timeout=60)


@pytest.mark.parametrize("language", ["python", "c"])
def test_levels_have_views_unless_they_choose_or_have_arrays(language: str) -> None:
    refused: dict[str, str] = {}
    for level in all_levels():
        try:
            assert "main" in program_as(level.program(), language)
        except ViewRefused as error:
            refused[level.id] = str(error)
    reasons = (
        "cassign chooses",
        "any values at the start",
        "may be read before it has a value",
        "C has no exact fractions",
        "no view yet",
    )
    assert all(any(reason in told for reason in reasons) for told in refused.values()), refused
    choosing = [name for name, told in refused.items() if "no view yet" not in told]
    assert len(choosing) < len(all_levels()) // 5


@pytest.mark.parametrize(
    ("text", "language", "reason"),
    [
        ("fn main(x: rat) { assert(x = x); }", "c", "no exact fractions"),
        ("fn main(x: int) { assert(x / 2 <= x); }", "c", "no exact fractions"),
        (f"fn main(x: int) {{ x := {2**63}; }}", "c", "does not fit into a long long"),
        ("fn main(x: int) { cassign([x], x > 3); }", "python", "cassign chooses any values for x"),
        ("fn main(n: int) { var x: int; if (n > 0) { x := 1; } n := x; }", "python", "x may be read before it has a value"),
        ("fn main(n: int): int { if (n > 0) { result := 1; } }", "c", "result may be read before it has a value"),
        ("fn f(n: int): int { print(n); return n; } fn main(n: int) { n := f(1) + f(2); }", "c", "in which order"),
        ("fn f(n: int): int { return n; } fn main(n: int) { assert(0 <= f(n) < 3); }", "c", "would be made twice"),
        ("fn main(n: nat) { var b: int[n]; n := 2; }", "c", "arrays have no view yet"),
        ("fn main(n: nat) { var b: int[n]; n := 2; }", "python", "the cells of b may have any values at the start"),
    ],
)
def test_what_a_language_cannot_say_is_refused(text: str, language: str, reason: str) -> None:
    with pytest.raises(ViewRefused, match=re.escape(reason)):
        program_as(load(text), language)


def test_words_of_the_language_are_no_names() -> None:
    text = (
        "fn int_(lambda: int): int { return lambda; } fn main(print_: int, None: int, long: int) { var list: int := int_(None); }"
    )
    python, c = program_as(load(text), "python"), program_as(load(text), "c")
    assert "lambda_" in python
    assert "None_" in python
    assert "list_" in python
    assert "long_" in c


def test_the_sip_view_is_the_text() -> None:
    level = known_level("multiply")
    assert program_as(level.program(), "sip") == level.program().text
    assert LANGUAGES == VIEW_NAMES


def test_the_command_shows_and_refuses(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["show", "multiply", "--as", "python"]) == 0
    assert "def main(n: int, m: int) -> None:" in capsys.readouterr().out
    path = tmp_path / "count.c"
    path.write_text("int count(int n) { int i = 0; while (i < n) { i++; } return i; }", encoding="utf-8")
    assert main(["show", str(path), "--as", "python"]) == 0
    assert "def count(n: int) -> None:" in capsys.readouterr().out
    assert main(["show", "wanderer", "--as", "c"]) == 1
    assert "C has no such choice" in capsys.readouterr().err
    assert main(["show", "wanderer", "--as", "c", "--json"]) == 1
    assert '"no-view"' in capsys.readouterr().out
