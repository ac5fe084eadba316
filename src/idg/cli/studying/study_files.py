"""`idg study new`, `check` and `preregister`: the file of a study."""

from __future__ import annotations

import argparse
import secrets
import sys
from pathlib import Path

from idg.cli.errors import NEGATIVE, SUCCESS, UsageError, tell_as_json, told_problem
from idg.cli.live import live_bar
from idg.cli.results import tell
from idg.levels import all_levels
from idg.study.definition import NAME, SEED_MAX, DefinitionError, StudyDefinition, read_definition
from idg.study.simulating.simulated import ArmParameters, CohortParameters
from idg.study.texts import new_definition, preregistration


def run(options: argparse.Namespace) -> int:
    actions = {"new": _new, "check": _check, "preregister": _preregister, "simulate": _simulate}
    return actions[options.action](options)


def _new(options: argparse.Namespace) -> int:
    if not NAME.fullmatch(options.name):
        raise UsageError(f"{options.name!r} is not a name of a study; use letters, digits, '_' and '-', at most 40 of them")
    path = Path(options.output or f"{options.name}.toml")
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(new_definition(options.name, secrets.randbelow(SEED_MAX)))
    except FileExistsError:
        raise UsageError(f"{path} exists already; remove it, or name another file with -o") from None
    except OSError as error:
        raise UsageError(f"{path} cannot be written: {error.strerror}") from None
    tell(options, f"{path} is written. Change it, and then: idg study check {path}", file=str(path))
    return SUCCESS


def definition_text(path: str) -> str:
    try:
        return Path(path).read_text(encoding="utf-8")
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise UsageError(f"{path} is not a text in UTF-8") from None


def definition_of(path: str) -> StudyDefinition:
    """The definition in a file; DefinitionError where it is wrong."""
    return read_definition(definition_text(path), {level.id for level in all_levels()})


def told_problems(options: argparse.Namespace, path: str, error: DefinitionError) -> int:
    """Tells what is wrong with a definition; returns the exit code."""
    for problem in error.problems:
        print(f"{path}: {problem}", file=sys.stderr)
    tell_as_json(options, [told_problem("bad-definition", str(problem)) for problem in error.problems])
    return NEGATIVE


def _check(options: argparse.Namespace) -> int:
    try:
        study = definition_of(options.file)
    except DefinitionError as error:
        return told_problems(options, options.file, error)
    arms = " and ".join(f"{arm.name} ({arm.variant}, share {arm.share})" for arm in study.arms)
    assignment = f"in balanced blocks of {study.block}" if study.block else "by chance"
    bound = f"at most {study.minutes} minutes" if study.minutes else "without a bound on time"
    kept = f"{study.retention_days} days" if study.retention_days else "for ever"
    tell(
        options,
        f"{study.title} ({study.name})\n"
        f"  {len(study.levels)} levels: {', '.join(study.levels)}\n"
        f"  arms: {arms}, {assignment}\n"
        f"  {'with' if study.tutorial else 'without'} a tutorial, {'with' if study.hints else 'without'} hints, {bound}\n"
        f"  consent text of version {study.consent.version}, {len(study.questions)} questions, data are kept {kept}\n"
        f"  alpha = {study.alpha:g}; metrics: {', '.join(study.metrics)}",
        study=study.name,
        title=study.title,
        levels=list(study.levels),
        arms=[{"name": arm.name, "variant": arm.variant, "share": arm.share} for arm in study.arms],
        block=study.block,
        tutorial=study.tutorial,
        hints=study.hints,
        minutes=study.minutes,
        retention_days=study.retention_days,
        consent=study.consent.version,
        questions=len(study.questions),
        alpha=study.alpha,
        metrics=list(study.metrics),
    )
    return SUCCESS


def _preregister(options: argparse.Namespace) -> int:
    try:
        text = preregistration(definition_of(options.file))
    except DefinitionError as error:
        return told_problems(options, options.file, error)
    if options.output != "-":
        write_text(options.output, text)
    if options.json:
        tell(options, "", output=options.output, text=text)
    elif options.output == "-":
        print(text, end="")
    return SUCCESS


def _simulate(options: argparse.Namespace) -> int:
    from idg.study.simulating.players import PlayedGame, SimulationFailed, simulate

    try:
        study = definition_of(options.file)
    except DefinitionError as error:
        return told_problems(options, options.file, error)
    if not all(0 <= chance <= 1 for chance in (*options.win, *options.useful)):
        raise UsageError("--win and --useful are chances, from 0 to 1")
    first, second = (ArmParameters(win, useful) for win, useful in zip(options.win, options.useful, strict=True))
    parameters = CohortParameters(options.players, first, second, attempts=options.attempts, seed=options.seed)
    done = 0
    bar = live_bar("participants")

    def count(game: PlayedGame) -> None:
        nonlocal done
        done += 1
        bar(done, options.players)

    try:
        games = simulate(options.url, study, parameters, count)
    except SimulationFailed as error:
        raise UsageError(str(error)) from None
    lines, arms = [], []
    for arm in study.arms:
        own = [game for game in games if game.arm == arm.name]
        solved, proposals = sum(game.solved for game in own), sum(game.proposals for game in own)
        lines.append(f"{arm.name}: {len(own)} participants made {proposals} proposals and solved {solved} levels")
        arms.append({"name": arm.name, "participants": len(own), "proposals": proposals, "solved": solved})
    tell(options, "\n".join(lines), arms=arms)
    return SUCCESS


def write_text(path: str, text: str) -> None:
    try:
        Path(path).write_text(text, encoding="utf-8", newline="\n")
    except OSError as error:
        raise UsageError(f"{path} cannot be written: {error.strerror}") from None
