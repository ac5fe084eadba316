"""Reads C statements as SIP statements."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from idg.importer.c.arrays import declare_array, is_array
from idg.importer.c.endings import Endings
from idg.importer.c.expressions import Expressions
from idg.importer.c.numbers.c_types import BOOL, INT, is_bounded
from idg.importer.c.numbers.terms import bounds, divides, evaluated, if_else, simplified
from idg.importer.c.order import check_order
from idg.importer.c.rewriting.exits import has_break, items_of, leading_break, short, without_exits
from idg.importer.c.rewriting.labels import end_labels, error_labels, returned, staying_labels
from idg.importer.c.text.acsl import ASSERTED, ASSUMED, ENSURED, INVARIANT, REQUIRED, VARIANT
from idg.importer.c.text.source import TRACE, c_ast, place, refuse
from idg.importer.c.text.spellings import ASSERT, ASSUME, ERROR, LOUD, SILENT, STOP
from idg.importer.c.text.trees import calls, effects, ids, is_text
from idg.importer.c.traces import TRACE_MARK
from idg.importer.origins import placed
from idg.sip.syntax import Assert, Assign, Assume, Binary, Block, Cassign, Expr, Name, Number, Print, Stmt, While
from idg.sip.trees.logic import FALSE, TRUE, both_folded, implies_folded

STREAMS = ("stdin", "stdout", "stderr")


class Statements:
    """Reads the statements of one function. `Expressions` collects what comes of them, because expressions give statements, too."""

    def __init__(self, expressions: Expressions) -> None:
        self.expressions = expressions
        self.scopes = expressions.scopes
        self.error_labels: set[str] = set()
        self.staying_labels: set[str] = set()
        self.end_labels: dict[str, Any] = {}
        """Labels after which the function only returns → that return, or None where the function just ends."""
        self._loops = 0
        self.end = Endings(expressions)

    def function(self, body: Any) -> list[Stmt]:
        """The statements of a function's body up to its first return outside loops and ifs."""
        self.body = body
        self.scopes.resolve(body)
        self.error_labels |= error_labels(body)
        self.staying_labels |= staying_labels(body)
        items = items_of(body)
        self.end_labels |= end_labels(items, self.error_labels)
        end = next((index for index, item in enumerate(items) if self._is_end(item)), len(items))
        return self.collect(lambda: self._body(body, items[:end], returned(items[end:])))

    def _is_end(self, item: Any) -> bool:
        return isinstance(item, c_ast.Return) or (isinstance(item, c_ast.Label) and item.name in self.end_labels)

    def _body(self, body: Any, items: list[Any], last: Any) -> None:
        self._statics(body)
        self.all(items)
        self._check_returned(last)

    def _statics(self, node: Any) -> None:
        """Static variables get their values once, before everything else; zero where none is given."""
        if isinstance(node, c_ast.Decl) and "static" in node.storage and not isinstance(node.type, c_ast.FuncDecl):
            self.note(node, f"{node.name} is static: it starts as {'zero' if node.init is None else 'what it is set to'}")
            self.set_first(node)
        for _, child in node.children():
            self._statics(child)

    def set_first(self, node: Any) -> None:
        """Gives a variable its first value, which is zero where none is given."""
        if is_array(node):
            declare_array(self.expressions, node, zeros=True)
        else:
            self.expressions.set(node.name, node.init or c_ast.Constant("int", "0", node.coord))

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
            if isinstance(item, c_ast.Decl) and "extern" in item.storage and not isinstance(item.type, c_ast.FuncDecl):
                raise refuse(item, f"'{item.name}' is declared as extern in a function", "use the variable of the file")
            if isinstance(item, c_ast.Decl) and "static" in item.storage:
                continue
            if isinstance(item, c_ast.Decl) and item.init is None:
                self._undefined(item, items[index + 1 :])
            else:
                self.one(item)
            if isinstance(item, c_ast.Return | c_ast.Goto):
                return

    def one(self, node: Any) -> None:
        first = len(self.expressions.sink)
        self._read(node)
        self.expressions.sink[first:] = placed(self.expressions.sink[first:], place(node))

    def _read(self, node: Any) -> None:
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
                if not self.end.gives_result:
                    self._stop(node, "a return before the end")
            case c_ast.Label():
                self._label(node)
            case c_ast.Goto() if node.name in self.error_labels:
                self.emit(Assert(FALSE))
            case c_ast.Goto() if node.name in self.staying_labels:
                self._stop(node, f"the label {node.name}, at which a run stays for ever,")
            case c_ast.Goto() if node.name in self.end_labels:
                self._jump_to_end(node)
            case c_ast.Goto():
                hint = "write it with while, if and break; jumps are read to labels of the blocks in which they stand"
                raise refuse(node, f"goto {node.name} jumps into a loop or a block, or there is no such label", hint)
            case c_ast.StaticAssert():
                self.emit(Assert(self._condition(node.cond)))
            case c_ast.Typedef() | c_ast.Struct() | c_ast.Union() | c_ast.Enum():
                raise refuse(node, "a type that is declared in a function is not read")
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
                check_order(node)
                self.expressions.effect(node)

    # declarations

    def _declaration(self, node: Any) -> None:
        """A declaration with a value."""
        if is_array(node):
            declare_array(self.expressions, node)
            return
        if node.init is None:
            return
        if isinstance(node.type, c_ast.FuncDecl):
            raise refuse(node, f"'{node.name}' is declared as a function and is given a value", "take the brackets away")
        check_order(node.init)
        self.expressions.set(node.name, node.init)

    def _undefined(self, node: Any, rest: list[Any]) -> None:
        """A declaration without a value. In a loop the variable may have any value in each turn, unless it is assigned first."""
        if is_array(node):
            declare_array(self.expressions, node)
        if isinstance(node.type, c_ast.FuncDecl | c_ast.ArrayDecl) or not self._loops:
            return
        for item in rest:
            if not any(name.name == node.name for name in ids(item)):
                continue
            assigned = isinstance(item, c_ast.Assignment) and item.op == "=" and getattr(item.lvalue, "name", "") == node.name
            if assigned and not any(name.name == node.name for name in ids(item.rvalue)):
                return
            break
        self.note(node, f"{node.name} has no value when it is declared: it may have any, each time")
        ctype = self.scopes.variables[node.name].ctype
        limited = is_bounded(ctype, self.expressions.integers) and ctype != BOOL
        self.emit(Cassign((Name(node.name),), bounds(node.name, ctype.low, ctype.high, ctype) if limited else TRUE))

    # tests and ends of runs

    def _condition(self, node: Any) -> Expr:
        check_order(node)
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
        last = self.end_labels[node.name]
        self._check_returned(last)
        value = None if last is None else last.expr
        if value is not None and (any(effects(value)) or not all(map(self.expressions.unknown, calls(value)))):
            text = f"goto {node.name} is not read: what is returned there does more than give a value"
            raise refuse(node, text, "write what it does as statements before the label")
        self._stop(node, "a jump to the end")

    def _check_returned(self, node: Any) -> None:
        """What is done at a return, or at the function's end where there is none."""
        given = None if node is None else node.expr
        if given is not None and not self.end.gives_result:
            if self.end.ensured:
                self.note(node, "the returned value is read for ensures only")
            else:
                self._only_evaluated(given)
        for statement in self.end.at(node, self.body):
            self.emit(statement)

    def _only_evaluated(self, given: Any) -> None:
        """A returned value that is not read: what happens while it is computed does happen, such as calls and divisions by zero."""
        value: list[Expr] = []
        before = self.collect(lambda: value.append(self._condition(given)))
        checked = evaluated(value[0])
        chosen_only = all(isinstance(statement, Cassign) and self._is_fresh(statement) for statement in before)
        if checked or not chosen_only:
            self.expressions.sink += [*before, *checked]
        if not isinstance(given, c_ast.Constant | c_ast.ID) or before:
            self.note(given, "the returned value is not read")

    # calls

    def _call(self, node: Any) -> None:
        name = node.name.name if isinstance(node.name, c_ast.ID) else ""
        arguments = [] if node.args is None else node.args.exprs
        if name in (ASSERTED, ASSUMED, REQUIRED):
            condition = self.expressions.annotation(arguments[0])
            self.emit(Assert(condition) if name == ASSERTED else Assume(condition))
        elif name == ENSURED:
            self.end.ensured.append(arguments[0])
        elif name == TRACE:
            self._trace(arguments)
        elif name in ASSERT | ASSUME and arguments:
            condition = self._argument(node, name, arguments)
            self.emit(Assert(condition) if name in ASSERT else Assume(condition))
        elif name in ERROR and all(map(_is_plain, arguments)):
            self.emit(Assert(FALSE))
        elif name in STOP and all(map(_is_plain, arguments)):
            self._stop(node, f"{name}()")
        elif name == "printf" and name not in self.expressions.defined:
            self._printf(node, arguments)
        elif SILENT.fullmatch(name):
            self._silent(node, name, arguments)
        elif arguments and all(map(is_text, arguments)) and self._only_tells(node, name):
            self.note(node, f"calls of {name} are left out: they change no variable", once=name)
        else:
            check_order(node)
            self.expressions.effect(node)

    def _trace(self, arguments: list[Any]) -> None:
        assert self.expressions.tracing is not None
        counter = Name(self.expressions.tracing.counter)
        self.emit(Assign(counter, Binary("+", counter, Number(1))))
        self.emit(Print((Number(TRACE_MARK + int(arguments[0].value)), *map(self._traced, arguments[1:]))))

    def _traced(self, node: Any) -> Expr:
        return self.expressions.number(node).expr if isinstance(node, c_ast.ArrayRef) else Name(node.name)

    def _argument(self, node: Any, name: str, arguments: list[Any]) -> Expr:
        """The condition that is asserted or assumed. Functions take an int, so that C may reduce a wider number."""
        if not all(map(is_text, arguments[1:])):
            raise refuse(node, f"{name} with several arguments is not read")
        wide = not name.endswith("assert") or name.startswith("_")
        if wide and not self.expressions.is_bool(arguments[0]) and self.expressions.ctype_of(arguments[0]).bits > INT.bits:
            raise refuse(arguments[0], f"{name} takes an int, and this number may be wider", "compare it with 0")
        return self._condition(arguments[0])

    def _silent(self, node: Any, name: str, arguments: list[Any]) -> None:
        """A call that changes nothing itself; what its arguments do is carried out."""
        check_order(node)
        for argument in arguments:
            inner = {called.name.name if isinstance(called.name, c_ast.ID) else "" for called in calls(argument)}
            times = inner == {"time"} and "time" not in self.expressions.defined and not any(effects(argument))
            stream = isinstance(argument, c_ast.ID) and argument.name in STREAMS and argument.name not in self.scopes.variables
            if is_text(argument) or stream or times:
                continue
            if divides(self.expressions.number(argument).expr):
                raise refuse(argument, f"a division in a call of {name} is not read", "compute it in a statement before")
        self.note(node, f"calls of {name} are left out: they change no variable", once=name)

    def _only_tells(self, node: Any, name: str) -> bool:
        """Whether a call with nothing but texts is of an unknown function that, by its name, lets the run go on."""
        if name in self.expressions.defined:
            return False
        if LOUD.search(name):
            text = f"the call of '{name}' is not read: by its name it may end the run or report an error"
            raise refuse(node, text, "write abort() or reach_error() in its place, or take it out")
        return True

    def _printf(self, node: Any, arguments: list[Any]) -> None:
        self.note(node, "printf prints its numbers only, not its text", once="printf")
        check_order(node)
        if arguments and not is_text(arguments[0]):
            raise refuse(arguments[0], "the first argument of printf must be a text")
        if len(arguments) > 1:
            self.emit(Print(tuple(self.expressions.number(argument).expr for argument in arguments[1:])))

    # labels

    def _label(self, node: Any) -> None:
        if node.name in self.error_labels:
            self.note(node, f"reaching the label {node.name} is read as assert(false)", once=node.name)
            self.emit(Assert(FALSE))
        elif node.name in self.staying_labels:
            self._stop(node, f"the label {node.name}, at which a run stays for ever,")
        else:
            self.one(node.stmt)

    # loops

    def _loop(self, node: Any) -> None:
        if isinstance(node, c_ast.For) and node.init is not None:
            self.one(node.init)
        self._loops += 1
        items = items_of(node.stmt)
        stated = [item for item in items if _states(item, INVARIANT) or _states(item, VARIANT)]
        items = items[len(stated) :]
        if isinstance(node, c_ast.DoWhile):
            if stated:
                raise refuse(node, "a loop invariant or variant of do is not read", "write the loop with while")
            self._do_while(node, items)
        else:
            step = [node.next] if isinstance(node, c_ast.For) and node.next is not None else []
            self._while(node, items, step, stated)
        self._loops -= 1

    def _while(self, node: Any, items: list[Any], step: list[Any], stated: list[Any]) -> None:
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
        if stated and at_head:
            raise refuse(
                node, "a loop invariant or variant is not read where the test has effects or choices", "write them as statements"
            )
        invariant = self._invariant([item for item in stated if _states(item, INVARIANT)])
        measure = self._measure([item for item in stated if _states(item, VARIANT)])
        going, stop = self._stopping(node, items)
        body = self.collect(lambda: self.all(without_exits(items, stop)))
        tail = [*self.collect(lambda: self._steps(step)), *at_head]
        if going is None:
            self._emit_loop(at_head, conditions[0], [*body, *tail], invariant, measure)
        else:
            self.emit(Assign(Name(going), TRUE))
            harmless = all(isinstance(statement, Cassign) and self._is_fresh(statement) for statement in tail)
            guarded = tail if harmless else [if_else(Name(going), tail, [])]
            if invariant is not None:
                invariant = implies_folded(Name(going), invariant)
            # In a turn that leaves the loop, the flag becomes false, so the measure falls whatever the variant does.
            measure = (Name(going), *measure) if measure else ()
            self._emit_loop(at_head, both_folded(Name(going), conditions[0]), [*body, *guarded], invariant, measure)

    def _is_fresh(self, choice: Cassign) -> bool:
        return all(self.scopes.variables[target.name].origin == "fresh" for target in choice.targets)

    def _invariant(self, stated: list[Any]) -> Expr | None:
        invariant: Expr | None = None
        for call in stated:
            condition = self.expressions.annotation(call.args.exprs[0])
            invariant = condition if invariant is None else both_folded(invariant, condition)
        return invariant

    def _measure(self, stated: list[Any]) -> tuple[Expr, ...]:
        if len(stated) > 1:
            raise refuse(stated[1], "a second loop variant is not read")
        return tuple(self.expressions.annotated_number(call.args.exprs[0]) for call in stated)

    def _emit_loop(
        self, before: list[Stmt], test: Expr, body: list[Stmt], invariant: Expr | None = None, measure: tuple[Expr, ...] = ()
    ) -> None:
        for statement in before:
            self.emit(statement)
        self.emit(While(invariant, test, Block(tuple(body)), measure=measure))

    def _steps(self, step: list[Any]) -> None:
        for part in step:
            self.one(part)

    def _stopping(self, node: Any, items: list[Any]) -> tuple[str | None, Any]:
        """The name of a flag for the breaks of the loop and the statement that sets it to false; two Nones where there is none."""
        if not any(map(has_break, items)):
            return None, None
        name = self.scopes.fresh("going", BOOL)
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
        name = going or self.scopes.fresh("going", BOOL)
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


def _states(node: Any, clause: str) -> bool:
    return isinstance(node, c_ast.FuncCall) and isinstance(node.name, c_ast.ID) and node.name.name == clause


def _is_plain(node: Any) -> bool:
    """Whether the evaluation of an argument does nothing that matters."""
    return not any(True for _ in effects(node)) and not any(True for _ in calls(node))
