"""The optional parts of an installation, and what is said where one is missing.

`pip install idg` brings the library and the command line. What else there is comes with an extra of pyproject.toml, for instance
`pip install 'idg[server]'`. Everything that needs such packages calls `require` before it imports them.
"""

from __future__ import annotations

from idg.sip.record import Record


class Extra(Record):
    """One extra: what its packages are for, and the modules that show whether they are installed."""

    what: str
    modules: tuple[str, ...]


EXTRAS: dict[str, Extra] = {
    "server": Extra(
        "the server's packages",
        ("alembic", "fastapi", "httptools", "prometheus_client", "pycparser", "sqlalchemy", "uvicorn", "websockets"),
    ),
    "postgres": Extra("the packages for PostgreSQL", ("asyncpg", "greenlet")),
    "cluster": Extra("the packages for a cluster", ("nats", "nkeys")),
    "mcp": Extra("the package of the Model Context Protocol", ("mcp",)),
    "c": Extra("a parser of C", ("pycparser",)),
    "lti": Extra("the packages for learning platforms", ("aiohttp", "joserfc")),
    "lsp": Extra("the packages for editors", ("pygls",)),
    "notebook": Extra("the packages for notebooks", ("IPython", "pandas")),
    "shell": Extra("the package that writes completions", ("shtab",)),
    "study": Extra("the packages for statistics and plots", ("matplotlib", "scipy")),
}
"""By the names of the extras in pyproject.toml; a test compares the two. uvloop is not listed: the server does without it."""


class MissingPackages(ImportError):
    """Packages of an extra are not installed; the message says which command installs them."""


def is_installed(extra: str) -> bool:
    """Whether the packages of this extra are installed."""
    from importlib.util import find_spec

    return all(find_spec(module) is not None for module in EXTRAS[extra].modules)


def require(extra: str, who: str, otherwise: str = "") -> None:
    """Raises MissingPackages unless the packages of this extra are installed.

    `who` begins the sentence, such as 'idg serve'; `otherwise` ends it with what works without them."""
    if not is_installed(extra):
        raise MissingPackages(f"{who} needs {EXTRAS[extra].what}: pip install 'idg[{extra}]'{otherwise and f' ({otherwise})'}")
