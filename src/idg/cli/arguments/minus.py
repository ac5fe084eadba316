"""Arguments that begin with a minus and are no options, which argparse would take for some."""

from __future__ import annotations

import re
from collections.abc import Sequence

_ID_WITH_MINUS = re.compile(r"-[A-Za-z0-9_-]{21}")
"""A room's id that looks like an option: 16 random bytes in 22 letters."""


def joined_arguments(arguments: Sequence[str]) -> list[str]:
    """Joins `-e` and an expression that starts with a minus, because argparse would take `-odd < 0` for an option.

    For example `-e "-odd < 0"` becomes the one argument `-e-odd < 0`."""
    joined: list[str] = []
    if list(arguments[:1]) in (["replay"], ["export"]):
        # Rooms of earlier versions may have ids that start with a minus, too.
        ids = [argument for argument in arguments if _ID_WITH_MINUS.fullmatch(argument)]
        arguments = [*(argument for argument in arguments if argument not in ids), *(["--", *ids] if ids else [])]
    waiting = iter(arguments)
    for argument in waiting:
        if argument == "--":
            return [*joined, argument, *waiting]
        following = next(waiting, None) if argument in ("-e", "--expression") else None
        if following and following.startswith("-"):
            joined.append(f"{argument}={following}" if argument.startswith("--") else argument + following)
        else:
            joined += [argument] if following is None else [argument, following]
    return joined
