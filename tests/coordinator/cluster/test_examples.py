"""The files of examples/cluster are valid, and every command in them is one that IDG understands."""

from __future__ import annotations

import configparser
import shutil
import subprocess
from pathlib import Path

import kubernetes_validate
import pytest
import yaml

from idg.cli.main import build_parser
from idg.coordinator.settings import EXPLAINED, environment_name, read_settings
from tests.support.servers.pool_scenarios import ROOT

EXAMPLES = ROOT / "examples" / "cluster"
UNITS = sorted((EXAMPLES / "systemd").glob("*.service"))
KUBERNETES_VERSION = "1.31.0"


def manifests() -> list[dict[str, object]]:
    return list(yaml.safe_load_all((EXAMPLES / "kubernetes.yaml").read_text(encoding="utf-8")))


def understood(arguments: list[str]) -> None:
    """Whether these are arguments of `idg`, with settings that can be used."""
    options = build_parser().parse_args(arguments)
    assert options.command in ("serve", "node")
    read_settings({name: getattr(options, name, None) for name in EXPLAINED}, {}, None)


def known_variables(names: set[str]) -> None:
    assert {name for name in names if name.startswith("IDG_")} <= {environment_name(name) for name in EXPLAINED}


def test_the_manifests_of_kubernetes_are_valid() -> None:
    assert {manifest["kind"] for manifest in manifests()} == {
        "Namespace", "Service", "StatefulSet", "Deployment", "PodDisruptionBudget",
    }  # fmt: skip
    for manifest in manifests():
        kubernetes_validate.validate(manifest, KUBERNETES_VERSION, strict=True)
    wrong = manifests()[2] | {"spec": {"replicas": "three"}}
    with pytest.raises(kubernetes_validate.ValidationError):
        kubernetes_validate.validate(wrong, KUBERNETES_VERSION, strict=True)


def test_the_commands_of_the_manifests() -> None:
    seen = set()
    for manifest in manifests():
        if manifest["kind"] == "Deployment":
            (container,) = manifest["spec"]["template"]["spec"]["containers"]  # type: ignore[index]
            understood(container["args"])
            known_variables({variable["name"] for variable in container["env"]})
            seen.add(container["args"][0])
    assert seen == {"serve", "node"}


def test_the_compose_file() -> None:
    compose = yaml.safe_load((EXAMPLES / "compose.yaml").read_text(encoding="utf-8"))
    services = compose["services"]
    assert set(services) == {"nats", "postgres", "coordinator", "node"}
    for name in ("coordinator", "node"):
        understood(services[name]["command"])
        known_variables(set(services[name]["environment"]))
        assert set(services[name]["depends_on"]) <= set(services)
    used = {volume.partition(":")[0] for service in services.values() for volume in service.get("volumes", ())}
    assert used == set(compose["volumes"])


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.stem)
def test_the_units_of_systemd(unit: Path, tmp_path: Path) -> None:
    parsed = configparser.ConfigParser(strict=True, interpolation=None, delimiters=("=",))
    parsed.optionxform = str  # type: ignore[assignment, method-assign]
    parsed.read(unit, encoding="utf-8")
    assert parsed.sections() == ["Unit", "Service", "Install"]
    program, *arguments = parsed["Service"]["ExecStart"].split()
    assert program.endswith("/idg")
    understood(arguments)
    analyze = shutil.which("systemd-analyze")
    if analyze is None:
        pytest.skip("systemd-analyze is not there; only the form was checked")
    # The program need not be installed here, so another one stands for it.
    text = unit.read_text(encoding="utf-8").replace(program, "/bin/true").replace("User=idg", "User=root")
    (tmp_path / unit.name).write_text(text, encoding="utf-8")
    result = subprocess.run([analyze, "verify", "--man=no", str(tmp_path / unit.name)], capture_output=True, text=True)
    complaints = [line for line in result.stderr.splitlines() if unit.name in line]
    assert not complaints, result.stderr


def test_the_configuration_of_nats(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The server itself reads it, without the certificates, which are not there."""
    from idg.coordinator.cluster.local.programs import find_program

    for file in ("nats.conf", "nats-users.conf"):
        shutil.copy(EXAMPLES / file, tmp_path)
    text = (tmp_path / "nats.conf").read_text()
    head, _, rest = text.partition("tls {")
    (tmp_path / "nats.conf").write_text(head + rest.partition("}")[2])
    for name, value in {
        "NATS_NAME": "nats-0", "IDG_COORDINATOR_PASSWORD": "a", "IDG_NODE_PASSWORD": "b", "IDG_WATCHER_PASSWORD": "c",
    }.items():  # fmt: skip
        monkeypatch.setenv(name, value)
    program = find_program("nats-server")
    assert program is not None
    result = subprocess.run([program, "-t", "-c", tmp_path / "nats.conf"], capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
