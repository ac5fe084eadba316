"""States: inputs of runs, the runs, states near them, and those that are shown because they have to be ruled out."""
