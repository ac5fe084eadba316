"""The command line as a user meets it: real processes, real files, exit codes."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from idg.cli.main import build_parser, main
from idg.levels import all_levels
from tests.support.waiting import HANG_SECONDS

GOOD = "fn main(n: nat) {\n  var i: int;\n  while (i < n) {\n    i := i + 1;\n  }\n  assert(i = n);\n}\n"
BAD = "fn main(n: nat) {\n  var i: int\n  i = 0;\n}\n"
NESTED = "fn main(n: nat) { var i, j: nat; while (i < n) { j := 0; while (j < i) { j := j + 1; } i := i + 1; } }"


def idg(*arguments: str, text: str | None = None) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "idg", *arguments]
    return subprocess.run(command, input=text, capture_output=True, check=False, timeout=HANG_SECONDS, encoding="utf-8")


@pytest.fixture
def good(tmp_path: Path) -> str:
    path = tmp_path / "good.sip"
    path.write_text(GOOD, encoding="utf-8")
    return str(path)


@pytest.fixture
def bad(tmp_path: Path) -> str:
    path = tmp_path / "bad.sip"
    path.write_text(BAD, encoding="utf-8")
    return str(path)


def test_check_says_all_problems_and_sets_the_exit_code(good: str, bad: str) -> None:
    assert (idg("check", good).returncode, idg("check", "-", text=GOOD).returncode) == (0, 0)
    result = idg("check", bad)
    assert result.returncode == 1
    assert f"{bad}:2:13: a ';' is missing after this declaration" in result.stdout
    assert "  3 |   i = 0;\n    |     ^" in result.stdout
    assert "did you mean ':='?" in result.stdout
    problems = json.loads(idg("check", bad, "--json").stdout)["problems"]
    assert [problem["code"] for problem in problems] == ["missing-semicolon", "assignment-with-equals"]
    assert problems[1]["where"] == {"line": 3, "column": 5, "start": 35, "end": 36}
    assert problems[1].keys() == {"code", "message", "where", "hint"}


def test_check_reads_odd_files_and_says_what_it_cannot_read(tmp_path: Path) -> None:
    assert idg("check", str(tmp_path)).returncode == 2
    missing = idg("check", str(tmp_path / "none.sip"))
    assert missing.returncode == 2
    assert "there is no file" in missing.stderr
    binary = tmp_path / "binary.sip"
    binary.write_bytes(b"\xff\xfe\x00")
    assert "not a UTF-8 text" in idg("check", str(binary)).stderr
    windows = tmp_path / "windows.sip"
    windows.write_bytes(b"\xef\xbb\xbf" + GOOD.replace("\n", "\r\n").encode())
    assert idg("check", str(windows)).returncode == 0
    assert idg("fmt", str(windows), "--check").returncode == 0
    windows.write_bytes(b"\xef\xbb\xbf" + BAD.replace("\n", "\r\n").encode())
    place = json.loads(idg("check", str(windows), "--json").stdout)["problems"][1]["where"]
    assert place == {"line": 3, "column": 5, "start": 38, "end": 39}, "offsets into the text as it is in the file"
    assert windows.read_bytes().decode()[38] == "="


def test_check_says_that_a_text_is_too_long_or_no_program(tmp_path: Path) -> None:
    long = tmp_path / "long.sip"
    for text in (GOOD + "# é\n" * 300_000, "é" * 800_000, "𝟙" * 400_000):
        long.write_text(text, encoding="utf-8")
        result = idg("check", str(long))
        assert (result.returncode, "[text-too-long]" in result.stdout) == (1, True)
    assert "this is an expression, not a program" in idg("check", "-", text="n >= 0 & n < 5").stdout
    wide = "fn main(n: nat) {" + "if(n>1){" * 30 + "n:=n;" * 15_000 + "}" * 31
    long.write_text(wide, encoding="utf-8")
    for option in ((), ("--write",), ("--check",)):
        result = idg("fmt", str(long), *option)
        assert (result.returncode, "at most 100,000 are allowed" in result.stderr) == (2, True)
    assert long.read_text(encoding="utf-8") == wide


def test_fmt_prints_writes_and_checks(tmp_path: Path, bad: str) -> None:
    path = tmp_path / "ugly.sip"
    path.write_text("fn main(n:nat){var i:int; # count\nwhile(i<n){i:=i+1;}assert(i==n);}", encoding="utf-8")
    printed = idg("fmt", str(path))
    assert printed.stdout == GOOD.replace("int;\n", "int;  # count\n")
    assert idg("fmt", str(path), "--check").returncode == 1
    assert idg("fmt", str(path), "--write").returncode == 0
    assert path.read_text(encoding="utf-8") == printed.stdout
    assert idg("fmt", str(path), "--check").returncode == 0
    wrong = idg("fmt", bad, "--write")
    assert wrong.returncode == 1
    assert Path(bad).read_text(encoding="utf-8") == BAD


def test_trace_as_table_and_json(good: str) -> None:
    table = idg("trace", good, "n=2")
    assert table.returncode == 0
    assert table.stdout.splitlines()[:3] == ["row  n  i", "---  -  -", "  1  2  0"]
    result = json.loads(idg("trace", "-", "--json", "n=2", text=GOOD).stdout)
    assert result["outcome"] == {"kind": "returned", "message": "finished", "value": None}
    assert result["loops"] == [{"loop": 1, "columns": ["n", "i"], "rows": [["2", "0"], ["2", "1"], ["2", "2"]]}]
    assert result["printed"] == []
    nested = json.loads(idg("trace", "-", "n=2", "--json", "--loop", "2", text=NESTED).stdout)
    rows = [["2", "0", "0"], ["2", "1", "0"], ["2", "1", "1"]]
    assert nested["loops"] == [{"loop": 2, "columns": ["n", "i", "j"], "rows": rows, "outer": 1, "outer_rows": [0, 1, 1]}]


def test_trace_reports_failures_and_bounds() -> None:
    failing = idg("trace", "-", "n=3", text="fn main(n: nat) { print(n, n / 2); assert(n > 3); }")
    assert failing.returncode == 1
    assert "printed: 3 3/2" in failing.stdout
    assert "the assert in line 1 fails: n > 3 is false with n = 3" in failing.stdout
    endless = idg("trace", "-", "n=3", "--steps", "50", text="fn main(n: nat) { while (true) { } }")
    assert endless.returncode == 0
    assert "stopped after 50 steps" in endless.stdout


def test_eval_shows_truths_and_values(good: str) -> None:
    result = idg("eval", good, "n=2", "-e", "i <= n", "-e", "n - i")
    assert result.returncode == 0
    assert result.stdout.splitlines()[2] == "  1  2  0       ✓      2"
    wrong = idg("eval", good, "n=2", "-e", "1 / i > 0")
    assert wrong.returncode == 1
    assert "– in row 1: division by zero in 1 / i" in wrong.stdout
    values = json.loads(idg("eval", good, "n=2", "-e", "1 / i", "--json").stdout)["evaluations"][0]["values"]
    assert values[0]["undefined"] == "zero-divisor"
    assert values[1:] == ["1", "1/2"]
    assert "did you mean 'i'?" in idg("eval", good, "n=2", "-e", "ii = 1").stderr


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["trace", "FILE"], "no value given for n; the program takes n (nat)"),
        (["trace", "FILE", "n=-1"], "n: expected a nat (0, 1, 2, …), but -1 is negative"),
        (["trace", "FILE", "n=x"], "n: expected a nat such as 12, found 'x'"),
        (["trace", "FILE", "46"], "expected an input such as n=46, found '46'"),
        (["trace", "FILE", "n=1", "n=2"], "the input n is given twice"),
        (["trace", "FILE", "n=1", "--loop", "2"], "there is no loop 2 in this program; it has one loop"),
        (["trace", "FILE", "n=1", "--rows", "few"], "--rows needs a number or all, found 'few'"),
        (["trace", "FILE", "n=1", "--fast"], "not expected: --fast\nusage: idg trace "),
        (["fmt", "FILE", "--check", "--write"], "give one of them"),
        (["eval", "FILE", "n=1"], "-e/--expression"),
        (["levels", "nope"], "there is no level 'nope'"),
        (["play", "nope"], "there is no level 'nope'"),
        (["fmt", "-", "--write"], "--write needs a file"),
        (["frobnicate"], "invalid choice: 'frobnicate'"),
    ],
)
def test_wrong_arguments_say_what_was_expected(good: str, arguments: list[str], complaint: str) -> None:
    result = idg(*(good if argument == "FILE" else argument for argument in arguments), text=GOOD)
    assert result.returncode == 2
    assert complaint in result.stderr
    assert "Traceback" not in result.stderr


@pytest.mark.parametrize("module", ["idg", "idg.__main__", "idg.cli.main"])
def test_a_module_run_as_a_script_catches_its_own_errors(module: str) -> None:
    """Once main.py was loaded twice, as `__main__` and as `idg.cli.main`, each with a UsageError of its own."""
    command = [sys.executable, "-m", module, "check", "nosuch"]
    result = subprocess.run(command, capture_output=True, check=False, timeout=120, encoding="utf-8")
    assert result.returncode == 2
    assert result.stderr == "idg check: there is no file 'nosuch', nor a level of that name ('idg levels' lists them)\n"


def test_an_expression_may_start_with_a_minus(good: str) -> None:
    for arguments in (["-e", "-i <= 0"], ["-e-i <= 0"], ["--expression", "-i <= 0"], ["--expression=-i <= 0"]):
        result = idg("eval", good, *arguments, "n=2")
        assert result.returncode == 0, result.stderr
        assert "-i <= 0: holds in all 3 rows" in result.stdout


def test_eval_without_rows_is_no_yes(good: str) -> None:
    result = idg("eval", "-", "n=1", "-e", "n >= 0", text="fn main(n: nat) { assume(n > 5); while (n > 0) { n := n - 1; } }")
    assert result.returncode == 1
    assert "n >= 0: there are no rows (the run: ignored: the assume in line 1 is false" in result.stdout


def test_levels_are_listed_and_shown() -> None:
    listed = idg("levels").stdout
    assert all(level.id in listed for level in all_levels())
    shown = idg("levels", "int-square-root").stdout
    assert "while (sqr <= n)" in shown
    assert "sqr = (cnt + 1)^2" not in shown, "the solution is for tests only"
    assert "solution" not in idg("levels", "--json").stdout
    assert len(json.loads(idg("levels", "--json").stdout)) == len(all_levels())


def test_a_level_can_be_traced_by_name_with_its_own_inputs() -> None:
    assert "returned 6" in idg("trace", "int-square-root").stdout
    assert "returned 3" in idg("trace", "int-square-root", "n=9").stdout


def test_play_a_level_in_the_terminal() -> None:
    expressions = ["multiply", "res = n * cnt", "cnt <= 7", "cnt <=", "n * cnt"]
    commands = [":hint", ":run n=2 m=3", ":run n=x", ":facts", ":loop 9", ":help", ":what", ":next", ":quit"]
    result = idg("play", "--terminal", text="\n".join([*expressions, *commands, ""]))
    assert result.returncode == 0, result.stderr
    output = result.stdout
    assert "The goal: res = n * m" in output
    assert "while (cnt < m) {     <- the head of the loop" in output
    assert "assert(res = n * m);  <- the goal" in output
    assert "Arrivals at the head of the loop, one row each, for n = 6, m = 7:" in output
    assert "[[" not in output, "the paper's marks say nothing to somebody who has not read it"
    assert "It holds in all 8 rows." in output
    assert "'res = n * cnt' is an inductive invariant" in output
    assert "'cnt <= 7' is not an invariant" in output
    assert "expected a value, found the end of the text" in output
    assert "for n = 2, m = 3" in output
    assert "expected a nat such as 12, found 'x'" in output
    assert "There is no command ':what'" in output
    assert "Look at cnt at the head: what is known leaves it too free." in output
    assert "Multiply by 1000" in output
    assert output.rstrip().endswith("Bye.")


def test_play_shows_runs_that_can_be_repeated() -> None:
    chooses = next(level for level in all_levels() if level.program().level.name in level.program().info.choosing)
    wrong = f"{chooses.program().loops[0].columns[0]} < 99"
    typed = f"{wrong}\n:run seed=7\n:run seed=x\nhelp\ntrace\n:loop {'9' * 5_000}\n:quit\n"
    output = idg("play", "--terminal", chooses.id, text=typed).stdout
    assert "seed = 7" in output
    assert "Expected a seed such as seed=7, found 'seed=x'." in output
    assert "or a command:" in output
    [advice] = [line for line in output.splitlines() if ":run" in line and "whole run" in line]
    assert "seed=" in advice
    again = idg("play", "--terminal", chooses.id, text=f"{advice[advice.index(':run') :]}\n{wrong}\n:quit\n").stdout
    assert "first fails in row" in again


def test_play_understands_commands_without_their_colon() -> None:
    output = idg("play", "--terminal", "multiply", text="run n=2 m=2\nn * m\nrun n=x\n:quit\n").stdout
    assert "for n = 2, m = 2" in output
    assert "Not possible: n: expected a nat such as 12, found 'x'." in output


def test_play_takes_arrays_with_and_without_brackets() -> None:
    typed = "run towers=[3, 1, 2]\nrun towers=4,5 seed=2\n:run 3\n:quit\n"
    output = idg("play", "--terminal", "tallest-tower", text=typed).stdout
    assert "for towers = [3, 1, 2]" in output
    assert "for towers = [4, 5]" in output
    assert "Expected inputs such as towers=[3, 7, 2, 9, 4], found '3'." in output
    assert idg("levels", "tallest-tower").stdout.endswith("first trace: towers = [3, 7, 2, 9, 4]\n")


def test_play_wins_a_program_whose_helper_has_a_loop(tmp_path: Path) -> None:
    """The facts of the helper's loop are judged at that loop, shown in the call that is most telling, and prove its post."""
    file = tmp_path / "triangles.sip"
    file.write_text(
        "fn triangle(x: nat): int { post(2 * result = x * (x + 1)); var s, j: int := 0; "
        "while (j < x) { j := j + 1; s := s + j; } return s; }\n"
        "fn main(n: nat): int { post(2 * result = n * (n + 1)); var i: nat := 0; var t: int := 0; "
        "while (i < n) { i := i + 1; t := triangle(i); } return t; }\n"
    )
    level = ["i <= n", "2 * t = i * (i + 1)"]
    helper = [":loop 2", "s <= 9", "0 <= j <= x", "2 * s = j * (j + 1)"]
    typed = "\n".join([":run n=3", *level, *helper, ":facts", ":explain", ":next", ":quit", ""])
    result = idg("play", "--terminal", str(file), text=typed)
    assert result.returncode == 0, result.stderr
    before, _, after = result.stdout.partition("2 * s = j * (j + 1)\nrow")
    assert "Arrivals at the head of loop 2 in the call triangle(3), one row each, for n = 3:" in before
    assert "'s <= 9' is not an invariant: called with x = 4, triangle makes it false after 4 turns." in before
    assert "About '2 * t = i * (i + 1)' nothing can be established yet: triangle is not proved yet" in before
    assert "Well done!" not in before
    assert "With it, '2 * t = i * (i + 1)' (loop 1) is proved too, and moved up." in after
    assert "Well done! :explain shows what proves what." in after
    assert "  loop 2: 2 * s = j * (j + 1)" in after
    assert "the guarantee in line 1 of triangle: proved, using '0 <= j <= x' (loop 2)" in after
    assert "This is a program of your own." in after


