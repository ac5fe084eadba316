"""Conditions of ACSL as trees of C, with a few operators that C does not have: quantifiers, and that a cell exists."""

from __future__ import annotations

from typing import Any

from idg.importer.c.text.source import Annotation, c_ast
from idg.importer.c.text.trees import ids
from idg.importer.results import ImportRefused
from idg.sip.record import Record

RESULT, OLD = "\\result", "\\old"
FORALL, EXISTS = QUANTIFIERS = ("\\forall", "\\exists")
"""Prefix operators in the tree, of a list: the variable, the first and the last number, and what is said of each."""
EXISTING = "\\valid"
"""A prefix operator in the tree, of a cell: that the array has cells up to this one."""
OF_CELLS = (*QUANTIFIERS, EXISTING)
_VALID = ("\\valid", "\\valid_read")
_COMPARISONS = ("<", "<=", ">", ">=", "==", "!=")
_LEVELS = (("<==>",), ("==>",), ("||",), ("&&",), _COMPARISONS, ("+", "-"), ("*", "/", "%"))
"""Operators, those that bind most loosely first."""
_TYPES = frozenset({"int", "long", "short", "char", "signed", "unsigned", "_Bool", "integer", "real", "double", "float", "void"})
_WHOLE = _TYPES - {"_Bool", "real", "double", "float", "void"}
"""Types of whole numbers, as the variables of quantifiers have them."""
DEPTH_MAX = 100
"""Brackets and prefix operators within each other."""


class AnnotationPlace(Record):
    """The place of an annotation, in the form that nodes of the parser have."""

    line: int
    column: int


def refused_in(annotation: Annotation, reason: str, hint: str = "") -> ImportRefused:
    return ImportRefused(annotation.line, 1, reason, hint)


class _Bound(Record):
    """One end of a range, and whether it is left out of it."""

    end: Any
    strict: bool


