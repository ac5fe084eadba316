"""What the bodies of requests look like. They are read strictly: no conversions, no unknown fields, a bound on everything."""

from __future__ import annotations

import unicodedata
from typing import Annotated, Literal, cast

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    PlainValidator,
    StringConstraints,
    WithJsonSchema,
    field_validator,
)
from pydantic_core import PydanticCustomError

from idg.coordinator.store.class_records import Joining, MessageKind
from idg.engine.wire.codec import Json
from idg.engine.wire.programs import Variant
from idg.engine.wire.rooms import Phrase
from idg.sip.limits import ARRAY_CELLS_MAX, PROGRAM_CHARS_MAX
from idg.sip.values import ValueJson

EXPRESSION_CHARS_MAX = 10_000
"""How many characters a proposed expression may have."""
BATCH_MAX = 300
"""How many expressions may be proposed at once."""
BATCH_CHARS_MAX = 100_000
"""How many characters the expressions that are proposed at once may have together. Reading them takes a worker about a second."""
NAME_CHARS_MAX = 40
"""How many characters a player's name may have."""
TITLE_CHARS_MAX = 80
"""How many characters the title of a program may have."""
FOREIGN_CHARS_MAX = 100_000
"""How many characters a text of C or Python may have."""
VALUE_CHARS_MAX = 1_100
"""How many characters an input may have."""
INPUTS_MAX = 200
"""How many inputs a run may have."""
INPUT_CELLS_MAX = 2_000
"""How many cells the arrays among the inputs of a run may have together. Whoever tells more could make a worker record too much."""
CHOICES_MAX = 4_000
"""How many choices of a run may be given. The engine's exploring runs make fewer, and so many fit into a body."""
TRACE_ROWS_MAX = 100_000
"""How many rows a trace can have; an offset is smaller."""
TRACE_PAGE_ROWS_MAX = 10_000
"""How many rows of each loop a caller may ask for at once. Where rows are long there are fewer in an answer."""
LOG_ROWS_MAX = 200
"""How many rows one batch of a client's log may have."""
LOG_TEXT_CHARS_MAX = 1_000
"""How many characters a text in a client's log may have."""
IMPORT_ROOMS_MAX = 200
"""How many rooms a progress file may have."""
IMPORT_FACTS_MAX = 100
"""How many facts a room of a progress file may have."""
IMPORT_HINTS_MAX = 50
"""How many hints a room of a progress file may have; rooms keep no more."""
LOOP_MAX = 1_000
"""The largest number of a loop that is understood at all; whether the program has it is found out later."""
SEED_MAX = 2**31 - 1
"""The largest seed of a run's choices."""
CLOCK_SECONDS_MAX = 1e11
"""The latest time that a client may tell, in seconds since 1970. A time in milliseconds is beyond it, and so refused."""

ROSTER_CHARS_MAX = 40_000
"""How many characters the list of a class's names may have."""
ASSIGNED_MAX = 60
"""How many levels an assignment may have."""
ASSIGNMENT_TEXT_CHARS_MAX = 1_000
"""How many characters the text of an assignment, of one of its levels, or of a message of a teacher may have."""
POINTS_MAX = 100
"""How many points may be given for one thing."""
STUDENT_NUMBER_MAX = 1_000_000
"""The largest number of a student or an assignment that is understood at all."""
DRAFT_CHARS_MAX = 200
"""How many characters of a draft are shown to the others in a room. Longer ones are not shown."""
POINTED_INPUTS_MAX = 30
"""How many inputs the run may have in which somebody points at a row."""
POINTED_CHOICES_MAX = 30
"""How many choices of that run may be given."""
POINTED_CHARS_MAX = 40
"""How many characters each of these values may have, or each cell of an array."""
POINTED_CELLS_MAX = 60
"""How many cells an array among these inputs may have."""

JOINERS = "\u200c\u200d"
"""Two invisible characters that are allowed, because some scripts and emoji need them."""


