"""Functions of C that call themselves, as functions of SIP.

They are read where that is plain: their parameters and results are numbers without bounds, they change nothing but variables of
their own, and they choose nothing. What such a function requires is its `pre`, so that each call is obliged to it, and what it
ensures is its `post`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from idg.importer.c.callers import called
from idg.importer.c.endings import Endings
from idg.importer.c.expressions import Expressions
from idg.importer.c.numbers.c_types import BOOL, INT, CSignature, CType, is_bounded
from idg.importer.c.numbers.ranges import written_out
from idg.importer.c.numbers.terms import divides, has_marks
from idg.importer.c.rewriting.returns import Returns, own_items
from idg.importer.c.scopes import Scopes
from idg.importer.c.statements import Statements
from idg.importer.c.text.acsl import ENSURED, REQUIRED
from idg.importer.c.text.acsl_conditions import RESULT
from idg.importer.c.text.source import c_ast, refuse
from idg.importer.c.text.trees import calls, ids
from idg.sip.operators import RESERVED
from idg.sip.syntax import Assign, Block, Cassign, Expr, Function, Name, Param, Return, Stmt, Type, Var
from idg.sip.trees.build import ZERO
from idg.sip.trees.traverse import names, statement_expressions, statements

WHY = "a function that calls itself is read only where its parameters and its result are int and it changes no variable of the file"


def recursive_signatures(recursive: Mapping[str, Any], scopes: Scopes) -> dict[str, CSignature]:
    """The types of these functions; refuses one that is not read."""
    signatures = {}
    for name, definition in recursive.items():
        declared = definition.decl.type
        params = [param for param in (declared.args.params if declared.args else []) if isinstance(param, c_ast.Decl)]
        kinds = tuple(_number(param.type, scopes, param) for param in params)
        returned = declared.type
        is_void = getattr(getattr(returned, "type", None), "names", None) == ["void"]
        kind = INT if is_void else _number(returned, scopes, definition.decl)
        signatures[name] = CSignature(f"{name}_2" if name in RESERVED else name, kinds, kind)
    return signatures


def _number(declared: Any, scopes: Scopes, node: Any) -> CType:
    if not isinstance(declared, c_ast.TypeDecl):
        raise refuse(node, WHY)
    ctype = scopes.type_of(declared.type, node)
    if is_bounded(ctype, scopes.integers):
        raise refuse(node, WHY)
    return ctype


def read_recursive(definition: Any, signature: CSignature, expressions: Expressions) -> Function:
    """The function of SIP. `expressions` are for this function alone, with scopes of their own."""
    scopes = expressions.scopes
    declared = definition.decl.type.args
    params = [
        scopes.declare(param, "parameter") for param in (declared.params if declared else []) if isinstance(param, c_ast.Decl)
    ]
    result = scopes.fresh("value", signature.returns)
    flag = scopes.fresh("returned", INT)
    returns = Returns(result, flag)
    items = own_items(definition.body)
    clauses = [item for item in items if _is_clause(item)]
    pres, posts = _contract(definition, signature, clauses, params, expressions)
    body = c_ast.Compound(returns.without([item for item in items if item not in clauses]), definition.coord)
    for call in calls(body):
        if _is_clause(call):
            raise refuse(call, f"what {definition.decl.name} requires and ensures is not read, because it has jumps")
    read = Statements(expressions).function(body)
    first: list[Stmt] = [Assign(Name(result), ZERO), *([Assign(Name(flag), ZERO)] if returns.flag_used else [])]
    for variable in scopes.variables.values():
        if is_bounded(variable.ctype, scopes.integers) and variable.ctype != BOOL:
            raise refuse(definition.decl, WHY)
    whole = Block((*first, *written_out(read, {}).statements))
    if any(isinstance(part, Cassign) for part in statements(whole)):
        raise refuse(definition.decl, f"{definition.decl.name} calls itself and makes choices, which is not read")
    mentioned = set().union(*(names(expr) for part in statements(whole) for expr in statement_expressions(part)))
    mentioned |= {part.target.name for part in statements(whole) if isinstance(part, Assign)}
    own = [variable for variable in scopes.variables.values() if variable.name in mentioned and variable.name not in params]
    variables = [
        Var(tuple(Name(variable.name) for variable in own if variable.type is kind), kind, None)
        for kind in (Type.INT, Type.NAT, Type.BOOL)
        if any(variable.type is kind for variable in own)
    ]
    return Function(
        signature.name,
        tuple(Param(name, scopes.variables[name].type) for name in params),
        Type.INT,
        pres,
        posts,
        Block((*variables, *whole.statements, Return(Name(result)))),
    )


def _is_clause(node: Any) -> bool:
    return isinstance(node, c_ast.FuncCall) and called(node) in (REQUIRED, ENSURED)


def _contract(
    definition: Any, signature: CSignature, clauses: list[Any], params: list[str], expressions: Expressions
) -> tuple[tuple[Expr, ...], tuple[Expr, ...]]:
    """What the function requires and ensures, about its parameters and its result; refuses a clause that says anything else."""
    scopes = expressions.scopes
    ending = Endings(expressions)
    ending.returns, ending.gives_result, ending.parameters = signature.returns, True, frozenset(params)
    is_void = getattr(getattr(definition.decl.type.type, "type", None), "names", None) == ["void"]
    pres: list[Expr] = []
    posts: list[Expr] = []
    for clause in clauses:
        if is_void and any(name.name == RESULT for name in ids(clause.args)):
            raise refuse(clause, f"a function without a result has no {RESULT}")
        scopes.resolve(clause.args)
        outer, expressions.sink = expressions.sink, []
        [condition] = clause.args.exprs
        if called(clause) == REQUIRED:
            pre = expressions.annotation(condition)
            plain = names(pre) <= set(params) and not has_marks(pre) and not divides(pre)
            pres.append(pre)
        else:
            post = ending.post(condition)
            plain = post is not None and not divides(post)
            posts += [] if post is None else [post]
        if expressions.sink or not plain:
            raise refuse(clause, f"what {definition.decl.name} requires or ensures is more than a condition on its numbers")
        expressions.sink = outer
    return tuple(pres), tuple(posts)
