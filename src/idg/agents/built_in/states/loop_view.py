"""What an agent sees at one loop: the states that runs reach, as columns, and expressions evaluated on them."""

from __future__ import annotations

from collections.abc import Sequence

from idg.engine.runs import RunPool
from idg.sip.checking.analysis import Loop
from idg.sip.entry import column_leaf, entry_column
from idg.sip.limits import RunLimits
from idg.sip.program import Program
from idg.sip.running.codegen import CodeBase, ExpressionCompiler, entry_names, row_names
from idg.sip.running.compiler import compile_states
from idg.sip.running.runner import Row, Undefined, evaluate_rows
from idg.sip.running.runtime import KIND_OF_CAUSE, NAMESPACE
from idg.sip.syntax import Assign, Call, Cassign, Expr, Number, Return, Type, Var
from idg.sip.traverse import changed, expressions, function_expressions, names, names_and_olds, statement_expressions, statements
from idg.sip.values import Value

EVALUATION_LIMITS = RunLimits(steps_max=2_000, rows_max=2_000)
ROWS_MAX = 800
"""States that candidates are tried on before they are proposed; the engine tries all."""


class LoopView:
    """A loop with the states that were reached at its head. Columns: the visible variables, then old(x) of assigned parameters."""

    def __init__(self, program: Program, loop: Loop, pool: RunPool, seen: frozenset[str]) -> None:
        self.program = program
        self.loop = loop
        self.number = loop.number
        self.assigned_params = pool.assigned_params
        self.names = (*loop.columns, *map(entry_column, pool.assigned_params))
        variables = program.info.level.variables
        self.types: dict[str, Type] = {name: variables[name] for name in loop.columns}
        self.types |= {entry_column(name): variables[name] for name in pool.assigned_params}
        self.index = {name: at for at, name in enumerate(self.names)}
        self.changing = changed(loop.statement.body)
        """What a turn may change."""
        self.numeric = tuple(name for name in self.names if self.types[name] is not Type.BOOL and column_leaf(name).name in seen)
        told = {each.target.name for each in statements(program.level.body) if isinstance(each, Assign)}
        self.booleans = tuple(name for name in self.names if self.types[name] is Type.BOOL and (name in seen or name in told))
        reached = pool.reached[loop.number - 1]
        every = max(1, -(-len(reached) // ROWS_MAX))
        chosen = [*reached[: ROWS_MAX // 2], *reached[ROWS_MAX // 2 :: every]] if every > 1 else list(reached)
        self.rows: list[Row] = [each.row for each in chosen]
        numbers: dict[tuple[tuple[str, Value], ...], int] = {}
        self.runs = [numbers.setdefault((*each.inputs.items(), ("", each.seed)), len(numbers)) for each in chosen]
        """For each row the run, by a number, that reaches it first."""

    @property
    def run_count(self) -> int:
        return len(set(self.runs))

    def add(self, rows: Sequence[tuple[Row, int]]) -> None:
        """Further states, each with the number of its run."""
        known = set(self.rows)
        first = max(self.runs, default=0) + 1
        fresh = list({row: run for row, run in reversed(rows) if row not in known}.items())[::-1]
        every = max(1, -(-len(fresh) // ROWS_MAX))
        for row, run in fresh[::every]:
            self.rows.append(row)
            self.runs.append(first + run)

    def can_say(self, expr: Expr) -> bool:
        """Whether every name is visible at the loop."""
        return names(expr) <= set(self.loop.columns)

    def column(self, name: str) -> list[Value]:
        at = self.index[name]
        return [row[at] for row in self.rows]

    def values(self, exprs: Sequence[Expr], rows: Sequence[Row]) -> list[list[object]]:
        """For each expression its values on the rows; Undefined where there is none."""
        if not exprs:
            return []
        variables = {name: self.types[name] for name in self.loop.columns}
        found: list[list[object]] = [[] for _ in exprs]
        base = CodeBase({})
        compiler = ExpressionCompiler(base, variables, entry_names(variables, self.assigned_params))
        codes: dict[int, str] = {}
        helpers = self.program.info.functions
        for at, each in enumerate(exprs):
            if not any(isinstance(part, Call) and part.function in helpers for part in expressions(each)):
                code = compiler.compile(each)
                if code.safe:
                    codes[at] = code.text
        if codes:
            targets = "".join(f"{name}, " for name in row_names(variables, self.assigned_params))
            values = "".join(f"{each}, " for each in codes.values())
            source = f"def together(rows): return [({values}) for {targets or '_'} in rows]"
            namespace: dict[str, object] = {**NAMESPACE, **base.constants}
            exec(compile(source, "<candidates>", "exec"), namespace)
            together = namespace["together"]
            assert callable(together)
            for at, column in zip(codes, zip(*together(rows), strict=True), strict=False):
                found[at] = list(column)
        for at, each in enumerate(exprs):
            if at not in codes:
                compiled = compile_states(self.program.info, variables, each, self.assigned_params)
                found[at] = list(evaluate_rows(compiled, list(rows), {}, EVALUATION_LIMITS))
        return found

    def masks(self, exprs: Sequence[Expr], rows: Sequence[Row], perhaps: bool = False) -> list[int]:
        """For each expression the rows on which it is true, as bits; with `perhaps` also where that is too much to compute."""
        columns = self.values(exprs, rows)
        if perhaps:
            return [sum(1 << at for at, value in enumerate(column) if _allows(value)) for column in columns]
        return [sum(1 << at for at, value in enumerate(column) if value is True) for column in columns]

    def holding(self, exprs: Sequence[Expr]) -> list[bool]:
        """Which expressions are true in every state reached; on a few first, for most wrong ones fail there."""
        few = self.rows[:60]
        alive = [all(map(_allows, column)) and any(value is True for value in column) for column in self.values(exprs, few)]
        left = [at for at, each in enumerate(alive) if each]
        for at, column in zip(left, self.values([exprs[at] for at in left], self.rows[60:]), strict=True):
            alive[at] = all(map(_allows, column))
        return alive


def _allows(value: object) -> bool:
    """True, or too much to compute: that says nothing."""
    return value is True or (isinstance(value, Undefined) and KIND_OF_CAUSE[value.cause] == "bound")


def seen_names(program: Program) -> frozenset[str]:
    """Variables that a test, an assert or a post depends on, directly or through assignments."""
    flows: list[tuple[set[str], set[str]]] = []
    seen = set().union(*map(names_and_olds, program.level.posts))
    for statement in statements(program.level.body):
        used = set().union(*map(names_and_olds, statement_expressions(statement)))
        match statement:
            case Assign(target):
                flows.append(({target.name}, used))
            case Cassign(targets) | Var(targets):
                flows.append(({each.name for each in targets}, used))
            case Return():
                flows.append(({"result"}, used))
            case _:
                seen |= used
    growing = True
    while growing:
        growing = False
        for written, used in flows:
            if written & seen and not used <= seen:
                seen |= used
                growing = True
    return frozenset(seen)


def numbers(program: Program) -> list[int]:
    """Whole numbers of the text, smallest first."""
    found = {
        each.value
        for whole in function_expressions(program.level)
        for each in expressions(whole)
        if isinstance(each, Number) and isinstance(each.value, int)
    }
    return sorted(found)
