"""Verification problems as logic: SyGuS's invariant track (.sl) and Horn clauses in SMT-LIB (.smt2), read as SIP."""

from idg.importer.horn.answers import AnswerForm
from idg.importer.horn.reader import read_clauses, read_sygus

__all__ = ["AnswerForm", "read_clauses", "read_sygus"]
