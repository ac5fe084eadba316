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

from idg.sip.errors import SipError
from idg.sip.limits import RunLimits
from idg.sip.program import Program, load

__all__ = ["Program", "RunLimits", "SipError", "load"]
__version__ = "0.1.0"
