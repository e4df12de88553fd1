"""The builder of plans: from nothing to a launched run without JavaScript, and what it refuses."""

import json
import re
from typing import Any
from unittest.mock import Mock

import pytest
from django.test import Client
from django.urls import reverse

from plumbline.audits.launching import launch_plan
from plumbline.audits.models import ModelCheck, ModelUnderAudit, Plan, Run
from plumbline.audits.starter_plans import STARTER
from plumbline.audits.states import WorkState
from plumbline.desk.plans.builder import drafts
from plumbline.desk.plans.builder.yaml_text import loaded
from plumbline.desk.plans.versions import versions
from plumbline.findings.models import Finding
from plumbline.spec.faults import NOTHING_HERE
from plumbline.spec.registry import PROBES
from plumbline.spec.yaml_file import read_yaml
from plumbline.vocab.models import (
    Attribute,
    AttributeSet,
    Bank,
    BankItem,
    Group,
    GroupList,
    Rating,
    RatingList,
    SentenceTemplate,
    TemplateList,
    TraitList,
    TraitPair,
)
from tests.plumbline.desk.plans.conftest import Fields, fields_of
from tests.plumbline.desk.runs.conftest import As

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("lists")]

NEW = "/plans/new/"
STARTERS = [(read_yaml(path)["probe"], path.stem) for path in sorted(STARTER.glob("*.yaml"))]
WHOLE = {
    "name": ["built"],
    "probe": ["ilps"],
    "groups:genders:only": ["women", "men"],
    "attributes:use": ["warmth"],
    "templates:use": ["frames"],
    "prior": ["words"],
    "prior.singular": ["person"],
    "prior.plural": ["people"],
}


def text_of(page: Any) -> str:
    return " ".join(page.content.decode().split())


def filled(auditor: Client, **changed: list[str]) -> Fields:
    """Return the form of a new plan by ILPS, filled in."""
    return fields_of(auditor.get(f"{NEW}?method=ilps")) | WHOLE | changed


@pytest.fixture
def plan() -> Plan:
    spec = {"name": "old", "probe": "ilps", "model": "bundled:masked-demo", "groups": {"list": "genders"}}
    spec |= {"attributes": {"list": "warmth"}, "templates": {"list": "frames"}, "prior": {"mask": "one"}}
    return Plan.objects.create(name="old", spec=spec)


@pytest.mark.parametrize(
    ("method", "offered", "left_out"), [("ilps", "frames", "drinks"), ("indirect", "drinks", "frames")]
)
def test_lists_of_templates_are_offered_that_have_the_slots_of_the_method(
    auditor: Client, method: str, offered: str, left_out: str
) -> None:
    drinks = TemplateList.objects.create(slug="drinks", title="Drinks")
    SentenceTemplate.objects.create(word_list=drinks, template="{name}[ drinks {feature}| likes {feature}].")
    page = auditor.get(f"{NEW}?method={method}").content.decode()
    assert f'<span class="faint">{offered}</span>' in page
    assert f'<span class="faint">{left_out}</span>' not in page


def test_a_form_says_which_slots_the_offered_templates_have(auditor: Client) -> None:
    page = text_of(auditor.get(f"{NEW}?method=ilps"))
    assert "whose templates have the slots <code>{group}</code> and <code>{attribute}</code>." in page


def test_a_list_of_ratings_is_offered_without_its_raters(auditor: Client) -> None:
    judged = RatingList.objects.create(slug="judged", title="Judged")
    for group in ("women", "men"):
        Rating.objects.create(word_list=judged, annotator="rater-7", group=group, left="cold", right="warm", rating=50)
    text = text_of(auditor.get(f"{NEW}?method=ilps"))
    assert "2 entries" in text
    assert "rater-7" not in text


CONTEXT = {"id": "late", "context": "{name} was late.", "question": "Why?", "prompt": "{name} was", "answer": "tired"}


@pytest.fixture
def banks() -> None:
    """A bank of situations about a person, and one of pairs of sentences of two categories."""
    pair = {"id": "1", "more": "She is a nurse.", "less": "He is a nurse.", "direction": "stereo"}
    of = {"situations": ("contexts", [CONTEXT]), "pairs": ("pairs", [pair | {"category": "age"}, pair | {"id": "2"}])}
    for slug, (kind, entries) in of.items():
        bank = Bank.objects.create(slug=slug, title=slug.title(), kind=kind)
        for place, content in enumerate(entries):
            BankItem.objects.create(bank=bank, position=place, content={"category": "gender", **content})


