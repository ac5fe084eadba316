"""Makes a C text ready for the parser, and parses it.

Every token stays at its line, and at its column unless macros stand before it, so that messages name places of the file.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from pycparser import c_ast, c_generator, c_parser

from idg.importer.c.rewriting.own_random import with_own_random
from idg.importer.c.rewriting.switches import without_switches
from idg.importer.c.rewriting.types.enums import without_enums
from idg.importer.c.rewriting.types.structs import without_structs
from idg.importer.c.text.places import place, refuse
from idg.importer.c.text.preprocessor import preprocess
from idg.importer.c.text.spellings import TYPEDEFS
from idg.importer.c.text.tokens import ACSL_BEGIN, ACSL_END, CToken
from idg.importer.results import ImportRefused, Note
from idg.sip.record import Record, replace

C_CHARS_MAX = 200_000
"""Characters of a C text."""
TREE_LEVELS_MAX = 300
"""Levels of the syntax tree. The importer goes through trees by recursion, and Python bounds the depth of calls."""
TOO_DEEP = "this nests too deep, or is too long an expression"
SPLIT = "write it as several statements"
TRACE = "__idg_trace"
"""The name of a call that shows variables, where runs of C and SIP are compared (traces.py)."""
ANNOTATION, CONTRACT = "__idg_annotation", "__idg_contract_"
"""Names of the call and of the declaration that stand in the parsed text for an annotation of ACSL."""
_PLACE = re.compile(r"[^:\n]*:(\d+)(?::(\d+))?: (.*)", re.DOTALL)
_GNU = {
    "__extension__": "", "__inline": "inline", "__inline__": "inline", "__const": "const", "__const__": "const",
    "__volatile": "volatile", "__volatile__": "volatile", "__restrict": "restrict", "__restrict__": "restrict",
    "__signed__": "signed", "__signed": "signed", "__attribute": "__attribute__", "asm": "__asm__", "__asm": "__asm__",
}  # fmt: skip
"""GNU's spellings of words of C, and words that change nothing."""
_HARMLESS = re.compile(
    r"_*(?:no(?:throw|inline|return|nnull|clone)?|leaf|pure|const|unused|used|fallthrough|aligned|always_inline|deprecated|malloc|"
    r"format|printf|warn_unused_result|nonnull|cold|hot|access|returns_nonnull|alloc_size|gnu_inline|artificial|section|"
    r"transparent_union|visibility|error|warning|scanf|strfmon|may_alias|sentinel)_*"
)
"""Attributes that change no value. `mode`, `vector_size` and `constructor`, for example, do."""


class Annotation(Record):
    """A comment of ACSL: its words after preprocessing, and its line."""

    words: tuple[str, ...]
    line: int


class Parsed(Record):
    tree: Any
    tokens: tuple[CToken, ...]
    """The tokens after preprocessing, those of annotations included."""
    annotations: tuple[Annotation, ...]
    notes: tuple[Note, ...]
    function: str = ""
    """The function that is to be read; '' where the reader chooses."""
    with_structs: frozenset[str] = frozenset()
    """The functions that had structs, or pointers to them, among their parameters."""


def parse_c(text: str, headers: Mapping[str, str] | None = None, function: str = "") -> Parsed:
    """The C syntax tree; raises ImportRefused where the text is no C that is read."""
    return made_plain(parse_whole(text, headers, function))


def made_plain(parsed: Parsed) -> Parsed:
    """The same without structs and switches."""
    notes, with_structs = without_structs(parsed.tree)
    without_switches(parsed.tree)
    return replace(parsed, notes=(*parsed.notes, *notes), with_structs=with_structs)


def parse_whole(text: str, headers: Mapping[str, str] | None = None, function: str = "") -> Parsed:
    """The same, in which each struct and switch still stands, and so does the call for each annotation."""
    if len(text) > C_CHARS_MAX:
        raise ImportRefused(1, 1, f"the text has {len(text):,} characters, and at most {C_CHARS_MAX:,} are read")
    preprocessed = preprocess(text, headers or {})
    for token in preprocessed.tokens:
        if token.text.startswith("__idg"):
            raise ImportRefused(token.line, token.column, "names that begin with __idg are not read")
    annotations: list[Annotation] = []
    tokens = _without_gnu(_marked(preprocessed.tokens, annotations))
    tree = _parse(_with_typedefs(_laid_out(tokens)))
    check_levels(tree)
    _check_heads(tree)
    with_own_random(tree)
    notes = without_enums(tree)
    return Parsed(tree, preprocessed.tokens, tuple(annotations), (*preprocessed.notes, *notes), function)


def _check_heads(tree: Any) -> None:
    """Refuses functions whose heads the parser lets pass although a compiler refuses them, or only warns."""
    for definition in tree.ext:
        if not isinstance(definition, c_ast.FuncDef):
            continue
        if not isinstance(definition.decl.type, c_ast.FuncDecl):
            reason = f"'{definition.decl.name}' has a body and is no function"
            raise refuse(definition.decl, reason, "write brackets after its name")
        declared = definition.decl.type.args
        for param in declared.params if declared and not definition.param_decls else ():
            if isinstance(param, c_ast.ID):
                raise refuse(param, f"the parameter '{param.name}' has no type", f"write it in front, such as int {param.name}")