class AcslReader:
    """Reads a condition of ACSL as a tree of C."""

    def __init__(self, annotation: Annotation, words: tuple[str, ...]) -> None:
        self.annotation = annotation
        self.place = AnnotationPlace(annotation.line, 1)
        named = len(words) > 2 and words[1] == ":" and words[0].isidentifier()
        self.words = words[2:] if named else words
        self.index = 0
        self.depth = 0
        self.bound: dict[str, str] = {}
        """The variables of quantifiers → their names in the tree, which no variable of C has."""
        self.binders = 0

    def whole(self) -> Any:
        node = self.level(0)
        if self.index != len(self.words):
            raise self.refused()
        return node

    def refused(self) -> ImportRefused:
        near = self.words[self.index] if self.index < len(self.words) else "the end"
        return refused_in(self.annotation, f"this ACSL annotation is not read (near '{near}')")

    def peek(self) -> str:
        return self.words[self.index] if self.index < len(self.words) else ""

    def level(self, level: int) -> Any:
        if level == len(_LEVELS):
            return self.prefixed()
        if _LEVELS[level] is _COMPARISONS:
            return self.chain(level)
        left = self.level(level + 1)
        while self.peek() in _LEVELS[level]:
            op = self.peek()
            self.index += 1
            if op == "==>":
                return self.implied(left, self.level(level))
            right = self.level(level + 1)
            if op == "<==>":
                left = self._or(self._and(left, right), self._and(self._not(left), self._not(right)))
            else:
                left = c_ast.BinaryOp(op, left, right, self.place)
        return left

    def chain(self, level: int) -> Any:
        operands = [self.level(level + 1)]
        ops: list[str] = []
        while self.peek() in _COMPARISONS:
            ops.append(self.peek())
            self.index += 1
            operands.append(self.level(level + 1))
        if not ops:
            return operands[0]
        if len(ops) > 1 and not (set(ops) <= {"<", "<=", "=="} or set(ops) <= {">", ">=", "=="}):
            raise self.refused()
        node = c_ast.BinaryOp(ops[0], operands[0], operands[1], self.place)
        for index, op in enumerate(ops[1:], 1):
            node = self._and(node, c_ast.BinaryOp(op, operands[index], operands[index + 1], self.place))
        return node

    def prefixed(self) -> Any:
        self.depth += 1
        if self.depth > DEPTH_MAX or self.index >= len(self.words):
            raise self.refused()
        try:
            word = self.peek()
            self.index += 1
            if word in ("!", "-", "+"):
                return c_ast.UnaryOp(word, self.prefixed(), self.place)
            if word in QUANTIFIERS:
                return self.quantified(word)
            if word in _VALID:
                return self.valid()
            if word == "(":
                node = self.level(0)
                self._expect(")")
            else:
                node = self._operand(word)
            while self.peek() == "[":
                self.index += 1
                node = c_ast.ArrayRef(node, self.level(0), self.place)
                self._expect("]")
            return node
        finally:
            self.depth -= 1

    def _operand(self, word: str) -> Any:
        if word[0].isdigit():
            return c_ast.Constant("int", word, self.place)
        if word in ("\\true", "\\false"):
            return c_ast.ID(word[1:], self.place)
        if word == RESULT:
            return c_ast.ID(RESULT, self.place)
        if word == OLD:
            self._expect("(")
            name = self.peek()
            self.index += 1
            self._expect(")")
            return c_ast.UnaryOp(OLD, self._operand(name), self.place)
        if word.isidentifier() and word not in _TYPES and self.peek() != "(":
            return c_ast.ID(self.bound.get(word, word), self.place)
        self.index -= 1
        raise self.refused()

    # Quantifiers

    def quantified(self, word: str) -> Any:
        """`\\forall integer i, j; 0 <= i < j < n ==> …`: each variable must have a first and a last number."""
        while self.peek() in _WHOLE:
            self.index += 1
        names = [self._binder()]
        while self.peek() == ",":
            self.index += 1
            names.append(self._binder())
        self._expect(";")
        outer = self.bound
        told = {name: f"\\{name}{self.binders + place}" for place, name in enumerate(names)}
        self.binders += len(names)
        self.bound = outer | told
        body = self.level(0)
        self.bound = outer
        conditions, said = _split_implications(body) if word == FORALL else (_conjuncts(body), None)
        return self.ranged(word, list(told.values()), conditions, said)

    def _binder(self) -> str:
        name = self.peek()
        if not name.isidentifier() or name in _TYPES:
            raise self.refused()
        self.index += 1
        return name

    def ranged(self, word: str, names: list[str], conditions: list[Any], said: Any) -> Any:
        """The quantifier of the first name, over its range, of the quantifiers of the others."""
        if not names:
            rest = conditions[0] if conditions else c_ast.ID("true", self.place)
            for condition in conditions[1:]:
                rest = self._and(rest, condition)
            return rest if said is None else self.implied(rest, said) if conditions else said
        name, inner = names[0], frozenset(names[1:])
        ends = []
        for above in (False, True):
            bound, used = self._bound_of(name, above, inner, conditions)
            if bound is None:
                shown = name.lstrip("\\").rstrip("0123456789")
                told = f"the quantifier of {shown} is not read: it must say between which numbers {shown} lies"
                raise refused_in(self.annotation, told, f"{word} integer k; 0 <= k < n {'==>' if word == FORALL else '&&'} …")
            one = c_ast.Constant("int", "1", self.place)
            ends.append(c_ast.BinaryOp("-" if above else "+", bound.end, one, self.place) if bound.strict else bound.end)
            conditions = [condition for condition in conditions if condition is not used]
        parts = [c_ast.ID(name, self.place), *ends, self.ranged(word, names[1:], conditions, said)]
        return c_ast.UnaryOp(word, c_ast.ExprList(parts, self.place), self.place)

    def _bound_of(
        self, name: str, above: bool, inner: frozenset[str], conditions: list[Any], passed: frozenset[str] = frozenset()
    ) -> tuple[_Bound | None, Any]:
        """What bounds the name, and the condition that says so. A bound by another variable of the quantifier leads to its bound,
        and that condition is still needed."""
        told = [(condition, *bound) for condition in conditions if (bound := _bounds(condition, name, above)) is not None]
        for condition, end, strict in told:
            if not {part.name for part in ids(end)} & (inner | {name}):
                return _Bound(end, strict), condition
        for _, end, strict in told:
            if isinstance(end, c_ast.ID) and end.name in inner - passed:
                further, _ = self._bound_of(end.name, above, inner, conditions, passed | {end.name, name})
                if further is not None:
                    return _Bound(further.end, strict or further.strict), None
        return None, None

    def valid(self) -> Any:
        """`\\valid(a + (0 .. n - 1))`: the array has the cell n - 1, if that is not below 0."""
        self._expect("(")
        array = c_ast.ID(self.peek(), self.place)
        if not array.name.isidentifier():
            raise self.refused()
        self.index += 1
        last: Any = c_ast.Constant("int", "0", self.place)
        if self.peek() == "+":
            self.index += 1
            self._expect("(")
            self._expect("0")
            self._expect("..")
            last = self.level(0)
            self._expect(")")
        self._expect(")")
        return c_ast.UnaryOp(EXISTING, c_ast.ArrayRef(array, last, self.place), self.place)

    def implied(self, condition: Any, said: Any) -> Any:
        return self._or(self._not(condition), said)

    def _expect(self, word: str) -> None:
        if self.peek() != word:
            raise self.refused()
        self.index += 1

    def _not(self, node: Any) -> Any:
        return c_ast.UnaryOp("!", node, self.place)

    def _and(self, left: Any, right: Any) -> Any:
        return c_ast.BinaryOp("&&", left, right, self.place)

    def _or(self, left: Any, right: Any) -> Any:
        return c_ast.BinaryOp("||", left, right, self.place)


def _conjuncts(node: Any) -> list[Any]:
    if isinstance(node, c_ast.BinaryOp) and node.op == "&&":
        return [*_conjuncts(node.left), *_conjuncts(node.right)]
    return [node]


def _split_implications(node: Any) -> tuple[list[Any], Any]:
    """The conditions of `A ==> B ==> C`, and C; an implication stands in the tree as `!A || B`."""
    conditions: list[Any] = []
    while isinstance(node, c_ast.BinaryOp) and node.op == "||" and isinstance(node.left, c_ast.UnaryOp) and node.left.op == "!":
        conditions += _conjuncts(node.left.expr)
        node = node.right
    return conditions, node


def _bounds(condition: Any, name: str, above: bool) -> tuple[Any, bool] | None:
    """What the condition says to be above the name, or below it, and whether it cannot be equal."""
    if not isinstance(condition, c_ast.BinaryOp) or condition.op not in ("<", "<=", ">", ">="):
        return None
    small, large = (condition.left, condition.right) if condition.op[0] == "<" else (condition.right, condition.left)
    own, other = (small, large) if above else (large, small)
    return (other, len(condition.op) == 1) if isinstance(own, c_ast.ID) and own.name == name else None
