"""Arrays of one dimension: their declarations, and their cells where they are read and written.

A parameter is a pointer in C. It is read as an array where its declaration says how many cells there are, and where no other
name can mean the same cells: SIP's arrays are values.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from idg.importer.c.numbers.c_types import CType, is_bounded
from idg.importer.c.numbers.terms import TypedExpr, literal_value
from idg.importer.c.text.acsl_conditions import EXISTING, FORALL
from idg.importer.c.text.source import c_ast, refuse
from idg.importer.c.text.trees import STEPS, calls, effects, is_zero
from idg.sip.limits import ARRAY_CELLS_MAX
from idg.sip.syntax import Assume, Binary, Call, Compare, Expr, Index, Name, Number, Quantified, SetCell, Var
from idg.sip.trees.build import ZERO, arithmetic, compare, number, whole_literal

if TYPE_CHECKING:
    from idg.importer.c.expressions import Expressions
    from idg.importer.c.scopes import Scopes, Variable

ZEROS_WRITTEN_MAX = 8
"""Cells that are set to zero one by one where an array is declared; of more than these it is assumed that they are zero."""
GIVEN_CELLS_MAX = 100
"""Values in braces after a declaration; each becomes a statement."""


def is_array(node: Any) -> bool:
    """Whether a declaration declares an array."""
    return isinstance(node, c_ast.Decl) and isinstance(node.type, c_ast.ArrayDecl)


def check_parameters(declared: list[Any], body: Any, scopes: Scopes) -> None:
    """Refuses arrays as parameters where two names could mean the same cells, of which some are changed."""
    arrays = [param for param in declared if isinstance(param.type, c_ast.ArrayDecl)]
    if not arrays:
        return
    changed = set()
    for change in effects(body):
        target = change.lvalue if isinstance(change, c_ast.Assignment) else change.expr
        changed.add(getattr(target.name if isinstance(target, c_ast.ArrayRef) else target, "name", ""))
    of_file = {name for name, variable in scopes.variables.items() if variable.origin == "global"}
    if of_file and changed & {*of_file, *(param.name for param in arrays)}:
        text = f"'{arrays[0].name}' might be a variable of the file, such as {min(of_file)}"
        raise refuse(arrays[0], text, "make that a parameter, too")
    free = [param for param in arrays if "restrict" not in param.type.dim_quals]
    if len(free) > 1 and changed & {param.name for param in arrays}:
        reason = f"'{free[0].name}' and '{free[1].name}' might be the same array, and cells are changed"
        hint = f"if they never are, say so: write restrict in the declaration, such as int *restrict {free[1].name}"
        raise refuse(free[1], reason, hint)


def parameter_pres(variable: Variable, bounded: bool, name: str) -> list[Expr]:
    """What is known of an array that is a parameter; `name` is one over which a quantifier may range."""
    assert variable.length is not None
    length = Call("len", (Name(variable.name),))
    pres: list[Expr] = [compare(length, ">=" if variable.at_least else "=", variable.length)]
    if bounded:
        cell = Index(Name(variable.name), Name(name))
        body = Compare((number(variable.ctype.low), cell, number(variable.ctype.high)), ("<=", "<="))
        pres.append(Quantified("forall", Name(name), ZERO, Binary("-", length, Number(1)), body))
    return pres


def _array(reader: Expressions, node: Any) -> Variable:
    """The array of which the node is a cell."""
    variable = reader.scopes.variables.get(node.name.name) if isinstance(node.name, c_ast.ID) else None
    if variable is None or variable.type.element is None:
        raise refuse(node, "only cells of arrays that are variables are read", "pointers and arrays of arrays are not read")
    return variable


def cell_type(reader: Expressions, node: Any) -> CType:
    return _array(reader, node).ctype


def read_cell(reader: Expressions, node: Any) -> TypedExpr:
    """The value of a cell. That the array has it becomes an obligation, because SIP has it."""
    array = _array(reader, node)
    assert array.type.element is not None
    return TypedExpr(Index(Name(array.name), reader.number(node.subscript).expr), array.type.element, array.ctype)


def said_of_cells(reader: Expressions, node: Any) -> Expr:
    """A quantifier of ACSL, or that an array has cells up to one. A quantifier's variable has a name that no variable of C has."""
    if node.op == EXISTING:
        return compare(reader.number(node.expr.subscript).expr, "<", Call("len", (Name(_array(reader, node.expr).name),)))
    variable, low, high, body = node.expr.exprs
    first, last = reader.number(low).expr, reader.number(high).expr
    name = reader.scopes.bind(variable.name)
    try:
        return Quantified("forall" if node.op == FORALL else "exists", Name(name), first, last, reader.truth(body))
    finally:
        reader.scopes.unbind(variable.name)


