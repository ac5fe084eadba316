"""Everything about LTI in one place, as the routes and the coordinator use it."""

from __future__ import annotations

from collections.abc import Callable

from idg.coordinator.classes.school import School
from idg.coordinator.classes.told import ListedMembers, PlatformState, SentScores, UnsentScore
from idg.coordinator.errors import ApiError
from idg.coordinator.lti.arriving import Arriving
from idg.coordinator.lti.grades import Grades
from idg.coordinator.lti.launches import Launches
from idg.coordinator.lti.linking import Linking
from idg.coordinator.lti.platforms import Platforms
from idg.coordinator.lti.refusals import LaunchRefused, ServiceFailed
from idg.coordinator.lti.requests import PlatformClient
from idg.coordinator.lti.services import PlatformServices
from idg.coordinator.lti.signing import OurKeys
from idg.coordinator.players.players import Players
from idg.coordinator.store import Store
from idg.coordinator.store.class_records import ClassRow
from idg.coordinator.store.lti_records import CourseRow


class LtiTool:
    """We are the tool; a platform is where courses are."""

    def __init__(self, store: Store, players: Players, school: School, clock: Callable[[], float]) -> None:
        self.store = store
        self.school = school
        self.keys = OurKeys(store)
        self.client = PlatformClient()
        self.platforms = Platforms(store)
        self.services = PlatformServices(self.keys, self.client, clock)
        self.launches = Launches(store, self.platforms, self.keys, self.services, clock)
        self.arriving = Arriving(store, players, school.classes, school.assignments, clock)
        self.linking = Linking(store, self.platforms, self.keys, school.classes, school.assignments, clock)
        self.grades = Grades(store, self.platforms, self.services, school.assignments, clock)

    async def close(self) -> None:
        await self.client.close()

    async def _course(self, school_class: ClassRow) -> CourseRow:
        course = await self.store.course_of_class(school_class.id)
        if course is None:
            raise ApiError("no-platform", "this class belongs to no course of a learning platform")
        return course

    async def state(self, school_class: ClassRow) -> PlatformState:
        course = await self._course(school_class)
        unsent = tuple(
            UnsentScore(row.assignment, row.student, row.problem, row.due is not None)
            for row in await self.store.scores_waiting(school_class.id)
        )
        return PlatformState(course.platform, course.members_url is not None, unsent)

    async def fetch_members(self, school_class: ClassRow) -> ListedMembers:
        """Asks the platform who is in the course; its learners become students."""
        course = await self._course(school_class)
        if course.members_url is None:
            hint = "whoever runs the platform can allow it to tell names and roles"
            raise ApiError("no-platform", "the platform does not tell who is in the course", hint=hint)
        try:
            members = await self.services.members(await self.platforms.named(course.platform), course.members_url)
        except (ServiceFailed, LaunchRefused) as error:
            raise ApiError("platform-failed", f"the list of members could not be read: {error}") from None
        return await self.arriving.add_members(course, members)

    async def send_again(self, school_class: ClassRow) -> SentScores:
        await self._course(school_class)
        return SentScores(await self.grades.send_again(school_class.id))
