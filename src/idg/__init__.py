"""IDG, the Invariant Discovery Game: its language, its levels and its reasoning engine.

>>> import idg
>>> program = idg.load("fn main(n: nat) { var i: int; i := 0; while (i < n) { i := i + 1; } assert(i = n); }")
>>> print(program.run(n=2).trace.evaluate("i <= n"))
row  n  i  i <= n
---  -  -  ------
  1  2  0       ✓
  2  2  1       ✓
  3  2  2       ✓
i <= n: holds in all 3 rows
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from idg.sip.errors import InputError, SipError
from idg.sip.limits import RunLimits
from idg.sip.program import Program, load

if TYPE_CHECKING:
    from idg import importer
    from idg.agents.solving import solve
    from idg.engine.session import Session

__all__ = ["InputError", "Program", "RunLimits", "Session", "SipError", "importer", "load", "solve"]
__version__ = "0.2.0"


def __getattr__(name: str) -> object:
    """The engine brings solvers along, which take a while to import: only whoever asks for them pays for that."""
    if name == "Session":
        from idg.engine.session import Session

        return Session
    if name == "solve":
        from idg.agents.solving import solve

        return solve
    if name == "importer":
        from importlib import import_module

        return import_module("idg.importer")
    raise AttributeError(f"module 'idg' has no attribute {name!r}")


def __dir__() -> list[str]:
    """The names of the module, with those that are imported only when they are first asked for."""
    return sorted({*globals(), *__all__})


def load_ipython_extension(shell: Any) -> None:
    """What `%load_ext idg` does in a notebook: it brings the magic `%%sip`."""
    from idg.notebook import register

    register(shell)
