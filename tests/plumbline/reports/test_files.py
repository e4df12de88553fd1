"""Reports as downloads: who gets them, what the log says, where the buttons are; and as files of a command."""

from collections.abc import Callable
from pathlib import Path

import pytest
from django.core.management import call_command
from django.urls import reverse

from plumbline.accounts.models import Activity, ActivityEntry
from plumbline.audits.models import Run
from plumbline.reports import rendering
from plumbline.spec.errors import InputError
from tests.plumbline.reports.conftest import ROWS, Log, a_finished_run, needs_pango

pytestmark = pytest.mark.django_db


def test_a_viewer_downloads_the_report_and_the_log_says_so(run: Run, log_in: Log) -> None:
    answer = log_in("viewer").get(reverse("run_report_html", args=[run.pk]))
    assert answer["Content-Disposition"] == f'attachment; filename="plumbline-run-{run.pk}.html"'
    assert answer.content.decode().startswith("<!doctype html>")
    entry = ActivityEntry.objects.get(activity=Activity.EXPORT)
    assert entry.about == f"plumbline-run-{run.pk}.html from /runs/{run.pk}/report/html/"


@needs_pango
def test_a_viewer_downloads_the_pdf(run: Run, log_in: Log) -> None:
    answer = log_in("viewer").get(reverse("run_report_pdf", args=[run.pk]))
    assert answer["Content-Type"] == "application/pdf"
    assert answer.content.startswith(b"%PDF")


def test_an_account_without_a_role_gets_none(run: Run, log_in: Log) -> None:
    client = log_in("")
    pages = [reverse("run_report_html", args=[run.pk]), reverse("law"), reverse("model_report_pdf")]
    assert {client.get(page).status_code for page in pages} == {403}
    assert not ActivityEntry.objects.filter(activity=Activity.EXPORT).exists()


def test_the_pages_have_the_buttons_and_these_lead_to_files(run: Run, log_in: Log) -> None:
    other, client = a_finished_run(*ROWS), log_in("viewer")
    pages = {
        f"/runs/{run.pk}/": f"/runs/{run.pk}/report/html/",
        "/models/history/?reference=bundled:none&page=1": "/models/report/html/?reference=bundled%3Anone",
        f"/compare/?a={run.pk}&b={other.pk}&page=1": f"/compare/report/html/?a={run.pk}&amp;b={other.pk}",
    }
    for page, address in pages.items():
        text = client.get(page).content.decode()
        assert f'href="{address}"' in text
        assert f'href="{address.replace("/html/", "/pdf/")}"' in text
        assert client.get(address.replace("&amp;", "&"))["Content-Disposition"].startswith("attachment")


@pytest.mark.parametrize(
    "address",
    [
        "/runs/999999/report/html/",
        "/models/report/html/",
        "/models/report/html/?reference=no%00body",
        "/compare/report/html/?a=1",
        "/compare/report/html/?a=x&b=y",
        "/compare/report/pdf/",
    ],
)
def test_what_does_not_exist_has_no_report(log_in: Log, address: str) -> None:
    assert log_in("viewer").get(address).status_code in (400, 404)


def test_what_has_no_report_leads_back_with_the_reason(run: Run, log_in: Log, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_page: str) -> bytes:
        raise InputError(rendering.NO_PANGO)

    monkeypatch.setattr(rendering, "pdf", refuse)
    client = log_in("viewer")
    answer = client.get(reverse("run_report_pdf", args=[run.pk]), follow=True)
    assert answer.redirect_chain == [(f"/runs/{run.pk}/", 302)]
    assert "There is no report: a PDF needs the library pango" in answer.content.decode()
    back = client.get(f"/compare/report/html/?a={run.pk}&b={run.pk}", follow=True)
    assert "these are the same run" in back.content.decode()


Ended = tuple[int, str, str]


@pytest.fixture
def report(capsys: pytest.CaptureFixture[str]) -> Callable[..., Ended]:
    def call(*arguments: object) -> Ended:
        capsys.readouterr()
        code = 0
        try:
            call_command("report", *map(str, arguments))
        except SystemExit as ended:
            code = int(ended.code or 0)
        streams = capsys.readouterr()
        return code, streams.out, streams.err

    return call


def test_the_command_writes_each_kind_of_report(run: Run, report: Callable[..., Ended], tmp_path: Path) -> None:
    other = a_finished_run(*ROWS)
    wanted = {
        "run.html": (run.pk,),
        "model.html": ("--model", "bundled:none"),
        "two.html": (other.pk, "--against", run.pk),
    }
    for name, arguments in wanted.items():
        code, out, _ = report(*arguments, "--out", tmp_path / name)
        assert code == 0
        assert out.startswith(f"report written to {tmp_path / name} (")
        assert "<h1" in (tmp_path / name).read_text()
    assert ActivityEntry.objects.filter(activity=Activity.EXPORT, about=f"to {tmp_path / 'run.html'}").count() == 1


@pytest.mark.parametrize(
    ("arguments", "fault"),
    [
        (["999999", "--out", "a.html"], "there is no run 999999"),
        (["--out", "a.html"], "name a run"),
        (["1", "--model", "m", "--out", "a.html"], "give either a run, or --model"),
        (["--against", "1", "--out", "a.html"], "name a run"),
        (["--model", "hub:a/b", "--out", "a.html"], "no run audited the model 'hub:a/b'"),
        (["1", "--out", "a.docx"], "let the file end in .html or .pdf"),
    ],
)
def test_wrong_arguments_are_one_line_that_says_what_to_do(
    report: Callable[..., Ended], arguments: list[str], fault: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    code, _, err = report(*arguments)
    assert code == 2
    assert fault in err
    assert len(err.strip().splitlines()) == 1
    assert not list(tmp_path.iterdir())


def test_an_unknown_version_and_an_unwritable_file_are_wrong_input(
    run: Run, report: Callable[..., Ended], tmp_path: Path
) -> None:
    assert "no version of the mapping" in report(run.pk, "--law", "zz", "--out", tmp_path / "a.html")[2]
    assert "cannot write" in report(run.pk, "--out", tmp_path / "missing" / "a.html")[2]
