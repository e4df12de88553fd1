"""The page on the agreement of methods: asked, answered by a worker, outdated by a newer run; and the command."""

import html
import re
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from plumbline.audits.models import MethodAgreement, Run
from plumbline.results.method_scores import comparable_forms, scores_of
from tests.plumbline.methods.conftest import MakeRun, measured
from tests.workers.execution.conftest import Silent
from workers.execution import Worker, answer_next

MODEL = "path:./<some>/dir"
WORDS = [f"job{chr(97 + at)}" for at in range(11)]
ILPS = {
    "name": "ilps",
    "probe": "ilps",
    "model": MODEL,
    "groups": {"inline": [{"label": "women", "singular": "woman"}, {"label": "men", "singular": "man"}]},
    "prior": {"mask": "one"},
    "attributes": {"inline": [{"text": word, "plural": f"{word}s"} for word in WORDS], "form": "plural"},
    "templates": {"inline": ["{group.singular} is [a|one] {attribute}"]},
}
WOMEN_AND_MEN = {"group_a": "women", "group_b": "men"}
WEAT = {
    "name": "weat",
    "probe": "weat",
    "model": MODEL,
    "targets": {"x": {"inline": WORDS[:6]}, "y": {"inline": WORDS[6:]}},
    "attributes": {"a": {"inline": ["Woman"]}, "b": {"inline": ["Man"]}},
    "templates": {"inline": ["{target} likes {attribute}."]},
}


def ilps_measures(sign: float = 1.0) -> list[dict[str, Any]]:
    """The differences between women and men rise from word to word."""
    scores = [
        measured("ilps", sign * at * side, group_a=group, attribute=f"{word}s")
        for at, word in enumerate(WORDS)
        for group, side in (("women", 1), ("men", -1))
    ]
    differences = [
        measured(
            "ilps_difference", sign * 2 * (at - 5), group_a="women", group_b="men", attribute=f"{word}s", q_value=q
        )
        for at, (word, q) in enumerate(zip(WORDS, [0.01] * 4 + [0.5] * 3 + [0.01] * 4, strict=True))
    ]
    return [*scores, *differences]


def weat_measures() -> list[dict[str, Any]]:
    """As the differences of ILPS, but that the first two words have changed places."""
    order = [1, 0, *range(2, 11)]
    return [
        measured("cosine", 0.5 + side * at / 50, group_a=word, attribute=attribute)
        for at, word in zip(order, WORDS, strict=True)
        for attribute, side in (("Woman", 1), ("Man", -1))
    ]


@pytest.fixture
def runs(make_run: MakeRun) -> list[Run]:
    return [make_run(ILPS, ilps_measures()), make_run(WEAT, weat_measures())]


def page(client: Client) -> str:
    response = client.get(reverse("method_agreement"), {"reference": MODEL})
    assert response.status_code == 200
    return re.sub(r"\s+", " ", html.unescape(response.content.decode()))


def ask(client: Client) -> None:
    assert client.post(reverse("method_agreement_ask"), {"reference": MODEL}).status_code == 302


def answer() -> None:
    assert answer_next(Worker("test", Silent(), owner=""), lambda _: None)


def test_a_word_is_compared_by_its_singular_whatever_its_side_case_and_number(runs: list[Run]) -> None:
    (ilps,), (weat,) = (scores_of(run) for run in runs)
    assert ilps.groups == ["woman", "man"]
    assert ilps.labels["joba"] == "jobas"
    assert weat.turned().groups == ilps.groups
    assert ilps.templates == {"{group.singular} is a {attribute}", "{group.singular} is one {attribute}"}
    assert ("woman", "man", "joba") in ilps.differences


def test_labels_that_would_share_a_text_keep_their_own(make_run: MakeRun) -> None:
    both = [{"label": "he / boys", "singular": "he"}, {"label": "he / men", "singular": "he"}]
    rows = [measured("ilps", 0.1, group_a=one["label"], attribute="nurses") for one in both]
    (found,) = scores_of(make_run(ILPS | {"groups": {"inline": both}}, rows))
    assert found.groups == ["he / boys", "he / men"]
    assert comparable_forms({"inline": [{"text": "Nurse", "plural": "nurses"}]}) == {
        "nurse": "nurse",
        "nurses": "nurse",
    }


