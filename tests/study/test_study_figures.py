"""The rules and figures of a study, on a log whose every figure was worked out by hand; statistics equal to scipy's."""

from __future__ import annotations

import json
import random
from math import inf

import pytest
from scipy import stats

from idg.sip.record import replace
from idg.study.activity import active_time, merged_sessions
from idg.study.analysis.figures import KINDS, kind_counts, prove_ratio, win_rate
from idg.study.analysis.pooled import proved_together
from idg.study.analysis.results import analyse
from idg.study.analysis.significance import chi_squared, difference_of_shares, mann_whitney, permutation_of_participants, wilson
from idg.study.analysis.survival import log_rank, survival_curve
from idg.study.cohort import Attempt, Cohort, build_cohort
from idg.study.definition import StudyRules
from idg.study.report.data import as_json, visits_csv
from idg.study.report.page import page
from idg.study.rows import RowError, StudyRow, read_rows
from tests.support.study.six_participants import START, definition, six_participants


def cohort(**options: bool) -> Cohort:
    return build_cohort(definition(), six_participants(), **options)


def visit(of: Cohort, participant: str, level: str) -> Attempt:
    [only] = [visit for visit in of.visits if (visit.participant, visit.level) == (participant, level)]
    return only


@pytest.mark.parametrize(
    ("participant", "level", "active", "raw", "sessions"),
    [
        ("p1", "multiply", 469.9, 619.9, 1),
        ("p1", "cube", 40.0, 10.0, 1),
        ("p1", "summation", 40.1, 10.1, 1),
        ("p2", "multiply", 150.0, 90.0, 2),
        ("p2", "cube", 30.0, 0.0, 1),
        ("p3", "multiply", 190.0, 160.0, 1),
        ("p3", "cube", 90.0, 60.0, 1),
        ("p4", "multiply", 90.0, 60.0, 1),
        ("p4", "summation", 90.0, 60.0, 1),
        ("p5", "multiply", 70.0, 40.0, 1),
        ("p6", "multiply", 45.0, 15.0, 1),
        ("p6", "cube", 1630.0, 1600.0, 1),
    ],
)
def test_active_time_by_hand(participant: str, level: str, active: float, raw: float, sessions: int) -> None:
    time = visit(cohort(), participant, level).time
    assert [time.seconds, time.raw_seconds, time.sessions] == pytest.approx([active, raw, sessions])


def test_breaks_are_listed_with_their_times() -> None:
    [idle] = visit(cohort(), "p1", "multiply").time.idle
    assert [idle.start - START, idle.end - START] == pytest.approx([319.9, 619.9])


def test_the_other_reading_of_sessions_adds_nothing_for_the_first() -> None:
    other = build_cohort(definition('[rules]\nsession_rule = "after-first"\n'), six_participants())
    assert visit(other, "p2", "multiply").time.seconds == 120
    assert visit(other, "p1", "multiply").time.seconds == pytest.approx(439.9)


def test_tabs_that_overlap_are_one_session_and_others_are_not() -> None:
    assert merged_sessions([(0, "a"), (10, "a"), (5, "b"), (20, "b"), (15, "c"), (40, "d")]) == [[0, 5, 10, 15, 20], [40]]
    assert active_time([], StudyRules()).seconds == 0


def test_who_counts_and_at_which_step_others_are_left_out() -> None:
    steps = [(step.left_out, step.remaining) for step in cohort().steps]
    assert steps == [((), 6), ((), 6), ((), 6), ((), 6), (("p6",), 5), (("p5",), 4)]
    assert cohort().arms == {"p1": "code", "p2": "code", "p3": "code", "p4": "trace"}
    assert [(long.participant, long.level) for long in cohort().long] == [("p6", "cube")]
    assert cohort(keep_long=True).arms == {"p1": "code", "p2": "code", "p3": "code", "p4": "trace", "p6": "trace"}


def test_what_counts_as_an_attempt() -> None:
    attempted = {(attempt.participant, attempt.level) for attempt in cohort().attempts}
    assert attempted == {
        *(("p1", "multiply"), ("p1", "summation"), ("p2", "multiply"), ("p3", "multiply"), ("p3", "cube")),
        *(("p4", "multiply"), ("p4", "summation")),
    }
    # By the other reading the 30 s of the session count, too, and so does the attempt of 10.0 s.
    other = build_cohort(definition('[rules]\nattempt_time = "active"\n'), six_participants())
    assert ("p1", "cube") in {(attempt.participant, attempt.level) for attempt in other.attempts}


def test_tutorials_agents_and_what_comes_after_the_solving_count_nowhere() -> None:
    six = cohort()
    assert (six.tutorial_rows, six.agent_rows) == (5, 2)
    assert visit(six, "p3", "cube").helped
    assert not visit(six, "p3", "cube").solved
    assert visit(six, "p1", "multiply").requests == 1


