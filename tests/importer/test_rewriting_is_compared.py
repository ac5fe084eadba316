"""The compiled file is the text as it was written: a mistake in what the importer rewrites makes the runs differ."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from typing import Any

import pytest

from idg.cli.programs import comparing
from idg.cli.programs.comparing import compare
from idg.importer import import_c
from idg.importer.c import endings, scopes
from idg.importer.c.numbers import c_types
from idg.importer.c.numbers.terms import TypedExpr
from idg.importer.c.rewriting import inlining, inputs, jumps, memory, pointers, switches
from idg.importer.c.rewriting.pointers import Pointee
from idg.importer.c.text.source import c_ast
from idg.sip.syntax import Number, Type

pytestmark = pytest.mark.skipif(
    not any(map(shutil.which, comparing.COMPILERS)), reason="there is no C compiler here, with which runs could be compared"
)
RUNS = 12
"""Seeds with which each program is run here."""


def all_of_the_rest(self: jumps._Jumps, rest: list[Any], mark: bool) -> list[Any]:
    return self._items(rest, mark)


def no_offset(self: Pointee, node: Any, index: Any) -> Any:
    return c_ast.ID(self.name, node.coord) if self.offset is None else c_ast.ArrayRef(c_ast.ID(self.name, node.coord), index)


def no_break(node: Any, end: str) -> Any:
    """Breaks of `do … while (0)` are lost; what follows them is still there."""
    for part in [node] if isinstance(node, c_ast.Compound) else []:
        part.block_items = [no_break(item, end) for item in part.block_items]
    if isinstance(node, c_ast.If):
        node.iftrue = no_break(node.iftrue, end)
    return c_ast.EmptyStatement(node.coord) if isinstance(node, c_ast.Break) else node


def swapped(patch: pytest.MonkeyPatch) -> None:
    write = inlining._Inliner._written_out

    def with_swapped(self: inlining._Inliner, call: Any, result: str) -> list[Any]:
        call.args.exprs.reverse()
        return write(self, call, result)

    patch.setattr(inlining._Inliner, "_written_out", with_swapped)


def shared(patch: pytest.MonkeyPatch) -> None:
    """All memory of a function is that of its first pointer."""
    write = pointers.written_as

    def with_shared(node: Any, targets: dict[str, Pointee]) -> Any:
        given = [target for name, target in targets.items() if target.name == name]
        return write(node, {name: given[0] if target in given else target for name, target in targets.items()})

    patch.setattr(memory, "written_as", with_shared)


def other_case(patch: pytest.MonkeyPatch) -> None:
    """Cases of a switch that go on with the next one do not."""
    patch.setattr(switches, "_is_left", lambda body: True)


def swapped_inputs(patch: pytest.MonkeyPatch) -> None:
    read = inputs._read

    def with_swapped(item: Any, tree: Any) -> list[Any]:
        made = read(item, tree)
        if len(made) == 2:
            made[0].lvalue, made[1].lvalue = made[1].lvalue, made[0].lvalue
        return made

    patch.setattr(inputs, "_read", with_swapped)


def shorter(patch: pytest.MonkeyPatch) -> None:
    """An array that is declared with one length gets another one."""
    patch.setattr(scopes.Scopes, "_length", lambda *_: Number(2))


MISTAKES: dict[str, tuple[Callable[[pytest.MonkeyPatch], None], str]] = {
    "a jump whose rest is not skipped": (
        lambda patch: patch.setattr(jumps._Jumps, "_unless_jumped", all_of_the_rest),
        "int main() { int n = unknown(), i = 0; while (i < 5) { if (i == n) goto out; i++; } i = 100; out: assert(i >= 0); }",
    ),
    "a jump whose rest is not skipped, without a loop": (
        lambda patch: patch.setattr(jumps._Jumps, "_unless_jumped", all_of_the_rest),
        "int main() { int n = unknown(), x = 0; if (n > 2) { if (n > 4) { goto out; } x = 1; } x = x + 5; out: assert(x >= 0); }",
    ),
    "a pointer whose offset is lost": (
        lambda patch: patch.setattr(Pointee, "cell", no_offset),
        "int first(int *a) { return a[0]; }\n"
        "int main() { int b[3] = {4, 7, 9}, s = 0, i = 0; while (i < 2) { s += first(&b[i + 1]); i++; } assert(s > 0); }",
    ),
    "an argument of a call that is written out is another one's": (
        swapped,
        "int less(int a, int b) { return a - b; }\nint main() { int n = unknown(), i = 9; i = less(i, n); assert(i != 77); }",
    ),
    "a break of do … while (0) that is lost": (
        lambda patch: patch.setattr(jumps, "_replaced", no_break),
        "int main() { int n = unknown(), x = 0; do { if (n > 1) break; x = 3; } while (0); while (x > 5) x--; assert(x < 9); }",
    ),
    "memory that is shared": (
        shared,
        "int main() { int *p = malloc(sizeof(int)), *q = malloc(sizeof(int)); *p = unknown(); *q = 0;"
        " while (*q < 5) { *q = *q + 1; } assert(*q >= 5); }",
    ),
    "a parameter with another length": (shorter, "int f(int a[4]) { int i = 0, s = 0; while (i < 4) { s += a[i]; i++; } }"),
    "a parameter with another's length": (
        shorter,
        "int f(int n, int a[n]) { int i = 0, s = 0; while (i < n) { s += a[i]; i++; } }",
    ),
    "a case that does not go on": (
        other_case,
        "int main() { int n = unknown(), x = 0; switch (n & 1) { case 1: x = 1; case 2: x += 2; break; default: x = 9; }"
        " while (x > 5) x--; assert(x < 9); }",
    ),
    "numbers that are typed in another order": (
        swapped_inputs,
        'int main() { int n, m; scanf("%d %d", &n, &m); while (n > 0) { n--; m = 1; } assert(n <= 0); }',
    ),
}
"""Mistakes of the rewriting: how each is made on purpose, and a program that shows it."""


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_in_the_rewriting_is_noticed(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    make, text = MISTAKES[name]
    right = compare(text, {}, import_c(text), RUNS)
    assert not right.difference
    assert right.note.startswith(f"{RUNS} runs of the file"), right.note
    make(monkeypatch)
    assert compare(text, {}, import_c(text), RUNS).difference


AGREEING = {
    "helpers whose order C leaves open": """
