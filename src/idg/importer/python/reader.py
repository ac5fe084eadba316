"""`import_python`: reads a function of a Python text as a SIP program, and notes every reading that it made."""

from __future__ import annotations

import ast
import warnings

from idg.importer.names import Spelling
from idg.importer.origins import with_places
from idg.importer.python.expressions import PythonExpressions, Signature, TypedTerm, described, literal_term
from idg.importer.python.names import annotated
from idg.importer.python.places import Refusal, check_levels, line_of
from idg.importer.python.plainer import plainer, without_result
from idg.importer.python.scripts import calling, with_outer_functions, with_script
from idg.importer.python.statements import PythonStatements, may_fail
from idg.importer.results import Imported, ImportRefused, Input, Note
from idg.sip.errors import SipError
from idg.sip.program import load
from idg.sip.syntax import Assert, Assign, Assume, Block, Expr, Function, Module, Name, Param, Stmt, Type, Var
from idg.sip.text.printer import print_program
from idg.sip.trees.traverse import names

PYTHON_CHARS_MAX = 100_000
"""Characters of a Python text."""
KNOWN_IMPORTS = {
    ("fractions", "Fraction"): "Fraction", ("math", "gcd"): "gcd", ("random", "randint"): "random.randint",
    ("random", "choice"): "random.choice",
}  # fmt: skip
"""What may be imported from a module, and what it means."""
KNOWN_MODULES = ("fractions", "math", "random")
IGNORED_MODULES = ("__future__", "typing")
"""Modules whose imports change no value."""


def import_python(text: str, function: str | None = None) -> Imported:
    """The program that a function of the text means: the one that is named, otherwise the last one. The functions that it calls
    become helpers. Raises ImportRefused at the first thing that is outside the subset."""
    if len(text) > PYTHON_CHARS_MAX:
        raise ImportRefused(1, 1, f"the text has {len(text):,} characters, and at most {PYTHON_CHARS_MAX:,} are read")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # Doubtful escapes in texts, say, are no business of ours.
            tree = ast.parse(text)
        check_levels(tree)
        return _FileReader(tree, function).imported()
    except SyntaxError as error:
        raise ImportRefused(error.lineno or 1, error.offset or 1, f"this is no Python: {error.msg}") from None
    except (RecursionError, MemoryError, ValueError) as error:
        raise ImportRefused(1, 1, f"the text cannot be read: {error or type(error).__name__}") from None
    except Refusal as refusal:
        raise refusal.placed(text) from None


