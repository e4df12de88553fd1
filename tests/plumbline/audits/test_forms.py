"""Which folders of models a page may name."""

from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django.fixtures import Settings

from plumbline.audits.forms import ModelForm, PlanForm
from plumbline.audits.launching import launch_plan
from plumbline.audits.models import ModelUnderAudit, Plan
from tests.plumbline.audits.conftest import SPEC

pytestmark = pytest.mark.django_db


@pytest.fixture
def root(tmp_path: Path, settings: Settings) -> Path:
    """The one folder of MODEL_ROOTS, with a model in it, a link out of it and one to itself; others lie beside it."""
    root = tmp_path / "models"
    for folder in (root / "bert", tmp_path / "secret", tmp_path / "models-of-others"):
        folder.mkdir(parents=True)
    (root / "out").symlink_to(tmp_path / "secret")
    (root / "in").symlink_to(root / "bert")
    (root / "loop").symlink_to(root / "loop")
    settings.MODEL_ROOTS = [str(root)]
    return root


def faults(reference: str) -> list[str]:
    """What the page of a model and the page of a plan say against it."""
    model, plan = ModelForm({"reference": reference}), planned(reference)
    return [*model.errors.get("reference", []), *plan.errors.get("spec", [])]


def planned(reference: str, plan: Plan | None = None, **changes: Any) -> PlanForm:
    spec = {**SPEC, "model": reference, **changes}
    return PlanForm({"name": "traits", "spec": spec, "description": "new"}, instance=plan)


@pytest.mark.parametrize("below", ["bert", "bert/", "./bert", "in", "not-there-yet", "not/there/yet"])
def test_a_folder_below_the_roots_may_be_named(root: Path, below: str) -> None:
    assert faults(f"path:{root}/{below}") == []


@pytest.mark.parametrize(
    "beside", ["/../secret", "/bert/../bert", "/out", "/out/more", "/loop", "-of-others", "/../.."]
)
def test_whatever_leads_elsewhere_is_refused_and_the_setting_is_named(root: Path, beside: str) -> None:
    found = faults(f"path:{root}{beside}")
    assert len(found) == 2
    assert all(f"It must lie below {root}, as the setting MODEL_ROOTS says." in fault for fault in found)


