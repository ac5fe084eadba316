"""Questions to z3 and cvc5. A solver is imported when it is first asked.

z3 and cvc5 take longer to import than everything of ours together, and most proposals are judged without them.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from idg.prover.answers import Proved, Refuted
from idg.sip.record import Record
from idg.vc.query import Query

Z3_RLIMIT = 400_000
"""z3's resource count for one query, unless the caller says otherwise."""
CVC5_RLIMIT = 30_000
"""cvc5's resource count for one query, unless the caller says otherwise."""

Options = Mapping[str, bool | int]
BASE: Options = MappingProxyType({"arith.nl.optimize_bounds": False})
"""Without this z3 spends most of its budget on bounds of monomials."""


class Setting(Record):
    """A configuration of z3, and the name under which it appears among the stages."""

    name: str = "z3"
    options: Options = BASE


PLAIN = Setting()
RETRIES = (
    Setting("z3 without order lemmas", MappingProxyType({**BASE, "arith.nl.order": False})),
    # Branching is switched off, too: without Gröbner bases but with branching, z3 spends minutes on remainders of squares.
    Setting("z3 without Gröbner bases", MappingProxyType({**BASE, "arith.nl.grobner": False, "arith.nl.branching": False})),
    Setting("z3 without substitution", MappingProxyType({**BASE, "arith.nl.grobner_subs_fixed": 0})),
    Setting("z3 with bounds of monomials", MappingProxyType({"random_seed": 3})),
)
"""Each of these proves some queries that the others do not. Which ones can hardly be foreseen, so several short attempts with
different settings prove more than one long attempt."""


def ask_z3(query: Query, rlimit: int = Z3_RLIMIT, setting: Setting = PLAIN) -> Proved | Refuted | None:
    """A proof, a checked refuting state, or None."""
    from idg.prover.smt import z3_stage

    return z3_stage.attempt(query, rlimit, setting)


def ask_z3_for_proof(query: Query, rlimit: int = Z3_RLIMIT) -> Proved | Refuted | None:
    """A proof, or None."""
    from idg.prover.smt import z3_stage

    return z3_stage.attempt(query, rlimit, states=False)


def ask_z3_over_reals(query: Query, rlimit: int = Z3_RLIMIT) -> Proved | None:
    """A proof of the query over the reals, or None."""
    from idg.prover.smt import z3_stage

    return z3_stage.attempt_reals(query, rlimit)


def ask_cvc5(query: Query, rlimit: int = CVC5_RLIMIT) -> Proved | Refuted | None:
    """A proof, a checked refuting state, or None."""
    from idg.prover.smt import cvc5_stage

    return cvc5_stage.attempt(query, rlimit)
