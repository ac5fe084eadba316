"""The door: a program as another language shows it."""

from __future__ import annotations

from idg.export.views.c import CView
from idg.export.views.python import PythonView
from idg.export.views.terms import ViewRefused
from idg.sip.program import Program

LANGUAGES = ("sip", "python", "c")
"""The languages in which a program can be shown."""


def program_as(program: Program, language: str) -> str:
    """The text of the program in one of the languages. Raises ViewRefused where it cannot be said so that it means the same."""
    if language == "sip":
        return program.text
    return (PythonView(program) if language == "python" else CView(program)).text()


__all__ = ["LANGUAGES", "ViewRefused", "program_as"]
