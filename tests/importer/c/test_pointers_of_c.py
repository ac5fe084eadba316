"""Pointers and arrays as parameters of C, memory, what is read from outside: what is assumed is told, and runs agree with gcc."""

from __future__ import annotations

import shutil

import pytest

from idg.cli.programs.comparing import compare
from idg.importer import ImportRefused, import_c
from idg.sip.program import load

READ: dict[str, tuple[str, str, str]] = {
    "a pointer and its length": (
        "int sum(const int *a, int n) {\n  int s = 0;\n  for (int i = 0; i < n; i++) s += a[i];\n  return s;\n}",
        "pre(len(a) >= n);",
        "line 1: a is assumed to be an array of at least n cells: C does not say how long it is",
    ),
    "a length before the array": (
        "int f(int x, unsigned long n, int a[]) {\n  unsigned long i = 0;\n  while (i < n && a[i] != x) i++;\n  return 0;\n}",
        "pre(len(a) >= n);",
        "at least n cells",
    ),
    "two lengths": (
        "int f(int *a, int n, short *b, int m) {\n  int i = 0, j = 0;\n  while (i < n && j < m) if (a[i] < b[j]) i++; else j++;\n}",
        "pre(len(b) >= m);",
        "b is assumed to be an array of at least m cells",
    ),
    "arrays that are said to be different": (
        "void copy(int *restrict to, int *from, int n) {\n  while (n-- > 0) to[n] = *(from + n);\n}",
        "to[n] := from[n];",
        "to is restrict: that no other array has its cells is taken for granted",
    ),
    "at least so many cells": (
        "int f(int n, int a[static n]) {\n  int i = 0;\n  while (i < n && a[i] > 0) i++;\n  return i;\n}",
        "pre(len(a) >= n);",
        "a is read as an array of at least n cells, as its declaration says",
    ),
    "a helper that is given what is left": (
        "int max(const int *a, int n) {\n  int m = *a;\n  for (int i = 1; i < n; i++) if (a[i] > m) m = a[i];\n  return m;\n}\n"
        "int main(void) {\n  int b[4] = {1, 7, 3};\n  int m = max(b + 1, 3);\n  assert(m == 7);\n}",
        "if (b[1 + i] > m)",
        "",
    ),
    "a helper before the function with the loops, and no main": (
        "static void swap(int *x, int *y) {\n  int t = *x;\n  *x = *y;\n  *y = t;\n}\n"
        "void bubble(int *a, int n) {\n  for (int i = n - 1; i > 0; i--)\n    for (int j = 0; j < i; j++)\n"
        "      if (a[j] > a[j + 1]) swap(&a[j], &a[j + 1]);\n}",
        "t := a[place1];",
        "the functions that bubble calls are written out where it calls them: swap",
    ),
    "a length that is computed": (
        "#define N 3\nint a[N * N + 1];\nint main(void) {\n  int i = 0;\n  while (i < N * N) { a[i] = i; i++; }\n}",
        "var a: int[10];",
        "",
    ),
    "lengths that the program computes": (
        "#include <stdlib.h>\nint main(void) {\n  unsigned char n = unknown();\n  int a[n + 1], i;\n"
        "  int *b = malloc(sizeof(int) * n);\n  for (i = 0; i < n; i++) { a[i] = i; b[i] = 2 * i; }\n"
        "  for (i = 0; i < n; i++) assert(a[i] + a[i] == b[i]);\n}",
        "var a: int[n + 1];",
        "line 5: that there is memory for b is taken for granted",
    ),
    "an array that is called like the pointer": (
        "void first(int *a, int *b, int n) {\n  for (int i = 0; i < n; i++) b[i] = a[i] + 1;\n}\n"
        "int main(void) {\n  int a[3] = {1, 2, 3}, b[3] = {0};\n  first(b, a, 3);\n  assert(a[2] == 1);\n}",
        "a[i] := b[i] + 1;",
        "",
    ),
    "characters": (
        "int main(void) {\n  char s[4];\n  int i = 0;\n  s[0] = 'a';\n  s[1] = '\\n';\n  s[2] = '\\x41';\n  s[3] = '\\0';\n"
        "  while (s[i] != '\\0') i++;\n  assert(i == 3 && s[1] == '\\12' && '\\'' == 39);\n}",
        "while (s[i] != 0)",
        "",
    ),
    "memory that is cleared": (
        "#include <stdlib.h>\nint main(void) {\n  unsigned char n = unknown();\n  int *x = calloc(n, sizeof(int));\n"
        "  long *y = (long *) calloc(sizeof(long), 12);\n  short *z = calloc(1, sizeof(short));\n"
        "  for (int i = 0; i < n; i++) { x[i] += i; y[i % 12]++; (*z)++; }\n  assert(*z == n);\n  free(x);\n}",
        "assume(forall k1 in 0..n - 1: x[k1] = 0);",
        "line 4: that there is memory for x is taken for granted",
    ),
    "pointers that are declared before they are set": (
        "#include <stdlib.h>\nint main(void) {\n  int *x, *p, v = 3, n = unknown();\n  assume(n >= 0 && n < 50);\n"
        "  x = malloc(n * sizeof(int));\n  p = &v;\n"
        "  for (int i = 0; i < n; i++) { int *q; q = malloc(sizeof(int)); *q = 2; x[i] = i; *p += *q; }\n"
        "  assert(v == 3 + 2 * n);\n}",
        "v := v + q;",
        "line 5: that there is memory for x is taken for granted",
    ),
    "a pointer to a variable": (
        "int main(void) {\n  int x = unknown();\n  int *p = &x;\n  while (*p > 0) (*p)--;\n  assert(x <= 0);\n}",
        "x := x - 1;",
        "",
    ),
    "memory": (
        "#include <stdlib.h>\nint main(void) {\n  int *x = malloc(sizeof(int)), *a = (int *) malloc(3 * sizeof(int));\n"
        "  *x = unknown();\n  a[2] = 1;\n  while (*x > 0) { *x = *x - a[2]; }\n  free(x);\n  free(a);\n}",
        "var a: int[3];",
        "line 3: that there is memory for x is taken for granted",
    ),
    "numbers that are typed": (
        '#include <stdio.h>\nint main(void) {\n  int n;\n  long k;\n  scanf("%d %ld", &n, &k);\n  while (n > 0) { n--; k++; }\n}',
        "fn main(n, k: int)",
        "line 5: scanf may give any numbers",
    ),
    "a number on the command line": (
        "int main(int argc, char **argv) {\n  int n = atoi(argv[1]);\n  while (n > 0) n--;\n  assert(n <= 0);\n}",
        "fn main(n: int)",
        "line 2: atoi may give any number",
    ),
    "sizes": (
        "int main(void) {\n  short a[5] = {1};\n  unsigned long n = sizeof(a) / sizeof(a[0]) + sizeof(long);\n  int i = 0;\n"
        "  while (i < 13) i++;\n  assert(n == i);\n}",
        "10 // 2 + 8",
        "",
    ),
}
"""Name → the C program, a part of the reading, a part of the notes."""


