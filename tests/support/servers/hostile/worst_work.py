"""The dearest things that students of a class and participants of a study can do, and what reads all of it afterwards."""

from __future__ import annotations

from contextlib import AsyncExitStack

from tests.support.servers.clients import Answer, Client, Json, client
from tests.support.study.six_participants import TOML

STUDY = "worst"
QUESTIONS = 38
"""Questions of the study; bodies with answers have at most 40."""
STUDY_TOML = TOML.replace('name = "six"', f'name = "{STUDY}"\nblock = 2', 1) + "".join(
    f'\n[[question]]\nid = "q{number}"\ntext = "?"\nkind = "text"\nwhen = "start"\n' for number in range(QUESTIONS)
)
"""A study with both arms and many questions. Whoever runs the server has to open it first."""
FALSE = " & ".join(["res + cnt * n + m >= 0 - 1000000"] * 8) + " & cnt = "
"""Part of a long expression that a run refutes."""
TRUE = " & ".join(["cnt >= 0"] * 30) + " & m >= 0 - "
"""Part of a long expression that holds."""
LONGEST_EVENT = 300
"""How many expressions a batch may have, whose verdict is then the longest event."""


def fine(answer: Answer) -> Json:
    """The answer, which may be a clear refusal."""
    assert answer.status < 500 or answer.status == 503, (answer.status, answer.text[:300])
    return answer.json if answer.status == 200 else {}


async def long_events(who: Client, room: str) -> None:
    """Events as long as moves can make them."""
    for start in (FALSE, TRUE):
        facts = [{"expression": f"{start}{number}"} for number in range(LONGEST_EVENT)]
        fine(await who.post(f"/api/rooms/{room}/batches", {"proposals": facts}))
    for _ in range(3):
        fine(await who.post(f"/api/rooms/{room}/feedback"))
    fine(await who.post(f"/api/rooms/{room}/batches", {"proposals": [{"expression": "res = n * cnt"}, {"expression": "cnt <= m"}]}))


async def worked_class(teacher: Client) -> None:
    """A class in which students have worked: everything that is told of it reads their rooms."""
    async with AsyncExitStack() as stack:
        made = (await teacher.post("/api/classes", {"title": "Busy"})).ok()
        school = f"/api/classes/{made['class_id']}"
        items = [{"level": level} for level in ("multiply", "cube", "summation")]
        (await teacher.post(f"{school}/assignments", {"title": "All", "items": items})).ok()
        for number in range(2):
            student = await stack.enter_async_context(client(teacher.url))
            (await student.post("/api/classes/join", {"code": made["code"], "name": f"Student {number}"})).ok()
            room = await student.room("multiply")
            await long_events(student, room)
            for path in ("events?after=0&limit=500", "board", "explanation", "export?to=dafny", "open"):
                fine(await student.get(f"/api/rooms/{room}/{path}"))
            fine(await student.post(f"{school}/assignments/1/hand-in"))
            for path in ("/me", "/assignments/1/items/1/certificate"):
                fine(await student.get(school + path))
            told = f"{school}/students/{number + 1}/rooms"
            for path in ("/table", "/gradebook", "/gradebook.csv", "/assignments/1/items/1/pooled"):
                fine_text(await teacher.get(school + path))
            for path in (told, f"{told}/{room}", f"{told}/{room}/events?after=0&limit=500"):
                fine(await teacher.get(path))
        fine_text(await teacher.get(f"{school}/export"))
        fine(await teacher.get("/api/levels/multiply/crowd"))


def fine_text(answer: Answer) -> None:
    """The same for an answer that need not be JSON."""
    assert answer.status in (200, 409, 422, 503), (answer.status, answer.text[:300])


async def worked_study(visitor: Client) -> None:
    """A study with a participant in each arm, who do as much as they may."""
    study = f"/api/studies/{STUDY}"
    (await visitor.get(study)).ok()
    for number in range(2):
        async with client(visitor.url) as who:
            part = (await who.post(f"{study}/participants", {"pid": f"p{number}", "consent": "1"})).ok()
            fine(await who.post(f"{study}/background", {"answers": {f"q{n}": "x" * 1_000 for n in range(QUESTIONS)}}))
            if part["variant"] == "code":
                await long_events(who, await who.room("multiply"))
            else:
                await table_game(who, f"{study}/levels/1")
            fine(await who.get(f"{study}/me"))
            rows = [{"kind": "pause", "time": 1.0, "body": {f"value{n}": "x" * 40 for n in range(20)}}] * 190
            fine(await who.post("/api/logs", {"rows": rows}))
            fine(await who.post(f"{study}/answers", {"answers": {"fun": 3}}))


async def table_game(who: Client, level: str) -> None:
    fine(await who.post(level))
    for number in range(20):
        fine(await who.post(f"{level}/proposals", {"expression": f"{TRUE * 20}{number}"}))
    for inputs in ({"n": "3", "m": "9" * 1_000}, {"n": "3", "m": "3000"}, {f"x{number}": "9" * 300 for number in range(199)}):
        fine(await who.post(f"{level}/traces", {"inputs": inputs}))
    fine(await who.post(level))
