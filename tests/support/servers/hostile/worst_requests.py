"""The requests that are known to cost a server most, for each of its routes. Every one is within the limits, or just beyond."""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator, Awaitable, Callable

from idg.coordinator.classes.assignments import ITEMS_MAX
from idg.coordinator.classes.classes import STUDENTS_MAX
from idg.coordinator.web.models import ASSIGNED_MAX, ASSIGNMENT_TEXT_CHARS_MAX
from idg.coordinator.web.requests.guard import body_bytes_max
from idg.sip.limits import ARRAY_CELLS_MAX
from tests.support.servers.clients import COUNTING, Client, Json, next_message
from tests.support.servers.hostile.worst_work import STUDY, worked_class, worked_study

LEVEL = "multiply"
PLACE = re.compile(r"\{(\w+)\}")
"""A part of a described path that stands for something."""
QUERIES = {
    "/api/rooms/{room}/export": "?to=dafny",
    "/api/programs/{program}/view": "?as=python",
    "/api/classes/{class_id}/table": "?assignment=1",
}
"""Described path → the query that makes the route do its work."""
LONG_FACT = " & ".join(["res + cnt * n + m >= 0 - 1000000"] * 95)
"""About as long as one expression of the level can be."""

ADDING = """fn main(a: int[], n: nat) {
  pre(n <= len(a));
  var i: int;
  var s: int;
  i := 0;
  s := 0;
  while (i < n) {
    s := s + a[i];
    i := i + 1;
  }
  assert(s = sum k in 0..n: a[k]);
}
"""


def many_loops(loops: int, variables: int) -> str:
    """A program in which every loop sees every variable."""
    names = [f"v{number}" for number in range(variables)]
    declared = "".join(f"  var {name}: int;\n" for name in names)
    turns = "".join(f"  while (v0 < {number}) {{ v0 := v0 + 1; }}\n" for number in range(loops))
    return f"fn main(n: nat) {{\n{declared}{''.join(f'  {name} := 0;' for name in names)}\n{turns}  assert(v0 >= 0);\n}}\n"


def long_program(chars: int, wrong: bool = False) -> str:
    """A program of about so many characters; a wrong one has a problem in each statement."""
    statement = "    i := i + nosuch;\n" if wrong else "    i := i + (1 * 2) - 1;\n"
    head = "fn main(n: nat) {\n  var i: int;\n  i := 0;\n  while (i < n) {\n"
    return f"{head}{statement * ((chars - 120) // len(statement))}  }}\n  assert(i >= n);\n}}\n"


def wide_run(variables: int) -> str:
    """A program whose rows are long: its variables get up to two thousand digits."""
    names = [f"v{number}" for number in range(variables)]
    declared = "".join(f"  var {name}: int;\n  {name} := {number + 2};\n" for number, name in enumerate(names))
    grow = "".join(f"    {name} := {name} * 99999999999999999999999999;\n" for name in names)
    loop = f"  i := 0;\n  while (i < n) {{\n    i := i + 1;\n{grow}  }}\n  assert(i = n);\n"
    return f"fn main(n: nat) {{\n  var i: int;\n{declared}{loop}}}\n"


