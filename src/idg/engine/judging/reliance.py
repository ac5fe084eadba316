"""What facts and proofs rest on: requirements of the program that are not proved.

Conditions assume what the program has checked before: its asserts and claims, that values fit, the invariants that it states, and
the posts of the function itself where it is recursive. Each such hypothesis is tagged with these requirements, and a proof names
the hypotheses that it uses. So each fact, and each obligation that is proved, has the facts and the requirements that its proof
uses. What it rests on are the unproved requirements that can be reached from it in this graph.

The graph may have circles: a fact at the head of a loop may use an assert of the body, and the assert the fact. That is sound, by
the first violation. Take a run, and suppose that none of the unproved requirements that can be reached from a fact is ever
violated in it. Look at the moment when, for the first time, the fact or something that can be reached from it is violated. A
condition assumes only what lies before its goal on the path: at that moment everything that this proof uses still held, so its
goal holds, too. Therefore there is no such moment.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from typing import TypeVar

from idg.engine.inquiry import Inquiry, JointAnswer, restricted
from idg.engine.judging.belief import FunctionStatus, Node, obligation_query
from idg.engine.results import Fact, ObligationStatus
from idg.prover.answers import Proved
from idg.prover.prove import QUICK
from idg.sip.record import Record, replace
from idg.vc.query import Hypothesis, Query, Requirement
from idg.vc.symbolic import Analysis, ProgramTooLarge

_NodeT = TypeVar("_NodeT", Node, Requirement, Fact)


class Reliance(Record):
    """What facts that are inductive together rest on, and the proofs of requirements that use these facts."""

    assumed: frozenset[Requirement]
    """The unproved requirements that some condition assumes."""
    resting: Mapping[Node, frozenset[Requirement]]
    """For each fact and each requirement, the unproved requirements that it rests on. It is empty where none are assumed."""

    def of(self, nodes: Iterable[Node]) -> tuple[Requirement, ...]:
        """What these facts and requirements rest on, in the order of the text."""
        return in_order({requirement for node in nodes for requirement in self.resting.get(node, ())})


def in_order(requirements: Iterable[Requirement]) -> tuple[Requirement, ...]:
    """The requirements in the order of the text."""
    return tuple(sorted(requirements, key=lambda requirement: (requirement.span, requirement.cause)))


_NOTHING = Reliance(frozenset(), {})


def statuses_of(inquiry: Inquiry, facts: Sequence[Fact]) -> dict[str, FunctionStatus]:
    """What these facts prove: of the level, then of its helpers. Raises ProgramTooLarge where one of them cannot be analysed."""
    beliefs = inquiry.beliefs(facts)
    for why in beliefs.too_large.values():
        raise ProgramTooLarge(why)
    level = inquiry.program.level.name
    return {level: inquiry.status(level, facts, inquiry.helpers(level, facts)), **beliefs.functions}


def obligations_of(inquiry: Inquiry, facts: Sequence[Fact], resting: bool = True) -> tuple[ObligationStatus, ...]:
    """The statuses of all obligations where these facts are known.

    With `resting` they say what their proofs rest on. The facts must be inductive together then.
    """
    obligations = tuple(status for function in statuses_of(inquiry, facts).values() for status in function.statuses)
    if not resting:
        return obligations
    now = reliance(inquiry, facts)
    return tuple(
        replace(status, rests_on=now.of([status.requirement])) if status.status == "proved" else status for status in obligations
    )


def reliance(inquiry: Inquiry, facts: Sequence[Fact]) -> Reliance:
    """What these facts, which are inductive together, rest on."""
    return inquiry.remembered(("reliance", inquiry.effort, *facts), lambda: _reliance(inquiry, facts))


def implication_rests_on(inquiry: Inquiry, inductive: Sequence[Fact], by: Sequence[Fact], fact: Fact) -> tuple[Requirement, ...]:
    """What the proof rests on that some facts imply another one at its loop's head."""
    resting = reliance(inquiry, inductive)
    if not resting.assumed:
        return ()
    queries = inquiry.analysis(inquiry.function_at(fact.loop), by, inductive).at_head(fact.loop, inquiry.expr(fact))
    if not resting.of((*by, *_assumed_by(queries))):
        return ()
    joint = _lean_proof(inquiry, queries)
    return resting.of((*by, *(joint.rests_on if isinstance(joint.answer, Proved) else _assumed_by(queries))))


