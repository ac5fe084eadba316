"""Random programs with loops over arrays, and facts to propose for them: right ones, near wrong ones, and random ones."""

from __future__ import annotations

import random
from dataclasses import dataclass

from tests.support.attack.array_programs import RELATIONS, ArrayFacts, near_wrong

OPPOSITES = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "=": "!=", "!=": "="}


@dataclass(frozen=True)
class LoopShape:
    """A kind of loop over an array. REL is a relation, OPP its opposite, X what cells are compared with, AT the same for cell k."""

    declared: str
    body: str
    after: str
    """What holds at the end of the loop, which is reached with i = END."""
    right: tuple[str, ...]
    """Facts that hold at the loop's head, at least for most relations."""
    pre: str = ""


SHAPES = (
    LoopShape(
        "var m: int := a[0];",
        "if (m REL a[i]) { m := a[i]; }",
        "forall k in 0..END - 1: !(m REL a[k])",
        ("forall k in 0..i - 1: !(m REL a[k])", "exists k in 0..i - 1: a[k] = m", "i > 1 -> m OPP a[1]", "len(a) > 0"),
        "len(a) > 0",
    ),
    LoopShape(
        "var m: int := 0;",
        "if (a[m] REL a[i]) { m := i; }",
        "forall k in 0..END - 1: a[m] OPP a[k]",
        ("0 <= m < len(a)", "forall k in 0..i - 1: a[m] OPP a[k]", "m <= i", "exists k in 0..len(a) - 1: k = m & a[m] OPP a[k]"),
        "len(a) > 0",
    ),
    LoopShape(
        "var m: int := -1;",
        "if (a[i] REL X) { m := i; }",
        "m = -1 -> (forall k in 0..END - 1: a[k] OPP AT)",
        ("m = -1 -> (forall k in 0..i - 1: a[k] OPP AT)", "m >= 0 -> m < len(a)", "-1 <= m < i",
         "forall k in m + 1..i - 1: a[k] OPP AT"),
    ),
    LoopShape(
        "var f: bool := true;",
        "if (a[i] REL X) { f := false; }",
        "f = (forall k in 0..END - 1: a[k] OPP AT)",
        ("f = (forall k in 0..i - 1: a[k] OPP AT)", "!f -> (exists k in 0..i - 1: a[k] REL AT)", "i = 0 -> f"),
    ),
    LoopShape(
        "var m: int := 0;",
        "if (a[i] REL X) { m := m + 1; }",
        "m = 0 -> (forall k in 0..END - 1: a[k] OPP AT)",
        ("0 <= m <= i", "m = 0 -> (forall k in 0..i - 1: a[k] OPP AT)", "m > 0 -> (exists k in 0..i - 1: a[k] REL AT)",
         "m = i | (exists k in 0..i - 1: a[k] OPP AT)"),
    ),
    LoopShape(
        "var f: bool := true;",
        "if (i + 1 < len(a)) { if (a[i] REL a[i + 1]) { f := false; } }",
        "f -> (forall k in 0..len(a) - 2: k < END -> a[k] OPP a[k + 1])",
        ("f = (forall k in 0..i - 1: k + 1 < len(a) -> a[k] OPP a[k + 1])",
         "f -> (forall k in 1..min(i, len(a) - 1): a[k - 1] OPP a[k])"),
    ),
    LoopShape(
        "var f: bool := true;",
        "if (a[i] REL b[i]) { f := false; }",
        "f -> (forall k in 0..END - 1: a[k] OPP b[k])",
        ("f -> (forall k in 0..i - 1: a[k] OPP b[k])", "f | (exists k in 0..i - 1: a[k] REL b[k])", "i <= len(b)"),
        "len(a) = len(b)",
    ),
    LoopShape(
        "",
        "if (a[i] REL X) { break; }",
        "i < END -> a[i] REL X",
        ("forall k in 0..i - 1: a[k] OPP AT", "exists k in 0..i: k = i", "forall k in 0..i - 1: forall l in 0..k: a[l] OPP X"),
    ),
    LoopShape(
        "",
        "a[i] := X;",
        "forall k in 0..END - 1: a[k] = AT",
        ("forall k in 0..i - 1: a[k] = AT", "forall k in i..len(a) - 1: a[k] = old(a)[k]", "len(a) = len(old(a))"),
    ),
    LoopShape(
        "",
        "if (a[i] REL X) { a[i] := a[i] + 1; }",
        "forall k in 0..END - 1: a[k] >= old(a)[k]",
        ("forall k in 0..i - 1: a[k] = old(a)[k] | a[k] = old(a)[k] + 1", "forall k in i..len(a) - 1: a[k] = old(a)[k]",
         "forall k in 0..i - 1: old(a)[k] REL AT -> a[k] = old(a)[k] + 1"),
    ),
    LoopShape(
        "var c: int[len(a)];",
        "c[i] := a[i];",
        "forall k in 0..END - 1: c[k] = a[k]",
        ("forall k in 0..i - 1: c[k] = a[k]", "len(c) = len(a)", "i = len(a) -> a = c", "a = old(a)"),
    ),
    LoopShape(
        "var c: int[] := b;",
        "if (i < len(c)) { c[i] := a[i] - 1; } if (a[i] REL X) { b := c; }",
        "len(c) = len(old(b))",
        ("forall k in 0..min(i, len(c)) - 1: c[k] = a[k] - 1", "len(b) = len(c)", "b = old(b) | b != c | i > 0",
         "len(b) = len(old(b))"),
    ),
    LoopShape(
        "",
        "if (i + 1 < len(a)) { if (a[i] REL a[i + 1]) { swap(a, i, i + 1); } }",
        "forall k in 0..len(a) - 1: k < END -> a[k] = a[k]",
        ("forall k in 0..i - 1: i < len(a) -> a[k] REL a[i]", "forall k in i + 1..len(a) - 1: a[k] = old(a)[k]",
         "forall k in 0..i: i < len(a) -> a[i] OPP a[k] | a[i] = a[k]", "len(a) = len(old(a))"),
    ),
    LoopShape(
        "",
        "if (i < len(a) - 1 - i) { swap(a, i, len(a) - 1 - i); }",
        "2 * END >= len(a) -> (forall k in 0..len(a) - 1: a[k] = old(a)[len(a) - 1 - k])",
        ("forall k in 0..i - 1: a[k] = old(a)[len(a) - 1 - k] | 2 * k >= len(a)", "len(a) = len(old(a))",
         "forall k in i..len(a) - 1 - i: a[k] = old(a)[k]",
         "forall k in max(0, len(a) - i)..len(a) - 1: a[k] = old(a)[len(a) - 1 - k]"),
    ),
    LoopShape(
        "var j: int := len(a) - 1;",
        "if (a[i] REL X) { j := j - 1; } if (j < i) { break; }",
        "forall k in 0..END - 1: a[k] REL AT | k <= j",
        ("j < len(a)", "i + j <= len(a) + i", "j >= -1", "forall k in j + 1..len(a) - 1: k >= 0 & a[k] = a[k]"),
    ),
)  # fmt: skip


