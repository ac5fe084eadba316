"""The statement half of the parser: functions, blocks, statements."""

from __future__ import annotations

from typing import NoReturn

from idg.sip.errors import SipError
from idg.sip.limits import BLOCK_LEVELS_MAX, IF_BRANCHES_MAX, LOOP_LEVELS_MAX
from idg.sip.syntax import (
    ARRAYS_OF,
    TYPES,
    Assert,
    Assign,
    Assume,
    Block,
    Branch,
    Break,
    Cassign,
    Claim,
    Expr,
    Function,
    If,
    Module,
    Name,
    Param,
    Print,
    Return,
    SetCell,
    Span,
    Stmt,
    Swap,
    Type,
    Var,
    While,
)
from idg.sip.text import habits
from idg.sip.text.expressions import DECREASES, ExpressionParser, describe
from idg.sip.text.tokens import KEYWORDS, Token, tokenize

SWAP = "swap"
"""The word of the statement that exchanges two cells. It may be a name elsewhere."""
WRITTEN_CHARS_MAX = 40
"""Characters of what was written that a hint repeats."""
_STARTS = frozenset({"var", "if", "while", "print", "assume", "assert", "claim", "cassign", "return", "break", "pre", "post"})
"""Words with which a statement or a clause of a contract starts."""


