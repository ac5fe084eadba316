"""The notebook extension: `%load_ext idg`, then cells that begin with `%%sip` are programs."""

from __future__ import annotations

import re
from typing import Any

from idg.sip.errors import InputError
from idg.sip.program import Program, load
from idg.sip.running.trace import Run
from idg.sip.values import typed_inputs

_TWO_WORDS = re.compile(r"[^\s,\[]\s+[^\s,\]]")
"""Two words without a comma between. The cells of an array have commas."""
DEFAULT_NAME = "program"


def register(shell: Any) -> None:
    """Teaches a shell of IPython the magic."""

    def sip(line: str, cell: str) -> Program | Run:
        """%%sip [NAME] [INPUT=VALUE …]: the cell is a program, which gets the name (default: program).

        With inputs it is run, and the cell shows the run; the run gets the name with `_run` behind it.
        """
        name, inputs = magic_arguments(line)
        program = load(cell)
        shell.push({name: program})
        if not inputs:
            return program
        run = program.run(inputs)
        shell.push({f"{name}_run": run})
        return run

    shell.register_magic_function(sip, "cell", "sip")


def magic_arguments(line: str) -> tuple[str, dict[str, str]]:
    """The name and the inputs that stand behind `%%sip`."""
    first, _, rest = line.strip().partition(" ")
    name = first if first.isidentifier() and not rest.lstrip().startswith("=") else ""
    inputs = typed_inputs(rest if name else line)
    if inputs is None or not all(value and not _TWO_WORDS.search(value) for _, value in inputs):
        raise InputError(f"'{line.strip()}' is not a name and inputs such as n=46: %%sip [NAME] [INPUT=VALUE …]")
    return name or DEFAULT_NAME, dict(inputs)