def readable(text: str) -> str:
    """Refuses characters that hide a text or reverse its direction, because others must see the name that was written."""
    if any(unicodedata.category(character) in ("Cc", "Cf", "Zl", "Zp") and character not in JOINERS for character in text):
        raise PydanticCustomError("unreadable", "must not have invisible signs")
    if not text.strip(JOINERS + " "):
        raise PydanticCustomError("unreadable", "must have a sign that can be seen")
    return text


VISIBLE = r"^[^\x00-\x1f\x7f]*$"
READABLE = AfterValidator(readable)
# The length in characters, and the characters, of a player's name.
NAME = StringConstraints(strip_whitespace=True, min_length=1, max_length=NAME_CHARS_MAX, pattern=VISIBLE)
# The same for the title of a program.
TITLE = StringConstraints(strip_whitespace=True, min_length=1, max_length=TITLE_CHARS_MAX, pattern=VISIBLE)
Name = Annotated[str, NAME, READABLE]
Title = Annotated[str, TITLE, READABLE]
Expression = Annotated[str, StringConstraints(min_length=1, max_length=EXPRESSION_CHARS_MAX)]
RequestId = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_-]{1,64}$")]
LevelId = Annotated[str, StringConstraints(pattern=r"^[a-z0-9-]{1,60}$")]
ProgramHash = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{32}$")]
RoomId = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_-]{8,64}$")]
Loop = Annotated[int, Field(ge=1, le=LOOP_MAX)]
Code = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9]{4,12}$")]
InputText = Annotated[str, StringConstraints(max_length=VALUE_CHARS_MAX)]
InputName = Annotated[str, StringConstraints(min_length=1, max_length=100)]


def value_of(chars_max: int, cells_max: int) -> PlainValidator:
    """Reads a text, or the list of the texts of an array's cells. It is no union, because errors in one would name its parts."""

    def read(given: object) -> ValueJson:
        cells: list[object] = given if isinstance(given, list) else [given]
        texts = [cell for cell in cells if isinstance(cell, str)]
        if len(texts) < len(cells):
            raise PydanticCustomError("value_type", "must be a text or a list of texts")
        if len(texts) > cells_max:
            raise PydanticCustomError("too_many_cells", f"must have at most {cells_max:,} cells")
        if any(len(text) > chars_max for text in texts):
            raise PydanticCustomError("too_long_text", f"must have at most {chars_max:,} characters")
        return cast(ValueJson, given)

    text = {"type": "string", "maxLength": chars_max}
    schema = WithJsonSchema({"anyOf": [text, {"type": "array", "items": text, "maxItems": cells_max}]})
    return PlainValidator(read, json_schema_input_type=Annotated[object, schema])


GivenInput = Annotated[ValueJson, value_of(VALUE_CHARS_MAX, ARRAY_CELLS_MAX)]


def _few_cells(inputs: dict[str, ValueJson]) -> dict[str, ValueJson]:
    """Refuses inputs whose arrays are too large together, as texts or as lists of texts."""
    cells = sum(given.count(",") if isinstance(given, str) else len(given) for given in inputs.values())
    if cells > INPUT_CELLS_MAX:
        raise PydanticCustomError("too_many_cells", f"must have at most {INPUT_CELLS_MAX:,} cells of arrays together")
    return inputs


GivenInputs = Annotated[dict[InputName, GivenInput], Field(max_length=INPUTS_MAX), AfterValidator(_few_cells)]


