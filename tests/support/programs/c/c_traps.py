"""C programs that a careless reader misunderstands. gcc's run of each ends as the table says."""

from __future__ import annotations

FAILING: dict[str, str] = {
    "a macro without brackets": """
#define A 1+2
int main() { int i = 0, x; while (i < 3) i++; x = A*3; assert(x == 9); }
""",
    "a macro that names a shadowed variable": """
#define N (n + 1)
int main() { int n = 5, i = 0; while (i < 2) { int n = 1; i++; if (i == 2) assert(N == 6); } }
""",
    "bool as int": """
#define bool int
int main() { bool b = 2; int i = 0; while (i < 2) i++; assert(b == 1); }
""",
    "a type redefined": """
#define int unsigned
int main() { int x = 0; int i = 0; while (i < 1) { x = x - 1; i++; } assert(x < 0); }
""",
    "a keyword redefined": """
#define while if
int main() { int i = 0; while (i < 5) { i++; } for (int k = 0; k < 1; k++) { } assert(i == 5); }
""",
    "a name redefined": """
#define i j
int main() { int j = 3; int k = 0; while (k < 1) k++; { int i = 4; k = i; } assert(k == 3); }
""",
    "assert redefined, and the rest of its line": """
#define check(e) assert(!(e))
int main() { int x = 1, i = 0; while (i < 2) i++; check(x == 1); }
""",
    "a comment that goes on": """
int main() { int x = 1, i = 0;
  // this comment goes on \\
  x = 2;
  while (i < 2) i++;
  assert(x == 2); }
""",
    "an effect in the argument of putchar": """
int main() { int x = 0, i = 0; while (i < 3) { putchar(x++); i++; } assert(x == 0); }
""",
    "a function abs of the file": """
int abs(int x) { return x + 1; }
int main() { int i = 0; while (i < 3) i++; assert(abs(0) == 0); }
""",
    "a function abs of the file that calls itself": """
int abs(int x) { if (x > 0) return abs(x - 1); return x + 1; }
int main() { int i = 0; while (i < 3) i++; assert(abs(3) == 3); }
""",
    "minus one below one": """
int main() { int i = 0; while (i < 3) i++; assert(-1 < 1u); }
""",
    "an unsigned difference": """
int main() { unsigned u = 0; int i = 0; while (i < 3) i++; assert(u - 1 < 5); }
""",
    "the complement of an unsigned number": """
int main() { unsigned u = 0; int i = 0; while (i < 3) i++; assert(~u < 5); }
""",
    "a narrowing cast": """
int main() { int x = 256, i = 0; while (i < 3) i++; assert((char) x == 256); }
""",
    "a narrowing cast without a sign": """
int main() { int x = -1, i = 0; while (i < 3) i++; assert((unsigned char) x == -1); }
""",
    "a narrowing assignment": """
int main() { int i = 0; short s = 0; while (i < 3) { s = 40000; i++; } assert(s == 40000); }
""",
    "a comparison of both signs": """
int main() { int x = -5, i = 0; unsigned n = 3; while (i < 2) i++; assert(x < n); }
""",
    "a conversion in a conditional value": """
int main() { int i = 0; while (i < 2) i++; long x = i == 2 ? -1 : 1u; assert(x == -1); }
""",
    "an assertion that does nothing else": """
void assume(int e) { }
int main() { int x = 0, i = 0; while (i < 2) i++; assume(x == 1); assert(x == 1); }
""",
    "an unknown that is known": """
int unknown(void) { return 4; }
int main() { int x = unknown(), i = 0; while (i < 2) i++; assume(x != 4); assert(x == 3); }
""",
    "a wide argument": """
void __VERIFIER_assert(int cond) { if (!cond) { reach_error(); } }
int main() { long x = 4294967296; int i = 0; while (i < 2) i++; __VERIFIER_assert(x); }
""",
    "an enum": """
enum { INT_MAX = 3 };
int main() { int i = 0; while (i < 2) i++; assert(INT_MAX == 2147483647); }
""",
    "assembler": """
int main() { int x = 1, i = 0; while (i < 2) i++; __asm__("movl $2, %0" : "=r"(x)); assert(x == 1); }
""",
    "a width by an attribute": """
int main() { int i = 0; while (i < 2) i++; int x __attribute__((mode(QI))) = 0; x = 300; assert(x == 300); }
""",
    "static in a loop": """
int main() { int i = 0, r = 0; while (i < 3) { static int k = 0; k++; r = k; i++; } assert(r == 1); }
""",
    "a narrow parameter": """
void __VERIFIER_assert(char c) { if (!c) reach_error(); }
int main() { int i = 0; while (i < 3) i++; __VERIFIER_assert(256); }
""",
    "a variable declared twice": """
int g = 3;
int g;
int main() { int i = 0; while (i < 3) i++; assert(g == 0); }
""",
    "a jump to an assert": """
int main() { int i = 0; while (i < 3) i++; if (i == 3) goto ERROR; return 0; ERROR: assert(0); }
""",
    "a jump to reach_error": """
int main() { int i = 0; while (i < 3) i++; if (i == 3) goto ERROR; return 0; ERROR: reach_error(); }
""",
    "a bit more than a shift": """
int main() { unsigned x = 1; int i = 0; while (i < 32) { x = x << 1; i++; } assert(x != 0); }
""",
}
"""Programs that end with a failed assert, so that they are refused or fail in SIP, too."""

