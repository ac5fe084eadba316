"""The SMT solvers z3 and cvc5, and the text that both of them read."""
