"""Refuses programs with arrays or quantifiers, construct by construct, for parts of IDG that do not know all of these constructs.

A wrong answer of the prover, the second verifier, the exports or the rooms would be worse than none. So each of their doors calls
`refuse_arrays` before it looks at a program, with the constructs that it can judge.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Set
from typing import TYPE_CHECKING, NoReturn

from idg.sip.errors import SipError, problem
from idg.sip.operators import AGGREGATES, ARRAY_WORDS
from idg.sip.syntax import Assign, Call, Compare, Expr, Function, Index, Name, Old, Quantified, SetCell, Span, Stmt, Swap, Type, Var
from idg.sip.trees.traverse import expressions, function_expressions, statements

if TYPE_CHECKING:
    from idg.sip.program import Program

PARAMETERS = "arrays"
CELLS = "cells of arrays"
LENGTHS = "lengths of arrays"
QUANTIFIERS = "quantifiers"
SUMS, COUNTS = "sums", "counts"
SORTED, PERMUTATION = "facts with sorted", "facts with permutation"
COMPARISONS = "comparisons of whole arrays"
ENTRY_VALUES = "entry values of arrays"
ARGUMENTS = "calls with arrays"
LOCALS = "local arrays"
WRITES = "assignments to cells"
SWAPS = "swaps of cells"
COPIES = "assignments of whole arrays"
READ_ONLY = frozenset({PARAMETERS, CELLS, LENGTHS, QUANTIFIERS, ARGUMENTS})
"""The constructs with which a program reads the arrays that are its inputs."""
WRITING = frozenset({LOCALS, WRITES, SWAPS, COPIES, COMPARISONS, ENTRY_VALUES})
"""The constructs of programs that change arrays."""
ALL = READ_ONLY | WRITING | {SUMS, COUNTS, SORTED, PERMUTATION}
"""Each construct, as a message names it."""
PROVED = ALL
"""The constructs of which the engine proves something."""
_OF_WORDS = {"forall": QUANTIFIERS, "exists": QUANTIFIERS, "sum": SUMS, "count": COUNTS}
_OF_CALLS = {"len": LENGTHS, "sorted": SORTED, "permutation": PERMUTATION}


def refuse_arrays(program: Program, judged: Set[str] = frozenset()) -> None:
    """Raises SipError where the program has a construct of arrays or quantifiers that is not among the judged ones."""
    refused = [(span, construct) for construct, span in array_constructs(program) if construct not in judged]
    if refused:
        span, construct = min(refused)
        raise SipError(program.text, [problem("arrays-not-judged", span, what=construct)])


def refuse_in_proposal(expr: Expr, variables: Mapping[str, Type], text: str, judged: Set[str] = frozenset()) -> None:
    """Raises SipError where a proposed expression has such a construct; `text` is what it was read from."""
    for construct, span in expression_constructs(expr, variables):
        if construct not in judged:
            raise SipError(text, [problem("arrays-not-judged", span, what=construct)])


def array_constructs(program: Program) -> Iterator[tuple[str, Span]]:
    """The constructs of arrays and quantifiers in a program, each with its place."""
    infos = program.info.functions.values()
    has_arrays = any(kind.element for info in infos for kind in info.variables.values())
    words = (*(word.token for word in ARRAY_WORDS), *AGGREGATES)
    if not has_arrays and not any(word in program.text for word in words):
        return  # Most programs: without a variable that is an array there is nothing to read, and quantifiers start with a word.
    for info in infos:
        yield from _function_constructs(info.function, info.variables)


def _function_constructs(function: Function, variables: Mapping[str, Type]) -> Iterator[tuple[str, Span]]:
    yield from ((PARAMETERS, param.span) for param in function.params if param.type.element)
    for expr in function_expressions(function):
        yield from expression_constructs(expr, variables)
    for statement in statements(function.body):
        yield from ((construct, statement.span) for construct in _statement_constructs(statement, variables))


def _statement_constructs(statement: Stmt, variables: Mapping[str, Type]) -> Iterator[str]:
    match statement:
        case Var(_, kind) if kind.element:
            yield LOCALS
        case SetCell():
            yield WRITES
        case Swap():
            yield SWAPS
        case Assign(target) if variables[target.name].element:
            yield COPIES
        case _:
            pass


def expression_constructs(expr: Expr, variables: Mapping[str, Type]) -> Iterator[tuple[str, Span]]:
    """The constructs of an expression over these variables, each with its place."""
    for part in expressions(expr):
        match part:
            case Index():
                yield CELLS, part.span
            case Quantified(word):
                yield _OF_WORDS[word], part.span
            case Old() if _is_array(part, variables):
                yield ENTRY_VALUES, part.span
            case Call(function, arguments):
                if function in _OF_CALLS:
                    yield _OF_CALLS[function], part.span
                elif any(_is_array(argument, variables) for argument in arguments):
                    yield ARGUMENTS, part.span
            case Compare(operands) if any(_is_array(operand, variables) for operand in operands):
                yield COMPARISONS, part.span
            case _:
                pass


def _is_array(expr: Expr, variables: Mapping[str, Type]) -> bool:
    return isinstance(expr, Name | Old) and expr.name in variables and variables[expr.name].element is not None


def no_arrays(expr: Index | Quantified) -> NoReturn:
    """For those who translate expressions and whose doors refuse arrays."""
    raise TypeError(f"a {type(expr).__name__} was not refused at the door")
