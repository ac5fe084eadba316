"""Facts about arrays: random ones, planted ones, and some of these made wrong by one in a range, a guard or a comparison."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from dataclasses import dataclass, field

RELATIONS = ("<", "<=", ">", ">=", "=", "!=")
NEAR_WRONG = {
    "<": ("<=", ">", "!="), "<=": ("<", "=", ">="), ">": (">=", "<"), ">=": (">", "<="), "=": ("<=", ">=", "!="), "!=": ("<", "="),
    "forall": ("exists",), "exists": ("forall",), "->": ("&", "|"), "&": ("|",), "|": ("&",), "+": ("-",), "-": ("+",),
}  # fmt: skip
"""By what a word of a fact is replaced, so that it becomes another fact near it."""
_WORDS = re.compile(r"->|<=|>=|!=|\.\.|[A-Za-z_]\w*|\d+|\S")


def near_wrong(text: str, rng: random.Random) -> str:
    """The fact with one relation, connective, number or word for a range changed."""
    words = _WORDS.findall(text)
    places = [place for place, word in enumerate(words) if word in NEAR_WRONG or word.isdigit() or word == ".."]
    if not places:
        return f"!({text})"
    place = rng.choice(places)
    word = words[place]
    if word.isdigit():
        words[place] = str(int(word) + rng.choice((-1, 1)) if int(word) else 1)
    elif word == "..":
        words[place] = rng.choice((".. 1 +", "+ 1 ..", "- 1 .."))
    else:
        words[place] = rng.choice(NEAR_WRONG[word])
    return " ".join(words).replace(" ( ", " (")


@dataclass
class ArrayFacts:
    """Writes facts over arrays of numbers and whole variables."""

    rng: random.Random
    arrays: Sequence[str]
    numbers: Sequence[str]
    aggregates: bool = False
    """Whether sums, counts, sorted ranges and permutations are among the facts."""
    bound: list[str] = field(default_factory=list)

    def pick(self, *choices: str) -> str:
        return self.rng.choice(choices)

    def chance(self, share: float) -> bool:
        return self.rng.random() < share

    def number(self) -> str:
        return self.rng.choice(self.numbers) if self.numbers and self.chance(0.7) else self.pick("0", "0", "1", "2")

    def index(self) -> str:
        if self.bound and self.chance(0.7):
            return self.rng.choice(self.bound) + self.pick("", "", "", "", "", "", " + 1", " - 1")
        return self.number() + self.pick("", "", "", "", "", " - 1", " + 1")

    def cell(self) -> str:
        return f"{self.rng.choice(self.arrays)}[{self.index()}]"

    def value(self) -> str:
        match self.pick("cell", "cell", "number", "index", "sum", "product"):
            case "cell":
                return self.cell()
            case "number":
                return self.number()
            case "index":
                return self.index()
            case "sum":
                return f"{self.cell()} {self.pick('+', '-')} {self.pick(self.cell(), self.number())}"
            case _:
                return f"2 * {self.cell()}"

    def aggregate(self) -> str:
        """A fact about a sum, a count, a sorted range or a permutation."""
        array, within = self.rng.choice(self.arrays), self.range()
        match self.pick("sum", "sum", "count", "count", "sorted", "permutation"):
            case "sorted":
                return f"sorted({array}, {within})"
            case "permutation":
                return f"permutation({array}, {self.rng.choice(self.arrays)})"
            case "sum":
                summed = self.pick(f"{array}[s]", f"{array}[s]", f"(2 * {array}[s])", "s", f"({array}[s] + {self.cell()})")
                return f"(sum s in {within}: {summed}) {self.pick(*RELATIONS)} {self.value()}"
            case _:
                counted = f"{array}[s] {self.pick(*RELATIONS)} {self.value()}"
                return f"(count s in {within}: {counted}) {self.pick(*RELATIONS)} {self.pick(self.number(), f'len({array})')}"

    def comparison(self) -> str:
        if self.aggregates and self.chance(0.3):
            return self.aggregate()
        share = self.rng.random()
        if share < 0.06:
            return f"{self.cell()} % 2 = {self.pick('0', '1')}"
        if share < 0.12:
            return f"0 <= {self.index()} < len({self.rng.choice(self.arrays)})"
        return f"{self.cell() if share < 0.8 else self.value()} {self.pick(*RELATIONS)} {self.value()}"

    def range(self) -> str:
        if self.chance(0.1):
            return self.pick("0..0", "{0}..{0}", "{0} + 1..{0}", "{0} - 1..{0}").format(self.number())
        length = f"len({self.rng.choice(self.arrays)})"
        low = self.pick("0", "0", "0", "0", "1", self.index(), self.number())
        high = self.pick(*[f"{length} - 1"] * 3, f"{length} - 2", f"{length} - 2", length, f"{self.number()} - 1", self.number())
        return f"{low}..{high}"

    def quantified(self, levels: int) -> str:
        name = "kluv"[len(self.bound)]
        within = self.range()
        if self.bound and self.chance(0.6):
            last = self.pick(f"len({self.arrays[0]}) - 1", f"{self.number()} - 1")
            within = self.pick(f"{self.bound[-1]}..{last}", f"{self.bound[-1]} + 1..{last}", f"0..{self.bound[-1]} - 1")
        self.bound.append(name)
        body = self.quantified(levels - 1) if levels > 1 and self.chance(0.7) else self.condition(1)
        self.bound.pop()
        return f"({self.pick('forall', 'forall', 'forall', 'exists')} {name} in {within}: {body})"

    def condition(self, size: int) -> str:
        if size <= 0 or self.chance(0.65):
            return self.comparison()
        return f"({self.condition(size - 1)} {self.pick('&', '|', '->', '->')} {self.condition(size - 1)})"

    def fact(self) -> str:
        share = self.rng.random()
        if share < 0.2:
            return self.condition(1)
        if share < 0.85 or self.bound:
            return self.quantified(1)
        if share < 0.95:
            return self.quantified(2)
        return f"({self.quantified(1)} {self.pick('&', '|', '->')} {self.condition(0)})"


def queries_as_program(rng: random.Random, aggregates: bool = False) -> str:
    """A program without loops: some facts about its inputs, perhaps cells that are set, and a fact that may follow."""
    arrays = ["a", "b"][: rng.choice((1, 1, 2))]
    numbers = ["i", "j", "x"][: rng.choice((1, 2, 2, 3))]
    kinds = {name: rng.choice(("int", "int", "nat")) for name in arrays}
    params = [f"{name}: {kind}[]" for name, kind in kinds.items()] + [f"{name}: {rng.choice(('int', 'nat'))}" for name in numbers]
    writes = rng.random() < 0.4
    facts = ArrayFacts(rng, arrays, numbers, aggregates)
    known = [f"0 <= {name} < len({arrays[0] if writes else rng.choice(arrays)})" for name in numbers if rng.random() < 0.5 + writes]
    if len(arrays) == 2 and rng.random() < 0.6:
        known.append("len(a) = len(b)")
    said = [facts.fact() for _ in range(rng.choice((1, 1, 2, 2, 3)))]
    statements = [changed_cells(facts) for _ in range(rng.choice((1, 1, 2)))] if writes else []
    goal = planted_goal(facts, said)
    if writes and rng.random() < 0.7:
        goal = goal_after_changes(facts, goal)
    body = [*(f"pre({fact});" for fact in (*known, *said)), *statements, f"assert({goal});"]
    return "\n  ".join([f"fn main({', '.join(params)}) {{", *body]) + "\n}"


def changed_cells(facts: ArrayFacts) -> str:
    """A statement that changes an array."""
    one, other = (facts.rng.choice(facts.numbers) for _ in range(2))
    if facts.chance(0.1) and len(facts.arrays) > 1:
        return "a := b;" if facts.chance(0.5) else "b := a;"
    if facts.chance(0.4):
        return f"swap(a, {one}, {other});"
    return f"a[{one}] := {facts.pick('0', 'a[' + other + '] + 1', 'a[' + other + ']', facts.number(), 'abs(' + other + ')')};"


def goal_after_changes(facts: ArrayFacts, before: str) -> str:
    """A fact about an array that was changed, and about what it was before."""
    index = facts.rng.choice(facts.numbers)
    choices = [
        re.sub(r"\ba\b", "old(a)", before),
        f"forall k in 0..len(a) - 1: k = {index} | a[k] = old(a)[k]",
        f"a[{index}] = old(a)[{facts.rng.choice(facts.numbers)}]",
        "len(a) = len(old(a))",
        f"forall k in 0..len(a) - 1: exists l in 0..len(a) - 1: a[k] {facts.pick('=', '<=')} old(a)[l]",
        f"a = old(a) | a[{index}] != old(a)[{index}]",
    ]
    if facts.aggregates:
        choices += [
            "permutation(a, old(a))",
            *(f"(sum s in {part}: a[s]) = sum s in {part}: old(a)[s]" for part in (f"0..{index}", f"0..{index} - 1")),
            f"(count s in {index} + 1..len(a) - 1: a[s] > 0) = count s in {index} + 1..len(a) - 1: old(a)[s] > 0",
            f"(sum s in 0..len(a) - 1: a[s]) - a[{index}] = (sum s in 0..len(a) - 1: old(a)[s]) - old(a)[{index}]",
            f"(count s in 0..len(a) - 1: a[s] = a[{index}]) <= (count s in 0..len(a) - 1: old(a)[s] = a[{index}]) + 1",
        ]
    chosen = facts.rng.choice(choices)
    return near_wrong(chosen, facts.rng) if facts.chance(0.35) else chosen


def planted_goal(facts: ArrayFacts, known: Sequence[str]) -> str:
    """A fact that may follow from the known ones: one of them, an instance, two joined, a range extended, or one made wrong."""
    rng = facts.rng
    chosen = rng.choice(known)
    if "sorted(" in chosen and facts.chance(0.6):
        array, first, last = rng.choice(facts.arrays), facts.number(), facts.number()
        return (
            f"({chosen}) & {first} {facts.pick('<=', '<')} {last} -> {array}[{first}] {facts.pick('<=', '<', '=')} {array}[{last}]"
        )
    match facts.pick("random", "near", "near", "near", "instance", "instance", "joined", "extended"):
        case "random":
            return facts.fact()
        case "near":
            return near_wrong(chosen, rng)
        case "instance":
            pattern_match = re.match(r"\((forall|exists) (\w+) in (.+?)\.\.(.+?): (.*)\)$", chosen)
            if pattern_match:
                word, name, low, high, body = pattern_match.groups()
                index = facts.index()
                outside = facts.pick("", "", "near")
                body = near_wrong(body, rng) if outside else body
                instance = re.sub(rf"\b{name}\b", f"({index})", body)
                return f"({low} <= {index} & {index} <= {high}) -> {instance}" if word == "forall" else f"{instance} -> {chosen}"
        case "joined":
            return f"{chosen} {facts.pick('&', '&', '|', '->')} {near_wrong(rng.choice(known), rng)}"
        case "extended":
            pattern_match = re.match(r"\(forall (\w+) in (.+?)\.\.(.+?): (.*)\)$", chosen)
            if pattern_match:
                name, low, high, body = pattern_match.groups()
                last = re.sub(rf"\b{name}\b", f"({high} + 1)", body)
                return f"({last}) & {low} <= {high} + {facts.pick('1', '1', '2')} -> (forall {name} in {low}..{high} + 1: {body})"
        case _:
            pass
    return near_wrong(chosen, rng)