AGGREGATING = (
    LoopShape(
        "var s: int := 0;",
        "s := s + a[i];",
        "s = sum k in 0..END - 1: a[k]",
        ("s = sum k in 0..i - 1: a[k]", "s + (sum k in i..len(a) - 1: a[k]) = sum k in 0..len(a) - 1: a[k]", "i = 1 -> s = a[0]"),
    ),
    LoopShape(
        "var c: nat := 0;",
        "if (a[i] REL X) { c := c + 1; }",
        "c = count k in 0..END - 1: a[k] REL AT",
        ("c = count k in 0..i - 1: a[k] REL AT", "c <= i", "c = 0 -> (forall k in 0..i - 1: a[k] OPP AT)",
         "c + (count k in 0..i - 1: a[k] OPP AT) = i"),
    ),
    LoopShape(
        "",
        "if (i + 1 < len(a)) { if (a[i] REL a[i + 1]) { swap(a, i, i + 1); } }",
        "permutation(a, old(a))",
        ("permutation(a, old(a))", "len(a) = len(old(a))", "(sum k in 0..len(a) - 1: a[k]) = sum k in 0..len(a) - 1: old(a)[k]",
         "forall k in 0..len(a) - 1: exists l in 0..len(a) - 1: a[k] = old(a)[l]", "permutation(old(a), a)"),
    ),
    LoopShape(
        "",
        "a[i] := a[i] + 1;",
        "(sum k in 0..END - 1: a[k]) >= sum k in 0..END - 1: old(a)[k]",
        ("(sum k in 0..i - 1: a[k]) = (sum k in 0..i - 1: old(a)[k]) + i", "forall k in 0..i - 1: a[k] = old(a)[k] + 1",
         "(sum k in i..len(a) - 1: a[k]) = sum k in i..len(a) - 1: old(a)[k]", "forall k in i..len(a) - 1: a[k] = old(a)[k]"),
    ),
    LoopShape(
        "var f: bool := true;",
        "if (i + 1 < len(a)) { if (a[i] > a[i + 1]) { f := false; } }",
        "f & END = len(a) -> sorted(a, 0..len(a) - 1)",
        ("f -> sorted(a, 0..min(i, len(a) - 1))", "f = sorted(a, 0..min(i, len(a) - 1))", "sorted(a, i..i)",
         "f -> (forall k in 0..min(i, len(a) - 1): a[0] <= a[k])"),
    ),
)  # fmt: skip
"""Loops whose facts have sums, counts, sorted ranges and permutations in them."""