def test_the_win_rate_by_hand() -> None:
    code, trace = (win_rate(cohort(), arm) for arm in ("code", "trace"))
    assert code.attempted == 5
    assert code.times == pytest.approx((150.0, 190.0, 469.9))
    assert [code.rate(second) for second in (0, 149, 150, 189, 190, 469, 470, 1500)] == [0, 0, 0.2, 0.2, 0.4, 0.4, 0.6, 0.6]
    assert (trace.attempted, trace.solved, trace.rate(1500)) == (2, 1, 0.5)
    win = analyse(cohort()).win
    assert win is not None
    # Pairs of code and trace in which code is later: five against 90, and two ties of infinite ones.
    assert win.test.statistic == 6.0
    assert win.test.effect == pytest.approx(-0.2)
    assert win.difference == pytest.approx(0.1)
    assert [len(arm) for arm in win.grid] == [1501, 1501]
    assert [(arm.solved, arm.attempted) for arm in win.everybody] == [(3, 5), (1, 3)]


def test_kinds_by_hand() -> None:
    assert KINDS == ("non-invariant", "type-tautology", "displaced", "displaced-potential", "unknown", "potential", "inductive")
    assert kind_counts(cohort(), "code").counts == (1, 2, 1, 0, 1, 3, 3)
    assert kind_counts(cohort(), "trace").counts == (1, 0, 1, 0, 0, 0, 1)
    kinds = analyse(cohort()).kinds
    assert kinds is not None
    # 6 of 11 and 1 of 3 are useful: |6·2 - 5·1| = 7 is all taken away by Yates' N/2 = 7.
    assert (kinds.useful.statistic, kinds.useful.p, kinds.useful.effect) == (0.0, 1.0, 0.0)


def test_the_prove_ratio_by_hand() -> None:
    attempts = cohort().of_arm("code")
    assert prove_ratio(attempts).table == ((1, 0), (2, 2))
    assert [prove_ratio(attempts, level).table for level in ("multiply", "cube", "summation")] == [
        ((1, 0), (2, 0)),
        ((0, 0), (0, 1)),
        ((0, 0), (0, 1)),
    ]
    prove = analyse(cohort()).prove
    assert prove is not None
    assert (prove.arm, prove.share_with_request, prove.test.p) == ("code", 0.2, 1.0)


def test_levels_solved_alone_and_together() -> None:
    levels = analyse(cohort(), proved_together).levels
    assert levels is not None
    shown = {(level.arm, level.level): (level.attempted, level.solved, level.facts, level.collective) for level in levels}
    assert shown == {
        ("code", "multiply"): (3, 3, 4, True),
        ("code", "cube"): (1, 0, 1, False),
        ("code", "summation"): (1, 0, 1, False),
        ("trace", "multiply"): (1, 1, 2, False),
        ("trace", "cube"): (0, 0, 0, False),
        ("trace", "summation"): (1, 0, 1, False),
    }


def test_the_quickest_solving_is_told_and_quick_ones_are_warned_of() -> None:
    results = analyse(cohort())
    assert results.quickest is not None
    assert (results.quickest.participant, results.quickest.time.seen_seconds) == ("p4", 60)
    assert not results.quick
    [quick] = analyse(cohort(keep_long=True)).quick
    assert (quick.participant, quick.level) == ("p6", "multiply")


def test_survival_by_hand() -> None:
    code = survival_curve("code", cohort().of_arm("code"))
    trace = survival_curve("trace", cohort().of_arm("trace"))
    assert code is not None
    assert trace is not None
    steps = dict(zip(code.times, code.unsolved, strict=True))
    # The two unsolved attempts end before the first solving, so three are at risk then.
    assert [steps[time] for time in (150.0, 190.0)] == [pytest.approx(2 / 3), pytest.approx(1 / 3)]
    assert code.median == 190
    assert dict(zip(trace.times, trace.unsolved, strict=True))[90.0] == 0.5


def random_attempts(chance: random.Random, count: int) -> list[Attempt]:
    usual = cohort().attempts[0]
    return [
        replace(
            usual,
            participant=f"p{chance.randrange(count)}",
            solved=chance.random() < 0.6,
            time=replace(usual.time, seconds=float(chance.randrange(30, 200))),
        )
        for _ in range(count)
    ]