def rests_on_no_more(
    inquiry: Inquiry, inductive: Sequence[Fact], known: Sequence[Fact], fact: Fact
) -> tuple[tuple[Fact, ...], tuple[Requirement, ...]] | None:
    """Known facts that imply the fact at its loop's head and rest on nothing but what the fact rests on itself, and what the
    implication rests on; None where there are no such facts.

    The fact, too, is one of the inductive ones.
    """
    resting = reliance(inquiry, inductive)
    own = set(resting.of([fact]))
    fitting = [other for other in known if own.issuperset(resting.of([other]))]
    analysis = inquiry.analysis(inquiry.function_at(fact.loop), fitting, inductive)

    def assumed(query: Query) -> tuple[Hypothesis, ...]:
        hypotheses = query.hypotheses
        return tuple(part for part in hypotheses if not part.can_be_left_out or own.issuperset(resting.of(part.rests_on)))

    joint = inquiry.check([restricted(query, assumed(query)) for query in analysis.at_head(fact.loop, inquiry.expr(fact))])
    if not isinstance(joint.answer, Proved):
        return None
    sources = inquiry.sources(fitting)
    by = tuple(sources[source] for source in sorted(joint.uses) if source in sources)
    rests_on = resting.of((*by, *joint.rests_on))
    return (by, rests_on) if own.issuperset(rests_on) else None


def proof_rests_on(inquiry: Inquiry, inductive: Sequence[Fact], known: Sequence[Fact], fact: Fact) -> tuple[Requirement, ...]:
    """What the proof rests on that the fact, which is one of the known ones, is inductive if all of them hold."""
    resting = reliance(inquiry, inductive)
    if not resting.assumed or not resting.of(_assumed_somewhere(inquiry, known, _queries_about(inquiry, known, inductive, fact))):
        return ()
    return resting.of(_used_by(inquiry, known, inductive, fact))


def _reliance(inquiry: Inquiry, facts: Sequence[Fact]) -> Reliance:
    level, helpers = inquiry.program.level.name, inquiry.beliefs(facts).functions
    assumed = frozenset[Requirement]().union(*(_assumed_in(inquiry, name, facts) for name in (level, *helpers)))
    if not assumed:
        return _NOTHING
    analyses: dict[str, Analysis] = {}
    for name in (level, *helpers):
        # There are no facts about a function that is too large, and nobody uses it.
        with suppress(ProgramTooLarge):
            analyses[name] = inquiry.analysis(name, facts, facts)
    statuses = {name: helpers[name] for name in analyses if name != level}
    if level in analyses:
        statuses[level] = inquiry.status(level, facts, inquiry.helpers(level, facts))
    assumed &= {status.requirement for own in statuses.values() for status in own.statuses if status.status != "proved"}
    if not assumed:
        return _NOTHING
    may_use: dict[Node, frozenset[Node]] = {}
    for fact in facts:
        may_use[fact] = _assumed_somewhere(inquiry, facts, _queries_about(inquiry, facts, facts, fact))
    for name, analysis in analyses.items():
        for status in statuses[name].statuses:
            if status.status == "proved":
                may_use[status.requirement] = _assumed_somewhere(inquiry, facts, _queries_for(analysis, status.requirement))
    # Most facts can be reached by nothing that is unproved, whatever their proofs use. For those no lean proof is looked for.
    doubtful = {node for node in may_use if assumed & reached(may_use, node)}
    used: dict[Node, frozenset[Node]] = {}
    for name, analysis in analyses.items():
        for status in statuses[name].statuses:
            used[status.requirement] = frozenset()
            if status.requirement in doubtful:
                used[status.requirement] = _used_for(inquiry, analysis, facts, statuses[name], status)
    for fact in facts:
        used[fact] = _used_by(inquiry, facts, facts, fact) if fact in doubtful else frozenset()
    return Reliance(assumed, {node: assumed & reached(used, node) for node in used})


def _used_for(
    inquiry: Inquiry, analysis: Analysis, facts: Sequence[Fact], function: FunctionStatus, status: ObligationStatus
) -> frozenset[Node]:
    """What the proof of a requirement, which is proved, uses directly."""
    used = function.used[status.requirement]
    if all(isinstance(node, Fact) for node in used):
        return used
    lean = _used_in(inquiry, facts, _lean_proof(inquiry, _queries_for(analysis, status.requirement)))
    return used if lean is None else lean


