"""Reads C statements as SIP statements."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from idg.importer.exits import has_break, items_of, leading_break, short, without_exits
from idg.importer.expressions import PREPROCESS, Expressions, if_else
from idg.importer.source import c_ast, refuse
from idg.importer.spellings import ASSERT, ASSUME, ERROR, ERROR_LABEL, LOUD, SILENT, STOP
from idg.importer.trees import calls, effects, ids
from idg.sip.logic import FALSE, TRUE, both_folded, implies_folded, negate
from idg.sip.syntax import Assert, Assign, Assume, Block, Boolean, Branch, Cassign, Expr, If, Name, Print, Stmt, Type, While


class Statements:
    """Reads the statements of one function. `Expressions` collects what comes of them, because expressions give statements, too."""

    def __init__(self, expressions: Expressions, defined: frozenset[str]) -> None:
        self.expressions = expressions
        self.defined = defined
        """The functions that the file defines. A call of another function with nothing but texts is taken to change no variable."""
        self.scopes = expressions.scopes
        self.error_labels: set[str] = set()
        self.end_labels: dict[str, Any] = {}
        """Labels after which the function only returns → that return, or None where the function just ends."""
        self._loops = 0

    def function(self, body: Any) -> list[Stmt]:
        """The statements of a function's body up to its first return outside loops and ifs."""
        self.scopes.resolve(body)
        self._find_error_labels(body)
        items = items_of(body)
        for index, item in enumerate(items):
            if isinstance(item, c_ast.Label) and self._only_returns([item, *items[index + 1 :]]):
                self.end_labels[item.name] = self._returned([item, *items[index + 1 :]])
        for index, item in enumerate(items):
            ends = isinstance(item, c_ast.Label) and item.name in self.end_labels
            if isinstance(item, c_ast.Return) or ends:
                self._check_returned(self._returned(items[index:]))
                items = items[:index]
                break
        return self.collect(lambda: self.all(items))

    def collect(self, translate: Callable[[], object]) -> list[Stmt]:
        """The statements that this translation gives."""
        outer, self.expressions.sink = self.expressions.sink, []
        try:
            translate()
            return self.expressions.sink
        finally:
            self.expressions.sink = outer

    def emit(self, statement: Stmt) -> None:
        self.expressions.sink.append(statement)

    def note(self, node: Any, text: str, once: str = "") -> None:
        self.expressions.note(node, text, once)

    def all(self, items: list[Any]) -> None:
        for index, item in enumerate(items):
            if isinstance(item, c_ast.Decl) and item.init is None:
                self._undefined(item, items[index + 1 :])
            else:
                self.one(item)
            if isinstance(item, c_ast.Return | c_ast.Goto):
                return

    def one(self, node: Any) -> None:
        match node:
            case c_ast.Compound() | c_ast.EmptyStatement():
                self.all(items_of(node))
            case c_ast.Decl():
                self._declaration(node)
            case c_ast.DeclList():
                self.all(node.decls)
            case c_ast.If():
                self._if(node)
            case c_ast.While() | c_ast.DoWhile() | c_ast.For():
                self._loop(node)
            case c_ast.FuncCall():
                self._call(node)
            case c_ast.Return():
                self._check_returned(node)
                self._stop(node, "a return before the end")
            case c_ast.Label():
                self._label(node)
            case c_ast.Goto() if node.name in self.error_labels:
                self.emit(Assert(FALSE))
            case c_ast.Goto() if node.name in self.end_labels:
                self._jump_to_end(node)
            case c_ast.Goto():
                hint = "write it with while, if and break; only jumps to an ERROR label and to the end are read"
                raise refuse(node, f"goto {node.name} is not read", hint)
            case c_ast.StaticAssert():
                self.emit(Assert(self._condition(node.cond)))
            case c_ast.Switch():
                raise refuse(node, "switch is not read", "write it with if and else")
            case c_ast.Break() | c_ast.Continue():
                raise refuse(node, "this break or continue is not in a loop")
            case c_ast.ExprList():
                for part in node.exprs:
                    self.one(part)
            case c_ast.Pragma():
                return
            case _:
                self.expressions.check_order(node)
                self.expressions.effect(node)

    # declarations

    def _declaration(self, node: Any) -> None:
        if node.init is None:
            return
        if self._loops and "static" in node.storage:
            raise refuse(node, "a static variable in a loop gets its value only once", "declare it before the loop")
        self.expressions.check_order(node.init)
        self.expressions.set(node.name, self.scopes.variables[node.name].type, node.init)

    def _undefined(self, node: Any, rest: list[Any]) -> None:
        """A declaration without a value. In a loop the variable may have any value in each turn, unless it is assigned first."""
        if isinstance(node.type, c_ast.FuncDecl) or not self._loops:
            return
        for item in rest:
            if not any(name.name == node.name for name in ids(item)):
                continue
            assigned = isinstance(item, c_ast.Assignment) and item.op == "=" and getattr(item.lvalue, "name", "") == node.name
            if assigned and not any(name.name == node.name for name in ids(item.rvalue)):
                return
            break
        self.note(node, f"{node.name} has no value when it is declared: it may have any, each time")
        self.emit(Cassign((Name(node.name),), TRUE))

    # tests and ends of runs

    def _condition(self, node: Any) -> Expr:
        self.expressions.check_order(node)
        return self.expressions.truth(node)

    def _if(self, node: Any) -> None:
        test = self._condition(node.cond)
        yes = self.collect(lambda: self.all(items_of(node.iftrue)))
        no = self.collect(lambda: self.all(items_of(node.iffalse)))
        for statement in simplified(test, yes, no):
            self.emit(statement)

    def _stop(self, node: Any, what: str) -> None:
        self.note(node, f"{what} ends the run: read as assume(false), so that runs that come here are left out", once=what)
        self.emit(Assume(FALSE))

    def _jump_to_end(self, node: Any) -> None:
        returned = self.end_labels[node.name]
        self._check_returned(returned)
        value = None if returned is None else returned.expr
        if value is not None and (any(effects(value)) or not all(map(self.expressions.unknown, calls(value)))):
            text = f"goto {node.name} is not read: what is returned there does more than give a value"
            raise refuse(node, text, "write what it does as statements before the label")
        self._stop(node, "a jump to the end")

    def _check_returned(self, node: Any) -> None:
        if node is not None and node.expr is not None:
            before = self.collect(lambda: self._condition(node.expr))
            if not isinstance(node.expr, c_ast.Constant | c_ast.ID) or before:
                self.note(node, "the returned value is not read")

    def _call(self, node: Any) -> None:
        name = node.name.name if isinstance(node.name, c_ast.ID) else ""
        arguments = [] if node.args is None else node.args.exprs
        if name in ASSERT | ASSUME and arguments:
            condition = self._condition(arguments[0])
            self.emit(Assert(condition) if name in ASSERT else Assume(condition))
        elif name in ERROR:
            self.emit(Assert(FALSE))
        elif name in STOP:
            self._stop(node, f"{name}()")
        elif name == "printf":
            self._printf(node, arguments)
        elif SILENT.fullmatch(name) or (arguments and all(map(_is_text, arguments)) and self._only_tells(node, name)):
            self.note(node, f"calls of {name} are left out: they change no variable", once=name)
        else:
            self.expressions.check_order(node)
            self.expressions.effect(node)

    def _only_tells(self, node: Any, name: str) -> bool:
        """Whether a call with nothing but texts is of an unknown function that, by its name, lets the run go on."""
        macros = self.expressions.macros
        if name in self.defined or name in macros.functions:
            return False
        if name in macros.texts or name in macros.uncertain or name in macros.mentioned:
            raise refuse(node, f"the call of '{name}' is not read: it stands in a header or a #define", PREPROCESS)
        if LOUD.search(name):
            text = f"the call of '{name}' is not read: by its name it may end the run or report an error"
            raise refuse(node, text, "write abort() or reach_error() in its place, or take it out")
        return True

    def _printf(self, node: Any, arguments: list[Any]) -> None:
        self.note(node, "printf prints its numbers only, not its text", once="printf")
        self.expressions.check_order(node)
        if len(arguments) > 1:
            self.emit(Print(tuple(self.expressions.number(argument).expr for argument in arguments[1:])))

    # labels

    def _find_error_labels(self, node: Any) -> None:
        if isinstance(node, c_ast.Label) and self._is_error(node):
            self.error_labels.add(node.name)
        for _, child in node.children():
            self._find_error_labels(child)

    def _only_returns(self, items: list[Any]) -> bool:
        """Whether these statements do nothing before the function returns."""
        for item in items:
            if isinstance(item, c_ast.Return):
                return True
            if not isinstance(item, c_ast.Label) or item.name in self.error_labels:
                return False
            inside = items_of(item.stmt)
            if inside:
                return isinstance(inside[0], c_ast.Return)
        return True

    def _returned(self, items: list[Any]) -> Any:
        """The first statement, if it is a return, also after labels; otherwise None."""
        for item in items:
            for inner in items_of(item.stmt) if isinstance(item, c_ast.Label) else [item]:
                return inner if isinstance(inner, c_ast.Return) else None
        return None

    def _is_error(self, label: Any) -> bool:
        first = next(iter(items_of(label.stmt)), None)
        if isinstance(first, c_ast.Goto):
            return bool(first.name == label.name)
        if isinstance(first, c_ast.FuncCall) and isinstance(first.name, c_ast.ID):
            return first.name.name in ERROR or (first.name.name in STOP and ERROR_LABEL.fullmatch(label.name) is not None)
        return first is None and ERROR_LABEL.fullmatch(label.name) is not None

    def _label(self, node: Any) -> None:
        if node.name in self.error_labels:
            self.note(node, f"reaching the label {node.name} is read as assert(false)", once=node.name)
            self.emit(Assert(FALSE))
        else:
            self.one(node.stmt)

    # loops

    def _loop(self, node: Any) -> None:
        if isinstance(node, c_ast.For) and node.init is not None:
            self.one(node.init)
        self._loops += 1
        items = items_of(node.stmt)
        if isinstance(node, c_ast.DoWhile):
            self._do_while(node, items)
        else:
            step = [node.next] if isinstance(node, c_ast.For) and node.next is not None else []
            self._while(node, items, step)
        self._loops -= 1

    def _while(self, node: Any, items: list[Any], step: list[Any]) -> None:
        before: list[Any] = []
        test: Any = node.cond
        if _always(test):
            leading = leading_break(items)
            if leading is not None:
                before, test, items = leading
                if before:
                    self.note(node, "the code before the break stands before the loop and at the end of its body")
        conditions: list[Expr] = []

        def head() -> None:
            self.all(before)
            conditions.append(TRUE if test is None else self._condition(test))

        at_head = self.collect(head)
        going, stop = self._stopping(node, items)
        body = self.collect(lambda: self.all(without_exits(items, stop)))
        tail = [*self.collect(lambda: self._steps(step)), *at_head]
        if going is None:
            self._emit_loop(at_head, conditions[0], [*body, *tail])
        else:
            self.emit(Assign(Name(going), TRUE))
            harmless = all(isinstance(statement, Cassign) and self._is_fresh(statement) for statement in tail)
            guarded = tail if harmless else [if_else(Name(going), tail, [])]
            self._emit_loop(at_head, both_folded(Name(going), conditions[0]), [*body, *guarded])

    def _is_fresh(self, choice: Cassign) -> bool:
        return all(self.scopes.variables[target.name].origin == "fresh" for target in choice.targets)

    def _emit_loop(self, before: list[Stmt], test: Expr, body: list[Stmt]) -> None:
        for statement in before:
            self.emit(statement)
        self.emit(While(None, test, Block(tuple(body))))

    def _steps(self, step: list[Any]) -> None:
        for part in step:
            self.one(part)

    def _stopping(self, node: Any, items: list[Any]) -> tuple[str | None, Any]:
        """The name of a flag for the breaks of the loop and the statement that sets it to false; two Nones where there is none."""
        if not any(map(has_break, items)):
            return None, None
        name = self.scopes.fresh("going", Type.BOOL)
        self.note(node, f"a break in this loop became the flag {name}: the loop's head is reached once more, with {name} false")
        return name, c_ast.Assignment("=", c_ast.ID(name, node.coord), c_ast.Constant("int", "0"), node.coord)

    def _do_while(self, node: Any, items: list[Any]) -> None:
        if short(items) and not any(map(has_break, items)):
            self.note(node, "do S while (t) is read as S; while (t) { S }")
            body = self.collect(lambda: self.all(without_exits(items, None)))
            conditions: list[Expr] = []
            before = self.collect(lambda: conditions.append(self._condition(node.cond)))
            self._emit_loop([*body, *before], conditions[0], [*body, *before])
            return
        going, stop = self._stopping(node, items)
        name = going or self.scopes.fresh("going", Type.BOOL)
        self.note(node, f"do S while (t) is read as {name} := true; while ({name}) {{ S; {name} := t; }}")
        body = self.collect(lambda: self.all(without_exits(items, stop)))
        tail = self.collect(lambda: self.emit(Assign(Name(name), self._condition(node.cond))))
        self.emit(Assign(Name(name), TRUE))
        self._emit_loop([], Name(name), [*body, *(tail if going is None else [if_else(Name(name), tail, [])])])


def _always(test: Any) -> bool:
    if test is None:
        return True
    if isinstance(test, c_ast.Constant):
        return bool(test.type == "int" and test.value.strip("0xXbB"))
    return isinstance(test, c_ast.ID) and test.name == "true"


def simplified(test: Expr, yes: list[Stmt], no: list[Stmt]) -> list[Stmt]:
    """An if without needless branches. One that only asserts or assumes becomes asserts or assumes of implications."""
    if isinstance(test, Boolean):
        return yes if test.value else no
    claims: list[Stmt] = []
    if (yes or no) and all(isinstance(statement, Assert | Assume) for statement in (*yes, *no)):
        for condition, statements in ((test, yes), (negate(test), no)):
            for statement in statements:
                assert isinstance(statement, Assert | Assume)
                claims.append(type(statement)(implies_folded(condition, statement.condition)))
        return claims
    if not yes and not no:
        return []
    if not yes:
        test, yes, no = negate(test), no, []
    if len(no) == 1 and isinstance(no[0], If):
        return [If((Branch(test, Block(tuple(yes))), *no[0].branches), no[0].otherwise)]
    return [if_else(test, yes, no)]


def _is_text(node: Any) -> bool:
    return isinstance(node, c_ast.Constant) and node.type == "string"
