"""What the engine answers, as JSON: for the command line, the coordinator and agents. Numbers are strings."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from idg.engine.books import values_to_json
from idg.engine.messages import explain_message, feedback_message, message, transition_message
from idg.engine.promote import inductive_facts, potential_facts
from idg.engine.results import BatchResult, Fact, Feedback, Kind, ObligationStatus, Refutation, Removal, Result, Transition
from idg.sip.errors import where_json
from idg.sip.program import Program
from idg.sip.values import format_value

RUN_ROWS_MAX = 50
"""Rows of a refuting run, the last ones; the whole run can be asked for by its inputs."""


def result_json(result: Result, program: Program) -> dict[str, Any]:
    """The answer to one proposal."""
    found: dict[str, Any] = {
        "expression": result.fact.text,
        "loop": result.fact.loop,
        "kind": str(result.kind),
        "promoted": facts_json(result.promoted),
        "removed": removals_json(result.removed),
        "inductive": facts_json(inductive_facts(result.books)),
        "potential": facts_json(potential_facts(result.books)),
        "solved": result.feedback.solved,
        "feedback": feedback_json(result.feedback, program),
        "message": str(message(result, program)),
    }
    if result.implied_by or result.kind in (Kind.DISPLACED, Kind.DISPLACED_POTENTIAL):
        found["implied_by"] = facts_json(result.implied_by)
    if result.refutation is not None:
        found["run"] = refutation_json(result.refutation)
    if result.transition is not None:
        found["transition"] = transition_json(result.transition)
    if result.tried:
        found["tried"] = list(result.tried)
    return found


def batch_json(result: BatchResult, program: Program) -> dict[str, Any]:
    """The answer to many proposals."""
    return {
        "kinds": [fact_json(fact) | {"kind": str(kind)} for fact, kind in result.kinds],
        "promoted": facts_json(result.promoted),
        "removed": removals_json(result.removed),
        "inductive": facts_json(inductive_facts(result.books)),
        "potential": facts_json(potential_facts(result.books)),
        "solved": result.feedback.solved,
        "feedback": feedback_json(result.feedback, program),
    }


def fact_json(fact: Fact) -> dict[str, Any]:
    return {"loop": fact.loop, "expression": fact.text}


def facts_json(facts: Iterable[Fact]) -> list[dict[str, Any]]:
    return [fact_json(each) for each in facts]


def removals_json(removals: Iterable[Removal]) -> list[dict[str, Any]]:
    return [fact_json(each.fact) | {"by": facts_json(each.by)} for each in removals]


def feedback_json(feedback: Feedback, program: Program) -> dict[str, Any]:
    """Where the level stands: solved, or the next state to rule out, or why there is none."""
    shown, failing = feedback.to_rule_out, feedback.failing
    found: dict[str, Any] = {
        "solved": feedback.solved,
        "potential_suffices": feedback.potential_suffices,
        "state": None,
        "message": str(feedback_message(feedback, program)),
    }
    if shown is not None:
        found["state"] = {
            "loop": shown.loop,
            "values": values_to_json(shown.state),
            "cause": shown.cause,
            "where": where_json(program.text, shown.span),
            "inside": shown.inside,
        }
    if failing is not None:
        found["failing"] = {
            "inputs": values_to_json(failing.inputs),
            "seed": failing.seed,
            "cause": failing.cause,
            "where": where_json(program.text, failing.span),
        }
    if feedback.too_large:
        found["too_large"] = feedback.too_large
    return found


def explanation_json(feedback: Feedback, program: Program) -> dict[str, Any]:
    """Which invariants the proof of each obligation uses."""
    return {
        "solved": feedback.solved,
        "obligations": [_obligation_json(each, program) for each in feedback.obligations],
        "message": str(explain_message(feedback, program)),
    }


def _obligation_json(status: ObligationStatus, program: Program) -> dict[str, Any]:
    return {
        "cause": status.cause,
        "where": where_json(program.text, status.span),
        "function": status.function,
        "status": status.status,
        "uses": facts_json(status.uses),
    }


def refutation_json(refutation: Refutation) -> dict[str, Any]:
    first = max(0, len(refutation.rows) - RUN_ROWS_MAX)
    return {
        "inputs": values_to_json(refutation.inputs),
        "seed": refutation.seed,
        "row": refutation.row,
        "columns": list(refutation.columns),
        "first_row": first,
        "rows": [list(map(format_value, row)) for row in refutation.rows[first:]],
    }


def transition_json(transition: Transition) -> dict[str, Any]:
    return {
        "loop": transition.loop,
        "before": values_to_json(transition.before),
        "after": values_to_json(transition.after),
        "at_entry": transition.at_entry,
    }


def breaking_json(transition: Transition | None, fact: Fact) -> dict[str, Any]:
    """Why a potential invariant is not inductive yet."""
    return fact_json(fact) | {
        "transition": None if transition is None else transition_json(transition),
        "message": str(transition_message(transition, fact)),
    }
