"""docker-compose.yml, held against the compose schema, the settings and the commands: no Docker engine is needed."""

import importlib.util
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml
from django.core.management import get_commands

from plumbline.spec.reference import SERVERS
from tests.deployment.conftest import ROOT

COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "docker-compose.yml").read_text(encoding="utf-8"))
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]
OURS = {name: service for name, service in SERVICES.items() if "build" in service}
WORKERS = {name: service for name, service in OURS.items() if name.startswith("worker")}
BASE_IMAGE = re.findall(r"^FROM (\S+)", (ROOT / "Dockerfile").read_text(encoding="utf-8"), re.MULTILINE)[0]
READ_BY_LIBRARIES = {
    "HF_TOKEN": "huggingface_hub.utils._auth",
    "HF_HOME": "huggingface_hub.constants",
    "FORWARDED_ALLOW_IPS": "gunicorn.config",
}
KEYS_OF_SERVERS = {f"{scheme.upper()}_API_KEY" for scheme in SERVERS}
NOT_FOR_CONTAINERS = {"DEBUG", "DATABASE_PROCESS_MB"}
VARIABLE = re.compile(r"\$\{(?P<name>[A-Z_]+)(?:(?P<sign>:[-?])(?P<rest>[^}]*))?\}")


def text_of(part: Any) -> str:
    return yaml.safe_dump(part, width=10_000)


def sources() -> str:
    files = [*(ROOT / "platform").rglob("*.py"), *(ROOT / "workers").rglob("*.py"), ROOT / "gunicorn.conf.py"]
    return "\n".join(file.read_text(encoding="utf-8") for file in files)


def image_environment() -> set[str]:
    lines = re.findall(r"^ENV (.*)$", (ROOT / "Dockerfile").read_text(encoding="utf-8"), re.MULTILINE)
    return {assigned.partition("=")[0] for line in lines for assigned in line.split()}


def passed() -> set[str]:
    return {name for service in OURS.values() for name in service["environment"]} | image_environment()


def seconds(duration: str) -> int:
    return int(duration.removesuffix("s"))


def told_by_schema(file: Path) -> tuple[int, str]:
    command = [".venv/bin/check-jsonschema", "--builtin-schema", "vendor.compose-spec", str(file)]
    checked = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    return checked.returncode, checked.stdout


def test_it_is_what_the_compose_specification_asks(tmp_path: Path) -> None:
    assert told_by_schema(ROOT / "docker-compose.yml") == (0, "ok -- validation done\n")
    wrong = tmp_path / "docker-compose.yml"
    wrong.write_text(yaml.safe_dump(COMPOSE | {"services": {"web": {"comand": "gunicorn"}}}))
    status, told = told_by_schema(wrong)
    assert status == 1
    assert "'comand' was unexpected" in told


def test_it_has_the_services_of_the_platform() -> None:
    assert {"postgres", "redis", "setup", "web", "scheduler", "worker-cpu", "worker-gpu"} <= SERVICES.keys()
    assert SERVICES.keys() - OURS.keys() == {"postgres", "redis", "vllm"}


@pytest.mark.parametrize("name", sorted({name for service in OURS.values() for name in service["environment"]}))
def test_every_variable_that_it_passes_is_read(name: str) -> None:
    if name in KEYS_OF_SERVERS:
        assert 'f"{protocol.upper()}_API_KEY"' in sources()
    elif name in READ_BY_LIBRARIES:
        found = importlib.util.find_spec(READ_BY_LIBRARIES[name])
        assert found is not None
        assert found.origin is not None
        assert f'"{name}"' in Path(found.origin).read_text(encoding="utf-8")
    else:
        assert re.search(rf"""["']{name}["']""", sources())


def test_every_setting_can_be_passed() -> None:
    settings = (ROOT / "platform" / "plumbline" / "settings.py").read_text(encoding="utf-8")
    read = set(re.findall(r'\benv\.\w+\(\s*"(\w+)"', settings))
    assert {"DATABASE_URL", "SECRET_KEY", "ALLOWED_HOSTS"} <= read
    assert read - NOT_FOR_CONTAINERS <= passed()


def test_every_variable_of_the_readme_can_be_passed() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    table = readme.split("## Settings")[1].split("\n## ")[0]
    named = {
        name for row in re.findall(r"^\| (`[^|]*) \|", table, re.MULTILINE) for name in re.findall(r"`(\w+)`", row)
    }
    assert {"DATABASE_URL", "PLUMBLINE_VAR", "HF_TOKEN"} <= named
    assert named - NOT_FOR_CONTAINERS <= passed()


