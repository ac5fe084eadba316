"""Simulated players who really play: each takes part in a study of a running server through its API, as planned.

They take the same way as people in a browser, from the consent to the completion code, and leave the same kinds of rows. But they
do not wait as people do. Instead, their logs say that they were active on the level for as long as planned before they moved.
"""

from __future__ import annotations

import json
import random
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from idg.levels import Level, find_level
from idg.sip.record import Record
from idg.study.definition import SCALE_POINTS, DefinedQuestion, StudyDefinition
from idg.study.simulating.simulated import CohortParameters, PlannedAttempt, planned_player

AT_ONCE = 8
"""How many simulated players play at the same time."""
ANSWER_SECONDS = 300.0
"""How long an answer may take."""
AGAIN = (429, 503)
"""The statuses after which a request is sent again: too fast, or busy."""
TRIES_MAX = 20
"""How often a request is sent."""
PAUSE_SECONDS_MAX = 60
"""How long we wait at most before we send one again. A quota of a day is not waited for."""
STEP_SECONDS = 200.0
"""How far apart the signs of life of a simulated player are; less than a break."""
TUTORIAL_STEPS = 5
"""How many steps the tutorial of a study has, in each arm."""


class PlayedGame(Record):
    """What became of one simulated participant."""

    id: str
    arm: str
    solved: int
    """How many levels they were to solve."""
    proposals: int
    code: str


class SimulationFailed(Exception):
    """The server refused something that a participant may do; the message says what."""


class _Visitor:
    """One browser: it keeps its cookie and names its session."""

    def __init__(self, url: str, session: str) -> None:
        self.url = url.rstrip("/")
        self.session = session
        self.cookie = ""

    def ask(self, method: str, path: str, body: object = None) -> Any:
        headers = {"X-IDG-Session": self.session, "Content-Type": "application/json"}
        if self.cookie:
            headers["Cookie"] = self.cookie
        text = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(f"{self.url}{path}", text, headers, method=method)
        for tries_left in reversed(range(TRIES_MAX)):
            try:
                with urllib.request.urlopen(request, timeout=ANSWER_SECONDS) as answer:
                    cookie = answer.headers.get("Set-Cookie")
                    self.cookie = cookie.split(";")[0] if cookie else self.cookie
                    return json.load(answer)
            except urllib.error.HTTPError as error:
                with error:
                    wait = error.headers.get("Retry-After", "")
                    if error.code not in AGAIN or not tries_left or not wait.isdecimal() or int(wait) > PAUSE_SECONDS_MAX:
                        raise SimulationFailed(f"{method} {path}: {error.code} {error.read().decode()[:300]}") from None
                    time.sleep(int(wait))
            except OSError as error:
                raise SimulationFailed(f"the server at {self.url} does not answer: {error}") from None
        raise AssertionError("the last try has returned or raised")


def simulate(
    url: str, definition: StudyDefinition, parameters: CohortParameters, tell: Callable[[PlayedGame], None] = lambda game: None
) -> list[PlayedGame]:
    """Lets so many simulated participants play. The server assigns their arms."""

    def play(number: int) -> PlayedGame:
        game = _played(url, definition, parameters, number)
        tell(game)
        return game

    with ThreadPoolExecutor(AT_ONCE) as threads:
        return list(threads.map(play, range(1, parameters.players + 1)))


def _played(url: str, definition: StudyDefinition, parameters: CohortParameters, number: int) -> PlayedGame:
    visitor = _Visitor(url, f"sim-{parameters.seed}-{number}")
    study = f"/api/studies/{definition.name}"
    consent = {"pid": f"sim-{parameters.seed}-{number}", "consent": definition.consent.version}
    part = visitor.ask("POST", f"{study}/participants", consent)
    arm = next(arm.name for arm in definition.arms if arm.variant == part["variant"])
    player = planned_player(definition, parameters, number, arm)
    chance = random.Random(f"{parameters.seed} {number} answers")
    if definition.asked("start"):
        visitor.ask("POST", f"{study}/background", {"answers": _answers(definition.asked("start"), chance)})
    if definition.tutorial:
        _taught(visitor, study, definition, part["variant"])
    proposals = sum(_attempted(visitor, study, definition, attempt, part["variant"]) for attempt in player.attempts)
    done = visitor.ask("POST", f"{study}/answers", {"answers": _answers(definition.asked("end"), chance)})
    return PlayedGame(player.id, arm, sum(attempt.solves for attempt in player.attempts), proposals, done["code"])


