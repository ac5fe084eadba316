"""The command line. Each command is a module, imported only when it is asked for: `idg check` must start quickly."""
