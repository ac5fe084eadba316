"""What a command ends with: its exit code, or the error that says why it could not be carried out.

This is a module of its own because `python -m idg.cli.main` loads main.py under the name `__main__`. A class defined there would
exist a second time as soon as a command imports `idg.cli.main`, and `except UsageError` in the one would not catch the other.
"""

from __future__ import annotations

SUCCESS, NEGATIVE, USAGE = 0, 1, 2
"""The exit codes: yes; no (problems were found, an obligation or an expression fails); the command could not be carried out."""
INTERRUPTED = 130
"""The exit code after Ctrl-C, as shells have it: 128 plus the number of SIGINT."""


class UsageError(Exception):
    """A command that cannot be carried out as it was given; the message says what was expected."""


Told = dict[str, object]
"""A problem as JSON tells it: code, message, where (None where there is no place) and hint."""


class ProgramRefused(SystemExit):
    """Ends a command because of its program. What is wrong was printed on standard error; `problems` are the same as data."""

    def __init__(self, problems: list[Told]) -> None:
        super().__init__(NEGATIVE)
        self.problems = problems


def told_problem(code: str, message: str, where: dict[str, int] | None = None, hint: str = "") -> Told:
    return {"code": code, "message": message, "where": where, "hint": hint}


def tell_as_json(options: object, problems: list[Told]) -> None:
    """Prints the problems where JSON was asked for, in the shape of `idg check --json`, so that whoever reads it gets an answer."""
    if getattr(options, "json", False) is True:
        import json

        print(json.dumps({"ok": False, "problems": problems}, ensure_ascii=False, indent=1))
