"""Before a C file is called solved, its runs are compared with those of the compiled file."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from idg.cli.main import main
from idg.cli.programs import comparing
from idg.cli.programs.comparing import compare
from idg.importer import ImportRefused, import_c
from idg.importer.c import expressions
from idg.importer.c.arrays import read_cell
from idg.importer.c.numbers import c_types, ranges
from idg.importer.c.numbers.terms import TypedExpr
from idg.importer.c.text import preprocessor, trees
from idg.sip.record import replace
from idg.sip.syntax import Binary, Expr, Index, Number
from tests.support.programs.c.c_programs import ACCEPTED
from tests.support.programs.c.c_traps import FAILING, HOLDING

needs_compiler = pytest.mark.skipif(
    not any(map(shutil.which, comparing.COMPILERS)), reason="there is no C compiler here, with which runs could be compared"
)
RUNS = 12
"""Seeds with which each program is run here."""


@needs_compiler
@pytest.mark.parametrize("integers", [integers.value for integers in c_types.Integers])
@pytest.mark.parametrize("name", [*ACCEPTED, *FAILING, *HOLDING])
def test_readings_and_compiled_files_agree(name: str, integers: str) -> None:
    text = ACCEPTED.get(name) or FAILING.get(name) or HOLDING[name]
    try:
        imported = import_c(text, integers=integers)
    except ImportRefused:
        assert name in FAILING or (name == "recursion" and integers != "math"), "numbers with bounds in a recursion are not read"
        return
    comparison = compare(text, {}, imported, RUNS)
    assert not comparison.difference
    assert comparison.note.startswith(f"{RUNS} runs of the file"), comparison.note


def not_reduced(ctype: c_types.CType, expr: Expr) -> Expr:
    return expr


def cell_before(reader: expressions.Expressions, node: Any) -> TypedExpr:
    value = read_cell(reader, node)
    assert isinstance(value.expr, Index)
    if isinstance(value.expr.index, Number):
        return value  # Traces show the first cells, which are there.
    return replace(value, expr=Index(value.expr.array, Binary("-", value.expr.index, Number(1))))


MISTAKES: dict[str, tuple[Callable[[pytest.MonkeyPatch], None], str]] = {
    "nothing wraps round": (lambda patch: patch.setattr(ranges, "reduced", not_reduced), HOLDING["unsigned arithmetic wraps"]),
    "a step in the other direction": (
        lambda patch: patch.setitem(trees.STEPS, "p--", "+"),
        "int main() { int n = unknown(), i = 5; while (i > 0) i--; assert(i == 0); }",
    ),
    "the cell before": (
        lambda patch: patch.setattr(expressions, "read_cell", cell_before),
        "int main() { int a[3] = {1, 2, 3}, i = 0; while (i < 2) { a[0] = a[i + 1]; i++; } assert(a[0] > 0); }",
    ),
    "a macro that is always defined": (
        lambda patch: patch.setattr(preprocessor._Preprocessor, "_defined", lambda *_: True),
        HOLDING["conditional compilation"],
    ),
}
"""Mistakes of the reader: how each is made on purpose, and a program that shows it."""


@needs_compiler
@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_of_the_reader_is_noticed(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    make, text = MISTAKES[name]
    make(monkeypatch)
    assert compare(text, {}, import_c(text), RUNS).difference


@needs_compiler
def test_headers_are_compared_too() -> None:
    text = '#include "a/one.h"\n#include <assert.h>\nint main() { int i = 0; while (i < LIMIT) i++; assert(i == LIMIT); }'
    headers = {"a/one.h": '#include "two.h"\n', "a/two.h": "#define LIMIT 5\n"}
    assert "the same" in compare(text, headers, import_c(text, headers), RUNS).note


SOLVABLE = "int main() { unsigned n = unknown(), i = 0; while (i < n) i++; assert(i == n); }"


@needs_compiler
def test_a_difference_refuses_the_file(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.c").write_text(SOLVABLE, encoding="utf-8")
    assert main(["solve", str(tmp_path / "a.c"), "--json"]) == 0
    assert "100 runs of the file, compiled by" in capsys.readouterr().out
    monkeypatch.setattr(comparing, "compare", lambda *_: comparing.ReadingCheck("seen", ""))
    with pytest.raises(SystemExit) as ended:
        main(["solve", str(tmp_path / "a.c")])
    assert ended.value.code == 1
    shown = capsys.readouterr()
    assert "solved" not in shown.out
    assert "runs of the compiled file differ: seen" in shown.err


def test_without_a_compiler_that_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(comparing, "COMPILERS", ())
    (tmp_path / "a.c").write_text(SOLVABLE, encoding="utf-8")
    assert main(["solve", str(tmp_path / "a.c"), "--json"]) == 0
    assert "there is no C compiler" in capsys.readouterr().out


ARRAY_PARAMETERS = {
    "a maximum": """
void f(int n, int a[n]) {
  int i = 1, m = a[0];
  while (i < n) { if (a[i] > m) m = a[i]; i++; }
  assert(m >= a[n - 1]);
}""",
    "two that are read": """
int f(unsigned n, unsigned char a[n], short b[4]) {
  int i = 0, s = 0;
  while (i < n && i < 4) { s += a[i] + b[i]; i++; }
}""",
    "cells that are set": """
void f(int n, char a[n]) {
  int i = 0;
  while (i < n) { a[i] = a[n - 1 - i] * 3; i++; }
  assert(a[0] != 5);
}""",
}


@needs_compiler
@pytest.mark.parametrize("integers", [integers.value for integers in c_types.Integers])
@pytest.mark.parametrize("name", ARRAY_PARAMETERS)
def test_arrays_that_are_parameters_are_compared(name: str, integers: str) -> None:
    text = ARRAY_PARAMETERS[name]
    comparison = compare(text, {}, import_c(text, integers=integers), RUNS)
    assert not comparison.difference
    assert comparison.note.startswith(f"{RUNS} runs of the file"), comparison.note
    assert " same 0 states" not in comparison.note


@needs_compiler
def test_a_mistake_about_a_parameter_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "int f(int n, int a[n]) { int i = 1, s = 0; while (i < n) { s = s + a[i]; i++; } }"
    monkeypatch.setattr(expressions, "read_cell", cell_before)
    assert compare(text, {}, import_c(text), 40).difference
