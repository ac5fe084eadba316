"""How texts of players are read by another process. That takes the longer the more is written, so the event loop must not do it.

A call refuses what is wrong by raising `ApiError`, which reaches the coordinator as the part "refused" of the answer.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import TypeVar

from idg.coordinator.errors import ApiError, text_error
from idg.coordinator.pool.computing.calls import AboutNewProgram, AboutTexts, ProposedText
from idg.coordinator.pool.json_text import json_text
from idg.engine.termination.texts import canonical_proposal
from idg.engine.wire.codec import Json, decode
from idg.engine.wire.programs import ProgramAnswer, program_answer
from idg.sip.errors import InputError, SipError
from idg.sip.program import Program, load
from idg.sip.record import Record
from idg.sip.trees.arrays import PROVED, refuse_arrays

LOOP_VARIABLES_MAX = 2_000
"""How many variables all loops of a program may have together, each counted at each loop where it can be seen. Everything that is
told of a program, its traces and its rooms grows with this number."""
LOOPS_MAX = 100
"""How many loops a program that is played may have. Scores are counted for each loop."""
PROGRAMS_KEPT = 8
"""How many programs a worker keeps parsed; each has at most 100,000 characters."""

_Arguments = TypeVar("_Arguments", bound=Record)
_Result = TypeVar("_Result")


@lru_cache(PROGRAMS_KEPT)
def _program(source: str) -> Program:
    return load(source)


def existing_loop(program: Program, loop: int) -> None:
    """ApiError where the program has no loop of this number."""
    try:
        program.loop(loop)
    except LookupError as error:
        raise ApiError("no-such-loop", str(error), field="loop") from None


def canonical_texts(program: Program, proposals: Sequence[ProposedText]) -> list[str]:
    """The proposed texts in canonical form. ApiError says which one is no proposal, and why."""
    canonical = []
    for proposed in proposals:
        existing_loop(program, proposed.loop)
        try:
            canonical.append(canonical_proposal(program, proposed.text, proposed.loop))
        except SipError as error:
            raise text_error(error, proposed.field) from None
        except InputError as error:
            raise ApiError("bad-inputs", str(error), field=proposed.field) from None
    return canonical


def canonical(arguments: AboutTexts) -> list[str]:
    return canonical_texts(_program(arguments.source), arguments.proposals)


def view(arguments: AboutNewProgram) -> ProgramAnswer:
    """What is told of a program that can be played, without its inputs and its trace."""
    try:
        program = load(arguments.source)
        refuse_arrays(program, PROVED)
    except SipError as error:
        raise text_error(error, "source") from None
    _check_playable(program)
    return program_answer(program, arguments.source, arguments.title)


def _check_playable(program: Program) -> None:
    name = program.level.name
    if not program.loops:
        raise ApiError(
            "bad-text",
            f"'{name}' has no loop, so there is no invariant to find",
            field="source",
            hint="the last function of the text is the one that is played; give it a while loop",
        )
    if not program.guarantee:
        raise ApiError(
            "bad-text",
            f"'{name}' promises nothing, so there is nothing to prove",
            field="source",
            hint="end it with assert(…), or start it with post(…)",
        )
    if len(program.loops) > LOOPS_MAX:
        raise ApiError(
            "bad-text",
            f"'{name}' has {len(program.loops):,} loops; {LOOPS_MAX} are allowed",
            field="source",
            hint="play its parts as programs of their own",
        )
    variables = sum(len(loop.columns) for loop in program.loops)
    if variables > LOOP_VARIABLES_MAX:
        raise ApiError(
            "bad-text",
            f"the loops of '{name}' have {variables:,} variables together; {LOOP_VARIABLES_MAX:,} are allowed",
            field="source",
            hint="a variable counts once for each loop where it can be seen; use fewer loops or fewer variables",
        )


def warm() -> None:
    """Before the first request: everything is imported that reading needs."""
    canonical_texts(load("fn main(n: nat) { while (n > 0) { n := n - 1; } assert(n = 0); }"), [ProposedText(1, "n >= 0", "")])


def by_json(
    kind: type[_Arguments], call: Callable[[_Arguments], _Result], told: Callable[[_Result], Json]
) -> Callable[[Json], Json]:
    """A call as worker.py wants it. `told`: what the coordinator is told of its result."""

    def answer(arguments: Json) -> Json:
        try:
            return told(call(decode(kind, arguments)))
        except ApiError as error:
            return {"refused": json_text(error.answer())}

    return answer


CALLS: dict[str, Callable[[Json], Json]] = {
    "canonical": by_json(AboutTexts, canonical, lambda texts: {"texts": texts}),
    "view": by_json(AboutNewProgram, view, lambda program: {"view": json_text(program)}),
}
"""Name of a call → a function of JSON arguments to a JSON answer."""
