"""Who may do what in a class: every route is asked as everybody who is not allowed, and nothing is told or changed."""

from __future__ import annotations

import asyncio
import re
from typing import Any

import pytest

from tests.coordinator.api.test_api_docs import operations
from tests.support.servers.classrooms import lesson, proves
from tests.support.servers.clients import Client, Json, client

pytest_plugins = ["tests.support.servers.servers"]

OF_STUDENTS = {
    "GET /api/classes/{class_id}/me",
    "POST /api/classes/{class_id}/assignments/{number}/hand-in",
    "GET /api/classes/{class_id}/assignments/{number}/items/{item}/certificate",
}
"""The routes that students ask; all others that name a class are the teacher's."""
OF_EVERYBODY = {"", "/teach", "/entrance", "/join", "/continue", "/leave"}
"""What follows `/api/classes` in routes that name no class."""


def class_routes(description: Json, values: dict[str, str]) -> list[tuple[str, str, str, Any]]:
    """Each route that names a class: its name, its method, its path for real things, and a right body."""
    routes = []
    for method, path, operation in operations(description):
        if not path.startswith("/api/classes") or path.removeprefix("/api/classes") in OF_EVERYBODY:
            continue
        body = None
        if "requestBody" in operation:
            body = operation["requestBody"]["content"]["application/json"]["example"]
        real = re.sub(r"\{(\w+)\}", lambda match: values[match[1]], path)
        routes.append((f"{method} {path}", method, real, body))
    return routes


async def stored(teacher: Client, path: str) -> list[str]:
    """Everything of a class, to see whether it has changed."""
    return [(await teacher.get(f"{path}{what}")).text for what in ("", "/export")]


@pytest.mark.parametrize("who", ["anonymous", "stranger", "other student", "other teacher", "classmate"])
def test_every_route_refuses_who_is_not_allowed(server: Any, who: str) -> None:
    async def play() -> None:
        async with lesson(server.url) as course, lesson(server.url) as other, client(server.url) as outsider:
            description = (await outsider.get("/api/openapi.json")).ok()
            await course.assign("multiply", due=4e9)
            ada, joined = await course.student("Ada Secretname")
            room = await proves(ada)
            await course.hand_in(ada)
            asking = {
                "anonymous": outsider,
                "stranger": outsider,
                "other student": (await other.student("Bob"))[0],
                "other teacher": other.teacher,
                "classmate": (await course.student("Cleo"))[0],
            }[who]
            if who == "stranger":
                await outsider.become("Mallory")
            values = {"class_id": course.made["class_id"], "student": "1", "number": "1", "item": "1", "room": room}
            routes = class_routes(description, values)
            assert len(routes) >= 24
            assert {name for name, *_ in routes} >= OF_STUDENTS
            before = await stored(course.teacher, course.path)
            for name, method, path, body in routes:
                if who == "classmate" and name in OF_STUDENTS:
                    continue
                answer = await asking.ask(method, path, body)
                expected = {"anonymous": "no-token", "classmate": "not-teacher"}.get(who, "not-found")
                answer.refused(expected)
                for secret in ("Secretname", joined["player"], room, course.made["code"]):
                    assert secret not in answer.text, name
            assert await stored(course.teacher, course.path) == before, "nothing was changed"

    asyncio.run(play())


def test_a_student_sees_nothing_of_others_in_their_own_routes(server: Any) -> None:
    async def play() -> None:
        async with lesson(server.url) as course:
            await course.assign("multiply", due=4e9)
            ada, joined = await course.student("Ada Secretname")
            bob, _ = await course.student("Bob")
            room = await proves(ada)
            await course.hand_in(ada)
            (await course.teacher.post(f"{course.path}/messages", {"kind": "hint", "student": 1, "text": "For Ada only"})).ok()
            view = await bob.get(f"{course.path}/me")
            assert view.ok()["assignments"][0]["items"][0]["state"] == "new"
            for secret in ("Secretname", joined["player"], room, "For Ada only"):
                assert secret not in view.text
            (await bob.get(f"{course.path}/assignments/1/items/1/certificate")).refused("not-found")
            assert [result["reason"] for result in (await course.hand_in(bob))["items"]] == ["nothing"]
            for path in ("", "/open", "/events", "/board", "/explanation"):
                (await bob.get(f"/api/rooms/{room}{path}")).refused("not-found")
            (await bob.post("/api/classes/continue", {"code": course.made["code"]})).refused("wrong-code")

    asyncio.run(play())


def test_the_teacher_is_no_student_and_has_no_hand_in(server: Any) -> None:
    async def play() -> None:
        async with lesson(server.url) as course:
            await course.assign("multiply")
            (await course.teacher.get(f"{course.path}/me")).refused("not-found")
            (await course.teacher.post(f"{course.path}/assignments/1/hand-in")).refused("not-found")

    asyncio.run(play())


def test_a_room_of_somebody_outside_is_not_the_classs_to_see(server: Any) -> None:
    """A student may join any room whose code they have; the teacher sees only rooms of the class."""

    async def play() -> None:
        async with lesson(server.url) as course, client(server.url) as friend:
            await course.assign("multiply")
            ada, _ = await course.student("Ada")
            opened = await friend.open("multiply", shared=True)
            room = opened["room"]["room"]
            (await ada.post("/api/rooms/join", {"code": opened["room"]["code"]})).ok()
            await friend.judged(room, "cnt < m")
            assert (await course.teacher.get(f"{course.path}/students/1/rooms")).ok()["rooms"] == []
            (await course.teacher.get(f"{course.path}/students/1/rooms/{room}/events")).refused("not-found")
            table = await course.table()
            assert table["columns"][0]["false_facts"] == []
            assert room not in (await course.teacher.get(f"{course.path}/export")).text

    asyncio.run(play())
