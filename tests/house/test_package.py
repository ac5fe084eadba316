"""What `pip install` gives: the sdist, the wheel made from it, and the wheel installed in clean environments outside the tree.

No network is needed. An environment gets links to the packages that pip would install, which are those of the environment the tests
run in. They are found by following the requirements in the wheel's own metadata, so an extra that lacks a package is noticed.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tarfile
import tomllib
import urllib.request
import venv
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from email.parser import Parser
from importlib.metadata import distribution, packages_distributions
from pathlib import Path
from zipfile import ZipFile

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

import idg
from idg.engine.version import sources
from idg.needs import EXTRAS, MissingPackages, require
from tests.support.waiting import HANG_SECONDS

ROOT = Path(__file__).parents[2]
SIP_PROGRAM = "fn main(n: nat) { var i: nat; i := 0; while [i <= n] (i < n) { i := i + 1; } assert(i = n); }"
C_PROGRAM = "int main() {\n  int n, i = 0;\n  assume(n >= 0);\n  while (i < n) i++;\n  assert(i == n);\n}\n"
INVARIANTS = "res = n * cnt\ncnt <= m\n"
"""Two invariants that prove the level 'multiply'."""

Result = subprocess.CompletedProcess[str]


def clean_variables(**changes: str) -> dict[str, str]:
    """The variables of this process, without those that point Python or the game to another place."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "IDG_", "VIRTUAL_ENV"))}
    return kept | {"PIP_DISABLE_PIP_VERSION_CHECK": "1", "PIP_NO_INDEX": "1"} | changes


def run(command: list[str], folder: Path, text: str = "", **changes: str) -> Result:
    return subprocess.run(
        command, input=text, cwd=folder, env=clean_variables(**changes), capture_output=True, check=False, timeout=HANG_SECONDS,
        encoding="utf-8",
    )  # fmt: skip


def built(command: list[str], folder: Path, **changes: str) -> None:
    result = run(command, folder, **changes)
    assert result.returncode == 0, result.stdout + result.stderr


@pytest.fixture(scope="module")
def sdist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sdist")
    built([sys.executable, "-m", "hatchling", "build", "--target", "sdist", "--directory", str(folder)], ROOT)
    [path] = folder.glob("*.tar.gz")
    return path


