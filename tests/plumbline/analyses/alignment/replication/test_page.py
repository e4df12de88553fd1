"""The page that puts a run beside the figures of Cao et al. 2022."""

import csv
import io
import re
from html import unescape

import pytest
from django.test import Client
from django.urls import reverse

from plumbline.analyses.alignment.tables import alignment_of
from plumbline.audits.models import Run
from plumbline.spec.numbers import number

pytestmark = pytest.mark.django_db


def page(client: Client, run: Run, **query: str) -> str:
    """The words of the page."""
    answer = client.get(reverse("published_agreement", args=[run.pk]), query)
    assert answer.status_code == 200
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", answer.content.decode())).split())


def test_the_runs_tau_is_beside_the_printed_ones_of_its_measure(run: Run, viewer: Client) -> None:
    text, tau = page(viewer, run), alignment_of(run.pk).overall("kendall_tau", "model")
    assert tau is not None
    assert tau.value is not None
    assert f"Kendall's tau (Table 6) {number(tau.value)}" in text
    assert "0.169† 0.094†" in text
    assert "another measure" not in text


def test_a_reader_chooses_another_measure_of_the_paper(run: Run, viewer: Client) -> None:
    text = page(viewer, run, measure="set")
    assert "0.199† 0.116 " in text
    assert "This run used another measure" in text
    assert page(viewer, run, measure="nonsense") == page(viewer, run, measure="set")


def test_what_differs_is_named(run: Run, viewer: Client) -> None:
    text = page(viewer, run)
    assert "Model path:./some/dir RoBERTa large and BERT large" in text
    assert "“All {group} are {attribute}.” and “Most {group} seem {attribute}.”" in text
    assert "RoBERTa large: “That [group] is [trait].”" in text
    assert "Ratings those of the spec itself" in text
    assert "1 of these, without White people" in text
    assert "Prior a mask in the group's place a mask in the group's place" in text


def test_groups_of_the_paper_are_listed_with_ours(run: Run, viewer: Client) -> None:
    taus = {one.group: one.tau.value for one in alignment_of(run.pk).of_groups("", "group")}
    assert f"Women {number(taus['women'])} 0.217 0.017" in page(viewer, run)


def test_other_runs_are_in_the_table_by_model_and_measure(run: Run, viewer: Client) -> None:
    text = page(viewer, run)
    assert "RoBERTa large (printed) 0.019" in text
    assert re.search(r"By model and measure .* path:./some/dir - [+-]", text)


def test_a_run_without_people_says_so(alone: Run, viewer: Client) -> None:
    assert "not compared with people" in page(viewer, alone)


def test_the_page_of_people_links_to_it(run: Run, viewer: Client) -> None:
    text = viewer.get(reverse("alignment", args=[run.pk])).content.decode()
    assert reverse("published_agreement", args=[run.pk]) in text


def test_the_file_has_each_group_and_table(run: Run, viewer: Client) -> None:
    answer = viewer.get(reverse("published_agreement_csv", args=[run.pk]), {"measure": "set"})
    lines = [line for line in answer.content.decode().splitlines() if not line.startswith("#")]
    found = list(csv.DictReader(io.StringIO("\n".join(lines))))
    assert len(found) == 75
    elders = next(row for row in found if (row["group"], row["table"]) == ("Elderly people", "Table A11"))
    assert (elders["ours"], elders["roberta"], elders["bert"]) == ("", "0.7", "0.4")
