"""Runs other verifiers on exported texts, where they are installed, and says whether they accept them.

`python -m tools.exports` makes the table of docs/export.md with it, and tests/export uses it.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path

from idg.sip.record import Record

SOLVER_SECONDS = 40
"""Seconds that a tool's solver may spend on one function or goal."""
CONDITION_SHARE = 4
"""A condition of SMT-LIB, of which a function has many, gets this part of it."""
TOOL_SECONDS = 300
"""Seconds after which a tool is ended."""
REASON_CHARS_MAX = 160
"""Characters of a tool's message that are kept."""


ENDED = "the tool was ended"
"""Stands for the output of a tool that took too long."""
OUT_OF_TIME = f"not proved: not within {TOOL_SECONDS} seconds"


class ToolAnswer(Record):
    accepted: bool
    reason: str = ""
    """Why not: 'could not be proved', with the tool's first message, or 'not read' where the tool rejects the text as such."""


def accepts(target: str, text: str, seconds: int = SOLVER_SECONDS) -> ToolAnswer:
    """What the target's tool says of the text. The tool must be installed. `seconds`: for its solver and one function or goal."""
    with tempfile.TemporaryDirectory(prefix="idg-export-") as folder:
        return _CHECKS[target](text, Path(folder), seconds)


def installed(target: str) -> bool:
    return all(shutil.which(name) for name in _COMMANDS[target])


