"""The notebook extension: `%load_ext idg`, then cells that begin with `%%sip` are programs."""

from __future__ import annotations

from typing import Any

from idg.sip.errors import InputError
from idg.sip.program import Program, load
from idg.sip.running.trace import Run

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
    name, inputs = DEFAULT_NAME, {}
    for position, word in enumerate(line.split()):
        key, equals, value = word.partition("=")
        if equals:
            inputs[key] = value
        elif position == 0 and word.isidentifier():
            name = word
        else:
            raise InputError(f"'{word}' is neither a name at the beginning nor an input such as n=46: %%sip [NAME] [INPUT=VALUE …]")
    return name, inputs
