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
