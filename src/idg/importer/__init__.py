"""C programs of the public verification suites, read as SIP."""

from idg.importer.importer import import_c
from idg.importer.results import Imported, Input, Note, Refused

__all__ = ["Imported", "Input", "Note", "Refused", "import_c"]
