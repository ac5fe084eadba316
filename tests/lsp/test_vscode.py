"""The extension for VS Code: its grammar colours every token of the language, and its snippets are programs."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from idg.levels import Level, all_levels
from idg.sip.operators import ARRAY_WORDS, FUNCTIONS, OPERATORS, WORDS
from idg.sip.program import load
from idg.sip.text.tokens import tokenize

EXTENSION = Path(__file__).parents[2] / "client" / "editors" / "vscode"
GRAMMAR = json.loads((EXTENSION / "syntaxes" / "sip.tmLanguage.json").read_text(encoding="utf-8"))
PROGRAM = """\
// a comment
fn half(x: nat): nat { // another
  pre(x > 0 && !(x = 1)); # and one more
  return x // 2;
}
fn main(n: nat) {
  var done: bool;
  done := false;
  while [n >= 0] (!done) decreases 3 { done := true; cassign([n], gcd(n, 4) = 0.5 or n ≤ half(n)); }
  assert(done);
}
fn last(a: int[], sum, swap: int): int {
  pre(forall k in 0..len(a) - 1: a[k] >= 0 & exists j in 0..k: a[j] = a[k]);
  var count, in: int; swap(a, 0, 1);
  count := count in in 0..len(a) - 1: a[in] = sum + swap;
  assert(permutation(a, old(a)) & sum = sum k in 0..count: a[k]);
  return count;
}
"""


def rules(patterns: list[dict[str, Any]]) -> Iterator[tuple[re.Pattern[str], dict[str, Any]]]:
    """The rules of the grammar in their order, with those of the repository in their places."""
    for pattern in patterns:
        if "include" in pattern:
            yield from rules([GRAMMAR["repository"][pattern["include"].removeprefix("#")]])
        elif "match" in pattern:
            yield re.compile(pattern["match"]), pattern
        else:
            yield from rules(pattern["patterns"])


RULES = tuple(rules(GRAMMAR["patterns"]))


def scopes(text: str) -> dict[int, str]:
    """The scope of each character, as an editor gives them: line by line, the leftmost match, of several the first rule's."""
    coloured: dict[int, str] = {}
    start = 0
    for line in text.splitlines(keepends=True):
        column, body = 0, line.rstrip("\n")
        while column < len(body):
            matches = (
                (match.start(), index, match) for index, (rule, _) in enumerate(RULES) if (match := rule.search(body, column))
            )
            first = min(matches, key=lambda row: row[:2], default=None)
            if first is None:
                break
            _, index, match = first
            rule = RULES[index][1]
            for group, scope in [
                (0, rule.get("name", "")),
                *((int(key), row["name"]) for key, row in rule.get("captures", {}).items()),
            ]:
                coloured |= {start + offset: scope for offset in range(match.start(group), match.end(group)) if scope}
            column = max(match.end(), column + 1)
        start += len(line)
    return coloured


SIGNS = set("(){}[],:;")


@pytest.mark.parametrize("level", [None, *all_levels()], ids=lambda level: level.id if level else "all constructs")
def test_every_token_has_a_colour_of_its_kind(level: Level | None) -> None:
    text = PROGRAM if level is None else level.source
    coloured = scopes(text)
    tokens, comments = tokenize(text, program=True)
    for comment in comments:
        assert coloured[comment.start].startswith("comment."), comment
    for token in tokens:
        if not token.text or token.kind in SIGNS:
            continue
        kinds = {"name": ("variable.", "entity.", "support.", "keyword.other."), "number": ("constant.numeric",)}.get(
            token.kind, ("keyword.", "storage.", "support.", "constant.language", "variable.language")
        )
        assert {coloured.get(offset, "").startswith(kinds) for offset in range(token.start, token.end)} == {True}, token


def test_the_grammar_knows_every_word_and_operator() -> None:
    words = [word.token for word in (*WORDS, *ARRAY_WORDS, *OPERATORS)] + [*FUNCTIONS, ".."]
    words += [other for operator in OPERATORS for other in operator.alternatives]
    for word in words:
        assert scopes(f"x {word} y")[2].startswith(
            ("keyword.", "storage.", "support.", "constant.language", "variable.language")
        ), word


def test_the_snippet_of_a_program_is_one() -> None:
    snippets = json.loads((EXTENSION / "snippets" / "sip.json").read_text(encoding="utf-8"))
    filled = "\n".join(snippets["Program"]["body"])
    names: dict[str, str] = dict(re.findall(r"\$\{(\d+):([^${}]*)\}", filled)) | {"0": ""}
    filled = re.sub(r"\$\{\d+:([^{}]*)\}", r"\1", filled)
    filled = re.sub(r"\$(\d+)", lambda place: names[place[1]], filled)
    assert load(filled).loops


def test_the_files_that_the_extension_names_are_there() -> None:
    package = json.loads((EXTENSION / "package.json").read_text(encoding="utf-8"))
    contributed = package["contributes"]
    named = [contributed["languages"][0]["configuration"], contributed["grammars"][0]["path"], contributed["snippets"][0]["path"]]
    for name in named:
        assert json.loads((EXTENSION / name).read_text(encoding="utf-8"))


def test_words_that_may_be_names_are_coloured_by_where_they_stand() -> None:
    text = "sum := sum k in 0..n: a[k]; swap(a, i, j); x := swap + in + count;"
    coloured = scopes(text)
    meant = [coloured[match.start()].startswith("keyword.") for match in re.finditer(r"sum|swap|in|count", text)]
    assert meant == [False, True, True, True, False, False, False]
