"""Values and their texts.

Whole numbers are ints and other rationals are Fractions. In JSON all numbers are strings, so that nobody rounds them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from fractions import Fraction

from idg.sip.checking.types import with_article
from idg.sip.errors import InputError
from idg.sip.limits import ARRAY_CELLS_MAX, LITERAL_DIGITS_MAX, VARIABLE_BITS_MAX
from idg.sip.syntax import Type

__all__ = [
    "Array", "Given", "InputError", "Scalar", "State", "Value", "ValueJson", "bit_size", "bounded_repr", "cells", "fit",
    "fit_value", "format_value", "initial", "parse_value", "read_value", "scalar", "short_value", "typed_inputs",
    "value_json", "values_json", "zero",
]  # fmt: skip

Scalar = bool | int | Fraction
"""A number or a truth value: what every expression evaluates to."""
Array = tuple[Scalar, ...]
"""The cells of an array."""
Value = Scalar | Array
"""What a variable may hold: a scalar, or the cells of an array."""
Given = Value | str | Sequence[Scalar | str]
"""What may be given for a value: itself, its text, or an array's cells or their texts."""
ValueJson = str | list[str]
"""A value in JSON: the text of a scalar, or those of an array's cells."""
State = Mapping[str, Value]
"""Values of variables, by their names."""

SHOWN_DIGITS_MAX = 40
"""Characters of a value that are shown to people; longer ones are cut."""
SHOWN_CELLS_MAX = 12
"""Cells of an array that are shown to people; of a longer array its first and its last cells are."""
SHOWN_REPR_CHARS_MAX = 60
"""Characters of any other object that a message shows."""
_CHUNK_DIGITS = 4_000
"""Digits that are written at once, because Python refuses to write integers with more than 4,300."""
_INPUT = re.compile(r"([^\W\d]\w*)\s*=")
_VALUE_TEXT = re.compile(r"[-+−]?[0-9]+(?:\.[0-9]+|/[0-9]+)?")


def scalar(value: Value) -> Scalar:
    """The value of a variable whose type is no array."""
    assert not isinstance(value, tuple)
    return value


def cells(value: Value) -> tuple[Scalar, ...]:
    """The cells of an array; a scalar is its own only cell."""
    return value if isinstance(value, tuple) else (value,)


def bit_size(value: int | Fraction) -> int:
    """The bits of a number as the bounds count them: of a fraction, those of numerator and denominator together."""
    if isinstance(value, int):
        return value.bit_length()
    bits = value.numerator.bit_length()
    return bits if value.denominator == 1 else bits + value.denominator.bit_length()


def typed_inputs(text: str) -> list[tuple[str, str]] | None:
    """The inputs in a text such as `n = 3, a = [1, 2]`: each name with the text of its value. None where a value has no name.

    A value reaches to the next name, because the cells of an array have commas between, too.
    """
    before, *parts = _INPUT.split(text.strip())
    if before:
        return None
    return [(name, value.strip(", ")) for name, value in zip(parts[::2], parts[1::2], strict=True)]


def format_value(value: Value) -> str:
    """The exact text: "true", "-12", "7/3", and "[1, 2]" for an array."""
    if isinstance(value, tuple):
        return f"[{', '.join(map(format_value, value))}]"
    if value is True or value is False:
        return "true" if value else "false"
    if value.denominator == 1:
        return _digits(value.numerator)
    return f"{_digits(value.numerator)}/{_digits(value.denominator)}"


def value_json(value: Value) -> ValueJson:
    """The value in JSON: its exact text, or the list of the texts of an array's cells."""
    return list(map(format_value, value)) if isinstance(value, tuple) else format_value(value)


def values_json(values: Mapping[str, Value]) -> dict[str, ValueJson]:
    """The values of variables in JSON, by their names."""
    return {name: value_json(value) for name, value in values.items()}


def _digits(number: int) -> str:
    if number < 0:
        return "-" + _digits(-number)
    if number.bit_length() < 3 * _CHUNK_DIGITS:
        return str(number)
    chunks = []
    base = 10**_CHUNK_DIGITS
    while number >= base:
        number, chunk = divmod(number, base)
        chunks.append(str(chunk).rjust(_CHUNK_DIGITS, "0"))
    return "".join([str(number), *reversed(chunks)])


def short_value(value: Value) -> str:
    """The text for people: very long numbers are cut in the middle, and their length is told; so are long arrays."""
    if isinstance(value, tuple):
        return _short_array(value)
    text = format_value(value)
    if len(text) <= SHOWN_DIGITS_MAX:
        return text
    half = SHOWN_DIGITS_MAX // 4
    return f"{text[:half]}…{text[-half:]} ({len(text.lstrip('-')):,} digits)"


def _short_array(cells: tuple[Scalar, ...]) -> str:
    if len(cells) <= SHOWN_CELLS_MAX:
        return f"[{', '.join(map(short_value, cells))}]"
    half = SHOWN_CELLS_MAX // 2
    first, last = (", ".join(map(short_value, part)) for part in (cells[:half], cells[-half:]))
    return f"[{first}, …, {last}] ({len(cells):,} cells)"


