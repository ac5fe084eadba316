"""The expression toolkit: build, logic, traverse and entry."""

from __future__ import annotations

import itertools
import random
from fractions import Fraction

import pytest

from idg.sip.running.evaluator import Evaluator
from idg.sip.running.runner import Row, Undefined
from idg.sip.syntax import Binary, Boolean, Compare, Expr, Name, Old, Type, Unary
from idg.sip.text.expressions import parse_expression
from idg.sip.text.printer import print_expression
from idg.sip.trees.build import arithmetic, literal, map_calls, number, rename, replace_part, substitute, whole_literal
from idg.sip.trees.entry import column_leaf, entry_column, inputs_told
from idg.sip.trees.logic import (
    FALSE,
    TRUE,
    both,
    both_folded,
    conjoin,
    conjuncts_inward,
    either,
    implies,
    implies_folded,
    left_nested,
    negate,
    negate_inward,
    separate_claims,
    simplified,
)
from idg.sip.trees.traverse import conjuncts, height, links, names, names_and_olds, names_in_order, node_count, uses
from idg.sip.values import Scalar
from tests.support.volume import volume

VARIABLES = {"a": Type.BOOL, "b": Type.BOOL, "c": Type.BOOL, "x": Type.INT, "y": Type.INT}
STATES: list[Row] = [
    (*truths, *numbers)
    for truths in itertools.product((False, True), repeat=3)
    for numbers in itertools.product((0, 1, 2), repeat=2)
]


def shown(exprs: list[Expr]) -> list[str]:
    return [print_expression(expr) for expr in exprs]


def random_condition(pick: random.Random, levels: int) -> Expr:
    if levels == 0 or pick.random() < 0.2:
        ops = tuple(pick.choice(("=", "!=", "<", "<=", ">", ">=")) for _ in range(pick.choice((1, 1, 2))))
        operands = tuple(pick.choice((Name("x"), Name("y"), number(1))) for _ in range(len(ops) + 1))
        return pick.choice((TRUE, FALSE, Name("a"), Name("b"), Name("c"), Compare(operands, ops), Compare(operands, ops)))
    if pick.random() < 0.25:
        return Unary("!", random_condition(pick, levels - 1))
    return Binary(pick.choice(("&", "|", "->")), random_condition(pick, levels - 1), random_condition(pick, levels - 1))


def truth(expr: Expr) -> list[Scalar | Undefined]:
    """The value of the expression in each state."""
    return Evaluator([expr], VARIABLES).rows(0, STATES)


def test_the_same_condition_whatever_its_form() -> None:
    pick = random.Random(5)
    for _ in range(volume(100, 1000)):
        left, right = random_condition(pick, 2), random_condition(pick, 2)
        opposite = truth(Unary("!", left))
        assert truth(negate(left)) == truth(negate_inward(left)) == opposite
        assert truth(simplified(left)) == truth(left)
        assert (
            truth(both(left, right))
            == truth(both_folded(left, right))
            == truth(conjoin([left, right]))
            == truth(Binary("&", left, right))
        )
        assert truth(either(left, right)) == truth(Binary("|", left, right))
        assert truth(implies(left, right)) == truth(implies_folded(left, right)) == truth(Binary("->", left, right))
        for apart in (conjuncts(left), [*conjuncts_inward(left)], separate_claims(left)):
            assert truth(conjoin(apart)) == truth(left)


def test_the_forms_differ_as_their_names_say() -> None:
    a, b, condition = Name("a"), Name("b"), parse_expression("x < y")
    assert both(a, a) == a
    assert both_folded(a, a) == Binary("&", a, a)
    assert both(a, FALSE) == Binary("&", a, FALSE)
    assert both_folded(a, FALSE) == either(FALSE, FALSE) == FALSE
    assert implies(a, FALSE) == Binary("->", a, FALSE)
    assert implies_folded(a, FALSE) == Unary("!", a)
    assert print_expression(implies_folded(a, parse_expression("b -> c"))) == "a & b -> c"
    assert conjoin([]) == conjoin([TRUE, TRUE]) == TRUE
    assert left_nested("|", [a, TRUE, b]) == Binary("|", Binary("|", a, TRUE), b)
    assert print_expression(negate(condition)) == "x >= y"
    assert print_expression(negate_inward(condition)) == "y <= x"
    assert negate(Boolean(False)) == TRUE


