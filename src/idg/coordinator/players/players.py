"""Players: anonymous until they choose a name, known by a random token of which only the hash is stored."""

from __future__ import annotations

import hashlib
import secrets
from collections import OrderedDict
from collections.abc import Callable

from idg.coordinator.errors import ApiError
from idg.coordinator.store import PlayerRow, Store

TOKEN_BYTES = 32
CODE_LETTERS = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"
CONTINUE_CODE_CHARS = 8
CONTINUE_CODE_SECONDS = 15 * 60
PLAYERS_KEPT = 20_000
NAMES = (
    "Ada", "Alan", "Alonzo", "Barbara", "Edsger", "Emmy", "Euclid", "Evariste", "Grace", "Hypatia", "Kurt", "Leonhard", "Noether",
    "Pascal", "Robert", "Sofia", "Srinivasa", "Stephen", "Tony", "Zeno",
)  # fmt: skip
"""First names until somebody chooses one."""


def hashed(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()


class Players:
    def __init__(self, store: Store, clock: Callable[[], float]) -> None:
        self.store = store
        self.clock = clock
        self._by_token: OrderedDict[str, PlayerRow] = OrderedDict()

    async def create(self, name: str | None, agent: bool) -> tuple[PlayerRow, str]:
        """A new player and their token, which is told once."""
        token = secrets.token_urlsafe(TOKEN_BYTES)
        name = name or f"{secrets.choice(NAMES)} {secrets.randbelow(90) + 10}"
        player = PlayerRow(secrets.token_urlsafe(9), name, agent, self.clock())
        await self.store.new_player(player, hashed(token), player.time)
        self._keep(hashed(token), player)
        return player, token

    async def of_token(self, token: str) -> PlayerRow:
        key = hashed(token)
        found = self._by_token.get(key)
        if found is None:
            found = await self.store.player_by_token(key, self.clock())
            if found is None:
                raise ApiError("wrong-token", "this token is not known here", hint="POST /api/players gives a new one")
            self._keep(key, found)
        return found

    async def rename(self, player: PlayerRow, name: str) -> PlayerRow:
        await self.store.rename(player.id, name)
        renamed = PlayerRow(player.id, name, player.agent, player.time)
        for key, each in self._by_token.items():
            if each.id == player.id:
                self._by_token[key] = renamed
        return renamed

    async def new_code(self, player: PlayerRow) -> tuple[str, float]:
        """A code that continues as this player on another device, once, and until when."""
        code = "".join(secrets.choice(CODE_LETTERS) for _ in range(CONTINUE_CODE_CHARS))
        expires = self.clock() + CONTINUE_CODE_SECONDS
        await self.store.put_token(player.id, hashed(code), "code", expires, self.clock())
        return code, expires

    async def continue_as(self, code: str) -> tuple[PlayerRow, str]:
        """The player whose code it is, with a token of its own for this device."""
        player = await self.store.take_code(hashed(code.strip().upper()), self.clock())
        if player is None:
            raise ApiError(
                "wrong-code",
                "this code is not known, was used already, or is older than 15 minutes",
                hint="make a new code on the device where you played before",
            )
        token = secrets.token_urlsafe(TOKEN_BYTES)
        await self.store.put_token(player.id, hashed(token), "bearer", None, self.clock())
        return player, token

    async def forget(self, token: str) -> None:
        self._by_token.pop(hashed(token), None)
        await self.store.drop_token(hashed(token))

    def _keep(self, key: str, player: PlayerRow) -> None:
        self._by_token[key] = player
        if len(self._by_token) > PLAYERS_KEPT:
            self._by_token.popitem(last=False)
