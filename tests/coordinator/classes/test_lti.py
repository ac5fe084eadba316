"""LTI 1.3 against a platform that makes real signed launches: coming in, choosing an assignment, scores, lists of members."""

from __future__ import annotations

import asyncio
import base64
import hmac
import json
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, cast

import pytest

from idg.cli.main import main
from idg.coordinator.lti import services as services_module
from idg.coordinator.lti.arriving import SPARE_CHARS, shown_name
from idg.coordinator.lti.platforms import is_of
from idg.coordinator.lti.refusals import ServiceFailed
from idg.coordinator.lti.requests import PlatformClient
from idg.coordinator.lti.services import PlatformServices
from idg.coordinator.lti.signing import OurKeys
from idg.coordinator.store import Store
from idg.coordinator.store.lti_records import PlatformRow
from idg.coordinator.web.models import NAME_CHARS_MAX
from tests.support.servers.classrooms import proves
from tests.support.servers.clients import Client, Json, client
from tests.support.servers.platforms import CLIENT, DEEP, LTI, OTHER_KEY, ROLE, LearningPlatform, learning_platform, ticket_of
from tests.support.waiting import HANG_SECONDS

PLATFORM = PlatformRow(
    "silent", "https://lms", "client", "https://lms/login", "https://lms/token", "https://lms/keys", "", "", "", 1.0
)
pytest_plugins = ["tests.support.servers.servers"]


def played(server: Any, play: Callable[[LearningPlatform], Awaitable[None]]) -> None:
    async def run() -> None:
        async with learning_platform() as platform:
            await asyncio.to_thread(platform.register, server.data)
            await play(platform)

    asyncio.run(run())


def encoded(content: bytes) -> str:
    """As JSON Web Tokens write bytes."""
    return base64.urlsafe_b64encode(content).decode().rstrip("=")


async def eventually(holds: Callable[[], bool]) -> None:
    async with asyncio.timeout(HANG_SECONDS):
        while not holds():
            await asyncio.sleep(0.02)


def test_a_lesson_from_the_platform_and_back(server: Any) -> None:
    """Choosing an assignment, two students who come in, a list of members, and grades that arrive."""

    async def play(platform: LearningPlatform) -> None:
        async with client(server.url) as teacher, client(server.url) as ada, client(server.url) as phone:
            [item] = (await platform.choose(teacher, "level:multiply"))[f"{DEEP}content_items"]
            assert (item["type"], item["url"]) == ("ltiResourceLink", f"{server.url}/lti/launch")
            assert item["lineItem"]["scoreMaximum"] == 10
            custom: Json = {"claims": {f"{LTI}custom": item["custom"]}}
            entered = await platform.arrive(teacher, "t-1", **custom)
            assert entered["role"] == "teacher"
            path = f"/api/classes/{entered['class_id']}"
            taught = (await teacher.get(path)).ok()
            assert taught["title"] == "Loops <b>1b</b>"
            assert taught["platform"] == (await teacher.get(f"{path}/platform")).ok()["platform"]
            assert [assignment["title"] for assignment in taught["assignments"]] == ["Multiply"]

            student = await platform.arrive(ada, "s-1", **custom)
            assert (student["role"], student["name"], student["class_id"]) == ("student", "Ada", entered["class_id"])
            assert student["player"].startswith("class-")
            assert (await ada.get("/api/players/me")).ok()["player"] == student["player"], "the cookie is set"
            (await ada.get(path)).refused("not-teacher")
            again = await platform.arrive(phone, "s-1", **custom)
            assert again["player"] == student["player"], "the same student on another device"

            await proves(ada)
            platform.failures = [503]
            (await ada.post(f"{path}/assignments/1/hand-in")).ok()
            await eventually(lambda: not platform.failures)
            (await teacher.post(f"{path}/platform/scores")).ok()
            await eventually(lambda: bool(platform.scores))
            [(column, score)] = platform.scores
            assert platform.columns[column]["resourceLinkId"] == "link-1"
            assert (score["userId"], score["scoreGiven"], score["scoreMaximum"]) == ("s-1", 10, 10)
            assert score["activityProgress"] == "Completed"

            read = (await teacher.post(f"{path}/platform/members")).ok()
            assert read == {"added": 2, "known": 1, "others": 1}
            assert [known["name"] for known in (await teacher.get(path)).ok()["students"]] == ["Ada", "Ada 2", "Grace Hopper"]
            assert (await teacher.post(f"{path}/platform/members")).ok() == {"added": 0, "known": 3, "others": 1}
            second = await platform.arrive(phone, "s-2", **custom)
            assert second["name"] == "Ada 2"
            assert second["player"] != student["player"]
            # A name shows nobody: who has the code of the class cannot take the place of somebody whom the platform knows.
            impostor = {"code": taught["code"], "name": "Grace Hopper"}
            (await ada.post("/api/classes/join", impostor)).refused("name-taken")

    played(server, play)


