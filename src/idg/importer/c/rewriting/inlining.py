"""Writes the bodies of called functions in place of their calls, and finds the functions that call themselves.

SIP has no effects in expressions and no variables of a file. So a call becomes statements before the one in which it stands: the
arguments are stored, the body runs in a block of its own, and its result lies in a variable. Functions that call themselves cannot
be treated so; they become functions of SIP (recursion.py).
"""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from typing import Any

from idg.importer.c.callers import called
from idg.importer.c.order import check_order
from idg.importer.c.rewriting.contracts import about_result
from idg.importer.c.rewriting.exits import exits
from idg.importer.c.rewriting.pointers import Pointee, check_target, is_pointer, renamed, written_as
from idg.importer.c.rewriting.returns import Returns, literal, own_items
from idg.importer.c.text.acsl import ASSERTED, ENSURED, REQUIRED
from idg.importer.c.text.source import c_ast, refuse
from idg.importer.c.text.trees import calls, effects, ids, numbered, walk
from idg.importer.results import ImportRefused

INLINED_MAX = 60
"""Calls that are written out. Beyond that the program would hardly be recognised."""
CHECK = "write the function's body in its place"


def reached_from(name: str, defined: Mapping[str, Any]) -> set[str]:
    """The defined functions that calls lead to from this one."""
    reached: set[str] = set()
    waiting = [name]
    while waiting:
        for call in calls(defined[waiting.pop()].body):
            if called(call) in defined and called(call) not in reached:
                reached.add(called(call))
                waiting.append(called(call))
    return reached


def recursive_functions(defined: Mapping[str, Any]) -> frozenset[str]:
    return frozenset(name for name in defined if name in reached_from(name, defined))


def inline_calls(function: Any, defined: Mapping[str, Any], recursive: frozenset[str], tree: Any) -> None:
    """Writes out all calls in the function's body of defined functions that do not call themselves."""
    parts = [part for node in (function, tree) for part in walk(node)]
    names = {part.name for part in parts if isinstance(part, c_ast.ID | c_ast.Decl)}
    declared: dict[str, list[Any]] = {}
    # The pointers of functions that are written out are gone by then: what is passed for `a` may be called `a`, too.
    written_out = [definition for name, definition in defined.items() if name not in recursive and name != function.decl.name]
    params = [param for definition in written_out for param in _parameters(definition) if isinstance(param, c_ast.Decl)]
    gone = {id(param) for param in params if is_pointer(param)}
    for part in parts:
        if isinstance(part, c_ast.Decl) and id(part) not in gone:
            declared.setdefault(part.name, []).append(part)
    _Inliner(defined, recursive, names, declared).function(function)


