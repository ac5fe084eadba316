"""The tables as they are now. A test compares them with what the migrations make."""

from __future__ import annotations

from sqlalchemy import BigInteger, Boolean, Column, Double, ForeignKey, Index, Integer, MetaData, Table, Text, text

metadata = MetaData(
    naming_convention={"pk": "%(table_name)s_key", "fk": "%(table_name)s_%(column_0_name)s_in_%(referred_table_name)s"}
)

RowId = BigInteger().with_variant(Integer(), "sqlite")
"""The type of ids that the database gives. SQLite gives them only where the type is exactly INTEGER."""

programs = Table(
    "programs",
    metadata,
    Column("hash", Text, primary_key=True),
    Column("source", Text, nullable=False),
    Column("title", Text, nullable=False),
    Column("player", Text),
    Column("time", Double, nullable=False),
)

players = Table(
    "players",
    metadata,
    Column("id", Text, primary_key=True),
    Column("name", Text, nullable=False),
    Column("agent", Boolean, nullable=False),
    Column("time", Double, nullable=False),
)

tokens = Table(
    "tokens",
    metadata,
    Column("hash", Text, primary_key=True),
    Column("player", Text, ForeignKey("players.id"), nullable=False),
    Column("kind", Text, nullable=False),
    Column("expires", Double),
    Column("time", Double, nullable=False),
    Index("tokens_player", "player"),
)

rooms = Table(
    "rooms",
    metadata,
    Column("id", Text, primary_key=True),
    Column("code", Text),
    Column("program", Text, ForeignKey("programs.hash"), nullable=False),
    Column("level", Text),
    Column("variant", Text, nullable=False),
    Column("owner", Text, ForeignKey("players.id"), nullable=False),
    Column("engine", Text, nullable=False),
    Column("version", Integer, nullable=False),
    Column("last_event", Integer, nullable=False),
    Column("state", Text, nullable=False),
    Column("time", Double, nullable=False),
    Column("purpose", Text),
    Index("rooms_code", "code", unique=True),
    Index("rooms_program", "program"),
    Index("rooms_owner", "owner"),
)

members = Table(
    "members",
    metadata,
    Column("room", Text, ForeignKey("rooms.id"), primary_key=True),
    Column("player", Text, ForeignKey("players.id"), primary_key=True),
    Column("time", Double, nullable=False),
    Column("left", Double),
    Index("members_player", "player"),
)


def _partial_index(name: str, *columns: str, where: str, unique: bool = False) -> Index:
    """An index of those rows only that satisfy the condition."""
    return Index(name, *columns, unique=unique, sqlite_where=text(where), postgresql_where=text(where))


# Rooms that were deleted, with how many events. Rows stay for ever.
pruned = Table(
    "pruned",
    metadata,
    Column("room", Text, primary_key=True),
    Column("program", Text, nullable=False),
    Column("level", Text),
    Column("events", Integer, nullable=False),
    Column("last", Double, nullable=False),
    Column("time", Double, nullable=False),
)

# Rows can only be appended: triggers, made by the migrations, refuse to change a row, or to delete one of a room that is not among
# the pruned ones.
events = Table(
    "events",
    metadata,
    Column("id", RowId, primary_key=True),
    Column("room", Text, ForeignKey("rooms.id")),
    Column("number", Integer),
    Column("player", Text),
    Column("kind", Text, nullable=False),
    Column("time", Double, nullable=False),
    Column("session", Text, nullable=False),
    Column("variant", Text, nullable=False),
    Column("request", Text),
    Column("answers", Integer),
    Column("body", Text, nullable=False),
    Column("coordinator", Text),
    Index("events_number", "room", "number", unique=True),
    _partial_index("events_request", "room", "player", "request", where="request IS NOT NULL", unique=True),
    _partial_index("events_answers", "room", "answers", where="answers IS NOT NULL", unique=True),
    _partial_index("events_proposed", "time", where="kind = 'proposed'"),
    Index("events_player", "player", "kind"),
)

