"""Verification conditions: a list of statements that ends in one assert → hypotheses and goal as SIP expressions."""
