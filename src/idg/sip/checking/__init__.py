"""Names, types and loops: what must hold before a program can run."""