# The coordinators that use the database, each with the time of its last sign of life by the database's own clock.
coordinators = Table(
    "coordinators",
    metadata,
    Column("id", Text, primary_key=True),
    Column("machine", Text, nullable=False),
    Column("process", Text, nullable=False),
    Column("beat", Double, nullable=False),
)

# What only the server knows, such as the key that seals progress files. Rows stay for ever.
secrets = Table("secrets", metadata, Column("name", Text, primary_key=True), Column("value", Text, nullable=False))

verdicts = Table(
    "verdicts",
    metadata,
    Column("key", Text, primary_key=True),
    Column("engine", Text, nullable=False),
    Column("answer", Text, nullable=False),
    Column("time", Double, nullable=False),
    Index("verdicts_time", "time"),
)

logs = Table(
    "logs",
    metadata,
    Column("id", RowId, primary_key=True),
    Column("player", Text, nullable=False),
    Column("session", Text, nullable=False),
    Column("time", Double, nullable=False),
    Column("kind", Text, nullable=False),
    Column("body", Text, nullable=False),
    Index("logs_player", "player"),
)

studies = Table(
    "studies",
    metadata,
    Column("name", Text, primary_key=True),
    Column("definition", Text, nullable=False),
    Column("opened", Double, nullable=False),
    Column("closed", Double),
)

