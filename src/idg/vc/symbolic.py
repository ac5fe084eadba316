"""Symbolic execution: statements → paths, each with its hypotheses and the variables' values as expressions over symbols.

Loops are cut at their heads. For the code after it, a loop is its summary: the variables that it assigns have arbitrary values that
satisfy its invariants and fail its test. The body of the loop starts from arbitrary values that satisfy its invariants and its
test. What the code before a loop says about variables that the loop does not assign stays known, so that a player never has to
restate it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from types import MappingProxyType

from idg.sip.checking.analysis import FunctionInfo, Loop, ModuleInfo
from idg.sip.record import Record, replace
from idg.sip.syntax import (
    Assert,
    Assign,
    Assume,
    Block,
    Break,
    Call,
    Cassign,
    Claim,
    Expr,
    Function,
    If,
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
from idg.sip.trees.build import compare
from idg.sip.trees.logic import FALSE, TRUE, conjoin, implies, negate
from idg.sip.trees.stores import cell, length, stored
from idg.sip.trees.traverse import cells_changed, changed, changed_as_a_whole, conjuncts, names, undetermined
from idg.sip.values import Value, initial
from idg.vc.helpers import Helpers, helpers_of
from idg.vc.paths import Cut, Obligation, Path, is_too_large
from idg.vc.query import Hypothesis, Query, Requirement
from idg.vc.translate import Condition, Translated, Translator, Unfolding, has_cell

PATHS_MAX = 128
"""Paths through one function that are followed at the same time."""

Invariants = Mapping[int, tuple[Expr, ...]]
"""For each loop, by its number, the facts that are known to hold at its head."""
NO_INVARIANTS: Invariants = MappingProxyType({})


class ProgramTooLarge(Exception):
    """The program is too large for verification conditions. The message says what of it is too large."""


class Analysis(Record):
    """Everything that is to be proved about one function, given the invariants."""

    executor: Executor
    cuts: tuple[Cut, ...]
    obligations: tuple[Obligation, ...]
    exits: tuple[Path, ...]
    """Paths to the end of the function."""

    def cut(self, loop: int) -> Cut:
        """The loop with this number, which is one of the function."""
        return next(cut for cut in self.cuts if cut.number == loop)

    def entry(self, loop: int, expr: Expr) -> list[Query]:
        """The queries that the expression holds when the loop is first reached."""
        return [query for path in self.cut(loop).entries for query in self.executor.holds(expr, path)]

    def step(self, loop: int, expr: Expr) -> list[Query]:
        """The queries that the expression holds after a turn. That it held before is a hypothesis only where it is an invariant."""
        return [query for path in self.cut(loop).ends for query in self.executor.holds(expr, path)]

    def at_head(self, loop: int, expr: Expr) -> list[Query]:
        """The queries that the expression follows from what is known at the loop head."""
        return [query for path in self.cut(loop).heads for query in self.executor.holds(expr, path)]


def from_types(info: ModuleInfo, loop: Loop, expr: Expr, helpers: Helpers | None = None) -> list[Query]:
    """The queries that an expression about the loop follows from the types of the variables alone."""
    executor = Executor(info, info.functions[loop.function], NO_INVARIANTS, helpers)
    return executor.holds(expr, executor.anywhere(loop.columns))


def analyse(
    info: ModuleInfo, invariants: Invariants = NO_INVARIANTS, function: str = "", helpers: Helpers | None = None
) -> Analysis:
    """What is to be proved about the level, or about the helper of this name. Without `helpers` no helper is trusted."""
    executor = Executor(info, info.functions[function] if function else info.level, invariants, helpers)
    exits = executor.run()
    return Analysis(executor, tuple(executor.cuts), tuple(executor.obligations), tuple(exits))


class Executor:
    """Executes one function symbolically, and records what is to be proved about it."""

    def __init__(
        self,
        info: ModuleInfo,
        function: FunctionInfo,
        invariants: Invariants,
        helpers: Helpers | None = None,
        outer: Executor | None = None,
    ) -> None:
        self.info = info
        self.helpers = helpers or helpers_of(info)
        self.outer = outer
        self.budget: Unfolding = outer.budget if outer else Unfolding()
        """What may be written out about the calls in the expression that is being translated. An executor that unfolds a helper's
        body shares it with the one whose expression has the call."""
        self.function = function
        self.invariants = invariants
        self.symbols: dict[str, Type] = outer.symbols if outer else {}
        """All symbols with their types, in the order in which they were made."""
        self.reserved: frozenset[str] = outer.reserved if outer else frozenset(function.variables)
        """Names of the program's variables, which only symbols for these variables may have."""
        self.bound: set[str] = outer.bound if outer else set()
        """Names over which quantifiers range. No symbol gets one of them."""
        self.unfolding: tuple[str, ...] = (*outer.unfolding, function.function.name) if outer else ()
        """The helpers that are being unfolded, so that recursion is unfolded only once."""
        self.undetermined = undetermined(function.function)
        """The variables whose initial values a run may choose."""
        self.obligations: list[Obligation] = []
        self.cuts: list[Cut] = []
        self.returned: list[Path] = []
        """Paths that ended at a return."""
        self.broken: list[list[Path]] = []
        """For each loop that is open, outermost first: the paths that left it at a break."""
        self.entry: dict[str, Expr] = {}
        """The entry value of each parameter. Its symbol's name must be taken from here: n_0 may be a variable of the program."""

    # symbols and queries

    def fresh(self, name: str, kind: Type, numbered: bool = False) -> Name:
        """A new symbol for the variable x. It is called x, or else x_1, x_2, …; with `numbered` it is called x_0, or else x_1, …"""
        candidate, count = (f"{name}_0", 1) if numbered else (name, 1)
        while candidate in self.symbols or candidate in self.reserved - {name} or candidate in self.bound:
            candidate, count = f"{name}_{count}", count + 1
        self.symbols[candidate] = kind
        return Name(candidate)

    def bind(self, name: str, inside: frozenset[str]) -> str:
        """The name of a quantifier's variable, which no symbol has, nor a quantifier around it."""
        candidate, count = name, 1
        while candidate in self.symbols or candidate in self.reserved or candidate in inside:
            candidate, count = f"{name}_{count}", count + 1
        self.bound.add(candidate)
        return candidate

    def query(self, hypotheses: tuple[Hypothesis, ...], goal: Expr, call: str = "") -> Query:
        occurring = names(goal).union(*(hypothesis.names for hypothesis in hypotheses))
        return Query({name: kind for name, kind in self.symbols.items() if name in occurring}, hypotheses, goal, self.info, call)

    def holds(self, expr: Expr, path: Path) -> list[Query]:
        """The queries that an expression has a value at the end of the path and is true there."""
        translated, path = self.translate(expr, path, executed=False)
        queries = []
        for condition in translated.conditions:
            queries.append(self.query(path.hypotheses, condition.expr, condition.call))
            if not condition.call:
                path = self.assume(path, condition.expr, "has a value")
        return [*queries, self.query(path.hypotheses, translated.expr)]

    def known(self, expr: Expr, path: Path, source: str, cause: str = "", span: Span | None = None) -> Path:
        """The path with the hypothesis that the expression has a value and is true there.

        `cause`, `span`: where the program itself must ensure that, the cause and the place of these obligations.
        """
        translated, path = self.translate(expr, path, executed=not source.startswith("invariant"))
        conditions = (condition.expr for condition in translated.conditions if not condition.call)
        rests_on = translated.requirements(cause, span or expr.span) if cause else ()
        return self.assume(path, conjoin([*conditions, translated.expr]), source, rests_on)

    def assume(self, path: Path, fact: Expr, source: str, rests_on: tuple[Requirement, ...] = ()) -> Path:
        """The path with a further hypothesis, unless that is plainly true or known already."""
        if fact == TRUE:
            return path
        occurring = names(fact)
        for index, known in enumerate(path.hypotheses):
            if known.names != occurring or known.expr != fact:
                continue
            if not known.rests_on or source.startswith("invariant"):
                return path
            if not rests_on:
                # What was assumed so far is now known without that.
                better = replace(known, source=source, rests_on=())
            elif known.can_be_left_out and any(requirement.says_there_is_a_value for requirement in rests_on):
                # An assert said it before. Now it also says that something has a value, so it must not be left out any more.
                better = replace(known, rests_on=(*known.rests_on, *rests_on))
            else:
                return path
            return replace(path, hypotheses=(*path.hypotheses[:index], better, *path.hypotheses[index + 1 :]))
        return replace(path, hypotheses=(*path.hypotheses, Hypothesis(fact, source, occurring, rests_on)))

    def translate(self, expr: Expr, path: Path, executed: bool = True) -> tuple[Translated, Path]:
        """The expression over symbols, and the path with what is known of the calls in it."""
        if self.outer is None:
            self.budget = Unfolding()
        translator = self.translator(path)
        translator.executed = executed
        translated = translator.translate(expr)
        if is_too_large(translated.expr):
            raise ProgramTooLarge("an expression grows too large when the statements before it are substituted in")
        for fact in translator.facts:
            if not is_too_large(fact.expr):
                path = self.assume(path, fact.expr, fact.source, fact.rests_on)
        if executed and translator.evaluated:
            path = replace(path, ended=path.ended.union(translator.evaluated))
        return translated, path

    def translator(self, path: Path) -> Translator:
        translator = Translator(
            self.info, self.function.variables, path.values, self.entry, self.fresh, self.unfold, self.helpers, self.budget
        )
        translator.ended = path.ended
        translator.bind = self.bind
        return translator

    def unfold(self, function: Function, arguments: tuple[Expr, ...], call: Call) -> list[Expr]:
        """What the helper's body says about the call's value."""
        if function.name in self.unfolding:
            return []
        key = function.name, arguments, self.unfolding
        if key in self.budget.facts:
            return self.budget.facts[key]
        inner = Executor(self.info, self.info.functions[function.name], NO_INVARIANTS, self.helpers, self)
        given = {param.name: value for param, value in zip(function.params, arguments, strict=True)}
        facts = []
        try:
            paths = inner.run(given)
        except ProgramTooLarge:
            paths = []  # Then the body says nothing.
        for path in paths:
            when = conjoin(hypothesis.expr for hypothesis in path.hypotheses)
            facts.append(implies(when, compare(call, "=", path.values["result"])))
        self.budget.facts[key] = facts
        return facts

    def choices(self, path: Path, state: Mapping[str, Value]) -> tuple[tuple[Value, ...], ...]:
        """The path's choices in a state of the symbols; zeros where the state does not say them."""
        return tuple(
            tuple(state.get(symbol.name, initial(self.symbols[symbol.name], 0)) for symbol in chosen) for chosen in path.choices
        )

    def inputs(self, state: Mapping[str, Value]) -> dict[str, Value]:
        """The parameters' entry values in a state of the symbols; zero where the state does not say them."""
        values: dict[str, Value] = {}
        for param in self.function.function.params:
            symbol = self.entry[param.name]
            assert isinstance(symbol, Name), "a function that is not unfolded starts with symbols"
            values[param.name] = state.get(symbol.name, initial(param.type, 0))
        return values

    # running

    def anywhere(self, columns: Iterable[str]) -> Path:
        """A path that starts from arbitrary values of these variables and arbitrary entry values of assigned parameters."""
        values: dict[str, Expr] = {name: self.fresh(name, self.function.variables[name]) for name in columns}
        for param in self.function.function.params:
            unchanged = param.name in values and param.name not in self.function.assigned
            self.entry[param.name] = values[param.name] if unchanged else self.fresh(param.name, param.type, numbered=True)
        return Path(values)

    def run(self, given: Mapping[str, Expr] | None = None) -> list[Path]:
        """The paths to the function's end, from arbitrary entry values or given ones. With arrays, posts assume earlier ones."""
        function = self.function.function
        values: dict[str, Expr] = {}
        for param in function.params:
            if given is not None:
                values[param.name] = given[param.name]
            else:
                values[param.name] = self.fresh(param.name, param.type, numbered=param.name in self.function.assigned)
        self.entry = dict(values)
        if function.result:
            values["result"] = self.fresh("result", function.result, numbered=True)
        path = Path(values)
        for pre in function.pres:
            path = self.known(pre, path, "pre")
        paths = [*self.block(function.body, [path]), *self.returned]
        for path in paths if self.outer is None else ():
            for post in function.posts:
                translated, after = self.translate(post, path)
                after = self.oblige(after, [*translated.conditions, Condition(translated.expr, "post", post.span)])
                path = after if any(kind.element for kind in self.function.variables.values()) else path
        return paths

    def oblige(self, path: Path, conditions: list[Condition] | tuple[Condition, ...]) -> Path:
        """Records the conditions as obligations. What comes after may rely on them, so they become hypotheses of the path."""
        for condition in conditions:
            obligation = Obligation(condition.cause, condition.span, path, condition.expr, condition.call)
            self.obligations.append(obligation)
            if not condition.call:
                path = self.assume(path, condition.expr, "checked before", (obligation.requirement,))
        return path

    def block(self, block: Block, paths: list[Path]) -> list[Path]:
        for statement in block.statements:
            paths = self.statement(statement, paths)
            if len(paths) + len(self.returned) > PATHS_MAX:
                raise ProgramTooLarge(f"there are more than {PATHS_MAX} paths through the program between two loops")
        return paths

    def statement(self, statement: Stmt, paths: list[Path]) -> list[Path]:
        match statement:
            case If():
                return self.conditional(statement, paths)
            case While():
                return self.loop(statement, paths)
            case Return(value):
                self.returned += (self.store(path, ("result",), self.function.variables["result"], value) for path in paths)
                return []
            case Break():
                self.broken[-1] += paths
                return []
            case _:
                return [self.simple(statement, path) for path in paths]

    def simple(self, statement: Stmt, path: Path) -> Path:
        match statement:
            case Var(targets, kind, None) if statement.length is None:
                initial = {target.name: self.fresh(target.name, kind, numbered=True) for target in targets}
                return self.assign(path, initial, tuple(symbol for name, symbol in initial.items() if name in self.undetermined))
            case Var(targets, kind, None) if statement.length is not None:
                return self.declared_arrays(path, tuple(target.name for target in targets), kind, statement.length)
            case SetCell(array, index, value):
                return self.set_cell(path, array.name, index, value, statement.span)
            case Swap(array, left, right):
                return self.swap(path, array.name, left, right, statement.span)
            case Var(targets, kind, value) if value is not None:
                return self.store(path, tuple(target.name for target in targets), kind, value)
            case Assign(target, value):
                return self.store(path, (target.name,), self.function.variables[target.name], value)
            case Print(values):
                for value in values:
                    translated, path = self.translate(value, path)
                    path = self.oblige(path, translated.conditions)
                return path
            case Assume(condition):
                translated, path = self.translate(condition, path)
                path = self.oblige(path, translated.conditions)
                return self.assume(path, translated.expr, "assume")
            case Assert(condition) | Claim(condition):
                translated, path = self.translate(condition, path, executed=isinstance(statement, Assert))
                cause = "assert" if isinstance(statement, Assert) else "claim"
                return self.oblige(path, [*translated.conditions, Condition(translated.expr, cause, condition.span)])
            case Cassign(targets, condition):
                chosen = {target.name: self.fresh(target.name, self.function.variables[target.name]) for target in targets}
                return self.known(condition, self.assign(path, chosen, tuple(chosen.values())), "cassign")
            case _:
                raise TypeError(f"{type(statement).__name__} is no simple statement")

    def assign(self, path: Path, values: Mapping[str, Expr], chosen: tuple[Name, ...] = ()) -> Path:
        """The path after variables got these values. `chosen`: the symbols among them for values that a run may choose."""
        choices = (*path.choices, chosen) if chosen else path.choices
        return replace(path, values={**path.values, **values}, choices=choices)

    def store(self, path: Path, targets: tuple[str, ...], kind: Type, value: Expr) -> Path:
        """The path after the value was assigned to variables of this type."""
        expr, path = self.computed(path, kind, value)
        return self.assign(path, dict.fromkeys(targets, expr))

    def computed(self, path: Path, kind: Type, value: Expr) -> tuple[Expr, Path]:
        """The value as one of this type, and the path after it was computed."""
        translated, path = self.translate(value, path)
        path = self.oblige(path, translated.conditions)
        translator = self.translator(path)
        expr, conditions = translator.narrowed(translated, kind, value.span)
        # The facts say which number the whole value is. The obligations that follow are about it.
        for fact in translator.facts:
            path = self.assume(path, fact.expr, fact.source, fact.rests_on)
        return expr, self.oblige(path, conditions)

    def declared_arrays(self, path: Path, targets: tuple[str, ...], kind: Type, cells: Expr) -> Path:
        """The path after arrays of this length were declared. Their cells may hold any values."""
        number, path = self.computed(path, Type.NAT, cells)
        symbols = {target: self.fresh(target, kind, numbered=True) for target in targets}
        for symbol in symbols.values():
            path = self.assume(path, compare(length(symbol), "=", number), "length")
        return self.assign(path, symbols, tuple(symbol for name, symbol in symbols.items() if name in self.undetermined))

    def set_cell(self, path: Path, array: str, index: Expr, value: Expr, span: Span) -> Path:
        """The path after one cell got a value."""
        place, path = self.place(path, index)
        number, path = self.computed(path, self.function.variables[array].element or Type.RAT, value)
        before = path.values[array]
        path = self.oblige(path, [Condition(has_cell(before, place), "index", span)])
        return self.write(path, array, stored(before, place.expr, number))

    def swap(self, path: Path, array: str, left: Expr, right: Expr, span: Span) -> Path:
        """The path after two cells exchanged their values."""
        one, path = self.place(path, left)
        other, path = self.place(path, right)
        before = path.values[array]
        path = self.oblige(path, [Condition(has_cell(before, place), "index", span) for place in (one, other)])
        after = stored(before, one.expr, cell(before, other.expr))
        return self.write(path, array, stored(after, other.expr, cell(before, one.expr)))

    def write(self, path: Path, array: str, after: Expr) -> Path:
        """The path after an array changed."""
        if is_too_large(after):
            raise ProgramTooLarge("so many cells are written one after the other that an expression grows too large")
        return self.assign(path, {array: after})

    def place(self, path: Path, index: Expr) -> tuple[Translated, Path]:
        """A place of an array, and the path after it was computed."""
        translated, path = self.translate(index, path)
        return translated, self.oblige(path, translated.conditions)

    def conditional(self, statement: If, paths: list[Path]) -> list[Path]:
        after: list[Path] = []
        for branch in statement.branches:
            taken: list[Path] = []
            left: list[Path] = []
            for path in paths:
                test, path = self.translate(branch.test, path)
                path = self.oblige(path, test.conditions)
                taken += self.follow(path, test.expr)
                left += self.follow(path, negate(test.expr))
            after += self.block(branch.body, taken)
            paths = left
        return [*after, *self.block(statement.otherwise, paths)]

    def follow(self, path: Path, test: Expr) -> list[Path]:
        """The path on which the test is true, or none where it is seen at once that it never is.

        Neither a player's invariant nor what rests on a requirement excludes a path: proofs must say what they use, and a path that
        is missing says nothing.
        """
        never = negate(test)
        if test == FALSE or any(
            hypothesis.expr == never and not hypothesis.rests_on and not hypothesis.source.startswith("invariant")
            for hypothesis in path.hypotheses
        ):
            return []
        return [self.assume(path, test, "test")]

    def loop(self, loop: While, paths: list[Path]) -> list[Path]:
        """The paths that leave the loop. The loop is recorded as a cut."""
        index = len(self.cuts)
        number = self.function.loops[index].number
        self.cuts.append(Cut(number, loop, tuple(paths), (), ()))
        forgotten = self.havoc(loop, paths)
        self.arrive(loop, paths)
        only_cells = cells_changed(loop.body) - changed_as_a_whole(loop.body)
        heads = [self.head(number, path, forgotten, only_cells) for path in paths]
        inside: list[Path] = []
        exits: list[Path] = []
        for path in heads:
            if loop.invariant is not None:
                for part in conjuncts(loop.invariant):  # One by one, because most are known already.
                    path = self.known(part, path, "given invariant", "invariant", loop.invariant.span)
            test, path = self.translate(loop.test, path)
            path = self.oblige(path, test.conditions)
            inside += (replace(entering, inside=True) for entering in self.follow(path, test.expr))
            exits += self.follow(path, negate(test.expr))
        ends, broken = self.body(loop, inside)
        self.arrive(loop, ends)
        self.cuts[index] = Cut(number, loop, tuple(paths), tuple(heads), tuple(ends))
        return [*exits, *broken]

    def body(self, loop: While, paths: list[Path]) -> tuple[list[Path], list[Path]]:
        """The paths that come to the end of the loop's body, and those that leave the loop at a break in it."""
        self.broken.append([])
        ends = self.block(loop.body, paths)
        return ends, self.broken.pop()

    def arrive(self, loop: While, paths: list[Path]) -> None:
        """A given invariant is checked each time the head is reached."""
        if loop.invariant is None:
            return
        for path in paths:
            translated, after = self.translate(loop.invariant, path)
            self.oblige(after, [*translated.conditions, Condition(translated.expr, "invariant", loop.invariant.span)])

    def havoc(self, loop: While, paths: list[Path]) -> dict[str, Name]:
        """New symbols for the variables that the loop assigns and that exist before it: their values are forgotten."""
        assigned = changed(loop.body)
        known = paths[0].values if paths else {}
        return {name: self.fresh(name, self.function.variables[name]) for name in known if name in assigned}

    def head(self, number: int, path: Path, forgotten: Mapping[str, Name], only_cells: Set[str]) -> Path:
        """The path at the head of the loop, in any turn. `only_cells`: the arrays whose lengths the loop does not change."""
        before, values = path.values, {**path.values, **forgotten}
        heads = {**path.heads, number: values}
        path = replace(path, values=values, heads=heads, last=number, inside=False, choices=())
        for name, symbol in forgotten.items():
            if name in only_cells:
                path = self.assume(path, compare(length(symbol), "=", length(before[name])), "length")
        for index, invariant in enumerate(self.invariants.get(number, ())):
            path = self.known(invariant, path, f"invariant {number}.{index}")
        return path
