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
        words[place] = str(max(0, int(word) + rng.choice((-1, 1))))
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

    def comparison(self) -> str:
        share = self.rng.random()
        if share < 0.06:
            return f"{self.cell()} % 2 = {self.pick('0', '1')}"
        if share < 0.12:
            return f"0 <= {self.index()} < len({self.rng.choice(self.arrays)})"
        return f"{self.cell() if share < 0.8 else self.value()} {self.pick(*RELATIONS)} {self.value()}"

    def range(self) -> str:
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


def queries_as_program(rng: random.Random) -> str:
    """A program without loops: some facts about its inputs, and one that may follow from them."""
    arrays = ["a", "b"][: rng.choice((1, 1, 2))]
    numbers = ["i", "j", "x"][: rng.choice((1, 2, 2, 3))]
    params = [f"{name}: {rng.choice(('int', 'int', 'nat'))}[]" for name in arrays]
    params += [f"{name}: {rng.choice(('int', 'nat'))}" for name in numbers]
    facts = ArrayFacts(rng, arrays, numbers)
    known: list[str] = [f"0 <= {name} < len({rng.choice(arrays)})" for name in numbers if rng.random() < 0.5]
    if len(arrays) == 2 and rng.random() < 0.6:
        known.append("len(a) = len(b)")
    said = [facts.fact() for _ in range(rng.choice((1, 1, 2, 2, 3)))]
    goal = planted_goal(facts, said)
    known += said
    return "\n".join([f"fn main({', '.join(params)}) {{", *(f"  pre({fact});" for fact in known), f"  assert({goal});", "}"])


def planted_goal(facts: ArrayFacts, known: Sequence[str]) -> str:
    """A fact that may follow from the known ones: one of them, an instance, two joined, a range extended, or one made wrong."""
    rng = facts.rng
    chosen = rng.choice(known)
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
