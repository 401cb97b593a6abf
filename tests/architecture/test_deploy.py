"""Rules for the deployment files: the image, the compose file, the manifests. Nothing is started
here; if Docker is installed, it validates the compose file too."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import jsonschema
import kubernetes_validate
import pytest
import yaml

from remem.settings import Settings

ROOT = Path(__file__).parents[2]
DOCKERFILE = (ROOT / "Dockerfile").read_text()
COMPOSE = yaml.safe_load((ROOT / "compose.yaml").read_text())
MANIFESTS = [
    document
    for path in sorted((ROOT / "deploy/kubernetes").glob("*.yaml"))
    for document in yaml.safe_load_all(path.read_text())
]
DEPLOYMENTS = [manifest for manifest in MANIFESTS if manifest["kind"] == "Deployment"]
SETTINGS = {f"REMEM_{name.upper()}" for name in Settings.model_fields}


def instructions() -> list[tuple[str, str]]:
    text = re.sub(r"\\\n", " ", re.sub(r"(?m)^\s*#.*\n", "", DOCKERFILE))
    lines = [line for line in text.splitlines() if line.strip()]
    return [(word, rest) for word, _, rest in (line.partition(" ") for line in lines)]


def arguments_of(word: str) -> list[str]:
    return [" ".join(rest.split()) for name, rest in instructions() if name == word]


# --- the image ---


def test_hadolint_has_nothing_to_say() -> None:
    program = Path(sys.executable).with_name("hadolint")
    process = subprocess.run([program, "Dockerfile"], cwd=ROOT, capture_output=True, text=True)
    assert (process.returncode, process.stdout) == (0, "")


def test_the_image_is_built_in_two_stages_on_named_versions() -> None:
    assert arguments_of("FROM") == ["${BASE} AS build", "${BASE}"]
    assert re.fullmatch(r"BASE=[\w/]+:\d[\w.-]+", arguments_of("ARG")[0])
    words = [word for word, _ in instructions()]
    words = words[len(words) - words[::-1].index("FROM") :]
    assert "ADD" not in words and words.count("RUN") == 1, "the image has no tools to build with"


def test_it_runs_as_an_unprivileged_user() -> None:
    assert int(arguments_of("USER")[-1]) > 1_000
    assert re.search(r"--uid (\d+)", arguments_of("RUN")[-1])[1] == arguments_of("USER")[-1]  # type: ignore[index]


def test_programs_are_started_without_a_shell() -> None:
    for words in (
        *arguments_of("ENTRYPOINT"),
        *arguments_of("CMD"),
        arguments_of("HEALTHCHECK")[0].partition("CMD ")[2],
    ):
        assert isinstance(json.loads(words), list)


def test_its_health_check_asks_for_readiness() -> None:
    [check] = arguments_of("HEALTHCHECK")
    assert "/health/ready" in check and "--start-period" in check
    assert arguments_of("STOPSIGNAL") == ["SIGTERM"]


def test_package_managers_leave_no_caches() -> None:
    for command in arguments_of("RUN"):
        if "apt-get install" in command:
            assert "--no-install-recommends" in command
            assert "rm -rf /var/lib/apt/lists" in command
        if "pip install" in command and "--requirement" in command:
            assert "--require-hashes" in command
    assert "PIP_NO_CACHE_DIR=1" in DOCKERFILE


def test_nothing_secret_or_heavy_is_sent_to_the_builder() -> None:
    ignored = (ROOT / ".dockerignore").read_text().split()
    assert {".env", ".git", ".venv", "**/node_modules"} <= set(ignored)


# --- compose ---


def environments() -> dict[str, dict[str, str]]:
    return {name: service.get("environment", {}) for name, service in COMPOSE["services"].items()}


def test_every_service_is_there_and_pinned() -> None:
    assert {"postgres", "valkey", "qdrant", "api", "worker"} <= set(COMPOSE["services"])
    for name, service in COMPOSE["services"].items():
        if "build" not in service:
            assert re.search(r":v?\d[\w.-]+$", service["image"]), name


def test_every_variable_of_remem_is_a_setting() -> None:
    names = {
        key for values in environments().values() for key in values if key.startswith("REMEM_")
    }
    assert names and not names - SETTINGS
    config = next(manifest for manifest in MANIFESTS if manifest["kind"] == "ConfigMap")
    assert config["data"] and not set(config["data"]) - SETTINGS
    assert not set(re.findall(r"REMEM_\w+", DOCKERFILE)) - SETTINGS


def test_the_settings_of_compose_are_valid(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, environment in environments().items():
        if name in ("api", "worker"):
            for key, value in environment.items():
                monkeypatch.setenv(key, re.sub(r"\$\{\w+:[-?]([^}]*)\}", r"\1", value))
            assert Settings().vector_index == "qdrant"
            assert name != "api" or "10.0.0.0/8" in Settings().trusted_proxies


def test_the_example_lists_every_variable_and_leaves_secrets_empty() -> None:
    text = (ROOT / "compose.yaml").read_text()
    example = dict(re.findall(r"(?m)^(\w+)=(.*)$", (ROOT / ".env.example").read_text()))
    assert set(example) <= set(re.findall(r"\$\{(\w+)", text))
    required = set(re.findall(r"\$\{(\w+):\?", text))
    assert {name for name, value in example.items() if not value} == required


@pytest.mark.parametrize("name", ["api", "worker"])
def test_every_setting_in_the_file_of_secrets_reaches_remem(name: str) -> None:
    """Only what belongs to the services of the file itself, such as addresses and passwords, has a
    value that the file of secrets cannot change."""
    service = COMPOSE["services"][name]
    assert service["env_file"] == ".env"
    fixed = {key for key, value in service["environment"].items() if f"${{{key}" not in value}
    assert fixed == {
        "REMEM_DATABASE_URL",
        "REMEM_REDIS_URL",
        "REMEM_QDRANT_URL",
        "REMEM_QDRANT_KEY",
    }


def test_the_file_of_secrets_is_never_committed() -> None:
    assert ".env" in (ROOT / ".gitignore").read_text().split()


def test_the_server_has_a_health_check_with_any_engine() -> None:
    """Podman ignores the health check of an image."""
    [check] = arguments_of("HEALTHCHECK")
    kind, *command = COMPOSE["services"]["api"]["healthcheck"]["test"]
    assert kind == "CMD" and command == json.loads(check.partition("CMD ")[2])


def test_by_default_only_this_machine_can_reach_it() -> None:
    ports = [port for service in COMPOSE["services"].values() for port in service.get("ports", ())]
    assert ports and all(port.startswith("127.0.0.1:") for port in ports)


def test_a_service_that_others_wait_for_has_a_health_check() -> None:
    for service in COMPOSE["services"].values():
        depends = service.get("depends_on", {})
        for name, options in depends.items() if isinstance(depends, dict) else ():
            if options["condition"] == "service_healthy":
                assert "test" in COMPOSE["services"][name]["healthcheck"]


def _docker() -> str | None:
    """The path of Docker, if it has Compose: Docker may be installed without."""
    docker = shutil.which("docker")
    if docker is None:
        return None
    version = subprocess.run([docker, "compose", "version"], capture_output=True, timeout=60)
    return docker if version.returncode == 0 else None


def test_docker_reads_the_compose_file(tmp_path: Path) -> None:
    docker = _docker()
    if docker is None:
        # Without Docker only the rules above check the file.
        assert COMPOSE["services"]
        return
    example = (ROOT / ".env.example").read_text()
    (tmp_path / ".env").write_text(re.sub(r"(?m)^(\w+)=$", r"\1=x", example))
    shutil.copy(ROOT / "compose.yaml", tmp_path)
    subprocess.run([docker, "compose", "config", "--quiet"], cwd=tmp_path, check=True, timeout=60)


# --- Kubernetes ---

_METADATA = {
    "type": "object",
    "properties": {
        "name": {"type": "string", "pattern": "^[a-z0-9-]{1,63}$"},
        "namespace": {"const": "remem"},
        "labels": {"type": "object"},
    },
    "additionalProperties": False,
}
_SELECTOR = {
    "type": "object",
    "required": ["matchLabels"],
    "properties": {"matchLabels": {"type": "object", "minProperties": 1}},
    "additionalProperties": False,
}
_PROBE = {
    "type": "object",
    "required": ["httpGet"],
    "properties": {
        "httpGet": {"type": "object", "required": ["path", "port"]},
        **{name: {"type": "integer", "minimum": 1} for name in (
            "periodSeconds", "timeoutSeconds", "failureThreshold", "initialDelaySeconds",
        )},
    },
    "additionalProperties": False,
}  # fmt: skip
_AMOUNTS = {
    "type": "object",
    "required": ["cpu", "memory"],
    "properties": {
        "cpu": {"type": "string", "pattern": r"^\d+m?$"},
        "memory": {"type": "string", "pattern": r"^\d+(Mi|Gi)$"},
    },
    "additionalProperties": False,
}
_CONTAINER = {
    "type": "object",
    "required": ["name", "image", "args", "resources", "securityContext", "envFrom"],
    "properties": {
        "name": {"type": "string"},
        "image": {"type": "string", "pattern": r":\d"},
        "args": {"type": "array", "items": {"type": "string"}},
        "ports": {"type": "array"},
        "envFrom": {"type": "array", "minItems": 2},
        "startupProbe": _PROBE,
        "livenessProbe": _PROBE,
        "readinessProbe": _PROBE,
        "resources": {
            "type": "object",
            "required": ["requests", "limits"],
            "properties": {"requests": _AMOUNTS, "limits": _AMOUNTS},
            "additionalProperties": False,
        },
        "securityContext": {
            "type": "object",
            "required": ["allowPrivilegeEscalation", "readOnlyRootFilesystem", "capabilities"],
            "properties": {
                "allowPrivilegeEscalation": {"const": False},
                "readOnlyRootFilesystem": {"const": True},
                "capabilities": {"const": {"drop": ["ALL"]}},
            },
            "additionalProperties": False,
        },
        "volumeMounts": {"type": "array"},
    },
    "additionalProperties": False,
}
_POD = {
    "type": "object",
    "required": ["containers", "securityContext", "terminationGracePeriodSeconds"],
    "properties": {
        "containers": {"type": "array", "minItems": 1, "items": _CONTAINER},
        "securityContext": {
            "type": "object",
            "required": ["runAsNonRoot", "runAsUser", "seccompProfile"],
            "properties": {"runAsNonRoot": {"const": True}, "runAsUser": {"minimum": 1_000}},
        },
        "terminationGracePeriodSeconds": {"type": "integer", "minimum": 45},
        "automountServiceAccountToken": {"const": False},
        "volumes": {"type": "array"},
    },
    "additionalProperties": False,
}
_SPECS: dict[str, tuple[str, dict[str, Any]]] = {
    "Deployment": (
        "apps/v1",
        {
            "type": "object",
            "required": ["replicas", "selector", "strategy", "template"],
            "properties": {
                "replicas": {"type": "integer", "minimum": 2},
                "selector": _SELECTOR,
                "strategy": {"type": "object"},
                "template": {
                    "type": "object",
                    "required": ["metadata", "spec"],
                    "properties": {"metadata": _METADATA, "spec": _POD},
                    "additionalProperties": False,
                },
            },
            "additionalProperties": False,
        },
    ),
    "Service": ("v1", {"type": "object", "required": ["selector", "ports"]}),
    "PodDisruptionBudget": (
        "policy/v1",
        {
            "type": "object",
            "required": ["minAvailable", "selector"],
            "properties": {"minAvailable": {"minimum": 1}, "selector": _SELECTOR},
            "additionalProperties": False,
        },
    ),
    "HorizontalPodAutoscaler": (
        "autoscaling/v2",
        {"type": "object", "required": ["scaleTargetRef", "minReplicas", "maxReplicas", "metrics"]},
    ),
    "ConfigMap": ("v1", {}),
    "Namespace": ("v1", {}),
}


@pytest.mark.parametrize("manifest", MANIFESTS, ids=lambda manifest: f"{manifest['kind']}")
def test_a_manifest_has_the_shape_of_its_kind(manifest: dict[str, Any]) -> None:
    version, spec = _SPECS[manifest["kind"]]
    shape = {
        "type": "object",
        "required": ["apiVersion", "kind", "metadata", *(["spec"] if spec else [])],
        "properties": {
            "apiVersion": {"const": version},
            "kind": {},
            "metadata": {**_METADATA, "required": ["name"]},
            "spec": spec,
            "data": {"type": "object", "additionalProperties": {"type": "string"}},
        },
        "additionalProperties": False,
    }
    jsonschema.validate(manifest, shape)


@pytest.mark.parametrize("manifest", MANIFESTS, ids=lambda manifest: f"{manifest['kind']}")
@pytest.mark.parametrize("version", ["1.31", "1.37"])
def test_a_manifest_is_valid_by_the_schemas_of_kubernetes(
    manifest: dict[str, Any], version: str
) -> None:
    kubernetes_validate.validate(manifest, version, strict=True)


def test_every_selector_of_pods_selects_those_of_a_deployment() -> None:
    labels = {json.dumps(item["spec"]["template"]["metadata"]["labels"]) for item in DEPLOYMENTS}
    assert {json.dumps(item["spec"]["selector"]["matchLabels"]) for item in DEPLOYMENTS} == labels
    budgets = [manifest for manifest in MANIFESTS if manifest["kind"] == "PodDisruptionBudget"]
    assert {json.dumps(item["spec"]["selector"]["matchLabels"]) for item in budgets} == labels
    services = [manifest for manifest in MANIFESTS if manifest["kind"] == "Service"]
    assert all(json.dumps(service["spec"]["selector"]) in labels for service in services)


def test_a_server_has_probes_for_liveness_and_readiness() -> None:
    [container] = DEPLOYMENTS[0]["spec"]["template"]["spec"]["containers"]
    assert container["args"][0] == "serve"
    assert container["livenessProbe"]["httpGet"]["path"] == "/health/live"
    assert container["readinessProbe"]["httpGet"]["path"] == "/health/ready"
    mounted = {mount["name"] for mount in container["volumeMounts"]}
    assert mounted == {
        volume["name"] for volume in DEPLOYMENTS[0]["spec"]["template"]["spec"]["volumes"]
    }


def test_it_stops_only_after_the_balancer_knows() -> None:
    config = next(manifest for manifest in MANIFESTS if manifest["kind"] == "ConfigMap")["data"]
    delay = float(config["REMEM_STOP_DELAY_S"])
    pod = DEPLOYMENTS[0]["spec"]["template"]["spec"]
    probe = pod["containers"][0]["readinessProbe"]
    assert delay > probe["periodSeconds"] * probe["failureThreshold"]
    assert pod["terminationGracePeriodSeconds"] >= delay + 20
