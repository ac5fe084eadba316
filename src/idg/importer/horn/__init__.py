"""Verification problems as logic: SyGuS's invariant track (.sl) and Horn clauses in SMT-LIB (.smt2), read as SIP."""

from collections.abc import Callable

from idg.importer.horn.answers import AnswerForm
from idg.importer.horn.clauses import read_clauses
from idg.importer.horn.sygus import read_sygus
from idg.importer.results import Imported, ImportRefused


def import_logic(text: str, read: Callable[[str], Imported]) -> Imported:
    """The program that a problem is read as, by `read_sygus` or `read_clauses`. Raises ImportRefused."""
    try:
        return read(text)
    except RecursionError:
        raise ImportRefused(1, 1, "expressions are nested too deeply, somewhere in the text") from None


__all__ = ["AnswerForm", "import_logic", "read_clauses", "read_sygus"]
