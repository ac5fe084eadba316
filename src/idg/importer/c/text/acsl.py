"""Annotations of ACSL, the specification language of Frama-C: `//@ assert e;`, `requires`, `ensures`, `loop invariant`
and `loop variant`.

An annotation is read whole or the file is refused. Clauses that claim something else, such as `loop assigns`, are noted. Numbers in
annotations are those of mathematics, which never wrap round, and `0 <= i <= n` is a chain.
"""

from __future__ import annotations

from typing import Any

from idg.importer.c.text.acsl_conditions import QUANTIFIERS, AcslReader, AnnotationPlace, refused_in
from idg.importer.c.text.source import ANNOTATION, CONTRACT, Annotation, c_ast
from idg.importer.c.text.spellings import CONSTANTS
from idg.importer.c.text.trees import ids, walk
from idg.importer.results import ImportRefused, Note
from idg.sip.record import Record

ASSERTED, ASSUMED, INVARIANT, REQUIRED, ENSURED, VARIANT = (
    f"{ANNOTATION} {word}" for word in ("assert", "assume", "loop", "requires", "ensures", "variant")
)
"""The names of the calls that stand in the tree for clauses; no name of C has a blank."""
_READ = {
    ("assert",): ASSERTED, ("check",): ASSERTED, ("assume",): ASSUMED, ("admit",): ASSUMED, ("loop", "invariant"): INVARIANT,
    ("requires",): REQUIRED, ("ensures",): ENSURED, ("loop", "variant"): VARIANT,
}  # fmt: skip
_NOTED = (("loop", "assigns"), ("assigns",), ("decreases",), ("terminates",), ("complete",), ("disjoint",))
"""Clauses that are not read, because they say nothing about the values of variables at a place."""
_LOOPS = (c_ast.While, c_ast.For, c_ast.DoWhile)


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
        raise refused_in(annotations[min(missing)], "an annotation is not read here", "put it between statements")
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
                params = node.decl.type.args.params if node.decl.type.args else []
                names = frozenset(param.name for param in params if getattr(param, "name", None))
                clauses = [clause for number in waiting for clause in self._clauses(number, (REQUIRED, ENSURED), names)]
                node.body.block_items = [*(clause.node for clause in clauses), *(node.body.block_items or [])]
                waiting = []
            elif waiting:
                break
            kept.append(node)
        if waiting:
            text = "an annotation outside functions is read only directly before the body of a function"
            raise refused_in(self.annotations[waiting[0]], text)
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
                    raise refused_in(self.annotations[number], "this stands between a loop invariant or variant and its loop")
                else:
                    kept.append(clause.node)
        if invariants:
            raise ImportRefused(invariants[0].node.coord.line, 1, "no loop follows this loop invariant or variant")
        return kept

    def _clauses(self, number: int, allowed: tuple[str, ...], params: frozenset[str] = frozenset()) -> list[Clause]:
        """`params`: those of the function, where this is its contract."""
        annotation = self.annotations[number]
        self.done.add(number)
        clauses = []
        assumed: list[Any] = []
        """What the behavior in which the clauses stand assumes of the arguments."""
        for words in _split(annotation.words):
            if words[0] == "behavior" and words[2:3] == (":",) and REQUIRED in allowed:
                words, assumed = words[3:], []
            if words[:1] == ("assumes",) and REQUIRED in allowed:
                assumed.append(self._assumed(annotation, words[1:], params))
                continue
            keyword = next((key for key in (*_READ, *_NOTED) if words[: len(key)] == key), None)
            if keyword in _NOTED:
                assumed = [] if keyword in (("complete",), ("disjoint",)) else assumed
                self.notes.append(Note(annotation.line, f"the ACSL clause '{' '.join(words)}' is not read"))
                continue
            if keyword is None or _READ[keyword] not in allowed:
                raise refused_in(
                    annotation, f"the ACSL annotation '{' '.join(words[:6])}' is not read here", "take it out if it is a comment"
                )
            reader = AcslReader(annotation, words[len(keyword) :])
            condition = reader.whole()
            for assumption in reversed(assumed):
                condition = reader.implied(assumption, condition)
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

    def _assumed(self, annotation: Annotation, words: tuple[str, ...], params: frozenset[str]) -> Any:
        """What a behavior assumes when the function is called. In a contract the names of parameters mean the arguments."""
        condition = AcslReader(annotation, words).whole()
        about_cells = any(isinstance(part, c_ast.ArrayRef) for part in walk(condition))
        if about_cells or not {name.name for name in ids(condition)} <= {*params, *CONSTANTS}:
            raise refused_in(annotation, "what a behavior assumes is read only where it is about the numbers that are passed")
        return condition


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
    """The clauses. The variables of a quantifier end with a semicolon, too."""
    clauses: list[tuple[str, ...]] = []
    clause: list[str] = []
    binding = 0
    for word in (*words, ";"):
        binding += word in QUANTIFIERS
        if word == ";" and binding:
            binding -= 1
            clause.append(word)
        elif word == ";":
            clauses += [tuple(clause)] if clause else []
            clause = []
        else:
            clause.append(word)
    return clauses
