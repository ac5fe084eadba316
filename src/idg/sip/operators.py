"""The operators, built-in functions and words of SIP as data.

The parser and the printer follow these tables, and `make spec` writes spec/operators.json from them.
"""

from __future__ import annotations

from idg.sip.record import Record


class Operator(Record):
    token: str
    """The canonical spelling."""
    alternatives: tuple[str, ...]
    """Other spellings that are read as well."""
    fixity: str
    """'infix', 'prefix' or 'chain' (a comparison)."""
    precedence: int
    """Higher binds tighter."""
    associativity: str
    """'left', 'right' or 'chain'; '' for a prefix operator."""
    types: tuple[str, ...]
    explanation: str
    example: str


class Builtin(Record):
    name: str
    arguments_min: int
    arguments_max: int | None
    """None where there may be any number of arguments."""
    types: tuple[str, ...]
    explanation: str
    example: str


class Word(Record):
    """A word or sign of programs rather than of expressions."""

    token: str
    explanation: str
    example: str


_BOOLEANS = ("bool, bool -> bool",)
_NUMBERS = ("rat, rat -> bool",)
_CLOSED = ("nat, nat -> nat", "int, int -> int", "rat, rat -> rat")

OPERATORS = (
    Operator(
        "->", ("=>", "→"), "infix", 10, "right", _BOOLEANS, "If the left side is true, so is the right side.", "x > 0 -> x >= 1"
    ),
    Operator("|", ("||", "or", "∨"), "infix", 20, "left", _BOOLEANS, "At least one side is true.", "x = 0 | y = 0"),
    Operator("&", ("&&", "and", "∧"), "infix", 30, "left", _BOOLEANS, "Both sides are true.", "0 <= i & i <= n"),
    Operator("!", ("not", "¬"), "prefix", 40, "", ("bool -> bool",), "What follows is false.", "!(x = y)"),
    Operator(
        "=", ("==",), "chain", 50, "chain", ("rat, rat -> bool", "bool, bool -> bool"), "Both sides are equal.", "sum = i * 2"
    ),
    Operator("!=", ("≠",), "chain", 50, "chain", ("rat, rat -> bool", "bool, bool -> bool"), "The sides are different.", "y != 0"),
    Operator("<", (), "chain", 50, "chain", _NUMBERS, "The left side is smaller.", "i < n"),
    Operator(
        "<=",
        ("≤",),
        "chain",
        50,
        "chain",
        _NUMBERS,
        "The left side is smaller or equal; comparisons can be chained.",
        "0 <= i <= n",
    ),
    Operator(">", (), "chain", 50, "chain", _NUMBERS, "The left side is greater.", "n > 0"),
    Operator(">=", ("≥",), "chain", 50, "chain", _NUMBERS, "The left side is greater or equal.", "cnt >= 0"),
    Operator("+", (), "infix", 60, "left", _CLOSED, "The sum.", "x + 1"),
    Operator("-", ("−",), "infix", 60, "left", ("int, int -> int", "rat, rat -> rat"), "The difference.", "n - i"),
    Operator("*", ("·", "×"), "infix", 70, "left", _CLOSED, "The product.", "2 * x"),
    Operator("/", ("÷",), "infix", 70, "left", ("rat, rat -> rat",), "The exact quotient: 7 / 2 is three and a half.", "x / 2"),
    Operator(
        "//",
        (),
        "infix",
        70,
        "left",
        ("nat, nat -> nat", "int, int -> int"),
        "The quotient rounded down: 7 // 2 is 3 and -7 // 2 is -4.",
        "n // 2",
    ),
    Operator(
        "%",
        (),
        "infix",
        70,
        "left",
        ("int, nat -> nat", "int, int -> int"),
        "The remainder of //: 7 % 2 is 1; it has the divisor's sign.",
        "n % 2 = 0",
    ),
    Operator("-", ("−",), "prefix", 80, "", ("int -> int", "rat -> rat"), "The negative; -x^2 is -(x^2).", "-x"),
    Operator(
        "^",
        ("**",),
        "infix",
        90,
        "right",
        ("nat, int -> nat", "int, int -> int", "rat, int -> rat"),
        "The power: x^3 is x * x * x; the exponent must not be negative.",
        "(cnt + 1)^2",
    ),
)
"""All operators. The number is the precedence: an operator with a larger one binds its operands more tightly."""

# All functions that the language itself has. The numbers say how many arguments are needed at least and allowed at most.
BUILTINS = (
    Builtin("abs", 1, 1, ("int -> nat", "rat -> rat"), "The absolute value: abs(-3) is 3.", "abs(x - y)"),
    Builtin("min", 2, None, ("nat… -> nat", "int… -> int", "rat… -> rat"), "The least of its arguments.", "min(x, y)"),
    Builtin("max", 2, None, ("nat… -> nat", "int… -> int", "rat… -> rat"), "The greatest of its arguments.", "max(x, y)"),
    Builtin("gcd", 2, 2, ("int, int -> nat",), "The greatest common divisor: gcd(12, 18) is 6.", "gcd(a, b)"),
    Builtin(
        "ispow", 2, 2, ("int, int -> bool",), "Whether the first is a power of the second: ispow(8, 2) is true.", "ispow(q, 2)"
    ),
)

