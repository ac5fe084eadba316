"""Makes docs/errors.md from the messages, their meanings and the wrong inputs."""

from __future__ import annotations

from idg.sip.errors import line_and_column, render_problem
from idg.sip.messages import MESSAGES
from tools.derived.vectors import SPEC, WRONG_INPUTS, Row, error_of, read_rows, text_of

EXAMPLES_MAX = 3
"""Examples shown of one code."""

INTRODUCTION = """# Error messages

Every message about a text says where (line and column, both from 1), what is wrong, a code in square brackets, the source line with
a mark under the place and, where there is something to suggest, a hint. A text may have several problems; they are shown together,
at most 20 of them.

This page explains each code, with mistakes that are easily made. It is made by `make spec` from `src/idg/sip/messages.py`,
`spec/meanings.json`, `spec/wrong-inputs.json` and `spec/wrong-inputs-arrays.json`; do not edit it. [language.md](language.md)
defines the language.
"""


def errors_page() -> str:
    meanings = {row["code"]: row["meaning"] for row in read_rows(SPEC / "meanings.json")}
    rows = [row for path in WRONG_INPUTS for row in read_rows(path)]
    sections = [INTRODUCTION]
    for code in MESSAGES:
        examples = [row for row in rows if row["code"] == code][:EXAMPLES_MAX]
        sections.append("\n\n".join([f"## {code}", meanings[code], *map(_example, examples)]) + "\n")
    return "\n".join(sections)


def _example(row: Row) -> str:
    """The wrong text and the first problem that is reported about it."""
    error = error_of(row)
    assert error is not None, row["name"]
    title = f"{row['name'][0].upper()}{row['name'][1:]}:"
    first = error.problems[0]
    if "parts" in row:
        # The text is too long to show, and so is the line of it that a problem would quote.
        line, column = line_and_column(error.text, first.span.start)
        summary = f"line {line}, column {column}: {first.message} [{first.code}]"
        hint = f"\n  hint: {first.hint}" if first.hint else ""
        return "\n\n".join([title, _described(row), _code(summary + hint)])
    text = text_of(row)
    if not text.strip():
        return "\n\n".join([title, "(no text)", _code(render_problem(text, first))])
    return "\n\n".join([title, _code(text.rstrip("\n")), _code(render_problem(text, first))])


def _described(row: Row) -> str:
    shown = (f"`{part['text'].strip()}`" + (f" {int(part['times']):,} times" * (part["times"] != "1")) for part in row["parts"])
    return ", ".join(shown)


def _code(text: str) -> str:
    return "\n".join(["```text", *(line.rstrip() for line in text.split("\n")), "```"])
