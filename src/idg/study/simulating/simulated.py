"""Simulated cohorts with known parameters: what players would do, and, without any server, the rows that this would leave."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator

from idg.sip.record import Record, replace
from idg.study.arms import assigned_arm
from idg.study.definition import StudyDefinition
from idg.study.rows import StudyRow

START = 1_800_000_000.0
"""When the first simulated participant begins, in seconds since 1970."""
USEFUL_KINDS = ("inductive", "potential")
USELESS_KINDS = ("non-invariant", "displaced", "type-tautology")


class ArmParameters(Record):
    """How the participants of one arm play."""

    win: float
    """The chance that an attempted level is solved by a participant of ordinary ability."""
    useful: float
    """The chance that a proposal is inductive or potential."""
    request: float = 0.3
    """The chance that a trace is asked for by typing inputs."""
    seconds: float = 240.0
    """The median active time of an attempt."""


class CohortParameters(Record):
    """A cohort whose truth is known."""

    players: int
    first: ArmParameters
    second: ArmParameters
    spread: float = 0.0
    """How much abilities differ: the standard deviation on the scale of log-odds. Then attempts of one person are alike."""
    attempts: int = 4
    """How many levels each participant attempts, at most."""
    seed: int = 1


EFFECT = (ArmParameters(0.55, 0.55), ArmParameters(0.18, 0.38))
"""Arms about as different as in the paper."""
NO_EFFECT = (ArmParameters(0.4, 0.45), ArmParameters(0.4, 0.45))
"""Arms that are alike."""


class PlannedMove(Record):
    """Something that a simulated player does on a level, so many seconds after the move before."""

    wait: float
    kind: str
    """`proposed` or `traced`."""
    useful: bool = False


class PlannedAttempt(Record):
    level: str
    moves: tuple[PlannedMove, ...]
    solves: bool


class PlannedPlayer(Record):
    """What one simulated participant will do."""

    id: str
    number: int
    arm: str
    attempts: tuple[PlannedAttempt, ...]


def planned_players(definition: StudyDefinition, parameters: CohortParameters) -> Iterator[PlannedPlayer]:
    """Each in the arm that the server would assign."""
    for number in range(1, parameters.players + 1):
        yield planned_player(definition, parameters, number, assigned_arm(definition, number - 1))


def planned_player(definition: StudyDefinition, parameters: CohortParameters, number: int, arm: str) -> PlannedPlayer:
    """What the participant with this number does in this arm; the same each time."""
    chance = random.Random(f"{parameters.seed} {number} {arm}")
    own = parameters.first if arm == definition.arms[0].name else parameters.second
    ability = chance.gauss(0, parameters.spread) if parameters.spread else 0.0
    count = min(parameters.attempts, len(definition.levels))
    attempts = tuple(_attempt(definition.levels[index], own, ability, chance) for index in range(count))
    return PlannedPlayer(f"sim-{number:04d}", number, arm, attempts)


def _attempt(level: str, own: ArmParameters, ability: float, chance: random.Random) -> PlannedAttempt:
    odds = math.log(own.win / (1 - own.win)) + ability if 0 < own.win < 1 else None
    win = own.win if odds is None else 1 / (1 + math.exp(-odds))
    total = min(1_200.0, max(25.0, own.seconds * math.exp(chance.gauss(0, 0.5))))
    proposals = 1 + min(9, int(chance.expovariate(0.3)))
    asks = chance.random() < own.request
    count = proposals + asks
    # Gaps stay below a break, so that the planned time is the active time.
    wait = min(250.0, total / count)
    moves = [PlannedMove(wait, "proposed", chance.random() < own.useful) for _ in range(proposals)]
    if asks:
        moves.insert(chance.randrange(len(moves)), PlannedMove(wait, "traced"))
    return PlannedAttempt(level, tuple(moves), chance.random() < win)


def simulated_rows(definition: StudyDefinition, parameters: CohortParameters) -> list[StudyRow]:
    """The rows that a server would have exported after these players."""
    rows: list[StudyRow] = []
    for player in planned_players(definition, parameters):
        time = START + 60.0 * player.number
        rows.append(_row(definition, player, "", time, "enrolled", {}))
        for attempt in player.attempts:
            time = _played(definition, player, attempt, time, rows)
    return rows


def _row(
    definition: StudyDefinition, player: PlannedPlayer, level: str, time: float, kind: str, body: dict[str, object]
) -> StudyRow:
    room = f"{player.id}/{level}" if level else ""
    return StudyRow(definition.name, player.id, player.arm, False, f"{player.id}-tab", level, time, kind, body, room, player.id)


def _played(
    definition: StudyDefinition, player: PlannedPlayer, attempt: PlannedAttempt, time: float, rows: list[StudyRow]
) -> float:
    """Adds the rows of an attempt; returns when it ended."""
    chance = random.Random(f"{player.id} {attempt.level}")
    number = 1

    def add(kind: str, body: dict[str, object], answers: int = 0) -> None:
        nonlocal number
        number += 1
        row = _row(definition, player, attempt.level, time, kind, body)
        rows.append(replace(row, number=number, answers=answers))

    add("opened", {})
    for index, move in enumerate(attempt.moves):
        time = round(time + move.wait, 3)
        if move.kind == "traced":
            add("traced", {"origin": "typed", "inputs": {}})
            continue
        last = attempt.solves and index == len(attempt.moves) - 1
        kind = chance.choice(USEFUL_KINDS if move.useful else USELESS_KINDS)
        add("proposed", {"expression": f"x = {index}", "loop": 1})
        add("judged", {"kind": kind}, answers=number)
        if last:
            add("solved", {"credited": [player.id]})
    return time + 5
