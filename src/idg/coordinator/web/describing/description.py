"""The description of the API (OpenAPI). What it says of answers is made from their records, so that the two cannot differ."""

from __future__ import annotations

import ast
import importlib
import inspect
import json
from collections.abc import Iterator
from functools import cache

from fastapi import FastAPI
from fastapi.routing import APIRoute
from starlette.types import ASGIApp, Receive, Scope, Send

from idg import __version__
from idg.coordinator.catalog import daily_answer, level_entries, level_list, reference
from idg.coordinator.errors import CODES
from idg.coordinator.players.progress import FORMAT, VERSION, ExportedFact, ExportedRoom, ImportedRoom, ProgressFile
from idg.coordinator.players.scores import HINT_COINS, ListedScore, PlayerScores, ScoreTotal
from idg.coordinator.pool.sandbox.confine import HELD, Sandbox
from idg.coordinator.web.answers import CodeAnswer, Empty, Health, ImportedRooms, ServerStats
from idg.coordinator.web.describing.class_examples import class_examples
from idg.coordinator.web.describing.operations import complete
from idg.engine.results import Fact, Kind
from idg.engine.wire.answers import (
    Assessment,
    Explanation,
    FeedbackAnswer,
    JudgedFact,
    ObligationAnswer,
    ProposalAnswer,
    StateToRuleOut,
)
from idg.engine.wire.board import BoardAnswer, GoalPartAnswer, ProvedFactAnswer
from idg.engine.wire.build import trace_answer
from idg.engine.wire.codec import Json, Layout, encode, schema
from idg.engine.wire.events import EventPage, KeptScore, OwnedFact, Proposed, RoomEvent
from idg.engine.wire.places import Where
from idg.engine.wire.programs import ExportedProof, LevelList, ReadingNote, ReadProgram, ShownProgram, TypedName
from idg.engine.wire.rooms import (
    CrowdView,
    Earned,
    ErrorAnswer,
    ErrorPlace,
    JudgedMove,
    ListedRoom,
    MemberAnswer,
    OpenedRoom,
    PartnerAnswer,
    PlayerAnswer,
    PlayerToken,
    RoomAnswer,
    RoomList,
    Score,
    SocketPartner,
)
from idg.engine.wire.studies import (
    LevelProgress,
    ParticipantAnswer,
    StudyAnswer,
    StudyQuestion,
    TableExpression,
    TableGame,
    TableLoop,
    TableRun,
    TableVerdict,
)
from idg.sip.record import Record, replace
from idg.sip.syntax import Type
from idg.study.texts import STORED

API_NAMES: dict[type[Record], str] = {
    ErrorAnswer: "ErrorView",
    PlayerAnswer: "PlayerView",
    CodeAnswer: "CodeView",
    OwnedFact: "FactView",
    RoomEvent: "EventView",
    Earned: "EarnedView",
    Score: "ScoreView",
    JudgedMove: "JudgedView",
    EventPage: "HistoryView",
    RoomAnswer: "RoomView",
    OpenedRoom: "OpenedRoomView",
    RoomList: "Listed",
    ImportedRooms: "ImportedView",
    PlayerScores: "ScoresView",
}
"""Record → its name in the description, where that is not the name of the class. The names are older than the records, and stay,
because programs may have been generated from the description."""


def api_name(kind: type[Record]) -> str:
    return API_NAMES.get(kind, kind.__name__)


def content_of(kind: type[Record]) -> Json:
    """The `content` of a response in OpenAPI that has such a record as JSON."""
    return {"application/json": {"schema": {"$ref": f"#/components/schemas/{api_name(kind)}"}}}


def told(kind: type[Record]) -> dict[int | str, Json]:
    """For `responses` of a route: it answers with such a record. `examples` must have one."""
    return {200: {"description": (kind.__doc__ or "").strip(), "content": content_of(kind)}}


def error_responses() -> dict[int | str, Json]:
    """For `responses` of a router: for each status, the codes that have it."""
    codes: dict[int, list[str]] = {}
    for code, (status, text) in CODES.items():
        codes.setdefault(status, []).append(f"`{code}`: {text}")
    return {status: {"description": " ".join(texts), "content": content_of(ErrorAnswer)} for status, texts in codes.items()}


