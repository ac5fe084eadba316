"""`idg study power` and `report`: what needs statistics."""

from __future__ import annotations

import argparse
import sys

from idg.cli.errors import NEGATIVE, SUCCESS, UsageError
from idg.cli.live import live_line
from idg.cli.results import tell
from idg.cli.studying.study_files import definition_of, told_problems, write_text
from idg.needs import require
from idg.study.analysis.pooled import proved_together
from idg.study.analysis.power import participants_for, plan, power_of, smallest_difference
from idg.study.analysis.results import analyse
from idg.study.cohort import build_cohort
from idg.study.definition import DefinitionError, StudyDefinition
from idg.study.report.data import as_json, visits_csv
from idg.study.report.numbers import percent
from idg.study.report.page import page
from idg.study.rows import RowError, StudyRow, read_rows


def run(options: argparse.Namespace) -> int:
    return {"power": _power, "report": _report}[options.action](options)


def _power(options: argparse.Namespace) -> int:
    first, second = options.win
    for name, value, least, most in (
        ("--win", first, 0, 1), ("--win", second, 0, 1), ("--likeness", options.likeness, 0, 1), ("--alpha", options.alpha, 0, 0.5),
        ("--power", options.power, 0, 1),
    ):  # fmt: skip
        if not least <= value <= most or (name in ("--alpha", "--power") and value in (0, 1)):
            raise UsageError(f"{name}: {value:g} is not between {least} and {most}")
    if not 1 <= options.attempts <= 1_000:
        raise UsageError("--attempts: a participant attempts at least one level")
    planned = plan(first, second, options.attempts, options.likeness, options.alpha)
    if options.participants is not None:
        answer: dict[str, object] = {
            "participants_an_arm": options.participants,
            "power": power_of(planned, options.participants),
            "smallest_difference": smallest_difference(planned, options.participants, options.power),
        }
    else:
        answer = {"participants_an_arm": participants_for(planned, options.power), "power": options.power}
    answer |= {"win": [first, second], "alpha": options.alpha, "design_effect": planned.design_effect, "cohens_h": planned.cohens_h}
    if options.json:
        tell(options, "", **answer)
        return SUCCESS
    print(
        f"Win rates {first:g} and {second:g} (Cohen's h = {planned.cohens_h:.2f}), alpha = {options.alpha:g}, two-sided, "
        f"{options.attempts:g} attempted level(s) each, likeness {options.likeness:g} (design effect {planned.design_effect:.2f})."
    )
    if options.participants is not None:
        print(
            f"With {options.participants} participants in each arm the power is {percent(power_of(planned, options.participants))}."
        )
        smallest = answer["smallest_difference"]
        told = f"a difference of {smallest:.3f}" if isinstance(smallest, float) else "no difference"
        print(f"They find {told} from {first:g} with a power of {percent(options.power)}.")
    elif answer["participants_an_arm"] is None:
        print("No number of participants is enough: the win rates are the same, or next to it.")
    else:
        print(f"{answer['participants_an_arm']} participants in each arm give a power of {percent(options.power)}.")
    print("This counts participants who attempt levels; invite more, because some never do.")
    return SUCCESS


def _report(options: argparse.Namespace) -> int:
    try:
        definition, rows = _stored(options) if options.files is None else _exported(options)
    except DefinitionError as error:
        return told_problems(options, options.study, error)
    show = live_line()
    show(f"{len(rows):,} rows are analysed")
    cohort = build_cohort(definition, rows, options.keep_long)
    results = analyse(cohort, None if options.no_pooling else proved_together)
    show("")
    output = options.output or f"{definition.name}.html"
    write_text(output, page(results))
    written = [output]
    for path, text in ((options.json, as_json), (options.csv, visits_csv)):
        if path is not None:
            write_text(path, text(results))
            written.append(path)
    print(f"{len(cohort.arms)} of {len(cohort.enrolled)} participants are analysed; written: {', '.join(written)}")
    if not cohort.enrolled:
        print(f"there is no row of the study {definition.name} in what was read", file=sys.stderr)
    return SUCCESS if cohort.arms else NEGATIVE


def _stored(options: argparse.Namespace) -> tuple[StudyDefinition, list[StudyRow]]:
    """Reads the study from the database of a server."""
    require("server", "idg study report without --from")
    from idg.cli.studying.study_server import stored_study

    return stored_study(options)


def _exported(options: argparse.Namespace) -> tuple[StudyDefinition, list[StudyRow]]:
    """Reads the study from exported files alone."""
    definition = definition_of(options.study)
    rows: list[StudyRow] = []
    for path in options.files:
        try:
            with open(path, encoding="utf-8") as file:
                rows += read_rows(file, path)
        except OSError as error:
            raise UsageError(f"{path} cannot be read: {error.strerror}") from None
        except (RowError, UnicodeDecodeError) as error:
            raise UsageError(str(error)) from None
    return definition, [row for row in rows if row.study == definition.name]
