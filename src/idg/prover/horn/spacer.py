"""Linear programs as constrained Horn clauses: z3's Spacer is asked for their invariants.

This is a source of ideas and nothing more. Spacer has called wrong programs safe, so whatever comes from here must be proposed and
proved like any other guess. Each loop becomes a predicate over the variables that are visible at its head. The clauses are made
from the same paths as the verification conditions, so both describe the same program.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from idg.prover.fold import is_boolean
from idg.prover.smt.encoder import Encoder, Unsupported, constant
from idg.sip.program import Program
from idg.sip.record import Record
from idg.sip.syntax import Binary, Boolean, Call, Compare, Expr, Name, Number, Old, Type, Unary
from idg.sip.trees.build import literal
from idg.sip.trees.traverse import names
from idg.vc.helpers import helpers_of
from idg.vc.paths import Path
from idg.vc.symbolic import Analysis, ProgramTooLarge, analyse

RLIMIT = 300_000
"""z3's resource count for one program. Spacer is one of many ideas of the agent, so it must not take the time of the others. When
this was measured, the linear loops that Spacer solved at all took at most three quarters of it."""
BACKSTOP_MS = 5_000
"""Milliseconds for one program. The resource count should end it long before."""
COLUMNS_MAX = 24
"""Variables at the head of one loop; of programs with more, Spacer is not asked."""
CLAUSES_MAX = 200
"""Clauses of one program."""
TEXT_CHARS_MAX = 100_000
"""Characters of all clauses of one program."""


class HornAnswer(Record):
    """What Spacer says. None of it is proved."""

    status: str
    """'safe', 'unsafe', 'unknown', or 'refused' where the program is not linear or too large, so that Spacer was not asked."""
    invariants: tuple[tuple[Expr, ...], ...] = ()
    """Where the status is 'safe': for each loop the conjuncts of its invariant that can be read and are not too long."""


def ask(program: Program, rlimit: int = RLIMIT, backstop_ms: int = BACKSTOP_MS) -> HornAnswer:
    """Asks Spacer for an invariant of each loop with which every obligation holds."""
    try:
        text = clauses(program)
    except (Unsupported, ProgramTooLarge, RecursionError):
        return HornAnswer("refused")
    import z3  # Imported here and below, because most programs are solved before Spacer is asked.

    context: Any = z3.Context()
    solver: Any = z3.SolverFor("HORN", ctx=context)
    solver.set("timeout", backstop_ms)
    solver.set("rlimit", rlimit)
    solver.set("ctrl_c", False)  # Python hears of it; z3 would take it for itself and go on with another question.
    try:
        solver.from_string(text)
        result = solver.check()
        if result == z3.sat:
            return HornAnswer("safe", _read(program, solver.model()))
    except z3.Z3Exception:
        return HornAnswer("unknown")
    return HornAnswer("unsafe" if result == z3.unsat else "unknown")


def clauses(program: Program) -> str:
    """The Horn clauses as SMT-LIB. Raises Unsupported where the program is not linear or the clauses are too many."""
    if any(kind.element for function in program.info.functions.values() for kind in function.variables.values()):
        raise Unsupported("there are arrays")
    # Its answers are only ideas, so every helper may be trusted.
    trusting = helpers_of(program.info, frozenset(program.info.functions))
    text = _Clauses(program, analyse(program.info, helpers=trusting)).text()
    if len(text) > TEXT_CHARS_MAX:
        raise Unsupported("the clauses are too long")
    return text


def _read(program: Program, model: Any) -> tuple[tuple[Expr, ...], ...]:
    """For each loop the conjuncts of its predicate's definition."""
    import z3

    from idg.prover.horn.formulas import NoReading, read_conjuncts

    meanings = {declaration.name(): model[declaration] for declaration in model.decls()}
    invariants = []
    for loop in program.info.level.loops:
        meaning = meanings.get(_predicate(loop.number))
        if not isinstance(meaning, z3.FuncInterp):
            defined = meaning
        else:
            defined = meaning.else_value() if meaning.num_entries() == 0 else None
        arguments: list[Expr] = [*map(Name, loop.columns), *map(Old, program.info.level.assigned_params)]
        try:
            invariants.append(() if defined is None else tuple(read_conjuncts(defined, arguments)))
        except (NoReading, RecursionError):
            invariants.append(())
    return tuple(invariants)