def parse_value(text: str, kind: Type) -> Scalar:
    """The value of this type that the text means. Raises InputError where there is none."""
    written = text.strip()
    if kind is Type.BOOL:
        if written.lower() in ("true", "false"):
            return written.lower() == "true"
        raise InputError(f"expected true or false, found {_shown(written)}")
    if not _VALUE_TEXT.fullmatch(written):
        example = "12, -7, 0.5 or 7/3" if kind is Type.RAT else "12" if kind is Type.NAT else "12 or -7"
        raise InputError(f"expected {with_article(kind)} such as {example}, found {_shown(written)}")
    if len(written) > LITERAL_DIGITS_MAX:
        raise InputError(f"this number has more than {LITERAL_DIGITS_MAX:,} digits")
    if re.search(r"/0+$", written):
        raise InputError(f"expected {with_article(kind)}, found a division by zero in {_shown(written)}")
    return fit(Fraction(written.replace("−", "-")), kind)


def read_value(given: object, kind: Type) -> Value:
    """The value of this type that is given as such or as a text. An array is a list of either, or a text such as 3, 1, 2.

    Raises InputError where there is none.
    """
    if kind.element is None:
        return parse_value(given, kind) if isinstance(given, str) else fit(given, kind)
    if isinstance(given, str):
        written = given.strip().removeprefix("[").removesuffix("]").strip()
        given = written.split(",") if written else []
    if not isinstance(given, list | tuple):
        raise InputError(f"expected {with_article(kind)} such as 3, 1, 2, found {bounded_repr(given)}")
    if len(given) > ARRAY_CELLS_MAX:
        raise InputError(f"this array has {len(given):,} cells; at most {ARRAY_CELLS_MAX:,} are allowed")
    values: list[Scalar] = []
    for index, cell in enumerate(given):
        try:
            values.append(parse_value(cell, kind.element) if isinstance(cell, str) else fit(cell, kind.element))
        except InputError as error:
            raise InputError(f"cell {index}: {error}") from None
    return tuple(values)


def _shown(text: str) -> str:
    return f"'{text}'" if len(text) <= SHOWN_DIGITS_MAX else f"'{text[:SHOWN_DIGITS_MAX]}…'"


def fit_value(value: Value, kind: Type) -> Value:
    """The value as one of this type, which may be one of arrays. Raises InputError where it does not fit."""
    if kind.element is None:
        return fit(value, kind)
    if not isinstance(value, tuple):
        raise InputError(f"expected {with_article(kind)}, found {bounded_repr(value)}")
    return tuple(fit(cell, kind.element) for cell in value)


def fit(value: object, kind: Type) -> Scalar:
    """The value as one of this type; whole Fractions become ints. Raises InputError where it does not fit."""
    item = getattr(value, "item", None)
    if item is not None and type(value).__module__ == "numpy" and getattr(value, "shape", None) == ():
        value = item()  # A number or a truth value of numpy, as notebooks are full of; its floats are refused like all floats.
    if kind is Type.BOOL or isinstance(value, bool):
        if kind is Type.BOOL and isinstance(value, bool):
            return value
        raise InputError(f"expected {with_article(kind)}, found {bounded_repr(value)}")
    if not isinstance(value, int | Fraction):
        raise InputError(f"expected {with_article(kind)} (an int, a Fraction or a text), found {bounded_repr(value)}")
    number = value.numerator if value.denominator == 1 else value
    if kind is not Type.RAT and not isinstance(number, int):
        raise InputError(f"expected {with_article(kind)}, but {short_value(number)} is not whole")
    if kind is Type.NAT and number < 0:
        raise InputError(f"expected a nat (0, 1, 2, …), but {short_value(number)} is negative")
    if bit_size(number) > VARIABLE_BITS_MAX:
        raise InputError(f"this number has {bit_size(number):,} bits; at most {VARIABLE_BITS_MAX:,} are allowed")
    return number


def bounded_repr(value: object) -> str:
    """Any object as a short text, for error messages."""
    if type(value) in (int, Fraction):
        return short_value(value)  # type: ignore[arg-type]
    try:
        text = repr(value)
    except Exception:  # Whatever a foreign __repr__ raises, the message must not fail.
        text = f"a {type(value).__name__}"
    return text if len(text) <= SHOWN_REPR_CHARS_MAX else text[: SHOWN_REPR_CHARS_MAX - 1] + "…"


def zero(kind: Type) -> Scalar:
    """The value that a variable of this type has before it is assigned: 0 or false."""
    return False if kind is Type.BOOL else 0


def initial(kind: Type, length: int) -> Value:
    """The value that a declared variable has before it is assigned; of an array, whose length this is, all cells are zeros."""
    return zero(kind) if kind.element is None else (zero(kind.element),) * length
