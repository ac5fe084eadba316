"""Proposals judged, now and again: questions to the engine, the judging of what was stored, replay."""
