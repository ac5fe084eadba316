"""`idg doctor`: what is installed and what works here, so that a question about IDG can begin with it."""

from __future__ import annotations

import argparse
import json
import platform
import shutil
import subprocess
import sys
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path

from idg import __version__
from idg.cli.colours import signed
from idg.cli.errors import NEGATIVE, SUCCESS
from idg.needs import EXTRAS, is_installed

SOLVERS = ("cvc5", "python-flint", "z3-solver")
"""The packages that prove, by their names in the index of packages."""
TOOLS = {"node": "builds the browser client", "gcc": "compares C programs with their readings", "dafny": "verifies exports",
         "why3": "verifies exports", "boogie": "verifies exports",
         "frama-c": "verifies exports", "acl2": "a second opinion on proofs"}  # fmt: skip
"""Programs of others that some commands use, and what for."""
SANDBOX_SECONDS_MAX = 20
"""Seconds that the process that tries the sandbox may take."""
_TRY_SANDBOX = "import json; from idg.coordinator.pool.sandbox.confine import confine; print(json.dumps(confine('auto').parts))"


def run(options: argparse.Namespace) -> int:
    if options.prover is not None:
        return _examine(options)
    found_solvers = {name: _version(name) for name in SOLVERS}
    report = {
        "version": __version__,
        "python": platform.python_version(),
        "system": platform.platform(),
        "solvers": found_solvers,
        "extras": {name: is_installed(name) for name in EXTRAS},
        "client_built": _client_built(),
        "sandbox": _sandbox(),
        "tools": {name: shutil.which(name) is not None for name in TOOLS},
        "ok": all(found_solvers.values()),
    }
    print(json.dumps(report, ensure_ascii=False, indent=1) if options.json else signed(_text(report)))
    return SUCCESS if report["ok"] else NEGATIVE


def _examine(options: argparse.Namespace) -> int:
    """Puts a prover through the conformance suite."""
    from idg.cli.arguments.prover_arguments import plugin_of
    from idg.engine.wire.codec import encode
    from idg.prover.plugins.conformance import conformance

    told = conformance(plugin_of(options.prover))
    if options.json:
        print(json.dumps({"ok": not told.wrong, "prover": options.prover, **encode(told)}, ensure_ascii=False, indent=1))
    else:
        lines = [f"  {sentence}" for sentence in told.wrong]
        counts = f"{told.proved} proved, {told.refuted} refuted, {told.unknown} unknown"
        print("\n".join([f"{options.prover}: {told.examples} examples, {counts}, {len(told.wrong)} wrong", *lines]))
    return NEGATIVE if told.wrong else SUCCESS


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def _client_built() -> bool:
    spec = find_spec("idg.coordinator")
    return spec is not None and spec.origin is not None and (Path(spec.origin).parent / "static" / "index.html").exists()


def _sandbox() -> dict[str, str]:
    """What engine workers can be confined by, tried in a process of its own, because it cannot be undone."""
    try:
        command = [sys.executable, "-c", _TRY_SANDBOX]
        tried = subprocess.run(command, capture_output=True, text=True, timeout=SANDBOX_SECONDS_MAX, check=True)
        parts: dict[str, str] = json.loads(tried.stdout)
    except (OSError, subprocess.SubprocessError, ValueError) as error:
        return {"not tried": str(error)}
    return parts


def _text(report: dict[str, object]) -> str:
    solvers, extras, sandbox, tools = (report[name] for name in ("solvers", "extras", "sandbox", "tools"))
    assert isinstance(solvers, dict)
    assert isinstance(extras, dict)
    assert isinstance(sandbox, dict)
    assert isinstance(tools, dict)
    lines = [f"idg {report['version']}, Python {report['python']}, {report['system']}", "", "solvers"]
    lines += (f"  {_mark(told)} {name} {told or 'is missing: pip install idg'}" for name, told in solvers.items())
    lines += ["", "extras"]
    for name, present in extras.items():
        lines.append(f"  {_mark(present)} {name}: {EXTRAS[name].what}" + ("" if present else f" (pip install 'idg[{name}]')"))
    built = report["client_built"]
    lines += ["", f"{_mark(built)} the browser client is {'built' if built else 'not built: make play builds it'}"]
    lines += ["", "the sandbox of engine workers", *(f"  {name}: {told}" for name, told in sandbox.items())]
    lines += ["", "programs of others", *(f"  {_mark(present)} {name}: {TOOLS[name]}" for name, present in tools.items())]
    return "\n".join(lines)


def _mark(present: object) -> str:
    return "✓" if present else "–"
