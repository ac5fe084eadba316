"""Functions → Python source, which is compiled once and run many times.

A loop becomes `for _ in heads`. The iterator `heads` counts how often loop heads are reached. All loops of a run share it, and it
costs next to nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from idg.sip.checking.analysis import FunctionInfo, ModuleInfo
from idg.sip.checking.types import BOOL, INT, NAT, RAT, fits, is_integer
from idg.sip.limits import NUMBER_BITS_MAX, VARIABLE_BITS_MAX
from idg.sip.record import Record
from idg.sip.running.codegen import COMPARE, NOT, CodeBase, ExpressionCompiler, Site, entry_names, row_names
from idg.sip.running.runtime import NAMESPACE
from idg.sip.syntax import (
    Assert,
    Assign,
    Assume,
    Binary,
    Block,
    Boolean,
    Break,
    Call,
    Cassign,
    Claim,
    Compare,
    Expr,
    Function,
    If,
    Name,
    Print,
    Quantified,
    Return,
    SetCell,
    Span,
    Stmt,
    Swap,
    Type,
    Var,
    While,
)
from idg.sip.trees.traverse import always_returns, called, conjuncts, expressions, names, undetermined
from idg.sip.values import zero

NESTED_BRANCHES_MAX = 8
"""Branches of an `if` that become one chain of Python's elif. An `if` with more branches is compiled in another way."""
FILENAME = "<sip>"
"""The file name of generated code, by which its frames are found in a traceback."""
_LEVEL, _ROWS = "f_0", "f_1"
"""The names of the functions that are called from outside. No function of a program can be called 0 or 1."""


class Compiled(Record):
    """Generated code."""

    entry: Callable[..., object]
    """The function that is called from outside."""
    sites: tuple[Site, ...]
    """The places at which it may stop."""


class Choice(Record):
    """A cassign, or a declaration without a value, as generated code hands it to the run."""

    names: tuple[str, ...]
    types: tuple[Type, ...]
    condition: Expr


def compile_level(info: ModuleInfo, *, record: bool, claims: bool = False) -> Compiled:
    """The level and its helpers. `record`: whether the states at loop heads are kept; `claims`: whether claims are checked."""
    base = CodeBase(_functions(info))
    level = info.level
    lines: list[str] = []
    has_recursion = any(map(info.calls.is_recursive, info.calls.groups))
    called_by_some = frozenset().union(*(called(function.function) for function in info.functions.values()))
    for function in info.functions.values():
        if function is not level or level.function.name in called_by_some:
            keeps_open = record and has_recursion
            lines += _FunctionCompiler(base, function, record=record, claims=claims, keeps_open_calls=keeps_open).compile()
    lines += _FunctionCompiler(base, level, is_level=True, record=record, claims=claims).compile()
    return _execute(base, lines, _LEVEL)


def compile_rows(info: ModuleInfo, columns: tuple[str, ...], params: Mapping[str, Type], expr: Expr) -> Compiled:
    """A function that evaluates the expression on every row of a table: f(R, rows, results, entry values of all params…)."""
    arguments = {name: f"o_{name}" for name in params}
    return _compile_rows(
        info, {**params, **info.level.variables}, columns, row_names(columns, ()), arguments, expr, [*arguments.values()]
    )


def compile_states(
    info: ModuleInfo | None, variables: Mapping[str, Type], expr: Expr, assigned_params: tuple[str, ...] = ()
) -> Compiled:
    """The same for rows of any variables, in which the entry values of the assigned parameters follow: f(R, rows, results)."""
    columns = tuple(variables)
    return _compile_rows(info, variables, columns, row_names(columns, assigned_params), entry_names(columns, assigned_params), expr)


