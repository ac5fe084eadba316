"""The walk of a proposal in ARCHITECTURE.md is true: a proposal enters the files that it names, and in their order, and its way to
the prover is short."""

from __future__ import annotations

import re

from tools import ROOT
from tools.hops import proposal

CALLS_MAX = 35
"""Calls on the way from a request to the stage of the prover that is asked."""
FILES_MAX = 30
"""Files that these calls are in."""
OF_OTHER_PROCESSES = {"pool/local.py", "pool/worker.py"}
"""Files that a proposal enters where the engine has a process of its own; `tools.hops` asks it in this process."""


def test_a_proposal_enters_the_files_of_the_walk_in_their_order() -> None:
    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    [section] = re.findall(r"## How a proposal travels\n(.*?)\n7\. ", text, re.DOTALL)
    named = [name for name in re.findall(r"`([\w/]+\.py)`", section) if name not in OF_OTHER_PROCESSES]
    assert len(named) >= 9
    assert all((ROOT / "src/idg/coordinator" / name).is_file() for name in OF_OTHER_PROCESSES)
    followed = proposal()
    way = followed.way
    assert way[-1][0].startswith("coordinator/web/")
    assert way[0][0].startswith("prover/")
    assert len(way) <= CALLS_MAX, way
    assert len({file for file, _ in way}) <= FILES_MAX
    entered = list(followed.files)
    places = []
    for name in named:
        file = name if name in entered else f"coordinator/{name}"
        assert file in entered, f"a proposal does not enter {name}"
        places.append(entered.index(file))
    assert places == sorted(places), [entered[place] for place in places]
