"""What Canvas asks for when a tool is installed by its address: its name, its addresses, and what it wants to do."""

from __future__ import annotations

from urllib.parse import urlsplit

from idg.coordinator.lti.services import SCOPE_ITEMS, SCOPE_MEMBERS, SCOPE_SCORES

DESCRIPTION = "Students look for loop invariants; their proofs become grades."


def canvas_configuration(base: str) -> dict[str, object]:
    """`base` is our own address, such as `https://idg.example.org`."""
    launch = f"{base}/lti/launch"
    placements = [
        {
            "placement": placement,
            "message_type": "LtiDeepLinkingRequest",
            "target_link_uri": launch,
            "text": "IDG",
            "selection_width": 800,
            "selection_height": 600,
        }
        for placement in ("assignment_selection", "link_selection")
    ]
    return {
        "title": "IDG, the Invariant Discovery Game",
        "description": DESCRIPTION,
        "target_link_uri": launch,
        "oidc_initiation_url": f"{base}/lti/login",
        "public_jwk_url": f"{base}/lti/jwks",
        "scopes": [SCOPE_ITEMS, SCOPE_SCORES, SCOPE_MEMBERS],
        "extensions": [
            {
                "platform": "canvas.instructure.com",
                "domain": urlsplit(base).netloc,
                "privacy_level": "name_only",
                "settings": {"text": "IDG", "placements": placements},
            }
        ],
        "custom_fields": {},
    }
