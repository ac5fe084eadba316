"""The arguments of `idg lsp`. Nothing of the language server is imported here, which takes long."""

from __future__ import annotations

import argparse

from idg.cli.arguments.cluster_arguments import Command, SettingArguments
from idg.cli.errors import SUCCESS
from idg.needs import require

EXAMPLES = """\
  idg lsp    (editors start it; docs/editors.md says how)

it speaks the Language Server Protocol over standard input and output until the editor ends it"""


def editor_commands(command: Command, _: SettingArguments) -> None:
    lsp = command("lsp", "serve an editor: problems, proofs, hints and completions while you type", EXAMPLES)
    lsp.add_argument("--stdio", action="store_true", help="speak over standard input and output, as it always does; editors say it")


def run_editor_command(options: argparse.Namespace) -> int:
    require("lsp", "idg lsp")
    from idg.lsp.server import serve

    serve()
    return SUCCESS
