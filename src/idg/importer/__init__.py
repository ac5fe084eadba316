"""Other languages, read as SIP: C programs of the public verification suites, Python functions, and problems in logic."""

from typing import TYPE_CHECKING, Any

from idg.importer.python import import_python
from idg.importer.results import Imported, ImportRefused, Input, Note

if TYPE_CHECKING:
    from idg.importer.c.reader import import_c

__all__ = ["ImportRefused", "Imported", "Input", "Note", "import_c", "import_python"]


def __getattr__(name: str) -> Any:
    """`import_c` is loaded when it is first asked for, because it needs a parser of C that a bare install lacks."""
    if name == "import_c":
        from idg.importer.c.reader import import_c

        return import_c
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