# Who takes part in a study, in which arm. A row is never deleted; of somebody who withdrew only the number and the arm are left.
participants = Table(
    "participants",
    metadata,
    Column("study", Text, ForeignKey("studies.name"), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("pid", Text),
    Column("player", Text, nullable=False),
    Column("arm", Text, nullable=False),
    Column("seed", Integer, nullable=False),
    Column("consent", Text, nullable=False),
    Column("time", Double, nullable=False),
    Column("finished", Double),
    Column("code", Text),
    Column("withdrawn", Double),
    Index("participants_pid", "study", "pid", unique=True),
    Index("participants_player", "player", unique=True),
)

# Teachers whom the person who runs the server has made. Whoever has the link of a class teaches it without being among them.
teachers = Table(
    "teachers",
    metadata,
    Column("player", Text, ForeignKey("players.id"), primary_key=True),
    Column("code", Text, nullable=False),
    Column("time", Double, nullable=False),
    Index("teachers_code", "code", unique=True),
)

# Of the link with which one becomes a teacher of the class, and of personal codes, only hashes are stored.
classes = Table(
    "classes",
    metadata,
    Column("id", Text, primary_key=True),
    Column("title", Text, nullable=False),
    Column("code", Text, nullable=False),
    Column("secret", Text, nullable=False),
    Column("joining", Text, nullable=False),
    Column("time", Double, nullable=False),
    Column("archived", Double),
    Index("classes_code", "code", unique=True),
    Index("classes_secret", "secret", unique=True),
)

class_teachers = Table(
    "class_teachers",
    metadata,
    Column("class_id", Text, ForeignKey("classes.id"), primary_key=True),
    Column("player", Text, ForeignKey("players.id"), primary_key=True),
    Column("time", Double, nullable=False),
    Index("class_teachers_player", "player"),
)

# A name of a roster that nobody has taken yet has no player.
class_students = Table(
    "class_students",
    metadata,
    Column("class_id", Text, ForeignKey("classes.id"), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("name", Text, nullable=False),
    Column("name_key", Text, nullable=False),
    Column("player", Text, ForeignKey("players.id")),
    Column("code", Text),
    Column("time", Double),
    Index("class_students_name", "class_id", "name_key", unique=True),
    Index("class_students_player", "player", unique=True),
    Index("class_students_code", "code", unique=True),
)

assignments = Table(
    "assignments",
    metadata,
    Column("class_id", Text, ForeignKey("classes.id"), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("title", Text, nullable=False),
    Column("text", Text, nullable=False),
    Column("pairs", Boolean, nullable=False),
    Column("hints", Boolean, nullable=False),
    Column("opens", Double),
    Column("due", Double),
    Column("gem", Integer, nullable=False),
    Column("medal", Integer, nullable=False),
    Column("effort", Integer, nullable=False),
    Column("time", Double, nullable=False),
)

assigned_items = Table(
    "assigned_items",
    metadata,
    Column("class_id", Text, ForeignKey("classes.id"), primary_key=True),
    Column("assignment", Integer, primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("program", Text, ForeignKey("programs.hash"), nullable=False),
    Column("level", Text),
    Column("title", Text, nullable=False),
    Column("text", Text, nullable=False),
    Index("assigned_items_program", "program"),
)

hand_ins = Table(
    "hand_ins",
    metadata,
    Column("class_id", Text, ForeignKey("classes.id"), primary_key=True),
    Column("assignment", Integer, primary_key=True),
    Column("item", Integer, primary_key=True),
    Column("student", Integer, primary_key=True),
    Column("time", Double, nullable=False),
    Column("late", Boolean, nullable=False),
    Column("room", Text, nullable=False),
    Column("points", Integer, nullable=False),
    Column("certificate", Text, nullable=False),
)

# What a teacher sends to a student, or to all where there is no student.
class_messages = Table(
    "class_messages",
    metadata,
    Column("id", RowId, primary_key=True),
    Column("class_id", Text, ForeignKey("classes.id"), nullable=False),
    Column("student", Integer),
    Column("kind", Text, nullable=False),
    Column("text", Text, nullable=False),
    Column("code", Text),
    Column("time", Double, nullable=False),
    Index("class_messages_class", "class_id"),
)

# Learning platforms whose launches are accepted (LTI 1.3). `deployments` and `hosts` are lists, separated by spaces.
lti_platforms = Table(
    "lti_platforms",
    metadata,
    *(Column(name, Text, primary_key=name == "name", nullable=False) for name in ("name", "issuer", "client", "login_url")),
    *(Column(name, Text, nullable=False) for name in ("token_url", "keys_url", "audience", "deployments", "hosts")),
    Column("time", Double, nullable=False),
    Index("lti_platforms_client", "issuer", "client", unique=True),
)

# The course of a platform to which a class belongs.
lti_courses = Table(
    "lti_courses",
    metadata,
    Column("class_id", Text, ForeignKey("classes.id"), primary_key=True),
    Column("platform", Text, ForeignKey("lti_platforms.name"), nullable=False),
    Column("deployment", Text, nullable=False),
    Column("context", Text, nullable=False),
    Column("members_url", Text),
    Index("lti_courses_context", "platform", "deployment", "context", unique=True),
)

# Which student of a class somebody of the platform is. A teacher of the platform is one player in all classes.
lti_students = Table(
    "lti_students",
    metadata,
    Column("class_id", Text, ForeignKey("classes.id"), primary_key=True),
    Column("subject", Text, primary_key=True),
    Column("student", Integer, nullable=False),
    Index("lti_students_student", "class_id", "student", unique=True),
)

lti_teachers = Table(
    "lti_teachers",
    metadata,
    Column("platform", Text, ForeignKey("lti_platforms.name"), primary_key=True),
    Column("subject", Text, primary_key=True),
    Column("player", Text, ForeignKey("players.id"), nullable=False),
    Index("lti_teachers_player", "player"),
)

# Which assignment an activity of the platform is, and where its scores go.
lti_links = Table(
    "lti_links",
    metadata,
    Column("class_id", Text, ForeignKey("classes.id"), primary_key=True),
    Column("link", Text, primary_key=True),
    Column("assignment", Integer, nullable=False),
    Column("item_url", Text),
    Column("items_url", Text),
)

# Scores that the platform has not been told yet. One without `due` is not tried again, because the platform refused it.
lti_scores = Table(
    "lti_scores",
    metadata,
    Column("class_id", Text, ForeignKey("classes.id"), primary_key=True),
    Column("assignment", Integer, primary_key=True),
    Column("student", Integer, primary_key=True),
    Column("version", Integer, nullable=False),
    Column("due", Double),
    Column("tries", Integer, nullable=False),
    Column("problem", Text, nullable=False),
    Index("lti_scores_due", "due"),
)

# What was used and must not be used again, until it has expired anyway.
lti_used = Table("lti_used", metadata, Column("nonce", Text, primary_key=True), Column("expires", Double, nullable=False))
