"""Messages about programs in C and Python name the lines of their own texts."""

from __future__ import annotations

import pickle
import re
from pathlib import Path

import pytest

from idg.cli.main import main
from idg.importer import import_c, import_python
from idg.sip.errors import line_and_column
from idg.sip.program import load
from idg.sip.syntax import Assert, SetCell
from idg.sip.trees.traverse import statements
from tests.support.programs.c.c_programs import ACCEPTED

JUMPING = """#include <assert.h>
int twice(int x) {
  assert(x < 4);
  return 2 * x;
}

int main() {
  int n = unknown(), i = 0;
  int a[3];
again:
  a[i] = twice(i);
  i++;
  switch (n) {
  case 0:
    assert(a[0] == 0);
    break;
  default:
    assert(i != 2);
  }
  if (i < 9) goto again;
  return 0;
}
"""
COUNTING = """def count(n: int) -> int:
    \"\"\"Counts.\"\"\"
    i = 0
    while i < n:
        assert i != 3

        i += 1
    return i
"""
FAILING = re.compile(r"assert|ERROR|error|requires|ensures|invariant|abort")
"""What stands in the lines of C that become asserts: some are labels, calls and annotations."""


def lines_of(source: str, kind: type) -> list[int]:
    level = load(source).level
    return [line_and_column(source, part.span.start)[0] for part in statements(level.body) if isinstance(part, kind)]


def test_lines_of_c_are_those_of_the_file() -> None:
    imported = import_c(JUMPING)
    assert sorted({*lines_of(imported.source, Assert)}) == [3, 15, 18]
    assert {*lines_of(imported.source, SetCell)} == {11}
    message = load(imported.source).run({"n": 5}).message
    assert message.startswith("the assert in line 18 fails")
    message = load(imported.source).run({"n": 0}).message
    assert message.startswith("line 11: "), "a write outside of the array"


def test_lines_of_python_are_those_of_the_file() -> None:
    imported = import_python(COUNTING)
    assert load(imported.source).run({"n": 5}).message.startswith("the assert in line 5 fails")


@pytest.mark.parametrize("name", sorted(ACCEPTED))
def test_each_assert_comes_from_a_line_that_can_fail(name: str) -> None:
    imported = import_c(ACCEPTED[name])
    text = ACCEPTED[name].split("\n")
    for line in lines_of(imported.source, Assert):
        assert FAILING.search(text[line - 1]), f"line {line}: {text[line - 1]}\n{imported.source}"


def test_commands_name_the_lines_of_the_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "jumping.c"
    file.write_text(JUMPING, encoding="utf-8")
    main(["prove", str(file)])
    shown = capsys.readouterr().out
    assert "line 18: " in shown
    assert "line 11: " in shown
    main(["solve", str(file)])
    assert "  line 11: a[i] := result1 writes outside of a" in capsys.readouterr().out
    (tmp_path / "counting.py").write_text(COUNTING, encoding="utf-8")
    main(["solve", str(tmp_path / "counting.py")])
    assert "in line 5 fails" in capsys.readouterr().out


def test_a_text_that_was_made_stays_one_in_another_process() -> None:
    source = import_python(COUNTING).source
    assert line_and_column(pickle.loads(pickle.dumps(source)), len(source) - 3) == line_and_column(source, len(source) - 3)
    assert source == str(source)
