"""Verification conditions: what has to be proved of a program, as hypotheses and goals that are SIP expressions."""