def _queries_for(analysis: Analysis, requirement: Requirement) -> list[Query]:
    """The queries about a requirement, one for each path to it."""
    return [obligation_query(analysis, other) for other in analysis.obligations if other.requirement == requirement]


def _used_by(inquiry: Inquiry, known: Sequence[Fact], proved: Sequence[Fact], fact: Fact) -> frozenset[Node]:
    """What the proof uses that the fact, which is one of the known ones, is inductive if all of them hold. `proved`: the known
    facts that are proved."""
    queries = _queries_about(inquiry, known, proved, fact)
    others = frozenset(source for source, other in inquiry.sources(known).items() if other != fact)
    used = _used_in(inquiry, known, _lean_proof(inquiry, queries, others))
    if used is None:
        used = _used_in(inquiry, known, inquiry.check(queries))
    # Where the budgets do not suffice for this proof, it may use everything that its conditions assume.
    return used if used is not None else _assumed_somewhere(inquiry, known, queries)


def _queries_about(inquiry: Inquiry, known: Sequence[Fact], proved: Sequence[Fact], fact: Fact) -> list[Query]:
    """The queries which ask whether the fact is inductive if all of the known ones hold."""
    analysis = inquiry.analysis(inquiry.function_at(fact.loop), known, proved)
    expr = inquiry.expr(fact)
    return [*analysis.entry(fact.loop, expr), *analysis.step(fact.loop, expr)]


def _used_in(inquiry: Inquiry, facts: Sequence[Fact], joint: JointAnswer) -> frozenset[Node] | None:
    """The facts and requirements that proofs use; None where they are no proofs."""
    if not isinstance(joint.answer, Proved):
        return None
    sources = inquiry.sources(facts)
    return frozenset((*joint.rests_on, *(sources[source] for source in joint.uses if source in sources)))


def _assumed_somewhere(inquiry: Inquiry, facts: Sequence[Fact], queries: Iterable[Query]) -> frozenset[Node]:
    """The facts and requirements that proofs of these queries could use."""
    sources = inquiry.sources(facts)
    hypotheses = [hypothesis for query in queries for hypothesis in query.hypotheses]
    return frozenset(sources[part.source] for part in hypotheses if part.source in sources).union(
        *(part.rests_on for part in hypotheses)
    )


def _lean_proof(inquiry: Inquiry, queries: Sequence[Query], optional: frozenset[str] = frozenset()) -> JointAnswer:
    """Proofs that use as little of the optional facts, and of what rests on something, as is easily found."""
    joint = inquiry.check(queries, optional=optional, lean=True)
    if not joint.rests_on:
        return joint
    certain = [restricted(query, tuple(known for known in query.hypotheses if not known.can_be_left_out)) for query in queries]
    without = inquiry.with_effort(QUICK).check(certain, optional=optional)
    return without if isinstance(without.answer, Proved) else joint


def _assumed_in(inquiry: Inquiry, function: str, facts: Sequence[Fact]) -> frozenset[Requirement]:
    """The requirements that conditions of the function assume; none where it is too large.

    A fact brings some in only where it calls a helper. So those that call none are left out, which is quicker.
    """
    with suppress(ProgramTooLarge):
        return _assumed_anywhere(inquiry.analysis(function, [fact for fact in facts if inquiry.calls_helper(fact)], facts))
    return frozenset()


def _assumed_anywhere(analysis: Analysis) -> frozenset[Requirement]:
    """The requirements that conditions of the level assume."""
    paths = [obligation.path for obligation in analysis.obligations]
    for cut in analysis.cuts:
        paths += (*cut.entries, *cut.heads, *cut.ends)
    return frozenset(requirement for path in paths for hypothesis in path.hypotheses for requirement in hypothesis.rests_on)


def _assumed_by(queries: Iterable[Query]) -> frozenset[Requirement]:
    return frozenset(requirement for query in queries for hypothesis in query.hypotheses for requirement in hypothesis.rests_on)


def reached(used: Mapping[_NodeT, frozenset[_NodeT]], start: _NodeT) -> frozenset[_NodeT]:
    """The node and everything that its proof uses, directly or not."""
    nodes = {start}
    waiting = [start]
    while waiting:
        new = used.get(waiting.pop(), frozenset()) - nodes
        nodes |= new
        waiting += new
    return frozenset(nodes)
