"""Records as JSON: one encoder, one decoder and one description, all derived from the types that the records declare.

    class Point(Record):
        x: int
        label: str = ""

    encode(Point(3))                → {"x": 3}
    decode(Point, {"x": 3})         → Point(x=3, label="")
    decode(Point, {"x": 3, "y": 4}) → WireError: there is no field 'y' in a Point

The rules are few. A field without a default is always written. A field with a default is left out while it has this default.
Values of programs are exact numbers in records and texts in JSON, such as "-7/3", because JSON's numbers are not exact; an array is
the list of the texts of its cells. Decoding is strict: a field that is missing or unknown, or that has another type than declared,
is an error. `object` stands for JSON that is passed on unread.
"""

from __future__ import annotations

import enum
import importlib
import types
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import cache
from typing import Any, Literal, TypeVar, Union, cast, get_args, get_origin, get_type_hints

from idg.sip.record import Record
from idg.sip.syntax import TYPES, Type, type_named
from idg.sip.values import Scalar, Value, ValueJson, format_value, value_json

Json = dict[str, Any]
"""A JSON object."""

_R = TypeVar("_R", bound=Record)
_SCALAR_TYPES, _VALUE_TYPES = frozenset(get_args(Scalar)), frozenset(get_args(Value))
_NOTHING: Mapping[Any, Any] = types.MappingProxyType({})


class Layout(Record):
    """How the JSON of a record differs from its fields; a record class has it as its attribute `layout`."""

    names: Mapping[str, str] = _NOTHING
    """Field → its name in JSON, where the two differ."""
    order: tuple[str, ...] = ()
    """The fields in the order of JSON, where it differs: in Python the fields with defaults come last."""
    skipped: tuple[str, ...] = ()
    """Fields that are not part of the JSON. They have defaults."""
    kept: tuple[str, ...] = ()
    """Fields that are written and required although they have defaults."""
    tag: str = ""
    """The field, a text, that decides about others, as the next two say."""
    fields_of_tag: Mapping[str, tuple[str, ...]] = _NOTHING
    """Tag → the optional fields that a record with this tag has. It has all of them, and no others."""
    body_of_tag: Mapping[str, object] = _NOTHING
    """Tag → the type of the field `body`."""


class WireError(ValueError):
    """JSON that is no record of the wanted type; `path` says where in it."""

    def __init__(self, reason: str, path: tuple[str, ...] = ()) -> None:
        super().__init__(f"{'.'.join(path)}: {reason}" if path else reason)
        self.reason = reason
        self.path = path

    def within(self, name: str) -> WireError:
        return WireError(self.reason, (name, *self.path))


def encode(record: Record) -> Json:
    """The record as a JSON object."""
    return cast(Json, _form(type(record)).encode(record))


def decode(kind: type[_R], data: object) -> _R:
    """The record that a JSON object stands for; WireError where it stands for none."""
    return cast(_R, _form(kind).decode(data))


def decode_any(kind: object, data: object) -> Any:
    """The same as `decode` for any type that a field may have, such as a union of records."""
    return _form(kind).decode(data)


def value_from_text(text: str) -> Scalar:
    """The inverse of `format_value`; ValueError or ZeroDivisionError where the text is no value."""
    if text in ("true", "false"):
        return text == "true"
    number = Fraction(text)
    return number.numerator if number.denominator == 1 else number


def value_from_json(written: ValueJson) -> Value:
    """The inverse of `value_json`; ValueError or ZeroDivisionError where this is no value."""
    return value_from_text(written) if isinstance(written, str) else tuple(map(value_from_text, written))


def schema(*kinds: type[Record]) -> Json:
    """A JSON Schema whose definitions describe these records and all that they refer to, by the names of their classes."""
    definitions: dict[str, Json] = {}
    for kind in kinds:
        _form(kind).describe(definitions)
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "$defs": dict(sorted(definitions.items()))}


