"""The tools. Each is a method of `Tools` that is listed in TOOLS; its docstring is what the model reads."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from difflib import get_close_matches
from typing import Annotated, Literal

from mcp.server.mcpserver.exceptions import ToolError
from mcp_types import ToolAnnotations
from pydantic import BeforeValidator, Field

from idg.agents.mcp import told
from idg.agents.sdk.errors import PlayError
from idg.agents.sdk.game import Game
from idg.agents.sdk.player import Player, Playing
from idg.engine.termination.texts import canonical_proposal
from idg.sip.errors import InputError, SipError

PROPOSALS_MAX = 50
"""Expressions in one call of `propose`."""
EXPRESSIONS_MAX = 50
"""Expressions in one call of `check_expressions`."""
RUNS_MAX = 20
"""Runs that one call of `check_expressions` may name."""
GAMES_MAX = 100
"""Games that a server keeps open."""

NEXT_CALL = {
    "not-found": "list_levels names the levels",
    "no-such-loop": "read_program lists the loops",
    "bad-inputs": "read_program names the inputs and their types",
    "not-potential": "status lists what is potential, and propose adds to it",
    "no-hint": "run_trace and check_expressions are free; another_state shows another state to rule out",
    "bad-text": "the resource idg://language explains the language",
}
"""Code of a refusal → which tool helps."""


def _without_floats(given: object) -> object:
    """Inputs as they are given. A JSON number with a point may have been rounded, so it is refused."""
    for name, value in given.items() if isinstance(given, dict) else ():
        if any(isinstance(part, float) for part in (value if isinstance(value, list) else [value])):
            raise ValueError(f'write the value of {name} as a text, such as "5/2" or "2.5", so that it is exact')
    return given


LevelName = Annotated[str, Field(description="from list_levels, or the name given to add_program", max_length=100)]
LoopNumber = Annotated[int, Field(description="which loop, from 1 on", ge=1, le=1000)]
Expression = Annotated[str, Field(min_length=1, max_length=10_000)]
GivenScalar = int | bool | str
GivenInputs = Annotated[dict[str, GivenScalar | list[GivenScalar]], BeforeValidator(_without_floats)]
Inputs = Annotated[GivenInputs, Field(description='all inputs, such as {"n": 12, "x": "7/3", "a": [3, 1]}')]


class Tools:
    """What a model can do. There is one game for each level, which is kept while the server runs."""

    def __init__(self, player: Playing) -> None:
        self.player = player
        self.games: dict[str, Game] = {}
        self.last = ""
        """The level that was played last."""
        self.lock = threading.Lock()
        """Held during a move, because only one thread at a time may use the connection and the provers."""

    def game(self, level: str) -> Game:
        if level not in self.games:
            if len(self.games) >= GAMES_MAX:
                raise ToolError(f"level '{level}': {GAMES_MAX} games are open already, which is as many as this server keeps")
            self.games[level] = self._opened(level)
        self.last = level
        return self.games[level]

    def _opened(self, level: str) -> Game:
        try:
            return self.player.open(level)
        except PlayError as error:
            if error.code != "not-found":
                raise
            near = get_close_matches(level, [row.level for row in self.player.levels()], 1)
            meant = f"; did you mean '{near[0]}'?" if near else ""
            raise ToolError(f"there is no level '{level}'{meant} ({NEXT_CALL['not-found']})") from None

    def list_levels(
        self, difficulty: Annotated[int | None, Field(description="only these: 1 (easiest) to 5", ge=1, le=5)] = None
    ) -> told.ToldLevels:
        """The levels, in the order of play, with difficulty and number of loops (where there are several)."""
        rows = [
            told.ToldLevel(level=row.level, difficulty=row.difficulty, loops=row.loops if row.loops > 1 else None)
            for row in self.player.levels()
            if difficulty in (None, row.difficulty)
        ]
        return told.ToldLevels(levels=rows)

    def read_program(self, level: LevelName) -> told.ToldProgram:
        """The program, its guarantee and inputs, the variables at each loop head, a first trace, what is proved, and a state to
        rule out."""
        return told.told_program(self.game(level), level)

    def add_program(
        self,
        source: Annotated[str, Field(description="a program in SIP", max_length=100_000)],
        name: Annotated[str, Field(description="its `level` in other tools", pattern="^[a-z0-9-]{1,60}$")],
    ) -> told.ToldProgram:
        """Play on a program of your own. What is wrong with it is told with line and column."""
        if name in self.games or any(level.level == name for level in self.player.levels()):
            raise ToolError(f"name '{name}': there is such a level or program already; choose another name")
        self.games[name] = self.player.open(program=source, title=name)
        return self.read_program(name)

    def join_room(
        self, code: Annotated[str, Field(description="the room's code", pattern="^[A-Za-z0-9]{4,12}$")]
    ) -> told.ToldProgram:
        """Join others in a room of a server. The answer's `level` is what other tools call it."""
        if not isinstance(self.player, Player):
            raise ToolError(
                f"code '{code}': rooms are on a server, and this one plays by itself; it would have to be started with --url"
            )
        name = f"room-{code}"
        self.games[name] = self.player.open(room=code)
        return self.read_program(name)

    def run_trace(self, level: LevelName, inputs: Inputs) -> told.ToldTrace:
        """Run the program and get the states at the loop heads: the first and the last rows. Free. Try several inputs before you
        guess, because a fact must hold in all runs."""
        game = self.game(level)
        return told.told_trace(game, game.trace(inputs, rows_max=told.ROWS_SHOWN_MAX))

    def check_expressions(
        self,
        level: LevelName,
        expressions: Annotated[list[Expression], Field(min_length=1, max_length=EXPRESSIONS_MAX)],
        loop: LoopNumber = 1,
        inputs: Annotated[
            list[GivenInputs] | None, Field(description="runs to look at; default: all traces so far", max_length=RUNS_MAX)
        ] = None,
    ) -> told.ToldChecks:
        """Which expressions hold in all states at a loop head, without proposing them. Free. It is no proof."""
        game = self.game(level)
        try:
            game.program.loop(loop)
        except LookupError as error:
            raise PlayError("no-such-loop", str(error)) from None
        return told.told_checks(game, loop, game.check(expressions, loop, inputs))

    def propose(
        self,
        level: LevelName,
        expressions: Annotated[list[Expression], Field(min_length=1, max_length=PROPOSALS_MAX)],
        loop: LoopNumber = 1,
    ) -> told.ToldVerdicts:
        """Propose facts about the states at a loop head, or measures (`decreases n - i`, `decreases x, y`). Several are judged
        together, so that facts which need each other are proved together; one alone is answered in more detail."""
        game = self.game(level)
        _readable(game, expressions, loop)
        if len(expressions) > 1:
            return told.told_batch(game, game.propose_many([(loop, expression) for expression in expressions]))
        [expression] = expressions
        if game.program.is_measure(expression, loop):
            return told.told_measure(game, game.propose_measure(expression, loop))
        return told.told_proposal(game, game.propose(expression, loop))

    def claim_endless(self, level: LevelName, inputs: Inputs) -> told.ToldVerdicts:
        """Say that the run from these inputs never ends. It is confirmed where the run repeats a state, or is shown to stay in a
        loop for ever."""
        game = self.game(level)
        answer = game.claim_endless(inputs)
        return told.told_claim(game, answer.expression, str(answer.kind), answer.message)

    def breaking_transition(self, level: LevelName, expression: Expression, loop: LoopNumber = 1) -> told.ToldTransition:
        """Why a potential invariant is not proved: a state that everything known allows, and the state one turn later, in which it
        is false. Propose a fact that excludes the first one."""
        game = self.game(level)
        _readable(game, [expression], loop)
        return told.told_transition(game.transition(expression, loop))

    def another_state(self, level: LevelName) -> told.ToldStanding:
        """Another state to rule out, where there is one."""
        game = self.game(level)
        return told.told_standing(game, game.another_state())

    def hint(self, level: LevelName) -> told.ToldHint:
        """One more step towards a fact that helps, when you are stuck; the last step is the fact. When the goal is proved, towards
        a measure or a run that never ends. On a server it costs coins."""
        game = self.game(level)
        return told.told_hint(game, game.hint())

    def status(self, level: LevelName) -> told.ToldStatus:
        """Everything that is known: proved, potential and unknown facts, measures, the state to rule out."""
        game = self.game(level)
        game.state()
        return told.told_status(game)

    def explain(self, level: LevelName) -> told.ToldProof:
        """Which facts the proof of each obligation uses, and which obligations are not proved."""
        game = self.game(level)
        return told.told_proof(game, game.explain())

    def reset(self, level: LevelName) -> told.ToldStanding:
        """Forget all facts of a level and start again."""
        game = self.game(level)
        return told.told_standing(game, game.reset())


