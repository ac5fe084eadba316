"""Settings come from flags, the environment, a file or their defaults; a wrong one is reported clearly."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from idg.cli.main import SERVER_SETTINGS
from idg.coordinator.settings import (
    CHOICES,
    EXPLAINED,
    RANGES,
    SettingError,
    Settings,
    environment_name,
    flag_name,
    read_settings,
    settings_table,
)

SERVER_PAGE = (Path(__file__).parents[2] / "docs" / "server.md").read_text(encoding="utf-8")


def test_the_page_has_the_table_of_settings() -> None:
    assert settings_table() in SERVER_PAGE


def test_every_setting_is_explained_and_has_its_flag() -> None:
    assert tuple(EXPLAINED) == Settings.__match_args__ == SERVER_SETTINGS
    for name in EXPLAINED:
        assert f"`{flag_name(name)}` | `{environment_name(name)}`" in settings_table()
    for name, kind in {setting: type(getattr(Settings(), setting)) for setting in EXPLAINED}.items():
        assert (name in RANGES) == (kind in (int, float)), name


def test_flags_come_before_the_environment_and_that_before_the_file(tmp_path: Path) -> None:
    file = tmp_path / "server.toml"
    file.write_text('port = 1\nworkers = 3\nqueue_max = 5\nsecure = true\nrate_player = 2\nhosts = "a.example, b.example"\n')
    settings = read_settings({"port": "3", "data": None}, {"IDG_PORT": "2", "IDG_WORKERS": "4", "OTHER": "x"}, str(file))
    assert (settings.port, settings.workers, settings.queue_max, settings.secure, settings.rate_player) == (3, 4, 5, True, 2.0)
    assert settings.memory_mb == Settings().memory_mb
    assert settings.allowed_hosts == {"localhost", "127.0.0.1", "[::1]", "a.example", "b.example"}
    assert read_settings({}, {}, None) == Settings()


@pytest.mark.parametrize(("flags", "environment", "complaint"), [
    ({"port": "x"}, {}, "--port must be a whole number, found 'x'"),
    ({"port": "70000"}, {}, "--port must be from 0 to 65535, found '70000'"),
    ({"port": "-1"}, {}, "--port must be from 0 to 65535"),
    ({"port": "1.5"}, {}, "--port must be a whole number"),
    ({"workers": "0"}, {}, "--workers must be from 1 to 64"),
    ({"deadline_seconds": "nan"}, {}, "--deadline-seconds must be from 0.1 to 3600"),
    ({"rate_player": "inf"}, {}, "--rate-player must be from 0 to 1e+06"),
    ({"rate_player": "-1"}, {}, "--rate-player must be from 0"),
    ({"secure": "maybe"}, {}, "--secure must be true or false, found 'maybe'"),
    ({"log_level": "loud"}, {}, "--log-level must be one of debug, info, warning, error, found 'loud'"),
    ({"log_format": "xml"}, {}, "--log-format must be one of text, json"),
    ({}, {"IDG_QUEUE_MAX": ""}, "the environment variable IDG_QUEUE_MAX must be a whole number, found ''"),
    ({}, {"IDG_SECURE": "on"}, "the environment variable IDG_SECURE must be true or false"),
])  # fmt: skip
def test_wrong_settings_say_which_and_where(flags: dict[str, Any], environment: dict[str, str], complaint: str) -> None:
    with pytest.raises(SettingError) as error:
        read_settings(flags, environment, None)
    assert complaint in str(error.value)


@pytest.mark.parametrize(("text", "complaint"), [
    ("port = 'x'", "'port' in {file} must be a whole number, found 'x'"),
    ("port = true", "'port' in {file} must be a whole number, found True"),
    ("port = 1.0", "'port' in {file} must be a whole number"),
    ("secure = 1", "'secure' in {file} must be true or false"),
    ("host = 5", "'host' in {file} must be a text, found 5"),
    ("prot = 7400", "{file}: there is no setting 'prot'; there are host, port"),
    ("port = ", "the settings file {file} cannot be read"),
    ("[server]\nport = 1", "there is no setting 'server'"),
    ("log_level = 'INFO'", "'log_level' in {file} must be one of debug"),
])  # fmt: skip
def test_wrong_files_say_what(tmp_path: Path, text: str, complaint: str) -> None:
    file = tmp_path / "server.toml"
    file.write_text(text)
    with pytest.raises(SettingError) as error:
        read_settings({}, {}, str(file))
    assert complaint.format(file=file) in str(error.value)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "latin.toml").write_bytes(b"host = '\xe9'")
    for name in ("none.toml", "latin.toml", "."):
        with pytest.raises(SettingError, match="cannot be read"):
            read_settings({}, {}, str(tmp_path / name))


@pytest.mark.parametrize("name", RANGES)
def test_bounds_themselves_are_allowed(name: str) -> None:
    for bound in RANGES[name]:
        text = f"{bound:.10g}"
        assert getattr(read_settings({name: text.replace("1e+06", "1000000")}, {}, None), name) == bound


def test_every_choice_is_allowed() -> None:
    for name, choices in CHOICES.items():
        for choice in choices:
            assert getattr(read_settings({name: choice}, {}, None), name) == choice


def test_the_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert Settings().folder == tmp_path / "idg"
    assert Settings().database_url == f"sqlite:///{tmp_path / 'idg' / 'idg.db'}"
    assert Settings(data="x").folder == Path("x")
    assert Settings(database="postgresql://a@b/c").database_url == "postgresql://a@b/c"