class _Inliner:
    def __init__(
        self, defined: Mapping[str, Any], recursive: frozenset[str], taken: set[str], declared: dict[str, list[Any]]
    ) -> None:
        self.defined = defined
        self.recursive = recursive
        self.taken = taken
        self.declared = declared
        """The declarations of each name, anywhere in the file."""
        self.count = 0
        self.locals: set[str] = set()
        """The variables of the function into which calls are written."""

    def function(self, function: Any) -> None:
        declared = function.decl.type.args
        self.locals = {part.name for part in walk(function.body) if isinstance(part, c_ast.Decl)}
        self.locals |= {param.name for param in (declared.params if declared else []) if getattr(param, "name", None)}
        function.body = self._block(function.body)

    def _is_inlined(self, node: Any) -> bool:
        return isinstance(node, c_ast.FuncCall) and called(node) in self.defined and called(node) not in self.recursive

    def _has_call(self, node: Any) -> bool:
        return node is not None and any(map(self._is_inlined, calls(node)))

    def _block(self, node: Any) -> Any:
        items = [part for item in own_items(node) for part in self._statement(item)]
        return c_ast.Compound(items, getattr(node, "coord", None))

    def _statement(self, node: Any) -> list[Any]:
        """The statements that do the same without calls of these functions."""
        if not self._has_call(node):
            return [node]
        match node:
            case c_ast.Compound():
                return [self._block(node)]
            case c_ast.If():
                before, node.cond = self._value(node.cond)
                node.iftrue = self._block(node.iftrue)
                node.iffalse = None if node.iffalse is None else self._block(node.iffalse)
                return [*before, node]
            case c_ast.While() | c_ast.For() | c_ast.DoWhile():
                return self._loop(node)
            case c_ast.Label():
                inner = self._statement(node.stmt)
                node.stmt = inner[0] if len(inner) == 1 else c_ast.Compound(inner, node.coord)
                return [node]
            case c_ast.Decl():
                before, node.init = self._value(node.init)
                return [*before, node]
            case c_ast.DeclList():
                return [part for declaration in node.decls for part in self._statement(declaration)]
            case c_ast.Return():
                before, node.expr = self._value(node.expr)
                return [*before, node]
            case c_ast.FuncCall() if self._is_inlined(node):
                return self._written_out(node, "")
            case c_ast.Assignment(lvalue=c_ast.ID() | c_ast.ArrayRef()) if not self._has_call(node.lvalue):
                if node.op != "=" or isinstance(node.lvalue, c_ast.ArrayRef):
                    self._check_unchanging(node.rvalue, True)
                before, node.rvalue = self._value(node.rvalue)
                return [*before, node]
        if isinstance(node, c_ast.Cast) and self._is_inlined(node.expr):
            return self._written_out(node.expr, "")
        before, value = self._value(node)
        return [*before, value]

    def _loop(self, node: Any) -> list[Any]:
        """A test with a call is asked inside: `while (f(x)) S` becomes `while (1) { if (!f(x)) break; S }`."""
        before: list[Any] = []
        if isinstance(node, c_ast.For) and self._has_call(node.init):
            before = self._statement(node.init)
            node.init = None
        steps: list[Any] = []
        if isinstance(node, c_ast.For) and self._has_call(node.next):
            self._check_continues(node, "the step of a for")
            steps = self._statement(node.next)
            node.next = None
        tested = []
        if self._has_call(node.cond) and isinstance(node, c_ast.DoWhile):
            self._check_continues(node, "the test of a do")
            name = numbered("goes_on", self.taken)
            steps, value = self._value(node.cond)
            before.append(_declared(name, _bool(node.coord), literal(0, node.coord)))
            steps.append(c_ast.Assignment("=", c_ast.ID(name, node.coord), value, node.coord))
            node.cond = c_ast.ID(name, node.coord)
        elif self._has_call(node.cond):
            leave = c_ast.If(c_ast.UnaryOp("!", node.cond, node.coord), c_ast.Break(node.coord), None, node.coord)
            tested = self._statement(leave)
            node.cond = literal(1, node.coord)
        node.stmt = self._block(node.stmt)
        node.stmt.block_items = [*tested, *(node.stmt.block_items or [])]
        if steps:
            node.stmt = c_ast.Compound(
                [*tested, c_ast.Compound(node.stmt.block_items[len(tested) :], node.coord), *steps], node.coord
            )
        return [c_ast.Compound([*before, node], node.coord)] if before else [node]

    def _value(self, node: Any) -> tuple[list[Any], Any]:
        """Statements that run the calls in an expression, and the expression with their results."""
        if not self._has_call(node):
            return [], node
        if isinstance(node, c_ast.UnaryOp) and node.op == "!":
            first, node.expr = self._value(node.expr)
            return first, node
        if isinstance(node, c_ast.BinaryOp) and node.op in ("&&", "||") and self._has_call(node.right):
            return self._sometimes(node)
        self._check_alone(node)
        before: list[Any] = []
        if self._is_inlined(node):
            name = numbered("result", self.taken)
            return self._written_out(node, name), c_ast.ID(name, node.coord)
        for field, child in list(node.children()):
            if self._has_call(child):
                part, value = self._value(child)
                before += part
                _replace(node, field, value)
        return before, node

    def _sometimes(self, node: Any) -> tuple[list[Any], Any]:
        """`a && f(x)`: the call stands under an if, and the truth of all of it lies in a variable."""
        name = numbered("both" if node.op == "&&" else "either", self.taken)
        before, left = self._value(node.left)
        inside, right = self._value(node.right)
        inside.append(c_ast.Assignment("=", c_ast.ID(name, node.coord), right, node.coord))
        test: Any = c_ast.ID(name, node.coord)
        test = test if node.op == "&&" else c_ast.UnaryOp("!", test, node.coord)
        asked = c_ast.If(test, c_ast.Compound(inside, node.coord), None, node.coord)
        return [*before, _declared(name, _bool(node.coord), left), asked], c_ast.ID(name, node.coord)

    def _check_continues(self, loop: Any, where: str) -> None:
        if exits(c_ast.Compound([loop.stmt]), (c_ast.Continue,)):
            raise refuse(loop, f"a call in {where} with a continue is not read", "write the loop with while")

    def _check_alone(self, node: Any) -> None:
        """Refuses an expression in which a call must not be carried out first."""
        for part in walk(node):
            if isinstance(part, c_ast.TernaryOp) and any(map(self._has_call, (part.iftrue, part.iffalse))):
                raise refuse(part, "a call that is made only sometimes is not read here", "write it with an if")
        if not self._is_inlined(node):
            self._check_unchanging(node)

    def _check_unchanging(self, node: Any, beside: bool = False) -> None:
        """Refuses an expression that changes a variable itself, or by a call where others are used, such as those `beside` it."""
        if any(True for _ in effects(node)):
            raise refuse(node, "a call in an expression that changes a variable is not read", "write it as a statement of its own")
        for call in calls(node):
            others = len(list(ids(node))) - len(list(ids(call)))
            if self._is_inlined(call) and (beside or others) and _changes_globals(called(call), self.defined):
                text = f"{called(call)} changes cells or variables of others in an expression"
                raise refuse(call, text, "write the call first")

    def _written_out(self, call: Any, result: str) -> list[Any]:
        """The statements of the call; its value lies in the variable `result`, unless nobody uses it."""
        self.count += 1
        if self.count > INLINED_MAX:
            raise refuse(call, f"more than {INLINED_MAX} calls would have to be written out")
        definition = self.defined[called(call)]
        body = deepcopy(definition.body)
        self._check_body(definition, call)
        params = _params(definition, call)
        arguments = [] if call.args is None else call.args.exprs
        if len(params) != len(arguments):
            raise _unread(call, f"it takes {len(params)} arguments")
        self._check_arguments(call, arguments)
        before: list[Any] = []
        given: list[Any] = []
        entry: dict[str, str] = {}
        targets: dict[str, Pointee] = {}
        for param, argument in zip(params, arguments, strict=True):
            if is_pointer(param):
                made, targets[param.name] = self._target(param, argument, call)
                before += made
                continue
            entry[param.name] = name = numbered(f"{param.name}_in_{called(call)}_", self.taken)
            made, value = self._value(argument)
            before += [*made, _declared(name, param.type, value)]
            given.append(_declared(param.name, param.type, c_ast.ID(name, call.coord)))
        body = self._pointed(body, targets, call, set(entry))
        ensured = [part for part in own_items(body) if isinstance(part, c_ast.FuncCall) and called(part) == ENSURED]
        if ensured and not result and not _is_nothing(definition):
            result = numbered("result", self.taken)
        if result:
            before.append(_declared(result, definition.decl.type.type, literal(0, call.coord)))
        returns = Returns(result, numbered("returned", self.taken))
        inside = returns.without([part for part in own_items(body) if part not in ensured])
        for part in inside:
            if isinstance(part, c_ast.FuncCall) and called(part) == REQUIRED:
                part.name.name = ASSERTED
        if returns.flag_used:
            before.append(_declared(returns.flag, _int(call.coord), literal(0, call.coord)))
        outer, self.locals = self.locals, self.locals | _declared_in(definition, call)
        inner = c_ast.Compound([part for item in inside for part in self._statement(item)], call.coord)
        self.locals = outer
        claims = [about_result(part, entry, result) for part in ensured]
        return [*before, c_ast.Compound([*given, inner], call.coord), *claims]

    def _check_arguments(self, call: Any, arguments: list[Any]) -> None:
        """Refuses arguments of which one changes what another one uses: C leaves open which of them comes first."""
        if len(arguments) > 1:
            check_order(call.args)
            for argument in arguments:
                inner = [part for part in calls(argument) if self._is_inlined(part)]
                others = [name for other in arguments if other is not argument for name in ids(other)]
                changing = next((part for part in inner if _changes_globals(called(part), self.defined)), None)
                if changing is not None and others:
                    text = f"{called(changing)} changes cells or variables of others, beside other arguments of a call"
                    raise refuse(changing, text, "write that call first, as a statement of its own")

    def _target(self, param: Any, argument: Any, call: Any) -> tuple[list[Any], Pointee]:
        """What a pointer points to in this call; the statements keep an index that may change later."""
        name, index = check_target(param, argument, self.declared, called(call))
        if index is None or isinstance(index, c_ast.Constant):
            return [], Pointee(name, index)
        kept = numbered("place", self.taken)
        kind = c_ast.TypeDecl(kept, [], None, c_ast.IdentifierType(["long"], argument.coord), argument.coord)
        return [_declared(kept, kind, index)], Pointee(name, c_ast.ID(kept, argument.coord))

    def _pointed(self, body: Any, targets: dict[str, Pointee], call: Any, params: set[str]) -> Any:
        """The body with the targets of its pointers; its own variables get other names than these have."""
        own = {part.name for part in walk(body) if isinstance(part, c_ast.Decl)}
        for name in {target.name for target in targets.values()} - targets.keys():
            if name in params:
                raise _unread(call, f"its parameter {name} is called like what is passed for a pointer")
            if name in own:
                fresh = numbered(f"{name}_in_{called(call)}_", self.taken)
                renamed(body, name, fresh)
                self.declared[fresh] = self.declared[name]
        return written_as(body, targets)

    def _check_body(self, definition: Any, call: Any) -> None:
        declared = _declared_in(definition, call)
        for part in walk(definition.body):
            if isinstance(part, c_ast.Label | c_ast.Goto | c_ast.Switch):
                raise _unread(call, "it has a jump")
            if isinstance(part, c_ast.Decl) and part.storage:
                raise _unread(call, f"its variable {part.name} keeps its value between calls")
        free = {name.name for name in ids(definition.body)} - declared - {called(part) for part in calls(definition.body)}
        hidden = free & self.locals
        if hidden:
            raise _unread(call, f"it uses the variable {min(hidden)} of the file, which is hidden here")