async def refused(platform: LearningPlatform, browser: Client, text: str, **more: Any) -> None:
    answer = await platform.launch(browser, "t-1", **more)
    assert answer.status == 403, answer.text
    assert text in answer.text, answer.text
    assert "frame-ancestors *" in answer.headers["content-security-policy"]


WRONG: dict[str, tuple[Callable[[LearningPlatform, Json], None], str]] = {
    "another issuer": (lambda platform, claims: claims.update(iss="https://evil.example"), "signature"),
    "another audience": (lambda platform, claims: claims.update(aud="another-tool"), "signature"),
    "one of several audiences": (lambda platform, claims: claims.update(aud=[CLIENT, "another-tool"]), "signature"),
    "meant for another party": (lambda platform, claims: claims.update(azp="another-tool"), "signature"),
    "expired": (lambda platform, claims: claims.update(exp=int(time.time()) - 120), "too long"),
    "not yet": (lambda platform, claims: claims.update(iat=int(time.time()) + 900, nbf=int(time.time()) + 900), "signature"),
    "without an end": (lambda platform, claims: claims.pop("exp"), "signature"),
    "another login's nonce": (lambda platform, claims: claims.update(nonce="made-up"), "signature"),
    "without a nonce": (lambda platform, claims: claims.pop("nonce"), "signature"),
    "LTI of another version": (lambda platform, claims: claims.update({f"{LTI}version": "1.1.0"}), "understand"),
    "an unknown message": (lambda platform, claims: claims.update({f"{LTI}message_type": "Hello"}), "understand"),
    "without a deployment": (lambda platform, claims: claims.pop(f"{LTI}deployment_id"), "know the platform"),
    "nobody": (lambda platform, claims: claims.pop("sub"), "neither a teacher"),
    "another role": (lambda platform, claims: claims.update({f"{LTI}roles": [ROLE + "Mentor"]}), "neither a teacher"),
    "a teacher elsewhere": (
        lambda platform, claims: claims.update(
            {f"{LTI}roles": ["http://purl.imsglobal.org/vocab/lis/v2/institution/person#Instructor"]}
        ),
        "neither a teacher",
    ),
    "no course": (lambda platform, claims: claims.pop(f"{LTI}context"), "course"),
    "no activity": (lambda platform, claims: claims.pop(f"{LTI}resource_link"), "understand"),
    "claims of wrong kinds": (
        lambda platform, claims: claims.update({f"{LTI}context": "x", f"{LTI}roles": {}, f"{LTI}resource_link": [1], "name": 5}),
        "neither a teacher",
    ),
    "an unknown key": (lambda platform, claims: setattr(platform, "signing", OTHER_KEY), "signature"),
}
"""What is wrong with a launch → how it is made so, and what the page says."""


def test_forged_launches_are_refused(server: Any) -> None:
    async def play(platform: LearningPlatform) -> None:
        async with client(server.url) as browser:
            await platform.arrive(browser, "t-1")
            right = platform.signing
            for wrong, (change, text) in WRONG.items():

                def changed(claims: Json, change: Callable[[LearningPlatform, Json], None] = change) -> None:
                    change(platform, claims)

                platform.change = changed
                try:
                    await refused(platform, browser, text)
                except AssertionError as error:
                    raise AssertionError(wrong) from error
                platform.signing = right
            fetched = platform.asked.count("GET /jwks")
            assert fetched <= 2, "a launch with an unknown key does not make us ask the platform each time"

    played(server, play)