def _answers(questions: Sequence[DefinedQuestion], chance: random.Random) -> dict[str, str | int]:
    """By chance; free answers are left out."""
    answers: dict[str, str | int] = {}
    for question in questions:
        if question.kind == "scale":
            answers[question.id] = chance.randint(1, SCALE_POINTS)
        elif question.kind == "choice":
            answers[question.id] = chance.choice(question.choices)
    return answers


def _log(visitor: _Visitor, rows: list[dict[str, object]]) -> None:
    visitor.ask("POST", "/api/logs", {"rows": rows, "sent": time.time()})


def _taught(visitor: _Visitor, study: str, definition: StudyDefinition, variant: str) -> None:
    """Goes through the tutorial, on the first level."""
    if variant == "code":
        visitor.ask("POST", "/api/rooms", {"level": definition.levels[0], "variant": "code", "purpose": "tutorial"})
    else:
        visitor.ask("POST", f"{study}/levels/1?tutorial=true")
    screen = {"kind": "screen", "time": time.time(), "body": {"screen": "tutorial", "variant": variant}}
    steps = [{"kind": "tutorial", "time": time.time(), "body": {"step": step + 1}} for step in range(TUTORIAL_STEPS)]
    _log(visitor, [screen, *steps])


def _attempted(visitor: _Visitor, study: str, definition: StudyDefinition, attempt: PlannedAttempt, variant: str) -> int:
    """Plays one level; returns how many facts were proposed."""
    level = find_level(attempt.level)
    assert level is not None, "the definition was checked"
    if variant == "code":
        room = visitor.ask("POST", "/api/rooms", {"level": level.id, "variant": "code"})["room"]
        proposals, traces = f"/api/rooms/{room['room']}/proposals", f"/api/programs/{room['program']}/traces"
        asked: dict[str, object] = {"room": room["room"]}
    else:
        base = f"{study}/levels/{definition.levels.index(level.id) + 1}"
        visitor.ask("POST", base)
        proposals, traces, asked = f"{base}/proposals", f"{base}/traces", {}
    screen = {"kind": "screen", "time": time.time(), "body": {"screen": "level", "variant": variant, "level": level.id}}
    _log(visitor, [screen, *_activity(level.id, sum(move.wait for move in attempt.moves), time.time())])
    count = 0
    rows: list[dict[str, object]] = []
    for kind, loop, text in _moves(level, attempt):
        if kind == "traced":
            visitor.ask("POST", traces, {"inputs": level.inputs, "origin": "typed", **asked})
        else:
            now = time.time()
            typing = {"where": "entry", "keys": len(text), "from": now, "to": now, "level": level.id}
            rows.append({"kind": "typing", "time": now, "body": typing})
            visitor.ask("POST", proposals, {"loop": loop, "expression": text})
            rows.append({"kind": "shown", "time": time.time(), "body": {"level": level.id}})
            count += 1
    _log(visitor, rows)
    return count


def _activity(level: str, seconds: float, now: float) -> list[dict[str, object]]:
    """Rows of a log: active on the level for so long until now."""
    rows: list[dict[str, object]] = []
    start = now - seconds
    while start < now:
        end = min(now, start + STEP_SECONDS)
        rows.append({"kind": "active", "time": end, "body": {"from": start, "to": end, "level": level}})
        start = end
    return rows


def _moves(level: Level, attempt: PlannedAttempt) -> Iterator[tuple[str, int, str]]:
    """What is done, in order: useful proposals are facts of the level's solution, but never all of them before the level is to be
    solved; others are true of every state and so say nothing."""
    useful = list(level.solution[:-1])
    for move in attempt.moves:
        if move.kind == "traced":
            yield "traced", 0, ""
        elif move.useful and useful:
            fact = useful.pop(0)
            yield "proposed", fact.loop, fact.expr
        else:
            yield "proposed", 1, "true"
    if attempt.solves:
        for fact in (*useful, level.solution[-1]):
            yield "proposed", fact.loop, fact.expr
