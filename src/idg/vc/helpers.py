"""What verification conditions may say about calls of a program's helpers."""

from __future__ import annotations

from idg.sip.checking.analysis import ModuleInfo
from idg.sip.record import Record
from idg.sip.syntax import Cassign, While


class Helpers(Record):
    """Which functions of a program are trusted, and what can be seen at once of their calls."""

    trusted: frozenset[str]
    """The functions whose contracts and bodies may be used, because all their obligations are proved, and so are those of what they
    call; or because a proof is under way that assumes their contracts by induction."""
    unfoldable: frozenset[str]
    """The functions whose bodies tell the value of a call: they and all that they call have no loop and no choice."""
    uncertain: frozenset[str]
    """The functions whose calls may fail to return, as far as can be seen at once."""
    ending: frozenset[str]
    """The functions whose calls plainly end."""


def helpers_of(info: ModuleInfo, trusted: frozenset[str] = frozenset()) -> Helpers:
    graph = info.calls
    looping = graph.with_statement(While, Cassign)
    return Helpers(trusted, frozenset(graph.functions.keys() - looping), graph.uncertain(), graph.ending())
