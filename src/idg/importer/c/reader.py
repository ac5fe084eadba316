"""`import_c`: reads a C text as a SIP program, and notes every reading that it made."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from idg.importer.c.arrays import check_parameters, parameter_pres
from idg.importer.c.choosing import chosen_function, defined_functions
from idg.importer.c.expressions import Expressions
from idg.importer.c.known_functions import check_parameter
from idg.importer.c.numbers.c_types import BOOL, INT, ULONG, CSignature, CType, Integers, is_bounded, named_type
from idg.importer.c.numbers.ranges import Written, written_out
from idg.importer.c.numbers.terms import bounds, divides
from idg.importer.c.recursion import read_recursive, recursive_signatures
from idg.importer.c.rewriting.inlining import reached_from, recursive_functions
from idg.importer.c.rewriting.labels import is_staying
from idg.importer.c.rewriting.parameters import lengths
from idg.importer.c.scopes import Scopes, Variable
from idg.importer.c.statements import Statements
from idg.importer.c.text.acsl import attach
from idg.importer.c.text.source import SPLIT, TOO_DEEP, Parsed, c_ast, parse_c, place, refuse
from idg.importer.c.text.spellings import ASSERT, ASSUME, ValueRange, is_known
from idg.importer.c.text.trees import ids, walk
from idg.importer.c.traces import Tracing, is_trace, with_assigned_only
from idg.importer.origins import with_places
from idg.importer.results import Imported, ImportRefused, Input, Note
from idg.sip.errors import SipError
from idg.sip.operators import RESERVED
from idg.sip.program import Program, load
from idg.sip.record import Record
from idg.sip.syntax import Assign, Assume, Block, Cassign, Expr, Function, If, Module, Name, Param, Stmt, Type, Var, While
from idg.sip.text.printer import print_expression, print_program
from idg.sip.trees.build import ZERO
from idg.sip.trees.logic import TRUE
from idg.sip.trees.traverse import names, names_in_order, statement_expressions, statements

LOOPS = (c_ast.While, c_ast.For, c_ast.DoWhile)


def import_c(text: str, headers: Mapping[str, str] | None = None, integers: str = "math", function: str | None = None) -> Imported:
    """The program that the C text means. Raises ImportRefused at the first thing that is outside the subset.

    `headers` maps the names that #include "…" uses to their texts. `integers` says how signed arithmetic is read: `math` (it has no
    bound), `check` (that nothing overflows is an obligation) or `machine` (it wraps round). `function` names the function that is
    read, for all arguments and with its result; otherwise it is the one with the loops.
    """
    try:
        return _imported(parse_c(text, headers, function or ""), Integers(integers))
    except RecursionError:
        raise ImportRefused(1, 1, f"{TOO_DEEP}, somewhere in the text", SPLIT) from None


class Reading(Record):
    """What was read, and the variables with their types."""

    imported: Imported
    scopes: Scopes
    unknown: Callable[[Any], ValueRange | None]
    """The values that a call of unknown() may give; None for other calls."""
    gives_result: bool
    """Whether the program has the result of the function."""

    @property
    def variables(self) -> Mapping[str, Variable]:
        return self.scopes.variables


def _imported(parsed: Parsed, integers: Integers) -> Imported:
    return read(parsed, attach(parsed.tree, parsed.annotations), integers).imported


def read(parsed: Parsed, attached: list[Note], integers: Integers, tracing: Tracing | None = None) -> Reading:
    """Reads a tree in which annotations are attached; with `tracing`, the function to be read has traces."""
    _check_file(parsed.tree)
    chosen, notes = chosen_function(parsed)
    notes = [*parsed.notes, *attached, *notes]
    scopes = Scopes(_typedefs(parsed.tree), {chosen.decl.name}, integers)
    defined = frozenset(node.decl.name for node in parsed.tree.ext if isinstance(node, c_ast.FuncDef))
    signatures, helpers = _recursive(parsed, chosen, scopes, notes)
    scopes.taken.update(signature.name for signature in signatures.values())
    expressions = Expressions(scopes, integers, _functions(parsed.tree, scopes), defined, signatures)
    statements = Statements(expressions)
    returned = _result_type(chosen.decl, scopes)
    ending = statements.end
    ending.returns = returned or INT
    ending.gives_result = bool(parsed.function) and returned not in (None, BOOL)
    before = statements.collect(lambda: _globals(parsed.tree, scopes, statements, chosen))
    params = _declare_params(chosen, scopes, notes)
    ending.parameters = frozenset(params)
    if tracing is not None:
        expressions.tracing = tracing
        tracing.counter = scopes.fresh("traced", ULONG)
        before = [Assign(Name(tracing.counter), ZERO), *before]
    body = (*before, *statements.function(chosen.body))
    bounded = _bounded(scopes, integers)
    written = written_out(body, bounded)
    shown = written.statements
    if tracing is not None:
        arrays = {variable.name for variable in scopes.variables.values() if variable.type.element}
        shown = with_assigned_only(shown, {*params, *_read_early(list(shown), {*params, *arrays})})
    builder = _LevelBuilder(list(shown), scopes, params, bounded)
    level = builder.function(_function_name(chosen.decl.name), Type.INT if ending.gives_result else None, ending.posts())
    made = Module((*helpers, level))
    source = print_program(made)
    program = _checked(source, chosen)
    source = with_places(source, made, program.module, place(chosen))
    notes += [*scopes.notes, *expressions.notes, *builder.notes, *_about(written), *_missing(program)]
    sorted_notes = tuple(sorted(dict.fromkeys(notes), key=lambda note: note.line))
    stays = _staying(parsed.tree)
    imported = Imported(source, sorted_notes, tuple(builder.inputs), integers=integers.value, function=parsed.function, stays=stays)
    return Reading(imported, scopes, expressions.unknown, ending.gives_result)


def _staying(tree: Any) -> int:
    """The line of a place at which a run of C stays for ever and that is read as the run's end, as suites mean it; 0 for none."""
    for node in tree.ext:
        known = isinstance(node, c_ast.FuncDef) and is_known(node.decl.name)
        for part in walk(node):
            if isinstance(part, c_ast.Label) and is_staying(part):
                return place(part)[0]
            if known and isinstance(part, LOOPS):
                return place(part)[0]
    return 0


