"""Participants who are simulated: as rows only, or as players on a running server."""
