"""Names that a target's language takes: no keyword of it, no name of its library that we use, and all different."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping

_PLAIN = re.compile(r"[a-z][A-Za-z0-9_]*")
"""Names that every target takes unless they are words of its own. Others get a prefix."""


def unused(name: str, taken: Collection[str]) -> str:
    """The name, with underscores at its end where it is taken."""
    while name in taken:
        name += "_"
    return name


def safe_names(names: Iterable[str], reserved: Collection[str], same: Callable[[str], str] = str) -> Mapping[str, str]:
    """A name of the target for each name, in their order. `same`: names that it gives the same value are one to the target."""
    given: dict[str, str] = {}
    taken = {same(word) for word in reserved}
    for name in dict.fromkeys(names):
        safe = name if _PLAIN.fullmatch(name) else f"v_{name}"
        while same(safe) in taken:
            safe += "_"
        taken.add(same(safe))
        given[name] = safe
    return given
