"""C programs of several functions: a main that is left out, one that is read with what it calls, and calls that are refused."""

from __future__ import annotations

CALLED = "int f(int n) {\n  int i = 0;\n  while (i < n) i++;\n  assert(n < 0 || i == n);\n  return i;\n}\n"
CALLERS: dict[str, str] = {
    "nothing but the call": "int main(int argc, char **argv) { f(atoi(argv[1])); return 0; }",
    "an input and a result": "int main() { int n = unknown(), r; r = f(n); return r; }",
    "a result that is printed": 'int main() { int n; n = unknown(); int r = f(n); printf("%d", r); }',
    "a call that is returned": "int main(void) { return f((int) __VERIFIER_nondet_int()); }",
}
"""Name → text of a main that may be left out."""
READ_CALLERS: dict[str, str] = {
    "an assert about the result": "int main() {\n int n = unknown();\n int r = f(n);\n assert(r == 7);\n}",
    "an error call": "int main() {\n if (f(unknown()) != 7)\n reach_error();\n}",
    "a number": "int main() {\n f(10);\n}",
    "a number in a variable": "int main() {\n int n = unknown();\n n = 10;\n f(n);\n}",
    "a sum": "int main() {\n int n = unknown();\n f(n + 1);\n}",
    "two calls": "int main() {\n f(unknown());\n f(unknown());\n}",
    "an assumed result": "int main() {\n int r = f(unknown());\n assume(r > 7);\n}",
    "an assumed input": "int main() {\n int n = unknown();\n assume(n < 9);\n f(n);\n}",
    "a change of a global": "int g;\nint main() {\n g = unknown();\n f(unknown());\n}",
    "another call": "int h(int x) { return x; }\nint main() {\n int k = h(3);\n f(unknown());\n}",
    "a change in a value": "int main() {\n int n = unknown();\n return f(n++);\n}",
    "a main that calls by another": "void g() { assert(f(3) == 4); }\nint main() {\n g();\n}",
}
"""Name → text, after CALLED, of a main that does more than call: it is read itself, with the function where it is called."""

BAD_CALLERS: dict[str, tuple[str, int, str]] = {
    "a call that is made sometimes": ("int main() {\n int x = 1;\n x = x > 2 ? f(x) : 2;\n}", 9, "made only sometimes"),
    "a call in a test of do": (
        "int main() {\n int x = 1;\n do { x++; if (x == 2) continue; x++; } while (f(x) < 3);\n}",
        9,
        "test of a do",
    ),
    "too many arguments": ("int main() {\n f(1, 2);\n}", 8, "takes 1 arguments"),
    "a variable that stays": (
        "int h(int x) { static int s; s += x; return s; }\nint main() {\n int r = h(3) + f(3);\n}",
        9,
        "keeps",
    ),
    "a hidden variable": ("int g;\nvoid h(int x) { g = x; }\nint main() {\n int g = 1;\n h(f(g));\n}", 11, "hidden here"),
    "an unsigned recursion": ("unsigned h(unsigned x) { return x ? h(x - 1) : 0; }\nint main() {\n h(f(3));\n}", 7, "calls itself"),
    "a recursion that chooses": (
        "int h(int x) { return unknown() ? h(x) : f(x); }\nint main() {\n h(3);\n}",
        7,
        "made only sometimes",
    ),
    "a recursion with a global": ("int g;\nint h(int x) { g++; return h(x - f(x)); }\nint main() {\n h(3);\n}", 8, "not declared"),
}
"""Name → text, line of the refusal when it stands after CALLED, words of its reason."""
