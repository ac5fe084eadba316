"""Every bound of the language and of its runs. docs/language.md explains them."""

from __future__ import annotations

from idg.sip.record import Record

PROGRAM_CHARS_MAX = 100_000
"""Characters (code points) of a text."""
EXPRESSION_NODES_MAX = 5_000
"""Nodes of the tree of one expression."""
EXPRESSION_LEVELS_MAX = 100
"""Height of the tree of one expression. Generated Python needs at most three brackets for two levels, and Python allows 200."""
READING_LEVELS_MAX = 220
"""Brackets, prefix operators and right operands that are open at the same time. A printed tree needs at most two for each level."""
LITERAL_DIGITS_MAX = 1_000
"""Digits of one number, in a text or as an input."""
NAME_CHARS_MAX = 100
"""Characters of one name."""
BLOCK_LEVELS_MAX = 40
"""Blocks inside each other."""
LOOP_LEVELS_MAX = 10
"""Loops inside each other. Python allows 20 nested blocks in one function."""
IF_BRANCHES_MAX = 100
"""Branches of one `if`, which has one for itself and one for each `else if`."""
VARIABLES_MAX = 200
"""Variables of one function, parameters included."""

QUANTIFIER_LEVELS_MAX = 3
"""Quantifiers inside each other in an expression."""
QUANTIFIER_RANGE_MAX = 10_000
"""Whole numbers of which one quantifier speaks."""
ARRAY_CELLS_MAX = 1_000
"""Cells of an array."""

VARIABLE_BITS_MAX = 8_192
"""Bits of a number that a variable holds; a fraction's numerator and denominator count together."""
NUMBER_BITS_MAX = 65_536
"""Bits of an intermediate result. It is eight times as large, so that products of up to eight variables need no check."""

EVALUATION_STEPS_MAX = 20_000
"""Steps that helpers and quantifiers may take when an expression is evaluated on one row of a trace."""
CALL_DEPTH_CEILING = 400
"""The largest call_depth_max that can be asked for, because Python itself may refuse more nested calls."""


class RunLimits(Record):
    """What one run may spend. A run that reaches a bound says so in its outcome."""

    steps_max: int = 1_000_000
    """Times that a loop head is reached, plus calls, instances of quantifiers and the like, and candidates tried by a `cassign`."""
    rows_max: int = 100_000
    """Rows recorded in the tables of all loops together."""
    call_depth_max: int = 200
    """Calls that are open at the same time; 400 is the most that can be asked for."""
    prints_max: int = 100_000
    """Printed lines."""
    choice_tries_max: int = 20_000
    """Candidates tried by one `cassign`."""
    cells_max: int = 5_000_000
    """Values recorded in the tables of all loops together: rows times columns, where an array counts as many as it has cells."""
    printed_chars_max: int = 5_000_000
    """Characters of all printed lines, without their line ends."""


def check_limits(limits: RunLimits) -> None:
    """Raises ValueError where a limit is not a whole number from 0 on, or too large."""
    for name in limits.__match_args__:
        value = getattr(limits, name)
        if not isinstance(value, int) or isinstance(value, bool) or value < 0:
            raise ValueError(f"RunLimits: {name} must be a whole number from 0 on, found {type(value).__name__} {str(value)[:40]}")
    if limits.call_depth_max > CALL_DEPTH_CEILING:
        raise ValueError(f"RunLimits: call_depth_max can be at most {CALL_DEPTH_CEILING}, found {limits.call_depth_max}")
