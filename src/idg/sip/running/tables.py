"""Tables of states for people: as text for the terminal, as HTML for a notebook."""

from __future__ import annotations

from typing import TYPE_CHECKING

from idg.sip.record import Record
from idg.sip.running.runner import Undefined
from idg.sip.text.printer import print_expression
from idg.sip.values import Value, short_value

if TYPE_CHECKING:
    from collections.abc import Sequence

    from idg.sip.running.trace import Evaluation, Run, Trace

ROWS_SHOWN = 40
"""Rows of a table that are shown where nothing else is asked for: most from its beginning, some from its end."""
LAST_ROWS_SHOWN = 8
YES, NO, NONE = "✓", "✗", "–"


class Table(Record):
    head: list[str]
    rows: list[list[str]]
    marks: list[bool | None]
    """For each row: holds, fails, or neither is known."""
    gaps: tuple[tuple[int, int], ...] = ()
    """Where rows are left out: before which row of `rows`, and how many."""
    notes: tuple[str, ...] = ()


def trace_table(trace: Trace, rows_max: int | None = ROWS_SHOWN) -> Table:
    return _table(trace, [], rows_max)


def evaluation_table(evaluations: Sequence[Evaluation], rows_max: int | None = ROWS_SHOWN) -> Table:
    """The trace with a column for each expression. All must be of the same trace."""
    return _table(evaluations[0].trace, evaluations, rows_max)


def _table(trace: Trace, evaluations: Sequence[Evaluation], rows_max: int | None) -> Table:
    total = len(trace.rows)
    shown = _shown_rows(total, evaluations, rows_max)
    outer = [f"loop {trace.outer} row"] if trace.outer is not None else []
    head = ["row", *outer, *trace.columns, *(print_expression(each.expr) for each in evaluations)]
    rows = [
        [
            str(at + 1),
            *([str(trace.outer_rows[at] + 1)] if outer else []),
            *map(short_value, trace.rows[at]),
            *(_cell(each.values[at]) for each in evaluations),
        ]
        for at in shown
    ]
    marks = [_mark(evaluations, at) for at in shown]
    notes = tuple(
        f"{NONE} in row {at + 1}: {each.why(at)}"
        for each in evaluations
        for at in next(([at] for at in shown if isinstance(each.values[at], Undefined)), [])
    )
    before = [-1, *shown]
    gaps = tuple((at, row - before[at] - 1) for at, row in enumerate([*shown, total]) if row - before[at] > 1)
    return Table(head, rows, marks, gaps, notes)


def _shown_rows(total: int, evaluations: Sequence[Evaluation], rows_max: int | None) -> list[int]:
    """The first rows and the last and, wherever it is, the first in which an expression fails, with its neighbours."""
    if rows_max is None or total <= rows_max:
        return list(range(total))
    last = min(LAST_ROWS_SHOWN, rows_max // 2)
    shown = {*range(rows_max - last), *range(total - last, total)}
    for each in evaluations:
        failing = next((at for at, value in enumerate(each.values) if value is False or isinstance(value, Undefined)), None)
        if failing is not None:
            shown.update(range(max(0, failing - 1), min(total, failing + 2)))
    return sorted(shown)


def gap_text(missing: int) -> str:
    return f"… {counted(missing, 'row')} not shown …"


def counted(count: int, what: str) -> str:
    return f"{count:,} {what}{'s' * (count != 1)}"


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
    for number, (at, missing) in enumerate(table.gaps):
        lines.insert(2 + at + number, gap_text(missing))
    return "\n".join([*lines, *table.notes])


_HOLDS, _FAILS = "background:#d6e8fb;color:#000", "background:#ffdcc2;color:#000"
_CELL = "text-align:right;padding:1px 8px;font-family:monospace"


def html_table(table: Table) -> str:
    from html import escape

    lines = ["<table style='border-collapse:collapse'><thead><tr>"]
    lines += [f"<th style='{_CELL}'>{escape(each)}</th>" for each in table.head]
    lines.append("</tr></thead><tbody>")
    gaps = dict(table.gaps)
    for at, (row, mark) in enumerate(zip(table.rows, table.marks, strict=True)):
        if at in gaps:
            lines.append(f"<tr><td colspan='{len(table.head)}'>{gap_text(gaps[at])}</td></tr>")
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
    return "\n".join([*lines, *_printed_lines(run), run.message])


def _printed_lines(run: Run) -> list[str]:
    lines = [f"printed: {each}" for each in run.printed[:ROWS_SHOWN]]
    if len(run.printed) > ROWS_SHOWN:
        lines.append(f"… {counted(len(run.printed) - ROWS_SHOWN, 'printed line')} not shown …")
    return lines


def html_run(run: Run) -> str:
    from html import escape

    tables = "".join(f"<p>loop {each.loop}</p>{html_table(trace_table(each))}" for each in run.traces)
    printed = "".join(f"<div>{escape(each)}</div>" for each in _printed_lines(run))
    return f"{tables}{printed}<p>{escape(run.message)}</p>"


def html_program(text: str) -> str:
    from html import escape

    return f"<pre>{escape(text)}</pre>"
