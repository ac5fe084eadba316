"""`--function` of C: the named function with its result, compared with gcc; and hints, each followed to the letter."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from idg.cli.main import main
from idg.engine.engine import Engine
from idg.importer import ImportRefused, import_c
from idg.sip.program import load
from tests.support.programs.c.c_hints import FOLLOWED

GCC = shutil.which("gcc")
FUNCTIONS = """\
int helper(int x) { if (x > 3) return x; return 2 * x; }
/*@ requires n >= 0; ensures \\result * \\result <= n; */
int root(int n) {
  int r = 0;
  if (n == 0) return 0;
  while (1) {
    if ((r + 1) * (r + 1) > n) return r;
    r++;
  }
  return 0;
}
unsigned twice(unsigned x) { unsigned y = 0; do { y += 2; x--; } while (x > 0 && y < 60); return y; }
int uses(int n) {
  int s = 0;
  for (int i = 0; i < n; i++) {
    if (i == 7) continue;
    int h = helper(i);
    s += h;
    if (s > 100) return s - n;
  }
  return s;
}
short narrow(int n) { int i = 0; while (i < n) { if (i == 40) break; i += 7; } return i * 1000; }
long negative(int n) { while (n > 0) { if (n == 3) return -n / 2; n -= 2; } return n % 2; }
"""
"""Functions that return in loops, in branches and at their ends, with values that C converts."""
INPUTS = (0, 1, 2, 3, 5, 8, 12, 17, 40)


@pytest.mark.skipif(GCC is None, reason="there is no gcc here")
@pytest.mark.parametrize("integers", ["math", "machine"])
def test_a_named_function_gives_the_result_that_gcc_gives(integers: str, tmp_path: Path) -> None:
    names = ("root", "twice", "uses", "narrow", "negative")
    calls = "".join(f'printf("%ld\\n", (long) {name}({value}));' for name in names for value in INPUTS)
    (tmp_path / "a.c").write_text(f"#include <stdio.h>\n{FUNCTIONS}\nint main(void) {{ {calls} return 0; }}\n", encoding="utf-8")
    subprocess.run(["gcc", "-std=gnu11", "-w", "-fwrapv", "-o", "a", "a.c"], cwd=tmp_path, check=True)
    printed = subprocess.run(["./a"], cwd=tmp_path, capture_output=True, text=True, check=True).stdout
    results = iter(map(int, printed.split()))
    for name in names:
        program = load(import_c(FUNCTIONS, integers=integers, function=name).source)
        for value in INPUTS:
            inputs = dict.fromkeys(program.params, value)
            outcome = program.run(inputs).outcome
            assert (outcome.kind, outcome.value) == ("returned", next(results)), (name, value)


def test_what_a_named_function_ensures_becomes_its_post() -> None:
    read = import_c(FUNCTIONS, function="root")
    assert "fn root(n: int): int {\n  pre(n >= 0);\n  post(result * result <= old(n));\n" in read.source
    assert read.function == "root"
    assert "promises nothing" not in " ".join(map(str, read.notes))
    other = "int g;\n/*@ ensures \\result >= g; */\nint f(int n) { g = n; return n + 1; }"
    assert "assert(n + 1 >= g);\n  return n + 1;" in import_c(other, function="f").source


def test_a_function_that_is_not_there_or_ends_without_a_value_is_refused() -> None:
    with pytest.raises(ImportRefused, match="there is no function 'nobody'"):
        import_c(FUNCTIONS, function="nobody")
    with pytest.raises(ImportRefused, match="the function may end without a value"):
        import_c("int f(int n) { if (n > 0) return 1; }", function="f")


def test_the_command_reads_the_named_function(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "file.c"
    path.write_text(FUNCTIONS, encoding="utf-8")
    assert main(["import", str(path), "--function", "uses"]) == 0
    assert capsys.readouterr().out.startswith("fn uses(n: int): int {")
    with pytest.raises(SystemExit):
        main(["import", str(path), "--function", "nobody"])


@pytest.mark.parametrize(("hint", "refused", "followed"), FOLLOWED, ids=[hint[:40] for hint, _, _ in FOLLOWED])
def test_a_hint_that_is_followed_to_the_letter_works(hint: str, refused: str, followed: str) -> None:
    function = "f" if "at its end" in hint else None
    with pytest.raises(ImportRefused) as caught:
        import_c(refused, function=function)
    assert caught.value.hint == hint
    import_c(followed, function=function)


RECURSIVE = """\
/*@ requires n >= 0; ensures \\result == 2 * \\old(n); */
int twice(int n) { if (n == 0) return 0; n = n - 1; return 2 + twice(n); }
int main(void) {
  int i = 0;
  while (i < 3) i = i + 1;
  int r = twice(i);
  //@ assert i == 3 && r == 6;
  return 0;
}
"""


@pytest.mark.parametrize(("old", "new", "told"), [
    ("", "", "solved"),
    ("twice(i)", "twice(-i)", "breaks a pre"),
    ("n = n - 1;", "n = n - 2;", "breaks a pre"),
    ("return 2 +", "return 3 +", "the post in line"),
])  # fmt: skip
def test_calls_of_a_function_that_calls_itself_are_obliged_to_what_it_requires(
    old: str, new: str, told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """`requires` was an assume there: a call that broke it was a run that nobody looked at, and the file was solved."""
    text = RECURSIVE.replace(old, new)
    source = import_c(text).source
    assert "  pre(n >= 0);\n  post(result = 2 * old(n));\n" in source
    assert "assume" not in source
    (tmp_path / "a.c").write_text(text, encoding="utf-8")
    assert main(["solve", str(tmp_path / "a.c"), "--processes", "1"]) == (0 if told == "solved" else 1)
    assert told in capsys.readouterr().out


@pytest.mark.skipif(GCC is None, reason="there is no gcc here")
def test_a_function_that_calls_itself_is_compared_with_its_contract_left_out(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.c").write_text(RECURSIVE, encoding="utf-8")
    assert main(["solve", str(tmp_path / "a.c"), "--processes", "1"]) == 0
    assert "100 runs of the file, compiled by gcc" in capsys.readouterr().err


@pytest.mark.parametrize(("text", "reason"), [
    (RECURSIVE.replace("requires n >= 0", "requires 10 / n >= 0"), "more than a condition on its numbers"),
    (RECURSIVE.replace("requires n", "requires m").replace("/*@", "int m; /*@", 1), "'m' is not declared"),
    (RECURSIVE.replace("int twice(", "void twice(").replace("return 0; n", "return; n").replace("return 2 +", "")
     .replace("int r = twice(i)", "int r = 6; twice(i)"), "without a result"),
    ("/*@ requires n >= 0; */\nvoid g(int n) { int i = 0; while (i < n) i++; }\nvoid h(int x) { g(x); }",
     "what g requires is not checked where h calls it"),
    ("/*@ requires n >= 0; */\nvoid g(int n) { int i = 0; while (i < n) i++; }\nint main(void) { int x = unknown(); g(x); }",
     "what g requires is not checked where main calls it"),
])  # fmt: skip
def test_a_contract_that_would_not_be_checked_is_refused(text: str, reason: str) -> None:
    with pytest.raises(ImportRefused, match=reason):
        import_c(text)


@pytest.mark.parametrize("returned", ["down(n)", "1 + down(n - 1)", "down(n) > 0", "n ? down(n) : 0", "n == 0 || down(n)"])
def test_what_a_returned_value_does_is_done(returned: str) -> None:
    """The calls of a value that nobody reads were left out, so a program that never ends was said to end."""
    source = import_c(
        f"int down(int n) {{ if (n == 0) return 0; return down(n - 2); }}\nint main(int n) {{ return {returned}; }}"
    ).source
    assert "down(" in source.partition("fn main")[2]
    engine = Engine(load(source))
    assert engine.ending(engine.start()).status == "never ends"


def test_a_returned_value_is_computed_once() -> None:
    """With two clauses `ensures`, the second was about a value that was computed a second time."""
    contract = "int x;\n/*@ ensures \\result >= 0; ensures x >= \\result; */\n"
    text = contract + "int main(int n) { x = n; for (int i = 0; i < 3; i++) x++; return x++; }"
    body = import_c(text).source
    assert body.count("x := x + 1") == 2, body


@pytest.mark.parametrize("statement", ["n ? down(n) : 0;", "n || down(n);", "down(n) + 1;", "(void)(n && down(n));"])
def test_what_a_statement_calls_is_called(statement: str) -> None:
    """A call that is made only sometimes was left out where nobody uses its value."""
    source = import_c(
        f"int down(int n) {{ if (n == 0) return 0; return down(n - 2); }}\nint main(int n) {{ {statement} return 0; }}"
    ).source
    assert "down(" in source.partition("fn main")[2]


def test_a_call_that_is_not_always_made_is_not_made_before() -> None:
    """The inner value by cases was a statement before the whole, so it made the call where C does not."""
    with pytest.raises(ImportRefused, match="only sometimes"):
        import_c(
            "int f(int n) { if (n == 0) return 0; return f(n - 1); }\nint main(int n) { return n < 0 || (n > 5 ? f(n) : 1) > 0; }"
        )


THRICE = """\
int main(void) { return 0; }
/*@ requires n >= 0; ensures \\result == 3 * n; */
int thrice(int n) {
    int s = 0;
    /*@ loop invariant 0 <= i <= n && s == 3 * i; */
    for (int i = 0; i < n; i++) s += 3;
    return s;
}
int other(int n) { return n; }
"""


@pytest.mark.parametrize("command", [
    ["trace", "n=2"], ["eval", "n=2", "-e", "s = 3 * i"], ["propose", "-e", "s = 3 * i"], ["prove"], ["audit"], ["show"],
    ["solve", "--processes", "1"], ["import"], ["export", "--to", "why3"],
], ids=lambda command: command[0])  # fmt: skip
def test_each_command_that_reads_programs_reads_a_named_function(
    command: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """`idg solve` refused the option for C, although its help offers it, and other commands did not have it."""
    (tmp_path / "a.c").write_text(THRICE, encoding="utf-8")
    name, *rest = command
    assert main([name, str(tmp_path / "a.c"), *rest, "--function", "thrice", "--int", "math"]) == 0
    told = capsys.readouterr()
    assert "only thrice is read" in told.err
    assert "other" not in told.out


def test_options_for_files_of_other_languages_are_refused_for_sip(capsys: pytest.CaptureFixture[str]) -> None:
    for option in (["--function", "main"], ["--int", "check"]):
        assert main(["trace", "multiply", *option]) == 2
        assert f"{option[0]} is for C" in capsys.readouterr().err


SENSOR = "extern int read_sensor(void);\nint main() {\n  int n = 0;\n  while (n < 9) {\n    if (read_sensor() > 0) n++;\n  }\n}"


def test_a_function_of_another_file_gives_any_number_where_it_can_do_nothing_else() -> None:
    imported = import_c(SENSOR)
    assert "cassign([value1], true);" in imported.source
    assert "line 5: read_sensor is not defined in the file: each call may give any value of its type" in map(str, imported.notes)
    for text in (
        SENSOR.replace("int main() {\n  int n = 0", "int n;\nint main() {\n  n = 0"),
        SENSOR.replace("read_sensor", "check_sensor"),
        SENSOR.replace("(void)", "(int x)").replace("read_sensor() ", "read_sensor(n) "),
        SENSOR.replace("extern int read_sensor(void);\n", ""),
    ):
        with pytest.raises(ImportRefused, match="_sensor' is not read"):
            import_c(text)


def test_a_character_that_is_read_may_be_the_end_of_the_input() -> None:
    text = "int main() {\n  int c, n = 0;\n  while ((c = getchar()) != EOF) n++;\n}"
    assert "pre(-1 <= c <= 255);" in import_c(text).source


RANDOM_OF_ITS_OWN = """\
extern int __VERIFIER_nondet_int(void);
int random() { int x = __VERIFIER_nondet_int(); if (x < 0) return -x; return x; }
int main() {
  int x = random(), y = random();
  while (x > 0 && y > 0) { if (__VERIFIER_nondet_int() > 3) { x = x - 1; y = random(); } else { y--; } }
  //@ assert x <= 0 || y <= 0;
}
"""


def test_a_function_of_the_file_called_random_is_read_by_its_body() -> None:
    """It was refused. One that gives anything is still read by its name."""
    program = load(import_c(RANDOM_OF_ITS_OWN).source)
    for x in (-7, 0, 4):
        inputs = dict.fromkeys(program.params, x)
        trace = program.run(inputs).of(1)
        first = dict(zip(trace.columns, trace.rows[0], strict=True))
        assert abs(x) in first.values()
    plain = RANDOM_OF_ITS_OWN.replace("if (x < 0) return -x; ", "")
    assert "random: read by the name" in "".join(
        map(str, import_c(plain.replace("int x = __VERIFIER_nondet_int();", "int x;")).notes)
    )
