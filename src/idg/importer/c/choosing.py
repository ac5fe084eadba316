"""Which function of a C file is read, and its rewriting into one that has no jumps, pointers, memory and calls."""

from __future__ import annotations

from typing import Any

from idg.importer.c.callers import called, check_caller, check_required
from idg.importer.c.known_functions import check_known
from idg.importer.c.rewriting.inlining import inline_calls, reached_from, recursive_functions
from idg.importer.c.rewriting.inputs import with_choices
from idg.importer.c.rewriting.jumps import without_jumps
from idg.importer.c.rewriting.labels import error_labels
from idg.importer.c.rewriting.memory import without_memory
from idg.importer.c.rewriting.parameters import with_arrays
from idg.importer.c.text.acsl import ASSERTED, ENSURED
from idg.importer.c.text.source import Parsed, c_ast, refuse
from idg.importer.c.text.spellings import ASSERT, ERROR, is_known
from idg.importer.c.text.trees import calls, walk
from idg.importer.results import ImportRefused, Note

LOOPS = (c_ast.While, c_ast.For, c_ast.DoWhile)


def chosen_function(parsed: Parsed) -> tuple[Any, list[Note]]:
    """The function to be read, with notes: main, or the one that has the loops where main only calls it."""
    defined = list(defined_functions(parsed.tree).values())
    chosen, main = selected_function(parsed)
    if chosen.decl.name in parsed.with_structs:
        raise refuse(chosen.decl, f"'{chosen.decl.name}' has a struct among its parameters", "call it from main, with a variable")
    notes = []
    for function in defined:
        notes += without_memory(function, parsed.tree)
        notes += with_choices(function, parsed.tree)
        without_jumps(function, parsed.tree, keep_ends=function is chosen and keeps_ends(parsed, chosen))
    for node in parsed.tree.ext:
        if isinstance(node, c_ast.FuncDef) and is_known(node.decl.name):
            notes.append(Note(0, check_known(node)))
    with_arrays(chosen)
    written = _write_out_calls(chosen, defined_functions(parsed.tree), parsed.tree)
    if written:
        notes.append(
            Note(0, f"the functions that {chosen.decl.name} calls are written out where it calls them: {', '.join(written)}")
        )
    others = [function.decl.name for function in defined if function is not chosen and function.decl.name not in written]
    if others:
        if main is None and not parsed.function:
            _check_left_out([function for function in defined if function.decl.name in others], chosen.decl.name)
        notes.append(Note(0, f"only {chosen.decl.name} is read; {', '.join(others)} left out"))
    if not parsed.function:
        check_required(chosen, defined)
    if main is not None and main is not chosen:
        notes.append(Note(0, f"{chosen.decl.name} is read for all arguments: what main assumes of them is not read"))
    return chosen, notes


def _check_left_out(functions: list[Any], chosen: str) -> None:
    """Refuses a file without main if a function that is left out promises something: nobody would look at that."""
    for function in functions:
        errors = error_labels(function.body)
        for part in walk(function.body):
            promises = isinstance(part, c_ast.FuncCall) and called(part) in ASSERT | ERROR | {ASSERTED, ENSURED}
            if promises or (isinstance(part, c_ast.Label) and part.name in errors):
                text = f"{chosen} is read, which does not call {function.decl.name}, and that promises something, too"
                raise refuse(part, text, f"read one function at a time: --function {chosen}")


def selected_function(parsed: Parsed) -> tuple[Any, Any]:
    """The function to be read, and main, where there is one and the reader chose; nothing is rewritten."""
    defined = list(defined_functions(parsed.tree).values())
    if not defined:
        raise ImportRefused(1, 1, "there is no function to be read", "the program should be the body of main")
    return _named(defined, parsed.function) if parsed.function else _chosen(defined)


def keeps_ends(parsed: Parsed, chosen: Any) -> bool:
    """Whether jumps to the end of the function that is read are kept, because they end the run."""
    return not parsed.function and not any(called(call) == ENSURED for call in calls(chosen.body))


def _named(defined: list[Any], name: str) -> tuple[Any, None]:
    """The function of this name, whatever calls it."""
    for function in defined:
        if function.decl.name == name:
            return function, None
    known = ", ".join(function.decl.name for function in defined)
    raise ImportRefused(1, 1, f"there is no function '{name}'", f"there are {known}")


def _chosen(defined: list[Any]) -> tuple[Any, Any]:
    """The function to be read, and main, where there is one."""
    by_name = {function.decl.name: function for function in defined}
    looping = [function for function in defined if _loops(function.body)]
    main = next((function for function in defined if function.decl.name == "main"), None)
    chosen = looping[0] if len(looping) == 1 else main or _uncalled(defined, looping)
    if main is None:
        for function in defined:
            if function is not chosen and chosen.decl.name in reached_from(function.decl.name, by_name):
                try:
                    check_caller(function, chosen.decl.name)
                except ImportRefused:
                    chosen = function  # It does more than call the other one, which is read where it is called.
    elif main is not chosen:
        if chosen.decl.name not in map(called, calls(main.body)):
            return main, main
        try:
            check_caller(main, chosen.decl.name)
        except ImportRefused:
            return main, main  # Then main is read, and the function where main calls it.
    return chosen, main


def _uncalled(defined: list[Any], looping: list[Any]) -> Any:
    """Where several functions have loops, or none has: the first that no other one calls and that comes to a loop."""
    by_name = {function.decl.name: function for function in defined}
    loops = {function.decl.name for function in looping}
    reached = {function.decl.name: reached_from(function.decl.name, by_name) for function in defined}
    called_by_others = {name for caller, names in reached.items() for name in names if name != caller}
    free = [function for function in defined if function.decl.name not in called_by_others]
    with_loops = [function for function in free if loops & {function.decl.name, *reached[function.decl.name]}]
    return [*with_loops, *free, *defined][0]


def defined_functions(tree: Any) -> dict[str, Any]:
    """The functions of the file that are not read by their names."""
    nodes = [node for node in tree.ext if isinstance(node, c_ast.FuncDef) and not is_known(node.decl.name)]
    return {node.decl.name: node for node in nodes}


def _write_out_calls(chosen: Any, defined: dict[str, Any], tree: Any) -> list[str]:
    """Writes out the calls in the function that is read, and in those that call themselves; the names of what it calls."""
    recursive = recursive_functions(defined)
    reached = sorted(reached_from(chosen.decl.name, defined))
    if chosen.decl.name in recursive:
        raise refuse(chosen.decl, f"{chosen.decl.name} calls itself", "call it from main")
    for node in (*(defined[name] for name in reached if name in recursive), chosen):
        inline_calls(node, defined, recursive, tree)
    return reached


def _loops(node: Any) -> bool:
    return isinstance(node, LOOPS) or any(_loops(child) for _, child in node.children())
