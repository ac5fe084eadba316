"""Candidates from the program's text: the guarantee, the tests, the contract, and what becomes of them at a loop."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from idg.agents.built_in.ideas.weakest import weakest
from idg.agents.built_in.states.loop_view import LoopView
from idg.sip.build import arithmetic, replace_part, substitute
from idg.sip.logic import MIRRORED, TRUE, both, either, separate_claims
from idg.sip.program import Program
from idg.sip.syntax import Binary, Block, Compare, Expr, Name, Number, Stmt, While
from idg.sip.traverse import blocks, expressions, function_expressions, links, names

ATOMS_MAX = 40
RENAMED_MAX = 160


def guarantee(program: Program) -> Expr:
    found: Expr = TRUE
    for each in program.level.posts:
        found = both(found, each)
    return found


def goal(program: Program, loop: While) -> Expr | None:
    """What must hold where the loop ends, for what comes after it up to the next loop; None where that cannot be said simply."""
    found = _goal(program, program.level.body, loop, guarantee(program))
    return None if found is None or found == TRUE else found


def _goal(program: Program, block: Block, loop: While, after: Expr | None) -> Expr | None:
    for at, statement in enumerate(block.statements):
        rest = block.statements[at + 1 :]
        if statement is loop:
            return _upto_loop(program, rest, after)
        inside = [each for each in blocks(statement) if _contains(each, loop)]
        if inside:
            if isinstance(statement, While):
                outer = _upto_loop(program, rest, after)
                ending = None if outer is None else either(statement.test, outer)
            else:
                ending = _upto_loop(program, rest, after)
            return _goal(program, inside[0], loop, ending)
    return None


def _contains(block: Block, loop: While) -> bool:
    return any(each is loop or any(_contains(inner, loop) for inner in blocks(each)) for each in block.statements)


def _upto_loop(program: Program, rest: Sequence[Stmt], after: Expr | None) -> Expr | None:
    """Through the statements up to the next loop; what is obliged before it is all that counts then."""
    for at, statement in enumerate(rest):
        if _has_loop(statement):
            return weakest(program, rest[:at], TRUE)
    return None if after is None else weakest(program, rest, after)


def _has_loop(statement: Stmt) -> bool:
    return isinstance(statement, While) or any(_has_loop(each) for block in blocks(statement) for each in block.statements)


# atoms


def atoms(program: Program) -> list[Compare]:
    """Comparisons anywhere in the level: contract, tests, asserts."""
    found: dict[Compare, None] = {}
    for whole in function_expressions(program.level):
        for each in expressions(whole):
            if isinstance(each, Compare):
                found.update(dict.fromkeys(links(each)))
    return list(found)[:ATOMS_MAX]


def exit_equations(test: Expr) -> Iterator[tuple[Expr, Name]]:
    """From a test such as i < n: at the end i is likely n. Pairs of what stands there and the variable that becomes it."""
    for each in separate_claims(test):
        if isinstance(each, Compare) and len(each.ops) == 1:
            left, right = each.operands
            for variable, limit, op in ((left, right, each.ops[0]), (right, left, MIRRORED[each.ops[0]])):
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
    """Comparisons that may still hold after the turn that ends them."""
    for each in tests:
        match each:
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
    found: dict[Expr, None] = {}
    for limit, variable in exit_equations(view.loop.statement.test):
        for each in claims:
            changed = replace_part(each, limit, variable)
            if isinstance(limit, Binary) and limit.op == "+" and changed == each:
                changed = replace_part(each, limit.left, Binary("-", variable, Number(1)))
            if changed != each and view.can_say(changed):
                found[changed] = None
    return list(found)


def renamed(view: LoopView, claims: Sequence[Expr]) -> list[Expr]:
    """The claims about another variable: what holds of one may hold of the one that it is copied to."""
    found: dict[Expr, None] = {}
    others = [name for name in view.numeric if not name.startswith("old(")]
    for each in claims:
        for name in sorted(names(each)):
            for other in others:
                if other != name and len(found) < RENAMED_MAX:
                    changed = substitute(each, {name: Name(other)})
                    if view.can_say(changed):
                        found[changed] = None
    return list(found)
