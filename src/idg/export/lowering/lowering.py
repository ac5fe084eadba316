"""Lowers a checked program, with invariants and measures of its loops, to the statements that printers write."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from idg.audit.expressions import SORTS
from idg.audit.terms import INT, TRUE, LogicTerm, compare, length, number, select, store, symbol
from idg.export.lowering.aggregates import with_aggregates
from idg.export.lowering.arrays import typed
from idg.export.lowering.expressions import ExpressionLowering
from idg.export.lowering.lowered import (
    CallOf,
    Decide,
    ExportRefused,
    Forget,
    LeaveFunction,
    LeaveLoop,
    LoweredFunction,
    LoweredProgram,
    LoweredStatement,
    Oblige,
    Repeat,
    SetTo,
    SortedVariable,
    Suppose,
    nested,
)
from idg.export.names import unused
from idg.sip import syntax as sip
from idg.sip.checking.analysis import FunctionInfo
from idg.sip.program import Program
from idg.sip.syntax import Block, Expr, Stmt, Type
from idg.sip.text.printer import print_expression
from idg.sip.trees.traverse import changed, changed_as_a_whole, conjuncts, names

Facts = Mapping[int, Sequence[Expr]]
"""For each loop, by its number: expressions at its head."""


def lowered(program: Program, invariants: Facts, measures: Facts) -> LoweredProgram:
    """The program with these proved invariants and measures, besides the invariants that its text states.

    Raises ExportRefused where a construct has no faithful counterpart.
    """
    graph = program.info.calls
    reached = graph.reached(program.level.name)
    groups = tuple(group for group in graph.groups if group & reached)
    infos = [info for group in groups for name, info in program.info.functions.items() if name in group]
    functions = tuple(FunctionLowering(program, info, invariants, measures).function() for info in infos)
    return with_aggregates(LoweredProgram(functions, groups))


class FunctionLowering:
    """Lowers one function."""

    def __init__(self, program: Program, info: FunctionInfo, invariants: Facts, measures: Facts) -> None:
        self.helpers = {name: other.function for name, other in program.info.functions.items()}
        self.info = info
        self.types = info.variables
        self.invariants, self.measures = invariants, measures
        self.loops = {id(loop.statement): loop for loop in info.loops}
        taken = {*self.types, *self.helpers, "result"}
        self.entry: dict[str, str] = {}
        """The variable that has the entry value of each parameter; it is another one where the parameter is assigned."""
        for param in info.function.params:
            self.entry[param.name] = unused(f"{param.name}_at_entry", taken) if param.name in info.assigned else param.name
            taken.add(self.entry[param.name])
        self.taken = taken
        self.temporaries: dict[str, Type] = {}
        """The variables that the program does not have."""
        self.locals = [
            SortedVariable(name, SORTS[kind])
            for name, kind in self.types.items()
            if name != "result" and self.entry.get(name) != name
        ]

    def function(self) -> LoweredFunction:
        function = self.info.function
        params = tuple(SortedVariable(self.entry[param.name], SORTS[param.type]) for param in function.params)
        at_entry = {param.name: self.old(param.name) for param in function.params}
        right = [fact for param in function.params for fact in self.typed(at_entry[param.name], param.type)]
        requires = [*right, *(part for pre in function.pres for part in self.defined(pre, at_entry))]
        body: list[LoweredStatement] = [
            SetTo(param.name, at_entry[param.name]) for param in function.params if self.entry[param.name] != param.name
        ]
        if function.result:
            body += self.chosen(["result"])
        body += self.block(function.body)
        if not isinstance(function.body.statements[-1] if function.body.statements else None, sip.Return):
            body += self.ended()
        ensures = [compare(symbol("result", INT), ">=", number(0))] if function.result is Type.NAT else []
        for post in function.posts:
            # Callers see the entry values only.
            if not names(post) & set(self.info.assigned_params):
                ensures += self.defined(post)
        loops = [loop.number in self.measures for loop in self.info.loops]
        calls = any(isinstance(statement, CallOf) for statement in nested(body))
        return LoweredFunction(
            function.name,
            params,
            SORTS[function.result] if function.result else None,
            _without_true(requires),
            _without_true(ensures),
            tuple(self.locals),
            tuple(body),
            all(loops) and not calls,
        )

    def ended(self) -> list[LoweredStatement]:
        """What must hold wherever the function ends."""
        return [statement for post in self.info.function.posts for statement in self.required(post, "post")]

    def old(self, name: str) -> LogicTerm:
        return symbol(self.entry[name], SORTS[self.types[name]])

    # Statements

    def block(self, block: Block) -> list[LoweredStatement]:
        return [lowered_one for statement in block.statements for lowered_one in self.statement(statement)]

    def statement(self, statement: Stmt) -> list[LoweredStatement]:
        out: list[LoweredStatement] = []
        match statement:
            case sip.Var(_, kind, None) if kind.element:
                return self.declared(statement)
            case sip.Var(targets, _, None):
                return self.chosen([target.name for target in targets])
            case sip.Var(targets, kind, value):
                assert value is not None
                return self.assigned([target.name for target in targets], value, kind)
            case sip.Assign(target, value):
                return self.assigned([target.name], value, self.types[target.name])
            case sip.SetCell():
                return self.cell_set(statement)
            case sip.Swap():
                return self.swapped(statement)
            case sip.Return(value):
                returned = [*self.assigned(["result"], value, self.types["result"]), *self.ended()]
                last = statement is self.info.function.body.statements[-1]
                return returned if last else [*returned, LeaveFunction()]
            case sip.Break():
                return [LeaveLoop()]
            case sip.If(branches, otherwise):
                return self.decided(branches, otherwise)
            case sip.While():
                return self.repeated(statement)
            case sip.Print(values):
                for value in values:
                    self.evaluate(value, out, code=True)
                return out
            case sip.Assume(condition):
                held = self.evaluate(condition, out, code=True)
                return [*out, Suppose(held)]
            case sip.Assert(condition):
                return self.required(condition, "assert", code=True)
            case sip.Claim(condition):
                return self.required(condition, "claim")
            case sip.Cassign(targets, condition):
                out = self.chosen([target.name for target in targets])
                return [*out, *(Suppose(part) for part in self.defined(condition))]
        raise AssertionError(statement)

    def chosen(self, targets: Sequence[str]) -> list[LoweredStatement]:
        variables = tuple(SortedVariable(name, SORTS[self.types[name]]) for name in targets)
        facts = [fact for name in targets for fact in self.typed(symbol(name, SORTS[self.types[name]]), self.types[name])]
        return [Forget(variables), *map(Suppose, facts)]

    def assigned(self, targets: Sequence[str], value: Expr, kind: Type) -> list[LoweredStatement]:
        out: list[LoweredStatement] = []
        term = self.stored(value, kind, out)
        first, *others = targets
        copies = [SetTo(name, symbol(first, term.sort)) for name in others]
        return [*out, SetTo(first, term), *copies]

    def typed(self, value: LogicTerm, kind: Type) -> list[LogicTerm]:
        return typed(value, kind, unused("k", self.taken))

    def declared(self, statement: sip.Var) -> list[LoweredStatement]:
        """Arrays of a length, with any cells."""
        assert statement.length is not None
        out: list[LoweredStatement] = []
        size = self.stored(statement.length, Type.NAT, out)
        variables = tuple(SortedVariable(name.name, SORTS[statement.type]) for name in statement.names)
        out.append(Forget(variables))
        for variable in variables:
            array = symbol(variable.name, variable.sort)
            out.append(Suppose(compare(length(array), "=", size)))
            out += map(Suppose, self.typed(array, statement.type)[1:])
        return out

    def cell_set(self, statement: sip.SetCell) -> list[LoweredStatement]:
        out: list[LoweredStatement] = []
        kind = self.types[statement.array.name]
        assert kind.element is not None
        array, evaluation = symbol(statement.array.name, SORTS[kind]), ExpressionLowering(self, {}, True)
        index = evaluation.term(statement.index, out)
        value = evaluation.stored(statement.value, kind.element, out)
        out += evaluation.cell_exists(array, index, print_expression(sip.Index(statement.array, statement.index)))
        return [*out, SetTo(array.name, store(array, index, value))]

    def swapped(self, statement: sip.Swap) -> list[LoweredStatement]:
        out: list[LoweredStatement] = []
        array, evaluation = (
            symbol(statement.array.name, SORTS[self.types[statement.array.name]]),
            ExpressionLowering(self, {}, True),
        )
        left, right = (evaluation.term(index, out) for index in (statement.left, statement.right))
        for term, index in ((left, statement.left), (right, statement.right)):
            out += evaluation.cell_exists(array, term, print_expression(sip.Index(statement.array, index)))
        return [*out, SetTo(array.name, store(store(array, left, select(array, right)), right, select(array, left)))]

    def decided(self, branches: Sequence[sip.Branch], otherwise: Block) -> list[LoweredStatement]:
        no = self.block(otherwise)
        for branch in reversed(branches):
            out: list[LoweredStatement] = []
            test = self.evaluate(branch.test, out, code=True)
            no = [*out, Decide(test, tuple(self.block(branch.body)), tuple(no))]
        return no

    def repeated(self, loop: sip.While) -> list[LoweredStatement]:
        known = self.loops[id(loop)]
        facts = [*(conjuncts(loop.invariant) if loop.invariant is not None else ()), *self.invariants.get(known.number, ())]
        changing = [name for name in known.columns if name in changed(loop.body)]
        before, invariants = self.lengths_kept(changing, loop)
        invariants += [fact for name in changing for fact in self.typed(symbol(name, SORTS[self.types[name]]), self.types[name])]
        invariants += [part for fact in facts for part in self.defined(fact)]
        steps: list[LoweredStatement] = []
        test = self.evaluate(loop.test, steps)
        # The test is evaluated whenever the head is reached. Therefore the conditions under which it has a value are invariants.
        invariants += _conditions(steps)
        measure = [self.measured(component) for component in self.measures.get(known.number, ())]
        return [*before, Repeat(test, _without_true(invariants), tuple(measure), tuple(self.block(loop.body)))]

    def lengths_kept(self, changing: Iterable[str], loop: sip.While) -> tuple[list[LoweredStatement], list[LogicTerm]]:
        """Statements before the loop, and invariants: arrays of which the loop only sets cells keep their lengths."""
        as_a_whole, before, kept = changed_as_a_whole(loop.body), list[LoweredStatement](), list[LogicTerm]()
        for name in changing:
            if self.types[name].element and name not in as_a_whole:
                array = symbol(name, SORTS[self.types[name]])
                if name in self.entry and name not in changed_as_a_whole(self.info.function.body):
                    size = length(self.old(name))
                else:
                    size = symbol(self.local(f"{name}_length", Type.NAT), INT)
                    before.append(SetTo(size.name, length(array)))
                kept.append(compare(length(array), "=", size))
        return before, kept

    def measured(self, component: Expr) -> LogicTerm:
        steps: list[LoweredStatement] = []
        term = self.evaluate(component, steps)
        if steps:
            raise ExportRefused(f"the measure {print_expression(component)} does not have a value in every state")
        if term.sort != INT:
            raise ExportRefused(f"the measure {print_expression(component)} is not a whole number")
        return term

    # Expressions

    def required(self, expr: Expr, what: str, code: bool = False) -> list[LoweredStatement]:
        out: list[LoweredStatement] = []
        held = self.evaluate(expr, out, code=code)
        return [*out, Oblige(held, f"{what}: {print_expression(expr)}")]

    def defined(self, expr: Expr, values: Mapping[str, LogicTerm] | None = None) -> list[LogicTerm]:
        """The condition that the expression has a value and is true."""
        steps: list[LoweredStatement] = []
        held = self.evaluate(expr, steps, values)
        return [*_conditions(steps), held]

    def evaluate(
        self, expr: Expr, out: list[LoweredStatement], values: Mapping[str, LogicTerm] | None = None, code: bool = False
    ) -> LogicTerm:
        """The value as a term; adds to `out` what comes before it. `values`: what names stand for where it is not the variable.

        `code`: whether statements can stand before the expression, so that it may call helpers.
        """
        return ExpressionLowering(self, values or {}, code).term(expr, out)

    def stored(self, expr: Expr, kind: Type, out: list[LoweredStatement]) -> LogicTerm:
        return ExpressionLowering(self, {}, True).stored(expr, kind, out)

    def temporary(self, function: str, kind: Type) -> str:
        """A variable that holds the value of a call."""
        return self.local(f"{function}_value", kind)

    def local(self, name: str, kind: Type) -> str:
        name = unused(name, self.taken)
        self.taken.add(name)
        self.temporaries[name] = kind
        self.locals.append(SortedVariable(name, SORTS[kind]))
        return name

    def is_nat(self, name: str) -> bool:
        return (self.temporaries.get(name) or self.types.get(name)) is Type.NAT


def _conditions(steps: Iterable[LoweredStatement]) -> list[LogicTerm]:
    """What the steps of an expression without calls oblige."""
    return [step.condition for step in steps if isinstance(step, Oblige)]


def _without_true(terms: Iterable[LogicTerm]) -> tuple[LogicTerm, ...]:
    return tuple(dict.fromkeys(term for term in terms if term != TRUE))