def test_tampered_and_replayed_launches_are_refused(server: Any) -> None:
    async def play(platform: LearningPlatform) -> None:
        async with client(server.url) as browser, client(server.url) as thief:
            form = await platform.form(browser, "t-1")
            header, payload, signature = form["id_token"].split(".")
            unsigned = "eyJhbGciOiJub25lIn0." + payload + "."
            # The platform's public key as the secret of a symmetric signature: an old trick.
            symmetric_header = encoded(json.dumps({"alg": "HS256", "kid": platform.signing.kid}).encode())
            public = platform.signing.as_pem(private=False)
            digest = hmac.new(public, f"{symmetric_header}.{payload}".encode(), "sha256").digest()
            symmetric = f"{symmetric_header}.{payload}.{encoded(digest)}"
            for token in (
                f"{header}.{payload}x.{signature}",
                f"{header}.{payload}.{signature[:-6]}AAAAAA",
                unsigned,
                symmetric,
                "",
                "a.b.c",
                "ü",
            ):
                answer = await platform.send(browser, {**form, "id_token": token})
                assert (answer.status, "signature" in answer.text) == (403, True), token
            for state in ("", "a.b.c", form["state"][:-4] + "AAAA", form["id_token"]):
                answer = await platform.send(browser, {**form, "state": state})
                assert (answer.status, "did not begin here" in answer.text) == (403, True), state
            other = await platform.form(thief, "t-1")
            crossed = await platform.send(thief, {**form, "state": other["state"]})
            assert crossed.status == 403, "a signed text belongs to the login that it answers"
            first = await platform.send(browser, form)
            assert first.status == 200, first.text
            assert f"frame-ancestors {platform.url}" in first.headers["content-security-policy"]
            assert "Loops &lt;b&gt;1b&lt;/b&gt;" in first.text
            replayed = await platform.send(thief, form)
            assert (replayed.status, "used already" in replayed.text) == (403, True)
            ticket = ticket_of(first)
            wrong = {**ticket, "class_id": "another-class"}
            (await browser.post("/api/lti/ticket", wrong)).refused("wrong-code")
            door = (await browser.post("/api/lti/ticket", ticket)).ok()
            assert (door["role"], door["name"], door["title"]) == ("teacher", "Emmy Noether", "Loops <b>1b</b>")
            (await browser.post("/api/lti/enter", ticket)).ok()
            for path in ("enter", "ticket"):
                (await thief.post(f"/api/lti/{path}", ticket)).refused("wrong-code")
            top = await platform.send(browser, await platform.form(browser, "t-1"), **{"Sec-Fetch-Dest": "document"})
            assert (top.status, top.headers["location"].partition("#")[0]) == (303, f"/enter/{ticket['class_id']}")
            assert "set-cookie" not in top.headers

    played(server, play)


def test_what_is_no_launch_at_all_is_refused(server: Any) -> None:
    async def play(platform: LearningPlatform) -> None:
        async with client(server.url) as browser:
            for query in (
                "",
                "?iss=https://evil.example&login_hint=x",
                f"?iss={platform.url}",
                f"?iss={platform.url}&login_hint=x&client_id=y",
            ):
                answer = await browser.get(f"/lti/login{query}", allow_redirects=False)
                assert answer.status == 403, query
            for body in (b"", b"state=a&state=b", b"\xff=1", b"&".join(b"a%d=1" % number for number in range(40)), b"a=%00"):
                sent = {"Content-Type": "application/x-www-form-urlencoded"}
                assert (await browser.ask("POST", "/lti/launch", body, sent)).status == 403, body
                assert (await browser.ask("POST", "/lti/choose", body, sent)).status == 403, body
            foreign = await platform.send(browser, {"token": "x", "chosen": "level:multiply"}, "/lti/choose")
            assert foreign.status == 403, "only our own page sends a choice"
            assert foreign.json["code"] == "wrong-origin"
            early = await platform.launch(browser, "s-1")
            assert "teacher has to open" in early.text
            denied = await platform.launch(browser, "s-1", None)
            assert "neither a teacher" in denied.text, "a student chooses no assignment"

    played(server, play)


def test_a_choice_is_made_once_and_only_for_ones_own_class(server: Any) -> None:
    async def play(platform: LearningPlatform) -> None:
        async with client(server.url) as browser:
            await platform.choose(browser, "level:multiply")
            claims = await platform.choose(browser, "assignment:1")
            [item] = claims[f"{DEEP}content_items"]
            assert item["custom"] == {"assignment": "1"}
            page = await platform.launch(browser, "t-1", None)
            token = page.text.split('name="token" value="')[1].split('"')[0]
            for chosen in ("", "level:", "level:nothing", "assignment:0", "assignment:x"):
                answer = await platform.send(browser, {"token": token, "chosen": chosen}, "/lti/choose", Origin=server.url)
                assert answer.status == 403, chosen
            form = await platform.form(browser, "t-1")
            for wrong in (form["state"], form["id_token"], "x"):
                answer = await platform.send(browser, {"token": wrong, "chosen": "assignment:1"}, "/lti/choose", Origin=server.url)
                assert answer.status == 403, "what was signed for something else is good for nothing here"
            page = await platform.launch(browser, "t-1", None)
            once = {"token": page.text.split('name="token" value="')[1].split('"')[0], "chosen": "assignment:1"}
            assert (await platform.send(browser, once, "/lti/choose", Origin=server.url)).status == 200
            assert "used already" in (await platform.send(browser, once, "/lti/choose", Origin=server.url)).text

    played(server, play)


