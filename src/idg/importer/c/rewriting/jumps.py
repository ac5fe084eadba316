"""Rewrites a C function so that it has no goto to a place further down, or back, in a block around it, and no `do … while (0)`.

What a jump skips moves into the branches that do not jump: `if (b) goto L; S; L: T` becomes `if (b) {} else { S } T`. A jump out
of a loop is a break, with a flag where something is to be skipped after the loop. A jump back makes a loop of what it repeats. A
jump from one branch of an `if` into the other one goes down, if the branches stand one after the other. Any other jump into a loop
or a block is left where it is, and refused when the statements are read.
"""

from __future__ import annotations

from typing import Any

from idg.importer.c.rewriting.exits import exits, items_of, leaves
from idg.importer.c.rewriting.labels import end_labels, error_labels, staying_labels
from idg.importer.c.rewriting.returns import literal, own_items
from idg.importer.c.text.source import c_ast, refuse
from idg.importer.c.text.trees import ids, is_zero, jumps_to, numbered, walk

LOOPS = (c_ast.While, c_ast.For, c_ast.DoWhile)


def without_jumps(function: Any, tree: Any, keep_ends: bool) -> None:
    """Rewrites the body of a function of the tree. Jumps to errors and to where runs stay for ever are kept, and
    those to its end where `keep_ends` says so."""
    parts = list(walk(function.body))
    if not any(isinstance(part, c_ast.Goto | c_ast.Label) or _runs_once(part) for part in parts):
        return
    errors = error_labels(function.body)
    kept = errors | staying_labels(function.body) | (set(end_labels(items_of(function.body), errors)) if keep_ends else set())
    taken = {part.name for part in walk(tree) if isinstance(part, c_ast.ID | c_ast.Decl | c_ast.Label | c_ast.Typedef)}
    _Jumps(kept, taken).statement(function.body)


def _runs_once(node: Any) -> bool:
    return isinstance(node, c_ast.DoWhile) and is_zero(node.cond)


