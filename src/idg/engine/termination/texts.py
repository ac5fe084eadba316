"""The texts that players propose: facts, measures, and runs that are said never to end; each in its canonical form.

    n-i >= 0            a fact
    decreases n-i       a measure
    endless x=3, y=0    the run from these inputs is said never to end

In canonical form the three can be told apart without the program. After the name of a variable an operator follows, so a fact about
a variable that is called `decreases` does not go on as a measure does.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from idg.sip.errors import InputError
from idg.sip.program import Program
from idg.sip.text.expressions import DECREASES
from idg.sip.text.printer import print_expression, print_measure
from idg.sip.values import Value, format_value, typed_inputs

ENDLESS = "endless"
"""The word before the inputs of a run that is said never to end."""
NO_INPUTS = "()"
"""What stands for the inputs of a program that has none."""

_MEASURE = re.compile(rf"{DECREASES} (?:[\w(]|-(?![ >])|!(?![ =]))")
_CLAIM = re.compile(rf"{ENDLESS} (?:\w|\(\)$)")


def is_measure_text(canonical: str) -> bool:
    """Whether a proposal in canonical form is a measure."""
    return _MEASURE.match(canonical) is not None


def is_endless_text(canonical: str) -> bool:
    """Whether a proposal in canonical form says of a run that it never ends."""
    return _CLAIM.match(canonical) is not None


def is_fact_text(canonical: str) -> bool:
    """Whether a proposal in canonical form is a fact."""
    return not is_measure_text(canonical) and not is_endless_text(canonical)


def canonical_proposal(program: Program, text: str, loop: int) -> str:
    """The proposal in canonical form. Raises SipError where it is none, and InputError where a run has no such inputs."""
    if program.is_measure(text, loop):
        return f"{DECREASES} {print_measure(program.measure(text, loop))}"
    if is_endless_claim(program, text, loop):
        return endless_text(program.inputs(_given(text)))
    return print_expression(program.proposal(text, loop))


def is_endless_claim(program: Program, text: str, loop: int) -> bool:
    """Whether the text says of a run that it never ends: it starts with `endless`, and the loop has no variable of that name."""
    return text.replace(":", " ").split(maxsplit=1)[:1] == [ENDLESS] and ENDLESS not in program.loop(loop).columns


def endless_text(inputs: Mapping[str, Value]) -> str:
    """The canonical form of the claim that the run from these inputs never ends."""
    return f"{ENDLESS} {', '.join(f'{name} = {format_value(value)}' for name, value in inputs.items()) or NO_INPUTS}"


def endless_inputs(program: Program, text: str) -> dict[str, Value]:
    """The inputs of the run that is said never to end. Raises InputError where it names none."""
    return program.inputs(_given(text))


def _given(text: str) -> dict[str, str]:
    """The inputs as they were typed. Raises InputError where they are not written as inputs are."""
    listed = text.strip().removeprefix(ENDLESS).strip().removeprefix(":").strip()
    typed = typed_inputs("" if listed == NO_INPUTS else listed)
    if typed is None or len(dict(typed)) < len(typed) or not all(value for _, value in typed):
        raise InputError(f"after '{ENDLESS}' come the inputs of a run, each once, such as {ENDLESS} x = 3, y = 0")
    return dict(typed)
