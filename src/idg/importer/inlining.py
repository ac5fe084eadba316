"""Writes the bodies of called functions in place of their calls, and finds the functions that call themselves.

SIP has no effects in expressions and no variables of a file. So a call becomes statements before the one in which it stands: the
arguments are stored, the body runs in a block of its own, and its result lies in a variable. Functions that call themselves cannot
be treated so; they become functions of SIP (recursion.py).
"""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from typing import Any

from idg.importer.acsl import ENSURED, REQUIRED
from idg.importer.callers import called
from idg.importer.results import ImportRefused
from idg.importer.returns import Returns, literal, own_items
from idg.importer.source import c_ast, refuse
from idg.importer.trees import calls, effects, ids, walk

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


def inline_calls(function: Any, defined: Mapping[str, Any], recursive: frozenset[str]) -> None:
    """Writes out all calls in the function's body of defined functions that do not call themselves."""
    names = {part.name for node in (function, *defined.values()) for part in walk(node) if isinstance(part, c_ast.ID | c_ast.Decl)}
    _Inliner(defined, recursive, names).function(function)


class _Inliner:
    def __init__(self, defined: Mapping[str, Any], recursive: frozenset[str], taken: set[str]) -> None:
        self.defined = defined
        self.recursive = recursive
        self.taken = taken
        self.count = 0
        self.locals: set[str] = set()
        """The variables of the function into which calls are written."""

    def function(self, function: Any) -> None:
        declared = function.decl.type.args
        self.locals = {part.name for part in walk(function.body) if isinstance(part, c_ast.Decl)}
        self.locals |= {param.name for param in (declared.params if declared else []) if getattr(param, "name", None)}
        function.body = self._block(function.body)

    def _fresh(self, base: str) -> str:
        number = 1
        while f"{base}{number}" in self.taken:
            number += 1
        self.taken.add(f"{base}{number}")
        return f"{base}{number}"

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
            case c_ast.Assignment(op="=", lvalue=c_ast.ID()):
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
        if isinstance(node, c_ast.For) and self._has_call(node.next):
            raise refuse(node.next, "a call in the step of a for is not read", CHECK)
        tested = []
        if self._has_call(node.cond):
            if isinstance(node, c_ast.DoWhile):
                raise refuse(node.cond, "a call in the test of a do is not read", CHECK)
            leave = c_ast.If(c_ast.UnaryOp("!", node.cond, node.coord), c_ast.Break(node.coord), None, node.coord)
            tested = self._statement(leave)
            node.cond = literal(1, node.coord)
        node.stmt = self._block(node.stmt)
        node.stmt.block_items = [*tested, *(node.stmt.block_items or [])]
        return [c_ast.Compound([*before, node], node.coord)] if before else [node]

    def _value(self, node: Any) -> tuple[list[Any], Any]:
        """Statements that run the calls in an expression, and the expression with their results."""
        if not self._has_call(node):
            return [], node
        self._check_alone(node)
        before: list[Any] = []
        if self._is_inlined(node):
            name = self._fresh("result")
            return self._written_out(node, name), c_ast.ID(name, node.coord)
        for field, child in list(node.children()):
            if self._has_call(child):
                part, value = self._value(child)
                before += part
                _replace(node, field, value)
        return before, node

    def _check_alone(self, node: Any) -> None:
        """Refuses an expression in which a call must not be carried out first."""
        for part in walk(node):
            sometimes = [part.right] if isinstance(part, c_ast.BinaryOp) and part.op in ("&&", "||") else []
            if isinstance(part, c_ast.TernaryOp):
                sometimes = [part.iftrue, part.iffalse]
            if any(map(self._has_call, sometimes)):
                raise refuse(part, "a call that is made only sometimes is not read here", "write it with an if")
        if self._is_inlined(node):
            return
        if any(True for _ in effects(node)):
            raise refuse(node, "a call in an expression that changes a variable is not read", "write it as a statement of its own")
        for call in calls(node):
            if self._is_inlined(call) and _changes_globals(called(call), self.defined):
                raise refuse(call, f"{called(call)} changes variables of the file in an expression", "write the call first")

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
        before: list[Any] = []
        given: list[Any] = []
        for param, argument in zip(params, arguments, strict=True):
            name = self._fresh(f"{param.name}_in_{called(call)}_")
            made, value = self._value(argument)
            before += [*made, _declared(name, param.type, value)]
            given.append(_declared(param.name, param.type, c_ast.ID(name, call.coord)))
        returned = definition.decl.type.type
        if result:
            before.append(_declared(result, returned, literal(0, call.coord)))
        returns = Returns(result, self._fresh("returned"))
        inside = returns.without(own_items(body))
        if returns.flag_used:
            before.append(_declared(returns.flag, _int(call.coord), literal(0, call.coord)))
        outer, self.locals = self.locals, self.locals | _declared_in(definition, call)
        inner = c_ast.Compound([part for item in inside for part in self._statement(item)], call.coord)
        self.locals = outer
        return [*before, c_ast.Compound([*given, inner], call.coord)]

    def _check_body(self, definition: Any, call: Any) -> None:
        declared = _declared_in(definition, call)
        for part in walk(definition.body):
            if isinstance(part, c_ast.Label | c_ast.Goto | c_ast.Switch):
                raise _unread(call, "it has a jump")
            if isinstance(part, c_ast.Decl) and part.storage:
                raise _unread(call, f"its variable {part.name} keeps its value between calls")
            if isinstance(part, c_ast.FuncCall) and called(part) in (REQUIRED, ENSURED):
                raise _unread(call, "it has a contract")
        free = {name.name for name in ids(definition.body)} - declared - {called(part) for part in calls(definition.body)}
        hidden = free & self.locals
        if hidden:
            raise _unread(call, f"it uses the variable {min(hidden)} of the file, which is hidden here")


def _declared_in(definition: Any, call: Any) -> set[str]:
    declared = {part.name for part in walk(definition.body) if isinstance(part, c_ast.Decl)}
    return declared | {param.name for param in _params(definition, call)}


def _params(definition: Any, call: Any) -> list[Any]:
    if definition.param_decls:
        raise _unread(call, "the types of its parameters stand after the brackets")
    declared = definition.decl.type.args
    params = [param for param in (declared.params if declared else []) if not _is_void(param)]
    for param in params:
        if not isinstance(param, c_ast.Decl) or not isinstance(param.type, c_ast.TypeDecl):
            raise _unread(call, "one of its parameters is no number")
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