class _FileReader:
    def __init__(self, tree: ast.Module, wanted: str | None) -> None:
        self.functions: dict[str, ast.FunctionDef] = {}
        self.constants: dict[str, TypedTerm] = {}
        self.known: dict[str, str] = {}
        self.signatures: dict[str, Signature] = {}
        self.notes: list[Note] = []
        for node in plainer(with_outer_functions(with_script(tree, wanted, self.notes))).body:
            self.top(node)
        level = self.chosen(tree, wanted)
        if _calls(level, level.name):
            level = calling(level, self.functions, self.notes)
            self.functions[level.name] = level
        self.level = without_result(level, self.notes)

    # The file

    def top(self, node: ast.stmt) -> None:
        match node:
            case ast.FunctionDef(name):
                if name in self.functions:
                    raise Refusal(node, f"there are two functions {name}")
                self.functions[name] = node
            case ast.Import(aliases):
                for alias in aliases:
                    if alias.name not in KNOWN_MODULES:
                        raise Refusal(node, f"the module {alias.name} is not read", "fractions, math and random are")
                    self.known[alias.asname or alias.name] = alias.name
            case ast.ImportFrom(str() as module, aliases) if module in IGNORED_MODULES:
                pass
            case ast.ImportFrom(module, aliases):
                for alias in aliases:
                    if (module or "", alias.name) not in KNOWN_IMPORTS:
                        raise Refusal(node, f"{alias.name} of the module {module} is not read")
                    self.known[alias.asname or alias.name] = KNOWN_IMPORTS[module or "", alias.name]
            case ast.Assign([ast.Name(name)], value) if literal_term(value) is not None:
                self.constant(node, name, value)
            case ast.AnnAssign(ast.Name(name), _, ast.expr() as value) if literal_term(value) is not None:
                self.constant(node, name, value)
            case ast.Expr(ast.Constant()):
                pass
            case _:
                reason = f"{described(node)} outside of functions is not read"
                raise Refusal(node, reason, "functions, imports, constants and a program of statements are")

    def constant(self, node: ast.stmt, name: str, value: ast.expr) -> None:
        if name in self.constants:
            raise Refusal(node, f"{name} is assigned twice outside of functions, so it is no constant")
        term = literal_term(value)
        assert term is not None
        self.constants[name] = term

    def chosen(self, tree: ast.Module, wanted: str | None) -> ast.FunctionDef:
        if not self.functions:
            raise Refusal(tree, "there is no function in the file")
        if wanted is not None and wanted not in self.functions:
            raise Refusal(tree, f"there is no function {wanted} in the file", f"it has {', '.join(self.functions)}")
        return self.functions[wanted or list(self.functions)[-1]]

    # Functions

    def imported(self) -> Imported:
        order = self.called_from(self.level)
        left_out = [name for name in self.functions if self.functions[name] not in order]
        if left_out:
            self.notes.append(Note(0, f"{self.level.name} is read; it does not call {', '.join(left_out)}"))
        spelled = Spelling(())
        names_of = {node.name: spelled.of(node.name) for node in order}
        for node in order:
            self.signatures[node.name] = self.signature(node, names_of[node.name])
        read = [self.function(node, node is self.level) for node in order]
        made = Module(tuple(read))
        source = print_program(made)
        try:
            source = with_places(source, made, load(source).module, (line_of(self.level), 1))
        except SipError as error:
            raise Refusal(self.level, f"what was read is no SIP program: {error.problems[0].message}") from None
        level = read[-1]
        notes = tuple(sorted(dict.fromkeys(self.notes), key=lambda note: note.line))
        return Imported(source, notes, tuple(Input(param.name, "parameter") for param in level.params), "Python")

    def called_from(self, level: ast.FunctionDef) -> list[ast.FunctionDef]:
        """The function and those that it calls in the end, in the order of the text, itself last."""
        reached = {level.name}
        waiting = [level]
        while waiting:
            for node in ast.walk(waiting.pop()):
                if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                    name = node.func.id
                    if name == level.name:
                        hint = "let it be a helper: write a function below that calls it"
                        raise Refusal(node, f"{name} calls itself through another function", hint)
                    if name in self.functions and name not in reached:
                        reached.add(name)
                        waiting.append(self.functions[name])
        return [*(node for name, node in self.functions.items() if name in reached and node is not level), level]

    def expressions_for(self, node: ast.FunctionDef, spelling: Spelling) -> PythonExpressions:
        arguments = node.args
        odd = [*arguments.posonlyargs, *arguments.kwonlyargs, arguments.vararg, arguments.kwarg]
        if any(odd):
            raise Refusal(node, "only plain parameters are read")
        if node.decorator_list:
            raise Refusal(node.decorator_list[0], "decorators are not read")
        expressions = PythonExpressions(self.signatures, self.constants, self.known)
        for argument in arguments.args:
            kind = annotated(argument.annotation, expressions)
            if kind is None:
                self.notes.append(Note(line_of(argument), f"the parameter {argument.arg} has no type and is read as int"))
            expressions.types[argument.arg] = kind or Type.INT
            expressions.spelled[argument.arg] = spelling.of(argument.arg)
        lists = [name for name, kind in expressions.types.items() if kind is not None and kind.element is not None]
        stored = (part for part in ast.walk(node) if isinstance(part, ast.Subscript) and isinstance(part.ctx, ast.Store))
        changed = next((part for part in stored if ast.unparse(part.value) in lists), None)
        if changed is not None and node is not self.level:
            hint = "only the function that is played may; write its body there"
            raise Refusal(changed, f"the function {node.name} changes cells of a list that it is given", hint)
        self.notes += _about_lists(node, lists)
        if arguments.defaults:
            self.notes.append(Note(line_of(node), "default values are not used: the parameters may have any values"))
        return expressions

    def signature(self, node: ast.FunctionDef, name: str) -> Signature:
        notes = len(self.notes)
        expressions = self.expressions_for(node, Spelling(()))
        del self.notes[notes:]  # They are told when the function itself is read.
        returned = [inner for inner in ast.walk(node) if isinstance(inner, ast.Return) and inner.value is not None]
        is_none = isinstance(node.returns, ast.Constant) and node.returns.value is None
        kind = None if is_none else annotated(node.returns, expressions)
        if kind is None and returned and node is not self.level:
            raise Refusal(node, f"the function {node.name} does not say what it returns", f"def {node.name}(…) -> int:")
        types = tuple(kind or Type.INT for kind in expressions.types.values())
        return Signature(name, types, kind if returned else None)

    def function(self, node: ast.FunctionDef, is_level: bool) -> Function:
        spelling = Spelling({*(signature.name for signature in self.signatures.values())})
        expressions = self.expressions_for(node, spelling)
        params = tuple(Param(expressions.spelled[name], kind or Type.INT) for name, kind in expressions.types.items())
        for name, spelled in expressions.spelled.items():
            if name != spelled:
                self.notes.append(Note(line_of(node), f"the parameter {name} is called {spelled}"))
        reader = PythonStatements(node, expressions, spelling, is_level)
        body = reader.body()
        self.notes += reader.notes
        signature = self.signatures[node.name]
        result = signature.result or self.result_type(node, expressions)
        unchanged = {param.name for param in params}
        pres, body = _preconditions(body, unchanged, Assume if is_level else Assert)
        if pres and not is_level:
            self.notes.append(Note(line_of(node), f"the asserts that {node.name} begins with are its preconditions"))
        declared = [Var((Name(name),), kind, None) for name, kind in reader.locals.items()]
        return Function(signature.name, params, result, pres, (), Block((*_joined(declared), *body)))

    def result_type(self, node: ast.FunctionDef, expressions: PythonExpressions) -> Type | None:
        """What the level returns, where it does not say it."""
        returned = [inner.value for inner in ast.walk(node) if isinstance(inner, ast.Return) and inner.value is not None]
        values = [way for value in returned for way in ([value.body, value.orelse] if isinstance(value, ast.IfExp) else [value])]
        kinds = {expressions.read(value).type for value in values}
        if not kinds:
            return None
        if Type.BOOL in kinds and len(kinds) > 1:
            raise Refusal(node, "it returns truth values and numbers")
        return Type.RAT if Type.RAT in kinds else kinds.pop()


