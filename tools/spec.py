"""Writes the files of spec/, docs/errors.md and client/src/wire.ts, which are made from the sources: `make spec`.

`python -m tools.spec --accept` first copies changed messages and hints into spec/wrong-inputs.json; read the difference.
Codes and places are not copied, because the table is there to check them.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from idg.sip.operators import BUILTINS, OPERATORS, WORDS
from tools import ROOT
from tools.client_types import client_types
from tools.errors_page import errors_page
from tools.generate import generated_evaluate, generated_parse
from tools.vectors import SPEC, VECTORS, Row, error_of, read_rows, rows_json

WRONG_INPUTS = SPEC / "wrong-inputs.json"


def operators_json() -> str:
    operators: list[Row] = [
        {
            "token": operator.token, "alternatives": list(operator.alternatives), "fixity": operator.fixity,
            "precedence": operator.precedence, "associativity": operator.associativity, "types": list(operator.types),
            "explanation": operator.explanation, "example": operator.example,
        }
        for operator in OPERATORS
    ]  # fmt: skip
    functions: list[Row] = [
        {
            "name": function.name, "arguments_min": function.arguments_min, "arguments_max": function.arguments_max,
            "types": list(function.types), "explanation": function.explanation, "example": function.example,
        }
        for function in BUILTINS
    ]  # fmt: skip
    words: list[Row] = [{"token": word.token, "explanation": word.explanation, "example": word.example} for word in WORDS]
    tables = {"operators": operators, "functions": functions, "words": words}
    sections = (f"{json.dumps(name)}: {rows_json(rows).rstrip()}" for name, rows in tables.items())
    return "{\n" + ",\n".join(sections) + "\n}\n"


def outputs() -> dict[Path, str]:
    """Every generated file and what it must contain."""
    return {
        SPEC / "operators.json": operators_json(),
        VECTORS / "parse-generated.json": rows_json(generated_parse()),
        VECTORS / "evaluate-generated.json": rows_json(generated_evaluate()),
        ROOT / "docs" / "errors.md": errors_page(),
        ROOT / "client" / "src" / "wire.ts": client_types(),
    }


def accept_messages() -> None:
    rows = read_rows(WRONG_INPUTS)
    for row in rows:
        error = error_of(row)
        if error is not None:
            row |= {"message": error.problems[0].message, "hint": error.problems[0].hint}
    WRONG_INPUTS.write_text(rows_json(rows), encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tools.spec", description="Write the generated files of spec/ and docs/.")
    parser.add_argument("--accept", action="store_true", help="take over changed messages and hints into spec/wrong-inputs.json")
    if parser.parse_args().accept:
        accept_messages()
    for path, text in outputs().items():
        path.write_text(text, encoding="utf-8")
        print(f"wrote {path.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
