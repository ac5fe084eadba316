"""Every bound of the language and its runs, with its unit. docs/language.md explains them."""

from __future__ import annotations

from idg.sip.record import Record

PROGRAM_CHARS_MAX = 100_000
EXPRESSION_NODES_MAX = 5_000
EXPRESSION_LEVELS_MAX = 150
"""Nesting of brackets and height of the tree. The generated Python needs at most one bracket a level, and Python allows 200."""
LITERAL_DIGITS_MAX = 1_000
NAME_CHARS_MAX = 100
BLOCK_LEVELS_MAX = 40
LOOP_LEVELS_MAX = 10
"""Python allows 20 nested loops in one function."""

VARIABLE_BITS_MAX = 8_192
NUMBER_BITS_MAX = 65_536


class RunLimits(Record):
    """What one run may spend. A run that reaches a bound says so in its outcome."""

    steps_max: int = 1_000_000
    rows_max: int = 100_000
    call_depth_max: int = 200
    prints_max: int = 100_000
    choice_tries_max: int = 20_000
