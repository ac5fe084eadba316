"""Answers as pictures for notebooks: HTML with the tables and lists that an answer has. It says what the records say, and no more.

Any record can be drawn: what is known of its fields decides how. Colours are borders only, so that pictures fit light and dark
pages.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import Any

from idg.sip.running.tables import Table, html_table
from idg.sip.values import Value, short_value

COLOURS = {
    "inductive": "#2f6fb5", "solved": "#2f6fb5", "proved": "#2f6fb5", "falls": "#2f6fb5",
    "potential": "#b58900", "waits": "#b58900", "non-invariant": "#c4561a", "refuted": "#c4561a", "does-not-fall": "#c4561a",
}  # fmt: skip
"""The colour of what is proved, of what waits, and of what a run breaks. Everything else is grey."""
GREY = "#808080"
LISTS = ("inductive", "potential", "unknown", "promoted", "waits_for")
"""Fields of answers that are lists of facts."""


def card(kind: str, parts: Iterable[str]) -> str:
    """A box whose border tells the kind."""
    style = f"border-left:4px solid {COLOURS.get(kind, GREY)};padding:2px 0 2px 12px;margin:4px 0"
    return f"<div style='{style}'>{''.join(parts)}</div>"


def told(text: str) -> str:
    """A text whose tables are set with blanks: its first line stands out."""
    first, _, rest = text.partition("\n")
    return f"<div><b>{escape(first)}</b></div>" + (f"<pre>{escape(rest)}</pre>" if rest.strip() else "")


def rows_table(columns: Sequence[str], rows: Iterable[Sequence[str]], labels: Sequence[str] = ()) -> str:
    """States, one in each row, with a label before each where there are some."""
    lines = [list(row) for row in rows]
    if labels:
        columns, lines = ("", *columns), [[label, *line] for label, line in zip(labels, lines, strict=True)]
    return html_table(Table(list(columns), lines, [None] * len(lines)))


def states_table(states: Sequence[Mapping[str, Value]], labels: Sequence[str] = ()) -> str:
    """States over the same variables."""
    columns = list(states[0])
    return rows_table(columns, ([short_value(state[name]) for name in columns] for state in states), labels)


def fact_lists(lists: Mapping[str, Iterable[str]]) -> str:
    """Facts under the names of their lists; empty lists are left out."""
    shown = ((name, [f"<li><code>{escape(text)}</code></li>" for text in texts]) for name, texts in lists.items())
    return "".join(f"<div>{escape(name)}<ul style='margin:0'>{''.join(items)}</ul></div>" for name, items in shown if items)


def fact_text(fact: Any) -> str:
    return f"loop {fact.loop}: {fact.text}" if fact.loop > 1 else str(fact.text)


def kinds_table(kinds: Iterable[tuple[str, str]]) -> str:
    """What each of several proposals is."""
    return rows_table(("proposal", "kind"), kinds)


def answer_html(answer: Any) -> str:
    """The picture of an answer."""
    fields: dict[str, Any] = {name: getattr(answer, name) for name in answer.__match_args__}
    solved = fields.get("solved") or getattr(fields.get("feedback"), "solved", False)
    kind = str(fields.get("kind", "")) or ("solved" if solved else "")
    parts = [f"<div style='color:{COLOURS.get(kind, GREY)}'>{escape(kind)}</div>" if kind else ""]
    if "message" in fields:
        parts.append(told(fields["message"]))
    if "kinds" in fields:
        judged = (row if isinstance(row, tuple) else (row.fact, row.kind) for row in fields["kinds"])
        parts.append(kinds_table((fact_text(fact), str(kind_of_fact)) for fact, kind_of_fact in judged))
    parts += _evidence(fields)
    parts.append(fact_lists({name: map(fact_text, fields.get(name) or ()) for name in LISTS}))
    return card(kind, parts)


def _evidence(fields: Mapping[str, Any]) -> Iterable[str]:
    """The states and runs that an answer shows. Its message may tell them, too, so they are drawn only where there is none."""
    state = fields.get("to_rule_out") or fields.get("state")
    if "message" not in fields and state is not None:
        yield "<div>a state to rule out:</div>" + states_table([getattr(state, "values", None) or state.state])
    if "message" not in fields and fields.get("failing") is not None:
        yield "<div>a run breaks the program:</div>" + states_table([fields["failing"].inputs])
    for loop in fields.get("loops", ()):
        if hasattr(loop, "rows"):
            yield f"<div>loop {loop.loop}</div>" + rows_table(loop.columns, ([*map(short_value, row)] for row in loop.rows))
    for name, labels in (("parts", ("text", "status")), ("obligations", ("cause", "status"))):
        rows = [[str(getattr(row, label)) for label in labels] for row in fields.get(name, ())]
        if rows:
            yield rows_table(labels, rows)
