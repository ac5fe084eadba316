"""Which helpers may be believed: those all of whose own obligations are proved.

A helper's contract and body are used in a proof only then. In its own proof, and in those of the helpers with which it is mutually
recursive, its contract is the induction hypothesis: it is assumed of the calls that are made on the way, which must have ended. So
a group of mutually recursive helpers is believed as a whole or not at all.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from idg.engine.results import ObligationStatus, ProofStatus
from idg.prover.answers import Answer, Proved, Refuted
from idg.sip.checking.analysis import ModuleInfo
from idg.sip.record import Record, replace
from idg.vc.helpers import Helpers, helpers_of
from idg.vc.query import Query
from idg.vc.symbolic import Analysis, Obligation, ProgramTooLarge, analyse

Ask = Callable[[Query], Answer]
"""Asks the prover."""


class Beliefs(Record):
    """What is proved of a program's helpers."""

    helpers: Helpers
    """The helpers that are believed, and what can be seen at once of all of them."""
    statuses: tuple[ObligationStatus, ...] = ()
    """The obligations of the helpers, in the order of the text."""
    too_large: Mapping[str, str] = {}
    """The helpers that are too large to be analysed, and why."""
    doubted: Mapping[str, str] = {}
    """For each helper that is not believed, the one that is to blame: itself, or one that it calls, directly or not."""

    def unproved(self, name: str) -> tuple[ObligationStatus, ...]:
        """The obligations of the helper that are not proved."""
        return tuple(status for status in self.statuses if status.function == name and status.status != "proved")


def obligation_query(analysis: Analysis, obligation: Obligation) -> Query:
    return analysis.executor.query(obligation.path.hypotheses, obligation.goal, obligation.call)


def proof_status(answer: Answer) -> ProofStatus:
    return "proved" if isinstance(answer, Proved) else "refuted" if isinstance(answer, Refuted) else "unknown"


def assumed_in(info: ModuleInfo, helpers: Helpers, function: str) -> Helpers:
    """The helpers whose contracts the proof of this function may use: the believed ones and, by induction, those of its group."""
    return replace(helpers, trusted=helpers.trusted | info.calls.group(function))


def judge_helpers(info: ModuleInfo, ask: Ask) -> Beliefs:
    """Proves the helpers, those that are called before those that call them.

    Whether they are proved does not depend on the books, because the helpers' own loops state invariants for them.
    """
    helpers = helpers_of(info)
    level = info.level.function.name
    statuses: dict[str, list[ObligationStatus]] = {}
    too_large: dict[str, str] = {}
    doubted: dict[str, str] = {}
    for group in info.calls.groups:
        if level in group:
            continue
        members = sorted(group)
        for name in members:
            try:
                statuses[name] = _statuses(info, name, assumed_in(info, helpers, name), ask)
            except ProgramTooLarge as error:
                too_large[name] = str(error)
        blamed = [name for name in members if name in too_large or any(status.status != "proved" for status in statuses[name])]
        blamed += [doubted[callee] for name in members for callee in sorted(info.calls.callees[name]) if callee in doubted]
        if blamed:
            doubted |= {name: name if name in blamed else blamed[0] for name in members}
        else:
            helpers = replace(helpers, trusted=helpers.trusted | group)
    in_order = (status for name in info.functions for status in statuses.get(name, ()))
    return Beliefs(helpers, tuple(in_order), too_large, doubted)


def _statuses(info: ModuleInfo, name: str, helpers: Helpers, ask: Ask) -> list[ObligationStatus]:
    analysis = analyse(info, function=name, helpers=helpers)
    return [
        ObligationStatus(obligation.cause, obligation.span, proof_status(ask(obligation_query(analysis, obligation))), (), name)
        for obligation in analysis.obligations
    ]
