"""The solvers, which are otherwise imported when they are first needed."""

from __future__ import annotations

from importlib import import_module

SOLVERS = ("cvc5", "flint", "z3")
"""The packages that the prover and the second verifier ask."""
IMPORTERS = ("idg.prover.smt.cvc5_stage", "idg.prover.smt.z3_stage", "idg.prover.horn.formulas")
"""Our modules that are imported together with a solver."""


def load_solvers() -> None:
    """Import everything that answers may need. Engine workers do so before they are confined, benchmarks before they measure."""
    for module in (*SOLVERS, *IMPORTERS):
        import_module(module)
