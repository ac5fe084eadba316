"""Importing this module imports all that jobs need: the process from which jobs are forked does so once, before the first job."""

from __future__ import annotations

from idg.lsp import jobs
from idg.prover.solvers import load_solvers

load_solvers()

__all__ = ["jobs"]
