"""Code blocks of the documentation: where they are, of which kind they are, and the commands that are shown in them.

Every block is fenced and names its kind after the fence. A block may have a title, which is the name of the file that it shows:

    ```sip title="square.sip"
    fn main(n: nat): int { … }
    ```

A `console` block shows commands after `$ ` and below each what it prints. A line `…` stands for any number of lines, and `…` inside
a line for any text. What a player types in the terminal game stands after the prompt of the game, such as `multiply> cnt <= m`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGES = (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")))

FENCE = re.compile(r"^ *```(\S*)(.*)$")
TITLE = re.compile(r'title="([^"]+)"')
TYPED = re.compile(r"^[a-z0-9-]+> (.*)$")


@dataclass(frozen=True)
class Block:
    page: Path
    line: int
    """The line of the page on which its text begins, from 1."""
    kind: str
    """The word after the fence: 'indented' if there is no fence, and empty if nothing is written there."""
    title: str
    text: str

    @property
    def place(self) -> str:
        return f"{self.page.name}:{self.line}"


@dataclass
class Command:
    """A command of a console block, and what is shown below it."""

    text: str
    place: str
    shown: list[str] = field(default_factory=list)

    @property
    def typed(self) -> str:
        """The text that is typed in reply to the prompts of the command."""
        replies = [reply_line[1] for line in self.shown if (reply_line := TYPED.match(line))]
        return "".join(f"{reply}\n" for reply in replies)

    def is_shown(self, printed: str) -> bool:
        """Whether the shown lines are what was printed. Where nothing is shown, anything may be printed."""
        if not self.shown:
            return True
        pattern = "".join(
            r"(?:.*\n)*?" if line.strip() == "…" else ".*".join(map(re.escape, line.rstrip().split("…"))) + r" *\n"
            for line in self.shown
        )
        return re.fullmatch(pattern, printed.strip("\n") + "\n") is not None


def blocks(page: Path) -> list[Block]:
    """All code blocks of a page in their order, also those that are indented instead of fenced."""
    result: list[Block] = []
    lines = page.read_text(encoding="utf-8").splitlines()
    position = 0
    while position < len(lines):
        fence = FENCE.match(lines[position])
        start = position + 1
        if fence is not None:
            end = next(index for index in range(start, len(lines)) if lines[index].strip() == "```")
            title = TITLE.search(fence[2])
            text = "".join(f"{line}\n" for line in lines[start:end])
            result.append(Block(page, start + 1, fence[1], title[1] if title else "", text))
            position = end
        elif lines[position].startswith("    ") and (position == 0 or not lines[position - 1].strip()):
            result.append(Block(page, start, "indented", "", lines[position]))
        position += 1
    return result


def commands(block: Block) -> list[Command]:
    """The commands of a console block."""
    result: list[Command] = []
    for number, line in enumerate(block.text.splitlines(), block.line):
        if line.startswith("$ "):
            result.append(Command(line[2:], f"{block.page.name}:{number}"))
        else:
            assert result, f"{block.place}: a console block starts with a command after '$ '"
            result[-1].shown.append(line)
    for command in result:
        while command.shown and not command.shown[-1].strip():
            command.shown.pop()
    return result