def _recursive(parsed: Parsed, chosen: Any, scopes: Scopes, notes: list[Note]) -> tuple[dict[str, CSignature], list[Function]]:
    """The functions that call themselves, where the chosen one calls them: their types, and what they are in SIP."""
    defined = defined_functions(parsed.tree)
    reached = reached_from(chosen.decl.name, defined)
    used = {name: node for name, node in defined.items() if name in recursive_functions(defined) & reached}
    signatures = recursive_signatures(used, scopes)
    taken = {chosen.decl.name, *(signature.name for signature in signatures.values())}
    helpers = []
    for name, node in used.items():
        own = Scopes(scopes.typedefs, taken, scopes.integers)
        reader = Expressions(own, scopes.integers, _functions(parsed.tree, scopes), frozenset(defined), signatures)
        helpers.append(read_recursive(node, signatures[name], reader))
        notes += [*own.notes, *reader.notes]
    return signatures, helpers


def _bounded(scopes: Scopes, integers: Integers) -> dict[str, CType]:
    """The variables whose values stay within the bounds of their types."""
    return {
        name: variable.ctype
        for name, variable in scopes.variables.items()
        if is_bounded(variable.ctype, integers) and variable.ctype != BOOL
    }


def _about(written: Written) -> list[Note]:
    notes = []
    if written.remainders:
        notes.append(
            Note(0, f"at {_places(written.remainders)} C may reduce a number to its type's width: a remainder is written there")
        )
    if written.obligations:
        notes.append(Note(0, f"at {_places(written.obligations)} a signed operation might overflow: an assert is written there"))
    return notes


def _places(count: int) -> str:
    return "one place" if count == 1 else f"{count} places"


def _check_file(tree: Any) -> None:
    """Refuses what would change the meaning of names that are read by their names."""
    for node in tree.ext:
        for part in walk(node):
            if isinstance(part, c_ast.Decl) and isinstance(part.type, c_ast.FuncDecl) and part.name in ASSERT | ASSUME:
                check_parameter(part)
            if isinstance(part, c_ast.FuncCall) and isinstance(part.name, c_ast.ID) and part.name.name.startswith("__builtin_"):
                raise refuse(part, f"the call of '{part.name.name}' is not read")


def _functions(tree: Any, scopes: Scopes) -> dict[str, CType | None]:
    """The functions that the file declares or defines → what they return, if that is a number that is read."""
    functions: dict[str, CType | None] = {}
    for node in tree.ext:
        declaration = node.decl if isinstance(node, c_ast.FuncDef) else node
        if isinstance(declaration, c_ast.Decl) and isinstance(declaration.type, c_ast.FuncDecl):
            functions[declaration.name] = _result_type(declaration, scopes)
    return functions


