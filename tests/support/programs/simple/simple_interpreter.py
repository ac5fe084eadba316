"""A second, deliberately simple implementation of SIP's runs: the reference in differential tests.

It is written from docs/language.md alone and shares nothing with the runner but the tree and the bounds, so that an error in
one of them shows as a difference. Clarity matters more than speed here.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from fractions import Fraction
from typing import assert_never

from idg.sip import syntax as sip
from idg.sip.limits import RunLimits
from idg.sip.syntax import Block, Expr, Function, Module, Span, Type
from idg.sip.trees.traverse import undetermined
from tests.support.programs.simple.simple_arrays import (
    cell,
    check_range,
    gathered,
    is_permutation,
    is_sorted,
    new_array,
    with_cell,
    with_swap,
)
from tests.support.programs.simple.simple_loops import Loop, Names, deep_recursion, loops_of
from tests.support.programs.simple.simple_numbers import (
    ARITHMETIC,
    COMPARISONS,
    Scalar,
    Stop,
    Value,
    cells,
    checked,
    is_power,
    normal,
    power,
    single,
    some_values,
    stored,
    text,
    zero,
)  # fmt: skip

State = dict[str, Value]
Holds = Callable[[tuple[Scalar, ...]], bool]
Chooser = Callable[[Names, tuple[Type, ...], Holds], tuple[Scalar, ...] | None]
Table = tuple[Names, list[tuple[Value, ...]], list[int | None]]

DEFAULT_LIMITS = RunLimits()


class OutOfTries(Exception):
    """Raised by a chooser that gives up: the run ends with bound / choice-tries."""


class LeaveLoop(Exception):
    """Raised by a break, and caught by the innermost loop."""


class LeaveFunction(Exception):
    """Raised by a return, after it has stored the result, and caught by the call."""


@dataclass
class Result:
    kind: str
    cause: str | None
    span: Span | None
    value: Scalar | None
    printed: list[str]
    state: State | None
    """The variables where the run stopped, and perhaps some that are no longer visible."""
    loops: list[Table]
    """For each loop of the level: its columns, its rows, and for each row the index of the enclosing loop's row."""


@dataclass
class Frame:
    """One activation of a function."""

    state: State
    old: State
    types: dict[str, Type]
    depth: int


# Runs


