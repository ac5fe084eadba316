"""Players: tokens, scores, and progress as a file."""
