"""Laws and standards: what the seed claims, statuses by real evidence, versions, and who edits."""

from dataclasses import asdict
from datetime import date

import pytest
from django.contrib.auth.models import Group, User
from django.core.exceptions import ValidationError
from django.db import ProgrammingError, transaction
from django.test import Client
from django.urls import reverse

from plumbline.audits.models import Plan, Run
from plumbline.findings.judging import judge
from plumbline.findings.models import Finding, State
from plumbline.findings.sign_off.signing import sign
from plumbline.reports.documents import on_run
from plumbline.reports.law.evidence import Held, Subject, held
from plumbline.reports.law.seeding import read_seed, store_seed
from plumbline.reports.law.statements import Statement, status_of
from plumbline.reports.law.versions import current_version, used_version
from plumbline.reports.models import Evidence, Framework, MappingVersion, Provision, Status
from plumbline.results.measure_writing import replace_measures
from plumbline.spec.errors import InputError
from plumbline.spec.measure import Measure
from plumbline.vocab.models import AttributeSet
from tests.plumbline.reports.conftest import ROWS, Log, a_finished_run

pytestmark = pytest.mark.django_db


def statement(run: Run, number: str, law: str = "") -> Statement:
    found = {one.number: one for text in on_run(run, "ada", law).law for one in text.statements}
    return found[number]


class TestSeed:
    def test_it_has_the_texts_and_points_that_reports_promise(self) -> None:
        points = {one.slug: [each.number for each in one.points] for one in read_seed()}
        assert points["eu-ai-act"][:5] == [
            "Article 10(2)(f)",
            "Article 10(2)(g)",
            "Article 11",
            "Article 12",
            "Article 15",
        ]
        assert points["eu-ai-act"][5:] == [f"Annex IV, point {number}" for number in range(1, 10)]
        assert points["nist-ai-rmf"] == ["MEASURE 2.11"]
        assert points["iso-42001"] == [f"A.{number}" for number in range(2, 11)]
        assert "Impact ratio" in points["nyc-ll144"]

    def test_each_text_has_a_date_in_the_past_a_source_and_valid_points(self) -> None:
        for one in Framework.objects.prefetch_related("provisions"):
            assert one.as_of < date(2026, 12, 1)
            one.full_clean()
            for point in one.provisions.all():
                point.full_clean()

    def test_no_point_claims_more_than_part_and_employment_law_claims_nothing(self) -> None:
        assert {one.at_most for text in read_seed() for one in text.points} == {"partly", "not covered"}
        assert {one.at_most for text in read_seed() if text.slug == "nyc-ll144" for one in text.points} == {
            "not covered"
        }

    def test_no_threshold_of_another_rule_is_applied(self) -> None:
        (text,) = [one for one in read_seed() if one.slug == "nyc-ll144"]
        assert "have no threshold" in text.note
        assert not any("0.8" in point.lacks for point in text.points)

    def test_what_an_admin_edited_stays_and_the_rest_is_brought_up_to_date(self) -> None:
        Provision.objects.filter(number="Article 12").update(title="edited")
        stale = Provision.objects.get(number="Article 11")
        store_seed()
        assert Provision.objects.get(number="Article 12").title == "edited"
        assert Provision.objects.get(number="Article 11").title == stale.title
        assert Provision.objects.count() == sum(len(one.points) for one in read_seed())


class TestStatus:
    @pytest.mark.parametrize(
        ("at_most", "needed", "more", "status"),
        [
            (Status.COVERED, [True], [True], Status.COVERED),
            (Status.COVERED, [True], [False], Status.PARTLY),
            (Status.COVERED, [True, False], [True], Status.NOT_COVERED),
            (Status.PARTLY, [True], [], Status.PARTLY),
            (Status.PARTLY, [True], [False], Status.PARTLY),
            (Status.PARTLY, [], [True], Status.NOT_COVERED),
            (Status.NOT_COVERED, [True], [False], Status.NOT_COVERED),
        ],
    )
    def test_it_is_no_better_than_the_evidence(
        self, at_most: Status, needed: list[bool], more: list[bool], status: Status
    ) -> None:
        first, then = ([Held(Evidence.FINISHED, holds, "") for holds in some] for some in (needed, more))
        assert status_of(at_most, first, then) == status

    def test_a_warning_of_a_run_is_told_beside_its_evidence(self, run: Run) -> None:
        assert held(Subject([run]))["readable"].sentence == "No concern about the scores is known."
        alike = [asdict(Measure("alike_frames", "word", 32, 32, 0.97, template=one, condition="1")) for one in "ab"]
        replace_measures(run.pk, [*ROWS, *alike])
        found = held(Subject([run]))["readable"]
        assert found.holds
        assert found.sentence.startswith("The scores can be read, but their conclusions are less certain. Run ")
        assert "2 frames behave as one kind of sentence (r = 0.97)" in found.sentence

    def test_records_without_a_launcher_or_a_sign_off_say_so(self, run: Run) -> None:
        Run.objects.filter(pk=run.pk).update(
            provenance={"device": "cpu", "digest": "00", "revision": "a"}, created_by=run.created_by
        )
        run.refresh_from_db()
        found = statement(run, "Article 12")
        assert found.status == Status.PARTLY.label
        assert f"Run {run.pk}: no sign-off stands." in found.missing
        assert f"Run {run.pk}: 3 of its findings are not judged." in found.missing
        Run.objects.filter(pk=run.pk).update(created_by=None)
        run.refresh_from_db()
        found = statement(run, "Article 12")
        assert found.status == Status.NOT_COVERED.label
        assert f"Run {run.pk}: it is not known who launched it." in found.missing
        assert not found.gives

    def test_a_sign_off_counts_until_the_run_is_summarised_again(self, run: Run) -> None:
        grace, lin = (User.objects.create_superuser(name) for name in ("grace", "lin"))
        judge(list(Finding.objects.values_list("pk", flat=True)), grace, State.CONFIRMED)
        sign(run, lin)
        signed = Evidence.SIGNED.label
        assert f"{signed}." in statement(run, "Article 11").gives + statement(run, "A.8").gives
        run.phases.filter(name="summary").update(done_at="2030-01-01T00:00Z")
        assert any("summarised again after its sign-off" in text for text in statement(run, "A.8").missing)

    def test_without_results_nothing_about_results_is_covered(self, run: Run) -> None:
        Run.objects.filter(pk=run.pk).update(state="cancelled")
        run.refresh_from_db()
        for number in ("Article 10(2)(f)", "Article 11", "Article 15", "Annex IV, point 3", "MEASURE 2.11", "A.5"):
            assert statement(run, number).status == Status.NOT_COVERED.label

    def test_accuracy_is_not_claimed_by_a_method_that_measures_none(self, run: Run) -> None:
        assert statement(run, "Article 15").status == Status.NOT_COVERED.label
        assert f"Run {run.pk}: it measures no accuracy and no perplexity." in statement(run, "Article 15").missing


