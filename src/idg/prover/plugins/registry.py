"""Provers by their names: those that come with IDG, and those of other packages, and a prover of ours that asks one of them alone.

A package registers a prover by the entry point group `idg.provers`. The entry point names a class or function without arguments
that gives a `ProverPlugin`:

    [project.entry-points."idg.provers"]
    mine = "my_package:MyProver"

What a plug-in says is not taken as it comes. A state that it gives is evaluated, and counts only if it refutes the query. A proof
cannot be checked, so it carries the name of the plug-in.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib import metadata

from idg.prover.answers import Answer, Proved, Refuted, Unknown
from idg.prover.check import refutes
from idg.prover.plugins.acl2 import Acl2
from idg.prover.plugins.chosen import GROUP, NoSuchProver
from idg.prover.plugins.interface import CVC5, Z3, ProverPlugin
from idg.prover.prove import Effort, Prover
from idg.sip.syntax import Expr
from idg.sip.values import Value
from idg.vc.query import Query

SHIPPED: Mapping[str, Callable[[], ProverPlugin]] = {"z3": lambda: Z3, "cvc5": lambda: CVC5, "acl2": Acl2}
"""The provers that come with IDG. No other package can take their names."""


def prover_names() -> list[str]:
    """The names of all provers that can be asked for."""
    others = sorted({entry.name for entry in metadata.entry_points(group=GROUP)} - SHIPPED.keys())
    return [*SHIPPED, *others]


def plugin_named(name: str) -> ProverPlugin:
    """The prover of this name. Raises NoSuchProver."""
    if name in SHIPPED:
        return SHIPPED[name]()
    entries = [entry for entry in metadata.entry_points(group=GROUP) if entry.name == name]
    if not entries:
        raise NoSuchProver(f"there is no prover '{name}'; there are {', '.join(prover_names())}")
    try:
        plugin: ProverPlugin = entries[0].load()()
    except Exception as error:  # It is code of others, which may fail in any way.
        raise NoSuchProver(f"the prover '{name}' cannot be loaded: {type(error).__name__}: {error}") from error
    return plugin


class PluggedProver(Prover):
    """Asks one plug-in, and none of our own stages; where there is no such plug-in, ours. A second one may contradict.

    States that refute are still looked for by our own search, too, because a state is checked before it counts, whoever found it.
    """

    def __init__(
        self, plugin: ProverPlugin | None, should_stop: Callable[[], bool] = lambda: False, second: ProverPlugin | None = None
    ) -> None:
        """`second`: a prover that is asked about each proof. Where it refutes the query, the proof does not count."""
        super().__init__(should_stop=should_stop)
        self.plugin = plugin
        self.second = second

    def follow_quickly(self, query: Query, goals: Sequence[Expr]) -> list[bool]:
        """Nothing is seen at once: that would be a proof of ours alone."""
        return [False] * len(goals)

    def _prove(self, query: Query, effort: Effort) -> Answer:
        if self.should_stop():
            return Unknown(("stopped",))
        answer = super()._prove(query, effort) if self.plugin is None else asked(self.plugin, query)
        if self.second is not None and isinstance(answer, Proved) and isinstance(asked(self.second, query), Refuted):
            return Unknown((f"{answer.by} proves it, and {self.second.name} refutes it by a state",))
        return answer


def asked(plugin: ProverPlugin, query: Query) -> Answer:
    """What the plug-in says of the query, after the checks that are possible."""
    try:
        answer = plugin.prove(query)
    except Exception as error:  # It is code of others, which may fail in any way.
        return Unknown((f"{plugin.name} failed with {type(error).__name__}",))
    if isinstance(answer, Proved):
        everything = frozenset(range(len(query.hypotheses)))
        return Proved(plugin.name, answer.core if answer.core <= everything else everything)
    if isinstance(answer, Refuted):
        state: Mapping[str, Value] = answer.state
        if state.keys() >= query.variables.keys() and refutes(query, state):
            return Refuted(plugin.name, {name: state[name] for name in query.variables})
        return Unknown((f"{plugin.name} gave a state that does not refute it",))
    return answer if isinstance(answer, Unknown) else Unknown((f"{plugin.name} gave no answer",))
