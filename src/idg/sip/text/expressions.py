"""The expression half of the parser: a Pratt parser over the table of operators."""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

from idg.sip.errors import Problem, SipError, problem
from idg.sip.limits import EXPRESSION_LEVELS_MAX, EXPRESSION_NODES_MAX, QUANTIFIER_LEVELS_MAX, READING_LEVELS_MAX
from idg.sip.operators import AGGREGATES, BODY_PRECEDENCE, COMPARISON_PRECEDENCE, COMPARISONS, FUNCTIONS, INFIX, PREFIX
from idg.sip.syntax import Binary, Boolean, Call, Compare, Expr, Index, Name, Number, Old, Quantified, Span, Unary
from idg.sip.text import habits
from idg.sip.text.tokens import Token, tokenize

if TYPE_CHECKING:
    from fractions import Fraction

_INFIX_POWER: dict[str, tuple[int, int]] = {
    token: (operator.precedence, operator.precedence + (operator.associativity == "left")) for token, operator in INFIX.items()
}
"""For each infix operator its precedence, and the least precedence that operators of its right operand must have."""
_INFIX_POWER.update(dict.fromkeys(COMPARISONS, (COMPARISON_PRECEDENCE, COMPARISON_PRECEDENCE + 1)))
# `:=` in an expression is read as '=' and reported.
_INFIX_POWER[":="] = (COMPARISON_PRECEDENCE, COMPARISON_PRECEDENCE + 1)
_PREFIX_POWER = {token: operator.precedence for token, operator in PREFIX.items()}
DECREASES = "decreases"
"""The word before a measure. It is no word of the language elsewhere, so it may be a name."""
IN = "in"
"""The word before the range of a quantifier. It may be a name elsewhere, too."""
_ALL_CELLS_NODES, _ALL_CELLS_HEIGHT = 5, 3
"""Nodes and height of what `sorted(a)` adds to the array: 0 and len(a) - 1."""
_CLOSERS = {"(": ")", "[": "]", "{": "}"}


def describe(token: Token) -> str:
    """The token as a message names it."""
    if token.kind == "end":
        return "the end of the text"
    if token.kind == "number":
        return f"the number {token.text if len(token.text) <= 20 else token.text[:19] + '…'}"
    return f"'{token.text}'"


