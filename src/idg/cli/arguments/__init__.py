"""The arguments of the larger families of commands, and what they have in common."""