def wrong_bodies(path: str) -> list[bytes]:
    """Bodies for a route that are as long as it allows, and wrong in as many places as possible."""
    size = body_bytes_max(path) - 10
    names = ",".join(f'"k{number}":0' for number in range(size // 14))
    return [
        f"{{{names}}}".encode(),
        b"[" + b"[]," * (size // 3) + b"[]]",
        b'{"proposals":[' + b"{}," * (size // 3 - 10) + b"{}]}",
        b'{"rooms":[' + b"{}," * (size // 3 - 10) + b"{}]}",
        b'{"rows":[' + b"{}," * (size // 3 - 10) + b"{}]}",
        b'{"expression":"' + b"\\u0041" * (size // 6 - 10) + b'"}',
        b"[" * (size // 2),
        b"1" * size,
    ]


def wrong_forms(size: int) -> list[bytes]:
    """Forms of this length, as browsers send them, with as many fields as possible, one long one, and much to decode."""
    return [b"a=&" * (size // 3), b"id_token=" + b"e" * (size - 10), b"%41" * (size // 3), b"id_token=" + b"." * (size - 10)]


async def described_routes(player: Client) -> list[tuple[str, str, bool]]:
    """Method, path and whether there is a body, for each route of the description. Those that end something come last."""
    paths = (await player.get("/api/openapi.json")).ok()["paths"]
    routes = [
        (method.upper(), path, "requestBody" in operation)
        for path, methods in paths.items()
        for method, operation in methods.items()
    ]
    return sorted(routes, key=lambda route: (route[1].endswith("/forget"), route[0] == "DELETE" or route[1].endswith("/leave")))


class WorstRequests:
    """Asks a running server for the worst things, one after the other. `cases` are their names with what carries them out."""

    def __init__(self, player: Client, with_study: bool = False) -> None:
        """`with_study`: the study of worst_work.py is open."""
        self.player = player
        self.with_study = with_study
        self.room = self.program = self.school = ""
        self.cases: dict[str, Callable[[], Awaitable[object]]] = {
            "a long expression": self.long_expression,
            "a batch with a wrong end": self.wrong_batch,
            "many facts in a room": self.many_facts,
            "what is told of a room with many facts": self.told_of_room,
            "programs": self.programs,
            "C texts": self.c_texts,
            "traces": self.traces,
            "a progress file": self.progress,
            "a client's log": self.logs,
            "a class as large as it can be": self.large_class,
            "a class whose students have worked": self.worked_class,
            "a study": self.study,
            "programs with arrays": self.arrays,
            "what the server tells everybody": self.told_to_everybody,
            "every route, with wrong bodies": self.every_route,
        }

    async def start(self) -> None:
        await self.player.become("Ann")
        self.room = await self.player.room(LEVEL)

    async def run(self) -> AsyncIterator[str]:
        """Carries out all cases; yields the name of each when it is done."""
        await self.start()
        for name, case in self.cases.items():
            await case()
            yield name

    async def every_route(self) -> None:
        """Each route of the description with what there is by now, and each that takes a body also with wrong ones."""
        known = {
            "room": self.room,
            "level": LEVEL,
            "program": self.program,
            "class_id": self.school,
            "student": "1",
            "study": STUDY if self.with_study else "none",
        }
        for method, path, body in await described_routes(self.player):
            asked = PLACE.sub(lambda place: known.get(place[1], "1"), path) + QUERIES.get(path, "")
            for content in wrong_bodies(asked) if body else [None]:
                answer = await self.player.ask(method, asked, content)
                assert answer.status < 500 or answer.status == 503, (method, asked, answer.status, answer.text[:300])
        for path in ("/lti/login", "/lti/launch", "/lti/choose", "/lti/platform"):
            for form in wrong_forms(body_bytes_max(path) - 10):
                answer = await self.player.ask("POST", path, form, {"Content-Type": "application/x-www-form-urlencoded"})
                assert answer.status in (400, 403, 404, 405, 413, 422, 429), (path, answer.status, answer.text[:300])

    async def long_expression(self) -> None:
        (await self.player.propose(self.room, LONG_FACT)).ok()
        (await self.player.propose(self.room, f"{LONG_FACT} &")).refused("bad-text")
        await self.player.post(f"/api/rooms/{self.room}/transitions", {"expression": LONG_FACT})

    async def wrong_batch(self) -> None:
        proposals = [{"expression": f"{LONG_FACT[:320]}{number} >= res"} for number in range(299)]
        body = {"proposals": [*proposals, {"expression": "cnt <="}]}
        (await self.player.post(f"/api/rooms/{self.room}/batches", body)).refused("bad-text", "proposals.299.expression")
        long = [{"expression": LONG_FACT}] * 300
        answer = await self.player.post(f"/api/rooms/{self.room}/batches", {"proposals": long})
        assert answer.status in (413, 422), answer.text[:300]

    async def many_facts(self) -> None:
        """Long facts in a room that somebody looks at."""
        async with self.player.watch(self.room):
            facts = [{"expression": " & ".join([f"cnt = {n} + 1000"] * 90)} for n in range(60)]
            (await self.player.post(f"/api/rooms/{self.room}/batches", {"proposals": facts})).ok()

    async def told_of_room(self) -> None:
        ann, room = self.player, f"/api/rooms/{self.room}"
        for path in (room, f"{room}/events?after=0&limit=500", "/api/rooms", "/api/players/me/scores", "/api/players/me/progress"):
            (await ann.get(path)).ok()
        async with ann.watch(self.room, after=0) as socket:
            last = (await ann.get(room)).ok()["last_event"]
            number = 0
            while number < last:
                message = await next_message(socket)
                number = message["event"]["number"] if message["type"] == "event" else number
        moves = ("feedback", "hints", "reset")
        for method, path in (("GET", f"{room}/open"), ("GET", f"{room}/explanation"), ("GET", f"/api/levels/{LEVEL}/crowd"),
                             *(("POST", f"{room}/{move}") for move in moves)):  # fmt: skip
            answer = await ann.ask(method, path)
            assert answer.status in (200, 409, 503), (path, answer.text[:300])

    async def programs(self) -> None:
        ann = self.player
        for source in (long_program(98_000), long_program(98_000, wrong=True), many_loops(1_000, 190), many_loops(100, 20)):
            answer = await ann.post("/api/programs", {"source": source})
            if answer.status == 200:
                await ann.get(f"/api/programs/{answer.ok()['program']}")
            else:
                assert answer.status in (422, 503), answer.text[:300]

    async def c_texts(self) -> None:
        statement = "  i = i + (1 * 2) - 1;\n"
        head = "int main(int n) {\n  int i = 0;\n"
        long = f"{head}while (i < n) {{\n{statement * (95_000 // len(statement))}}}\nassert(i >= n); }}"
        # The importer goes through inner loops again and again, so this one reaches the deadline.
        nested = f"{head}{'while (i < n) { i++; ' * 90}{'}' * 90}\nassert(i >= n); }}"
        macros = "".join(f"#define A{number} A{number - 1} A{number - 1}\n" for number in range(1, 30))
        for source in (long, nested, f"#define A0 i++;\n{macros}{head}while (i < n) {{ A29 }} assert(i >= n); }}"):
            answer = await self.player.post("/api/programs/from-c", {"source": source})
            assert answer.status in (200, 422, 503), answer.text[:300]
        counting = "def f(n: int):\n    i = 0\n    while i < n:\n" + "        i = i + (1 * 2) - 1\n" * 3_300
        answer = await self.player.post("/api/programs/from-python", {"source": counting + "    assert i >= n\n"})
        assert answer.status in (200, 422, 503), answer.text[:300]

    async def traces(self) -> None:
        ann = self.player
        program = (await ann.post("/api/programs", {"source": wide_run(190)})).ok()["program"]
        for inputs in ({"n": "100000"}, {"n": "9" * 1_100}, {f"x{number}": "9" * 300 for number in range(199)}):
            await ann.post(f"/api/programs/{program}/traces", {"inputs": inputs, "limit": 10_000})
        counting = (await ann.post("/api/programs", {"source": COUNTING})).ok()["program"]
        (await ann.post(f"/api/programs/{counting}/traces", {"inputs": {"n": "90000"}, "limit": 10_000})).ok()

    async def progress(self) -> None:
        facts = [{"loop": 1, "expression": f"cnt <= m + {number}", "kind": "inductive"} for number in range(100)]
        rooms = [{"level": LEVEL, "facts": facts}] * 55
        rooms.append({"level": LEVEL, "facts": [{"loop": 1, "expression": "cnt <=", "kind": "inductive"}]})
        file: Json = {"format": "idg-progress", "version": 1, "rooms": rooms}
        assert len(json.dumps(file)) < body_bytes_max("/api/players/me/progress")
        (await self.player.post("/api/players/me/progress", file)).refused("bad-file", "rooms.55.facts.0")

    async def logs(self) -> None:
        rows = [{"kind": "pause", "time": 1.0, "body": {f"value{n}": "x" * 40 for n in range(20)}}] * 190
        (await self.player.post("/api/logs", {"rows": rows})).ok()

    async def large_class(self) -> None:
        """Its table had two million cells and held the loop up for fourteen seconds."""
        ann = self.player
        self.school = (await ann.post("/api/classes", {"title": "All"})).ok()["class_id"]
        school = f"/api/classes/{self.school}"
        (await ann.post(f"{school}/roster", {"csv": "\n".join(["name", *map(str, range(STUDENTS_MAX))])})).ok()
        for names in (map(chr, range(0x4E00, 0x4E00 + 990)), ["a"] * 19_900):
            (await ann.post(f"{school}/roster", {"csv": "\n".join(["name", *names])})).refused("bad-request", "csv")
        levels = [level["level"] for level in (await ann.get("/api/levels")).ok()["levels"]][:ASSIGNED_MAX]
        items = [{"level": level, "text": "x" * ASSIGNMENT_TEXT_CHARS_MAX} for level in levels]
        for number in range(ITEMS_MAX // len(items)):
            (await ann.post(f"{school}/assignments", {"title": f"A{number}", "items": items})).ok()
        (await ann.post(f"{school}/assignments", {"title": "One more", "items": items})).refused("class-full")
        (await ann.get(f"{school}/table")).refused("bad-request", "assignment")
        for path in ("", "/table?assignment=1", "/gradebook", "/gradebook.csv", "/export"):
            assert (await ann.get(school + path)).status == 200, path

    async def worked_class(self) -> None:
        await worked_class(self.player)

    async def study(self) -> None:
        if self.with_study:
            await worked_study(self.player)

    async def arrays(self) -> None:
        ann = self.player
        program = self.program = (await ann.post("/api/programs", {"source": ADDING})).ok()["program"]
        cells = [str(10**18 + number) for number in range(ARRAY_CELLS_MAX)]
        for limit in (10, 10_000):
            body = {"inputs": {"a": cells, "n": str(len(cells))}, "limit": limit}
            assert (await ann.post(f"/api/programs/{program}/traces", body)).status in (200, 422, 503)
        room = (await ann.post("/api/rooms", {"program": program})).ok()["room"]["room"]
        many = ", ".join(["1"] * 600)
        for text in (f"endless n = 3, a = {many}", "decreases n - i", "forall k in 0..i: a[k] >= 0", "s = sum k in 0..i: a[k]"):
            await ann.propose(room, text)
        for path in ("board", "explanation", "open", "export?to=smtlib", "export?to=dafny"):
            assert (await ann.get(f"/api/rooms/{room}/{path}")).status in (200, 409, 503), path
        for language in ("python", "c"):
            assert (await ann.get(f"/api/programs/{program}/view?as={language}")).status in (200, 409, 503)

    async def told_to_everybody(self) -> None:
        for path in (
            "/api/docs",
            "/api/daily",
            "/lti/jwks",
            "/api/levels",
            "/api/reference",
            "/api/openapi.json",
            f"/api/levels/{LEVEL}",
            "/api/health",
            "/metrics",
            "/",
        ):
            assert (await self.player.get(path)).status in (200, 503)


async def stalls(player: Client) -> dict[float, int]:
    """Seconds → how often the server's event loop has worked at least as long without a pause."""
    text = (await player.get("/metrics")).text
    counts = re.findall(r'idg_loop_stalls_total\{which="([^"]+)"\} (\S+)', text)
    return {float(seconds): int(float(count)) for seconds, count in counts}
