"""Records behave as frozen dataclasses do."""

from __future__ import annotations

import copy
import pickle

import pytest

from idg.sip.errors import Problem
from idg.sip.limits import RunLimits
from idg.sip.syntax import TYPES, Binary, Name, Number, Span

X, ONE = Name("x", Span(0, 1)), Number(1)


def test_equality_and_hash_pass_over_spans() -> None:
    assert Name("x") == X
    assert hash(Name("x")) == hash(X)
    assert Binary("+", X, ONE) == Binary("+", Name("x"), Number(1, Span(4, 5)))
    assert Binary("+", X, ONE) != Binary("-", X, ONE)
    assert Name("x") != Number(1)
    assert len({X, Name("x"), ONE}) == 2


def test_only_syntax_passes_over_spans() -> None:
    assert Problem("empty", "nothing", Span(0, 1)) != Problem("empty", "nothing", Span(1, 2))


def test_records_are_frozen() -> None:
    with pytest.raises(AttributeError, match="frozen"):
        X.name = "y"  # type: ignore[misc]
    with pytest.raises(AttributeError, match="frozen"):
        del X.name
    with pytest.raises(AttributeError):
        X.other = 1


def test_construction_by_position_and_name_with_defaults() -> None:
    assert RunLimits(7).steps_max == RunLimits(steps_max=7).steps_max == 7
    assert RunLimits(7).rows_max == RunLimits().rows_max
    with pytest.raises(TypeError):
        Name()  # type: ignore[call-arg]
    with pytest.raises(TypeError):
        RunLimits(steps=7)  # type: ignore[call-arg]


def test_records_print_match_copy_and_pickle() -> None:
    whole = Binary("+", X, ONE, Span(0, 5))
    assert repr(whole) == "Binary(op='+', left=Name(name='x'), right=Number(value=1))"
    match whole:
        case Binary("+", Name(name), Number(value)):
            assert (name, value) == ("x", 1)
        case _:
            pytest.fail("no match")
    for copied in (pickle.loads(pickle.dumps(whole)), copy.deepcopy(whole)):
        assert copied == whole
        assert copied.span == Span(0, 5)


def test_a_copied_or_pickled_type_is_the_type_itself() -> None:
    for kind in TYPES.values():
        assert pickle.loads(pickle.dumps(kind)) is copy.deepcopy(kind) is copy.copy(kind) is kind
