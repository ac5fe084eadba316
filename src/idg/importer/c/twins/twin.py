"""The twin of an imported program: the text of the file with traces, as a C program of its own, and the reading of the same text.

Traces are put into the text as it was written. The C program is that text; the other is rewritten (jumps, switches, pointers,
memory, calls) and read, so that a mistake in the rewriting makes the two differ, too. The C program takes a seed as its argument.
It prints a line for each trace, and ends with a code that says how the run ended.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from idg.importer.c.callers import called
from idg.importer.c.choosing import LOOPS, chosen_function, defined_functions, keeps_ends, selected_function
from idg.importer.c.numbers.c_types import Integers
from idg.importer.c.reader import Reading, read
from idg.importer.c.rewriting.inlining import reached_from, recursive_functions
from idg.importer.c.rewriting.types.fields import StructTypes
from idg.importer.c.text.acsl import ASSERTED, ASSUMED, ENSURED, INVARIANT, REQUIRED, VARIANT, attach
from idg.importer.c.text.source import Parsed, c_ast, made_plain, parse_c, parse_whole, place
from idg.importer.c.text.tokens import ACSL_BEGIN, ACSL_END
from idg.importer.c.text.trees import is_zero, walk
from idg.importer.c.traces import InputSite, Tracing
from idg.importer.c.twins.c_program import Writer, c_program
from idg.importer.c.twins.inserting import Inserter
from idg.importer.c.twins.quiet import with_quiet_calls
from idg.importer.c.twins.sites import CELLS_MAX, ArraySites, Place, TwinPlaces, array_sites
from idg.importer.results import Imported, ImportRefused
from idg.sip.record import Record, replace


class Twin(Record):
    c_source: str
    sip: Imported
    sites: Mapping[str, InputSite]
    """Inputs and choices of the SIP program → where their values come from."""
    arrays: Mapping[str, ArraySites]
    """The same for arrays that are parameters."""
    counter: str
    """The variable of the SIP program that counts the traces."""
    words: tuple[str, ...]
    """The tokens of the file after preprocessing; each text is just two quotes."""
    assumes: bool
    """Whether annotations assume something, of which C knows nothing."""


def c_twin(text: str, headers: Mapping[str, str], imported: Imported) -> Twin:
    """The twin of a text that was imported. Raises ImportRefused where the traces change what can be read."""
    try:
        return _twin(text, headers, imported, everywhere=True)
    except ImportRefused:
        # A trace stands where it changes what can be read. Those at loops seldom do.
        return _twin(text, headers, imported, everywhere=False)


def _twin(text: str, headers: Mapping[str, str], imported: Imported, everywhere: bool) -> Twin:
    plain = parse_c(text, headers, imported.function)
    attach(plain.tree, plain.annotations)
    chosen, _ = selected_function(plain)
    ends = keeps_ends(plain, chosen)
    for_c, for_sip = (parse_whole(text, headers, imported.function) for _ in range(2))
    functions, _ = (_with_traces(parsed.tree, chosen.decl.name, ends, everywhere) for parsed in (for_c, for_sip))
    fixed_not = _in_loops(for_sip.tree)
    for_sip = made_plain(for_sip)
    attach(for_sip.tree, for_sip.annotations)
    function, _ = chosen_function(for_sip)
    recursive = _recursive(for_sip.tree)
    assumes = any(_called(part) in (ASSUMED, REQUIRED) for node in (function, *recursive) for part in walk(node.body))
    _without_claims(function.body)
    for node in recursive:
        _without_claims(node.body, (REQUIRED,))
    tracing = Tracing()
    reading = read(for_sip, [], Integers(imported.integers), tracing)
    sites = {**_variable_sites(reading, fixed_not), **tracing.sites}
    arrays = {name: array_sites(variable) for name, variable in reading.variables.items() if variable.length is not None}
    for length in {array.length for array in arrays.values() if array.length}:
        sites[length] = replace(sites[length], low=1, high=CELLS_MAX)
    writer = Writer(reading.scopes, reading.unknown, _places(reading, sites, arrays), functions, StructTypes(for_c.tree))
    c_source = c_program(for_c.tree, functions, writer, reading.gives_result)
    return Twin(c_source, reading.imported, sites, arrays, tracing.counter, _words(for_c), assumes)


def _with_traces(tree: Any, chosen: str, keeps_ends: bool, everywhere: bool) -> list[Any]:
    """Puts traces into the functions that are reached; all of these, the chosen one first."""
    defined = defined_functions(tree)
    reached = sorted(reached_from(chosen, defined))
    recursive = recursive_functions(defined)
    written = {name for name in reached if name not in recursive}
    loud = [defined[name] for name in (chosen, *reached) if name == chosen or name in written]
    quiet = with_quiet_calls(tree, loud, [defined[name] for name in reached if name in recursive], written)
    inserter = Inserter(tree, written, everywhere)
    for function in loud:
        inserter.function(function, function is defined[chosen], keeps_ends and function is defined[chosen])
    defined = defined_functions(tree)
    return [defined[name] for name in (chosen, *reached, *quiet)]


def _variable_sites(reading: Reading, in_loops: set[Place]) -> dict[str, InputSite]:
    """Where the values come from that variables start with. Copies of a variable of C have the same one."""
    inputs = {entry.name for entry in reading.imported.inputs}
    first = {(variable.line, variable.column) for name, variable in reading.variables.items() if name in inputs}
    sites = {}
    for name, variable in reading.variables.items():
        where, ctype = (variable.line, variable.column), variable.ctype
        sites[name] = InputSite(*where, ctype.low, ctype.high, where in first or where not in in_loops, ctype)
    return sites


def _in_loops(tree: Any) -> set[Place]:
    """The places of declarations that may be reached many times in one call."""
    loops = [part for part in walk(tree) if isinstance(part, LOOPS)]
    real = [loop for loop in loops if not (isinstance(loop, c_ast.DoWhile) and is_zero(loop.cond))]
    return {place(part) for loop in real for part in walk(loop.stmt) if isinstance(part, c_ast.Decl)}


def _places(reading: Reading, sites: Mapping[str, InputSite], arrays: Mapping[str, ArraySites]) -> TwinPlaces:
    variables = reading.variables
    by_place = {(variable.line, variable.column): sites[name] for name, variable in variables.items() if variable.line}
    lengths: dict[Place, Place | int] = {}
    for name, array in arrays.items():
        where = (variables[name].line, variables[name].column)
        told = variables.get(array.length)
        lengths[where] = len(array.cells) if told is None else (told.line, told.column)
    cells = {(variable.line, variable.column) for variable in variables.values() if not variable.type.element}
    return TwinPlaces(by_place, lengths, frozenset(cells))


def _called(node: Any) -> str:
    return called(node) if isinstance(node, c_ast.FuncCall) else ""


def _recursive(tree: Any) -> list[Any]:
    """The functions that call themselves, and so are called by the function that is read instead of being written out."""
    defined = defined_functions(tree)
    recursive = recursive_functions(defined)
    return [node for name, node in defined.items() if name in recursive]


def _without_claims(node: Any, more: tuple[str, ...] = ()) -> None:
    """Takes out what annotations claim: their numbers are not those of C, so that C cannot check them. `more`: what claims
    something here, too, as what a function requires does where its calls are obliged to it."""
    for part in walk(node):
        if isinstance(part, c_ast.Compound):
            claims = (ASSERTED, INVARIANT, ENSURED, VARIANT, *more)
            part.block_items = [item for item in part.block_items or [] if _called(item) not in claims]


def _words(parsed: Parsed) -> tuple[str, ...]:
    words: list[str] = []
    inside = False
    for token in parsed.tokens:
        if token.kind in (ACSL_BEGIN, ACSL_END):
            inside = token.kind == ACSL_BEGIN
        elif not inside:
            words.append('""' if token.kind == "string" else token.text)
    return tuple(words)
