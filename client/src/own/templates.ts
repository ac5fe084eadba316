// Programs to start from. tests/pages/own.test.ts holds that the server would accept each of them.

export const TEMPLATES = {
  count: `# Counts up to n.
fn main(n: nat) {
  var i: int;
  i := 0;
  while (i < n) {
    i := i + 1;
  }
  assert(i = n);
}
`,
  sum: `# Adds the numbers from 1 to n.
fn main(n: nat): int {
  post(2 * result = n * (n + 1));
  var i, sum: int;
  i := 0;
  sum := 0;
  while (i < n) {
    i := i + 1;
    sum := sum + i;
  }
  return sum;
}
`,
  divide: `# Quotient and remainder by subtraction.
fn main(a, b: nat) {
  pre(b > 0);
  var q, r: int;
  q := 0;
  r := a;
  while (r >= b) {
    r := r - b;
    q := q + 1;
  }
  assert(a = q * b + r & 0 <= r < b);
}
`,
  array: `# The largest cell of an array.
fn largest(a: int[]): int {
  pre(len(a) > 0);
  post(forall k in 0..len(a) - 1: a[k] <= result);
  var m: int := a[0];
  var i: nat := 1;
  while (i < len(a)) {
    if (a[i] > m) {
      m := a[i];
    }
    i := i + 1;
  }
  return m;
}
`,
  helper: `# A program that asks a helper.
fn square(x: int): int {
  post(result = x * x);
  return x * x;
}

fn main(n: nat) {
  var i, last: int;
  i := 0;
  last := 0;
  while (i < n) {
    i := i + 1;
    last := square(i);
  }
  assert(last = n * n);
}
`,
  loops: `# One loop after another.
fn main(n: nat) {
  var up, down: int;
  up := 0;
  while (up < n) {
    up := up + 1;
  }
  down := up;
  while (down > 0) {
    down := down - 1;
  }
  assert(up = n & down = 0);
}
`,
} as const
export type TemplateName = keyof typeof TEMPLATES
export const TEMPLATE_NAMES = Object.keys(TEMPLATES) as TemplateName[]
