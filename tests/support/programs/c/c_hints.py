"""C programs that are refused with a hint, each with the program that somebody gets who follows the hint to the letter."""

from __future__ import annotations

FOLLOWED: tuple[tuple[str, str, str], ...] = (
    (
        "put it between statements",
        "int main(int n) {\n  if (n) /*@ assert n != 0; */ n = 2;\n}",
        "int main(int n) {\n  if (n) {\n    //@ assert n != 0;\n    n = 2;\n  }\n}",
    ),
    ("take it out if it is a comment", "int main(int n) {\n  //@ ghost int x = 1;\n  n = 2;\n}", "int main(int n) {\n  n = 2;\n}"),
    (
        "a & 1 and a & 7 are read; others can often be written with / and %",
        "int main(unsigned n) {\n  n = n & 6;\n}",
        "int main(unsigned n) {\n  n = n % 8 / 2 * 2;\n}",
    ),
    (
        "a & 1, a << 3 and a >> 3 are read; others can often be written with / and %",
        "int main(unsigned n) {\n  n = n ^ 1;\n}",
        "int main(unsigned n) {\n  n = n + 1 - n % 2 * 2;\n}",
    ),
    ("write its number", "int main(int n) {\n  n = sizeof(int *);\n}", "int main(int n) {\n  n = 8;\n}"),
    ("write its number", "int main(int n) {\n  n = '\\xc1';\n}", "int main(int n) {\n  n = -63;\n}"),
    ("write brackets after its name", "int g { int a; };\nint main() {\n}", "int g() { int a; };\nint main() {\n}"),
    ("write it in front, such as int n", "int main(n) {\n  while (n > 0) n--;\n}", "int main(int n) {\n  while (n > 0) n--;\n}"),
    ("take the brackets away", "int main() {\n  int x = 0, y(x) = 0;\n}", "int main() {\n  int x = 0, y = 0;\n}"),
    (
        "compute it in a statement before",
        "int main() {\n  int n = 3;\n  int a[n++];\n  return a[0];\n}",
        "int main() {\n  int n = 3;\n  n++;\n  int a[n];\n  return a[0];\n}",
    ),
    (
        "give it a number of cells",
        "int main() {\n  int n = 2;\n  int a[n] = {1, 2};\n  return a[0];\n}",
        "int main() {\n  int n = 2;\n  int a[2] = {1, 2};\n  return a[0];\n}",
    ),
    (
        "write it as a number",
        "enum e { A = sizeof(int) };\nint main(int n) {\n  n = A;\n}",
        "enum e { A = 4 };\nint main(int n) {\n  n = A;\n}",
    ),
    (
        "give the variable another name",
        "enum e { A };\nint main(int n) {\n  int A = 1;\n  n = A;\n}",
        "enum e { A };\nint main(int n) {\n  int B = 1;\n  n = B;\n}",
    ),
    (
        "give it another name",
        "enum e { true, no };\nint main(int n) {\n  n = no;\n}",
        "enum e { yes, no };\nint main(int n) {\n  n = no;\n}",
    ),
    (
        "write it with if and else",
        "int main(int n) {\n  switch (n) { case 1: if (n) break; n = 2; }\n}",
        "int main(int n) {\n  if (n == 1) {\n    if (n) {\n    } else {\n      n = 2;\n    }\n  }\n}",
    ),
    (
        "end it by break",
        "int main(int n) {\n  switch (n) { case 1: n = 2; case 3: while (n < 5) n++; }\n}",
        "int main(int n) {\n  switch (n) { case 1: n = 2; break; case 3: while (n < 5) n++; }\n}",
    ),
    (
        "put the rest of the loop's body into an else",
        (
            "int main(int n) {\n  int i = 0;\n  while (i < n) {\n    i++;\n"
            "    if (n > 5) { if (i > 3) break; n--; }\n    while (i < 2) i++;\n  }\n}"
        ),
        (
            "int main(int n) {\n  int i = 0;\n  while (i < n) {\n    i++;\n"
            "    if (n > 5 && i > 3) break;\n"
            "    else { if (n > 5) n--; while (i < 2) i++; }\n  }\n}"
        ),
    ),
    (
        "define the function in the file, or call __VERIFIER_nondet_int() where any number may come",
        "int f(int x);\nint main(int n) {\n  n = f(3);\n}",
        "int f(int x) { return x + 1; }\nint main(int n) {\n  n = f(3);\n}",
    ),
    (
        'write scanf("%d", &n); as a statement of its own: what it returns is not read',
        'int main() {\n  int n = 0;\n  if (scanf("%d", &n) == 1) n = 2;\n  while (n > 0) n--;\n}',
        'int main() {\n  int n = 0;\n  scanf("%d", &n);\n  n = 2;\n  while (n > 0) n--;\n}',
    ),
    (
        "set the cells by a loop",
        "int main() {\n  int a[4];\n  memset(a, 0, sizeof(a));\n}",
        "int main() {\n  int a[4];\n  for (int i = 0; i < 4; i++) a[i] = 0;\n}",
    ),
    (
        "declare it as int",
        "int main(int n) {\n  _Bool b = n > 0;\n  b++;\n  n = b;\n}",
        "int main(int n) {\n  int b = n > 0;\n  b++;\n  n = b;\n}",
    ),
    (
        "write the change as a statement of its own",
        "int main(int n) {\n  int x = 0;\n  x = n++ + n;\n}",
        "int main(int n) {\n  int x = 0;\n  x = n;\n  n++;\n  x = x + n;\n}",
    ),
    ("the program should be the body of main", "int n;", "int main(int n) {\n  n = 2;\n}"),
    (
        "call it from main",
        "int f(int n) {\n  if (n > 0) return f(n - 1);\n  return 0;\n}",
        ("int f(int n) {\n  if (n > 0) return f(n - 1);\n  return 0;\n}\nint main(int n) {\n  int r = f(n);\n  assert(r == 0);\n}"),
    ),
    ("write them into the brackets", "int f(n) int n; {\n  while (n) n--;\n}", "int f(int n) {\n  while (n) n--;\n}"),
    (
        "write it as an assume in main",
        (
            "/*@ requires n > 2; */\nint f(int n) {\n  while (n) n--;\n  return n;\n}\n"
            "int main() {\n  int n = unknown();\n  f(n);\n}"
        ),
        ("int f(int n) {\n  while (n) n--;\n  return n;\n}\nint main() {\n  int n = unknown();\n  assume(n > 2);\n  f(n);\n}"),
    ),
    (
        "write it as a statement of its own",
        "int f(int x) { return x + 1; }\nint main(int n) {\n  n = f(n) + n++;\n}",
        "int f(int x) { return x + 1; }\nint main(int n) {\n  int y = f(n);\n  n++;\n  n = y + n - 1;\n}",
    ),
    (
        "write the call first",
        "int g;\nint f(int x) { g = x; return x; }\nint main(int n) {\n  n = g + f(n);\n}",
        "int g;\nint f(int x) { g = x; return x; }\nint main(int n) {\n  int y = f(n);\n  n = g + y;\n}",
    ),
    (
        "take the function out of the file, or give it another name",
        "void exit(int c) {}\nint main(int n) {\n  exit(0);\n}",
        "void leave(int c) {}\nint main(int n) {\n  leave(0);\n}",
    ),
    (
        "keep one of them, or write #undef before the second",
        "#define A 1\n#define A 2\nint main(int n) {\n  n = A;\n}",
        "#define A 1\n#undef A\n#define A 2\nint main(int n) {\n  n = A;\n}",
    ),
    (
        "take the line out that defines it",
        "#define NDEBUG\n#include <assert.h>\nint main(int n) {\n  assert(n == n);\n}",
        "#include <assert.h>\nint main(int n) {\n  assert(n == n);\n}",
    ),
    ("put it there, or take the line out", '#include "other.h"\nint main(int n) {\n  n = 2;\n}', "int main(int n) {\n  n = 2;\n}"),
    (
        "preprocess the file first (gcc -E -P)",
        "#define F(a) a##+\nint main(int n) {\n  n = n F(1);\n}",
        "int main(int n) {\n  n = n +1;\n}",
    ),
    (
        "write the loop with while",
        "int main(int n) {\n  //@ loop invariant n == n;\n  do { n--; } while (n > 0);\n}",
        "int main(int n) {\n  n--;\n  //@ loop invariant n == n;\n  while (n > 0) { n--; }\n}",
    ),
    (
        "use the variable of the file",
        "int g = 3;\nint main(int n) {\n  extern int g;\n  n = g;\n}",
        "int g = 3;\nint main(int n) {\n  n = g;\n}",
    ),
    (
        "compute it in a statement before",
        "int main(int n) {\n  fflush(6 / n);\n}",
        "int main(int n) {\n  int x = 6 / n;\n  fflush(x);\n}",
    ),
    (
        "write it with while, if and break; jumps are read to labels of the blocks in which they stand",
        "int main(int n) {\n  if (n > 3) goto INSIDE;\n  while (n > 0) {\n    n = n - 2;\nINSIDE:\n    n++;\n  }\n}",
        "int main(int n) {\n  int first = n > 3;\n  while (first || n > 0) {\n    n += first ? 1 : -1;\n    first = 0;\n  }\n}",
    ),
    (
        "declare it before the goto",
        "int main(int n) {\n  if (n > 3) goto END;\n  static int x = 1;\n  n = 2;\nEND:\n  n = x;\n}",
        "int main(int n) {\n  static int x = 1;\n  if (n > 3) goto END;\n  n = 2;\nEND:\n  n = x;\n}",
    ),
    (
        "declare it before AGAIN",
        "int main(int n) {\nAGAIN:\n  n--;\n  int x = n;\n  if (n > 0) goto AGAIN;\n  n = x;\n}",
        "int main(int n) {\n  int x;\nAGAIN:\n  n--;\n  x = n;\n  if (n > 0) goto AGAIN;\n  n = x;\n}",
    ),
    (
        "write the loop with while",
        "int main(int n) {\n  for (int i = 0; i < 3; i++) {\nA:\n    n--;\n    if (n == 3) break;\n    if (n > 0) goto A;\n  }\n}",
        (
            "int main(int n) {\n  for (int i = 0; i < 3; i++) {\n    n--;\n    while (n != 3 && n > 0) n--;\n"
            "    if (n == 3) break;\n  }\n}"
        ),
    ),
    (
        "write it with an if",
        "int f(int x) { return x + 1; }\nint main(int n) {\n  n = n > 0 ? f(n) : 1;\n}",
        "int f(int x) { return x + 1; }\nint main(int n) {\n  if (n > 0) n = f(n); else n = 1;\n}",
    ),
    (
        "use it only with an index, such as a[i]",
        "int f(int *p) { int s = 0; while (*p++ != 0) s++; return s; }\nint main(void) {\n  int a[2] = {1}, n = f(a);\n}",
        "int f(int *p) { int s = 0; while (p[s] != 0) s++; return s; }\nint main(void) {\n  int a[2] = {1}, n = f(a);\n}",
    ),
    (
        "pass an array, such as a, or the address of a variable or of a cell, such as &x or &a[i]",
        "int f(int *p) { return *p; }\nint main(int n) {\n  n = f(&n + 0);\n}",
        "int f(int *p) { return *p; }\nint main(int n) {\n  n = f(&n);\n}",
    ),
    (
        "give both the same type",
        "int f(int *p) { return *p; }\nint main(void) {\n  unsigned x = 1;\n  int n = f(&x);\n}",
        "int f(int *p) { return *p; }\nint main(void) {\n  int x = 1;\n  int n = f(&x);\n}",
    ),
    (
        "pass the length as a parameter",
        "int f(int *p) { return sizeof(p); }\nint main(void) {\n  int a[2] = {1}, n = f(a);\n}",
        "int f(int *p, int n) { return n; }\nint main(void) {\n  int a[2] = {1}, n = f(a, 2);\n}",
    ),
    (
        "write it as several statements",
        "int main(int n) {\n  n = " + "(" * 300 + "n" + ")" * 300 + ";\n}",
        "int main(int n) {\n  n = (n);\n}",
    ),
    ("compare it with 0", "int main(long n) {\n  assume(n);\n}", "int main(long n) {\n  assume(n != 0);\n}"),
    (
        "write abort() or reach_error() in its place, or take it out",
        'int main(int n) {\n  if (n) die("no");\n}',
        "int main(int n) {\n  if (n) abort();\n}",
    ),
    (
        "write them as statements",
        "int main(int n) {\n  //@ loop invariant n == n;\n  while (n-- > 0) { }\n}",
        "int main(int n) {\n  n--;\n  //@ loop invariant n == n;\n  while (n + 1 > 0) {\n    n--;\n  }\n}",
    ),
    (
        "write what it does as statements before the label",
        "int main(int n) {\n  int x = 1;\n  if (n) goto END;\n  x = 2;\nEND:\n  return x++;\n}",
        "int main(int n) {\n  int x = 1;\n  if (n) { x++; goto END; }\n  x = 2;\n  x++;\nEND:\n  return x;\n}",
    ),
    (
        "put the rest of the function into an else",
        (
            "int f(int n) {\n  if (n > 5) { if (n > 7) return 1; n--; }\n"
            "  while (n > 2) n--;\n  return n;\n}\nint main(int n) {\n  int y = f(n);\n"
            "  while (y < 9) y++;\n}"
        ),
        (
            "int f(int n) {\n  if (n > 7) return 1;\n  else {\n    if (n > 5) n--;\n"
            "    while (n > 2) n--;\n    return n;\n  }\n}\nint main(int n) {\n"
            "  int y = f(n);\n  while (y < 9) y++;\n}"
        ),
    ),
    (
        "write it with else",
        ("int f(int n) {\n  { int k = n; if (k > 3) return k; }\n  n = 2;\n  return n;\n}\nint main(int n) {\n  int y = f(n);\n}"),
        (
            "int f(int n) {\n"
            "  { int k = n; if (k > 3) return k; else { n = 2; return n; } }\n}\n"
            "int main(int n) {\n  int y = f(n);\n}"
        ),
    ),
    (
        "write a return at its end",
        "int f(int n) {\n  while (1) { if (n > 3) return n; n++; }\n}",
        "int f(int n) {\n  while (1) { if (n > 3) return n; n++; }\n  return 0;\n}",
    ),
    (
        "headers are read only where they lie beside the file",
        "int main(int n) {\n  n = LIMIT;\n}",
        "#define LIMIT 3\nint main(int n) {\n  n = LIMIT;\n}",
    ),
    ("this is near the place; is the text complete C?", "int main(int n) {\n  n = ;\n}", "int main(int n) {\n  n = 1;\n}"),
    (
        "say how many cells it has by a number or by a parameter before it: int n, int a[n]",
        "int f(int a[], int n) {\n  while (a[0] < n) a[0]++;\n}",
        "int f(int n, int a[n]) {\n  while (a[0] < n) a[0]++;\n}",
    ),
    (
        "if they never are, say so: write restrict in the declaration, such as int *restrict b",
        "void f(int *a, int *b, int n) {\n  while (n-- > 0) a[n] = b[n];\n}",
        "void f(int *a, int *restrict b, int n) {\n  while (n-- > 0) a[n] = b[n];\n}",
    ),
    (
        "make that a parameter, too",
        "int g;\nint f(int n, int a[n]) {\n  while (a[0] < n) { a[0]++; g++; }\n}",
        "int f(int g, int n, int a[n]) {\n  while (a[0] < n) { a[0]++; g++; }\n}",
    ),
    (
        "write it as a statement of its own",
        "int main() {\n  int a[2], x;\n  x = a[0] = 1;\n}",
        "int main() {\n  int a[2], x;\n  a[0] = 1;\n  x = a[0];\n}",
    ),
    (
        "set its cells one by one",
        'int main() {\n  char a[3] = "ab";\n}',
        "int main() {\n  char a[3];\n  a[0] = 97;\n  a[1] = 98;\n  a[2] = 0;\n}",
    ),
)
"""The hint, the program that is refused with it, and the program that follows it."""
