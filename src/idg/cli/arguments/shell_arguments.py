"""The arguments of `idg completion` and `idg doctor`."""

from __future__ import annotations

import argparse

from idg.cli.arguments.cluster_arguments import Command, SettingArguments
from idg.cli.errors import SUCCESS
from idg.needs import require

COMPLETION_EXAMPLES = """\
  idg completion bash > ~/.local/share/bash-completion/completions/idg
  idg completion zsh > ~/.zfunc/_idg          (with ~/.zfunc in fpath)
  idg completion fish > ~/.config/fish/completions/idg.fish"""
DOCTOR_EXAMPLES = """\
  idg doctor
  idg doctor --json
  idg doctor --prover acl2    (the conformance suite of provers)

exit code 0: proofs are possible, 1: a solver is missing, or the prover is wrong somewhere"""


def shell_commands(command: Command, _: SettingArguments) -> None:
    completion = command("completion", "print what lets a shell complete the commands and flags of idg", COMPLETION_EXAMPLES)
    completion.add_argument("shell", choices=("bash", "zsh", "fish"), help="the shell that the text is for")
    doctor = command("doctor", "say what of IDG is installed and what works on this computer", DOCTOR_EXAMPLES)
    doctor.add_argument("--json", action="store_true", help="the same as JSON")
    doctor.add_argument("--prover", metavar="NAME", help="ask this prover all examples of the conformance suite instead")


def run_shell_command(options: argparse.Namespace, parser: argparse.ArgumentParser) -> int:
    """`parser` is the parser of all commands, which completion is made from."""
    if options.command == "doctor":
        from idg.cli import doctor

        return doctor.run(options)
    require("shell", "idg completion")
    import shtab

    print(shtab.complete(parser, options.shell))
    return SUCCESS
