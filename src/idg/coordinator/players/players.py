"""Players. They are anonymous until they choose a name, and known by a random token of which only the hash is stored."""

from __future__ import annotations

import hashlib
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable

from idg.coordinator.bounds.quotas import Quotas
from idg.coordinator.codes import new_code, new_token
from idg.coordinator.errors import ApiError
from idg.coordinator.store import PlayerRow, Store
from idg.sip.record import replace

TOKEN_BYTES = 32
"""How many random bytes a token has."""
PLAYER_ID_BYTES = 9
"""How many random bytes the id of a player has; ids are no secrets and must only differ."""
COMPUTER = "computer."
"""The ids of the players that the computer plays as, as a partner in rooms, begin with this. Those of others have no dot."""
CONTINUE_CODE_SECONDS = 15 * 60
"""How long a code can be used."""
PLAYERS_KEPT = 20_000
"""How many tokens are remembered, with their players, so that most requests need not ask the store who makes them."""
TOKEN_SECONDS = 30.0
"""How long a token is remembered. Another coordinator may have made it invalid, and news of that may get lost: this is how long the
token is good here nevertheless."""
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
        self.renamed: Callable[[PlayerRow], None] = lambda player: None
        """Is told of each new name that was given here. The coordinator sets it."""
        self.revoked: Callable[[str], None] = lambda token_hash: None
        """Is told of each token that was made invalid here, by its hash. The coordinator sets it."""
        self._by_token: OrderedDict[str, tuple[PlayerRow, float]] = OrderedDict()
        """Hash of a token → whose it is, and until when we need not ask the store, by the monotonic clock."""
        self._changes = 0
        """How often we have heard of new names and invalid tokens."""

    async def create(self, name: str | None, agent: bool, address: str = "", prefix: str = "") -> tuple[PlayerRow, str]:
        """A new player and their token, which cannot be told again; ApiError where too many come from this address. The player's id
        begins with `prefix`."""
        self.quotas.new_player(address)
        token = new_token(TOKEN_BYTES)
        name = name or f"{secrets.choice(NAMES)} {secrets.randbelow(90) + 10}"
        player = PlayerRow(prefix + new_token(PLAYER_ID_BYTES), name, agent, self.clock())
        await self.store.new_player(player, hashed(token), player.time)
        self._keep(hashed(token), player)
        return player, token

    async def of_token(self, token: str) -> PlayerRow:
        key = hashed(token)
        known, until = self._by_token.get(key, (None, 0.0))
        if known is not None and time.monotonic() < until:
            return known
        changes = self._changes
        player = await self.store.player_by_token(key, self.clock())
        if player is None:
            self._by_token.pop(key, None)
            raise ApiError("wrong-token", "this token is not known here", hint="POST /api/players gives a new one")
        if changes == self._changes:  # Else what we have read may be older than what we have heard meanwhile.
            self._keep(key, player)
        return player

    async def rename(self, player: PlayerRow, name: str) -> PlayerRow:
        await self.store.rename(player.id, name)
        renamed = PlayerRow(player.id, name, player.agent, player.time)
        self.take_name(player.id, name)
        self.renamed(renamed)
        return renamed

    def take_name(self, player: str, name: str) -> None:
        """The player has another name now."""
        self._changes += 1
        for key, (known, until) in self._by_token.items():
            if known.id == player:
                self._by_token[key] = (replace(known, name=name), until)

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
        token = new_token(TOKEN_BYTES)
        await self.store.put_token(player.id, hashed(token), "bearer", None, self.clock())
        return player, token

    async def forget(self, token: str) -> None:
        """Make a token invalid."""
        await self.store.drop_token(hashed(token))
        self.take_revoked(hashed(token))
        self.revoked(hashed(token))

    def take_revoked(self, token_hash: str) -> None:
        """The token of this hash is invalid."""
        self._changes += 1
        self._by_token.pop(token_hash, None)

    def forget_all(self) -> None:
        """Look each player up in the store again, because some were deleted, or may have been."""
        self._changes += 1
        self._by_token.clear()

    def _keep(self, key: str, player: PlayerRow) -> None:
        self._by_token[key] = (player, time.monotonic() + TOKEN_SECONDS)
        self._by_token.move_to_end(key)
        if len(self._by_token) > PLAYERS_KEPT:
            self._by_token.popitem(last=False)
