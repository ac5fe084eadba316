"""A learning platform for tests: it makes real signed launches over HTTP, and checks what the tool asks of it.

It stands for Moodle or Canvas. Whatever the tool sends that a strict platform would not take is an error here.
"""

from __future__ import annotations

import asyncio
import html
import json
import re
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

import aiohttp
from aiohttp import web
from joserfc import jwt
from joserfc.jwk import KeySet, RSAKey

from idg.cli.main import main
from tests.support.servers.clients import Answer, Client, Json
from tests.support.waiting import HANG_SECONDS

LTI = "https://purl.imsglobal.org/spec/lti/claim/"
DEEP = "https://purl.imsglobal.org/spec/lti-dl/claim/"
AGS = "https://purl.imsglobal.org/spec/lti-ags/"
NRPS = "https://purl.imsglobal.org/spec/lti-nrps/"
ROLE = "http://purl.imsglobal.org/vocab/lis/v2/membership#"
CLIENT = "client-of-idg"
KEY = RSAKey.generate_key(2048, {"use": "sig", "alg": "RS256"}, auto_kid=True)
OTHER_KEY = RSAKey.generate_key(2048, {"use": "sig", "alg": "RS256"}, auto_kid=True)
"""A key that the platform does not publish."""
PAGE_MEMBERS = 2
"""How many members a page of the list has."""
Claims = dict[str, Any]