FAILING |= {
    "a name that is declared again in a block with a return": """
int f(int x) { int y = 1; if (x > 0) { int y = 5; if (x > 10) return 0; y++; } return y; }
int main() { int r = f(5); assert(r == 6); }
""",
    "the same in a function that calls itself": """
int f(int x) { int y = 1; if (x > 0) { int y = 5; if (x > 10) return f(x - 11); y++; } return y; }
int main() { int r = f(16); assert(r == 6); }
""",
    "a declaration that a goto jumps over, and another variable of its name": """
int main() { int x = 1, s = 0, c = 1; { if (c) { s = x; goto L; } int x = 5; s = x; L: x = 7; s += x; } assert(s != 8); }
""",
    "arguments of which C leaves open which comes first": """
int g = 1;
int f(void) { g = g + 1; return g; }
int k(void) { g = g * 3; return g; }
int h(int a, int b) { return a * 10 + b; }
int main() { int x = h(f(), k()); assert(x == 26); }
""",
    "a case with a name of its own that goes on with the next one": """
int main() { int s = 0, x = 0; switch (x) { case 0: s = 1; case 1: { int x = 9; s += x; } case 2: s += x; } assert(s == 19); }
""",
    "a copied struct whose place the copy changes": """
struct p { int x; int y; };
int main() { struct p a[3]; a[0].x = 1; a[0].y = 5; a[1].x = 2; a[1].y = 6; a[2].x = 0; a[2].y = 7;
  a[0] = a[a[0].x]; assert(a[0].y == 7); }
""",
    "a copied struct that is the place of the copy": """
struct p { int x; int y; };
int main() { struct p t, a[3]; a[1].x = 2; a[1].y = 6; a[2].x = 0; a[2].y = 7; t.x = 1; t.y = 0;
  t = a[t.x]; assert(t.y == 7); }
""",
    "a case that C reduces to an int": """
int main() { int x = 0, s = 0; switch (x) { case 4294967296L: s = 1; break; default: s = 2; } assert(s == 2); }
""",
}

HOLDING: dict[str, str] = {
    "a computed length whose variable hides another one": """
int main() { int n = 3; { int n = 10; int a[n]; a[9] = 1; assert(a[9] == 1); } assert(n == 3); }
""",
    "static starts at zero": """
int main() { static int k; int i = 0; while (i < 3) { i++; k++; } assert(k == 3); }
""",
    "unsigned arithmetic wraps": """
int main() { unsigned u = 0; int i = 0; while (i < 3) { u--; i++; } assert(u == 4294967293u); }
""",
    "unsigned arithmetic wraps and comes back": """
int main() { unsigned u = 3; int i = 0; while (i < 5) { u = u - 1; i++; } u += 2; assert(u == 0); }
""",
    "a variable declared first as extern": """
extern int g;
int g = 3;
int main() { int i = 0; while (i < 3) i++; assert(g == 3); }
""",
    "a macro with arguments": """
#define MAX(a, b) ((a) > (b) ? (a) : (b))
int main() { int i = 0, m = 0; while (i < 3) { i++; m = MAX(m, i); } assert(m == 3); }
""",
    "conditional compilation": """
#define MODE 2
#if MODE == 2 && !defined(FAST)
#define STEP 1
#else
#define STEP 2
#endif
int main() { int i = 0; while (i < 3) i += STEP; assert(i == 3); }
""",
    "a macro taken back": """
#define N 3
#undef N
#define N 4
int main() { int i = 0; while (i < N) i++; assert(i == 4); }
""",
    "the complement comes back": """
int main() { unsigned u = 7; int i = 0; while (i < 2) { u = ~u; i++; } assert(u == 7 && ~u == 4294967288u); }
""",
    "characters": """
int main() {
  char c = 120; int i = 0; while (i < 10) { c++; i++; } assert(c == -126);
  unsigned char b = 250; b += 10; assert(b == 4);
}
""",
    "the value before an increment": """
int main() {
  unsigned u = 4294967295u, before; int i = 0; while (i < 1) { i++; }
  before = u++; assert(u == 0 && before == 4294967295u);
}
""",
    "the value before an increment in an expression": """
int main() { unsigned u = 4294967295u; int i = 0; while (i < 1) i++; long x = 2L * u++; assert(x == 8589934590 && u == 0); }
""",
}
"""Programs that end without a failed assert."""