class _Form:
    """How values of one type are written, read and described."""

    def __init__(
        self, encode: Callable[[Any], object], decode: Callable[[Any], object], describe: Callable[[dict[str, Json]], Json]
    ) -> None:
        self.encode = encode
        self.decode = decode
        self.describe = describe


@cache
def _form(kind: Any) -> _Form:
    if kind in _PLAIN:
        return _PLAIN[kind]
    if kind is Type:
        return _type_form()
    origin, arguments = get_origin(kind), get_args(kind)
    if origin in (Union, types.UnionType):
        return _union_form(arguments)
    if origin is Literal:
        return _literal_form(arguments)
    if origin is tuple and len(arguments) == 2 and arguments[1] is Ellipsis:
        return _list_form(arguments[0])
    if origin is Mapping and arguments[0] is str:
        return _object_form(arguments[1])
    if isinstance(kind, type) and issubclass(kind, Record):
        return _RecordForm(kind)
    if isinstance(kind, type) and issubclass(kind, enum.Enum):
        return _enum_form(kind)
    raise TypeError(f"fields of the type {kind} cannot be written as JSON")


# plain values


def _checked(kind: type, name: str) -> Callable[[Any], object]:
    def read(data: Any) -> object:
        if type(data) is not kind:
            raise WireError(f"expected {name}, found {_shown(data)}")
        return data

    return read


def _shown(data: object) -> str:
    text = repr(data)
    return text if len(text) <= 60 else f"{text[:57]}..."


def _same(value: Any) -> object:
    return value


def _read_float(data: Any) -> object:
    if type(data) not in (int, float):
        raise WireError(f"expected a number, found {_shown(data)}")
    return float(data)


def _read_scalar(data: Any) -> Scalar:
    if type(data) is not str:
        raise WireError(f"expected a value as a text, found {_shown(data)}")
    try:
        return value_from_text(data)
    except (ValueError, ZeroDivisionError):
        raise WireError(f'expected a value such as "-7/3" or "true", found {_shown(data)}') from None


def _read_value(data: Any) -> Value:
    return tuple(map(_read_scalar, data)) if type(data) is list else _read_scalar(data)


def _read_value_json(data: Any) -> ValueJson:
    """A value as somebody wrote it, which is passed on unread."""
    if type(data) is str or (type(data) is list and all(type(cell) is str for cell in data)):
        return cast(ValueJson, data)
    raise WireError(f"expected a text or a list of texts, found {_shown(data)}")


def _plain(kind: type, name: str, json_type: str) -> _Form:
    return _Form(_same, _checked(kind, name), lambda _: {"type": json_type})


def _described_value(definitions: dict[str, Json]) -> Json:
    texts = {"type": "array", "items": {"type": "string"}}
    meaning = "The exact text of a number, true or false; for an array, the list of the texts of its cells."
    definitions["Value"] = {"anyOf": [{"type": "string"}, texts], "description": meaning}
    return {"$ref": "#/$defs/Value"}


_SCALAR = _Form(format_value, _read_scalar, lambda _: {"type": "string", "description": "an exact number, true or false"})
_VALUE = _Form(value_json, _read_value, _described_value)
_PLAIN: dict[object, _Form] = {
    str: _plain(str, "a text", "string"),
    int: _plain(int, "a whole number", "integer"),
    bool: _plain(bool, "true or false", "boolean"),
    float: _Form(_same, _read_float, lambda _: {"type": "number"}),
    type(None): _plain(type(None), "null", "null"),
    object: _Form(_same, _same, lambda _: {}),
    ValueJson: _Form(_same, _read_value_json, _described_value),
    Scalar: _SCALAR,
    Value: _VALUE,
}


def _literal_form(values: tuple[Any, ...]) -> _Form:
    def read(data: Any) -> object:
        if data not in values:
            raise WireError(f"expected one of {', '.join(map(repr, values))}, found {_shown(data)}")
        return data

    return _Form(_same, read, lambda _: {"enum": list(values)})


def _type_form() -> _Form:
    names = _literal_form(tuple(TYPES))
    return _Form(str, lambda data: type_named(str(names.decode(data))), names.describe)


