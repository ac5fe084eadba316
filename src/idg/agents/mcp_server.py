"""An MCP server, so that language models can play: `idg mcp`, over standard input and output.

Each tool is a method of `Tools` listed in TOOLS; its docstring is what the model reads.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import wraps
from typing import Annotated, Any, ParamSpec

from mcp.server import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from pydantic import Field

from idg.agents.sdk.connection import PlayError
from idg.agents.sdk.game import Game
from idg.agents.sdk.player import Player, Playing
from idg.engine.books import values_to_json
from idg.engine.results import Fact, Transition
from idg.engine.wire.answers import BatchAnswer, FeedbackAnswer, ProposalAnswer, TraceAnswer
from idg.engine.wire.codec import Json, encode
from idg.engine.wire.endings import MeasureJudged
from idg.sip.errors import InputError

ROWS_SHOWN_MAX = 40
"""Rows of each loop's trace that a model is shown."""
PROPOSALS_MAX = 50
"""Expressions in one call of `propose`."""
EXPRESSIONS_MAX = 50
"""Expressions in one call of `check_expressions`."""
GAMES_MAX = 100
"""Games that a server keeps open."""

INSTRUCTIONS = """\
The Invariant Discovery Game: find loop invariants that prove a program's guarantee.

How to play: list_levels, then read_program. Look at the states at the loop head (run_trace), guess facts that hold in all of them
(check_expressions is free), and propose them. The engine proves or refutes every proposal:
- inductive: proved, kept. Where the answer has rests_on, the proof assumes these parts of the program, which are not proved yet.
- potential: no run breaks it, but it is not proved yet; it needs other facts. breaking_transition shows what must be excluded.
- non-invariant: some run breaks it; the answer has that run.
- displaced, displaced-potential, type-tautology: it says nothing new.
- unknown: could not be decided. It is kept apart from the potential ones and tried again when more is known.
As long as the level is not solved, the answer has a state to rule out: it satisfies everything you have proved, but the program
would break its guarantee from there. Propose a fact that holds in every real run and is false in that state. The level is solved
when no such state is left. Typical needs: an equation that relates the variables (often of degree 2), and bounds such as i <= n.
Whether every run ends is a question of its own, with a second mark: `decreases n - i` proposes a measure that must fall in every
turn, from a value that is at least 0 (falls, does-not-fall, may-not-fall, unknown). Where a run never ends, claim_endless says so.

Expressions: + - * // % ^, = != < <= > >= (chains allowed: 0 <= i <= n), & | ! ->, abs, min, max, gcd. `=` is equality.
Numbers are exact and unbounded."""

P = ParamSpec("P")
LevelName = Annotated[str, Field(description="a level's name from list_levels, or the name that add_program gave", max_length=100)]
LoopNumber = Annotated[int, Field(description="which loop it is about, from 1 on; loops of helpers come last", ge=1, le=1000)]
Expression = Annotated[str, Field(min_length=1, max_length=10_000)]
Inputs = Annotated[
    dict[str, str | list[str]],
    Field(
        description='the program\'s inputs by name, as texts, such as {"n": "12"}; an array is a list of texts, such as ["3", "1"]'
    ),
]


