"""The settings of the coordinator.

Each comes from a flag, from an environment variable (IDG_…) or from a file, or it is the default. The first of these counts.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from pathlib import Path

from idg.prover.plugins.chosen import ChosenProvers, NoSuchProver, choose_provers
from idg.sip.record import Record, replace


class SettingError(ValueError):
    """A setting cannot be used. The message is written for the person who starts the server."""


class Settings(Record):
    host: str = "127.0.0.1"
    port: int = 7400
    data: str = ""
    database: str = ""
    nats: str = ""
    nats_ca: str = ""
    nats_certificate: str = ""
    nats_key: str = ""
    nats_nkey: str = ""
    nats_credentials: str = ""
    workers: int = 2
    spares: int = 1
    queue_max: int = 200
    deadline_seconds: float = 20.0
    memory_mb: int = 1024
    recycle_after: int = 2000
    sandbox: str = "auto"
    prover: str = ""
    second_opinion: str = ""
    verdicts_mb: int = 64
    rooms_mb: int = 128
    rate_player: float = 20.0
    rate_address: float = 200.0
    players_a_day: int = 300
    rooms_a_day: int = 200
    programs_a_day: int = 100
    classes_a_day: int = 20
    classes: str = "anybody"
    stored_mb_a_day: int = 100
    data_mb: int = 20_000
    keep_days: float = 0.0
    keep_solved_days: float = 0.0
    sockets_max: int = 5000
    sockets_player: int = 20
    members_max: int = 100
    partners_max: int = 100
    partner_seconds: float = 5.0
    connections_max: int = 10_000
    connections_address: int = 1000
    head_seconds: float = 10.0
    body_seconds: float = 60.0
    stall_seconds: float = 30.0
    waiting_mb: int = 256
    ping_seconds: float = 20.0
    hosts: str = ""
    secure: bool = False
    proxies: str = ""
    admin_token: str = ""
    log_level: str = "info"
    log_format: str = "text"

    @property
    def folder(self) -> Path:
        return Path(self.data) if self.data else default_folder()

    @property
    def database_url(self) -> str:
        return self.database or f"sqlite:///{(self.folder / 'idg.db').absolute()}"

    @property
    def provers(self) -> ChosenProvers:
        return ChosenProvers(self.prover, self.second_opinion)

    def choose_provers(self) -> None:
        """Makes them the provers of this process, before anything asks for the version of its engine."""
        try:
            choose_provers(self.provers)
        except NoSuchProver as error:
            raise SettingError(str(error)) from None

    @property
    def allowed_hosts(self) -> frozenset[str]:
        """The names under which browsers may reach the server. Requests under other names are refused, because otherwise a foreign
        site could point its own name at this server, and browsers would take the two for one site."""
        own = {"localhost", "127.0.0.1", "[::1]", self.host}
        return frozenset(own | {host.strip() for host in self.hosts.split(",") if host.strip()})


EXPLAINED: dict[str, str] = {
    "host": "the address to listen at; the default is reached from this machine only",
    "port": "the port to listen at; 0 takes a free one",
    "data": "the folder for the database; by default a folder of this user's",
    "database": "a database to use instead of SQLite in the data folder, such as postgresql://user@host/name",
    "nats": "addresses of NATS servers, separated by commas: this server is then a coordinator of a cluster",
    "nats_ca": "a file with the certificates of the authorities that NATS's certificate must come from",
    "nats_certificate": "a file with our own certificate, where NATS asks for one",
    "nats_key": "a file with the key of our own certificate",
    "nats_nkey": "a file with the seed of our nkey, where NATS asks for one",
    "nats_credentials": "a .creds file, where NATS asks for one",
    "workers": "engine workers, each a process; as many as there are cores is best",
    "spares": "with 1, one more worker is kept ready from the first analysis on, in case that one is lost; 0 saves its memory",
    "queue_max": "analyses that may wait; beyond that the answer is 'busy' (503)",
    "deadline_seconds": "wall-clock limit of one analysis; its worker is killed then, and the answer is 'unknown'",
    "memory_mb": "memory that one analysis may take beyond what a worker needs anyway",
    "recycle_after": "analyses after which a worker is replaced by a fresh one",
    "sandbox": "workers without network, files and processes: auto (what the system can do), required (all, or no start), off",
    "prover": "the prover that is asked alone: z3, cvc5, or one that a package registers; by default all of ours together",
    "second_opinion": "a prover that is asked about each proof; where it refutes by a state, the proof does not count",
    "verdicts_mb": "memory for answers seen before",
    "rooms_mb": "memory for rooms, and a quarter of it for scores; what is over that is read again when somebody comes",
    "rate_player": "requests a second that one player may make on average; 0 is no limit",
    "rate_address": "requests a second that one address may make on average; 0 is no limit",
    "players_a_day": "new players that one address may make in a day; 0 is no limit",
    "rooms_a_day": "rooms that one player may open in a day, and an address ten times as many; 0 is no limit",
    "programs_a_day": "programs that one player may submit in a day, and an address ten times as many; 0 is no limit",
    "classes_a_day": "classes that one player may make in a day, and an address ten times as many; 0 is no limit",
    "classes": "who may make classes: anybody, or only teachers whom the person with the admin token has made",
    "stored_mb_a_day": "megabytes that one player may have stored in a day, and an address ten times as much; 0 is no limit",
    "data_mb": "megabytes that the database may hold in all, each table a share of them; 0 is no limit",
    "keep_days": "days after which rooms are deleted in which nothing happened; 0 keeps them",
    "keep_solved_days": "the same for rooms that were solved or had several players; 0 keeps them",
    "sockets_max": "WebSockets open at the same time",
    "sockets_player": "WebSockets of one player open at the same time",
    "members_max": "players that one room may have, those who left included",
    "partners_max": "rooms in which the computer plays along at the same time, half of them for one address; 0 is none",
    "partner_seconds": "seconds that the computer takes before each of its moves in a room, so that people can follow",
    "connections_max": "connections open at the same time; the system's limit on open files may allow fewer",
    "connections_address": "connections of one address open at the same time; 0 is no limit",
    "head_seconds": "seconds within which the first line and the headers of a request must arrive",
    "body_seconds": "seconds within which the body of a request must arrive",
    "stall_seconds": "seconds within which a client must take some of what is sent to it",
    "waiting_mb": "memory for answers until clients take them; an address may have what is free of it, alone half",
    "ping_seconds": "seconds between two pings on a WebSocket, and within which a client must answer one",
    "hosts": "further names of this server, separated by commas, such as idg.example.org; * allows any",
    "secure": "cookies only over HTTPS; for servers behind an HTTPS proxy",
    "proxies": "addresses of proxies whose X-Forwarded-For is believed, separated by commas",
    "admin_token": "for the routes under /api/admin; by default made at each start and printed",
    "log_level": "debug, info, warning or error",
    "log_format": "text, or json (one object a line)",
}
"""Setting → what it means, for the help of the command line and for docs/server.md."""
RANGES: dict[str, tuple[float, float]] = {
    "port": (0, 65535), "workers": (1, 64), "spares": (0, 1), "queue_max": (1, 100_000),
    "deadline_seconds": (0.1, 3600), "memory_mb": (64, 65536),
    "recycle_after": (1, 1_000_000), "verdicts_mb": (1, 65536), "rooms_mb": (1, 65536), "rate_player": (0, 1e6),
    "rate_address": (0, 1e6),
    "players_a_day": (0, 1e9), "rooms_a_day": (0, 1e9), "programs_a_day": (0, 1e9), "classes_a_day": (0, 1e9),
    "stored_mb_a_day": (0, 1e6), "data_mb": (0, 1e9), "keep_days": (0, 36500), "keep_solved_days": (0, 36500),
    "sockets_max": (1, 1_000_000), "sockets_player": (1, 1_000_000),
    "members_max": (1, 10_000), "partners_max": (0, 10_000), "partner_seconds": (0, 3600),
    "connections_max": (16, 1_000_000), "connections_address": (0, 1_000_000),
    "head_seconds": (0.1, 3600), "body_seconds": (0.1, 3600), "stall_seconds": (0.1, 3600), "ping_seconds": (0.1, 3600),
    "waiting_mb": (1, 65536),
}  # fmt: skip
"""Setting → the smallest and the largest value that it may have."""
CHOICES: dict[str, tuple[str, ...]] = {
    "sandbox": ("auto", "required", "off"),
    "classes": ("anybody", "teachers"),
    "log_level": ("debug", "info", "warning", "error"),
    "log_format": ("text", "json"),
}
"""Setting → the values that it may have."""
KINDS: dict[str, type] = {name: type(getattr(Settings(), name)) for name in EXPLAINED}
"""Setting → the type of its value."""


def default_folder() -> Path:
    base = os.environ.get("XDG_DATA_HOME")
    return (Path(base) if base else Path.home() / ".local" / "share") / "idg"


def environment_name(setting: str) -> str:
    return f"IDG_{setting.upper()}"


def flag_name(setting: str) -> str:
    return "--" + setting.replace("_", "-")


def read_settings(flags: Mapping[str, object], environment: Mapping[str, str], file: str | None) -> Settings:
    """Reads the settings; SettingError says which one is wrong and where it came from."""
    values: dict[str, object] = {}
    if file is not None:
        values |= _from_file(file)
    for name in KINDS:
        variable = environment_name(name)
        if variable in environment:
            values[name] = _value(name, environment[variable], f"the environment variable {variable}")
    for name, value in flags.items():
        if value is not None:
            values[name] = _value(name, value, flag_name(name))
    return replace(Settings(), **values)


def _from_file(file: str) -> dict[str, object]:
    try:
        content = tomllib.loads(Path(file).read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise SettingError(f"the settings file {file} cannot be read: {error}") from None
    unknown = sorted(set(content) - set(KINDS))
    if unknown:
        raise SettingError(f"{file}: there is no setting '{unknown[0]}'; there are {', '.join(KINDS)}")
    return {name: _value(name, value, f"'{name}' in {file}") for name, value in content.items()}


def _value(name: str, given: object, source: str) -> object:
    """The value of a setting, given as a value or as a text. `source` says where it came from, for the errors."""
    kind = KINDS[name]
    value: object = given
    if isinstance(given, str) and kind is not str:
        value = _parsed(given, kind, source)
    if kind is float and isinstance(value, int) and not isinstance(value, bool):
        value = float(value)
    if type(value) is not kind:
        raise SettingError(f"{source} must be {_kind_name(kind)}, found {given!r}")
    if name in RANGES:
        low, high = RANGES[name]
        assert isinstance(value, int | float)
        if not low <= value <= high:
            raise SettingError(f"{source} must be from {low:g} to {high:g}, found {given!r}")
    if name in CHOICES and value not in CHOICES[name]:
        raise SettingError(f"{source} must be one of {', '.join(CHOICES[name])}, found {given!r}")
    return value


def _parsed(text: str, kind: type, source: str) -> object:
    if kind is bool:
        truths = {"true": True, "1": True, "yes": True, "false": False, "0": False, "no": False}
        if text.lower() not in truths:
            raise SettingError(f"{source} must be true or false, found {text!r}")
        return truths[text.lower()]
    try:
        return kind(text)
    except ValueError:
        raise SettingError(f"{source} must be {_kind_name(kind)}, found {text!r}") from None


def _kind_name(kind: type) -> str:
    return {int: "a whole number", float: "a number", bool: "true or false", str: "a text"}[kind]


def settings_table() -> str:
    """The table of docs/server.md; a test compares the two."""
    lines = ["| flag | environment | default | what |", "|---|---|---|---|"]
    for name, text in EXPLAINED.items():
        default = getattr(Settings(), name)
        shown = f"{default:g}" if isinstance(default, float) else str(default).lower()
        lines.append(f"| `{flag_name(name)}` | `{environment_name(name)}` | {f'`{shown}`' if shown else ''} | {text} |")
    return "\n".join(lines)
