"""C programs of the public verification suites, read as SIP."""

from idg.importer.importer import import_c
from idg.importer.results import Imported, ImportRefused, Input, Note

__all__ = ["ImportRefused", "Imported", "Input", "Note", "import_c"]
