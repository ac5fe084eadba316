"""Names of other languages as names of SIP."""

from __future__ import annotations

from collections.abc import Iterable

from idg.sip.operators import RESERVED

SPELLED_CHARS_MAX = 60
"""Characters of a name that is kept as it is. SIP allows more; some are left for the numbers of renamed ones."""


class Spelling:
    """Gives each variable a name that SIP allows and that nothing else has."""

    def __init__(self, taken: Iterable[str]) -> None:
        self.taken = {*taken, *RESERVED}

    def of(self, name: str) -> str:
        plain = "".join(letter if letter.isascii() and (letter.isalnum() or letter == "_") else "_" for letter in name)
        plain = plain[:SPELLED_CHARS_MAX]
        spelled, number = plain, 1
        while spelled in self.taken:
            number += 1
            spelled = f"{plain}_{number}"
        self.taken.add(spelled)
        return spelled
