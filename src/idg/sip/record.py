"""Frozen records: what `@dataclass(frozen=True, slots=True)` gives, at a fraction of its start-up time.

`idg check` must start quickly. On Python 3.11 the dataclasses module takes 8 ms to import and 0.6 ms for each class, and the syntax
alone has nearly thirty classes: that would take longer than the rest of the command. A record class takes 0.1 ms, and making a
record is a little quicker, too. Type checkers treat records as frozen dataclasses (PEP 681).
"""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

if TYPE_CHECKING:
    from typing import ClassVar, dataclass_transform
else:

    def dataclass_transform(**_: object) -> Callable[[type], type]:
        return lambda cls: cls


def _make_init(name: str, fields: tuple[str, ...], defaults: dict[str, object], setters: list[Callable[[Any, Any], None]]) -> Any:
    names: dict[str, object] = {f"set_{index}": setter for index, setter in enumerate(setters)}
    names |= {f"default_{field}": value for field, value in defaults.items()}
    arguments = ", ".join(f"{field}=default_{field}" if field in defaults else field for field in fields)
    body = "; ".join(f"set_{index}(self, {field})" for index, field in enumerate(fields))
    exec(f"def __init__(self, {arguments}): {body or 'pass'}", names)
    init: Any = names["__init__"]
    init.__qualname__ = f"{name}.__init__"
    return init


@dataclass_transform(frozen_default=True)
class _RecordType(type):
    def __new__(mcs, name: str, bases: tuple[type, ...], namespace: dict[str, Any]) -> Any:
        if not bases:
            namespace["__slots__"] = ()
            return super().__new__(mcs, name, bases, namespace)
        fields = tuple(namespace.get("__annotations__", ()))
        defaults = {field: namespace.pop(field) for field in fields if field in namespace}
        passed_over: tuple[str, ...] = getattr(bases[0], "passed_over", ())
        compared = [field for field in fields if field not in passed_over]
        namespace["__slots__"] = namespace["__match_args__"] = fields
        namespace["_key"] = staticmethod(attrgetter(*compared)) if compared else staticmethod(lambda _: ())
        namespace["_compared"] = compared
        namespace["_shown"] = f"{name}({', '.join(f'{field}={{!r}}' for field in compared)})"
        cls = super().__new__(mcs, name, bases, namespace)
        setters = [cls.__dict__[field].__set__ for field in fields]
        cls.__init__ = _make_init(name, fields, defaults, setters)  # type: ignore[misc]
        return cls


class Record(metaclass=_RecordType):
    """Subclass it with annotated fields, as for a dataclass. Records do not inherit fields from each other."""

    passed_over: ClassVar[tuple[str, ...]] = ()
    """Names of fields that take no part in equality, hash and repr. It counts for the subclasses of the class that sets it."""

    if TYPE_CHECKING:
        _compared: ClassVar[list[str]]
        _shown: ClassVar[str]
        __match_args__: ClassVar[tuple[str, ...]]

        @staticmethod
        def _key(record: object) -> Any: ...

    def __eq__(self, other: object) -> bool:
        if self.__class__ is not other.__class__:
            return NotImplemented
        return bool(self._key(self) == self._key(other))

    def __hash__(self) -> int:
        return hash((self.__class__, self._key(self)))

    def __repr__(self) -> str:
        # It takes one Python frame for each record, because trees are deep.
        key = self._key(self)
        return self._shown.format(*key) if len(self._compared) != 1 else self._shown.format(key)

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"{type(self).__name__} is frozen: cannot assign {name}")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"{type(self).__name__} is frozen: cannot delete {name}")

    def __reduce__(self) -> tuple[Callable[..., object], tuple[object, ...]]:
        # Some defaults are read-only views of a mapping, which cannot be pickled.
        values = (getattr(self, field) for field in self.__match_args__)
        return type(self), tuple(dict(value) if isinstance(value, MappingProxyType) else value for value in values)


_R = TypeVar("_R", bound=Record)


def replace(record: _R, **changes: object) -> _R:
    """The record with some fields changed."""
    fields: dict[str, Any] = {field: getattr(record, field) for field in record.__match_args__}
    return type(record)(**{**fields, **changes})