def test_play_says_what_it_cannot_play(tmp_path: Path) -> None:
    plain, wrong = tmp_path / "plain.sip", tmp_path / "wrong.sip"
    plain.write_text("fn main(n: nat) { assert(n >= 0); }")
    wrong.write_text("fn main(n: nat) {")
    assert "has no loop" in idg("play", "--terminal", str(plain)).stderr
    assert "wrong.sip:1:17" in idg("play", "--terminal", str(wrong)).stderr
    assert "there is no level 'nowhere'" in idg("play", "--terminal", "nowhere").stderr


def test_solve_names_the_helper_that_keeps_a_program_open(tmp_path: Path) -> None:
    file = tmp_path / "half.sip"
    file.write_text(
        "fn half(x: int): int { assert(x >= 0); return x // 2; }\n"
        "fn main(n: nat): int { post(result = n); var i, t: int := 0; while (i < n) { t := half(i); i := i + 1; } return i; }\n"
    )
    result = idg("solve", str(file))
    assert result.returncode == 1
    first, *rest = result.stdout.splitlines()
    assert first.startswith("open: it cannot be proved, because the helper half fails when it is called so")
    assert rest == [
        "  arguments: x = -1",
        "  the assert in line 1 fails: x >= 0 is false with x = -1",
        "  No run of the program is known that calls it so. Where none does, a pre of half can say it.",
    ]
    report = json.loads(idg("solve", "--json", str(file)).stdout)
    assert (report["outcome"], report["run"]["function"], report["run"]["inputs"]) == ("open", "half", {"x": "-1"})