def _enum_form(kind: type[enum.Enum]) -> _Form:
    values = _literal_form(tuple(member.value for member in kind))
    return _Form(lambda member: member.value, lambda data: kind(values.decode(data)), values.describe)


# lists, objects, unions


def _list_form(item: Any) -> _Form:
    form = _form(item)

    def read(data: Any) -> object:
        if type(data) is not list:
            raise WireError(f"expected a list, found {_shown(data)}")
        try:
            return tuple(map(form.decode, data))
        except WireError as error:
            raise error.within("[]") from None

    def write(values: Any) -> object:
        return list(map(form.encode, values))

    return _Form(
        list if form.encode is _same else write, read, lambda definitions: {"type": "array", "items": form.describe(definitions)}
    )


def _object_form(item: Any) -> _Form:
    form = _form(item)

    def read(data: Any) -> object:
        if type(data) is not dict:
            raise WireError(f"expected an object, found {_shown(data)}")
        try:
            return {name: form.decode(value) for name, value in data.items()}
        except WireError as error:
            raise error.within("{}") from None

    def write(values: Any) -> object:
        return {name: form.encode(value) for name, value in values.items()}

    return _Form(write, read, lambda definitions: {"type": "object", "additionalProperties": form.describe(definitions)})


def _union_form(kinds: tuple[Any, ...]) -> _Form:
    """A value of a program, a type or null, or one of several records, which are told apart by their fields."""
    some = tuple(kind for kind in kinds if kind is not type(None))
    if frozenset(some) in (_SCALAR_TYPES, _VALUE_TYPES):
        form = _SCALAR if frozenset(some) == _SCALAR_TYPES else _VALUE
    elif len(some) == 1:
        form = _form(some[0])
    else:
        form = _records_form(some)
    if len(some) == len(kinds):
        return form
    return _Form(
        lambda value: None if value is None else form.encode(value),
        lambda data: None if data is None else form.decode(data),
        lambda definitions: {"anyOf": [form.describe(definitions), {"type": "null"}]},
    )


def _records_form(kinds: tuple[Any, ...]) -> _Form:
    forms = [_RecordForm(kind) for kind in kinds]

    def read(data: Any) -> object:
        fitting = [form for form in forms if form.fits(data)]
        if len(fitting) != 1:
            names = " or ".join(kind.__name__ for kind in kinds)
            raise WireError(f"expected one of {names}, found {_shown(data)}")
        return fitting[0].decode(data)

    return _Form(encode, read, lambda definitions: {"anyOf": [form.describe(definitions) for form in forms]})


# records


