"""Reads the rows of spec/ and returns what the Python implementation makes of them. spec/README.md describes the rows."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from idg.sip.checking.checker import Scope, check_expression
from idg.sip.errors import SipError
from idg.sip.program import load
from idg.sip.syntax import Function, Type, type_named
from idg.sip.text.expressions import parse_expression
from idg.sip.text.parser import parse_program
from tools import ROOT

SPEC = ROOT / "spec"
VECTORS = SPEC / "vectors"
WRONG_INPUTS = (SPEC / "wrong-inputs.json", SPEC / "wrong-inputs-arrays.json", SPEC / "wrong-inputs-arrays-written.json")
"""The tables of wrong inputs: those that the client reads, and those about arrays that are written, which it does not read yet."""

Row = dict[str, Any]


def read_rows(path: Path) -> list[Row]:
    rows: list[Row] = json.loads(path.read_text(encoding="utf-8"))
    return rows


def rows_json(rows: list[Row]) -> str:
    """The rows as JSON, one row a line, so that a change of one row is a change of one line."""
    return "[\n" + ",\n".join(json.dumps(row, ensure_ascii=False) for row in rows) + "\n]\n"


def text_of(row: Row) -> str:
    """The row's text. A row whose text would be very long has the parts that it is made of instead."""
    if "text" in row:
        return str(row["text"])
    return "".join(part["text"] * int(part["times"]) for part in row["parts"])


def types_of(names: Mapping[str, str]) -> dict[str, Type]:
    return {name: type_named(kind) for name, kind in names.items()}


def functions_of(row: Row) -> dict[str, Function]:
    """The helpers that the row's expression may call."""
    return {function.name: function for function in parse_program(row["functions"]).functions} if "functions" in row else {}


def scope_of(row: Row) -> Scope:
    return Scope(types_of(row["variables"]), types_of(row.get("params", {})), functions_of(row))


def error_of(row: Row) -> SipError | None:
    """What is wrong with the row's text, if anything."""
    text = text_of(row)
    try:
        if row["kind"] == "program":
            load(text)
            return None
        problems = check_expression(parse_expression(text), scope_of(row))[1]
    except SipError as error:
        return error
    return SipError(text, problems) if problems else None