def test_a_worker_answers_and_the_page_gives_tau_with_its_interval(runs: list[Run], viewer: Client) -> None:
    assert "Compare the methods" in page(viewer)
    ask(viewer)
    assert "No worker can answer now" in page(viewer)
    answer()
    text = page(viewer)
    assert "tend to order the words alike, by how much each leans to women or men." in text
    assert "Fewer than 10 families give no correlation." in text
    assert "tau = +0.96" in text  # one of 55 pairs of words in the other order: 53 / 55
    assert "n = 11 words, 11 word families" in text
    assert "Both give about 98% of the pairs of words the same order." in text
    assert "Word embedding association test has no prior." in text
    assert all(reverse("run", args=[run.pk]) in text for run in runs)
    assert "<some>" not in viewer.get(reverse("method_agreement"), {"reference": MODEL}).content.decode()
    assert "Outdated" not in text


def test_a_newer_run_makes_the_answer_outdated(runs: list[Run], viewer: Client, make_run: MakeRun) -> None:
    ask(viewer)
    answer()
    make_run(ILPS | {"name": "another audit"}, ilps_measures(-1.0)[:3])
    text = page(viewer)
    assert "Outdated: since this comparison, a run finished" in text
    assert "tau = +0.96" in text
    ask(viewer)
    answer()
    assert "Outdated" not in page(viewer)


def test_two_runs_of_methods_that_contradict_each_other_are_named(
    runs: list[Run], viewer: Client, make_run: MakeRun
) -> None:
    chain = ILPS | {"probe": "ilps_chain", "name": "chain"}
    rows = [row | {"statistic": row["statistic"].replace("ilps", "ilps_chain")} for row in ilps_measures(-1.0)]
    run = make_run(chain, rows)
    ask(viewer)
    answer()
    text = page(viewer)
    assert "give the words exactly the opposite order. Nothing varies, so there is no interval" in text
    assert "tau = -1.00 (no interval)" in text
    assert "women minus men" in text
    assert "-10.00 [-10.50, -9.50] n = 12 items present" in text
    assert "Opposite signs, both present" in text
    assert reverse("run", args=[run.pk]) in text


def test_too_few_shared_words_print_no_correlation(make_run: MakeRun, viewer: Client) -> None:
    make_run(ILPS, ilps_measures())
    make_run(WEAT, [row for row in weat_measures() if row["group_a"] in WORDS[:4]])
    ask(viewer)
    answer()
    text = page(viewer)
    assert "too few shared: 4 word families. A correlation needs 10." in text
    assert "tau =" not in text


def test_one_method_alone_is_told(make_run: MakeRun, viewer: Client) -> None:
    make_run(ILPS, ilps_measures())
    ask(viewer)
    assert not MethodAgreement.objects.exists()
    assert "Finished runs of two methods are needed" in page(viewer)


def test_the_page_of_the_model_leads_there(runs: list[Run], viewer: Client) -> None:
    assert reverse("method_agreement") in viewer.get(reverse("model"), {"reference": MODEL}).content.decode()
    assert viewer.get(reverse("method_agreement"), {"reference": "path:nowhere"}).status_code == 404


def test_the_page_computes_nothing(
    runs: list[Run], viewer: Client, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    ask(viewer)
    answer()
    MethodAgreement.objects.update(found=[])
    with django_assert_max_num_queries(16):
        assert "tau =" not in page(viewer)


def test_a_run_that_changed_since_the_request_ends_it_with_the_remedy(runs: list[Run], viewer: Client) -> None:
    ask(viewer)
    runs[0].delete()
    answer()
    assert "ask again" in MethodAgreement.objects.get().error
    assert "The last comparison failed" in page(viewer)


def test_the_command_prints_and_stores_the_same(
    runs: list[Run], viewer: Client, capsys: pytest.CaptureFixture[str]
) -> None:
    for _ in range(2):
        with pytest.raises(SystemExit) as ended:
            call_command("audit", "agreement", MODEL)
        assert not ended.value.code
    told = capsys.readouterr().out
    assert told.count("tau = +0.96") == 2
    assert MethodAgreement.objects.count() == 1
    assert "tau = +0.96" in page(viewer)
    with pytest.raises(SystemExit) as ended:
        call_command("audit", "agreement", "bundled:nothing")
    assert ended.value.code == 2
    assert "no finished runs of two methods" in capsys.readouterr().err
