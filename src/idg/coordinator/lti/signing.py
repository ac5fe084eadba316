"""The only door to signatures: joserfc signs and checks, and this module says with which keys and which claims.

What platforms sign and what we sign for platforms is RS256, as LTI demands. What we sign for ourselves (the state of a login, the
choice of a teacher) is HS256 with a key that nobody else has, and each such text names the one purpose that it is good for.
"""

from __future__ import annotations

import asyncio
import json
import secrets
from collections.abc import Mapping
from typing import cast

from joserfc import jws, jwt
from joserfc.errors import JoseError
from joserfc.jwk import KeySet, KeySetSerialization, OctKey, RSAKey

from idg.coordinator.store import Store
from idg.engine.wire.codec import Json

KEYS_NAME = "lti-keys"
"""The name of the store's secret with our private keys, the newest first."""
OWN_NAME = "lti-own"
"""The name of the store's secret with the key for what we sign for ourselves."""
KEY_BITS = 2048
"""The length of our RSA keys."""
KEYS_KEPT = 2
"""How many of our keys are published: the newest, and the one before, with which something may still be signed."""
OWN_KEY_BYTES = 32
"""The length of the key for what we sign for ourselves."""
LEEWAY_SECONDS = 60
"""How much the clock of a platform may differ from ours."""
TOKEN_SECONDS = 300
"""How long something that we sign for a platform is good."""
SIGNED_CHARS_MAX = 40_000
"""The longest signed text that is read."""

Claims = Json


class BadSignature(Exception):
    """A text is not signed by whom it says, or not for us, or has expired."""

    def __init__(self, message: str, expired: bool = False) -> None:
        super().__init__(message)
        self.expired = expired


class UnknownKey(BadSignature):
    """The key with which a text is signed is not among those that we know."""


def key_set(published: object) -> KeySet:
    """The keys that a platform publishes; BadSignature where they are none."""
    if not isinstance(published, dict) or not isinstance(published.get("keys"), list):
        raise BadSignature("the platform's keys are not a JSON Web Key Set")
    usable = [
        key for key in published["keys"] if isinstance(key, dict) and key.get("kty") == "RSA" and key.get("use", "sig") == "sig"
    ]
    try:
        return KeySet.import_key_set({"keys": usable})
    except (JoseError, ValueError, TypeError, KeyError) as error:
        raise BadSignature(f"the platform's keys cannot be read: {error}") from None


def checked(text: str, keys: KeySet, issuer: str, audience: str, now: float) -> Claims:
    """The claims of a text that the issuer has signed for the audience; BadSignature where it has not.

    UnknownKey says that other keys may be needed: platforms change theirs now and then.
    """
    if len(text) > SIGNED_CHARS_MAX:
        raise BadSignature("the text is too long")
    try:
        header = jws.extract_compact(text.encode()).headers()
    except (JoseError, ValueError, UnicodeError) as error:
        raise BadSignature(f"this is no signed text: {error}") from None
    kid = header.get("kid")
    if kid is not None and all(key.kid != kid for key in keys):
        raise UnknownKey(f"the platform has no key {kid!r}")
    if kid is None and len(list(keys)) != 1:
        raise BadSignature("the text does not say with which of the platform's keys it is signed")
    try:
        claims = jwt.decode(text, keys, algorithms=["RS256"]).claims
        rules = jwt.JWTClaimsRegistry(
            now=int(now),
            leeway=LEEWAY_SECONDS,
            iss={"essential": True, "value": issuer},
            aud={"essential": True, "value": audience},
            exp={"essential": True},
            iat={"essential": True},
            nonce={"essential": True},
        )
        rules.validate(claims)
    except (JoseError, ValueError, TypeError) as error:
        raise BadSignature(str(error), expired=getattr(error, "error", "") == "expired_token") from None
    several = isinstance(claims["aud"], list) and len(claims["aud"]) > 1
    if claims.get("azp", audience) != audience or (several and "azp" not in claims):
        raise BadSignature("the text is meant for another client of the platform")
    return claims


class OurKeys:
    """Our private keys. They are in the store, so that all coordinators have the same ones."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self._read: tuple[str, list[RSAKey]] = ("", [])
        """The text of our keys, and the keys; to read them takes as long as a hundred requests."""

    async def published(self) -> dict[str, object]:
        """The public halves, as platforms read them."""
        return cast(dict[str, object], KeySet([*await self._keys()]).as_dict(private=False))

    async def renew(self) -> None:
        """A new key, with which everything is signed from now on. The one before stays published."""
        known = await self._keys()
        fresh = await asyncio.to_thread(_new_key)
        await self.store.replace_secret(KEYS_NAME, _written([fresh, *known][:KEYS_KEPT]))

    async def sign(self, claims: Mapping[str, object], now: float) -> str:
        """Signs a text for a platform, and adds when it was made and how long it is good."""
        key = (await self._keys())[0]
        timed = {**claims, "iat": int(now), "exp": int(now) + TOKEN_SECONDS}
        return jwt.encode({"alg": "RS256", "kid": str(key.kid)}, timed, key)

    async def sign_for_us(self, purpose: str, claims: Mapping[str, object], expires: float) -> str:
        """Signs claims for ourselves; `read_ours` gives them back."""
        return jwt.encode({"alg": "HS256"}, {**claims, "purpose": purpose, "exp": int(expires)}, await self._own_key())

    async def read_ours(self, purpose: str, text: str, now: float) -> Claims:
        """BadSignature where we did not sign it for this purpose, or where it has expired."""
        if len(text) > SIGNED_CHARS_MAX:
            raise BadSignature("the text is too long")
        try:
            claims = jwt.decode(text, await self._own_key(), algorithms=["HS256"]).claims
            rules = jwt.JWTClaimsRegistry(now=int(now), purpose={"essential": True, "value": purpose}, exp={"essential": True})
            rules.validate(claims)
        except (JoseError, ValueError, TypeError, UnicodeError) as error:
            raise BadSignature(str(error), expired=getattr(error, "error", "") == "expired_token") from None
        return claims

    async def _keys(self) -> list[RSAKey]:
        text = await self.store.secret_if_there(KEYS_NAME)
        if text is None:
            text = await self.store.secret(KEYS_NAME, _written([await asyncio.to_thread(_new_key)]))
        if text != self._read[0]:
            self._read = (text, await asyncio.to_thread(_keys_of, text))
        return self._read[1]

    async def _own_key(self) -> OctKey:
        text = await self.store.secret_if_there(OWN_NAME)
        if text is None:
            text = await self.store.secret(OWN_NAME, secrets.token_hex(OWN_KEY_BYTES))
        return OctKey.import_key(bytes.fromhex(text))


def _new_key() -> RSAKey:
    return RSAKey.generate_key(KEY_BITS, {"use": "sig", "alg": "RS256"}, auto_kid=True)


def _keys_of(text: str) -> list[RSAKey]:
    return [RSAKey.import_key(key) for key in json.loads(text)]


def _written(keys: list[RSAKey]) -> str:
    serialized: KeySetSerialization = KeySet([*keys]).as_dict(private=True)
    return json.dumps(serialized["keys"])
