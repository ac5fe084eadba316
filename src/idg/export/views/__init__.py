"""Programs as they look in Python and in C, for readers who know these. `views.py` is the door.

A view means what the program means: where it runs, it gives the same result, prints the same and fails where a run of the program
fails. What a language cannot say is refused, with the reason.
"""