class Model(BaseModel):
    """The body of a request."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


class NewPlayer(Model):
    name: Name | None = Field(None, examples=["Emmy"])
    agent: bool = Field(False, description="a program, not a person: people are served first", examples=[False])


class Rename(Model):
    name: Name = Field(examples=["Emmy"])


class UseCode(Model):
    code: Code = Field(examples=["K7PQ4MXW"])


class NewProgram(Model):
    source: Annotated[str, StringConstraints(min_length=1, max_length=PROGRAM_CHARS_MAX)] = Field(
        examples=["fn main(n: nat) {\n  var i: int;\n  i := 0;\n  while (i < n) {\n    i := i + 1;\n  }\n  assert(i = n);\n}\n"]
    )
    title: Title = Field("A program", examples=["Counting up"])


class CText(Model):
    source: Annotated[str, StringConstraints(min_length=1, max_length=FOREIGN_CHARS_MAX)] = Field(
        examples=["int main(int n) {\n  int i = 0;\n  while (i < n) i++;\n  assert(i >= n);\n  return 0;\n}\n"]
    )
    integers: Literal["math", "check", "machine"] = Field(
        "math", description="signed arithmetic has no bound, may not overflow (an obligation), or wraps round", examples=["math"]
    )


class PythonText(Model):
    source: Annotated[str, StringConstraints(min_length=1, max_length=FOREIGN_CHARS_MAX)] = Field(
        examples=["def f(n: int):\n    i = 0\n    while i < n:\n        i += 1\n    assert i >= n\n"]
    )


TraceOrigin = Literal["typed", "default", "tried", "restored"]


class TraceRequest(Model):
    inputs: GivenInputs = Field(description="as texts; an array is a list of texts", examples=[{"n": "6", "m": "7"}])
    loop: Loop | None = Field(None, description="only this loop's rows", examples=[1])
    seed: int = Field(0, ge=0, le=SEED_MAX, description="for the choices of cassign", examples=[0])
    choices: list[Annotated[list[InputText], Field(max_length=INPUTS_MAX)]] = Field(
        [],
        max_length=CHOICES_MAX,
        description="the first choices of the run, in order, as texts: for each declaration without a value and for each cassign",
        examples=[[]],
    )
    offset: int = Field(0, ge=0, lt=TRACE_ROWS_MAX, description="the index of the first row of each loop", examples=[0])
    limit: int = Field(1_000, ge=1, le=TRACE_PAGE_ROWS_MAX, description="at most so many rows of each loop", examples=[1000])
    room: RoomId | None = Field(None, description="the room whose history should show it", examples=[None])
    origin: TraceOrigin | None = Field(None, description="for the history: where the inputs come from", examples=[None])


class NewRoom(Model):
    level: LevelId | None = Field(None, examples=["multiply"])
    program: ProgramHash | None = Field(None, description="instead of a level", examples=[None])
    variant: Variant = Field("code", description="'trace' is the game without code", examples=["code"])
    shared: bool = Field(False, description="others can join by the room's code", examples=[False])
    resume: bool = Field(True, description="go on in the newest room of this program and variant, if there is one", examples=[True])
    purpose: Literal["tutorial"] | None = Field(None, description="a room of the tutorial counts in no study", examples=[None])


Points = Annotated[int, Field(ge=0, le=POINTS_MAX)]
Moment = Annotated[float, Field(ge=0, le=CLOCK_SECONDS_MAX)]
AssignmentText = Annotated[str, StringConstraints(max_length=ASSIGNMENT_TEXT_CHARS_MAX)]
ShownText = Annotated[str, StringConstraints(max_length=POINTED_CHARS_MAX)]
ShownInput = Annotated[ValueJson, value_of(POINTED_CHARS_MAX, POINTED_CELLS_MAX)]


class ShownDraft(Model):
    loop: Loop = 1
    text: Annotated[str, StringConstraints(min_length=1, max_length=DRAFT_CHARS_MAX), READABLE]


class ShownRow(Model):
    loop: Loop = 1
    row: int = Field(ge=1, le=TRACE_ROWS_MAX)
    inputs: dict[ShownText, ShownInput] = Field(max_length=POINTED_INPUTS_MAX)
    seed: int = Field(0, ge=0, le=SEED_MAX)
    choices: list[Annotated[list[ShownText], Field(max_length=POINTED_INPUTS_MAX)]] = Field([], max_length=POINTED_CHOICES_MAX)


class Signal(Model):
    """What a client sends on a room's socket: all that the player shows the others now."""

    draft: ShownDraft | None = None
    row: ShownRow | None = None
    phrase: Phrase | None = None


class PartnerBody(Model):
    mode: Literal["hints", "turns", "helper", "solve", "off"] = Field(
        description="hints when asked; a fact in turn; facts that waiting facts need; all, one by one; off", examples=["helper"]
    )
    paused: bool = Field(False, examples=[False])