def _about_lists(node: ast.FunctionDef, lists: list[str]) -> list[Note]:
    subscripts = [part for part in ast.walk(node) if isinstance(part, ast.Subscript) and ast.unparse(part.value) in lists]
    notes = []
    if subscripts:
        told = "an index must not be negative: that Python counts from the end then is read only for literals"
        notes.append(Note(line_of(subscripts[0]), told))
    decided = (part for part in ast.walk(node) if isinstance(part, ast.Call) and ast.unparse(part.func) in ("all", "any"))
    generators = [part for part in decided if any(isinstance(argument, ast.GeneratorExp) for argument in part.args)]
    if generators:
        told = "all() and any() end early in Python; here each of their values must exist, also after one that decides"
        notes.append(Note(line_of(generators[0]), told))
    if len(lists) > 1 and any(isinstance(part.ctx, ast.Store) for part in subscripts):
        notes.append(Note(line_of(node), f"{' and '.join(lists)} are taken for different lists"))
    return notes


def _calls(function: ast.FunctionDef, name: str) -> bool:
    calls = (node.func for node in ast.walk(function) if isinstance(node, ast.Call))
    return any(isinstance(called, ast.Name) and called.id == name for called in calls)


def _joined(declarations: list[Var]) -> list[Stmt]:
    """One declaration for each type."""
    joined: list[Stmt] = []
    for kind in (Type.INT, Type.BOOL, Type.RAT):
        targets = tuple(name for declaration in declarations if declaration.type is kind for name in declaration.names)
        if targets:
            joined.append(Var(targets, kind, None))
    return joined


def _preconditions(body: list[Stmt], unchanged: set[str], kind: type[Assume] | type[Assert]) -> tuple[tuple[Expr, ...], list[Stmt]]:
    """Takes the first conditions on parameters out of the body. It stops where a statement before might fail or choose."""
    pres: list[Expr] = []
    kept: list[Stmt] = []
    for index, statement in enumerate(body):
        if isinstance(statement, kind) and names(statement.condition) <= unchanged:
            pres.append(statement.condition)
        elif isinstance(statement, Assign) and not may_fail(statement.value):
            unchanged = unchanged - {statement.target.name}
            kept.append(statement)
        else:
            return tuple(pres), [*kept, *body[index:]]
    return tuple(pres), kept
