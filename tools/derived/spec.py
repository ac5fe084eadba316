"""Writes the files of spec/, docs/errors.md and client/src/wire.ts, which are made from the sources: `make spec`.

`python -m tools.derived.spec --accept` first copies changed messages and hints into the tables of wrong inputs; read the
difference. Codes and places are not copied, because the table is there to check them.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from idg.sip.operators import (
    ARRAY_BUILTINS,
    ARRAY_WORDS,
    BUILTINS,
    OPERATORS,
    ORDER_BUILTINS,
    SOFT_ARRAY_WORDS,
    WORDS,
    Builtin,
    Word,
)
from tools import ROOT
from tools.derived.client_types import client_types
from tools.derived.errors_page import errors_page
from tools.derived.generate import generated_evaluate, generated_parse
from tools.derived.vectors import SPEC, VECTORS, WRONG_INPUTS, Row, error_of, read_rows, rows_json


def operators_json() -> str:
    operators: list[Row] = [
        {
            "token": operator.token, "alternatives": list(operator.alternatives), "fixity": operator.fixity,
            "precedence": operator.precedence, "associativity": operator.associativity, "types": list(operator.types),
            "explanation": operator.explanation, "example": operator.example,
        }
        for operator in OPERATORS
    ]  # fmt: skip
    return _tables_json({"operators": operators, "functions": _functions(BUILTINS), "words": _words(WORDS)})


def array_words_json() -> str:
    """The functions and words of arrays, for whoever reads arrays."""
    return _tables_json({"functions": _functions(ARRAY_BUILTINS), "words": _words(ARRAY_WORDS)})


def written_array_words_json() -> str:
    """The functions and words about arrays that are written, which the client does not know yet."""
    return _tables_json({"functions": _functions(ORDER_BUILTINS), "words": _words(SOFT_ARRAY_WORDS)})


def _functions(functions: tuple[Builtin, ...]) -> list[Row]:
    return [
        {
            "name": function.name, "arguments_min": function.arguments_min, "arguments_max": function.arguments_max,
            "types": list(function.types), "explanation": function.explanation, "example": function.example,
        }
        for function in functions
    ]  # fmt: skip


def _words(words: tuple[Word, ...]) -> list[Row]:
    return [{"token": word.token, "explanation": word.explanation, "example": word.example} for word in words]


def _tables_json(tables: dict[str, list[Row]]) -> str:
    sections = (f"{json.dumps(name)}: {rows_json(rows).rstrip()}" for name, rows in tables.items())
    return "{\n" + ",\n".join(sections) + "\n}\n"


def outputs() -> dict[Path, str]:
    """Every generated file and what it must contain."""
    return {
        SPEC / "operators.json": operators_json(),
        SPEC / "operators-arrays.json": array_words_json(),
        SPEC / "operators-arrays-written.json": written_array_words_json(),
        VECTORS / "parse-generated.json": rows_json(generated_parse()),
        VECTORS / "evaluate-generated.json": rows_json(generated_evaluate()),
        ROOT / "docs" / "errors.md": errors_page(),
        ROOT / "client" / "src" / "wire.ts": client_types(),
    }


def accept_messages() -> None:
    for path in WRONG_INPUTS:
        rows = read_rows(path)
        for row in rows:
            error = error_of(row)
            if error is not None:
                row |= {"message": error.problems[0].message, "hint": error.problems[0].hint}
        path.write_text(rows_json(rows), encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m tools.derived.spec", description="Write the generated files of spec/ and docs/."
    )
    parser.add_argument(
        "--accept", action="store_true", help="take over changed messages and hints into the tables of wrong inputs"
    )
    if parser.parse_args().accept:
        accept_messages()
    for path, text in outputs().items():
        path.write_text(text, encoding="utf-8")
        print(f"wrote {path.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
