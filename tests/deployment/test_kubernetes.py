"""The manifests for Kubernetes, held against its schemas, the settings and compose, without a cluster."""

import importlib.util
import json
import re
import shutil
import subprocess
from functools import cache
from pathlib import Path
from typing import Any

import kubernetes_validate
import pytest
import yaml

from tests.deployment.conftest import ROOT
from tests.deployment.test_compose import OURS, sources, text_of

OVERLAYS = sorted(folder.name for folder in (ROOT / "kubernetes/overlays").iterdir())
VERSION = "1.33"
NOT_OF_KUBERNETES = "keda.sh/v1alpha1"
FOR_COMPOSE_ONLY = {"PLUMBLINE_USER", "EVIDENCE_KEY_FILE"}
"""A socket's user, and a file that nobody mounts here: the key itself is in a secret."""
SECRETS = {
    "plumbline": {"DATABASE_URL", "CELERY_BROKER_URL", "SECRET_KEY"},
    "plumbline-web": {"READER_DATABASE_URL", "EVIDENCE_KEY", "SSO_CLIENT_SECRET"},
    "plumbline-mail": {"EMAIL_URL"},
    "plumbline-workers": {"OPENAI_API_KEY", "VLLM_API_KEY", "SGLANG_API_KEY", "HF_TOKEN"},
}

pytestmark = pytest.mark.skipif(
    shutil.which("kubectl") is None, reason="kubectl, which puts the overlays together, is not installed"
)


@cache
def manifests(overlay: str) -> tuple[dict[str, Any], ...]:
    command = ["kubectl", "kustomize", f"kubernetes/overlays/{overlay}"]
    made = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return tuple(yaml.safe_load_all(made.stdout))


def of_kind(overlay: str, *kinds: str) -> dict[str, Any]:
    return {one["metadata"]["name"]: one for one in manifests(overlay) if one["kind"] in kinds}


def pods(overlay: str) -> dict[str, Any]:
    found = of_kind(overlay, "Deployment", "Job")
    return {name: one["spec"]["template"]["spec"] for name, one in found.items()}


def containers(overlay: str) -> list[dict[str, Any]]:
    return [one for pod in pods(overlay).values() for one in (*pod.get("initContainers", []), *pod["containers"])]


def settings() -> dict[str, str]:
    [found] = of_kind("cpu", "ConfigMap").values()
    values: dict[str, str] = found["data"]
    return values


@pytest.mark.parametrize("overlay", OVERLAYS)
def test_each_manifest_is_what_its_schema_asks(overlay: str) -> None:
    own = [one for one in manifests(overlay) if one["apiVersion"] != NOT_OF_KUBERNETES]
    assert len(own) >= 12
    for one in own:
        kubernetes_validate.validate(one, VERSION, strict=True)


def test_a_wrong_manifest_is_noticed() -> None:
    wrong = json.loads(json.dumps(of_kind("cpu", "Deployment")["plumbline-web"]))
    wrong["spec"]["template"]["spec"]["containers"][0]["comand"] = ["gunicorn"]
    with pytest.raises(kubernetes_validate.ValidationError, match="comand"):
        kubernetes_validate.validate(wrong, VERSION, strict=True)


def test_every_setting_of_the_containers_of_compose_is_there() -> None:
    passed = {name for service in OURS.values() for name in service["environment"]}
    assert passed - FOR_COMPOSE_ONLY == settings().keys() | set().union(*SECRETS.values())


def test_every_setting_is_read_and_none_is_a_secret() -> None:
    for name in settings():
        read = re.search(rf"""["']{name}["']""", sources())
        assert read or name == "FORWARDED_ALLOW_IPS"
        assert not re.search("KEY|TOKEN|SECRET|_URL$", name)


@pytest.mark.parametrize("overlay", OVERLAYS)
def test_a_secret_reaches_only_what_needs_it(overlay: str) -> None:
    reached = {
        name: {source["secretRef"]["name"] for source in pod["containers"][0]["envFrom"] if "secretRef" in source}
        for name, pod in pods(overlay).items()
    }
    assert reached == {
        "plumbline-setup": {"plumbline"},
        "plumbline-web": {"plumbline", "plumbline-web", "plumbline-mail"},
        "plumbline-scheduler": {"plumbline", "plumbline-mail"},
        "plumbline-worker-gpu": {"plumbline", "plumbline-workers"},
        "plumbline-worker-cpu": {"plumbline", "plumbline-workers"},
    }
    assert not of_kind(overlay, "Secret")


def test_the_documentation_names_each_secret_and_its_keys() -> None:
    told = (ROOT / "docs/kubernetes.md").read_text(encoding="utf-8")
    for name, keys in SECRETS.items():
        [line] = [line for line in told.splitlines() if line.startswith(f"| `{name}` |")]
        assert keys == set(re.findall(r"`([A-Z_]+)`", line))