def test_play_ends_with_its_input() -> None:
    assert idg("play", "--terminal", text="").returncode == 0
    assert idg("play", "--terminal", "multiply", text="res >= 0").returncode == 0


def test_a_closed_pipe_is_no_error() -> None:
    reader = subprocess.Popen([sys.executable, "-c", "pass"], stdin=subprocess.PIPE)
    assert reader.stdin is not None
    writer = subprocess.run(
        [sys.executable, "-m", "idg", "trace", "mult-by-add", "j=300", "k=300", "--rows", "all"],
        stdout=reader.stdin, stderr=subprocess.PIPE, check=False,
    )  # fmt: skip
    reader.stdin.close()
    reader.wait()
    assert writer.returncode == 0
    assert b"Traceback" not in writer.stderr


def test_every_command_has_help_with_examples() -> None:
    assert "examples:" in idg("--help").stdout
    assert "examples:" in idg().stdout
    [commands] = [action.choices for action in build_parser()._actions if isinstance(action.choices, dict)]
    for name in commands:
        shown = idg(name, "--help").stdout
        assert "examples:" in shown
        assert f"idg {name}" in shown


def test_a_program_in_sip_is_not_taken_for_c(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "a.sip"
    file.write_text("fn main() { }", encoding="utf-8")
    assert main(["import", str(file)]) == 2
    assert "is named as a program in SIP, which needs no import" in capsys.readouterr().err


def test_preprocessed_c_is_c(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "a.i"
    file.write_text('# 1 "a.c"\nint main() { int i = 0; while (i < 3) i++; }', encoding="utf-8")
    assert main(["trace", str(file)]) == 0
    assert "row" in capsys.readouterr().out
