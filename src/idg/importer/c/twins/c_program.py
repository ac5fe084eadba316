"""Writes the C program of a twin: the functions of a file as they are, with traces, and a main that takes a seed."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from idg.importer.c.callers import called
from idg.importer.c.expressions import ABSOLUTE
from idg.importer.c.numbers.c_types import CType
from idg.importer.c.rewriting.inputs import FROM_TEXT, KINDS
from idg.importer.c.rewriting.labels import error_labels, staying_labels
from idg.importer.c.rewriting.memory import is_cleared
from idg.importer.c.rewriting.types.fields import POINTER, StructShape, StructTypes
from idg.importer.c.scopes import Scopes
from idg.importer.c.statements import STREAMS
from idg.importer.c.text.places import column_of_part
from idg.importer.c.text.source import ANNOTATION, TRACE, c_ast, c_generator, place
from idg.importer.c.text.spellings import ASSERT, ASSUME, CONSTANT_TYPES, CONSTANTS, ERROR, GIVING, SILENT, STOP, ValueRange
from idg.importer.c.text.trees import calls, ids, is_text, walk
from idg.importer.c.twins.sites import CELLS_MAX, Place, TwinPlaces

TRACES_MAX = 120
"""Traces after which a run of the C program ends."""
FAILED, STOPPED, ENOUGH = 66, 77, 78
"""Exit codes of the C program: an assert failed; the run ended early, for instance by an assume; enough was traced."""

PRELUDE = """
extern int printf(const char *, ...);
extern void exit(int);
extern int fflush(void *);
extern void *calloc(unsigned long, unsigned long);
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
static void __idg_begin(int number) { if (__idg_traced++ >= TRACES_MAX) __idg_end(78); printf("%d", number); }
static void __idg_show(__idg_wide value) {
  char digits[50]; int at = 49; __idg_wide rest = value < 0 ? -value : value;
  digits[at] = 0;
  do { digits[--at] = '0' + (int) (rest % 10); rest /= 10; } while (rest);
  printf(value < 0 ? " -%s" : " %s", digits + at);
}
static void __idg_line(void) { printf("\\n"); fflush(0); }
static void *__idg_memory(unsigned long size) {
  void *memory = calloc(1, size ? size : 1);
  if (!memory) __builtin_trap();
  return memory;
}
static int __idg_abs(int x) { return x < 0 ? -x : x; }
static long __idg_labs(long x) { return x < 0 ? -x : x; }
"""


def c_program(tree: Any, functions: list[Any], writer: Writer, gives_result: bool) -> str:
    """The text. `functions` are those that are written; the first is the one that is run."""
    parts = [PRELUDE.replace("TRACES_MAX", str(TRACES_MAX))]
    names = {name.name for node in tree.ext for name in ids(node)} - {
        part.name for part in walk(tree) if isinstance(part, c_ast.Decl)
    }
    parts += [f"#define {name} ({_constant(name)})\n" for name in sorted(names & set(CONSTANTS))]
    for node in tree.ext:
        plain = isinstance(node, c_ast.Decl) and not isinstance(node.type, c_ast.FuncDecl)
        if isinstance(node, c_ast.Typedef) or plain:
            parts.append(_text(node) + ";\n")
    declared = functions[0].decl.type.args
    params = [param for param in (declared.params if declared else []) if getattr(param, "name", None)]
    given = writer.arguments(params)
    for function in functions:
        writer.rename(function.decl)
    parts += [f"{_text(function.decl)};\n" for function in functions]
    parts += [f"{_text(function.decl)}\n{_text(writer.body(function))}\n" for function in functions]
    parts.append("int main(int count, char **texts) {\n  __idg_seed = (__idg_word) strtol(texts[1], 0, 10);\n")
    parts += [f"  {line}\n" for line in given]
    call = f"{writer.names[functions[0].decl.name]}({', '.join(f'__idg_{param.name}' for param in params)})"
    if gives_result:
        parts.append(f"  __idg_wide result = {call};\n  __idg_begin(0);\n  __idg_show(result);\n  __idg_line();\n")
    else:
        parts.append(f"  {call};\n")
    parts.append("  __idg_end(0);\n  return 0;\n}\n")
    return "".join(parts)


def _constant(name: str) -> str:
    value, ctype = CONSTANTS[name], CONSTANT_TYPES.get(name)
    suffix = "" if ctype is None else ("" if ctype.signed else "u") + ("l" if ctype.bits == 64 else "")
    return f"{value}{suffix}" if value >= 0 else f"{value + 1}{suffix} - 1"


class Writer:
    """Makes the tree ready to be written as C: what is known by its name becomes a call of a function of the prelude.

    Such a call is put into the tree as a name, which is written as it stands.
    """

    def __init__(
        self,
        scopes: Scopes,
        unknown: Callable[[Any], ValueRange | None],
        places: TwinPlaces,
        functions: list[Any],
        structs: StructTypes,
    ) -> None:
        self.scopes = scopes
        self.unknown = unknown
        self.places = places
        self.names = {function.decl.name: f"__idg_of_{function.decl.name}" for function in functions}
        """The functions that are written → their names there, which are none of the prelude."""
        self.structs = structs
        self.errors: set[str] = set()
        self.staying: set[str] = set()

    def rename(self, declaration: Any) -> None:
        """Gives a function its name there, and makes it one of this file alone."""
        kind = declaration.type
        while not isinstance(kind, c_ast.TypeDecl):
            kind = kind.type
        kind.declname = self.names[declaration.name]
        declaration.storage, declaration.funcspec = ["static"], []

    def body(self, function: Any) -> Any:
        self.errors, self.staying = error_labels(function.body), staying_labels(function.body)
        return self.prepare(function.body)

    def value(self, node: Any, unknown: ValueRange, fixed: bool, site: tuple[int, int] | None = None) -> str:
        line, column = site or place(node)
        low = unknown.ctype.low if unknown.low is None else unknown.low
        high = unknown.ctype.high if unknown.high is None else unknown.high
        lowest = f"(__idg_wide) {low}" if low > -(1 << 63) else f"(__idg_wide) {low + 1} - 1"
        return (
            f"(({unknown.ctype}) __idg_value({line}, {column}, {int(fixed)}, {lowest}, {high}{'ull' if high >= 1 << 63 else ''}))"
        )

    def arguments(self, params: list[Any]) -> list[str]:
        """The statements that declare what is passed to the function that is run, lengths of arrays first."""
        numbers = [param for param in params if isinstance(param.type, c_ast.TypeDecl)]
        named = {place(param): param.name for param in numbers}
        lines = []
        for param in numbers:
            ctype, site = self._ctype(param), self.places.sites.get(place(param))
            values = ValueRange(ctype) if site is None else ValueRange(ctype, site.low, site.high)
            lines.append(f"{ctype} __idg_{param.name} = {self.value(param, values, True)};")
        for param in params:
            if param not in numbers:
                lines += self._array(param, named)
        return lines

    def _array(self, param: Any, numbers: Mapping[Place, str]) -> list[str]:
        """An array with as many cells as the declaration says; where that says nothing, as the reading takes for granted."""
        name = f"__idg_{param.name}"
        told = self.places.lengths.get(place(param))
        if told is None:
            return [f"void *{name} = 0;"]  # It is not used, or only for texts.
        length = told if isinstance(told, int) else numbers[told]
        dimension = param.type.dim if isinstance(param.type, c_ast.ArrayDecl) else None
        if isinstance(dimension, c_ast.ID) and dimension.name in numbers.values():
            length = dimension.name
        elif isinstance(dimension, c_ast.Constant):
            length = int(dimension.value, 0)
        ctype = self.scopes.type_of(param.type.type.type, param)
        if isinstance(length, int):
            most, count = length, str(length)
        else:
            most = CELLS_MAX
            count = f"(__idg_{length} < 0 ? 0 : __idg_{length} > {most} ? {most} : __idg_{length})"
        lines = [f"{ctype} *{name} = __idg_memory((unsigned long) {count} * sizeof({ctype}));"]
        line, column = place(param)
        for cell in range(most):
            value = self.value(param, ValueRange(ctype), True, (line, column_of_part(column, cell)))
            lines.append(f"if ({cell} < {count}) {name}[{cell}] = {value};")
        return lines

    def _ctype(self, node: Any) -> CType:
        return self.scopes.type_of(node.type.type, node)

    def prepare(self, node: Any) -> Any:
        """The node, or what stands for it."""
        if isinstance(node, c_ast.Decl) and isinstance(node.type, c_ast.FuncDecl):
            return c_ast.EmptyStatement(node.coord)  # All functions are declared before.
        for slot in node.__slots__:
            part = getattr(node, slot, None) if slot not in ("coord", "__weakref__") else None
            if isinstance(part, list):
                setattr(node, slot, [self.prepare(item) if isinstance(item, c_ast.Node) else item for item in part])
            elif isinstance(part, c_ast.Node):
                setattr(node, slot, self.prepare(part))
        match node:
            case c_ast.FuncCall(name=c_ast.ID(name=name)):
                return self._call(node, name)
            case c_ast.Label(name=name) if name in self.errors:
                node.stmt = c_ast.ID("__idg_assert(0)", node.coord)
            case c_ast.Label(name=name) if name in self.staying:
                node.stmt = c_ast.ID("__idg_end(77)", node.coord)
            case c_ast.StaticAssert():
                return c_ast.ID(f"__idg_assert(!!({_text(node.cond)}))", node.coord)
            case c_ast.Decl() if not {"static", "extern"} & set(node.storage):
                return self._declaration(node)
        return node

    def _declaration(self, node: Any) -> Any:
        """Gives a variable without a value the one that runs of the reading give it."""
        where = place(node)
        match node:
            case c_ast.Decl(type=c_ast.TypeDecl() | c_ast.PtrDecl()) if (shape := self.structs.known_shape(node)) is not None:
                return self._struct(node, shape)
            case c_ast.Decl(init=None, type=c_ast.TypeDecl()):
                node.init = c_ast.ID(self.value(node, ValueRange(self._ctype(node)), self.places.is_fixed(where)), node.coord)
            case c_ast.Decl(init=None, type=c_ast.ArrayDecl()):
                # Runs of SIP start the cells as zeros, too. C gives no values to an array whose length it computes.
                if node.type.dim is not None and any(ids(node.type.dim)):
                    return c_ast.ID(f"{_text(node)}; __builtin_memset({node.name}, 0, sizeof {node.name})", node.coord)
                node.init = c_ast.InitList([c_ast.Constant("int", "0")], node.coord)
            case c_ast.Decl(init=value, type=c_ast.PtrDecl(type=c_ast.TypeDecl())) if (
                value is not None and where in self.places.cells and not is_cleared(value)
            ):
                first = self.value(node, ValueRange(self._ctype(node.type)), self.places.is_fixed(where))
                new = f"__typeof__(*{node.name}) *__idg_new = {_text(value)}; *__idg_new = {first}; __idg_new;"
                node.init = c_ast.ID(f"({{ {new} }})", node.coord)
        return node

    def _struct(self, node: Any, shape: StructShape) -> Any:
        """The declaration of a struct, or of memory for one, and what fields without a value start with."""
        line, column = place(node)
        made = [_text(node)]
        given = any(name in GIVING for name in map(called, calls(node)))
        for number, field in enumerate(shape.fields if given or node.init is None else ()):
            path = ("->" if shape.kind == POINTER else ".").join((node.name, ".".join(field.path)))
            if field.is_array:
                made += [] if given else [f"__builtin_memset({path}, 0, sizeof {path})"]
                continue
            site = line, column_of_part(column, number)
            values = ValueRange(self._ctype(field.declaration))
            made.append(f"{path} = {self.value(node, values, self.places.is_fixed(site), site)}")
        return c_ast.ID("; ".join(made), node.coord)

    def _call(self, node: Any, name: str) -> Any:
        arguments = [] if node.args is None else node.args.exprs
        texts = [_text(argument) for argument in arguments]
        unknown = self.unknown(node)
        if name == TRACE:
            shown = "".join(f"__idg_show({text}), " for text in texts[1:])
            text = f"(__idg_begin({texts[0]}), {shown}__idg_line())"
        elif name in self.names:
            node.name = c_ast.ID(self.names[name], node.coord)
            return node
        elif name in (ANNOTATION, "free"):
            text = "(void) 0"
        elif name in GIVING:
            text = f"__idg_memory({texts[0]})"
        elif name in FROM_TEXT:
            text = self._chosen(node, FROM_TEXT[name])
        elif name == "scanf":
            kinds = re.findall(r"%([a-z]+)", texts[0])
            pairs = zip(kinds, arguments[1:], texts[1:], strict=True)
            text = ", ".join(f"*({target}) = {self._chosen(argument, KINDS[kind])}" for kind, argument, target in pairs)
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
        elif name == "printf" or SILENT.fullmatch(name) or all(map(is_text, arguments)):
            dropped = [is_text(argument) or _is_stream(argument) or self._calls_others(argument) for argument in arguments]
            kept = [text for text, drop in zip(texts, dropped, strict=True) if not drop]
            text = f"(void) (0{''.join(f', ({text})' for text in kept)})"
        else:
            return node
        return c_ast.ID(text, node.coord)

    def _chosen(self, node: Any, kind: str) -> str:
        """The value of a choice of this kind that stands at a node."""
        unknown = self.unknown(c_ast.FuncCall(c_ast.ID(f"__VERIFIER_nondet_{kind}", node.coord), None, node.coord))
        assert unknown is not None
        return self.value(node, unknown, False)

    def _calls_others(self, node: Any) -> bool:
        return any(called(call) not in self.names.values() for call in calls(node))


def _text(node: Any) -> str:
    return str(c_generator.CGenerator().visit(node))


def _is_stream(node: Any) -> bool:
    return isinstance(node, c_ast.ID) and node.name in STREAMS
