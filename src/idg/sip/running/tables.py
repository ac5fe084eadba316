"""Tables of states for people: as text for the terminal, as HTML for a notebook."""

from __future__ import annotations

from typing import TYPE_CHECKING

from idg.sip.record import Record
from idg.sip.running.runner import Undefined
from idg.sip.text.printer import print_expression
from idg.sip.values import Scalar, short_value

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from idg.sip.running.trace import Evaluation, Run, Trace

ROWS_SHOWN = 40
"""Rows of a table that are shown where nothing else is asked for, most from its beginning and some from its end."""
LAST_ROWS_SHOWN = 8
"""How many of them are from its end."""
YES, NO, NONE = "✓", "✗", "–"


class Table(Record):
    """A table whose cells are texts."""

    head: list[str]
    rows: list[list[str]]
    marks: list[bool | None]
    """For each row whether the expressions hold; None where there is no Boolean one."""
    gaps: tuple[tuple[int, int], ...] = ()
    """Where rows are left out: the index in `rows` before which they are missing, and how many they are."""
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
    head = ["row", *outer, *trace.columns, *(print_expression(evaluation.expr) for evaluation in evaluations)]
    rows = [
        [
            str(row + 1),
            *([str(trace.outer_rows[row] + 1)] if outer else []),
            *map(short_value, trace.rows[row]),
            *(_cell(evaluation.values[row]) for evaluation in evaluations),
        ]
        for row in shown
    ]
    marks = [_mark(evaluations, row) for row in shown]
    notes = tuple(
        f"{NONE} in row {row + 1}: {evaluation.why(row)}"
        for evaluation in evaluations
        for row in [row for row in shown if isinstance(evaluation.values[row], Undefined)][:1]
    )
    before = [-1, *shown]
    gaps = tuple((index, row - before[index] - 1) for index, row in enumerate([*shown, total]) if row - before[index] > 1)
    return Table(head, rows, marks, gaps, notes)


def _shown_rows(total: int, evaluations: Sequence[Evaluation], rows_max: int | None) -> list[int]:
    """The indices of the first rows, the last rows, and the first row in which an expression fails with its neighbours."""
    if rows_max is None or total <= rows_max:
        return list(range(total))
    last = min(LAST_ROWS_SHOWN, rows_max // 2)
    shown = {*range(rows_max - last), *range(total - last, total)}
    for evaluation in evaluations:
        values = enumerate(evaluation.values)
        failing = next((row for row, value in values if value is False or isinstance(value, Undefined)), None)
        if failing is not None:
            shown.update(range(max(0, failing - 1), min(total, failing + 2)))
    return sorted(shown)


def gap_text(missing: int) -> str:
    return f"… {counted(missing, 'row')} not shown …"


def counted(count: int, what: str) -> str:
    return f"{count:,} {what}{'s' * (count != 1)}"


def _cell(value: Scalar | Undefined) -> str:
    if isinstance(value, Undefined):
        return NONE
    if isinstance(value, bool):
        return YES if value else NO
    return short_value(value)


def _mark(evaluations: Sequence[Evaluation], row: int) -> bool | None:
    values = [evaluation.values[row] for evaluation in evaluations]
    truths = [value for value in values if isinstance(value, bool | Undefined)]
    return all(truths) if truths else None


def text_table(table: Table) -> str:
    widths = [max(map(len, column)) for column in zip(table.head, *table.rows, strict=True)]
    cells = (table.head, ["-" * width for width in widths], *table.rows)
    lines = ["  ".join(text.rjust(width) for text, width in zip(line, widths, strict=True)) for line in cells]
    for inserted, (index, missing) in enumerate(table.gaps):
        lines.insert(2 + index + inserted, gap_text(missing))
    return "\n".join([*lines, *table.notes])


_HOLDS, _FAILS = "background:#d6e8fb;color:#000", "background:#ffdcc2;color:#000"
_CELL = "text-align:right;padding:1px 8px;font-family:monospace"


def html_table(table: Table) -> str:
    from html import escape

    lines = ["<table style='border-collapse:collapse'><thead><tr>"]
    lines += [f"<th style='{_CELL}'>{escape(text)}</th>" for text in table.head]
    lines.append("</tr></thead><tbody>")
    gaps = dict(table.gaps)
    for index, (row, mark) in enumerate(zip(table.rows, table.marks, strict=True)):
        if index in gaps:
            lines.append(f"<tr><td colspan='{len(table.head)}'>{gap_text(gaps[index])}</td></tr>")
        colour = "" if mark is None else _HOLDS if mark else _FAILS
        lines.append(f"<tr style='{colour}'>")
        lines += [f"<td style='{_CELL}'>{escape(text)}</td>" for text in row]
        lines.append("</tr>")
    lines.append("</tbody></table>")
    lines += [f"<p>{escape(note)}</p>" for note in table.notes]
    return "".join(lines)


def trace_title(trace: Trace, run: Run) -> str:
    """Which loop it is and, for one of a helper, which call is shown."""
    if trace.function == run.program.level.name:
        return f"loop {trace.loop}"
    if trace.call is None:
        return f"loop {trace.loop} of {trace.function}, which this run does not call"
    return f"loop {trace.loop} in the call {trace.function}({', '.join(map(short_value, trace.call.values()))})"


def run_text(run: Run, rows_max: int | None = ROWS_SHOWN, shown: Callable[[Table], str] = text_table) -> str:
    """What a run did. `shown` writes a table, for instance with colours."""
    lines = []
    for trace in run.traces:
        if len(run.traces) > 1:
            lines.append(trace_title(trace, run))
        lines += [shown(trace_table(trace, rows_max)), ""]
    return "\n".join([*lines, *_printed_lines(run), run.message])


def _printed_lines(run: Run) -> list[str]:
    lines = [f"printed: {line}" for line in run.printed[:ROWS_SHOWN]]
    if len(run.printed) > ROWS_SHOWN:
        lines.append(f"… {counted(len(run.printed) - ROWS_SHOWN, 'printed line')} not shown …")
    return lines


def html_run(run: Run) -> str:
    from html import escape

    tables = "".join(f"<p>{escape(trace_title(trace, run))}</p>{html_table(trace_table(trace))}" for trace in run.traces)
    printed = "".join(f"<div>{escape(line)}</div>" for line in _printed_lines(run))
    return f"{tables}{printed}<p>{escape(run.message)}</p>"


def html_program(text: str) -> str:
    from html import escape

    return f"<pre>{escape(text)}</pre>"
