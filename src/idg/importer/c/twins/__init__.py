"""The twin of an imported C file: its own text with traces as a C program, and the reading of the same text."""
