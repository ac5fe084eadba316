"""A class on a running server: a teacher, students, and assignments."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

from tests.support.servers.clients import Client, Json, client

FACTS = ("res = n * cnt", "cnt <= m")
"""The facts that prove the level `multiply`."""


class Lesson:
    """A class with its teacher, and clients who join it."""

    def __init__(self, url: str, stack: AsyncExitStack, teacher: Client, made: Json) -> None:
        self.url = url
        self.stack = stack
        self.teacher = teacher
        self.made = made
        self.path = f"/api/classes/{made['class_id']}"

    async def student(self, name: str) -> tuple[Client, Json]:
        """Somebody new, on a device of their own, who joins."""
        who = await self.stack.enter_async_context(client(self.url))
        joined: Json = (await who.post("/api/classes/join", {"code": self.made["code"], "name": name})).ok()
        return who, joined

    async def assign(self, *levels: str, **more: Any) -> Json:
        body = {"title": "Work", "items": [{"level": level} for level in levels], **more}
        assignment: Json = (await self.teacher.post(f"{self.path}/assignments", body)).ok()
        return assignment

    async def table(self, query: str = "") -> Json:
        table: Json = (await self.teacher.get(f"{self.path}/table{query}")).ok()
        return table

    async def hand_in(self, who: Client, number: int = 1) -> Json:
        results: Json = (await who.post(f"{self.path}/assignments/{number}/hand-in")).ok()
        return results


@asynccontextmanager
async def lesson(url: str, **more: Any) -> AsyncIterator[Lesson]:
    async with AsyncExitStack() as stack:
        teacher = await stack.enter_async_context(client(url))
        made = (await teacher.post("/api/classes", {"title": "Loops 1b", **more})).ok()
        yield Lesson(url, stack, teacher, made)


async def proves(who: Client, room: str | None = None, facts: tuple[str, ...] = FACTS) -> str:
    """Plays the level `multiply` to its end; returns the room."""
    room = room or await who.room("multiply")
    for fact in facts:
        await who.judged(room, fact)
    return room
