"""Deep linking: a teacher chooses an assignment inside of the platform, and it becomes an activity there."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

from idg.coordinator.classes.assignments import Assigned, Assignments
from idg.coordinator.classes.classes import Classes
from idg.coordinator.codes import new_token
from idg.coordinator.errors import ApiError
from idg.coordinator.lti.arriving import ClassArrival
from idg.coordinator.lti.launches import CLAIM, DEEP_CLAIM, NONCE_BYTES, USED_SECONDS, Launch, assignment_number
from idg.coordinator.lti.platforms import Platforms
from idg.coordinator.lti.refusals import LaunchRefused
from idg.coordinator.lti.signing import BadSignature, OurKeys
from idg.coordinator.players.players import hashed
from idg.coordinator.store import Store
from idg.coordinator.web.models import AssignmentBody
from idg.sip.record import Record

CHOICE_SECONDS = 3600
"""How long a teacher may take to choose."""


class ChosenAssignment(Record):
    """What a teacher has chosen, signed, and the address of the platform to which their browser sends it."""

    return_url: str
    signed: str
    frames: tuple[str, ...]
    title: str


def points_max(assigned: Assigned) -> int:
    """The most points without medals that an assignment gives."""
    return sum(assigned.row.gem + assigned.row.effort for _ in assigned.items)


class Linking:
    def __init__(
        self,
        store: Store,
        platforms: Platforms,
        keys: OurKeys,
        classes: Classes,
        assignments: Assignments,
        clock: Callable[[], float],
    ) -> None:
        self.store = store
        self.platforms = platforms
        self.keys = keys
        self.classes = classes
        self.assignments = assignments
        self.clock = clock

    async def begin(self, launch: Launch, arrival: ClassArrival) -> str:
        """The text that the page with the choice sends back: who chooses, for which course, and where the choice goes."""
        assert launch.choosing is not None, "this is a launch for choosing"
        choosing = launch.choosing
        claims = {
            "platform": launch.platform.name,
            "deployment": launch.deployment,
            "class_id": arrival.school_class.id,
            "player": arrival.player.id,
            "return_url": choosing.return_url,
            "data": choosing.data,
            "with_column": choosing.with_column,
            "frames": list(launch.frames),
            "nonce": new_token(NONCE_BYTES),
        }
        return await self.keys.sign_for_us("choice", claims, self.clock() + CHOICE_SECONDS)

    async def choose(self, token: str, chosen: str, launch_url: str) -> ChosenAssignment:
        """The answer to the platform. `chosen` is `assignment:NUMBER`, or `level:ID` for a new assignment with this level."""
        now = self.clock()
        try:
            about = await self.keys.read_ours("choice", token, now)
        except BadSignature as error:
            raise LaunchRefused("expired" if error.expired else "wrong-state", f"the choice: {error}") from None
        platform = await self.platforms.named(str(about["platform"]))
        try:
            row = await self.classes.taught(str(about["class_id"]), str(about["player"]))
        except ApiError as error:
            raise LaunchRefused("no-role", error.message) from None
        kind, _, name = chosen.partition(":")
        number = assignment_number(name) if kind == "assignment" else None
        if kind != "level" and number is None:
            raise LaunchRefused("bad-request", "nothing was chosen")
        if not await self.store.use_once(hashed(f"choice {about['nonce']}"), now + USED_SECONDS, now):
            raise LaunchRefused("replayed", "the choice was made before")
        if kind == "level":
            entry = self.assignments.catalog.level(name)
            if entry is None:
                raise LaunchRefused("bad-request", f"there is no level {name[:60]!r}")
            body = AssignmentBody.model_validate({"title": entry.title, "items": [{"level": name}]})
            number = (await self.assignments.put(row, body)).number
        assert number is not None, "it was chosen or made"
        assigned = await self.assignments.one(row.id, number)
        claims = {
            "iss": platform.client,
            "aud": platform.issuer,
            "nonce": new_token(NONCE_BYTES),
            f"{CLAIM}deployment_id": about["deployment"],
            f"{CLAIM}message_type": "LtiDeepLinkingResponse",
            f"{CLAIM}version": "1.3.0",
            f"{DEEP_CLAIM}content_items": [_item(assigned, launch_url, bool(about["with_column"]))],
        }
        if about["data"] is not None:
            claims[f"{DEEP_CLAIM}data"] = about["data"]
        signed = await self.keys.sign(claims, now)
        return ChosenAssignment(str(about["return_url"]), signed, tuple(map(str, about["frames"])), assigned.row.title)


def _item(assigned: Assigned, launch_url: str, with_column: bool) -> dict[str, object]:
    row = assigned.row
    item: dict[str, object] = {
        "type": "ltiResourceLink",
        "title": row.title,
        "text": row.text,
        "url": launch_url,
        "custom": {"assignment": str(row.number)},
    }
    most = points_max(assigned)
    if with_column and most:
        item["lineItem"] = {"label": row.title, "scoreMaximum": most}
    if row.due is not None:
        item["submission"] = {"endDateTime": datetime.fromtimestamp(row.due, UTC).isoformat(timespec="seconds")}
    return item