@pytest.mark.parametrize("name", OURS)
def test_every_command_exists(name: str) -> None:
    command = " ".join(OURS[name]["command"])
    named = re.findall(r"manage\.py[, ]+(\w+)", command)
    assert set(named) <= get_commands().keys()
    assert named or command == "gunicorn"


def test_the_setup_brings_what_make_setup_brings() -> None:
    recipe = (ROOT / "Makefile").read_text(encoding="utf-8").split("\nsetup:")[1].split("\n\n")[0]
    wanted = [line.split("--")[0].split() for line in re.findall(r"\$\(MANAGE\) (.*)", recipe)]
    assert len(wanted) == 3
    for command in wanted:
        assert f"manage.py {' '.join(command)}\n" in SERVICES["setup"]["command"][-1]


@pytest.mark.parametrize("name", SERVICES)
def test_every_image_names_its_version(name: str) -> None:
    tag = SERVICES[name]["image"].partition(":")[2]
    assert re.match(r"\d+(\.\d+)*-[a-z]+$" if name != "vllm" else r"v\d+(\.\d+){2}$", tag)


@pytest.mark.parametrize("name", ["postgres", "redis"])
def test_a_server_is_waited_for_until_it_is_healthy(name: str) -> None:
    assert SERVICES[name]["healthcheck"]["test"][0] == "CMD"
    for waiting in ("web", "scheduler", *WORKERS):
        assert SERVICES[waiting]["depends_on"][name] == {"condition": "service_healthy"}
    assert SERVICES["setup"]["depends_on"]["postgres"] == {"condition": "service_healthy"}


@pytest.mark.parametrize("name", ["web", "scheduler", *WORKERS])
def test_nothing_of_ours_starts_before_the_setup_is_done(name: str) -> None:
    assert SERVICES[name]["depends_on"]["setup"] == {"condition": "service_completed_successfully"}


def test_only_web_is_asked_for_its_health_by_http() -> None:
    assert "healthcheck" not in SERVICES["web"]
    for name in OURS.keys() - {"web"}:
        assert OURS[name]["healthcheck"] == {"disable": True}


def test_a_gpu_is_reserved_for_what_computes_models_and_for_nobody_else() -> None:
    on_gpu = {"worker-gpu", "vllm"}
    for name in on_gpu:
        [device] = SERVICES[name]["deploy"]["resources"]["reservations"]["devices"]
        assert (device["driver"], device["count"], device["capabilities"]) == ("nvidia", 1, ["gpu"])
    assert "nvidia" not in text_of({name: service for name, service in SERVICES.items() if name not in on_gpu})
    assert "/cu" in SERVICES["worker-gpu"]["build"]["args"]["TORCH_INDEX"]
    assert SERVICES["worker-gpu"]["image"] != SERVICES["worker-cpu"]["image"]


@pytest.mark.parametrize("profile", ["cpu", "gpu"])
def test_each_profile_serves_every_queue(profile: str) -> None:
    commands = [service["command"] for service in WORKERS.values() if profile in service["profiles"]]
    assert {queue for command in commands for queue in command[-1].split(",")} == {"gpu", "cpu"}


def test_a_machine_without_gpu_starts_nothing_that_needs_one() -> None:
    started = {name for name, service in SERVICES.items() if "cpu" in service.get("profiles", ["cpu"])}
    assert started == {"postgres", "redis", "setup", "web", "scheduler", "worker"}


def test_secrets_come_from_outside_and_are_asked_for() -> None:
    variables = {match["name"]: match["sign"] for match in VARIABLE.finditer(text_of(SERVICES))}
    assert (variables["SECRET_KEY"], variables["POSTGRES_PASSWORD"]) == (":?", ":?")
    for service in SERVICES.values():
        for name, value in service.get("environment", {}).items():
            if re.search("PASSWORD|SECRET|TOKEN|KEY", name):
                assert VARIABLE.fullmatch(value), f"{name} has a value of its own"
            written = VARIABLE.sub("", str(value))
            assert not re.search(r"://[^@/]*:[^@/]+@", written), f"{name} holds a password"


def test_the_example_names_what_is_asked_for_and_gives_no_secret() -> None:
    example = dict(re.findall(r"^(\w+)=(.*)$", (ROOT / ".env.example").read_text(encoding="utf-8"), re.MULTILINE))
    asked = {match["name"]: match["sign"] for match in VARIABLE.finditer(text_of(COMPOSE))}
    assert {name for name, sign in asked.items() if sign == ":?"} <= {
        name for name, value in example.items() if not value
    }
    assert example.keys() - {"COMPOSE_PROFILES"} <= asked.keys()


