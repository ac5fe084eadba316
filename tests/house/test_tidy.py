"""The style guide as a test: layers, sizes, no dead module, nothing that ties a commit to a machine or a host."""

from __future__ import annotations

import ast
import re
import subprocess
from collections import Counter
from functools import cache
from pathlib import Path

from tools.mutants import read_list

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src"
MODULE_LINES_MAX = 500
"""Lines of a Python module."""
FUNCTION_LINES_MAX = 70
"""Lines of a Python function."""
CLIENT_LINE_CHARS_MAX = 120
"""Characters of a line of the client: the print width of its formatter, which breaks neither comments nor strings."""
CLIENT_DATA = {".json", ".svg"}
"""Kinds of files of the client that are data, recorded or made by tools: their lines stay as they are."""
CLIENT_WRITTEN = {"client/src/wire.ts"}
"""Modules of the client that `make spec` writes. They may be long, because nobody edits them."""
FOLDER_MODULES_MAX = 12
"""Modules at one level of a folder, without `__init__.py`. A newcomer finds a module by its folder."""

LAYERS: dict[str, tuple[str, ...]] = {
    "idg.sip": (),
    "idg.vc": ("idg.sip",),
    "idg.prover": ("idg.sip", "idg.vc"),
    "idg.engine": ("idg.sip", "idg.vc", "idg.prover", "idg.audit"),
    "idg.levels": ("idg.sip",),
    "idg.audit": ("idg.sip",),  # nothing of the first verifier: vc, prover, engine
    "idg.export": ("idg.sip", "idg.audit", "idg.engine"),
    "idg.importer": ("idg.sip", "idg.vc"),
    "idg.agents": ("idg", "idg.sip", "idg.vc", "idg.prover", "idg.engine", "idg.levels"),
    "idg.study": ("idg", "idg.sip", "idg.engine", "idg.levels"),
    "idg.coordinator": (
        "idg",
        "idg.sip",
        "idg.engine",
        "idg.prover",
        "idg.levels",
        "idg.agents",
        "idg.importer",
        "idg.export",
        "idg.study",
    ),
    "idg.lsp": ("idg", "idg.sip", "idg.vc", "idg.prover", "idg.engine", "idg.agents", "idg.importer"),
    "idg.cli": (
        "idg",
        "idg.sip",
        "idg.vc",
        "idg.prover",
        "idg.engine",
        "idg.levels",
        "idg.agents",
        "idg.coordinator",
        "idg.importer",
        "idg.audit",
        "idg.export",
        "idg.study",
        "idg.lsp",
    ),
    "idg": ("idg.sip", "idg.engine", "idg.agents", "idg.importer"),
    "idg.__main__": ("idg.cli",),
}
"""Package → the packages of ours that it may import from, besides itself."""
PURE = ("idg.sip", "idg.vc", "idg.prover", "idg.engine", "idg.audit", "idg.export")
OUTSIDE = {"idg.prover.plugins.acl2"}
"""Modules of pure packages that are not part of the core: ACL2 is another process, for comparison only."""
SOLVERS = {"z3", "cvc5", "flint"}
PUBLIC_PROVER_MODULES = {
    "idg.prover.prove",  # asking the prover: effort, stages, fuel
    "idg.prover.answers",  # what it answers
    "idg.prover.check",  # the exact check that a state refutes a query, which the engine makes again
    "idg.prover.solvers",  # importing all solvers early
    "idg.prover.nullspace",  # linear algebra by flint, for agents: only the prover may import a solver
    "idg.prover.horn",  # Spacer's guesses, for agents
    "idg.prover.ranking",  # linear ranking functions by z3, for agents
    "idg.prover.plugins.interface",  # single solvers as provers of their own
    "idg.prover.plugins.acl2",
    "idg.prover.plugins.registry",  # provers by their names
    "idg.prover.plugins.chosen",  # the provers of a process
    "idg.prover.plugins.conformance",  # for idg doctor
}
"""The modules of the prover that other packages may import. The others may change without notice."""
IMPURE_MODULES = {
    "asyncio",
    "os",
    "pathlib",
    "socket",
    "subprocess",
    "sys",
    "tempfile",
    "threading",
    "time",
    "datetime",
    "urllib",
    "http",
    "sqlite3",
    "io",
    "shutil",
    "signal",
}
ENTRY_POINTS = {
    "idg",
    "idg.__main__",
    "idg.cli.main",
    "idg.coordinator.pool.worker",
    "idg.coordinator.pool.computing.analyses",
    "idg.lsp.preloaded",
}


