"""Tools for developers; nothing here is part of the package."""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# The random expressions and the simple interpreter live beside the tests, where pytest finds them by its own setting.
sys.path.insert(0, str(ROOT / "tests"))