class TestVersions:
    def test_a_later_edit_makes_a_new_version_and_leaves_the_old_one(self, run: Run) -> None:
        before = current_version()
        assert current_version() == before
        Provision.objects.filter(number="Article 12").update(lacks="edited")
        after = current_version()
        assert after.sha256 != before.sha256
        assert statement(run, "Article 12").lacks == "edited"
        assert statement(run, "Article 12", before.sha256[:12]).lacks != "edited"

    def test_a_version_never_changes(self) -> None:
        one = current_version()
        with pytest.raises(ProgrammingError, match="Cannot update or delete"), transaction.atomic():
            MappingVersion.objects.filter(pk=one.pk).update(content={})
        with pytest.raises(ProgrammingError, match="Cannot update or delete"), transaction.atomic():
            one.delete()

    def test_an_unknown_version_is_wrong_input(self) -> None:
        with pytest.raises(InputError, match="no version of the mapping begins with 'zz'"):
            used_version("zz")

    def test_what_is_switched_off_is_in_no_report(self, run: Run) -> None:
        Framework.objects.exclude(slug="nist-ai-rmf").update(is_active=False)
        Provision.objects.filter(number="MEASURE 2.11").update(is_active=False)
        (only,) = on_run(run, "ada").law
        assert only.statements == ()


def test_a_status_that_rests_on_nothing_is_refused() -> None:
    one = Provision.objects.get(number="Article 12")
    one.needs = []
    with pytest.raises(ValidationError, match="Name the evidence"):
        one.full_clean()


def test_each_edit_is_in_the_history() -> None:
    from plumbline.vocab.models.recorded import EVENTS

    one = Provision.objects.get(number="Article 12")
    one.title = "changed"
    one.save()
    assert EVENTS[Provision].objects.filter(pgh_obj=one, title="changed", pgh_label="update").count() == 1


def test_an_admin_edits_a_point_and_others_do_not(log_in: Log) -> None:
    one = Provision.objects.get(number="A.2")
    page = reverse("admin:reports_provision_change", args=[one.pk])
    fields = {"framework": one.framework_id, "number": "A.2", "title": "ours", "at_most": "partly", "position": 0}
    fields |= {"needs": "launcher", "supports": "signed", "lacks": "all else", "is_active": "on"}
    curator, viewer = log_in("curator"), log_in("viewer")
    assert {client.post(page, fields).status_code for client in (curator, viewer)} == {403}
    admin = User.objects.create_user("root", is_staff=True)
    admin.groups.set(Group.objects.filter(name="admin"))
    client = Client()
    client.force_login(admin)
    assert client.post(page, fields).status_code == 302
    one.refresh_from_db()
    assert (one.title, one.needs) == ("ours", ["launcher"])
    refused = client.post(page, fields | {"needs": "nonsense"})
    assert refused.status_code == 200
    assert "nonsense" in refused.content.decode()


def test_the_page_shows_the_mapping_and_earlier_versions(log_in: Log) -> None:
    before = current_version()
    Provision.objects.filter(number="Article 12").update(lacks="<i>edited</i>")
    client = log_in("viewer")
    page = client.get(reverse("law")).content.decode()
    assert "&lt;i&gt;edited&lt;/i&gt;" in page
    assert before.sha256[:12] in page
    assert "edited" not in client.get(reverse("law"), {"version": before.sha256}).content.decode()
    assert client.get(reverse("law"), {"version": "zz"}).status_code == 404


def test_words_that_the_plan_itself_writes_name_no_source(ada: User, plan: Plan) -> None:
    listed = AttributeSet.objects.create(slug="jobs", title="Jobs", source="a paper", licence="CC0")
    listed.entries.create(position=1, text="warm")
    run = a_finished_run(*ROWS, plan=plan, by=ada, attributes={"list": "jobs"})
    found = held(Subject([run]))[Evidence.SOURCES]
    assert not found.holds
    assert found.sentence == f"Run {run.pk}: its plan writes groups, templates itself, without a source."
