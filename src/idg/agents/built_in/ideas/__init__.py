"""Sources of candidates for the built-in agent."""
