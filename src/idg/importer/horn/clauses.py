"""Reads Horn clauses in SMT-LIB as transition systems: each body has at most one of the predicates that are asked for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from idg.importer.horn.answers import AnswerForm, AskedPredicate, LogicObligation, asked_in, printed, quoted
from idg.importer.horn.sexprs import PASSED_OVER, SAtom, SExpr, SList, SPlace, head_of, items_of, read_sexprs, refusal, symbol_of
from idg.importer.horn.shapes import HornClause, clauses_of
from idg.importer.horn.steps import ways_of
from idg.importer.horn.systems import PRIME, Move, Predicate, SystemVariable, TransitionSystem, Wanted, WrittenSystem, program_of
from idg.importer.horn.terms import SORT_NAMES, SORTS, Meaning, TermReader, combined, is_true, meaning_of, one_case
from idg.importer.names import Spelling
from idg.importer.results import Imported, ImportRefused
from idg.sip.record import Record
from idg.sip.syntax import Expr, Name, Type
from idg.sip.trees.build import compare
from idg.sip.trees.logic import conjoin, negate

PREDICATES_MAX = 60
"""How many predicates a problem may ask for. Their order is found by recursion."""


def read_clauses(text: str) -> Imported:
    """Horn clauses in SMT-LIB, with unknown predicates of which at most one stands in each body. The guarantee of the program holds
    exactly if the clauses have a solution."""
    reader, definitions, assertions = TermReader(), list[SExpr](), list[SExpr]()
    asked: dict[str, tuple[Type, ...]] = {}
    for command in read_sexprs(text):
        match head_of(command):
            case "define-fun" if isinstance(command, SList):
                reader.define(command)
                definitions.append(command)
            case "declare-fun":
                name, kinds = _predicate(command)
                if name in asked or len(asked) == PREDICATES_MAX:
                    told = f"{name} is declared twice" if name in asked else f"there are more than {PREDICATES_MAX} predicates"
                    raise refusal(command.place, told)
                asked[name] = kinds
            case "assert":
                assertions.append(items_of(command, "(assert clause)", 2)[1])
            case word if word not in PASSED_OVER:
                raise refusal(command.place, f"{word or 'this'} is not read here", "declare-fun, define-fun and assert are")
    if not asked:
        raise ImportRefused(1, 1, "the text declares no predicate")
    clauses = [clause for assertion in assertions for clause in clauses_of(assertion, asked)]
    return ClauseReader(reader, asked, clauses, definitions).problem()


def _predicate(command: SExpr) -> tuple[str, tuple[Type, ...]]:
    _, name, sorts, result = items_of(command, "(declare-fun name (sorts) Bool)", 4)
    if printed(result) != "Bool":
        raise refusal(result.place, "only predicates are asked for: the sort here is Bool")
    kinds = tuple(SORTS.get(printed(sort)) for sort in items_of(sorts, "(sorts)"))
    if any(kind is None for kind in kinds):
        raise refusal(sorts.place, "only the sorts Int and Bool are read")
    return symbol_of(name, "a name"), tuple(kind for kind in kinds if kind is not None)


class _Applied(Record):
    """A predicate of some arguments."""

    predicate: int
    arguments: tuple[SExpr, ...]
    whole: SExpr


class ClauseReader:
    """Reads clauses, with the functions that the text defines, as one program."""

    def __init__(
        self, reader: TermReader, asked: Mapping[str, tuple[Type, ...]], clauses: Sequence[HornClause], definitions: Sequence[SExpr]
    ) -> None:
        self.reader, self.clauses, self.definitions = reader, clauses, definitions
        self.names = list(asked)
        self.kinds = list(asked.values())
        self.numbers = {name: number for number, name in enumerate(self.names)}
        self.spelling = Spelling(())
        spelled: dict[tuple[str, Type], str] = {}
        self.predicates: list[Predicate] = []
        for words, kinds in zip(map(self._argument_names, range(len(self.names))), self.kinds, strict=True):
            for word in zip(words, kinds, strict=True):
                spelled.setdefault(word, "")
                spelled[word] = spelled[word] or self.spelling.of(word[0])
            variables = (SystemVariable(spelled[word], word[1]) for word in zip(words, kinds, strict=True))
            self.predicates.append(Predicate(tuple(variables)))
        self.helping: dict[str, Type] = {}
        self.moves: list[Move] = []
        self.wanted: list[Wanted] = []

    def _argument_names(self, predicate: int) -> list[str]:
        """The names that a body gives to the arguments of the predicate; else numbered ones."""
        for clause in self.clauses:
            for applied in filter(None, map(self._applied, clause.body)):
                words = [item.text for item in applied.arguments if isinstance(item, SAtom) and not item.text.isdecimal()]
                if applied.predicate == predicate and len(set(words)) == len(self.kinds[predicate]):
                    return words
        return [f"x{place}" for place, _ in enumerate(self.kinds[predicate], 1)]

    def _applied(self, expr: SExpr) -> _Applied | None:
        """The predicate and its arguments, where the expression is one of something."""
        name = expr.text if isinstance(expr, SAtom) else head_of(expr)
        if name not in self.numbers or (isinstance(expr, SAtom) and self.kinds[self.numbers[name]]):
            return None  # An atom with the name of a predicate that has parameters is a variable.
        predicate = self.numbers[name]
        arguments = expr.items[1:] if isinstance(expr, SList) else ()
        if len(arguments) != len(self.kinds[predicate]):
            raise refusal(expr.place, f"{name} has {len(self.kinds[predicate])} arguments")
        return _Applied(predicate, arguments, expr)

    def problem(self, form: str = "horn") -> Imported:
        """`form`: that of the answer, 'horn' or 'sygus'."""
        for clause in self.clauses:
            self._read(clause)
        system = TransitionSystem(tuple(self.predicates), self.helping, tuple(self.moves), tuple(self.wanted))
        written = program_of(system, self.spelling)
        definitions = tuple(map(printed, self.definitions))
        answer = AnswerForm(form, self._asked(system, written), definitions, tuple(self._obligations()))
        return Imported(written.text, (), (), "SyGuS" if form == "sygus" else "Horn clauses", answer=answer)

    def _obligations(self) -> Iterator[LogicObligation]:
        """What is asserted, in its own words: once for each predicate that it says to hold."""
        told: dict[tuple[SPlace, str], LogicObligation] = {}
        for clause in self.clauses:
            head = None if clause.head is None else self._applied(clause.head)
            word = "" if head is None else quoted(self.names[head.predicate])
            variables = tuple((quoted(name), SORT_NAMES[kind]) for name, kind in clause.asserted.variables)
            condition = printed(clause.asserted.condition)
            if any(name in self.numbers or name in self.reader.functions for name, _ in clause.asserted.variables):
                # As constants of a script they would be functions of the text.
                bound = " ".join(f"({name} {sort})" for name, sort in variables)
                variables, condition = (), f"(forall ({bound}) {condition})"
            told.setdefault((clause.asserted.condition.place, word), LogicObligation(variables, condition, word))
        return iter(told.values())

    def _asked(self, system: TransitionSystem, written: WrittenSystem) -> tuple[AskedPredicate, ...]:
        """Predicates without a loop are defined by those to which they lead, so they come after them."""
        others = [number for number in reversed(written.reached) if number not in written.loops]
        order = [*written.loops, *others, *(number for number, _ in enumerate(self.names) if number not in written.reached)]
        asked: list[AskedPredicate] = []
        for number in order:
            words = [variable.name for variable in self.predicates[number].variables]
            if number in others:
                words = [self.spelling.of(f"{word}_given") for word in words]
            params = tuple((word, SORT_NAMES[kind]) for word, kind in zip(words, self.kinds[number], strict=True))
            least = self._least(number, words) if number in others else ""
            asked.append(asked_in(system, written, number, quoted(self.names[number]), params, least))
        return tuple(asked)

    def _least(self, predicate: int, params: Sequence[str]) -> str:
        """What the clauses with the predicate in their bodies need of it, in their own words."""
        told: list[str] = []
        for clause in self.clauses:
            applied = self._body(clause)[0]
            if applied is not None and applied.predicate == predicate:
                told.append(_needed(clause, applied, params))
        return "true" if not told else told[0] if len(told) == 1 else f"(and {' '.join(told)})"

    def _body(self, clause: HornClause) -> tuple[_Applied | None, list[SExpr]]:
        """The predicate in the clause's body, if it has one, and the rest."""
        premise: _Applied | None = None
        rest: list[SExpr] = []
        for part in clause.body:
            applied = self._applied(part)
            if applied is None:
                rest.append(part)
            elif premise is None:
                premise = applied
            else:
                twice = premise.predicate == applied.predicate
                told = f"{self.names[applied.predicate]} stands {'twice' if twice else 'besides another predicate'} in this body"
                raise refusal(part.place, told, "clauses with one predicate in their body are read")
        return premise, rest

    def _read(self, clause: HornClause) -> None:
        spelled = {word: self.spelling.of(word) for word, _ in clause.variables}
        scope: dict[str, Meaning] = {word: meaning_of(spelled[word], kind) for word, kind in clause.variables}
        applied, rest = self._body(clause)
        conditions = [self.reader.condition(part, scope) for part in rest]
        if applied is not None:
            conditions += self._equations(applied, scope, "")
        source = None if applied is None else applied.predicate
        kinds = {spelled[word]: kind for word, kind in clause.variables}
        if clause.head is None:
            self._forbid(source, conditions, kinds)
            return
        head = self._applied(clause.head)
        if head is None:
            self._forbid(source, [*conditions, negate(self.reader.condition(clause.head, scope))], kinds)
            return
        primes = [variable.name + PRIME for variable in self.predicates[head.predicate].variables]
        conditions += self._equations(head, scope, PRIME)
        ways = ways_of(conjoin(conditions), frozenset({*primes, *kinds}), primes)
        self.moves += (Move(source, head.predicate, way) for way in ways)
        self.helping |= kinds

    def _equations(self, applied: _Applied, scope: Mapping[str, Meaning], prime: str) -> list[Expr]:
        """That the arguments are the state; with a prime, the new one."""
        equations: list[Expr] = []
        for variable, argument in zip(self.predicates[applied.predicate].variables, applied.arguments, strict=True):
            if variable.type is Type.BOOL:
                equations.append(compare(Name(variable.name + prime), "=", self.reader.condition(argument, scope)))
            else:
                numbers = [one_case(Name(variable.name + prime)), self.reader.cases(argument, scope)]
                equations.append(is_true(combined(numbers, lambda one, other: compare(one, "=", other), argument.place)))
        return equations

    def _forbid(self, source: int | None, conditions: Sequence[Expr], kinds: Mapping[str, Type]) -> None:
        for way in ways_of(conjoin(conditions), frozenset(kinds), ()):
            never = conjoin([way.guard, way.fits])
            self.wanted.append(Wanted(source, tuple(SystemVariable(name, kinds[name]) for name in way.chosen), never))


def _needed(clause: HornClause, applied: _Applied, params: Iterable[str]) -> str:
    """What the clause needs of the predicate in its body, where its arguments are the parameters. The clause's variables that are
    arguments are names for the parameters; of the others it must hold for all values."""
    bound: dict[str, str] = {}
    conditions: list[str] = []
    for param, argument in zip(params, applied.arguments, strict=True):
        told = printed(argument)
        is_variable = isinstance(argument, SAtom) and argument.text in dict(clause.variables)
        if is_variable and told not in bound:
            bound[told] = param
        else:
            conditions.append(f"(= {param} {told})")
    conditions += (printed(part) for part in clause.body if part is not applied.whole)
    head = "false" if clause.head is None else printed(clause.head)
    needed = head if not conditions else f"(=> (and {' '.join([*conditions, 'true'])}) {head})"
    free = [f"({quoted(word)} {SORT_NAMES[kind]})" for word, kind in clause.variables if quoted(word) not in bound]
    if free:
        needed = f"(forall ({' '.join(free)}) {needed})"
    return f"(let ({' '.join(f'({word} {param})' for word, param in bound.items())}) {needed})" if bound else needed
