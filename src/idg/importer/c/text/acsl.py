"""Annotations of ACSL, the specification language of Frama-C: `//@ assert e;`, `requires`, `ensures`, `loop invariant`
and `loop variant`.

An annotation is read whole or the file is refused. Clauses that claim something else, such as `loop assigns`, are noted. Numbers in
annotations are those of mathematics, which never wrap round, and `0 <= i <= n` is a chain.
"""

from __future__ import annotations

from typing import Any

from idg.importer.c.text.source import ANNOTATION, CONTRACT, Annotation, c_ast
from idg.importer.results import ImportRefused, Note
from idg.sip.record import Record

ASSERTED, ASSUMED, INVARIANT, REQUIRED, ENSURED, VARIANT = (
    f"{ANNOTATION} {word}" for word in ("assert", "assume", "loop", "requires", "ensures", "variant")
)
"""The names of the calls that stand in the tree for clauses; no name of C has a blank."""
RESULT, OLD = "\\result", "\\old"
_READ = {
    ("assert",): ASSERTED, ("check",): ASSERTED, ("assume",): ASSUMED, ("admit",): ASSUMED, ("loop", "invariant"): INVARIANT,
    ("requires",): REQUIRED, ("ensures",): ENSURED, ("loop", "variant"): VARIANT,
}  # fmt: skip
_NOTED = (("loop", "assigns"), ("assigns",), ("decreases",), ("terminates",))
"""Clauses that are not read, because they say nothing about the values of variables at a place."""
_COMPARISONS = ("<", "<=", ">", ">=", "==", "!=")
_LEVELS = (("<==>",), ("==>",), ("||",), ("&&",), _COMPARISONS, ("+", "-"), ("*", "/", "%"))
"""Operators, those that bind most loosely first."""
_TYPES = frozenset({"int", "long", "short", "char", "signed", "unsigned", "_Bool", "integer", "real", "double", "float", "void"})
_LOOPS = (c_ast.While, c_ast.For, c_ast.DoWhile)
DEPTH_MAX = 100
"""Brackets and prefix operators within each other."""


class AnnotationPlace(Record):
    """The place of an annotation, in the form that nodes of the parser have."""

    line: int
    column: int


class Clause(Record):
    call: str
    """One of the names above."""
    node: Any
    """A call of that name with the condition."""


def attach(tree: Any, annotations: tuple[Annotation, ...]) -> list[Note]:
    """Puts the clauses of all annotations as calls into the tree, where they belong. The notes tell what is not read."""
    if not annotations:
        return []
    attacher = _Attacher(annotations)
    attacher.contracts(tree)
    attacher.walk(tree)
    missing = set(range(len(annotations))) - attacher.done
    if missing:
        raise _refused(annotations[min(missing)], "an annotation is not read here", "put it between statements")
    return attacher.notes