@dataclass(frozen=True)
class ArrayLoop:
    """A program with one loop over an array."""

    text: str
    right: tuple[str, ...]
    """Facts about its loop, most of which are true."""

    def facts(self, rng: random.Random, count: int) -> list[str]:
        """Facts to propose for the loop."""
        random_facts = ArrayFacts(rng, ["a", "b"], ["i", "n", "x"])
        texts = list(self.right)
        while len(texts) < count:
            texts.append(near_wrong(rng.choice(self.right), rng) if rng.random() < 0.6 else random_facts.fact())
        rng.shuffle(texts)
        return texts[:count]


def array_loop(rng: random.Random, aggregates: bool = False) -> ArrayLoop:
    """A random program. `aggregates`: about sums, counts, sorted ranges or permutations."""
    shape = rng.choice(AGGREGATING if aggregates else SHAPES)
    relation = rng.choice(RELATIONS)
    compared = rng.choice(("x", "x", "0", "i", "2 * x", "x + i"))
    start, end = rng.choice(("0", "0", "0", "1")), rng.choice(("len(a)", "len(a)", "len(a)", "n", "len(a) - 1"))
    words = {"REL": relation, "OPP": OPPOSITES[relation], "END": end, "X": compared, "AT": compared.replace("i", "k")}

    def filled(text: str) -> str:
        for word, meaning in words.items():
            text = text.replace(word, meaning)
        return text

    pres = [shape.pre, *(["n <= len(a)"] if end == "n" else ())]
    pres += ["forall p in 0..len(a) - 1: forall q in p..len(a) - 1: a[p] <= a[q]"] if rng.random() < 0.15 else []
    after = filled(shape.after)
    lines = [
        f"fn main(a: {rng.choice(('int', 'int', 'int', 'nat'))}[], b: int[], n: nat, x: int) {{",
        *(f"pre({pre});" for pre in pres if pre),
        f"var i: {rng.choice(('nat', 'int'))} := {start}; {filled(shape.declared)}",
        f"while (i < {end}) {{ {filled(shape.body)} i := i + 1; }}",
        f"assert({near_wrong(after, rng) if rng.random() < 0.3 else after}); }}",
    ]
    right = (f"{start} <= i", f"i <= {end}", *map(filled, shape.right))
    return ArrayLoop("\n".join(lines), right)