def check_levels(tree: Any) -> None:
    """Refuses a tree that is too deep, because everything else goes through trees by recursion."""
    left = [(tree, 0)]
    while left:
        node, level = left.pop()
        if level > TREE_LEVELS_MAX:
            raise refuse(node, TOO_DEEP, SPLIT)
        left += [(child, level + 1) for _, child in node.children()]


def _marked(tokens: tuple[CToken, ...], annotations: list[Annotation]) -> list[CToken]:
    """The tokens with a call in place of each annotation in a function, and a declaration in place of one outside."""
    marked: list[CToken] = []
    depth = 0
    begin: int | None = None
    for index, token in enumerate(tokens):
        if token.kind == ACSL_BEGIN:
            begin = index
        elif token.kind == ACSL_END:
            assert begin is not None
            words = tuple(word.text for word in tokens[begin + 1 : index])
            number = len(annotations)
            annotations.append(Annotation(words, token.line))
            text = f"{ANNOTATION} ( {number} ) ;" if depth else f"void {CONTRACT}{number} ( void ) ;"
            marked += [token._replace(kind="name", text=word) for word in text.split()]
            begin = None
        elif begin is None:
            depth += {"{": 1, "}": -1}.get(token.text, 0) if token.kind == "op" else 0
            marked.append(token)
    return marked


def _without_gnu(tokens: list[CToken]) -> list[CToken]:
    """The tokens without GNU's additions to C that change no value; refuses those that do."""
    kept: list[CToken] = []
    depth = index = 0
    while index < len(tokens):
        token = tokens[index]
        text = _GNU.get(token.text, token.text)
        depth += {"{": 1, "}": -1}.get(text, 0) if token.kind == "op" else 0
        index += 1
        if text == "__asm__" and depth:
            raise ImportRefused(token.line, token.column, "assembler is not read")
        if text in ("__attribute__", "__asm__"):
            end = _closing(tokens, index)
            for word in tokens[index:end] if text == "__attribute__" else []:
                if word.kind == "name" and not _HARMLESS.fullmatch(word.text):
                    raise ImportRefused(word.line, word.column, f"the attribute '{word.text}' is not read")
            index = end
        elif text:
            kept.append(token._replace(text=text))
    return kept


def _closing(tokens: list[CToken], start: int) -> int:
    """The index after the bracket that closes the one at `start`."""
    depth = 0
    for index in range(start, len(tokens)):
        depth += {"(": 1, ")": -1}.get(tokens[index].text, 0)
        if not depth:
            return index + 1
    return len(tokens)


def _laid_out(tokens: list[CToken]) -> str:
    """The text of the tokens, each at its line and, where that is free, at its column."""
    parts: list[str] = []
    line = column = 1
    for token in tokens:
        if token.line > line:
            parts.append("\n" * (token.line - line))
            line, column = token.line, 1
        blanks = token.column - column if token.line == line and token.column > column else 1 if column > 1 else 0
        if token.column == column and not token.space and token.line == line:
            blanks = 0
        parts.append(" " * blanks + token.text)
        column += blanks + len(token.text)
    return "".join(parts)


def _with_typedefs(text: str) -> str:
    """The text with typedefs in front for the types of standard headers that it uses and does not define itself."""
    used = {word for word in re.findall(r"\w+", text) if word in TYPEDEFS}
    defined = set(re.findall(r"typedef[^;]*?\b(\w+)\s*;", text))
    before = "".join(f"typedef {TYPEDEFS[name]} {name}; " for name in sorted(used - defined))
    return f'{before}\n# 1 "c"\n{text}'


def _parse(text: str) -> Any:
    parser = c_parser.CParser()
    try:
        return parser.parse(text, "c")
    except (c_parser.ParseError, AssertionError, RecursionError) as error:
        position = _PLACE.fullmatch(str(error))
        if position is not None:
            message = re.sub(r"^before: (.*)", r"this is not expected here: '\1'", position[3], flags=re.DOTALL)
            raise ImportRefused(int(position[1]), int(position[2] or 1), message) from None
        # The parser does not say where it stopped, but its lexer has just read what was not expected.
        line, begin = getattr(parser.clex, "_lineno", 1), getattr(parser.clex, "_line_start", 0)
        column = max(1, getattr(parser.clex, "_pos", begin) - begin)
        if isinstance(error, RecursionError):
            raise ImportRefused(line, column, "the text nests too deep", SPLIT) from None
        message = str(error).partition(": ")[2] or "not C"
        raise ImportRefused(
            line, column, message[:1].lower() + message[1:], "this is near the place; is the text complete C?"
        ) from None


__all__ = [
    "ANNOTATION",
    "CONTRACT",
    "SPLIT",
    "TOO_DEEP",
    "TRACE",
    "Annotation",
    "Parsed",
    "c_ast",
    "c_generator",
    "made_plain",
    "parse_c",
    "parse_whole",
    "place",
    "refuse",
]