class _Attacher:
    def __init__(self, annotations: tuple[Annotation, ...]) -> None:
        self.annotations = annotations
        self.done: set[int] = set()
        self.notes: list[Note] = []

    def contracts(self, tree: Any) -> None:
        """Moves the contract before a function to the start of its body."""
        kept: list[Any] = []
        waiting: list[int] = []
        for node in tree.ext:
            name = getattr(node, "name", None) or ""
            if isinstance(node, c_ast.Decl) and name.startswith(CONTRACT):
                waiting.append(int(name.removeprefix(CONTRACT)))
                continue
            if waiting and isinstance(node, c_ast.FuncDef):
                clauses = [clause for number in waiting for clause in self._clauses(number, (REQUIRED, ENSURED))]
                node.body.block_items = [*(clause.node for clause in clauses), *(node.body.block_items or [])]
                waiting = []
            elif waiting:
                break
            kept.append(node)
        if waiting:
            text = "an annotation outside functions is read only directly before the body of a function"
            raise _refused(self.annotations[waiting[0]], text)
        tree.ext = kept

    def walk(self, node: Any) -> None:
        if isinstance(node, c_ast.Compound) and node.block_items:
            node.block_items = self._items(node.block_items)
        for _, child in node.children():
            self.walk(child)

    def _items(self, items: list[Any]) -> list[Any]:
        kept: list[Any] = []
        invariants: list[Clause] = []
        for item in items:
            number = _number(item)
            if number is None:
                if invariants:
                    _add_invariants(item, invariants, self.annotations)
                    invariants = []
                kept.append(item)
                continue
            for clause in self._clauses(number, (ASSERTED, ASSUMED, INVARIANT, VARIANT)):
                if clause.call in (INVARIANT, VARIANT):
                    invariants.append(clause)
                elif invariants:
                    raise _refused(self.annotations[number], "this stands between a loop invariant or variant and its loop")
                else:
                    kept.append(clause.node)
        if invariants:
            raise ImportRefused(invariants[0].node.coord.line, 1, "no loop follows this loop invariant or variant")
        return kept

    def _clauses(self, number: int, allowed: tuple[str, ...]) -> list[Clause]:
        annotation = self.annotations[number]
        self.done.add(number)
        clauses = []
        for words in _split(annotation.words):
            keyword = next((key for key in (*_READ, *_NOTED) if words[: len(key)] == key), None)
            if keyword in _NOTED:
                self.notes.append(Note(annotation.line, f"the ACSL clause '{' '.join(words)}' is not read"))
                continue
            if keyword is None or _READ[keyword] not in allowed:
                raise _refused(
                    annotation, f"the ACSL annotation '{' '.join(words[:6])}' is not read here", "take it out if it is a comment"
                )
            condition = _Reader(annotation, words[len(keyword) :]).whole()
            shown = " ".join(words[len(keyword) :])
            if _READ[keyword] in (ASSUMED, REQUIRED):
                # What a function requires that the file calls is asserted, or an obligation of its calls.
                where = " where nobody calls the function" if _READ[keyword] == REQUIRED else ""
                text = f"the ACSL clause '{shown}' is taken for granted{where}, though C does not check it"
                self.notes.append(Note(annotation.line, text))
            place = AnnotationPlace(annotation.line, 1)
            call = c_ast.FuncCall(c_ast.ID(_READ[keyword], place), c_ast.ExprList([condition], place), place)
            clauses.append(Clause(_READ[keyword], call))
        return clauses


def _number(item: Any) -> int | None:
    """The number of the annotation for which a statement stands."""
    if isinstance(item, c_ast.FuncCall) and isinstance(item.name, c_ast.ID) and item.name.name == ANNOTATION:
        return int(item.args.exprs[0].value)
    return None


def _add_invariants(loop: Any, invariants: list[Clause], annotations: tuple[Annotation, ...]) -> None:
    """Puts the invariants in front of the loop's body, where they may name variables that the head of a `for` declares."""
    if not isinstance(loop, _LOOPS):
        raise ImportRefused(invariants[0].node.coord.line, 1, "no loop follows this loop invariant or variant")
    loop.stmt = c_ast.Compound([*(clause.node for clause in invariants), loop.stmt], loop.stmt.coord)


def _split(words: tuple[str, ...]) -> list[tuple[str, ...]]:
    clauses: list[tuple[str, ...]] = []
    clause: list[str] = []
    for word in (*words, ";"):
        if word == ";":
            clauses += [tuple(clause)] if clause else []
            clause = []
        else:
            clause.append(word)
    return clauses


def _refused(annotation: Annotation, reason: str, hint: str = "") -> ImportRefused:
    return ImportRefused(annotation.line, 1, reason, hint)


class _Reader:
    """Reads a condition of ACSL as a tree of C."""

    def __init__(self, annotation: Annotation, words: tuple[str, ...]) -> None:
        self.annotation = annotation
        self.place = AnnotationPlace(annotation.line, 1)
        named = len(words) > 2 and words[1] == ":" and words[0].isidentifier()
        self.words = words[2:] if named else words
        self.index = 0
        self.depth = 0

    def whole(self) -> Any:
        node = self.level(0)
        if self.index != len(self.words):
            raise self.refused()
        return node

    def refused(self) -> ImportRefused:
        near = self.words[self.index] if self.index < len(self.words) else "the end"
        return _refused(self.annotation, f"this ACSL annotation is not read (near '{near}')")

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
                return self._or(self._not(left), self.level(level))
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
            if word == "(":
                node = self.level(0)
                self._expect(")")
                return node
            return self._operand(word)
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
            return c_ast.ID(word, self.place)
        self.index -= 1
        raise self.refused()

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
