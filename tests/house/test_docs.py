"""The documents tell the truth about the commands, the columns of an export and the language."""

from __future__ import annotations

import doctest
import re
from collections import Counter

import pytest

import idg
from idg.cli.main import build_parser
from idg.coordinator.rooms.export import ExportedEvent, ExportedLog
from idg.needs import EXTRAS
from idg.sip.limits import (
    BLOCK_LEVELS_MAX,
    CALL_DEPTH_CEILING,
    EVALUATION_STEPS_MAX,
    EXPRESSION_LEVELS_MAX,
    EXPRESSION_NODES_MAX,
    IF_BRANCHES_MAX,
    LITERAL_DIGITS_MAX,
    LOOP_LEVELS_MAX,
    NAME_CHARS_MAX,
    NUMBER_BITS_MAX,
    PROGRAM_CHARS_MAX,
    READING_LEVELS_MAX,
    VARIABLE_BITS_MAX,
    VARIABLES_MAX,
    RunLimits,
)
from idg.sip.operators import BUILTINS, OPERATORS, WORDS
from idg.sip.program import load
from idg.sip.running.runtime import BOUNDS, FAILED, IGNORED
from tests.support.docs import PAGES, ROOT, blocks

README = (ROOT / "README.md").read_text(encoding="utf-8")
LANGUAGE = (ROOT / "docs" / "language.md").read_text(encoding="utf-8")


def test_the_readme_shows_the_two_commands_and_every_command() -> None:
    assert "make play" in README
    assert "make test" in README
    [commands] = [action.choices for action in build_parser()._actions if isinstance(action.choices, dict)]
    for name in commands:
        assert f"`idg {name} " in README, name


def test_commands_in_running_text_exist() -> None:
    """Whole commands stand in blocks, which are run. If a sentence names a command, its words and flags must exist."""
    parser = build_parser()
    [commands] = [action.choices for action in parser._actions if isinstance(action.choices, dict)]
    targets = set(re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    named = 0
    for page in PAGES:
        text = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
        for program, words in re.findall(r"`(idg|make) ([^`]+)`", text):
            first, *arguments = words.split()
            named += 1
            if program == "make":
                assert first in targets, f"{page.name}: make {words}"
            elif first[0].islower():
                known = {flag for action in commands[first]._actions for flag in action.option_strings}
                flags = {flag.strip("[]") for flag in arguments if flag.strip("[]").startswith("-")}
                assert flags <= known, f"{page.name}: idg {words}"
    assert named >= 20


def test_the_researchers_page_names_every_column_of_an_export() -> None:
    page = (ROOT / "docs" / "researcher.md").read_text(encoding="utf-8")
    for column in (*ExportedEvent.__match_args__, *ExportedLog.__match_args__):
        assert f"`{column}`" in page, column


def test_the_package_docstring_is_real() -> None:
    assert doctest.testmod(idg).attempted >= 3
    assert doctest.testmod(idg).failed == 0


def test_the_language_page_knows_every_operator_builtin_and_word() -> None:
    quoted = {part for text in re.findall(r"`([^`\n]+(?:\n[^`\n]+)?)`", LANGUAGE) for part in text.replace(r"\|", "|").split()}
    for operator in OPERATORS:
        for sign in (operator.token, *operator.alternatives):
            assert sign in quoted, sign
    for function in BUILTINS:
        assert f"`{function.name}(" in LANGUAGE
    words = {part for text in quoted for part in re.findall(r":=|\w+", text)}
    for word in WORDS:
        assert word.token in words, word


def test_the_language_page_knows_every_cause_and_bound() -> None:
    for cause in (*FAILED, *BOUNDS, *IGNORED):
        assert f"`{cause}`" in LANGUAGE, cause
    limits = RunLimits()
    for name in limits.__match_args__:
        assert f"| `{name}` | {getattr(limits, name):,}" in LANGUAGE, name
    for bound in (
        VARIABLE_BITS_MAX,
        NUMBER_BITS_MAX,
        PROGRAM_CHARS_MAX,
        EXPRESSION_NODES_MAX,
        LITERAL_DIGITS_MAX,
        EVALUATION_STEPS_MAX,
    ):
        assert f"{bound:,}" in LANGUAGE, bound
    for bound in (
        EXPRESSION_LEVELS_MAX,
        READING_LEVELS_MAX,
        BLOCK_LEVELS_MAX,
        LOOP_LEVELS_MAX,
        NAME_CHARS_MAX,
        IF_BRANCHES_MAX,
        VARIABLES_MAX,
        CALL_DEPTH_CEILING,
    ):
        assert re.search(rf"[ \n]{bound}[ \n.;]", LANGUAGE), bound


def test_the_language_pages_program_is_one() -> None:
    first, _, second = [block.text for block in blocks(ROOT / "docs" / "language.md") if block.kind == "sip"]
    assert load(first).run(n=46).outcome.value == 6
    assert [loop.function for loop in load(second).loops] == ["main", "double"]


@pytest.mark.parametrize("row", [*OPERATORS, *BUILTINS], ids=lambda row: row.example)
def test_every_example_of_the_table_is_an_expression(row: object) -> None:
    from idg.sip.text.expressions import parse_expression

    assert parse_expression(getattr(row, "example"))  # noqa: B009


def test_the_readmes_table_has_every_extra() -> None:
    named = re.findall(r"^\| `\[(\w+)\]` \|", README, re.MULTILINE)
    assert sorted(named) == sorted([*EXTRAS, "all"])


CHANGE_CHARS_MAX = 600
"""Characters of one entry of the changelog. A longer one is several changes, or tells how instead of what."""


def entries_of_changelog(text: str) -> list[str]:
    """The entries of a changelog, each on one line, with its version before it."""
    versions = re.split(r"^## ", text, flags=re.MULTILINE)[1:]
    return [
        f"{version.split()[0]}: {' '.join(entry.split())}"
        for version in versions
        for entry in re.findall(r"^- (.*?)(?=\n- |\n\n|\n*\Z)", version, re.MULTILINE | re.DOTALL)
    ]


def test_the_changelog_says_nothing_twice_and_is_short() -> None:
    """Merges have doubled entries, and everybody adds some while nobody reads the whole."""
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    entries = entries_of_changelog(text)
    assert len(entries) > 100
    assert not [entry for entry, count in Counter(entries).items() if count > 1]
    assert not [entry for entry in entries if len(entry) > CHANGE_CHARS_MAX]
    newest = re.split(r"^## ", text, flags=re.MULTILINE)[1]
    assert not [subject for subject, count in Counter(re.findall(r"^### (.*)", newest, re.MULTILINE)).items() if count > 1]


def test_how_entries_of_a_changelog_are_read() -> None:
    text = "# Changes\n\n## 1.2\n\n### Games\n\n- One\n  two.\n- One two.\n\n## 1.1\n\n- Old.\n"
    assert entries_of_changelog(text) == ["1.2: One two.", "1.2: One two.", "1.1: Old."]
