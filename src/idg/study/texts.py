"""Texts that are made from a definition: the file of a new study, what is stored, and the preregistration."""

from __future__ import annotations

from idg.study.definition import StudyDefinition, StudyRules

STORED = (
    "the id that the link to the study names, and a number in its place in every export",
    "the version of this text and when you agreed to it",
    "which of the two games you play, and when you began",
    "what you propose, the answers to it, the traces and hints that you ask for, each with its time",
    "when you open a level, when you are active on the page, and pauses while you type, but not what you type before you send it",
    "your answers to the questions at the beginning and at the end",
    "no mail address and no address of your device in the study's data",
)
"""What is stored about a participant, for the consent page. docs/researcher.md says the same."""

METRIC_TEXTS = {
    "win-rate": "the win rate: the share of attempted levels that were solved, over active time (Mann-Whitney U, two-sided)",
    "kinds": "the kinds of all proposals (Pearson's chi-squared, Cramér's V)",
    "prove-ratio": "the prove ratio with and without a typed trace request, in the code arm (chi-squared with Yates' correction)",
    "levels-solved": "the levels that at least one participant solved alone, and those that an arm proves together",
    "survival": "survival curves with unsolved attempts as censored (Kaplan-Meier, log-rank)",
}
"""Metric → how it is measured and tested."""

_NEW = '''\
# A study of IDG. 'idg study check {name}.toml' says what is wrong with this file; docs/researcher.md explains every line.
name = "{name}"
title = "{name}"

# The levels in the order of play; the tutorial plays on the first one ('idg levels' lists all).
levels = ["multiply", "square-times-2", "summation"]

alpha = 0.05
tutorial = true        # of equal length in both arms
hints = false
minutes = 60           # how long a participant may play; 0: without a bound
block = 4              # balanced within each 4 participants; 0: by chance alone
seed = {seed}
completion_code = ""   # what everybody is told at the end; empty: a code of their own for each
retention_days = 365   # 0: for ever
metrics = ["win-rate", "kinds", "prove-ratio", "levels-solved", "survival"]

[[arm]]
name = "code"
variant = "code"       # the program and the engine's feedback
share = 1

[[arm]]
name = "trace"
variant = "trace"      # the table of values only
share = 1

[consent]
version = "1"
text = """
You take part in a study of how people find facts about small programs. You play for at most an hour and answer a few questions at
the end. You may stop at any time, and you may withdraw: then everything that is stored about you is deleted.
"""

[[question]]
id = "fun"
text = "It was fun."
kind = "scale"         # 1 (not at all) to 5 (very much)

[[question]]
id = "programming"
text = "How much have you programmed before?"
kind = "choice"
choices = ["never", "a little", "a lot"]
when = "start"         # before the first level; "end", which is the default: after the last

[[question]]
id = "comment"
text = "Is there anything else that you want to tell us?"
kind = "text"

# Who and what counts. These are the paper's rules, and they are the defaults.
# [rules]
# gap_seconds = 300
# gap_counts_seconds = 120
# session_adds_seconds = 30
# session_rule = "each"        # or "after-first"
# attempt_seconds = 10
# attempt_time = "seen"        # or "active"
# long_seconds = 1500
# quick_seconds = 20
'''


def new_definition(name: str, seed: int) -> str:
    """The file of a new study, with everything that can be said in it."""
    return _NEW.format(name=name, seed=seed)


def rule_sentences(rules: StudyRules) -> tuple[str, ...]:
    """Who and what counts, in sentences; the report and the preregistration print them."""
    adding = "Each session adds" if rules.session_rule == "each" else "Each session after the first adds"
    measured = (
        "the time between signs of life, without what sessions add"
        if rules.attempt_time == "seen"
        else "active time, as defined above"
    )
    return (
        "Analysed are participants who solved at least one level of the study alone.",
        f"Signs of life on a level are the participant's events in the level's room and what the browser logged for it. A gap of "
        f"less than {rules.gap_seconds:g} s between two of them counts in full, and a longer one counts "
        f"{rules.gap_counts_seconds:g} s. "
        f"{adding} {rules.session_adds_seconds:g} s (reading: {rules.session_rule}; the paper leaves it open). Tabs that are "
        "used at "
        "the same time are one session. A visit to another level in the same session is a gap like any other.",
        "The time of solving is the active time up to the event that solved the level.",
        f"A level was attempted if there is at least one proposal and more than {rules.attempt_seconds:g} s of play (reading: "
        f"{rules.attempt_time}, that is {measured}; the paper leaves it open). Several sessions are one attempt.",
        f"Participants with more than {rules.long_seconds:g} s of active time on one level are left out wholly, unless the analyst "
        "keeps them (reading: the paper looked at them by hand and dropped four).",
        "Rooms of the tutorial, proposals of agents, and proposals of many facts at once are left out of every figure. A "
        "level that was "
        "proved with a part of somebody else is not solved.",
        f"A level that was solved within less than {rules.quick_seconds:g} s between signs of life causes a warning.",
    )


def preregistration(definition: StudyDefinition) -> str:
    """The text with which a study can be registered before it begins, in Markdown."""
    total = sum(arm.share for arm in definition.arms)
    arms = [
        f"- **{arm.name}**: {'the program and the engine’s feedback' if arm.variant == 'code' else 'the table of values only'}; "
        f"{arm.share} of {total} participants"
        for arm in definition.arms
    ]
    blocks = f"in balanced blocks of {definition.block}" if definition.block else "independently by chance"
    bound = f"at most {definition.minutes} minutes" if definition.minutes else "as long as they want"
    first, second = (arm.name for arm in definition.arms)
    return "\n".join(
        (
            f"# Preregistration: {definition.title}",
            "",
            "## Hypotheses",
            "",
            f"Participants of the arm *{first}* and of the arm *{second}* differ in the metrics below. All tests are "
            "two-sided with "
            f"alpha = {definition.alpha:g}. The first metric in the list is the primary one; the others are secondary and are not "
            "corrected for their number.",
            "",
            "## Design",
            "",
            *arms,
            "",
            f"The server assigns each participant {blocks} (seed {definition.seed}) when they agree to take part, and the "
            "assignment "
            f"cannot be changed. Participants play {bound}, "
            f"{'with' if definition.tutorial else 'without'} a tutorial and {'with' if definition.hints else 'without'} hints.",
            "",
            f"Levels, in this order: {', '.join(definition.levels)}.",
            "",
            "## Metrics",
            "",
            *(f"{number}. {METRIC_TEXTS[metric]}" for number, metric in enumerate(definition.metrics, 1)),
            "",
            "Every test is reported with an effect size and its 95 % confidence interval.",
            "",
            "## Who and what counts",
            "",
            *(f"- {sentence}" for sentence in rule_sentences(definition.rules)),
            "",
            "## Data",
            "",
            f"Consent text, version {definition.consent.version}. What is stored about a participant:",
            "",
            *(f"- {item}" for item in STORED),
            "",
        )
    )
