"""`make lowest`: installs the lowest versions that pyproject.toml allows, and uses every part of that installation once.

Of what the project names itself the lowest versions are taken, and of what that needs the newest.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def main() -> int:
    with tempfile.TemporaryDirectory() as folder:
        environment = Path(folder) / "environment"
        chosen = Path(folder) / "lowest.txt"
        resolving = ["--quiet", "--resolution", "lowest-direct", "--extra", "all", "--no-header", "--no-annotate"]
        uv = [sys.executable, "-m", "uv", "pip"]
        subprocess.run([*uv, "compile", *resolving, str(ROOT / "pyproject.toml"), "-o", str(chosen)], check=True)
        venv.create(environment, with_pip=False)
        python = environment / "bin" / "python"
        subprocess.run([*uv, "install", "--quiet", "--python", str(python), "--requirement", str(chosen)], check=True)
        print(chosen.read_text(encoding="utf-8"), flush=True)
        return subprocess.run(
            [python, ROOT / "tools" / "smoke.py"], env={**os.environ, "PYTHONPATH": str(ROOT / "src")}, check=False
        ).returncode


if __name__ == "__main__":
    sys.exit(main())