@pytest.mark.parametrize("overlay", OVERLAYS)
def test_no_container_has_rights_that_it_does_not_need(overlay: str) -> None:
    for one in containers(overlay):
        rights = one["securityContext"]
        assert (rights["allowPrivilegeEscalation"], rights["readOnlyRootFilesystem"]) == (False, True)
        assert rights["capabilities"] == {"drop": ["ALL"]}
        assert one["resources"]["limits"]["memory"]
    for pod in pods(overlay).values():
        assert pod["securityContext"]["runAsNonRoot"] is True
        assert pod["automountServiceAccountToken"] is False
        assert f"--uid {pod['securityContext']['runAsUser']} " in (ROOT / "Dockerfile").read_text(encoding="utf-8")


@pytest.mark.parametrize("overlay", OVERLAYS)
def test_nothing_starts_before_the_setup_is_done(overlay: str) -> None:
    for name, pod in pods(overlay).items():
        if name != "plumbline-setup":
            assert "migrate --check" in pod["initContainers"][0]["command"][-1]


def test_the_setup_is_that_of_compose() -> None:
    told = pods("cpu")["plumbline-setup"]["containers"][0]["args"][0]
    wanted = OURS["setup"]["command"][-1].splitlines()
    assert told.splitlines() == [line for line in wanted if "collectstatic" not in line]


@pytest.mark.parametrize("overlay", OVERLAYS)
def test_each_queue_has_its_workers_and_each_of_them_may_be_drained(overlay: str) -> None:
    queues = {pod["containers"][0]["command"][-1] for name, pod in pods(overlay).items() if "worker" in name}
    assert queues == {"gpu", "cpu"}
    guarded = {one["spec"]["selector"]["matchLabels"]["app.kubernetes.io/name"] for one in budgets(overlay)}
    assert guarded == {"plumbline-web", "plumbline-worker-gpu", "plumbline-worker-cpu"}
    asked = [int(service["stop_grace_period"].removesuffix("s")) for name, service in OURS.items() if "worker" in name]
    for name in ("plumbline-worker-gpu", "plumbline-worker-cpu"):
        assert pods(overlay)[name]["terminationGracePeriodSeconds"] > max(asked)


def budgets(overlay: str) -> list[dict[str, Any]]:
    return list(of_kind(overlay, "PodDisruptionBudget").values())


@pytest.mark.parametrize("overlay", OVERLAYS)
def test_probes_ask_what_is_there(overlay: str) -> None:
    web = pods(overlay)["plumbline-web"]["containers"][0]
    for probe in (web["startupProbe"], web["readinessProbe"]):
        assert probe["httpGet"]["path"] == "/health/"
        assert probe["httpGet"]["httpHeaders"] == [{"name": "Host", "value": "localhost"}]
    for name in ("plumbline-scheduler", "plumbline-worker-gpu", "plumbline-worker-cpu"):
        command = pods(overlay)[name]["containers"][0]["livenessProbe"]["exec"]["command"]
        assert importlib.util.find_spec(command[2]) is not None
        assert command[3] == name.split("-")[1]


def test_a_gpu_goes_to_the_workers_that_ask_models_and_to_nobody_else() -> None:
    assert "nvidia" not in text_of(list(manifests("cpu")))
    for overlay in ("gpu", "autoscaled"):
        with_gpu = [name for name, pod in pods(overlay).items() if "nvidia.com/gpu" in text_of(pod)]
        assert with_gpu == ["plumbline-worker-gpu"]
        image = pods(overlay)["plumbline-worker-gpu"]["containers"][0]["image"]
        assert image == OURS["worker-gpu"]["image"]


@pytest.mark.parametrize("overlay", OVERLAYS)
def test_images_are_those_of_compose(overlay: str) -> None:
    assert {one["image"] for one in containers(overlay)} <= {service["image"] for service in OURS.values()}


def test_where_the_number_of_workers_follows_the_work_no_manifest_sets_it() -> None:
    found = of_kind("autoscaled", "Deployment")
    scaled = {name: one["spec"] for name, one in of_kind("autoscaled", "ScaledObject").items()}
    assert scaled.keys() == {"plumbline-worker-gpu", "plumbline-worker-cpu"}
    for name, spec in scaled.items():
        assert spec["scaleTargetRef"] == {"name": name}
        assert "replicas" not in found[name]["spec"]
        [trigger] = spec["triggers"]
        assert trigger["type"] == "postgresql"
        assert float(trigger["metadata"]["targetQueryValue"]) > 0


def test_every_folder_is_put_together_by_an_overlay() -> None:
    named = {Path(file).parent for file in (ROOT / "kubernetes").rglob("kustomization.yaml")}
    assert {folder.name for folder in named} == {"base", "autoscaling", *OVERLAYS}
