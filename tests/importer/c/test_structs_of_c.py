"""Structs of C as variables and arrays for each field: runs agree with gcc, and what is not read is refused."""

from __future__ import annotations

import shutil

import pytest

from idg.cli.programs.comparing import COMPILERS, compare
from idg.importer import ImportRefused, import_c
from idg.sip.program import load

COMPARED = 12
"""Seeds with which each program is run here."""
HEAD = "typedef unsigned char byte;\nstruct pair { int a; byte b; };\ntypedef struct { int x; struct pair in; int buf[4]; } T;\n"
READ: dict[str, tuple[str, str]] = {
    "fields": (
        "struct pair p;\nint main(void) {\n  for (int i = 0; i < 9; i++) { p.a += 2; p.b += 100; }\n  assert(p.a == 18);\n}",
        "p_b := (p_b + 100) % 256;",
    ),
    "values in braces": (
        "int main(void) {\n  T t = {1, {2, 3}, {4, 5}};\n  struct pair q = {.b = 7}, cells[3] = {{1, 2}, {3}};\n  T z = {0};\n"
        "  while (t.x < 5) { t.x += q.b + cells[1].a + t.buf[1]; cells[2].b -= z.in.b + 1; }\n  assert(t.in.b == 3);\n}",
        "cells_b: nat[3];",
    ),
    "a struct that is copied": (
        "int main(void) {\n  struct pair p, q = {4, 200}, a[3];\n  T t;\n  p = q;\n  for (int i = 0; i < 6; i++) {\n"
        "    a[i % 3] = p;\n    p.b++;\n    t.in = a[0];\n    q = t.in;\n    struct pair r = q;\n    p.a += r.a;\n  }\n}",
        "t_in_a := a_a[0];",
    ),
    "pointers as parameters": (
        "void bump(T *p, struct pair v) { p->x += v.a; p->in.b++; p->buf[1] = p->x; (*p).in.a = v.b; v.a = 0; }\n"
        "void twice(T *p) { struct pair k = {1, 2}; bump(p, k); bump(p, p->in); }\n"
        "void clear(struct pair *p, int *n) { p->a = 0; *n += 1; }\n"
        "int main(void) {\n  T t = {0};\n  int n = 0;\n  struct pair a[2] = {{5, 6}, {7, 8}};\n"
        "  for (int i = 0; i < 6; i++) { twice(&t); clear(&a[i % 2], &n); clear(&t.in, &t.x); a[0].a++; }\n  assert(n == 6);\n}",
        "t_buf[1] := t_x;",
    ),
    "pointers that are variables": (
        "#include <stdlib.h>\nint main(void) {\n  struct pair p = {1, 2}, *w = &p;\n  struct pair *m = malloc(sizeof *m);\n"
        "  T *t = (T *) malloc(sizeof(T));\n  m->a = 3;\n  t->x = 4;\n  t->buf[2] = 1;\n"
        "  while (w->a < 20) { w->a += m->a; (*w).b++; t->buf[2] += t->x; }\n  free(m);\n  free(t);\n  assert(p.b >= 2);\n}",
        "p_a := p_a + m_a;",
    ),
    "the same name in two functions": (
        "int f(struct pair *p) { int s = 0; while (s < p->a) { s++; p->b--; } return s; }\n"
        "int main(void) {\n  struct pair p_a = {3, 4};\n"
        "  { struct pair p = {1, 1}; int k = f(&p); p_a.a += k; }\n  return f(&p_a);\n}",
        "",
    ),
    "the same name for a number": (
        "int f(int p) { while (p > 0) p--; return p; }\n"
        "int main(void) {\n  struct pair p = {1, 2};\n  p.a = f(p.a);\n  assert(p.a <= 1);\n}",
        "",
    ),
    "a name that is taken": (
        "int p_a = 5;\nint main(void) {\n  struct pair p = {1, 2};\n  while (p.a < p_a) p.a++;\n  assert(p_a == 5);\n}",
        "while (p_a_2 < p_a)",
    ),
    "without values": (
        "int main(void) {\n  struct pair p, q;\n  int n = 0;\n  while (n < 4) { if (p.a < q.a) p.a += q.b; n++; }\n}",
        "fn main(p_a, q_a: int, q_b: nat)",
    ),
    "passed by value": (
        "int sum(struct pair p) { int s = 0; while (p.b > 0 && s < 40) { p.b--; s += p.a; } return s; }\n"
        "int main(void) {\n  struct pair p = {3, 5};\n  int s = sum(p);\n  assert(p.b == 5);\n  assert(s == 15);\n}",
        "assert(p_b = 5);",
    ),
    "what is not read has a struct, too": (
        "struct list { struct list *next; };\nstruct list *head;\nint length(struct list *l) { return l->next == 0 ? 1 : 2; }\n"
        "int main(void) {\n  int i = 0;\n  while (i < 5) i++;\n}",
        "while (i < 5)",
    ),
}
REFUSED: dict[str, tuple[str, str]] = {
    "a struct with a pointer": (
        "struct list { int x; struct list *next; };\nint main(void) {\n  struct list l;\n  while (l.x > 0) l.x--;\n}",
        "this struct is not read",
    ),
    "fields of some bits": (
        "struct bits { unsigned a : 3; };\nint main(void) {\n  struct bits p = {0};\n  while (p.a < 5) p.a++;\n}",
        "this struct is not read",
    ),
    "a union": (
        "union u { int a; char b; };\nint main(void) {\n  union u p;\n  while (p.a < 5) p.a++;\n}",
        "this union is not read",
    ),
    "the size": (
        "int main(void) {\n  struct pair p = {0};\n  while (p.a < sizeof p) p.a++;\n}",
        "the size of a struct is not read",
    ),
    "a struct that is returned": (
        "struct pair f(void) { struct pair p = {1, 2}; return p; }\nint main(void) {\n  struct pair q = {0};\n"
        "  while (q.a < 3) q = f();\n}",
        "the struct p is used as a whole",
    ),
    "an array in a copy": (
        "int main(void) {\n  T t = {0}, u = {0};\n  while (t.x < 3) { u.x++; t = u; }\n}",
        "a struct with an array is copied",
    ),
    "a struct of another type": (
        "struct other { int a; byte b; };\nint main(void) {\n  struct other p = {1, 2};\n  struct pair q = {0};\n"
        "  while (q.a < 3) q = p;\n}",
        "what is assigned to this struct is not read",
    ),
    "the order of effects": (
        "int main(void) {\n  int i = 0;\n  while (i < 9) { struct pair p = {i++, i}; i += p.a; }\n}",
        "a value of 'p' has an effect",
    ),
    "a pointer that moves": (
        "void f(struct pair *p) { while (p->a > 0) p++; }\nint main(void) {\n  struct pair a[3];\n  f(a);\n}",
        "the struct p is used as a whole",
    ),
    "an index with an effect": (
        "int main(void) {\n  struct pair a[3], p;\n  int i = 0;\n  while (i < 3) p = a[i++];\n}",
        "an index with an effect",
    ),
    "a volatile field": (
        "struct v { volatile int a; };\nint main(void) {\n  struct v p = {0};\n  while (p.a < 5) p.a++;\n}",
        "is volatile",
    ),
    "two structs of one name in a function": (
        "int main(void) {\n  struct pair p = {1, 2};\n  while (p.a < 9) { T p = {0}; p.x++; }\n}",
        "two variables called 'p' have different structs",
    ),
    "the function that is read": ("int f(struct pair p) { while (p.a > 0) p.a--; return 0; }", "has a struct among its parameters"),
}