CALLED_BY_OTHERS = {
    "load_ipython_extension",  # by Jupyter
    "on_url",  # by httptools
    "send_receive_event_to_app",  # by uvicorn
    "pipe_data_received",  # these three by asyncio
    "pipe_connection_lost",
    "process_exited",
}
"""Functions that only other packages call, by their names."""


@cache
def modules() -> dict[str, Path]:
    paths = {}
    for path in sorted(SOURCE.rglob("*.py")):
        parts = path.relative_to(SOURCE).with_suffix("").parts
        paths[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return paths


def layer_of(module: str) -> str:
    return max((layer for layer in LAYERS if module == layer or module.startswith(f"{layer}.")), key=len)


@cache
def imports(path: Path) -> set[str]:
    """The modules that the file imports anywhere, also inside functions."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            assert node.module is not None
            names.add(node.module)
            names.update(f"{node.module}.{alias.name}" for alias in node.names if f"{node.module}.{alias.name}" in modules())
    return names


def python_files() -> list[Path]:
    return [path for folder in ("src", "tests", "bench", "tools") for path in sorted((ROOT / folder).rglob("*.py"))]


def test_imports_go_one_way() -> None:
    for module, path in modules().items():
        layer = layer_of(module)
        for imported in imports(path):
            if imported.split(".")[0] != "idg":
                continue
            imported_layer = layer_of(imported)
            assert imported_layer == layer or imported_layer in LAYERS[layer], f"{module} ({layer}) must not import {imported}"


def test_the_core_knows_no_file_clock_or_web() -> None:
    for module, path in modules().items():
        if layer_of(module) in PURE and module not in OUTSIDE:
            impure = {name.split(".")[0] for name in imports(path)} & IMPURE_MODULES
            assert not impure, f"{module} imports {impure}"
            calls = {node.func for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Call)}
            named = {func.id for func in calls if isinstance(func, ast.Name)} & {"open", "input", "print"}
            assert not named, f"{module} calls {named}"


def test_solvers_are_imported_by_the_prover_and_the_audits_one_door_only() -> None:
    for module, path in modules().items():
        if layer_of(module) != "idg.prover" and module != "idg.audit.smt":
            solvers = {name.split(".")[0] for name in imports(path)} & SOLVERS
            assert not solvers, f"{module} imports {solvers}"


def test_the_prover_is_entered_by_its_doors_only() -> None:
    for module, path in modules().items():
        if layer_of(module) != "idg.prover":
            inside = {name for name in imports(path) if name.startswith("idg.prover.")} - PUBLIC_PROVER_MODULES
            assert not inside, f"{module} imports {inside}"


def test_no_module_is_dead() -> None:
    used = set().union(*(imports(path) for path in python_files())) | ENTRY_POINTS
    packages = {module for module, path in modules().items() if path.name == "__init__.py"}
    assert not set(modules()) - used - packages


def test_no_function_is_dead() -> None:
    """Every function of ours that no decorator registers is named elsewhere, too. Visitors of trees call by made-up names."""
    files = [*python_files(), ROOT / "pyproject.toml", ROOT / "hatch_build.py"]
    words = Counter(word for path in files for word in re.findall(r"\w+", path.read_text(encoding="utf-8")))
    dead = {
        node.name
        for path in modules().values()
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and not node.decorator_list and words[node.name] == 1
    }
    assert not {name for name in dead if not name.startswith(("__", "visit_"))} - CALLED_BY_OTHERS


def test_modules_and_functions_are_short() -> None:
    long = []
    for path in python_files():
        text = path.read_text(encoding="utf-8")
        lines = text.count("\n")
        if lines > MODULE_LINES_MAX:
            long.append(f"{path.relative_to(ROOT)}: {lines} lines")
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                length = (node.end_lineno or node.lineno) - node.lineno + 1
                if length > FUNCTION_LINES_MAX:
                    long.append(f"{path.relative_to(ROOT)}: {node.name} has {length} lines")
    assert not long, "\n".join(long)


def client_files() -> list[Path]:
    return [path for path in tracked_files() if ROOT / "client" in path.parents and path.suffix not in CLIENT_DATA]


def test_modules_and_lines_of_the_client_are_short() -> None:
    long = []
    for path in client_files():
        lines = path.read_text(encoding="utf-8").splitlines()
        if len(lines) > MODULE_LINES_MAX and path.relative_to(ROOT).as_posix() not in CLIENT_WRITTEN:
            long.append(f"{path.relative_to(ROOT)}: {len(lines)} lines")
        wide = [number for number, line in enumerate(lines, 1) if len(line) > CLIENT_LINE_CHARS_MAX]
        long += [f"{path.relative_to(ROOT)}:{number} has more than {CLIENT_LINE_CHARS_MAX} characters" for number in wide]
    assert not long, "\n".join(long)


def test_folders_are_small() -> None:
    files = [*(path for path in python_files() if path.name != "__init__.py"), *client_files()]
    modules_of = Counter(path.parent for path in files)
    large = {str(folder.relative_to(ROOT)): count for folder, count in modules_of.items() if count > FOLDER_MODULES_MAX}
    assert not large, f"folders with more than {FOLDER_MODULES_MAX} modules at one level: {large}"


def tracked_files() -> list[Path]:
    """The files that git tracks or would add. Without git, as in an unpacked archive, every file outside hidden folders."""
    try:
        listed = subprocess.run(
            ["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True, check=True
        ).stdout.splitlines()
    except (OSError, subprocess.CalledProcessError):
        return [path for path in ROOT.rglob("*") if path.is_file() and not any(part.startswith(".") for part in path.parts)]
    return [ROOT / name for name in listed if (ROOT / name).is_file()]


def test_modules_that_documents_name_with_their_folders_are_there() -> None:
    """A module that is moved leaves no sentence behind that sends readers to its old folder."""
    endings = {"/".join(parts[start:]) for path in tracked_files() for parts in [path.parts] for start in range(len(parts))}
    gone = [
        f"{path.relative_to(ROOT)}: {name}"
        for path in [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").glob("*.md")), ROOT / "tests" / "README.md"]
        if path.name != "CHANGELOG.md"  # which tells what was
        for name in re.findall(r"(?<![\w/.-])((?:\w+/)+\w+\.py)\b", path.read_text(encoding="utf-8"))
        if name not in endings
    ]
    assert not gone, "\n".join(gone)


def test_nothing_names_a_host_or_a_machines_path() -> None:
    machine_path = re.compile(r"/(?:home|root|work|Users|tmp)/\w")
    for path in tracked_files():
        text = path.read_text(encoding="utf-8", errors="replace")
        assert not machine_path.search(text), f"{path} names a path of a machine"
        if path.name.endswith(".lock"):
            assert "://" not in text, f"{path} names a host"
        if path.name == "package-lock.json":
            assert '"resolved"' not in text, f"{path} says where packages were downloaded from"
        assert path.stat().st_size < 1_000_000, f"{path} is large"


def test_the_tests_readme_names_every_test_module_and_every_module_of_support() -> None:
    folder = ROOT / "tests"
    existing = {str(path.relative_to(folder)) for path in folder.rglob("*.py") if path.name != "__init__.py"}
    named = re.findall(r"`([\w/]+\.py)`", (folder / "README.md").read_text(encoding="utf-8"))
    assert set(named) == existing


def test_the_coordinator_passes_records_not_dictionaries() -> None:
    """What the engine and rooms answer are records. JSON that is not decoded yet has the type `Json` of the wire.

    The worker is the exception: it serves any module of calls, imports nothing of the engine itself, and so defines `Json` again.
    """
    folder = SOURCE / "idg" / "coordinator"
    untyped = {path.name for path in folder.rglob("*.py") if "dict[str, Any]" in path.read_text(encoding="utf-8")}
    assert untyped == {"worker.py"}


def test_waits_do_not_lose_a_cancellation() -> None:
    """`asyncio.wait_for` of Python 3.11 loses a cancellation that comes together with what is waited for. A task then goes on that
    somebody wants to end. `async with asyncio.timeout(…)` loses none."""
    waits = {
        f"{module}: line {node.lineno}"
        for module, path in modules().items()
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if (isinstance(node, ast.Attribute) and node.attr == "wait_for")
        or (isinstance(node, ast.ImportFrom) and node.module == "asyncio" and any(name.name == "wait_for" for name in node.names))
    }
    assert not waits


def test_mutants_fit_the_sources() -> None:
    """A mutation whose text is not there breaks nothing, and `make mutants` is run seldom."""
    _, mutants = read_list()
    assert not [(mutant.file, mutant.why, mutant.problem()) for mutant in mutants if mutant.problem()]