@pytest.mark.usefixtures("banks")
@pytest.mark.parametrize(
    ("probe", "field", "offered"), [("sodapop", "contexts", "situations"), ("pairs", "bank", "pairs")]
)
def test_a_method_is_offered_the_banks_that_it_can_ask(probe: str, field: str, offered: str, auditor: Client) -> None:
    text = text_of(auditor.get(f"{NEW}?method={probe}"))
    assert f'name="{field}:use" value="{offered}"' in text
    assert text.count(f'name="{field}:use"') == 1


@pytest.mark.usefixtures("banks")
def test_a_bank_that_a_plan_names_stays_although_its_method_cannot_ask_it(auditor: Client) -> None:
    spec = {"name": "odd", "probe": "sodapop", "model": "bundled:mcq-demo", "contexts": {"bank": "pairs"}}
    plan = Plan.objects.create(name="odd", spec=spec)
    assert fields_of(auditor.get(reverse("plan_edit", args=[plan.pk])))["contexts:use"] == ["pairs"]


@pytest.mark.usefixtures("banks")
def test_categories_of_a_bank_are_ticked(auditor: Client) -> None:
    fields = fields_of(auditor.get(f"{NEW}?method=pairs")) | {"bank:use": ["pairs"]}
    page = auditor.post(NEW, fields | {"do": ["check"]})
    assert 'value="age" name="bank:pairs:categories"' in text_of(page)
    key = "bank:pairs:categories"
    page = auditor.post(NEW, fields_of(page) | {key: ["", "age", "gender"], "do": ["check"]})
    assert loaded(fields_of(page)["yaml"][0])["bank"] == {"bank": "pairs", "categories": ["age", "gender"]}
    assert fields_of(page)[key] == ["", "age", "gender"]
    page = auditor.post(NEW, fields_of(page) | {key: [""], "do": ["check"]})
    assert loaded(fields_of(page)["yaml"][0])["bank"] == {"bank": "pairs"}


def test_a_plan_is_built_from_nothing_and_launched(auditor: Client) -> None:
    page = auditor.post(NEW, filled(auditor) | {"do": ["check"]})
    text = text_of(page)
    assert "<b>24 items</b>" in text
    assert '<mark class="group"><bdi>Women</bdi></mark> are <mark class="attribute"><bdi>kind</bdi></mark>' in text
    warning = '<p class="notice warning" dir="auto">This plan has'
    assert 0 < text.find(warning) < text.find("Example sentences")
    assert '<a href="#warned">2 warnings</a> on what this plan can show' in " ".join(text.split())
    assert not Plan.objects.exists()

    answer = auditor.post(NEW, fields_of(page) | {"do": ["save"]})
    plan = Plan.objects.get()
    assert answer["Location"] == reverse("plan", args=[plan.pk])
    assert plan.spec == {
        "name": "built",
        "probe": "ilps",
        "model": "bundled:masked-demo",
        "groups": {"list": "genders", "only": ["women", "men"]},
        "attributes": {"list": "warmth"},
        "templates": {"list": "frames"},
        "prior": {"singular": "person", "plural": "people"},
    }


def test_saving_and_launching_shows_first_that_nothing_can_become_significant(auditor: Client) -> None:
    page = auditor.post(NEW, filled(auditor) | {"do": ["launch"]}, follow=True)
    assert "Not launched yet: no result of this plan can become significant" in text_of(page)
    assert Plan.objects.get().name == "built"
    assert not Run.objects.exists()


def test_a_plan_that_can_show_something_is_launched_at_once(auditor: Client) -> None:
    verbs = ("are", "seem", "look", "were", "stay", "act", "feel")
    many = "\n".join(f"{{Group.plural}} {verb} {{attribute}}." for verb in verbs)
    page = auditor.post(NEW, filled(auditor, **{"templates:inline": [many], "templates:use": []}) | {"do": ["launch"]})
    run = Run.objects.get()
    assert page["Location"] == reverse("run", args=[run.pk])
    assert run.plan == Plan.objects.get()


