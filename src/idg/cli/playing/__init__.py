"""Commands that play: a person on a terminal, the built-in agent, and agents of others."""
