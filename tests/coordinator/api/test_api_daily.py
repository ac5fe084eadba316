"""Today's level over HTTP: the days of the week, and every variation is shown and played like a level."""

from __future__ import annotations

import asyncio
from datetime import UTC, date, datetime, timedelta
from typing import Any

from idg.coordinator.catalog import built_in_hashes, daily_answer, variation_entries
from idg.engine.wire.codec import decode
from idg.engine.wire.programs import DailyAnswer
from idg.levels.daily import all_variations, daily, daily_catalogue
from tests.support.servers.clients import client

pytest_plugins = ["tests.support.servers.servers"]

MIDNIGHT = datetime(2026, 11, 18, tzinfo=UTC).timestamp()
"""The beginning of a Wednesday."""
DAY_SECONDS = 86_400


def test_a_day_begins_at_midnight_in_universal_time() -> None:
    wednesday = daily_answer(MIDNIGHT)
    assert daily_answer(MIDNIGHT + DAY_SECONDS - 1) == wednesday
    assert wednesday.today.date == "2026-11-18"
    assert [day.date for day in wednesday.week] == ["2026-11-16", "2026-11-17", "2026-11-18"]
    assert daily_answer(MIDNIGHT - 1).today.date == "2026-11-17"
    assert len(daily_answer(MIDNIGHT + 4 * DAY_SECONDS).week) == 7
    assert len(daily_answer(MIDNIGHT + 5 * DAY_SECONDS).week) == 1


def test_what_is_told_of_a_day_is_a_level_or_a_variation() -> None:
    for days in range(2 * len(daily_catalogue())):
        answer = daily_answer(MIDNIGHT + days * DAY_SECONDS)
        chosen = daily(date(2026, 11, 18) + timedelta(days=days), daily_catalogue())
        today = answer.today
        assert answer.week[-1].program == today.program
        assert built_in_hashes()[today.program].source == chosen.source
        assert (today.level is None) != (today.variation is None)
        assert (today.level or today.variation) == chosen.id
        assert (today.title, today.story) == (chosen.title, chosen.text)


def test_todays_level_can_be_opened(server: Any) -> None:
    async def story() -> None:
        async with client(server.url) as ann:
            told = (await ann.get("/api/daily")).ok()
            answer = decode(DailyAnswer, told)
            assert "solution" not in str(told)
            opened = (await ann.post("/api/rooms", {"program": answer.today.program})).ok()
            assert opened["program"]["title"] == answer.today.title
            assert opened["program"]["story"] == answer.today.story

    asyncio.run(story())


def test_every_variation_is_played_as_a_program(server: Any) -> None:
    async def story() -> None:
        async with client(server.url) as ann:
            await ann.become("Ann")
            for variation in all_variations():
                entry = variation_entries()[variation.id]
                shown = (await ann.get(f"/api/programs/{entry.hash}")).ok()
                assert (shown["variation"], shown["level"]) == (variation.id, None)
                assert (shown["story"], shown["proved"]) == (variation.text, variation.proved)
                assert shown["inputs"] == variation.inputs
                assert shown["trace"]["loops"][0]["rows"]
                assert "solution" not in shown
            [ferry] = [variation for variation in all_variations() if variation.id == "ferry"]
            opened = (await ann.post("/api/rooms", {"program": variation_entries()["ferry"].hash})).ok()
            room = opened["room"]["room"]
            for fact in ferry.solution:
                (await ann.propose(room, fact.expr)).ok()
            view = (await ann.get(f"/api/rooms/{room}")).ok()
            assert view["solved"]
            assert view["level"] is None
            assert (await ann.get(f"/api/rooms/{room}/board")).ok()["best"] == len(ferry.solution)

    asyncio.run(story())