def _compile_rows(
    info: ModuleInfo | None,
    variables: Mapping[str, Type],
    columns: tuple[str, ...],
    targets: list[str],
    entry_values: Mapping[str, str],
    expr: Expr,
    arguments: Sequence[str] = (),
) -> Compiled:
    """`targets`: the Python names to which the values of a row are assigned; `arguments`: the other arguments of the function."""
    base = CodeBase(_functions(info) if info else {})
    lines: list[str] = []
    if info and any(isinstance(part, Call) and part.function in base.functions for part in expressions(expr)):
        for function in info.functions.values():
            lines += _FunctionCompiler(base, function).compile()
    compiler = ExpressionCompiler(base, variables, entry_values)
    compiler.visible = columns
    compiler.in_program = False
    code = compiler.compile(expr)
    uses_steps = lines or any(isinstance(part, Quantified) for part in expressions(expr))
    lines += [
        f"def {_ROWS}({', '.join(['R', 'rows', 'results', *arguments])}):",
        " D = 0",
        " add = results.append",
        f" for {''.join(f'{target}, ' for target in targets) or '_'} in rows:",
        "  try:",
        f"   add({f'whole({code.text})' if code.type is RAT else code.text})",
        "  except Stop as stopped:",
        "   add(R.undefined(stopped))",
        *(["  R.refuel()"] if uses_steps else []),
    ]
    return _execute(base, lines, _ROWS)


def _functions(info: ModuleInfo) -> dict[str, Function]:
    return {name: function.function for name, function in info.functions.items()}


def _execute(base: CodeBase, lines: list[str], name: str) -> Compiled:
    namespace: dict[str, object] = {**NAMESPACE, **base.constants}
    exec(compile("\n".join(lines), FILENAME, "exec"), namespace)
    entry = namespace[name]
    assert callable(entry)
    return Compiled(entry, tuple(base.sites))