def test_a_model_that_does_not_load_is_marked_and_last(auditor: Client) -> None:
    broken = ModelUnderAudit.objects.create(reference="bundled:absent")
    fresh = ModelUnderAudit.objects.create(reference="hub:org/new")
    ModelCheck.objects.create(model=broken, state=WorkState.DONE, error="is not bundled")
    page = auditor.get(f"{NEW}?method=ilps")
    assert fields_of(page)["model"] == ["bundled:masked-demo"]
    text = text_of(page)
    assert ">bundled:absent: does not load</option>" in text
    assert text.index(fresh.reference) < text.index(broken.reference)
    ModelCheck.objects.create(model=broken, state=WorkState.DONE, error="")
    assert "does not load" not in text_of(auditor.get(NEW))


def test_methods_that_cannot_ask_the_chosen_model_stand_apart(auditor: Client) -> None:
    note = "Methods that cannot ask this model"
    assert note not in text_of(auditor.get(f"{NEW}?model=hub:org/new"))
    page = auditor.get(f"{NEW}?model=bundled:masked-demo")
    fitting, unfit = text_of(page).split(note)
    for probe in PROBES:
        place = fitting if "masked" in PROBES[probe].card.model_kinds else unfit
        assert f'name="probe" value="{probe}"' in place


def test_the_generator_of_sodapop_is_explained_and_offers_masked_models(auditor: Client) -> None:
    for kind, error in (("masked", ""), ("causal", ""), ("masked", "does not load"), ("", "")):
        model = ModelUnderAudit.objects.create(reference=f"hub:org/{kind or 'new'}{'-broken' if error else ''}")
        if kind:
            ModelCheck.objects.create(model=model, state=WorkState.DONE, kind=kind, error=error)
    text = text_of(auditor.get(f"{NEW}?method=sodapop"))
    assert "The masked model that writes the wrong answers" in text
    offered = text[text.index('<datalist id="generator-models">') : text.index("</datalist>")]
    references = re.findall(r'value="(.+?)"', offered)
    assert references == ["bundled:masked-demo", "hub:org/masked", "hub:org/new"]


def test_the_page_of_a_model_without_audits_leads_to_a_plan_for_it(auditor: Client) -> None:
    reference = ModelUnderAudit.objects.create(reference="path:/m o/d&l").reference
    page = text_of(auditor.get(reverse("model", query={"reference": reference})))
    assert "/plans/new/?model=path%3A%2Fm%20o%2Fd%26l" in page
    assert fields_of(auditor.get(f"{NEW}?model=path%3A%2Fm%20o%2Fd%26l"))["model"] == [reference]


def test_a_list_of_pairs_counts_its_adjectives_in_the_form_and_on_the_page(auditor: Client, plan: Plan) -> None:
    traits = TraitList.objects.create(slug="traits", title="Traits")
    for left, right in (("cold", "warm"), ("poor", "rich")):
        TraitPair.objects.create(word_list=traits, left=left, right=right)
    text = text_of(auditor.get(f"{NEW}?method=ilps"))
    assert "4 adjectives: <bdi" in text
    Plan.objects.update(spec={**plan.spec, "attributes": {"list": "traits"}})
    page = reverse("plan_contents", args=[plan.pk])
    assert "All 4 adjectives of the list traits." in re.sub(r"<[^>]+>", "", text_of(auditor.get(page)))


@pytest.fixture
def of_two(plan: Plan) -> str:
    """The address at which a launched plan of two groups is edited."""
    plan.spec["groups"]["only"] = ["women", "men"]
    plan.save()
    launch_plan(plan)
    return reverse("plan_edit", args=[plan.pk])


THIRD = {"groups:genders:only": ["women", "men", "girls"]}


def test_a_third_group_keeps_the_comparison_that_the_plan_had(auditor: Client, plan: Plan, of_two: str) -> None:
    page = auditor.post(of_two, fields_of(auditor.get(of_two)) | THIRD | {"do": ["check"]})
    assert fields_of(page)["params.contrasts"] == ["pairs"]
    assert "compares each pair of groups, so that it still compares women with men." in text_of(page)
    assert auditor.post(of_two, fields_of(page) | {"do": ["save"]})["Location"] == reverse("plan", args=[plan.pk])
    plan.refresh_from_db()
    assert plan.spec["params"] == {"contrasts": "pairs"}
    assert plan.spec["groups"]["only"] == ["women", "men", "girls"]