def _declared_in(definition: Any, call: Any) -> set[str]:
    declared = {part.name for part in walk(definition.body) if isinstance(part, c_ast.Decl)}
    return declared | {param.name for param in _params(definition, call)}


def _parameters(definition: Any) -> list[Any]:
    declared = definition.decl.type.args
    return list(declared.params) if declared else []


def _params(definition: Any, call: Any) -> list[Any]:
    if definition.param_decls:
        raise _unread(call, "the types of its parameters stand after the brackets")
    params = [param for param in _parameters(definition) if not _is_void(param)]
    for param in params:
        if not isinstance(param, c_ast.Decl) or not (isinstance(param.type, c_ast.TypeDecl) or is_pointer(param)):
            raise _unread(call, "one of its parameters is neither a number nor an array or a pointer to numbers")
    return params


def _unread(call: Any, why: str) -> ImportRefused:
    return refuse(call, f"the call of '{called(call)}' is not read: {why}", CHECK)


def _is_void(param: Any) -> bool:
    return isinstance(param, c_ast.Typename) and getattr(getattr(param.type, "type", None), "names", None) == ["void"]


def _changes_globals(name: str, defined: Mapping[str, Any]) -> bool:
    for other in (name, *reached_from(name, defined)):
        declared = {part.name for part in walk(defined[other]) if isinstance(part, c_ast.Decl)}
        for change in effects(defined[other].body):
            target = change.lvalue if isinstance(change, c_ast.Assignment) else change.expr
            if not isinstance(target, c_ast.ID) or target.name not in declared:
                return True
    return False


def _is_nothing(definition: Any) -> bool:
    """Whether the function returns no value."""
    return getattr(getattr(definition.decl.type.type, "type", None), "names", None) == ["void"]


def _bool(coord: Any) -> Any:
    return c_ast.TypeDecl(None, [], None, c_ast.IdentifierType(["_Bool"], coord), coord)


def _int(coord: Any) -> Any:
    return c_ast.TypeDecl(None, [], None, c_ast.IdentifierType(["int"], coord), coord)


def _declared(name: str, kind: Any, value: Any) -> Any:
    kind = deepcopy(kind)
    if isinstance(kind, c_ast.TypeDecl):
        kind.declname = name
    return c_ast.Decl(name, [], [], [], [], kind, value, None, value.coord)


def _replace(node: Any, field: str, value: Any) -> None:
    """Puts another child in the place that the parser calls `field`, such as `left` or `exprs[2]`."""
    base, bracket, index = field.partition("[")
    if bracket:
        getattr(node, base)[int(index[:-1])] = value
    else:
        setattr(node, base, value)
