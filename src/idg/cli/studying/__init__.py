"""The commands of `idg study`."""