class Proposal(Model):
    loop: Loop = Field(1, examples=[1])
    expression: Expression = Field(examples=["res = n * cnt"])
    request: RequestId | None = Field(
        None, description="chosen by the client: a request that is sent again is not carried out again", examples=["p-1"]
    )


class FactBody(Model):
    loop: Loop = Field(1, examples=[1])
    expression: Expression = Field(examples=["res = n * cnt"])


class Batch(Model):
    proposals: list[FactBody] = Field(
        min_length=1,
        max_length=BATCH_MAX,
        examples=[[{"loop": 1, "expression": "cnt <= m"}, {"loop": 1, "expression": "res = n * cnt"}]],
    )
    request: RequestId | None = Field(None, examples=["b-1"])

    @field_validator("proposals")
    @classmethod
    def _bounded(cls, proposals: list[FactBody]) -> list[FactBody]:
        if sum(len(fact.expression) for fact in proposals) > BATCH_CHARS_MAX:
            raise PydanticCustomError("too_long", f"the expressions may have {BATCH_CHARS_MAX} characters together")
        return proposals


class NewClass(Model):
    title: Title = Field(examples=["Loops 1b"])
    joining: Joining = Field("nickname", description="with any name, or only with one of the list", examples=["nickname"])


class ChangedClass(Model):
    title: Title | None = Field(None, examples=["Loops 1b"])
    joining: Joining | None = Field(None, examples=["nickname"])
    archived: bool | None = Field(None, examples=[None])


class JoinClass(Model):
    code: Code = Field(examples=["K7PQ4MXW"])
    name: Name = Field(examples=["Emmy"])


class TeacherLink(Model):
    secret: Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_-]{20,64}$")] = Field(
        description="what stands in the link for teachers", examples=["q3Jx0v1cK9yD5mB2aZ7tR4wE8uL6nP0s"]
    )


class LaunchTicket(Model):
    """The ticket with which a launch from a learning platform leads into a class."""

    ticket: Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_-]{20,64}$")] = Field(
        description="what stands in the link that the launch has made", examples=["q3Jx0v1cK9yD5mB2aZ7tR4wE8uL6nP0s"]
    )
    class_id: Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_-]{8,64}$")] = Field(examples=["q3Jx0v1cK9yD"])


class Roster(Model):
    csv: Annotated[str, StringConstraints(min_length=1, max_length=ROSTER_CHARS_MAX)] = Field(
        description="a name in each line, as a spreadsheet writes them", examples=["name\nAda\nGrace\n"]
    )


class ItemBody(Model):
    level: LevelId | None = Field(None, examples=["multiply"])
    program: ProgramHash | None = Field(None, description="instead of a level", examples=[None])
    title: Title | None = Field(None, description="in place of the program's own", examples=[None])
    text: AssignmentText = Field("", examples=[""])


class PointsBody(Model):
    gem: Points = Field(10, description="for a proof", examples=[10])
    medal: Points = Field(0, description="for each medal", examples=[1])
    effort: Points = Field(0, description="for trying", examples=[5])


class AssignmentBody(Model):
    title: Title = Field(examples=["First lamps"])
    text: AssignmentText = Field("", examples=["Look at the table first."])
    items: list[ItemBody] = Field(min_length=1, max_length=ASSIGNED_MAX, examples=[[{"level": "multiply"}]])
    pairs: bool = Field(False, description="two work in a shared room", examples=[False])
    hints: bool = Field(True, examples=[True])
    opens: Moment | None = Field(None, description="at once where it is null", examples=[None])
    due: Moment | None = Field(None, examples=[None])
    points: PointsBody = Field(
        default_factory=lambda: PointsBody.model_validate({}), examples=[{"gem": 10, "medal": 1, "effort": 5}]
    )


class NewMessage(Model):
    kind: MessageKind = Field(examples=["hint"])
    student: Annotated[int, Field(ge=1, le=STUDENT_NUMBER_MAX)] | None = Field(
        None, description="the number of a student; everybody where it is null", examples=[None]
    )
    text: AssignmentText = Field("", examples=["Look at the last row."])
    code: Code | None = Field(None, description="of the room, for an invitation", examples=[None])


