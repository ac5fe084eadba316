"""The routes of LTI 1.3: where platforms send browsers, and how a browser comes from there into a class.

This module is imported only where the packages of `idg[lti]` are installed.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from urllib.parse import parse_qsl

from fastapi import APIRouter, Request, Response
from fastapi.responses import HTMLResponse, JSONResponse, PlainTextResponse, RedirectResponse

from idg.coordinator.catalog import level_entries
from idg.coordinator.classes.told import ClassTicket, EnteredClass
from idg.coordinator.errors import ApiError
from idg.coordinator.lti.canvas import canvas_configuration
from idg.coordinator.lti.pages import SEND_SCRIPT, STYLE, choice_page, language_of, policy, refused_page, sending_page, welcome_page
from idg.coordinator.lti.refusals import LaunchRefused, Reason
from idg.coordinator.lti.tool import LtiTool
from idg.coordinator.web.answers import record_response
from idg.coordinator.web.describing.description import error_responses, told
from idg.coordinator.web.models import LaunchTicket
from idg.coordinator.web.requests.addresses import address_of
from idg.coordinator.web.requests.bodies import StrictRoute
from idg.coordinator.web.requests.caller import Coordinating, coordinator_of, with_code
from idg.coordinator.web.routes.classes import become_player, caller_before

FIELDS_MAX = 30
"""How many fields a form of a platform may have."""
FORM = "application/x-www-form-urlencoded"
KEPT = "public, max-age=3600"

log = logging.getLogger("idg.lti")
pages = APIRouter(prefix="/lti", include_in_schema=False)
router = APIRouter(prefix="/api/lti", tags=["lti"], route_class=StrictRoute, responses=error_responses())


def tool_of(request: Request) -> LtiTool:
    tool = coordinator_of(request).lti
    assert tool is not None, "these routes are there only with the tool"
    return tool


def _base(request: Request) -> str:
    """Our own address, as browsers see it. The guard has checked the host."""
    scheme = "https" if coordinator_of(request).settings.secure else request.url.scheme
    return f"{scheme}://{request.headers['host']}"


async def _form(request: Request) -> dict[str, str]:
    """The fields of a form; LaunchRefused where it is none, or names a field twice."""
    try:
        if request.headers.get("content-type", "").split(";")[0].strip().lower() != FORM:
            raise ValueError("another content type")
        pairs = parse_qsl(
            (await request.body()).decode("ascii"), keep_blank_values=True, max_num_fields=FIELDS_MAX, errors="strict"
        )
        fields = dict(pairs)
        if len(fields) != len(pairs) or any("\0" in value for value in fields.values()):
            raise ValueError("a field stands there twice, or has a NUL")
    except ValueError as error:
        raise LaunchRefused("bad-request", f"this is no form: {error}") from None
    return fields


async def _shown(request: Request, make: Callable[[], Awaitable[Response]]) -> Response:
    """The page, or one that says why not: whoever comes from a platform is a person, and not a program."""
    language = language_of("", request.headers.get("accept-language", ""))
    reason: Reason
    try:
        return await make()
    except LaunchRefused as error:
        reason, detail = error.reason, error.detail
    except ApiError as error:
        reason, detail = ("not-open" if error.code == "class-archived" else "bad-request"), f"{error.code}: {error.message}"
    log.info("a launch was refused", extra={"reason": reason, "detail": detail[:500]})
    # Nothing is to be seen here that another site could misuse, and the platform's pages must be able to show it.
    return _page(refused_page(language, reason), policy(("*",)), 403)


def _page(html: str, content_policy: str, status: int = 200) -> Response:
    return HTMLResponse(html, status, {"content-security-policy": content_policy, "cache-control": "no-store"})


@pages.api_route("/login", methods=["GET", "POST"])
async def login(request: Request) -> Response:
    """The first step of a launch: the platform sends a browser here, and it is sent back there with a state."""

    async def make() -> Response:
        given = dict(request.query_params) if request.method == "GET" else await _form(request)
        where = await tool_of(request).launches.login(given, f"{_base(request)}/lti/launch")
        return RedirectResponse(where, 302, {"cache-control": "no-store"})

    return await _shown(request, make)


@pages.post("/launch")
async def launch(request: Request) -> Response:
    """The second step: what the platform has signed. It ends at a link with a ticket, or at the choice of an assignment."""

    async def make() -> Response:
        tool = tool_of(request)
        launched = await tool.launches.launch(await _form(request))
        arrival = await tool.arriving.arrive(launched, address_of(request.scope))
        language = language_of(launched.locale, request.headers.get("accept-language", ""))
        title = arrival.school_class.title
        if launched.choosing is not None:
            token = await tool.linking.begin(launched, arrival)
            assignments = await tool.school.assignments.answers(arrival.school_class.id)
            levels = [(id, entry.title) for id, entry in level_entries().items()]
            return _page(choice_page(language, title, token, assignments, levels), policy(launched.frames))
        url = f"/enter/{arrival.school_class.id}#{await tool.arriving.ticket(arrival)}"
        if request.headers.get("sec-fetch-dest") == "document":
            return RedirectResponse(url, 303, {"cache-control": "no-store"})
        return _page(welcome_page(language, arrival.player.name, title, url), policy(launched.frames))

    return await _shown(request, make)


@pages.post("/choose")
async def choose(request: Request) -> Response:
    """A teacher has chosen an assignment: it is sent to the platform by a form that sends itself."""

    async def make() -> Response:
        fields = await _form(request)
        tool = tool_of(request)
        choice = await tool.linking.choose(fields.get("token", ""), fields.get("chosen", ""), f"{_base(request)}/lti/launch")
        language = language_of("", request.headers.get("accept-language", ""))
        return _page(sending_page(language, choice), policy(choice.frames, choice.return_url))

    return await _shown(request, make)


@pages.get("/jwks")
async def keys(request: Request) -> Response:
    """Our public keys, with which platforms check what we sign."""
    return JSONResponse(await tool_of(request).keys.published(), headers={"cache-control": "public, max-age=300"})


@pages.get("/canvas.json")
async def canvas(request: Request) -> Response:
    """What Canvas asks for when the tool is installed."""
    return JSONResponse(canvas_configuration(_base(request)))


@pages.get("/page.css")
async def style() -> Response:
    return PlainTextResponse(STYLE, headers={"cache-control": KEPT}, media_type="text/css")


@pages.get("/send.js")
async def script() -> Response:
    return PlainTextResponse(SEND_SCRIPT, headers={"cache-control": KEPT}, media_type="text/javascript")


@router.post("/ticket", responses=told(ClassTicket), summary="Into which class a ticket leads")
async def ticket(request: Request, body: LaunchTicket) -> Response:
    """And as whom. The ticket is not used up by that."""
    arriving = tool_of(request).arriving
    return record_response(await with_code(request, lambda: arriving.look_at(body.ticket, body.class_id)))


@router.post("/enter", responses=told(EnteredClass), summary="Come into a class from a learning platform")
async def enter(request: Request, body: LaunchTicket, coordinator: Coordinating) -> Response:
    """The browser becomes the student or the teacher whom the platform named. The ticket is good once."""
    arriving = tool_of(request).arriving
    before = await caller_before(request)
    where, player, token = await with_code(request, lambda: arriving.enter(body.ticket, body.class_id))
    answer = record_response(EnteredClass(where.class_id, where.role, player.id, player.name, token))
    return become_player(request, answer, token, before, coordinator.settings.secure)
