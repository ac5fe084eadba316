"""The built-in agent: it collects candidates from its ideas, and the engine judges them."""
