"""What the views of all languages share: which statements a program becomes. How each is written is the language's."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from idg.export.names import unused
from idg.export.views.terms import NO_ARRAYS, ViewRefused, ViewTerms
from idg.export.views.unset import read_unset
from idg.sip import syntax as sip
from idg.sip.checking.analysis import FunctionInfo
from idg.sip.program import Program
from idg.sip.syntax import Block, Expr, Stmt, Type
from idg.sip.text.printer import print_expression
from idg.sip.trees.traverse import always_returns, expressions, function_expressions

INDENT = "    "


def indented(lines: Iterable[str]) -> list[str]:
    return [INDENT + line for line in lines]


def _free_names(names: Iterable[str], words: Collection[str]) -> dict[str, str]:
    """A name for each name: itself, unless it is a word of the language."""
    given: dict[str, str] = {}
    for name in dict.fromkeys(names):
        given[name] = unused(name, {*words, *given.values()})
    return given


class ProgramView:
    """Writes a program. A subclass has the statements of its language."""

    language = ""
    """Its name, for messages."""
    knows_arrays = False
    words: Collection[str] = ()
    """Names that a program cannot give."""

    def __init__(self, program: Program) -> None:
        self.program = program
        functions = program.module.functions
        self.functions = _free_names([function.name for function in functions], self.words)
        variables = [name for info in program.info.functions.values() for name in info.variables]
        self.names = {**_free_names(variables, {*self.words, *self.functions.values()}), **self.functions}
        self.used: set[str] = set()
        """The helpers of the view that occurred."""

    def text(self) -> str:
        bodies = ["\n".join(self.function(info)) for info in self.program.info.functions.values()]
        return self.blank.join([*self.head(), *bodies]) + "\n"

    blank = "\n\n"
    """What stands between functions."""

    def function(self, info: FunctionInfo) -> list[str]:
        function = info.function
        if not self.knows_arrays and any(kind.element for kind in info.variables.values()):
            raise ViewRefused("arrays have no view yet")
        early = read_unset(function)
        if early:
            raise ViewRefused(
                f"{early[0]} may be read before it has a value; it has any value then, which {self.language} cannot say"
            )
        self.info = info
        names = {name: self.names[name] for name in info.variables} | dict(self.functions)
        entries = self._entries(info)
        self.terms = self.terms_of(info, names, entries)
        copies = [self.copied(entries[param.name], param) for param in function.params if entries[param.name] != names[param.name]]
        body = [line for pre in function.pres for line in self.asserted(pre)]
        body += copies
        if function != self.program.level or self._is_called(function.name):
            # What a function does to an array stays in it. Nobody sees what the first call does to its own.
            arrays = [param for param in function.params if param.type.element and param.name in info.assigned_params]
            body += [self.copied(names[param.name], param) for param in arrays]
        body += self.declared(info)
        body += self.block(function.body)
        if not always_returns(function.body):
            body += self.ended()
        self.used |= self.terms.used
        return self.defined(function, body)

    def _is_called(self, name: str) -> bool:
        bodies = (info.function for info in self.program.info.functions.values())
        parts = (part for function in bodies for expr in function_expressions(function) for part in expressions(expr))
        return any(isinstance(part, sip.Call) and part.function == name for part in parts)

    def _entries(self, info: FunctionInfo) -> Mapping[str, str]:
        """The name for the entry value of each parameter. It is another one where the parameter changes and old(…) is used."""
        olds = {
            part.name for expr in function_expressions(info.function) for part in expressions(expr) if isinstance(part, sip.Old)
        }
        taken = {*self.names.values(), *self.words}
        changing = set(info.assigned_params) & olds
        return {
            param.name: unused(f"{self.names[param.name]}_at_entry", taken) if param.name in changing else self.names[param.name]
            for param in info.function.params
        }

    def ended(self) -> list[str]:
        """What stands where the function ends without a `return` of the program."""
        posts = [line for post in self.info.function.posts for line in self.asserted(post)]
        return [*posts, *(self.returned(self.names["result"]) if self.info.function.result else [])]

    def block(self, block: Block) -> list[str]:
        return [line for statement in block.statements for line in self.statement(statement)]

    def statement(self, statement: Stmt) -> list[str]:
        match statement:
            case sip.Var(targets, _, None) if statement.length is not None:
                name = targets[0].name
                raise ViewRefused(f"the cells of {name} may have any values at the start, which {self.language} cannot say")
            case sip.Var(_, _, None):
                return []
            case sip.Var(targets, kind, value):
                assert value is not None
                return self.stored([target.name for target in targets], kind, value)
            case sip.Assign(target, value):
                return self.stored([target.name], self.info.variables[target.name], value)
            case sip.SetCell(array, index, value):
                return self.set_cell(array, index, value)
            case sip.Swap(array, left, right):
                return self.swapped(array, left, right)
            case sip.If(branches, otherwise):
                tests = [(self.terms.text(branch.test), self.block(branch.body)) for branch in branches]
                return self.decided(tests, self.block(otherwise))
            case sip.While():
                return self.repeated(statement)
            case sip.Print(values):
                return self.printed(values)
            case sip.Assume(condition):
                return self.supposed(condition)
            case sip.Assert(condition):
                return self.asserted(condition)
            case sip.Claim(condition):
                return [self.comment(f"claim: {print_expression(condition)}")]
            case sip.Cassign(targets):
                names = ", ".join(target.name for target in targets)
                raise ViewRefused(f"cassign chooses any values for {names}; {self.language} has no such choice")
            case sip.Return(value):
                kind = self.info.variables["result"]
                if not self.info.function.posts:
                    return self.returned(self.terms.fitting(value, kind))
                return [*self.stored(["result"], kind, value), *self.ended()]
            case sip.Break():
                return [self.left_loop]
        raise ViewRefused("a statement of it has no view yet")

    left_loop = "break"

    def repeated(self, loop: sip.While) -> list[str]:
        told = [self.comment(f"decreases: {', '.join(map(print_expression, loop.measure))}")] if loop.measure else []
        checks = [] if loop.invariant is None else self.asserted(loop.invariant)
        body = self.block(loop.body)
        last = loop.body.statements[-1] if loop.body.statements else None
        # The given invariant must hold each time the head is reached: before the loop, and after each turn that comes to its end.
        again = [] if isinstance(last, sip.Break | sip.Return) else checks
        return [*told, *checks, *self.looped(self.terms.text(loop.test), [*body, *again])]

    # What the languages write

    def terms_of(self, info: FunctionInfo, names: Mapping[str, str], entries: Mapping[str, str]) -> ViewTerms:
        raise NotImplementedError

    def head(self) -> list[str]:
        """What stands before the functions; asked when these are written."""
        raise NotImplementedError

    def defined(self, function: sip.Function, body: list[str]) -> list[str]:
        raise NotImplementedError

    def declared(self, info: FunctionInfo) -> list[str]:
        raise NotImplementedError

    def copied(self, name: str, param: sip.Param) -> str:
        raise NotImplementedError

    def stored(self, targets: Sequence[str], kind: Type, value: Expr) -> list[str]:
        raise NotImplementedError

    def set_cell(self, array: sip.Name, index: Expr, value: Expr) -> list[str]:
        raise ViewRefused(NO_ARRAYS)

    def swapped(self, array: sip.Name, left: Expr, right: Expr) -> list[str]:
        raise ViewRefused(NO_ARRAYS)

    def asserted(self, condition: Expr) -> list[str]:
        raise NotImplementedError

    def supposed(self, condition: Expr) -> list[str]:
        raise NotImplementedError

    def printed(self, values: Sequence[Expr]) -> list[str]:
        raise NotImplementedError

    def decided(self, tests: Sequence[tuple[str, list[str]]], otherwise: list[str]) -> list[str]:
        raise NotImplementedError

    def looped(self, test: str, body: list[str]) -> list[str]:
        raise NotImplementedError

    def returned(self, value: str) -> list[str]:
        raise NotImplementedError

    def comment(self, text: str) -> str:
        raise NotImplementedError