class ExpressionParser:
    """Reads expressions from a list of tokens. Where a mistake is plain, it keeps the problem, repairs the mistake and goes on."""

    def __init__(self, text: str, tokens: list[Token]) -> None:
        self.text = text
        self.tokens = tokens
        self.quantifiers = 0
        """How many quantifiers are being read, each inside the one before."""
        self.index = 0
        """The index of the token that is read next."""
        self.problems: list[Problem] = []
        self.level = 0
        """How many expressions are being read, each inside the one before."""
        self.nodes = 0
        """Nodes of the expression that is being read, so far."""
        self.height = 0
        """Height of the tree of the expression that was read last."""

    # reading tokens

    @property
    def token(self) -> Token:
        return self.tokens[self.index]

    @property
    def following(self) -> Token:
        """The token after the current one. At the end it is the end itself."""
        return self.tokens[min(self.index + 1, len(self.tokens) - 1)]

    @property
    def previous_end(self) -> int:
        return self.tokens[self.index - 1].end if self.index else 0

    def take(self, kind: str) -> Token | None:
        """Reads the token where it is of this kind."""
        token = self.tokens[self.index]
        if token.kind != kind:
            return None
        self.index += 1
        return token

    def need(self, kind: str, expected: str = "", hint: str = "") -> Token:
        """Reads the token, which must be of this kind."""
        token = self.take(kind)
        if token is None:
            self.fail_expected(expected or f"'{kind}'", hint)
        return token

    def close(self, opener: Token) -> Token:
        closer = _CLOSERS[opener.kind]
        token = self.take(closer)
        if token is None:
            self.fail_if_foreign()
            hint = "" if self.token.kind == ";" else self.odd_token_hint()
            self.fail("unclosed", opener.span, hint=hint, opened=opener.text, closer=closer, found=describe(self.token))
        return token

    # reporting

    def report(self, code: str, span: Span, /, hint: str = "", **details: object) -> None:
        self.problems.append(problem(code, span, hint=hint, **details))

    def fail(self, code: str, span: Span, /, hint: str = "", **details: object) -> NoReturn:
        self.report(code, span, hint=hint, **details)
        raise SipError(self.text, self.problems)

    def fail_expected(self, expected: str, hint: str = "") -> NoReturn:
        token = self.token
        self.fail_if_foreign()
        self.fail("expected", token.span, hint=hint, expected=expected, found=describe(token))

    def fail_if_foreign(self) -> None:
        """Where the unexpected token and its neighbours are a habit from another language, fails with a message that says so."""
        for token in self.tokens[max(0, self.index - 1) : self.index + 1][::-1]:
            if token.kind == "name" and token.text in habits.WORDS:
                self.fail("foreign-word", token.span, hint=habits.WORDS[token.text], found=token.text)
        for first, last in ((-2, 0), (-1, 0), (0, 1)):
            around = self.tokens[max(0, self.index + first) : self.index + last + 1]
            joined = "".join(token.text for token in around)
            if joined in habits.OPERATORS and around[-1].end - around[0].start == len(joined):
                span = Span(around[0].start, around[-1].end)
                self.fail("foreign-operator", span, hint=habits.OPERATORS[joined], found=joined)
        for index in (max(0, self.index - 1), self.index):
            before, token = self.tokens[index], self.tokens[min(index + 1, len(self.tokens) - 1)]
            meant = habits.SPLIT_OPERATORS.get((before.kind, token.kind))
            if before.kind == "!" and index and self.tokens[index - 1].end == before.start:
                continue  # This is a factorial.
            if meant and before.end < token.start and not self.text[before.end : token.start].strip():
                hint = f"write {meant} without a gap"
                self.fail("foreign-operator", Span(before.start, token.end), hint=hint, found=f"{before.text} {token.text}")

    def odd_token_hint(self) -> str:
        """A hint for a complete value that is followed by something unexpected."""
        token = self.token
        before = self.tokens[self.index - 1] if self.index else None
        if before is None or before.kind not in ("name", "number", ")", "result"):
            return ""
        if before.text in FUNCTIONS and token.kind in ("name", "number", "result", "old"):
            return f"write {before.text}({token.text})" if token.kind != "old" else f"write {FUNCTIONS[before.text].example}"
        if before.text in AGGREGATES and token.kind == "name":
            return f"write {before.text} {token.text} in 0..n: …"
        if token.kind == ";" and self.following.kind != "end":
            return "write & between the two"
        line = self.text[self.text.rfind("\n", 0, token.start) + 1 : token.start]
        if "//" in line:
            return "'//' after a value divides; inside an expression a comment starts with '#'"
        if token.kind == ",":
            point = before.kind == "number" and self.following.kind == "number"
            return f"write {before.text}.{self.following.text} with a point" if point else "write & between the two"
        return habits.AFTER_A_VALUE.get(token.kind, "")

    # expressions

    def expression(self, least: int = 0) -> Expr:
        """Reads an expression whose operators, outside brackets, bind at least as tightly as `least`."""
        self.level += 1
        if self.level > READING_LEVELS_MAX:
            self.fail("too-deep", self.token.span, limit=READING_LEVELS_MAX)
        tokens = self.tokens
        start = tokens[self.index].start
        left = self.operand()
        while True:
            token = tokens[self.index]
            power = _INFIX_POWER.get(token.kind)
            if power is None or power[0] < least:
                break
            if power[0] == COMPARISON_PRECEDENCE:
                left = self.chain(left, start)
                continue
            self.index += 1
            height = self.height
            right = self.expression(power[1])
            self.grow(height, token.span)
            left = Binary(token.kind, left, right, Span(start, self.previous_end))
        self.level -= 1
        return left

    def chain(self, first: Expr, start: int) -> Compare:
        """Reads the comparisons that follow the first operand."""
        operands, ops = [first], []
        height = self.height
        while True:
            token = self.tokens[self.index]
            if token.kind == ":=":
                self.report("assignment-in-expression", token.span, hint="did you mean '='?")
            elif token.kind not in COMPARISONS:
                break
            self.index += 1
            ops.append("=" if token.kind == ":=" else token.kind)
            operands.append(self.expression(COMPARISON_PRECEDENCE + 1))
            height = max(height, self.height)
            self.height = 0
            self.grow(height, token.span)
        return Compare(tuple(operands), tuple(ops), Span(start, self.previous_end))

    def grow(self, height: int, span: Span) -> None:
        """Counts a node whose operands are one of this height and the one that was read last."""
        self.nodes += 1
        self.height = max(height, self.height) + 1
        if self.height > EXPRESSION_LEVELS_MAX:
            self.fail("too-deep", span, hint="split it into several expressions", limit=EXPRESSION_LEVELS_MAX)
        if self.nodes > EXPRESSION_NODES_MAX:
            self.fail("expression-too-large", span, limit=EXPRESSION_NODES_MAX)

    def operand(self) -> Expr:
        token = self.tokens[self.index]
        kind = token.kind
        self.index += 1
        if kind == "name":
            if self.tokens[self.index].kind == "(":
                return self.call(token)
            if token.text in AGGREGATES and self.token.kind == "name" and self.following.text == IN:
                return self.quantified(token)
            self.leaf(token)
            name = Name(token.text, token.span)
            return self.cell(name) if self.tokens[self.index].kind == "[" else name
        if kind == "number":
            self.leaf(token)
            return Number(number(token.text), token.span)
        if kind == "(":
            inner = self.expression()
            self.close(token)
            return inner
        if kind in _PREFIX_POWER:
            operand = self.expression(_PREFIX_POWER[kind])
            self.grow(0, token.span)
            return Unary(kind, operand, Span(token.start, self.previous_end))
        if kind == "true" or kind == "false":
            self.leaf(token)
            return Boolean(kind == "true", token.span)
        if kind == "result":
            self.leaf(token)
            return Name("result", token.span)
        if kind == "old":
            old = self.old(token)
            return self.cell(old) if self.tokens[self.index].kind == "[" else old
        if kind == "forall" or kind == "exists":
            return self.quantified(token)
        self.index -= 1
        self.fail_expected("a value", habits.INSTEAD_OF_A_VALUE.get(kind, ""))

    def whole_expression(self) -> Expr:
        """Reads an expression that is not part of another one: its size is counted from 0."""
        self.nodes = 0
        self.level = 0
        self.quantifiers = 0
        return self.expression()

    def components(self) -> tuple[Expr, ...]:
        """Reads the components of a measure."""
        components = [self.whole_expression()]
        while self.take(","):
            components.append(self.whole_expression())
        return tuple(components)

    def leaf(self, token: Token) -> None:
        self.height = 0
        self.grow(0, token.span)

    def call(self, name: Token) -> Call:
        opener = self.need("(")
        arguments: list[Expr] = []
        height = 0
        if self.token.kind != ")":
            while True:
                arguments.append(self.expression())
                height = max(height, self.height)
                if name.text == "sorted":
                    arguments += self.cells_of(arguments[0])
                    height = max(height, self.height)
                    break
                if not self.take(","):
                    break
        end = self.close(opener).end
        self.height = 0
        self.grow(height, name.span)
        return Call(name.text, tuple(arguments), Span(name.start, end))

    def cells_of(self, array: Expr) -> tuple[Expr, Expr]:
        """Reads what follows the array in `sorted(a, low..high)`: the numbers of cells. Without them, all cells are meant."""
        if self.take(","):
            low = self.expression(COMPARISON_PRECEDENCE + 1)
            height = self.height
            self.need("..", "'..' and the number of the last cell", "write sorted(a, 0..n)")
            high = self.expression(COMPARISON_PRECEDENCE + 1)
            self.height = max(height, self.height)
            return low, high
        span = array.span
        self.nodes += _ALL_CELLS_NODES
        self.height = _ALL_CELLS_HEIGHT
        return Number(0, span), Binary("-", Call("len", (array,), span), Number(1, span), span)

    def cell(self, array: Name | Old) -> Index:
        """Reads what follows the name of an array: [i]."""
        opener = self.need("[")
        index = self.expression()
        end = self.close(opener).end
        self.grow(0, array.span)
        return Index(array, index, Span(array.span.start, end))

    def quantified(self, word: Token) -> Quantified:
        """Reads what follows `forall`, `exists`, `sum` or `count`: k in low..high: body.

        The body of a sum reaches as far as a product does, that of a count as far as a comparison does, and any other as far as
        possible.
        """
        self.quantifiers += 1
        if self.quantifiers > QUANTIFIER_LEVELS_MAX:
            self.fail("quantifiers-too-deep", word.span, limit=QUANTIFIER_LEVELS_MAX)
        hint = f"write {word.text} k in 0..n: …"
        name = self.need("name", f"a name after '{word.text}'", hint)
        if self.token.text != IN:
            self.fail_expected(f"'{IN}' and a range", hint)
        self.index += 1
        low = self.expression(COMPARISON_PRECEDENCE + 1)
        height = self.height
        self.need("..", "'..' and the last number of the range", hint)
        high = self.expression(COMPARISON_PRECEDENCE + 1)
        height = max(height, self.height)
        self.need(":", "':' and what is said of these numbers", hint)
        body = self.expression(BODY_PRECEDENCE[word.text])
        self.grow(height, word.span)
        self.quantifiers -= 1
        return Quantified(word.text, Name(name.text, name.span), low, high, body, Span(word.start, self.previous_end))

    def old(self, word: Token) -> Old:
        opener = self.need("(", "'(' and the name of a parameter")
        name = self.take("name")
        if name is None:
            self.fail("bad-old", self.token.span, hint="old takes one parameter: old(x)")
        if self.token.kind != ")":
            self.fail("bad-old", self.token.span, hint=f"old takes one parameter: old({name.text})")
        end = self.close(opener).end
        self.leaf(word)
        return Old(name.text, Span(word.start, end))


