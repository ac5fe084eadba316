"""The language as data: every vector of spec/ holds for this implementation, and every generated file is up to date."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator

import pytest

from idg.sip.checking.checker import check_expression
from idg.sip.errors import SipError
from idg.sip.limits import RunLimits
from idg.sip.operators import BUILTINS, CANONICAL, OPERATORS, WORDS
from idg.sip.program import Program, load
from idg.sip.running.compiler import compile_rows
from idg.sip.running.runner import Undefined, evaluate_rows
from idg.sip.text.expressions import parse_expression
from idg.sip.text.parser import parse_program
from idg.sip.text.printer import print_expression, print_program
from idg.sip.text.sexpr import expression_sexpr, module_sexpr
from idg.sip.text.tokens import tokenize
from idg.sip.values import Value, format_value, read_value
from tests.support.programs.simple import simple_interpreter
from tests.support.programs.simple.simple_numbers import Stop
from tools.derived.spec import outputs
from tools.derived.vectors import VECTORS, Row, error_of, functions_of, read_rows, scope_of

MINIMUMS = {
    "parse": 120, "types": 80, "evaluate": 150, "errors": 100, "parse-generated": 100, "evaluate-generated": 100,
    "parse-arrays": 30, "types-arrays": 25, "evaluate-arrays": 45, "errors-arrays": 90,
    "parse-arrays-written": 45, "types-arrays-written": 19, "evaluate-arrays-written": 60, "errors-arrays-written": 38,
}  # fmt: skip
"""File of vectors → the least number of its rows."""
VECTORS_MIN = 450
"""The least number of rows in all files of vectors together."""
CAUSES = {"zero-divisor", "negative-exponent", "number-too-large"}


def rows_of(file: str) -> list[Row]:
    return read_rows(VECTORS / f"{file}.json")


def assert_all(file: str, complain: Callable[[Row], str]) -> None:
    """Checks all rows of a file and shows all failing ones at once. `complain` says what is wrong with a row, or nothing."""
    failures = []
    for row in rows_of(file):
        try:
            complaint = complain(row)
        except SipError as error:
            complaint = str(error)
        if complaint:
            failures.append(f"{row['name'][:80]}: {complaint[:600]}")
    assert not failures, f"{len(failures)} rows of {file}.json:\n" + "\n".join(failures)


def differ(actual: str, row: Row, key: str) -> str:
    return "" if actual == row[key] else f"expected {row[key]}, found {actual}"


def test_no_file_of_vectors_is_forgotten() -> None:
    assert {path.stem for path in VECTORS.glob("*.json")} == set(MINIMUMS)


@pytest.mark.parametrize("file", MINIMUMS)
def test_there_are_enough_vectors(file: str) -> None:
    assert len(rows_of(file)) >= MINIMUMS[file]


def test_there_are_enough_vectors_in_all() -> None:
    assert sum(len(rows_of(file)) for file in MINIMUMS) >= VECTORS_MIN


@pytest.mark.parametrize("file", MINIMUMS)
def test_names_are_unique(file: str) -> None:
    assert not [name for name, count in Counter(row["name"] for row in rows_of(file)).items() if count > 1]


@pytest.mark.parametrize("file", MINIMUMS)
def test_all_numbers_are_strings(file: str) -> None:
    assert_all(file, lambda row: ", ".join(repr(leaf) for leaf in leaves(row) if not isinstance(leaf, str)))


def leaves(value: object) -> Iterator[object]:
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        for child in value:
            yield from leaves(child)
    else:
        yield value


@pytest.mark.parametrize("file", ["parse", "parse-generated", "parse-arrays", "parse-arrays-written"])
def test_parsing(file: str) -> None:
    def complain(row: Row) -> str:
        if row["kind"] == "program":
            return differ(module_sexpr(parse_program(row["text"])), row, "sexpr")
        return differ(expression_sexpr(parse_expression(row["text"])), row, "sexpr")

    assert_all(file, complain)


@pytest.mark.parametrize("file", ["parse", "parse-generated", "parse-arrays", "parse-arrays-written"])
def test_printing_and_parsing_again(file: str) -> None:
    def complain(row: Row) -> str:
        if row["kind"] == "program":
            again = module_sexpr(parse_program(print_program(parse_program(row["text"]))))
        else:
            again = expression_sexpr(parse_expression(print_expression(parse_expression(row["text"]))))
        return differ(again, row, "sexpr")

    assert_all(file, complain)


@pytest.mark.parametrize("file", ["types", "types-arrays", "types-arrays-written"])
def test_types(file: str) -> None:
    def complain(row: Row) -> str:
        kind, problems = check_expression(parse_expression(row["text"]), scope_of(row))
        return differ(str(problems or kind), row, "type")

    assert_all(file, complain)


@pytest.mark.parametrize("file", ["evaluate", "evaluate-generated", "evaluate-arrays", "evaluate-arrays-written"])
def test_evaluation_by_compiled_code(file: str) -> None:
    def complain(row: Row) -> str:
        program, state, old = situation(row)
        expr, _ = program.expression(row["text"])
        compiled = compile_rows(program.info, program.loops[0].columns, program.params, expr)
        [value] = evaluate_rows(compiled, [tuple(state.values())], old, RunLimits())
        if isinstance(value, Undefined):
            return differ_undefined(value.cause, value.span, row)
        return differ(format_value(value), row, "value") if "value" in row else f"expected none, found {value}"

    assert_all(file, complain)


@pytest.mark.parametrize("file", ["evaluate", "evaluate-generated", "evaluate-arrays", "evaluate-arrays-written"])
def test_evaluation_by_the_simple_interpreter(file: str) -> None:
    def complain(row: Row) -> str:
        program, state, old = situation(row)
        try:
            value = simple_interpreter.evaluate(parse_expression(row["text"]), state, old, program.params, functions_of(row))
        except Stop as stop:
            return differ_undefined(stop.cause, stop.span, row)
        return differ(format_value(value), row, "value") if "value" in row else f"expected none, found {value}"

    assert_all(file, complain)


def situation(row: Row) -> tuple[Program, dict[str, Value], dict[str, Value]]:
    """A program in which the row's variables are visible at a loop, their values there, and the entry values."""
    params = ", ".join(f"{name}: {kind}" for name, kind in row["variables"].items())
    program = load(f"{row.get('functions', '')}\nfn main({params}) {{ while (false) {{ }} }}")
    kinds = program.params
    state: dict[str, Value] = {name: read_value(row["state"][name], kind) for name, kind in kinds.items()}
    return program, state, state | {name: read_value(text, kinds[name]) for name, text in row.get("old", {}).items()}