def test_what_people_reach_is_closed_to_other_machines_unless_they_open_it() -> None:
    assert [name for name, service in SERVICES.items() if "ports" in service] == ["web"]
    assert SERVICES["web"]["ports"] == ["${HOST:-127.0.0.1}:${PORT:-8000}:8000"]


@pytest.mark.parametrize("name", OURS)
def test_our_services_have_no_rights_that_they_do_not_need(name: str) -> None:
    assert OURS[name]["cap_drop"] == ["ALL"]
    assert "no-new-privileges:true" in OURS[name]["security_opt"]
    assert "privileged" not in OURS[name]
    [models] = [volume for volume in OURS[name]["volumes"] if ":/models" in volume]
    assert models.endswith(":ro")


@pytest.mark.parametrize("name", sorted(SERVICES.keys() - {"setup"}))
def test_what_ends_is_started_again(name: str) -> None:
    assert SERVICES[name]["restart"] == "unless-stopped"


def test_there_is_time_for_a_clean_stop() -> None:
    assert min(seconds(service["stop_grace_period"]) for service in WORKERS.values()) >= 60
    graceful = re.search(r"^graceful_timeout = (\d+)", (ROOT / "gunicorn.conf.py").read_text(), re.MULTILINE)
    assert graceful
    assert seconds(SERVICES["web"]["stop_grace_period"]) > int(graceful[1])


def test_volumes_are_where_the_image_has_its_folders() -> None:
    image = (ROOT / "Dockerfile").read_text(encoding="utf-8")
    for volume in ("plumbline:/var/lib/plumbline", "huggingface:/var/cache/huggingface"):
        assert all(any(mounted == volume for mounted in service["volumes"]) for service in OURS.values())
        assert f"={volume.partition(':')[2]}" in image
    assert {"postgres", "plumbline", "huggingface", "vllm"} == COMPOSE["volumes"].keys()


NEEDED_BY = {
    "OPENAI_API_KEY": set(WORKERS),
    "HF_TOKEN": {*WORKERS, "vllm"},
    "VLLM_API_KEY": {*WORKERS, "vllm"},
    "SGLANG_API_KEY": set(WORKERS),
    "READER_DATABASE_URL": {"web"},
    "EMAIL_URL": {"web", "scheduler"},
    "EVIDENCE_KEY": {"web"},
    "SSO_CLIENT_SECRET": {"web"},
    "REDISCLI_AUTH": {"redis"},
    "POSTGRES_PASSWORD": {"postgres"},
}


@pytest.mark.parametrize(("secret", "needed_by"), NEEDED_BY.items())
def test_a_secret_reaches_only_the_services_that_need_it(secret: str, needed_by: set[str]) -> None:
    assert {name for name, service in SERVICES.items() if secret in service.get("environment", {})} == needed_by


def test_redis_asks_for_the_password_that_its_clients_send() -> None:
    asked = SERVICES["redis"]["command"][SERVICES["redis"]["command"].index("--requirepass") + 1]
    for given in (SERVICES["redis"]["environment"]["REDISCLI_AUTH"], asked):
        match = VARIABLE.fullmatch(given)
        assert match
        assert (match["name"], match["sign"]) == ("REDIS_PASSWORD", ":?")
    for service in OURS.values():
        assert re.match(r"redis://:\$\{REDIS_PASSWORD:\?[^}]*\}@redis:", service["environment"]["CELERY_BROKER_URL"])


@pytest.mark.parametrize("name", SERVICES)
def test_every_service_is_bounded(name: str) -> None:
    service = SERVICES[name]
    assert service["cap_drop"] == ["ALL"]
    assert ("cap_add" in service) == (name == "postgres")
    assert "no-new-privileges:true" in service["security_opt"]
    assert service["read_only"] is True
    assert re.fullmatch(r"\$\{[A-Z]+_MEMORY:-\d+[gm]\}", service["mem_limit"])


@pytest.mark.parametrize("image", [*(SERVICES[name]["image"] for name in ("postgres", "redis")), BASE_IMAGE])
def test_images_of_others_are_pinned_by_full_versions(image: str) -> None:
    parts = 2 if image.startswith("postgres") else 3
    assert re.match(r"\d+(\.\d+)*", image.partition(":")[2])[0].count(".") == parts - 1  # type: ignore[index]