def number(written: str) -> int | Fraction:
    """The value of a literal."""
    if "." not in written:
        return int(written)
    from fractions import Fraction  # It takes a while to import, and decimals are rare.

    value = Fraction(written)
    return value.numerator if value.denominator == 1 else value


def parse_expression(text: str) -> Expr:
    """The text as one expression. Raises SipError where it is none."""
    parser = ExpressionParser(text, tokenize(text, program=False).tokens)
    if parser.token.kind == "end":
        parser.fail("empty", parser.token.span, expected="an expression such as x <= n")
    expr = parser.expression()
    _need_end(parser)
    return expr


def parse_measure(text: str) -> tuple[Expr, ...]:
    """The text as the components of a measure, with or without `decreases` before them. Raises SipError where it is none."""
    parser = ExpressionParser(text, tokenize(text, program=False).tokens)
    if parser.token.text == DECREASES:
        parser.index += 1
    if parser.token.kind == "end":
        parser.fail("empty", parser.token.span, expected="a measure such as n - i")
    components = parser.components()
    _need_end(parser)
    return components


def _need_end(parser: ExpressionParser) -> None:
    """Raises SipError where the text goes on, or where problems were found in it."""
    token = parser.token
    if token.kind in (")", "]", "}"):
        parser.fail("not-closed-here", token.span, closer=token.text)
    if token.kind != "end":
        parser.fail_if_foreign()
        parser.fail("extra-text", token.span, hint=parser.odd_token_hint(), found=describe(token))
    if parser.problems:
        raise SipError(parser.text, parser.problems)