def _result_type(declaration: Any, scopes: Scopes) -> CType | None:
    returned = declaration.type.type
    if not isinstance(returned, c_ast.TypeDecl) or not isinstance(returned.type, c_ast.IdentifierType):
        return None
    return named_type(scopes.words(returned.type.names))


def _function_name(name: str) -> str:
    return f"{name}_2" if name in RESERVED else name


def _typedefs(tree: Any) -> dict[str, list[str]]:
    typedefs: dict[str, list[str]] = {}
    for node in tree.ext:
        if isinstance(node, c_ast.Typedef) and isinstance(getattr(node.type, "type", None), c_ast.IdentifierType):
            if "volatile" in [*node.quals, *node.type.quals]:
                raise refuse(node, f"'{node.name}' is volatile: its values may change at any time")
            typedefs[node.name] = node.type.type.names
    return typedefs


# its variables


def _globals(tree: Any, scopes: Scopes, statements: Statements, chosen: Any) -> None:
    """Declares and sets the variables of the file that the function uses. As in C, one without a value starts as zero."""
    used = {name.name for name in ids(chosen.body)}
    declared: dict[str, Any] = {}
    for node in tree.ext:
        if isinstance(node, c_ast.Decl) and not isinstance(node.type, c_ast.FuncDecl) and node.name in used:
            # C allows several declarations of the same variable, of which one may give it a value.
            before = declared.get(node.name)
            if before is None or node.init is not None or ("extern" in before.storage and before.init is None):
                declared[node.name] = node
    for original, declaration in declared.items():
        if "extern" in declaration.storage and declaration.init is None:
            raise refuse(declaration, f"'{declaration.name}' is defined in another file")
        declaration.name = scopes.declare(declaration, "global")
        text = (
            f"{original} is a variable of the file: it starts as {'what it is set to' if declaration.init is not None else 'zero'}"
        )
        scopes.notes.append(Note(place(declaration)[0], text))
        statements.set_first(declaration)


def _declare_params(chosen: Any, scopes: Scopes, notes: list[Note]) -> list[str]:
    if chosen.param_decls:
        raise refuse(chosen.param_decls[0], "types of parameters after the brackets are not read", "write them into the brackets")
    declared = chosen.decl.type.args
    used = {name.name for name in ids(chosen.body)}
    if declared is not None:
        used |= {name.name for name in ids(declared)}
        check_parameters([param for param in declared.params if getattr(param, "name", "") in used], chosen.body, scopes)
    params = [] if declared is None else declared.params
    named = [param for param in params if isinstance(param, c_ast.Decl) and param.name]
    for param in params:
        if isinstance(param, c_ast.EllipsisParam):
            raise refuse(param, "a function with any number of arguments is not read")
    for param in named:
        if param.name not in used:
            notes.append(Note(place(param)[0], f"the parameter {param.name} is not used and left out"))
    told = lengths(chosen)
    names_in_sip: dict[str, str] = {}
    # An array whose length comes later, as is custom, is declared after it.
    for param in sorted(named, key=lambda param: param.name in told):
        if param.name in used or param.name in told.values():
            names_in_sip[param.name] = scopes.declare(param, "parameter", told.get(param.name, ""))
            _note_length(param, scopes.variables[names_in_sip[param.name]], param.name in told, notes)
    return [names_in_sip[param.name] for param in named if param.name in names_in_sip]


