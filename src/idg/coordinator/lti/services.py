"""The services of a platform: its keys, tokens for its other services, scores (AGS), and who is in a course (NRPS)."""

from __future__ import annotations

import asyncio
import json
import math
import time
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any
from urllib.parse import urlencode, urlsplit, urlunsplit

from joserfc.jwk import KeySet

from idg.coordinator.codes import new_token
from idg.coordinator.lti.platforms import TEXT_CHARS_MAX, URL_CHARS_MAX
from idg.coordinator.lti.refusals import ServiceFailed
from idg.coordinator.lti.requests import PlatformAnswer, PlatformClient
from idg.coordinator.lti.signing import BadSignature, Claims, OurKeys, UnknownKey, checked, key_set
from idg.coordinator.store.lti_records import PlatformRow
from idg.sip.record import Record

SCOPE_ITEMS = "https://purl.imsglobal.org/spec/lti-ags/scope/lineitem"
SCOPE_SCORES = "https://purl.imsglobal.org/spec/lti-ags/scope/score"
SCOPE_MEMBERS = "https://purl.imsglobal.org/spec/lti-nrps/scope/contextmembership.readonly"
ITEM_TYPE = "application/vnd.ims.lis.v2.lineitem+json"
ITEMS_TYPE = "application/vnd.ims.lis.v2.lineitemcontainer+json"
SCORE_TYPE = "application/vnd.ims.lis.v1.score+json"
MEMBERS_TYPE = "application/vnd.ims.lti-nrps.v2.membershipcontainer+json"
KEYS_SECONDS = 3600.0
"""How long the keys of a platform are remembered."""
KEYS_PAUSE_SECONDS = 30.0
"""How long we wait at least before we ask a platform for its keys again because a launch names one that we do not know. Without it,
forged launches would make us ask the platform for each of them."""
KEYS_FAILED_SECONDS = 5.0
"""How long we wait before we ask again a platform that has not told its keys."""
TOKEN_SPARE_SECONDS = 60.0
"""A token is not used any more when it expires within this time."""
TOKEN_SECONDS_MAX = 3600.0
"""How long a token is used at most, whatever the platform says."""
PAGES_MAX = 20
"""How many pages of a list of members are read."""
MEMBERS_MAX = 2_000
"""How many members of a course are read."""
JTI_BYTES = 16
"""How many random bytes the id of a request for a token has."""


class KnownKeys(Record):
    keys: KeySet
    read: float
    """When they were read, by the monotonic clock."""


class CourseMember(Record):
    """Somebody in a course, as the platform tells it."""

    subject: str
    name: str
    roles: tuple[str, ...]
    active: bool


class StudentScore(Record):
    """What a student has for an assignment."""

    subject: str
    given: int
    most: int
    complete: bool
    """Whether every level of the assignment was handed in."""
    time: float