class LearningPlatform:
    """One course with one teacher and some students."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.course = f"course-{time.monotonic_ns()}"
        self.people: dict[str, tuple[str, str]] = {
            "t-1": ("Emmy Noether", "Instructor"),
            "s-1": ("Ada", "Learner"),
            "s-2": ("Ada", "Learner"),
            "s-3": ("Grace Hopper", "Learner"),
        }
        """Subject → name and role."""
        self.published = [KEY]
        self.signing = KEY
        self.tokens: dict[str, set[str]] = {}
        """Token → the scopes that it is good for."""
        self.assertions: set[str] = set()
        """The ids of requests for tokens, each of which may come once."""
        self.columns: dict[str, Json] = {}
        """Number of a column of the gradebook → what it is."""
        self.scores: list[tuple[str, Json]] = []
        """Column and score, in the order in which they came."""
        self.asked: list[str] = []
        """Method and path of everything that came."""
        self.failures: list[int] = []
        """Statuses with which the next requests for scores are answered."""
        self.change: Callable[[Claims], None] = lambda claims: None
        """Changes a launch before it is signed."""
        self.tool_url = ""
        self._more: dict[str, Any] = {}

    def register(self, data: Path, *more: str) -> None:
        name = f"p{time.monotonic_ns()}"
        urls = ("--issuer", self.url, "--login", f"{self.url}/auth", "--token", f"{self.url}/token", "--keys", f"{self.url}/jwks")
        assert main(["lti", "add", name, "--client", CLIENT, *urls, "--data", str(data), *more]) == 0

    # Launches

    def claims(self, subject: str, link: str | None, more: Claims) -> Claims:
        name, role = self.people[subject]
        claims = {
            "iss": self.url,
            "aud": CLIENT,
            "sub": subject,
            "name": name,
            "iat": int(time.time()),
            "exp": int(time.time()) + 300,
            f"{LTI}version": "1.3.0",
            f"{LTI}deployment_id": "1",
            f"{LTI}roles": [ROLE + role, "http://purl.imsglobal.org/vocab/lis/v2/institution/person#Student"],
            f"{LTI}context": {"id": self.course, "title": "Loops <b>1b</b>"},
            f"{LTI}launch_presentation": {"return_url": f"{self.url}/course", "locale": "en"},
            f"{NRPS}claim/namesroleservice": {"context_memberships_url": f"{self.url}/members", "service_versions": ["2.0"]},
        }
        if link is not None:
            claims[f"{LTI}message_type"] = "LtiResourceLinkRequest"
            claims[f"{LTI}resource_link"] = {"id": link, "title": "An activity"}
            claims[f"{AGS}claim/endpoint"] = {"scope": [f"{AGS}scope/score"], "lineitems": f"{self.url}/columns?course=1"}
        else:
            claims[f"{LTI}message_type"] = "LtiDeepLinkingRequest"
            claims[f"{DEEP}deep_linking_settings"] = {
                "deep_link_return_url": f"{self.url}/chosen",
                "accept_types": ["ltiResourceLink"],
                "accept_presentation_document_targets": ["iframe", "window"],
                "data": "what the platform wants back",
            }
        return claims | more

    async def form(self, browser: Client, subject: str, link: str | None = "link-1", **more: Any) -> dict[str, str]:
        """The signed form with which the platform launches the tool, after the login at the tool."""
        query = {"iss": self.url, "login_hint": subject, "target_link_uri": f"{browser.url}/lti/launch", "client_id": CLIENT}
        login = await browser.get(f"/lti/login?{urlencode({**query, 'lti_message_hint': link or ''})}", allow_redirects=False)
        assert login.status == 302, login.text
        self._more = more
        async with browser.session.get(login.headers["location"]) as response:
            assert response.status == 200, await response.text()
            return fields_of(await response.text())

    async def launch(self, browser: Client, subject: str, link: str | None = "link-1", **more: Any) -> Answer:
        """A whole launch, as a browser makes it inside of a page of the platform."""
        return await self.send(browser, await self.form(browser, subject, link, **more))

    async def send(self, browser: Client, form: dict[str, str], path: str = "/lti/launch", **headers: str) -> Answer:
        sent = {"Content-Type": "application/x-www-form-urlencoded", "Origin": self.url, **headers}
        return await browser.ask("POST", path, urlencode(form).encode(), sent, allow_redirects=False)

    async def arrive(self, browser: Client, subject: str, link: str = "link-1", **more: Any) -> Json:
        """Launches, opens the link of the page, and comes in; returns who the browser is then."""
        answer = await self.launch(browser, subject, link, **more)
        assert answer.status == 200, answer.text
        entered: Json = (await browser.post("/api/lti/enter", ticket_of(answer))).ok()
        return entered

    async def choose(self, browser: Client, chosen: str) -> Claims:
        """A teacher chooses an assignment; returns what the platform reads in the tool's signed answer."""
        page = await self.launch(browser, "t-1", None)
        assert page.status == 200, page.text
        assert f'value="{chosen}"' in page.text, page.text
        form = {"token": fields_of(page.text)["token"], "chosen": chosen}
        sent = await self.send(browser, form, "/lti/choose", Origin=browser.url)
        assert sent.status == 200, sent.text
        assert f"form-action {self.url};" in sent.headers["content-security-policy"]
        return await self.read_choice(browser, fields_of(sent.text)["JWT"])

    async def read_choice(self, browser: Client, signed: str) -> Claims:
        keys = KeySet.import_key_set((await browser.get("/lti/jwks")).ok())
        claims = jwt.decode(signed, keys, algorithms=["RS256"]).claims
        jwt.JWTClaimsRegistry(iss={"essential": True, "value": CLIENT}, aud={"essential": True, "value": self.url}).validate(claims)
        assert claims[f"{LTI}message_type"] == "LtiDeepLinkingResponse"
        assert claims[f"{LTI}deployment_id"] == "1"
        assert claims[f"{DEEP}data"] == "what the platform wants back"
        assert claims["nonce"]
        return claims

    # What the tool asks for

    async def auth(self, request: web.Request) -> web.Response:
        given = dict(request.query)
        expected = {
            "scope": "openid",
            "response_type": "id_token",
            "response_mode": "form_post",
            "prompt": "none",
            "client_id": CLIENT,
        }
        assert expected.items() <= given.items(), given
        self.tool_url = given["redirect_uri"].removesuffix("/lti/launch")
        link = given["lti_message_hint"] or None
        claims = self.claims(given["login_hint"], link, {}) | {"nonce": given["nonce"]} | self._more.get("claims", {})
        self.change(claims)
        header = {"alg": "RS256", "kid": str(self.signing.kid)}
        fields = {"id_token": jwt.encode(header, claims, self.signing), "state": given["state"]}
        shown = "".join(f'<input name="{name}" value="{html.escape(value)}">' for name, value in fields.items())
        form = f'<form method="post" action="{html.escape(given["redirect_uri"])}">{shown}</form>'
        return web.Response(text=f"{form}<script>document.forms[0].submit()</script>", content_type="text/html")

    async def course_page(self, request: web.Request) -> web.Response:
        """A page of the course, with an activity inside of a frame."""
        tool, subject = request.query["tool"], request.query["subject"]
        query = {"iss": self.url, "login_hint": subject, "target_link_uri": f"{tool}/lti/launch", "lti_message_hint": "link-1"}
        frame = f'<iframe title="activity" width="800" height="500" src="{html.escape(f"{tool}/lti/login?{urlencode(query)}")}">'
        return web.Response(text=f"<!doctype html><title>Course</title>{frame}</iframe>", content_type="text/html")

    async def no_icon(self, request: web.Request) -> web.Response:
        return web.Response(status=204)

    async def jwks(self, request: web.Request) -> web.Response:
        return web.json_response(KeySet([*self.published]).as_dict(private=False))

    async def token(self, request: web.Request) -> web.Response:
        form = dict(parse_qsl(await request.text()))
        assert form["grant_type"] == "client_credentials"
        assert form["client_assertion_type"] == "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"
        async with aiohttp.ClientSession() as session, session.get(f"{self.tool_url}/lti/jwks") as response:
            keys = KeySet.import_key_set(await response.json())
        assert all(set(key.as_dict()) <= {"kty", "n", "e", "kid", "use", "alg"} for key in keys), "nothing private is published"
        claims = jwt.decode(form["client_assertion"], keys, algorithms=["RS256"]).claims
        jwt.JWTClaimsRegistry(
            iss={"essential": True, "value": CLIENT},
            sub={"essential": True, "value": CLIENT},
            aud={"essential": True, "value": f"{self.url}/token"},
            exp={"essential": True},
            iat={"essential": True},
        ).validate(claims)
        assert claims["jti"] not in self.assertions
        self.assertions.add(claims["jti"])
        token = f"token-{len(self.assertions)}"
        self.tokens[token] = set(form["scope"].split())
        return web.json_response({"access_token": token, "token_type": "Bearer", "expires_in": 3600, "scope": form["scope"]})

    def _allowed(self, request: web.Request, scope: str) -> None:
        token = request.headers.get("Authorization", "").removeprefix("Bearer ")
        if scope not in self.tokens.get(token, set()):
            raise web.HTTPUnauthorized(text="this token is not good")

    async def list_columns(self, request: web.Request) -> web.Response:
        self._allowed(request, f"{AGS}scope/lineitem")
        assert request.query["course"] == "1"
        wanted = request.query["resource_link_id"]
        return web.json_response([column for column in self.columns.values() if column["resourceLinkId"] == wanted])

    async def new_column(self, request: web.Request) -> web.Response:
        self._allowed(request, f"{AGS}scope/lineitem")
        assert request.content_type == "application/vnd.ims.lis.v2.lineitem+json"
        column = await request.json()
        assert column["scoreMaximum"] > 0
        number = str(len(self.columns) + 1)
        self.columns[number] = column | {"id": f"{self.url}/columns/{number}?type=lti"}
        return web.json_response(self.columns[number], status=201)

    async def take_score(self, request: web.Request) -> web.Response:
        self._allowed(request, f"{AGS}scope/score")
        if self.failures:
            return web.Response(status=self.failures.pop(0), text="not now")
        assert request.content_type == "application/vnd.ims.lis.v1.score+json"
        assert request.query["type"] == "lti", "what follows the ? of the column stays"
        score = await request.json()
        assert score["userId"] in self.people
        assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00", score["timestamp"])
        assert score["gradingProgress"] == "FullyGraded"
        assert score["scoreMaximum"] > 0
        self.scores.append((request.match_info["number"], score))
        return web.Response(status=204)

    async def list_members(self, request: web.Request) -> web.Response:
        self._allowed(request, f"{NRPS}scope/contextmembership.readonly")
        start = int(request.query.get("from", "0"))
        listed = [
            {"user_id": subject, "name": name, "roles": [ROLE + role], "status": "Active"}
            for subject, (name, role) in self.people.items()
        ]
        body = {"id": self.url, "context": {"id": self.course}, "members": listed[start : start + PAGE_MEMBERS]}
        following = f'<{self.url}/members?from={start + PAGE_MEMBERS}>; rel="next"'
        headers = {"Link": following} if start + PAGE_MEMBERS < len(listed) else {}
        kind = "application/vnd.ims.lti-nrps.v2.membershipcontainer+json"
        return web.Response(text=json.dumps(body), headers=headers, content_type=kind)

    def app(self) -> web.Application:
        @web.middleware
        async def noted(request: web.Request, handler: Any) -> web.StreamResponse:
            self.asked.append(f"{request.method} {request.path}")
            answer: web.StreamResponse = await handler(request)
            return answer

        app = web.Application(middlewares=[noted])
        app.add_routes(
            [
                web.get("/course", self.course_page),
                web.get("/favicon.ico", self.no_icon),
                web.get("/auth", self.auth),
                web.get("/jwks", self.jwks),
                web.post("/token", self.token),
                web.get("/columns", self.list_columns),
                web.post("/columns", self.new_column),
                web.post("/columns/{number}/scores", self.take_score),
                web.get("/members", self.list_members),
            ]
        )
        return app