def _note_length(param: Any, variable: Variable, assumed: bool, notes: list[Note]) -> None:
    if variable.length is None:
        return
    cells = f"{'at least ' if variable.at_least else ''}{print_expression(variable.length)} cells"
    if assumed:
        text = f"{param.name} is assumed to be an array of {cells}: C does not say how long it is"
    else:
        text = f"{param.name} is read as an array of {cells}, as its declaration says"
    notes.append(Note(place(param)[0], text))
    if "restrict" in param.type.dim_quals:
        text = f"{param.name} is restrict: that no other array has its cells is taken for granted, though C does not check it"
        notes.append(Note(place(param)[0], text))


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
    """Builds the SIP function: decides which variables are inputs and what is assumed of them, and declares the others."""

    def __init__(self, body: list[Stmt], scopes: Scopes, params: list[str], bounded: Mapping[str, CType]) -> None:
        self.variables = scopes.variables
        self.notes: list[Note] = []
        self.inputs: list[Input] = [Input(name, "parameter") for name in params]
        self.pres: list[Expr] = []
        self.body = self._without_choices(body)
        arrays = {variable.name for variable in self.variables.values() if variable.type.element}
        for name in _read_early(self.body, {input_.name for input_ in self.inputs} | arrays):
            self._add_input(name, "uninitialised", f"{name} has no value at the start: it became an input")
        for input_ in self.inputs:
            if self.variables[input_.name].length is not None:
                fresh = scopes.fresh("k", INT)
                self.pres += parameter_pres(self.variables[input_.name], input_.name in bounded, fresh)
            elif input_.name in bounded and input_.origin != "unknown":
                ctype = bounded[input_.name]
                self.pres.append(bounds(input_.name, ctype.low, ctype.high, ctype))
        self._move_assumes()

    def _add_input(self, name: str, origin: str, text: str) -> None:
        self.inputs.append(Input(name, origin))
        self.notes.append(Note(self.variables[name].line, text))

    def _without_choices(self, body: list[Stmt]) -> list[Stmt]:
        """The body without choices that become inputs: a variable whose first value is chosen freely, before the first loop."""
        kept: list[Stmt] = []
        seen = {input_.name for input_ in self.inputs}
        for index, statement in enumerate(body):
            match statement:
                case While():
                    return [*kept, *body[index:]]
                case Cassign((Name(name),), condition) if name not in seen and self.variables[name].origin == "local":
                    self._add_input(name, "unknown", f"{name} may have any value at the start: it became an input")
                    self.pres += [] if condition == TRUE else [condition]
                    seen.add(name)
                case _:
                    kept.append(statement)
                    seen |= _mentioned([statement])
        return kept

    def _move_assumes(self) -> None:
        """Moves leading assumes of inputs into the pre. It stops where an input has changed or a statement before may fail,
        because a pre is assumed before anything happens."""
        unchanged = {input_.name for input_ in self.inputs}
        kept: list[Stmt] = []
        for index, statement in enumerate(self.body):
            match statement:
                case Assume(condition) if names(condition) <= unchanged and not divides(condition):
                    self.pres.append(condition)
                case Assign(Name(name), value) if not divides(value) and self.variables[name].type is not Type.NAT:
                    unchanged.discard(name)
                    kept.append(statement)
                case _:
                    self.body = [*kept, *self.body[index:]]
                    return
        self.body = kept

    def function(self, name: str, result: Type | None, posts: list[Expr]) -> Function:
        names = [input_.name for input_ in self.inputs]
        mentioned = _mentioned([*self.body])
        locals_ = [variable for variable in self.variables.values() if variable.name in mentioned and variable.name not in names]
        for variable in self.variables.values():
            if variable.name not in mentioned and variable.name not in names and variable.origin != "fresh":
                self.notes.append(Note(variable.line, f"the variable {variable.name} is never used and left out"))
        params = tuple(Param(input_name, self.variables[input_name].type) for input_name in names)
        return Function(name, params, result, tuple(self.pres), tuple(posts), Block((*_declarations(locals_), *self.body)))


def _declarations(variables: list[Variable]) -> list[Stmt]:
    declarations: list[Stmt] = []
    for kind in (Type.INT, Type.NAT, Type.BOOL):
        names = tuple(Name(variable.name) for variable in variables if variable.type is kind)
        if names:
            declarations.append(Var(names, kind, None))
    return declarations


def _mentioned(block: list[Stmt]) -> set[str]:
    mentioned: set[str] = set()
    for statement in statements(Block(tuple(block))):
        mentioned = mentioned.union(*map(names, statement_expressions(statement)))
        match statement:
            case Assign(Name(name)):
                mentioned.add(name)
            case Cassign(targets) | Var(targets):
                mentioned |= {target.name for target in targets}
    return mentioned


def _read_early(block: list[Stmt], assigned: set[str]) -> list[str]:
    """Variables that may be read before they have a value, in the order of reading. `assigned` have one from the start."""
    early: dict[str, None] = {}

    def read(expr: Expr, known: set[str]) -> None:
        for name in names_in_order(expr):
            if name not in known:
                early.setdefault(name)

    def walk(inner: tuple[Stmt, ...], known: set[str]) -> set[str]:
        for statement in inner:
            if is_trace(statement):
                continue
            match statement:
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
            for expr in statement_expressions(statement):
                read(expr, known)
            if isinstance(statement, Assign):
                known = known | {statement.target.name}
        return known

    walk(tuple(block), set(assigned))
    return list(early)
