"""Checks a main that is left out because another function has the loops: it may do nothing that would be lost, and what the
other function requires of its calls would be."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from idg.importer.c.rewriting.exits import items_of
from idg.importer.c.text.acsl import REQUIRED
from idg.importer.c.text.source import c_ast, refuse
from idg.importer.c.text.spellings import ASSUME, unknown_of
from idg.importer.c.text.trees import calls, effects, ids

FROM_TEXT = frozenset({"atoi", "atol", "atoll"})
"""Functions that read a number from the command line, which may be any number."""


def called(node: Any) -> str:
    return node.name.name if isinstance(node.name, c_ast.ID) else ""


def check_caller(caller: Any, callee: str) -> None:
    """Refuses the program unless the caller has declarations, inputs, one call of the callee, printf and return, and nothing
    else."""
    _Caller(caller, callee).check()


def check_required(chosen: Any, defined: Iterable[Any]) -> None:
    """Refuses a function that is read for all arguments and requires something of them, if another one calls it: that call would
    not be checked."""
    clause = next((call for call in calls(chosen.body) if called(call) == REQUIRED), None)
    for function in defined if clause is not None else ():
        if function is not chosen and chosen.decl.name in map(called, calls(function.body)):
            caller = function.decl.name
            reason = f"what {chosen.decl.name} requires is not checked where {caller} calls it"
            raise refuse(clause, reason, f"write it as an assume in {caller}")


class _Caller:
    def __init__(self, caller: Any, callee: str) -> None:
        self.caller = caller
        self.callee = callee
        declared = caller.decl.type.args
        self.inputs = {param.name for param in (declared.params if declared else []) if getattr(param, "name", None)}
        self.locals = set(self.inputs)
        self.results: set[str] = set()

    def check(self) -> None:
        made = [call for call in calls(self.caller.body) if called(call) == self.callee]
        if len(made) > 1:
            raise self._refused(made[1], f"it calls {self.callee} more than once")
        for item in items_of(self.caller.body):
            self._statement(item)
        for call in made:
            self._arguments(call)

    def _refused(self, node: Any, what: str) -> Exception:
        name = self.caller.decl.name
        return refuse(node, f"{self.callee} has the loops, so {name} would be left out, but {what}")

    def _statement(self, node: Any) -> None:
        match node:
            case c_ast.Decl() if isinstance(node.type, c_ast.FuncDecl):
                return
            case c_ast.Decl(type=c_ast.TypeDecl()) if "static" not in node.storage and node.name not in self.locals:
                self.locals.add(node.name)
                self._given(node.name, node.init)
            case c_ast.DeclList():
                for declaration in node.decls:
                    self._statement(declaration)
            case c_ast.Assignment(op="=", lvalue=c_ast.ID(name=name)) if name in self.locals and name not in self.results:
                self._given(name, node.rvalue)
            case c_ast.FuncCall() if called(node) in ASSUME:
                raise self._refused(node, "something is assumed there that would be lost")
            case c_ast.FuncCall() if called(node) in ("printf", self.callee):
                self._value(node.args)
            case c_ast.Return():
                self._value(node.expr)
            case c_ast.Pragma():
                return
            case _:
                raise self._refused(node, "it does more than call it")

    def _given(self, name: str, value: Any) -> None:
        self._value(value)
        self.inputs.discard(name)
        if value is None or self._is_any(value):
            self.inputs.add(name)
        elif self._mentions_result(value):
            self.results.add(name)

    def _value(self, node: Any) -> None:
        """Refuses an expression that does more than give a value."""
        if node is None:
            return
        for change in effects(node):
            raise self._refused(change, "a variable is changed in it")
        for call in calls(node):
            if called(call) != self.callee and called(call) not in FROM_TEXT and not _is_unknown(call):
                raise self._refused(call, f"it also calls {called(call) or 'something'}")

    def _mentions_result(self, node: Any) -> bool:
        if node is None:
            return False
        return any(called(part) == self.callee for part in calls(node)) or any(part.name in self.results for part in ids(node))

    def _is_any(self, node: Any) -> bool:
        while isinstance(node, c_ast.Cast):
            node = node.expr
        return isinstance(node, c_ast.FuncCall) and (_is_unknown(node) or called(node) in FROM_TEXT)

    def _arguments(self, call: Any) -> None:
        """The function is read for all values of its parameters, so each of them must be an input of its own."""
        used: set[str] = set()
        for argument in [] if call.args is None else call.args.exprs:
            name = argument.name if isinstance(argument, c_ast.ID) else ""
            if not self._is_any(argument) and (name not in self.inputs or name in used):
                raise self._refused(argument, "it does not pass just any numbers")
            used.add(name)


def _is_unknown(node: Any) -> bool:
    return node.args is None and unknown_of(called(node)) is not None
