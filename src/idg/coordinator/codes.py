"""The codes that people tell each other: with one, others join a room, or a player continues on another device."""

from __future__ import annotations

import secrets

CODE_LETTERS = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"
"""The letters and digits of codes. Those that are easily mistaken for each other are left out."""
CODE_CHARS = 8
"""How many letters and digits a new code has. There are 31 to the power of 8 codes, more than 2 to the power of 39. With the limit
on wrong codes, none that is in use can be guessed. Rooms of earlier versions keep their codes of six."""


def new_code() -> str:
    return "".join(secrets.choice(CODE_LETTERS) for _ in range(CODE_CHARS))
