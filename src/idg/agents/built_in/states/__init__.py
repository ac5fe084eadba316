"""The states that the agent looks at: those that runs reach, those of runs too long to be made, and states near them."""