class _FunctionCompiler:
    """Writes one function, line by line."""

    def __init__(
        self,
        base: CodeBase,
        info: FunctionInfo,
        *,
        is_level: bool = False,
        record: bool = False,
        claims: bool = False,
        keeps_open_calls: bool = False,
    ) -> None:
        self.info = info
        self.function = info.function
        self.is_level = is_level
        self.record = record and is_level
        self.claims = claims
        self.notes_calls = record and not is_level and bool(info.loops)
        """Whether calls of this helper are noted, because there are loops in it that people look at."""
        self.keeps_open_calls = keeps_open_calls
        """Whether it is kept which calls are open: by all helpers or by none, because a call replaces the last one at its depth."""
        self.undetermined = undetermined(info.function) if is_level else frozenset()
        """The variables whose initial values a run may choose. In helpers they are zeros, because helpers are functions."""
        self.resized = info.resized if self.record and info.loops else frozenset()
        self.lines: list[str] = []
        self.indent = 1
        self.base = base
        params = [param.name for param in self.function.params]
        entry_values = {name: f"o_{name}" if name in info.assigned else f"v_{name}" for name in params}
        self.compiler = ExpressionCompiler(base, info.variables, entry_values)
        self.loop_count = 0
        self.flag_count = 0
        """Flags of long conditionals that were made so far."""
        self.inside: list[int] = []
        """The numbers of the loops that are open."""
        self.compiler.visible = tuple(params)

    def add(self, line: str) -> None:
        self.lines.append(" " * self.indent + line)

    def compile(self) -> list[str]:
        function = self.function
        params = "".join(f", v_{param.name}" for param in function.params)
        # The bounds on integers are arguments with defaults, because Python reaches locals quicker than globals.
        name = _LEVEL if self.is_level else f"f_{function.name}"
        self.lines.append(f"def {name}(R, D, S{params}, L=LIMIT, M=-LIMIT):")
        if not self.is_level:
            self.add("if D > R.call_depth_max: stop('call-depth', S)")
            self.add("if next(R.fuel, -1) < 0: stop('steps', S)")
        arguments = "".join(f"v_{param.name}, " for param in function.params)
        if self.keeps_open_calls:
            self.add(f"R.open_calls[D] = {function.name!r}, ({arguments})")
        self.add("heads = R.fuel")
        if self.record:
            index = {loop.number: index for index, loop in enumerate(self.info.loops)}
            for loop in self.info.loops:
                self.add(f"heads{loop.number} = R.heads[{index[loop.number]}]")
                self.add(f"row{loop.number} = R.tables[{index[loop.number]}].append")
                if loop.outer:
                    self.add(f"outer{loop.number} = R.outer[{index[loop.number]}].append")
                    self.add(f"table{loop.outer} = R.tables[{index[loop.outer]}]")
        for name in self.info.assigned_params:
            self.add(f"o_{name} = v_{name}")
        if function.result:
            self.add(f"v_result = {zero(function.result)}")
        for pre in function.pres:
            self.pre(pre)
        if self.notes_calls:
            self.add(f"if R.notes_calls: R.note_call({function.name!r}, ({arguments}))")
        if "result" in self.info.assigned:
            self.compiler.visible += ("result",)
        self.block(function.body)
        if not always_returns(function.body):
            self.end()
        return self.lines

    def end(self) -> None:
        """The end of the function, wherever that is: the posts are checked, and the result is returned."""
        function = self.function
        before = self.compiler.visible
        self.compiler.visible = (*(param.name for param in function.params), *(["result"] if function.result else []))
        for post in function.posts:
            self.require(post, "post")
        self.add("return v_result" if function.result else "return")
        self.compiler.visible = before

    def pre(self, pre: Expr) -> None:
        """A pre that has no value does not hold. But a bound that is reached while it is evaluated is reported as such."""
        self.add("try:")
        self.add(f" holds = {self.compiler.compile(pre).text}")
        self.add("except Stop as stopped:")
        self.add(" if KIND_OF_CAUSE[stopped.cause] != 'failed': raise")
        self.add(" holds = False")
        if self.is_level:
            self.add(f"if not holds: stop('pre', {self.compiler.site(pre.span)})")
        else:
            self.add("if not holds: stop('callee-pre', S)")

    def require(self, condition: Expr, cause: str) -> None:
        """Stops the run where the condition is false."""
        if condition == Boolean(True):
            return
        code = self.compiler.compile(condition)
        self.add(f"if not {code.within(COMPARE)}: stop({cause!r}, {self.compiler.site(condition.span)})")

    def block(self, block: Block) -> None:
        before = self.compiler.visible
        start = len(self.lines)
        for statement in block.statements:
            self.statement(statement)
        if len(self.lines) == start:
            self.add("pass")
        self.compiler.visible = before

    def inner_block(self, block: Block) -> None:
        self.indent += 1
        self.block(block)
        self.indent -= 1

    def statement(self, statement: Stmt) -> None:
        match statement:
            case Var(names, kind, value) if value is None:
                self.undetermined_declaration(names, kind, statement.length)
            case Var(names, kind, value) if value is not None:
                self.store(names[0].name, kind, value)
                for name in names[1:]:
                    self.add(f"v_{name.name} = v_{names[0].name}")
                self.compiler.visible += tuple(name.name for name in names)
            case Assign(target, value):
                self.store(target.name, self.info.variables[target.name], value)
            case SetCell(array, index, value):
                self.set_cell(array.name, index, value, statement.span)
            case Swap(array, left, right):
                cells = f"v_{array.name}, {self.compiler.compile(left).text}, {self.compiler.compile(right).text}"
                self.add(f"v_{array.name} = swap_cells({cells}, {self.compiler.site(statement.span)})")
            case Return(value):
                assert self.function.result is not None
                self.store("result", self.function.result, value)
                self.end()
            case Break():
                self.add("break")
            case If():
                self.conditional(statement)
            case While():
                self.loop(statement)
            case Print(values):
                codes = "".join(self.compiler.compile(value).text + ", " for value in values)
                self.add(f"R.print(({codes}), {self.compiler.site(statement.span)})")
            case Assume(condition):
                self.require(condition, "assume")
            case Assert(condition):
                self.require(condition, "assert")
            case Claim(condition):
                if self.claims:
                    self.require(condition, "claim")
            case Cassign():
                self.choice(statement)

    def undetermined_declaration(self, names: tuple[Name, ...], kind: Type, length: Expr | None) -> None:
        """A declaration without a value."""
        given, cells = str(zero(kind)), ""
        if length is not None:
            assert kind.element is not None, "only arrays have a length"
            code = self.compiler.stored(self.compiler.compile(length), NAT, length.span)
            self.add(f"t = array_length({code}, {self.compiler.site(length.span)})")
            given, cells = f"({zero(kind.element)},) * t", ", t"
        self.add("".join(f"v_{name.name} = " for name in names) + given)
        chosen = tuple(name.name for name in names if name.name in self.undetermined)
        if chosen:
            choice = Choice(chosen, (kind,) * len(chosen), Boolean(True))
            self.add("".join(f"v_{name}, " for name in chosen) + f"= R.initial({self.base.constant(choice)}{cells})")
        self.compiler.visible += tuple(name.name for name in names)

    def set_cell(self, array: str, index: Expr, value: Expr, span: Span) -> None:
        element = self.info.variables[array].element
        assert element is not None, "the checker lets only cells of arrays be assigned"
        place = self.compiler.compile(index).text
        stored = self.compiler.stored(self.compiler.compile(value), element, value.span)
        self.add(f"v_{array} = set_cell(v_{array}, {place}, {stored}, {self.compiler.site(span)})")

    def store(self, name: str, target: Type, value: Expr) -> None:
        if target.element:
            self.add(f"v_{name} = {self.compiler.compile(value).text}")
            return
        if target is not RAT and isinstance(value, Binary) and value.op == "/" and self.exact_quotient(name, target, value):
            return
        code = self.compiler.compile(value)
        fitting = fits(code.type, target)
        if fitting and code.type is not RAT and (target is BOOL or code.bits <= VARIABLE_BITS_MAX):
            self.add(f"v_{name} = {code.text}")
            return
        if target is RAT:
            self.add(f"v_{name} = store_rat({code.text}, {self.compiler.site(value.span)})")
            return
        if not is_integer(code.type):
            self.add(f"v_{name} = {self.compiler.stored(code, target, value.span)}")
            return
        self.add(f"t = {code.text}")
        self.check_and_store(name, target, value.span)

    def exact_quotient(self, name: str, target: Type, value: Binary) -> bool:
        """Compiles `x := a / b` with whole a, b and x, which needs no Fraction. False where it is something else."""
        left, right = self.compiler.compile(value.left), self.compiler.compile(value.right)
        if not (is_integer(left.type) and is_integer(right.type)) or left.bits + right.bits >= NUMBER_BITS_MAX:
            return False
        sites = f"{self.compiler.site(value.span)}, {self.compiler.site(value.span)}"
        self.add(f"t = divide_exactly({left.text}, {right.text}, {sites})")
        self.check_and_store(name, target, value.span)
        return True

    def check_and_store(self, name: str, target: Type, span: Span) -> None:
        site = self.compiler.site(span)
        if target is NAT:
            self.add(f"if not -1 < t < L: misfit(t, {site})")
        else:
            assert target is INT
            self.add(f"if not M < t < L: too_large({site})")
        self.add(f"v_{name} = t")

    def conditional(self, statement: If) -> None:
        if len(statement.branches) > NESTED_BRANCHES_MAX:
            self.long_conditional(statement)
            return
        word = "if"
        for branch in statement.branches:
            self.add(f"{word} {self.compiler.compile(branch.test).text}:")
            self.inner_block(branch.body)
            word = "elif"
        if statement.otherwise.statements:
            self.add("else:")
            self.inner_block(statement.otherwise)

    def long_conditional(self, statement: If) -> None:
        """Compiles many branches without nesting. To Python an elif is an if inside an else, and it refuses very deep programs."""
        self.flag_count += 1
        waiting = f"waiting{self.flag_count}"
        self.add(f"{waiting} = True")
        for branch in statement.branches:
            self.add(f"if {waiting} and {self.compiler.compile(branch.test).within(NOT)}:")
            self.add(f" {waiting} = False")
            self.inner_block(branch.body)
        if statement.otherwise.statements:
            self.add(f"if {waiting}:")
            self.inner_block(statement.otherwise)

    def loop(self, loop: While) -> None:
        index = self.loop_count
        self.loop_count += 1
        number = self.info.loops[index].number
        test_site = self.compiler.site(loop.test.span)
        self.add(f"for _ in heads{number if self.record else ''}:")
        self.indent += 1
        if self.record:
            columns = self.info.loops[index].columns
            if self.resized:
                self.add(f"R.use_cells({test_site}, {index}, {self.resized_cells(columns)})")
            self.add(f"row{number}(({''.join(f'v_{name}, ' for name in columns)}))")
            if self.inside:
                self.add(f"outer{number}(len(table{self.inside[-1]}) - 1)")
        if loop.invariant is not None:
            self.require(loop.invariant, "invariant")
        if loop.test != Boolean(True):
            self.add(f"if not {self.compiler.compile(loop.test).within(COMPARE)}: break")
        self.inside.append(number)
        self.block(loop.body)
        self.inside.pop()
        self.indent -= 1
        more = f", {self.resized_cells(self.info.loops[index].columns)}" if self.resized else ""
        self.add(f"else: R.out_of_heads({test_site}, {index if self.is_level else -1}{more})")

    def resized_cells(self, columns: tuple[str, ...]) -> str:
        """How many cells the arrays among the columns have whose length only the run decides."""
        return " + ".join(f"len(v_{name})" for name in columns if name in self.resized) or "0"

    def choice(self, statement: Cassign) -> None:
        names = tuple(target.name for target in statement.targets)
        choice = Choice(names, tuple(self.info.variables[name] for name in names), statement.condition)
        visible = self.compiler.visible
        state = ", ".join(f"{name!r}: v_{name}" for name in visible)
        chosen = ", ".join(f"v_{name}" for name in names)
        condition = self.compiler.compile(statement.condition).text
        solved = "".join(
            f"({names.index(name)}, lambda {chosen}: {self.compiler.compile(value).text}), "
            for name, value in definitions(names, statement.condition)
        )
        site = self.compiler.site(statement.span)
        self.add(
            f"({chosen},) = R.choose({self.base.constant(choice)}, {{{state}}}, lambda {chosen}: {condition}, ({solved}), {site})"
        )


