"""`--function` of C: the named function with its result, compared with gcc; and hints, each followed to the letter."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from idg.cli.main import main
from idg.importer import ImportRefused, import_c
from idg.sip.program import load
from tests.support.programs.c_hints import FOLLOWED

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