def test_requests_go_only_to_hosts_of_the_platform(server: Any) -> None:
    """A launch may name any address for its services; another server of this machine is not asked."""

    async def play(platform: LearningPlatform) -> None:
        async with learning_platform() as other, client(server.url) as teacher:
            service = {"context_memberships_url": f"{other.url}/members", "service_versions": ["2.0"]}
            more: Json = {"claims": {"https://purl.imsglobal.org/spec/lti-nrps/claim/namesroleservice": service}}
            entered = await platform.arrive(teacher, "t-1", **more)
            error = (await teacher.post(f"/api/classes/{entered['class_id']}/platform/members")).refused("platform-failed")
            assert "no host that is registered" in error["message"]
            assert other.asked == []

    played(server, play)


def test_a_platform_that_tells_no_keys_is_not_asked_for_each_launch(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each forged launch asked three times for ten seconds, on the few places that there are for requests to platforms."""
    asked = 0

    class Silent(PlatformClient):
        async def ask(self, platform: PlatformRow, method: str, url: str, **more: Any) -> Any:
            nonlocal asked
            asked += 1
            await asyncio.sleep(0.01)
            raise ServiceFailed("the platform cannot be reached")

    async def story() -> None:
        services = PlatformServices(OurKeys(cast(Store, None)), Silent(), time.time)
        launches = (services.launch_claims(PLATFORM, "a.b.c") for _ in range(20))
        outcomes = await asyncio.gather(*launches, return_exceptions=True)
        assert {type(outcome) for outcome in outcomes} == {ServiceFailed}
        assert asked == 1
        monkeypatch.setattr(services_module, "KEYS_FAILED_SECONDS", 0.0)
        with pytest.raises(ServiceFailed):
            await services.launch_claims(PLATFORM, "a.b.c")
        assert asked == 2, "it is asked again later"

    asyncio.run(story())


def test_keys_can_change_on_both_sides(server: Any, capsys: pytest.CaptureFixture[str]) -> None:
    async def play(platform: LearningPlatform) -> None:
        async with client(server.url) as teacher:
            platform.published = [OTHER_KEY, *platform.published]
            platform.signing = OTHER_KEY
            entered = await platform.arrive(teacher, "t-1")
            before = (await teacher.get("/lti/jwks")).ok()["keys"]
            assert await asyncio.to_thread(main, ["lti", "keys", "--new", "--data", str(server.data)]) == 0
            after = (await teacher.get("/lti/jwks")).ok()["keys"]
            assert after[1] == before[0], "the old key stays published"
            assert after[0]["kid"] != before[0]["kid"]
            read = (await teacher.post(f"/api/classes/{entered['class_id']}/platform/members")).ok()
            assert read["added"] == 3, "the platform takes what is signed with the new key"

    played(server, play)
    assert '"d"' not in capsys.readouterr().out, "nothing private is printed"


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"--login": "http://lms.example.org/auth"}, "must begin with https://"),
        ({"--keys": "https://user@lms.example.org/jwks"}, "must begin with https://"),
        ({"--token": "ftp://lms.example.org"}, "must begin with https://"),
        ({"--client": "a b"}, "no spaces"),
        ({"--service-host": "a/b"}, "a host is a name"),
        ({"--issuer": ""}, "--issuer must be given"),
    ],
)
def test_a_wrong_registration_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], changes: dict[str, str], problem: str
) -> None:
    base = "https://lms.example.org"
    options = {"--issuer": base, "--client": "c", "--login": f"{base}/a", "--token": f"{base}/t", "--keys": f"{base}/k"} | changes
    flags = [part for name, value in options.items() for part in (name, value)]
    assert main(["lti", "add", "lms", *flags, "--data", str(tmp_path)]) != 0
    assert problem in capsys.readouterr().err


def test_hosts_of_a_platform() -> None:
    row = PlatformRow(
        *("lms", "https://lms.example.org", "c", "https://sso.example.org/a", "https://sso.example.org/t"),
        *("https://keys.example.org:8443/k", "", "", "School.example.org", 0.0),
    )
    for url in ("https://lms.example.org/x", "https://keys.example.org:8443/y?z", "https://SCHOOL.example.org/members"):
        assert is_of(row, url), url
    for url in (
        *(
            "http://lms.example.org/x",
            "https://lms.example.org:444/x",
            "https://evil.example/lms.example.org",
            "https://a@lms.example.org/",
        ),
        *(
            "https://lms.example.org.evil.example/",
            "https://keys.example.org/",
            "file:///etc/passwd",
            "",
            "https://",
            "https://[::1/",
        ),
        *("https://lms.example.org/\n", "http://127.0.0.1/", "https://169.254.169.254/"),
    ):
        assert not is_of(row, url), url


def test_names_are_made_fit_to_be_shown() -> None:
    assert shown_name("  Ada\u202e\tLovelace\0 ") == "Ada Lovelace"
    assert shown_name("\u200b") == shown_name("") == "Student"
    assert len(shown_name("x" * 500)) == NAME_CHARS_MAX - SPARE_CHARS