def _readable(game: Game, expressions: Sequence[str], loop: int) -> None:
    """ToolError that names each expression that cannot be read: nothing of a batch is judged unless all of it is understood."""
    wrong = []
    for expression in expressions:
        try:
            canonical_proposal(game.program, expression, loop)
        except SipError as error:
            first = error.problems[0]
            wrong.append(f"'{expression}': {first.message}" + (f" ({first.hint})" if first.hint else ""))
        except InputError as error:
            wrong.append(f"'{expression}': {error}")
        except LookupError as error:
            raise PlayError("no-such-loop", str(error).strip("'")) from None
    if wrong:
        raise ToolError(f"{'; '.join(wrong)} (nothing was done; check_expressions tries expressions for free)")


Effect = Literal["reads", "adds", "forgets"]
"""What a tool does to a game: nothing, it adds to it, or it takes away what was known."""
TOOLS: dict[str, tuple[str, Effect]] = {
    "list_levels": ("List the levels", "reads"),
    "read_program": ("Read a level", "reads"),
    "add_program": ("Play on a program of one's own", "adds"),
    "join_room": ("Join a room", "adds"),
    "run_trace": ("Run the program", "reads"),
    "check_expressions": ("Try expressions on traces", "reads"),
    "propose": ("Propose invariants or measures", "adds"),
    "claim_endless": ("Claim that a run never ends", "adds"),
    "breaking_transition": ("See why a fact is not proved", "reads"),
    "another_state": ("See another state to rule out", "reads"),
    "hint": ("Ask for a hint", "adds"),
    "status": ("See where a level stands", "reads"),
    "explain": ("See what the proof uses", "reads"),
    "reset": ("Start a level again", "forgets"),
}
"""Name of a tool → its title and its effect. To add a tool, write a method of Tools and a row here."""


def hints_about(name: str) -> ToolAnnotations:
    """What a client may show of a tool, and what it may allow without asking. Everything stays within the game."""
    title, effect = TOOLS[name]
    return ToolAnnotations(
        title=title,
        read_only_hint=effect == "reads",
        destructive_hint=effect == "forgets",
        idempotent_hint=effect != "adds",
        open_world_hint=False,
    )
