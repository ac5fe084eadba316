"""Notebooks: what shows itself, the magic `%%sip`, data frames, and the example notebook in a real kernel."""

from __future__ import annotations

import builtins
from fractions import Fraction
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy
import pytest

import idg
from idg.agents import Player
from idg.notebook import magic_arguments
from tests.support.waiting import HANG_SECONDS

COUNTING = "fn main(n: nat) { var i: int; i := 0; while (i < n) { i := i + 1; } assert(i = n); }"
EXAMPLE = Path(__file__).parents[2] / "docs" / "example.ipynb"


class Balanced(HTMLParser):
    """Checks that every tag is closed, in the right order."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


def picture(shown: Any) -> str:
    """The words of a picture, whose HTML must be well formed."""
    parser = Balanced()
    parser.feed(shown._repr_html_())
    assert parser.open == []
    return parser.text


def test_everything_of_a_session_shows_itself() -> None:
    session = idg.Session(COUNTING)
    assert "a state to rule out" in picture(session.feedback)
    answer = session.propose("i < 5 | i <= n")
    assert "inductive" in picture(answer)
    assert "i < 5 | i <= n" in picture(answer)
    wrong = session.propose("i < n")
    assert "non-invariant" in picture(wrong)
    assert "<table" in wrong._repr_html_(), "the run that breaks it is a table"
    batch = session.propose_many(["i <= n", "i >= 3"])
    assert "i >= 3" in picture(batch)
    assert picture(batch).startswith("solved")
    assert "Solved" in picture(session)
    assert "i <= n" in picture(session.explain())
    assert "post" not in picture(session.feedback)
    assert "proved" in picture(session.board())


def test_the_reason_why_is_a_table() -> None:
    session = idg.Session("fn main() { var i, j: int; i := 0; j := 0; while (i < 9) { i := i + 1; j := j + i; } assert(j >= 0); }")
    assert session.propose("j >= 0").kind == "potential"
    why = session.why("j >= 0")
    assert "not inductive yet" in picture(why)
    assert "<table" in why._repr_html_()


def test_everything_of_the_sdk_shows_itself() -> None:
    game = Player.local().open("multiply")
    assert "<table" in game.first_trace._repr_html_()
    assert "potential" in picture(game.propose("res <= n * m"))
    assert "res <= n * m" in picture(game.transition("res <= n * m"))
    assert "res = n * cnt" in picture(game.propose_many(["res = n * cnt", "cnt <= m"]))
    assert game.solved
    shown = picture(game)
    assert "res = n * m" in shown
    assert "res = n * cnt" in shown
    for other in (game.feedback, game.explain(), game.board()):
        assert picture(other)


def test_texts_are_escaped() -> None:
    session = idg.Session("fn main(n: nat) { var i: int; i := 0; while (i < n & i <= n) { i := i + 1; } assert(i = n); }")
    assert "<= n" not in session._repr_html_()
    assert "&lt;= n" in session._repr_html_()


def test_solve_tells_what_it_found() -> None:
    answer = idg.solve(COUNTING)
    assert answer.solved
    assert answer.invariants == (("i <= n",),)
    assert str(answer) == "solved: the guarantee holds in every run; the second verifier confirms it\ninvariants:\n  i <= n"
    assert "i <= n" in picture(answer)
    refuted = idg.solve(idg.load(COUNTING.replace("i = n", "i != 5")))
    assert refuted.outcome == "refuted"
    assert "n = 5" in repr(refuted)
    stopped = idg.solve(COUNTING.replace("i = n", "i % 7 != 3 | i * i > n"), seconds=0)
    assert stopped.outcome != "solved"


def test_the_module_tells_all_that_it_has() -> None:
    assert {*idg.__all__} <= {*dir(idg)}
    for name in idg.__all__:
        assert getattr(idg, name) is not None
    assert idg.importer.import_python("def f(n):\n    return n\n").source


def test_numbers_of_numpy_are_inputs() -> None:
    program: Any = idg.load("fn main(n: nat, x: rat, b: bool): rat { if (b) { return x + n; } return x; }")
    run = program.run(n=numpy.int64(3), x=numpy.uint8(2), b=numpy.bool_(True))
    assert run.outcome.value == 5
    assert type(run.inputs["n"]) is int
    with pytest.raises(idg.InputError):
        program.run(n=3, x=numpy.float64(0.5), b=True)
    with pytest.raises(idg.InputError):
        program.run(n=numpy.bool_(True), x=1, b=True)
    with pytest.raises(idg.InputError):
        program.run(n=numpy.int64(-1), x=1, b=True)


def test_traces_are_data_frames() -> None:
    pytest.importorskip("pandas")
    program = idg.load("fn main(n: nat) { var i: int; var x: rat; i := 0; x := 1; while (i < n) { i := i + 1; x := x / 3; } }")
    frame = program.run(n=2).to_dataframe()
    assert list(frame.columns) == ["n", "i", "x"]
    assert list(frame["i"]) == [0, 1, 2]
    assert list(frame["x"]) == [1, Fraction(1, 3), Fraction(1, 9)], "fractions stay exact"
    judged = program.run(n=2).trace.evaluate("1 // i > 0").to_dataframe()
    assert list(judged["1 // i > 0"]) == [None, True, False]
    assert program.run({"n": 10**30}, limits=idg.RunLimits(steps_max=5)).to_dataframe()["n"][0] == 10**30


def test_without_pandas_that_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    usual = builtins.__import__

    def without(name: str, *rest: Any, **named: Any) -> Any:
        if name == "pandas":
            raise ImportError(name)
        return usual(name, *rest, **named)

    monkeypatch.setattr("builtins.__import__", without)
    with pytest.raises(ImportError, match=r"to_dataframe needs pandas: pip install 'idg\[notebook\]'"):
        idg.load(COUNTING).run(n=1).to_dataframe()


def test_the_words_behind_the_magic() -> None:
    assert magic_arguments("") == ("program", {})
    assert magic_arguments("root n=46 x=-7/3") == ("root", {"n": "46", "x": "-7/3"})
    assert magic_arguments("n=4") == ("program", {"n": "4"})
    assert magic_arguments("n = 4, m=2") == ("program", {"n": "4", "m": "2"})
    assert magic_arguments("sums a=[3, 1, 2] n=4") == ("sums", {"a": "[3, 1, 2]", "n": "4"})
    for wrong in ("n=4 root", "4", "a b"):
        with pytest.raises(idg.InputError, match="%%sip"):
            magic_arguments(wrong)


def test_the_example_notebook_runs() -> None:
    """One kernel runs all of it. Every cell with a result shows it as a picture, and nothing is stored in the file."""
    nbclient, nbformat = pytest.importorskip("nbclient"), pytest.importorskip("nbformat")
    pytest.importorskip("ipykernel")
    pytest.importorskip("pandas")
    notebook = nbformat.read(EXAMPLE, as_version=4)
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert all(not cell.outputs for cell in cells)
    nbclient.NotebookClient(notebook, timeout=HANG_SECONDS, kernel_name="python3").execute()
    results = [output["data"] for cell in cells for output in cell.outputs if output.output_type == "execute_result"]
    assert len(results) == len(cells) - 1, "every cell but the first shows something"
    assert all("text/html" in data for data in results)
    assert "solved: the guarantee holds in every run" in results[-4]["text/html"]
    assert "refuted: n = 5" in results[-3]["text/html"]