LogKind = Literal["focus", "blur", "typing", "pause", "active", "screen", "tutorial", "setting", "error", "shown"]
LogName = Annotated[str, StringConstraints(max_length=40)]
LogText = Annotated[str, StringConstraints(max_length=LOG_TEXT_CHARS_MAX)]
LogValue = bool | Annotated[int, Field(ge=-(2**53), le=2**53)] | Annotated[float, Field(allow_inf_nan=False)] | LogText


class NewParticipant(Model):
    pid: Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_.:-]{1,100}$")] = Field(
        description="the id that the link to the study names", examples=["5f3a"]
    )
    consent: Annotated[str, StringConstraints(max_length=40)] = Field(
        description="the version of the text that was agreed to", examples=["1"]
    )


class QuestionAnswers(Model):
    answers: dict[LogName, int | LogText] = Field(max_length=40, description="id of a question → the answer", examples=[{"fun": 4}])


class TableProposal(Model):
    loop: Loop = Field(1, examples=[1])
    expression: Expression = Field(examples=["cnt <= m"])
    request: RequestId | None = Field(None, examples=["p-1"])


class TableInputs(Model):
    inputs: GivenInputs = Field(examples=[{"n": "6", "m": "7"}])
    origin: TraceOrigin = Field("typed", examples=["typed"])


class LogRow(Model):
    kind: LogKind = Field(examples=["pause"])
    time: float = Field(
        ge=0, le=CLOCK_SECONDS_MAX, description="seconds since 1970, by the client's clock", examples=[1794790000.5]
    )
    body: dict[LogName, LogValue] = Field(default_factory=dict, max_length=20, examples=[{"seconds": 12.5}])


class LogBatch(Model):
    rows: list[LogRow] = Field(
        min_length=1, max_length=LOG_ROWS_MAX, examples=[[{"kind": "pause", "time": 1794790000.5, "body": {"seconds": 12.5}}]]
    )
    sent: float | None = Field(
        None,
        ge=0,
        le=CLOCK_SECONDS_MAX,
        description="when they are sent, by the client's clock: with it, times in a study become those of the server",
        examples=[1794790012.5],
    )


class SavedFact(Model):
    loop: Loop = Field(examples=[1])
    expression: Expression = Field(examples=["res = n * cnt"])
    kind: Literal["inductive", "potential", "unknown", "falls", "waits", "never-ends"] = Field(examples=["inductive"])


EngineVersion = Annotated[str, StringConstraints(max_length=40)]
SealText = Annotated[str, StringConstraints(max_length=100)]


class SavedRoom(Model):
    level: LevelId | None = None
    source: Annotated[str, StringConstraints(max_length=PROGRAM_CHARS_MAX)] | None = None
    title: Title = "A program"
    variant: Variant = "code"
    solved: bool = False
    engine: EngineVersion = ""
    facts: list[SavedFact] = Field(max_length=IMPORT_FACTS_MAX)
    score: Json | None = Field(None, description="what was earned; believed with the seal of this server only")
    hints: list[Json] = Field([], max_length=IMPORT_HINTS_MAX, description="those given; with the seal only")


class Progress(Model):
    """A player's progress as a file. On import the engine judges every fact again, because a file proves nothing."""

    format: Literal["idg-progress"] = Field(examples=["idg-progress"])
    version: Literal[1] = Field(examples=[1])
    name: Name | None = Field(None, examples=["Emmy"])
    exported: float = Field(0.0, ge=0, le=CLOCK_SECONDS_MAX, examples=[1794790000.5])
    engine: EngineVersion = Field("", examples=["5d1f0c9ba2e47736"])
    seal: SealText = Field("", description="by which the server knows its own files", examples=[""])
    rooms: list[SavedRoom] = Field(
        max_length=IMPORT_ROOMS_MAX,
        examples=[
            [
                {
                    "level": "multiply",
                    "variant": "code",
                    "solved": False,
                    "facts": [{"loop": 1, "expression": "res = n * cnt", "kind": "inductive"}],
                }
            ]
        ],
    )
