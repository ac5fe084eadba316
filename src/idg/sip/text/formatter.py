"""`idg fmt`: the canonical layout of a whole text. Each comment stays near what it stands at."""

from __future__ import annotations

import re

from idg.sip.syntax import Block, Expr, Function, If, Stmt, While
from idg.sip.text.parser import parse_program
from idg.sip.text.printer import INDENT, function_head, function_measure, loop_head, print_expression, simple_statement
from idg.sip.text.tokens import Comment, tokenize

_BLANK_LINE = re.compile(r"\n[^\S\n]*\n")
_ONLY_CLOSERS = re.compile(r"[^\S\n]*[);]*[^\S\n]*")


def format_program(text: str) -> str:
    """The text in canonical layout. Raises SipError where it is no program."""
    module = parse_program(text)
    formatter = _Formatter(text, tokenize(text, program=True).comments)
    for function in module.functions:
        if formatter.lines:
            formatter.lines.append("")
        formatter.function(function)
    formatter.comments_before(len(text), "")
    return "".join(f"{line}\n" for line in formatter.lines)


BYTE_ORDER_MARK = "\ufeff"


def format_file(text: str) -> str:
    """The text of a file in canonical layout. Raises SipError where it is no program.

    A byte order mark and the kind of line ends are kept, because the editor chose them and they are not part of the layout."""
    formatted = format_program(text)
    if "\r\n" in text:
        formatted = formatted.replace("\n", "\r\n")
    return BYTE_ORDER_MARK + formatted if text.startswith(BYTE_ORDER_MARK) else formatted


class _Formatter:
    def __init__(self, text: str, comments: list[Comment]) -> None:
        self.text = text
        self.comments = comments[::-1]
        """The comments that are still to be put out, the next one last."""
        self.lines: list[str] = []
        self.end = 0
        """The offset in the text at which the last thing that was put out ended."""

    def put(self, line: str, start: int, end: int) -> None:
        """Adds a line for what stands from `start` to `end` in the text, and the comment that follows it on its line there.

        One blank line before it is kept, but not at the beginning or the end of a block.
        """
        opened = not self.lines or self.lines[-1].endswith("{") or not self.lines[-1]
        if not opened and not line.lstrip().startswith("}") and _BLANK_LINE.search(self.text, self.end, start):
            self.lines.append("")
        self.lines.append(line)
        self.end = end
        following = self.comments[-1] if self.comments else None
        if following and _ONLY_CLOSERS.fullmatch(self.text, end, following.start):
            self.lines[-1] += f"  {following.text}"
            self.end = following.start + len(following.text)
            self.comments.pop()

    def comments_before(self, offset: int, indent: str) -> None:
        while self.comments and self.comments[-1].start < offset:
            comment = self.comments.pop()
            self.put(indent + comment.text, comment.start, comment.start + len(comment.text))

    def function(self, function: Function) -> None:
        self.comments_before(function.span.start, "")
        self.put(function_head(function), function.span.start, function.body.span.start + 1)
        for word, clauses in (("pre", function.pres), ("post", function.posts)):
            for clause in clauses:
                self.clause(word, clause)
        if function.measure:
            start, end = function.measure[0].span.start, function.measure[-1].span.end
            self.comments_before(start, INDENT)
            self.put(INDENT + function_measure(function), start, end)
        self.block(function.body, INDENT)
        self.put("}", function.body.span.end - 1, function.span.end)

    def clause(self, word: str, clause: Expr) -> None:
        self.comments_before(clause.span.start, INDENT)
        self.put(f"{INDENT}{word}({print_expression(clause)});", clause.span.start, clause.span.end)

    def block(self, block: Block, indent: str) -> None:
        for statement in block.statements:
            self.statement(statement, indent)
        self.comments_before(block.span.end - 1, indent)

    def statement(self, statement: Stmt, indent: str) -> None:
        start, end = statement.span
        self.comments_before(start, indent)
        match statement:
            case If(branches, otherwise):
                word = "if"
                for branch in branches:
                    head = f"{indent}{word} ({print_expression(branch.test)}) {{"
                    self.put(head, branch.span.start, branch.body.span.start + 1)
                    self.block(branch.body, indent + INDENT)
                    word = "} else if"
                if otherwise.statements:
                    self.put(f"{indent}}} else {{", otherwise.span.start, otherwise.span.start + 1)
                    self.block(otherwise, indent + INDENT)
                self.put(f"{indent}}}", end - 1, end)
            case While(_, _, body):
                self.put(indent + loop_head(statement), start, body.span.start + 1)
                self.block(body, indent + INDENT)
                self.put(f"{indent}}}", end - 1, end)
            case _:
                self.put(indent + simple_statement(statement), start, end)