def test_a_plan_without_runs_has_no_comparison_to_keep(auditor: Client, plan: Plan) -> None:
    plan.spec["groups"]["only"] = ["women", "men"]
    plan.save()
    address = reverse("plan_edit", args=[plan.pk])
    page = auditor.post(address, fields_of(auditor.get(address)) | THIRD | {"do": ["check"]})
    assert fields_of(page)["params.contrasts"] == [""]
    assert "no longer compares" not in text_of(page)


def test_the_mean_of_the_others_says_before_it_is_saved_which_findings_end(
    auditor: Client, plan: Plan, of_two: str
) -> None:
    pairs = [("women", "men"), ("men", "women"), ("women", "")]
    for number, (group_a, group_b) in enumerate(pairs):
        Finding.objects.create(identity=str(number), plan=plan, group_a=group_a, group_b=group_b)
    page = auditor.post(of_two, fields_of(auditor.get(of_two)) | THIRD | {"do": ["check"]})
    assert '<button name="do" value="rest"' in text_of(page)
    page = auditor.post(of_two, fields_of(page) | {"do": ["rest"]})
    assert fields_of(page)["params.contrasts"] == ["rest"]
    text = text_of(page)
    assert "The new version no longer compares women with men, but women with the mean of the other groups" in text
    assert "2 findings of its earlier runs will no longer be measured." in text
    page = auditor.post(of_two, fields_of(page) | {"do": ["pairs"]})
    assert fields_of(page)["params.contrasts"] == ["pairs"]
    kept = fields_of(page) | {"groups:genders:only": ["women", "men"], "attributes:warmth:only": ["kind", "cold"]}
    assert "no longer compares" not in text_of(auditor.post(of_two, kept | {"do": ["check"]}))


def test_all_errors_come_at_once_each_at_its_input(auditor: Client) -> None:
    wrong = {
        "name": [""],
        "prior": [""],
        "params.level": ["7"],
        "params.resamples": ["many"],
        "groups:genders:only": [],
    }
    page = auditor.post(NEW, filled(auditor, **wrong) | {"do": ["save"]})
    text = text_of(page)
    for place in ("name", "prior", "params.level", "params.resamples", "groups"):
        assert f'href="#{place}"' in text
        assert f'id="{place}"' in text
        assert f'id="{place}-errors"' in text
    assert NOTHING_HERE in text
    assert fields_of(page)["params.resamples"] == ["many"]
    assert not Plan.objects.exists()


@pytest.mark.usefixtures("banks")
def test_two_settings_that_contradict_each_other_are_told_before_anybody_saves(auditor: Client) -> None:
    chosen = {"name": ["twice"], "bank:use": ["pairs"], "params.samples": ["5"], "do": ["check"]}
    checked = auditor.post(NEW, fields_of(auditor.get(f"{NEW}?method=bbq")) | chosen)
    assert "samples above 1 need a temperature above 0" in text_of(checked)
    assert "Still open" not in text_of(checked)


def test_an_edit_of_the_yaml_fills_in_the_form_and_keeps_comments(auditor: Client) -> None:
    fields = fields_of(auditor.get(f"{NEW}?method=ilps"))
    fields["yaml"] = [fields["yaml"][0] + "# why\nprior: {mask: one}  # as the papers\ngroups: {list: genders}\n"]
    shown = fields_of(auditor.post(NEW, fields | {"params.level": ["0.9"], "do": ["check"]}))
    assert shown["prior"] == ["mask"]
    assert shown["groups:use"] == ["genders"]
    assert shown["params.level"] == ["0.9"]
    assert "# why" in shown["yaml"][0]
    assert "# as the papers" in shown["yaml"][0]
    assert loaded(shown["yaml"][0])["params"] == {"level": 0.9}


def test_broken_yaml_stays_as_typed_and_loses_nothing_of_the_form(auditor: Client) -> None:
    fields = filled(auditor)
    broken = fields["yaml"][0] + "seed: [1\n"
    page = auditor.post(NEW, fields | {"yaml": [broken], "do": ["save"]})
    assert "this is not valid YAML on line" in text_of(page)
    shown = fields_of(page)
    assert shown["yaml"] == [broken]
    assert shown["templates:use"] == ["frames"]
    assert not Plan.objects.exists()
    mended = fields_of(auditor.post(NEW, shown | {"yaml": [broken.replace("[1", "1")], "do": ["check"]}))
    assert loaded(mended["yaml"][0])["templates"] == {"list": "frames"}
    assert loaded(mended["yaml"][0])["seed"] == 1