@pytest.mark.parametrize("what", READ)
def test_structs_are_read_as_gcc_reads_them(what: str) -> None:
    text, expected = HEAD + READ[what][0], READ[what][1]
    imported = import_c(text)
    assert expected in imported.source
    load(imported.source)
    if any(map(shutil.which, COMPILERS)):
        check = compare(text, {}, imported, COMPARED)
        assert not check.difference, check.difference
        assert "had the same" in check.note, check.note


@pytest.mark.parametrize("what", REFUSED)
def test_what_is_not_read_is_refused(what: str) -> None:
    text, expected = REFUSED[what]
    with pytest.raises(ImportRefused) as refused:
        import_c(HEAD + text)
    assert expected in refused.value.reason
    assert refused.value.column < 200


def test_fields_that_change_places_make_the_runs_differ(monkeypatch: pytest.MonkeyPatch) -> None:
    """The compiled file has its structs, so that a mistake in what is rewritten shows."""
    from idg.importer.c.rewriting.types.fields import Field, StructTable

    if not any(map(shutil.which, COMPILERS)):
        pytest.skip("there is no C compiler here")
    name_of = StructTable.name_of
    monkeypatch.setattr(
        StructTable, "name_of", lambda self, variable, field: name_of(self, variable, Field(field.path[:1], field.declaration))
    )
    text = f"{HEAD}int main(void) {{\n  T t = {{1, {{2, 3}}}};\n  while (t.x < 9) {{ t.in.a++; t.x += t.in.b; }}\n}}"
    assert compare(text, {}, import_c(text), COMPARED).difference
