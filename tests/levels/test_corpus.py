"""Programs from outside, if they are there: they parse, check, print and run, and keep their guarantee unless they are wrong."""

from __future__ import annotations

import json
import random
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from idg.sip.limits import RunLimits
from idg.sip.program import load
from idg.sip.text.formatter import format_program
from idg.sip.text.parser import parse_program
from idg.sip.text.printer import print_program
from tests.support.programs.drawn.run_inputs import seeded_inputs

FOLDER = Path(__file__).parents[3] / "shared" / "corpus"
RUNS = 200
"""Seeded runs of each program that has inputs or choices."""
VIOLATION_RUNS_MAX = 20_000
"""Seeded runs within which a wrong program must violate its guarantee."""
LIMITS = RunLimits(steps_max=2_000, rows_max=2_000)
"""Limits of a seeded run, so that an endless one ends soon."""

pytestmark = pytest.mark.skipif(not FOLDER.is_dir(), reason="the corpus is not beside the project")


@cache
def entries(name: str) -> list[dict[str, Any]]:
    result: list[dict[str, Any]] = json.loads((FOLDER / f"{name}.json").read_text())
    return result


SUITES = pytest.mark.parametrize(("suite", "size"), [("nla", 28), ("invgame", 16), ("code2inv", 133)])


@SUITES
def test_every_program_parses_checks_and_prints(suite: str, size: int) -> None:
    assert len(entries(suite)) == size
    for entry in entries(suite):
        program = load(entry["sip"])
        printed = print_program(program.module)
        assert parse_program(printed) == program.module, entry["id"]
        assert format_program(entry["sip"]) == printed, entry["id"]
        names = {name: str(kind) for name, kind in program.info.level.variables.items()}
        assert names == {variable["name"]: variable["type"] for variable in entry["variables"]}, entry["id"]
        assert len(program.loops) == entry["n_loops"], entry["id"]


@SUITES
def test_every_known_invariant_is_an_expression_of_its_loop(suite: str, size: int) -> None:
    count = 0
    for entry in entries(suite):
        program = load(entry["sip"])
        for known in entry["known_invariants"]:
            program.expression(known["expr"], known["loop"])
            count += 1
    assert count > size


@SUITES
def test_the_guarantee_holds_on_seeded_runs_of_programs_that_are_not_wrong(suite: str, size: int) -> None:
    returned = 0
    for entry in entries(suite):
        if entry["valid"] is False:
            continue
        program = load(entry["sip"])
        rng = random.Random(entry["id"])
        runs = RUNS if program.params or entry["nondeterministic"] else 1
        for seed, inputs in enumerate(seeded_inputs(rng, program, runs)):
            limits = LIMITS if runs > 1 else RunLimits()
            run = program.run(inputs, limits=limits, seed=seed, record=False)
            assert run.outcome.kind != "failed", f"{entry['id']} with {inputs}: {run.message}"
            returned += run.outcome.kind == "returned"
    assert returned > size


def test_a_violating_run_is_found_for_each_wrong_program() -> None:
    wrong = [entry for suite in ("nla", "invgame", "code2inv") for entry in entries(suite) if entry["valid"] is False]
    assert len(wrong) == 9
    for entry in wrong:
        program = load(entry["sip"])
        rng = random.Random(entry["id"])
        for seed, inputs in enumerate(seeded_inputs(rng, program, VIOLATION_RUNS_MAX)):
            run = program.run(inputs, limits=LIMITS, seed=seed, record=False)
            if run.outcome.kind == "failed":
                assert run.outcome.cause == "assert", f"{entry['id']}: {run.message}"
                break
        else:
            pytest.fail(f"{entry['id']}: no violation in {VIOLATION_RUNS_MAX} runs")


def test_published_invariants_that_are_false_fail_on_some_row() -> None:
    refuted = total = 0
    for suite in ("nla", "invgame", "code2inv"):
        for entry in entries(suite):
            program = load(entry["sip"])
            rng = random.Random(entry["id"])
            runs = [program.run(inputs, limits=LIMITS, seed=seed) for seed, inputs in enumerate(seeded_inputs(rng, program, 150))]
            for false in entry["false_on_some_run"]:
                total += 1
                expr = program.expression(false)[0]
                refuted += any(value is not True for run in runs for value in run.trace.values(expr))
    assert total > 0
    assert refuted == total, f"{refuted} of {total}"