class Tools:
    """What a model can do. There is one game for each level, which is kept while the server runs."""

    def __init__(self, player: Playing) -> None:
        self.player = player
        self.games: dict[str, Game] = {}
        self.lock = threading.Lock()
        """Held during a move, because only one thread at a time may use the connection and the provers."""

    def game(self, level: str) -> Game:
        if level not in self.games:
            if len(self.games) >= GAMES_MAX:
                raise ToolError(f"{GAMES_MAX} games are open already, which is as many as this server keeps")
            self.games[level] = self.player.open(level)
        return self.games[level]

    def list_levels(self) -> Json:
        """List all levels: name, title, difficulty (1 to 5), number of loops, and the story. Start here."""
        return {
            "levels": [
                {
                    "level": level.level,
                    "title": level.title,
                    "difficulty": level.difficulty,
                    "loops": level.loops,
                    "story": level.story,
                }
                for level in self.player.levels()
            ]
        }

    def read_program(self, level: LevelName) -> Json:
        """Read a level: its program, the guarantee to be proved, its inputs, for each loop the variables that expressions can use,
        a first trace (the states at the loop heads of one run), what has been proved so far, and the next state to rule out."""
        game = self.game(level)
        return {
            "title": game.title,
            "story": game.story,
            "program": game.source,
            "guarantee": game.guarantee,
            "inputs": game.params,
            "loops": [
                {
                    "loop": loop.number,
                    "inside_loop": loop.outer,
                    "function": loop.function,
                    "variables": list(loop.columns),
                    "test": loop.test,
                }
                for loop in game.loops
            ],
            "first_trace": trace_json(game.first_trace),
            **standing_json(game),
        }

    def add_program(
        self,
        source: Annotated[str, Field(description="a program in SIP, the game's language", max_length=100_000)],
        name: Annotated[str, Field(description="to be used as `level` in the other tools", pattern="^[a-z0-9-]{1,60}$")],
    ) -> Json:
        """Play on a program of your own. It is checked, and what is wrong with it is told with line and column."""
        if name in self.games or any(level.level == name for level in self.player.levels()):
            raise ToolError(f"there is a level or program '{name}' already; choose another name")
        self.games[name] = self.player.open(program=source, title=name)
        return self.read_program(name)

    def join_room(self, code: Annotated[str, Field(description="the room's code", pattern="^[A-Za-z0-9]{4,12}$")]) -> Json:
        """Join other players in a room of a server. Afterwards use `room-CODE` as `level` in the other tools."""
        if not isinstance(self.player, Player):
            raise ToolError("rooms are on a server: start 'idg mcp' with --url")
        name = f"room-{code}"
        self.games[name] = self.player.open(room=code)
        return {"level": name} | self.read_program(name)

    def run_trace(self, level: LevelName, inputs: Inputs) -> Json:
        """Run the program on inputs of your choice and get the states at the loop heads, row by row. Free. Try several different
        inputs before you guess: a fact must hold in all runs."""
        return trace_json(self.game(level).trace(inputs, rows_max=ROWS_SHOWN_MAX))

    def check_expressions(
        self,
        level: LevelName,
        expressions: Annotated[list[Expression], Field(min_length=1, max_length=EXPRESSIONS_MAX)],
        loop: LoopNumber = 1,
        inputs: Annotated[list[Inputs] | None, Field(description="runs to look at; default: all traces so far")] = None,
    ) -> Json:
        """Evaluate expressions on the states at a loop head, without proposing them. Free. Says for each whether it holds in every
        state, and the first state in which it does not. Holding in traces is no proof."""
        results = self.game(level).check(expressions, loop, inputs)
        return {
            "results": [
                {
                    "expression": result.expression,
                    "holds_in_all": result.holds,
                    "states": result.states,
                    "fails_in": None if result.failing is None else values_to_json(result.failing),
                    "problem": result.problem or None,
                }
                for result in results
            ]
        }

    def propose(
        self,
        level: LevelName,
        expressions: Annotated[list[Expression], Field(min_length=1, max_length=PROPOSALS_MAX)],
        loop: LoopNumber = 1,
    ) -> Json:
        """Propose facts about the states at a loop head. The engine says what each one is (inductive, potential, non-invariant, …),
        and what is left to rule out. Several at once are judged together, so that facts which need each other are proved together;
        one alone gets a more detailed answer. `decreases n - i` proposes a measure, which must fall in every turn of the loop, so
        that every run ends; `decreases x, y` is one of two components, the first of which weighs more."""
        game = self.game(level)
        if len(expressions) == 1 and game.program.is_measure(expressions[0], loop):
            return measure_json(game.propose_measure(expressions[0], loop)) | standing_json(game)
        if len(expressions) == 1:
            return answer_json(game.propose(expressions[0], loop)) | standing_json(game)
        return batch_json(game.propose_many([(loop, expression) for expression in expressions])) | standing_json(game)

    def claim_endless(self, level: LevelName, inputs: Inputs) -> Json:
        """Say of a run that it never ends. The engine confirms it where the run comes back to a state in which it was before, or
        where facts are found that keep it in a loop for ever."""
        game = self.game(level)
        answer = game.claim_endless(inputs)
        return {"claim": answer.expression, "kind": str(answer.kind), "message": answer.message} | standing_json(game)

    def breaking_transition(self, level: LevelName, expression: Expression, loop: LoopNumber = 1) -> Json:
        """Ask why a potential invariant is not inductive yet: a state that satisfies all that is known, and the state after one
        turn of the loop, in which the expression is false. Propose a fact that excludes the first state."""
        answer = self.game(level).transition(expression, loop)
        return {"expression": answer.fact.text, "transition": transition_json(answer.transition), "message": answer.message}

    def another_state(self, level: LevelName) -> Json:
        """Ask for another state to rule out, where there is one."""
        return feedback_json(self.game(level).another_state())

    def hint(self, level: LevelName) -> Json:
        """Ask for a hint when you are stuck: each call reveals one more step towards a fact that helps (a variable, which variables
        belong together, the shape, a template with holes, the fact itself). When the goal is proved, it leads to a measure, or
        to a run that never ends. On a server hints cost coins."""
        return encode(self.game(level).hint())

    def status(self, level: LevelName) -> Json:
        """Where the level stands: solved or not, the proved and the potential invariants, the state to rule out."""
        game = self.game(level)
        game.state()
        return standing_json(game)

    def explain(self, level: LevelName) -> Json:
        """Which invariants the proof of each obligation uses, and which obligations are not proved yet."""
        return encode(self.game(level).explain())

    def reset(self, level: LevelName) -> Json:
        """Forget all invariants of a level and start again."""
        game = self.game(level)
        game.reset()
        return standing_json(game)


