"""What the C reader once took for something else: now it is read as gcc reads it, or refused."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from idg.importer import ImportRefused, import_c
from idg.sip.program import load
from tests.support.programs.c.c_traps import FAILING, HOLDING
from tests.support.waiting import HANG_SECONDS

GCC = shutil.which("gcc")
PRELUDE = """
extern void exit(int); extern int putchar(int);
#define assert(e) ((e) ? (void) 0 : exit(66))
#define reach_error() exit(66)
#define assume_(e) ((e) ? (void) 0 : exit(77))
"""


def outcome(text: str) -> str:
    """How the SIP program ends, or that the text is refused."""
    try:
        imported = import_c(text)
    except ImportRefused:
        return "refused"
    return load(imported.source).run().outcome.kind


@pytest.mark.parametrize("name", FAILING)
def test_a_failing_program_fails_or_is_refused(name: str) -> None:
    assert outcome(FAILING[name]) in ("refused", "failed")


@pytest.mark.parametrize("name", HOLDING)
def test_a_right_program_is_read(name: str) -> None:
    assert outcome(HOLDING[name]) == "returned"


@pytest.mark.skipif(GCC is None, reason="there is no gcc here")
@pytest.mark.parametrize("name", [*FAILING, *HOLDING])
def test_gcc_says_the_same(name: str, tmp_path: Path) -> None:
    text = FAILING.get(name) or HOLDING[name]
    text = re.sub(r"\bassume\((?!int)", "assume_(", text) if "void assume" not in text else text
    (tmp_path / "a.c").write_text(PRELUDE + text, encoding="utf-8")
    compiled = subprocess.run(
        ["gcc", "-w", "-fwrapv", "-fno-builtin", "-o", "a", "a.c"], cwd=tmp_path, capture_output=True, text=True
    )
    assert compiled.returncode == 0, compiled.stderr
    run = subprocess.run([tmp_path / "a"], capture_output=True, timeout=HANG_SECONDS)
    ignored = "an unknown that is known"
    assert (run.returncode == 66) == (name in FAILING and name != ignored), run.returncode
