"""Tables of states for people: as text for the terminal, as HTML for a notebook."""

from __future__ import annotations

from typing import TYPE_CHECKING

from idg.sip.record import Record
from idg.sip.runner import Undefined
from idg.sip.values import Value, short_value

if TYPE_CHECKING:
    from collections.abc import Sequence

    from idg.sip.trace import Evaluation, Run, Trace

ROWS_SHOWN = 40
"""Rows of a table that are shown where nothing else is asked for: most from its beginning, some from its end."""
LAST_ROWS_SHOWN = 8
YES, NO, NONE = "✓", "✗", "–"


class Table(Record):
    head: list[str]
    rows: list[list[str]]
    marks: list[bool | None]
    """For each row: holds, fails, or neither is known."""
    left_out: int | None = None
    """After this row of `rows` some are left out."""
    missing: int = 0
    notes: tuple[str, ...] = ()


def trace_table(trace: Trace, rows_max: int | None = ROWS_SHOWN) -> Table:
    return _table(trace, [], rows_max)


def evaluation_table(evaluations: Sequence[Evaluation], rows_max: int | None = ROWS_SHOWN) -> Table:
    """The trace with a column for each expression. All must be of the same trace."""
    return _table(evaluations[0].trace, evaluations, rows_max)


def _table(trace: Trace, evaluations: Sequence[Evaluation], rows_max: int | None) -> Table:
    total = len(trace.rows)
    shown = list(range(total))
    left_out = None
    if rows_max is not None and total > rows_max:
        last = min(LAST_ROWS_SHOWN, rows_max // 2)
        left_out = rows_max - last
        shown = [*range(left_out), *range(total - last, total)]
    outer = [f"loop {trace.outer} row"] if trace.outer is not None else []
    head = ["row", *outer, *trace.columns, *(each.text for each in evaluations)]
    rows = [
        [str(at + 1), *([str(trace.outer_rows[at] + 1)] if outer else []), *map(short_value, trace.rows[at]),
         *(_cell(each.values[at]) for each in evaluations)]
        for at in shown
    ]
    marks = [_mark(evaluations, at) for at in shown]
    notes = tuple(
        f"{NONE} in row {at + 1}: {each.why(at)}"
        for each in evaluations
        for at in next(([at] for at in shown if isinstance(each.values[at], Undefined)), [])
    )
    return Table(head, rows, marks, left_out, total - len(shown), notes)


def _cell(value: Value | Undefined) -> str:
    if isinstance(value, Undefined):
        return NONE
    if isinstance(value, bool):
        return YES if value else NO
    return short_value(value)


def _mark(evaluations: Sequence[Evaluation], at: int) -> bool | None:
    truths = [each.values[at] for each in evaluations if isinstance(each.values[at], bool | Undefined)]
    return all(truths) if truths else None


def text_table(table: Table) -> str:
    widths = [max(map(len, column)) for column in zip(table.head, *table.rows, strict=True)]
    cells = (table.head, ["-" * width for width in widths], *table.rows)
    lines = ["  ".join(text.rjust(width) for text, width in zip(line, widths, strict=True)) for line in cells]
    if table.left_out is not None:
        lines.insert(2 + table.left_out, f"… {table.missing:,} rows not shown …")
    return "\n".join([*lines, *table.notes])


_HOLDS, _FAILS = "background:#d6e8fb;color:#000", "background:#ffdcc2;color:#000"
_CELL = "text-align:right;padding:1px 8px;font-family:monospace"


def html_table(table: Table) -> str:
    from html import escape

    lines = ["<table style='border-collapse:collapse'><thead><tr>"]
    lines += [f"<th style='{_CELL}'>{escape(each)}</th>" for each in table.head]
    lines.append("</tr></thead><tbody>")
    for at, (row, mark) in enumerate(zip(table.rows, table.marks, strict=True)):
        if at == table.left_out:
            lines.append(f"<tr><td colspan='{len(table.head)}'>… {table.missing:,} rows not shown …</td></tr>")
        colour = "" if mark is None else _HOLDS if mark else _FAILS
        lines.append(f"<tr style='{colour}'>")
        lines += [f"<td style='{_CELL}'>{escape(each)}</td>" for each in row]
        lines.append("</tr>")
    lines.append("</tbody></table>")
    lines += [f"<p>{escape(each)}</p>" for each in table.notes]
    return "".join(lines)


def run_text(run: Run, rows_max: int | None = ROWS_SHOWN) -> str:
    lines = []
    for trace in run.traces:
        if len(run.traces) > 1:
            lines.append(f"loop {trace.loop}")
        lines += [text_table(trace_table(trace, rows_max)), ""]
    lines += [f"printed: {each}" for each in run.printed[:ROWS_SHOWN]]
    if len(run.printed) > ROWS_SHOWN:
        lines.append(f"… {len(run.printed) - ROWS_SHOWN:,} printed lines not shown …")
    lines.append(run.message)
    return "\n".join(lines)


def html_run(run: Run) -> str:
    from html import escape

    tables = "".join(f"<p>loop {each.loop}</p>{html_table(trace_table(each))}" for each in run.traces)
    printed = "".join(f"<div>printed: {escape(each)}</div>" for each in run.printed[:ROWS_SHOWN])
    return f"{tables}{printed}<p>{escape(run.message)}</p>"


def html_program(text: str) -> str:
    from html import escape

    return f"<pre>{escape(text)}</pre>"
