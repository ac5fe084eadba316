"""The units of work, by topic: rooms, players, programs, classes, studies, learning platforms."""