class DescribedApi(FastAPI):
    """An application whose description contains the records with which it answers."""

    front: ASGIApp | None = None
    """What all requests pass before FastAPI and its own layers see them. Proposals need none of these."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        scope["app"] = self
        await (self.behind if self.front is None else self.front)(scope, receive, send)

    async def behind(self, scope: Scope, receive: Receive, send: Send) -> None:
        await super().__call__(scope, receive, send)

    def openapi(self) -> Json:
        if self.openapi_schema is None:
            description = super().openapi()
            description.setdefault("components", {}).setdefault("schemas", {}).update(answer_schemas())
            complete(description, [route for route in self.routes if isinstance(route, APIRoute)])
        return self.openapi_schema or {}


def answer_schemas() -> Json:
    """Name in the description → the schema of that record, for all answers and their parts."""
    shown = examples()
    definitions = described_schema(*map(type, shown))
    for example in shown:
        definitions[type(example).__name__]["examples"] = [encode(example)]
    names = {kind.__name__: name for kind, name in API_NAMES.items()}
    text = json.dumps({names.get(name, name): described for name, described in definitions.items()})
    for name in definitions:
        text = text.replace(f'"#/$defs/{name}"', f'"#/components/schemas/{names.get(name, name)}"')
    schemas: Json = json.loads(text)
    return schemas


def described_schema(*kinds: type[Record]) -> Json:
    """Name of a class → its JSON Schema, for these records and their parts; fields with a docstring are described by it."""
    definitions: Json = schema(*kinds)["$defs"]
    classes = {kind.__name__: kind for kind in Record.__subclasses__()}
    for name, definition in definitions.items():
        for field, text in field_docstrings(classes[name]) if name in classes else ():
            for option in definition.get("oneOf", [definition]):
                if field in option["properties"]:
                    option["properties"][field]["description"] = text
    return definitions


def field_docstrings(kind: type[Record]) -> Iterator[tuple[str, str]]:
    """The names in JSON of a record's fields, with the docstrings that stand below them in the source."""
    definition = _class_definitions(kind.__module__)[kind.__name__]
    layout: Layout = getattr(kind, "layout", Layout())
    for field, below in zip(definition.body, definition.body[1:], strict=False):
        match field, below:
            case ast.AnnAssign(target=ast.Name(id=name)), ast.Expr(value=ast.Constant(value=str(text))):
                yield layout.names.get(name, name), " ".join(text.split())


@cache
def _class_definitions(module: str) -> dict[str, ast.ClassDef]:
    """Name → the class at the top of a module. Each module is read once: to look for each class by itself takes most of the time in
    which a server starts."""
    tree = ast.parse(inspect.getsource(importlib.import_module(module)))
    return {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}


def examples() -> tuple[Record, ...]:
    """One answer of each kind, from games of the level `multiply`."""
    return (
        Empty(),
        ErrorAnswer("bad-text", "expected a value, found ')'", ErrorPlace("expression", 1, 5, 4, 5), ""),
        *_player_examples(),
        *_study_examples(),
        *class_examples(),
        *_room_examples(),
        *_program_examples(),
        Health("ok", "", True, 2, 2, Sandbox(HELD, HELD, HELD), __version__, ENGINE),
        ServerStats({"rooms": 12, "players": 7}, {"idg_pool": {"workers": 2, "busy": 0}}, 1794790000.0),
    )


# What the examples share: two facts that prove the level, and moves of one player.
PLAYER = PlayerAnswer("Zk3vQm1xW0aB", "Emmy", False)
ROOM = "Yb0cJzG5r1o0mV3hQ2s7uA"
TIME = 1794790000.5
"""The time of the examples, in seconds since 1970."""
ENGINE = "5d1f0c9ba2e47736"
"""A version of the engine."""
EQUATION = Fact(1, "res = n * cnt")
"""The first fact of the proof, about loop 1."""
BOUND = Fact(1, "cnt <= m")
"""The second fact of the proof, about loop 1."""
PROMISE = Where(9, 10, 139, 150)
"""Where the level's assert stands: line, column, and the offsets of its start and end."""
SOLVED_TEXT = "Solved: the guarantee is proved."
OPEN = FeedbackAnswer(
    False,
    False,
    StateToRuleOut(1, {"n": 0, "m": 0, "res": -1, "cnt": 0}, "assert", PROMISE, False),
    "Find a fact that rules it out.",
)
"""A state of loop 1 that is to be ruled out."""
PROPOSED = RoomEvent(3, "proposed", PLAYER.player, TIME, Proposed(BOUND.text, 1, "cnt<=m"), request="r-17")
"""The room's third event."""
JUDGED = RoomEvent(
    4,
    "judged",
    PLAYER.player,
    TIME,
    ProposalAnswer(
        BOUND.text,
        1,
        Kind.INDUCTIVE,
        (BOUND,),
        (),
        (EQUATION, BOUND),
        (),
        True,
        FeedbackAnswer(True, False, None, SOLVED_TEXT),
        f"'cnt <= m' is an inductive invariant: it holds when the loop is reached and every turn keeps it.\n{SOLVED_TEXT}",
    ),
    request="r-17",
    answers=3,
)
"""The room's fourth event, the verdict on the third."""
EARNED = Earned(19, True, ("no-hint",))
"""What the move earned: coins, the gem, a medal."""
SCORE = Score(100, 0, True, ("no-hint",))
"""The player's score after the move: coins earned, coins spent, the gem, a medal."""


