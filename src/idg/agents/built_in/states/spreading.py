"""Runs that spread: each begins with the choices that led to a state from which few runs went on, and then chooses anew.

Where a program chooses at every turn, a bad state may need one certain sequence of choices. Runs that choose by themselves hardly
ever make it, but from each state on the way the next step is likely. So a way to every state that looks new is kept, and those from
which few runs went on come first. In a program with few states, all of them are reached soon. Nothing of this is trusted: a run
that fails is repeated before it counts.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence

from idg.agents.built_in.states.sampling import Sample
from idg.sip.limits import RunLimits
from idg.sip.program import Program
from idg.sip.record import Record
from idg.sip.running.chooser import ContinuingChooser
from idg.sip.running.runner import Choices, Row, RunStart
from idg.sip.values import Scalar, Value

SPREADING_LIMITS = RunLimits(steps_max=800, rows_max=400, choice_tries_max=100)
"""Limits of such a run. It is short, because it only has to go on from one state to the next ones."""
SPREADING_RUNS = 300
"""Such runs of one search."""
RUNS_PER_FUEL = 5
"""Such runs that take about as long as a unit of fuel."""
FIRST_INPUTS_MAX = 12
"""Inputs from which runs spread: some of those that are known, taken evenly."""
NEW_EACH_MAX = 8
"""New states to which one run shows the way. The first ones count, because the ways to them are the shortest."""
LIKENESSES_MAX = 3_000
"""Kinds of states to which ways are kept."""
EXACT_MAX = 12
"""Up to this size two numbers are alike only if they are equal; larger ones are alike if they have as many bits."""


class _Way(Record):
    """How a run gets to a state."""

    inputs: Mapping[str, Value]
    choices: Choices


def spread(program: Program, known: Sequence[Mapping[str, Value]], seed: int, runs: int, is_over: Callable[[], bool]) -> Sample:
    """The states that look new in so many runs, or in fewer where one fails. `known` are inputs that meet the precondition."""
    sample = Sample(program)
    checked = program.checking_claims
    pick = random.Random(f"{seed} spreading")
    assigned = program.info.level.assigned_params
    ways: dict[tuple[int, tuple[Scalar, ...]], _Way] = {
        (0, (number,)): _Way(inputs, ()) for number, inputs in enumerate(known[:: max(1, -(-len(known) // FIRST_INPUTS_MAX))])
    }
    gone_on = dict.fromkeys(ways, 0)
    for number in range(runs if ways else 0):
        if is_over() or sample.failing is not None:
            break
        start = min(gone_on, key=lambda key: gone_on[key])
        gone_on[start] += 1
        way = ways[start]
        recording = checked.recording(way.inputs, SPREADING_LIMITS, chooser=ContinuingChooser(way.choices, pick.randrange(1 << 30)))
        if recording.outcome.kind == "failed":
            sample.failing = RunStart(way.inputs, 0, tuple(values for _, values, _, _ in recording.noted), claims=True)
        entry = tuple(way.inputs[name] for name in assigned)
        for place, rows in enumerate(recording.tables):
            new = 0
            for index, row in enumerate(rows):
                key = place + 1, _likeness(row + entry)
                if key in ways or len(ways) >= LIKENESSES_MAX or new >= NEW_EACH_MAX:
                    continue
                new += 1
                sample.rows[place].append((row + entry, number))
                ways[key] = _Way(way.inputs, tuple(values for _, values, counts, _ in recording.noted if counts[place] <= index))
                gone_on[key] = 0
    return sample


def _likeness(row: Row) -> tuple[Scalar, ...]:
    """Equal for states that look alike."""
    return tuple(_rough(value) for value in row if not isinstance(value, tuple))


def _rough(value: Scalar) -> Scalar:
    if isinstance(value, bool) or -EXACT_MAX <= value <= EXACT_MAX:
        return value
    size = EXACT_MAX + (value.numerator // value.denominator).bit_length()
    return size if value > 0 else -size