class _RecordForm(_Form):
    def __init__(self, kind: type[Record]) -> None:
        self.kind = kind
        self.layout: Layout = getattr(kind, "layout", Layout())
        self.defaults = {name: value for name, value in _defaults(kind).items() if name not in self.layout.kept}
        field_types = _field_types(kind)
        fields = [name for name in self.layout.order or kind.__match_args__ if name not in self.layout.skipped]
        self.names = {name: self.layout.names.get(name, name) for name in fields}
        """Field → its name in JSON, in the order of the JSON."""
        self.field_types = field_types
        tagged = self.layout.body_of_tag
        self.forms = {name: _form(field_types[name]) for name in fields if not (tagged and name == "body")}
        self.required = frozenset(self.names[name] for name in fields if name not in self.defaults)
        self.known = frozenset(self.names.values())
        super().__init__(self._write, self._read, self._describe)

    def fits(self, data: object) -> bool:
        """Whether the names in a JSON object, and the texts that are one of a few, are those of this record."""
        if type(data) is not dict or not self.required <= data.keys() <= self.known:
            return False
        literal = (name for name in self.forms if get_origin(self.field_types[name]) is Literal)
        return all(data[self.names[name]] in get_args(self.field_types[name]) for name in literal if self.names[name] in data)

    def _write(self, record: Any) -> object:
        data: Json = {}
        for name, json_name in self.names.items():
            value = getattr(record, name)
            if name in self.defaults and value == self.defaults[name]:
                continue
            form = self.forms.get(name)
            data[json_name] = encode(value) if form is None else form.encode(value)
        return data

    def _read(self, data: Any) -> object:
        if type(data) is not dict:
            raise WireError(f"expected an object, found {_shown(data)}")
        self._check_names(data)
        fields: dict[str, object] = {}
        for name, json_name in self.names.items():
            if json_name in data:
                form = self.forms.get(name)
                if form is None:
                    form = self._body_form(data)
                try:
                    fields[name] = form.decode(data[json_name])
                except WireError as error:
                    raise error.within(json_name) from None
        return self.kind(**fields)

    def _check_names(self, data: Json) -> None:
        missing, unknown = self.required - data.keys(), data.keys() - self.known
        if missing or unknown:
            what = f"no field '{min(missing)}'" if missing else f"a field '{min(unknown)}' that is unknown"
            raise WireError(f"there is {what} in a {self.kind.__name__}")
        layout = self.layout
        if layout.fields_of_tag:
            tag = str(data[self.names[layout.tag]])
            wanted = {self.names[name] for name in layout.fields_of_tag.get(tag, ())}
            given = data.keys() - self.required
            if given != wanted:
                raise WireError(f"a {self.kind.__name__} with the {layout.tag} {_shown(tag)} cannot have these fields")

    def _body_form(self, data: Json) -> _Form:
        tag = str(data[self.names[self.layout.tag]])
        if tag not in self.layout.body_of_tag:
            raise WireError(f"there is no {self.layout.tag} {_shown(tag)} of a {self.kind.__name__}")
        return _form(self.layout.body_of_tag[tag])

    def _describe(self, definitions: dict[str, Json]) -> Json:
        reference = {"$ref": f"#/$defs/{self.kind.__name__}"}
        if self.kind.__name__ in definitions:
            return reference
        definitions[self.kind.__name__] = {}
        layout = self.layout
        if layout.fields_of_tag:
            described: Json = {
                "oneOf": [self._describe_one(definitions, tag, names) for tag, names in layout.fields_of_tag.items()]
            }
        elif layout.body_of_tag:
            described = {"oneOf": [self._describe_one(definitions, tag, None) for tag in layout.body_of_tag]}
        else:
            described = self._describe_one(definitions, None, None)
        if self.kind.__doc__:
            described["description"] = self.kind.__doc__.split("\n\n")[0].strip()
        definitions[self.kind.__name__] = described
        return reference

    def _describe_one(self, definitions: dict[str, Json], tag: str | None, optional: tuple[str, ...] | None) -> Json:
        properties: Json = {}
        required: list[str] = []
        for name, json_name in self.names.items():
            if optional is not None and name in self.defaults and name not in optional:
                continue
            if tag is not None and name == self.layout.tag:
                properties[json_name] = {"const": tag}
            elif name in self.forms:
                properties[json_name] = self.forms[name].describe(definitions)
            else:
                properties[json_name] = _form(self.layout.body_of_tag[tag or ""]).describe(definitions)
            if name in self.defaults:
                # A field that is None is left out, so null is never written.
                properties[json_name] = _without_null(properties[json_name])
            if name not in self.defaults or (optional is not None and name in optional):
                required.append(json_name)
        return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}


def _without_null(described: Json) -> Json:
    options = [option for option in described.get("anyOf", ()) if option != {"type": "null"}]
    return cast(Json, options[0]) if len(options) == 1 else described


def _field_types(kind: type[Record]) -> dict[str, Any]:
    """The declared types of a record's own fields."""
    declared = types.SimpleNamespace(__annotations__=dict(kind.__annotations__))
    return get_type_hints(declared, vars(importlib.import_module(kind.__module__)))


def _defaults(kind: type[Record]) -> dict[str, object]:
    values: tuple[object, ...] = vars(kind)["__init__"].__defaults__ or ()
    return dict(zip(kind.__match_args__[len(kind.__match_args__) - len(values) :], values, strict=True))