ARRAY_BUILTINS = (Builtin("len", 1, 1, ("array -> nat",), "The number of cells of an array.", "len(a)"),)
"""Functions of arrays. The client loads what it knows of arrays when it is needed, so that they have a table of their own."""

ORDER_BUILTINS = (
    Builtin(
        "sorted", 3, 3, ("array, int, int -> bool",), "Whether no cell of a range is greater than the next one.", "sorted(a, 0..i)"
    ),
    Builtin(
        "permutation",
        2,
        2,
        ("array, array -> bool",),
        "Whether two arrays have the same values, each as often, in any order.",
        "permutation(a, old(a))",
    ),
)
"""Functions of the order of cells."""

WORDS = (
    Word("fn", "Starts a function; the last function of a program is the level.", "fn main(n: nat): int { … }"),
    Word("pre", "What may be assumed of the inputs.", "pre(n >= 1);"),
    Word("post", "What is guaranteed at the end.", "post(result * result <= n);"),
    Word("var", "Declares variables with their type.", "var x, y: int;"),
    Word(":=", "Assigns the value on the right to the variable on the left.", "x := x + 1;"),
    Word("if", "Runs its block only when the test is true; else if and else may follow.", "if (x < 0) { x := -x; }"),
    Word("else", "Starts what is run when the test of the if was false.", "if (x < y) { m := x; } else { m := y; }"),
    Word(
        "while",
        "Repeats its block as long as the test is true; [e] before the test states a given invariant.",
        "while (i < n) { i := i + 1; }",
    ),
    Word("print", "Prints values when the program is run.", "print(i, x);"),
    Word("assume", "Runs in which it is false do not count.", "assume(n % 2 = 0);"),
    Word("assert", "Must be true whenever the program comes here.", "assert(res = n * m);"),
    Word("claim", "Must be true here; proofs check it and may then use it, runs pass over it.", "claim(x >= 0);"),
    Word("cassign", "Gives the variables any values that make the condition true.", "cassign([d], 1 <= d & d <= n);"),
    Word("return", "Ends the function with its result, wherever it stands.", "return cnt;"),
    Word("break", "Leaves the innermost loop around it.", "if (x = y) { break; }"),
    Word("result", "The value that the function returns.", "post(result >= n);"),
    Word("old", "The value a parameter had at the start.", "post(result = old(n) + 1);"),
    Word("true", "The Boolean that holds.", "done := true;"),
    Word("false", "The Boolean that does not hold.", "done := false;"),
    Word("bool", "The type of true and false.", "var done: bool;"),
    Word("nat", "The type of the numbers 0, 1, 2, …", "var i: nat;"),
    Word("int", "The type of the whole numbers …, -1, 0, 1, …", "var x: int;"),
    Word("rat", "The type of the fractions, exact.", "var half: rat := 0.5;"),
)

ARRAY_WORDS = (
    Word("forall", "What follows holds for every whole number of a range.", "forall k in 0..len(a) - 1: a[k] >= 0"),
    Word("exists", "What follows holds for some whole number of a range.", "exists k in 0..i - 1: a[k] = x"),
)
"""Words of facts about arrays, which the client loads likewise."""

SOFT_ARRAY_WORDS = (
    Word("sum", "The sum of the values that follow, over every whole number of a range.", "s = sum k in 0..i - 1: a[k]"),
    Word("count", "For how many whole numbers of a range it holds.", "c = count k in 0..i - 1: a[k] = x"),
    Word("swap", "Exchanges the values of two cells of an array.", "swap(a, i, j);"),
    Word("in", "Stands before the range of a forall, an exists, a sum or a count.", "forall k in 0..i: a[k] = 0"),
)
"""Words with a meaning of their own only where no name can stand. Elsewhere they are names, as in many programs."""

INFIX: dict[str, Operator] = {operator.token: operator for operator in OPERATORS if operator.fixity == "infix"}
PREFIX: dict[str, Operator] = {operator.token: operator for operator in OPERATORS if operator.fixity == "prefix"}
COMPARISONS: frozenset[str] = frozenset(operator.token for operator in OPERATORS if operator.fixity == "chain")
COMPARISON_PRECEDENCE = 50
"""The precedence of every comparison in the table."""
OPEN_PRECEDENCE = -1
"""The precedence of what has no end of its own: lower than that of any operator."""
BODY_PRECEDENCE = {
    "forall": OPEN_PRECEDENCE, "exists": OPEN_PRECEDENCE, "sum": INFIX["*"].precedence, "count": PREFIX["!"].precedence
}  # fmt: skip
"""The least precedence of operators in what follows these words: `sum k in 0..n: a[k] = s` compares the sum with s."""
AGGREGATES = frozenset({"sum", "count"})
"""Words that compute a number from a range of numbers."""
FUNCTIONS: dict[str, Builtin] = {builtin.name: builtin for builtin in (*BUILTINS, *ARRAY_BUILTINS, *ORDER_BUILTINS)}
ARRAY_FUNCTIONS = frozenset(builtin.name for builtin in (*ARRAY_BUILTINS, *ORDER_BUILTINS))
CANONICAL: dict[str, str] = {other: operator.token for operator in OPERATORS for other in operator.alternatives}
"""Alternative spelling → canonical token."""
RESERVED: frozenset[str] = (
    frozenset(word.token for word in (*WORDS, *ARRAY_WORDS))
    | frozenset(FUNCTIONS)
    | frozenset(word for word in CANONICAL if word.isalpha())
)
