"""A helper by itself, as the simple interpreter runs it."""

from __future__ import annotations

from idg.sip.program import Program
from idg.sip.syntax import Module


def module_alone(program: Program) -> Module:
    """The functions of a program, with the one that `Program.alone` looks at as the last one."""
    others = (info.function for name, info in program.info.functions.items() if name != program.level.name)
    return Module((*others, program.level))
