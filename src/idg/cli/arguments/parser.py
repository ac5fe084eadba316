"""The parser of all commands: how it complains, and how its help explains settings."""

from __future__ import annotations

import argparse
from typing import NoReturn

from idg.cli.errors import USAGE, tell_as_json, told_problem


class CommandParser(argparse.ArgumentParser):
    """A parser whose errors name the command, its usage and its help."""

    wants_json = False
    """Whether `--json` is among the arguments: then what is wrong with them is told as JSON, too."""

    def format_help(self) -> str:
        """The help, in which each setting is explained. The explanations are read only here: other commands need none."""
        from idg.coordinator.settings import EXPLAINED

        for action in self._actions:
            if action.help is not None and action.help.startswith("the setting ") and action.dest in EXPLAINED:
                action.help = EXPLAINED[action.dest].replace("%", "%%")
        return super().format_help()

    def error(self, message: str) -> NoReturn:
        if self.wants_json:
            tell_as_json(argparse.Namespace(json=True), [told_problem("usage", message)])
        self.exit(USAGE, f"{self.prog}: {message}\n{self.format_usage()}try '{self.prog} --help' for examples\n")