@pytest.mark.parametrize("name", READ)
def test_it_is_read_and_what_is_assumed_is_told(name: str) -> None:
    text, part, told = READ[name]
    imported = import_c(text)
    load(imported.source)
    assert part in imported.source, imported.source
    assert told in "\n".join(map(str, imported.notes))


@pytest.mark.skipif(shutil.which("gcc") is None, reason="there is no gcc here")
@pytest.mark.parametrize("name", READ)
def test_runs_of_the_reading_are_those_of_the_compiled_program(name: str) -> None:
    text = READ[name][0]
    comparison = compare(text, {}, import_c(text), 8)
    assert not comparison.difference
    assert comparison.note.startswith("8 runs of the file"), comparison.note


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("int f(int *a, int x) {\n  int i = 0;\n  while (a[i] != x) i++;\n  return i;\n}", "how long the array 'a' is"),
        ("void f(int *a, int *b, int n) {\n  while (n-- > 0) a[n] = b[n];\n}", "might be the same array"),
        ("int g;\nvoid f(int *a, int n) {\n  while (n-- > 0) { a[n] = 1; g++; }\n}", "might be a variable of the file"),
        ("int g;\nvoid f(int *a, int n) {\n  while (n-- > g) a[n] = 1;\n}", "might be a variable of the file"),
        (
            "int f(int *a, int n) {\n  int *e = a + n;\n  int s = 0;\n  while (a < e) s += *a++;\n  return s;\n}",
            "for something else",
        ),
        ("int main(void) {\n  int x = 3, y = 4;\n  int *p = &x;\n  while (x) { p = &y; *p = 0; x--; }\n}", "for something else"),
        ("int main(void) {\n  unsigned x = 3;\n  int *p = &x;\n  while (*p) (*p)--;\n}", "'p' is a pointer"),
        ("int main(void) {\n  int x = 3;\n  int *p = &x;\n  { int x = 9; while (*p) { (*p)--; x--; } }\n}", "'p' is a pointer"),
        ('int main(void) {\n  unsigned n;\n  scanf("%d", &n);\n  while (n) n--;\n}', "the call of 'scanf'"),
        ('int main(void) {\n  int n;\n  while (scanf("%d", &n) == 1) n--;\n}', "the call of 'scanf'"),
        ("int f(int n, int a[n]) {\n  while (n > sizeof(a)) n--;\n  return a[0];\n}", "pointer"),
    ],
)
def test_what_may_mean_something_else_is_refused(text: str, reason: str) -> None:
    with pytest.raises(ImportRefused) as caught:
        import_c(text)
    assert reason in caught.value.reason


def test_an_argument_may_have_the_name_of_the_pointer() -> None:
    """The pointer's own declaration was taken for one of what is passed."""
    text = (
        "int first(int *a, int n) { for (int i = 0; i < n; i++) if (a[i] > 3) return i; return -1; }\n"
        "int twice(int *a, int n) { return first(a, n) + first(a + 1, n - 1); }\n"
        "int main() { int a[3]; a[0] = 1; a[1] = 5; a[2] = 0; assert(twice(a, 3) == 1); return 0; }"
    )
    assert load(import_c(text).source).run().outcome.kind == "returned"


def test_a_number_with_the_name_of_the_pointer_is_no_array() -> None:
    text = "int first(int *a) { return a[0]; }\nint main() { int a = 3; return first(a); }"
    with pytest.raises(ImportRefused, match="neither an array nor an address"):
        import_c(text)
