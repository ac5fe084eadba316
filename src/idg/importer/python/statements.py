"""Statements of a Python function as statements of SIP."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from idg.importer.names import Spelling
from idg.importer.origins import placed
from idg.importer.python.exits import always_leaves, without_continue
from idg.importer.python.expressions import PythonExpressions, described
from idg.importer.python.lists import array_of, exchanged, set_cell
from idg.importer.python.local_lists import LONGER, MadeList, made_list, made_type, statements_of
from idg.importer.python.names import annotated, infer_types, stored_names, walk_in_order
from idg.importer.python.places import Refusal, line_of
from idg.importer.python.random_values import HINT, INPUT_HINT, drawn, is_random, is_typed_number
from idg.importer.python.scripts import is_check
from idg.importer.results import Note
from idg.sip.operators import FUNCTIONS
from idg.sip.syntax import (
    Assert,
    Assign,
    Assume,
    Binary,
    Block,
    Branch,
    Break,
    Call,
    Cassign,
    Expr,
    If,
    Index,
    Name,
    Number,
    Print,
    Quantified,
    Return,
    Stmt,
    Type,
    While,
)
from idg.sip.trees.build import compare, whole_literal
from idg.sip.trees.logic import negate
from idg.sip.trees.traverse import expressions, names

LOOPS = (ast.While, ast.For)


class _Range(NamedTuple):
    """The three numbers of a range."""

    first: ast.expr
    end: ast.expr
    step: int


class PythonStatements:
    """Reads the body of one function. `is_level` tells the function that is played from its helpers."""

    def __init__(self, node: ast.FunctionDef, expressions: PythonExpressions, spelling: Spelling, is_level: bool) -> None:
        self.node = node
        self.expressions = expressions
        self.spelling = spelling
        self.is_level = is_level
        self.notes: list[Note] = []
        self.locals: dict[str, Type] = {}
        """The variables to be declared, by their names in SIP, with their types."""
        self.assigned: set[str] = set()
        """The variables of the text that have a value wherever the statement that is read is reached."""

    def body(self) -> list[Stmt]:
        text = self.node.body
        if isinstance(text[0], ast.Expr) and isinstance(text[0].value, ast.Constant) and isinstance(text[0].value.value, str):
            text = text[1:]
        self.declare(text)
        self.check_returns(text)
        return self.part(text) if any(map(_has_loop, text)) else self.part_without_loop(text)

    def declare(self, text: list[ast.stmt]) -> None:
        expressions = self.expressions
        self.assigned = set(expressions.types)
        expressions.params = frozenset(self.assigned)
        local_names = [name for name in stored_names(text) if name not in expressions.types]
        for name in local_names:
            expressions.spelled[name] = self.spelling.of(name)
            if expressions.spelled[name] != name:
                self.notes.append(Note(line_of(self.node), f"the variable {name} is called {expressions.spelled[name]}"))
            expressions.types[name] = None
        for node in (node for statement in text for node in ast.walk(statement)):
            if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
                kind = annotated(node.annotation, expressions)
                if expressions.types[node.target.id] not in (None, kind):
                    raise Refusal(node, f"{node.target.id} has two types")
                expressions.types[node.target.id] = kind
        infer_types(text, expressions, self.kind_of)
        expressions.fresh = self.spelling.of
        for name in local_names:
            kind = expressions.types[name]
            if kind is None:
                raise Refusal(self.node, f"the variable {name} has no type that is known", f"say it once: {name}: int = …")
            if kind.element is None:
                self.locals[expressions.spelled[name]] = kind

    def kind_of(self, node: ast.expr) -> Type:
        random_value = drawn(node, self.expressions)
        made = made_type(node, self.expressions)
        if made is not None:
            return made
        return self.expressions.read(node).type if random_value is None else random_value.type

    def check_returns(self, text: list[ast.stmt]) -> None:
        """Every way through a function that returns a value must return one: its end would return None."""
        returns = [node for statement in text for node in ast.walk(statement) if isinstance(node, ast.Return)]
        empty = [node for node in returns if node.value is None]
        if len(empty) < len(returns):
            if empty or not always_leaves(text, ast.Return):
                raise Refusal(self.node, "some ways through the function return a value, and others none")
        elif empty and (len(empty) > 1 or empty[0] is not text[-1]):
            raise Refusal(empty[0], "return without a value is read only as the last statement of a function")

    def part(self, text: Sequence[ast.stmt]) -> list[Stmt]:
        """Statements of which one has the first loop. What is asserted before it is a precondition."""
        first = next((index for index, statement in enumerate(text) if _has_loop(statement)), None)
        if first is None:
            return self.all(text)
        with_loop = text[first]
        read = self.all(text[:first], before_loop=True)
        read += [self.branches(with_loop, self.part)] if isinstance(with_loop, ast.If) else self.all([with_loop])
        return [*read, *self.all(text[first + 1 :])]

    def part_without_loop(self, text: list[ast.stmt]) -> list[Stmt]:
        """The same for a function that has no loop: the asserts that it begins with are preconditions."""
        first = next((index for index, statement in enumerate(text) if not is_check(statement)), len(text))
        return [*self.all(text[:first], before_loop=True), *self.all(text[first:])]

    # Values

    def checked(self, node: ast.expr) -> ast.expr:
        """The expression, if everything that it reads has a value."""
        for part in walk_in_order(node):
            if isinstance(part, ast.Name) and part.id in self.expressions.spelled and part.id not in self.assigned:
                raise Refusal(part, f"{part.id} may have no value here")
            if isinstance(part, ast.Call) and is_random(part, self.expressions):
                raise Refusal(part, "a random value is read only as the whole right side of an assignment", HINT)
            if isinstance(part, ast.Call) and self.expressions.called(part.func) == "input":
                raise Refusal(part, "of what is typed only whole numbers are read", INPUT_HINT)
        return node

    def truth(self, node: ast.expr) -> Expr:
        return self.expressions.truth(self.checked(node))

    def fresh(self, like: str, kind: Type) -> str:
        name = self.spelling.of(like)
        self.locals[name] = kind
        return name

    def note(self, node: ast.AST, text: str) -> None:
        self.notes.append(Note(line_of(node), text))

    # Statements

    def all(self, body: Iterable[ast.stmt], before_loop: bool = False) -> list[Stmt]:
        read: list[Stmt] = []
        for statement in body:
            if read and isinstance(read[-1], Return | Break):
                self.note(statement, "what follows is never reached and is left out")
                break
            read += placed(self.statement(statement, before_loop), (line_of(statement), statement.col_offset + 1))
        return read

    def statement(self, node: ast.stmt, before_loop: bool) -> list[Stmt]:
        match node:
            case ast.Assign([ast.Subscript() as target], value):
                return [set_cell(target, self.checked(value), self.checked_cell(target))]
            case ast.AugAssign(ast.Subscript() as target, op, value):
                return [set_cell(target, self.checked(self.changed_cell(target, op, value)), self.checked_cell(target))]
            case ast.Assign([target], value) if (swap := exchanged(target, value, self.expressions)) is not None:
                self.checked(value)
                return [swap]
            case ast.Assign([ast.Name() as target], value) | ast.AnnAssign(ast.Name() as target, _, ast.expr() as value) if (
                made := made_list(value, self.expressions)
            ) is not None:
                return self.new_list(node, target, value, made)
            case ast.Assign(targets, value):
                return self.assignment(targets, value)
            case ast.AnnAssign(ast.Name() as target, _, value):
                return [] if value is None else self.assignment([target], value)
            case ast.AugAssign(ast.Name(id) as target, op, value):
                left = ast.copy_location(ast.Name(id, ast.Load()), target)
                return self.assignment([target], ast.copy_location(ast.BinOp(left, op, value), node))
            case ast.Assert(test):
                return self.check(node, self.truth(test), before_loop)
            case ast.If(test, [ast.Raise()], []) if before_loop:
                return self.check(node, negate(self.truth(test)), before_loop)
            case ast.If():
                return [self.branches(node, self.all)]
            case ast.While():
                return self.loop(node)
            case ast.For():
                return self.counted(node)
            case ast.Return(value):
                return self.returned(value)
            case ast.Break():
                return [Break()]
            case ast.Pass():
                return []
            case ast.Expr(ast.Constant()):
                return []
            case ast.Expr(ast.Call(ast.Attribute(ast.Name(), name))) if name in LONGER:
                hint = "make the list as long as it gets, b = [0] * n, and count the cells that are used"
                raise Refusal(node, f"{name} is not read: it changes how long the list is, and an array keeps its length", hint)
            case ast.Expr(ast.Call(ast.Name("print"), arguments, [])) if "print" not in self.expressions.functions:
                return self.printed(node, arguments)
        raise Refusal(node, f"{described(node)} is not read")

    def new_list(self, node: ast.stmt, target: ast.Name, value: ast.expr, made: MadeList) -> list[Stmt]:
        if node not in self.node.body:
            raise Refusal(node, "a list is made only outside of loops and branches", "make it before them, and set its cells there")
        self.checked(value)
        self.assigned.add(target.id)
        name, kind = self.expressions.spelled[target.id], self.expressions.types[target.id]
        assert kind is not None
        if kind.element is not made.cell and (kind.element, made.cell) != (Type.RAT, Type.INT):
            raise Refusal(value, f"the list has cells of the type {kind.element}, and these are none")
        return statements_of(made, name, kind, self.fresh, self.spelling.of("k"))

    def checked_cell(self, target: ast.Subscript) -> PythonExpressions:
        self.checked(target.slice)
        return self.expressions

    def changed_cell(self, target: ast.Subscript, op: ast.operator, value: ast.expr) -> ast.expr:
        """The value of `a[i] op= value`. Python evaluates i once; here it stands twice, so it must do nothing but give a value."""
        calls = (part.func for part in ast.walk(target.slice) if isinstance(part, ast.Call))
        if any(not isinstance(called, ast.Name) or called.id in self.expressions.functions for called in calls):
            raise Refusal(target, "a call in this index would be made twice", "compute the index in a statement before")
        left = ast.copy_location(ast.Subscript(target.value, target.slice, ast.Load()), target)
        return ast.copy_location(ast.BinOp(left, op, value), target)

    def check(self, node: ast.stmt, condition: Expr, before_loop: bool) -> list[Stmt]:
        if not before_loop or not self.is_level:
            return [Assert(condition)]
        what = "check" if isinstance(node, ast.If) else "assert"
        self.note(node, f"the {what} stands before the loop and is read as a precondition")
        return [Assume(condition)]

    def assignment(self, targets: list[ast.expr], value: ast.expr) -> list[Stmt]:
        if len(targets) == 1 and isinstance(targets[0], ast.Tuple):
            return self.together(targets[0], value)
        written = [self.target(target) for target in targets]
        if isinstance(value, ast.IfExp):
            first, second = (ast.copy_location(ast.Assign(targets, way), value) for way in (value.body, value.orelse))
            return [self.branches(ast.copy_location(ast.If(value.test, [first], [second]), value), self.all)]
        random_value = drawn(value, self.expressions)
        if random_value is not None:
            return self.choice(targets, value, written)
        term = self.expressions.read(self.checked(value))
        statements: list[Stmt] = [Assign(Name(written[0]), term.expr)]
        statements += [Assign(Name(name), Name(written[0])) for name in written[1:]]
        self.assigned |= {target.id for target in targets if isinstance(target, ast.Name)}
        return statements

    def target(self, node: ast.expr) -> str:
        if not isinstance(node, ast.Name):
            raise Refusal(node, "only variables are assigned", "several at once only as `a, b = …` alone")
        return self.expressions.spelled[node.id]

    def choice(self, targets: list[ast.expr], value: ast.expr, written: list[str]) -> list[Stmt]:
        assert isinstance(value, ast.Call)
        is_typed = is_typed_number(value)
        for argument in () if is_typed else value.args:
            self.checked(argument)
        chosen = drawn(value, self.expressions)
        assert chosen is not None
        if len(written) > 1:
            raise Refusal(targets[1], "such a value is assigned to one variable", INPUT_HINT if is_typed else HINT)
        self.assigned |= {target.id for target in targets if isinstance(target, ast.Name)}
        told = "what is typed is read as any whole number" if is_typed else "a random value is read as any value that may come"
        self.note(value, told)
        if chosen.low is None or chosen.high is None:
            return [Cassign((Name(written[0]),), chosen.condition(written[0]))]
        statements: list[Stmt] = [Assert(compare(chosen.low, "<=", chosen.high))]
        if written[0] not in names(chosen.low) | names(chosen.high):
            return [*statements, Cassign((Name(written[0]),), chosen.condition(written[0]))]
        held = self.fresh(f"{written[0]}_drawn", Type.INT)
        return [*statements, Cassign((Name(held),), chosen.condition(held)), Assign(Name(written[0]), Name(held))]

    def together(self, target: ast.Tuple, value: ast.expr) -> list[Stmt]:
        """Several variables at once: all values are taken before any variable changes."""
        written = [self.target(single) for single in target.elts]
        if len(set(written)) < len(written):
            raise Refusal(target, "the same variable stands twice on the left")
        values = self.values_of(target, value, len(written))
        kinds = [self.expressions.types[single.id] for single in target.elts if isinstance(single, ast.Name)]
        order = _safe_order(written, values)
        statements: list[Stmt]
        if order is not None:
            statements = [Assign(Name(written[index]), values[index]) for index in order]
        else:
            held = [self.fresh(f"{name}_next", kind) for name, kind in zip(written, kinds, strict=True) if kind is not None]
            statements = [Assign(Name(name), term) for name, term in zip(held, values, strict=True)]
            statements += [Assign(Name(name), Name(new)) for name, new in zip(written, held, strict=True)]
        self.assigned |= {single.id for single in target.elts if isinstance(single, ast.Name)}
        return statements

    def values_of(self, target: ast.Tuple, value: ast.expr, count: int) -> list[Expr]:
        match value:
            case ast.Tuple(parts) if len(parts) == count:
                return [self.expressions.read(self.checked(part)).expr for part in parts]
            case ast.Call(ast.Name("divmod"), [left, right], []) if "divmod" not in self.expressions.functions and count == 2:
                first, second = (self.expressions.whole(self.checked(side), "divmod needs an int") for side in (left, right))
                return [Binary("//", first, second), Binary("%", first, second)]
        raise Refusal(value, f"there must be {count} values on the right, as on the left")

    def branches(self, node: ast.If, read: Callable[[Sequence[ast.stmt]], list[Stmt]]) -> Stmt:
        tests: list[Branch] = []
        ends: list[set[str]] = []
        start = set(self.assigned)
        otherwise: Sequence[ast.stmt] = [node]
        while len(otherwise) == 1 and isinstance(otherwise[0], ast.If):
            inner = otherwise[0]
            self.assigned = set(start)
            test = self.truth(inner.test)
            tests.append(Branch(test, Block(tuple(read(inner.body)))))
            if not always_leaves(inner.body):
                ends.append(set(self.assigned))
            otherwise = inner.orelse
        self.assigned = set(start)
        last = Block(tuple(read(otherwise)))
        if not always_leaves(otherwise):
            ends.append(set(self.assigned))
        # Where each branch leaves, nothing follows, and there everything may be taken to have a value.
        self.assigned = set.intersection(*ends) if ends else set(self.expressions.types)
        return If(tuple(tests), last)

    def loop(self, node: ast.While) -> list[Stmt]:
        self.check_loop(node)
        test = self.truth(node.test)
        return [While(None, test, Block(tuple(self.turn(node.body))))]

    def check_loop(self, node: ast.While | ast.For) -> None:
        if node.orelse:
            raise Refusal(node.orelse[0], "else after a loop is not read")

    def turn(self, body: list[ast.stmt], *counters: str) -> list[Stmt]:
        """The body of a loop. What only a turn assigns has no value after the loop, which may have none."""
        start = set(self.assigned)
        self.assigned |= set(counters)
        read = self.all(without_continue(body))
        self.assigned = start
        return read

    def counted(self, node: ast.For) -> list[Stmt]:
        """`for i in range(…)`. The bounds are taken once, before the first turn."""
        self.check_loop(node)
        if not isinstance(node.target, ast.Name):
            raise Refusal(node.target, "only one variable may go through a range")
        if isinstance(node.iter, ast.Name):
            return self.through_list(node, node.target.id, node.iter)
        limits = self.range_of(node.iter)
        name = self.expressions.spelled[node.target.id]
        first = self.expressions.whole(self.checked(limits.first), "range needs an int")
        end = self.expressions.whole(self.checked(limits.end), "range needs an int")
        sign = "<" if limits.step > 0 else ">"

        def one_on(counter: str) -> Stmt:
            return Assign(Name(counter), Binary("+" if limits.step > 0 else "-", Name(counter), Number(abs(limits.step))))

        if self.can_count_itself(node, limits.end):
            body = Block((*self.turn(node.body, node.target.id), one_on(name)))
            return [Assign(Name(name), first), While(None, compare(Name(name), sign, end), body)]
        counter, bound = self.fresh(f"{name}_next", Type.INT), self.fresh(f"{name}_end", Type.INT)
        body = Block((Assign(Name(name), Name(counter)), one_on(counter), *self.turn(node.body, node.target.id)))
        start: list[Stmt] = [Assign(Name(counter), first), Assign(Name(bound), end)]
        return [*start, While(None, compare(Name(counter), sign, Name(bound)), body)]

    def through_list(self, node: ast.For, variable: str, source: ast.Name) -> list[Stmt]:
        """`for x in a`: Python looks at the cell when its turn comes, so that what earlier turns have written is seen."""
        array = array_of(self.checked(source), self.expressions)
        name = self.expressions.spelled[variable]
        counter = self.fresh(f"{name}_at", Type.INT)
        first = (Assign(Name(name), Index(array, Name(counter))), Assign(Name(counter), Binary("+", Name(counter), Number(1))))
        test = compare(Name(counter), "<", Call("len", (array,)))
        return [Assign(Name(counter), Number(0)), While(None, test, Block((*first, *self.turn(node.body, variable))))]

    def range_of(self, node: ast.expr) -> _Range:
        zero = ast.copy_location(ast.Constant(0), node)
        match node:
            case ast.Call(ast.Name("range"), [end], []):
                limits = _Range(zero, end, 1)
            case ast.Call(ast.Name("range"), [first, end], []):
                limits = _Range(first, end, 1)
            case ast.Call(ast.Name("range"), [first, end, by], []):
                step = whole_literal(self.expressions.read(by).expr)
                if not step:
                    raise Refusal(by, "the step of a range must be a number other than 0, as it stands")
                limits = _Range(first, end, step)
            case _:
                raise Refusal(node, "for goes only through a range or a list", "for i in range(n)")
        if "range" in self.expressions.functions or "range" in self.expressions.spelled:
            raise Refusal(node, "range is something else in this file")
        return limits

    def can_count_itself(self, node: ast.For, end: ast.expr) -> bool:
        """Whether the variable itself can be the counter: the body changes neither it nor the bound, and nobody reads it later."""
        assert isinstance(node.target, ast.Name)
        name = node.target.id
        in_end = {part.id for part in ast.walk(end) if isinstance(part, ast.Name)}
        # The length of a list never changes.
        known = [word for word in ("len", "min", "max") if self.expressions.is_own(word)]
        calls = any(isinstance(part, ast.Call) and ast.unparse(part.func) not in known for part in ast.walk(end))
        return not (calls or name in in_end or {name, *in_end} & set(stored_names(node.body)) or self.is_read_outside(node, name))

    def is_read_outside(self, loop: ast.For, name: str) -> bool:
        """Whether the function reads the variable outside this loop, and outside of other loops that count with it."""

        def reads(node: ast.AST) -> bool:
            if node is loop:
                return reads(loop.iter)
            counts = isinstance(node, ast.For) and isinstance(node.target, ast.Name) and node.target.id == name
            if isinstance(node, ast.For) and counts and not any(part is loop for part in ast.walk(node)):
                return reads(node.iter)
            if isinstance(node, ast.Name) and node.id == name:
                return isinstance(node.ctx, ast.Load)
            if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name) and node.target.id == name:
                return True
            return any(map(reads, ast.iter_child_nodes(node)))

        return any(map(reads, self.node.body))

    def returned(self, value: ast.expr | None) -> list[Stmt]:
        if value is None:
            return []
        if isinstance(value, ast.IfExp):
            yes, no = (ast.copy_location(ast.Return(way), value) for way in (value.body, value.orelse))
            return [self.branches(ast.copy_location(ast.If(value.test, [yes], [no]), value), self.all)]
        term = self.expressions.read(self.checked(value))
        return [Return(term.expr)]

    def printed(self, node: ast.stmt, arguments: list[ast.expr]) -> list[Stmt]:
        values = [argument for argument in arguments if not _is_text(argument)]
        if len(values) < len(arguments):
            self.note(node, "the texts of this print are left out")
        return [Print(tuple(self.expressions.read(self.checked(value)).expr for value in values))]


def _has_loop(statement: ast.stmt) -> bool:
    return any(isinstance(node, LOOPS) for node in ast.walk(statement))


def _safe_order(written: Sequence[str], values: Sequence[Expr]) -> list[int] | None:
    """An order of single assignments that means the same as all at once, because nothing is read after it has changed; or None.

    Where two of the values may fail, the order of the text is kept, because the first one tells how the run ends."""
    left = [index for index in range(len(written)) if values[index] != Name(written[index])]
    kept_order = sum(map(may_fail, values)) > 1
    order: list[int] = []
    while left:
        candidates = left[:1] if kept_order else left
        free = next(
            (index for index in candidates if not any(written[index] in names(values[k]) for k in left if k != index)), None
        )
        if free is None:
            return None
        order.append(free)
        left.remove(free)
    return order


def may_fail(value: Expr) -> bool:
    """Whether evaluating it may stop the run, or go on for ever."""
    return any(
        isinstance(part, Index | Quantified)
        or (isinstance(part, Binary) and part.op in ("/", "//", "%", "^") and not whole_literal(part.right))
        or (isinstance(part, Call) and part.function not in FUNCTIONS)
        for part in expressions(value)
    )


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)
