"""The version of the engine: computed from its sources and its solvers, and the same wherever these are the same."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import idg
from idg.engine.version import DATA, PACKAGES, digest_of, engine_version, sources
from tests.support.waiting import HANG_SECONDS

ROOT = Path(idg.__file__).parent
SAID = "import sys; from idg.engine.version import engine_version; sys.stdout.write(engine_version())"


def said(path: Path, folder: Path) -> str:
    """What a new process says that imports `idg` from this path."""
    command = [sys.executable, "-c", f"import sys; sys.path.insert(0, {str(path)!r}); {SAID}"]
    result = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=HANG_SECONDS)
    assert result.returncode == 0, result.stderr
    return result.stdout


def test_what_can_change_a_verdict_changes_the_version() -> None:
    texts, solvers = {"engine/a.py": b"x = 1\n", "engine/b.py": b"y = 2\n"}, {"z3-solver": "4.13", "cvc5": "1.2"}
    version = digest_of(texts, solvers)
    assert len(version) == 16
    assert digest_of(texts | {"engine/a.py": b"x = 2\n"}, solvers) != version
    assert digest_of({"engine/c.py": b"x = 1\n", "engine/b.py": b"y = 2\n"}, solvers) != version, "the name of a file"
    assert digest_of(texts, solvers | {"cvc5": "1.3"}) != version
    assert digest_of({"engine/a.py": b"x = 1\nengine/b.py 6\ny = 2\n"}, solvers) != version, "where a file ends"


def test_orders_and_line_endings_do_not() -> None:
    texts, solvers = {"engine/a.py": b"x = 1\n", "engine/b.py": b"y = 2\n"}, {"z3-solver": "4.13", "cvc5": "1.2"}
    version = digest_of(texts, solvers)
    assert digest_of(dict(reversed(texts.items())), dict(reversed(solvers.items()))) == version
    assert digest_of({path: text.replace(b"\n", b"\r\n") for path, text in texts.items()}, solvers) == version


def test_the_sources_are_all_modules_of_these_packages_and_nothing_else() -> None:
    assert PACKAGES == ("audit", "engine", "prover", "sip", "vc")
    wanted = {path.relative_to(ROOT).as_posix() for package in PACKAGES for path in (ROOT / package).rglob("*.py")}
    assert set(sources()) == wanted.union(DATA)
    assert {f"{package}/__init__.py" for package in PACKAGES} <= wanted


def test_it_is_the_same_in_another_place_and_on_another_system(tmp_path: Path) -> None:
    copy = tmp_path / "copied"
    shutil.copytree(ROOT, copy / "idg", ignore=shutil.ignore_patterns("__pycache__", "static"))
    for path in (copy / "idg").rglob("*.py"):
        path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    assert said(copy, tmp_path) == engine_version()
    compiled = copy / "idg" / "engine" / "__pycache__"
    compiled.mkdir(exist_ok=True)
    (compiled / "engine.cpython-311.pyc").write_bytes(b"compiled by this machine")
    assert said(copy, tmp_path) == engine_version()
    with (copy / "idg" / "vc" / "query.py").open("ab") as module:
        module.write(b"# changed\r\n")
    assert said(copy, tmp_path) != engine_version()


def test_it_is_the_same_in_an_archive(tmp_path: Path) -> None:
    archive = tmp_path / "idg.zip"
    with ZipFile(archive, "w") as writer:
        for path in sorted({*ROOT.rglob("*.py"), *(ROOT / name for name in DATA)}, reverse=True):
            writer.write(path, f"idg/{path.relative_to(ROOT).as_posix()}")
    assert said(archive, tmp_path) == engine_version()
