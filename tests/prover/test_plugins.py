"""Provers by their names: those that come with IDG, those of other packages, and plug-ins that answer wrongly."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from importlib import metadata
from pathlib import Path

import pytest

from idg.cli.arguments.prover_arguments import with_named_opinions
from idg.cli.main import main
from idg.engine.session import Session
from idg.engine.version import engine_version
from idg.levels import find_level
from idg.prover.answers import Answer, Proved, Refuted, Unknown
from idg.prover.plugins.acl2 import Acl2
from idg.prover.plugins.chosen import GROUP, OURS, ChosenProvers, NoSuchProver, choose_provers, chosen_prover
from idg.prover.plugins.conformance import conformance
from idg.prover.plugins.registry import SHIPPED, PluggedProver, asked, plugin_named, prover_names
from idg.prover.prove import Prover
from idg.sip.values import Value
from idg.vc.query import Query
from tests.support.attack.queries.prover_examples import INVALID, VALID, make_query

PROGRAM = """\
fn main(n: nat): int {
  post(result = n);
  var i: int := 0;
  while [i <= n] (i < n) {
    i := i + 1;
  }
  return i;
}
"""
QUERY = make_query("x: int", ["x > 0"], "x > 1")


class OtherProver:
    name = "other"

    def __init__(self, answer: Callable[[Query], Answer] = lambda _: Proved("somebody", frozenset())) -> None:
        self._answer = answer

    def prove(self, query: Query) -> Answer:
        return self._answer(query)


def _always(answer: Answer, _: Query) -> Answer:
    return answer


def registered(monkeypatch: pytest.MonkeyPatch, name: str, value: str) -> None:
    entries = metadata.EntryPoints([metadata.EntryPoint(name, value, GROUP)])
    monkeypatch.setattr(metadata, "entry_points", lambda group: entries.select(group=group))


@pytest.mark.parametrize("name", sorted(SHIPPED))
def test_shipped_provers_are_not_wrong(name: str) -> None:
    if name == "acl2" and not Acl2.available():
        pytest.skip("acl2 is not installed")
    told = conformance(plugin_named(name), (*VALID[::25], *INVALID[::12]))
    assert not told.wrong
    assert told.proved > 0
    prover = PluggedProver(plugin_named(name))
    answer = prover.prove(VALID[0].query())
    assert isinstance(answer, Unknown) or answer.by == name


def test_the_conformance_suite_finds_what_is_wrong() -> None:
    def failing(_: Query) -> Answer:
        raise RuntimeError("no licence")

    examples = (VALID[0], INVALID[0])
    state = dict.fromkeys(VALID[0].query().variables, 0)
    liars: dict[str, Callable[[Query], Answer]] = {
        "proved, and it is not valid": lambda _: Proved("other", frozenset()),
        "a hypothesis that is not there": lambda _: Proved("other", frozenset([99])),
        "refuted, and it is valid": lambda _: Refuted("other", state),
        "by a state that does not refute it": lambda _: Refuted("other", {}),
        "failed with RuntimeError: no licence": failing,
    }
    for complaint, liar in liars.items():
        told = conformance(OtherProver(liar), examples)
        assert any(complaint in sentence for sentence in told.wrong), (complaint, told)
    assert conformance(OtherProver(lambda _: Unknown(("other",))), examples).wrong == ()


def test_a_second_opinion_takes_a_proof_back_only_by_a_state() -> None:
    """Our prover and a liar: what the second one refutes by a state that refutes it does not count as proved."""
    doubting = PluggedProver(OtherProver(), second=plugin_named("z3"))
    assert doubting.prove(QUERY) == Unknown(("other proves it, and z3 refutes it by a state",))
    assert isinstance(doubting.prove(VALID[0].query()), Proved)
    wrongly = PluggedProver(None, second=OtherProver(lambda _: Refuted("other", {"x": 5})))
    assert isinstance(wrongly.prove(make_query("x: int", ["x > 0"], "x >= 1")), Proved)
    assert wrongly.follow_quickly(QUERY, [QUERY.goal]) == [False]


def test_the_provers_of_a_process_belong_to_the_version_of_its_engine() -> None:
    ours = engine_version()
    try:
        choose_provers(ChosenProvers("z3"))
        alone = engine_version()
        assert isinstance(chosen_prover(), PluggedProver)
        choose_provers(ChosenProvers("", "cvc5"))
        assert len({ours, alone, engine_version()}) == 3
        with pytest.raises(NoSuchProver, match="'acl2' runs as a process of its own, and engine workers may start none"):
            choose_provers(ChosenProvers("acl2"))
        with pytest.raises(NoSuchProver, match="there is no prover 'vampire'"):
            choose_provers(ChosenProvers("vampire"))
    finally:
        choose_provers(OURS)
    assert engine_version() == ours
    assert type(chosen_prover()) is Prover


def test_z3_alone_proves_and_refutes() -> None:
    prover = PluggedProver(plugin_named("z3"))
    assert isinstance(prover.prove(make_query("x: int", ["x > 0"], "x >= 1")), Proved)
    assert isinstance(prover.prove(QUERY), Refuted)
    assert prover.follow_quickly(QUERY, [QUERY.goal, QUERY.hypotheses[0].expr]) == [False, False]


def test_a_package_registers_a_prover(monkeypatch: pytest.MonkeyPatch) -> None:
    registered(monkeypatch, "other", f"{__name__}:OtherProver")
    assert prover_names() == [*SHIPPED, "other"]
    assert plugin_named("other").name == "other"
    with pytest.raises(NoSuchProver, match="there is no prover 'vampire'; there are z3, cvc5, acl2, other"):
        plugin_named("vampire")
    registered(monkeypatch, "broken", "no_such_module_anywhere:X")
    with pytest.raises(NoSuchProver, match="the prover 'broken' cannot be loaded: ModuleNotFoundError"):
        plugin_named("broken")


def test_no_package_takes_the_name_of_a_shipped_prover(monkeypatch: pytest.MonkeyPatch) -> None:
    registered(monkeypatch, "z3", f"{__name__}:OtherProver")
    assert plugin_named("z3").name == "z3"


def test_a_state_that_refutes_nothing_does_not_count() -> None:
    states: tuple[dict[str, Value], ...] = ({"x": 5}, {"x": -1}, {}, {"y": 1})
    for state in states:
        refuted = Refuted("other", state)
        answer = asked(OtherProver(partial(_always, refuted)), QUERY)
        assert answer == Unknown(("other gave a state that does not refute it",)), state
    assert asked(OtherProver(lambda _: Refuted("z3", {"x": 1, "y": 2})), QUERY) == Refuted("other", {"x": 1})


def test_a_proof_names_the_prover_and_no_hypothesis_that_is_not_there() -> None:
    assert asked(OtherProver(), QUERY) == Proved("other", frozenset())
    assert asked(OtherProver(lambda _: Proved("z3", frozenset([7]))), QUERY) == Proved("other", frozenset([0]))


def test_a_prover_that_fails_does_not_know() -> None:
    def failing(_: Query) -> Answer:
        raise RuntimeError("no licence")

    assert asked(OtherProver(failing), QUERY) == Unknown(("other failed with RuntimeError",))


def test_a_prover_that_proves_everything_solves_nothing_wrong() -> None:
    """The second verifier contradicts, so the program is not called solved."""
    level = find_level("multiply")
    assert level is not None
    session = Session(level.program(), PluggedProver(OtherProver()))
    assert not session.solved
    session.propose("cnt >= 0")
    assert not session.solved


def test_the_command_line_asks_the_named_prover(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "count.sip"
    path.write_text(PROGRAM, encoding="utf-8")
    assert main(["prove", str(path), "--prover", "z3", "--second-opinion", "z3"]) == 0
    shown = capsys.readouterr().out
    assert "(all proofs by z3 alone)" in shown
    assert "    z3 agrees" in shown
    assert main(["prove", "--second-opinion", str(path)]) == 0
    assert "    cvc5 agrees" in capsys.readouterr().out
    assert main(["prove", str(path), "--prover", "z3", "--json"]) == 0
    assert '"prover": "z3"' in capsys.readouterr().out
    assert main(["prove", str(path), "--prover", "nobody"]) == 2
    assert "there is no prover 'nobody'; there are z3, cvc5, acl2" in capsys.readouterr().err
    assert main(["propose", "multiply", "--prover", "z3", "-e", "cnt <= m"]) == 1
    assert "All proofs are by z3 alone." in capsys.readouterr().out


def test_a_file_is_not_taken_for_the_name_of_a_prover() -> None:
    assert with_named_opinions(["prove", "--second-opinion", "a.sip"]) == ["prove", "--second-opinion=cvc5", "a.sip"]
    assert with_named_opinions(["prove", "a.sip", "--second-opinion", "z3"]) == ["prove", "a.sip", "--second-opinion", "z3"]
    assert with_named_opinions(["prove", "a.sip", "--second-opinion"]) == ["prove", "a.sip", "--second-opinion=cvc5"]
