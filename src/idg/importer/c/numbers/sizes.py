"""`sizeof`: a number of bytes, on a 64-bit system. What stands in its brackets is not carried out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from idg.importer.c.numbers.c_types import BOOL, ULONG
from idg.importer.c.numbers.terms import TypedExpr, literal_value
from idg.importer.c.text.source import c_ast, refuse

if TYPE_CHECKING:
    from idg.importer.c.expressions import Expressions

BYTE = 8
"""Bits of a byte."""


def size_of(reader: Expressions, node: Any) -> TypedExpr:
    inner = node.expr
    cells = 1
    if isinstance(inner, c_ast.Typename):
        if not isinstance(inner.type, c_ast.TypeDecl):
            raise refuse(node, "the size of a pointer or of an array type is not read", "write its number")
        ctype = reader.scopes.type_of(inner.type.type, node)
    elif isinstance(inner, c_ast.ID) and inner.name in reader.lengths:
        ctype, cells = reader.scopes.variables[inner.name].ctype, reader.lengths[inner.name]
    elif isinstance(inner, c_ast.ID) and inner.name in reader.scopes.variables:
        variable = reader.scopes.variables[inner.name]
        if variable.type.element:
            raise refuse(node, f"the size of '{inner.name}' is that of a pointer")
        ctype = variable.ctype
    elif isinstance(inner, c_ast.Constant) and inner.type == "string":
        raise refuse(node, "the size of a text is not read", "write its number")
    else:
        ctype = reader.ctype_of(inner)
    return literal_value(cells * (1 if ctype == BOOL else ctype.bits // BYTE), ULONG)
