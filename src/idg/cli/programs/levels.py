"""`idg levels`: lists the levels, or shows one."""

from __future__ import annotations

import argparse
import json

from idg.cli.errors import SUCCESS, UsageError
from idg.cli.results import as_json
from idg.levels import WORDS, Level, all_levels, find_level
from idg.sip.values import ValueJson


def show(options: argparse.Namespace) -> int:
    if options.level is not None:
        level = find_level(options.level)
        if level is None:
            raise UsageError(f"there is no level '{options.level}' ('idg levels' lists them)")
        print(as_json(True, _json(level)) if options.json else level_text(level))
    elif options.json:
        print(json.dumps([_json(level) for level in all_levels()], ensure_ascii=False, indent=1))
    else:
        print(level_list())
    return SUCCESS


def level_list() -> str:
    lines: list[str] = []
    world = None
    for number, level in enumerate(all_levels(), 1):
        if level.world != world:
            world = level.world
            lines += ["", world.title, f"  {world.text}"]
        lines.append(f"  {number:>2}  {level.id:<20} {difficulty_word(level):<6} {level.title}")
    return "\n".join(lines[1:])


def difficulty_word(level: Level) -> str:
    return WORDS[level.difficulty - 1]


def input_text(value: ValueJson) -> str:
    """An input as people write it: `7`, or `[3, 1, 2]` for an array."""
    return value if isinstance(value, str) else f"[{', '.join(value)}]"


def level_text(level: Level) -> str:
    inputs = ", ".join(f"{name} = {input_text(value)}" for name, value in level.inputs.items())
    lines = [
        f"{level.title} ({difficulty_word(level)})",
        f"new idea: {level.idea}",
        "",
        level.text,
        "",
        level.source.rstrip(),
        "",
        f"guarantee: {level.guarantee}",
        f"first trace: {inputs or 'no inputs'}",
    ]
    return "\n".join(lines)


def _json(level: Level) -> dict[str, object]:
    return {
        "id": level.id,
        "title": level.title,
        "world": level.world.id,
        "difficulty": level.difficulty,
        "minutes": level.minutes,
        "idea": level.idea,
        "patterns": list(level.patterns),
        "after": list(level.after),
        "beside": level.beside,
        "paper": level.paper,
        "ending": level.ending,
        "text": level.text,
        "proved": level.proved,
        "inputs": level.inputs,
        "try": list(level.tries),
        "guarantee": level.guarantee,
        "source": level.source,
    }
