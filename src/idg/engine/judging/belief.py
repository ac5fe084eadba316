"""Which helpers may be believed: those all of whose own obligations are proved.

A helper's contract and body are used in a proof only then. In its own proof, and in those of the helpers with which it is mutually
recursive, its contract is the induction hypothesis: it is assumed of the calls that are made on the way, which must have ended. So
a group of mutually recursive helpers is believed as a whole or not at all.

Whether a helper is proved depends on the facts that are proved at its loops. Facts that are only assumed, because somebody proposed
them, never make a helper believed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from idg.engine.results import Fact, ObligationStatus, ProofStatus
from idg.prover.answers import Answer, Proved, Refuted
from idg.sip.checking.analysis import ModuleInfo
from idg.sip.record import Record, replace
from idg.vc.helpers import Helpers, helpers_of
from idg.vc.paths import Obligation
from idg.vc.query import Query, Requirement
from idg.vc.symbolic import Analysis, ProgramTooLarge

Node = Fact | Requirement
"""What a proof may use: a fact, or something that the program has checked before."""
Ask = Callable[[int], tuple[Answer, tuple[Fact, ...], frozenset[Requirement]]]
"""Asks the prover about the obligation with this index: its answer, the facts that a proof uses, and what that rests on."""


class FunctionStatus(Record):
    """What is proved of one function."""

    statuses: tuple[ObligationStatus, ...]
    """One for each obligation, over all paths to it."""
    refuted: tuple[Obligation, ...]
    """The refuted obligations, path by path."""
    used: Mapping[Node, frozenset[Node]]
    """What the proofs of each requirement use directly."""


class Beliefs(Record):
    """What is proved of a program's helpers."""

    helpers: Helpers
    """The helpers that are believed, and what can be seen at once of all of them."""
    functions: Mapping[str, FunctionStatus] = {}
    """The helpers that were analysed, in the order of the text."""
    too_large: Mapping[str, str] = {}
    """The helpers that are too large to be analysed, and why."""
    doubted: Mapping[str, str] = {}
    """For each helper that is not believed, the one that is to blame: itself, or one that it calls, directly or not."""

    @property
    def statuses(self) -> tuple[ObligationStatus, ...]:
        """The obligations of the helpers."""
        return tuple(status for function in self.functions.values() for status in function.statuses)

    def unproved(self, name: str) -> tuple[ObligationStatus, ...]:
        """The obligations of the helper that are not proved."""
        return tuple(status for status in self.statuses if status.function == name and status.status != "proved")


def obligation_query(analysis: Analysis, obligation: Obligation) -> Query:
    return analysis.executor.query(obligation.path.hypotheses, obligation.goal, obligation.call)


def proof_status(answer: Answer) -> ProofStatus:
    return "proved" if isinstance(answer, Proved) else "refuted" if isinstance(answer, Refuted) else "unknown"


_WORSE: tuple[ProofStatus, ...] = ("proved", "unknown", "refuted")
"""The statuses from the best to the worst. An obligation that several paths reach has the worst status of them."""


def function_status(analysis: Analysis, ask: Ask, helper: str = "") -> FunctionStatus:
    """What is proved of a function. `helper`: its name, where it is one."""
    statuses: dict[Requirement, ObligationStatus] = {}
    refuted: list[Obligation] = []
    used: dict[Node, frozenset[Node]] = {}
    for index, obligation in enumerate(analysis.obligations):
        answer, uses, rests_on = ask(index)
        requirement = obligation.requirement
        status = proof_status(answer)
        if status == "refuted":
            refuted.append(obligation)
        used[requirement] = used.get(requirement, frozenset()).union(uses, rests_on)
        before = statuses.get(requirement)
        if before is not None:
            worse = max(before.status, status, key=_WORSE.index)
            uses, status = tuple(dict.fromkeys((*before.uses, *uses))), worse
        told = uses if status == "proved" else ()
        statuses[requirement] = ObligationStatus(obligation.cause, obligation.span, status, told, helper)
    return FunctionStatus(tuple(statuses.values()), tuple(refuted), used)


def assumed_in(info: ModuleInfo, helpers: Helpers, function: str) -> Helpers:
    """The helpers whose contracts the proof of this function may use: believed ones and, by induction, those of its group.

    A believed helper that calls the function is not among them. Its own proof rests on this function's, so using it here could be
    a circle as soon as facts are removed.
    """
    group = info.calls.group(function)
    return replace(helpers, trusted=helpers.trusted - info.calls.reaching(group) | group)


def judge_helpers(info: ModuleInfo, judge: Callable[[str, Helpers], FunctionStatus]) -> Beliefs:
    """Judges the helpers, those that are called before those that call them. `judge` is told which helpers it may trust."""
    helpers = helpers_of(info)
    functions: dict[str, FunctionStatus] = {}
    too_large: dict[str, str] = {}
    doubted: dict[str, str] = {}
    for group in info.calls.groups:
        if info.focus in group:
            continue
        members = sorted(group)
        for name in members:
            try:
                functions[name] = judge(name, assumed_in(info, helpers, name))
            except ProgramTooLarge as error:
                too_large[name] = str(error)
        blamed = [
            name for name in members if name in too_large or any(status.status != "proved" for status in functions[name].statuses)
        ]
        blamed += [doubted[callee] for name in members for callee in sorted(info.calls.callees[name]) if callee in doubted]
        if blamed:
            doubted |= {name: name if name in blamed else blamed[0] for name in members}
        else:
            helpers = replace(helpers, trusted=helpers.trusted | group)
    in_order = {name: functions[name] for name in info.functions if name in functions}
    return Beliefs(helpers, in_order, too_large, doubted)
