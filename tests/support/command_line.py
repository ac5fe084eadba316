"""The command line inside of the process of the tests, where the solvers and the server's packages are loaded once."""

from __future__ import annotations

import contextlib
import io
import subprocess
from collections.abc import Mapping

import pytest

from idg.cli.main import main


def carried_out(
    *arguments: str, typed: str = "", environment: Mapping[str, str] | None = None, joined: bool = False
) -> subprocess.CompletedProcess[str]:
    """What `idg` with these arguments prints and returns; `typed` is its input, and `environment` are further variables.

    With `joined`, what goes to standard error is among the output, as a terminal shows it."""
    output, complaints = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True) for _ in range(2))
    with (
        contextlib.redirect_stdout(output),
        contextlib.redirect_stderr(output if joined else complaints),
        pytest.MonkeyPatch.context() as patch,
    ):
        patch.setattr("sys.stdin", io.StringIO(typed))
        for name, value in (environment or {}).items():
            patch.setenv(name, value)
        try:
            code = main(list(arguments))
        except SystemExit as ended:
            code = ended.code if isinstance(ended.code, int) else 1
    for stream in (output, complaints):
        stream.seek(0)
    return subprocess.CompletedProcess(list(arguments), code, output.read(), complaints.read())
