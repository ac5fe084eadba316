"""The twin of an imported program: the C function with traces, as a C program of its own, and the same function as SIP.

The C program takes a seed as its argument. It prints a line for each trace, and ends with a code that says how the run ended.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from idg.importer.c.expressions import ABSOLUTE
from idg.importer.c.numbers.c_types import CType, Integers
from idg.importer.c.reader import Reading, chosen_function, defined_functions, read
from idg.importer.c.rewriting.inlining import recursive_functions
from idg.importer.c.scopes import Scopes, Variable
from idg.importer.c.statements import STREAMS
from idg.importer.c.text.acsl import ASSERTED, ASSUMED, ENSURED, INVARIANT, REQUIRED, VARIANT, attach
from idg.importer.c.text.source import TRACE, Parsed, c_ast, c_generator, parse_c, place
from idg.importer.c.text.spellings import ASSERT, ASSUME, CONSTANT_TYPES, CONSTANTS, ERROR, SILENT, STOP, ValueRange
from idg.importer.c.text.tokens import ACSL_BEGIN, ACSL_END
from idg.importer.c.text.trees import calls, ids, walk
from idg.importer.c.traces import InputSite, Tracing, add_traces, shown_of
from idg.importer.results import Imported
from idg.sip.record import Record, replace
from idg.sip.syntax import Name, Number

CELLS_MAX = 6
"""Cells of an array that is a parameter with another one as its length."""
COLUMNS_APART = 10_000
"""How far apart the columns are at which the cells of a parameter are said to stand: further than lines are long."""
TRACES_MAX = 60
"""Traces after which a run of the C program ends."""
FAILED, STOPPED, ENOUGH = 66, 77, 78
"""Exit codes of the C program: an assert failed; the run ended early, for instance by an assume; enough was traced."""

PRELUDE = """
extern int printf(const char *, ...);
extern void exit(int);
extern int fflush(void *);
extern long strtol(const char *, char **, int);
typedef unsigned long long __idg_word;
typedef __int128 __idg_wide;
static __idg_word __idg_seed, __idg_traced;
static __idg_word __idg_mixed(__idg_word n) {
  n += 0x9E3779B97F4A7C15ull;
  n = (n ^ (n >> 30)) * 0xBF58476D1CE4E5B9ull;
  n = (n ^ (n >> 27)) * 0x94D049BB133111EBull;
  return n ^ (n >> 31);
}
static __idg_wide __idg_value(int line, int column, int fixed, __idg_wide low, __idg_wide high) {
  __idg_word first = __idg_mixed(__idg_mixed(__idg_mixed(__idg_mixed(__idg_seed) + line) + column) + (fixed ? 0 : __idg_traced));
  __idg_word second = __idg_mixed(first), kind = first % 16;
  __idg_wide value, any = low + (__idg_wide) second % (high - low + 1);
  if (kind < 8) value = (__idg_wide) (second % 8) - (low < 0 ? 2 : 0);
  else if (kind < 12) value = (__idg_wide) (second % 41) - (low < 0 ? 20 : 0);
  else if (kind < 14) value = (__idg_wide) (second % 2001) - (low < 0 ? 1000 : 0);
  else if (kind == 14) value = (second >> 8) & 1 ? high - (__idg_wide) (second % 3) : low + (__idg_wide) (second % 3);
  else value = any;
  return low <= value && value <= high ? value : any;
}
static void __idg_end(int code) { fflush(0); exit(code); }
static void __idg_assert(int holds) { if (!holds) __idg_end(66); }
static void __idg_assume(int holds) { if (!holds) __idg_end(77); }
static void __idg_begin(int number) { if (__idg_traced++ >= 60) __idg_end(78); printf("%d", number); }
static void __idg_show(__idg_wide value) {
  char digits[50]; int at = 49; __idg_wide rest = value < 0 ? -value : value;
  digits[at] = 0;
  do { digits[--at] = '0' + (int) (rest % 10); rest /= 10; } while (rest);
  printf(value < 0 ? " -%s" : " %s", digits + at);
}
static void __idg_line(void) { printf("\\n"); fflush(0); }
static int __idg_abs(int x) { return x < 0 ? -x : x; }
static long __idg_labs(long x) { return x < 0 ? -x : x; }
"""


class ArraySites(Record):
    """Where the cells of an array come from that is a parameter."""

    length: str
    """The parameter that is its length; empty where that is a number."""
    cells: tuple[InputSite, ...]
    """One site for each cell that the array may have."""


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
    integers = Integers(imported.integers)
    for_c, for_sip = (parse_c(text, headers, imported.function) for _ in range(2))
    functions = []
    for parsed in (for_c, for_sip):
        attach(parsed.tree, parsed.annotations)
        function, _ = chosen_function(parsed)
        functions.append(function)
    bodies = [functions[0].body, *(node.body for node in _recursive(for_c.tree))]
    assumes = any(_called(node) in (ASSUMED, REQUIRED) for body in bodies for node in walk(body))
    for parsed, function in zip((for_c, for_sip), functions, strict=True):
        _without_claims(function.body)
        for node in _recursive(parsed.tree):
            _without_claims(node.body, (REQUIRED,))
        add_traces(function, _file_variables(parsed.tree))
    tracing = Tracing(frozenset(entry.name for entry in imported.inputs if entry.origin != "unknown"))
    reading = read(for_sip, [], integers, tracing)
    sites = dict(tracing.sites)
    for name, variable in reading.variables.items():
        if name not in sites:
            fixed = any(entry.name == name for entry in reading.imported.inputs)
            ctype = variable.ctype
            sites[name] = InputSite(variable.line, variable.column, ctype.low, ctype.high, fixed, ctype)
    arrays = {name: _array_sites(variable) for name, variable in reading.variables.items() if variable.length is not None}
    for length in {array.length for array in arrays.values() if array.length}:
        sites[length] = replace(sites[length], low=1, high=CELLS_MAX)
    c_source = _c_source(for_c.tree, functions[0], reading, sites, arrays)
    return Twin(c_source, reading.imported, sites, arrays, tracing.counter, _words(for_c), assumes)


def _array_sites(variable: Variable) -> ArraySites:
    ctype = variable.ctype
    count = variable.length.value if isinstance(variable.length, Number) else CELLS_MAX
    columns = (variable.column + COLUMNS_APART * (place + 1) for place in range(int(count)))
    sites = (InputSite(variable.line, column, ctype.low, ctype.high, True, ctype) for column in columns)
    return ArraySites(variable.length.name if isinstance(variable.length, Name) else "", tuple(sites))


def _called(node: Any) -> str:
    return node.name.name if isinstance(node, c_ast.FuncCall) and isinstance(node.name, c_ast.ID) else ""


def _file_variables(tree: Any) -> list[str]:
    declared = (node for node in tree.ext if isinstance(node, c_ast.Decl) and node.name)
    return [shown for node in declared for shown in shown_of(node)]


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


# The C program


def _c_source(tree: Any, function: Any, reading: Reading, sites: Mapping[str, InputSite], arrays: Mapping[str, ArraySites]) -> str:
    writer = _Writer(reading.scopes, reading.unknown)
    places = {(site.line, site.column): site for site in sites.values()}
    of_arrays = {(variable.line, variable.column): arrays[name] for name, variable in reading.variables.items() if name in arrays}
    parts = [PRELUDE]
    names = {name.name for node in tree.ext for name in ids(node)} - {
        part.name for part in walk(tree) if isinstance(part, c_ast.Decl)
    }
    for name in sorted(names & set(CONSTANTS)):
        parts.append(f"#define {name} ({_constant(name)})\n")
    for node in tree.ext:
        plain = isinstance(node, c_ast.Decl) and not isinstance(node.type, c_ast.FuncDecl)
        if isinstance(node, c_ast.Typedef) or plain:
            parts.append(_text(node) + ";\n")
    recursive = _recursive(tree)
    parts += [f"{_text(node.decl)};\n" for node in recursive]
    parts += [f"{_text(node.decl)}\n{_text(writer.prepare(node.body))}\n" for node in recursive]
    declaration = function.decl
    params = declaration.type.args.params if declaration.type.args else []
    arguments = [writer.argument(param, places.get(place(param)), of_arrays.get(place(param))) for param in params]
    arguments = [argument for argument in arguments if argument]
    named = declaration.type.type
    while not isinstance(named, c_ast.TypeDecl):
        named = named.type
    named.declname = "__idg_main"
    parts.append(f"{_text(declaration)}\n{_text(writer.prepare(function.body))}\n")
    parts.append("int main(int count, char **texts) {\n  __idg_seed = (__idg_word) strtol(texts[1], 0, 10);\n")
    parts.append(f"  __idg_main({', '.join(arguments)});\n  __idg_end(0);\n  return 0;\n}}\n")
    return "".join(parts)


def _constant(name: str) -> str:
    value, ctype = CONSTANTS[name], CONSTANT_TYPES.get(name)
    suffix = "" if ctype is None else ("" if ctype.signed else "u") + ("l" if ctype.bits == 64 else "")
    return f"{value}{suffix}" if value >= 0 else f"{value + 1}{suffix} - 1"


class _Writer:
    """Makes the tree ready to be written as C: what is known by its name becomes a call of a function of the prelude.

    Such a call is put into the tree as a name, which is written as it stands.
    """

    def __init__(self, scopes: Scopes, unknown: Callable[[Any], ValueRange | None]) -> None:
        self.scopes = scopes
        self.unknown = unknown
        self.loops = 0

    def value(self, node: Any, unknown: ValueRange, fixed: bool, site_place: tuple[int, int] | None = None) -> str:
        line, column = site_place or place(node)
        low = unknown.ctype.low if unknown.low is None else unknown.low
        high = unknown.ctype.high if unknown.high is None else unknown.high
        lowest = f"(__idg_wide) {low}" if low > -(1 << 63) else f"(__idg_wide) {low + 1} - 1"
        return (
            f"(({unknown.ctype}) __idg_value({line}, {column}, {int(fixed)}, {lowest}, {high}{'ull' if high >= 1 << 63 else ''}))"
        )

    def argument(self, param: Any, site: InputSite | None, array: ArraySites | None) -> str:
        """The value of a parameter; empty for the `void` of a function without parameters."""
        if getattr(param, "name", None) is None:
            return ""
        if array is not None:
            ctype = array.cells[0].target
            cells = (self.value(param, ValueRange(ctype), True, (cell.line, cell.column)) for cell in array.cells)
            return f"({ctype}[{len(array.cells)}]) {{{', '.join(cells)}}}"
        if not isinstance(param.type, c_ast.TypeDecl):
            return "0"
        values = ValueRange(self._ctype(param)) if site is None else ValueRange(self._ctype(param), site.low, site.high)
        return self.value(param, values, True)

    def _ctype(self, node: Any) -> CType:
        return self.scopes.type_of(node.type.type, node)

    def prepare(self, node: Any) -> Any:
        """The node, or what stands for it."""
        loop = isinstance(node, c_ast.While | c_ast.For | c_ast.DoWhile)
        if loop and isinstance(node, c_ast.For) and node.init is not None:
            node.init = self.prepare(node.init)
        self.loops += loop
        for slot in node.__slots__:
            part = getattr(node, slot, None) if slot not in ("coord", "__weakref__") else None
            if isinstance(part, list):
                setattr(node, slot, [self.prepare(item) if isinstance(item, c_ast.Node) else item for item in part])
            elif isinstance(part, c_ast.Node) and not (loop and slot == "init"):
                setattr(node, slot, self.prepare(part))
        self.loops -= loop
        match node:
            case c_ast.FuncCall(name=c_ast.ID(name=name)):
                return self._call(node, name)
            case c_ast.StaticAssert():
                return c_ast.ID(f"__idg_assert(!!({_text(node.cond)}))", node.coord)
            case c_ast.Decl(init=None, type=c_ast.TypeDecl()) if not {"static", "extern"} & set(node.storage):
                node.init = c_ast.ID(self.value(node, ValueRange(self._ctype(node)), not self.loops), node.coord)
            case c_ast.Decl(init=None, type=c_ast.ArrayDecl()) if not {"static", "extern"} & set(node.storage):
                # Runs of SIP start the cells as zeros, too. C gives no values to an array whose length it computes.
                if node.type.dim is not None and any(ids(node.type.dim)):
                    return c_ast.ID(f"{_text(node)}; __builtin_memset({node.name}, 0, sizeof {node.name})", node.coord)
                node.init = c_ast.InitList([c_ast.Constant("int", "0")], node.coord)
        return node

    def _call(self, node: Any, name: str) -> Any:
        arguments = [] if node.args is None else node.args.exprs
        texts = [_text(argument) for argument in arguments]
        unknown = self.unknown(node)
        if name == TRACE:
            shown = "".join(f"__idg_show({text}), " for text in texts[1:])
            text = f"(__idg_begin({texts[0]}), {shown}__idg_line())"
        elif name in (ASSUMED, REQUIRED):
            text = "(void) 0"
        elif name in ASSERT | ASSUME and texts:
            text = f"{'__idg_assert' if name in ASSERT else '__idg_assume'}(!!({texts[0]}))"
        elif name in ERROR:
            text = "__idg_assert(0)"
        elif name in STOP:
            text = "__idg_end(77)"
        elif unknown is not None:
            text = self.value(node, unknown, False)
        elif name in ABSOLUTE:
            text = f"__idg_{'abs' if name == 'abs' else 'labs'}({texts[0]})"
        elif name == "printf" or SILENT.fullmatch(name) or all(map(_is_text, arguments)):
            dropped = [_is_text(argument) or _is_stream(argument) or any(calls(argument)) for argument in arguments]
            kept = [text for text, drop in zip(texts, dropped, strict=True) if not drop]
            text = f"(void) (0{''.join(f', ({text})' for text in kept)})"
        else:
            return node
        return c_ast.ID(text, node.coord)


def _text(node: Any) -> str:
    return str(c_generator.CGenerator().visit(node))


def _is_text(node: Any) -> bool:
    return isinstance(node, c_ast.Constant) and node.type == "string"


def _is_stream(node: Any) -> bool:
    return isinstance(node, c_ast.ID) and node.name in STREAMS
