"""Sums and counts become calls of functions that the text defines, one for each body.

Two bodies that differ only in what they speak of, as `a[k]` and `old(a)[k]`, share a function, so that provers see that equal
arrays have equal sums.
"""

from __future__ import annotations

from idg.audit.terms import LogicTerm, bound, call, parts
from idg.export.lowering.lowered import Aggregate, LoweredProgram, SortedVariable, terms_of, with_terms
from idg.export.names import unused
from idg.sip.record import replace

AGGREGATES = frozenset({"sum", "count"})


def with_aggregates(program: LoweredProgram) -> LoweredProgram:
    """The program without the operations `sum` and `count`; it has functions instead."""
    naming = _Naming(program)
    program = with_terms(program, naming.term)
    return replace(program, aggregates=tuple(naming.known.values()))


class _Naming:
    def __init__(self, program: LoweredProgram) -> None:
        self.known: dict[tuple[str, LogicTerm], Aggregate] = {}
        """For each word and body, with its symbols numbered, the function that computes it."""
        self.taken = {"result"}
        for function in program.functions:
            self.taken |= {function.name, *(variable.name for variable in (*function.params, *function.locals))}
        self.taken |= {part.name for term in terms_of(program) for part in parts(term) if part.op == "bound"}

    def term(self, term: LogicTerm) -> LogicTerm:
        """The term with calls instead of sums and counts."""
        if not term.args:
            return term
        args = tuple(map(self.term, term.args))
        if term.op not in AGGREGATES:
            return term._replace(args=args)
        low, high, body = args
        # Symbols, and the variables of the quantifiers around this one.
        inside = {part.name for part in parts(body) if part.op in ("forall", "exists")}
        used = [part for part in parts(body) if part.op == "symbol" or (part.op == "bound" and part.name not in inside)]
        given = [part for part in dict.fromkeys(used) if (part.op, part.name) != ("bound", term.name)]
        variable, first, last = (unused(name, inside) for name in ("k", "low", "high"))
        params = {part: unused(f"x{index}", inside) for index, part in enumerate(given, 1)}
        shape = _renamed(body, params | {bound(term.name): variable})
        key = (term.op, shape)
        if key not in self.known:
            name = unused(f"{term.op}_{len(self.known) + 1}", self.taken)
            self.taken.add(name)
            variables = tuple(SortedVariable(told, part.sort) for part, told in params.items())
            self.known[key] = Aggregate(name, term.op == "count", term.sort, first, last, variables, variable, shape)
        return call(self.known[key].name, term.sort, low, high, *given)


def _renamed(term: LogicTerm, names: dict[LogicTerm, str]) -> LogicTerm:
    """The term with symbols of these names instead of symbols and bound variables."""
    if term in names:
        return LogicTerm("symbol", term.sort, name=names[term])
    return term._replace(args=tuple(_renamed(arg, names) for arg in term.args)) if term.args else term
