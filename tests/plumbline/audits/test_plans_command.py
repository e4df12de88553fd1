import pytest
from django.core.management import CommandError, call_command

from plumbline.audits.launching import launch
from plumbline.audits.models import Plan
from plumbline.audits.starting import STARTER
from plumbline.spec.audit import parse, read_yaml
from plumbline.vocab import seeding

pytestmark = pytest.mark.django_db

FILES = {
    "gender over occupations and ABC adjectives": "gender.yaml",
    "gender over occupations and ABC adjectives, masked model": "gender-masked.yaml",
}
GENDER = next(iter(FILES))


def test_starter_makes_a_plan_of_each_spec_and_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    call_command("plans", "starter")
    told = capsys.readouterr().out
    assert told.startswith("starter plans: 2 created; ")
    assert all(f"; {name}" in told for name in FILES)
    specs = {plan.name: plan.spec for plan in Plan.objects.all()}
    assert specs == {name: read_yaml(STARTER / file) for name, file in FILES.items()}
    assert Plan.objects.get(name=GENDER).description.startswith("Gender stereotypes over occupations")


def test_starter_again_leaves_a_plan_as_people_edited_it(capsys: pytest.CaptureFixture[str]) -> None:
    call_command("plans", "starter")
    edited = {**Plan.objects.get(name=GENDER).spec, "seed": 7}
    Plan.objects.filter(name=GENDER).update(spec=edited)
    capsys.readouterr()
    call_command("plans", "starter")
    assert capsys.readouterr().out == "starter plans: 0 created\n"
    assert Plan.objects.get(name=GENDER).spec == edited


@pytest.mark.parametrize("name", FILES)
def test_a_starter_plan_can_be_launched_on_the_starter_vocabularies(name: str) -> None:
    seeding.load()
    call_command("plans", "starter")
    plan = Plan.objects.get(name=name)
    run = launch(parse(plan.spec), plan=plan)
    assert run.snapshots.count() == 4


def test_there_is_no_plan_of_another_kind() -> None:
    with pytest.raises(CommandError, match="invalid choice"):
        call_command("plans", "finisher")