def _predicate(loop: int) -> str:
    return f"loop_{loop}"


class _Clauses:
    def __init__(self, program: Program, analysis: Analysis) -> None:
        self.program = program
        self.analysis = analysis
        self.symbols = analysis.executor.symbols
        self.encoder = Encoder(self.symbols, program.info)
        self.assigned_params = program.info.level.assigned_params
        if any(len(loop.columns) + len(self.assigned_params) > COLUMNS_MAX for loop in program.info.level.loops):
            raise Unsupported("there are too many variables")

    def text(self) -> str:
        types = self.program.info.level.variables
        lines = []
        for loop in self.program.info.level.loops:
            sorts = " ".join(self.encoder.sort(types[name]) for name in (*loop.columns, *self.assigned_params))
            lines.append(f"(declare-fun {_predicate(loop.number)} ({sorts}) Bool)")
        for cut in self.analysis.cuts:
            for path in (*cut.entries, *cut.ends):
                lines.append(self.clause(path, self.arguments(cut.number, path.values), cut.number))
        for obligation in self.analysis.obligations:
            lines.append(self.clause(obligation.path, [Unary("!", obligation.goal)], None))
        if len(lines) > CLAUSES_MAX:
            raise Unsupported("there are too many clauses")
        return "\n".join(lines)

    def arguments(self, loop: int, values: Mapping[str, Expr]) -> list[Expr]:
        entry = self.analysis.executor.entry
        return [*(values[name] for name in self.program.loops[loop - 1].columns), *(entry[name] for name in self.assigned_params)]

    def clause(self, path: Path, told: Sequence[Expr], loop: int | None) -> str:
        """The clause of a path. With a loop, it says that the path leads to the loop's head with these arguments.

        Without a loop, it says that the conditions `told` never hold where the path ends.
        """
        before = {number: self.arguments(number, values) for number, values in path.heads.items()}
        facts = [hypothesis.expr for hypothesis in path.hypotheses]
        used = set().union(
            *map(names, facts), *map(names, told), *(names(argument) for known in before.values() for argument in known)
        )
        body = [self.applied(number, known) for number, known in before.items()]
        body += map(self.condition, facts)
        body += (f"(>= {constant(name)} 0)" for name in sorted(used) if self.symbols[name] is Type.NAT)
        head = "false"
        if loop is None:
            body += map(self.condition, told)
        else:
            head = self.applied(loop, told)
        implied = f"(=> (and true {' '.join(body)}) {head})"
        bound = " ".join(f"({constant(name)} {self.encoder.sort(self.symbols[name])})" for name in sorted(used))
        return f"(assert (forall ({bound}) {implied}))" if used else f"(assert {implied})"

    def applied(self, loop: int, arguments: Iterable[Expr]) -> str:
        texts = [self.argument(argument) for argument in arguments]
        return f"({_predicate(loop)} {' '.join(texts)})" if texts else _predicate(loop)

    def argument(self, expr: Expr) -> str:
        if is_boolean(expr, self.symbols, self.program.info):
            return self.condition(expr)
        self.check(expr)
        return self.encoder.number(expr).top

    def condition(self, expr: Expr) -> str:
        self.check(expr)
        return self.encoder.boolean(expr)

    def check(self, expr: Expr) -> None:
        if any(self.symbols[name] is Type.RAT for name in names(expr)) or not is_linear(expr):
            raise Unsupported("not linear over whole numbers")


def is_linear(expr: Expr) -> bool:
    """Whether the expression belongs to linear arithmetic over whole numbers. `//` and `%` by a literal do."""
    match expr:
        case Number(value):
            return isinstance(value, int)
        case Name() | Boolean():
            return True
        case Unary(_, operand):
            return is_linear(operand)
        case Compare(operands):
            return all(map(is_linear, operands))
        case Binary("*", left, right):
            return is_linear(left) and is_linear(right) and (not names(left) or not names(right))
        case Binary("//" | "%", left, right):
            divisor = literal(right)
            return is_linear(left) and isinstance(divisor, int) and divisor != 0
        case Binary("+" | "-" | "&" | "|" | "->", left, right):
            return is_linear(left) and is_linear(right)
        case Call("abs" | "min" | "max", arguments):
            return all(map(is_linear, arguments))
        case _:
            return False
