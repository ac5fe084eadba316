"""Puts traces into a C function: calls that show the variables at each turn of a loop and after each loop.

The same tree with traces is written as C and read as SIP, so that runs of both can be compared. A value that may be anything comes
from a function of a seed, of the place in the text, and of the number of traces so far. So it does not matter in which order, or
whether, such values are asked for.
"""

from __future__ import annotations

from typing import Any

from idg.importer.c.numbers.c_types import CType
from idg.importer.c.text.source import TRACE, c_ast
from idg.importer.c.text.trees import ids
from idg.sip.record import Record
from idg.sip.syntax import Assign, Block, Branch, Cassign, If, Number, Print, Stmt, Var, While
from idg.sip.trees.traverse import names

TRACE_MARK = 10**40
"""The first number of a traced line in SIP is this plus the number of the trace. So the line is none of a printf."""
CELLS_SHOWN_MAX = 6
"""Cells of an array that a trace shows, the first ones."""
_LOOPS = (c_ast.While, c_ast.For, c_ast.DoWhile)
_BITS = (1 << 64) - 1
"""All 64 bits: the arithmetic below is that of unsigned numbers of 64 bits."""


class InputSite(Record):
    """A place in the text from which a value comes that may be anything, and the bounds of such values."""

    line: int
    column: int
    low: int
    high: int
    fixed: bool
    """Whether the value is the same whatever was traced before."""
    target: CType
    """The type of the variable in SIP, to which the value is converted."""


class Tracing:
    """What the reader of a tree with traces needs to know, and where it notes the sites of choices."""

    def __init__(self, inputs: frozenset[str]) -> None:
        self.inputs = inputs
        """Variables that have a value from the start."""
        self.sites: dict[str, InputSite] = {}
        self.counter = ""
        """The variable of the SIP program that counts the traces."""


def value_at(seed: int, site: InputSite, traced: int) -> int:
    """The value that comes from a site after so many traces. The C program computes the same."""
    first = _mixed(_mixed(_mixed(_mixed(seed) + site.line) + site.column) + (0 if site.fixed else traced))
    second = _mixed(first)
    case = first % 16
    signed = site.low < 0
    if case < 8:
        value = second % 8 - (2 if signed else 0)
    elif case < 12:
        value = second % 41 - (20 if signed else 0)
    elif case < 14:
        value = second % 2001 - (1000 if signed else 0)
    elif case == 14:
        value = site.high - second % 3 if (second >> 8) & 1 else site.low + second % 3
    else:
        value = site.low + second % (site.high - site.low + 1)
    return value if site.low <= value <= site.high else site.low + second % (site.high - site.low + 1)


def _mixed(number: int) -> int:
    """A step of SplitMix64, a generator of random numbers."""
    number = (number + 0x9E3779B97F4A7C15) & _BITS
    number = ((number ^ (number >> 30)) * 0xBF58476D1CE4E5B9) & _BITS
    number = ((number ^ (number >> 27)) * 0x94D049BB133111EB) & _BITS
    return number ^ (number >> 31)


# Traces in the tree


def add_traces(function: Any, file_variables: list[str]) -> None:
    """Puts calls of TRACE into a function. Their arguments are the number of the trace and the variables that C sees there."""
    used = {name.name for name in ids(function.body)}
    declared = function.decl.type.args
    named = [param for param in (declared.params if declared else []) if getattr(param, "name", None)]
    params = [shown for param in named for shown in shown_of(param)]
    _Inserter().block(function.body, [shown for shown in dict.fromkeys([*file_variables, *params]) if _variable_of(shown) in used])


def shown_of(declaration: Any) -> list[str]:
    """What a trace shows of a declared variable: itself, or the first cells of an array."""
    if isinstance(declaration.type, c_ast.TypeDecl):
        return [declaration.name]
    if not isinstance(declaration.type, c_ast.ArrayDecl):
        return []
    if isinstance(declaration.type.dim, c_ast.ID) or (declaration.type.dim is None and declaration.init is None):
        return [f"{declaration.name}[0]"]  # It is a parameter, and not empty in the runs that are compared.
    if not isinstance(declaration.type.dim, c_ast.Constant):
        return []
    return [f"{declaration.name}[{place}]" for place in range(min(CELLS_SHOWN_MAX, int(declaration.type.dim.value, 0)))]