@pytest.mark.parametrize("own", ["bert", "./models/bert", "~/models/bert", "~root"])
def test_a_path_that_each_worker_reads_in_its_own_way_is_refused(
    root: Path, own: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(root)
    monkeypatch.setenv("HOME", str(root.parent))
    assert len(faults(f"path:{own}")) == 2


@pytest.mark.parametrize(("below", "refused"), [("bert", 0), ("../secret", 1), ("out", 1), ("/etc", 1)])
def test_a_corpus_is_held_to_the_same_folders(root: Path, below: str, refused: int) -> None:
    spec = {
        "name": "ceat",
        "probe": "ceat",
        "model": "hub:org/bert",
        "corpus": f"path:{below if below.startswith('/') else f'{root}/{below}'}",
        **{key: {"inline": ["one", "two"]} for key in ("targets_x", "targets_y", "attributes_a", "attributes_b")},
    }
    form = PlanForm({"name": "ceat", "spec": spec, "description": "new"})
    found = list(form.errors.get("spec", []))
    assert len(found) == refused
    assert all(f"It must lie below {root}, as the setting MODEL_ROOTS says." in fault for fault in found)


def test_a_root_may_be_a_link(root: Path, tmp_path: Path, settings: Settings) -> None:
    (tmp_path / "link").symlink_to(root)
    settings.MODEL_ROOTS = ["/nowhere", str(tmp_path / "link")]
    assert faults(f"path:{root}/bert") == faults(f"path:{tmp_path}/link/bert") == []


def test_without_roots_no_folder_may_be_named_and_all_else_may(root: Path, settings: Settings) -> None:
    settings.MODEL_ROOTS = []
    assert all("because the setting MODEL_ROOTS is empty" in one for one in faults(f"path:{root}/bert"))
    assert len(faults(f"path:{root}/bert")) == 2
    assert faults("hub:org/bert@main") == faults("bundled:smollm2-135m") == []


def test_what_a_command_made_keeps_its_folder_and_gets_no_other(root: Path, tmp_path: Path) -> None:
    secret = f"path:{tmp_path}/secret"
    plan = Plan.objects.create(name="traits", spec={**SPEC, "model": secret})
    model = ModelUnderAudit.objects.create(reference=secret)
    assert planned(secret, plan, seed=1).is_valid()
    assert ModelForm({"reference": secret, "title": "new"}, instance=model).is_valid()
    for form in (planned(f"{secret}/more", plan), ModelForm({"reference": f"{secret}/more"}, instance=model)):
        assert not form.is_valid()


def test_a_plan_that_a_command_made_launches_wherever_its_model_lies(root: Path, curated: None) -> None:
    plan = Plan.objects.create(name="traits", spec=SPEC)
    assert launch_plan(plan).model == "path:./some/dir"


@pytest.mark.parametrize(
    ("reference", "refused"),
    [
        ("openai:https://models.example.org/v1#gpt", 0),
        ("openai:https://Models.Example.Org/v1#gpt", 0),
        ("openai:http://localhost:8000/v1#gpt", 0),
        ("openai:http://localhost/v1#gpt", 2),
        ("openai:https://models.example.org.evil.net/v1#gpt", 2),
        ("openai:https://models.example.org@evil.net/v1#gpt", 2),
        ("openai:http://[::1/v1#gpt", 2),
        ("vllm:http://localhost:8000#m", 0),
        ("sglang:http://localhost:8000#m&tokenizer=bundled:smollm2-135m", 0),
        ("vllm:http://localhost#m", 2),
    ],
)
def test_an_endpoint_must_be_of_a_host_that_the_setting_names(reference: str, refused: int, settings: Settings) -> None:
    settings.OPENAI_HOSTS = ["models.example.org", "localhost:8000"]
    found = faults(reference)
    assert len(found) == refused
    assert all(
        "endpoints of models.example.org, localhost:8000, according to the setting OPENAI_HOSTS" in one
        or "the address of the endpoint holds a user, a password, a key or a wrong port" in one
        for one in found
    )


def test_the_tokenizer_of_a_server_must_be_within_reach_too(settings: Settings) -> None:
    settings.OPENAI_HOSTS, settings.MODEL_ROOTS = ["localhost:8000"], []
    found = faults("vllm:http://localhost:8000#m&tokenizer=path:/etc")
    assert found
    assert all("the setting MODEL_ROOTS is empty" in one for one in found)


def test_without_hosts_no_endpoint_may_be_named(settings: Settings) -> None:
    settings.OPENAI_HOSTS = []
    assert all("a page may name no endpoint" in one for one in faults("openai:https://models.example.org/v1#gpt"))


def test_a_bundled_model_that_does_not_exist_is_refused_and_those_that_do_are_named() -> None:
    (fault,) = ModelForm({"reference": "bundled:foo"}).errors["reference"]
    assert str(fault).endswith("choose one of bundled:smollm2-135m, bundled:masked-demo, bundled:mcq-demo.")
    assert "reference" not in ModelForm({"reference": "bundled:mcq-demo"}).errors


def test_a_reference_that_is_under_audit_leads_to_its_model(admin_client: Client) -> None:
    ModelUnderAudit.objects.create(reference="bundled:mcq-demo", title="<b>Demo</b>")
    page = admin_client.post("/admin/audits/modelunderaudit/add/", {"reference": "bundled:mcq-demo"}).content.decode()
    address = reverse("model", query={"reference": "bundled:mcq-demo"})
    link = f'<a class="underline" href="{address}"><bdi>&lt;b&gt;Demo&lt;/b&gt;</bdi></a>'
    assert f"A model of this reference is already under audit: {link}." in page
    assert "already exists" not in page
    assert admin_client.get(address).status_code == 200


def test_the_bare_name_of_a_bundled_model_is_refused_with_its_reference() -> None:
    found = faults("mcq-demo")
    assert len(found) == 2
    assert all("'mcq-demo' does not name a model: write bundled:mcq-demo" in one for one in found)
    assert not any("hub:org/name" in one for one in found)
