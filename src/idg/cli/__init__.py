"""The command line. A command's module is imported only when that command is given, because `idg check` must start quickly."""