TOOLS: tuple[str, ...] = (
    "list_levels", "read_program", "add_program", "join_room", "run_trace", "check_expressions", "propose", "claim_endless",
    "breaking_transition", "another_state", "hint", "status", "explain", "reset",
)  # fmt: skip
"""The names of the tools. To add a tool, write a method of Tools and list its name here."""


def build(player: Playing) -> MCPServer[Any]:
    """The server with all its tools."""
    from idg import __version__

    tools = Tools(player)
    server: MCPServer[Any] = MCPServer("idg", instructions=INSTRUCTIONS, version=__version__, log_level="WARNING")
    for name in TOOLS:
        server.add_tool(_guarded(getattr(tools, name), tools.lock), name=name, structured_output=True)
    return server


def serve(player: Playing) -> None:
    """Serves until standard input ends."""
    build(player).run("stdio")


def _guarded(call: Callable[P, Json], lock: threading.Lock) -> Callable[P, Json]:
    """The same call under the lock. Where it is refused, the model is told why, and what to do instead."""

    @wraps(call)
    def guarded(*args: P.args, **kwargs: P.kwargs) -> Json:
        with lock:
            try:
                return call(*args, **kwargs)
            except PlayError as error:
                raise ToolError(str(error)) from None
            except (InputError, LookupError) as error:
                raise ToolError(str(error).strip("'")) from None

    return guarded


# Plain JSON for a model: it is short, and numbers are texts.


def facts_json(facts: tuple[Fact, ...]) -> list[Json]:
    return [encode(fact) for fact in facts]


def standing_json(game: Game) -> Json:
    return {
        "solved": game.solved,
        "inductive": facts_json(game.inductive),
        "potential": facts_json(game.potential),
        **({"unknown": facts_json(game.unknown)} if game.unknown else {}),
        **({"measures": [encode(measure) for measure in game.measures]} if game.measures else {}),
        **({"ends": game.ends} if game.ends else {}),
        **({} if game.solved else feedback_json(game.feedback)),
    }


def feedback_json(feedback: FeedbackAnswer) -> Json:
    state = feedback.state
    fields: Json = {"state_to_rule_out": None, "next": feedback.message}
    if feedback.resting:
        fields["resting"] = [{**encode(resting.fact), "message": resting.message} for resting in feedback.resting]
    if state is not None:
        values = values_to_json(state.values)
        fields["state_to_rule_out"] = {"loop": state.loop, "values": values, "test_is_true_there": state.inside}
    if feedback.failing is not None:
        fields["wrong_program"] = {"inputs_of_a_run_that_breaks_the_guarantee": values_to_json(feedback.failing.inputs)}
    return fields


def transition_json(transition: Transition | None) -> Json | None:
    if transition is None:
        return None
    return {"before": values_to_json(transition.before), "after": values_to_json(transition.after), "at_entry": transition.at_entry}


def answer_json(answer: ProposalAnswer) -> Json:
    fields: Json = {"expression": answer.expression, "kind": str(answer.kind), "message": answer.message}
    if answer.implied_by:
        fields["implied_by"] = facts_json(answer.implied_by)
    if answer.rests_on:
        fields["rests_on"] = [encode(place) for place in answer.rests_on]
    if answer.run is not None:
        fields["refuting_run"] = {"inputs": values_to_json(answer.run.inputs), "state": values_to_json(answer.run.state)}
        if answer.run.function:
            fields["refuting_run"]["function"] = answer.run.function
    if answer.transition is not None:
        fields["transition"] = transition_json(answer.transition)
    return fields


def measure_json(answer: MeasureJudged) -> Json:
    fields: Json = {"measure": answer.report.measure, "kind": str(answer.kind), "message": answer.report.message}
    if answer.report.turn is not None:
        turn = answer.report.turn
        fields["turn"] = {"before": values_to_json(turn.before), "after": values_to_json(turn.after)}
    return fields


def batch_json(answer: BatchAnswer) -> Json:
    measures = {"measures_judged": [encode(claim) for claim in answer.moves]} if answer.moves else {}
    return {"kinds": [encode(judged) for judged in answer.kinds]} | measures


def trace_json(trace: TraceAnswer) -> Json:
    return {
        "inputs": values_to_json(trace.inputs),
        "outcome": trace.outcome.message,
        "loops": [
            {
                "loop": loop_trace.loop,
                **({} if loop_trace.call is None else {"call": values_to_json(loop_trace.call)}),
                "variables": list(loop_trace.columns),
                "rows_total": loop_trace.rows_total,
                "rows": [list(row.values()) for row in map(values_to_json, loop_trace.states()[:ROWS_SHOWN_MAX])],
            }
            for loop_trace in trace.loops
        ],
    }
