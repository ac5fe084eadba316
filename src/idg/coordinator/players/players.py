"""Players. They are anonymous until they choose a name, and known by a random token of which only the hash is stored."""

from __future__ import annotations

import hashlib
import secrets
from collections import OrderedDict
from collections.abc import Callable

from idg.coordinator.codes import new_code
from idg.coordinator.errors import ApiError
from idg.coordinator.quotas import Quotas
from idg.coordinator.store import PlayerRow, Store

TOKEN_BYTES = 32
"""How many random bytes a token has."""
PLAYER_ID_BYTES = 9
"""How many random bytes the id of a player has; ids are no secrets and must only differ."""
CONTINUE_CODE_SECONDS = 15 * 60
"""How long a code can be used."""
PLAYERS_KEPT = 20_000
"""How many tokens are remembered, with their players, so that most requests need not ask the store who makes them."""
NAMES = (
    "Ada", "Alan", "Alonzo", "Barbara", "Edsger", "Emmy", "Euclid", "Evariste", "Grace", "Hypatia", "Kurt", "Leonhard", "Noether",
    "Pascal", "Robert", "Sofia", "Srinivasa", "Stephen", "Tony", "Zeno",
)  # fmt: skip
"""Names for players who have not chosen one; a number is added."""


def hashed(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()


class Players:
    def __init__(self, store: Store, quotas: Quotas, clock: Callable[[], float]) -> None:
        self.store = store
        self.quotas = quotas
        self.clock = clock
        self._by_token: OrderedDict[str, PlayerRow] = OrderedDict()

    async def create(self, name: str | None, agent: bool, address: str = "") -> tuple[PlayerRow, str]:
        """A new player and their token, which cannot be told again; ApiError where too many come from this address."""
        self.quotas.new_player(address)
        token = secrets.token_urlsafe(TOKEN_BYTES)
        name = name or f"{secrets.choice(NAMES)} {secrets.randbelow(90) + 10}"
        player = PlayerRow(secrets.token_urlsafe(PLAYER_ID_BYTES), name, agent, self.clock())
        await self.store.new_player(player, hashed(token), player.time)
        self._keep(hashed(token), player)
        return player, token

    async def of_token(self, token: str) -> PlayerRow:
        key = hashed(token)
        player = self._by_token.get(key)
        if player is None:
            player = await self.store.player_by_token(key, self.clock())
            if player is None:
                raise ApiError("wrong-token", "this token is not known here", hint="POST /api/players gives a new one")
            self._keep(key, player)
        return player

    async def rename(self, player: PlayerRow, name: str) -> PlayerRow:
        await self.store.rename(player.id, name)
        renamed = PlayerRow(player.id, name, player.agent, player.time)
        for key, known in self._by_token.items():
            if known.id == player.id:
                self._by_token[key] = renamed
        return renamed

    async def new_code(self, player: PlayerRow) -> tuple[str, float]:
        """A code with which this player can continue on another device, once, and the time until which that is possible."""
        code = new_code()
        expires = self.clock() + CONTINUE_CODE_SECONDS
        self.quotas.totals.require("tokens")
        await self.store.put_token(player.id, hashed(code), "code", expires, self.clock())
        self.quotas.stored("tokens", player.id, 1, 0)
        return code, expires

    async def continue_as(self, code: str) -> tuple[PlayerRow, str]:
        """The player whose code it is, and a new token for this device."""
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
        """Make a token invalid."""
        self._by_token.pop(hashed(token), None)
        await self.store.drop_token(hashed(token))

    def forget_all(self) -> None:
        """Look each player up in the store again, because some were deleted."""
        self._by_token.clear()

    def _keep(self, key: str, player: PlayerRow) -> None:
        self._by_token[key] = player
        if len(self._by_token) > PLAYERS_KEPT:
            self._by_token.popitem(last=False)
