"""How a command tells its result: as a text, or with `--json` as one object that begins with `"ok": true`.

Refusals have the same first field, as false, and `problems` (cli/errors.py).
"""

from __future__ import annotations

import argparse
import json


def tell(options: argparse.Namespace, text: str, /, **fields: object) -> None:
    """Prints the text, or these fields as JSON where that was asked for."""
    if options.json:
        print(json.dumps({"ok": True, **fields}, ensure_ascii=False, indent=1))
    else:
        print(text)


def json_argument(parser: argparse.ArgumentParser, what: str = "the same as JSON") -> None:
    parser.add_argument("--json", action="store_true", help=what)