def test_broken_yaml_alone_is_answered_too(auditor: Client) -> None:
    fields = fields_of(auditor.get(f"{NEW}?method=ilps"))
    page = auditor.post(NEW, fields | {"yaml": ["a: [1\n"], "do": ["check"]})
    assert "Your text is kept" in text_of(page)
    assert fields_of(page)["form_text"] == fields["form_text"]


def test_the_form_warns_of_a_form_that_a_group_lacks(auditor: Client) -> None:
    page = auditor.post(NEW, filled(auditor, **{"groups:use": ["guilds"]}) | {"do": ["check"]})
    assert "1 group has no plural, which 4 templates need: weaver." in text_of(page)
    assert "It cannot be launched like this" in text_of(page)


def test_the_form_warns_of_groups_whose_names_differ_in_length(auditor: Client) -> None:
    told = "The names of the groups differ in length: “old women” has 2 words"
    assert told not in text_of(auditor.post(NEW, filled(auditor) | {"do": ["check"]}))
    Group.objects.create(word_list=GroupList.objects.get(slug="genders"), label="old women", plural="old women")
    longer = filled(auditor, **{"groups:genders:only": ["old women", "men"]})
    assert told in text_of(auditor.post(NEW, longer | {"do": ["check"]}))


def test_the_form_says_that_a_causal_model_needs_more_of_a_prior(auditor: Client) -> None:
    templates = {"templates:use": [], "templates:inline": ["The {attribute} people are {group.plural}."]}
    neutral = {"prior": ["words"], "prior.singular": ["person"], "prior.plural": ["people"]}
    given = filled(auditor, **templates, **neutral, model=["bundled:smollm2-135m"])
    page = text_of(auditor.post(NEW, given | {"do": ["check"]}))
    assert re.search("It cannot be launched like this: [^<]*needs a word in place of the attribute, too", page)
    page = text_of(auditor.post(NEW, given | {"prior.attribute": ["nice"], "do": ["check"]}))
    assert "It cannot be launched like this" not in page


def test_a_group_that_appears_twice_is_told_once(auditor: Client) -> None:
    page = auditor.post(NEW, filled(auditor, **{"groups:inline": ["men"]}) | {"do": ["check"]})
    found = re.findall(r"It cannot be launched like this: |group [^ ]*men[^ ]* appears twice; keep one", text_of(page))
    assert len(found) == 2


def test_a_list_says_only_of_a_part_of_its_entries(auditor: Client) -> None:
    part = auditor.post(NEW, filled(auditor) | {"do": ["check"]})
    assert "Only 2 of 3:" in text_of(part)
    every = auditor.post(NEW, filled(auditor, **{"groups:genders:only": ["women", "men", "girls"]}) | {"do": ["check"]})
    assert "All 3 entries of today, without any that is added later:" in text_of(every)
    assert "Only 3 of 3" not in text_of(every)
    gone = auditor.post(NEW, filled(auditor, **{"groups:genders:only": ["women", "men", "elves"]}) | {"do": ["check"]})
    assert "2 of 3, and 1 that is not in the list:" in text_of(gone)


def test_another_method_takes_out_what_it_does_not_know_and_says_so(auditor: Client) -> None:
    page = auditor.post(NEW, fields_of(auditor.post(NEW, filled(auditor))) | {"probe": ["perplexity"], "do": ["check"]})
    data = loaded(fields_of(page)["yaml"][0])
    assert data == {"name": "built", "probe": "perplexity", "model": "bundled:masked-demo"}
    assert "Taken out, since this method has no such key: groups, attributes, templates, prior." in text_of(page)


def test_a_typed_reference_takes_the_place_of_a_known_model(auditor: Client) -> None:
    typed = {"model:typed": ["hub:org/name"]}
    shown = fields_of(auditor.post(NEW, filled(auditor, **typed) | {"do": ["check"]}))
    assert loaded(shown["yaml"][0])["model"] == "hub:org/name"
    assert (shown["model"], shown["model:typed"]) == ([""], ["hub:org/name"])
    back = fields_of(auditor.post(NEW, shown | {"model": ["bundled:masked-demo"], "do": ["check"]}))
    assert loaded(back["yaml"][0])["model"] == "bundled:masked-demo"


