"""Habits from other languages and from the blackboard, with what to write instead. The hints are taken from these tables.

A row here needs a row in spec/wrong-inputs.json.
"""

from __future__ import annotations

_NO_STRINGS = "there are no strings; print takes values only"
_EQUIVALENCE = "write = between the two Booleans"
_LETTERS = "names are made of letters, digits and _"
_BLOCKS = "blocks go in { … }"
_FUNCTION = "write fn name(x: nat): int { … }"
_LOOP = "use while (…) { … }"
_DECLARE = "declare with var x: int; and assign with x := …;"

CHARACTERS = {
    '"': _NO_STRINGS, "'": _NO_STRINGS, "“": _NO_STRINGS, "”": _NO_STRINGS,
    "?": "there is no '? :'; use if (…) { … } else { … }",
    "²": "write ^2",
    "³": "write ^3",
    "√": "there are no roots; square both sides",
    "½": "write 1 / 2",
    "~": "write ! for not",
    "@": _LETTERS, "$": _LETTERS,
    ".": "a point stands only inside a number, between digits: 0.5",
    "`": "write the expression only, without quotes",
    "∣": "write y % x = 0 for 'x divides y'",
    "∀": "write forall k in 0..n: …", "∃": "write exists k in 0..n: …",
    "\\": "write <= >= != * & | ! -> as plain signs, and // for the quotient rounded down",
    "–": "write the minus sign -",
    "⇒": "write ->", "⟹": "write ->",
    "⇔": _EQUIVALENCE, "⟺": _EQUIVALENCE, "↔": _EQUIVALENCE,
    "∈": "write comparisons: 0 <= x & x < n",
    "∑": "write sum k in 0..n: a[k] for cells; otherwise say what the sum is, such as 2 * sum = i * (i + 1)",
    "⌊": "write x // y for the quotient rounded down",
    "∞": "there is no infinity; numbers are unbounded",
}  # fmt: skip
"""Characters that are not part of the language, with their hints."""

SPLIT_OPERATORS = {("<", "="): "<=", (">", "="): ">=", ("!", "="): "!=", (":", "="): ":=", ("-", ">"): "->"}
"""Signs of one operator that were written with a gap between them, with the operator that is meant."""

OPERATORS = {
    "=<": "write <=",
    "<>": "write != for different",
    "===": "write =",
    "!==": "write !=",
    "++": "write x := x + 1;",
    "<<": "multiply by a power of two: x * 2^k",
    ">>": "divide by a power of two: x // 2^k",
    "<->": _EQUIVALENCE, "<=>": _EQUIVALENCE, "<==>": _EQUIVALENCE,
    "==>": "write ->",
    "&&&": "write &",
    "/*": "a comment starts with # and ends with the line",
    "|=": "write y % x = 0 for 'x divides y'",
}  # fmt: skip
"""Signs that are written together elsewhere and are no operator here."""

WORDS = {
    "True": "write true", "TRUE": "write true",
    "False": "write false", "FALSE": "write false",
    "AND": "write &", "OR": "write |", "NOT": "write !",
    "mod": "write % for the remainder",
    "div": "write // for the quotient rounded down",
    "xor": "write != between the two Booleans",
    "implies": "write ->",
    "iff": _EQUIVALENCE,
    "sqrt": "there are no roots; square both sides",
}  # fmt: skip
"""Words that are used inside an expression elsewhere."""

STATEMENTS = {
    "for": "use while: i := 0; while (i < n) { … i := i + 1; }",
    "do": _LOOP, "repeat": _LOOP, "loop": _LOOP,
    "until": "use while (!(…)) { … }",
    "let": _DECLARE, "const": _DECLARE,
    "elif": "write else if (…) { … }", "elsif": "write else if (…) { … }", "elseif": "write else if (…) { … }",
    "then": "the block goes in { … }",
    "begin": _BLOCKS, "end": _BLOCKS, "endif": _BLOCKS,
    "switch": "use if (…) { … } else if (…) { … }",
    "continue": "put the rest of the body into an if",
    "skip": "leave the block empty: { }", "pass": "leave the block empty: { }",
    "function": _FUNCTION, "def": _FUNCTION, "void": _FUNCTION, "method": _FUNCTION, "public": _FUNCTION, "static": _FUNCTION,
    "invariant": "write the invariant in brackets before the test: while [e] (t) { … }",
    "variant": "write the measure after the test: while (t) decreases e { … }",
    "requires": "write pre(…);",
    "ensures": "write post(…);",
    "printf": "write print(x, y);",
    "havoc": "write cassign([x], true);",
}  # fmt: skip
"""Words that start a statement or a function elsewhere."""

FUNCTIONS = {
    "sqrt": "there are no roots; square both sides",
    "pow": "write x^k",
    "mod": "write x % y",
    "div": "write x // y",
    "floor": "write x // y for the quotient rounded down",
    "even": "write x % 2 = 0",
    "odd": "write x % 2 = 1",
}
"""Functions that other languages have."""

ARRAY_FUNCTIONS = {"sum": "write sum k in 0..len(a) - 1: a[k]", "count": "write count k in 0..len(a) - 1: a[k] = x"}
"""Functions of arrays that other languages have. Only where there are arrays are they meant."""

TYPES = {
    "boolean": "bool", "integer": "int", "natural": "nat", "real": "rat", "float": "rat", "double": "rat", "rational": "rat",
    "number": "int", "unsigned": "nat", "long": "int",
}  # fmt: skip
"""Names of types elsewhere, with the types here."""

AFTER_A_VALUE = {
    "(": "write * to multiply",
    "[": "only the cells of a variable are read like that: a[i]",
    "!": "'!' means not and stands before a Boolean; there is no factorial",
    ":": "write the expression alone",
    ";": "leave out the ';'",
    "name": "an operator is missing between the two",
    "number": "an operator is missing between the two",
}
"""Kinds of tokens that cannot follow a complete value in an expression."""

INSTEAD_OF_A_VALUE = {
    "|": "write abs(x) for the absolute value",
    "assert": "write the expression alone, without assert", "assume": "write the expression alone, without assume",
    "claim": "write the expression alone, without claim", "while": "write the expression alone",
    "if": "write p -> q for 'if p then q'",
    "[": "write round brackets: (x + 1) * 2",
    "return": "write the expression alone", "{": "write the expression alone, without braces",
}  # fmt: skip
"""Kinds of tokens with which no value starts."""
