"""Codes that people tell each other, to join a room or to continue on another device; and ids and tokens, which programs use."""

from __future__ import annotations

import secrets

CODE_LETTERS = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"
"""The letters and digits of codes. Those that are easily mistaken for each other are left out."""
CODE_CHARS = 8
"""How many letters and digits a new code has. There are 31 to the power of 8 codes, more than 2 to the power of 39. With the limit
on wrong codes, none that is in use can be guessed. Rooms of earlier versions keep their codes of six."""


def new_code() -> str:
    return "".join(secrets.choice(CODE_LETTERS) for _ in range(CODE_CHARS))


def new_token(random_bytes: int) -> str:
    """A random id or secret that can stand in addresses and on command lines: a first minus would be taken for an option's."""
    while (token := secrets.token_urlsafe(random_bytes)).startswith("-"):
        pass
    return token
