import pytest
from django.core.management import CommandError, call_command

from plumbline.audits.launching import launch
from plumbline.audits.models import Plan
from plumbline.audits.starter_plans import STARTER
from plumbline.spec.audit import parse
from plumbline.spec.yaml_file import read_yaml
from plumbline.vocab.authors import author_name, os_user
from plumbline.vocab.models.recorded import EVENTS
from tests.plumbline.vocab.some_seeds import load_seeds

pytestmark = pytest.mark.django_db

FILES = {parse(read_yaml(path)).name: path for path in sorted(STARTER.glob("*.yaml"))}
GENDER = "gender over occupations and ABC adjectives"


def test_starter_makes_a_plan_of_each_spec_and_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    call_command("plans", "starter")
    told = capsys.readouterr().out
    assert told.startswith(f"starter plans: {len(FILES)} created; ")
    assert all(f"; {name}" in told for name in FILES)
    specs = {plan.name: plan.spec for plan in Plan.objects.all()}
    assert specs == {name: read_yaml(path) for name, path in FILES.items()}
    assert Plan.objects.get(name=GENDER).description.startswith("Gender stereotypes over occupations")


def test_starter_again_leaves_a_plan_as_people_edited_it(capsys: pytest.CaptureFixture[str]) -> None:
    call_command("plans", "starter")
    edited = {**Plan.objects.get(name=GENDER).spec, "seed": 7}
    Plan.objects.filter(name=GENDER).update(spec=edited)
    capsys.readouterr()
    call_command("plans", "starter")
    assert capsys.readouterr().out == "starter plans: 0 created\n"
    assert Plan.objects.get(name=GENDER).spec == edited


def test_the_history_says_which_command_made_them() -> None:
    call_command("plans", "starter")
    authors = {author_name(event.pgh_context, {}) for event in EVENTS[Plan].objects.all()}
    assert authors == {f"command plans starter by {os_user()}"}


def test_each_starter_plan_has_a_name_of_its_own_and_says_what_it_is() -> None:
    assert len(FILES) == len(list(STARTER.glob("*.yaml"))) >= 20
    assert all(path.read_text(encoding="utf-8").startswith("# ") for path in FILES.values())


@pytest.fixture(scope="module")
def starter_lists(module_rows: None) -> None:
    """All that the starter plans name, loaded once."""
    named = [parse(read_yaml(path)).sources().values() for path in FILES.values()]
    load_seeds(*{str(source.slug) for plan in named for sources in plan for source in sources})


# Whether a spec fits the lists that it names is for the spec to judge.
@pytest.mark.any_server
@pytest.mark.parametrize("name", FILES)
def test_a_starter_plan_can_be_launched_on_the_starter_vocabularies(name: str, starter_lists: None) -> None:
    data = read_yaml(FILES[name])
    plan = Plan.objects.create(name=name, spec=data)
    run = launch(parse(plan.spec), plan=plan)
    frozen = parse(run.spec)
    frozen.check({one.sha256: one.content for one in run.snapshots.all()})
    assert run.snapshots.count() == sum(
        source.slug is not None for sources in parse(plan.spec).sources().values() for source in sources
    )


def test_there_is_no_plan_of_another_kind() -> None:
    with pytest.raises(CommandError, match="invalid choice"):
        call_command("plans", "finisher")