class PlatformServices:
    def __init__(self, keys: OurKeys, client: PlatformClient, clock: Callable[[], float]) -> None:
        self.keys = keys
        self.client = client
        self.clock = clock
        self._keys: dict[str, KnownKeys] = {}
        """Address → the keys there."""
        self._asking: dict[str, asyncio.Lock] = {}
        """Address → held by whoever asks for the keys there."""
        self._failed: dict[str, tuple[float, str]] = {}
        """Address → when the keys could not be had there, by the monotonic clock, and why."""
        self._tokens: dict[tuple[str, str, str], tuple[str, float]] = {}
        """Platform, its address for tokens, and scope → a token and when it expires, by the monotonic clock."""

    async def launch_claims(self, platform: PlatformRow, text: str) -> Claims:
        """The claims of a launch that the platform has signed for us; BadSignature or ServiceFailed where it cannot be believed."""
        known = self._keys.get(platform.keys_url)
        if known is not None and time.monotonic() - known.read < KEYS_SECONDS:
            try:
                return checked(text, known.keys, platform.issuer, platform.client, self.clock())
            except UnknownKey:
                if time.monotonic() - known.read < KEYS_PAUSE_SECONDS:
                    raise
        keys = await self._newer_keys(platform, known)
        return checked(text, keys, platform.issuer, platform.client, self.clock())

    async def _newer_keys(self, platform: PlatformRow, known: KnownKeys | None) -> KeySet:
        """The platform's keys, asked for after those that we know.

        All who wait for them share one request; where the platform does not tell them, it is asked again after a pause only.
        So forged launches cannot keep us busy with asking."""
        url = platform.keys_url
        async with self._asking.setdefault(url, asyncio.Lock()):
            newest = self._keys.get(url)
            if newest is not None and newest is not known:
                return newest.keys
            failed, error = self._failed.get(url, (-math.inf, ""))
            if time.monotonic() - failed < KEYS_FAILED_SECONDS:
                raise ServiceFailed(error)
            try:
                answer = await self.client.ask(platform, "GET", url, repeatable=True)
                read = KnownKeys(key_set(answer.content), time.monotonic())
            except (ServiceFailed, BadSignature) as failure:
                self._failed[url] = (time.monotonic(), str(failure))
                raise
            self._keys[url] = read
            self._failed.pop(url, None)
            return read.keys

    async def _token(self, platform: PlatformRow, scope: str) -> str:
        place = (platform.name, platform.token_url, scope)
        token, expires = self._tokens.get(place, ("", 0.0))
        if time.monotonic() < expires:
            return token
        claims = {
            "iss": platform.client,
            "sub": platform.client,
            "aud": platform.audience or platform.token_url,
            "jti": new_token(JTI_BYTES),
        }
        form = {
            "grant_type": "client_credentials",
            "client_assertion_type": "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
            "client_assertion": await self.keys.sign(claims, self.clock()),
            "scope": scope,
        }
        headers = {"Content-Type": "application/x-www-form-urlencoded", "Accept": "application/json"}
        answer = await self.client.ask(platform, "POST", platform.token_url, headers=headers, body=urlencode(form).encode())
        told = answer.content if isinstance(answer.content, dict) else {}
        given, seconds = told.get("access_token"), told.get("expires_in", TOKEN_SECONDS_MAX)
        if not isinstance(given, str) or not given or not isinstance(seconds, int | float):
            raise ServiceFailed("the platform gave no token")
        self._tokens[place] = (given, time.monotonic() + min(float(seconds), TOKEN_SECONDS_MAX) - TOKEN_SPARE_SECONDS)
        return given

    async def _ask(
        self, platform: PlatformRow, scope: str, method: str, url: str, kind: str, content: object = None
    ) -> PlatformAnswer:
        """A request to a service. Where the platform does not know our token any more, it is made again with a new one."""
        for again in (False, True):
            headers = {"Authorization": f"Bearer {await self._token(platform, scope)}", "Accept": kind}
            body = None
            if content is not None:
                headers["Content-Type"], body = kind, json.dumps(content).encode()
            try:
                return await self.client.ask(platform, method, url, headers=headers, body=body, repeatable=content is None)
            except ServiceFailed as error:
                self._tokens.pop((platform.name, platform.token_url, scope), None)
                if again or error.status != 401:
                    raise
        raise AssertionError("the second try returns or raises")

    async def new_item(self, platform: PlatformRow, items_url: str, link: str, label: str, most: int) -> str:
        """Makes a column in the platform's gradebook for an activity; returns its address. One that is there already is taken."""
        query = urlencode({"resource_link_id": link})
        line_items = await self._ask(platform, SCOPE_ITEMS, "GET", _with_query(items_url, query), ITEMS_TYPE)
        listed = line_items.content if isinstance(line_items.content, list) else []
        for item in listed:
            if isinstance(item, dict) and item.get("resourceLinkId") == link and isinstance(item.get("id"), str):
                return str(item["id"])
        wanted = {"scoreMaximum": most, "label": label, "resourceLinkId": link}
        made = await self._ask(platform, SCOPE_ITEMS, "POST", items_url, ITEM_TYPE, wanted)
        url = made.content.get("id") if isinstance(made.content, dict) else None
        if not isinstance(url, str) or len(url) > URL_CHARS_MAX:
            raise ServiceFailed("the platform did not say where its new column is", for_good=True)
        return url

    async def send_score(self, platform: PlatformRow, item_url: str, score: StudentScore) -> None:
        content = {
            "userId": score.subject,
            "scoreGiven": score.given,
            "scoreMaximum": score.most,
            "activityProgress": "Completed" if score.complete else "Submitted",
            "gradingProgress": "FullyGraded",
            "timestamp": datetime.fromtimestamp(score.time, UTC).isoformat(timespec="milliseconds"),
        }
        await self._ask(platform, SCOPE_SCORES, "POST", _below(item_url, "scores"), SCORE_TYPE, content)

    async def members(self, platform: PlatformRow, url: str) -> list[CourseMember]:
        """Everybody in a course."""
        members: list[CourseMember] = []
        following = url
        for _ in range(PAGES_MAX):
            answer = await self._ask(platform, SCOPE_MEMBERS, "GET", following, MEMBERS_TYPE)
            listed = answer.content.get("members") if isinstance(answer.content, dict) else None
            if not isinstance(listed, list):
                raise ServiceFailed("the platform's list of members has no members", for_good=True)
            members += [member for entry in listed if (member := _member(entry)) is not None]
            if answer.next_url is None:
                return members
            following = answer.next_url
            if len(members) > MEMBERS_MAX:
                break
        raise ServiceFailed(
            f"the course has more than {MEMBERS_MAX} members, or their list more than {PAGES_MAX} pages", for_good=True
        )


def _member(entry: Any) -> CourseMember | None:
    """None for an entry that names nobody."""
    if not isinstance(entry, dict) or not isinstance(entry.get("user_id"), str) or not 0 < len(entry["user_id"]) <= TEXT_CHARS_MAX:
        return None
    roles = entry.get("roles")
    listed = tuple(role for role in roles if isinstance(role, str)) if isinstance(roles, list) else ()
    return CourseMember(entry["user_id"], name_of(entry), listed, entry.get("status", "Active") == "Active")


def name_of(claims: Claims) -> str:
    """The name of somebody in a launch or in a list of members; empty where the platform does not tell it."""
    parts = [claims.get(key) for key in ("given_name", "family_name")]
    whole = claims.get("name") or " ".join(part for part in parts if isinstance(part, str))
    return whole if isinstance(whole, str) else ""


def _below(url: str, part: str) -> str:
    """An address below another one; what follows the `?` stays at the end."""
    pieces = urlsplit(url)
    return urlunsplit(pieces._replace(path=f"{pieces.path.rstrip('/')}/{part}"))


def _with_query(url: str, query: str) -> str:
    pieces = urlsplit(url)
    return urlunsplit(pieces._replace(query=f"{pieces.query}&{query}" if pieces.query else query))


__all__ = ["BadSignature", "CourseMember", "PlatformServices", "StudentScore", "name_of"]
