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

from typing import TYPE_CHECKING

from idg.sip.errors import InputError, SipError
from idg.sip.limits import RunLimits
from idg.sip.program import Program, load

if TYPE_CHECKING:
    from idg.engine.session import Session

__all__ = ["InputError", "Program", "RunLimits", "Session", "SipError", "load"]
__version__ = "0.2.0"


def __getattr__(name: str) -> object:
    """The engine brings solvers along, which take a while to import: only whoever asks for a Session pays for them."""
    if name == "Session":
        from idg.engine.session import Session

        return Session
    raise AttributeError(f"module 'idg' has no attribute {name!r}")