def test_a_page_names_no_folder_that_the_operator_did_not_allow(auditor: Client) -> None:
    page = auditor.post(NEW, filled(auditor, **{"model:typed": ["path:/etc"]}) | {"do": ["save"]})
    assert "MODEL_ROOTS" in text_of(page)
    assert not Plan.objects.exists()


def test_a_group_that_its_list_does_not_have_is_told_also_of_a_plan_with_runs(auditor: Client, plan: Plan) -> None:
    Run.objects.create(name="old", probe="ilps", model="bundled:masked-demo", spec=plan.spec, plan=plan)
    address = reverse("plan_edit", args=[plan.pk])
    fields = fields_of(auditor.get(address))
    data = loaded(fields["yaml"][0]) | {"groups": {"list": "genders", "only": ["women", "nobody"]}}
    page = auditor.post(address, fields | {"yaml": [json.dumps(data)], "do": ["check"]})
    assert re.search("It cannot be launched like this: [^<]*nobody", text_of(page))


def test_saving_an_edited_plan_is_its_new_version(auditor: Client, plan: Plan) -> None:
    address = reverse("plan_edit", args=[plan.pk])
    fields = fields_of(auditor.get(address))
    auditor.post(address, fields | {"groups:genders:only": ["men"], "do": ["save"]})
    plan.refresh_from_db()
    assert plan.spec["groups"] == {"list": "genders", "only": ["men"]}
    assert versions(plan)[0].changes == ("Groups, the list genders: only men.",)


def test_somebody_elses_version_is_not_overwritten(auditor: Client, plan: Plan) -> None:
    address = reverse("plan_edit", args=[plan.pk])
    fields = fields_of(auditor.get(address))
    plan.description = "meanwhile"
    plan.save()
    page = auditor.post(address, fields | {"description": ["mine"], "do": ["save"]})
    assert "somebody saved another version of this plan while you edited it" in text_of(page)
    plan.refresh_from_db()
    assert plan.description == "meanwhile"


def test_a_page_reads_its_yaml_once(auditor: Client, plan: Plan, monkeypatch: pytest.MonkeyPatch) -> None:
    reading = Mock(wraps=loaded)
    monkeypatch.setattr(drafts, "loaded", reading)
    assert auditor.get(f"/plans/{plan.pk}/edit/").status_code == 200
    assert reading.call_count == 1


def test_a_copy_has_a_name_of_its_own_inside_too(auditor: Client, plan: Plan) -> None:
    fields = fields_of(auditor.get(f"{NEW}?from={plan.pk}"))
    assert fields["name"] == ["old, copy"]
    auditor.post(NEW, fields | {"do": ["save"]})
    assert Plan.objects.get(name="old, copy").spec == plan.spec | {"name": "old, copy"}


def test_a_copy_may_name_another_model(auditor: Client, plan: Plan) -> None:
    fields = fields_of(auditor.get(f"{NEW}?from={plan.pk}&model=bundled:smollm2-135m"))
    assert fields["name"] == ["old on bundled:smollm2-135m"]
    assert loaded(fields["yaml"][0])["model"] == "bundled:smollm2-135m"


def test_a_plan_is_saved_as_another_one_only_under_another_name(auditor: Client, plan: Plan) -> None:
    address = reverse("plan_edit", args=[plan.pk])
    fields = fields_of(auditor.get(address))
    assert "There is already a plan" in text_of(auditor.post(address, fields | {"do": ["copy"]}))
    auditor.post(address, fields | {"name": ["newer"], "do": ["copy"]})
    assert set(Plan.objects.values_list("name", flat=True)) == {"old", "newer"}


@pytest.mark.parametrize("probe", sorted(PROBES))
def test_every_method_opens(probe: str, auditor: Client) -> None:
    fields = fields_of(auditor.get(f"{NEW}?method={probe}"))
    assert fields["probe"] == [probe]
    assert fields_of(auditor.post(NEW, fields | {"do": ["check"]}))["yaml"] == fields["yaml"]


