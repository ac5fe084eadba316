"""Verification conditions of a program by weakest preconditions.

A function is walked from its end to its start: each statement turns the conditions that must hold after it into those that must
hold before it. A condition is a goal under hypotheses. In it a symbol `x` stands for the value of x before the statements walked
so far. An assignment gives its variable a new symbol, which is equal to the value. A loop gives new symbols to all variables that
it changes; nothing is known about these but the invariants. A choice gives new symbols, about which only its condition is known. An
array of which a loop only sets cells keeps its length. How expressions are evaluated is in expressions.py.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from idg.audit import helpers
from idg.audit.expressions import (
    OPAQUE,
    SORTS,
    EvaluationPlace,
    ExpressionWalk,
    Step,
    TooLarge,
    assumed,
    cell_exists,
    entry_symbols,
    typed,
)
from idg.audit.terms import (
    TRUE,
    LogicTerm,
    call,
    compare,
    conjunction,
    implication,
    length,
    negation,
    parts,
    select,
    store,
    substitute,
    symbol,
)
from idg.sip import syntax as sip
from idg.sip.program import Program
from idg.sip.syntax import Block, Expr, Function, Span, Stmt, Type
from idg.sip.text.printer import print_expression
from idg.sip.trees.traverse import changed, changed_as_a_whole, conjuncts

CONDITIONS_MAX = 600
"""Conditions of one function. Each way through its `if`s has its own."""
DEPTH_MAX = 5
"""How deep calls inside of contracts and unfolded bodies are looked into. Beyond that nothing is known about a call."""
RECURSIVE_DEPTH_MAX = 2
"""The same for recursive helpers."""
Invariants = Mapping[int, Sequence[Expr]]
"""For each loop, by its number: what is claimed to hold whenever a run reaches its head."""


class ProofCondition(NamedTuple):
    function: str
    what: str
    text: str
    """The expression of the program that it is about."""
    span: Span
    hypotheses: tuple[Step, ...]
    goal: LogicTerm


def conditions_of(program: Program, invariants: Invariants) -> list[ProofCondition]:
    """All conditions of all functions. The program is correct if they are all valid. Raises TooLarge."""
    functions = [info.function for info in program.info.functions.values()]
    return [condition for function in functions for condition in _Walk(program, invariants).function(function)]


class _Walk(ExpressionWalk):
    def __init__(self, program: Program, invariants: Invariants) -> None:
        super().__init__(program)
        self.invariants = invariants
        self.place: EvaluationPlace
        self.at_return: list[ProofCondition] = []
        """What must hold where the function returns."""
        self.after_loops: list[list[ProofCondition]] = []
        """For each loop around the statement, outermost first: what must hold after the loop."""

    # Functions

    def function(self, function: Function) -> list[ProofCondition]:
        entry = entry_symbols(function)
        self.place = self.inside(function, entry)
        steps = [step for post in function.posts for step in self.required(post, "post", self.place)]
        self.at_return = self.before(steps, [])
        conditions = self.block(function.body, self.at_return)
        if function.result:
            conditions = self.chosen(["result"], function.span, conditions)
        known = [step for pre in function.pres for step in self.known(pre, self.place)]
        conditions = self.renamed(self.before(known, conditions), entry)
        conditions = self.before([step for param in function.params for step in typed(entry[param.name], param.type)], conditions)
        # Now every symbol has a place in its name. A bare one would be a variable that was mixed up with another function's.
        formulas = [step.formula for condition in conditions for step in (*condition.hypotheses, Step(condition.goal))]
        symbols = {part.name for formula in formulas for part in parts(formula) if part.op == "symbol"}
        assert all("." in name for name in symbols), symbols
        return conditions

    def inside(self, function: Function, entry: Mapping[str, LogicTerm], depth: int = 0) -> EvaluationPlace:
        return EvaluationPlace(function, self.info.functions[function.name].variables, {}, entry, depth=depth)

    # Conditions

    def before(self, steps: Sequence[Step], conditions: list[ProofCondition]) -> list[ProofCondition]:
        """What must hold before the steps so that they are allowed and the conditions hold after them."""
        for step in reversed(steps):
            if step.formula == TRUE:
                continue
            conditions = [condition._replace(hypotheses=(*assumed([step]), *condition.hypotheses)) for condition in conditions]
            if step.what:
                function = self.place.function.name
                conditions.insert(0, ProofCondition(function, step.what, step.text, step.span, (), step.formula))
        if len(conditions) > CONDITIONS_MAX:
            raise TooLarge(f"{self.place.function.name} has more than {CONDITIONS_MAX} conditions")
        return conditions

    def renamed(self, conditions: list[ProofCondition], values: Mapping[str, LogicTerm]) -> list[ProofCondition]:
        done: dict[LogicTerm, LogicTerm] = {}
        return [
            condition._replace(
                hypotheses=tuple(step._replace(formula=substitute(step.formula, values, done)) for step in condition.hypotheses),
                goal=substitute(condition.goal, values, done),
            )
            for condition in conditions
        ]

    def chosen(
        self, names: Iterable[str], span: Span, conditions: list[ProofCondition], same_length: Iterable[str] = ()
    ) -> list[ProofCondition]:
        """The variables may have any values of their types; arrays of `same_length` keep their length."""
        kinds = {name: self.place.types[name] for name in names}
        values = {name: self.fresh(name, kind, span) for name, kind in kinds.items()}
        known = [step for name, kind in kinds.items() for step in typed(values[name], kind)]
        known += [Step(compare(length(values[name]), "=", length(symbol(name, SORTS[kinds[name]])))) for name in same_length]
        return self.before(known, self.renamed(conditions, values))

    def assigned(
        self, names: Iterable[str], value: Expr, kind: Type, conditions: list[ProofCondition], span: Span
    ) -> list[ProofCondition]:
        steps: list[Step] = []
        term = self.stored(value, kind, self.place, steps)
        if kind.element:
            return self.before(steps, self.renamed(conditions, dict.fromkeys(names, term)))
        values = {name: self.fresh(name, kind, span) for name in names}
        definitions = [Step(compare(new, "=", term)) for new in values.values()]
        return self.before([*steps, *definitions], self.renamed(conditions, values))

    # Arrays

    def declared(self, statement: sip.Var, conditions: list[ProofCondition]) -> list[ProofCondition]:
        """Arrays of a length, with any cells."""
        assert statement.length is not None
        steps: list[Step] = []
        size = self.stored(statement.length, Type.NAT, self.place, steps)
        values = {name.name: self.fresh(name.name, statement.type, statement.span) for name in statement.names}
        lengths = [Step(compare(length(new), "=", size)) for new in values.values()]
        return self.before([*steps, *lengths], self.renamed(conditions, values))

    def cells_set(
        self, name: str, cells: Sequence[tuple[LogicTerm, LogicTerm]], span: Span, conditions: list[ProofCondition]
    ) -> list[ProofCondition]:
        """What must hold before cells of an array get values, one after the other."""
        kind = self.place.types[name]
        arrays = [symbol(name, SORTS[kind]), *(self.fresh(name, kind, span) for _ in cells)]
        steps: list[Step] = []
        for (index, value), before, after in zip(cells, arrays, arrays[1:], strict=False):
            steps += [Step(compare(after, "=", store(before, index, value))), Step(compare(length(after), "=", length(before)))]
        return self.before(steps, self.renamed(conditions, {name: arrays[-1]}))

    def cell_set(self, statement: sip.SetCell, conditions: list[ProofCondition]) -> list[ProofCondition]:
        array, steps = statement.array, list[Step]()
        kind = self.place.types[array.name]
        assert kind.element is not None
        index = self.evaluate(statement.index, self.place, steps)
        value = self.stored(statement.value, kind.element, self.place, steps)
        steps.append(cell_exists(symbol(array.name, SORTS[kind]), index, sip.Index(array, statement.index, statement.span)))
        return self.before(steps, self.cells_set(array.name, [(index, value)], statement.span, conditions))

    def swapped(self, statement: sip.Swap, conditions: list[ProofCondition]) -> list[ProofCondition]:
        array, steps = statement.array, list[Step]()
        before = symbol(array.name, SORTS[self.place.types[array.name]])
        places = [(index, self.evaluate(index, self.place, steps)) for index in (statement.left, statement.right)]
        steps += (cell_exists(before, term, sip.Index(array, index, statement.span)) for index, term in places)
        (_, left), (_, right) = places
        cells = [(left, select(before, right)), (right, select(before, left))]
        return self.before(steps, self.cells_set(array.name, cells, statement.span, conditions))

    # Statements

    def block(self, block: Block, conditions: list[ProofCondition]) -> list[ProofCondition]:
        for statement in reversed(block.statements):
            conditions = self.statement(statement, conditions)
        return conditions

    def statement(self, statement: Stmt, after: list[ProofCondition]) -> list[ProofCondition]:
        place, types = self.place, self.place.types
        match statement:
            case sip.Var(_, kind, None) if kind.element:
                return self.declared(statement, after)
            case sip.Var(targets, _, None):
                return self.chosen([target.name for target in targets], statement.span, after)
            case sip.Var(targets, kind, value):
                assert value is not None
                return self.assigned([target.name for target in targets], value, kind, after, statement.span)
            case sip.Assign(target, value):
                return self.assigned([target.name], value, types[target.name], after, statement.span)
            case sip.SetCell():
                return self.cell_set(statement, after)
            case sip.Swap():
                return self.swapped(statement, after)
            case sip.Return(value):
                return self.assigned(["result"], value, types["result"], self.at_return, statement.span)
            case sip.Break():
                return self.after_loops[-1]
            case sip.If(branches, otherwise):
                conditions = self.block(otherwise, after)
                for branch in reversed(branches):
                    steps: list[Step] = []
                    test = self.evaluate(branch.test, place, steps)
                    yes = self.before([Step(test, case=True)], self.block(branch.body, after))
                    no = self.before([Step(negation(test), case=True)], conditions)
                    conditions = self.before(steps, [*yes, *no])
                return conditions
            case sip.While():
                return self.loop(statement, after)
            case sip.Print(values):
                steps = []
                for value in values:
                    self.evaluate(value, place, steps)
                return self.before(steps, after)
            case sip.Assume(condition):
                steps = []
                value_term = self.evaluate(condition, place, steps)
                return self.before([*steps, Step(value_term)], after)
            case sip.Assert(condition):
                return self.before(self.required(condition, "assert", place), after)
            case sip.Claim(condition):
                return self.before(self.required(condition, "claim", place._replace(executed=False)), after)
            case sip.Cassign(targets, condition):
                after = self.before(self.known(condition, place), after)
                return self.chosen([target.name for target in targets], statement.span, after)
        raise AssertionError(statement)

    def loop(self, loop: sip.While, after: list[ProofCondition]) -> list[ProofCondition]:
        types = self.place.types
        own = next(loop_info for loop_info in self.info.functions[self.place.function.name].loops if loop_info.statement is loop)
        claimed = self.place._replace(executed=False)
        facts = [(expr, self.place) for expr in (conjuncts(loop.invariant) if loop.invariant is not None else ())]
        facts += [(expr, claimed) for expr in self.invariants.get(own.number, ())]

        def obliged(what: str) -> list[Step]:
            steps = [step for expr, place in facts for step in self.required(expr, what, place)]
            return [step._replace(span=loop.test.span, what=step.what and what) for step in steps]

        known = [step for expr, place in facts for step in self.known(expr, place)]
        steps: list[Step] = []
        test = self.evaluate(loop.test, self.place, steps)
        self.after_loops.append(after)
        turn = self.block(loop.body, self.before(obliged("invariant kept"), []))
        self.after_loops.pop()
        turn = self.before([*known, *steps, Step(test, case=True)], turn)
        end = self.before([*known, *assumed(steps), Step(negation(test), case=True)], after)
        names = changed(loop.body)
        cells_only = sorted(name for name in names & {*own.columns} - changed_as_a_whole(loop.body) if types[name].element)
        return [
            *self.before(obliged("invariant on entry"), []),
            *self.chosen(sorted(names), loop.test.span, [*turn, *end], cells_only),
        ]

    # Calls of helpers

    def helper_call(self, expr: sip.Call, function: Function, place: EvaluationPlace, steps: list[Step]) -> LogicTerm:
        text = print_expression(expr)
        params = zip(function.params, expr.arguments, strict=True)
        given = {param.name: self.stored(argument, param.type, place, steps) for param, argument in params}
        assert function.result is not None
        inner = self.inside(function, given, place.depth + 1)._replace(values=given, executed=place.executed)
        opaque = self.opaque(function.name, function.result, expr.span)
        recursive = function.name in helpers.callees(function, self.functions)
        too_deep = place.depth >= (RECURSIVE_DEPTH_MAX if recursive else DEPTH_MAX)
        ends = place.executed or helpers.evidently_ends(function, self.functions)
        if too_deep or not ends:
            # Nobody can prove this symbol. So where it is an obligation, the answer is at best "not decided".
            steps.append(Step(self.opaque("ends", Type.BOOL, expr.span), "call-ends", text, expr.span))
        determined = helpers.determined(function, self.functions)
        value = call(f"{function.name}.call", opaque.sort, *given.values()) if determined else opaque
        if too_deep:
            return value
        for pre in function.pres:
            obliged = self.required(pre, "callee-pre", inner)
            steps += [step._replace(what=step.what and "callee-pre", text=text, span=expr.span) for step in obliged]
        if ends:
            steps += self.facts_of_call(function, inner, value, expr.span)
        return value

    def opaque(self, name: str, kind: Type, span: Span) -> LogicTerm:
        new = self.fresh(name, kind, span)
        return new._replace(name=OPAQUE + new.name)

    def facts_of_call(self, function: Function, inner: EvaluationPlace, value: LogicTerm, span: Span) -> list[Step]:
        """What is known of the value of a call that ended."""
        facts = typed(value, function.result) if function.result else []
        assigned = [param for param in function.params if param.name in changed(function.body)]
        final = {param.name: self.opaque(param.name, param.type, span) for param in assigned}
        after = inner._replace(values={**inner.values, **final, "result": value})
        facts += [step for post in function.posts for step in self.known(post, after)]
        recursive = function.name in helpers.callees(function, self.functions)
        if helpers.unfoldable(function) and (inner.depth == 1 or not recursive):
            facts += self.unfolded(function, inner, value)
        return facts

    def unfolded(self, function: Function, inner: EvaluationPlace, value: LogicTerm) -> list[Step]:
        """What the body says about the value: for each way through it, what holds at its end if the call takes this way."""
        outer = self.place, self.at_return, self.after_loops
        entry = entry_symbols(function)
        self.place = self.inside(function, entry, inner.depth)
        same = Step(compare(symbol("result", value.sort), "=", symbol("result.of.call", value.sort)), "unfolded")
        self.at_return, self.after_loops = self.before([same], []), []
        ways = self.chosen(["result"], function.span, self.block(function.body, self.at_return))
        self.place, self.at_return, self.after_loops = outer
        # Only now the caller's terms come in. Its variables may have the names of the helper's.
        given = {**inner.entry, **{entry[name].name: term for name, term in inner.entry.items()}, "result.of.call": value}
        facts: dict[LogicTerm, None] = {}
        for way in self.renamed([way for way in ways if way.what == "unfolded"], given):
            case = TRUE
            for step in (*way.hypotheses, Step(way.goal)):
                if step.case:
                    case = conjunction(case, step.formula)
                else:
                    facts[implication(case, step.formula)] = None
        return [Step(fact) for fact in facts]