def definitions(names: tuple[str, ...], condition: Expr) -> list[tuple[str, Expr]]:
    """Conjuncts `x = e` that define a chosen variable x by the others, in an order in which they can be computed.

    A search then only has to guess the other variables. A variable is defined at most once, and never by itself, even indirectly.
    """
    fixed: dict[str, Expr] = {}
    for conjunct in conjuncts(condition):
        if not (isinstance(conjunct, Compare) and conjunct.ops == ("=",)):
            continue
        for this, other in (conjunct.operands, conjunct.operands[::-1]):
            if isinstance(this, Name) and this.name in names and this.name not in fixed and this.name not in _uses(other, fixed):
                fixed[this.name] = other
                break
    uses = {name: _uses(value, {}) for name, value in fixed.items()}
    ordered: list[tuple[str, Expr]] = []
    while fixed:
        name = next(name for name in fixed if not uses[name] & fixed.keys())
        ordered.append((name, fixed.pop(name)))
    return ordered


def _uses(expr: Expr, fixed: Mapping[str, Expr]) -> set[str]:
    """The variables on which the expression depends, directly or through definitions."""
    variables: set[str] = set()
    waiting = [expr]
    while waiting:
        used = names(waiting.pop()) - variables
        waiting += (fixed[name] for name in used if name in fixed)
        variables |= used
    return variables
