"""Every bound of the language and its runs, with its unit. docs/language.md explains them."""

from __future__ import annotations

from idg.sip.record import Record

PROGRAM_CHARS_MAX = 100_000
EXPRESSION_NODES_MAX = 5_000
EXPRESSION_LEVELS_MAX = 100
"""Height of the tree. The generated Python needs at most three brackets for two levels, and Python allows 200."""
READING_LEVELS_MAX = 220
"""Brackets, prefix operators and right operands that are open at the same time. A printed tree needs at most two a level."""
LITERAL_DIGITS_MAX = 1_000
NAME_CHARS_MAX = 100
BLOCK_LEVELS_MAX = 40
LOOP_LEVELS_MAX = 10
"""Python allows 20 nested loops in one function."""
IF_BRANCHES_MAX = 100
"""The `if` and its `else if`s."""
VARIABLES_MAX = 200
"""Of one function, parameters included."""

VARIABLE_BITS_MAX = 8_192
NUMBER_BITS_MAX = 65_536

EVALUATION_STEPS_MAX = 20_000
"""What helpers may spend when an expression is evaluated on one row of a trace."""
CALL_DEPTH_CEILING = 400
"""More nested calls than this Python itself may refuse."""


class RunLimits(Record):
    """What one run may spend. A run that reaches a bound says so in its outcome."""

    steps_max: int = 1_000_000
    """Times that a loop head is reached, plus calls, plus candidates tried by a `cassign`."""
    rows_max: int = 100_000
    """Rows recorded in the tables of all loops together."""
    call_depth_max: int = 200
    """Calls that are open at the same time; 400 is the most that can be asked for."""
    prints_max: int = 100_000
    """Printed lines."""
    choice_tries_max: int = 20_000
    """Candidates tried by one `cassign`."""
    cells_max: int = 5_000_000
    """Values recorded in the tables of all loops together: rows times columns."""
    printed_chars_max: int = 5_000_000
    """Characters of all printed lines, without their line ends."""


def check_limits(limits: RunLimits) -> None:
    """ValueError where a limit is none."""
    for name in limits.__match_args__:
        value = getattr(limits, name)
        if not isinstance(value, int) or isinstance(value, bool) or value < 0:
            raise ValueError(f"RunLimits: {name} must be a whole number from 0 on, found {type(value).__name__} {str(value)[:40]}")
    if limits.call_depth_max > CALL_DEPTH_CEILING:
        raise ValueError(f"RunLimits: call_depth_max can be at most {CALL_DEPTH_CEILING}, found {limits.call_depth_max}")