int g = 1;
int twice(int x) { int y = x * 2; return y; }
int thrice(int x) { int i = 0, s = 0; while (i < 3) { s += x; i++; } return s; }
int main(void) {
  int n = unknown(), i = 0, s = 0;
  while (i < 3) { s = twice(i) - thrice(n & 7) + unknown() % 5; s = twice(thrice(i)); i++; }
  if (twice(s) > 5 && thrice(i) < 9) s = 0;
  assert(s < 1000);
}""",
    "a variable of a helper without a value": """
int some(int x) { int z; if (x > 0) z = x; return z > 3 ? 1 : 0; }
int main(void) {
  int i = 0, s = some(0);
  while (i < 4) { int w; s += some(i & 1); s += w & 1; i++; }
  s += some(-1);
  assert(s < 99);
}""",
    "a variable of do … while (0) without a value": """
int main(void) { int i = 0, s = 0; do { int w; if (w > 2) break; s = w; } while (0); while (i < s) i++; assert(i >= 0); }""",
    "a variable between goto and its label": """
int main(void) {
  int i = 0, s = 0;
  while (i < 6) {
    i++;
    if (i & 1) goto next;
    int y;
    y = i * 3;
    s += y;
  next:
    s++;
  }
  assert(s > 0);
}""",
    "a loop of goto": """
int main(void) {
  int n = unknown(), i = 0;
again:
  if (i < (n & 7)) { int twice = 2 * i; i++; if (twice > 8) goto out; goto again; }
  i = i + 10;
out:
  assert(i >= 0);
  return 0;
}""",
    "an error label and one that only returns": """
int main(void) {
  int n = unknown(), i = 0;
  if (n < 0) goto out;
  while (i < (n & 15)) { i++; if (i > 12) goto ERROR; }
out:
  return 0;
ERROR:
  return reach_error(), 1;
}""".replace("return reach_error(), 1;", "reach_error();"),
    "memory in a loop, and alloca": """
#include <stdlib.h>
int main(void) {
  int i = 0, s = 0;
  while (i < 4) { int *p = malloc(sizeof(int)); short *a = alloca(4 * sizeof(short)); a[i] = *p & 3; s += a[i]; free(p); i++; }
  assert(s < 100);
}""",
    "functions that are called like those of the library": """
inline int index(int *a, int i) { return a[i]; }
static int strtol(int x) { return x + 1; }
int calloc(void) { return unknown() & 3; }
int main(void) {
  int b[4] = {1, 2, 3, 4}, i = 0, s = 0;
  while (i < 4) { s += index(b, i); i = strtol(i); }
  s += calloc();
  assert(s < 99);
}""",
    "a function that calls itself and another one": """
int one(int x) { if (x > 5) return 1; return 2; }
int sum(int n) { if (n <= 0) return 0; return one(n) + sum(n - 1); }
int main(void) { int i = 0, s = 0; while (i < 5) { s = sum(i) + one(i); i++; } printf("%d\\n", one(s)); assert(s < 99); }""",
    "a label at which a run stays, and a jump into the other branch": """
int main(void) {
  int n = unknown(), i = 0;
  if (n > 100) goto stay;
  while (i < 4) { if (i & 1) { i++; goto other; } else { i += n & 1; other: i++; } }
  assert(i >= 4);
  return 0;
stay:
  goto stay;
}""",
    "switches with returns and calls": """
int kind(int x) { switch (x & 3) { case 0: return 7; case 1: x = 5; case 2: { x++; break; } default: x = -1; } return x; }
int main(void) {
  int i = 0, s = 0;
  while (i < 6) { switch (i) { case 2: s = kind(i); break; case 3: s += kind(s); default: s++; } i++; }
  assert(s < 99);
}""",
}
"""Programs in which a trace at a wrong place, or in another order, would make the runs differ."""


@pytest.mark.parametrize("name", AGREEING)
def test_traces_do_not_make_right_readings_differ(name: str) -> None:
    comparison = compare(AGREEING[name], {}, import_c(AGREEING[name]), 40)
    assert not comparison.difference
    assert comparison.note.startswith("40 runs of the file"), comparison.note
    assert " same 0 states" not in comparison.note


def test_the_result_of_a_function_that_is_named_is_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "int least(int a, int b) { if (a < b) return a; return b; }\nint main(void) { return least(1, 2); }"
    imported = import_c(text, function="least")
    assert not compare(text, {}, imported, RUNS).difference
    monkeypatch.setattr(endings.Endings, "_value", lambda self, _: TypedExpr(Number(0), Type.INT, c_types.INT))
    assert compare(text, {}, imported, RUNS).difference


def test_where_a_pointer_of_c_leads_to_no_cell_nothing_is_compared() -> None:
    text = (
        "int at(int *a, int i) { return a[i]; }\n"
        "int main(void) { int b[3] = {1}, s = 0, i = 0; while (i < 5) { s += at(b, i); i++; } assert(s); }"
    )
    assert not compare(text, {}, import_c(text), RUNS).difference
