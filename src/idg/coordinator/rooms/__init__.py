"""Rooms: the moves in them, judging, replay, and what all rooms of a level know together."""
