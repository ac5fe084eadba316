"""Writes invariants into the text of a program, without touching anything else of it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from idg.engine.results import Fact
from idg.sip.operators import INFIX
from idg.sip.program import Program
from idg.sip.record import Record
from idg.sip.syntax import Binary, Expr, Span, While
from idg.sip.text.printer import print_expression
from idg.sip.text.tokens import tokenize
from idg.sip.trees.traverse import conjuncts

_AND = INFIX["&"].precedence


class TextInsertion(Record):
    """A text that is to be put in at an offset."""

    offset: int
    text: str


def stated_conjuncts(program: Program) -> dict[Fact, Span]:
    """The conjuncts of the invariants that the text states, in canonical form, and where they stand."""
    return {
        Fact(loop.number, print_expression(conjunct)): conjunct.span
        for loop in program.loops
        if loop.statement.invariant is not None
        for conjunct in conjuncts(loop.statement.invariant)
    }


def insertions(program: Program, facts: Iterable[Fact]) -> tuple[TextInsertion, ...]:
    """What has to be put into the text so that its loops state these facts besides those that they state already."""
    stated = stated_conjuncts(program)
    wanted = [fact for fact in dict.fromkeys(facts) if fact not in stated]
    parts: list[TextInsertion] = []
    for loop in program.loops:
        texts = [_conjunct(program.expression(fact.text, fact.loop)[0]) for fact in wanted if fact.loop == loop.number]
        if texts:
            parts += _into_loop(program, loop.statement, " & ".join(texts))
    return tuple(sorted(parts, key=lambda part: part.offset))


def inserted(text: str, parts: Sequence[TextInsertion]) -> str:
    """The text with the parts put in."""
    for part in reversed(parts):
        text = text[: part.offset] + part.text + text[part.offset :]
    return text


def _into_loop(program: Program, loop: While, told: str) -> list[TextInsertion]:
    tokens = tokenize(program.text, program=True).tokens
    start = next(index for index, token in enumerate(tokens) if token.start == loop.span.start)
    if loop.invariant is None:
        return [TextInsertion(tokens[start + 1].start, f"[{told}] ")]
    opening = tokens[start + 1]
    closing = next(token for token in tokens[start + 2 :] if token.kind == "]" and token.start >= loop.invariant.span.end)
    last = tokens[tokens.index(closing) - 1]
    if not _needs_brackets(loop.invariant):
        return [TextInsertion(last.end, f" & {told}")]
    return [TextInsertion(opening.end, "("), TextInsertion(last.end, f") & {told}")]


def _conjunct(expr: Expr) -> str:
    text = print_expression(expr)
    return f"({text})" if _needs_brackets(expr) else text


def _needs_brackets(expr: Expr) -> bool:
    """Whether the expression would be torn apart beside an `&`."""
    return isinstance(expr, Binary) and INFIX[expr.op].precedence < _AND