@pytest.fixture(scope="module")
def wheel(sdist: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built from the sdist without Node: nothing at all is on the path."""
    folder = tmp_path_factory.mktemp("wheel")
    built([sys.executable, "-m", "pip", "wheel", "--no-build-isolation", "--no-deps", str(sdist)], folder, PATH=str(folder))
    [path] = folder.glob("*.whl")
    return path


def requirements_of(wheel: Path) -> list[Requirement]:
    with ZipFile(wheel) as archive:
        [name] = [name for name in archive.namelist() if name.endswith(".dist-info/METADATA")]
        metadata = Parser().parsestr(archive.read(name).decode())
    return [Requirement(line) for line in metadata.get_all("Requires-Dist", [])]


def needed(wheel: Path, extras: set[str]) -> set[str]:
    """The distributions that `pip install 'idg[extras]'` would install beside ours."""
    requirements: set[tuple[str, str]] = set()
    waiting = [("idg", extra) for extra in ("", *extras)]
    while waiting:
        name, extra = waiting.pop()
        if (name, extra) in requirements:
            continue
        requirements.add((name, extra))
        lines = requirements_of(wheel) if name == "idg" else map(Requirement, distribution(name).requires or [])
        for line in lines:
            if line.marker is None or line.marker.evaluate({"extra": extra}):
                waiting += [(canonicalize_name(line.name), wanted) for wanted in ("", *line.extras)]
    return {name for name, _ in requirements} - {"idg"}


def link_packages(names: set[str], folder: Path) -> None:
    for name in sorted(names):
        package = distribution(name)
        tops = {file.parts[0] for file in package.files or ()} - {"..", "__pycache__"}
        for top in tops:
            (folder / top).symlink_to(Path(str(package.locate_file(top))).resolve())


SEVERAL = """
import contextlib, io, json, sys
from idg.cli.main import main
results = []
for arguments in json.load(sys.stdin):
    said, complained = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(complained):
        code = main(arguments)
    results.append((code, said.getvalue(), complained.getvalue()))
print(json.dumps(results))
"""
"""Carries out several commands in one process, because starting the solvers takes the most time."""


class Environment:
    """A virtual environment with the wheel, what it requires, and nothing else."""

    def __init__(self, wheel: Path, folder: Path, extras: set[str], installed: Environment | None) -> None:
        """pip installs the wheel in the first environment. The others get links to that one, because this is quicker."""
        self.folder = folder
        self.home = folder / "home"
        self.home.mkdir()
        venv.create(folder / "venv", symlinks=True)
        self.python = str(folder / "venv" / "bin" / "python")
        [self.packages] = (folder / "venv").glob("lib/python*/site-packages")
        link_packages(needed(wheel, extras), self.packages)
        if installed is None:
            pip = [sys.executable, "-m", "pip", "--python", self.python]
            built([*pip, "install", "--no-deps", "--no-compile", str(wheel)], folder)
        else:
            for path in installed.packages.glob("idg*"):
                (self.packages / path.name).symlink_to(path)

    def variables(self) -> dict[str, str]:
        return {"HOME": str(self.home), "XDG_DATA_HOME": str(self.home / "data")}

    def idg(self, *arguments: str, text: str = "") -> Result:
        return run([self.python, "-m", "idg", *arguments], self.folder, text, **self.variables())

    def several(self, commands: Iterable[Sequence[str]]) -> list[tuple[int, str, str]]:
        """The exit code of each command, and what it wrote to standard output and to standard error."""
        result = run([self.python, "-c", SEVERAL], self.folder, json.dumps(list(commands)), **self.variables())
        assert result.returncode == 0, result.stderr
        return [(code, output, complained) for code, output, complained in json.loads(result.stdout)]

    @contextmanager
    def serving(self, *arguments: str) -> Iterator[str]:
        """The address at which `idg serve` of this environment answers."""
        process = subprocess.Popen(
            [self.python, "-m", "idg", "serve", "--port", "0", "--data", str(self.home / "data"), *arguments],
            cwd=self.folder, env=clean_variables(**self.variables()), stdout=subprocess.PIPE, text=True, start_new_session=True,
        )  # fmt: skip
        try:
            assert process.stdout is not None
            printed = ""
            while "Ctrl-C" not in printed:
                line = process.stdout.readline()
                assert line, f"the server did not start: {printed}"
                printed += line
            [address] = re.findall(r"^IDG is at (\S+)$", printed, re.MULTILINE)
            yield address
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGINT)
            process.communicate(timeout=HANG_SECONDS)


@pytest.fixture(scope="module")
def environment(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Environment]:
    """Makes the environment of some extras, or returns the one that was made before."""
    environments = {frozenset[str](): Environment(wheel, tmp_path_factory.mktemp("bare"), set(), None)}

    def make(*extras: str) -> Environment:
        key = frozenset(extras)
        if key not in environments:
            environments[key] = Environment(
                wheel, tmp_path_factory.mktemp("-".join(extras)), set(extras), environments[frozenset()]
            )
        return environments[key]

    return make


def fetched(address: str) -> tuple[str, str]:
    """The content type and the text at the address."""
    with urllib.request.urlopen(address, timeout=HANG_SECONDS) as answer:
        return answer.headers["content-type"], answer.read().decode()


def test_the_sdist_and_the_wheel_made_from_it_have_the_client(sdist: Path, wheel: Path) -> None:
    with ZipFile(wheel) as archive:
        names = set(archive.namelist())
        page = archive.read("idg/coordinator/static/index.html").decode()
        assets = re.findall(r'(?:src|href)="/(assets/[^"]+)"', page)
        assert {path.rsplit(".", 1)[-1] for path in assets} == {"js", "css"}
        assert {f"idg/coordinator/static/{path}" for path in assets} <= names
        assert {"idg/py.typed", "idg/levels/levels.toml", "idg/coordinator/store/migrations/script.py.mako"} <= names
        [settings] = [name for name in names if re.search(r"static/assets/Settings-.*\.js$", name)]
        assert f"IDG {idg.__version__}" in archive.read(settings).decode(), "the client shows the version"
        modules = {path: archive.read(f"idg/{path}") for path in sources()}
    assert modules == sources(), "an engine from the wheel has the version of the one in the tree"
    assert all(name.startswith(("idg/", f"idg-{idg.__version__}.dist-info/")) for name in names)
    with tarfile.open(sdist) as tree:
        carried = {name.partition("/")[2] for name in tree.getnames()}
    assert {f"src/{name}" for name in names if name.startswith("idg/")} <= carried
    assert {"client/src/main.ts", "spec/operators.json", "hatch_build.py", "tests/house/test_package.py"} <= carried
    assert not any("node_modules" in name or ".venv" in name for name in carried)


def test_the_bare_install_is_the_library_and_the_command_line(environment: Callable[..., Environment]) -> None:
    bare = environment()
    located = run([bare.python, "-c", "import idg; print(idg.__file__)"], bare.folder)
    assert Path(located.stdout.strip()).is_relative_to(bare.folder)
    script = run([str(Path(bare.python).with_name("idg")), "--version"], bare.folder)
    assert script.stdout == f"idg {idg.__version__}\n"
    played = bare.idg("play", "multiply", "--terminal", text=f"{INVARIANTS}:quit\n")
    assert (played.returncode, played.stderr) == (0, "")
    assert "Well done!" in played.stdout
    (bare.folder / "count.sip").write_text(SIP_PROGRAM, encoding="utf-8")
    expressions = [part for line in INVARIANTS.splitlines() for part in ("-e", line)]
    commands = (
        ("check", "multiply"), ("levels",), ("fmt", "count.sip"), ("trace", "multiply"),
        ("eval", "multiply", "-e", "res = n * cnt"),
        ("prove", "count.sip", "--second-opinion"), ("propose", "multiply", *expressions), ("solve", "count.sip"),
        ("agent", "run", "built-in", "--level", "multiply"),
    )  # fmt: skip
    for command, (code, output, complained) in zip(commands, bare.several(commands), strict=True):
        assert (code, complained) == (0, ""), command
        assert output


def test_what_needs_an_extra_says_which(environment: Callable[..., Environment]) -> None:
    bare = environment()
    (bare.folder / "count.c").write_text(C_PROGRAM, encoding="utf-8")
    server = "needs the server's packages: pip install 'idg[server]'"
    c = "reading a C program needs a parser of C: pip install 'idg[c]'\n"
    sentences: dict[tuple[str, ...], str] = {
        ("serve",): f"idg serve {server}\n",
        ("replay", "all"): f"idg replay {server}\n",
        ("export",): f"idg export {server}\n",
        ("play",): f"idg play {server} (idg play --terminal does without)\n",
        ("mcp",): "idg mcp needs the package of the Model Context Protocol: pip install 'idg[mcp]'\n",
        ("lsp",): "idg lsp needs the packages for editors: pip install 'idg[lsp]'\n",
        ("completion", "bash"): "idg completion needs the package that writes completions: pip install 'idg[shell]'\n",
        ("import", "count.c"): c,
        ("solve", "count.c"): c,
        ("league", "built-in", "--programs", "."): c,
        ("study", "power", "--win", "0.5", "0.4"): (
            "idg study power needs the packages for statistics and plots: pip install 'idg[study]'\n"
        ),
    }
    for (command, sentence), result in zip(sentences.items(), bare.several(sentences), strict=True):
        assert result == (2, "", sentence), command
    # Besides its errors, a server tells what the system's limits mean for it.
    options = ("--port", "0", "--log-level", "warning", "--database", "postgresql://nobody@localhost/nothing")
    database = environment("server").idg("serve", *options)
    sentence = "a PostgreSQL database needs the packages for PostgreSQL: pip install 'idg[postgres]'\n"
    assert (database.returncode, database.stdout, database.stderr) == (2, "", sentence)


def test_the_server_extra_serves_the_page(environment: Callable[..., Environment]) -> None:
    with environment("server").serving() as address:
        kind, page = fetched(address)
        assert kind.startswith("text/html")
        [script] = re.findall(r'<script type="module"[^>]* src="/(assets/[^"]+\.js)"', page)
        kind, code = fetched(address + script)
        assert "javascript" in kind
        assert len(code) > 10_000, "the client itself, not a page that says it is missing"
        assert fetched(f"{address}level/multiply")[1] == page
        assert f'"version":"{idg.__version__}"' in fetched(f"{address}api/health")[1]


def test_the_other_extras_bring_what_they_need(environment: Callable[..., Environment]) -> None:
    read = environment("c").idg("import", "-", text=C_PROGRAM)
    assert (read.returncode, "fn main(" in read.stdout) == (0, True), read.stderr
    ended = environment("mcp").idg("mcp")
    assert (ended.returncode, ended.stderr) == (0, ""), "it ends with its input"
    left = environment("lsp").idg("lsp")
    assert (left.returncode, left.stderr) == (0, ""), "it ends with its input"
    database = environment("postgres").idg("export", "--database", "postgresql://nobody@127.0.0.1:1/nothing")
    assert database.returncode == 2
    assert "pip install" not in database.stderr
    assert "Traceback" not in database.stderr


def test_every_extra_is_known_where_it_is_asked_for() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = {name: [Requirement(line) for line in lines] for name, lines in project["optional-dependencies"].items()}
    assert set(extras) == {*EXTRAS, "all", "dev"}
    assert [line.extras for line in extras["all"]] == [set(EXTRAS)]
    assert {"all"} in [line.extras for line in extras["dev"] if line.name == "idg"]
    modules: dict[str, set[str]] = {}
    for module, owners in packages_distributions().items():
        for owner in owners:
            modules.setdefault(canonicalize_name(owner), set()).add(module)
    for name, extra in EXTRAS.items():
        direct = [line for line in extras[name] if line.name != "idg" and line.marker is None]
        for line in direct:
            also = {"greenlet"} if "asyncio" in line.extras else set()
            assert (also or modules[canonicalize_name(line.name)]) & set(extra.modules), f"{name} does not look for {line.name}"
        assert len(extra.modules) == len(direct)
        require(name, "this test")


def test_a_missing_package_is_an_import_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda module: None)
    with pytest.raises(MissingPackages, match=r"^it needs a parser of C: pip install 'idg\[c\]' \(or not\)$"):
        require("c", "it", "or not")
    assert issubclass(MissingPackages, ImportError)


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A copy of what a build needs from a checkout. No client is built in it."""
    for name in (
        "pyproject.toml",
        "hatch_build.py",
        "README.md",
        "LICENSE",
        ".gitignore",
        "src/idg/__init__.py",
        "client/package.json",
    ):
        target = tmp_path / "tree" / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, target)
    return tmp_path / "tree"


