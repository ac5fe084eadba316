"""Studies on a server: who takes part, in which arm, and what each arm may see."""
