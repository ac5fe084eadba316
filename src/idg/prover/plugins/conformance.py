"""The conformance suite: what every prover that is plugged in must pass, ours included.

It is never wrong on the table of examples: what is valid is not refuted, what is not valid is not proved, and a state that it gives
refutes the query. It may answer Unknown. `idg doctor --prover NAME` runs it for whoever writes a prover.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from idg.prover.answers import Proved, Refuted, Unknown
from idg.prover.check import refutes
from idg.prover.plugins.examples import EXAMPLES, Example
from idg.prover.plugins.interface import ProverPlugin
from idg.sip.record import Record


class Conformance(Record):
    """How a prover did on the table."""

    examples: int
    proved: int
    refuted: int
    unknown: int
    wrong: tuple[str, ...]
    """One sentence for each wrong answer."""


def conformance(plugin: ProverPlugin, examples: Iterable[Example] | None = None) -> Conformance:
    """What the prover says of the examples, by default of the whole table.

    Nothing is forgiven here that the engine would take for Unknown.
    """
    counts: Counter[str] = Counter()
    wrong: list[str] = []
    for example in EXAMPLES if examples is None else examples:
        kind, complaint = _judged(plugin, example)
        counts[kind] += 1
        if complaint:
            wrong.append(f"{example}: {complaint}")
    return Conformance(counts.total(), counts["proved"], counts["refuted"], counts["unknown"], tuple(wrong))


def _judged(plugin: ProverPlugin, example: Example) -> tuple[str, str]:
    """The kind of the answer, and what is wrong with it; '' where nothing is."""
    query = example.query()
    try:
        answer: object = plugin.prove(query)
    except Exception as error:  # It is code of others, which may fail in any way.
        return "unknown", f"failed with {type(error).__name__}: {error}"
    if isinstance(answer, Proved):
        if not example.valid:
            return "proved", "proved, and it is not valid"
        return "proved", "" if answer.core <= set(
            range(len(query.hypotheses))
        ) else "the proof names a hypothesis that is not there"
    if isinstance(answer, Refuted):
        if example.valid:
            return "refuted", "refuted, and it is valid"
        told = answer.state.keys() >= query.variables.keys() and refutes(query, answer.state)
        return "refuted", "" if told else "refuted by a state that does not refute it"
    return "unknown", "" if isinstance(answer, Unknown) else f"answered with a {type(answer).__name__}"