def _run(command: list[str], folder: Path, env: Mapping[str, str] | None = None) -> str:
    try:
        done = subprocess.run(
            command,
            cwd=folder,
            env={**os.environ, **(env or {})},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            stdin=subprocess.DEVNULL,
            timeout=TOOL_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return ENDED
    return done.stdout.decode("utf-8", "replace")


def _refused(what: str, output: str) -> ToolAnswer:
    # Debian's z3 is newer than Boogie's list of its options; it names those that it does not know, and goes on.
    noise = re.compile(r"Prover error: .* unknown parameter|Legal parameters are:|^ +[a-z_0-9]+ \(|^\s*$|^(Dafny|Boogie) ")
    lines = [line for line in output.splitlines() if not noise.search(line)]
    return ToolAnswer(False, f"{what}: {' '.join(lines)[:REASON_CHARS_MAX]}")


def _dafny_or_boogie(command: list[str], file: str, text: str, folder: Path, seconds: int) -> ToolAnswer:
    (folder / file).write_text(text, encoding="utf-8")
    output = _run([*command, f"/timeLimit:{seconds}", file], folder)
    counts = re.search(r"finished with (\d+) verified, (\d+) error", output)
    if output == ENDED:
        return ToolAnswer(False, OUT_OF_TIME)
    if counts is None:
        return _refused("not read", output)
    # Time that is over and other doubts are counted after the errors, in the same line.
    plain = output.rstrip().splitlines()[-1].endswith((" 0 errors", " 1 error", " errors"))
    if int(counts[1]) > 0 and counts[2] == "0" and plain:
        return ToolAnswer(True)
    return _refused("not proved", output)


def _dafny(text: str, folder: Path, seconds: int) -> ToolAnswer:
    return _dafny_or_boogie(["dafny", "/compile:0"], "program.dfy", text, folder, seconds)


def _boogie(text: str, folder: Path, seconds: int) -> ToolAnswer:
    return _dafny_or_boogie(["boogie"], "program.bpl", text, folder, seconds)


@cache
def _why3_configuration() -> tuple[str, tuple[str, ...]]:
    """A configuration of its own, so that nothing depends on the user's, and the provers that Why3 knows, quick ones first."""
    path = Path(tempfile.mkdtemp(prefix="idg-why3-")) / "why3.conf"
    subprocess.run(["why3", "config", "detect"], env={**os.environ, "WHY3CONFIG": str(path)}, capture_output=True, check=False)
    known = path.read_text(encoding="utf-8") if path.exists() else ""
    return str(path), tuple(name for name in ("Z3", "CVC4", "CVC5", "Alt-Ergo") if f'name = "{name}"' in known)


def _why3(text: str, folder: Path, seconds: int) -> ToolAnswer:
    """Each goal must be valid by one of the provers. The goals come in the same order from each."""
    (folder / "program.mlw").write_text(text, encoding="utf-8")
    configuration, provers = _why3_configuration()
    left: list[str] | None = None
    proved: set[int] = set()
    goals = 0
    for prover in provers:
        command = ["why3", "prove", "-a", "split_vc", "-P", prover.lower(), "-t", str(max(1, seconds // 2)), "program.mlw"]
        output = _run(command, folder, {"WHY3CONFIG": configuration})
        if output == ENDED:
            continue
        results = re.split(r"(?m)^(?:File .*:\n)?(?:Sub-)?[Gg]oal ", output)[1:]
        if not results:
            return _refused("not read", output)
        goals = len(results)
        proved |= {index for index, result in enumerate(results) if "Prover result is: Valid" in result}
        left = [result.splitlines()[0] for index, result in enumerate(results) if index not in proved]
        if not left:
            return ToolAnswer(True)
    if left is None:
        return ToolAnswer(False, OUT_OF_TIME)
    return _refused("not proved", f"{len(left)} of {goals} goals, first: {left[0]}")


def _acsl(text: str, folder: Path, seconds: int) -> ToolAnswer:
    """Frama-C's WP says how many of the goals are proved. Without an annotation that it understands it would have none."""
    file = folder / "program.c"
    file.write_text(text, encoding="utf-8")
    configuration, provers = _why3_configuration()
    given = [
        "-wp-model",
        "Typed+nat+real",
        "-wp-prover",
        ",".join(map(str.lower, provers)),
        "-wp-timeout",
        str(max(1, seconds // 2)),
    ]
    # It takes the folder from the variable PWD, not from the process.
    output = _run(["frama-c", "-wp", *given, str(file)], folder, {"WHY3CONFIG": configuration})
    if output == ENDED:
        return ToolAnswer(False, OUT_OF_TIME)
    counts = re.search(r"Proved goals:\s+(\d+) / (\d+)", output)
    if counts is None or "User Error" in output:
        return _refused("not read", output)
    if counts[1] == counts[2] != "0":
        return ToolAnswer(True)
    failed = re.findall(r"\[wp\] \[(?:Failed|Timeout|Unknown)\] Goal (\S+)", output)
    return _refused("not proved", f"{int(counts[2]) - int(counts[1])} of {counts[2]} goals: {' '.join(failed)}")


def _smtlib(text: str, folder: Path, seconds: int) -> ToolAnswer:
    """Each condition must be unsatisfiable by one of the solvers, which answer in the same order."""
    (folder / "program.smt2").write_text(text, encoding="utf-8")
    wanted = text.count("(check-sat)")
    proved: set[int] = set()
    for solver in SMT_SOLVERS:
        if shutil.which(solver[0]):
            command = [part.format(1000 * max(1, seconds // CONDITION_SHARE)) for part in (*solver, "program.smt2")]
            answers = re.findall(r"(?m)^(unsat|sat|unknown|timeout)$", _run(command, folder))
            if len(answers) == wanted:
                proved |= {index for index, answer in enumerate(answers) if answer == "unsat"}
    left = wanted - len(proved)
    return ToolAnswer(True) if not left and wanted else ToolAnswer(False, f"not proved: {left} of {wanted} conditions")


def _acl2(text: str, folder: Path, seconds: int) -> ToolAnswer:
    (folder / "program.lisp").write_text(text, encoding="utf-8")
    with_limit = "(set-prover-step-limit 2000000)\n" + text
    try:
        done = subprocess.run(
            ["acl2"], input=with_limit.encode(), cwd=folder, capture_output=True, timeout=TOOL_SECONDS, check=False
        )
    except subprocess.TimeoutExpired:
        return ToolAnswer(False, OUT_OF_TIME)
    output = done.stdout.decode("utf-8", "replace")
    failed = [line for line in output.splitlines() if "FAILED" in line or "ACL2 Error" in line]
    theorems = len(re.findall(r"(?m)^ \|condition \d+\|$", output))
    if not failed and theorems == text.count("(defthm ") and "IDG: all conditions were tried." in output:
        return ToolAnswer(True)
    missing = text.count("(defthm ") - theorems
    return ToolAnswer(False, f"not proved: {missing} of {text.count('(defthm ')} conditions; {' '.join(failed)[:80]}")


SMT_SOLVERS = (("z3", "-t:{}"), ("cvc5", "--incremental", "--tlimit-per={}"))
"""The commands of solvers for SMT-LIB; {} stands for the limit of milliseconds for each condition."""
_CHECKS: dict[str, Callable[[str, Path, int], ToolAnswer]] = {
    "dafny": _dafny,
    "boogie": _boogie,
    "why3": _why3,
    "acl2": _acl2,
    "acsl": _acsl,
    "smtlib": _smtlib,
}
_COMMANDS = {
    "dafny": ("dafny",),
    "boogie": ("boogie",),
    "why3": ("why3", "z3"),
    "acl2": ("acl2",),
    "acsl": ("frama-c", "why3", "z3"),
    "smtlib": ("z3",),
}
"""The commands that the check of a target needs."""
