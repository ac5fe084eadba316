"""What the agent sees at one loop: the states that runs reach there, and the values of expressions in them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from idg.engine.states.runs import RunPool
from idg.sip.checking.analysis import Loop
from idg.sip.limits import RunLimits
from idg.sip.program import Program
from idg.sip.running.codegen import CodeBase, ExpressionCompiler, entry_names, row_names
from idg.sip.running.compiler import compile_states
from idg.sip.running.runner import Row, Undefined, evaluate_rows
from idg.sip.running.runtime import KIND_OF_CAUSE, NAMESPACE
from idg.sip.syntax import Assign, Call, Cassign, Expr, Name, Number, Return, Type, Var
from idg.sip.trees.entry import column_leaf, entry_column
from idg.sip.trees.traverse import (
    changed,
    expressions,
    function_expressions,
    names,
    names_and_olds,
    statement_expressions,
    statements,
)
from idg.sip.values import Scalar, Value, cells

EVALUATION_LIMITS = RunLimits(steps_max=2_000, rows_max=2_000)
"""What helpers may spend when an expression is evaluated on one row."""
ROWS_MAX = 800
"""States on which candidates are tried before they are proposed: about this many, more only where `add` brings them. The engine
tries all states that it knows."""
FEW_ROWS = 60
"""States on which candidates are tried first, because most wrong ones fail there."""


class LoopView:
    """A loop with the states that were reached at its head, as rows.

    The columns of a row are the visible variables, followed by the entry values old(x) of the parameters that the program assigns.
    """

    def __init__(self, program: Program, loop: Loop, pool: RunPool, seen: frozenset[str]) -> None:
        self.program = program
        self.loop = loop
        self.number = loop.number
        self.assigned_params = pool.assigned_params
        self.names = (*loop.columns, *map(entry_column, pool.assigned_params))
        variables = program.info.level.variables
        self.types: dict[str, Type] = {name: variables[name] for name in loop.columns}
        self.types |= {entry_column(name): variables[name] for name in pool.assigned_params}
        self.index = {name: column for column, name in enumerate(self.names)}
        self.changing = changed(loop.statement.body)
        """The variables that a turn may change."""
        self.arrays = tuple(name for name in self.names if self.types[name].element is not None)
        """The columns of arrays."""
        self.lengths: dict[str, Expr] = {f"len({name})": Call("len", (Name(name),)) for name in self.arrays if name in loop.columns}
        """The lengths of the arrays, as texts and as expressions. They are columns, too, for whoever asks for them by name."""
        self.numeric = tuple(
            name
            for name in self.names
            if self.types[name] is not Type.BOOL and name not in self.arrays and column_leaf(name).name in seen
        )
        """The columns of numbers on which a test or the guarantee depends."""
        self.counters = tuple(name for name in self.numeric if name in loop.columns and self.types[name] is not Type.RAT)
        """The columns of whole numbers, without entry values."""
        assigned = {statement.target.name for statement in statements(program.level.body) if isinstance(statement, Assign)}
        self.booleans = tuple(name for name in self.names if self.types[name] is Type.BOOL and (name in seen or name in assigned))
        """The columns of Booleans on which something depends, or which are assigned: flags that record what happened."""
        reached = pool.reached[loop.number]
        step = max(1, -(-len(reached) // ROWS_MAX))
        chosen = [*reached[: ROWS_MAX // 2], *reached[ROWS_MAX // 2 :: step]] if step > 1 else list(reached)
        self.rows: list[Row] = [state.row for state in chosen]
        run_numbers: dict[tuple[tuple[str, Value], ...], int] = {}
        self.runs = [run_numbers.setdefault((*state.inputs.items(), ("", state.seed)), len(run_numbers)) for state in chosen]
        """For each row the number of the run that reaches it first."""

    @property
    def run_count(self) -> int:
        return len(set(self.runs))

    def add(self, rows: Sequence[tuple[Row, int]]) -> None:
        """Adds states, each with the number of its run among those of this call."""
        known = set(self.rows)
        first = max(self.runs, default=0) + 1
        fresh = list({row: run for row, run in reversed(rows) if row not in known}.items())[::-1]
        step = max(1, -(-len(fresh) // ROWS_MAX))
        for row, run in fresh[::step]:
            self.rows.append(row)
            self.runs.append(first + run)

    def can_say(self, expr: Expr) -> bool:
        """Whether every name is visible at the loop."""
        return names(expr) <= set(self.loop.columns)

    def column(self, name: str) -> list[Scalar]:
        """The values of a column of numbers or Booleans, or of a length."""
        if name in self.lengths:
            array = self.index[name[len("len(") : -1]]
            return [len(cells(row[array])) for row in self.rows]
        column = self.index[name]
        return [row[column] for row in self.scalar_rows]

    @property
    def scalar_rows(self) -> list[tuple[Scalar, ...]]:
        """The rows, for whoever looks only at columns of numbers or Booleans."""
        return cast("list[tuple[Scalar, ...]]", self.rows)

    def values(self, exprs: Sequence[Expr], rows: Sequence[Row]) -> list[list[object]]:
        """For each expression its values on the rows; Undefined where it has none.

        Expressions that cannot fail are compiled into one Python function together, because agents evaluate hundreds at once.
        """
        if not exprs:
            return []
        variables = {name: self.types[name] for name in self.loop.columns}
        columns: list[list[object]] = [[] for _ in exprs]
        base = CodeBase({})
        compiler = ExpressionCompiler(base, variables, entry_names(variables, self.assigned_params))
        codes: dict[int, str] = {}
        helpers = self.program.info.functions
        for index, expr in enumerate(exprs):
            if not any(isinstance(part, Call) and part.function in helpers for part in expressions(expr)):
                code = compiler.compile(expr)
                if code.safe:
                    codes[index] = code.text
        if codes:
            targets = "".join(f"{name}, " for name in row_names(variables, self.assigned_params))
            values = "".join(f"{code_text}, " for code_text in codes.values())
            source = f"def together(rows): return [({values}) for {targets or '_'} in rows]"
            namespace: dict[str, object] = {**NAMESPACE, **base.constants}
            exec(compile(source, "<candidates>", "exec"), namespace)
            together = namespace["together"]
            assert callable(together)
            for index, column in zip(codes, zip(*together(rows), strict=True), strict=False):
                columns[index] = list(column)
        for index, expr in enumerate(exprs):
            if index not in codes:
                compiled = compile_states(self.program.info, variables, expr, self.assigned_params)
                columns[index] = list(evaluate_rows(compiled, list(rows), {}, EVALUATION_LIMITS))
        return columns

    def masks(self, exprs: Sequence[Expr], rows: Sequence[Row], perhaps: bool = False) -> list[int]:
        """For each expression the rows on which it is true, as bits; with `perhaps` also those where it is too dear to compute."""
        columns = self.values(exprs, rows)
        if perhaps:
            return [sum(1 << row for row, value in enumerate(column) if _allows(value)) for column in columns]
        return [sum(1 << row for row, value in enumerate(column) if value is True) for column in columns]

    def holding(self, exprs: Sequence[Expr]) -> list[bool]:
        """For each expression whether it is true in every state reached, as far as that can be computed, and in one of the
        first."""
        few = self.rows[:FEW_ROWS]
        alive = [all(map(_allows, column)) and any(value is True for value in column) for column in self.values(exprs, few)]
        left = [index for index, is_alive in enumerate(alive) if is_alive]
        for index, column in zip(left, self.values([exprs[index] for index in left], self.rows[FEW_ROWS:]), strict=True):
            alive[index] = all(map(_allows, column))
        return alive


def _allows(value: object) -> bool:
    """Whether the value does not refute an expression: it is true, or it is too dear to compute, which says nothing."""
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
                flows.append(({target.name for target in targets}, used))
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
    """The whole numbers of the level's text, smallest first."""
    values = {
        part.value
        for whole in function_expressions(program.level)
        for part in expressions(whole)
        if isinstance(part, Number) and isinstance(part.value, int)
    }
    return sorted(values)
