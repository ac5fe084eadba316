"""Definitions of studies: what is accepted, and that everything wrong is said at once; the arms; the texts made from one."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from idg.levels import all_levels
from idg.sip.record import replace
from idg.study.analysis.power import participants_for, plan, power_of, smallest_difference
from idg.study.arms import assigned_arm
from idg.study.definition import DefinitionError, StudyRules, read_definition
from idg.study.texts import METRIC_TEXTS, new_definition, preregistration
from tests.support.study.six_participants import TOML, definition

LEVELS = {level.id for level in all_levels()}


def problems(text: str) -> list[str]:
    with pytest.raises(DefinitionError) as raised:
        read_definition(text, LEVELS)
    return raised.value.problems


def test_a_new_definition_is_right_and_has_the_papers_rules() -> None:
    new = read_definition(new_definition("mine", 7), LEVELS)
    assert (new.name, new.seed, new.alpha, new.hints, new.tutorial) == ("mine", 7, 0.05, False, True)
    assert new.rules == StudyRules(300, 120, 30, "each", 10, "seen", 1500, 20)
    commented = new_definition("mine", 7).replace("# [rules]", "[rules]")
    for rule in StudyRules.__match_args__:
        commented = commented.replace(f"# {rule} =", f"{rule} =")
    assert read_definition(commented, LEVELS) == new, "the comments tell the defaults"


def test_the_papers_own_study_is_an_example() -> None:
    text = (Path(__file__).parents[2] / "examples" / "study" / "paper.toml").read_text(encoding="utf-8")
    paper = read_definition(text, LEVELS)
    assert set(paper.levels) == {level.id for level in all_levels() if level.paper}
    assert (len(paper.levels), paper.alpha, paper.rules) == (12, 0.05, StudyRules())


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (('"multiply"', '"multiplied"'), "levels: there is no level 'multiplied' (idg levels lists them)"),
        (('"cube"', '"multiply"'), "levels: 'multiply' is named twice"),
        (('"six"', '"six of us"'), "name: 'six of us' is not a name; use letters, digits, '_' and '-', at most 40 of them"),
        (('variant = "trace"', 'variant = "graph"'), "arm 2: variant has to be one of code, trace"),
        (('name = "trace"', 'name = "code"'), "arm: both arms are called 'code'"),
        (('kind = "scale"', 'kind = "choice"'), "question 1: a question of the kind 'choice' needs 2 to 12 choices, each a text"),
        (('version = "1"', ""), "consent: version is missing; it is a text"),
        (('name = "six"', 'name = "six"\nalpha = 2'), "the study: alpha has to be a number from 0.0001 to 0.5"),
        (('name = "six"', 'name = "six"\nhints = "no"'), "the study: hints has to be true or false"),
        (('"six"', '"six"\nblock = 3'), "block: 3 participants cannot have the shares 1 : 1; it has to be a multiple of 2"),
        (('name = "six"', 'name = "six"\nmetrics = ["luck"]'), f"metrics: a list of some of {', '.join(METRIC_TEXTS)}"),
        (("share = 1", "share = 0"), "arm 1: share has to be a whole number from 1 to 100"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said(change: tuple[str, str], told: str) -> None:
    assert told in problems(TOML.replace(*change))


def test_everything_wrong_is_said_at_once() -> None:
    told = problems('[rules]\ngap_seconds = "long"\nluck = 3\n')
    assert [problem.split(":")[0] for problem in told] == ["the study", "arm", "levels", "consent", "rules", "rules"]
    assert problems("name = ")[0].startswith("this is not TOML")


def test_blocks_are_balanced_and_chance_is_fair_and_both_can_be_repeated() -> None:
    blocked = replace(definition(), block=4)
    arms = [assigned_arm(blocked, number) for number in range(40)]
    assert all(Counter(arms[start : start + 4]) == {"code": 2, "trace": 2} for start in range(0, 40, 4))
    assert arms == [assigned_arm(blocked, number) for number in range(40)]
    assert arms != [assigned_arm(replace(blocked, seed=1), number) for number in range(40)]
    by_chance = Counter(assigned_arm(definition(), number) for number in range(2_000))
    assert 900 < by_chance["code"] < 1_100
    uneven = replace(definition(), block=8, arms=(replace(definition().arms[0], share=3), definition().arms[1]))
    assert Counter(assigned_arm(uneven, number) for number in range(8)) == {"code": 6, "trace": 2}


def test_the_preregistration_says_what_is_fixed() -> None:
    text = preregistration(replace(definition(), block=4, minutes=45))
    for told in (
        "alpha = 0.05",
        "balanced blocks of 4",
        "multiply, cube, summation",
        "at most 45 minutes",
        "without hints",
        "300 s",
        "1500 s",
    ):
        assert told in text, told
    for metric in METRIC_TEXTS.values():
        assert metric in text


def test_power_is_that_of_the_textbook() -> None:
    # Fleiss, Levin and Paik: 0.6 against 0.5 at alpha 0.05 needs 388 (power 0.8) and 519 (power 0.9) in each arm.
    planned = plan(0.6, 0.5)
    assert participants_for(planned, 0.8) == pytest.approx(388, abs=1)
    assert participants_for(planned, 0.9) == pytest.approx(519, abs=1)
    # Alike attempts are worth less, and several are worth more than one.
    alike = plan(0.6, 0.5, attempts=4, likeness=0.3)
    assert alike.design_effect == pytest.approx(1.9)
    assert participants_for(alike, 0.8) == pytest.approx(388 * 1.9 / 4, abs=1)
    assert power_of(planned, 388) == pytest.approx(0.8, abs=0.005)
    assert participants_for(plan(0.5, 0.5), 0.8) is None
    assert power_of(plan(0.5, 0.5), 1_000) == pytest.approx(0.05, abs=0.001)
    smallest = smallest_difference(planned, 388, 0.8)
    assert smallest is not None
    assert smallest == pytest.approx(0.1, abs=0.005)