@dataclass
class Run:
    """One run: the functions it may call, and what it has spent and recorded."""

    functions: dict[str, Function]
    limits: RunLimits
    chooser: Chooser
    loops: dict[int, Loop] = field(default_factory=dict)
    """The level's loops in order, by the id of their While: two loops of the same text are two loops."""
    steps: int = 0
    rows: int = 0
    cells: int = 0
    printed: list[str] = field(default_factory=list)
    initial: Iterator[State] = field(default_factory=lambda: iter(()))
    """The values, in order, that variables of the level start with which are declared without a value; zeros after the last."""
    undetermined: frozenset[str] = frozenset()
    """The variables of the level that may be read before they are assigned."""

    def evaluate(self, expr: Expr, frame: Frame) -> Scalar:
        match expr:
            case sip.Number(value):
                return normal(value)
            case sip.Boolean(flag):
                return flag
            case sip.Name(name):
                return single(frame.state[name])
            case sip.Old(name):
                return single(frame.old[name])
            case sip.Unary("!", operand):
                return not self.evaluate(operand, frame)
            case sip.Unary(_, operand):
                return checked(-self.evaluate(operand, frame), expr.span)
            case sip.Binary("&" | "|" | "->"):
                return self.connective(expr, frame)
            case sip.Binary():
                return self.arithmetic(expr, frame)
            case sip.Compare():
                return self.chain(expr, frame)
            case sip.Call("len", (array,)):
                return len(self.array(array, frame))
            case sip.Call("sorted", (array, low, high)):
                first, last = (int(stored(self.evaluate(bound, frame), Type.INT, bound.span)) for bound in (low, high))
                return is_sorted(self.array(array, frame), first, last, expr.span, self.use_step)
            case sip.Call("permutation", (left, right)):
                return is_permutation(self.array(left, frame), self.array(right, frame), expr.span, self.use_step)
            case sip.Index(array, index):
                return cell(self.array(array, frame), int(self.evaluate(index, frame)), expr.span)
            case sip.Quantified():
                return self.quantified(expr, frame)
            case sip.Call("abs" | "min" | "max" | "gcd" | "ispow"):
                return self.builtin(expr, frame)
            case sip.Call():
                return self.call(expr, frame)
            case _:
                assert_never(expr)

    def array(self, expr: Expr, frame: Frame) -> tuple[Scalar, ...]:
        """The cells of what is the name of an array, or its value at entry."""
        if isinstance(expr, sip.Old):
            return cells(frame.old[expr.name])
        assert isinstance(expr, sip.Name)
        return cells(frame.state[expr.name])

    def is_array(self, expr: Expr, frame: Frame) -> bool:
        return isinstance(expr, sip.Name | sip.Old) and expr.name in frame.types and frame.types[expr.name].element is not None

    def quantified(self, expr: sip.Quantified, frame: Frame) -> Scalar:
        """All instances are evaluated, in their order, whatever their values are."""
        low = int(stored(self.evaluate(expr.low, frame), Type.INT, expr.low.span))
        high = int(stored(self.evaluate(expr.high, frame), Type.INT, expr.high.span))
        check_range(low, high, expr.span)
        values: list[Scalar] = []
        total: int | Fraction = 0
        for number in range(low, high + 1):
            self.use_step(expr.span)
            frame.state[expr.variable.name] = number
            values.append(self.evaluate(expr.body, frame))
            if expr.word == "sum":
                total = checked(total + values[-1], expr.span)
        frame.state.pop(expr.variable.name, None)
        return total if expr.word == "sum" else gathered(expr.word, values)

    def holds(self, condition: Expr, frame: Frame) -> bool:
        """Whether a pre holds. A failure in it only means that it does not hold; bounds and ignored runs stay what they are."""
        try:
            return bool(self.evaluate(condition, frame))
        except Stop as stop:
            if stop.kind == "failed":
                return False
            raise

    def connective(self, expr: sip.Binary, frame: Frame) -> bool:
        left = bool(self.evaluate(expr.left, frame))
        if expr.op == "&" and not left:
            return False
        if (expr.op == "|" and left) or (expr.op == "->" and not left):
            return True
        return bool(self.evaluate(expr.right, frame))

    def arithmetic(self, expr: sip.Binary, frame: Frame) -> int | Fraction:
        left = self.evaluate(expr.left, frame)
        right = self.evaluate(expr.right, frame)
        if expr.op in ("/", "//", "%") and right == 0:
            raise Stop("failed", "zero-divisor", expr.span)
        if expr.op == "^":
            return power(left, int(right), expr.span)
        return checked(ARITHMETIC[expr.op](left, right), expr.span)

    def chain(self, expr: sip.Compare, frame: Frame) -> bool:
        if self.is_array(expr.operands[0], frame):
            arrays = [self.array(operand, frame) for operand in expr.operands]
            return all((left == right) is (op == "=") for left, op, right in zip(arrays, expr.ops, arrays[1:], strict=False))
        left = self.evaluate(expr.operands[0], frame)
        for op, operand in zip(expr.ops, expr.operands[1:], strict=True):
            right = self.evaluate(operand, frame)
            if not COMPARISONS[op](left, right):
                return False
            left = right
        return True

    def builtin(self, expr: sip.Call, frame: Frame) -> Scalar:
        values: list[int | Fraction] = [self.evaluate(argument, frame) for argument in expr.arguments]
        match expr.function:
            case "abs":
                return checked(max(values[0], -values[0]), expr.span)
            case "min":
                return checked(min(values), expr.span)
            case "max":
                return checked(max(values), expr.span)
            case "gcd":
                return checked(math.gcd(int(values[0]), int(values[1])), expr.span)
            case _:
                return is_power(int(values[0]), int(values[1]))

    def call(self, expr: sip.Call, frame: Frame) -> Scalar:
        function = self.functions[expr.function]
        arguments: State = {}
        for param, argument in zip(function.params, expr.arguments, strict=True):
            if param.type.element is not None:
                arguments[param.name] = self.array(argument, frame)
            else:
                arguments[param.name] = stored(self.evaluate(argument, frame), param.type, argument.span)
        if frame.depth + 1 > self.limits.call_depth_max:
            raise Stop("bound", "call-depth", expr.span)
        self.use_step(expr.span)
        inner = activation(function, arguments, frame.depth + 1)
        with remembering(inner):
            satisfied = all(self.holds(pre, inner) for pre in function.pres)
        if not satisfied:
            raise Stop("failed", "callee-pre", expr.span)
        value = self.body_and_posts(function, inner)
        assert value is not None, "only functions with a type are called"
        return value

    def use_step(self, span: Span) -> None:
        self.steps += 1
        if self.steps > self.limits.steps_max:
            raise Stop("bound", "steps", span)

    def body_and_posts(self, function: Function, frame: Frame) -> Scalar | None:
        with remembering(frame):
            with suppress(LeaveFunction):
                self.block(function.body, frame)
            for post in function.posts:
                self.require(post, frame, "post")
        return None if function.result is None else single(frame.state["result"])

    def require(self, condition: Expr, frame: Frame, cause: str) -> None:
        """Checks an obligation. A condition that cannot be evaluated stops the run with its own failure."""
        if not self.evaluate(condition, frame):
            raise Stop("failed", cause, condition.span)

    def store(self, name: str, value: Expr, frame: Frame) -> None:
        if frame.types[name].element is not None:
            frame.state[name] = self.array(value, frame)
            return
        frame.state[name] = stored(self.evaluate(value, frame), frame.types[name], value.span)

    def block(self, block: Block, frame: Frame) -> None:
        for statement in block.statements:
            self.execute(statement, frame)

    def execute(self, statement: sip.Stmt, frame: Frame) -> None:
        match statement:
            case sip.Var():
                self.declare(statement, frame)
            case sip.Assign(target, value):
                self.store(target.name, value, frame)
            case sip.SetCell(array, index, value):
                place, element = int(self.evaluate(index, frame)), frame.types[array.name].element
                assert element is not None
                new = stored(self.evaluate(value, frame), element, value.span)
                frame.state[array.name] = with_cell(self.array(array, frame), place, new, statement.span)
            case sip.Swap(array, left, right):
                first, second = (int(self.evaluate(index, frame)) for index in (left, right))
                frame.state[array.name] = with_swap(self.array(array, frame), first, second, statement.span)
            case sip.If():
                self.choose_branch(statement, frame)
            case sip.While():
                self.loop(statement, frame)
            case sip.Print():
                self.print_line(statement, frame)
            case sip.Assume(condition):
                if not self.evaluate(condition, frame):
                    raise Stop("ignored", "assume", condition.span)
            case sip.Assert(condition):
                self.require(condition, frame, "assert")
            case sip.Claim():
                pass  # Proofs check a claim, and runs do not.
            case sip.Cassign():
                self.cassign(statement, frame)
            case sip.Return(value):
                self.store("result", value, frame)
                raise LeaveFunction
            case sip.Break():
                raise LeaveLoop
            case _:
                assert_never(statement)

    def declare(self, statement: sip.Var, frame: Frame) -> None:
        value: Value
        if statement.length is not None:
            count = int(stored(self.evaluate(statement.length, frame), Type.NAT, statement.length.span))
            value = new_array(statement.type, count, statement.length.span)
        elif statement.value is None:
            value = zero(statement.type)
        elif statement.type.element is not None:
            value = self.array(statement.value, frame)
        else:
            value = stored(self.evaluate(statement.value, frame), statement.type, statement.value.span)
        for name in statement.names:
            frame.types[name.name] = statement.type
            frame.state[name.name] = value
        if statement.value is None and frame.depth == 0 and {name.name for name in statement.names} & self.undetermined:
            frame.state.update(next(self.initial, {}))

    def choose_branch(self, statement: sip.If, frame: Frame) -> None:
        for branch in statement.branches:
            if self.evaluate(branch.test, frame):
                self.block(branch.body, frame)
                return
        self.block(statement.otherwise, frame)

    def loop(self, statement: sip.While, frame: Frame) -> None:
        while True:
            self.arrive(statement, frame)
            if statement.invariant is not None:
                self.require(statement.invariant, frame, "invariant")
            if not self.evaluate(statement.test, frame):
                return
            try:
                self.block(statement.body, frame)
            except LeaveLoop:
                return

    def arrive(self, statement: sip.While, frame: Frame) -> None:
        """Counts the arrival at the loop's head and records its row. Calls of the level by itself record no rows."""
        if frame.depth > 0:
            self.use_step(statement.test.span)
            return
        table = self.loops[id(statement)]
        values = [frame.state[name] for name in table.columns]
        count = sum(len(value) if isinstance(value, tuple) else 1 for value in values)
        if self.rows >= self.limits.rows_max or self.cells + count > self.limits.cells_max:
            raise Stop("bound", "rows", statement.test.span)
        self.use_step(statement.test.span)
        self.rows += 1
        self.cells += count
        table.rows.append(tuple(frame.state[name] for name in table.columns))
        # The enclosing loop's current row is its newest one, because the run arrived there last and its body is being executed.
        table.outer_rows.append(None if table.outer is None else len(table.outer.rows) - 1)

    def print_line(self, statement: sip.Print, frame: Frame) -> None:
        values = [self.evaluate(value, frame) for value in statement.values]
        line = " ".join(text(value) for value in values)
        chars = sum(map(len, self.printed)) + len(line)
        if len(self.printed) >= self.limits.prints_max or chars > self.limits.printed_chars_max:
            raise Stop("bound", "prints", statement.span)
        self.printed.append(line)

    def cassign(self, statement: sip.Cassign, frame: Frame) -> None:
        names, kept = tuple(target.name for target in statement.targets), len(self.printed)
        too_large = False

        def holds(values: tuple[Scalar, ...]) -> bool:
            nonlocal too_large
            self.use_step(statement.span)
            trial = Frame({**frame.state, **dict(zip(names, values, strict=True))}, frame.old, frame.types, frame.depth)
            try:
                return self.holds(statement.condition, trial)
            except Stop as stop:
                if stop.cause != "number-too-large":
                    raise
                too_large = True
                return False
            finally:
                del self.printed[kept:]

        try:
            values = self.chooser(names, tuple(frame.types[name] for name in names), holds)
        except OutOfTries:
            raise Stop("bound", "choice-tries", statement.span) from None
        if values is None:
            raise Stop("bound", "number-too-large", statement.span) if too_large else Stop("ignored", "cassign", statement.span)
        frame.state.update(zip(names, values, strict=True))


