"""Reads problems of SyGuS's invariant track, and of Horn clauses with one predicate, as transition systems."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from idg.importer.horn.answers import AnswerForm, printed, quoted
from idg.importer.horn.sexprs import SAtom, SExpr, SList, head_of, items_of, read_sexprs, refusal, symbol_of
from idg.importer.horn.steps import Way, ways_of
from idg.importer.horn.systems import PRIME, SystemVariable, TransitionSystem, Wanted, program_of
from idg.importer.horn.terms import SORTS, Meaning, TermReader, combined, is_true, one_case, sorted_names
from idg.importer.names import Spelling
from idg.importer.results import Imported, ImportRefused
from idg.sip.record import Record
from idg.sip.syntax import Expr, Name, Type
from idg.sip.trees.build import compare
from idg.sip.trees.logic import conjoin, negate

PASSED_OVER = frozenset(
    {"set-logic", "set-info", "set-option", "check-sat", "check-synth", "get-model", "exit", "declare-primed-var"}
)
"""Commands that do not change what is asked."""
SORT_NAMES = {kind: name for name, kind in SORTS.items()}


def read_sygus(text: str) -> Imported:
    """A problem of the invariant track: one `synth-inv` and one `inv-constraint`. The guarantee of the program holds exactly if the
    problem has a solution."""
    reader, definitions = TermReader(), list[SExpr]()
    wanted: SExpr | None = None
    constraint: SExpr | None = None
    for command in read_sexprs(text):
        match head_of(command):
            case "define-fun" if isinstance(command, SList):
                reader.define(command)
                definitions.append(command)
            case "synth-inv" if wanted is None:
                wanted = command
            case "inv-constraint" if constraint is None and wanted is not None:
                constraint = command
            case word if word not in PASSED_OVER:
                raise refusal(
                    command.place, f"{word or 'this'} is not read here", "one synth-inv, definitions and one inv-constraint are"
                )
    if wanted is None or constraint is None:
        raise ImportRefused(1, 1, "the text has no synth-inv with an inv-constraint after it")
    items = items_of(wanted, "(synth-inv name ((x Int) …))")
    if len(items) < 3:
        raise refusal(wanted.place, "here should stand (synth-inv name ((x Int) …))")
    params = sorted_names(items[2])
    _, name, *used = items_of(constraint, "(inv-constraint inv pre trans post)", 5)
    if printed(name) != printed(items[1]):
        raise refusal(name.place, f"this is not the invariant that is asked for, {printed(items[1])}")
    spelling = Spelling(())
    variables = tuple(SystemVariable(spelling.of(word), kind) for word, kind in params)
    old = [_meaning(variable.name, variable.type) for variable in variables]
    new = [_meaning(variable.name + PRIME, variable.type) for variable in variables]
    pre, trans, post = (_applied(reader, one, given) for one, given in zip(used, (new, [*old, *new], old), strict=True))
    primes = [variable.name + PRIME for variable in variables]
    system = TransitionSystem(
        variables,
        {},
        tuple(ways_of(pre, frozenset(primes), primes)),
        tuple(ways_of(trans, frozenset(primes), primes)),
        (Wanted((), negate(post)),),
    )
    told = tuple((quoted(word), SORT_NAMES[kind]) for word, kind in params)
    now = " ".join(word for word, _ in told)
    then = " ".join(f"next{place}" for place, _ in enumerate(told))
    inv, first, step, last = map(printed, (name, *used))
    declared = [*told, *((f"next{place}", sort) for place, (_, sort) in enumerate(told))]
    obliged = (
        f"(=> ({first} {now}) ({inv} {now}))",
        f"(=> (and ({inv} {now}) ({step} {now} {then})) ({inv} {then}))",
        f"(=> ({inv} {now}) ({last} {now}))",
    )
    scripts = tuple((tuple(declared), condition) for condition in obliged)
    answer = AnswerForm("sygus", inv, told, tuple(one.name for one in variables), tuple(map(printed, definitions)), scripts)
    return Imported(program_of(system, spelling), (), (), "SyGuS", answer=answer)


def _applied(reader: TermReader, function: SExpr, given: Sequence[Meaning]) -> Expr:
    word = symbol_of(function, "the name of a function")
    if word not in reader.functions or len(reader.functions[word].params) != len(given):
        raise refusal(function.place, f"{word} is not a function that is defined with {len(given)} parameters")
    params = reader.functions[word].params
    return reader.condition(reader.functions[word].body, {name: value for (name, _), value in zip(params, given, strict=True)})


def _meaning(name: str, kind: Type) -> Meaning:
    return Name(name) if kind is Type.BOOL else one_case(Name(name))


class _Clause(Record):
    """One clause: its variables, the parts of its body, and its head; the head is None where the body must not hold."""

    variables: tuple[tuple[str, Type], ...]
    body: tuple[SExpr, ...]
    head: SExpr | None
    whole: SExpr
    """The clause without its quantifier."""


def read_clauses(text: str) -> Imported:
    """Horn clauses in SMT-LIB, with one unknown predicate that occurs at most once in each body. The guarantee of the program holds
    exactly if the clauses have a solution."""
    reader, definitions, clauses = TermReader(), list[SExpr](), list[_Clause]()
    predicate: tuple[str, tuple[Type, ...]] | None = None
    for command in read_sexprs(text):
        match head_of(command):
            case "define-fun" if isinstance(command, SList):
                reader.define(command)
                definitions.append(command)
            case "declare-fun":
                declared = _predicate(command)
                if predicate is not None:
                    raise refusal(
                        command.place, f"there is a second predicate, {declared[0]}", "problems with one predicate are read"
                    )
                predicate = declared
            case "assert":
                clauses.append(_clause(items_of(command, "(assert clause)", 2)[1]))
            case word if word not in PASSED_OVER:
                raise refusal(command.place, f"{word or 'this'} is not read here", "declare-fun, define-fun and assert are")
    if predicate is None:
        raise ImportRefused(1, 1, "the text declares no predicate")
    return _Clauses(reader, predicate, clauses, definitions).problem()


def _predicate(command: SExpr) -> tuple[str, tuple[Type, ...]]:
    _, name, sorts, result = items_of(command, "(declare-fun name (sorts) Bool)", 4)
    if printed(result) != "Bool":
        raise refusal(result.place, "only predicates are asked for: the sort here is Bool")
    kinds = tuple(SORTS.get(printed(sort)) for sort in items_of(sorts, "(sorts)"))
    if any(kind is None for kind in kinds):
        raise refusal(sorts.place, "only the sorts Int and Bool are read")
    return symbol_of(name, "a name"), tuple(kind for kind in kinds if kind is not None)


def _clause(expr: SExpr) -> _Clause:
    variables: list[tuple[str, Type]] = []
    while head_of(expr) == "forall":
        _, bound, expr = items_of(expr, "(forall ((x Int) …) clause)", 3)
        variables += sorted_names(bound)
    if len(dict(variables)) < len(variables):
        raise refusal(expr.place, "a variable is bound twice")
    whole = expr
    body: list[SExpr] = []
    while head_of(expr) == "=>":
        _, condition, *rest = items_of(expr, "(=> body head)")
        if len(rest) != 1:
            raise refusal(expr.place, "an implication with two parts is read")
        body += _conjuncts(condition)
        expr = rest[0]
    if head_of(expr) == "not":
        body += _conjuncts(items_of(expr, "(not body)", 2)[1])
        return _Clause(tuple(variables), tuple(body), None, whole)
    return _Clause(tuple(variables), tuple(body), None if printed(expr) == "false" else expr, whole)


def _conjuncts(expr: SExpr) -> list[SExpr]:
    if head_of(expr) != "and":
        return [expr]
    return [part for item in items_of(expr, "(and …)")[1:] for part in _conjuncts(item)]


class _Clauses:
    def __init__(
        self, reader: TermReader, predicate: tuple[str, tuple[Type, ...]], clauses: Sequence[_Clause], definitions: Sequence[SExpr]
    ) -> None:
        self.reader, self.clauses, self.definitions = reader, clauses, definitions
        self.name, self.kinds = predicate
        self.spelling = Spelling(())
        wanted = self._argument_names()
        self.variables = tuple(SystemVariable(self.spelling.of(word), kind) for word, kind in zip(wanted, self.kinds, strict=True))
        self.helping: dict[str, Type] = {}
        self.first: list[Way] = []
        self.steps: list[Way] = []
        self.wanted: list[Wanted] = []

    def _argument_names(self) -> list[str]:
        """The names that a body gives to the arguments of the predicate; else numbered ones."""
        for clause in self.clauses:
            for part in clause.body:
                words = [item.text for item in self._arguments(part) or () if isinstance(item, SAtom) and not item.text.isdecimal()]
                if self._arguments(part) is not None and len(set(words)) == len(self.kinds):
                    return words
        return [f"x{place}" for place, _ in enumerate(self.kinds, 1)]

    def _arguments(self, expr: SExpr) -> tuple[SExpr, ...] | None:
        """The arguments, where the expression is the predicate of something."""
        if isinstance(expr, SAtom):
            return () if expr.text == self.name and not self.kinds else None
        if head_of(expr) != self.name:
            return None
        if len(expr.items) != len(self.kinds) + 1:
            raise refusal(expr.place, f"{self.name} has {len(self.kinds)} arguments")
        return expr.items[1:]

    def problem(self) -> Imported:
        for clause in self.clauses:
            self._read(clause)
        system = TransitionSystem(self.variables, self.helping, tuple(self.first), tuple(self.steps), tuple(self.wanted))
        params = tuple((variable.name, SORT_NAMES[variable.type]) for variable in self.variables)
        scripts = tuple(
            (tuple((quoted(word), SORT_NAMES[kind]) for word, kind in clause.variables), printed(clause.whole))
            for clause in self.clauses
        )
        definitions = tuple(map(printed, self.definitions))
        state = tuple(variable.name for variable in self.variables)
        answer = AnswerForm("horn", quoted(self.name), params, state, definitions, scripts)
        return Imported(program_of(system, self.spelling), (), (), "Horn clauses", answer=answer)

    def _read(self, clause: _Clause) -> None:
        spelled = {word: self.spelling.of(word) for word, _ in clause.variables}
        scope: dict[str, Meaning] = {word: _meaning(spelled[word], kind) for word, kind in clause.variables}
        conditions: list[Expr] = []
        applied: tuple[SExpr, ...] | None = None
        for part in clause.body:
            arguments = self._arguments(part)
            if arguments is None:
                conditions.append(self.reader.condition(part, scope))
            elif applied is not None:
                raise refusal(
                    part.place, f"{self.name} stands twice in this body", "clauses with one predicate in their body are read"
                )
            else:
                applied = arguments
        if applied is not None:
            conditions += self._equations(applied, scope, "")
        kinds = {spelled[word]: kind for word, kind in clause.variables}
        primes = [variable.name + PRIME for variable in self.variables]
        if clause.head is None:
            self._forbid(conditions, kinds)
            return
        head = self._arguments(clause.head)
        if head is None:
            self._forbid([*conditions, negate(self.reader.condition(clause.head, scope))], kinds)
            return
        conditions += self._equations(head, scope, PRIME)
        ways = ways_of(conjoin(conditions), frozenset({*primes, *kinds}), primes)
        (self.first if applied is None else self.steps).extend(ways)
        self.helping |= kinds

    def _equations(self, arguments: Sequence[SExpr], scope: Mapping[str, Meaning], prime: str) -> list[Expr]:
        """That the arguments are the state; with a prime, the new one."""
        equations: list[Expr] = []
        for variable, argument in zip(self.variables, arguments, strict=True):
            if variable.type is Type.BOOL:
                equations.append(compare(Name(variable.name + prime), "=", self.reader.condition(argument, scope)))
            else:
                numbers = [one_case(Name(variable.name + prime)), self.reader.cases(argument, scope)]
                equations.append(is_true(combined(numbers, lambda one, other: compare(one, "=", other), argument.place)))
        return equations

    def _forbid(self, conditions: Sequence[Expr], kinds: Mapping[str, Type]) -> None:
        for way in ways_of(conjoin(conditions), frozenset(kinds), ()):
            never = conjoin([way.guard, way.fits])
            self.wanted.append(Wanted(tuple(SystemVariable(name, kinds[name]) for name in way.chosen), never))
