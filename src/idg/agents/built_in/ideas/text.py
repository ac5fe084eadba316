"""Candidates from the program's text: the guarantee, the tests, the contract, and what becomes of them at a loop."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from idg.agents.built_in.ideas.weakest import weakest
from idg.agents.built_in.states.loop_view import LoopView
from idg.sip.program import Program
from idg.sip.syntax import Binary, Block, Compare, Expr, Name, Number, Stmt, While
from idg.sip.trees.build import arithmetic, replace_part, substitute
from idg.sip.trees.entry import is_entry_column
from idg.sip.trees.logic import MIRRORED, TRUE, both, either, separate_claims
from idg.sip.trees.traverse import blocks, expressions, function_expressions, links, names

ATOMS_MAX = 40
"""Comparisons of the text that are used, in the order of the text."""
RENAMED_MAX = 160
"""Comparisons with other variables that are made. Their number grows with comparisons times variables."""


def guarantee(program: Program) -> Expr:
    """The conjunction of the level's posts. Asserts come in with the statements (`goal`)."""
    conjunction: Expr = TRUE
    for post in program.level.posts:
        conjunction = both(conjunction, post)
    return conjunction


def goal(program: Program, loop: While) -> Expr | None:
    """What must hold where the loop ends so that nothing fails before the next loop, or before the end.

    None where nothing must hold, or where `weakest` gives up.
    """
    condition = _goal(program, program.level.body, loop, guarantee(program))
    return None if condition is None or condition == TRUE else condition


def _goal(program: Program, block: Block, loop: While, after: Expr | None) -> Expr | None:
    """The same for a loop inside the block; `after` is what must hold where the block ends."""
    for index, statement in enumerate(block.statements):
        rest = block.statements[index + 1 :]
        if statement is loop:
            return _up_to_loop(program, rest, after)
        inside = [inner for inner in blocks(statement) if _contains(inner, loop)]
        if inside:
            ending = _up_to_loop(program, rest, after)
            if isinstance(statement, While) and ending is not None:
                ending = either(statement.test, ending)
            return _goal(program, inside[0], loop, ending)
    return None


def _contains(block: Block, loop: While) -> bool:
    return any(statement is loop or any(_contains(inner, loop) for inner in blocks(statement)) for statement in block.statements)


def _up_to_loop(program: Program, rest: Sequence[Stmt], after: Expr | None) -> Expr | None:
    """What must hold before these statements. Where a loop follows, only the obligations before it count."""
    for index, statement in enumerate(rest):
        if _has_loop(statement):
            return weakest(program, rest[:index], TRUE)
    return None if after is None else weakest(program, rest, after)


def _has_loop(statement: Stmt) -> bool:
    return isinstance(statement, While) or any(_has_loop(inner) for block in blocks(statement) for inner in block.statements)


# atoms


def atoms(program: Program) -> list[Compare]:
    """Comparisons anywhere in the level: contract, tests, asserts. A chain such as 0 <= x < n gives its links."""
    comparisons: dict[Compare, None] = {}
    for whole in function_expressions(program.level):
        for part in expressions(whole):
            if isinstance(part, Compare):
                comparisons.update(dict.fromkeys(links(part)))
    return list(comparisons)[:ATOMS_MAX]


def exit_equations(test: Expr) -> Iterator[tuple[Expr, Name]]:
    """Pairs of a limit and the variable that likely equals it where the loop ends: n and i for the test i < n."""
    for claim in separate_claims(test):
        if isinstance(claim, Compare) and len(claim.ops) == 1:
            left, right = claim.operands
            for variable, limit, op in ((left, right, claim.ops[0]), (right, left, MIRRORED[claim.ops[0]])):
                if not isinstance(variable, Name):
                    continue
                if op in ("<", ">", "!="):
                    yield limit, variable
                elif op == "<=":
                    yield Binary("+", limit, Number(1)), variable
                    yield limit, Name(variable.name)
                elif op == ">=":
                    yield limit, variable


def relaxed(tests: Sequence[Expr]) -> Iterator[Expr]:
    """Weaker comparisons, which may still hold after the turn that makes the test false: i <= n for the test i < n."""
    for test in tests:
        match test:
            case Compare((left, right), ("<",)):
                yield Compare((left, right), ("<=",))
            case Compare((left, right), (">",)):
                yield Compare((left, right), (">=",))
            case Compare((left, right), ("<=",)):
                yield Compare((left, arithmetic("+", right, Number(1))), ("<=",))
            case Compare((left, right), (">=",)):
                yield Compare((left, arithmetic("-", right, Number(1))), (">=",))
            case Compare((left, right), ("!=",)):
                yield Compare((left, right), ("<=",))
                yield Compare((left, right), (">=",))


def generalised(view: LoopView, claims: Sequence[Expr]) -> list[Expr]:
    """The claims with a limit of the loop replaced by the variable that runs to it."""
    general: dict[Expr, None] = {}
    for limit, variable in exit_equations(view.loop.statement.test):
        for claim in claims:
            changed = replace_part(claim, limit, variable)
            # Where the limit is n + 1 and the claim speaks of n, the variable less one stands for n.
            if isinstance(limit, Binary) and limit.op == "+" and changed == claim:
                changed = replace_part(claim, limit.left, Binary("-", variable, Number(1)))
            if changed != claim and view.can_say(changed):
                general[changed] = None
    return list(general)


def renamed(view: LoopView, claims: Sequence[Expr]) -> list[Expr]:
    """The claims about other variables, because what holds of a variable may hold of the one that it is copied to."""
    changed_claims: dict[Expr, None] = {}
    others = [name for name in view.numeric if not is_entry_column(name)]
    for claim in claims:
        for name in sorted(names(claim)):
            for other in others:
                if other != name and len(changed_claims) < RENAMED_MAX:
                    changed = substitute(claim, {name: Name(other)})
                    if view.can_say(changed):
                        changed_claims[changed] = None
    return list(changed_claims)
