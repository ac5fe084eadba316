"""Platforms as they are registered, and which addresses belong to them. Requests go to no other host."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from idg.coordinator.lti.refusals import LaunchRefused
from idg.coordinator.store import Store
from idg.coordinator.store.lti_records import PlatformRow

LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
"""Hosts of this machine. A platform there, for trying things out, may do without HTTPS."""
NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,39}")
URL_CHARS_MAX = 2_000
"""The longest address that a platform may name."""
TEXT_CHARS_MAX = 255
"""The longest issuer, client id and deployment id; LTI bounds ids by this, too."""


def problem_of(row: PlatformRow) -> str:
    """What is wrong with the registration of a platform, as a sentence; empty where it can be used."""
    if not NAME.fullmatch(row.name):
        return "the name of a platform has small letters, digits and '-', at most 40"
    for what, text in (("issuer", row.issuer), ("client id", row.client)):
        if not text or len(text) > TEXT_CHARS_MAX or any(sign.isspace() for sign in text):
            return f"the {what} has 1 to {TEXT_CHARS_MAX} characters and no spaces"
    for what, url in (("login", row.login_url), ("token", row.token_url), ("keys", row.keys_url)):
        if _host(url) is None:
            return f"the address --{what} must begin with https:// (or http:// on this machine), found {url!r}"
    for host in row.hosts.split():
        if not re.fullmatch(r"[A-Za-z0-9.-]+(:\d{1,5})?", host):
            return f"a host is a name such as school.example.org, found {host!r}"
    return ""


def _host(url: str) -> str | None:
    """Host and port of an address that may be asked; None for all others."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        return None
    name = parts.hostname or ""
    if len(url) > URL_CHARS_MAX or not name or "@" in parts.netloc or any(sign <= " " or sign == "\x7f" for sign in url):
        return None
    shown = f"[{name}]" if ":" in name else name
    if parts.scheme != "https" and not (parts.scheme == "http" and shown in LOOPBACK):
        return None
    return shown if port is None else f"{shown}:{port}"


def is_of(platform: PlatformRow, url: str) -> bool:
    """Whether an address that came with a launch is one of the platform's: HTTPS, at a host that was registered with it."""
    host = _host(url)
    known = {_host(known_url) for known_url in (platform.issuer, platform.login_url, platform.token_url, platform.keys_url)}
    return host is not None and host in known | {name.lower() for name in platform.hosts.split()}


def origin(url: str) -> str | None:
    """The origin of an address of a platform, for a page that is shown inside of it; None for what is no such address."""
    host = _host(url)
    return None if host is None else f"{urlsplit(url).scheme}://{host}"


class Platforms:
    def __init__(self, store: Store) -> None:
        self.store = store

    async def one(self, issuer: str, client: str | None) -> PlatformRow:
        """The platform of a login. One that tells no client id must be registered once only, or it is not known which it is."""
        fitting = [row for row in await self.store.platforms() if row.issuer == issuer and client in (None, row.client)]
        if len(fitting) != 1:
            raise LaunchRefused(
                "unknown-platform", f"{len(fitting)} platforms have the issuer {issuer!r} and the client {client!r}"
            )
        return fitting[0]

    async def named(self, name: str) -> PlatformRow:
        for row in await self.store.platforms():
            if row.name == name:
                return row
        raise LaunchRefused("unknown-platform", f"there is no platform {name!r}")