def activation(function: Function, arguments: State, depth: int) -> Frame:
    state = dict(arguments)
    types = {param.name: param.type for param in function.params}
    if function.result is not None:
        state["result"] = zero(function.result)
        types["result"] = function.result
    return Frame(state, dict(arguments), types, depth)


# The interface


def evaluate(
    expr: Expr, state: State, old: State, types: dict[str, Type], functions: dict[str, Function], limits: RunLimits = DEFAULT_LIMITS
) -> Scalar:
    """The expression's value in the state. Raises Stop if it has none."""
    run = Run(functions, limits, small_values_first(limits.choice_tries_max))
    frame = Frame(state, old, types, 0)
    with deep_recursion(), remembering(frame):
        return run.evaluate(expr, frame)


def interpret(
    module: Module, inputs: State, limits: RunLimits = DEFAULT_LIMITS, chooser: Chooser | None = None, initial: Iterable[State] = ()
) -> Result:
    """Runs the level on the inputs, which must be values of their parameters' types.

    `initial`: the values, in order, of variables that are read before anything is assigned to them.
    """
    level = module.functions[-1]
    functions = {function.name: function for function in module.functions}
    run = Run(functions, limits, chooser or small_values_first(limits.choice_tries_max), initial=iter(initial))
    run.undetermined = undetermined(level)
    # A checked body mentions `result` only if it also assigns it.
    result_column = ("result",) if "Name(name='result')" in repr(level.body) else ()
    run.loops = dict(loops_of(level.body, tuple(param.name for param in level.params) + result_column, None))
    result = Result("returned", None, None, None, run.printed, None, [])
    try:
        with deep_recursion():
            result.value = run_level(run, level, inputs)
    except Stop as stop:
        result.kind, result.cause, result.span, result.state = stop.kind, stop.cause, stop.span, stop.state
    result.loops = [(loop.columns, loop.rows, loop.outer_rows) for loop in run.loops.values()]
    return result


