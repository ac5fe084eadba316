"""What reading and running programs costs, and how soon a command or an editor has its answer."""
