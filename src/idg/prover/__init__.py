"""One door to every prover: a query → Proved, Refuted with a state, or Unknown. The only package that imports a solver."""
