"""Reads problems of SyGuS's invariant track as transition systems."""

from __future__ import annotations

from collections.abc import Sequence

from idg.importer.horn.answers import AnswerForm, LogicObligation, asked_in, printed, quoted
from idg.importer.horn.clauses import ClauseReader
from idg.importer.horn.sexprs import PASSED_OVER, SAtom, SExpr, SList, head_of, items_of, read_sexprs, refusal, symbol_of
from idg.importer.horn.shapes import HornClause, clauses_of
from idg.importer.horn.steps import ways_of
from idg.importer.horn.systems import PRIME, Move, Predicate, SystemVariable, TransitionSystem, Wanted, program_of
from idg.importer.horn.terms import SORT_NAMES, Meaning, TermReader, meaning_of, sorted_names
from idg.importer.names import Spelling
from idg.importer.results import Imported, ImportRefused
from idg.sip.syntax import Expr, Type
from idg.sip.trees.logic import negate


def read_sygus(text: str) -> Imported:
    """A problem of the invariant track: one `synth-inv` and one `inv-constraint`. The guarantee of the program holds exactly if the
    problem has a solution."""
    commands = read_sexprs(text)
    if any(head_of(command) == "constraint" for command in commands):
        return _constraints(commands)
    reader, definitions = TermReader(), list[SExpr]()
    asked: SExpr | None = None
    constraint: SExpr | None = None
    for command in commands:
        match head_of(command):
            case "define-fun" if isinstance(command, SList):
                reader.define(command)
                definitions.append(command)
            case "synth-inv" | "synth-fun" if asked is None and _asks_for_predicate(command):
                asked = command
            case "declare-var":
                pass  # Nothing but constraints speaks of it.
            case "inv-constraint" if constraint is None and asked is not None:
                constraint = command
            case word if word not in PASSED_OVER:
                raise refusal(
                    command.place, f"{word or 'this'} is not read here", "one synth-inv, definitions and one inv-constraint are"
                )
    if asked is None or constraint is None:
        raise ImportRefused(1, 1, "the text has no synth-inv with an inv-constraint after it")
    items = items_of(asked, "(synth-inv name ((x Int) …))")
    if len(items) < 3:
        raise refusal(asked.place, "here should stand (synth-inv name ((x Int) …))")
    params = sorted_names(items[2])
    _, name, *used = items_of(constraint, "(inv-constraint inv pre trans post)", 5)
    if printed(name) != printed(items[1]):
        raise refusal(name.place, f"this is not the invariant that is asked for, {printed(items[1])}")
    spelling = Spelling(())
    variables = tuple(SystemVariable(spelling.of(word), kind) for word, kind in params)
    old = [meaning_of(variable.name, variable.type) for variable in variables]
    new = [meaning_of(variable.name + PRIME, variable.type) for variable in variables]
    pre, trans, post = (_applied(reader, one, given) for one, given in zip(used, (new, [*old, *new], old), strict=True))
    primes = [variable.name + PRIME for variable in variables]
    first = (Move(None, 0, way) for way in ways_of(pre, frozenset(primes), primes))
    steps = (Move(0, 0, way) for way in ways_of(trans, frozenset(primes), primes))
    wanted = Wanted(0, (), negate(post))
    system = TransitionSystem((Predicate(variables),), {}, (*first, *steps), (wanted,))
    told = tuple((quoted(word), SORT_NAMES[kind]) for word, kind in params)
    now = " ".join(word for word, _ in told)
    then = " ".join(f"next{place}" for place, _ in enumerate(told))
    inv, start, step, last = map(printed, (name, *used))
    declared = [*told, *((f"next{place}", sort) for place, (_, sort) in enumerate(told))]
    obliged = (
        (f"(=> ({start} {now}) ({inv} {now}))", inv),
        (f"(=> (and ({inv} {now}) ({step} {now} {then})) ({inv} {then}))", inv),
        (f"(=> ({inv} {now}) ({last} {now}))", ""),
    )
    obligations = tuple(LogicObligation(tuple(declared), condition, head) for condition, head in obliged)
    written = program_of(system, spelling)
    asked_for = asked_in(system, written, 0, inv, told, f"({last} {now})")
    answer = AnswerForm("sygus", (asked_for,), tuple(map(printed, definitions)), obligations)
    return Imported(written.text, (), (), "SyGuS", answer=answer)


def _asks_for_predicate(command: SExpr) -> bool:
    """Whether it is `(synth-inv inv ((x Int)))`, or `(synth-fun inv ((x Int)) Bool)`, which means the same."""
    items = command.items if isinstance(command, SList) else ()
    return head_of(command) == "synth-inv" or (len(items) > 3 and printed(items[3]) == "Bool")


def _constraints(commands: Sequence[SExpr]) -> Imported:
    """The general form: predicates as functions with truth values, and constraints for all values of the declared variables. Where
    these are clauses, they are read as such."""
    reader, definitions, constraints = TermReader(), list[SExpr](), list[SExpr]()
    asked: dict[str, tuple[Type, ...]] = {}
    variables: list[SExpr] = []
    for command in commands:
        match head_of(command):
            case "define-fun" if isinstance(command, SList):
                reader.define(command)
                definitions.append(command)
            case "synth-fun":
                items = items_of(command, "(synth-fun name ((x Int) …) Bool)")
                if len(items) < 4 or printed(items[3]) != "Bool":
                    raise refusal(command.place, "synth-fun is read only for predicates", "(synth-fun inv ((x Int)) Bool)")
                asked[symbol_of(items[1], "a name")] = tuple(kind for _, kind in sorted_names(items[2]))
            case "declare-var" | "declare-primed-var" as word:
                _, name, sort = items_of(command, f"({word} x Int)", 3)
                told = symbol_of(name, "a name")
                primes = (told, f"{told}!") if word == "declare-primed-var" else (told,)
                variables += (SList((SAtom(one, name.place, quoted=True), sort), command.place) for one in primes)
            case "constraint":
                constraints.append(items_of(command, "(constraint condition)", 2)[1])
            case word if word not in PASSED_OVER:
                raise refusal(
                    command.place, f"{word or 'this'} is not read here", "synth-fun, definitions, variables and constraints are"
                )
    clauses: list[HornClause] = []
    for condition in constraints:
        bound = SList(tuple(variables), condition.place)
        forall = SAtom("forall", condition.place)
        clauses += clauses_of(SList((forall, bound, condition), condition.place), asked)
    return ClauseReader(reader, asked, clauses, definitions).problem("sygus")


def _applied(reader: TermReader, function: SExpr, given: Sequence[Meaning]) -> Expr:
    word = symbol_of(function, "the name of a function")
    if word not in reader.functions or len(reader.functions[word].params) != len(given):
        raise refusal(function.place, f"{word} is not a function that is defined with {len(given)} parameters")
    params = reader.functions[word].params
    return reader.condition(reader.functions[word].body, {name: value for (name, _), value in zip(params, given, strict=True)})