class _Jumps:
    def __init__(self, kept: set[str], taken: set[str]) -> None:
        self.kept = kept
        """Labels to which jumps stay."""
        self.taken = taken
        self.name = ""
        """The label whose jumps are taken out at present."""
        self.flag = ""
        """The variable that says that such a jump was made; '' until it is needed."""
        self.later: set[str] = set()
        """Names that are used after that label."""

    def statement(self, node: Any) -> Any:
        """The statement without the jumps inside of it whose labels are inside, too."""
        match node:
            case c_ast.Compound():
                node.block_items = self._block([self.statement(item) for item in node.block_items or []])
            case c_ast.If() if self._is_entered(node):
                return self.statement(self._one_after_the_other(node))
            case c_ast.If():
                node.iftrue = self.statement(node.iftrue)
                node.iffalse = None if node.iffalse is None else self.statement(node.iffalse)
            case c_ast.DoWhile() if _runs_once(node):
                return self.statement(self._once(node))
            case c_ast.While() | c_ast.For() | c_ast.DoWhile() | c_ast.Label():
                node.stmt = self.statement(node.stmt)
        return node

    def _is_entered(self, node: Any) -> bool:
        """Whether a jump leads from the first branch of an `if` into the second one, which declares nothing."""
        items = own_items(node.iffalse) if node.iffalse is not None else []
        labels = {item.name for item in items if isinstance(item, c_ast.Label)} - self.kept
        if any(isinstance(item, c_ast.Decl) for item in items):
            return False
        return any(jumps_to(node.iftrue, name) for name in labels)

    def _one_after_the_other(self, node: Any) -> Any:
        """The same with the second branch behind the first, over which a jump leads: `if (c) { A; goto END; } B; END:`."""
        end = numbered("end", self.taken)
        first = c_ast.Compound([*own_items(node.iftrue), c_ast.Goto(end, node.coord)], node.coord)
        last = c_ast.Label(end, c_ast.EmptyStatement(node.coord), node.coord)
        items = [c_ast.If(node.cond, first, None, node.coord), *own_items(node.iffalse), last]
        return c_ast.Compound(items, node.coord)

    def _once(self, node: Any) -> Any:
        """The body of `do … while (0)`; its breaks and continues become jumps to its end."""
        items = own_items(node.stmt)
        if not any(map(exits, items)):
            return c_ast.Compound(items, node.coord)
        end = numbered("once", self.taken)
        body = _replaced(c_ast.Compound(items, node.coord), end)
        body.block_items.append(c_ast.Label(end, c_ast.EmptyStatement(node.coord), node.coord))
        return body

    def _block(self, items: list[Any]) -> list[Any]:
        index = 0
        while index < len(items):
            label = items[index]
            if not isinstance(label, c_ast.Label) or label.name in self.kept:
                index += 1
                continue
            before, after = items[:index], [label.stmt, *items[index + 1 :]]
            back = [place for place, item in enumerate(after) if jumps_to(item, label.name)]
            if back:
                after = self._repeated(label, after[: back[-1] + 1], after[back[-1] + 1 :])
            if any(jumps_to(item, label.name) for item in before):
                before = self._skipping(label, before, after)
            items = [*before, *after]
            index = len(before)
        return items

    # jumps back

    def _repeated(self, label: Any, items: list[Any], rest: list[Any]) -> list[Any]:
        """A loop of the statements at whose end, or before, a jump goes back to the label in front of them."""
        for item in items:
            if exits(item):
                text = f"a break or continue between {label.name} and goto {label.name} would leave another loop"
                raise refuse(item, text, "write the loop with while")
        used = {name.name for item in rest for name in ids(item)}
        for item in items:
            if isinstance(item, c_ast.Decl) and item.name in used:
                text = f"{item.name} is declared after the label {label.name}, to which a goto goes back, and used later"
                raise refuse(item, text, f"declare it before {label.name}")
        again = numbered("again", self.taken)
        for item in items:
            for part in walk(item):
                if isinstance(part, c_ast.Goto) and part.name == label.name:
                    part.name = again
        end = c_ast.Label(again, c_ast.EmptyStatement(label.coord), label.coord)
        body = self._block([*items, c_ast.Break(label.coord), end])
        return [c_ast.While(literal(1, label.coord), c_ast.Compound(body, label.coord), label.coord), *rest]

    # jumps to a place further down

    def _skipping(self, label: Any, before: list[Any], after: list[Any]) -> list[Any]:
        outer = self.name, self.flag, self.later
        self.name, self.flag = label.name, ""
        self.later = {name.name for item in after for name in ids(item)}
        kept = self._items(before, False)
        if self.flag:
            kind = c_ast.TypeDecl(self.flag, [], None, c_ast.IdentifierType(["_Bool"], label.coord), label.coord)
            kept = [c_ast.Decl(self.flag, [], [], [], [], kind, literal(0, label.coord), None, label.coord), *kept]
        self.name, self.flag, self.later = outer
        return kept

    def _flag(self) -> str:
        self.flag = self.flag or numbered("jumped", self.taken)
        return self.flag

    def _set(self, coord: Any) -> Any:
        return c_ast.Assignment("=", c_ast.ID(self._flag(), coord), literal(1, coord), coord)

    def _items(self, items: list[Any], mark: bool) -> list[Any]:
        """The statements, of which a jump skips the others; with `mark` it also sets the flag."""
        kept: list[Any] = []
        for index, item in enumerate(items):
            if isinstance(item, c_ast.Goto) and item.name == self.name:
                return [*kept, self._set(item.coord)] if mark else kept
            if not jumps_to(item, self.name):
                kept.append(item)
                continue
            rest = items[index + 1 :]
            match item:
                case c_ast.If():
                    return [*kept, *self._if(item, rest, mark)]
                case c_ast.While() | c_ast.For() | c_ast.DoWhile():
                    flagged = mark or bool(rest)
                    item.stmt = c_ast.Compound(self._breaking(own_items(item.stmt), flagged), item.coord)
                    return [*kept, item, *self._unless_jumped(rest, mark)]
                case c_ast.Compound():
                    inner = c_ast.Compound(self._items(list(item.block_items or []), mark or bool(rest)), item.coord)
                    return [*kept, inner, *self._unless_jumped(rest, mark)]
            raise refuse(item, f"goto {self.name} is not read here", "write it with if and else")
        return kept

    def _if(self, node: Any, rest: list[Any], mark: bool) -> list[Any]:
        yes, no = own_items(node.iftrue), own_items(node.iffalse)
        both = [leaves(items_of(node.iftrue)), leaves(items_of(node.iffalse))]
        if not rest or any(both):
            declared, rest = self._hoisted(rest, [node])
            if not both[0]:
                yes = _with_rest(yes, rest)
            if not both[1]:
                no = _with_rest(no, rest)
            return [*declared, self._branches(node, self._items(yes, mark), self._items(no, mark))]
        return [self._branches(node, self._items(yes, True), self._items(no, True)), *self._unless_jumped(rest, mark)]

    def _branches(self, node: Any, yes: list[Any], no: list[Any]) -> Any:
        first, second = (c_ast.Compound(part, node.coord) for part in (yes, no))
        return c_ast.If(node.cond, first, second if no else None, node.coord)

    def _unless_jumped(self, rest: list[Any], mark: bool) -> list[Any]:
        """What comes after, where no jump was made."""
        if not rest:
            return []
        declared, rest = self._hoisted(rest, [])
        going_on = c_ast.UnaryOp("!", c_ast.ID(self._flag(), rest[0].coord), rest[0].coord)
        return [*declared, c_ast.If(going_on, c_ast.Compound(self._items(rest, mark), rest[0].coord), None, rest[0].coord)]

    def _breaking(self, items: list[Any], flagged: bool) -> list[Any]:
        """The statements of a loop's body with `flag = 1; break;` in place of each jump; without the flag where nobody asks."""
        kept: list[Any] = []
        for item in items:
            if isinstance(item, c_ast.Goto) and item.name == self.name:
                return [*kept, *([self._set(item.coord)] if flagged else []), c_ast.Break(item.coord)]
            if not jumps_to(item, self.name):
                kept.append(item)
                continue
            match item:
                case c_ast.If():
                    yes, no = (self._breaking(own_items(part), flagged) for part in (item.iftrue, item.iffalse))
                    kept.append(self._branches(item, yes, no))
                case c_ast.Compound():
                    kept.append(c_ast.Compound(self._breaking(own_items(item), flagged), item.coord))
                case c_ast.While() | c_ast.For() | c_ast.DoWhile():
                    item.stmt = c_ast.Compound(self._breaking(own_items(item.stmt), True), item.coord)
                    leave = c_ast.Compound([c_ast.Break(item.coord)], item.coord)
                    kept += [item, c_ast.If(c_ast.ID(self._flag(), item.coord), leave, None, item.coord)]
                case _:
                    raise refuse(item, f"goto {self.name} is not read here", "write it with if and else")
        return kept

    def _hoisted(self, rest: list[Any], before: list[Any]) -> tuple[list[Any], list[Any]]:
        """Declarations of variables that are used after the label, and the statements in which these are only set.

        They come to stand before the statements `before`, in which such a name means another variable.
        """
        declared: list[Any] = []
        kept: list[Any] = []
        used = {name.name for item in before for name in ids(item)}
        for item in rest:
            if isinstance(item, c_ast.Decl) and item.name in self.later and not isinstance(item.type, c_ast.FuncDecl):
                plain = isinstance(item.type, c_ast.TypeDecl) and not item.storage
                if not plain or item.name in used:
                    text = f"goto {self.name} jumps over the declaration of {item.name}, which is used after the label"
                    raise refuse(item, text, "declare it before the goto")
                value, item.init = item.init, None
                item.quals = item.type.quals = [word for word in item.quals if word != "const"]
                declared.append(item)
                if value is not None:
                    kept.append(c_ast.Assignment("=", c_ast.ID(item.name, item.coord), value, item.coord))
            else:
                kept.append(item)
            used |= {name.name for name in ids(item)}
        return declared, kept or [c_ast.EmptyStatement(rest[0].coord)] if rest else kept


def _with_rest(branch: list[Any], rest: list[Any]) -> list[Any]:
    """The statements of a branch, in which names of its own may be declared, and what follows."""
    if rest and any(isinstance(item, c_ast.Decl) for item in branch):
        return [c_ast.Compound(branch, branch[0].coord), *rest]
    return [*branch, *rest]


def _replaced(node: Any, end: str) -> Any:
    """The statement with jumps in place of the breaks and continues that are not those of a loop inside of it."""
    match node:
        case c_ast.Break() | c_ast.Continue():
            return c_ast.Goto(end, node.coord)
        case c_ast.Compound():
            node.block_items = [_replaced(item, end) for item in node.block_items or []]
        case c_ast.If():
            node.iftrue = _replaced(node.iftrue, end)
            node.iffalse = None if node.iffalse is None else _replaced(node.iffalse, end)
        case c_ast.Label():
            node.stmt = _replaced(node.stmt, end)
    return node