@pytest.mark.sampled(by=["probe"])
@pytest.mark.parametrize(("probe", "stem"), STARTERS)
def test_a_starter_plan_is_saved_as_it_was_opened(probe: str, stem: str, auditor: Client) -> None:
    """Most of its lists are not here: the plan keeps their names."""
    spec = read_yaml(STARTER / f"{stem}.yaml")
    plan = Plan.objects.create(name=spec["name"], spec=spec)
    address = reverse("plan_edit", args=[plan.pk])
    answer = auditor.post(address, fields_of(auditor.get(address)) | {"do": ["save"]})
    assert answer.status_code == 302
    plan.refresh_from_db()
    assert plan.spec == spec


@pytest.mark.parametrize(
    "spec", [{}, [], {"probe": "gone"}, {"probe": 3}, {"probe": "ilps", "groups": 7, "params": []}]
)
def test_a_plan_that_no_parser_accepts_opens_too(spec: Any, auditor: Client) -> None:
    plan = Plan.objects.create(name="broken", spec=spec)
    assert fields_of(auditor.get(reverse("plan_edit", args=[plan.pk])))["name"] == ["broken"]


def test_who_may_not_edit_plans_does_not_open_the_builder(as_: As, plan: Plan) -> None:
    for role in ("viewer", "reviewer", "curator"):
        client = as_(role)
        for address in (NEW, reverse("plan_edit", args=[plan.pk])):
            assert client.get(address).status_code == client.post(address, {}).status_code == 403


@pytest.mark.parametrize(
    "sent", [{}, {"do": "save"}, {"yaml": "[", "form_text": "["}, {"yaml": "- 1", "form_text": "- 1"}]
)
def test_a_form_of_nonsense_is_answered_with_errors(sent: dict[str, str], auditor: Client) -> None:
    assert auditor.post(NEW, sent).status_code == 200
    assert not Plan.objects.exists()


def loaded_as(kind: str) -> str:
    """A model that a worker has loaded, of this kind."""
    model = ModelUnderAudit.objects.create(reference=f"hub:org/{kind}")
    ModelCheck.objects.create(model=model, kind=kind, state=WorkState.DONE)
    return model.reference


def test_a_new_plan_for_a_model_begins_with_a_method_that_can_ask_it(auditor: Client) -> None:
    chosen = fields_of(auditor.get(f"{NEW}?model={loaded_as('multiple_choice')}"))["probe"][0]
    assert "multiple_choice" in PROBES[chosen].card.model_kinds
    assert "Choose another method or another model" not in text_of(auditor.get(f"{NEW}?model=hub:org/multiple_choice"))
    assert fields_of(auditor.get(f"{NEW}?model={loaded_as('masked')}"))["probe"] == [drafts.FIRST_METHOD]


@pytest.mark.parametrize(
    ("kind", "probe"),
    [
        ("masked", drafts.FIRST_METHOD),
        ("causal", drafts.FIRST_METHOD),
        ("multiple_choice", "bbq"),
        ("text_to_text", "bbq"),
        ("encoder", "weat"),
        ("static", "weat"),
    ],
)
def test_a_new_plan_begins_with_the_method_for_newcomers_that_fits_the_model(
    auditor: Client, kind: str, probe: str
) -> None:
    assert fields_of(auditor.get(f"{NEW}?model={loaded_as(kind)}"))["probe"] == [probe]


def test_a_method_that_cannot_ask_the_model_is_told_before_the_launch(auditor: Client) -> None:
    text = text_of(auditor.get(f"{NEW}?method=ilps&model={loaded_as('multiple_choice')}"))
    assert "hub:org/multiple_choice is of the kind “multiple-choice”. This method takes the kinds masked" in text
    chat = text_of(auditor.get(f"{NEW}?method=ilps&model=openai:https://example.org/v1%23m"))
    assert "is of the kind “remote endpoints”. This method takes" in chat
    assert "This method takes" not in text_of(auditor.get(f"{NEW}?method=ilps&model=hub:org/never-loaded"))


def test_a_bundled_model_needs_no_check_for_a_method_that_can_ask_it(auditor: Client) -> None:
    model = ModelUnderAudit.objects.create(reference="bundled:mcq-demo")
    ModelCheck.objects.create(model=model, state=WorkState.READY)
    page = auditor.get(f"{NEW}?model=bundled:mcq-demo")
    assert fields_of(page)["probe"] == ["bbq"]
    assert "We do not know yet" not in text_of(page)


