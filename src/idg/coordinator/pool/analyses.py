"""What engine workers compute: each call is a function of its JSON arguments alone, so any worker can take it, and again."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

from idg.agents import Agent, LocalEngine
from idg.agents.hints import FUEL_MAX as HINT_FUEL_MAX
from idg.agents.hints import Plan, degree_of, make_plan, next_hint
from idg.engine.books import books_from_json, values_to_json
from idg.engine.engine import Engine
from idg.engine.results import Fact, Kind
from idg.engine.runs import first_inputs
from idg.engine.sample import ruled_out, sample
from idg.engine.wire import batch_json, breaking_json, explanation_json, fact_json, facts_json, feedback_json, result_json
from idg.prover.prove import Prover
from idg.sip.program import load
from idg.sip.text.expressions import parse_expression

ENGINES_KEPT = 12
"""Programs whose engine a worker keeps warm."""

Json = dict[str, Any]


@lru_cache(ENGINES_KEPT)
def _engine(source: str) -> Engine:
    return Engine(load(source), Prover())


@lru_cache(ENGINES_KEPT * 4)
def _sample(source: str, loop: int) -> tuple[tuple[Any, ...], ...]:
    return sample(_engine(source).inquiry.runs, loop)


def start(arguments: Json) -> Json:
    """The books before anything was proposed, and the first state to rule out."""
    engine = _engine(arguments["source"])
    feedback, state = engine.feedback(engine.start())
    return {"feedback": feedback_json(feedback, engine.program), "books": state.as_json()}


def propose(arguments: Json) -> Json:
    engine = _engine(arguments["source"])
    state = books_from_json(arguments["books"])
    result = engine.propose(state, arguments["expression"], arguments["loop"])
    answer = result_json(result, engine.program)
    if result.kind in (Kind.INDUCTIVE, Kind.POTENTIAL):
        answer["rules_out"] = [_rules_out(engine, arguments["source"], result.fact)]
    return {"answer": answer, "books": result.books.as_json(), "changed": result.books != state}


def propose_many(arguments: Json) -> Json:
    engine = _engine(arguments["source"])
    state = books_from_json(arguments["books"])
    result = engine.propose_many(state, [(each["loop"], each["expression"]) for each in arguments["proposals"]])
    answer = batch_json(result, engine.program)
    accepted = [fact for fact, kind in result.kinds if kind in (Kind.INDUCTIVE, Kind.POTENTIAL)]
    answer["rules_out"] = [_rules_out(engine, arguments["source"], fact) for fact in accepted]
    return {"answer": answer, "books": result.books.as_json(), "changed": True}


def _rules_out(engine: Engine, source: str, fact: Fact) -> Json:
    """The information in an accepted fact: which states of the loop's sample it rules out, as bits in hexadecimal digits."""
    states = _sample(source, fact.loop)
    bits = ruled_out(engine.inquiry.runs, states, fact, engine.inquiry.expr(fact))
    return {"loop": fact.loop, "states": len(states), "bits": f"{bits:x}"}


def feedback(arguments: Json) -> Json:
    """Another state to rule out."""
    engine = _engine(arguments["source"])
    found, state = engine.feedback(books_from_json(arguments["books"]))
    return {"feedback": feedback_json(found, engine.program), "books": state.as_json()}


def transition(arguments: Json) -> Json:
    engine = _engine(arguments["source"])
    state = books_from_json(arguments["books"])
    fact = engine.inquiry.fact(arguments["loop"], arguments["expression"])
    return breaking_json(engine.breaking_transition(state, fact.text, fact.loop), fact)


def explain(arguments: Json) -> Json:
    engine = _engine(arguments["source"])
    return explanation_json(engine.explain(books_from_json(arguments["books"])), engine.program)


def crowd(arguments: Json) -> Json:
    """What the proposals of all players prove together."""
    engine = _engine(arguments["source"])
    proposals = [(each["loop"], each["expression"]) for each in arguments["proposals"]]
    found = batch_json(engine.propose_many(engine.start(), proposals), engine.program)
    return {"solved": found["solved"], "inductive": found["inductive"], "candidates": len(proposals)}


def trace(arguments: Json) -> Json:
    """The states at the loop heads for given inputs; at most `rows_max` rows of each loop are told, and how many there were."""
    program = load(arguments["source"])
    run = program.run(arguments["inputs"], seed=arguments["seed"])
    wanted = run.traces if arguments["loop"] is None else (run.of(arguments["loop"]),)
    totals = [len(each.rows) for each in wanted]
    for each in wanted:
        each.rows = each.rows[: arguments["rows_max"]]
        each.outer_rows = each.outer_rows[: arguments["rows_max"]]
    found = run.as_json()
    found["printed"] = run.printed[: arguments["rows_max"]]
    found["loops"] = [each.as_json() | {"rows_total": total} for each, total in zip(wanted, totals, strict=True)]
    return found


def hint(arguments: Json) -> Json:
    """The steps to the next fact that helps. `plan`: facts found before to prove the level; made anew where none helps."""
    engine = _engine(arguments["source"])
    state = books_from_json(arguments["books"])
    found, _ = engine.feedback(state)
    if found.solved:
        return {"outcome": "solved", "plan": [], "hint": None}
    plan = Plan("solved", tuple(Fact(each["loop"], each["expression"]) for each in arguments["plan"]))
    wanted = next_hint(engine, state, plan.facts, found)
    if wanted is None:
        plan = make_plan(engine.program, state)
        wanted = next_hint(engine, state, plan.facts, found)
    shown = None if wanted is None else fact_json(wanted.target) | {"steps": list(wanted.steps)}
    return {"outcome": plan.outcome, "plan": facts_json(plan.facts), "hint": shown}


def assess(arguments: Json) -> Json:
    """How hard a program is for the agent, and what is wrong with it."""
    program = load(arguments["source"])
    access = LocalEngine(program)
    found = Agent(access, fuel_max=HINT_FUEL_MAX).play()
    told: Json = {"outcome": found.outcome, "rounds": found.rounds, "invariants": sum(map(len, found.invariants))}
    if found.outcome == "solved":
        degree = max((degree_of(parse_expression(text)) for texts in found.invariants for text in texts), default=0)
        told |= {"degree": degree, "difficulty": difficulty(told["invariants"], degree, found.rounds, len(program.loops))}
    if found.run is not None:
        told["run"] = {"inputs": values_to_json(found.run), "seed": found.run_seed}
    if found.outcome == "open":
        told["feedback"] = feedback_json(access.look_again(), program)
    return told


def difficulty(invariants: int, degree: int, rounds: int, loops: int) -> int:
    """From 1 to 5, by what the agent needed."""
    return max(1, min(5, (invariants + 1) // 2 + max(0, degree - 1) + (rounds > 3) + (loops > 1)))


def inputs(arguments: Json) -> Json:
    """Inputs for a first trace of a program that comes without any."""
    return {"inputs": values_to_json(first_inputs(load(arguments["source"])))}


def warm() -> None:
    """Before the first request: imports done, solvers loaded, one small proof made."""
    engine = Engine(load("fn main(n: nat) { var i: int; i := 0; while (i < n) { i := i + 1; } assert(i = n); }"))
    _, state = engine.feedback(engine.start())
    engine.propose(state, "i <= n")


CALLS: dict[str, Callable[[Json], Json]] = {
    "start": start, "propose": propose, "propose_many": propose_many, "feedback": feedback, "transition": transition,
    "explain": explain, "crowd": crowd, "trace": trace, "inputs": inputs, "hint": hint,
    "assess": assess,
}  # fmt: skip