def differ_undefined(cause: str, span: tuple[int, int], row: Row) -> str:
    actual = f"{cause} at {span[0]}-{span[1]}"
    expected = f"{row['undefined']} at {row['span']}" if "undefined" in row else str(row["value"])
    return "" if actual == expected else f"expected {expected}, found {actual}"


@pytest.mark.parametrize("file", ["evaluate", "evaluate-generated"])
def test_what_has_no_value_has_one_of_the_causes(file: str) -> None:
    assert {row["undefined"] for row in rows_of(file) if "undefined" in row} == CAUSES


@pytest.mark.parametrize("file", ["errors", "errors-arrays", "errors-arrays-written"])
def test_errors(file: str) -> None:
    def complain(row: Row) -> str:
        error = error_of(row)
        actual = [f"{problem.code} at {problem.span.start}-{problem.span.end}" for problem in error.problems] if error else []
        expected = [f"{problem['code']} at {problem['span']}" for problem in row["problems"]]
        return "" if actual == expected else f"expected {expected}, found {actual}"

    assert_all(file, complain)


def test_cells_and_ranges_without_a_value() -> None:
    assert {row["undefined"] for row in rows_of("evaluate-arrays") if "undefined" in row} >= {"index", "range"}


def test_every_operator_spelling_and_function_is_parsed_and_evaluated() -> None:
    functions = {function.name for function in BUILTINS}
    wanted = {operator.token for operator in OPERATORS} | set(CANONICAL) | functions
    for file in ("parse", "evaluate"):
        used = {token.text for row in rows_of(file) for token in tokenize(row["text"], program=row.get("kind") == "program").tokens}
        assert not wanted - used, f"not in {file}.json: {wanted - used}"


@pytest.mark.parametrize("path", outputs(), ids=lambda path: path.name)
def test_generated_files_are_up_to_date(path: object) -> None:
    [(target, text)] = [(file, text) for file, text in outputs().items() if file == path]
    assert target.read_text(encoding="utf-8") == text, "run make spec"


def test_the_table_of_operators_is_complete() -> None:
    [text] = [text for path, text in outputs().items() if path.name == "operators.json"]
    tables = json.loads(text)
    assert [(operator["token"], operator["fixity"], operator["precedence"]) for operator in tables["operators"]] == [
        (operator.token, operator.fixity, operator.precedence) for operator in OPERATORS
    ]
    assert [function["name"] for function in tables["functions"]] == [function.name for function in BUILTINS]
    assert [word["token"] for word in tables["words"]] == [word.token for word in WORDS]
