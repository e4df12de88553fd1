from typing import Any

import pytest

from plumbline.audits.freezing import freeze, frozen_groups, frozen_spec
from plumbline.audits.launching import launch
from plumbline.audits.models import Run, Snapshot
from plumbline.spec.association import AssociationSpec
from plumbline.spec.audit import parse
from plumbline.spec.digests import digest
from plumbline.spec.errors import InputError
from plumbline.vocab.content import version
from plumbline.vocab.models import Attribute, Group, GroupList
from tests.plumbline.audits.conftest import SPEC


def words_of(run: Run) -> tuple[list[str], list[str]]:
    spec, snapshots = frozen_spec(Run.objects.get(pk=run.pk))
    assert isinstance(spec, AssociationSpec)
    materials = spec.materials(snapshots)
    return [group.label for group in materials.groups], [attribute.text for attribute in materials.attributes]


def test_each_curated_list_is_pinned_by_the_digest_of_its_content(curated: None) -> None:
    frozen, snapshots = freeze(parse(SPEC))
    pinned = {source.slug: source.sha256 for sources in frozen.sources().values() for source in sources}
    assert pinned == {"gender": version("groups", "gender"), "jobs": version("attributes", "jobs"), None: None}
    assert {digest(content) for content in snapshots.values()} == set(snapshots)


def test_freezing_writes_nothing(curated: None) -> None:
    freeze(parse(SPEC))
    assert not Snapshot.objects.exists()


def test_runs_on_the_same_words_share_their_snapshots(curated: None) -> None:
    first, second = launch(parse(SPEC)), launch(parse({**SPEC, "seed": 1}))
    assert Snapshot.objects.count() == 2
    assert set(first.snapshots.all()) == set(second.snapshots.all()) == set(Snapshot.objects.all())


def test_an_edited_list_is_frozen_again_and_the_others_are_shared(run: Run) -> None:
    Attribute.objects.filter(text="usher").update(text="ushers")
    later = launch(parse(SPEC))
    assert Snapshot.objects.count() == 3
    assert run.snapshots.filter(pk__in=later.snapshots.all()).count() == 1
    assert words_of(later)[1] == ["nurse", "ushers", "kind"]


def test_what_happens_to_a_vocabulary_later_does_not_reach_a_run(run: Run) -> None:
    before = words_of(run)
    assert before == (["women", "men"], ["nurse", "usher", "kind"])
    Attribute.objects.filter(text="usher").update(text="judge")
    Group.objects.filter(label="men").delete()
    assert words_of(run) == before
    GroupList.objects.all().delete()
    assert words_of(run) == before


@pytest.mark.django_db
def test_inline_words_need_no_snapshot() -> None:
    spec = parse({**SPEC, "groups": {"inline": [{"label": "x", "plural": "xs"}]}, "attributes": {"inline": ["kind"]}})
    assert freeze(spec) == (spec, {})


def test_a_frozen_spec_names_its_lists_by_content_not_by_what_it_claims(curated: None) -> None:
    claimed = {**SPEC, "groups": {"list": "gender", "sha256": "0" * 64}}
    assert freeze(parse(claimed)) == freeze(parse(SPEC))


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({"groups": {"list": "gendre"}}, r"no groups list 'gendre'; did you mean gender\?"),
        ({"groups": {"list": "gender", "only": ["girls"]}}, "list 'gender' has no entry 'girls'"),
        ({"groups": {"list": "void"}}, "groups list 'void' is empty; add entries"),
        ({"attributes": [{"list": "jobs"}, {"inline": ["nurse"]}]}, "attribute 'nurse' appears twice"),
        ({"templates": {"inline": ["{group.singular} {attribute}"]}}, "needs the singular of group 'women'"),
    ],
)
def test_words_at_fault_are_found_when_they_are_frozen(curated: None, changes: dict[str, object], fault: str) -> None:
    GroupList.objects.create(slug="void", title="Void")
    with pytest.raises(InputError, match=fault):
        freeze(parse({**SPEC, **changes}))


def test_the_groups_of_a_run_are_read_without_its_other_lists(curated: None, django_assert_num_queries: Any) -> None:
    run = launch(parse(SPEC))
    with django_assert_num_queries(1) as asked:
        found = frozen_groups(run)
    assert found is not None
    assert [group.label for group in found[1]] == ["women", "men"]
    (attributes,) = (one["sha256"] for one in run.spec["attributes"] if "sha256" in one)
    assert attributes not in asked[0]["sql"]


def test_a_run_of_a_method_without_groups_has_none(curated: None) -> None:
    run = launch(parse(SPEC))
    run.spec = {**run.spec, "probe": "no such method"}
    assert frozen_groups(run) is None