@asynccontextmanager
async def learning_platform() -> AsyncIterator[LearningPlatform]:
    """A platform that answers on a free port of this machine."""
    platform = LearningPlatform("")
    runner = web.AppRunner(platform.app())
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    try:
        platform.url = f"http://127.0.0.1:{runner.addresses[0][1]}"
        yield platform
    finally:
        await runner.cleanup()


@contextmanager
def platform_in_a_thread(data: Path) -> Iterator[LearningPlatform]:
    """A registered platform for tests that drive a browser and so have no event loop of their own."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    making = learning_platform()
    platform = asyncio.run_coroutine_threadsafe(making.__aenter__(), loop).result(HANG_SECONDS)
    try:
        asyncio.run_coroutine_threadsafe(asyncio.to_thread(platform.register, data), loop).result(HANG_SECONDS)
        yield platform
    finally:
        asyncio.run_coroutine_threadsafe(making.__aexit__(None, None, None), loop).result(HANG_SECONDS)
        loop.call_soon_threadsafe(loop.stop)
        thread.join(HANG_SECONDS)
        loop.close()


def fields_of(page: str) -> dict[str, str]:
    """The fields of the form in a page."""
    return {name: html.unescape(value) for name, value in re.findall(r'<input[^>]* ?name="(\w+)" value="([^"]*)"', page)}


def ticket_of(answer: Answer) -> Json:
    """What the link of the page says that a launch ends with."""
    url = urlsplit(html.unescape(re.findall(r'href="(/enter/[^"]*)"', answer.text)[0]))
    return {"class_id": url.path.removeprefix("/enter/"), "ticket": url.fragment}
