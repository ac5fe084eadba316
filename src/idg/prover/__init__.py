"""The prover: a query is answered by Proved, Refuted with a state, or Unknown. No other package imports a solver.

prove.py is the door. Other packages import the modules of this folder and none from the folders below it, except the plug-ins and
the package `horn` (tests/house/test_tidy.py has the list).
"""
