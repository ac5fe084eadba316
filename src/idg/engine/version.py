"""The version of the engine's answers: stored answers carry it, and an engine of another version does not believe them.

The version is computed from everything that can change an answer, so nobody has to raise it: the sources of the language, of the
verification conditions, of the prover, of the engine and of the second verifier, and the versions of the solvers. A change of a
comment changes it, too. That costs some rooms another judgement, and no rule has to decide which changes matter. Where a server
proves with another prover than ours, its name is a part of the version.

The list of levels is among the sources, because it has the inputs of the table that is shown first, and states to rule out are
chosen near its rows; so are the patterns of facts, which answers name. Other packages are left out because they cannot change what
is true of a program and its facts. A level is a program that is known by the digest of its text; agents only propose;
the coordinator only passes questions and answers on.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from functools import cache
from importlib import metadata, resources
from importlib.resources.abc import Traversable

from idg.prover.plugins.chosen import chosen_versions

PACKAGES = ("audit", "engine", "prover", "sip", "vc")
"""The packages of `idg` whose sources can change a verdict."""
DATA = ("levels/daily.toml", "levels/levels.toml", "levels/patterns.py")
"""Other files of `idg` that can change an answer."""
SOLVERS = ("cvc5", "python-flint", "z3-solver")
"""The distributions whose versions can change a verdict."""
VERSION_DIGITS = 16
"""How many hexadecimal digits of the digest make the version: two versions are the same by chance once in 2^64."""


def engine_version() -> str:
    """The version, such as '5d1f0c9ba2e47736'. It is the same on every machine that has these sources and these solvers, and
    where the same provers were chosen."""
    return _version_with(tuple(chosen_versions().items()))


@cache
def _version_with(chosen: tuple[tuple[str, str], ...]) -> str:
    return digest_of(sources(), {name: _installed(name) for name in SOLVERS} | dict(chosen))


def digest_of(texts: dict[str, bytes], solvers: dict[str, str]) -> str:
    """The version that sources, by their paths, and versions of solvers lead to.

    The order of files and their line endings do not matter, because they differ between systems.
    """
    digest = hashlib.sha256()
    for name, version in sorted(solvers.items()):
        digest.update(f"{name} {version}\n".encode())
    for path, text in sorted(texts.items()):
        content = text.replace(b"\r\n", b"\n")
        # The length tells where a file ends, so that no two sets of files are written to the same bytes.
        digest.update(f"{path} {len(content)}\n".encode())
        digest.update(content)
    return digest.hexdigest()[:VERSION_DIGITS]


def sources() -> dict[str, bytes]:
    """Path below `idg` → the text of each module, and the data. Whatever else lies there, such as compiled modules, is left out."""
    root = resources.files("idg")
    modules = {path: file.read_bytes() for package in PACKAGES for path, file in _modules(root / package, package)}
    return modules | {path: root.joinpath(path).read_bytes() for path in DATA}


def _modules(folder: Traversable, path: str) -> Iterator[tuple[str, Traversable]]:
    for entry in folder.iterdir():
        name = f"{path}/{entry.name}"
        if entry.name.endswith(".py"):
            yield name, entry
        elif "." not in entry.name and entry.name != "__pycache__" and entry.is_dir():
            yield from _modules(entry, name)


def _installed(distribution: str) -> str:
    """The version of an installed distribution; empty where there is none, as in a Python that has only the sources."""
    try:
        return metadata.version(distribution)
    except metadata.PackageNotFoundError:
        return ""