@pytest.mark.parametrize("seed", range(5))
def test_the_statistics_are_scipys(seed: int) -> None:
    chance = random.Random(seed)
    first, second = ([chance.choice([inf, float(chance.randrange(100))]) for _ in range(20)] for _ in range(2))
    clusters = [str(index // 2) for index in range(20)]
    own = mann_whitney(first, second, (clusters, clusters))
    scipys = stats.mannwhitneyu(first, second, alternative="two-sided", method="asymptotic", use_continuity=True)
    assert (own.statistic, own.p) == (scipys.statistic, scipys.pvalue)
    assert own.interval is not None
    assert own.effect is not None
    assert own.interval.low <= own.effect <= own.interval.high

    table = [[chance.randrange(1, 30) for _ in range(chance.choice([2, 4]))] for _ in range(1)]
    table.append([chance.randrange(1, 30) for _ in table[0]])
    chi = stats.chi2_contingency(table, correction=True)
    shown = chi_squared(table)
    assert shown.statistic == pytest.approx(chi.statistic)
    assert shown.p == pytest.approx(chi.pvalue)
    welch = stats.ttest_ind(table[0] * 3, table[1] * 3, equal_var=False).confidence_interval(0.95)
    means = permutation_of_participants(table[0] * 3, table[1] * 3).interval
    assert means is not None
    assert [means.low, means.high] == pytest.approx([welch.low, welch.high])
    association = stats.contingency.association(table, method="cramer", correction=True)
    assert shown.effect == pytest.approx(association)
    assert shown.interval is not None
    assert shown.interval.low <= association <= shown.interval.high

    # Our sums for the hazard ratio are those of the test: the statistic is the excess by its deviation.
    attempts, others = random_attempts(chance, 25), random_attempts(chance, 30)
    ranked = log_rank(attempts, others)
    assert ranked.statistic is not None
    assert ranked.effect is not None
    assert ranked.interval is not None
    assert (ranked.effect > 1) == (ranked.statistic > 0)
    assert (ranked.interval.low > 1 or ranked.interval.high < 1) == (abs(ranked.statistic) > stats.norm.ppf(0.975))


def test_intervals_of_shares_are_those_of_the_textbook() -> None:
    # Newcombe (1998), table II: 56/70 and 48/80 give 0.2 with 0.0524 to 0.3339.
    difference = difference_of_shares((56, 70), (48, 80))
    assert difference is not None
    assert difference[0] == pytest.approx(0.2)
    assert (round(difference[1].low, 4), round(difference[1].high, 4)) == (0.0524, 0.3339)
    assert wilson(0, 0) is None


def test_the_same_report_twice_byte_by_byte_in_whatever_order_the_rows_come() -> None:
    rows = six_participants()
    shuffled = rows.copy()
    random.Random(3).shuffle(shuffled)
    reports = [analyse(build_cohort(definition(), order)) for order in (rows, shuffled)]
    assert page(reports[0]) == page(reports[1])
    assert as_json(reports[0]) == as_json(reports[1])
    assert visits_csv(reports[0]) == visits_csv(reports[1])


def test_the_report_prints_every_threshold_exclusion_and_reading() -> None:
    text = page(analyse(cohort()))
    for told in ("300", "120", "30", "1500", "reading: each", "reading: seen", "p5", "p6", "no data", "0.600"):
        assert told in text, told
    assert "<script" not in text
    assert "://" not in text.replace("http://www.w3.org/", ""), "nothing is loaded from elsewhere"
    shown = json.loads(as_json(analyse(cohort())))
    assert shown["win_rate"]["at_end"] == [0.6, 0.5]
    assert shown["analysed"] == {"code": 3, "trace": 1}
    assert len(visits_csv(analyse(cohort())).splitlines()) == 1 + 12


@pytest.mark.parametrize("kept", [(), ("p5",), ("p4", "p5")])
def test_a_report_of_next_to_nothing_says_so(kept: tuple[str, ...]) -> None:
    rows = [row for row in six_participants() if row.participant in kept]
    text = page(analyse(build_cohort(definition(), rows)))
    assert "Nobody in the arm code is analysed" in text
    assert "cannot be computed" in text


def test_a_participant_who_withdrew_is_left_out() -> None:
    rows = [*six_participants(), StudyRow("six", "p2", "code", False, "", "", START + 9000, "withdrawn", {})]
    assert "p2" not in build_cohort(definition(), rows).arms


def test_answers_before_and_after_are_counted_and_the_first_of_each_participant_count() -> None:
    asked = definition('[[question]]\nid = "age"\ntext = "How old?"\nkind = "choice"\nchoices = ["young", "old"]\nwhen = "start"\n')
    answers = [
        ("p1", "background", "old"),
        ("p2", "background", "young"),
        ("p1", "background", "young"),
        ("p4", "background", "old"),
    ]
    arms = {"p1": "code", "p2": "code", "p4": "trace"}
    rows = [
        StudyRow("six", participant, arms[participant], False, "", "", START + 9000 + index, kind, {"age": age})
        for index, (participant, kind, age) in enumerate(answers)
    ]
    text = page(analyse(build_cohort(asked, [*six_participants(), *rows])))
    assert "<th scope=row>How old?</th><td>before</td><td>young</td><td>1</td><td>0</td>" in text
    assert "<th scope=row>How old?</th><td>before</td><td>old</td><td>1</td><td>1</td>" in text
    assert "<th scope=row>It was fun.</th><td>after</td><td>4</td><td>0</td><td>1</td>" in text


def test_a_file_that_is_no_export_is_refused_with_its_line() -> None:
    with pytest.raises(RowError, match=r"events\.jsonl, line 2: this is no line of 'idg export'"):
        read_rows(["", '{"kind": "proposed"}'], "events.jsonl")