class ProgramParser(ExpressionParser):
    def __init__(self, text: str, tokens: list[Token]) -> None:
        super().__init__(text, tokens)
        self.blocks = 0
        """How many blocks are open."""
        self.loops = 0
        """How many loops are open."""

    def module(self) -> Module:
        if self.token.kind == "end":
            self.fail("empty", self.token.span, expected="a program such as fn main(n: nat) { … }")
        functions = []
        while self.token.kind != "end":
            functions.append(self.function())
        return Module(tuple(functions), Span(0, len(self.text)))

    def function(self) -> Function:
        start = self.token.start
        if not self.take("fn"):
            self._fail_unless_function()
        elif self.token.kind == "name" and self.following.kind == "name":
            self.fail_expected("'(' after the function's name")
        name = self.new_name("the function's name")
        opener = self.need("(", "'(' and the parameters")
        params = self.params()
        self.close(opener)
        result = self.type() if self.take(":") else None
        if result is None and self.token.kind == "->" and self.following.kind in TYPES:
            hint = f"write ': {self.following.text}'"
            self.fail("expected", self.token.span, hint=hint, expected="':' and the type of the result", found="'->'")
        brace = self.need("{", "'{' and the function's body")
        pres, posts, measure = self.contract()
        statements = self.statements()
        end = self.close(brace).end
        body = Block(statements, Span(brace.start, end))
        return Function(name.name, params, result, pres, posts, body, Span(start, end), name.span, measure)

    def _fail_unless_function(self) -> None:
        """Fails where no function can start here. `fn` may be left out, so that a name is a start."""
        token = self.token
        if token.kind in ("}", ")", "]"):
            self.fail("not-closed-here", token.span, closer=token.text)
        self._fail_bare_expression()
        if token.kind in _STARTS or self.following.kind in (":=", "="):
            hint = "statements go inside a function: fn main(n: nat) { … }; or is there a '}' too many above?"
            self.fail("expected", token.span, hint=hint, expected="a function", found=describe(token))
        if self.following.kind == "name" and token.kind in ("name", *TYPES):
            hint = f"write fn {self.following.text}(x: nat): int {{ … }}"
            if token.kind in TYPES:
                self.fail_expected("a function", hint)
            self.fail("foreign-word", token.span, hint=hint, found=token.text)
        if token.kind != "name":
            self.fail_expected("a function such as fn main(n: nat) { … }")

    def _fail_bare_expression(self) -> None:
        """Fails with a message of its own where the whole text is an expression: somebody checks a fact instead of a program."""
        if self.index:
            return
        reader = ExpressionParser(self.text, self.tokens)
        try:
            reader.expression()
        except SipError:
            return
        ended = reader.token.kind == "end" or (reader.token.kind == ";" and self.following.kind != "=")
        if ended and reader.following.kind == "end" and not reader.problems:
            hint = "a program is made of functions: fn main(n: nat) { … }"
            self.fail("expression-not-program", Span(0, self.tokens[-1].end), hint=hint)

    def params(self) -> tuple[Param, ...]:
        params: list[Param] = []
        if self.token.kind == ")":
            return ()
        while True:
            self._fail_type_first()
            names = self.names("a parameter's name")
            self.need(":", "':' and the type of the parameter")
            kind = self.type()
            params += (Param(name.name, kind, name.span) for name in names)
            if not self.take(","):
                return tuple(params)

    def contract(self) -> tuple[tuple[Expr, ...], tuple[Expr, ...], tuple[Expr, ...]]:
        """The pres, the posts and the components of the measure."""
        clauses: dict[str, list[Expr]] = {"pre": [], "post": []}
        measure: tuple[Expr, ...] = ()
        while self.token.kind in clauses or self.at_measure_clause:
            word = self.token
            self.index += 1
            if word.kind in clauses:
                clauses[word.kind].append(self.bracketed())
            elif measure:
                hint = "one decreases lists all components: decreases(a, b);"
                self.fail("expected", word.span, hint=hint, expected="a statement", found=describe(word))
            else:
                opener = self.need("(")
                measure = self.components()
                self.close(opener)
            self.semicolon(f"this {word.text}")
        return tuple(clauses["pre"]), tuple(clauses["post"]), measure

    @property
    def at_measure_clause(self) -> bool:
        """Whether the measure of a function is read next."""
        return self.token.text == DECREASES and self.following.kind == "("

    # small parts

    def new_name(self, expected: str) -> Name:
        token = self.token
        if token.kind in KEYWORDS.values() and token.text.isalpha():
            self.fail("reserved-word", token.span, hint="choose another name", found=token.text)
        self.need("name", expected)
        return Name(token.text, token.span)

    def names(self, expected: str) -> tuple[Name, ...]:
        names = [self.new_name(expected)]
        while self.take(","):
            names.append(self.new_name(expected))
        return tuple(names)

    def target(self) -> Name:
        token = self.take("result")
        return Name("result", token.span) if token else self.new_name("a variable")

    def type(self) -> Type:
        kind, opener = self.start_of_type()
        if opener:
            self.need("]", f"']', as in {kind}", "an array is as long as its input")
        return kind

    def type_and_length(self) -> tuple[Type, Expr | None]:
        """Reads the type of local variables; for arrays that start without a value their length stands in it, as in int[n]."""
        kind, opener = self.start_of_type()
        length = self.whole_expression() if opener and self.token.kind != "]" else None
        if opener:
            self.close(opener)
        return kind, length

    def start_of_type(self) -> tuple[Type, Token | None]:
        """Reads a type; for one of arrays up to its `[`, which it returns, too."""
        token = self.token
        if token.kind in TYPES:
            self.index += 1
            kind = TYPES[token.kind]
            opener = self.take("[")
            return (ARRAYS_OF[kind] if opener else kind), opener
        if token.kind == "name":
            meant = habits.TYPES.get(token.text.lower())
            hint = f"did you mean {meant}?" if meant else ""
            self.report("unknown-type", token.span, hint=hint, found=token.text)
            self.index += 1
            return Type.INT, None
        self.fail_expected("a type: bool, nat, int or rat")

    def _fail_type_first(self) -> None:
        """Fails where the type is written before the name, as in C."""
        token, following = self.token, self.following
        if token.kind in TYPES and following.kind == "name":
            hint = f"the type follows the name: {following.text}: {token.text}"
            self.fail("expected", token.span, hint=hint, expected="a name and then its type", found=describe(token))

    def bracketed(self, hint: str = "") -> Expr:
        opener = self.need("(", hint=hint)
        expr = self.whole_expression()
        self.close(opener)
        return expr

    def semicolon(self, what: str) -> None:
        """Reads the `;` after a statement. Where it is missing and another statement plainly follows, it is only reported."""
        if self.take(";"):
            return
        token = self.token
        starts_statement = token.kind in _STARTS or token.kind in ("}", "end", "fn")
        if token.kind in ("name", "result"):
            starts_statement = self.following.kind in (":=", "=")
        new_line = "\n" in self.text[self.previous_end : token.start]
        if starts_statement or (new_line and token.kind == "name"):
            self.report("missing-semicolon", Span(self.previous_end, self.previous_end), hint="add ';' here", what=what)
            return
        if token.kind in (")", "]"):
            self.fail("not-closed-here", token.span, closer=token.text)
        self.fail_expected(f"';' after {what}", self.odd_token_hint())

    # statements

    def block(self) -> Block:
        brace = self.need("{", "'{' and a block", "the statements of a block stand in { … }")
        self.blocks += 1
        if self.blocks > BLOCK_LEVELS_MAX:
            self.fail("blocks-too-deep", brace.span, limit=BLOCK_LEVELS_MAX)
        statements = self.statements()
        end = self.close(brace).end
        self.blocks -= 1
        return Block(statements, Span(brace.start, end))

    def statements(self) -> tuple[Stmt, ...]:
        statements: list[Stmt] = []
        while self.token.kind not in ("}", "end", "fn"):
            if statements and isinstance(last := statements[-1], Return | Break):
                word = "return" if isinstance(last, Return) else "break"
                self.fail("unreachable", last.span, hint="move it to the end of its block; or is a '}' missing above?", found=word)
            statements.append(self.statement())
        return tuple(statements)

    def statement(self) -> Stmt:
        token = self.token
        start = token.start
        match token.kind:
            case "name":
                return self.assignment()
            case "result":
                return self.assignment()
            case "var":
                return self.declaration()
            case "if":
                return self.conditional()
            case "while":
                return self.loop()
            case "print" | "cassign" | "return" | "break" | "assume" | "assert" | "claim":
                self.index += 1
                statement = self.simple_statement(token.kind, start)
                self.semicolon(f"this {token.kind}")
                return statement
            case "pre" | "post":
                self.fail("clause-too-late", token.span, hint="move it to the top of the function", found=token.kind)
            case ";":
                self.fail("expected", token.span, hint="leave out this ';'", expected="a statement", found="';'")
            case "else":
                hint = "an else follows the '}' of its if"
                self.fail("expected", token.span, hint=hint, expected="a statement", found="'else'")
        if token.kind in TYPES and self.following.kind == "name":
            hint = f"write var {self.following.text}: {token.text};"
            self.fail("declaration-without-var", token.span, hint=hint)
        if token.kind in ("+", "-") and self.following.kind == token.kind:
            self.fail("compound-assignment", Span(token.start, self.following.end), hint="write x := x + 1;", found=token.text * 2)
        self.fail_expected("a statement")

    def simple_statement(self, kind: str, start: int) -> Stmt:
        if kind == "print":
            opener = self.need("(", hint=self._bracket_hint(kind))
            values: list[Expr] = []
            if self.token.kind != ")":
                values.append(self.whole_expression())
                while self.take(","):
                    values.append(self.whole_expression())
            return Print(tuple(values), Span(start, self.close(opener).end))
        if kind == "cassign":
            return self.choice(start)
        if kind == "return":
            if self.token.kind == ";":
                self.fail_expected("the value to return")
            value = self.whole_expression()
            return Return(value, Span(start, self.previous_end))
        if kind == "break":
            span = Span(start, self.previous_end)
            if not self.loops:
                self.fail("break-outside-loop", span, hint="return ends a function; or is there a '}' too many above?")
            return Break(span)
        condition = self.bracketed(self._bracket_hint(kind))
        span = Span(start, self.previous_end)
        if kind == "assume":
            return Assume(condition, span)
        return Assert(condition, span) if kind == "assert" else Claim(condition, span)

    def _bracket_hint(self, kind: str) -> str:
        """For `assert n > 0;`, a hint that shows it with brackets."""
        end = self.text.find(";", self.token.start)
        written = " ".join(self.text[self.token.start : end if end >= 0 else len(self.text)].split())
        plain = 0 < len(written) <= WRITTEN_CHARS_MAX and not set(written) & set("{}#")
        return f"write {kind}({written if plain else '…'});"

    def choice(self, start: int) -> Cassign:
        opener = self.need("(", "'(' and the variables: cassign([x], e)")
        bracket = self.need("[", "'[' and the variables: cassign([x], e)")
        targets = [self.target()]
        while self.take(","):
            targets.append(self.target())
        self.close(bracket)
        self.need(",", "',' and the condition: cassign([x], e)")
        condition = self.whole_expression()
        return Cassign(tuple(targets), condition, Span(start, self.close(opener).end))

    def declaration(self) -> Var:
        start = self.need("var").start
        self._fail_type_first()
        names = self.names("the variable's name")
        if self.token.kind != ":":
            hint = "a declaration names its type: var x: int;"
            if self.token.kind == "[":
                hint = f"the length stands behind the type: var {names[-1].name}: int[n];"
            elif self.token.kind in (":=", "="):
                hint = f"a declaration names its type: write var {names[0].name}: {self._guessed_declaration()};"
            self.fail("expected", self.token.span, hint=hint, expected="':' and a type", found=describe(self.token))
        self.index += 1
        kind, length = self.type_and_length()
        value = None
        if length and self.token.kind in (":=", "="):
            self.fail_expected("';'", f"an array that is given a value has its length: write var {names[0].name}: {kind} := …;")
        if self.token.kind == "=":
            self.report("assignment-with-equals", self.token.span, hint="did you mean ':='?")
            self.index += 1
            value = self.initial_value(kind)
        elif self.take(":="):
            value = self.initial_value(kind)
        end = self.previous_end
        self.semicolon("this declaration")
        return Var(names, kind, value, Span(start, end), length)

    def initial_value(self, kind: Type) -> Expr:
        if kind.element and self.token.kind in ("[", "{"):
            self.fail_expected(
                "the name of an array", "values of arrays cannot be written down; declare it with a length and set cells"
            )
        return self.whole_expression()

    def _guessed_declaration(self) -> str:
        """For `var x := 1;`, what should follow the name and a colon: `int := 1`."""
        value = self.following
        shown = value.text if self.tokens[min(self.index + 2, len(self.tokens) - 1)].kind == ";" else "…"
        return f"{'bool' if value.kind in ('true', 'false') else 'int'} := {shown}"

    def assignment(self) -> Assign | SetCell | Swap:
        token = self.token
        target = Name(token.text, token.span)
        self.index += 1
        if token.text == SWAP and self.token.kind == "(":
            return self.swap(token)
        index = self.target_index() if token.kind == "name" else None
        shown = " ".join(self.text[token.start : self.previous_end].split())
        if self.token.kind == "=":
            self.report("assignment-with-equals", self.token.span, hint="did you mean ':='?")
            self.index += 1
        elif not self.take(":="):
            self._fail_assignment(token, shown)
        if self.token.kind == "if":
            self.fail_expected("a value", f"use an if statement: if (…) {{ {shown} := …; }} else {{ {shown} := …; }}")
        value = self.whole_expression()
        span = Span(token.start, self.previous_end)
        self.semicolon("this assignment")
        return Assign(target, value, span) if index is None else SetCell(target, index, value, span)

    def target_index(self) -> Expr | None:
        """Reads the index of a cell that is assigned; None where a whole variable is."""
        opener = self.take("[")
        if opener is None:
            return None
        index = self.whole_expression()
        self.close(opener)
        return index

    def swap(self, word: Token) -> Swap:
        """Reads what follows `swap`."""
        hint = "write swap(a, i, j), with an array and the numbers of two cells"
        opener = self.need("(")
        array = self.need("name", "the name of an array", hint)
        self.need(",", "',' and the number of a cell", hint)
        left = self.whole_expression()
        self.need(",", "',' and the number of a cell", hint)
        right = self.whole_expression()
        span = Span(word.start, self.close(opener).end)
        self.semicolon("this swap")
        return Swap(Name(array.text, array.span), left, right, span)

    def _fail_assignment(self, name: Token, shown_target: str) -> NoReturn:
        """Fails with what is probably meant, where a statement starts with a name and is no assignment."""
        token, following = self.token, self.following
        sign = token.text + following.text
        if following.start == token.end and (following.kind == "=" or sign in ("++", "--")):
            shown = sign[0] if sign in ("++", "--") else token.text
            amount = "1" if sign in ("++", "--") else "…"
            hint = f"write {shown_target} := {shown_target} {shown} {amount};"
            self.fail("compound-assignment", Span(token.start, following.end), hint=hint, found=sign)
        if name.text in habits.STATEMENTS or name.text in habits.WORDS:
            self._fail_foreign_start(name)
        if token.kind == "(" and name.text == DECREASES:
            self.fail("clause-too-late", name.span, hint="move it to the top of the function", found=name.text)
        if token.kind == "(":
            near = _near(name.text, _STARTS)
            hint = f"did you mean '{near}'?" if near else "assign its value to a variable: x := f(…);"
            self.fail("call-as-statement", name.span, hint=hint)
        if token.kind == ":" and following.kind in TYPES:
            hint = f"write var {name.text}: {following.text};"
            self.fail("declaration-without-var", name.span, hint=hint)
        near = _near(name.text, _STARTS)
        hint = f"did you mean '{near}'?" if near and token.kind != "end" else ""
        if token.kind == ",":
            hint = "assign one variable at a time"
        if token.kind == "[":
            hint = "an array has numbers or Booleans as cells, no arrays"
        self.fail("expected", token.span, hint=hint, expected=f"':=' after '{shown_target}'", found=describe(token))

    def _fail_foreign_start(self, token: Token) -> NoReturn:
        hint = habits.STATEMENTS.get(token.text) or habits.WORDS.get(token.text, "")
        self.fail("foreign-word", token.span, hint=hint, found=token.text)

    def conditional(self) -> If:
        start = self.need("if").start
        branches = [self.branch(start)]
        otherwise = Block((), Span(self.previous_end, self.previous_end))
        while word := self.take("else"):
            if self.take("if"):
                if len(branches) == IF_BRANCHES_MAX:
                    self.fail("too-many-branches", word.span, limit=IF_BRANCHES_MAX)
                branches.append(self.branch(word.start))
                continue
            otherwise = self.block()
            break
        return If(tuple(branches), otherwise, Span(start, self.previous_end))

    def branch(self, start: int) -> Branch:
        test = self.bracketed("the test stands in brackets: if (x > 0) { … }")
        if self.token.text == "then":
            self._fail_foreign_start(self.token)
        return Branch(test, self.block(), Span(start, self.previous_end))

    def loop(self) -> While:
        word = self.need("while")
        self.loops += 1
        if self.loops > LOOP_LEVELS_MAX:
            self.fail("loops-too-deep", word.span, limit=LOOP_LEVELS_MAX)
        invariant = None
        if bracket := self.take("["):
            invariant = self.whole_expression()
            self.close(bracket)
        test = self.bracketed("the test stands in brackets: while (x > 0) { … }")
        if self.token.text in ("do", "invariant", "variant"):
            self._fail_foreign_start(self.token)
        measure: tuple[Expr, ...] = ()
        if self.token.text == DECREASES:
            self.index += 1
            measure = self.components()
        body = self.block()
        self.loops -= 1
        return While(invariant, test, body, Span(word.start, self.previous_end), measure)


def _near(word: str, words: frozenset[str]) -> str:
    """The word that is most like this one, or nothing."""
    import difflib  # It takes a while to import, and only hints need it.

    return next(iter(difflib.get_close_matches(word, sorted(words), 1, 0.7)), "")


def parse_program(text: str) -> Module:
    """The text as a program. Raises SipError where it is none."""
    parser = ProgramParser(text, tokenize(text, program=True).tokens)
    module = parser.module()
    if parser.problems:
        raise SipError(text, parser.problems)
    return module
