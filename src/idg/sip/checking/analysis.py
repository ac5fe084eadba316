"""Checks whole programs, and finds what everything later must know of a function: its variables and its loops."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Set

from idg.sip.checking.calls import CallGraph, call_graph
from idg.sip.checking.checker import (
    ASSUMPTION,
    CODE,
    CONDITION,
    FACT,
    Place,
    Scope,
    check_boolean,
    check_expression,
    check_index,
    check_value,
    is_like,
    near_name,
    quote,
)
from idg.sip.checking.types import with_article
from idg.sip.errors import Problem, problem
from idg.sip.limits import VARIABLES_MAX
from idg.sip.operators import FUNCTIONS
from idg.sip.record import Record, replace
from idg.sip.syntax import (
    Assert,
    Assign,
    Assume,
    Block,
    Break,
    Cassign,
    Claim,
    Expr,
    Function,
    If,
    Module,
    Name,
    Print,
    Return,
    SetCell,
    Span,
    Stmt,
    Swap,
    Type,
    Var,
    While,
)
from idg.sip.trees.traverse import always_returns, assigned, changed_as_a_whole, statements


class Loop(Record):
    number: int
    """From 1: first the loops of the level in the order of their `while`s, then those of the helpers in the order of the text."""
    function: str
    """The name of the function that it belongs to."""
    statement: While
    columns: tuple[str, ...]
    """The variables visible at the loop head."""
    outer: int | None
    """The number of the enclosing loop."""


class FunctionInfo(Record):
    function: Function
    variables: Mapping[str, Type]
    """The types of the parameters, of `result` where the function has a type, and of all local variables."""
    assigned: frozenset[str]
    """The variables to which the body gives a value."""
    loops: tuple[Loop, ...]

    @property
    def assigned_params(self) -> tuple[str, ...]:
        """The parameters whose values may differ from their entry values."""
        return tuple(param.name for param in self.function.params if param.name in self.assigned)

    @property
    def resized(self) -> frozenset[str]:
        """The arrays whose length only a run decides: local ones, and parameters that are assigned as a whole."""
        arrays = frozenset(name for name, kind in self.variables.items() if kind.element)
        return arrays - {param.name for param in self.function.params} | arrays & changed_as_a_whole(self.function.body)


class ModuleInfo(Record):
    module: Module
    functions: Mapping[str, FunctionInfo]
    choosing: frozenset[str]
    """The functions that use cassign, themselves or through functions that they call."""
    calls: CallGraph
    """Which functions call which."""
    loops: tuple[Loop, ...]
    """The loops of all functions, in the order of their numbers."""
    focus: str
    """The name of the function that is looked at: the level, or a helper that is looked at alone."""

    @property
    def level(self) -> FunctionInfo:
        """The function that is run and proved, and about whose loops facts are proposed."""
        return self.functions[self.focus]

    @property
    def main(self) -> str:
        """The name of the last function of the text."""
        return self.module.functions[-1].name

    def alone(self, helper: str) -> ModuleInfo:
        """The same with this helper as the level. Everything else stays: proposals may call functions that it does not call."""
        return replace(self, focus=helper)

    def scope(self, loop: Loop) -> Scope:
        """What a proposal for this loop may refer to. In a helper that is everything but the level."""
        own = self.functions[loop.function]
        params = {param.name: param.type for param in own.function.params}
        hidden = {name: "out-of-scope" for name in own.variables if name not in loop.columns}
        if "result" in hidden:
            hidden["result"] = "no-result-here"
        uncalled = "" if loop.function == self.main else self.main
        return Scope(
            {name: own.variables[name] for name in loop.columns},
            params,
            {name: info.function for name, info in self.functions.items() if name != uncalled},
            self.choosing,
            hidden,
            uncalled,
        )


def check_module(module: Module) -> tuple[ModuleInfo, list[Problem]]:
    """What is known of the module, and all problems in the order of the text."""
    problems: list[Problem] = []
    infos: dict[str, FunctionInfo] = {}
    functions = {function.name: function for function in module.functions}
    level = module.functions[-1].name
    helpers = {name: function for name, function in functions.items() if name != level}
    calls = call_graph(functions)
    choosing = calls.with_statement(Cassign)
    above: set[str] = set()
    for function in module.functions:
        name = function.name
        if name in FUNCTIONS:
            problems.append(problem("reserved-word", function.name_span, "choose another name", found=name))
        elif name in above:
            problems.append(problem("function-declared-twice", function.name_span, name=name))
        above.add(name)
        too_many = [*_declared(function)][VARIABLES_MAX:]
        if too_many:
            # The function is not checked any further, because that takes longer the more variables there are.
            problems.append(problem("too-many-variables", too_many[0], name=name, limit=VARIABLES_MAX))
            continue
        # The level may call itself, but no helper may call the level.
        known, uncalled = (functions, "") if name == level else (helpers, level)
        checker = _FunctionChecker(function, known, choosing, uncalled, above)
        infos[name] = checker.check()
        problems += checker.problems
    problems.sort(key=lambda problem: problem.span)
    loops: list[Loop] = []
    for name in sorted(infos, key=lambda name: name != level):
        infos[name] = replace(infos[name], loops=tuple(_shifted(loop, len(loops)) for loop in infos[name].loops))
        loops += infos[name].loops
    return ModuleInfo(module, infos, choosing, calls, tuple(loops), level), problems


def _shifted(loop: Loop, before: int) -> Loop:
    """A loop that was counted from the start of its function, with so many loops of other functions before it."""
    return replace(loop, number=loop.number + before, outer=None if loop.outer is None else loop.outer + before)


def _declared(function: Function) -> Iterator[Span]:
    """The places where parameters and local variables are declared."""
    yield from (param.span for param in function.params)
    for statement in statements(function.body):
        if isinstance(statement, Var):
            yield from (name.span for name in statement.names)


def _locals(function: Function) -> list[str]:
    """The local variables, as often as they are declared."""
    return [name.name for statement in statements(function.body) if isinstance(statement, Var) for name in statement.names]


class _FunctionChecker:
    """Checks one function. Walks its statements in the order of the text and keeps track of the names that may be used."""

    def __init__(
        self, function: Function, functions: Mapping[str, Function], choosing: frozenset[str], level: str, above: Set[str]
    ) -> None:
        """`level`: its name, where the function may not call it; `above`: the functions so far, whose names are taken."""
        self.function = function
        self.functions = functions
        self.choosing = choosing
        self.level = level
        self.above = above
        self.assigned = assigned(function)
        self.problems: list[Problem] = []
        self.params: dict[str, Type] = {}
        self.variables: dict[str, Type] = {}
        self.visible: dict[str, Type] = {}
        """The variables that may be used where the walk is."""
        self.hidden: dict[str, str] = {}
        """Names that exist but may not be used where the walk is, with the code of the problem."""
        self.loops: list[Loop] = []
        self.inside: list[int] = []
        """Numbers of the loops around the statement being checked."""
        self.scope = Scope(self.visible, self.params, functions, choosing, self.hidden, self.level)

    def report(self, code: str, span: Span, hint: str = "", **details: object) -> None:
        self.problems.append(problem(code, span, hint, **details))

    def check(self) -> FunctionInfo:
        function = self.function
        for param in function.params:
            self.declare(param.name, param.type, param.span)
        if function.result and function.result.element:
            self.report("array-result", function.name_span, "return a number or a Boolean")
        self.params.update(self.visible)
        self.contract()
        self.hidden.update((name, "used-before-declaration") for name in _locals(function) if name not in self.visible)
        self.result()
        self.block(function.body)
        return FunctionInfo(function, self.variables, self.assigned, tuple(self.loops))

    def declare(self, name: str, kind: Type, span: Span) -> None:
        if name in FUNCTIONS:
            self.report("reserved-word", span, "choose another name", found=name)
        elif name in self.variables:
            self.report("already-declared", span, "each name is declared once in a function", name=name)
        elif name in self.above:
            self.report("already-declared", span, "a function has this name", name=name)
        self.variables[name] = self.visible[name] = kind
        self.hidden.pop(name, None)

    def contract(self) -> None:
        function = self.function
        hidden = dict.fromkeys(sorted({*_locals(function)} - self.params.keys()), "local-in-contract")
        no_result = "no-result-here" if function.result else "no-result-type"
        before = Scope(self.params, self.params, self.functions, self.choosing, hidden | {"result": no_result}, self.level)
        for pre in function.pres:
            self.problems += check_boolean(pre, before, CONDITION, "a pre")
        for component in function.measure:
            self.problems += check_expression(component, before, CONDITION)[1]
        if function.result:
            after = Scope(self.params | {"result": function.result}, self.params, self.functions, self.choosing, hidden, self.level)
        else:
            after = before
        for post in function.posts:
            self.problems += check_boolean(post, after, FACT, "a post")

    def result(self) -> None:
        function = self.function
        if function.result is None:
            self.hidden["result"] = "no-result-type"
            return
        self.variables["result"] = function.result
        if "result" in self.assigned:
            self.visible["result"] = function.result
        else:
            self.hidden["result"] = "no-result-here"
            if not always_returns(function.body):
                self.report("missing-return", function.name_span, "end it with return …;", name=function.name)

    def block(self, block: Block) -> None:
        before = set(self.visible)
        for statement in block.statements:
            self.statement(statement)
        for name in [name for name in self.visible if name not in before]:
            del self.visible[name]
            self.hidden[name] = "out-of-scope"

    def statement(self, statement: Stmt) -> None:
        match statement:
            case Var(names, kind, value):
                if statement.length is not None:
                    self.problems += check_index(statement.length, self.scope, "the length of an array")
                elif kind.element and value is None:
                    shown = names[0].name
                    hint = f"write var {shown}: {kind.element}[n]; with its length, or var {shown}: {kind} := …;"
                    self.report("array-length", names[0].span, hint, name=shown)
                if value is not None:
                    self.assignable(f"'{names[0].name}'", kind, value)
                for name in names:
                    self.declare(name.name, kind, name.span)
            case Assign(target, value):
                target_type = self.target(target)
                self.assignable(f"'{target.name}'", target_type, value)
            case SetCell(array, index, value):
                element = self.cells_of(array)
                self.problems += check_index(index, self.scope, "an index")
                self.assignable(f"a cell of '{array.name}'", element, value)
            case Swap(array, left, right):
                self.cells_of(array)
                for index in (left, right):
                    self.problems += check_index(index, self.scope, "an index")
            case If(branches, otherwise):
                for branch in branches:
                    self.boolean(branch.test, CODE, "the test of an if")
                    self.block(branch.body)
                self.block(otherwise)
            case While():
                self.loop(statement)
            case Print(values):
                for value in values:
                    self.problems += check_expression(value, self.scope, CODE)[1]
            case Assume(condition):
                self.boolean(condition, ASSUMPTION, "an assume")
            case Assert(condition):
                self.boolean(condition, FACT, "an assert")
            case Claim(condition):
                self.boolean(condition, FACT, "a claim")
            case Cassign():
                self.choice(statement)
            case Return(value):
                if self.function.result is None:
                    self.report("unexpected-return", statement.span, f"give it one: fn {self.function.name}(…): int {{ … }}")
                self.assignable("the result", self.function.result, value)
            case Break():
                pass  # The parser knows which loops are open.

    def boolean(self, expr: Expr, place: Place, what: str) -> None:
        self.problems += check_boolean(expr, self.scope, place, what)

    def loop(self, loop: While) -> None:
        number = len(self.loops) + 1
        outer = self.inside[-1] if self.inside else None
        self.loops.append(Loop(number, self.function.name, loop, tuple(self.visible), outer))
        if loop.invariant is not None:
            self.boolean(loop.invariant, FACT, "an invariant")
        self.boolean(loop.test, CODE, "the test of a while")
        for component in loop.measure:
            self.problems += check_expression(component, self.scope, FACT)[1]
        self.inside.append(number)
        self.block(loop.body)
        self.inside.pop()

    def target(self, target: Name) -> Type | None:
        """The type of a variable that is assigned; where it cannot be assigned, None, and the problem is reported."""
        name = target.name
        if name in self.visible:
            return self.visible[name]
        if name in self.hidden:
            self.problems += check_expression(target, self.scope)[1]
        elif name in FUNCTIONS or name in self.functions:
            self.report("not-assignable", target.span, "a function cannot be assigned", name=name)
        else:
            self.report("unknown-name", target.span, near_name(name, self.visible, f"declare it: var {name}: int;"), name=name)
        return None

    def cells_of(self, array: Name) -> Type | None:
        """The type of the cells of an array that is written; None where it is no array that can be, which is reported."""
        kind = self.target(array)
        if kind is not None and kind.element is None:
            self.report("not-an-array", array.span, shown=quote(array), type=with_article(kind))
        return None if kind is None else kind.element

    def assignable(self, target: str, target_type: Type | None, value: Expr) -> None:
        """Reports where the value's type can never fit. Whether an int fits a nat is seen only when the program runs."""
        check = check_value if target_type is not None and target_type.element else check_expression
        kind, problems = check(value, self.scope, CODE)
        self.problems += problems
        if kind is None or target_type is None or is_like(kind, target_type):
            return
        self.report(
            "assigned-type",
            value.span,
            target=target,
            target_type=with_article(target_type),
            shown=quote(value),
            type=with_article(kind),
        )

    def choice(self, choice: Cassign) -> None:
        seen: set[str] = set()
        for target in choice.targets:
            if target.name in seen:
                self.report("chosen-twice", target.span, name=target.name)
            seen.add(target.name)
            kind = self.target(target)
            if kind is not None and kind.element:
                hint = f"declare one whose cells have any values: var other: {kind.element}[len({target.name})];"
                self.report("array-chosen", target.span, hint, name=target.name)
        self.boolean(choice.condition, CONDITION, "the condition of a cassign")
