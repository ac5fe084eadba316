"""What an editor shows of single words: hovers and completions."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from lsprotocol.types import CompletionItem, CompletionItemKind, InsertTextFormat

from idg.lsp.jobs import LoopTable
from idg.sip.checking.analysis import FunctionInfo, Loop
from idg.sip.errors import SipError
from idg.sip.operators import ARRAY_WORDS, FUNCTIONS, OPERATORS, SOFT_ARRAY_WORDS, WORDS, Operator, Word
from idg.sip.program import Program
from idg.sip.syntax import Function
from idg.sip.text.printer import function_head, print_expression
from idg.sip.text.tokens import Token, tokenize

TYPE_WORDS = ("bool", "nat", "int", "rat")
SNIPPETS = {
    "fn": "fn ${1:main}(${2:n}: ${3:nat}): ${4:int} {\n\tpost(${5:result >= 0});\n\t$0\n}",
    "while": "while [${1:invariant}] (${2:test}) {\n\t$0\n}",
    "if": "if (${1:test}) {\n\t$0\n}",
    "var": "var ${1:x}: ${2:int};",
    "assert": "assert(${1:condition});",
    "cassign": "cassign([${1:x}], ${2:condition});",
}
"""What the completion of a word writes, with places to fill in; other words stand for themselves."""
_DECLARED = re.compile(r"((?:[A-Za-z_]\w*\s*,\s*)*[A-Za-z_]\w*)\s*:\s*(bool|nat|int|rat)\b")
"""Names and their type, as `var` and the heads of functions declare them. It also fits texts that are not complete yet."""
_FUNCTION = re.compile(r"\bfn\s+([A-Za-z_]\w*)\s*\(")
_COMMENT = re.compile(r"#[^\n]*")


def completions(text: str, offset: int) -> Iterator[CompletionItem]:
    """What may stand at this offset: words, built-in functions, functions of the text, and variables declared before it.

    The text is looked at as it is, because while somebody types it is mostly no program."""
    before = _COMMENT.sub("", text[:offset])
    functions = dict.fromkeys(_FUNCTION.findall(_COMMENT.sub("", text)))
    for name in functions:
        yield CompletionItem(name, kind=CompletionItemKind.Function, detail="function")
    own = before[_function_start(before) :]
    declared = {
        name.strip(): kind for names, kind in _DECLARED.findall(own) for name in names.split(",") if name.strip() not in FUNCTIONS
    }
    for name, kind in declared.items():
        yield CompletionItem(name, kind=CompletionItemKind.Variable, detail=kind)
    for builtin in FUNCTIONS.values():
        told = f"{builtin.explanation} Example: {builtin.example}"
        yield CompletionItem(builtin.name, kind=CompletionItemKind.Function, detail=", ".join(builtin.types), documentation=told)
    for word in (*WORDS, *ARRAY_WORDS, *SOFT_ARRAY_WORDS):
        is_name = word in SOFT_ARRAY_WORDS and (word.token in declared or word.token in functions)
        if word.token.isalpha() and not is_name:
            yield _word_item(word)


def _word_item(word: Word) -> CompletionItem:
    kind = CompletionItemKind.TypeParameter if word.token in TYPE_WORDS else CompletionItemKind.Keyword
    snippet = SNIPPETS.get(word.token)
    return CompletionItem(
        word.token,
        kind=kind,
        documentation=f"{word.explanation} Example: {word.example}",
        insert_text=snippet,
        insert_text_format=InsertTextFormat.Snippet if snippet else None,
    )


def _function_start(before: str) -> int:
    """Where the function begins that the text ends in: after the last `}` that closes all blocks."""
    depth, start = 0, 0
    for offset, char in enumerate(before):
        depth += (char == "{") - (char == "}")
        if char == "}" and depth <= 0:
            depth, start = 0, offset + 1
    return start


def token_at(text: str, offset: int) -> Token | None:
    """The token that the offset is in or directly after; None in a comment or in a text that has no tokens."""
    try:
        tokens = tokenize(text, program=True).tokens
    except SipError:
        return None
    touching = [token for token in tokens if token.start <= offset <= token.end and token.text]
    return touching[-1] if touching else None


def hovered_loop(program: Program, offset: int) -> Loop | None:
    """The innermost loop around an offset."""
    around = [loop for loop in program.loops if loop.statement.span.start <= offset < loop.statement.span.end]
    return max(around, key=lambda loop: loop.statement.span.start, default=None)


def hover_text(program: Program, token: Token, tables: Sequence[LoopTable]) -> str:
    """What is told about a token, as Markdown; empty where nothing is known."""
    loop = hovered_loop(program, token.start)
    table = next((table for table in tables if loop is not None and table.loop == loop.number), None)
    if token.kind == "while":
        own = next(loop for loop in program.loops if loop.statement.span.start == token.start)
        table = next((table for table in tables if table.loop == own.number), None)
        return f"**loop {own.number}**{_table_text(table)}"
    if token.text in program.info.functions:
        return _function_text(program.info.functions[token.text].function)
    own_function = _function_around(program, token.start)
    if token.kind in ("name", "result") and own_function is not None and token.text in own_function.variables:
        return _variable_text(own_function, token.text, table)
    return _explained(token)


def _variable_text(info: FunctionInfo, name: str, table: LoopTable | None) -> str:
    params = [param.name for param in info.function.params]
    role = "parameter" if name in params else "returned value" if name == "result" else "variable"
    told = f"```sip\n{name}: {info.variables[name]}\n```\n{role} of `{info.function.name}`"
    if table is None or name not in table.columns or not table.rows:
        return told
    column = table.columns.index(name)
    values = ", ".join(row[column] for row in table.rows)
    more = ", …" if table.total > len(table.rows) else ""
    return f"{told}\n\nAt loop {table.loop} of the run with {table.inputs or 'no inputs'}: {values}{more}"


def _table_text(table: LoopTable | None) -> str:
    if table is None:
        return ""
    head = f" in the run with {table.inputs or 'no inputs'}"
    if not table.rows:
        return f"{head}: it is not reached ({table.ended})"
    lines = ["", "", "| row | " + " | ".join(table.columns) + " |", "|--:" * (len(table.columns) + 1) + "|"]
    lines += (f"| {number} | " + " | ".join(row) + " |" for number, row in enumerate(table.rows, 1))
    left = table.total - len(table.rows)
    if left:
        lines.append(f"\n{left:,} more row{'s' * (left > 1)}")
    return f"{head}: {table.ended}" + "\n".join(lines)


def _function_text(function: Function) -> str:
    contract = [f"  pre({print_expression(pre)});" for pre in function.pres]
    contract += [f"  post({print_expression(post)});" for post in function.posts]
    return "\n".join(["```sip", function_head(function), *contract, "```"])


def _function_around(program: Program, offset: int) -> FunctionInfo | None:
    infos = program.info.functions.values()
    return next((info for info in infos if info.function.span.start <= offset < info.function.span.end), None)


def _explained(token: Token) -> str:
    """What the language means by a word, a sign or a built-in function."""
    builtin = FUNCTIONS.get(token.text)
    if builtin is not None:
        return f"`{builtin.name}`: {', '.join(builtin.types)}\n\n{builtin.explanation}\n\nExample: `{builtin.example}`"
    known: Sequence[Word | Operator] = [*WORDS, *ARRAY_WORDS, *OPERATORS]
    explained = next((word for word in known if word.token == token.kind), None)
    return "" if explained is None else f"`{explained.token}`: {explained.explanation}\n\nExample: `{explained.example}`"
