"""Arrays and quantifiers are read, run and evaluated. What cannot judge them yet refuses them here, by one message.

The prover, the exports and the rooms know numbers and Booleans only. A wrong answer of theirs would be worse
than none, so each of their doors calls `refuse_arrays` before it looks at a program.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NoReturn

from idg.sip.errors import SipError, problem
from idg.sip.operators import ARRAY_WORDS
from idg.sip.syntax import Expr, Index, Quantified, Span
from idg.sip.traverse import expressions, function_expressions

if TYPE_CHECKING:
    from idg.sip.program import Program


def refuse_arrays(program: Program) -> None:
    """Raises SipError where the program has an array or a quantifier."""
    functions = program.module.functions
    array = next((param.span for function in functions for param in function.params if param.type.element), None)
    if array is None and not any(word.token in program.text for word in ARRAY_WORDS):
        return  # Most programs: without parameters that are arrays there is nothing to read, and quantifiers start with a word.
    spans = [*([] if array is None else [array])]
    spans += (span for function in functions for expr in function_expressions(function) for span in _uses(expr))
    if spans:
        raise SipError(program.text, [problem("arrays-not-judged", min(spans))])


def refuse_quantifiers(expr: Expr, text: str) -> None:
    """Raises SipError where a proposed expression has a quantifier or reads an array; `text` is what it was read from."""
    for span in _uses(expr):
        raise SipError(text, [problem("arrays-not-judged", span)])


def _uses(expr: Expr) -> Iterator[Span]:
    return (part.span for part in expressions(expr) if isinstance(part, Index | Quantified))


def no_arrays(expr: Index | Quantified) -> NoReturn:
    """For those who translate expressions and whose doors refuse arrays."""
    raise TypeError(f"a {type(expr).__name__} was not refused at the door")