def test_settings_for_other_kinds_of_model_stand_apart(auditor: Client) -> None:
    note = "For other kinds of model"
    before, after = text_of(auditor.get(f"{NEW}?method=bbq&model=bundled:mcq-demo")).split(note)
    foreign = [f'id="{key}"' for key in ("params.layout", "params.scoring", "params.price_in", "replies_of")]
    assert all(key in after and key not in before for key in foreign)
    assert 'id="params.question_only"' in before
    before, after = text_of(auditor.get(f"{NEW}?method=bbq&model=bundled:smollm2-135m")).split(note)
    assert 'id="params.scoring"' in before
    assert 'id="params.layout"' in after
    assert note not in text_of(auditor.get(f"{NEW}?method=bbq&model=hub:org/new"))
    before, after = text_of(auditor.get(f"{NEW}?method=ilps&model=bundled:masked-demo")).split(note)
    assert all(f'id="{key}"' in after and key not in before for key in ("params.format", "params.chat_prompt"))


def test_a_setting_with_a_value_stays_in_front_for_any_model(auditor: Client, plan: Plan) -> None:
    bank = Bank.objects.create(slug="bq", title="Questions", kind="bbq")
    spec = {"name": "old", "probe": "bbq", "model": "bundled:mcq-demo", "bank": {"bank": bank.slug}}
    Plan.objects.filter(pk=plan.pk).update(spec=spec | {"params": {"layout": "arc"}})
    before, _ = text_of(auditor.get(f"/plans/{plan.pk}/edit/")).split("For other kinds of model")
    assert 'id="params.layout"' in before


def test_a_model_whose_check_waits_is_named_as_of_unknown_kind(auditor: Client) -> None:
    told = "We do not know yet what kind of model this is: {}. Some methods below may not be able to ask it."
    model = ModelUnderAudit.objects.create(reference="hub:org/new")
    text = text_of(auditor.get(f"{NEW}?model=hub:org/new"))
    assert told.format("no worker has checked it") in text
    check = ModelCheck.objects.create(model=model, state=WorkState.READY)
    text = text_of(auditor.get(f"{NEW}?model=hub:org/new"))
    assert told.format("its check waits for a worker") in text
    assert 'href="/models/history/?reference=hub%3Aorg%2Fnew"' in text
    ModelCheck.objects.filter(pk=check.pk).update(state=WorkState.DONE, error="no such model")
    assert told.format("its latest check failed") in text_of(auditor.get(f"{NEW}?model=hub:org/new"))
    ModelCheck.objects.create(model=model, state=WorkState.DONE, kind="masked")
    assert "We do not know yet" not in text_of(auditor.get(f"{NEW}?model=hub:org/new"))


@pytest.mark.parametrize(("form", "warned"), [("text", True), ("plural", False)])
def test_nouns_in_the_singular_beside_a_group_in_the_plural_are_told(auditor: Client, form: str, warned: bool) -> None:
    jobs = AttributeSet.objects.create(slug="jobs", title="Jobs")
    for text, plural in (("nurse", "nurses"), ("baker", "bakers")):
        Attribute.objects.create(word_list=jobs, text=text, plural=plural)
    spec = {"name": "jobs", "probe": "ilps", "model": "bundled:masked-demo", "groups": {"list": "genders"}}
    spec |= {"attributes": {"list": "jobs", "form": form}, "prior": {"plural": "people"}}
    spec |= {"templates": {"inline": ["All {group.plural} are {attribute}."]}}
    plan = Plan.objects.create(name="jobs", spec=spec)
    text = text_of(auditor.get(f"/plans/{plan.pk}/edit/"))
    told = "2 words have a plural and stand in the singular beside a group in the plural: nurse, baker."
    assert (told in text) is warned


def test_a_neutral_word_as_prior_begins_with_person_and_people(auditor: Client) -> None:
    fields = filled(auditor, prior=["words"], **{"prior.singular": [""], "prior.plural": [""]})
    shown = fields_of(auditor.post(NEW, fields | {"do": ["check"]}))
    assert (shown["prior"], shown["prior.singular"], shown["prior.plural"]) == (["words"], ["person"], ["people"])
