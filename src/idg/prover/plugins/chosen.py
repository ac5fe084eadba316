"""The provers of this process: ours, or those that were chosen when it started.

A server is told before it judges anything who proves (`--prover`) and who is asked besides (`--second-opinion`), and it tells its
engine workers. What was chosen belongs to the version of the engine, so books of one prover are not believed by another.

The provers are imported where one was chosen or is made. Most processes that ask for the version of the engine prove nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import metadata
from typing import TYPE_CHECKING

from idg.sip.record import Record

if TYPE_CHECKING:
    from idg.prover.plugins.interface import ProverPlugin
    from idg.prover.prove import Prover

GROUP = "idg.provers"
"""The group of entry points by which packages register provers."""


class NoSuchProver(Exception):
    """There is no prover of this name, or it cannot be loaded or used here. The message says what there is, or why not."""


class ChosenProvers(Record):
    """Names of provers; '' for ours, and for no second opinion."""

    prover: str = ""
    second_opinion: str = ""


OURS = ChosenProvers()


class _Choice:
    """What this process proves with. There is one, and it changes only before anything is judged."""

    def __init__(self) -> None:
        self.names = OURS
        self.plugins: dict[str, ProverPlugin] = {}
        """Loaded when they are chosen, because a confined process cannot look for packages."""
        self.versions: dict[str, str] = {}


_choice = _Choice()


def choose_provers(names: ChosenProvers) -> None:
    """From now on, `chosen_prover` gives these. Raises NoSuchProver where there is no such prover, or where it cannot be used."""
    plugins: dict[str, ProverPlugin] = {}
    versions: dict[str, str] = {}
    for role, name in (("prover", names.prover), ("second opinion", names.second_opinion)):
        if name:
            from idg.prover.plugins.registry import plugin_named

            plugins[name] = plugin_named(name)
            versions[role] = f"{name} {_package_version(name)}"
            if getattr(plugins[name], "starts_processes", False):
                why = "runs as a process of its own, and engine workers may start none"
                raise NoSuchProver(f"the prover '{name}' {why}; idg prove and idg propose take it")
    _choice.names, _choice.plugins, _choice.versions = names, plugins, versions


def chosen_prover() -> Prover:
    """A prover as it was chosen for this process."""
    if _choice.names == OURS:
        from idg.prover.prove import Prover

        return Prover()
    from idg.prover.plugins.registry import PluggedProver

    return PluggedProver(_choice.plugins.get(_choice.names.prover), second=_choice.plugins.get(_choice.names.second_opinion))


def chosen_versions() -> Mapping[str, str]:
    """What the choice adds to the version of the engine: nothing where everything is ours."""
    return _choice.versions


def _package_version(name: str) -> str:
    """The version of the package that registers this prover; '' for those that come with IDG."""
    entries = [entry for entry in metadata.entry_points(group=GROUP) if entry.name == name]
    return entries[0].dist.version if entries and entries[0].dist else ""