def run_level(run: Run, level: Function, inputs: State) -> Scalar | None:
    arguments: State = {}
    for param in level.params:
        if param.type.element is not None:
            arguments[param.name] = cells(inputs[param.name])
            continue
        try:
            arguments[param.name] = stored(single(inputs[param.name]), param.type, param.span)
        except Stop as stop:
            if stop.cause == "narrowing":
                raise ValueError(f"{param.name} is a {param.type}, not {inputs[param.name]}") from None
            raise
    frame = activation(level, arguments, 0)
    with remembering(frame):
        for pre in level.pres:
            if not run.holds(pre, frame):
                raise Stop("ignored", "pre", pre.span)
    return run.body_and_posts(level, frame)


@contextmanager
def remembering(frame: Frame) -> Iterator[None]:
    try:
        yield
    except Stop as stop:
        if stop.state is None:
            stop.state = dict(frame.state)
        raise


def small_values_first(tries_max: int) -> Chooser:
    """The chooser for tests that do not depend on the chosen values. The runner may choose in another order."""

    def choose(_names: Names, types: tuple[Type, ...], holds: Holds) -> tuple[Scalar, ...] | None:
        tries = 0
        for bound in itertools.count():
            for values in itertools.product(*(some_values(type_, bound) for type_ in types)):
                tries += 1
                if tries > tries_max:
                    raise OutOfTries
                if holds(values):
                    return values
            if all(type_ is Type.BOOL for type_ in types):
                break
        return None

    return choose