def test_taking_apart() -> None:
    expr = parse_expression("a & (b & x < y <= 2) & !(a | c)")
    assert shown(conjuncts(expr)) == ["a", "b", "x < y <= 2", "!(a | c)"]
    assert shown([*conjuncts_inward(expr)]) == ["a", "b", "x < y <= 2", "!a", "!c"]
    assert shown(separate_claims(expr)) == ["a", "b", "x < y", "y <= 2", "!a", "!c"]
    assert shown(separate_claims(parse_expression("a -> b & c"))) == ["a -> b", "a -> c"]
    chain = parse_expression("x < y = 2")
    assert isinstance(chain, Compare)
    assert shown([*links(chain)]) == ["x < y", "y = 2"]


def test_what_occurs() -> None:
    expr = parse_expression("y + x * old(n) - y")
    assert names(expr) == {"x", "y"}
    assert names_and_olds(expr) == {"x", "y", "n"}
    assert [*names_in_order(expr)] == ["y", "x", "y"]
    assert uses(expr, "x")
    assert not uses(expr, "n")
    assert (node_count(expr), height(expr)) == (7, 4)


def test_a_name_of_a_quantifier_may_be_free_elsewhere() -> None:
    """Substitution gives quantifiers new names, which may be those of variables outside. Such variables were said not to occur."""
    expr = parse_expression("k > 0 & (forall k in m..n: a[k] = old(j)) & (exists i in 0..k: a[i] = i)")
    assert names(expr) == {"k", "m", "n", "a"}
    assert names_and_olds(expr) == {"k", "m", "n", "a", "j"}
    assert [*names_in_order(expr)] == ["k", "m", "n", "a", "k", "a"]
    assert uses(expr, "k")
    assert not uses(expr, "i")


@pytest.mark.parametrize(
    ("text", "value", "whole"),
    [("3", 3, 3), ("-3", -3, -3), ("1/2", Fraction(1, 2), None), ("4/2", 2, None), ("x", None, None), ("1/0", None, None)],
)
def test_literals(text: str, value: int | Fraction | None, whole: int | None) -> None:
    expr = parse_expression(text)
    assert literal(expr) == value
    assert whole_literal(expr) == whole
    assert value is None or literal(number(value)) == value


def test_rewriting() -> None:
    expr = parse_expression("x + 1 = old(x) + y")
    values = {"x": parse_expression("x + 1"), "y": parse_expression("x")}
    assert print_expression(substitute(expr, values)) == "x + 2 = old(x) + x"
    assert print_expression(rename(expr, {"x": "y", "y": "x"})) == "y + 1 = old(x) + x"
    assert print_expression(replace_part(expr, parse_expression("x + 1"), Name("z"))) == "z = old(x) + y"
    assert print_expression(arithmetic("-", parse_expression("x + 1"), number(3))) == "x - 2"


@pytest.mark.parametrize(
    ("before", "values", "after"),
    [
        ("exists k in 0..n: a[k] = x", {"x": "k"}, "exists k_1 in 0..n: a[k_1] = k"),
        ("exists k in k..n: a[k] = k", {"k": "i + 1"}, "exists k in i + 1..n: a[k] = k"),
        ("forall k in 0..x: exists k_1 in 0..k: a[k_1] = x", {"x": "k"}, "forall k_2 in 0..k: exists k_1 in 0..k_2: a[k_1] = k"),
        ("forall k in 0..x: exists l in 0..k: x = l", {"x": "k + l"}, "forall k_1 in 0..k + l: exists l_1 in 0..k_1: k + l = l_1"),
        ("(sum k in 0..n: a[k] * x) = sum l in 0..k: x", {"x": "k"}, "(sum k_1 in 0..n: a[k_1] * k) = sum l in 0..k: k"),
    ],
)
def test_no_quantifier_captures_what_comes_in(before: str, values: dict[str, str], after: str) -> None:
    changed = substitute(parse_expression(before), {name: parse_expression(text) for name, text in values.items()})
    assert print_expression(changed) == after


def test_calls_are_changed_wherever_they_stand() -> None:
    expr = parse_expression("forall k in f(1)..2: a[f(k)] = -f(f(k)) + 1")
    changed = map_calls(expr, lambda call: Binary("+", call.arguments[0], number(5)))
    assert "f(" not in print_expression(changed)


def test_columns_of_entry_values() -> None:
    assert entry_column("n") == print_expression(Old("n")) == "old(n)"
    assert [column_leaf(column) for column in ("n", "old(n)")] == [Name("n"), Old("n")]
    assert inputs_told({"n": 1, "old(n)": 5, "m": 2, "x": 3}, ["n", "m", "k"]) == {"n": 5, "m": 2}
