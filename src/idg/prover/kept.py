"""Keeps what is computed of expressions that are met again and again: the hypotheses of a path serve many queries.

Expressions are told apart by their identity, because comparing trees takes nearly as long as most of what is computed of them. What
is kept is a function of the expression alone, so no answer depends on it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from idg.sip.syntax import Expr

KEPT_MAX = 8_192
"""Expressions of which something is kept. When there are more, all are forgotten, because most belong to one program."""
_T = TypeVar("_T")


def kept(compute: Callable[[Expr], _T]) -> Callable[[Expr], _T]:
    """The same function, which remembers its answers."""
    answers: dict[int, tuple[Expr, _T]] = {}

    def answer(expr: Expr) -> _T:
        entry = answers.get(id(expr))
        if entry is not None:
            return entry[1]
        value = compute(expr)
        if len(answers) >= KEPT_MAX:
            answers.clear()
        # The expression is kept, too, so nothing else gets its identity.
        answers[id(expr)] = expr, value
        return value

    return answer
