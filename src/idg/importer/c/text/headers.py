"""The files that a C text includes by `#include "..."`, for whoever can read files."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from posixpath import dirname, join, normpath

from idg.importer.c.text.tokens import quoted_includes

HEADERS_MAX = 20
"""How many included files are read for one program; further ones are not read."""


def headers_beside(file: str, text: str, read: Callable[[str], str]) -> dict[str, str]:
    """The texts of the files that the text of `file` includes, and those of the files that these include, by their paths from the
    file's folder. Only files that exist are read; system headers, named in `<...>`, are not."""
    folder = Path(file).resolve().parent
    headers: dict[str, str] = {}
    wanted = list(map(normpath, quoted_includes(text)))
    while wanted and len(headers) < HEADERS_MAX:
        name = wanted.pop(0)
        if name not in headers and (folder / name).is_file():
            headers[name] = read(str(folder / name))
            wanted += [normpath(join(dirname(name), included)) for included in quoted_includes(headers[name])]
    return headers
