"""Taking part in a study in a real browser, from the link to the completion code, in both arms, and on a phone; simulated
participants leave the same kinds of rows."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from idg.levels import find_level
from idg.study.texts import STORED
from tests.support.browser.visitors import Visitor, VisitorMaker
from tests.support.servers.clients import UNLIMITED

pytest_plugins = ["tests.support.browser.browsers"]

DEFINITION = """
name = "spring"
title = "How people find facts"
levels = ["multiply", "summation"]
minutes = 60
block = 2
seed = 1
retention_days = 30

[[arm]]
name = "code"
variant = "code"
share = 1

[[arm]]
name = "trace"
variant = "trace"
share = 1

[consent]
version = "1"
text = "You take part in a study of how people find facts."

[[question]]
id = "programming"
text = "How much have you programmed before?"
kind = "choice"
choices = ["never", "a little", "a lot"]
when = "start"

[[question]]
id = "fun"
text = "It was fun."
kind = "scale"

[[question]]
id = "comment"
text = "Anything else?"
kind = "text"
"""
BY_CHANCE = {"focus", "blur", "pause"}
"""What a browser logs only if it happens, so that simulated participants need not have it."""


def idg(*arguments: str) -> str:
    """What a command says. It is a process of its own, because the browser has the event loop of this one."""
    return subprocess.run([sys.executable, "-m", "idg", *arguments], check=True, capture_output=True, text=True).stdout


@pytest.fixture(scope="module")
def study(start_module_server: Any, tmp_path_factory: pytest.TempPathFactory) -> Any:
    """A server on which the study is open."""
    server = start_module_server(*UNLIMITED, "--log-level", "warning")
    file = tmp_path_factory.mktemp("study") / "spring.toml"
    file.write_text(DEFINITION, encoding="utf-8")
    idg("study", "open", str(file), "--data", str(server.data))
    server.definition = file
    return server


def begin(visitor: Visitor, pid: str) -> str:
    """From the link to the tutorial; returns the variant."""
    page = visitor.page
    visitor.go(f"/study/spring?pid={pid}")
    expect(page.get_by_role("heading", name="How people find facts", level=1)).to_be_visible()
    stored = page.get_by_role("region", name="What is stored about you").get_by_role("listitem").all_inner_texts()
    assert [item.replace("’", "'") for item in stored] == list(STORED)
    expect(page.get_by_text("What is stored is deleted 30 days after you began or finished")).to_be_visible()
    visitor.button("Begin").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_have_text("Tick the box first.")
    page.get_by_role("checkbox").check()
    assert visitor.axe() == []
    visitor.button("Begin").click()
    page.get_by_role("group", name="How much have you programmed before?").get_by_role("radio", name="a lot").check()
    visitor.button("Go on").click()
    expect(page.get_by_role("heading", name="Tutorial Step 1 of 5")).to_be_visible()
    expect(visitor.entry).to_be_visible()
    return "code" if visitor.region("Program").count() else "trace"


def learn(visitor: Visitor) -> None:
    """Through the tutorial, whose game counts nowhere."""
    visitor.type("n <= cnt")
    for step in (2, 3, 4, 5):
        visitor.button("Next").click()
        expect(visitor.page.get_by_role("heading", name=f"Tutorial Step {step} of 5")).to_be_visible()
    visitor.button("To the levels").click()
    expect(visitor.page.get_by_role("heading", name="Levels", level=1)).to_be_visible()
    assert visitor.axe() == []
    visitor.page.get_by_role("link", name="Play level 1").click()
    expect(visitor.page.get_by_role("heading", name="Level 1 of 2")).to_be_visible()
    expect(visitor.entry).to_have_value("")


def finish(visitor: Visitor) -> str:
    """To the completion code."""
    page = visitor.page
    page.get_by_role("link", name="Finish").first.click()
    page.get_by_role("group", name="It was fun.").get_by_role("radio", name="5").check()
    page.get_by_label("Anything else?").fill("It was good.")
    assert visitor.axe() == []
    visitor.button("Send and finish").click()
    expect(page.get_by_role("heading", name="Thank you!")).to_be_visible()
    code = page.locator(".code").inner_text()
    visitor.go("/study/spring?pid=other")
    expect(page.get_by_text("somebody else takes part", exact=False)).to_be_visible()
    visitor.go("/level/multiply")
    expect(page.get_by_role("heading", name="Thank you!")).to_be_visible()
    assert page.locator(".code").inner_text() == code
    return code


def play_with_code(visitor: Visitor) -> None:
    visitor.inputs(n="2", m="3")
    visitor.propose("res = n * cnt", "Proved: res = n * cnt")
    # Whoever comes back by the link, or goes astray, is where they were.
    visitor.go("/")
    visitor.page.get_by_role("link", name="Play level 1").click()
    visitor.type("cnt <= m")
    visitor.page.keyboard.press("Enter")
    expect(visitor.page.get_by_role("heading", name="Proved.")).to_be_visible()
    assert not visitor.page.get_by_role("link", name=re.compile("All players|Next:")).count(), "nothing leads out of the study"
    visitor.page.get_by_role("link", name="Go on").click()
    expect(visitor.page.get_by_role("heading", name="Level 2 of 2")).to_be_visible()
    expect(visitor.button(re.compile("Hint"))).to_have_count(0)


def play_without_code(visitor: Visitor) -> None:
    page = visitor.page
    visitor.inputs(n="2", m="3")
    visitor.propose("res = n * cnt", "Accepted: res = n * cnt")
    visitor.propose("cnt = cnt", "Not accepted: cnt = cnt")
    page.reload()
    visitor.propose("cnt <= m", "Accepted: cnt <= m")
    accepted = visitor.region("Accepted facts")
    assert accepted.locator(".fact").all_inner_texts() == ["res = n * cnt", "cnt <= m"]
    expect(accepted.get_by_text("20 points")).to_be_visible()
    assert visitor.axe() == []
    page.get_by_role("link", name="All levels").click()
    expect(page.get_by_role("listitem").filter(has_text="Level 1").get_by_text("begun")).to_be_visible()
    page.get_by_role("link", name="Level 2").click()
    expect(page.get_by_role("heading", name="Level 2 of 2")).to_be_visible()


def secrets() -> list[str]:
    """Texts that would give the programs away."""
    told = []
    for level in map(find_level, ("multiply", "summation")):
        assert level is not None
        lines = [line.strip() for line in level.source.splitlines() if len(line.strip()) > 5]
        told += [*lines, level.text, level.title, level.id]
    return told


def test_taking_part_in_both_arms_and_simulated_participants_leave_the_same_kinds_of_rows(
    visit: VisitorMaker, study: Any, tmp_path: Path
) -> None:
    codes: dict[str, str] = {}
    for number in (1, 2):
        visitor = visit(study.url)
        variant = begin(visitor, f"person-{number}")
        learn(visitor)
        if variant == "code":
            play_with_code(visitor)
        else:
            play_without_code(visitor)
            # What these routes tell is held by tests/coordinator/classes/test_studies.py: nothing of the program.
            others = [call for call in visitor.calls() if not re.match(r"(GET|POST) /api/(studies/|logs$)", call)]
            assert others == [], "nothing else is asked for in the arm without code"
            shown = visitor.page.locator("body").inner_text()
            assert not [secret for secret in secrets() if secret in shown]
        codes[variant] = finish(visitor)
        visitor.close()
    assert set(codes) == {"code", "trace"}
    assert codes["code"] != codes["trace"]

    told_by = ("--players", "4", "--attempts", "1", "--win", "0.99", "0.99")
    idg("study", "simulate", str(study.definition), "--url", study.url, *told_by)
    kinds: dict[tuple[str, bool], set[str]] = defaultdict(set)
    origins: dict[tuple[str, bool], set[str]] = defaultdict(set)
    for more in ((), ("--logs",)):
        output = tmp_path / "rows.jsonl"
        idg("export", "--with-ids", "--data", str(study.data), "-o", str(output), *more)
        for row in map(json.loads, output.read_text(encoding="utf-8").splitlines()):
            if row["study"] == "spring" and row["participant"]:
                who = (row["arm"], row["participant"].startswith("person-"))
                kinds[who].add(row["kind"])
                if row["kind"] == "traced":
                    origins[who].add(row["body"]["origin"])
                if row["kind"] in ("active", "typing", "opened", "shown") and row.get("purpose") != "tutorial":
                    level = row["body"].get("level")
                    assert level in ("multiply", "summation", None), row
    for arm in ("code", "trace"):
        browser, simulated = kinds[arm, True] - BY_CHANCE, kinds[arm, False]
        assert "error" not in browser | simulated
        assert {"enrolled", "background", "tutorial", "opened", "active", "typing", "shown", "proposed", "answer"} <= browser
        assert browser - {"traced", "solved"} == simulated - {"traced", "solved"}
        assert "typed" in origins[arm, True]
    assert {"solved", "traced"} <= kinds["code", True]

    report = tmp_path / "spring.json"
    page = ("-o", str(tmp_path / "spring.html"), "--json", str(report), "--no-pooling")
    idg("study", "report", "spring", "--data", str(study.data), *page)
    shown = json.loads(report.read_text(encoding="utf-8"))
    assert sum(shown["enrolled"].values()) == 6
    assert "How much have you programmed before?" in (tmp_path / "spring.html").read_text(encoding="utf-8")


def test_on_a_phone_in_german_and_withdrawing(visit: VisitorMaker, study: Any, tmp_path: Path) -> None:
    visitor = visit(study.url, phone=True, dark=True, locale="de-DE")
    page = visitor.page
    visitor.go("/study/spring")
    expect(page.get_by_role("heading", name="Dein Link ist nicht vollständig")).to_be_visible()
    visitor.go("/study/spring?pid=leaving")
    expect(page.get_by_role("heading", name="Was über dich gespeichert wird")).to_be_visible()
    assert visitor.sideways() <= 0
    page.get_by_role("checkbox").check()
    visitor.button("Anfangen").click()
    visitor.button("Weiter").click()
    expect(page.get_by_role("heading", name=re.compile("Schritt 1 von 5"))).to_be_visible()
    expect(page.get_by_role("textbox", name="Deine Aussage", exact=True)).to_be_visible()
    assert visitor.sideways() <= 0
    visitor.button("Zurückziehen").click()
    assert visitor.axe() == []
    visitor.button("Zurückziehen und alles löschen").click()
    expect(page.get_by_role("heading", name="Du hast dich zurückgezogen")).to_be_visible()
    assert page.evaluate("JSON.parse(localStorage['idg.save']).study") == {}
    # Nothing is left that would keep the browser from playing as anybody else.
    visitor.go("/level/multiply")
    expect(page.get_by_role("textbox", name="Deine Aussage", exact=True)).to_be_visible()
    output = tmp_path / "logs.jsonl"
    idg("export", "--logs", "--with-ids", "--data", str(study.data), "-o", str(output))
    assert "leaving" not in output.read_text(encoding="utf-8")
