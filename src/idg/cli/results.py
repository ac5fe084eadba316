"""How a command tells its result: as a text, or with `--json` as one object that begins with `ok`.

`ok` is true if and only if the exit code is 0. What could not be carried out has the same first field, as false, and `problems`
(cli/errors.py). Lists of equal things (levels, proposals, games of a league) are JSON lists and have no `ok`.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping


def tell(options: argparse.Namespace, text: str, /, **fields: object) -> None:
    """Prints the text, or these fields as JSON where that was asked for."""
    print(as_json(True, fields) if options.json else text)


def as_json(ok: bool, fields: Mapping[str, object], indent: int | None = 1) -> str:
    """A result as `--json` tells it."""
    import json  # Most commands print no JSON, and `idg check` must start quickly.

    return json.dumps({"ok": ok, **fields}, ensure_ascii=False, indent=indent)


def json_argument(parser: argparse.ArgumentParser, what: str = "the same as JSON") -> None:
    parser.add_argument("--json", action="store_true", help=what)
