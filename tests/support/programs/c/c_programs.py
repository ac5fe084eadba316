"""C programs in the style of the public suites, for tests. printf shows what is to be compared."""

from __future__ import annotations

ACCEPTED: dict[str, str] = {
    "arrays": """
int a[5] = {5, 3, 4, 1};
int main() {
  int i, j, x = unknown();
  a[4] = x;
  for (i = 4; i > 0; i--)
    for (j = 0; j < i; j++)
      if (a[j] > a[j + 1]) {
        int t = a[j];
        a[j] = a[j + 1];
        a[j + 1] = t;
      }
  for (i = 0; i < 5; i++) printf("%d\\n", a[i]);
  i = 0;
  while (i < 5 && a[i] != x) i++;
  assert(a[0] <= a[1] && a[3] <= a[4] && i < 5);
}
""",
    "arrays of unsigned numbers": """
unsigned char h[12];
static unsigned w[2];
int main() {
  static short s[2];
  unsigned i = __VERIFIER_nondet_uint();
  int b[2];
  for (b[0] = 0; b[0] < 9; b[0]++) {
    h[i % 12]++;
    h[(i + 1) % 12] += 100;
    w[b[0] & 1] = w[1 - (b[0] & 1)] - h[i % 12];
    s[1] = h[i % 12] > 9 ? h[(i + 1) % 12] : -1;
    b[1] = s[1] + (b[0] < 2);
    printf("%d %u %d %d\\n", h[i % 12], w[0], s[1], b[1]);
    i++;
  }
  assert(h[11] < 200);
}
""",
    "switch": """
enum { RED, GREEN = 4, BLUE };
int main() {
  int state = unknown(), n = 0, other = 0;
  while (n < 6) {
    switch (state) {
    case RED:
      state = BLUE;
      break;
    default:
      state = state - 1;
      if (state < -5) n = 9;
      break;
    case GREEN: case BLUE: {
      state = state + unknown();
      break;
    }
    case 2:
      other++;
    case 3:
      other += 2;
      state = 7;
    }
    switch (unknown()) { case 1: n = n + 1; case -3: n = n + 1; break; default: n = n + 2; }
    switch (n) { }
  }
  switch (other) { default: other = other + 1; case 9: ; }
  assert(other < 6);
}
""",
    "code2inv": """
int main() {
  int x; int y;
  (x = 1);
  (y = 0);
  while ((y < 100)) {
    { (x = (x + y)); (y = (y + 1)); }
    printf("%d %d\\n", x, y);
  }
  assert( (x >= y) );
}
""",
    "code2inv with inputs and a final if": """
int main()
{
  int n = unknown();
  int v1, v2;
  int x = n;
  assume(n > -3);
  while (x > 0) { x = x - 1; printf("%d\\n", x); }
  if (n >= 0)
    assert(x == 0);
}
""",
    "jumps to the end": """
extern void tmpl(const char *text);
int main() {
  int n = unknown(), i;
  tmpl("le(i,n)");
  if (n > 1); else goto END;
  for (i = 0; ; ) {
    if (i >= n) break;
    i++;
    assert(i <= n);
    printf("%d\\n", i);
    if (unknown()) goto END;
  }
  assert(i == n);
 END: ;
}
""",
    "a jump into the other branch": """
int main() {
  int n = unknown(), i = 0, j = 0;
  while (i < n) {
    if (i % 3 == 0) {
      if (unknown() > 4) goto OTHER;
      j += 2;
      printf("%d\\n", j);
    } else {
      j--;
OTHER: j += 5;
      if (j > 30) break;
    }
    i++;
    printf("%d %d\\n", i, j);
  }
  assert(j < 41);
}
""",
    "unknown tests": """
extern int unknown(void);
void main() {
  int c = 0, n = unknown();
  assume((n > 0));
  while (unknown()) {
    printf("%d %d\\n", c, n);
    if (unknown()) { if (c != n) { c = c + 1; } }
    else { if (c == n) { c = 1; } }
  }
  if (c < 0) { if (c > n) assert(c == n); }
}
""",
    "sv-comp": """
extern void abort(void);
extern void __assert_fail(const char *, const char *, unsigned int) __attribute__ ((__nothrow__ , __leaf__));
void reach_error() { __assert_fail("0", "sum.c", 3); }
extern int __VERIFIER_nondet_int(void);
void assume_abort_if_not(int cond) { if (!cond) { abort(); } }
void __VERIFIER_assert(int cond) { if (!(cond)) { ERROR: { reach_error(); abort(); } } return; }
int main(void) {
  int i, n = __VERIFIER_nondet_int(), sn = 0;
  assume_abort_if_not(n < 1000 && n >= -1000);
  for (i = 1; i <= n; i++) {
    sn = sn + 2;
    printf("%d %d\\n", i, sn);
  }
  __VERIFIER_assert(sn == n * 2 || sn == 0);
  return 0;
}
""",
    "error label": """
int main() {
  int x = __VERIFIER_nondet_int();
  int y = x;
  while (x < 20) { x++; if (x == 7) y -= 3; printf("%d %d\\n", x, y); }
  if (y > 19) goto ERROR;
  return 0;
ERROR: { reach_error(); abort(); }
}
""",
    "error in a branch": """
int main() {
  int n = __VERIFIER_nondet_int();
  int i = 0;
  while (i < n) { i += 2; if (i == 9 || i > 30) { reach_error(); } printf("%d\\n", i); }
  if (!(i >= n)) { ERROR: __VERIFIER_error(); }
}
""",
    "while true with a break": """
int main() {
  int n = __VERIFIER_nondet_int(), q = 0, r = n;
  __VERIFIER_assume(n >= 0);
  while (1) {
    __VERIFIER_assert(n == 3 * q + r);
    printf("%d %d\\n", q, r);
    if (!(r >= 3)) break;
    r = r - 3;
    q++;
  }
  __VERIFIER_assert(r >= 0 && r <= 2);
  return 0;
}
""",
    "breaks and continues": """
int main() {
  int n = __VERIFIER_nondet_int(), i = 0, odd = 0, steps = 0;
  for (i = 0; i < 50; ++i) {
    steps++;
    if (i % 2 == 0) continue;
    if (i > n) { odd = -odd; break; }
    odd++;
    printf("%d %d\\n", i, odd);
  }
  printf("%d %d %d\\n", i, odd, steps);
  assert(odd <= 25);
}
""",
    "a break at two places": """
int main() {
  int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int(), k = 0;
  while (k < 30) {
    if (a > b) { if (a > 10) break; a = a + 2; }
    k++;
    printf("%d %d\\n", a, k);
    if (b == k) break;
  }
  printf("%d\\n", k);
  assert(k <= 30);
}
""",
    "do while": """
int main() {
  int x = __VERIFIER_nondet_int(), y = 0;
  do { x = x - 2; y++; printf("%d %d\\n", x, y); } while (x > 0);
  assert(y >= 1);
}
""",
    "a long do while with a break": """
int main() {
  int x = __VERIFIER_nondet_int(), y = 0, z = 0;
  do {
    y++; z += y;
    if (z > 40) break;
    for (int k = 0; k < 2; k++) { z--; }
    printf("%d %d %d\\n", x, y, z);
  } while (y < x);
  printf("%d %d\\n", y, z);
  assert(y > 0);
}
""",
    "quotients and remainders": """
int main() {
  int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int(), i = 0;
  __VERIFIER_assume(b != 0);
  while (i < 4) {
    printf("%d %d %d %d %d %d\\n", a / b, a % b, a / 3, a % -3, a / -2, -7 / 2);
    if (a % 2) printf("%d\\n", 1);
    if (a % b == 0) printf("%d\\n", 2);
    a += 3; i++;
  }
  assert(a / b * b + a % b == a);
}
""",
    "shifts and bits": """
int main() {
  int x = __VERIFIER_nondet_int(), n = 0;
  while (n < 6) { printf("%d %d %d %d\\n", x << 2, x >> 1, x & 7, ~x); x = x + 5; n++; }
  assert((x & 1) == 0 || (x & 1) == 1);
}
""",
    "increments in expressions": """
int main() {
  int n = __VERIFIER_nondet_int(), i = 0, j, k = 0;
  while (n-- > 0) { j = i++; k = ++k + 0 * 2; printf("%d %d %d %d\\n", n, i, j, k); }
  j = i--;
  printf("%d %d %d\\n", n, i, j);
  assert(n < 0);
}
""".replace("k = ++k + 0 * 2;", "++k;"),
    "commas and chains": """
int main() {
  int a, b, c = __VERIFIER_nondet_int();
  for (a = b = 0, c += 1; a < 5; a++, b += a) printf("%d %d %d\\n", a, b, c);
  assert(b == 15);
}
""",
    "conditional values": """
int main() {
  int x = __VERIFIER_nondet_int(), m = 0, s = 0, t;
  for (int i = -3; i < 5; i++) {
    m = i > m ? i : m;
    s = (x > i) + (x > 2 * i ? 3 : i) * 2;
    t = x == i || i == 2;
    if (x > 0 ? i > 1 : i < 0) printf("%d %d %d\\n", m, s, t);
  }
  printf("%d %d %d\\n", m, s, !t);
  assert(m == 4);
}
""",
    "booleans": """
#include <stdbool.h>
int main() {
  bool up = true;
  _Bool seen = 0;
  int x = 0, n = __VERIFIER_nondet_int();
  while (n > 0) {
    if (up) x += 2; else x--;
    if (x > 5 && up) { up = false; seen = true; }
    if (x <= 1) { up = 1; }
    n--;
    printf("%d %d %d\\n", x, up, seen == 1);
  }
  assert(x >= 0 && (!seen || x <= 6));
}
""",
    "unsigned": """
int main() {
  unsigned int n = __VERIFIER_nondet_uint(), x = n, y = 0;
  while (x > 0) { x--; y = y + 1; if (y % 3 == 1) printf("%u %u %u\\n", x, y, y / 2); }
  assert(y == n);
}
""",
    "macros and globals": """
#define LIMIT 12 /* the end */
#define HALF (LIMIT / 2)
#define TWICE (2 * HALF)
int count;
static const int start = 3;
int main(int argc, char **argv) {
  int i = start;
  while (i < LIMIT) { if (i >= HALF) count++; i++; printf("%d %d\\n", i, count); }
  assert(count == HALF && TWICE == LIMIT);
  return 0;
}
""",
    "nested loops and shadowing": """
int main() {
  int n = __VERIFIER_nondet_int(), s = 0, i;
  __VERIFIER_assume(n <= 8);
  for (i = 0; i < n; i++) {
    int j = i;
    while (j < n) {
      int n = j * 2;
      s += n;
      j = j + 1;
      printf("%d %d %d\\n", i, j, n);
    }
  }
  printf("%d\\n", s);
  assert(s >= 0);
}
""",
    "words of SIP": """
int main() {
  int result = 0, old = __VERIFIER_nondet_int(), max = 5;
  while (result < max) { result = result + 1; old = old - result; printf("%d %d\\n", result, old); }
  assert(result == 5);
}
""",
    "early return and exit": """
int main() {
  int n = __VERIFIER_nondet_int(), i = 0;
  if (n < 0) return 0;
  while (i < n) { i = i + 3; printf("%d\\n", i); if (i > 20) exit(0); }
  if (i > 100) { return 1; }
  assert(i >= n && i <= 20);
  return 0;
}
""",
    "two loops": """
int main() {
  int i = 0, k = 0, n = __VERIFIER_nondet_int();
  while (i < n) { i++; k = k + 2; printf("%d %d\\n", i, k); }
  while (i > 0) { i--; k -= 2; printf("%d %d\\n", i, k); }
  assert(k == 0);
}
""",
    "a function besides main": """
void vassume(int b) {}
void vtrace1(int q, int r, int x, int y) {}
int mainQ(int x, int y) {
  vassume(x >= 0); vassume(y >= 1);
  int q = 0, r = x;
  while (r >= y) { vtrace1(q, r, x, y); r = r - y; q = q + 1; }
  assert(x == q * y + r);
  return q;
}
void main(int argc, char **argv) { mainQ(atoi(argv[1]), atoi(argv[2])); }
""",
    "typedefs, longs and characters": """
typedef long long ll;
typedef unsigned char byte;
int main() {
  ll big = 1LL, i = 0x10;
  byte b = 'A';
  while (i > 010) { big = big * (long) 1000; i = i - 1; b = b + 1; printf("%lld %lld %d\\n", big / 1000000000, i, b); }
  assert(i == 8 && b == 'I');
}
""".replace("big * (long) 1000", "big * (long) 10"),
    "a choice in a range": """
int main() {
  int s = 0, k = 0;
  while (k < 5) { char c = __VERIFIER_nondet_char(); s = s + c; k++; printf("%d %d\\n", s, k); }
  assert(s <= 127 * 5 && s >= -128 * 5);
}
""",
    "acsl and static asserts": """
int main() {
  int i = 0, n = __VERIFIER_nondet_int();
  if (n < 0) n = 0;
  while (i < n) { i++; printf("%d\\n", i); }
  //@ assert(i >= 0);
  static_assert(i == n, "all of them");
}
""",
    "a jump to a return of a value": """
int main() {
  int n = __VERIFIER_nondet_int(), i = 0;
  if (n < 2) goto END;
  while (i < n) { i++; printf("%d\\n", i); }
  assert(i == n);
END: return i - n;
}
""",
    "an octal test": """
int main() {
  int n = __VERIFIER_nondet_int(), i = 0;
  while (01) { if (i >= n) break; i++; printf("%d\\n", i); }
  assert(i >= n);
}
""",
    "a function that is called": """
int half(int x) { if (x < 0) return -1; return x / 2; }
int main() {
  int x = __VERIFIER_nondet_int(), i = 0;
  while (half(x) > 0) { x = half(x) + half(i); i++; printf("%d %d\\n", i, x); if (i > 6) break; }
  assert(half(x) <= 0 || i > 6);
}
""",
    "returns out of loops": """
int find(int n, int limit) {
  int i, j;
  for (i = 1; i < limit; i++) {
    for (j = i; j < limit; j++) {
      if (i * j == n) { return 100 * i + j; }
      if (i * j > 2 * n + 20) return j;
    }
    if (i + j == n) { printf("%d\\n", j); } else { j = 0; }
  }
  if (n > 5) return -1;
  return -2;
}
int main() {
  int n = __VERIFIER_nondet_int();
  int r = find(n, 6);
  printf("%d\\n", r);
  assert(r != 203);
}
""",
    "a function that changes a variable of the file": """
int count, limit = 3;
void step(int x) { if (x > limit) { count = count + 2; return; } count++; }
void both(int limit) { step(limit); step(limit + 2); }
int main() {
  int n = __VERIFIER_nondet_int();
  while (count < 9) { both(n); printf("%d\\n", count); }
  assert(count != 10);
}
""".replace("both(int limit)", "both(int top)")
    .replace("step(limit)", "step(top)")
    .replace("step(limit + 2)", "step(top + 2)"),
    "recursion": """
int odd(int n);
int even(int n) { if (n == 0) return 1; return odd(n > 0 ? n - 1 : n + 1); }
int odd(int n) { if (n == 0) { return 0; } else { return even(n > 0 ? n - 1 : n + 1); } }
void nothing(int n) { if (n > 3) { nothing(n - 2); } }
int sum(int n) { int s = 0; while (n > 2) { s += n; n--; if (s > 20) return s; } if (n > 0) s = s + sum(n - 1) * 2; return s; }
int main() {
  int n = __VERIFIER_nondet_int(), i = 0;
  while (i < 4) { nothing(i); printf("%d %d\\n", even(n + i), sum(n)); i++; }
  assert(even(n) || n != 7);
}
""",
    "an enum": """
typedef enum { false, true } bool;
enum color { RED = 3, GREEN, BLUE = RED - 5 };
int main() {
  bool going = true;
  enum color c = GREEN;
  int n = __VERIFIER_nondet_int();
  while (going == true) { n = n + BLUE; if (n < RED) going = false; printf("%d %d\\n", n, c); }
  assert(c == 4);
}
""",
    "wrong": """
int main() {
  int x = __VERIFIER_nondet_int(), i = 0;
  while (i < 10) { i++; x += i; printf("%d %d\\n", i, x); }
  assert(x != 60);
}
""",
}
"""Name of a program that can be imported → its text."""
