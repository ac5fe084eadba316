"""Python functions over int, bool and Fraction, read as SIP."""

from idg.importer.python.reader import import_python

__all__ = ["import_python"]
