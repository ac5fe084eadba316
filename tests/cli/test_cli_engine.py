"""`idg propose` and `idg prove` as a user meets them: real processes, real files, exit codes."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.test_cli import idg
from tests.support.waiting import HANG_SECONDS

FIELDS = {"expression", "loop", "kind", "promoted", "removed", "inductive", "potential", "solved", "feedback", "message"}

PROVED = """fn square_root(n: nat): int {
  post(result^2 <= n & n < (result + 1)^2);
  var cnt, sqr, odd: int;
  cnt := 0;
  sqr := 1;
  odd := 1;
  while [sqr = (cnt + 1)^2 & odd = 2 * cnt + 1 & cnt^2 <= n] (sqr <= n) {
    cnt := cnt + 1;
    odd := odd + 2;
    sqr := sqr + odd;
  }
  return cnt;
}
"""
WRONG = """fn half(x: int): int {
  pre(x >= 0);
  post(2 * result = x);
  return x // 2;
}

fn main(n: nat) {
  var i: int;
  i := 0;
  while [i <= n & i < 5] (i < n) {
    i := i + 1;
  }
  assert(10 // i >= 0);
  assert(half(i - 1) >= 0);
}
"""
NO_LOOP = "fn main(n: nat) { assert(n >= 0); }\n"


def file(tmp_path: Path, text: str) -> str:
    path = tmp_path / "program.sip"
    path.write_text(text, encoding="utf-8")
    return str(path)


LATE = ("cvc5", "flint", "http.client", "z3")
"""Modules that are imported when something first needs them."""
MODULES_AFTER_A_PROPOSAL = f"""
import sys
from idg.cli.main import main

main(["propose", "multiply", "-e", "cnt <= m"])
sys.exit("imported: " + " ".join(name for name in {LATE} if name in sys.modules))
"""


def test_a_check_imports_neither_json_nor_an_engine() -> None:
    """`idg check` must start quickly. Whatever an argument's module imports, every command imports."""
    code = "import sys; from idg.cli.main import main; main(['check', 'multiply']); print([n for n in sys.modules if n in LATE])"
    late = ("json", "dataclasses", "idg.engine.engine", "idg.prover.prove", "idg.vc.symbolic")
    result = subprocess.run(
        [sys.executable, "-c", code.replace("LATE", str(late))], capture_output=True, text=True, timeout=HANG_SECONDS
    )
    assert result.stdout.splitlines()[-1] == "[]", result


def test_solvers_are_not_imported_before_they_are_asked() -> None:
    command = [sys.executable, "-c", MODULES_AFTER_A_PROPOSAL]
    result = subprocess.run(command, capture_output=True, text=True, timeout=HANG_SECONDS)
    assert "> cnt <= m    [inductive]" in result.stdout
    assert result.stderr == "imported: \n"


# propose


def test_propose_shows_a_whole_session() -> None:
    result = idg("propose", "multiply", "-e", "cnt <= m", "-e", "res <= n*m", "-e", "cnt <= 7", "-e", "res = n * cnt")
    assert result.returncode == 0
    assert result.stderr == ""
    first = ("A state to rule out", "> cnt <= m    [inductive]", "> res <= n*m    [potential]")
    then = ("> cnt <= 7    [non-invariant]", "> res = n * cnt    [inductive]", "Solved")
    places = [result.stdout.index(text) for text in (*first, *then)]
    assert places == sorted(places)
    assert "One turn:" in result.stdout
    assert "started with n = 0, m = 8" in result.stdout
    assert "'res <= n * m' is no longer needed" in result.stdout


def test_propose_says_what_is_left_where_it_is_not_solved() -> None:
    result = idg("propose", "multiply", "-e", "cnt <= m")
    assert result.returncode == 1
    assert "inductive:\n  cnt <= m\npotential:\n  (none)\n" in result.stdout
    assert "A state to rule out" in result.stdout.rpartition("potential:")[2]


def test_propose_json() -> None:
    texts = ["odd >= 1", "sqr = (cnt+1)^2", "cnt <= 3", "odd = 2*cnt+1", "odd >= -1", "n >= 0", "cnt^2 <= n"]
    result = idg("propose", "int-square-root", *(part for text in texts for part in ("-e", text)), "--json")
    assert result.returncode == 0
    rows = json.loads(result.stdout)
    assert all(row.keys() >= FIELDS for row in rows)
    assert [row["kind"] for row in rows] == [
        "inductive", "potential", "non-invariant", "inductive", "displaced", "type-tautology", "inductive",
    ]  # fmt: skip
    assert [row["solved"] for row in rows] == [False] * 6 + [True]
    assert rows[0]["expression"] == "odd >= 1"
    assert rows[0]["loop"] == 1
    assert rows[0]["feedback"]["state"].keys() == {"loop", "values", "cause", "where", "inside"}
    assert rows[0]["feedback"]["state"]["values"].keys() == {"n", "cnt", "sqr", "odd"}
    assert all(isinstance(value, str) for value in rows[0]["feedback"]["state"]["values"].values())
    assert rows[1]["potential"] == [{"loop": 1, "expression": "sqr = (cnt + 1)^2"}]
    assert rows[1]["transition"].keys() >= {"before", "after", "at_entry"}
    assert (rows[2]["run"]["inputs"], rows[2]["run"]["row"], len(rows[2]["run"]["rows"])) == ({"n": "16"}, 4, 5)
    assert rows[3]["promoted"] == [{"loop": 1, "expression": "sqr = (cnt + 1)^2"}, {"loop": 1, "expression": "odd = 2 * cnt + 1"}]
    assert rows[4]["implied_by"] == [{"loop": 1, "expression": "odd >= 1"}]
    assert rows[6]["feedback"]["state"] is None


def test_propose_for_another_loop() -> None:
    result = idg("propose", "small-change", "--loop", "2", "-e", "left <= price", "--json")
    [row] = json.loads(result.stdout)
    assert row["loop"] == 2
    assert result.returncode == 1


def test_propose_says_what_is_wrong_with_an_expression() -> None:
    for text in ("cnt <=", "cnt + 1", "nothing = 0", "cnt = true", "cnt = 1;"):
        result = idg("propose", "multiply", "-e", text)
        assert result.returncode == 1, text
        assert "^" in result.stderr, text
        assert "Traceback" not in result.stderr


@pytest.mark.parametrize(("arguments", "complaint"), [
    (("propose", "multiply"), "-e"),
    (("propose", "multiply", "-e", "cnt <= m", "--loop", "2"), "there is no loop 2"),
    (("propose", "multiply", "-e", "cnt <= m", "--loop", "0"), "there is no loop 0"),
    (("propose", "multiply", "-e", "cnt <= m", "--loop", "one"), "one"),
    (("propose", "no-such-level", "-e", "x = 1"), "no file"),
    (("prove",), "FILE"),
    (("prove", "no-such-level"), "no file"),
    (("prove", "multiply", "--what"), "--what"),
])  # fmt: skip
def test_wrong_arguments(arguments: tuple[str, ...], complaint: str) -> None:
    result = idg(*arguments)
    assert result.returncode == 2
    assert complaint in result.stderr
    assert "Traceback" not in result.stderr


def test_propose_needs_a_loop(tmp_path: Path) -> None:
    result = idg("propose", file(tmp_path, NO_LOOP), "-e", "n >= 0")
    assert result.returncode == 2
    assert "this program has no loop" in result.stderr


def test_a_program_with_problems_is_refused(tmp_path: Path) -> None:
    for command in (("prove",), ("propose", "-e", "true")):
        result = idg(command[0], file(tmp_path, "fn main() { x := 1; }"), *command[1:])
        assert result.returncode == 1
        assert "x" in result.stderr
        assert result.stdout == ""


# prove


def test_prove_a_right_program(tmp_path: Path) -> None:
    result = idg("prove", file(tmp_path, PROVED))
    assert result.returncode == 0
    assert result.stdout.count("✓") == 7
    assert "✓ line 7: invariant, on entry: sqr = (cnt + 1)^2  [proved]" in result.stdout
    assert "✓ line 7: invariant, kept by each turn: cnt^2 <= n  [proved]" in result.stdout
    assert "using" in result.stdout
    assert result.stdout.endswith("proved: all 7 obligations hold in every run; the second verifier confirms it\n")


def test_prove_json_and_second_opinion(tmp_path: Path) -> None:
    path = file(tmp_path, PROVED)
    result = idg("prove", path, "--json", "--second-opinion")
    assert result.returncode == 0
    shown = json.loads(result.stdout)
    assert shown["proved"] is True
    assert len(shown["checks"]) == 7
    for check in shown["checks"]:
        assert check.keys() >= {"function", "what", "expression", "where", "status", "uses", "second_opinion"}
        assert check["status"] == "proved"
        assert check["second_opinion"] in ("agrees", "does not know")
    assert any(check["second_opinion"] == "agrees" for check in shown["checks"])
    assert "cvc5 agrees" in idg("prove", path, "--second-opinion").stdout


def test_prove_shows_the_conditions(tmp_path: Path) -> None:
    result = idg("prove", file(tmp_path, PROVED), "--show-vcs")
    assert "for all n: nat, cnt: int, sqr: int, odd: int" in result.stdout
    assert "      sqr = (cnt + 1)^2    # invariant 1.0" in result.stdout
    assert "      implies sqr + (odd + 2) = (cnt + 2)^2" in result.stdout


def test_prove_a_wrong_program(tmp_path: Path) -> None:
    path = file(tmp_path, WRONG)
    result = idg("prove", path)
    assert result.returncode == 1
    assert "✓ main, line 10: invariant, on entry: i <= n  [proved]" in result.stdout
    assert "✗ main, line 10: invariant, kept by each turn: i < 5  [refuted]" in result.stdout
    assert "✗ main, line 13: divisor is not zero: 10 // i  [refuted]" in result.stdout
    assert "✗ half, line 3: post: 2 * result = x  [refuted]" in result.stdout
    assert "a run that fails: n = 5" in result.stdout
    assert "unknown" in result.stdout.splitlines()[-1]
    checks = json.loads(idg("prove", path, "--json").stdout)["checks"]
    kept = next(check for check in checks if (check["what"], check["expression"]) == ("step", "i < 5"))
    assert (kept["state"]["i"], kept["after"]["i"], kept["run"]) == ("4", "5", {"n": "5"})
    assert {check["what"] for check in checks} >= {"entry", "step", "post", "assert", "zero-divisor", "callee-pre"}
    assert idg("prove", path, "--second-opinion").stdout.count("disagrees") == 0


def test_prove_reads_standard_input_and_levels() -> None:
    assert idg("prove", "-", text=NO_LOOP).returncode == 0
    assert "there are no obligations" in idg("prove", "-", text="fn main() { }").stdout
    assert idg("prove", "multiply").returncode == 1


def test_prove_a_program_that_is_too_large() -> None:
    branches = "".join(f"if (n > {bound}) {{ i := i + 1; }}" for bound in range(8))
    result = idg("prove", "-", text=f"fn main(n: nat) {{ var i: int; {branches} assert(i >= 0); }}")
    assert result.returncode == 2
    assert "too large" in result.stderr