def _player_examples() -> tuple[Record, ...]:
    program = level_entries()["multiply"].hash
    kept = KeptScore(program, ENGINE, SCORE.coins, SCORE.gem, SCORE.medals, {})
    file = ProgressFile(
        FORMAT,
        VERSION,
        PLAYER.name,
        TIME,
        ENGINE,
        (ExportedRoom("code", True, (ExportedFact(1, EQUATION.text, "inductive"),), "multiply", score=kept),),
        "9b1d…",
    )
    imported = ImportedRoom(ROOM, "multiply", program, (JudgedFact(1, EQUATION.text, Kind.INDUCTIVE),), False)
    listed = ListedScore(SCORE.coins, SCORE.gem, SCORE.medals, SCORE.spent)
    return (
        PLAYER,
        PlayerToken(PLAYER.player, PLAYER.name, PLAYER.agent, "q3J…"),
        CodeAnswer("K7PQ4MXW", 1794790900.0),
        EARNED,
        SCORE,
        PlayerScores({"multiply": listed}, {}, ScoreTotal(100, 1, 1)),
        file,
        ImportedRooms((imported,), "ours"),
    )


def _room_examples() -> tuple[Record, ...]:
    entry = level_entries()["multiply"]
    level = entry.level
    assert level is not None
    owned = OwnedFact(1, EQUATION.text, PLAYER.player)
    member = MemberAnswer(PLAYER.player, PLAYER.name, PLAYER.agent, True, False)
    room = RoomAnswer(
        ROOM, None, entry.hash, level.id, "code", PLAYER.player, ENGINE, 2, 3, (owned,), (), False, OPEN, (), HINT_COINS, (member,)
    )
    trace = trace_answer(entry.program.run(entry.program.inputs(level.inputs)), None, 3)
    part = GoalPartAnswer(1, "res = n * m", "assert", PROMISE, 1, "", "proved", (EQUATION, BOUND), (), (), None, None)
    carrying = tuple(ProvedFactAnswer(fact.loop, fact.text, (), (1,), True) for fact in (EQUATION, BOUND))
    obligation = ObligationAnswer("assert", PROMISE, "", "proved", (EQUATION, BOUND))
    return (
        owned,
        JUDGED,
        JudgedMove(JUDGED, EARNED, SCORE),
        SocketPartner("partner", PartnerAnswer("computer.Yb0cJzG5r1o0", "helper", False, True, None)),
        EventPage((PROPOSED, JUDGED), 4),
        room,
        OpenedRoom(room, entry.answer, trace, PLAYER, SCORE),
        RoomList((ListedRoom(ROOM, None, entry.hash, level.id, "code", TIME, False, 2),)),
        Explanation(True, (obligation,), "Solved: every obligation is proved."),
        BoardAnswer((part,), (), carrying, 2, ""),
        ExportedProof("dafny", "multiply.dfy", "dafny /compile:0 multiply.dfy", "method multiply(n: int, m: int)\n…\n"),
        trace,
    )


def _program_examples() -> tuple[Record, ...]:
    levels, explained = level_list(), reference()
    return (
        level_entries()["multiply"].answer,
        LevelList(levels.worlds[:1], levels.levels[:1]),
        daily_answer(1794793600.0),
        replace(explained, operators=explained.operators[:1], functions=explained.functions[:1], words=explained.words[:1]),
        ShownProgram("python", "def main(n: int) -> None:\n    …\n"),
        ReadProgram("fn main(n: nat) {\n  …\n}\n", (ReadingNote(2, "'i' is a whole number without bounds"),)),
        CrowdView(True, (EQUATION, BOUND), 12, 7, 40, 9),
        Assessment("solved", 2, 2, 2, 1),
    )


def _study_examples() -> tuple[Record, ...]:
    columns = (TypedName("n", Type.NAT), TypedName("cnt", Type.NAT))
    run = TableRun((TypedName("n", Type.NAT),), {"n": "2"}, (TableLoop(1, columns, (("2", "0"), ("2", "1"), ("2", "2")), 3),))
    question = StudyQuestion("fun", "It was fun.", "scale", (), "end")
    return (
        StudyAnswer("mine", "My study", True, "You agree to take part.", "1", STORED, 60, 365),
        ParticipantAnswer(
            *("mine", "My study", "study-4kZ0bQmT", "Emmy 12", "trace", (), 2, True, False, 1794793600.0, (question,)),
            *((LevelProgress(True, True), LevelProgress(False, False)), 1794790000.5, False, None),
        ),
        TableGame(1, run, (TableExpression(1, "cnt <= n"),), 10, 6),
        run,
        TableVerdict(True, "cnt <= n", 10, 1),
    )