def write_cell(reader: Expressions, node: Any) -> None:
    """Carries out a[i] = e, a[i] += e and the like, and a[i]++, as statements."""
    reader.may_change(node)
    steps = isinstance(node, c_ast.UnaryOp)
    target = node.expr if steps else node.lvalue
    array = _array(reader, target)
    if (steps or node.op != "=") and any(effects(target.subscript)):
        raise refuse(node, "the number of a cell is changed where the cell is", "write the change as a statement of its own")
    index = reader.number(target.subscript).expr
    if steps:
        value = reader.arithmetic.binary(node, STEPS[node.op], read_cell(reader, target), literal_value(1))
    elif node.op != "=":
        value = reader.arithmetic.binary(node, node.op[:-1], read_cell(reader, target), reader.number(node.rvalue))
    elif isinstance(node.rvalue, c_ast.TernaryOp):
        name = reader.scopes.fresh("value", array.ctype)
        reader.set(name, node.rvalue)
        value = TypedExpr(Name(name), reader.scopes.variables[name].type, array.ctype)
    else:
        value = reader.number(node.rvalue)
    reader.sink.append(SetCell(Name(array.name), index, reader.arithmetic.converted(value, array.ctype).expr))


def declare_array(reader: Expressions, node: Any, zeros: bool = False) -> None:
    """Adds the declaration of an array. Where it has no values, its cells may hold any; those of the file start as `zeros`."""
    array = reader.scopes.variables[node.name]
    given = _given(node)
    if given is not None and all(map(is_zero, given)):
        zeros = True  # The length may be computed then, where calloc gives the cells.
        given = None if node.type.dim is not None else given
    length = _length(reader, node, given) if given is not None or _is_number(reader, node.type.dim) else None
    cells = _computed_length(reader, node) if length is None else Number(length)
    if length is not None:
        reader.lengths[array.name] = length
    reader.sink.append(Var((Name(array.name),), array.type, None, length=cells))
    if given is None and not zeros:
        reader.note(node, f"{node.name} has no values when it is declared: its cells may hold any")
        if is_bounded(array.ctype, reader.integers):
            within = (number(array.ctype.low), Index(Name(array.name), ZERO), number(array.ctype.high))
            _assume_cells(reader, array, 0, cells, Compare(within, ("<=", "<=")))
        return
    if length is None:
        _assume_cells(reader, array, 0, cells, compare(Index(Name(array.name), ZERO), "=", ZERO))
        return
    values = [reader.arithmetic.converted(reader.number(value), array.ctype).expr for value in given or []]
    while values and values[-1] == ZERO:
        values.pop()
    if length - len(values) <= ZEROS_WRITTEN_MAX:
        values += [ZERO] * (length - len(values))
    reader.sink += (SetCell(Name(array.name), Number(place), value) for place, value in enumerate(values))
    if len(values) < length:
        _assume_cells(reader, array, len(values), cells, compare(Index(Name(array.name), ZERO), "=", ZERO))


def _assume_cells(reader: Expressions, array: Variable, first: int, length: Expr, about_first: Compare) -> None:
    """Assumes for all cells from a given number on what the condition says about cell 0."""
    name = Name(reader.scopes.fresh("k", array.ctype))
    cell = Index(Name(array.name), name)
    operands: tuple[Expr, ...] = tuple(cell if isinstance(part, Index) else part for part in about_first.operands)
    body = Compare(operands, about_first.ops)
    reader.sink.append(Assume(Quantified("forall", name, Number(first), arithmetic("-", length, Number(1)), body)))


def _given(node: Any) -> list[Any] | None:
    """The values in braces."""
    if node.init is None:
        return None
    if not isinstance(node.init, c_ast.InitList):
        raise refuse(node, f"'{node.name}' is an array that is given no values in braces", "set its cells one by one")
    values = node.init.exprs
    for value in values:
        if isinstance(value, c_ast.InitList | c_ast.NamedInitializer):
            raise refuse(node, f"the values of '{node.name}' are not plain numbers")
    if len(values) > GIVEN_CELLS_MAX:
        raise refuse(node, f"'{node.name}' is given more than {GIVEN_CELLS_MAX} values")
    return list(values)


def _length(reader: Expressions, node: Any, given: list[Any] | None) -> int:
    dimension = node.type.dim
    length = len(given) if dimension is None and given else None
    if dimension is not None:
        length = _constant(reader, dimension)
    if length is None or length < max(1, len(given or [])):
        raise refuse(node, f"how many cells '{node.name}' has is not read", "give it a number of cells")
    if length > ARRAY_CELLS_MAX:
        reader.note(node, f"{node.name} has {length:,} cells: runs have arrays of at most {ARRAY_CELLS_MAX:,}, so none can be made")
    return length


def _is_number(reader: Expressions, dimension: Any) -> bool:
    """Whether a length is a number or is missing. Both cases are read, or refused, where numbers are."""
    return dimension is None or _constant(reader, dimension) is not None


def _computed_length(reader: Expressions, node: Any) -> Expr:
    """How many cells an array has whose length the program computes. That it is not negative becomes an obligation."""
    if any(effects(node.type.dim)) or any(calls(node.type.dim)):
        raise refuse(node, f"the length of '{node.name}' is computed with an effect", "compute it in a statement before")
    return reader.number(node.type.dim).expr


def _constant(reader: Expressions, node: Any) -> int | None:
    """The number that a length is written as, such as 10 or 3 * 4 + 1; None where it is none."""
    if isinstance(node, c_ast.BinaryOp) and node.op in ("+", "-", "*"):
        left, right = _constant(reader, node.left), _constant(reader, node.right)
        if left is None or right is None:
            return None
        return {"+": left + right, "-": left - right, "*": left * right}[node.op]
    return whole_literal(reader.number(node).expr)
