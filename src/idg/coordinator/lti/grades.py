"""Sends scores to platforms. What is to be sent is in the store, so that nothing gets lost when a platform or a server is down."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable

from idg.coordinator.classes.assignments import Assignments
from idg.coordinator.lti.arriving import LINKS_MAX
from idg.coordinator.lti.linking import points_max
from idg.coordinator.lti.platforms import Platforms
from idg.coordinator.lti.refusals import LaunchRefused, ServiceFailed
from idg.coordinator.lti.services import PlatformServices, StudentScore
from idg.coordinator.store import Store
from idg.coordinator.store.class_records import ClassEnded
from idg.coordinator.store.lti_records import LinkRow, PlatformRow, ScoreRow
from idg.sip.record import replace

BATCH = 20
"""How many scores are sent at the same time."""
HELD_SECONDS = 120.0
"""How long no other coordinator sends a score that we are sending: longer than our requests for it may take."""
FIRST_PAUSE_SECONDS = 5.0
"""Seconds after which a score is tried again; each further pause is twice as long."""
PAUSE_SECONDS_MAX = 3600.0
"""The longest pause between two tries."""
TRIES_MAX = 40
"""How often a score is tried: for about thirty hours."""
PROBLEM_CHARS_MAX = 300
"""How much is kept of why a score could not be sent."""

log = logging.getLogger("idg.lti")


class Grades:
    def __init__(
        self, store: Store, platforms: Platforms, services: PlatformServices, assignments: Assignments, clock: Callable[[], float]
    ) -> None:
        self.store = store
        self.platforms = platforms
        self.services = services
        self.assignments = assignments
        self.clock = clock

    async def send(self) -> None:
        """Sends what is due, and returns when nothing is."""
        # Only a writer that has something to write shows that the database can be written. So it is asked by reading first.
        while await self.store.are_scores_due(self.clock()):
            rows = await self.store.take_scores(self.clock(), self.clock() + HELD_SECONDS, BATCH)
            if not rows:
                return  # Another coordinator has taken them.
            await asyncio.gather(*map(self._send, rows))

    async def _send(self, row: ScoreRow) -> None:
        try:
            await self._send_now(row)
        except (ServiceFailed, LaunchRefused) as error:
            gives_up = (isinstance(error, ServiceFailed) and error.for_good) or row.tries + 1 >= TRIES_MAX
            pause = min(FIRST_PAUSE_SECONDS * 2**row.tries, PAUSE_SECONDS_MAX)
            problem = str(error)[:PROBLEM_CHARS_MAX]
            await self.store.failed_score(row, None if gives_up else self.clock() + pause, problem)
            if gives_up:
                log.warning("a score was not taken by its platform", extra={"class": row.class_id, "problem": problem})
        else:
            await self.store.sent_score(row)

    async def _send_now(self, row: ScoreRow) -> None:
        course = await self.store.course_of_class(row.class_id)
        subject = (await self.store.subjects_of(row.class_id)).get(row.student)
        if course is None or subject is None:
            return  # Somebody who joined with the code of the class is not known to the platform.
        platform = await self.platforms.named(course.platform)
        known = {assigned.row.number: assigned for assigned in await self.assignments.of_class(row.class_id)}
        assigned = known.get(row.assignment)
        if assigned is None or not points_max(assigned):
            return
        handed_in = [sent for sent in await self.store.hand_ins_of(row.class_id, row.student) if sent.assignment == row.assignment]
        if not handed_in:
            return
        score = StudentScore(
            subject,
            sum(sent.points for sent in handed_in),
            points_max(assigned),
            len(handed_in) == len(assigned.items),
            self.clock(),
        )
        for link in await self.store.links_of(row.class_id, row.assignment):
            url = link.item_url or await self._new_column(platform, link, assigned.row.title, score.most)
            if url is not None:
                await self.services.send_score(platform, url, score)

    async def _new_column(self, platform: PlatformRow, link: LinkRow, title: str, most: int) -> str | None:
        """A column of the platform's gradebook for an activity that has none; None where we may make none."""
        if link.items_url is None:
            return None
        url = await self.services.new_item(platform, link.items_url, link.link, title, most)
        try:
            await self.store.put_link(replace(link, item_url=url), LINKS_MAX)
        except ClassEnded:
            return None
        return url

    async def send_again(self, class_id: str) -> int:
        """Everything that was handed in for activities of the platform is sent again; returns how many scores that are."""
        places: dict[int, set[int]] = {}
        for sent in await self.store.hand_ins_of(class_id):
            places.setdefault(sent.assignment, set()).add(sent.student)
        count = 0
        for assignment, students in sorted(places.items()):
            count += await self.store.put_scores(class_id, assignment, sorted(students), self.clock())
        return count
