"""Two games of the built-in agent on one program, side by side on two cores.

The first game is the one that is played anyway. When it has used a certain amount of fuel without deciding the program, a second
process begins another game: it makes more runs and spends more effort from its start. Fuel is counted, not measured, so it is the
clock of both games: the game that decides at the smaller count wins, whichever process is quicker. Therefore the same seed gives
the same result, however busy the machine is.
"""

from __future__ import annotations

import ctypes
import multiprocessing
import os
import signal
import sys
from collections.abc import Callable
from multiprocessing.connection import Connection
from time import process_time

from idg.agents import Agent, AgentResult, LocalEngine
from idg.engine.results import Fact
from idg.sip.program import Program
from idg.sip.record import Record

SECOND_GAME_FUEL = 600
"""The count of the first game at which the second one begins. Most programs are decided before, by one process."""
UNDECIDED = -1
"""What stands in place of a count as long as a game has decided nothing."""
FIRST, SECOND = 0, 1
"""The places of the two games in the shared counts."""
NO_FUEL_MAX = 10**12
"""More fuel than any game uses: here only the seconds bound it."""


class GameAsked(Record):
    """What a game is asked for."""

    program: Program
    seed: int
    seconds: float
    """CPU seconds that each process may use."""
    spacer_first: bool = True
    """Whether the first game begins with a question to Spacer."""


class SideBySide:
    """The first game, in this process, and the second one, in a process of its own that is started when it is needed."""

    def __init__(self, asked: GameAsked, tell: Callable[[str], None], two: bool) -> None:
        """`two`: whether there may be a second game."""
        self.asked = asked
        self.two = two and hasattr(os, "fork")
        self.start = process_time()
        self.engine = LocalEngine(asked.program, should_stop=self._should_stop)
        self.agent = Agent(
            self.engine, seed=asked.seed, fuel_max=NO_FUEL_MAX, tell=tell, grows=True, spacer_first=asked.spacer_first
        )
        self._context = multiprocessing.get_context("fork") if self.two else None
        self._decided: ctypes.Array[ctypes.c_longlong] = multiprocessing.RawArray(ctypes.c_longlong, [UNDECIDED, UNDECIDED])
        """The counts at which the games decided the program."""
        self.interrupted = False
        """Whether Ctrl-C was pressed: then both games end, and what the first one has found is told."""
        self._ended = False
        """Whether the first game is over: then no second one begins."""
        self._process: multiprocessing.process.BaseProcess | None = None
        self._pipe: Connection | None = None

    def play(self) -> tuple[AgentResult, float]:
        """The result of the game that wins, and the CPU seconds of both."""
        try:
            result = self.agent.play()
            self._ended = True
            own_seconds = process_time() - self.start
            if result.outcome != "open":
                self._decided[FIRST] = self.agent.fuel_spent
            other, seconds = (None, 0.0) if self.interrupted else self._second_result()
        finally:
            if self._process is not None:
                self._process.kill()
                self._process.join()
        if other is not None and other.outcome != "open":
            first = self._decided[FIRST]
            if first == UNDECIDED or self._decided[SECOND] < first:
                result = other
                self._know(other)
        return result, own_seconds + seconds

    def interrupt(self, *_: object) -> None:
        """What Ctrl-C does during the game. Pressed again, it ends the command as usual."""
        self.interrupted = True
        signal.signal(signal.SIGINT, signal.default_int_handler)

    def _know(self, other: AgentResult) -> None:
        """What the second game has proved is known to the engine of the first one, too, for further questions to it."""
        facts = [Fact(loop, text) for loop, texts in enumerate(other.invariants, 1) for text in texts]
        if other.outcome == "solved":
            self.engine.is_proved_by(facts)

    def _second_result(self) -> tuple[AgentResult | None, float]:
        """What the second game came to, if there is one. It ends by itself when it cannot win any more."""
        if self._pipe is None:
            return None, 0.0
        try:
            result, seconds = self._pipe.recv()
        except EOFError:
            return None, 0.0
        return result, seconds

    def _should_stop(self) -> bool:
        """Whether the first game stops: its time is up, or the second one has decided at a smaller count."""
        if self.interrupted or process_time() - self.start > self.asked.seconds:
            return True
        if not self.two or self._ended:
            return False
        count = self.agent.fuel_spent
        if self._process is None and count >= SECOND_GAME_FUEL:
            self._begin_second()
        return UNDECIDED < self._decided[SECOND] < count

    def _begin_second(self) -> None:
        assert self._context is not None
        self._pipe, theirs = self._context.Pipe(duplex=False)
        sys.stdout.flush()
        sys.stderr.flush()
        self._process = self._context.Process(target=_play_second, args=(self.asked, theirs, self._decided), daemon=True)
        self._process.start()
        theirs.close()


def _play_second(asked: GameAsked, pipe: Connection, decided: ctypes.Array[ctypes.c_longlong]) -> None:
    """What the second process does: another game, from its beginning."""
    start = process_time()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches both processes, and the first one ends this one.

    def count() -> int:
        return SECOND_GAME_FUEL + agent.fuel_spent

    def should_stop() -> bool:
        # Where both decide at the same count, the first game wins.
        return process_time() - start > asked.seconds or UNDECIDED < decided[FIRST] <= count()

    agent = Agent(LocalEngine(asked.program, should_stop), asked.seed + 1, NO_FUEL_MAX, grows=True, grown=True)
    result = agent.play()
    if result.outcome != "open":
        decided[SECOND] = count()
    pipe.send((result, process_time() - start))
