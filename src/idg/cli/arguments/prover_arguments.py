"""The flags that name another prover: `--prover NAME` and `--second-opinion [NAME]`.

Provers are imported only where a flag is given.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING

from idg.cli.errors import UsageError

if TYPE_CHECKING:
    from idg.prover.plugins.interface import ProverPlugin
    from idg.prover.prove import Prover

SECOND_OPINION, DEFAULT_OPINION = "--second-opinion", "cvc5"


def prover_argument(parser: argparse.ArgumentParser) -> None:
    text = "prove with this prover alone: z3, cvc5, acl2, or one that a package registers as an entry point of 'idg.provers'"
    parser.add_argument("--prover", metavar="NAME", help=text)


def second_opinion_argument(parser: argparse.ArgumentParser) -> None:
    text = f"ask a prover about each condition, too (default: {DEFAULT_OPINION}; --prover says which there are)"
    parser.add_argument(SECOND_OPINION, metavar="NAME", nargs="?", const=DEFAULT_OPINION, help=text)


def with_named_opinions(arguments: Sequence[str]) -> list[str]:
    """Gives `--second-opinion` its default where no prover's name follows, because argparse would take the file for the name."""
    if SECOND_OPINION not in arguments:
        return list(arguments)
    from idg.prover.plugins.registry import prover_names

    known = prover_names()
    named: list[str] = []
    for index, argument in enumerate(arguments):
        given = arguments[index + 1] if index + 1 < len(arguments) else ""
        plain = argument == SECOND_OPINION and given not in known
        named.append(f"{argument}={DEFAULT_OPINION}" if plain else argument)
    return named


def plugin_of(name: str) -> ProverPlugin:
    from idg.prover.plugins.chosen import NoSuchProver
    from idg.prover.plugins.registry import plugin_named

    try:
        return plugin_named(name)
    except NoSuchProver as error:
        raise UsageError(str(error)) from None


def prover_of(options: argparse.Namespace, doubted: bool = False) -> Prover:
    """Our prover, or the one that the flag names, alone. `doubted`: whether the second opinion may take proofs back."""
    second = options.second_opinion if doubted else None
    if options.prover is None and second is None:
        from idg.prover.prove import Prover

        return Prover()
    from idg.prover.plugins.registry import PluggedProver

    alone = None if options.prover is None else plugin_of(options.prover)
    return PluggedProver(alone, second=None if second is None else plugin_of(second))


def told_prover(options: argparse.Namespace) -> dict[str, str]:
    """What JSON says of the prover: nothing where it is ours."""
    return {} if options.prover is None else {"prover": options.prover}
