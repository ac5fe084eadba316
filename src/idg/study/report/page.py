"""The report as one HTML page: nothing is loaded from elsewhere, and it can be printed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from html import escape

from idg import __version__
from idg.engine.version import engine_version
from idg.study.analysis.figures import KINDS
from idg.study.analysis.results import GRID_SECONDS, StudyResults, arm_names
from idg.study.analysis.significance import RESAMPLES, SEED, SignificanceTest
from idg.study.cohort import Attempt
from idg.study.report import plots
from idg.study.report.numbers import interval, p_value, percent, seconds, share, verdict
from idg.study.report.style import STYLE
from idg.study.texts import METRIC_TEXTS, rule_sentences

GRID_STEP = 100
"""The win rate is printed for every so many seconds; the JSON has each."""
SMALL_NUMBER = re.compile(r"[\d.]+e[-+]\d+")
"""A number with an exponent, which must not be broken at its sign."""
LISTED_MAX = 40
"""How many participants are named where a list might be long; the JSON has all."""


def page(results: StudyResults) -> str:
    """The whole page."""
    definition = results.cohort.definition
    sections = (
        _summary(results),
        _people(results),
        _win(results),
        _survival(results),
        _kinds(results),
        _prove(results),
        _levels(results),
        _answers(results),
        _methods(results),
    )
    title = escape(definition.title)
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{title}: report</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<main>\n"
        f"<h1>{title}</h1>\n<p class=note>Report of the study <code>{escape(definition.name)}</code>, made by IDG "
        f"{__version__}.</p>\n" + "\n".join(filter(None, sections)) + "\n</main>\n</body>\n</html>\n"
    )


# parts of a page


def _section(title: str, *parts: str) -> str:
    return f"<section>\n<h2>{escape(title)}</h2>\n" + "\n".join(filter(None, parts)) + "\n</section>"


def _table(head: Sequence[str], rows: Iterable[Sequence[object]], caption: str = "") -> str:
    """The first cell of a row is its heading."""
    lines = [f"<tr><th scope=row>{escape(str(row[0]))}</th>{''.join(_cell(cell) for cell in row[1:])}</tr>" for row in rows]
    titles = "".join(f"<th scope=col>{escape(title)}</th>" for title in head)
    told = f"<caption>{escape(caption)}</caption>" if caption else ""
    return f"<div class=wide><table>{told}<thead><tr>{titles}</tr></thead><tbody>\n" + "\n".join(lines) + "\n</tbody></table></div>"


def _cell(value: object) -> str:
    if isinstance(value, str) and SMALL_NUMBER.fullmatch(value):
        return f"<td class=number>{value}</td>"
    return f"<td>{escape(f'{value:,}' if isinstance(value, int) and not isinstance(value, bool) else str(value))}</td>"


def _paragraph(text: str, kind: str = "") -> str:
    return f"<p{f' class={kind}' if kind else ''}>{escape(text)}</p>"


def _figure(svg: str, caption: str) -> str:
    return f"<figure>\n{svg}\n<figcaption>{escape(caption)}</figcaption>\n</figure>"


def _tests(tests: Sequence[tuple[str, SignificanceTest]], alpha: float) -> str:
    def row(what: str, test: SignificanceTest) -> tuple[str, ...]:
        statistic = "–" if test.statistic is None else f"{test.statistic:,.3f}"
        sizes = " / ".join(f"{size:,}" for size in test.n)
        effect = f"{test.effect_name} {share(test.effect)}" if test.effect is not None else "–"
        return what, test.name, sizes, statistic, p_value(test.p), effect, interval(test.interval), verdict(test, alpha)

    head = ("what", "test", "n", "statistic", "p", "effect size", "95 % interval", "verdict")
    notes = [f"{what}: {test.note}." for what, test in tests if test.note and test.p is not None]
    return _table(head, [row(what, test) for what, test in tests]) + "".join(_paragraph(note, "note") for note in notes)


# sections


def _summary(results: StudyResults) -> str:
    cohort, win, kinds, prove = results.cohort, results.win, results.kinds, results.prove
    names = arm_names(cohort)
    items = []
    analysed = " and ".join(f"{_count(cohort.arms.values(), arm)} in {arm}" for arm in names)
    items.append(f"{len(cohort.arms):,} of {len(cohort.enrolled):,} participants are analysed: {analysed}.")
    alpha = cohort.definition.alpha
    if win is not None:
        rates = " and ".join(f"{percent(rate)} ({arm})" for arm, rate in zip(names, win.at_end, strict=True))
        items.append(f"Win rate at {GRID_SECONDS:,} s: {rates}; p = {p_value(win.test.p)}: {verdict(win.test, alpha)}.")
    if kinds is not None:
        test = kinds.all_kinds
        items.append(f"Kinds of proposals: p = {p_value(test.p)}, V = {share(test.effect)}: {verdict(test, alpha)}.")
    if prove is not None:
        test = prove.test
        items.append(
            f"Prove ratio with a trace request and without: p = {p_value(test.p)}, V = {share(test.effect)}: "
            f"{verdict(test, alpha)}."
        )
    warnings = [_paragraph(text, "warning") for text in _warnings(results)]
    return _section("Summary", "<ul>" + "".join(f"<li>{escape(item)}</li>" for item in items) + "</ul>", *warnings)


def _warnings(results: StudyResults) -> list[str]:
    cohort, rules = results.cohort, results.cohort.definition.rules
    warnings = []
    if results.quick:
        warnings.append(
            f"{len(results.quick)} solving(s) took less than {rules.quick_seconds:g} s between signs of life: "
            + ", ".join(
                f"{visit.participant} on {visit.level} ({visit.time.seen_seconds:g} s)" for visit in results.quick[:LISTED_MAX]
            )
        )
    for arm in arm_names(cohort):
        if not _count(cohort.arms.values(), arm):
            warnings.append(f"Nobody in the arm {arm} is analysed, so nothing can be compared.")
    if cohort.keep_long and cohort.long:
        warnings.append("Participants with long times are kept, as the analyst asked for; the study's rule leaves them out.")
    return warnings


def _count(arms: Iterable[str], arm: str) -> int:
    return sum(name == arm for name in arms)


def _people(results: StudyResults) -> str:
    cohort = results.cohort
    names = arm_names(cohort)
    enrolled = _table(
        ("arm", "enrolled", "analysed", "attempted levels"),
        [(arm, _count(cohort.enrolled.values(), arm), _count(cohort.arms.values(), arm), len(cohort.of_arm(arm))) for arm in names],
    )
    steps = _table(
        ("only those who", "left out", "remaining", "who"),
        [(step.reason, len(step.left_out), step.remaining, _listed(step.left_out)) for step in cohort.steps],
        f"Exclusions, in this order, of {len(cohort.enrolled):,} participants",
    )
    not_attempted = [visit for visit in cohort.visits if visit.participant in cohort.arms and not visit.counts]
    parts = [
        enrolled,
        steps,
        _paragraph(
            f"Left out besides: {len(not_attempted):,} opened level(s) of analysed participants that were not attempted, "
            f"{cohort.tutorial_rows:,} row(s) of tutorial rooms, {cohort.agent_rows:,} row(s) of agents, {cohort.batches:,} "
            "proposal(s) "
            f"of many facts at once, {sum(visit.helped for visit in cohort.visits):,} level(s) proved with a part of somebody else."
        ),
    ]
    if cohort.long:
        parts.append(_long(cohort.long, cohort.definition.rules.long_seconds))
    if results.quickest is not None:
        quick = results.quickest
        parts.append(
            _paragraph(
                f"The quickest solving: {quick.participant} on {quick.level}, {quick.time.seen_seconds:g} s between signs of life "
                f"({seconds(quick.time.seconds)} active)."
            )
        )
    return _section("Who and what counts", *parts)


def _listed(participants: Sequence[str]) -> str:
    more = len(participants) - LISTED_MAX
    return ", ".join(participants[:LISTED_MAX]) + (f" and {more:,} more" if more > 0 else "") or "–"


def _long(visits: Sequence[Attempt], bound: float) -> str:
    def clock(time: float) -> str:
        return f"{datetime.fromtimestamp(time, UTC):%Y-%m-%d %H:%M:%S}"

    rows = [
        (
            visit.participant,
            visit.level,
            seconds(visit.time.seconds),
            seconds(visit.time.raw_seconds),
            "; ".join(f"{clock(idle.start)} for {idle.seconds:,.0f} s" for idle in visit.time.idle) or "none",
        )
        for visit in visits
    ]
    head = ("participant", "level", "active", "unadjusted", "breaks (UTC)")
    return _table(head, rows, f"More than {bound:g} s active on one level")


def _win(results: StudyResults) -> str:
    win, cohort = results.win, results.cohort
    if win is None:
        return ""
    alpha = cohort.definition.alpha
    rows = []
    for arm, rate, bounds in zip(win.arms, win.at_end, win.intervals, strict=True):
        raw = sum(attempt.time.raw_seconds for attempt in cohort.of_arm(arm.arm))
        active = sum(attempt.time.seconds for attempt in cohort.of_arm(arm.arm))
        rows.append((arm.arm, arm.attempted, arm.solved, share(rate), interval(bounds), seconds(active), seconds(raw)))
    head = ("arm", "attempted", "solved", f"W({GRID_SECONDS:,} s)", "95 % interval", "active time", "unadjusted")
    grid = [(f"{second:,} s", *(share(arm[second]) for arm in win.grid)) for second in range(0, GRID_SECONDS + 1, GRID_STEP)]
    everybody = ", ".join(f"{arm.arm} {arm.solved} of {arm.attempted}" for arm in win.everybody)
    difference = (
        _paragraph(
            f"Difference of the win rates: {share(win.difference)}, 95 % interval {interval(win.difference_interval)} (Newcombe)."
        )
        if win.difference is not None
        else ""
    )
    return _section(
        "Win rate",
        _figure(plots.win_plot(win), "The share of attempted levels that were solved within so much active time, W(t) = S(t) / A."),
        _table(head, rows),
        difference,
        _tests(
            (
                ("times of solving, one for each attempted level", win.test),
                ("share solved of each participant", win.by_participant),
                ("as the first, of everybody who attempted a level", win.everybody_test),
            ),
            alpha,
        ),
        _paragraph(
            "The first test is the paper's: one value for each attempted level, infinite where it was not solved. It takes the "
            "attempts of a participant for independent, which they hardly are. The second one has one value for each participant. "
            "The third one is the first without the rule that only those count who solved something, because that rule depends on "
            "the outcome: " + everybody + ".",
            "note",
        ),
        "<details><summary>W(t) as a table</summary>" + _table(("t", *(arm.arm for arm in win.arms)), grid) + "</details>",
    )


def _survival(results: StudyResults) -> str:
    survival, cohort = results.survival, results.cohort
    if survival is None:
        return ""
    rows = [
        (arm, "–" if curve is None else share(curve.unsolved[-1]), "not reached" if curve is None else _median(curve.median))
        for arm, curve in zip(arm_names(cohort), survival.curves, strict=True)
    ]
    return _section(
        "Survival curves",
        _figure(
            plots.survival_plot(survival),
            "Kaplan-Meier estimate of the share that is not solved yet, with a pointwise 95 % band (log-log). Attempts that ended "
            "without a solution are censored at their last sign of life.",
        ),
        _table(("arm", "unsolved after the last solving", "median time of solving"), rows),
        _tests((("curves of both arms", survival.test),), cohort.definition.alpha),
    )


def _median(value: float | None) -> str:
    return "not reached" if value is None else seconds(value)


def _kinds(results: StudyResults) -> str:
    kinds = results.kinds
    if kinds is None:
        return ""
    rows = [
        (
            kind,
            *(
                text
                for arm in kinds.arms
                for text in (f"{arm.counts[index]:,}", percent(arm.shares[index] if arm.shares else None))
            ),
        )
        for index, kind in enumerate(KINDS)
    ]
    rows.append(("all", *(text for arm in kinds.arms for text in (f"{arm.total:,}", ""))))
    head = ("kind", *(text for arm in kinds.arms for text in (arm.arm, "share")))
    tests = (("all kinds", kinds.all_kinds), ("useful (inductive or potential) or not", kinds.useful))
    return _section(
        "Kinds of proposals",
        _figure(
            plots.kinds_plot(kinds),
            "Share of each kind among all proposals of analysed participants, as judged when they were made.",
        ),
        _table(head, rows),
        _tests(tests, results.cohort.definition.alpha),
        _paragraph("The paper leaves open whether all kinds or useful and others are compared; both are printed.", "note"),
    )


def _prove(results: StudyResults) -> str:
    prove = results.prove
    if prove is None:
        return ""

    def ratio(solved: int, attempted: int) -> str:
        return f"{solved} / {attempted}" if attempted else "no data"

    rows = [
        (
            level.level or "all levels",
            ratio(level.with_solved, level.with_attempted),
            ratio(level.without_solved, level.without_attempted),
        )
        for level in (*prove.levels, prove.total)
    ]
    difference = (
        _paragraph(
            f"Difference of the ratios: {share(prove.difference)}, 95 % interval {interval(prove.difference_interval)} (Newcombe)."
        )
        if prove.difference is not None
        else ""
    )
    return _section(
        "Prove ratio and trace requests",
        _figure(
            plots.prove_plot(prove),
            f"Solved of attempted levels in the arm {prove.arm}, with at least one typed trace request and without.",
        ),
        _table(("level", "with a request", "without"), rows, "Solved / attempted"),
        difference,
        _tests((("request and solved, over all levels", prove.test),), results.cohort.definition.alpha),
        _paragraph(
            f"Attempts with a typed request: {percent(prove.share_with_request)}, 95 % interval {interval(prove.share_interval)}."
        ),
    )


def _levels(results: StudyResults) -> str:
    levels, cohort = results.levels, results.cohort
    if levels is None:
        return ""
    names = {None: "not computed", True: "proved", False: "not proved"}
    rows = [
        (level.level, level.arm, level.attempted, level.solved, level.proposals, level.facts, names[level.collective])
        for level in levels
    ]
    totals = []
    for arm in arm_names(cohort):
        own = [level for level in levels if level.arm == arm]
        alone = sum(level.solved > 0 for level in own)
        together = sum(level.collective is True for level in own)
        computed = any(level.collective is not None for level in own)
        told = f", and {together} together" if computed else ""
        totals.append(_paragraph(f"{arm}: {alone} of {len(own)} levels were solved by at least one participant alone{told}."))
    head = ("level", "arm", "attempted", "solved alone", "proposals", "different facts", "together")
    return _section("Levels solved", *totals, _table(head, rows))


def _answers(results: StudyResults) -> str:
    cohort = results.cohort
    questions = [question for question in cohort.definition.questions if question.kind != "text"]
    if not questions or not cohort.answers:
        return ""
    rows = []
    for question in questions:
        choices = question.choices if question.kind == "choice" else tuple(map(str, range(1, 6)))
        for choice in choices:
            counts = [
                sum(str(row.body.get(question.id, "")) == choice for row in cohort.answers if row.arm == arm)
                for arm in arm_names(cohort)
            ]
            when = "before" if question.when == "start" else "after"
            rows.append((question.text, when, choice, *counts))
    head = ("question", "asked", "answer", *arm_names(cohort))
    return _section("Questions", _table(head, rows, "Answers of everybody who gave them"))


def _methods(results: StudyResults) -> str:
    definition = results.cohort.definition
    rules = "".join(f"<li>{escape(sentence)}</li>" for sentence in rule_sentences(definition.rules))
    metrics = "".join(f"<li>{escape(METRIC_TEXTS[metric])}</li>" for metric in definition.metrics)
    thresholds = _table(
        ("rule", "value"),
        [(name, getattr(definition.rules, name)) for name in definition.rules.__match_args__],
        "Thresholds and readings",
    )
    total = sum(arm.share for arm in definition.arms)
    design = _table(
        ("part", "value"),
        [
            ("levels, in order", ", ".join(definition.levels)),
            ("arms", "; ".join(f"{arm.name} ({arm.variant}, {arm.share} of {total})" for arm in definition.arms)),
            ("assignment", f"blocks of {definition.block}" if definition.block else "by chance"),
            ("seed", str(definition.seed)),
            ("tutorial, hints", f"{'yes' if definition.tutorial else 'no'}, {'yes' if definition.hints else 'no'}"),
            ("minutes", definition.minutes or "no bound"),
            ("alpha", f"{definition.alpha:g}"),
            ("consent text, version", definition.consent.version),
            ("engine, version of this analysis", engine_version()),
        ],
        "Design",
    )
    return _section(
        "Methods",
        design,
        f"<ol>{rules}</ol>",
        thresholds,
        f"<p>Metrics, fixed before the analysis:</p><ul>{metrics}</ul>",
        _paragraph(
            "Statistics are scipy's: mannwhitneyu (asymptotic, with continuity correction), chi2_contingency (Yates' "
            "correction for 2×2 "
            "tables), ecdf of censored data, logrank. Cramér's V = sqrt(chi2 / (N · min(r - 1, c - 1))), with Smithson's "
            "interval from the "
            "noncentral distribution. Shares have Wilson's intervals and their differences Newcombe's. The rank-biserial "
            "correlation has a "
            f"bootstrap interval over participants, and the permutation test shuffles participants; both take {RESAMPLES:,} "
            "resamples "
            f"with seed {SEED}. A hazard ratio is Peto's. Tests are not corrected for their number."
        ),
    )
