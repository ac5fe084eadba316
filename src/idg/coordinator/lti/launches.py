"""The two steps of a launch: the login, which sends the browser to the platform, and the launch itself, which comes back signed.

Nothing is stored for a login. Its state is a text that we sign, so nobody can fill the database by logins that lead to nothing. A
launch is good once: the number that the login has made up comes back in the signed text, and is remembered until it expires.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Literal
from urllib.parse import urlencode, urlsplit, urlunsplit

from idg.coordinator.codes import new_token
from idg.coordinator.lti.platforms import TEXT_CHARS_MAX, URL_CHARS_MAX, Platforms, origin
from idg.coordinator.lti.refusals import LaunchRefused, ServiceFailed
from idg.coordinator.lti.services import PlatformServices, name_of
from idg.coordinator.lti.signing import BadSignature, Claims, OurKeys
from idg.coordinator.players.players import hashed
from idg.coordinator.store import Store
from idg.coordinator.store.lti_records import PlatformRow
from idg.engine.wire.codec import Json
from idg.sip.record import Record

LOGIN_SECONDS = 600
"""How long a browser may take from the login to the launch."""
NONCE_BYTES = 24
"""How many random bytes the number of a login has."""
USED_SECONDS = 24 * 3600
"""How long it is remembered that a login was used, which is longer than any of its texts is good."""
NUMBER_DIGITS_MAX = 5
"""How many digits the number of an assignment may have."""
HINT_CHARS_MAX = 10_000
"""The longest hint that a platform gives with a login and gets back. Ours is not to read."""
CLAIM = "https://purl.imsglobal.org/spec/lti/claim/"
AGS_CLAIM = "https://purl.imsglobal.org/spec/lti-ags/claim/endpoint"
NRPS_CLAIM = "https://purl.imsglobal.org/spec/lti-nrps/claim/namesroleservice"
DEEP_CLAIM = "https://purl.imsglobal.org/spec/lti-dl/claim/"
MEMBERSHIP = "http://purl.imsglobal.org/vocab/lis/v2/membership"
TEACHING_ROLES = (f"{MEMBERSHIP}#Instructor", "Instructor")
"""Roles in a course that make somebody a teacher. Roles in the whole institution do not count."""
LEARNING_ROLES = (f"{MEMBERSHIP}#Learner", "Learner")

MessageType = Literal["LtiResourceLinkRequest", "LtiDeepLinkingRequest"]


class Choosing(Record):
    """A teacher is to choose an assignment, which becomes an activity of the platform."""

    return_url: str
    data: str | None
    """What the platform wants back with the choice."""
    with_column: bool
    """Whether the choice may say that it has a column in the gradebook."""


class Launch(Record):
    """A launch that the platform has signed for us, and that comes for the first time."""

    platform: PlatformRow
    deployment: str
    subject: str
    name: str
    """Empty where the platform does not tell it."""
    teacher: bool
    context: str
    title: str
    link: str | None
    """The activity of the platform; None where a teacher is to choose one."""
    assignment: int | None
    """The assignment that was chosen for the activity."""
    members_url: str | None
    item_url: str | None
    items_url: str | None
    choosing: Choosing | None
    locale: str
    frames: tuple[str, ...]
    """The sites of the platform in whose pages ours may be shown."""


class Launches:
    def __init__(
        self, store: Store, platforms: Platforms, keys: OurKeys, services: PlatformServices, clock: Callable[[], float]
    ) -> None:
        self.store = store
        self.platforms = platforms
        self.keys = keys
        self.services = services
        self.clock = clock

    async def login(self, given: Mapping[str, str], launch_url: str) -> str:
        """Where a browser is sent that the platform has sent to us. `launch_url` is where it comes back."""
        platform = await self.platforms.one(given.get("iss", ""), given.get("client_id"))
        hints = {name: given[name] for name in ("login_hint", "lti_message_hint") if name in given}
        if "login_hint" not in hints or any(len(hint) > HINT_CHARS_MAX for hint in hints.values()):
            raise LaunchRefused("bad-request", "the login has no hint for the platform, or too long a one")
        nonce = new_token(NONCE_BYTES)
        state = await self.keys.sign_for_us("login", {"platform": platform.name, "nonce": nonce}, self.clock() + LOGIN_SECONDS)
        asked = {
            "scope": "openid",
            "response_type": "id_token",
            "response_mode": "form_post",
            "prompt": "none",
            "client_id": platform.client,
            "redirect_uri": launch_url,
            "state": state,
            "nonce": nonce,
            **hints,
        }
        pieces = urlsplit(platform.login_url)
        query = urlencode(asked)
        return urlunsplit(pieces._replace(query=f"{pieces.query}&{query}" if pieces.query else query))

    async def launch(self, given: Mapping[str, str]) -> Launch:
        """LaunchRefused unless the launch answers a login of ours, was signed for us, and comes for the first time."""
        try:
            state = await self.keys.read_ours("login", given.get("state", ""), self.clock())
        except BadSignature as error:
            raise LaunchRefused("expired" if error.expired else "wrong-state", f"the state: {error}") from None
        if "error" in given:
            raise LaunchRefused("bad-request", f"the platform says {given['error'][:TEXT_CHARS_MAX]!r}")
        platform = await self.platforms.named(str(state["platform"]))
        try:
            claims = await self.services.launch_claims(platform, given.get("id_token", ""))
        except BadSignature as error:
            raise LaunchRefused("expired" if error.expired else "forged", str(error)) from None
        except ServiceFailed as error:
            raise LaunchRefused("unreachable", str(error)) from None
        if claims["nonce"] != state["nonce"]:
            raise LaunchRefused("forged", "the launch answers another login")
        launch = read_launch(platform, claims)
        now = self.clock()
        if not await self.store.use_once(hashed(f"launch {claims['nonce']}"), now + USED_SECONDS, now):
            raise LaunchRefused("replayed", "the launch was used before")
        return launch


def read_launch(platform: PlatformRow, claims: Claims) -> Launch:
    """What a launch says, with everything checked that it must say."""
    kind = claims.get(f"{CLAIM}message_type")
    if claims.get(f"{CLAIM}version") != "1.3.0" or kind not in ("LtiResourceLinkRequest", "LtiDeepLinkingRequest"):
        raise LaunchRefused("bad-request", f"a message {kind!r} is not known")
    deployment = _text(claims.get(f"{CLAIM}deployment_id"))
    if deployment is None or (platform.deployments and deployment not in platform.deployments.split()):
        raise LaunchRefused("unknown-platform", f"the deployment {deployment!r} is not registered")
    subject = _text(claims.get("sub"))
    roles = claims.get(f"{CLAIM}roles")
    held = [role for role in roles if isinstance(role, str)] if isinstance(roles, list) else []
    teacher = is_teaching(held)
    if subject is None or not (teacher or is_learning(held)):
        raise LaunchRefused("no-role", f"the roles {held!r} are neither a teacher's nor a student's, or nobody is named")
    context = _object(claims.get(f"{CLAIM}context"))
    context_id = _text(context.get("id"))
    if context_id is None:
        raise LaunchRefused("no-course", "the launch comes from no course")
    presentation = _object(claims.get(f"{CLAIM}launch_presentation"))
    choosing = _choosing(claims) if kind == "LtiDeepLinkingRequest" else None
    if choosing is not None and not teacher:
        raise LaunchRefused("no-role", "only a teacher chooses an assignment")
    link = _text(_object(claims.get(f"{CLAIM}resource_link")).get("id"))
    if choosing is None and link is None:
        raise LaunchRefused("bad-request", "the launch names no activity")
    endpoint = _object(claims.get(AGS_CLAIM))
    framing = (platform.issuer, platform.login_url, presentation.get("return_url"), choosing and choosing.return_url)
    origins = {known: None for url in framing if isinstance(url, str) and (known := origin(url)) is not None}
    return Launch(
        platform=platform,
        deployment=deployment,
        subject=subject,
        name=name_of(claims),
        teacher=teacher,
        context=context_id,
        title=_text(context.get("title")) or _text(context.get("label")) or "",
        link=None if choosing is not None else link,
        assignment=assignment_number(_object(claims.get(f"{CLAIM}custom")).get("assignment")),
        members_url=_url(_object(claims.get(NRPS_CLAIM)).get("context_memberships_url")),
        item_url=_url(endpoint.get("lineitem")),
        items_url=_url(endpoint.get("lineitems")),
        choosing=choosing,
        locale=_text(presentation.get("locale")) or "",
        frames=tuple(origins),
    )


def is_teaching(roles: list[str] | tuple[str, ...]) -> bool:
    return any(role in TEACHING_ROLES for role in roles)


def is_learning(roles: list[str] | tuple[str, ...]) -> bool:
    return any(role in LEARNING_ROLES for role in roles)


def _choosing(claims: Claims) -> Choosing:
    settings = _object(claims.get(f"{DEEP_CLAIM}deep_linking_settings"))
    return_url, data, types = settings.get("deep_link_return_url"), settings.get("data"), settings.get("accept_types")
    if _url(return_url) is None or origin(str(return_url)) is None or not (data is None or isinstance(data, str)):
        raise LaunchRefused("bad-request", "the platform does not say where a choice goes")
    if not isinstance(types, list) or "ltiResourceLink" not in types:
        raise LaunchRefused("bad-request", "the platform does not take activities")
    return Choosing(str(return_url), data, settings.get("accept_lineitem") is not False)


def _object(value: Any) -> Json:
    return value if isinstance(value, dict) else {}


def _text(value: Any) -> str | None:
    """An id or a title; None for what is none."""
    return value[:TEXT_CHARS_MAX] if isinstance(value, str) and value else None


def _url(value: Any) -> str | None:
    return value if isinstance(value, str) and 0 < len(value) <= URL_CHARS_MAX else None


def assignment_number(value: Any) -> int | None:
    """The number of an assignment, which platforms give back as a text; None for what is none."""
    text = str(value)
    return int(text) if len(text) <= NUMBER_DIGITS_MAX and text.isascii() and text.isdigit() and int(text) else None
