"""GenCheckVCs: a list of statements that ends in one assert → what has to be proved, the one door of the paper."""

from __future__ import annotations

from collections.abc import Sequence

from idg.sip.checking.analysis import ModuleInfo
from idg.sip.syntax import Assert, Block, Expr, Stmt
from idg.vc.query import Query
from idg.vc.symbolic import NO_INVARIANTS, Executor, Invariants, Path


def gen_check_vcs(info: ModuleInfo, statements: Sequence[Stmt], invariants: Invariants = NO_INVARIANTS) -> list[Query]:
    """That the assert at the end holds whenever it is reached, from any values of the level's variables.

    What the statements before it oblige to (divisors, narrowing, callees' pres, asserts) counts as checked. Loops stand for their
    summaries.
    """
    assert statements, "there must be a statement"
    assert isinstance(statements[-1], Assert), "the last statement must be an assert"
    executor = Executor(info, info.level, invariants)
    values: dict[str, Expr] = {name: executor.fresh(name, kind) for name, kind in info.level.variables.items()}
    for param in info.level.function.params:
        unchanged = param.name not in info.level.assigned
        executor.entry[param.name] = values[param.name] if unchanged else executor.fresh(param.name, param.type, numbered=True)
    paths = executor.block(Block(tuple(statements[:-1])), [Path(values)])
    return [query for path in paths for query in executor.holds(statements[-1].condition, path)]
