"""From a checked program to the few kinds of statements that printers write. `lowering.py` is the door."""
