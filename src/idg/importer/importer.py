"""`import_c`: a C text as a SIP program, with a note of every reading made."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from idg.importer.callers import called, check_caller
from idg.importer.expressions import Expressions, calls
from idg.importer.results import Imported, ImportRefused, Input, Note
from idg.importer.scopes import Scopes, Variable
from idg.importer.source import SPLIT, TOO_DEEP, Parsed, c_ast, parse_c, place, refuse
from idg.importer.spellings import is_known
from idg.importer.statements import Statements
from idg.importer.terms import divides
from idg.sip.errors import SipError
from idg.sip.logic import TRUE
from idg.sip.operators import RESERVED
from idg.sip.program import Program, load
from idg.sip.syntax import Assign, Assume, Block, Cassign, Expr, Function, If, Module, Name, Param, Stmt, Type, Var, While
from idg.sip.text.printer import print_program
from idg.sip.traverse import names, names_in_order, statement_expressions, statements

ARRIVALS = (c_ast.While, c_ast.For, c_ast.DoWhile)


def import_c(text: str, headers: Mapping[str, str] | None = None) -> Imported:
    """The program that the C text means, or ImportRefused with the first thing that is outside the subset.

    Headers are given by the names that #include uses; only what they #define is read.
    """
    try:
        return _imported(parse_c(text, headers))
    except RecursionError:
        raise ImportRefused(1, 1, f"{TOO_DEEP}, somewhere in the text", SPLIT) from None


def _imported(parsed: Parsed) -> Imported:
    chosen, notes = _level(parsed)
    notes = [*parsed.notes, *notes]
    scopes = Scopes(_typedefs(parsed.tree), {chosen.decl.name})
    expressions = Expressions(scopes, parsed.macros)
    defined = frozenset(each.decl.name for each in parsed.tree.ext if isinstance(each, c_ast.FuncDef))
    statements = Statements(expressions, defined)
    before = statements.collect(lambda: _globals(parsed.tree, scopes, statements, chosen))
    params = _declare_params(chosen, scopes, notes)
    body = [*before, *statements.function(chosen.body)]
    made = _LevelBuilder(body, scopes, params)
    source = print_program(Module((made.function(_function_name(chosen.decl.name)),)))
    program = _checked(source, chosen)
    notes += [*scopes.notes, *expressions.notes, *made.notes, *_missing(program)]
    return Imported(source, tuple(sorted(dict.fromkeys(notes), key=lambda each: each.line)), tuple(made.inputs))


# which function


def _level(parsed: Parsed) -> tuple[Any, list[Note]]:
    """The function to be read: main, or the one that has the loops where main only calls it."""
    defined = [each for each in parsed.tree.ext if isinstance(each, c_ast.FuncDef) and not is_known(each.decl.name)]
    if not defined:
        raise ImportRefused(1, 1, "there is no function to be read", "the program should be the body of main")
    chosen, main = _chosen(defined)
    notes = []
    known = sorted({each.decl.name for each in parsed.tree.ext if isinstance(each, c_ast.FuncDef)} & set(_known_defined(parsed)))
    if known:
        notes.append(Note(0, f"{', '.join(known)}: read by the name, not by the body"))
    others = [each.decl.name for each in defined if each is not chosen]
    if others:
        notes.append(Note(0, f"only {chosen.decl.name} is read; {', '.join(others)} left out"))
    if main is not None and main is not chosen:
        notes.append(Note(0, f"{chosen.decl.name} is read for all arguments: what main assumes of them is not read"))
    return chosen, notes


def _chosen(defined: list[Any]) -> tuple[Any, Any]:
    """The function to be read, and main, where there is one."""
    looping = [each for each in defined if _loops(each.body)]
    main = next((each for each in defined if each.decl.name == "main"), None)
    chosen = looping[0] if len(looping) == 1 else main or defined[0]
    if main is None:
        for each in defined:
            if each is not chosen:
                check_caller(each, chosen.decl.name)
    elif main is not chosen:
        if chosen.decl.name not in map(called, calls(main.body)):
            return main, main
        check_caller(main, chosen.decl.name)
    return chosen, main


def _known_defined(parsed: Parsed) -> list[str]:
    return [each.decl.name for each in parsed.tree.ext if isinstance(each, c_ast.FuncDef) and is_known(each.decl.name)]


def _loops(node: Any) -> bool:
    return isinstance(node, ARRIVALS) or any(_loops(child) for _, child in node.children())


def _function_name(name: str) -> str:
    return f"{name}_2" if name in RESERVED else name


def _typedefs(tree: Any) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for each in tree.ext:
        if isinstance(each, c_ast.Typedef) and isinstance(getattr(each.type, "type", None), c_ast.IdentifierType):
            found[each.name] = each.type.type.names
    return found


# its variables


def _globals(tree: Any, scopes: Scopes, statements: Statements, chosen: Any) -> None:
    """Variables of the file that the function uses: without a value they are zero."""
    used = _ids(chosen.body)
    for each in tree.ext:
        if not isinstance(each, c_ast.Decl) or isinstance(each.type, c_ast.FuncDecl) or each.name not in used:
            continue
        original = each.name
        each.name = scopes.declare(each, "global")
        kind = scopes.variables[each.name].type
        text = f"{original} is a variable of the file: it starts as {'what it is set to' if each.init is not None else 'zero'}"
        scopes.notes.append(Note(place(each)[0], text))
        statements.expressions.set(each.name, kind, each.init or c_ast.Constant("int", "0", each.coord))


def _ids(node: Any) -> set[str]:
    found = {node.name} if isinstance(node, c_ast.ID) else set()
    return found.union(*(_ids(child) for _, child in node.children()))


def _declare_params(chosen: Any, scopes: Scopes, notes: list[Note]) -> list[str]:
    declared = chosen.decl.type.args
    found = []
    used = _ids(chosen.body)
    for each in [] if declared is None else declared.params:
        if isinstance(each, c_ast.EllipsisParam):
            raise refuse(each, "a function with any number of arguments is not read")
        if getattr(each, "name", None) is None:
            continue
        if each.name not in used:
            notes.append(Note(place(each)[0], f"the parameter {each.name} is not used and left out"))
            continue
        found.append(scopes.declare(each, "parameter"))
    return found


def _missing(program: Program) -> list[Note]:
    notes = []
    if not program.loops:
        notes.append(Note(0, "the program has no loop, so there is no invariant to find"))
    if not program.guarantee:
        notes.append(Note(0, "the program does not end with an assert: it promises nothing at its end"))
    return notes


def _checked(source: str, chosen: Any) -> Program:
    try:
        return load(source)
    except SipError as error:
        line, column = place(chosen)
        reason = f"the program would not be correct SIP: {error.problems[0].message}"
        raise ImportRefused(line, column, reason, error.problems[0].hint) from None


class _LevelBuilder:
    """The SIP function: which variables are inputs, what may be assumed of them, and the declarations of the others."""

    def __init__(self, body: list[Stmt], scopes: Scopes, params: list[str]) -> None:
        self.variables = scopes.variables
        self.notes: list[Note] = []
        self.inputs: list[Input] = [Input(name, "parameter") for name in params]
        self.pres: list[Expr] = []
        self.body = self._without_choices(body)
        for name in _read_early(self.body, {each.name for each in self.inputs}):
            self._add_input(name, "uninitialised", f"{name} has no value at the start: it became an input")
        self._move_assumes()

    def _add_input(self, name: str, origin: str, text: str) -> None:
        self.inputs.append(Input(name, origin))
        self.notes.append(Note(self.variables[name].line, text))

    def _without_choices(self, body: list[Stmt]) -> list[Stmt]:
        """A variable whose first value is any value, chosen before the first loop, is an input."""
        kept: list[Stmt] = []
        seen = {each.name for each in self.inputs}
        for at, statement in enumerate(body):
            match statement:
                case While():
                    return [*kept, *body[at:]]
                case Cassign((Name(name),), condition) if name not in seen and self.variables[name].origin == "local":
                    self._add_input(name, "unknown", f"{name} may have any value at the start: it became an input")
                    self.pres += [] if condition == TRUE else [condition]
                    seen.add(name)
                case _:
                    kept.append(statement)
                    seen |= _mentioned([statement])
        return kept

    def _move_assumes(self) -> None:
        """What is assumed of inputs before they change is a pre, unless something before may fail."""
        unchanged = {each.name for each in self.inputs}
        kept: list[Stmt] = []
        for at, statement in enumerate(self.body):
            match statement:
                case Assume(condition) if names(condition) <= unchanged and not divides(condition):
                    self.pres.append(condition)
                case Assign(Name(name), value) if not divides(value) and self.variables[name].type is not Type.NAT:
                    unchanged.discard(name)
                    kept.append(statement)
                case _:
                    self.body = [*kept, *self.body[at:]]
                    return
        self.body = kept

    def function(self, name: str) -> Function:
        names = [each.name for each in self.inputs]
        mentioned = _mentioned([*self.body])
        locals_ = [each for each in self.variables.values() if each.name in mentioned and each.name not in names]
        unused = [each.name for each in self.variables.values() if each.name not in mentioned and each.name not in names]
        for each in unused:
            if self.variables[each].origin != "fresh":
                self.notes.append(Note(self.variables[each].line, f"the variable {each} is never used and left out"))
        params = tuple(Param(each, self.variables[each].type) for each in names)
        return Function(name, params, None, tuple(self.pres), (), Block((*_declarations(locals_), *self.body)))


def _declarations(variables: list[Variable]) -> list[Stmt]:
    found: list[Stmt] = []
    for kind in (Type.INT, Type.NAT, Type.BOOL):
        names = tuple(Name(each.name) for each in variables if each.type is kind)
        if names:
            found.append(Var(names, kind, None))
    return found


def _mentioned(block: list[Stmt]) -> set[str]:
    found: set[str] = set()
    for each in statements(Block(tuple(block))):
        found = found.union(*map(names, statement_expressions(each)))
        match each:
            case Assign(Name(name)):
                found.add(name)
            case Cassign(targets):
                found |= {target.name for target in targets}
    return found


def _read_early(block: list[Stmt], assigned: set[str]) -> list[str]:
    """Variables that may be read before they have a value, in the order of reading."""
    found: dict[str, None] = {}

    def read(expr: Expr, known: set[str]) -> None:
        for name in names_in_order(expr):
            if name not in known:
                found.setdefault(name)

    def walk(inner: tuple[Stmt, ...], known: set[str]) -> set[str]:
        for each in inner:
            match each:
                case Cassign(targets, condition):
                    known = known | {target.name for target in targets}
                    read(condition, known)
                    continue
                case If(branches, otherwise):
                    ends = []
                    for branch in branches:
                        read(branch.test, known)
                        ends.append(walk(branch.body.statements, set(known)))
                    ends.append(walk(otherwise.statements, set(known)))
                    known = set.intersection(*ends)
                    continue
                case While(_, test, body):
                    read(test, known)
                    walk(body.statements, set(known))
                    continue
            for expr in statement_expressions(each):
                read(expr, known)
            if isinstance(each, Assign):
                known = known | {each.target.name}
        return known

    walk(tuple(block), set(assigned))
    return list(found)
