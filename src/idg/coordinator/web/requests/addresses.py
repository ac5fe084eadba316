"""From which address a request comes, as limits and shares count it."""

from __future__ import annotations

import ipaddress
from collections.abc import MutableMapping
from functools import lru_cache
from typing import Any

UNKNOWN = "unknown"
"""Stands for the address of a request that comes without one, such as one through a Unix socket."""
ADDRESSES_KEPT = 10_000
"""At most this many addresses are remembered together with how they are counted."""
NETWORK_BITS = 64
"""How many bits of an IPv6 address name the network. Whoever has one address of a network usually has all of them."""


def address_of(scope: MutableMapping[str, Any]) -> str:
    """The address that counts for a request. Behind a proxy that the setting `proxies` names, it is the one that the proxy tells;
    uvicorn has put it in the place of the proxy's own."""
    client = scope.get("client")
    return limited_address(client[0]) if client else UNKNOWN


@lru_cache(ADDRESSES_KEPT)
def limited_address(host: str) -> str:
    """What limits by address count as one address: an IPv4 address, or a whole IPv6 network."""
    if ":" not in host:
        return host
    try:
        address = ipaddress.IPv6Address(host)
    except ValueError:
        return host
    if address.ipv4_mapped is not None:
        return str(address.ipv4_mapped)
    return str(ipaddress.IPv6Network((int(address), NETWORK_BITS), strict=False))
