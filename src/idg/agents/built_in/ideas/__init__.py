"""Sources of candidates for the built-in agent: the program's text, and the states that runs reach.

Nothing here is trusted, so a source may be wrong, but it should be seldom wrong: every candidate that survives costs a proof
attempt. Where a bound of these modules gives no reason for its size, the size was chosen by measurement on the development suites
(the levels and the programs that `python -m bench agents` plays). A larger bound costs time on every program; a smaller one misses
candidates on some.
"""
