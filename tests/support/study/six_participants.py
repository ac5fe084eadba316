"""A log of six participants that was made by hand, so that every figure can be worked out on paper.

Times are seconds after START. The comments have the active time of each visit: the time between signs of life, and 30 s for each
session.
"""

from __future__ import annotations

import json
from datetime import UTC, datetime
from itertools import count

from idg.sip.record import replace
from idg.study.definition import StudyDefinition, read_definition
from idg.study.rows import StudyRow

START = 1_800_000_000.0
TOML = """
name = "six"
title = "Six participants"
levels = ["multiply", "cube", "summation"]

[[arm]]
name = "code"
variant = "code"
share = 1

[[arm]]
name = "trace"
variant = "trace"
share = 1

[consent]
version = "1"
text = "You agree."

[[question]]
id = "fun"
text = "It was fun."
kind = "scale"
"""


def definition(more: str = "") -> StudyDefinition:
    return read_definition(TOML + more)


class Diary:
    """Writes down what one participant does."""

    def __init__(self, rows: list[StudyRow], participant: str, arm: str) -> None:
        self.rows, self.participant, self.arm = rows, participant, arm
        self.numbers: dict[str, count[int]] = {}
        self._add("", 0.0, "tab", "enrolled", {})

    def _add(
        self, level: str, time: float, tab: str, kind: str, body: dict[str, object], answers: int = 0, purpose: str = ""
    ) -> int:
        room = f"{self.participant} {level} {purpose}" if level else ""
        number = next(self.numbers.setdefault(room, count(1)))
        session = f"{self.participant} {tab}"
        row = StudyRow("six", self.participant, self.arm, False, session, level, START + time, kind, body, room, self.participant)
        self.rows.append(replace(row, number=number, answers=answers, purpose=purpose))
        return number

    def opened(self, level: str, time: float, tab: str = "tab", purpose: str = "") -> None:
        self._add(level, time, tab, "opened", {}, purpose=purpose)
        self._add(level, time, tab, "traced", {"origin": "default", "inputs": {}}, purpose=purpose)

    def typed(self, level: str, time: float) -> None:
        self._add(level, time, "tab", "traced", {"origin": "typed", "inputs": {"n": "3"}})

    def proposed(self, level: str, time: float, kind: str, text: str = "true", tab: str = "tab", purpose: str = "") -> None:
        number = self._add(level, time, tab, "proposed", {"expression": text, "loop": 1, "text": text}, purpose=purpose)
        # The verdict comes late; it is the server's and no sign of life.
        self._add(level, time + 2, tab, "judged", {"kind": kind}, number, purpose)

    def solved(self, level: str, time: float, *others: str, tab: str = "tab", purpose: str = "") -> None:
        self._add(level, time, tab, "solved", {"credited": [self.participant, *others], "inductive": []}, purpose=purpose)

    def logged(self, level: str, time: float, kind: str, body: dict[str, object]) -> None:
        self.rows.append(
            StudyRow("six", self.participant, self.arm, False, f"{self.participant} tab", level, START + time, kind, body)
        )


def six_participants() -> list[StudyRow]:
    rows: list[StudyRow] = []
    _code_arm(rows)
    _trace_arm(rows)
    return rows


def _code_arm(rows: list[StudyRow]) -> None:
    one = Diary(rows, "p1", "code")
    # A gap of 299.9 s counts in full and one of 300 s counts 120 s: 10 + 10 + 299.9 + 120 = 439.9, active 469.9, unadjusted 619.9.
    one.opened("multiply", 0)
    one.proposed("multiply", 10, "non-invariant")
    one.typed("multiply", 20)
    one.proposed("multiply", 319.9, "potential", "cnt <= m")
    one.proposed("multiply", 619.9, "inductive", "res = n * cnt")
    one.solved("multiply", 619.9)
    # After the solving nothing counts any more.
    one.typed("multiply", 650)
    # 10.0 s: not attempted.
    one.opened("cube", 1000)
    one.proposed("cube", 1010, "displaced")
    # 10.1 s: attempted, active 40.1.
    one.opened("summation", 2000)
    one.proposed("summation", 2010.1, "potential")

    two = Diary(rows, "p2", "code")
    # Two sessions, the first with a reload: 50 + 40 = 90, active 150.
    two.opened("multiply", 0)
    two.proposed("multiply", 20, "type-tautology")
    two.opened("multiply", 25)
    two.proposed("multiply", 50, "type-tautology")
    two.opened("multiply", 5000, tab="later")
    two.proposed("multiply", 5040, "inductive", "res = cnt * n", tab="later")
    two.solved("multiply", 5040, tab="later")
    # Opened only.
    two.opened("cube", 6000)

    three = Diary(rows, "p3", "code")
    # Parallel tabs, 0 to 100 and 60 to 160, are one session: 160, active 190.
    three.opened("multiply", 0, tab="left")
    three.proposed("multiply", 100, "unknown", tab="left")
    three.opened("multiply", 60, tab="right")
    three.proposed("multiply", 160, "inductive", "cnt <= m", tab="right")
    three.solved("multiply", 160, tab="right")
    # An agent has a part in the proof: 60, active 90, attempted but not solved. What the agent does counts nowhere.
    three.opened("cube", 1000)
    three.proposed("cube", 1030, "potential")
    acts: list[tuple[str, dict[str, object]]] = [
        ("proposed", {"expression": "y = 1", "loop": 1}),
        ("traced", {"origin": "typed", "inputs": {}}),
    ]
    for kind, body in acts:
        rows.append(StudyRow("six", "", "", True, "", "cube", START + 1040, kind, body, "p3 cube ", "agent", 90))
    three.solved("cube", 1060, "agent")


def _trace_arm(rows: list[StudyRow]) -> None:
    four = Diary(rows, "p4", "trace")
    # The tutorial counts nowhere.
    four.opened("multiply", -500, purpose="tutorial")
    four.proposed("multiply", -400, "inductive", "res = n * cnt", purpose="tutorial")
    four.solved("multiply", -400, purpose="tutorial")
    # 60, active 90.
    four.opened("multiply", 0)
    four.proposed("multiply", 30, "non-invariant")
    four.proposed("multiply", 60, "inductive", "res = n * cnt")
    four.solved("multiply", 60)
    # The browser saw somebody until 560: 60, active 90, not solved.
    four.opened("summation", 500)
    four.proposed("summation", 520, "displaced")
    four.logged("summation", 561, "active", {"from": START + 530, "to": START + 560, "level": "summation"})
    four.logged("", 700, "answer", {"fun": 4})

    five = Diary(rows, "p5", "trace")
    # Nothing solved, so left out: 40, active 70.
    five.opened("multiply", 0)
    five.proposed("multiply", 40, "non-invariant")

    six = Diary(rows, "p6", "trace")
    # Quick: 15, active 45. And long: eight gaps of 200 s, active 1630, so left out.
    six.opened("multiply", 0)
    six.proposed("multiply", 15, "inductive", "res = n * cnt")
    six.solved("multiply", 15)
    six.opened("cube", 100)
    for step in range(1, 9):
        six.proposed("cube", 100 + 200 * step, "non-invariant")


def exported_line(row: StudyRow) -> str:
    """The row as `idg export` writes it."""
    exported: dict[str, object] = {name: getattr(row, name) for name in row.__match_args__}
    exported["time"] = datetime.fromtimestamp(row.time, UTC).isoformat(timespec="milliseconds")
    return json.dumps(exported) + "\n"