def without_node(checkout: Path, *command: str) -> Result:
    return run([sys.executable, *command], checkout, PATH=str(checkout))


def test_a_build_without_client_and_node_says_so_and_an_editable_install_does_without(checkout: Path) -> None:
    for target in ("wheel", "sdist"):
        result = without_node(checkout, "-m", "hatchling", "build", "--target", target)
        assert result.returncode == 1
        assert "the browser client is not built, and Node 20 or newer, which builds it, is not installed" in result.stderr
        assert "Traceback" not in result.stderr
    editable = without_node(checkout, "-c", "from hatchling.build import build_editable; build_editable('dist')")
    assert editable.returncode == 0, editable.stderr


def test_a_build_without_node_takes_the_client_that_is_there(checkout: Path) -> None:
    page = checkout / "src/idg/coordinator/static/index.html"
    page.parent.mkdir(parents=True)
    page.write_text("<!doctype html>", encoding="utf-8")
    for age, warned in ((60, False), (-60, True)):
        built_at = (checkout / "client/package.json").stat().st_mtime
        os.utime(page, (built_at + age, built_at + age))
        result = without_node(checkout, "-m", "hatchling", "build", "--target", "wheel")
        assert result.returncode == 0, result.stderr
        assert ("the browser client is older than its sources" in result.stderr) is warned
        [built_wheel] = (checkout / "dist").glob("*.whl")
        assert "idg/coordinator/static/index.html" in ZipFile(built_wheel).namelist()


def test_an_sdist_without_a_client_says_so(checkout: Path) -> None:
    (checkout / "PKG-INFO").write_text("Metadata-Version: 2.4\nName: idg\nVersion: 0\n", encoding="utf-8")
    result = without_node(checkout, "-m", "hatchling", "build", "--target", "wheel")
    assert (result.returncode, "this sdist has no built client" in result.stderr) == (1, True)


def test_the_version_stands_in_one_place() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert "version" not in project["project"]
    assert project["tool"]["hatch"]["version"] == {"path": "src/idg/__init__.py"}
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert re.findall(r"^## \[?([\d.]+)", changes, re.MULTILINE)[0] == idg.__version__