def _shown_of_local(declaration: Any) -> list[str]:
    """The same for a variable of a block. One whose length is computed may have no cells."""
    return [] if isinstance(getattr(declaration.type, "dim", None), c_ast.ID) else shown_of(declaration)


def _variable_of(shown: str) -> str:
    return shown.partition("[")[0]


def _shown(shown: str, coord: Any) -> Any:
    name, _, place = shown.removesuffix("]").partition("[")
    variable = c_ast.ID(name, coord)
    return c_ast.ArrayRef(variable, c_ast.Constant("int", place, coord), coord) if place else variable


class _Inserter:
    def __init__(self) -> None:
        self.count = 0

    def trace(self, visible: list[str], coord: Any) -> Any:
        self.count += 1
        arguments = [c_ast.Constant("int", str(self.count), coord), *(_shown(shown, coord) for shown in visible)]
        return c_ast.FuncCall(c_ast.ID(TRACE, coord), c_ast.ExprList(arguments, coord), coord)

    def block(self, node: Any, visible: list[str]) -> None:
        visible = list(visible)
        items: list[Any] = []
        for item in node.block_items or []:
            items.append(item)
            if isinstance(item, c_ast.Decl) and not isinstance(item.type, c_ast.FuncDecl) and "extern" not in item.storage:
                visible = [*(shown for shown in visible if _variable_of(shown) != item.name), *_shown_of_local(item)]
            self.statement(item, visible)
            if isinstance(item, _LOOPS):
                items.append(self.trace(visible, item.coord))
        node.block_items = items

    def statement(self, node: Any, visible: list[str]) -> None:
        match node:
            case c_ast.Compound():
                self.block(node, visible)
            case c_ast.If():
                for branch in (node.iftrue, node.iffalse):
                    self.statement(branch, visible)
            case c_ast.Label():
                self.statement(node.stmt, visible)
            case c_ast.While() | c_ast.For() | c_ast.DoWhile():
                self.loop(node, visible)

    def loop(self, node: Any, visible: list[str]) -> None:
        if isinstance(node, c_ast.For) and isinstance(node.init, c_ast.DeclList):
            own = [declaration.name for declaration in node.init.decls]
            visible = [*(shown for shown in visible if _variable_of(shown) not in own), *own]
        self.statement(node.stmt, visible)
        node.stmt = c_ast.Compound([self.trace(visible, node.coord), node.stmt], node.coord)


# Traces in SIP


def with_assigned_only(body: tuple[Stmt, ...], known: set[str]) -> tuple[Stmt, ...]:
    """The statements, in which traces show only variables that surely have a value; each gets its index in front."""
    return _filtered(body, set(known))[0]


def _filtered(body: tuple[Stmt, ...], known: set[str]) -> tuple[tuple[Stmt, ...], set[str]]:
    result: list[Stmt] = []
    for statement in body:
        match statement:
            case Assign(target):
                known = known | {target.name}
            case Cassign(targets) | Var(targets):
                known = known | {target.name for target in targets}
            case Print((Number(mark), *values)) if mark >= TRACE_MARK:
                shown = [(index, value) for index, value in enumerate(values) if names(value) <= known]
                pairs = [part for index, value in shown for part in (Number(index), value)]
                statement = Print((Number(mark), *pairs))
            case If(branches, otherwise):
                parts = [_filtered(branch.body.statements, known) for branch in branches]
                last, after = _filtered(otherwise.statements, known)
                made = tuple(Branch(branch.test, Block(part[0])) for branch, part in zip(branches, parts, strict=True))
                statement = If(made, Block(last))
                known = after.intersection(*(part[1] for part in parts))
            case While(invariant, test, inner):
                statement = While(invariant, test, Block(_filtered(inner.statements, known)[0]), measure=statement.measure)
        result.append(statement)
    return tuple(result), known
